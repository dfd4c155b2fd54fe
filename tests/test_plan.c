/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/fill.h"
#include "grader/engine/plan.h"
#include "tests/suites.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* void f(size_t n, const double x[n], bool flag, double y[n]) */
static const struct parameter parameters[] = {
	{.name = "n", .type = TYPE_SIZE},
	{.name = "x", .type = TYPE_DOUBLE, .is_array = true},
	{.name = "flag", .type = TYPE_BOOL},
	{.name = "y", .type = TYPE_DOUBLE, .is_array = true, .output = true},
};
static const struct function function = {
	.name = "f", .parameters = parameters, .n_parameters = 4};

static double small_x[3] = {1, 2, 3};
static double big_x[2000];

static struct value small[4] = {{.number = 3},
	{.data = small_x, .count = 3, .shape = {3}, .n_axes = 1}, {.number = 1},
	{.count = 3, .shape = {3}, .n_axes = 1}};
static struct value big[4] = {{.number = 2000},
	{.data = big_x, .count = 2000, .shape = {2000}, .n_axes = 1},
	{.number = 0}, {.count = 2000, .shape = {2000}, .n_axes = 1}};

static const struct call calls[] = {
	{.function = &function, .arguments = small, .repeat = 1},
	{.function = &function, .arguments = big, .repeat = 3},
	{.function = &function, .arguments = small, .repeat = 1},
};

static struct arena *arena;
static struct plan_layout plan;

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_msg(plan_create(calls, 3, 0x12345678, arena, &plan, &err),
		"%s", err.message);
}

static void tear_down(void)
{
	plan_finish(&plan);
	arena_destroy(arena);
}

START_TEST(the_plan_that_the_child_reads_is_ours)
{
	struct plan header;
	struct plan_argument first[5];
	double x[3];

	ck_assert_int_eq(pread(plan.plan_fd, &header, sizeof(header), 0),
		sizeof(header));
	ck_assert_uint_eq(header.magic, PLAN_MAGIC);
	ck_assert_uint_eq(header.n_calls, 5);
	ck_assert_uint_eq(header.nonce, 0x12345678);
	ck_assert_int_eq(lseek(plan.plan_fd, 0, SEEK_END), (off_t)header.bytes);
	ck_assert_int_eq(lseek(plan.outputs_fd, 0, SEEK_END),
		(off_t)header.outputs_bytes);
	ck_assert_int_eq(pread(plan.plan_fd, first, sizeof(first),
				 (off_t)header.arguments_at),
		sizeof(first));
	ck_assert_int_eq(first[0].kind, ARGUMENT_SCALAR);
	ck_assert_uint_eq(first[0].value, 3);
	ck_assert_int_eq(first[1].kind, ARGUMENT_INPUT);
	ck_assert_int_eq(first[2].kind, ARGUMENT_SCALAR);
	ck_assert_uint_eq(first[2].value, 1);
	ck_assert_int_eq(first[3].kind, ARGUMENT_OUTPUT);
	ck_assert_int_eq(first[4].kind, ARGUMENT_RESULT);
	ck_assert_int_eq(
		pread(plan.plan_fd, x, sizeof(x), (off_t)first[1].value),
		sizeof(x));
	ck_assert_mem_eq(x, small_x, sizeof(x));
}
END_TEST

START_TEST(nobody_can_change_the_plan)
{
	ck_assert_int_eq(pwrite(plan.plan_fd, "x", 1, 0), -1);
	ck_assert_int_eq(ftruncate(plan.plan_fd, 0), -1);
	ck_assert_ptr_eq(
		mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, plan.plan_fd, 0),
		MAP_FAILED);
	ck_assert_int_eq(ftruncate(plan.outputs_fd, 0), -1);
	ck_assert_int_eq(errno, EPERM);
}
END_TEST

START_TEST(repeats_share_inputs_and_keep_outputs)
{
	const struct plan_argument *one, *two;

	ck_assert_uint_eq(plan.n_entries, 5);
	ck_assert_uint_eq(plan.first_entry[1], 1);
	ck_assert_uint_eq(plan.first_entry[2], 4);
	ck_assert_uint_eq(plan.first_entry[3], 5);
	ck_assert(!plan.calls[1].keep_outputs);
	ck_assert(plan.calls[2].keep_outputs);
	ck_assert(plan.calls[3].keep_outputs);
	ck_assert(!plan.calls[4].keep_outputs);
	one = plan.arguments + plan.calls[1].first_argument;
	two = plan.arguments + plan.calls[2].first_argument;
	ck_assert_uint_eq(one[1].value, two[1].value);
	ck_assert_uint_ne(one[3].value, two[3].value);
}
END_TEST

START_TEST(no_two_things_share_a_byte_and_guards_are_big)
{
	for (size_t a = 0; a < plan.n_slots; a++) {
		const struct plan_slot *one = &plan.slots[a];

		ck_assert_uint_eq(one->bytes % 4096, 0);
		ck_assert_uint_ge(one->bytes, 2000 * 8);
		ck_assert_int_eq(
			one->writable, one->address == one->writable_address);
		for (size_t b = a + 1; b < plan.n_slots; b++) {
			const struct plan_slot *two = &plan.slots[b];

			ck_assert_uint_ge(
				two->offset, one->offset + one->bytes);
			ck_assert_uint_ge(two->address,
				one->writable_address + one->bytes + 65536);
		}
		ck_assert_uint_le(one->offset + one->bytes, plan.outputs_bytes);
	}
}
END_TEST

START_TEST(outputs_are_no_zeros_before_a_call)
{
	const struct plan_argument *first = plan.arguments;
	const double *y = (const double *)(const void *)((char *)plan.outputs +
		first[3].value);
	size_t parameter;

	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(fill_origin_of(0x12345678, TYPE_DOUBLE, &y[i],
					 &parameter),
			ORIGIN_UNTOUCHED);
}
END_TEST

/* Addresses near the arrays of the second call, by element. */
static const struct {
	size_t parameter;
	int64_t element;
} places[] = {{1, 0}, {1, 1999}, {1, 2000}, {1, 2001}, {1, -1}, {1, -60},
	{3, 0}, {3, 2000}, {3, -3}, {1, 10000}};

START_TEST(an_address_tells_array_and_element)
{
	size_t p = places[_i].parameter;
	const struct plan_argument *arguments =
		plan.arguments + plan.calls[1].first_argument;
	const struct plan_slot *slot = &plan.slots[arguments[p].slot];
	uint64_t start = slot->address + slot->bytes - arguments[p].bytes;
	const struct access found = plan_find_access(&plan, 1, &function,
		start + (uint64_t)(places[_i].element * 8) + 7, true);

	ck_assert(found.known);
	ck_assert_uint_eq(found.parameter, p);
	ck_assert_int_eq(found.element, places[_i].element);
	ck_assert_int_eq(found.to_input,
		p == 1 && places[_i].element >= 0 && places[_i].element < 2000);
}
END_TEST

START_TEST(an_address_far_from_all_arrays_is_unknown)
{
	ck_assert(!plan_find_access(&plan, 1, &function, 8, false).known);
	ck_assert(!plan_find_access(&plan, 1, &function, UINT64_MAX, false)
			   .known);
	ck_assert(!plan_find_access(
		&plan, 1, &function, plan.slots[0].address - 65536 * 2, false)
			   .known);
}
END_TEST

/* What one computes with is told by where it comes from. */
static const struct {
	unsigned int tag;
	bool quiet;
	enum element_origin origin;
	size_t parameter;
} tags[] = {
	{FILL_OUTPUT, false, ORIGIN_UNTOUCHED, 99},
	{FILL_OUTPUT, true, ORIGIN_FROM_OUTPUT, 99},
	{FILL_STACK, true, ORIGIN_FROM_STACK, 99},
	{FILL_STACK, false, ORIGIN_FROM_STACK, 99},
	{FILL_HEAP, true, ORIGIN_FROM_HEAP, 99},
	{FILL_BEFORE + 5, true, ORIGIN_FROM_BEFORE, 5},
	{FILL_BEFORE + 100, true, ORIGIN_COMPUTED, 99},
	{9, true, ORIGIN_COMPUTED, 99},
};

START_TEST(a_tag_tells_where_memory_came_from)
{
	uint64_t d = FILL_DOUBLE(tags[_i].tag, 77) |
		(tags[_i].quiet ? FILL_QUIET_BIT : 0);
	uint32_t f = FILL_FLOAT(tags[_i].tag, 77) |
		(tags[_i].quiet ? 0x00400000u : 0);
	size_t parameter = 99;

	ck_assert_int_eq(fill_origin_of(77, TYPE_DOUBLE, &d, &parameter),
		tags[_i].origin);
	ck_assert_uint_eq(parameter, tags[_i].parameter);
	ck_assert_int_eq(fill_origin_of(78, TYPE_DOUBLE, &d, &parameter),
		ORIGIN_COMPUTED);
	d |= (uint64_t)1 << 63;
	ck_assert_int_eq(fill_origin_of(77, TYPE_DOUBLE, &d, &parameter),
		tags[_i].origin);
	ck_assert_int_eq(fill_origin_of(77, TYPE_FLOAT, &f, &parameter),
		tags[_i].origin);
	ck_assert_int_eq(fill_origin_of(78, TYPE_FLOAT, &f, &parameter),
		ORIGIN_COMPUTED);
}
END_TEST

Suite *plan_suite(void)
{
	Suite *suite = suite_create("plan");
	TCase *tcase = tcase_create("layout");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, the_plan_that_the_child_reads_is_ours);
	tcase_add_test(tcase, nobody_can_change_the_plan);
	tcase_add_test(tcase, repeats_share_inputs_and_keep_outputs);
	tcase_add_test(tcase, no_two_things_share_a_byte_and_guards_are_big);
	tcase_add_test(tcase, outputs_are_no_zeros_before_a_call);
	tcase_add_loop_test(tcase, an_address_tells_array_and_element, 0,
		sizeof(places) / sizeof(*places));
	tcase_add_test(tcase, an_address_far_from_all_arrays_is_unknown);
	tcase_add_loop_test(tcase, a_tag_tells_where_memory_came_from, 0,
		sizeof(tags) / sizeof(*tags));
	suite_add_tcase(suite, tcase);
	return suite;
}
