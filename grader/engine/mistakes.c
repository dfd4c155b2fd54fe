/* SPDX-License-Identifier: MIT */
#include "grader/engine/mistakes.h"

#include "base/arena.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/exercise_program.h"
#include "grader/engine/fill.h"
#include "grader/engine/source.h"

#include <inttypes.h>
#include <string.h>

/* The program's functions: keep_f of each, then the search itself. */
struct search {
	const struct exercise *exercise;
	const struct evidence *evidence;
	size_t count;
	struct arena *arena;
	struct function *functions;
	struct exercise_program program;
};

/* C ------------------------------------------------------------------------ */

/* enum grader_role of search.h. */
static const char *role_of(enum value_type type, bool result)
{
	if (type == TYPE_DOUBLE)
		return result ? "GRADER_RESULT_DOUBLE" : "GRADER_OUTPUT_DOUBLE";
	if (type == TYPE_FLOAT)
		return result ? "GRADER_RESULT_FLOAT" : "GRADER_OUTPUT_FLOAT";
	return result ? "GRADER_RESULT_BITS" : "GRADER_OUTPUT_BYTES";
}

static void put_roles(
	struct text *out, const struct function *function, size_t f)
{
	text_printf(
		out, "static const unsigned char grader_roles_%zu[] = {", f);
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];

		text_printf(out, "%s, ",
			!parameter->is_array ? "GRADER_SCALAR"
				: parameter->output
				? role_of(parameter->type, false)
				: "GRADER_INPUT");
	}
	if (function->returns)
		text_puts(out, role_of(function->return_type, true));
	text_puts(out, "};\n");
}

/* How a cell of the runner holds a value of that type. */
static const char *cell_of(const struct parameter *parameter)
{
	static const char *const cells[] = {
		[TYPE_SIZE] = "bits",
		[TYPE_INT] = "bits",
		[TYPE_DOUBLE] = "number",
		[TYPE_FLOAT] = "real",
		[TYPE_BOOL] = "bits",
		[TYPE_CHAR] = "bits",
		[TYPE_UINT64] = "bits",
	};

	return parameter->is_array ? "pointer" : cells[parameter->type];
}

/* keep_f hands its arguments on as cells. */
static void put_keep(struct text *out, const struct function *keep, size_t f)
{
	size_t n = keep->n_parameters - 1; /* all but bytes */

	source_put_prototype(out, keep);
	text_puts(out, "\n{\n\tconst union runner_value values[] = {\n");
	for (size_t p = 0; p < n; p++) {
		const struct parameter *parameter = &keep->parameters[p];
		const char *cell = cell_of(parameter);

		text_printf(out, "\t\t{.%s = %s%s},\n", cell,
			strcmp(cell, "pointer") == 0 ? "(void *)(uintptr_t)"
				: strcmp(cell, "bits") == 0 ? "(uint64_t)"
							    : "",
			parameter->name);
	}
	text_printf(out,
		"\t};\n\n\tgrader_keep(&grader_functions[%zu], values, "
		"bytes);\n}\n\n",
		f);
}

static void put_mistaken(struct text *out, const struct function *function,
	const struct function *mistaken, size_t f)
{
	text_printf(out,
		"static void grader_mistaken_%zu(union runner_value *values, "
		"const int *choice)\n{\n\t",
		f);
	if (function->returns)
		text_printf(out, "values[%zu].bits = 0;\n\tvalues[%zu].%s = ",
			function->n_parameters, function->n_parameters,
			function->return_type == TYPE_DOUBLE          ? "number"
				: function->return_type == TYPE_FLOAT ? "real"
								      : "bits");
	if (function->returns && !type_is_float(function->return_type))
		text_puts(out, "(uint64_t)");
	text_printf(out, "%s(", mistaken->name);
	for (size_t p = 0; p < function->n_parameters; p++) {
		source_put_argument(out, &function->parameters[p], p);
		text_puts(out, ", ");
	}
	text_puts(out, "choice);\n}\n\n");
}

static void put_tables(struct text *out, const struct search *search)
{
	const struct exercise *exercise = search->exercise;

	for (size_t f = 0; f < exercise->n_functions; f++) {
		const struct function *function = &exercise->functions[f];

		source_put_prototype(out, &exercise->mistaken[f]);
		text_puts(out, ";\n");
		put_roles(out, function, f);
		put_mistaken(out, function, &exercise->mistaken[f], f);
	}
	text_puts(out,
		"static const struct grader_function grader_functions[] = {\n");
	for (size_t f = 0; f < exercise->n_functions; f++) {
		const struct function *function = &exercise->functions[f];

		text_printf(out,
			"\t{grader_mistaken_%zu, grader_roles_%zu, %zu},\n", f,
			f, function->n_parameters + function->returns);
	}
	text_puts(out, "};\n\n");
}

static void put_search(struct text *out, const struct function *function)
{
	source_put_prototype(out, function);
	text_puts(out,
		"\n{\n"
		"\tint none[GRADER_STAGES] = {0};\n"
		"\tstruct grader_quest quest = {.n_stages = n_stages,\n"
		"\t\t.counts = counts, .is_range = is_range,\n"
		"\t\t.formula = formula, .rows = &formula_sets[0][0]};\n\n"
		"\tgrader_fewest(&quest, none, 3);\n"
		"\tn_found[0] = quest.n_rows;\n"
		"\tquest.range = true;\n"
		"\tquest.n_rows = 0;\n"
		"\tquest.rows = &all_sets[0][0];\n"
		"\tgrader_search_range(&quest, &formula_sets[0][0], "
		"n_found[0]);\n"
		"\tn_found[1] = quest.n_rows;\n"
		"\tfor (size_t i = (size_t)n_found[0]; i < GRADER_ROWS; i++)\n"
		"\t\tmemset(formula_sets[i], 0, sizeof(formula_sets[i]));\n"
		"\tfor (size_t i = (size_t)n_found[1]; i < GRADER_ROWS; i++)\n"
		"\t\tmemset(all_sets[i], 0, sizeof(all_sets[i]));\n"
		"\t(void)n_cases;\n\t(void)n_mistakes;\n"
		"}\n");
}

/* All that stands behind the shim. */
static void put_source(struct text *out, const struct search *search)
{
	const struct exercise *exercise = search->exercise;

	text_printf(out,
		"\n#define GRADER_STAGES %zu\n"
		"#define GRADER_FILL_DOUBLE 0x%" PRIx64 "u\n"
		"#define GRADER_FILL_FLOAT 0x%" PRIx64 "u\n"
		"#define GRADER_FILL_BYTES 0x%" PRIx64 "u\n\n",
		exercise->n_stages, fill_finite(TYPE_DOUBLE),
		fill_finite(TYPE_FLOAT), fill_finite(TYPE_CHAR));
	text_put(out, embedded_search,
		(size_t)(embedded_search_end - embedded_search));
	text_putc(out, '\n');
	put_tables(out, search);
	for (size_t f = 0; f < exercise->n_functions; f++)
		put_keep(out, &search->functions[f], f);
	put_search(out, &search->functions[exercise->n_functions]);
}

/* The search as a function ------------------------------------------------- */

enum {
	SEARCH_CASES,
	SEARCH_STAGES,
	SEARCH_MISTAKES,
	SEARCH_FORMULA,
	SEARCH_COUNTS,
	SEARCH_RANGE,
	SEARCH_FORMULA_SETS,
	SEARCH_ALL_SETS,
	SEARCH_FOUND,
	SEARCH_PARAMETERS
};

/* The shape of its results. */
static const struct dimension of_cases[] = {
	{DIMENSION_PARAMETER, 0, SEARCH_CASES}};
static const struct dimension of_stages[] = {
	{DIMENSION_PARAMETER, 0, SEARCH_STAGES}};
static const struct dimension of_mistakes[] = {
	{DIMENSION_PARAMETER, 0, SEARCH_MISTAKES}};
static const struct dimension of_sets[] = {
	{DIMENSION_NUMBER, MISTAKE_SETS_MAX, 0},
	{DIMENSION_PARAMETER, 0, SEARCH_STAGES}};
static const struct dimension of_found[] = {{DIMENSION_NUMBER, 2, 0}};

#define COUNT_OF(what)                                                         \
	{                                                                      \
		.name = (what), .type = TYPE_SIZE, .says = ""                  \
	}
#define INTS(what, shape, written)                                             \
	{                                                                      \
		.name = (what), .type = TYPE_INT, .is_array = true,            \
		.output = (written), .dimensions = (shape),                    \
		.n_dimensions = sizeof(shape) / sizeof(*(shape)), .says = ""   \
	}

static const struct parameter search_parameters[SEARCH_PARAMETERS] = {
	[SEARCH_CASES] = COUNT_OF("n_cases"),
	[SEARCH_STAGES] = COUNT_OF("n_stages"),
	[SEARCH_MISTAKES] = COUNT_OF("n_mistakes"),
	[SEARCH_FORMULA] = INTS("formula", of_cases, false),
	[SEARCH_COUNTS] = INTS("counts", of_stages, false),
	[SEARCH_RANGE] = INTS("is_range", of_mistakes, false),
	[SEARCH_FORMULA_SETS] = INTS("formula_sets", of_sets, true),
	[SEARCH_ALL_SETS] = INTS("all_sets", of_sets, true),
	[SEARCH_FOUND] = INTS("n_found", of_found, true),
};

static const struct function search_function = {
	.name = "grader_search",
	.parameters = search_parameters,
	.n_parameters = SEARCH_PARAMETERS,
	.return_says = "",
};

static bool make_functions(struct search *search, struct error *err)
{
	const struct exercise *exercise = search->exercise;
	size_t n = exercise->n_functions;

	search->functions = arena_alloc(
		search->arena, n + 1, sizeof(*search->functions), err);
	if (!search->functions)
		return false;
	for (size_t f = 0; f < n; f++) {
		if (!function_keep(&exercise->functions[f], search->arena,
			    &search->functions[f], err))
			return false;
	}
	search->functions[n] = search_function;
	return true;
}

/* Calls -------------------------------------------------------------------- */

/* The learner's outputs are inputs here. */
static bool add_keep(struct search *search, const struct evidence *evidence,
	struct error *err)
{
	const struct test_case *c = evidence->test_case;
	const struct function *function = c->function;
	const struct function *keep = &search->functions[c->function_index];
	size_t n = keep->n_parameters;
	size_t *bytes = arena_alloc(search->arena, n, sizeof(*bytes), err);
	struct value *arguments =
		arena_alloc(search->arena, n, sizeof(*arguments), err);

	if (!bytes || !arguments)
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];

		arguments[p] = c->arguments[p];
		if (parameter->output && !arguments[p].is_null)
			arguments[p].data = evidence->outputs[p].data;
		if (parameter->is_array && !arguments[p].is_null)
			bytes[p] = arguments[p].count *
				type_bytes(parameter->type);
	}
	if (function->returns)
		element_load(function->return_type,
			evidence->outputs[function->n_parameters].data, 0,
			&arguments[n - 2].number, &arguments[n - 2].real);
	if (!function_shape(keep, n - 1, arguments, err))
		return false;
	arguments[n - 1].data = bytes;
	exercise_program_add(&search->program, c, c->function_index, arguments);
	return true;
}

/* An input of ints, to be filled in. */
static int *add_ints(struct search *search, size_t p, struct value *arguments,
	struct error *err)
{
	int *ints;

	if (!function_shape(&search_function, p, arguments, err))
		return NULL;
	ints = arena_alloc(
		search->arena, arguments[p].count, sizeof(*ints), err);
	arguments[p].data = ints;
	return ints;
}

static size_t count_mistakes(const struct exercise *exercise)
{
	size_t count = 0;

	for (size_t s = 0; s < exercise->n_stages; s++)
		count += exercise->stages[s].n_mistakes;
	return count;
}

static bool add_search(struct search *search, struct error *err)
{
	const struct exercise *exercise = search->exercise;
	struct value *arguments = arena_alloc(
		search->arena, SEARCH_PARAMETERS, sizeof(*arguments), err);
	int *formula, *counts, *range;

	if (!arguments)
		return false;
	arguments[SEARCH_CASES].number = search->count;
	arguments[SEARCH_STAGES].number = exercise->n_stages;
	arguments[SEARCH_MISTAKES].number = count_mistakes(exercise);
	formula = add_ints(search, SEARCH_FORMULA, arguments, err);
	counts = formula ? add_ints(search, SEARCH_COUNTS, arguments, err)
			 : NULL;
	range = counts ? add_ints(search, SEARCH_RANGE, arguments, err) : NULL;
	if (!range)
		return false;
	for (size_t i = 0; i < search->count; i++)
		formula[i] = search->evidence[i].formula;
	for (size_t s = 0; s < exercise->n_stages; s++) {
		const struct stage *stage = &exercise->stages[s];

		counts[s] = (int)stage->n_mistakes;
		for (size_t m = 0; m < stage->n_mistakes; m++)
			*range++ = stage->mistakes[m].range;
	}
	for (size_t p = SEARCH_FORMULA_SETS; p < SEARCH_PARAMETERS; p++) {
		if (!function_shape(&search_function, p, arguments, err))
			return false;
	}
	exercise_program_add(&search->program, search->evidence[0].test_case,
		exercise->n_functions, arguments);
	return true;
}

/* What comes of it ----------------------------------------------------------
 */

/* No more than there can be, whatever mistakes.c has done to its memory. */
static size_t take_sets(const struct search *search,
	const struct value *outputs, size_t sets, int n,
	struct mistake_set out[MISTAKE_SETS_MAX])
{
	const struct exercise *exercise = search->exercise;
	const int *choices = outputs[sets].data;
	size_t count = n < 0           ? 0
		: n > MISTAKE_SETS_MAX ? MISTAKE_SETS_MAX
				       : (size_t)n;

	for (size_t i = 0; i < count; i++) {
		out[i] = (struct mistake_set){0};
		for (size_t s = 0; s < exercise->n_stages; s++) {
			int choice = choices[i * exercise->n_stages + s];

			if (choice > 0 &&
				(size_t)choice <=
					exercise->stages[s].n_mistakes)
				out[i].choice[s] = choice;
		}
	}
	return count;
}

static bool search_program(struct search *search, struct error *err)
{
	struct exercise_program *program = &search->program;

	if (!exercise_program_start(program, search->count + 1, err))
		return false;
	for (size_t i = 0; i < search->count; i++) {
		if (!add_keep(search, &search->evidence[i], err))
			return false;
	}
	return add_search(search, err) && exercise_program_make(program, err);
}

bool mistakes_search(const struct mistake_request *request,
	const struct tools *tools, struct arena *arena,
	struct mistake_search *out, struct error *err)
{
	const struct exercise *exercise = request->exercise;
	struct text source = {0};
	struct search search = {
		.exercise = exercise,
		.evidence = request->evidence,
		.count = request->count < EVIDENCE_MAX ? request->count
						       : EVIDENCE_MAX,
		.arena = arena,
	};
	const struct value *outputs;
	const int *found;
	bool good;

	*out = (struct mistake_search){0};
	if (search.count == 0 || exercise->n_stages == 0)
		return true;
	if (!make_functions(&search, err))
		return false;
	put_source(&source, &search);
	search.program = (struct exercise_program){
		.exercise = exercise,
		.source = &exercise->mistakes,
		.functions = search.functions,
		.n_functions = exercise->n_functions + 1,
		.tools = tools,
		.arena = arena,
		.more = &source,
		.defined = exercise->mistaken,
		.n_defined = exercise->n_functions,
	};
	good = text_check(&source, err) && search_program(&search, err);
	text_finish(&source);
	if (!good)
		return false;
	outputs = search.program.outcome.results[search.count].outputs;
	found = outputs[SEARCH_FOUND].data;
	out->n_formula = take_sets(
		&search, outputs, SEARCH_FORMULA_SETS, found[0], out->formula);
	out->n_all = take_sets(
		&search, outputs, SEARCH_ALL_SETS, found[1], out->all);
	return true;
}
