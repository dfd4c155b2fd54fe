/* SPDX-License-Identifier: MIT */

/*
 * Whatever a process leaves in the memory that it shares with us, prints, asks
 * for and dies of.  The first byte says whether system calls are put to us and
 * how the reports look; the rest is the script of forged.h.  All of grading is
 * real but for the compiler and the kernel.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "grader/report/report.h"
#include "sandbox/internal.h"
#include "tests/fuzz/forged.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { N_PARAMETERS = 4, N_FUNCTIONS = 7, N_CASES = 10, ELEMENTS = 6 };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The exercise: each function copies x to y and returns x's length ------- */

#define PARAMETERS(prefix, its_type)                                           \
	static const struct parameter prefix##_parameters[N_PARAMETERS] = {    \
		{.name = "n", .type = TYPE_SIZE, .says = "rows"},              \
		{.name = "x",                                                  \
			.type = its_type,                                      \
			.is_array = true,                                      \
			.dimensions = rows_of_three,                           \
			.n_dimensions = 2,                                     \
			.says = "numbers"},                                    \
		{.name = "mask",                                               \
			.type = TYPE_BOOL,                                     \
			.is_array = true,                                      \
			.nullable = true,                                      \
			.dimensions = rows_of_three,                           \
			.n_dimensions = 1,                                     \
			.says = "nothing"},                                    \
		{.name = "y",                                                  \
			.type = its_type,                                      \
			.is_array = true,                                      \
			.output = true,                                        \
			.dimensions = rows_of_three,                           \
			.n_dimensions = 2,                                     \
			.says = "the same"},                                   \
	}

static const struct dimension rows_of_three[] = {
	{.kind = DIMENSION_PARAMETER, .parameter = 0},
	{.kind = DIMENSION_NUMBER, .number = 3},
};

PARAMETERS(double, TYPE_DOUBLE);
PARAMETERS(float, TYPE_FLOAT);
PARAMETERS(int, TYPE_INT);
PARAMETERS(bool, TYPE_BOOL);
PARAMETERS(char, TYPE_CHAR);
PARAMETERS(size, TYPE_SIZE);

#define FUNCTION(its_name, its_parameters, does, its_type)                     \
	{                                                                      \
		.name = (its_name), .parameters = (its_parameters),            \
		.n_parameters = N_PARAMETERS, .returns = (does),               \
		.return_type = (its_type), .return_says = "n"                  \
	}

static const struct function functions[N_FUNCTIONS] = {
	FUNCTION("solve", double_parameters, true, TYPE_DOUBLE),
	FUNCTION("copy_float", float_parameters, true, TYPE_FLOAT),
	FUNCTION("copy_int", int_parameters, true, TYPE_INT),
	FUNCTION("copy_bool", bool_parameters, true, TYPE_BOOL),
	FUNCTION("copy_char", char_parameters, true, TYPE_CHAR),
	FUNCTION("copy_size", size_parameters, true, TYPE_SIZE),
	FUNCTION("nothing", double_parameters, false, TYPE_INT),
};

static const struct group groups[] = {
	{.name = "each", .title = "each type", .points = 1},
	{.name = "all",
		.title = "all or nothing",
		.points = 7,
		.all_or_nothing = true},
	{.name = "unseen", .title = "not shown", .points = 3, .hidden = true},
	{.name = "last", .title = "the last", .points = 2, .hidden = true},
};

static const struct {
	const char *name;
	size_t group, function, rows, repeat;
	bool mask;
} rows[N_CASES] = {
	{"one", 0, 0, 2, 1, false},
	{"two", 0, 1, 2, 1, true},
	{"three", 0, 2, 1, 1, false},
	{"four", 0, 3, 2, 2, false},
	{"five", 0, 4, 2, 1, true},
	{"six", 0, 5, 1, 1, false},
	{"seven", 1, 6, 2, 1, true},
	{"eight", 1, 0, 2, 3, true},
	{"nine", 2, 0, 1, 1, false},
	{"ten", 3, 2, 2, 2, true},
};

static const struct exercise exercise = {
	.name = "copy",
	.title = "To copy",
	.hash = "c0",
	.functions = functions,
	.n_functions = N_FUNCTIONS,
	.groups = groups,
	.n_groups = COUNT(groups),
	.n_cases = N_CASES,
	.limits = {.cpu_case_ms = FORGED_CALL_US / 1000,
		.cpu_total_ms = 1000,
		.memory_bytes = 64 << 20,
		.stack_bytes = 1 << 20,
		.output_bytes = 1 << 20},
};

static const char source[] = "#include \"solve.h\"\n\n\n\n\n\n\n"
			     "double solve(size_t n, ...)\n{\n}\n";

/* What is made once for all runs. */
static struct {
	bool made;
	struct test_case cases[N_CASES];
	struct case_list list;
	struct value arguments[N_CASES][N_PARAMETERS];
	struct value expected[N_CASES][N_PARAMETERS + 1];
	struct value tolerance[N_CASES][N_PARAMETERS + 1];
	uint64_t numbers[N_CASES][ELEMENTS]; /* room for all types */
	uint64_t results[N_CASES];
	double tolerances[N_CASES][ELEMENTS];
	bool mask[2];
} fixture;

/* No two cases of a function have the same numbers; none is 0. */
static void make_case(size_t c)
{
	const struct function *function = &functions[rows[c].function];
	struct value *arguments = fixture.arguments[c];
	struct value *expected = fixture.expected[c];
	struct error err = {0};

	arguments[0].number = rows[c].rows;
	arguments[1].data = fixture.numbers[c];
	arguments[2].data = fixture.mask;
	arguments[2].is_null = !rows[c].mask;
	for (size_t p = 1; p < N_PARAMETERS; p++)
		assert(arguments[p].is_null ||
			function_shape(function, p, arguments, &err));
	for (size_t i = 0; i < arguments[1].count; i++) {
		bool flag = function->parameters[1].type == TYPE_BOOL;

		element_store(function->parameters[1].type, fixture.numbers[c],
			i, flag ? i % 2 : 1 + (c + i) % 2 * (c + i),
			(double)(c + 1) + (double)i / 8);
		fixture.tolerances[c][i] = c % 2 ? 1e-9 : 0;
	}
	expected[3] = arguments[3];
	expected[3].data = fixture.numbers[c];
	fixture.tolerance[c][3] = expected[3];
	fixture.tolerance[c][3].data = fixture.tolerances[c];
	if (function->returns) {
		element_store(function->return_type, &fixture.results[c], 0, 1,
			(double)rows[c].rows);
		expected[4] = (struct value){.data = &fixture.results[c],
			.count = 1,
			.shape = {1},
			.n_axes = 1};
	}
	fixture.cases[c] = (struct test_case){
		.name = rows[c].name,
		.exercise = &exercise,
		.group = &groups[rows[c].group],
		.function = function,
		.function_index = rows[c].function,
		.hidden = groups[rows[c].group].hidden,
		.repeat = rows[c].repeat,
		.arguments = arguments,
		.expected = expected,
		.tolerance = fixture.tolerance[c],
	};
}

static void make_fixture(void)
{
	if (fixture.made)
		return;
	for (size_t c = 0; c < N_CASES; c++)
		make_case(c);
	fixture.list = (struct case_list){fixture.cases, N_CASES};
	fixture.made = true;
}

/* What has to hold -------------------------------------------------------- */

/* Points come from right outputs, whatever else is said. */
static void check_grade(
	const struct grade *grade, const struct forged_outcome *outcome)
{
	enum verdict worst = VERDICT_PASS;
	int score = 0;

	assert(grade->n_cases == N_CASES && grade->n_groups == COUNT(groups));
	for (size_t c = 0; c < N_CASES; c++) {
		const struct case_grade *graded = &grade->cases[c];

		assert(graded->verdict != VERDICT_PASS || outcome->right[c]);
		assert(graded->verdict != VERDICT_COMPILE_ERROR);
		assert(graded->points == 0 || graded->verdict == VERDICT_PASS);
		assert(graded->points <= graded->max_points);
		assert(graded->text_len <= TEXT_SHOWN);
		assert(graded->line >= 0 && graded->line <= 10);
		assert(!graded->access.known ||
			graded->access.parameter < N_PARAMETERS);
		assert(!graded->mismatch.found ||
			graded->mismatch.element <
				(graded->mismatch.output < N_PARAMETERS
						? ELEMENTS
						: 1));
		score += graded->points;
		if (graded->verdict < worst)
			worst = graded->verdict;
	}
	assert(grade->verdict == worst);
	assert(grade->passed == (worst == VERDICT_PASS));
	assert(grade->score == score && grade->max_score == 18);
	assert(!grade->passed || grade->score == grade->max_score);
	assert(!grade->passed || !outcome->troubled);
	assert(grade->n_groups == COUNT(groups));
}

/* Of a hidden case its learner hears the verdict and nothing else. */
static void check_secrecy(const cJSON *item)
{
	static const char *const names[] = {"cpu_us", "location", "mismatch",
		"stdout", "stdout_truncated", "rerun"};

	for (size_t i = 0; i < COUNT(names); i++) {
		const cJSON *found = cJSON_GetObjectItem(item, names[i]);

		assert(found && cJSON_IsNull(found));
	}
}

static void check_json(const cJSON *root, const struct grade *grade)
{
	const cJSON *list = cJSON_GetObjectItem(root, "cases");

	assert(cJSON_GetArraySize(list) == N_CASES);
	for (size_t c = 0; c < N_CASES; c++) {
		const struct case_grade *graded = &grade->cases[c];
		const cJSON *item = cJSON_GetArrayItem(list, (int)c);
		const char *message = cJSON_GetStringValue(
			cJSON_GetObjectItem(item, "message"));

		assert(message);
		fuzz_check_sentence(message, strlen(message));
		assert(strlen(message) < 400);
		assert((message[0] == '\0') ==
			(graded->verdict == VERDICT_PASS));
		if (!graded->details)
			check_secrecy(item);
		else
			fuzz_check_item(cJSON_GetObjectItem(item, "stdout"),
				graded->text, graded->text_len);
		assert(graded->details ==
			(grade->audience == AUDIENCE_STAFF || !graded->hidden));
	}
}

static void check_reports(
	const struct grade *grade, unsigned int looks, struct arena *arena)
{
	const struct report_options options = {
		.style = {.ascii = looks & 2,
			.color = looks & 4,
			.fold = looks & 8,
			.width = 40 + (int)(looks >> 4 & 7) * 12},
		.exercise = "copy",
	};
	enum audience audience =
		looks & 0x80 ? AUDIENCE_STAFF : AUDIENCE_LEARNER;
	struct error err = {0};
	struct grade shown;
	cJSON *root;

	assert(grade_for(audience, grade, arena, &shown, &err));
	root = fuzz_check_reports(&shown, &options);
	check_json(root, &shown);
	cJSON_Delete(root);
}

/* All of grading, with what the script does. */
static struct forged_outcome grade(struct fuzz_input script, bool listens,
	bool wordless, struct arena *arena, struct grade *grade_out)
{
	static struct sandbox sandbox; /* a grade points to its layers */
	const struct sandbox fresh = {
		.listens = listens,
		.null = -1,
		.run_slot = SLOT_NONE,
		.run_landlock = -1,
		.patience_ms = FORGED_PATIENCE_US / 1000,
		.layers = {{.name = "seccomp", .required = true},
			{.name = "landlock", .state = LAYER_MISSING}},
		.n_layers = 2,
	};
	const struct tools tools = {
		.sandbox = &sandbox,
		.toolchain = {.compiler = "gcc",
			.libc_name = "musl",
			.flags = "-O1"},
		.cancel = -1,
	};
	const struct grade_request request = {
		.exercise = &exercise,
		.file = "solve.c",
		.source = source,
		.source_len = sizeof(source) - 1,
		.seed = 1,
	};
	struct error err = {0};
	bool graded;

	sandbox = fresh;
	forged_start(script, listens, wordless, &fixture.list);
	graded = grade_submission(&request, &tools, arena, grade_out, &err);
	/* Nothing that a process does is the grader's own failure. */
	assert(graded);
	return forged_stop();
}

/* What it says of crashes and calls chooses words, and no verdict or point. */
static void check_words_are_words(const struct grade *one,
	struct fuzz_input script, bool listens, struct arena *arena)
{
	struct grade other;

	grade(script, listens, true, arena, &other);
	assert(one->verdict == other.verdict && one->score == other.score);
	for (size_t c = 0; c < N_CASES; c++) {
		assert(one->cases[c].verdict == other.cases[c].verdict);
		assert(one->cases[c].points == other.cases[c].points);
	}
}

int fuzz_shared(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	unsigned int how = fuzz_byte(&input);
	bool listens = how & 1;
	struct error err = {0};
	struct arena *arena = arena_create(&err);
	struct forged_outcome outcome;
	struct grade graded;

	assert(arena);
	make_fixture();
	outcome = grade(input, listens, false, arena, &graded);
	check_grade(&graded, &outcome);
	/* With nothing in the script all is right. */
	assert(input.len > 0 || (graded.passed && outcome.n_processes == 3));
	if (how & 8)
		check_words_are_words(&graded, input, listens, arena);
	check_reports(&graded, how, arena);
	arena_destroy(arena);
	return 0;
}

FUZZ_ENTRY(shared)
