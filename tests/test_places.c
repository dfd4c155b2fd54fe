/* SPDX-License-Identifier: MIT */
#include "grader/engine/places.h"

#include "base/arena.h"
#include "base/error.h"
#include "tests/suites.h"

#include <stdio.h>
#include <string.h>

static struct arena *arena;
static struct places places;

static void set_up(void)
{
	struct error err;

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
}

static void read_source(const char *source)
{
	struct error err;

	ck_assert(places_read(&places, source, strlen(source), arena, &err));
}

/* Where a text stands first: its line and column. */
static void seek(const char *text, int *line, int *column)
{
	const char *at = strstr(places.data, text);

	ck_assert_msg(at, "%s", text);
	*line = 1;
	*column = 1;
	for (const char *c = places.data; c < at; c++) {
		*line += *c == '\n';
		*column = *c == '\n' ? 1 : *column + 1;
	}
}

static const char *text_of(const struct place_name *name)
{
	static char buffer[64];

	snprintf(buffer, sizeof(buffer), "%.*s", (int)name->len,
		name->text ? name->text : "");
	return buffer;
}

/* What is subscripted at the bracket behind a "@", which is no part of it. */
static const struct {
	const char *source;
	const char *name;
	size_t axis;
} subscripts[] = {
	{"x = Q@[i];", "Q", 0},
	{"x = Q[i]@[k];", "Q", 1},
	{"x = Q[a[i]][b[j + 1]]@[k];", "Q", 2},
	{"x = Q /* [1] */ [i] @[k];", "Q", 1},
	/* No plain name. */
	{"x = s.q@[i];", "", 0},
	{"x = s->q@[i];", "", 0},
	{"x = (Q)@[i];", "", 0},
	{"x = f(i)@[i];", "", 0},
	{"x = \"text\"@[i];", "", 0},
	{"]]]@[i];", "", 0},
	{"@[i];", "", 0},
	{"x = Q\xc3\xa4@[i];", "", 0},
	/* No bracket. */
	{"x = @Q[i];", "", 0},
	{"x = Q[i]@;", "", 0},
};

START_TEST(a_subscript_has_the_name_in_front_of_all_brackets)
{
	char source[128];
	const char *at = strchr(subscripts[_i].source, '@');
	size_t before = (size_t)(at - subscripts[_i].source);
	struct place_subscript found;

	snprintf(source, sizeof(source), "\n%.*s%s", (int)before,
		subscripts[_i].source, at + 1);
	read_source(source);
	found = places_subscript(&places, 2, (int)before + 1);
	ck_assert_str_eq(text_of(&found.name), subscripts[_i].name);
	if (subscripts[_i].name[0])
		ck_assert_uint_eq(found.axis, subscripts[_i].axis);
}
END_TEST

static const struct {
	const char *source; /* the name is v */
	enum place_type type;
} declared[] = {
	{"double v;", PLACE_DOUBLE},
	{"double a = 1, v[3];", PLACE_DOUBLE},
	{"const double b[n], v[3];", PLACE_DOUBLE},
	{"for (double v;;)", PLACE_DOUBLE},
	{"float v[4];", PLACE_FLOAT},
	{"double *v;", PLACE_POINTER},
	{"double *v[4];", PLACE_POINTER},
	{"long double v;", PLACE_OTHER},
	{"int v;", PLACE_OTHER},
	{"number v;", PLACE_OTHER},
	{"double x; number v;", PLACE_OTHER},
	{"struct { double x; } v;", PLACE_OTHER},
	{"struct point v;", PLACE_OTHER},
	{"double _Complex v;", PLACE_OTHER},
};

START_TEST(a_declaration_says_the_type_of_elements)
{
	struct place_name name;
	int line, column;

	read_source(declared[_i].source);
	seek("v", &line, &column);
	name = places_name(&places, line, column);
	ck_assert_str_eq(text_of(&name), "v");
	ck_assert_msg(places_declared_type(&places, &name) == declared[_i].type,
		"%s", declared[_i].source);
}
END_TEST

static const struct {
	const char *source;
	const char *owner;
	enum place_type type;
} blocks[] = {
	{"double *w = malloc(n * sizeof(double));", "w", PLACE_DOUBLE},
	{"double *w = (double *)malloc(n * sizeof(*w));", "w", PLACE_DOUBLE},
	{"w = calloc(n, sizeof(double));", "w", PLACE_DOUBLE},
	{"w = realloc(w, 2 * n);", "w", PLACE_OTHER},
	{"int *w = malloc(n * sizeof(int));", "w", PLACE_OTHER},
	{"double **w = malloc(n * sizeof(double *));", "w", PLACE_OTHER},
	{"s->w = malloc(n * sizeof(double));", "", PLACE_DOUBLE},
	{"s.w = malloc(n * sizeof(double));", "", PLACE_DOUBLE},
	{"rows[i] = malloc(n * sizeof(double));", "", PLACE_DOUBLE},
	{"use(malloc(8));", "", PLACE_OTHER},
	{"a = malloc(8); b = malloc(8);", "", PLACE_OTHER},
	{"double *w = get();", "", PLACE_OTHER},
};

START_TEST(a_block_belongs_to_what_it_is_assigned_to)
{
	enum place_type type;
	struct place_name owner;

	read_source(blocks[_i].source);
	owner = places_block_owner(&places, 1, &type);
	ck_assert_msg(strcmp(text_of(&owner), blocks[_i].owner) == 0, "%s: %s",
		blocks[_i].source, text_of(&owner));
	if (owner.text)
		ck_assert_int_eq(type, blocks[_i].type);
}
END_TEST

#define HEAD "void solve(size_t n, const double q[n][3], double *out)\n"

static const struct {
	const char *source; /* the line is 2 */
	const char *name;
} arrays[] = {
	{HEAD "{ double w[4]; w[0] = 1; }", "w"},
	{HEAD "{ double x = 1, w[4], y = q[0][0]; }", "w"},
	{HEAD "{ for (;;) { int k; double w[4]; } }", "w"},
	{HEAD "{ double w[2] = {1, 2}; return w[0]; }", "w"},
	{HEAD "{ double v[4], w[4]; }", ""},
	{HEAD "{ double v[4]; { float w[4]; } }", ""},
	{HEAD "{ static double w[4]; }", ""},
	{HEAD "{ double x = q[0][1]; }", ""},
	{HEAD "{ row r; double w[4]; }", ""},
	{HEAD "{ struct row r; double w[4]; }", ""},
	{"void f(void) { double w[4]; }\nvoid g(void) { double v[4]; }", "v"},
	{"void f(void) { double w[4]; }\nint v[4];", ""},
	{HEAD "{ double w[4];", ""},
};

START_TEST(a_local_array_is_named_where_it_is_the_only_one)
{
	struct place_name name;

	read_source(arrays[_i].source);
	name = places_only_local_array(&places, 2);
	ck_assert_msg(strcmp(text_of(&name), arrays[_i].name) == 0, "%s: %s",
		arrays[_i].source, text_of(&name));
}
END_TEST

static const struct {
	const char *source;
	const char *name;
} statics[] = {
	{"static double sum;\nvoid f(void) { }", "sum"},
	{"double sum;\nvoid f(void) { }", "sum"},
	{"void f(void) { static double sum = 0; }", "sum"},
	{"void f(void) { static double sum[64]; }", "sum"},
	{"#include <math.h>\nint f(int);\nvoid g(void) { }\nint n = 3;", "n"},
	{"static const double half = 0.5;\nvoid f(void) { static int n; }",
		"n"},
	{"static double a, b;", ""},
	{"static double a; void f(void) { static double b; }", ""},
	{"static const double half = 0.5;", ""},
	{"void f(void) { double sum = 0; }", ""},
	{"struct { int x; } s; static double sum;", ""},
	{"typedef double number; static number sum; enum { A };", ""},
};

START_TEST(a_variable_that_lives_on_is_named_where_it_is_the_only_one)
{
	struct place_name name;

	read_source(statics[_i].source);
	name = places_only_static(&places);
	ck_assert_msg(strcmp(text_of(&name), statics[_i].name) == 0, "%s: %s",
		statics[_i].source, text_of(&name));
}
END_TEST

static const struct {
	const char *source; /* the first "Q" of line 2 is asked for */
	size_t parameter;
} parameters[] = {
	{"void solve(size_t n, const double Q[n][3], double *out)\n"
	 "{ out[0] = Q[0][0]; }",
		1},
	{"void solve(size_t n, const double K[n][f(1, 2)], const double *Q)\n"
	 "{ Q[0]; }",
		2},
	{"void other(size_t n, const double Q[n])\n{ Q[0]; }", PLACES_NONE},
	{"void solve(size_t n, const double K[n])\n{ Q[0]; }", PLACES_NONE},
	/* Another of that name. */
	{"void solve(size_t n, const double Q[n])\n{ double Q[3]; }",
		PLACES_NONE},
	{"void solve(size_t n, const double Q[n])\n"
	 "{ Q[0]; { const double *Q; } }",
		PLACES_NONE},
};

START_TEST(a_parameter_is_told_by_its_place)
{
	struct place_name name;
	int line, column;

	read_source(parameters[_i].source);
	name.text = strstr(strchr(parameters[_i].source, '\n'), "Q");
	ck_assert_ptr_nonnull(name.text);
	line = 2;
	column = (int)(name.text - strchr(parameters[_i].source, '\n'));
	name = places_name(&places, line, column);
	ck_assert_str_eq(text_of(&name), "Q");
	ck_assert_msg(places_parameter(&places, "solve", 2, &name) ==
			parameters[_i].parameter,
		"%s", parameters[_i].source);
}
END_TEST

START_TEST(an_array_is_quoted_as_it_is_declared)
{
	char bound[PLACES_BOUND_BYTES];
	struct place_name name, found;

	read_source("void f(void)\n{ int x[2]; double w[n + 1][3]; w[0]; }");
	name = (struct place_name){.text = "w", .len = 1};
	found = places_local_array(&places, 2, &name, bound);
	ck_assert_str_eq(text_of(&found), "w");
	ck_assert_str_eq(bound, "w[n + 1][3]");
}
END_TEST

START_TEST(an_array_with_controls_in_its_brackets_is_not_quoted)
{
	char bound[PLACES_BOUND_BYTES];
	struct place_name name = {.text = "w", .len = 1};

	read_source("void f(void)\n{ double w[/* \x1b[31m */ 4]; }");
	places_local_array(&places, 2, &name, bound);
	ck_assert_str_eq(bound, "");
	read_source("void f(void)\n{ double w[\xe2\x80\xae 4]; }");
	places_local_array(&places, 2, &name, bound);
	ck_assert_str_eq(bound, "");
}
END_TEST

START_TEST(two_arrays_of_one_name_are_not_told_apart)
{
	char bound[PLACES_BOUND_BYTES];
	struct place_name name = {.text = "w", .len = 1}, found;

	read_source("void f(void)\n{ { double w[2]; } { double w[3]; } }");
	found = places_local_array(&places, 2, &name, bound);
	ck_assert_ptr_null(found.text);
}
END_TEST

START_TEST(a_source_that_is_too_long_has_no_places)
{
	static char source[PLACES_BYTES_MAX + 2];
	struct error err;

	memset(source, 'x', sizeof(source) - 1);
	ck_assert(
		places_read(&places, source, sizeof(source) - 1, arena, &err));
	ck_assert_uint_eq(places.count, 0);
	ck_assert_ptr_null(places_name(&places, 1, 1).text);
	ck_assert_ptr_null(places_only_static(&places).text);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

Suite *places_suite(void)
{
	Suite *suite = suite_create("places");
	TCase *tcase = tcase_create("places");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase,
		a_subscript_has_the_name_in_front_of_all_brackets, 0,
		COUNT(subscripts));
	tcase_add_loop_test(tcase, a_declaration_says_the_type_of_elements, 0,
		COUNT(declared));
	tcase_add_loop_test(tcase, a_block_belongs_to_what_it_is_assigned_to, 0,
		COUNT(blocks));
	tcase_add_loop_test(tcase,
		a_local_array_is_named_where_it_is_the_only_one, 0,
		COUNT(arrays));
	tcase_add_loop_test(tcase,
		a_variable_that_lives_on_is_named_where_it_is_the_only_one, 0,
		COUNT(statics));
	tcase_add_loop_test(
		tcase, a_parameter_is_told_by_its_place, 0, COUNT(parameters));
	tcase_add_test(tcase, an_array_is_quoted_as_it_is_declared);
	tcase_add_test(
		tcase, an_array_with_controls_in_its_brackets_is_not_quoted);
	tcase_add_test(tcase, two_arrays_of_one_name_are_not_told_apart);
	tcase_add_test(tcase, a_source_that_is_too_long_has_no_places);
	suite_add_tcase(suite, tcase);
	return suite;
}
