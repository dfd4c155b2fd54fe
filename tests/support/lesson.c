/* SPDX-License-Identifier: MIT */
#include "tests/support/lesson.h"

#include <string.h>

static const struct dimension n_m[] = {
	{.kind = DIMENSION_PARAMETER, .parameter = 0},
	{.kind = DIMENSION_PARAMETER, .parameter = 1},
};

static const struct parameter parameters[] = {
	{.name = "n", .type = TYPE_SIZE, .says = "rows"},
	{.name = "m", .type = TYPE_SIZE, .says = "columns"},
	{
		.name = "Q",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.dimensions = n_m,
		.n_dimensions = 2,
		.says = "the numbers",
	},
	{.name = "flip", .type = TYPE_BOOL, .says = "change the signs"},
	{
		.name = "output",
		.type = TYPE_DOUBLE,
		.is_array = true,
		.output = true,
		.dimensions = n_m,
		.n_dimensions = 1,
		.says = "the sum of each row",
	},
};

const struct function lesson_function = {
	.name = "solve",
	.parameters = parameters,
	.n_parameters = sizeof(parameters) / sizeof(*parameters),
	.returns = true,
	.return_type = TYPE_DOUBLE,
	.return_says = "the sum of all",
};

static const char header[] = "#ifndef SOLVE_H\n"
			     "#define SOLVE_H\n"
			     "#include <stdbool.h>\n"
			     "#include <stddef.h>\n"
			     "\n" LESSON_PROTOTYPE ";\n"
			     "#endif\n";

static const char shim[] =
	"#include <stdbool.h>\n"
	"#include <stddef.h>\n"
	"#include <stdint.h>\n"
	"#include <stdio.h>\n" LESSON_PROTOTYPE ";\n"
	"union runner_value {\n"
	"	uint64_t bits;\n"
	"	void *pointer;\n"
	"	double number;\n"
	"};\n"
	"_Noreturn void grader_run(void);\n"
	"void *__real_malloc(size_t size);\n"
	"void *__wrap_malloc(size_t size)\n"
	"{\n"
	"	return __real_malloc(size);\n"
	"}\n"
	"int grader_main(int argc, char **argv, char **envp)\n"
	"{\n"
	"	setvbuf(stdout, NULL, _IONBF, 0);\n"
	"	grader_run();\n"
	"}\n"
	"void grader_call(uint32_t function, union runner_value *v)\n"
	"{\n"
	"	v[5].number = solve(v[0].bits, v[1].bits, v[2].pointer,\n"
	"		v[3].bits, v[4].pointer);\n"
	"}\n";

const char lesson_solution[] =
	"#include <math.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include \"solve.h\"\n"
	"\n"
	"static double sum(size_t m, const double row[m])\n"
	"{\n"
	"	double total = 0;\n"
	"\n"
	"	for (size_t i = 0; i < m; i++)\n"
	"		total += row[i];\n"
	"	return total;\n"
	"}\n"
	"\n" LESSON_PROTOTYPE "\n"
	"{\n"
	"	double *sums = malloc(n * sizeof(*sums));\n"
	"	double total = 0;\n"
	"\n"
	"	for (size_t i = 0; i < n; i++) {\n"
	"		sums[i] = sum(m, Q[i]);\n"
	"		output[i] = flip ? -sums[i] : sums[i];\n"
	"		total += sqrt(output[i] * output[i]);\n"
	"	}\n"
	"	free(sums);\n"
	"	return total;\n"
	"}\n";

struct build_request lesson_request(const char *source)
{
	return (struct build_request){
		.kind = BUILD_LEARNER,
		.source_name = "solve.c",
		.source = source,
		.source_len = strlen(source),
		.header_name = "solve.h",
		.header = header,
		.header_len = sizeof(header) - 1,
		.shim = shim,
		.shim_len = sizeof(shim) - 1,
		.functions = &lesson_function,
		.n_functions = 1,
	};
}
