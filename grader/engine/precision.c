/* SPDX-License-Identifier: MIT */
#include "grader/engine/precision.h"

#include "grader/engine/cases.h"
#include "grader/engine/exercise.h"
#include "grader/engine/grade.h"
#include "grader/engine/places.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Errors, as a part of a column's largest value. */
#define NEARLY_RIGHT 1e-4
#define FLOAT_MOST 1e-5 /* what float loses on numbers that behave */
/* A constant whose last digit is off loses about as much, give or take. */
#define CONSTANT_MORE 1e3
#define CONSTANT_LESS 1e-3
/* A number this small is added to something, and not a rounded one. */
#define TINY 1e-3

/* Closeness --------------------------------------------------------------- */

static double load(enum value_type type, const struct value *value, size_t i)
{
	return type == TYPE_FLOAT ? (double)((const float *)value->data)[i]
				  : ((const double *)value->data)[i];
}

static void measure_column(struct closeness *out, enum value_type type,
	const struct value *expected, const struct value *got, size_t column,
	size_t width)
{
	double largest = 0, error = 0;

	for (size_t i = column; i < expected->count; i += width) {
		double want = load(type, expected, i);
		double have = load(type, got, i);

		if (!isfinite(want) || !isfinite(have)) {
			out->column_error = INFINITY;
			return;
		}
		largest = fmax(largest, fabs(want));
		error = fmax(error, fabs(have - want));
		out->float_valued &= (double)(float)have == have;
	}
	if (error > 0)
		out->column_error = fmax(out->column_error, error / largest);
}

struct closeness precision_measure(const struct function *function,
	const struct value *expected, const struct value *outputs)
{
	struct closeness out = {.float_valued = true};

	for (size_t p = 0; p <= function->n_parameters; p++) {
		const struct value *want = &expected[p];
		enum value_type type = p < function->n_parameters
			? function->parameters[p].type
			: function->return_type;
		size_t width = want->n_axes ? want->shape[want->n_axes - 1] : 1;

		if (!want->data)
			continue;
		if (type == TYPE_FLOAT)
			out.float_valued = false;
		if (!type_is_float(type)) {
			if (memcmp(want->data, outputs[p].data,
				    want->count * type_bytes(type)) != 0)
				out.column_error = INFINITY;
			continue;
		}
		for (size_t column = 0; column < width; column++)
			measure_column(
				&out, type, want, &outputs[p], column, width);
	}
	return out;
}

/* Evidence ---------------------------------------------------------------- */

/* The largest error of all that count; 0 if nothing is wrong there, infinite
   where one of them is not nearly right. */
static struct closeness gather(
	const struct case_grade *cases, size_t n_cases, bool formula)
{
	struct closeness all = {.float_valued = true};

	for (size_t i = 0; i < n_cases; i++) {
		const struct case_grade *graded = &cases[i];

		if (graded->hidden ||
			(formula && !graded->test_case->group->formula) ||
			graded->verdict == VERDICT_PASS)
			continue;
		if (graded->verdict != VERDICT_WRONG_ANSWER ||
			graded->repeats_differ)
			all.column_error = INFINITY;
		else
			all.column_error = fmax(all.column_error,
				graded->closeness.column_error);
		all.float_valued &= graded->closeness.float_valued;
	}
	return all;
}

static bool has_formula(const struct case_grade *cases, size_t n_cases)
{
	for (size_t i = 0; i < n_cases; i++)
		if (!cases[i].hidden && cases[i].test_case->group->formula)
			return true;
	return false;
}

/* The source -------------------------------------------------------------- */

static const char *const functions[] = {"sqrtf", "expf", "exp2f", "expm1f",
	"powf", "logf", "log2f", "log1pf", "fabsf", "fmaxf", "fminf", "tanhf",
	"sinf", "cosf", "cbrtf", "hypotf", "roundf", "floorf", "ceilf", "fmodf",
	"strtof", NULL};

static bool is_float_function(const struct token *token)
{
	for (size_t i = 0; functions[i]; i++)
		if (token->kind == TOKEN_NAME && token_is(token, functions[i]))
			return true;
	return false;
}

static void set_name(struct precision *out, const struct token *token)
{
	size_t len = token->len;

	if (len >= sizeof(out->name))
		len = sizeof(out->name) - 1;
	memcpy(out->name, token->text, len);
	out->name[len] = '\0';
}

/* Significant digits of "2.718", 0 of what has no point, an exponent or more
   than digits in it. */
static int count_digits(const struct token *token)
{
	bool point = false, started = false;
	int digits = 0;

	if (token->kind != TOKEN_NUMBER || token->len >= PRECISION_NAME_BYTES)
		return 0;
	for (size_t i = 0; i < token->len; i++) {
		char c = token->text[i];

		if (c == '.') {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)c))
			return 0;
		started |= c != '0';
		digits += started;
	}
	return point ? digits : 0;
}

static double value_of(const struct token *token)
{
	char text[PRECISION_NAME_BYTES];

	if (token->kind != TOKEN_NUMBER || token->len >= sizeof(text))
		return 0;
	memcpy(text, token->text, token->len);
	text[token->len] = '\0';
	return strtod(text, NULL);
}

/* What may explain a loss. */
struct suspects {
	const struct token *variable;
	const struct token *function;
	const struct token *constant;
	size_t n_constants;
	bool tiny; /* a number that may be added to something */
};

/* Numbers of two digits are meant: 0.5, 1.25 is no rounding of anything. */
static bool is_rounded(const struct token *token)
{
	int digits = count_digits(token);
	double value = value_of(token);

	return digits >= 3 && digits <= 12 && value > 0 &&
		value * 1024 != floor(value * 1024);
}

/* "1e" and "-" of "1e-9": a token each. */
static bool starts_exponent(const struct token *token, const struct token *next)
{
	char last = token->text[token->len - 1];

	return token->kind == TOKEN_NUMBER && (last == 'e' || last == 'E') &&
		token_is(next, "-");
}

static struct suspects look_for_suspects(const struct places *places)
{
	struct suspects found = {0};

	for (size_t i = 0; i < places->count; i++) {
		const struct token *token = &places->tokens[i];
		double value = value_of(token);

		found.tiny |= (value > 0 && value < TINY) ||
			(i + 1 < places->count &&
				starts_exponent(token, &token[1]));
		if (!found.variable && token->kind == TOKEN_NAME &&
			token_is(token, "float"))
			found.variable = token;
		if (!found.function && is_float_function(token))
			found.function = token;
		if (is_rounded(token)) {
			if (!found.constant)
				found.constant = token;
			found.n_constants++;
		}
	}
	return found;
}

/* Half of the last digit, as a part of the number. */
static double rounding_of(const struct token *constant)
{
	return 0.5 * pow(10, 1 - count_digits(constant));
}

static bool explains(const struct token *constant, double error)
{
	double rounding = rounding_of(constant);

	return error < CONSTANT_MORE * rounding &&
		error > CONSTANT_LESS * rounding;
}

static struct precision choose(
	const struct suspects *suspects, double error, bool float_valued)
{
	struct precision out = {.stored_as_float = float_valued};
	bool like_float = error <= FLOAT_MOST;

	if (like_float && suspects->variable) {
		out.loss = PRECISION_VARIABLE;
		out.line = suspects->variable->line;
		if (suspects->function) {
			set_name(&out, suspects->function);
			out.function_line = suspects->function->line;
		}
	} else if (like_float && suspects->function) {
		out.loss = PRECISION_FUNCTION;
		out.line = suspects->function->line;
		set_name(&out, suspects->function);
	} else if (suspects->n_constants == 1 && !suspects->variable &&
		!suspects->function && explains(suspects->constant, error)) {
		out.loss = PRECISION_CONSTANT;
		out.line = suspects->constant->line;
		out.digits = count_digits(suspects->constant);
		set_name(&out, suspects->constant);
	} else if (like_float && float_valued && !suspects->tiny) {
		out.loss = PRECISION_UNKNOWN;
	}
	return out;
}

struct precision precision_find(const struct case_grade *cases, size_t n_cases,
	const struct places *places, bool renumbered)
{
	struct closeness all =
		gather(cases, n_cases, has_formula(cases, n_cases));
	struct suspects suspects;
	struct precision out = {0};

	if (all.column_error == 0 || !(all.column_error <= NEARLY_RIGHT))
		return out;
	suspects = look_for_suspects(places);
	out = choose(&suspects, all.column_error, all.float_valued);
	if (renumbered)
		out.line = out.function_line = 0;
	return out;
}
