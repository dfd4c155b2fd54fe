/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/exercise.h"
#include "grader/engine/source.h"
#include "grader/engine/source_comment.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Every kind of parameter, in one function that returns something and one
   that does not; with texts that would like to get out of their comments. */
static const char sample[] =
	"{\"schema\": \"grader/exercise/1\", \"name\": \"mix\",\n"
	"\"title\": \"Mix */ int x; /*\", \"summary\": \"Mixes \\\\\", "
	"\"seed\": 7,\n"
	"\"functions\": [{\"name\": \"mix\", \"parameters\": [\n"
	"{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a */ b /* c\"},\n"
	"{\"name\": \"batch\", \"type\": \"size_t\", \"dims\": [\"n\"], "
	"\"says\": \"b\"},\n"
	"{\"name\": \"w\", \"type\": \"int\", \"says\": \"c\"},\n"
	"{\"name\": \"flag\", \"type\": \"bool\", \"says\": \"d\"},\n"
	"{\"name\": \"letter\", \"type\": \"char\", \"says\": \"e\"},\n"
	"{\"name\": \"scale\", \"type\": \"float\", \"says\": \"f\"},\n"
	"{\"name\": \"shift\", \"type\": \"double\", \"says\": \"g\"},\n"
	"{\"name\": \"Q\", \"type\": \"double\", \"dims\": [\"*batch\", "
	"\"w\"], \"says\": \"h\"},\n"
	"{\"name\": \"mask\", \"type\": \"bool\", \"dims\": [\"w\", \"w\"], "
	"\"nullable\": true, \"says\": \"i\"},\n"
	"{\"name\": \"cube\", \"type\": \"float\", \"dims\": [2, \"w\", 3], "
	"\"says\": \"j\"},\n"
	"{\"name\": \"counts\", \"type\": \"int\", \"dims\": [\"w\"], "
	"\"says\": \"k\"},\n"
	"{\"name\": \"output\", \"type\": \"float\", \"dims\": [\"w\", 2], "
	"\"direction\": \"out\", \"says\": \"l\"},\n"
	"{\"name\": \"signs\", \"type\": \"bool\", \"dims\": [\"w\"], "
	"\"direction\": \"out\", \"says\": \"m\"},\n"
	"{\"name\": \"flat\", \"type\": \"double\", \"dims\": [\"*batch\"], "
	"\"direction\": \"out\", \"says\": \"o\"}],\n"
	"\"returns\": {\"type\": \"double\", \"says\": \"r\"}},\n"
	"{\"name\": \"count\", \"parameters\": [{\"name\": \"x\", \"type\": "
	"\"char\", \"dims\": [4], \"direction\": \"out\", \"says\": \"x\"}], "
	"\"returns\": {\"type\": \"int\", \"says\": \"y\"}}],\n"
	"\"groups\": [{\"name\": \"all\", \"title\": \"All\", \"function\": "
	"\"mix\", \"points\": 1, \"cases\": [\n"
	"{\"name\": \"one\", \"inputs\": {\"batch\": [2, 1], \"flag\": true, "
	"\"letter\": -3, \"scale\": 0.1, \"shift\": -0.0, \"Q\": [[[0.1, "
	"1e300]], [[-2, 5e-324]]], \"mask\": null, \"cube\": [[[1, 2, 3], [4, "
	"5, 6]], [[7, 8, 9], [0.1, 0, -1]]], \"counts\": [-2147483648, 5]}, "
	"\"expected\": {\"output\": [[1, 2.5], [3, 4]], \"signs\": [true, "
	"false], \"result\": 0.5}},\n"
	"{\"name\": \"made\", \"generator\": \"twist\", \"inputs\": "
	"{\"batch\": [], \"w\": 1, \"flag\": false, \"letter\": 0, \"scale\": "
	"1, \"shift\": 1}}]},\n"
	"{\"name\": \"more\", \"title\": \"More\", \"function\": \"count\", "
	"\"points\": 1, \"cases\": [{\"name\": \"two\", \"inputs\": {}}]}],\n"
	"\"steps\": [\"Mix */ them.\", \"Stir.\"]}\n";

static struct arena *arena;
static struct folder folder;
static struct exercise mix;
static struct exercise attention;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	mix = (struct exercise){0};
	ck_assert_msg(
		exercise_read("x", sample, strlen(sample), arena, &mix, &err),
		"%s", err.message);
	ck_assert_msg(
		exercise_load("exercises/attention", arena, &attention, &err),
		"%s", err.message);
	folder_make(&folder);
}

static void tear_down(void)
{
	folder_remove(&folder);
	arena_destroy(arena);
}

static void put(const char *name, const char *data)
{
	folder_put(&folder, name, data, 0644);
}

static void put_text(const char *name, struct text *text)
{
	struct error err = {0};

	ck_assert(text_check(text, &err));
	put(name, text->data);
	text_finish(text);
}

static void put_headers(const struct exercise *exercise)
{
	struct text text = {0};

	source_put_header(&text, exercise);
	put_text("solve.h", &text);
	source_put_exercise_header(&text, exercise);
	put_text("exercise.h", &text);
}

/* Runs a command line in the folder; $ROOT is where the headers are. */
static struct command run(const char *line)
{
	static char root[4096];
	static char variable[4200];
	const char *const argv[] = {"sh", "-c", line, NULL};
	const char *const env[] = {variable, NULL};

	ck_assert_ptr_nonnull(getcwd(root, sizeof(root)));
	snprintf(variable, sizeof(variable), "ROOT=%s", root);
	return command_run(argv, env, folder.path);
}

static void expect_good(const char *line)
{
	struct command command = run(line);

	ck_assert_msg(command.status == 0, "%s: %s%s", line, command.out,
		command.errors);
	command_finish(&command);
}

static void expect_out(const char *line, const char *out)
{
	struct command command = run(line);

	ck_assert_msg(command.status == 0, "%s: %s%s", line, command.out,
		command.errors);
	ck_assert_str_eq(command.out, out);
	command_finish(&command);
}

/* With the system's libc and with musl: "$CC". */
#define EVERY_CC "for CC in cc musl-gcc; do "
#define STRICT " -std=gnu17 -Wall -Wextra -Werror "

/* Prototypes --------------------------------------------------------------- */

START_TEST(parameters_are_written_as_c_wants_them)
{
	static const char *const written[] = {"size_t n",
		"const size_t batch[]", "int w", "bool flag", "char letter",
		"float scale", "double shift", "const double *Q",
		"const bool *mask", "const float cube[2][w][3]",
		"const int counts[w]", "float output[w][2]", "bool signs[w]",
		"double *flat"};

	ck_assert_uint_eq(mix.functions[0].n_parameters, COUNT(written));
	for (size_t p = 0; p < COUNT(written); p++) {
		struct text text = {0};

		source_put_parameter(&text, &mix.functions[0], p);
		ck_assert_str_eq(text.data, written[p]);
		text_finish(&text);
	}
}
END_TEST

START_TEST(a_prototype_is_one_line)
{
	static const struct function nothing = {.name = "nothing"};
	struct text text = {0};

	source_put_prototype(&text, &attention.functions[0]);
	ck_assert_str_eq(text.data,
		"void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const "
		"double Q[Tq][d], const double K[Tk][d], const double "
		"V[Tk][d_v], bool causal, double output[Tq][d_v])");
	text_finish(&text);
	source_put_prototype(&text, &mix.generator_functions[0]);
	ck_assert_str_eq(text.data,
		"void generate_twist(uint64_t seed, size_t n, const size_t "
		"batch[], int w, bool flag, char letter, float scale, double "
		"shift, double *Q, bool *mask, float cube[2][w][3], int "
		"counts[w], const double argument[])");
	text_finish(&text);
	source_put_prototype(&text, &nothing);
	ck_assert_str_eq(text.data, "void nothing(void)");
	text_finish(&text);
}
END_TEST

/* Headers ------------------------------------------------------------------ */

START_TEST(the_learners_header_says_what_is_asked)
{
	struct text text = {0};

	source_put_header(&text, &attention);
	ck_assert_ptr_nonnull(strstr(text.data,
		"#include <stdbool.h>\n"
		"#include <stddef.h>\n"));
	ck_assert_ptr_nonnull(
		strstr(text.data, " * Q       the queries, one row each\n"));
	ck_assert_ptr_nonnull(strstr(text.data,
		"void solve(size_t Tq, size_t Tk, size_t d, size_t d_v, const "
		"double Q[Tq][d],\n"
		"\t\tconst double K[Tk][d], const double V[Tk][d_v], bool "
		"causal,\n"
		"\t\tdouble output[Tq][d_v]);\n"));
	text_finish(&text);
}
END_TEST

START_TEST(headers_compile_alone_and_twice)
{
	const struct exercise *const exercises[] = {&mix, &attention};

	for (size_t i = 0; i < 2; i++) {
		put_headers(exercises[i]);
		put("both.c",
			"#include \"solve.h\"\n#include \"solve.h\"\n"
			"#include \"exercise.h\"\n"
			"#include \"exercise.h\"\n");
		expect_good(EVERY_CC "$CC" STRICT
				     "-Wpedantic -fsyntax-only both.c || exit "
				     "1; done");
	}
}
END_TEST

START_TEST(the_c_files_of_an_exercise_compile_with_its_header)
{
	put_headers(&attention);
	put("solution.c", attention.solution.data);
	put("reference.c", attention.reference.data);
	put("generators.c", attention.generators.data);
	expect_good(EVERY_CC "for F in solution reference generators; do "
			     "$CC" STRICT
			     "-O2 -I. -include exercise.h -c $F.c || exit 1; "
			     "done; done");
}
END_TEST

/* The shim ----------------------------------------------------------------- */

static void put_shim(const struct function *functions, size_t count)
{
	struct text text = {0};

	source_put_shim(&text, functions, count);
	put_text("shim.c", &text);
}

START_TEST(shims_compile_without_warnings)
{
	const struct {
		const struct function *functions;
		size_t count;
	} rows[] = {
		{mix.functions, mix.n_functions},
		{mix.references, mix.n_functions},
		{mix.generator_functions, mix.n_generator_functions},
		{attention.functions, 1},
		{attention.references, 1},
		{attention.generator_functions,
			attention.n_generator_functions},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		put_shim(rows[i].functions, rows[i].count);
		expect_good(
			EVERY_CC "$CC" STRICT "-O2 -c shim.c || exit 1; done");
	}
}
END_TEST

START_TEST(the_shim_is_in_step_with_the_runner)
{
	static const char both[] =
		"#include \"sandbox/runner/runner.h\"\n"
		"#define runner_value shim_value\n"
		"#define grader_main shim_main\n"
		"#define grader_call shim_call\n"
		"#define grader_run shim_run\n"
		"#define grader_heap_pattern shim_pattern\n"
		"#include \"shim.c\"\n"
		"#undef runner_value\n"
		"#undef grader_main\n"
		"#undef grader_call\n"
		"#undef grader_run\n"
		"#undef grader_heap_pattern\n"
		"#define SAME(a, b) _Static_assert("
		"__builtin_types_compatible_p(__typeof__(a), __typeof__(b)), "
		"#a)\n"
		"#define MEMBER(m) SAME(((union runner_value *)0)->m, "
		"((union shim_value *)0)->m)\n"
		"_Static_assert(sizeof(union runner_value) == "
		"sizeof(union shim_value), \"size\");\n"
		"MEMBER(bits); MEMBER(pointer); MEMBER(number); MEMBER(real);\n"
		"MEMBER(byte);\n"
		"SAME(grader_main, shim_main);\n"
		"SAME(grader_run, shim_run);\n"
		"SAME(grader_heap_pattern, shim_pattern);\n"
		"typedef void ours(uint32_t, union runner_value *);\n"
		"typedef void theirs(uint32_t, union shim_value *);\n"
		"SAME(grader_call, ours);\n"
		"SAME(shim_call, theirs);\n";

	put_shim(attention.functions, 1);
	put("both.c", both);
	expect_good("cc -std=gnu17 -Wall -Wextra -Werror -I\"$ROOT\" "
		    "-fsyntax-only both.c");
}
END_TEST

#define WRAP                                                                   \
	" -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free"          \
	" -O2 -static -o program shim.c stub.c "

static const char stub_start[] =
	"#include \"sandbox/runner/runner.h\"\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <unistd.h>\n"
	"uint64_t grader_heap_pattern = 0x7ff0000312345678u;\n"
	"int main(int argc, char **argv, char **envp)\n"
	"{ return grader_main(argc, argv, envp); }\n";

START_TEST(arguments_of_every_type_and_results_get_through)
{
	static const char rest[] =
		"#include \"solve.h\"\n"
		"double mix(size_t n, const size_t batch[], int w, bool flag, "
		"char letter, float scale, double shift, const double *Q, "
		"const bool *mask, const float cube[2][w][3], "
		"const int counts[w], float output[w][2], bool signs[w], "
		"double *flat)\n"
		"{\n"
		"output[1][1] = 7; signs[1] = flag; *flat = *Q;\n"
		"printf(\"%zu %zu %d %d %d %g %g %g %d %g %d\\n\", n, "
		"batch[1], w, flag, letter, (double)scale, shift, Q[1], "
		"mask == NULL, (double)cube[1][1][2], counts[1]);\n"
		"return 0.25;\n"
		"}\n"
		"int count(char x[4]) { x[3] = 9; return -5; }\n"
		"void grader_run(void)\n"
		"{\n"
		"static size_t batch[2] = {1, 2};\n"
		"static double Q[4] = {3, 4}, flat[2];\n"
		"static float cube[2][2][3] = {{{0}}}, output[4];\n"
		"static int counts[2] = {1, -2};\n"
		"static char x[4];\n"
		"static bool signs[2];\n"
		"union runner_value v[15] = {{.bits = 2}, {.pointer = batch}, "
		"{.bits = (uint64_t)-2 + 4}, {.bits = 0xa5}, "
		"{.bits = (uint64_t)-3}, {.real = 0.5f}, {.number = -0.0}, "
		"{.pointer = Q}, {.pointer = NULL}, {.pointer = cube}, "
		"{.pointer = counts}, {.pointer = output}, "
		"{.pointer = signs}, {.pointer = flat}, {.bits = 1}};\n"
		"cube[1][1][2] = 6;\n"
		"grader_call(0, v);\n"
		"printf(\"%g %g %d %g\\n\", v[14].number, (double)output[3], "
		"signs[1], flat[0]);\n"
		"v[0].pointer = x; v[1].bits = 0;\n"
		"grader_call(1, v);\n"
		"printf(\"%d %d\\n\", (int)v[1].bits, x[3]);\n"
		"_exit(0);\n"
		"}\n";
	struct text stub = {0};

	put_headers(&mix);
	put_shim(mix.functions, mix.n_functions);
	text_printf(&stub, "%s%s", stub_start, rest);
	put_text("stub.c", &stub);
	expect_out(EVERY_CC "$CC -I\"$ROOT\"" WRAP "&& ./program || exit 1; "
			    "done",
		"2 2 2 1 -3 0.5 -0 4 1 6 -2\n0.25 7 1 3\n-5 9\n"
		"2 2 2 1 -3 0.5 -0 4 1 6 -2\n0.25 7 1 3\n-5 9\n");
}
END_TEST

/* What the blocks of each allocator have in them. */
static const char heap_stub[] =
	"void solve(void) {}\n"
	"static int is(const void *block, size_t from, size_t to, uint64_t "
	"pattern)\n"
	"{\n"
	"const unsigned char *bytes = block, *p = (void *)&pattern;\n"
	"for (size_t i = from; i < to; i++)\n"
	"if (bytes[i] != p[i % 8]) return 0;\n"
	"return 1;\n"
	"}\n"
	"#define HOLD(x) if (!(x)) { puts(#x); _exit(1); }\n"
	"#define P grader_heap_pattern\n"
	"static void use(size_t size)\n"
	"{\n"
	"unsigned char *a = malloc(size);\n"
	"HOLD(a && is(a, 0, size, P));\n"
	"memset(a, 1, size);\n"
	"a = realloc(a, 2 * size + 3);\n"
	"HOLD(a && is(a, 0, size, 0x0101010101010101u));\n"
	"HOLD(is(a, size, 2 * size + 3, P));\n"
	"a = realloc(a, size / 2 + 1);\n"
	"HOLD(a && is(a, 0, size / 2 + 1, 0x0101010101010101u));\n"
	"a = realloc(a, size + 2);\n"
	"HOLD(is(a, size / 2 + 1, size + 2, P));\n"
	"free(a);\n"
	"a = calloc(size, 3);\n"
	"HOLD(a && is(a, 0, 3 * size, 0));\n"
	"free(a);\n"
	"a = realloc(NULL, size);\n"
	"HOLD(a && is(a, 0, size, P));\n"
	"free(a);\n"
	"}\n"
	"void grader_run(void)\n"
	"{\n"
	"static const size_t sizes[] = {1, 7, 8, 24, 100, 4096, 300000};\n"
	"volatile size_t huge = SIZE_MAX / 2;\n"
	"static char *many[5000];\n"
	"for (int round = 0; round < 3; round++)\n"
	"for (size_t i = 0; i < 7; i++) use(sizes[i]);\n"
	"for (size_t i = 0; i < 5000; i++) HOLD(many[i] = malloc(40));\n"
	"for (size_t i = 0; i < 5000; i++) {\n"
	"memset(many[i], 1, 40);\n"
	"HOLD(many[i] = realloc(many[i], 80));\n"
	"HOLD(is(many[i], 0, 40, 0x0101010101010101u));\n"
	"}\n"
	"for (size_t i = 0; i < 5000; i++) free(many[i]);\n"
	"use(64);\n"
	"HOLD(!calloc(huge, 4));\n"
	"HOLD(!calloc(huge, 2));\n"
	"HOLD(!malloc(huge));\n"
	"many[0] = malloc(8);\n"
	"HOLD(!realloc(many[0], huge));\n"
	"memset(many[0], 1, 8);\n"
	"HOLD(many[0] = realloc(many[0], 64));\n"
	"HOLD(is(many[0], 8, 64, P));\n"
	"free(NULL);\n"
	"puts(\"good\");\n"
	"_exit(0);\n"
	"}\n";

START_TEST(new_memory_holds_the_pattern_and_calloc_zeros)
{
	static const struct function solve = {.name = "solve"};
	struct text stub = {0};

	put_shim(&solve, 1);
	text_printf(&stub, "%s%s", stub_start, heap_stub);
	put_text("stub.c", &stub);
	expect_out(EVERY_CC "$CC -I\"$ROOT\"" WRAP "&& ./program || exit 1; "
			    "done",
		"good\ngood\n");
}
END_TEST

START_TEST(an_allocator_of_the_learners_own_works)
{
	static const struct function solve = {.name = "solve"};
	/* In a file of its own, so that the calls are wrapped. */
	static const char own[] =
		"#include <stddef.h>\n"
		"#include <string.h>\n"
		"static _Alignas(16) char pool[1 << 24];\n"
		"static size_t used;\n"
		"void *malloc(size_t size)\n"
		"{\n"
		"size_t *head = (size_t *)(pool + used);\n"
		"if (size > sizeof(pool) - used - 64) return NULL;\n"
		"used += (size + 47) / 16 * 16;\n"
		"*head = size;\n"
		"return head + 2;\n"
		"}\n"
		"void free(void *block) { (void)block; }\n"
		"void *realloc(void *block, size_t size)\n"
		"{\n"
		"char *more = malloc(size);\n"
		"size_t had = block ? ((size_t *)block)[-2] : 0;\n"
		"if (more && block)\n"
		"memcpy(more, block, had < size ? had : size);\n"
		"return more;\n"
		"}\n";
	struct text stub = {0};

	put_shim(&solve, 1);
	text_printf(&stub, "%s%s", stub_start, heap_stub);
	put_text("stub.c", &stub);
	put("own.c", own);
	expect_out("musl-gcc -I\"$ROOT\"" WRAP "own.c && ./program", "good\n");
}
END_TEST

/* The starter -------------------------------------------------------------- */

static void put_starter(const struct exercise *exercise)
{
	struct text text = {0};

	put_headers(exercise);
	source_put_starter(&text, exercise);
	put_text("solve.c", &text);
	source_put_try(&text, exercise);
	put_text("try.c", &text);
}

START_TEST(a_starter_builds_and_warns_of_unused_parameters_alone)
{
	const struct exercise *const exercises[] = {&mix, &attention};

	for (size_t i = 0; i < 2; i++) {
		put_starter(exercises[i]);
		expect_good(EVERY_CC "$CC" STRICT
				     "-Wno-unused-parameter -o program try.c "
				     "solve.c -lm && ./program >out || exit 1; "
				     "done");
	}
}
END_TEST

START_TEST(a_starter_has_the_steps_as_comments)
{
	struct text text = {0};

	source_put_starter(&text, &mix);
	ck_assert_ptr_nonnull(strstr(text.data,
		"/* 1. Mix * / them. */\n\n"
		"/* 2. Stir. */\n"));
	ck_assert_ptr_nonnull(strstr(text.data, " * Mix * / int x; / *\n"));
	text_finish(&text);
	source_put_starter(&text, &attention);
	ck_assert_ptr_nonnull(strstr(text.data, "{\n\t/* 1. "));
	ck_assert_ptr_nonnull(
		strstr(text.data, "grader grade attention solve.c\n"));
	text_finish(&text);
}
END_TEST

START_TEST(trying_the_solution_prints_what_is_expected)
{
	put_starter(&attention);
	put("solve.c", attention.solution.data);
	expect_out("cc -I. -include solve.h -Wall -Wextra -Werror -o program "
		   "try.c solve.c -lm && ./program",
		"output, computed:\n"
		" 6.697615493 3.302384507\n"
		" 3.302384507 6.697615493\n"
		"output, expected:\n"
		" 6.69762 3.30238\n"
		" 3.30238 6.69762\n");
}
END_TEST

START_TEST(what_is_never_set_shows_as_nan)
{
	put_starter(&attention);
	expect_out("cc -o program try.c solve.c -lm && ./program | head -2",
		"output, computed:\n -nan -nan\n");
}
END_TEST

START_TEST(a_try_passes_inputs_of_every_type)
{
	static const char solve[] =
		"#include \"solve.h\"\n"
		"#include <stdio.h>\n"
		"#include <math.h>\n"
		"double mix(size_t n, const size_t batch[], int w, bool flag, "
		"char letter, float scale, double shift, const double *Q, "
		"const bool *mask, const float cube[2][w][3], "
		"const int counts[w], float output[w][2], bool signs[w], "
		"double *flat)\n"
		"{\n"
		"printf(\"%d\\n\", n == 2 && batch[0] == 2 && batch[1] == 1 && "
		"w == 2 && flag && letter == -3 && scale == 0.1f && "
		"signbit(shift) && Q[0] == 0.1 && Q[1] == 1e300 && "
		"Q[3] == 5e-324 && !mask && cube[0][1][2] == 6 && "
		"cube[1][1][0] == 0.1f && counts[0] == -2147483647 - 1 && "
		"counts[1] == 5);\n"
		"output[0][0] = 1; output[0][1] = 2.5f; output[1][0] = 3; "
		"output[1][1] = 0.1f; signs[0] = true; flat[0] = 8; "
		"flat[1] = 9;\n"
		"return 0.5;\n"
		"}\n";

	put_starter(&mix);
	put("solve.c", solve);
	expect_out("cc -Wall -Wextra -Werror -o program try.c solve.c -lm && "
		   "./program",
		"1\n"
		"output, computed:\n 1 2.5\n 3 0.1\n"
		"output, expected:\n 1 2.5\n 3 4\n"
		"signs, computed:\n true false\n"
		"signs, expected:\n true false\n"
		"flat, computed:\n 8\n 9\n"
		"result, computed:\n 0.5\n"
		"result, expected:\n 0.5\n");
}
END_TEST

START_TEST(a_try_without_an_example_builds_too)
{
	const struct group hidden = {
		.hidden = true,
		.cases = mix.groups[0].cases,
		.n_cases = mix.groups[0].n_cases,
	};
	struct exercise exercise = mix;

	exercise.groups = &hidden;
	exercise.n_groups = 1;
	put_starter(&exercise);
	expect_out("cc -Wall -Wextra -Werror -o program try.c solve.c "
		   "-Wno-unused-parameter && ./program && "
		   "grep -c 'put your own' try.c",
		"1\n");
}
END_TEST

/* Texts -------------------------------------------------------------------- */

START_TEST(comments_are_filled_and_cannot_be_left)
{
	static const struct {
		const char *says;
		const char *comment;
	} rows[] = {
		{"Short.", "\t/* Short. */\n"},
		{"a*/b/*c**//", "\t/* a* /b/ *c** // */\n"},
		{"One\ntwo\tthree", "\t/* One two three */\n"},
		{"", "\t/*  */\n"},
		{"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
		 "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy z",
			"\t/* xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
			"\t   yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy z */\n"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct text text = {0};

		comment_put(&text, "\t", rows[i].says);
		ck_assert_str_eq(text.data, rows[i].comment);
		text_finish(&text);
	}
}
END_TEST

START_TEST(numbers_read_back_as_the_same_bits)
{
	static const struct {
		double number;
		enum value_type type;
		const char *text;
	} rows[] = {
		{0, TYPE_DOUBLE, "0.0"},
		{-0.0, TYPE_DOUBLE, "-0.0"},
		{1, TYPE_DOUBLE, "1.0"},
		{0.1, TYPE_DOUBLE, "0.1"},
		{1.0 / 3, TYPE_DOUBLE, "0.3333333333333333"},
		{0.1 + 0.2, TYPE_DOUBLE, "0.30000000000000004"},
		{1e22, TYPE_DOUBLE, "1e+22"},
		{9007199254740993.0, TYPE_DOUBLE, "9007199254740992.0"},
		{DBL_MAX, TYPE_DOUBLE, "1.7976931348623157e+308"},
		{5e-324, TYPE_DOUBLE, "4.94065645841247e-324"},
		{(double)0.1f, TYPE_FLOAT, "0.1f"},
		{(double)FLT_MAX, TYPE_FLOAT, "3.4028235e+38f"},
		{-16777216, TYPE_FLOAT, "-16777216.0f"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct text text = {0};
		double back;

		source_put_real(&text, rows[i].type, rows[i].number);
		ck_assert_str_eq(text.data, rows[i].text);
		back = rows[i].type == TYPE_FLOAT
			? (double)strtof(text.data, NULL)
			: strtod(text.data, NULL);
		ck_assert_mem_eq(&back, &rows[i].number, sizeof(back));
		text_finish(&text);
	}
}
END_TEST

Suite *source_suite(void)
{
	Suite *suite = suite_create("source");
	TCase *tcase = tcase_create("source");

	/* Each compiles something, some with two compilers. */
	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, parameters_are_written_as_c_wants_them);
	tcase_add_test(tcase, a_prototype_is_one_line);
	tcase_add_test(tcase, the_learners_header_says_what_is_asked);
	tcase_add_test(tcase, headers_compile_alone_and_twice);
	tcase_add_test(
		tcase, the_c_files_of_an_exercise_compile_with_its_header);
	tcase_add_test(tcase, shims_compile_without_warnings);
	tcase_add_test(tcase, the_shim_is_in_step_with_the_runner);
	tcase_add_test(tcase, arguments_of_every_type_and_results_get_through);
	tcase_add_test(tcase, new_memory_holds_the_pattern_and_calloc_zeros);
	tcase_add_test(tcase, an_allocator_of_the_learners_own_works);
	tcase_add_test(
		tcase, a_starter_builds_and_warns_of_unused_parameters_alone);
	tcase_add_test(tcase, a_starter_has_the_steps_as_comments);
	tcase_add_test(tcase, trying_the_solution_prints_what_is_expected);
	tcase_add_test(tcase, what_is_never_set_shows_as_nan);
	tcase_add_test(tcase, a_try_passes_inputs_of_every_type);
	tcase_add_test(tcase, a_try_without_an_example_builds_too);
	tcase_add_test(tcase, comments_are_filled_and_cannot_be_left);
	tcase_add_test(tcase, numbers_read_back_as_the_same_bits);
	suite_add_tcase(suite, tcase);
	return suite;
}
