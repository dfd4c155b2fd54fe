/* SPDX-License-Identifier: MIT */
#include "grader/engine/names.h"
#include "tests/suites.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

#define X63 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

#define KEYWORD "is a keyword of C"
#define TAKEN "is taken by C's headers or its compiler"
#define LIBC "is a function of the C library"
#define OURS "starts like one of the grader's own functions"
#define ADDED "is a parameter that the grader adds itself"
#define NO_WORD "is no name of C (letters, digits and _)"
#define NO_LABEL "is no name here (a-z, 0-9, and single hyphens between)"

static const struct {
	const char *(*problem_of)(const char *);
	const char *name;
	const char *problem;
} rows[] = {
	{name_problem_of_function, "solve", NULL},
	{name_problem_of_function, "causal_mask", NULL},
	{name_problem_of_function, "Solve2", NULL},
	{name_problem_of_function, X63, NULL},
	{name_problem_of_function, X63 "x", "has more than 63 characters"},
	{name_problem_of_function, "", "is empty"},
	{name_problem_of_function, "2x",
		"starts with a digit, expected a name "
		"of C"},
	{name_problem_of_function, "a-b", NO_WORD},
	{name_problem_of_function, "a b", NO_WORD},
	{name_problem_of_function, "f(", NO_WORD},
	{name_problem_of_function, "\xc3\xa4", NO_WORD},
	{name_problem_of_function, "_x",
		"starts with _, which C keeps for itself"},
	{name_problem_of_function, "while", KEYWORD},
	{name_problem_of_function, "asm", KEYWORD},
	{name_problem_of_function, "bool", KEYWORD},
	{name_problem_of_function, "size_t", TAKEN},
	{name_problem_of_function, "linux", TAKEN},
	{name_problem_of_function, "main", LIBC},
	{name_problem_of_function, "exp", LIBC},
	{name_problem_of_function, "malloc", LIBC},
	{name_problem_of_function, "reference_solve", OURS},
	{name_problem_of_function, "grader_run", OURS},
	{name_problem_of_parameter, "Q", NULL},
	{name_problem_of_parameter, "d_v", NULL},
	{name_problem_of_parameter, "exp", LIBC},
	{name_problem_of_parameter, "i", NULL},
	{name_problem_of_parameter, "I", TAKEN},
	{name_problem_of_parameter, "errno", TAKEN},
	{name_problem_of_parameter, "double", KEYWORD},
	{name_problem_of_parameter, "seed", ADDED},
	{name_problem_of_parameter, "argument", ADDED},
	{name_problem_of_parameter, "result", ADDED},
	{name_problem_of_parameter, "output_tolerance", ADDED},
	{name_problem_of_parameter, "tolerance", NULL},
	{name_problem_of_parameter, "text", ADDED},
	{name_problem_of_parameter, "expected_output", ADDED},
	{name_problem_of_parameter, "expected", NULL},
	{name_problem_of_generator, "gentle", NULL},
	{name_problem_of_generator, "deep_4", NULL},
	{name_problem_of_generator, "deep-4", NO_WORD},
	{name_problem_of_label, "masked-attention", NULL},
	{name_problem_of_label, "cross-3x7", NULL},
	{name_problem_of_label, "64", NULL},
	{name_problem_of_label, "", "is empty"},
	{name_problem_of_label, "A", NO_LABEL},
	{name_problem_of_label, "-a", NO_LABEL},
	{name_problem_of_label, "a--b", NO_LABEL},
	{name_problem_of_label, "../a", NO_LABEL},
	{name_problem_of_label, "a/b", NO_LABEL},
	{name_problem_of_label, "a_b", NO_LABEL},
	{name_problem_of_label, "a-", "ends with a hyphen"},
	{name_problem_of_label, X63 "x", "has more than 63 characters"},
};

START_TEST(a_name_is_taken_or_its_problem_is_said)
{
	const char *problem = rows[_i].problem_of(rows[_i].name);

	if (rows[_i].problem)
		ck_assert_pstr_eq(problem, rows[_i].problem);
	else
		ck_assert_msg(!problem, "'%s' %s", rows[_i].name, problem);
}
END_TEST

Suite *names_suite(void)
{
	Suite *suite = suite_create("names");
	TCase *tcase = tcase_create("names");

	tcase_add_loop_test(
		tcase, a_name_is_taken_or_its_problem_is_said, 0, COUNT(rows));
	suite_add_tcase(suite, tcase);
	return suite;
}
