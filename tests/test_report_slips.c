/* SPDX-License-Identifier: MIT */
#include "grader/report/slips.h"

#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/sample.h"

#include <string.h>

/* solve(size_t Tq, size_t d, const double Q[Tq][d], const bool *mask,
   double output[Tq][d]), 5 rows of 3. */
static const struct {
	struct slip slip;
	const char *says;
} rows[] = {
	{{.kind = SLIP_ACCESS,
		 .parameter = SAMPLE_Q,
		 .element_known = true,
		 .access = {.known = true,
			 .parameter = SAMPLE_Q,
			 .element = 15}},
		"read Q[15]: Q has 15 elements (5 rows of 3)"},
	{{.kind = SLIP_ACCESS,
		 .parameter = SAMPLE_Q,
		 .access = {.known = true, .parameter = SAMPLE_Q}},
		"read memory in front of Q[0]"},
	{{.kind = SLIP_INDEX,
		 .name = "scores",
		 .element = 64,
		 .size = 64,
		 .parameter = PLACES_NONE},
		"used scores[64]: scores has 64 elements"},
	{{.kind = SLIP_INDEX,
		 .name = "Q",
		 .axis = 1,
		 .element = 3,
		 .size = 3,
		 .parameter = SAMPLE_Q},
		"used Q[..][3]: a row of Q has 3 elements"},
	{{.kind = SLIP_INDEX,
		 .name = "e",
		 .element = 4,
		 .bound = "e[n - 1]",
		 .name_line = 12},
		"used e[4]: it is declared as e[n - 1] in line 12"},
	{{.kind = SLIP_INDEX, .name = "e", .element = 4},
		"used e[4]: that is past the end of e"},
	{{.kind = SLIP_INDEX, .name = "e", .element = -1, .size = 4},
		"used e[-1]: the first index is 0"},
	{{.kind = SLIP_INDEX, .element = 4, .size = 1},
		"used index 4 of an array that has 1 element"},
	{{.kind = SLIP_INDEX, .element = 4},
		"used index 4 of an array, which is past its end"},
	{{.kind = SLIP_INDEX, .element = -2},
		"used index -2 of an array: the first one is 0"},
	{{.kind = SLIP_INDEX, .name = "k", .index_unset = true},
		"used k as an index before it was set"},
	{{.kind = SLIP_UNSET, .name = "sum", .parameter = PLACES_NONE},
		"sum was used before it was set"},
	{{.kind = SLIP_UNSET,
		 .name = "w",
		 .element = 3,
		 .element_known = true,
		 .parameter = PLACES_NONE},
		"w[3] was used before it was set"},
	{{.kind = SLIP_UNSET, .parameter = PLACES_NONE},
		"a variable was used before it was set"},
	{{.kind = SLIP_UNSET,
		 .memory = MEMORY_OUTPUT,
		 .parameter = SAMPLE_OUTPUT,
		 .element = 3,
		 .element_known = true,
		 .adds = true},
		"output[1][0] was added to before it was set"},
	{{.kind = SLIP_UNSET,
		 .memory = MEMORY_OUTPUT,
		 .parameter = SAMPLE_OUTPUT},
		"output was used before it was set"},
	{{.kind = SLIP_UNSET,
		 .memory = MEMORY_OUTPUT,
		 .parameter = PLACES_NONE},
		"an output was used before it was set"},
	{{.kind = SLIP_UNSET,
		 .memory = MEMORY_BLOCK,
		 .name = "w",
		 .unit_bytes = 8,
		 .element = 2,
		 .element_known = true,
		 .parameter = PLACES_NONE},
		"w[2] was used before it was set: malloc sets nothing"},
	{{.kind = SLIP_UNSET, .memory = MEMORY_BLOCK, .parameter = PLACES_NONE},
		"memory from malloc was used before it was set: malloc sets "
		"nothing"},
	{{.kind = SLIP_UNSET, .memory = MEMORY_OTHER, .parameter = PLACES_NONE},
		"memory was used before it was set"},
	{{.kind = SLIP_BLOCK,
		 .name = "w",
		 .unit_bytes = 8,
		 .element = 5,
		 .size = 5,
		 .write = true,
		 .name_line = 21},
		"wrote w[5]: it has 5 elements (asked for in line 21)"},
	{{.kind = SLIP_BLOCK, .unit_bytes = 1, .element = 40, .size = 40},
		"read byte 40 of a block from malloc: it has 40 bytes"},
	{{.kind = SLIP_BLOCK,
		 .name = "w",
		 .unit_bytes = 8,
		 .element = -1,
		 .late = true,
		 .write = true},
		"wrote w[-1]: that is in front of it, which showed when it "
		"was freed"},
	{{.kind = SLIP_FREED,
		 .name = "w",
		 .unit_bytes = 8,
		 .element = 0,
		 .freed_line = 30},
		"read w[0] after it was freed (in line 30)"},
	{{.kind = SLIP_FREE,
		 .free = FREE_TWICE,
		 .name = "w",
		 .freed_line = 30,
		 .parameter = PLACES_NONE},
		"freed w twice (first in line 30)"},
	{{.kind = SLIP_FREE, .free = FREE_TWICE, .parameter = PLACES_NONE},
		"freed the same block twice"},
	{{.kind = SLIP_FREE, .free = FREE_PARAMETER, .parameter = SAMPLE_Q},
		"freed Q, which is not yours to free: malloc did not give it"},
	{{.kind = SLIP_FREE, .free = FREE_FOREIGN, .parameter = PLACES_NONE},
		"freed what malloc did not give"},
	{{.kind = SLIP_DIVISION, .left = 100},
		"divided 100 by zero (whole numbers, / or %)"},
	{{.kind = SLIP_DIVISION, .left = INT32_MIN, .right = -1},
		"divided the lowest whole number by -1, which no number of its "
		"type can hold"},
	{{.kind = SLIP_POINTER, .name = "p", .parameter = PLACES_NONE},
		"used the pointer p before it was set"},
	{{.kind = SLIP_POINTER,
		 .name = "p",
		 .element_known = true,
		 .parameter = PLACES_NONE},
		"used a pointer of p before it was set"},
	{{.kind = SLIP_POINTER, .parameter = PLACES_NONE},
		"used a pointer before it was set"},
	{{.kind = SLIP_POINTER,
		 .pointer = POINTER_NULL,
		 .write = true,
		 .parameter = PLACES_NONE},
		"wrote through a NULL pointer"},
	{{.kind = SLIP_POINTER,
		 .pointer = POINTER_MISALIGNED,
		 .parameter = SAMPLE_Q},
		"used Q with a type that can only start at every 16th byte"},
	{{.kind = SLIP_FRAME, .name = "w"},
		"wrote past the end of the local array w, which showed when "
		"the function returned"},
	{{.kind = SLIP_FRAME},
		"wrote past the end of a local array, which showed when the "
		"function returned"},
	{{.kind = SLIP_UNWRITTEN,
		 .parameter = SAMPLE_OUTPUT,
		 .element = 4,
		 .n_elements = 1,
		 .size = 15},
		"output[1][1] was never written"},
	{{.kind = SLIP_UNWRITTEN,
		 .parameter = SAMPLE_OUTPUT,
		 .element = 4,
		 .n_elements = 5,
		 .size = 15},
		"output[1][1] was never written, nor were 4 more of its 15 "
		"elements"},
	{{.kind = SLIP_KEPT, .name = "sum"},
		"the answer changes when the function is called again: sum "
		"keeps its value from call to call"},
};

START_TEST(a_slip_is_said_with_what_is_known_of_it)
{
	struct text out = {0};
	struct sample sample;

	sample_init(&sample);
	slips_put_sentence(&out, &sample.grade, &rows[_i].slip);
	ck_assert_str_eq(out.data, rows[_i].says);
	text_finish(&out);
}
END_TEST

Suite *report_slips_suite(void)
{
	Suite *suite = suite_create("report_slips");
	TCase *tcase = tcase_create("report_slips");

	tcase_add_loop_test(tcase, a_slip_is_said_with_what_is_known_of_it, 0,
		(int)(sizeof(rows) / sizeof(*rows)));
	suite_add_tcase(suite, tcase);
	return suite;
}
