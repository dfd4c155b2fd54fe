/* SPDX-License-Identifier: MIT */

/*
 * What explain.c of attention says of the wrong submissions: the numbers in its
 * sentences are those that each program really computes with.
 */

#include "tests/suites.h"
#include "tests/support/command.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A file of tests/submissions/wrong/ and its explanation.  Where nothing but
   digits is lost, and where the numbers fit nothing, there is none. */
static const struct {
	const char *name;
	const char *says;
} rows[] = {
	{"exp_argmax",
		"Row 0 of your output is value row 2 alone, and no mix; "
		"so are the others."},
	{"exp_base_2",
		"Your weights are those of dot products divided by "
		"3.226; sqrt(d) is 2.236."},
	{"exp_clipped",
		"All scores of query 0 are below -745, and exp() of such "
		"a number is 0."},
	{"exp_float", NULL},
	{"exp_long_double",
		"A score of query 0 is 20001.7, and exp() of a number "
		"above 709.78 is infinite."},
	{"exp_negated",
		"The higher a score is, the lower is its weight in your "
		"output."},
	{"exp_none",
		"Your weights grow like the dot products themselves, not "
		"like exp of them."},
	{"mask_adds_minus_1e9",
		"Blocked keys have a weight in your output: that of "
		"their score with -1000000000 added."},
	{"mask_after_softmax", "The weights of row 0 sum to 0.0295."},
	{"mask_always",
		"Value row 1 has no share in row 0 of your output, and "
		"query 0 may use key 1."},
	{"mask_bottom_right",
		"Row 0 of your output has a share of value row 1, a "
		"later key that query 0 may not use."},
	{"mask_future_only",
		"Row 0 of your output changed when only token 4 changed, "
		"which comes later."},
	{"mask_ignored",
		"Row 0 of your output has a share of value row 1, a "
		"later key that query 0 may not use."},
	{"mask_inverted",
		"Value row 1 has no share in row 0 of your output, and "
		"query 0 may use key 1."},
	{"mask_minus_1e4",
		"Blocked keys get the score -10000 in your output, and "
		"with it a weight."},
	{"mask_minus_1e9",
		"Blocked keys get the score -1000000000 in your output, "
		"and with it a weight."},
	{"mask_one_too_many",
		"Row 0 of your output has a share of value row 1, a "
		"later key that query 0 may not use."},
	{"mask_renormalised", NULL},
	{"mask_score_zero",
		"Blocked keys get the score 0 in your output, and with "
		"it a weight."},
	{"mask_self_blocked",
		"Value row 1 has no share in row 1 of your output, and "
		"query 1 may use key 1."},
	{"mask_smallest_double",
		"Blocked keys get the score 0 in your output, and with "
		"it a weight."},
	{"mix_adds_query",
		"Query 0 may use key 0 alone, so row 0 of the output has "
		"to be value row 0: -0.420207 1.46959 0.814763.  Yours "
		"is -2.01236 1.49901 1.35441."},
	{"mix_adds_value",
		"output[0][0] is 16.6976, but the values that it is an "
		"average of go from 0 to 10."},
	{"mix_assigns", "Only value row 5 has a share in your output."},
	{"mix_float", NULL},
	{"mix_int",
		"Query 0 may use key 0 alone, so row 0 of the output has "
		"to be value row 0: -0.420207 1.46959 0.814763.  Yours "
		"is 0 1 0."},
	{"mix_maximum",
		"All scores of query 0 are equal, so its row of the "
		"output has to be the plain average of 2 value rows: 4.  "
		"Yours is 3."},
	{"mix_mean",
		"All keys have the same weight in your output, 0.167, "
		"whatever their scores are."},
	{"mix_misses_column", NULL},
	{"mix_rounded", NULL},
	{"mix_skips_last",
		"Value row 5 has no share in row 0 of your output, and "
		"query 0 may use key 5.\nThe weights of row 0 sum to "
		"0.78."},
	{"mix_value_stride",
		"output[2][4] is -2.359, but the values that it is an "
		"average of go from -1.85242 to 3.20755."},
	{"mix_value_transposed",
		"Row 1 of your output changed when only token 4 changed, "
		"which comes later."},
	{"mix_weight_of_query",
		"output[1][0] is -1.97266, but the values that it is an "
		"average of go from -1.30029 to -1.14092."},
	{"mix_weights_transposed",
		"Row 0 of your output changed when only token 4 changed, "
		"which comes later."},
	{"online_divides_each_step",
		"output[2][0] is -1.09833, but the values that it is an "
		"average of go from -1.43709 to -1.14092."},
	{"online_mix_no_rescale",
		"output[0][1] is -3.54434, but the values that it is an "
		"average of go from -2.27369 to 2.38132."},
	{"output_stride",
		"Row 2 of your output changed when only token 4 changed, "
		"which comes later."},
	{"output_transposed",
		"Row 0 of your output changed when only token 4 changed, "
		"which comes later."},
	{"scale_after_softmax",
		"The weights of row 0 sum to 0.447.\nYour weights are "
		"those of dot products that are not divided by anything; "
		"sqrt(d) is 2.236."},
	{"scale_by_d",
		"Your weights are those of dot products divided by 5, "
		"which is d here; sqrt(d) is 2.236."},
	{"scale_by_tokens",
		"Your weights are those of dot products divided by "
		"2.449, which is sqrt(Tk) here; sqrt(d) is 2.236."},
	{"scale_by_value_width",
		"Your weights are those of dot products divided by "
		"2.646, which is sqrt(d_v) here; sqrt(d) is 2.236."},
	{"scale_float_root", NULL},
	{"scale_int_division",
		"All keys have the same weight in your output, 0.167, "
		"whatever their scores are."},
	{"scale_int_root",
		"Your weights are those of dot products divided by 2; "
		"sqrt(d) is 2.236."},
	{"scale_none",
		"Your weights are those of dot products that are not "
		"divided by anything; sqrt(d) is 2.236."},
	{"scale_times_root",
		"Your weights are those of dot products multiplied by "
		"2.236, which is sqrt(d) here; sqrt(d) is 2.236."},
	{"scale_twice", "The weights of row 0 sum to 0.447."},
	{"score_absolute", NULL},
	{"score_cosine", NULL},
	{"score_float", NULL},
	{"score_key_of_query",
		"All keys have the same weight in your output, 0.167, "
		"whatever their scores are."},
	{"score_key_transposed",
		"Row 1 of your output changed when only token 4 changed, "
		"which comes later."},
	{"shift_absolute",
		"All scores of query 0 are below -745, and exp() of such "
		"a number is 0."},
	{"shift_first",
		"A score of query 0 is 2000.5, and exp() of a number "
		"above 709.78 is infinite."},
	{"shift_from_zero",
		"All scores of query 0 are below -745, and exp() of such "
		"a number is 0."},
	{"shift_mean",
		"A score of query 0 is 2000.5, and exp() of a number "
		"above 709.78 is infinite."},
	{"shift_minimum",
		"A score of query 0 is 2000.5, and exp() of a number "
		"above 709.78 is infinite."},
	{"shift_none",
		"A score of query 0 is 2001.13, and exp() of a number "
		"above 709.78 is infinite."},
	{"sizes_query_count",
		"Value row 3 has no share in row 0 of your output, and "
		"query 0 may use key 3."},
	{"sum_by_count", "The weights of row 0 sum to 0.511."},
	{"sum_epsilon", NULL},
	{"sum_logarithm",
		"output[0][0] is -4.00834, but the values that it is an "
		"average of go from 0 to 10."},
	{"sum_misses_last", "The weights of row 0 sum to 1.28."},
	{"sum_none", "The weights of row 0 sum to 3.06."},
	{"sum_not_reset", "The weights of row 1 sum to 0.431."},
	{"sum_of_scores", "The weights of row 0 sum to -0.303."},
	{"sum_of_squares", "The weights of row 0 sum to 2.1."},
	{"sum_over_queries",
		"The weights in your output sum to 1 for each key, over "
		"all queries.  They should for each query, over its keys."},
	{"sum_starts_at_1", "The weights of row 0 sum to 0.754."},
	{"sum_twice", "The weights of row 0 sum to 0.326."},
	{"sum_whole_matrix", "The weights of row 0 sum to 0.413."},
};

START_TEST(a_wrong_submission_is_explained_by_what_it_computes)
{
	char file[256];
	const char *const argv[] = {command_grader(), "grade", "attention",
		file, "--report", "json", NULL};
	const char *says = rows[_i].says;
	const cJSON *explanation;
	struct command json;
	cJSON *report;

	snprintf(file, sizeof(file), "tests/submissions/wrong/%s.c",
		rows[_i].name);
	json = command_run(argv, NULL, NULL);
	report = cJSON_ParseWithLength(json.out, json.out_len);
	ck_assert_msg(report != NULL, "%s: %s%s", file, json.out, json.errors);
	explanation = cJSON_GetObjectItemCaseSensitive(report, "explanation");
	if (!says)
		ck_assert_msg(!explanation, "%s: %s", file,
			cJSON_GetStringValue(explanation));
	else
		ck_assert_msg(cJSON_IsString(explanation) &&
				strcmp(explanation->valuestring, says) == 0,
			"%s: %s", file,
			explanation ? explanation->valuestring : "nothing");
	cJSON_Delete(report);
	command_finish(&json);
}
END_TEST

/* Submissions whose smallest cases have many keys, or large scores. */
static const char *const worked[] = {"scale_by_d", "sizes_buffer_16",
	"shift_minimum", "mask_minus_1e9", "exp_long_double"};

START_TEST(a_case_is_worked_step_by_step_in_lines_of_78_columns)
{
	char file[256];
	const char *const argv[] = {
		command_grader(), "explain", "attention", file, NULL};
	struct command text;
	const char *line, *end;

	snprintf(
		file, sizeof(file), "tests/submissions/wrong/%s.c", worked[_i]);
	text = command_run(argv, NULL, NULL);
	ck_assert_int_eq(text.status, 1);
	line = strstr(text.out, "Step by step:");
	ck_assert_msg(line != NULL, "%s", text.out);
	ck_assert_ptr_nonnull(strstr(line, "dot product"));
	ck_assert_ptr_nonnull(strstr(line, "weight, / sum"));
	ck_assert_ptr_nonnull(strstr(line, "<- wrong"));
	end = strstr(line, "grader explain");
	ck_assert_ptr_nonnull(end);
	/* The steps are indented by 2, and the last line is a command. */
	for (; line + strcspn(line, "\n") < end;
		line += strcspn(line, "\n") + 1)
		ck_assert_msg(strcspn(line, "\n") <= 80, "%s", line);
	command_finish(&text);
}
END_TEST

Suite *explain_attention_suite(void)
{
	Suite *suite = suite_create("explain_attention");
	TCase *tcase = tcase_create("explain_attention");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase,
		a_wrong_submission_is_explained_by_what_it_computes, 0,
		COUNT(rows));
	tcase_add_loop_test(tcase,
		a_case_is_worked_step_by_step_in_lines_of_78_columns, 0,
		COUNT(worked));
	suite_add_tcase(suite, tcase);
	return suite;
}
