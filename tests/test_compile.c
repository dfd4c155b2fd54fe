/* SPDX-License-Identifier: MIT */
#include "grader/engine/compile.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/elf.h"
#include "grader/engine/poison.h"
#include "grader/engine/program.h"
#include "grader/engine/source.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/lesson.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder folder;
static struct arena *arena;
static struct tools tools;
static struct error err;
static struct build build;
static struct build_request request;

static void set_up_with(bool glibc)
{
	static const char *const gccs[] = {"/usr/bin/gcc", NULL};
	const struct toolchain_places places = {gccs, "/none", "/none"};
	struct sandbox_options options = {.temp_dir = folder.path};

	folder_make(&folder);
	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	tools = (struct tools){
		.cache_dir = "/proc/nonexistent/cache",
		.cancel = -1,
	};
	ck_assert_msg(glibc
			? toolchain_find_in(
				  &places, NULL, arena, &tools.toolchain, &err)
			: toolchain_find(NULL, arena, &tools.toolchain, &err),
		"%s", err.message);
	options.tool_reads = tools.toolchain.reads;
	tools.sandbox = sandbox_create(&options, &err);
	ck_assert_msg(tools.sandbox != NULL, "%s", err.message);
	build = (struct build){.program = {.fd = -1}};
}

static void set_up(void)
{
	set_up_with(false);
}

static void set_up_glibc(void)
{
	set_up_with(true);
}

/* Nothing of a build may be left but the program itself. */
static void tear_down(void)
{
	program_finish(&build.program);
	sandbox_destroy(tools.sandbox);
	ck_assert_uint_eq(folder_count(folder.path), 0);
	folder_remove(&folder);
	arena_destroy(arena);
}

static void compile_request(void)
{
	program_finish(&build.program);
	ck_assert_msg(compile_program(&tools, &request, arena, &build, &err),
		"%s", err.message);
}

static void compile(const char *source)
{
	request = lesson_request(source);
	compile_request();
}

/* Of the first whose message holds the words. */
static const struct diagnostic *find(const char *words)
{
	for (size_t i = 0; i < build.n_diagnostics; i++)
		if (strstr(build.diagnostics[i].message, words))
			return &build.diagnostics[i];
	return NULL;
}

/* A failed build with this sentence first. */
static void check_refused(const char *sentence)
{
	ck_assert(!build.ok);
	ck_assert_int_eq(build.program.fd, -1);
	ck_assert_uint_gt(build.n_diagnostics, 0);
	ck_assert_str_eq(build.diagnostics[0].message, sentence);
	ck_assert_int_eq(build.diagnostics[0].severity, SEVERITY_ERROR);
}

#define BODY "\n{\n\treturn n + m + Q[0][0] + flip + output[0];\n}\n"
#define SOLUTION LESSON_PROTOTYPE BODY

START_TEST(a_right_answer_becomes_a_sealed_program)
{
	struct stat info;
	int seals;

	compile(lesson_solution);
	ck_assert(build.ok);
	ck_assert(!build.cached);
	ck_assert_uint_eq(build.n_diagnostics, 0);
	ck_assert_int_eq(fstat(build.program.fd, &info), 0);
	ck_assert_uint_eq(info.st_mode & 0777, 0111);
	seals = fcntl(build.program.fd, F_GET_SEALS);
	ck_assert_int_eq(seals &
			(F_SEAL_WRITE | F_SEAL_SEAL | F_SEAL_GROW |
				F_SEAL_SHRINK),
		F_SEAL_WRITE | F_SEAL_SEAL | F_SEAL_GROW | F_SEAL_SHRINK);
	ck_assert_int_eq(fcntl(build.program.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_uint_lt(
		build.program.learner_start, build.program.learner_end);
	ck_assert_uint_ne(build.program.runner_exit, 0);
	ck_assert(build.program.runner_exit < build.program.learner_start ||
		build.program.runner_exit >= build.program.learner_end);
}
END_TEST

START_TEST(the_build_with_checks_knows_its_variables)
{
	struct text shim = {0};
	struct build graded;

	compile(LESSON_PROTOTYPE
		"\n{\n\tdouble sum;\n\tfor (int i = 0; i < 3; i++)\n"
		"\t\tsum += Q[0][i];\n"
		"\treturn n + m + flip + output[0] + sum;\n}\n");
	ck_assert(build.ok);
	ck_assert_ptr_null(build.poison);
	graded = build;
	build = (struct build){.program = {.fd = -1}};
	source_put_checked_shim(&shim, request.functions, request.n_functions);
	request.kind = BUILD_CHECKED;
	request.shim = shim.data;
	request.shim_len = shim.len;
	compile_request();
	program_finish(&graded.program);
	text_finish(&shim);
	ck_assert_msg(build.ok, "%s", build.diagnostics[0].message);
	ck_assert_uint_eq(build.n_diagnostics, 0);
	/* On this very line, behind the prototype's. */
	ck_assert_uint_ge(build.poison->n_sites, 1);
	ck_assert_int_eq(build.poison->sites[1].column, 9);
}
END_TEST

START_TEST(the_same_source_gives_the_same_bytes)
{
	char *first = NULL, *second = NULL;
	struct stat info;

	for (int i = 0; i < 2; i++) {
		char **bytes = i ? &second : &first;

		compile(lesson_solution);
		ck_assert(build.ok);
		ck_assert_int_eq(fstat(build.program.fd, &info), 0);
		*bytes = malloc((size_t)info.st_size);
		ck_assert_ptr_nonnull(*bytes);
		ck_assert_int_eq(pread(build.program.fd, *bytes,
					 (size_t)info.st_size, 0),
			info.st_size);
	}
	ck_assert_int_eq(memcmp(first, second, (size_t)info.st_size), 0);
	/* Nor does it tell where it was built. */
	ck_assert_ptr_null(memmem(
		first, (size_t)info.st_size, folder.path, strlen(folder.path)));
	free(first);
	free(second);
}
END_TEST

/* Each line of code has an address, and no address another line. */
START_TEST(addresses_of_the_learner_have_the_learners_lines)
{
	bool seen[64] = {false};

	compile(lesson_solution);
	ck_assert(build.ok);
	for (uint64_t pc = build.program.learner_start;
		pc < build.program.learner_end; pc++) {
		int line = compile_find_line(&build.program, &request, pc);

		ck_assert_int_ge(line, 0);
		ck_assert_int_lt(line, 64);
		seen[line] = true;
	}
	ck_assert(seen[11]);  /* total += row[i]; */
	ck_assert(seen[22]);  /* sums[i] = ... */
	ck_assert(!seen[30]); /* behind the end */
	ck_assert_int_eq(compile_find_line(&build.program, &request,
				 build.program.runner_exit),
		0);
	ck_assert_int_eq(compile_find_line(&build.program, &request,
				 build.program.learner_end),
		0);
	ck_assert_int_eq(compile_find_line(&build.program, &request, 0), 0);
}
END_TEST

START_TEST(renumbered_source_has_no_lines)
{
	compile("#line 1 \"/etc/passwd\"\n" SOLUTION);
	ck_assert(build.ok);
	for (uint64_t pc = build.program.learner_start;
		pc < build.program.learner_end; pc++)
		ck_assert_int_eq(
			compile_find_line(&build.program, &request, pc), 0);
}
END_TEST

START_TEST(warnings_come_with_line_option_and_source)
{
	const struct diagnostic *unused;

	compile(LESSON_PROTOTYPE "\n{\n\tint unused;\r\n"
				 "\treturn n + m + Q[0][0] + flip + "
				 "output[0];\n}\n");
	ck_assert(build.ok);
	unused = find("unused variable 'unused'");
	ck_assert_ptr_nonnull(unused);
	ck_assert_int_eq(unused->severity, SEVERITY_WARNING);
	ck_assert_int_eq(unused->line, 4);
	ck_assert_int_eq(unused->column, 6);
	ck_assert_str_eq(unused->option, "-Wunused-variable");
	ck_assert_uint_eq(unused->source_len, strlen("\tint unused;"));
	ck_assert_int_eq(memcmp(unused->source, "\tint unused;", 12), 0);
}
END_TEST

/* What learners may write. */
static const char *const legal[] = {
	SOLUTION,
	"#include \"solve.h\"\n" SOLUTION,
	"#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
	"#include <stdlib.h>\n#include <float.h>\n#include <limits.h>\n"
	"#include <complex.h>\n#include <stdint.h>\n#include <assert.h>\n"
	"#include <errno.h>\n#include <tgmath.h>\n" SOLUTION,
	SOLUTION "int main(void) { return 0; }\n",
	SOLUTION "int main(int argc, char **argv) { return solve(1, 1, "
		 "(void *)argv, argc, (void *)argv); }\n",
	"\xef\xbb\xbf" SOLUTION,
	LESSON_PROTOTYPE "{ return n + m + Q[0][0] + flip + output[0]; }",
	LESSON_PROTOTYPE "\r\n{\r\n\treturn n + m + Q[0][0] + flip + "
			 "output[0];\r\n}\r\n",
	"double solve(const size_t rows, size_t columns, const double "
	"(*table)[columns], _Bool b, double *out) { return rows + columns + "
	"table[0][0] + b + out[0]; }",
	/* The program's parts need none of these. */
	"void *memcpy(void *to, const void *from, size_t n)\n"
	"{ char *a = to; const char *b = from; while (n--) *a++ = *b++;\n"
	"return to; }\n"
	"double exp(double x) { return x; }\n"
	"long write(int fd, const void *data, size_t len)\n"
	"{ return fd + len + (data == 0); }\n"
	"void exit(int status) { for (;;) status++; }\n"
	"void _start(void) {}\n" SOLUTION,
	"#include <stdlib.h>\nvoid *malloc(size_t n) { return (void *)n; }\n"
	"void free(void *p) { (void)p; }\n" SOLUTION,
	"asm(\".section "
	".note.GNU-stack,\\\"x\\\",@progbits\\n.text\");\n" SOLUTION,
};

START_TEST(what_learners_may_write_is_built)
{
	compile(legal[_i]);
	for (size_t i = 0; i < build.n_diagnostics; i++)
		ck_assert_int_ne(build.diagnostics[i].severity, SEVERITY_ERROR);
	ck_assert(build.ok);
}
END_TEST

#define EXPECTED                                                               \
	"expected: double solve(size_t n, size_t m, const double Q[n][m], "    \
	"bool flip, double output[n])"

/* Source, our first sentence, the line it points at. */
static const struct {
	const char *source;
	const char *sentence;
	int line;
} wrong[] = {
	{"", "there is no function named solve", 0},
	{"\n// nothing\n", "there is no function named solve", 0},
	{"double Solve(int n) { return n; }",
		"there is no function named solve; there is Solve", 0},
	{"static double slove(void) { return 1; }\n"
	 "double other(void) { return slove(); }\nint one(void) { return 1; }",
		"there is no function named solve", 0},
	{"double mine(int n) { return n; }",
		"there is no function named solve; there is mine", 0},
	{"double sovle(int n) { return n; }",
		"there is no function named solve; there is sovle", 0},
	{"\ndouble solve(size_t n, size_t m, double Q[n][m], bool flip,\n"
	 "double output[n]) { return 0; }",
		"parameter 3, Q: expected const double Q[n][m], found double "
		"Q[n][m]",
		2},
	{"double solve(size_t n, size_t m,\nfloat   (*queries)[m],\n"
	 "bool flip, double *output) { return 0; }",
		"parameter 3, Q: expected const double Q[n][m], found float "
		"(*queries)[m]",
		2},
	{"double solve(size_t n, size_t m, const double Q[n][m], bool flip)\n"
	 "{ return 0; }",
		"expected 5 parameters, found 4", 1},
	{"double solve(void) { return 0; }", "expected 5 parameters, found 0",
		1},
	{"int solve(size_t n, size_t m, const double Q[n][m], bool flip,\n"
	 "double output[n]) { return 0; }",
		"returns int, expected double", 1},
	{"typedef float real;\n"
	 "double solve(size_t n, size_t m, const real Q[n][m], bool flip,\n"
	 "double output[n]) { return 0; }",
		EXPECTED, 2},
	{"#define SOLVE solve\ndouble SOLVE(int n) { return 0; }\n", EXPECTED,
		2},
	{"double solve() { return 0; }", "expected 5 parameters, found 0", 1},
	{"static " LESSON_PROTOTYPE "{ return 0; }",
		"solve is static, so it cannot be called from outside: leave "
		"out \"static\"",
		1},
	{"int solve = 3;", "solve is not a function here", 1},
	{"double x asm(\"solve\");", "solve is not a function here", 0},
	{"double s(void) { return 0; }\n" LESSON_PROTOTYPE
	 "__attribute__((weak, alias(\"s\")));",
		"solve may be replaced by another of its name; it must be an "
		"ordinary function",
		0},
	{"__attribute__((weak)) " SOLUTION,
		"solve may be replaced by another of its name; it must be an "
		"ordinary function",
		0},
	{"static void *r(void) { return 0; }\n" LESSON_PROTOTYPE
	 "__attribute__((ifunc(\"r\")));",
		"solve is chosen when the program starts; it must be "
		"an ordinary function",
		0},
	{SOLUTION "double grader_exit_return;\n",
		"grader_exit_return: names that start with grader_ are the "
		"grader's own",
		0},
	{SOLUTION "static int grader_x;\nint *f(void) { return &grader_x; }",
		"grader_x: names that start with grader_ are the grader's own",
		0},
};

START_TEST(a_wrong_function_gets_a_sentence_of_ours)
{
	compile(wrong[_i].source);
	check_refused(wrong[_i].sentence);
	ck_assert_int_eq(build.diagnostics[0].line, wrong[_i].line);
}
END_TEST

START_TEST(several_wrong_parameters_are_all_named_before_gccs_words)
{
	compile("double solve(int n, size_t m, double Q[n][m], int flip,\n"
		"double output[n]) { return 0; }");
	ck_assert(!build.ok);
	ck_assert_uint_gt(build.n_diagnostics, 3);
	ck_assert_str_eq(build.diagnostics[0].message,
		"parameter 1, n: expected size_t n, found int n");
	ck_assert_str_eq(build.diagnostics[2].message,
		"parameter 4, flip: expected bool flip, found int flip");
	ck_assert_ptr_nonnull(
		strstr(build.diagnostics[3].message, "conflicting types"));
	ck_assert_int_eq(build.diagnostics[3].severity, SEVERITY_NOTE);
}
END_TEST

START_TEST(swapped_bounds_are_a_warning_that_is_kept)
{
	compile("double solve(size_t n, size_t m, const double Q[m][n],\n"
		"bool flip, double *output)\n"
		"{ return n + m + Q[0][0] + flip + output[0]; }");
	ck_assert(build.ok);
	ck_assert_ptr_nonnull(find("mismatched bound"));
	ck_assert_ptr_null(find("declared as a pointer"));
}
END_TEST

START_TEST(what_is_called_and_not_there_is_named_with_its_line)
{
	const struct diagnostic *undefined;

	compile(LESSON_PROTOTYPE
		"\n{\n\treturn n + m + Q[0][0] + flip + output[0] +\n"
		"\t\texpo(m);\n}\n");
	ck_assert(!build.ok);
	undefined = find("expo is called or used, but it is defined nowhere");
	ck_assert_ptr_nonnull(undefined);
	ck_assert_int_ge(undefined->line, 4);
	ck_assert_int_le(undefined->line, 5);
}
END_TEST

/* Hostile ones: each ends as a compile error, soon, and tells nothing. */
static const struct {
	const char *source;
	const char *words; /* of the first diagnostic */
} hostile[] = {
	{"#include \"/etc/passwd\"\n" SOLUTION, "/etc/passwd"},
	{"#include \"/proc/self/environ\"\n" SOLUTION, "/proc/self/environ"},
	{"#include \"/dev/zero\"\n" SOLUTION, "/dev/zero"},
	{"#include \"/dev/stdin\"\n" SOLUTION, "/dev/stdin"},
	{"#include <../../../../etc/passwd>\n" SOLUTION, "etc/passwd"},
	{"asm(\".incbin \\\"/etc/passwd\\\"\");\n" SOLUTION, "/etc/passwd"},
	{"asm(\".include \\\"/etc/passwd\\\"\");\n" SOLUTION, "/etc/passwd"},
	{"asm(\".incbin \\\"/proc/self/environ\\\"\");\n" SOLUTION,
		"/proc/self/environ"},
	{"#include __FILE__\n#include __FILE__\n", "nested depth"},
	{"#define A(x) x x x x x x x x x x\n"
	 "#define B(x) A(A(A(A(x))))\n"
	 "B(B(B(int a;)))\n",
		"the compiler "},
	{"int a[1 << 28] = {1};\n" SOLUTION,
		"what the assembler makes of this file is larger than 32 MiB"},
	{"char a[1L << 40];\n" SOLUTION,
		"the variables of this file take more than 64 MiB"},
	{"static double a[100 << 20];\n"
	 "double *f(size_t i) { return a + i; }\n" SOLUTION,
		"the variables of this file take more than 64 MiB"},
	{"asm(\".org 0x7fffffff\");\n" SOLUTION, "the assembler "},
	{"asm(\".fill 1000000000, 8, 1\");\n" SOLUTION, "the assembler "},
	{"asm(\".rept 1000000000\\nnop\\n.endr\");\n" SOLUTION,
		"the assembler "},
	{"asm(\".section .interp,\\\"a\\\"\\n.asciz \\\"/bin/sh\\\"\\n"
	 ".text\");\n" SOLUTION,
		"the program is not run: it asks for an interpreter"},
	{"asm(\".section x,\\\"awx\\\",@progbits\\nnop\\n.text\");\n" SOLUTION,
		"the program is not run: it has memory that is both writable"},
	{"#error ACCEPTED 100/100\n", "#error ACCEPTED 100/100"},
	{"#line 1 \"/etc/passwd\"\nint x = y;\n", "'y' undeclared"},
	{"#pragma GCC dependency \"/etc/passwd\"\n" SOLUTION, "/etc/passwd"},
	{"#include \"../x\"\n", "../x"},
	{"#include \"learner.s\"\nint x\n", ""},
};

START_TEST(hostile_source_is_a_compile_error_that_tells_nothing)
{
	compile(hostile[_i].source);
	ck_assert(!build.ok);
	ck_assert_int_eq(build.program.fd, -1);
	ck_assert_uint_gt(build.n_diagnostics, 0);
	ck_assert_msg(
		strstr(build.diagnostics[0].message, hostile[_i].words) != NULL,
		"%s", build.diagnostics[0].message);
	ck_assert_ptr_null(find("root:"));
	ck_assert_ptr_null(find("PATH="));
	for (size_t i = 0; i < build.n_diagnostics; i++)
		if (build.diagnostics[i].source)
			ck_assert(
				build.diagnostics[i].source >= request.source &&
				build.diagnostics[i].source <=
					request.source + request.source_len);
}
END_TEST

START_TEST(a_canary_outside_the_jail_stays_outside)
{
	static const char *const forms[] = {
		"#include \"%s\"\n",
		"asm(\".incbin \\\"%s\\\"\");\n",
		"asm(\".include \\\"%s\\\"\");\n",
		"#line 1 \"%s\"\nint x = y;\n",
	};
	const char *canary =
		folder_put(&folder, "canary", "int x = CANARY_8c1f;\n", 0644);

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		char source[4096];
		const char *mark = strstr(forms[i], "%s");

		snprintf(source, sizeof(source), "%.*s%s%s" SOLUTION,
			(int)(mark - forms[i]), forms[i], canary, mark + 2);
		compile(source);
		ck_assert(!build.ok);
		ck_assert_ptr_null(find("CANARY"));
	}
	ck_assert_int_eq(unlink(canary), 0);
}
END_TEST

START_TEST(a_compiler_that_runs_for_ever_is_stopped)
{
	/* Each level doubles what the one before costs. */
	char source[8192] = "#define X0 1+1\n";
	size_t len = strlen(source);

	for (int i = 1; i < 60; i++)
		len += (size_t)snprintf(source + len, sizeof(source) - len,
			"#if X%d\n#endif\n#define X%d X%d+X%d\n", i - 1, i,
			i - 1, i - 1);
	compile(source);
	check_refused("the compiler needed more than 10 s for this file");
}
END_TEST

START_TEST(warnings_without_end_are_cut)
{
	char *source = malloc(1 << 20);
	size_t len = 0;

	ck_assert_ptr_nonnull(source);
	for (int i = 0; i < 9000; i++)
		len += (size_t)sprintf(source + len,
			"static int unused_variable_number_%d;\n", i);
	strcpy(source + len, SOLUTION);
	compile(source);
	ck_assert(build.diagnostics_cut);
	ck_assert_uint_le(build.n_diagnostics, 100);
	free(source);
}
END_TEST

/* A fixed sequence of any bytes at all. */
START_TEST(junk_is_a_compile_error)
{
	static char junk[20000];
	unsigned int state = (unsigned int)_i;

	for (size_t i = 0; i < sizeof(junk); i++) {
		state = state * 1103515245U + 12345U;
		junk[i] = (char)(state >> 16);
	}
	request = lesson_request("");
	request.source = junk;
	request.source_len = sizeof(junk);
	compile_request();
	ck_assert(!build.ok);
	ck_assert_uint_gt(build.n_diagnostics, 0);
}
END_TEST

START_TEST(bytes_of_zero_do_not_hide_what_follows)
{
	static const char source[] = "int a;\0\0 int b = c;\n";

	request = lesson_request("");
	request.source = source;
	request.source_len = sizeof(source) - 1;
	compile_request();
	ck_assert(!build.ok);
	ck_assert_ptr_nonnull(find("'c' undeclared"));
}
END_TEST

/* The cache -----------------------------------------------------------------
 */

static void use_cache(void)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/cache", folder.path);
	tools.cache_dir = path;
}

static void drop_cache(void)
{
	DIR *dir = opendir(tools.cache_dir);

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	ck_assert_int_eq(rmdir(tools.cache_dir), 0);
}

START_TEST(a_learners_build_leaves_only_its_shim_in_the_cache)
{
	use_cache();
	compile(lesson_solution);
	ck_assert(build.ok);
	ck_assert_uint_eq(folder_count(tools.cache_dir), 1);
	compile(SOLUTION);
	ck_assert(build.ok);
	ck_assert(!build.cached);
	ck_assert_uint_eq(folder_count(tools.cache_dir), 1);
	drop_cache();
}
END_TEST

static void compile_exercise(const char *source)
{
	request = lesson_request(source);
	request.kind = BUILD_EXERCISE;
	compile_request();
	ck_assert(build.ok);
}

START_TEST(an_exercises_program_is_built_once_for_each_content)
{
	use_cache();
	compile_exercise(lesson_solution);
	ck_assert(!build.cached);
	compile_exercise(lesson_solution);
	ck_assert(build.cached);
	ck_assert_int_ge(build.program.fd, 0);
	ck_assert_uint_ne(build.program.runner_exit, 0);
	ck_assert_uint_ne(build.program.learner_start, 0);
	compile_exercise(SOLUTION);
	ck_assert(!build.cached);
	request = lesson_request(SOLUTION);
	request.kind = BUILD_EXERCISE;
	request.source_name = "other.c";
	compile_request();
	ck_assert(!build.cached);
	tools.toolchain.identity = "another";
	compile_exercise(lesson_solution);
	ck_assert(!build.cached);
	drop_cache();
}
END_TEST

START_TEST(damaged_entries_are_built_anew)
{
	DIR *dir;

	use_cache();
	compile_exercise(lesson_solution);
	dir = opendir(tools.cache_dir);
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		int fd =
			openat(dirfd(dir), entry->d_name, O_WRONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		ck_assert_int_eq(pwrite(fd, "damage", 6, 300), 6);
		close(fd);
	}
	closedir(dir);
	compile_exercise(lesson_solution);
	ck_assert(!build.cached);
	compile_exercise(lesson_solution);
	ck_assert(build.cached);
	drop_cache();
}
END_TEST

/* Errors of ours ------------------------------------------------------------
 */

START_TEST(a_shim_that_does_not_compile_is_our_error)
{
	request = lesson_request(SOLUTION);
	request.shim = "int x = y;";
	request.shim_len = strlen(request.shim);
	ck_assert(!compile_program(&tools, &request, arena, &build, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "shim.c:1: 'y' undeclared"));
}
END_TEST

START_TEST(a_tool_that_cannot_run_is_our_error)
{
	request = lesson_request(SOLUTION);
	tools.toolchain.cc1 = "/proc/nonexistent/cc1";
	ck_assert(!compile_program(&tools, &request, arena, &build, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "/proc/nonexistent/cc1"));
	tools.toolchain.cc1 = "/etc/passwd";
	ck_assert(!compile_program(&tools, &request, arena, &build, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
}
END_TEST

START_TEST(a_build_can_be_cancelled)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(write(ends[1], "x", 1), 1);
	tools.cancel = ends[0];
	request = lesson_request(SOLUTION);
	ck_assert(!compile_program(&tools, &request, arena, &build, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "cancelled"));
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(names_that_tools_could_misread_are_replaced)
{
	static const char *const names[] = {"-o.c", "../x.c", "a b.c", "x.h",
		"", ".c", "solve", "learner.s", "$(x).c", "@x.c"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		request = lesson_request(SOLUTION);
		request.source_name = names[i];
		compile_request();
		ck_assert_msg(build.ok, "%s", names[i]);
	}
}
END_TEST

static size_t count_descriptors(void)
{
	return folder_count("/proc/self/fd");
}

START_TEST(many_builds_leave_nothing_open)
{
	size_t before;

	compile(SOLUTION);
	program_finish(&build.program);
	before = count_descriptors();
	for (int i = 0; i < 20; i++) {
		compile(i % 2 ? SOLUTION : "int x = y;");
		program_finish(&build.program);
	}
	ck_assert_uint_eq(count_descriptors(), before);
	sandbox_destroy(tools.sandbox);
	tools.sandbox = NULL;
	ck_assert_uint_eq(folder_count(folder.path), 0);
}
END_TEST

/* As a linker would leave it that the submission has taken over. */
static void check_spoilt(
	void (*spoil)(char *data, Elf64_Sym *solve), const char *sentence)
{
	struct program program = {.fd = -1};
	const char *refused = NULL;
	struct elf_symbol symbol;
	struct stat status;
	struct elf elf;
	char *data;

	compile(lesson_solution);
	ck_assert_int_eq(fstat(build.program.fd, &status), 0);
	data = malloc((size_t)status.st_size);
	ck_assert_ptr_nonnull(data);
	ck_assert_int_eq(
		pread(build.program.fd, data, (size_t)status.st_size, 0),
		status.st_size);
	ck_assert(elf_open(&elf, data, (size_t)status.st_size));
	ck_assert(elf_find_symbol(&elf, "solve", &symbol));
	for (size_t at = 0; at + sizeof(Elf64_Sym) <= (size_t)status.st_size;
		at += 8) {
		Elf64_Sym *found = (void *)(data + at);

		if (found->st_value == symbol.value &&
			found->st_size == symbol.size && symbol.size > 0 &&
			found->st_shndx == symbol.section)
			spoil(data, found);
	}
	ck_assert_msg(program_load(data, (size_t)status.st_size, &request,
			      &program, &refused, &err),
		"%s", err.message);
	ck_assert_ptr_nonnull(refused);
	ck_assert_str_eq(refused, sentence);
	ck_assert_int_eq(program.fd, -1);
	free(data);
}

static void make_weak(char *data, Elf64_Sym *solve)
{
	(void)data;
	solve->st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC);
}

static void make_ifunc(char *data, Elf64_Sym *solve)
{
	(void)data;
	solve->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC);
}

static void start_at_solve(char *data, Elf64_Sym *solve)
{
	((Elf64_Ehdr *)(void *)data)->e_entry = solve->st_value;
}

START_TEST(a_program_that_was_tampered_with_is_not_run)
{
	check_spoilt(make_weak, "what it calls is not an ordinary function");
	check_spoilt(make_ifunc, "what it calls is not an ordinary function");
	check_spoilt(start_at_solve, "it does not start where it should");
}
END_TEST

Suite *compile_suite(void)
{
	Suite *suite = suite_create("compile");
	TCase *tcase = tcase_create("compile");
	TCase *glibc = tcase_create("glibc");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_right_answer_becomes_a_sealed_program);
	tcase_add_test(tcase, the_build_with_checks_knows_its_variables);
	tcase_add_test(tcase, the_same_source_gives_the_same_bytes);
	tcase_add_test(tcase, addresses_of_the_learner_have_the_learners_lines);
	tcase_add_test(tcase, renumbered_source_has_no_lines);
	tcase_add_test(tcase, warnings_come_with_line_option_and_source);
	tcase_add_loop_test(tcase, what_learners_may_write_is_built, 0,
		sizeof(legal) / sizeof(*legal));
	tcase_add_loop_test(tcase, a_wrong_function_gets_a_sentence_of_ours, 0,
		sizeof(wrong) / sizeof(*wrong));
	tcase_add_test(tcase,
		several_wrong_parameters_are_all_named_before_gccs_words);
	tcase_add_test(tcase, swapped_bounds_are_a_warning_that_is_kept);
	tcase_add_test(
		tcase, what_is_called_and_not_there_is_named_with_its_line);
	tcase_add_loop_test(tcase,
		hostile_source_is_a_compile_error_that_tells_nothing, 0,
		sizeof(hostile) / sizeof(*hostile));
	tcase_add_test(tcase, a_canary_outside_the_jail_stays_outside);
	if (getenv("GRADER_LIVE")) /* it takes ten seconds */
		tcase_add_test(tcase, a_compiler_that_runs_for_ever_is_stopped);
	tcase_add_test(tcase, warnings_without_end_are_cut);
	tcase_add_loop_test(tcase, junk_is_a_compile_error, 1, 9);
	tcase_add_test(tcase, bytes_of_zero_do_not_hide_what_follows);
	tcase_add_test(
		tcase, a_learners_build_leaves_only_its_shim_in_the_cache);
	tcase_add_test(
		tcase, an_exercises_program_is_built_once_for_each_content);
	tcase_add_test(tcase, damaged_entries_are_built_anew);
	tcase_add_test(tcase, a_shim_that_does_not_compile_is_our_error);
	tcase_add_test(tcase, a_tool_that_cannot_run_is_our_error);
	tcase_add_test(tcase, a_build_can_be_cancelled);
	tcase_add_test(tcase, names_that_tools_could_misread_are_replaced);
	tcase_add_test(tcase, many_builds_leave_nothing_open);
	tcase_add_test(tcase, a_program_that_was_tampered_with_is_not_run);
	suite_add_tcase(suite, tcase);
	tcase_add_checked_fixture(glibc, set_up_glibc, tear_down);
	tcase_set_timeout(glibc, 60);
	tcase_add_test(glibc, a_right_answer_becomes_a_sealed_program);
	tcase_add_test(glibc, the_build_with_checks_knows_its_variables);
	tcase_add_loop_test(glibc, what_learners_may_write_is_built, 0,
		sizeof(legal) / sizeof(*legal));
	tcase_add_test(glibc, a_canary_outside_the_jail_stays_outside);
	suite_add_tcase(suite, glibc);
	return suite;
}
