/* SPDX-License-Identifier: MIT */

/*
 * Sources that are too much for the compiler, the assembler or the linker: how
 * each ends, and the sentence that says why.  None is our failure, and none
 * takes longer than the limit on time.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/compile.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/lesson.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

static struct folder folder;
static struct arena *arena;
static struct tools tools;
static struct error err;
static struct text source;

static void set_up(void)
{
	struct sandbox_options options = {.temp_dir = folder.path};

	folder_make(&folder);
	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	tools = (struct tools){.cancel = -1};
	ck_assert_msg(toolchain_find(NULL, arena, &tools.toolchain, &err), "%s",
		err.message);
	options.tool_reads = tools.toolchain.reads;
	tools.sandbox = sandbox_create(&options, &err);
	ck_assert_msg(tools.sandbox != NULL, "%s", err.message);
}

/* Nothing may be left on the disk, whatever a tool was stopped at. */
static void tear_down(void)
{
	text_finish(&source);
	sandbox_destroy(tools.sandbox);
	ck_assert_uint_eq(folder_count(folder.path), 0);
	folder_remove(&folder);
	arena_destroy(arena);
}

/* A source of four parts, of which the second and the third are repeated; a
   right answer stands behind it. */
struct torture {
	const char *name;
	const char *head, *open, *close, *tail;
	int times;
	const char *says; /* the first sentence, from its start */
};

#define COMPILER "the compiler "
#define ASSEMBLER "the assembler "
#define CRASHED                                                                \
	COMPILER "crashed on this file: something in it is nested too deeply"
#define COMPILER_MEMORY COMPILER "used more memory than 1024 MiB for this file"
#define ASSEMBLER_MEMORY                                                       \
	ASSEMBLER "used more memory than 1024 MiB for this file"
#define ASSEMBLED "what the assembler makes of this file is larger than 32 MiB"
#define VARIABLES "the variables of this file take more than 64 MiB"
#define TALK COMPILER "had more than 1024 KiB to say about this file"
#define BOMB(name, levels)                                                     \
	"#define E(x) x x\n#define F(x) "                                      \
	"E(E(E(E(E(E(E(E(E(E(x))))))))))\n" name " = " levels ";\n"

static const struct torture tortures[] = {
	{"parentheses", "int x = 1 + ", "(", ")", ";\n", 100000, CRASHED},
	{"blocks", "void f(void) ", "{", ";}", "\n", 300000, CRASHED},
	{"operators", "int f(int a) { return ", "-~", "", "a; }\n", 400000,
		CRASHED},
	{"negations", "int f(int a) { return ", "!", "", "a; }\n", 900000,
		CRASHED},
	{"initialisers", "int x = ", "{", "}", ";\n", 200000, TALK},
	{"a macro of macros", BOMB("int a", "F(F(F(F(1))))"), "", "", "", 0,
		COMPILER_MEMORY},
	{"a string of macros",
		"#define S(x) #x\n#define T(x) S(x)\n"
		"#define E(x) x x x x x x x x x x x x x x x x\n"
		"const char *s = T(E(E(E(E(E(E(E(a))))))));\n",
		"", "", "", 0, COMPILER_MEMORY},
	{"an include of itself", "#include __FILE__\n", "", "", "", 0,
		"#include nested depth 200 exceeds"},
	{"two includes of itself", "#include __FILE__\n#include __FILE__\n", "",
		"", "", 0, "#include nested depth 200 exceeds"},
	{"an initialised GiB", "int a[1 << 28] = {1};\n", "", "", "", 0,
		ASSEMBLED},
	{"a late initialiser", "char a[1L << 33] = {[(1L << 33) - 1] = 1};\n",
		"", "", "", 0, ASSEMBLED},
	{"initialised rows",
		"int a[1 << 14][1 << 14] = {[0 ... (1 << 14) - 1] =\n"
		"\t{[0 ... (1 << 14) - 1] = 1}};\n",
		"", "", "", 0,
		"what the compiler makes of this file is larger "
		"than 64 MiB"},
	{"a TiB", "char a[1L << 40];\n", "", "", "", 0, VARIABLES},
	{"an EiB", "char a[1L << 60];\n", "", "", "", 0, VARIABLES},
	{"a common TiB", "__attribute__((common)) char a[1L << 40];\n", "", "",
		"", 0, VARIABLES},
	{"common 127 TiB", "asm(\".comm a, 0x7fffffffffff, 8\");\n", "", "", "",
		0, VARIABLES},
	{"common ones over the top",
		"asm(\".comm a, 0xffffffffffffff00, 8\\n"
		".comm b, 0xffffffffffffff00, 8\");\n",
		"", "", "", 0, VARIABLES},
	{"a thread's GiB",
		"__thread char t[1L << 30];\nchar *f(void) { return t; }\n", "",
		"", "", 0, VARIABLES},
	{"far .org in .bss", "asm(\".bss\\n.org 0x7fffffffff\\n.text\");\n", "",
		"", "", 0, VARIABLES},
	{".org", "asm(\".org 0x7fffffff\");\n", "", "", "", 0, ASSEMBLED},
	{".fill", "asm(\".fill 1000000000, 8, 1\");\n", "", "", "", 0,
		ASSEMBLED},
	{".skip", "asm(\".skip 0x7fffffffff\");\n", "", "", "", 0, ASSEMBLED},
	{".nops", "asm(\".nops 0x7fffffff\");\n", "", "", "", 0, ASSEMBLED},
	{".balign", "asm(\".p2align 31\\nnop\");\n", "", "", "", 0,
		ASSEMBLER_MEMORY},
	{".rept", "asm(\".rept 1000000000\\nnop\\n.endr\");\n", "", "", "", 0,
		ASSEMBLER_MEMORY},
	{".macro", "asm(\".macro m a\\n m \\\\a\\\\a\\n.endm\\nm x\");\n", "",
		"", "", 0, ASSEMBLER_MEMORY},
	{".macro of itself", "asm(\".macro m\\n m\\n m\\n.endm\\nm\");\n", "",
		"", "", 0, "macros nested too deeply"},
	{"sections",
		"asm(\".altmacro\\n.macro s n\\n.section s\\\\n,\\\"a\\\"\\n"
		".endm\\n.set i, 0\\n.rept 70000\\n s %i\\n.set i, i + 1\\n"
		".endr\\n.text\");\n",
		"", "", "", 0,
		"what the assembler makes of this file cannot be read"},
	{"a giant string", "#define A ", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" ",
		"",
		"\n#define B A A A A A A A A\n"
		"const char *s = B B B B B B B B B B B B B B B B;\n",
		10000, ASSEMBLED},
	{"a giant vector",
		"typedef int v __attribute__((vector_size(1 << 30)));\n"
		"v f(v a, v b) { return a * b; }\n",
		"", "", "", 0, COMPILER_MEMORY},
	{"a giant name", "int x = ", "aaaaaaaa", "", ";\n", 100000,
		"'aaaaaaaa"},
	{"a giant message", "#error ", "aaaaaaaa", "", "\n", 100000,
		"#error aaaaaaaa"},
	{"warnings without end", "", "#warning aaaaaaaaaaaaaaaaaaaaaaaaa\n", "",
		"", 20000, TALK},
	{"messages without end", "",
		"#pragma message \"aaaaaaaaaaaaaaaaaaaaaaaaa\"\n", "", "",
		18000, TALK},
	{"errors without end", "", "int a = b;\n", "", "", 80000,
		"'b' undeclared here"},
	{"names that are nowhere",
		"extern int u1(), u2(), u3(), u4();\nint f(void) { return ",
		"u1() + u2() + u3() + u4() + ", "", "0; }\n", 2000,
		"u1 is called or used, but it is defined nowhere"},
	{"an object out of reach",
		"extern char q[];\nasm(\".byte q\\n\");\nchar q[10];\n", "", "",
		"", 0,
		"relocation truncated to fit: R_X86_64_8 against symbol "
		"`q'"},
	{"a section that is no such",
		"asm(\".section "
		".group,\\\"\\\",@0x11\\n.long 1, 9999\\n.text\");\n",
		"", "", "", 0, "learner.o: file not recognized"},
};

/* These use up all their time, or nearly. */
static const struct torture slow[] = {
	{"pointers", "int ", "*", "", "p;\n", 500000,
		COMPILER "needed more than 10 s for this file"},
	{"a variable array", "int f(int n) { int a", "[n]", "",
		"; return sizeof(a); }\n", 20000,
		COMPILER "needed more than 10 s for this file"},
	{"nested .rept",
		"asm(\".rept 100000\\n.rept 100000\\n.rept 100000\\n.endr\\n"
		".endr\\n.endr\");\n",
		"", "", "", 0, ASSEMBLER "needed more than 10 s for this file"},
};

static void write_source(const struct torture *torture)
{
	text_puts(&source, torture->head);
	for (int i = 0; i < torture->times; i++)
		text_puts(&source, torture->open);
	if (torture->close[0])
		text_puts(&source, "1");
	for (int i = 0; i < torture->times; i++)
		text_puts(&source, torture->close);
	text_puts(&source, torture->tail);
	text_puts(&source, lesson_solution);
	ck_assert(!source.failed);
}

static struct build compile(void)
{
	struct build_request request = lesson_request(source.data);
	struct build build;

	ck_assert_msg(compile_program(&tools, &request, arena, &build, &err),
		"%s", err.message);
	return build;
}

static void check_torture(const struct torture *torture)
{
	struct build build;
	const char *first;

	write_source(torture);
	build = compile();
	ck_assert_msg(!build.ok, "%s: compiles", torture->name);
	ck_assert_int_eq(build.program.fd, -1);
	ck_assert_uint_gt(build.n_diagnostics, 0);
	ck_assert_int_eq(build.diagnostics[0].severity, SEVERITY_ERROR);
	first = build.diagnostics[0].message;
	ck_assert_msg(strncmp(first, torture->says, strlen(torture->says)) == 0,
		"%s: '%.200s', expected '%s'", torture->name, first,
		torture->says);
	ck_assert_uint_lt(strlen(first), 1300);
}

START_TEST(what_is_too_much_for_a_tool_is_said_in_plain_words)
{
	check_torture(&tortures[_i]);
}
END_TEST

START_TEST(what_takes_a_tool_too_long_is_stopped_and_said)
{
	const char *live = getenv("GRADER_LIVE");

	if (live && strcmp(live, "1") == 0)
		check_torture(&slow[_i]);
}
END_TEST

/* More than is kept, and less than a tool is stopped for. */
START_TEST(more_talk_than_is_kept_is_cut_and_no_fault)
{
	static const struct torture talk = {"talk", "",
		"#warning aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
		"", "", 1500, NULL};
	struct build build;

	write_source(&talk);
	build = compile();
	ck_assert(build.ok);
	ck_assert(build.diagnostics_cut);
	ck_assert_uint_gt(build.n_diagnostics, 0);
	for (size_t i = 0; i < build.n_diagnostics; i++)
		ck_assert_int_eq(
			build.diagnostics[i].severity, SEVERITY_WARNING);
	program_finish(&build.program);
}
END_TEST

/* After whatever happened to one build, the next is as good as ever. */
START_TEST(the_build_after_a_crash_is_not_touched_by_it)
{
	struct build build;

	check_torture(&tortures[0]);
	text_finish(&source);
	text_puts(&source, lesson_solution);
	build = compile();
	ck_assert(build.ok);
	ck_assert(!build.diagnostics_cut);
	ck_assert_uint_eq(build.n_diagnostics, 0);
	program_finish(&build.program);
}
END_TEST

Suite *compile_limits_suite(void)
{
	Suite *suite = suite_create("compile_limits");
	TCase *tcase = tcase_create("compile_limits");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase,
		what_is_too_much_for_a_tool_is_said_in_plain_words, 0,
		COUNT(tortures));
	tcase_add_loop_test(tcase,
		what_takes_a_tool_too_long_is_stopped_and_said, 0, COUNT(slow));
	tcase_add_test(tcase, more_talk_than_is_kept_is_cut_and_no_fault);
	tcase_add_test(tcase, the_build_after_a_crash_is_not_touched_by_it);
	suite_add_tcase(suite, tcase);
	return suite;
}
