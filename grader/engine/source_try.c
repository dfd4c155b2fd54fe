/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "grader/engine/cases.h"
#include "grader/engine/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers ------------------------------------------------------------------ */

/* The fewest digits that read back as the same number. */
static void put_shortest(struct text *out, double number, bool single)
{
	char digits[64];
	int precision = single ? 6 : 15;

	for (;; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (precision >= 17 ||
			(single ? (double)strtof(digits, NULL)
				: strtod(digits, NULL)) == number)
			break;
	}
	text_puts(out, digits);
	/* An integer constant has no -0, and no more than 64 bits. */
	if (!strpbrk(digits, ".en"))
		text_puts(out, ".0");
}

void source_put_real(struct text *out, enum value_type type, double number)
{
	put_shortest(out, number, type == TYPE_FLOAT);
	if (type == TYPE_FLOAT)
		text_putc(out, 'f');
}

static void put_constant(
	struct text *out, enum value_type type, uint64_t number, double real)
{
	if (type_is_float(type))
		source_put_real(out, type, real);
	else if (type == TYPE_BOOL)
		text_puts(out, number ? "true" : "false");
	else if (type == TYPE_SIZE || type == TYPE_UINT64)
		text_printf(out, "%llu", (unsigned long long)number);
	else
		text_printf(out, "%lld", (long long)number);
}

/* Variables ---------------------------------------------------------------- */

static bool is_flat(const struct parameter *parameter)
{
	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		if (parameter->dimensions[d].kind == DIMENSION_SPLICE)
			return true;
	}
	return parameter->nullable || parameter->open;
}

static void put_shape(struct text *out, const struct parameter *parameter,
	const struct value *value)
{
	if (is_flat(parameter)) {
		/* C has no array of 0 elements. */
		text_printf(out, "[%zu]", value->count ? value->count : 1);
		return;
	}
	for (size_t a = 0; a < value->n_axes; a++)
		text_printf(out, "[%zu]", value->shape[a]);
}

/* Elements in rows of the last axis; braces for every axis that C sees. */
static void put_elements(struct text *out, const struct parameter *parameter,
	const struct value *value)
{
	bool flat = is_flat(parameter) || value->n_axes < 2;
	size_t width = value->n_axes > 0 ? value->shape[value->n_axes - 1] : 1;

	text_puts(out, "{");
	if (value->count == 0)
		text_puts(out, "0");
	for (size_t i = 0; i < value->count; i++) {
		uint64_t number;
		double real;
		size_t block = value->count;

		if (i > 0)
			text_puts(out, i % width ? ", " : ",\n\t\t");
		/* One brace for each inner axis that starts here. */
		for (size_t a = 0; !flat && a + 1 < value->n_axes; a++) {
			block /= value->shape[a];
			if (i % block == 0)
				text_putc(out, '{');
		}
		element_load(parameter->type, value->data, i, &number, &real);
		put_constant(out, parameter->type, number, real);
		block = value->count;
		for (size_t a = 0; !flat && a + 1 < value->n_axes; a++) {
			block /= value->shape[a];
			if ((i + 1) % block == 0)
				text_putc(out, '}');
		}
	}
	text_puts(out, "}");
}

static void put_variable(struct text *out, const struct function *function,
	size_t p, const struct value *value)
{
	const struct parameter *parameter = &function->parameters[p];
	const char *type = type_name(parameter->type);

	if (!parameter->is_array) {
		text_printf(out, "\tconst %s %s = ", type, parameter->name);
		put_constant(out, parameter->type, value->number, value->real);
	} else if (value->is_null) {
		text_printf(out, "\tconst %s *const %s = NULL", type,
			parameter->name);
	} else if (parameter->output) {
		text_printf(out, "\t%s %s", type, parameter->name);
		put_shape(out, parameter, value);
	} else {
		text_printf(out, "\tconst %s %s", type, parameter->name);
		put_shape(out, parameter, value);
		text_puts(out, " = ");
		put_elements(out, parameter, value);
	}
	text_puts(out, ";\n");
}

/* What it prints ------------------------------------------------------------
 */

/* How a value of each type is printed, for printf() and as its argument. */
static const struct {
	const char *format;
	const char *before, *behind;
} shows[] = {
	[TYPE_SIZE] = {" %zu", "", ""},
	[TYPE_INT] = {" %d", "", ""},
	[TYPE_DOUBLE] = {" %.10g", "", ""},
	[TYPE_FLOAT] = {" %.7g", "(double)", ""},
	[TYPE_BOOL] = {" %s", "", " ? \"true\" : \"false\""},
	[TYPE_CHAR] = {" %d", "", ""},
	[TYPE_UINT64] = {" %zu", "(size_t)", ""},
};

static void put_expected(struct text *out, const char *name,
	enum value_type type, const struct value *expected)
{
	size_t width = expected->n_axes > 0
		? expected->shape[expected->n_axes - 1]
		: 1;

	if (!expected->data)
		return;
	text_printf(out, "\tprintf(\"%s, expected:\\n\"", name);
	for (size_t i = 0; i < expected->count; i++) {
		uint64_t number;
		double real;

		element_load(type, expected->data, i, &number, &real);
		text_puts(out, i % width ? " " : "\n\t       \" ");
		if (type_is_float(type))
			text_printf(out, "%.10g", real);
		else
			put_constant(out, type, number, real);
		if ((i + 1) % width == 0)
			text_puts(out, "\\n\"");
	}
	text_puts(out, ");\n");
}

static void put_output(struct text *out, const struct function *function,
	size_t p, const struct value *value)
{
	const struct parameter *parameter = &function->parameters[p];
	size_t width = value->n_axes > 0 ? value->shape[value->n_axes - 1] : 1;
	const char *name = parameter->name;

	text_printf(out, "\n\tprintf(\"%s, computed:\\n\");\n", name);
	text_printf(out, "\tfor (size_t i = 0; i < %zu; i++)\n", value->count);
	/* The first element's address: what it is nested in plays no part. */
	text_printf(out, "\t\tprintf(\"%s%%s\", %s((const %s *)%s)[i]%s,\n",
		shows[parameter->type].format, shows[parameter->type].before,
		type_name(parameter->type), name,
		shows[parameter->type].behind);
	text_printf(out, "\t\t       i %% %zu == %zu ? \"\\n\" : \"\");\n",
		width, width - 1);
}

static void put_call_alone(struct text *out, const struct function *function)
{
	text_printf(out, "%s(", function->name);
	for (size_t p = 0; p < function->n_parameters; p++)
		text_printf(out, "%s%s", p ? ", " : "",
			function->parameters[p].name);
	text_putc(out, ')');
}

static void put_call(struct text *out, const struct function *function)
{
	text_putc(out, '\t');
	if (function->returns)
		text_printf(out,
			"const %s result = ", type_name(function->return_type));
	put_call_alone(out, function);
	text_puts(out, ";\n");
}

static void put_result(struct text *out, const struct function *function)
{
	enum value_type type = function->return_type;

	text_printf(out,
		"\n\tprintf(\"result, computed:\\n%s\\n\", "
		"%sresult%s);\n",
		shows[type].format, shows[type].before, shows[type].behind);
}

/* Outputs start as garbage: of a double that is never set, a NaN is shown. */
static void put_fill(struct text *out, const struct parameter *parameter)
{
	text_printf(out, "\tmemset(%s, %s, sizeof(%s));\n", parameter->name,
		parameter->type == TYPE_BOOL ? "0" : "0xff", parameter->name);
}

/* What a main() calls. */
struct example {
	const struct function *function;
	const struct value *values;   /* per parameter */
	const struct value *expected; /* or NULL */
	size_t repeat;
};

static void put_calls(struct text *out, const struct example *example)
{
	for (size_t i = 0; i + 1 < example->repeat; i++) {
		text_putc(out, '\t');
		put_call_alone(out, example->function);
		text_puts(out, ";\n");
	}
	put_call(out, example->function);
}

static void put_main(struct text *out, const struct example *example)
{
	const struct function *function = example->function;

	for (size_t p = 0; p < function->n_parameters; p++)
		put_variable(out, function, p, &example->values[p]);
	text_puts(out,
		"\n\t/* As in grading, outputs hold garbage before. */"
		"\n");
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (function->parameters[p].output)
			put_fill(out, &function->parameters[p]);
	}
	text_putc(out, '\n');
	put_calls(out, example);
	for (size_t p = 0; p < function->n_parameters; p++) {
		if (!function->parameters[p].output)
			continue;
		put_output(out, function, p, &example->values[p]);
		if (example->expected)
			put_expected(out, function->parameters[p].name,
				function->parameters[p].type,
				&example->expected[p]);
	}
	if (!function->returns)
		return;
	put_result(out, function);
	if (example->expected)
		put_expected(out, "result", function->return_type,
			&example->expected[function->n_parameters]);
}

static const struct case_definition *find_example(
	const struct exercise *exercise, struct example *example_out)
{
	for (size_t g = 0; g < exercise->n_groups; g++) {
		const struct group *group = &exercise->groups[g];

		for (size_t i = 0; i < group->n_cases && !group->hidden; i++) {
			if (group->cases[i].kind != CASE_EXPLICIT ||
				group->probe)
				continue;
			*example_out = (struct example){
				.function =
					&exercise->functions[group->function],
				.values = group->cases[i].values,
				.expected = group->cases[i].expected,
				.repeat = 1,
			};
			return &group->cases[i];
		}
	}
	return NULL;
}

void source_put_try(struct text *out, const struct exercise *exercise)
{
	struct example example;
	const struct case_definition *found = find_example(exercise, &example);

	text_puts(out,
		"/* To run it:  cc -g -o try try.c solve.c -lm && ./try */\n"
		"#include \"solve.h\"\n\n"
		"#include <stdio.h>\n"
		"#include <string.h>\n\n");
	if (found)
		text_printf(out, "/* The case %s. */\n", found->name);
	text_puts(out, "int main(void)\n{\n");
	if (found)
		put_main(out, &example);
	else
		text_puts(out,
			"\t/* This exercise has no example with all its "
			"numbers:\n\t   put your own here. */\n");
	text_puts(out, "\treturn 0;\n}\n");
}

void source_put_try_case(struct text *out, const struct test_case *test_case)
{
	const struct example example = {
		.function = test_case->function,
		.values = test_case->arguments,
		.expected = test_case->expected,
		.repeat = test_case->repeat,
	};

	/* No solve.h: it may lie in another folder, or in none. */
	text_puts(out,
		"#include <stdbool.h>\n"
		"#include <stddef.h>\n"
		"#include <stdio.h>\n"
		"#include <string.h>\n\n");
	source_put_prototype(out, test_case->function);
	text_printf(out,
		";\n\n/* The case %s, as small as it could be made. */\n"
		"int main(void)\n{\n",
		test_case->name);
	put_main(out, &example);
	text_puts(out, "\treturn 0;\n}\n");
}
