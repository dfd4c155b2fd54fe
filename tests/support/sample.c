/* SPDX-License-Identifier: MIT */
#include "tests/support/sample.h"

#include <math.h>
#include <string.h>

static const char source[] = "#include \"solve.h\"\n"
			     "\n"
			     "void solve(size_t Tq, size_t d)\n"
			     "{\n"
			     "\tsum += Q[i][d];\r\n"
			     "}\n";

static const struct parameter parameters[SAMPLE_PARAMETERS] = {
	[SAMPLE_TQ] = {.name = "Tq", .type = TYPE_SIZE, .says = "queries"},
	[SAMPLE_D] = {.name = "d", .type = TYPE_SIZE, .says = "width"},
	[SAMPLE_Q] = {.name = "Q",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.says = "the queries"},
	[SAMPLE_MASK] = {.name = "mask",
		.type = TYPE_BOOL,
		.is_array = true,
		.nullable = true,
		.says = "blocked keys"},
	[SAMPLE_OUTPUT] = {.name = "output",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.output = true,
		.says = "the result"},
};

static const struct function function = {
	.name = "solve",
	.parameters = parameters,
	.n_parameters = SAMPLE_PARAMETERS,
	.return_says = "",
};

static const struct hint hints[] = {
	{"Where to start", "One query at a time."},
	{"The key step", "Count the *keys*."},
};

const struct function *sample_function(void)
{
	return &function;
}

static void init_groups(struct sample *sample)
{
	static const struct group_grade groups[SAMPLE_GROUPS] = {
		{"examples", "the lesson's examples", false, 2, 2, 2, 2},
		{"above", "scores above 1000", false, 2, 2, 4, 4},
		{"unseen", "not shown", true, 1, 1, 4, 4},
	};
	static const struct {
		const char *name;
		size_t group;
		int points;
	} cases[SAMPLE_CASES] = {
		{"example-1", 0, 1},
		{"example-2", 0, 1},
		{"above-1", 1, 2},
		{"above-2", 1, 2},
		{"unseen", 2, 4},
	};

	memcpy(sample->groups, groups, sizeof(groups));
	for (size_t i = 0; i < SAMPLE_CASES; i++) {
		bool hidden = groups[cases[i].group].hidden;

		sample->cases[i] = (struct case_grade){
			.name = cases[i].name,
			.group = cases[i].group,
			.hidden = hidden,
			.details = !hidden,
			.verdict = VERDICT_PASS,
			.points = cases[i].points,
			.max_points = cases[i].points,
			.function = &function,
			.test_case = hidden ? NULL : &sample->test_case,
			.cpu_us = 7,
			.text = "",
		};
	}
}

static void init_arguments(struct sample *sample)
{
	static double numbers[15];
	struct value array = {
		.data = numbers, .count = 15, .shape = {5, 3}, .n_axes = 2};

	sample->arguments[SAMPLE_TQ].number = 5;
	sample->arguments[SAMPLE_D].number = 3;
	sample->arguments[SAMPLE_Q] = array;
	sample->arguments[SAMPLE_MASK].is_null = true;
	sample->arguments[SAMPLE_OUTPUT] = array;
	sample->test_case.arguments = sample->arguments;
	sample->test_case.function = &function;
}

void sample_init(struct sample *sample)
{
	static const struct layer layers[SAMPLE_LAYERS] = {
		{.name = "seccomp", .required = true},
		{.name = "landlock"},
		{.name = "separate uid"},
	};

	*sample = (struct sample){
		.exercise = {.name = "attention",
			.title = "Scaled dot-product attention",
			.hash = "e1",
			.hints = hints,
			.n_hints = 2},
		.limits = {1000, 10000, 64 << 20, 8 << 20, 16 << 20},
		.options = {.style = {.width = 80}, .exercise = "attention"},
	};
	init_arguments(sample);
	init_groups(sample);
	memcpy(sample->layers, layers, sizeof(layers));
	sample->grade = (struct grade){
		.exercise = &sample->exercise,
		.file = "solve.c",
		.source_hash = "50",
		.source = source,
		.source_len = strlen(source),
		.seed = 20261129,
		.verdict = VERDICT_PASS,
		.passed = true,
		.scored = true,
		.score = 10,
		.max_score = 10,
		.compiler = "gcc 12.2.0",
		.libc = "musl 1.2.3",
		.flags = "-std=gnu17 -O1 -g",
		.layers = sample->layers,
		.n_layers = SAMPLE_LAYERS,
		.compiled = true,
		.groups = sample->groups,
		.n_groups = SAMPLE_GROUPS,
		.cases = sample->cases,
		.n_cases = SAMPLE_CASES,
		.limits = &sample->limits,
		.duration_us = 34567,
	};
}

struct case_grade *sample_fail(
	struct sample *sample, size_t index, enum verdict verdict)
{
	struct case_grade *graded = &sample->cases[index];
	struct group_grade *group = &sample->groups[graded->group];

	group->n_passed--;
	group->points -= graded->points;
	sample->grade.score -= graded->points;
	graded->points = 0;
	graded->verdict = verdict;
	graded->in_call = true;
	if (verdict < sample->grade.verdict)
		sample->grade.verdict = verdict;
	sample->grade.passed = false;
	return graded;
}

struct case_grade *sample_fail_with(
	struct sample *sample, size_t index, double expected, double got)
{
	struct case_grade *graded =
		sample_fail(sample, index, VERDICT_WRONG_ANSWER);

	graded->mismatch = (struct mismatch){
		.found = true,
		.output = SAMPLE_OUTPUT,
		.element = 7,
		.n_wrong = 2,
		.n_elements = 15,
		.type = TYPE_DOUBLE,
		.expected = expected,
		.got = got,
		.tolerance = 1e-9,
		.error = fabs(expected - got),
	};
	return graded;
}
