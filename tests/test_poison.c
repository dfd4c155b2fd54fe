/* SPDX-License-Identifier: MIT */
#include "grader/engine/poison.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "tests/suites.h"

#include <string.h>

/* Line 1 declares one variable of each type, at columns that are easy. */
static const char source[] = "void f(void)\n"
			     "{\n"
			     "double x;\n"       /* 3, 8 */
			     "float y;\n"        /* 4, 7 */
			     "double *p;\n"      /* 5, 9 */
			     "int n;\n"          /* 6, 5 */
			     "double a[64];\n"   /* 7, 8 */
			     "float b[64];\n"    /* 8, 7 */
			     "char c[64];\n"     /* 9, 6 */
			     "double *q[64];\n"; /* 10, 9 */

#define CONSTANTS                                                              \
	".LC1:\n\t.long\t-16843010\n\t.long\t-16843010\n"                      \
	".LC2:\n\t.long\t-16843010\n"                                          \
	".LC3:\n\t.long\t0\n\t.long\t-16843010\n"                              \
	".LC4:\n\t.byte\t-2\n\t.byte\t-2\n\t.text\n"

static struct arena *arena;
static struct poison poison;
static struct text out;

static void set_up(void)
{
	struct error err;

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
	memset(&poison, 0, sizeof(poison));
	memset(&out, 0, sizeof(out));
}

static void tear_down(void)
{
	arena_destroy(arena);
	text_finish(&out);
}

static const char *rewrite(const char *place, const char *code)
{
	struct text assembly = {0};
	struct places places;
	struct error err;

	text_printf(&assembly,
		"\t.file 1 \"solve.c\"\n\t.file 2 \"solve.h\"\n\t.loc %s\n%s"
		"\t.loc 1 11 1\n" CONSTANTS,
		place, code);
	ck_assert(
		places_read(&places, source, sizeof(source) - 1, arena, &err));
	poison_locals(
		&poison, assembly.data, assembly.len, "solve.c", &places, &out);
	text_finish(&assembly);
	ck_assert(!out.failed);
	return out.data;
}

static const struct {
	const char *place;
	const char *code;
	const char *becomes;
} rows[] = {
	{"1 3 8", "\tmovsd\t.LC1(%rip), %xmm0\n",
		"\tmovsd\t.LGd1(%rip), %xmm0\n"},
	{"1 4 7", "\tmovss\t.LC2(%rip), %xmm0\n",
		"\tmovss\t.LGf1(%rip), %xmm0\n"},
	{"1 5 9",
		"\tmovabsq\t$-72340172838076674, %rax\n"
		"\tmovq\t%rax, -8(%rbp)\n",
		"\tmovabsq\t$120946295832576, %rax\n\tmovq\t%rax, -8(%rbp)\n"},
	{"1 6 5", "\tmovl\t$-16843010, -4(%rbp)\n",
		"\tmovl\t$-33553922, -4(%rbp)\n"},
	{"1 7 8", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemset\n",
		"\tmovl\t$1, %esi\n\tmovq\t%rax, %rdi\n"
		"\tcall\tgrader_poison\n"},
	{"1 8 7", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemset\n",
		"\tmovl\t$32769, %esi\n\tmovq\t%rax, %rdi\n"
		"\tcall\tgrader_poison\n"},
	{"1 10 9", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemset\n",
		"\tmovl\t$1, %esi\n\tmovq\t%rax, %rdi\n"
		"\tcall\tgrader_poison\n"},
	{"1 7 8",
		"\tmovdqa\t.LC4(%rip), %xmm0\n\tmovaps\t%xmm0, (%rax)\n"
		"\tmovq\t%xmm0, 16(%rax)\n\tnop\n",
		"\tmovdqa\t.LC4(%rip), %xmm0\n\tmovaps\t%xmm0, (%rax)\n"
		"\tmovq\t%xmm0, 16(%rax)\n\tmovq\t%rax, %rdi\n"
		"\tmovl\t$1, %esi\n\tmovl\t$24, %edx\n"
		"\tcall\tgrader_poison\n\tnop\n"},
};

START_TEST(what_gcc_sets_gets_the_number_of_its_site)
{
	const char *text = rewrite(rows[_i].place, rows[_i].code);

	ck_assert_msg(strstr(text, rows[_i].becomes), "%s", text);
	ck_assert_uint_eq(poison.n_sites, 1);
}
END_TEST

static const struct {
	const char *place;
	const char *code;
} kept[] = {
	/* Not where a name stands. */
	{"1 3 9", "\tmovsd\t.LC1(%rip), %xmm0\n"},
	{"1 99 8", "\tmovsd\t.LC1(%rip), %xmm0\n"},
	{"1 99999999999999999999 8", "\tmovsd\t.LC1(%rip), %xmm0\n"},
	{"1 3", "\tmovsd\t.LC1(%rip), %xmm0\n"},
	/* Another file. */
	{"2 3 8", "\tmovsd\t.LC1(%rip), %xmm0\n"},
	/* Another constant. */
	{"1 3 8", "\tmovsd\t.LC3(%rip), %xmm0\n"},
	{"1 3 8", "\tmovsd\t.LC9(%rip), %xmm0\n"},
	{"1 3 8", "\tmovsd\t.LC99999999999(%rip), %xmm0\n"},
	{"1 3 8", "\tmovsd\t.LC1\n"},
	/* A long double, and a struct. */
	{"1 3 8",
		"\tmovabsq\t$-72340172838076674, %rax\n"
		"\tmovabsq\t$-72340172838076674, %rdx\n"},
	{"1 3 8",
		"\tmovabsq\t$-72340172838076674, %rax\n"
		"\tmovq\t%rax, (%rbx\n"},
	/* Of characters. */
	{"1 9 6", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemset\n"},
	/* Another call. */
	{"1 7 8", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n\tcall\tmemcpy\n"},
	{"1 7 8", "\tmovl\t$254, %esi\n"},
	{"1 7 8", "\tmovl\t$254, %esi\n\tmovq\t%rax, %rdi\n"},
};

START_TEST(what_is_not_as_gcc_writes_it_stays)
{
	ck_assert_ptr_nonnull(
		strstr(rewrite(kept[_i].place, kept[_i].code), kept[_i].code));
}
END_TEST

START_TEST(a_value_tells_its_site_and_element)
{
	int64_t element;

	ck_assert_uint_eq(
		poison_site_of_double(0x7ff0050400000007u, &element), 5);
	ck_assert_int_eq(element, 7);
	ck_assert_uint_eq(
		poison_site_of_double(0xfff80504ffffffffu, &element), 5);
	ck_assert_int_eq(element, -1);
	ck_assert_uint_eq(poison_site_of_float(0x7f810005u), 5);
	ck_assert_uint_eq(poison_site_of_float(0xffc10005u), 5);
	ck_assert_uint_eq(poison_site_of_address(0x6e0005000010u), 5);
	ck_assert_uint_eq(poison_site_of_address(0x6e0004fffff0u), 5);
	ck_assert_uint_eq(
		poison_site_of_number((int32_t)(0xfe0000feu | 5u << 8)), 5);
	ck_assert_uint_eq(poison_site_of_number(0x6e0005000000), 5);
}
END_TEST

START_TEST(another_value_tells_none)
{
	static const uint64_t bits[] = {0, 0x7ff8000000000000u,
		0xfff8000000000000u, 0x7ff0000000000000u, 0x3ff0000000000000u,
		0x7ff0000112345678u, 0xffffffffffffffffu, 0xfefefefefefefefeu};
	static const int64_t numbers[] = {
		0, -1, 64, INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX};
	int64_t element;

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		ck_assert_uint_eq(poison_site_of_double(bits[i], &element), 0);
		ck_assert_uint_eq(poison_site_of_float((uint32_t)bits[i]), 0);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		ck_assert_uint_eq(poison_site_of_number(numbers[i]), 0);
	ck_assert_uint_eq(poison_site_of_address(0), 0);
	ck_assert_uint_eq(poison_site_of_address(0x7fffffffe000), 0);
	ck_assert_uint_eq(poison_site_of_address(UINT64_MAX), 0);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

Suite *poison_suite(void)
{
	Suite *suite = suite_create("poison");
	TCase *tcase = tcase_create("poison");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, what_gcc_sets_gets_the_number_of_its_site, 0,
		COUNT(rows));
	tcase_add_loop_test(
		tcase, what_is_not_as_gcc_writes_it_stays, 0, COUNT(kept));
	tcase_add_test(tcase, a_value_tells_its_site_and_element);
	tcase_add_test(tcase, another_value_tells_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
