/* SPDX-License-Identifier: MIT */
#include "grader/engine/declaration.h"

#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

static struct declaration *a, *b;

static void set_up(void)
{
	a = calloc(1, sizeof(*a));
	b = calloc(1, sizeof(*b));
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
}

static void tear_down(void)
{
	free(a);
	free(b);
}

enum relation { SAME, OTHER, UNSURE };

static const struct {
	const char *a, *b;
	enum relation relation;
} rows[] = {
	{"const double Q[Tq][d]", "const double queries[n][m]", SAME},
	{"const double Q[Tq][d]", "const double (*Q)[d]", SAME},
	{"const double Q[Tq][d]", "double const Q[][d]", SAME},
	{"const double Q[Tq][d]", "const double Q[64][64]", SAME},
	{"const double Q[Tq][d]", "const double (*restrict Q)[d]", SAME},
	{"const double Q[Tq][d]", "const double Q[static Tq][d]", SAME},
	{"const double Q[Tq][d]", "const double [*][*]", SAME},
	{"size_t n", "const size_t n", SAME},
	{"size_t n", "unsigned long int n", SAME},
	{"size_t n", "long unsigned n", SAME},
	{"bool causal", "_Bool flag", SAME},
	{"const double *Q", "const double Q[]", SAME},
	{"int n", "register signed n", SAME},
	{"const double Q[Tq][d]", "double Q[Tq][d]", OTHER},
	{"const double Q[Tq][d]", "const float Q[Tq][d]", OTHER},
	{"const double Q[Tq][d]", "const double *Q", OTHER},
	{"const double Q[Tq][d]", "const double **Q", OTHER},
	{"const double Q[Tq][d]", "const double *Q[d]", OTHER},
	{"const double Q[Tq][d]", "const double Q[Tq][d][1]", OTHER},
	{"const double Q[2][3]", "const double Q[2][4]", OTHER},
	{"double output[n]", "const double output[n]", OTHER},
	{"size_t n", "int n", OTHER},
	{"size_t n", "unsigned n", OTHER},
	{"bool causal", "int causal", OTHER},
	{"double x", "long double x", OTHER},
	{"double x", "real x", UNSURE},
	{"double x", "double (*x)(int)", UNSURE},
	{"double x", "struct point x", UNSURE},
	{"double x", "x", UNSURE},
	{"double x", "", UNSURE},
	{"double x", "int int x", UNSURE},
};

START_TEST(types_are_compared_as_c_does)
{
	enum relation relation = UNSURE;
	const struct ctype *left, *right;

	declaration_read_parameter(rows[_i].a, a);
	declaration_read_parameter(rows[_i].b, b);
	left = &a->parameters[0].type;
	right = &b->parameters[0].type;
	ck_assert(left->sure);
	if (right->sure)
		relation = ctype_equal(left, right) ? SAME : OTHER;
	ck_assert_msg(relation == rows[_i].relation, "%s and %s", rows[_i].a,
		rows[_i].b);
}
END_TEST

static bool find(const char *source)
{
	return declaration_find(source, strlen(source), "solve", a);
}

START_TEST(the_definition_is_found_and_not_what_calls_it)
{
	ck_assert(find("#include <math.h>\n"
		       "double solve(int a);\n"
		       "static void helper(void) { solve(1); }\n"
		       "int table[] = {1, 2};\n"
		       "double\n"
		       "solve(int a, int b)\n"
		       "{ int solve = 3; return solve; }\n"));
	ck_assert(a->is_function);
	ck_assert(a->has_body);
	ck_assert(a->sure);
	ck_assert_int_eq(a->line, 6);
	ck_assert_uint_eq(a->n_parameters, 2);
	ck_assert_str_eq(a->returns.base, "double");
	ck_assert(token_is(&a->parameters[1].tokens[1], "b"));
}
END_TEST

START_TEST(a_declaration_will_do_where_there_is_no_definition)
{
	ck_assert(find("void solve(void);"));
	ck_assert(a->is_function);
	ck_assert(!a->has_body);
	ck_assert_uint_eq(a->n_parameters, 0);
}
END_TEST

START_TEST(a_variable_is_no_function)
{
	ck_assert(find("double solve = 3;"));
	ck_assert(!a->is_function);
	ck_assert(find("double solve[3] = {1};"));
	ck_assert(!a->is_function);
	ck_assert(find("double (*solve)(int);"));
	ck_assert(!a->is_function);
}
END_TEST

START_TEST(two_definitions_are_none_that_we_could_be_sure_of)
{
	ck_assert(!find("#if 1\nvoid solve(int a) {}\n#else\n"
			"void solve(long a) {}\n#endif\n"));
	ck_assert(!find("int x = solve(3);"));
	ck_assert(!find("int resolve(int a) { return 0; }"));
	ck_assert(!find(""));
}
END_TEST

START_TEST(how_many_parameters_is_not_known_where_they_vary)
{
	ck_assert(find("void solve(int a, ...) {}"));
	ck_assert(!a->sure);
	ck_assert(find("void solve(int a"));
	ck_assert(!a->sure);
}
END_TEST

START_TEST(any_bytes_end_and_stay_within_their_bounds)
{
	static const char *const pieces[] = {"solve", "(", ")", "{", "}", "[",
		"]", ",", ";", "int ", "const ", "*", "=", "...", "double ",
		"3", "\n", "\"", "#", " x", "/*"};
	unsigned int state = 3;

	for (int round = 0; round < 3000; round++) {
		char source[400] = "";

		for (int i = 0; i < 60; i++) {
			state = state * 1103515245U + 12345U;
			strcat(source,
				pieces[(state >> 8) %
					(sizeof(pieces) / sizeof(*pieces))]);
		}
		find(source);
		declaration_read_parameter(source, b);
	}
}
END_TEST

Suite *declaration_suite(void)
{
	Suite *suite = suite_create("declaration");
	TCase *tcase = tcase_create("declaration");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, types_are_compared_as_c_does, 0,
		sizeof(rows) / sizeof(*rows));
	tcase_add_test(tcase, the_definition_is_found_and_not_what_calls_it);
	tcase_add_test(
		tcase, a_declaration_will_do_where_there_is_no_definition);
	tcase_add_test(tcase, a_variable_is_no_function);
	tcase_add_test(
		tcase, two_definitions_are_none_that_we_could_be_sure_of);
	tcase_add_test(tcase, how_many_parameters_is_not_known_where_they_vary);
	tcase_add_test(tcase, any_bytes_end_and_stay_within_their_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}
