/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/exercise.h"
#include "tests/suites.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The good one: each test of an error changes one thing in it. */
static const char good[] =
	/* 1 */
	"{ \"schema\": \"grader/exercise/1\", \"name\": \"mix\",\n"
	/* 2 */ "\"title\": \"Mix\", \"summary\": \"Mixes.\", \"seed\": 7,\n"
	/* 3 */ "\"functions\": [\n"
	/* 4 */ "{\"name\": \"solve\", \"parameters\": [\n"
	/* 5 */ "{\"name\": \"Tq\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	/* 6 */ "{\"name\": \"d\", \"type\": \"int\", \"says\": \"b\"},\n"
	/* 7 */ "{\"name\": \"Q\", \"type\": \"double\", \"dims\": [\"Tq\", "
	"\"d\"], \"says\": \"c\"},\n"
	/* 8 */ "{\"name\": \"mask\", \"type\": \"bool\", \"dims\": [\"Tq\", "
	"2], \"nullable\": true, \"says\": \"e\"},\n"
	/* 9 */ "{\"name\": \"scale\", \"type\": \"float\", \"says\": \"f\"},\n"
	/* 10 */ "{\"name\": \"output\", \"type\": \"double\", \"dims\": "
	"[\"Tq\"], \"direction\": \"out\", \"says\": \"g\"}],\n"
	/* 11 */ "\"returns\": {\"type\": \"int\", \"says\": \"h\"}},\n"
	/* 12 */ "{\"name\": \"batched\", \"parameters\": [\n"
	/* 13 */ "{\"name\": \"n\", \"type\": \"size_t\", \"says\": \"a\"},\n"
	/* 14 */ "{\"name\": \"batch\", \"type\": \"size_t\", \"dims\": "
	"[\"n\"], \"says\": \"b\"},\n"
	/* 15 */ "{\"name\": \"T\", \"type\": \"size_t\", \"says\": \"c\"},\n"
	/* 16 */ "{\"name\": \"X\", \"type\": \"double\", \"dims\": "
	"[\"*batch\", \"T\"], \"says\": \"d\"},\n"
	/* 17 */ "{\"name\": \"Y\", \"type\": \"char\", \"dims\": "
	"[\"*batch\", 3], \"direction\": \"out\", \"says\": \"e\"}]}"
	"],\n"
	/* 18 */ "\"limits\": {\"memory_mib\": 32, \"cpu_case_ms\": 500},\n"
	/* 19 */ "\"tolerance\": {\"rtol\": 1e-9, \"atol\": 0},\n"
	/* 20 */ "\"groups\": [\n"
	/* 21 */ "{\"name\": \"examples\", \"title\": \"The examples\", "
	"\"function\": \"solve\", \"points\": 2, \"tags\": "
	"[\"formula\"], \"cases\": [\n"
	/* 22 */ "{\"name\": \"example-1\", \"inputs\": {\"scale\": 0.1,\n"
	/* 23 */ "\"Q\": [[1, 0], [0.5, -1e-3]],\n"
	/* 24 */ "\"mask\": [[true, false], [false, true]]},\n"
	/* 25 */ "\"expected\": {\"output\": [6.69762, 10], \"result\": 3}},\n"
	/* 26 */ "{\"name\": \"again\", \"repeat\": 3, \"inputs\": {\"Tq\": 1, "
	"\"d\": 1, \"Q\": [[2]], \"mask\": null, \"scale\": 1}}]},\n"
	/* 27 */ "{\"name\": \"drawn\", \"title\": \"Drawn\", \"function\": "
	"\"solve\", \"points\": 10, \"all_or_nothing\": true, "
	"\"visibility\": \"hidden\", \"tags\": [\"range\"], "
	"\"cases\": [\n"
	/* 28 */ "{\"name\": \"plain\", \"count\": 5, \"inputs\": {\"Tq\": "
	"{\"integers\": [1, 8]}, \"d\": {\"integers\": [\"Tq\", 8]},\n"
	/* 29 */ "\"Q\": {\"normal\": [0, 1]}, \"mask\": {\"integers\": "
	"[0, 1]}, \"scale\": {\"uniform\": [-1, 1]}}},\n"
	/* 30 */ "{\"name\": \"made\", \"count\": 2, \"generator\": "
	"\"gentle\", \"arguments\": [1.7, 2], \"inputs\": {\"Tq\": 3, "
	"\"d\": {\"integers\": [2, 4]}, \"scale\": {\"constant\": "
	"2}}},\n"
	/* 31 */ "{\"name\": \"half\", \"generator\": \"gentle\", "
	"\"arguments\": [0.7, 3], \"inputs\": {\"Tq\": 3, \"d\": 4, "
	"\"scale\": 2, \"mask\": null}}]},\n"
	/* 32 */ "{\"name\": \"batches\", \"title\": \"Batches\", "
	"\"function\": \"batched\", \"points\": 1, \"cases\": [\n"
	/* 33 */ "{\"name\": \"deep\", \"inputs\": {\"X\": [[[1], [2]]]}},\n"
	/* 34 */ "{\"name\": \"flat\", \"inputs\": {\"batch\": [], \"X\": "
	"[5, 6]}},\n"
	/* 35 */ "{\"name\": \"wide\", \"inputs\": {\"n\": {\"integers\": "
	"[0, 2]}, \"batch\": {\"integers\": [1, 3]}, \"T\": 2, "
	"\"X\": {\"integers\": [-9, 9]}}},\n"
	/* 36 */ "{\"name\": \"grown\", \"generator\": \"grow\", \"inputs\": "
	"{\"n\": 2, \"batch\": [2, 3], \"T\": 4}}]}],\n"
	/* 37 */ "\"hints\": [{\"title\": \"Start\", \"text\": \"Here.\\n\"}],"
	"\n"
	/* 38 */ "\"watch_out\": [\"Once.\", \"Twice.\"], \"steps\": "
	"[\"Mix\"]}\n";

static struct arena *arena;
static char folder[64];

static void set_up(void)
{
	struct error err = {0};

	arena = arena_create(&err);
	ck_assert_ptr_nonnull(arena);
}

static void tear_down(void)
{
	arena_destroy(arena);
	arena = NULL;
}

static struct exercise read_good(void)
{
	struct exercise exercise = {0};
	struct error err = {0};

	ck_assert_msg(exercise_read("x.json", good, strlen(good), arena,
			      &exercise, &err),
		"%s", err.message);
	return exercise;
}

/* What was read ------------------------------------------------------------ */

START_TEST(the_top_level_is_read)
{
	const struct exercise exercise = read_good();

	ck_assert_str_eq(exercise.name, "mix");
	ck_assert_str_eq(exercise.title, "Mix");
	ck_assert_str_eq(exercise.summary, "Mixes.");
	ck_assert_uint_eq(exercise.seed, 7);
	ck_assert_uint_eq(exercise.limits.cpu_case_ms, 500);
	ck_assert_uint_eq(exercise.limits.cpu_total_ms, 10000);
	ck_assert_uint_eq(exercise.limits.memory_bytes, 32 << 20);
	ck_assert_uint_eq(exercise.limits.stack_bytes, 8 << 20);
	ck_assert_uint_eq(exercise.limits.output_bytes, 16 << 20);
	ck_assert(exercise.tolerance.given);
	ck_assert_double_eq(exercise.tolerance.relative, 1e-9);
	ck_assert_double_eq(exercise.tolerance.absolute, 0);
	ck_assert_uint_eq(exercise.n_hints, 1);
	ck_assert_str_eq(exercise.hints[0].title, "Start");
	ck_assert_str_eq(exercise.hints[0].text, "Here.\n");
	ck_assert_uint_eq(exercise.n_watch_out, 2);
	ck_assert_str_eq(exercise.watch_out[1], "Twice.");
	ck_assert_uint_eq(exercise.n_steps, 1);
	ck_assert_str_eq(exercise.steps[0], "Mix");
	ck_assert_uint_eq(exercise.n_cases, 14);
}
END_TEST

START_TEST(functions_are_read)
{
	const struct exercise exercise = read_good();
	const struct function *solve = &exercise.functions[0];
	const struct function *batched = &exercise.functions[1];

	ck_assert_uint_eq(exercise.n_functions, 2);
	ck_assert_str_eq(solve->name, "solve");
	ck_assert_uint_eq(solve->n_parameters, 6);
	ck_assert(solve->returns);
	ck_assert_int_eq(solve->return_type, TYPE_INT);
	ck_assert_str_eq(solve->return_says, "h");
	ck_assert_int_eq(solve->parameters[1].type, TYPE_INT);
	ck_assert(!solve->parameters[1].is_array);
	ck_assert_uint_eq(solve->parameters[2].dimensions[1].parameter, 1);
	ck_assert(solve->parameters[3].nullable);
	ck_assert_uint_eq(solve->parameters[3].dimensions[1].number, 2);
	ck_assert(solve->parameters[5].output);
	ck_assert_str_eq(solve->parameters[5].says, "g");
	ck_assert(!batched->returns);
	ck_assert_str_eq(batched->return_says, "");
	ck_assert(batched->parameters[1].open);
	ck_assert(!batched->parameters[3].open);
	ck_assert_int_eq(
		batched->parameters[3].dimensions[0].kind, DIMENSION_SPLICE);
	ck_assert_str_eq(exercise.references[1].name, "reference_batched");
	ck_assert_uint_eq(exercise.n_generator_functions, 2);
	ck_assert_str_eq(exercise.generator_functions[1].name, "generate_grow");
}
END_TEST

START_TEST(an_explicit_case_tells_its_sizes_by_its_nesting)
{
	const struct exercise exercise = read_good();
	const struct case_definition *example = &exercise.groups[0].cases[0];
	const struct value *values = example->values;

	ck_assert_int_eq(example->kind, CASE_EXPLICIT);
	ck_assert_str_eq(example->name, "example-1");
	ck_assert_int_eq(example->line, 22);
	ck_assert_uint_eq(example->count, 1);
	ck_assert_uint_eq(example->repeat, 1);
	ck_assert_uint_eq(values[0].number, 2);
	ck_assert_uint_eq(values[1].number, 2);
	ck_assert_uint_eq(values[2].count, 4);
	ck_assert_double_eq(((double *)values[2].data)[3], -1e-3);
	ck_assert_uint_eq(values[3].n_axes, 2);
	ck_assert_mem_eq(values[3].data, "\1\0\0\1", 4);
	ck_assert_double_eq(values[4].real, (double)0.1f);
	ck_assert_uint_eq(values[5].count, 2);
	ck_assert_ptr_null(values[5].data);
	ck_assert_uint_eq(exercise.groups[0].cases[1].repeat, 3);
	ck_assert(exercise.groups[0].cases[1].values[3].is_null);
}
END_TEST

START_TEST(expected_values_come_with_the_decimals_written)
{
	const struct exercise exercise = read_good();
	const struct case_definition *example = &exercise.groups[0].cases[0];

	ck_assert_double_eq(((double *)example->expected[5].data)[0], 6.69762);
	ck_assert_int_eq(example->decimals[5][0], 5);
	ck_assert_int_eq(example->decimals[5][1], 0);
	ck_assert_int_eq(((int *)example->expected[6].data)[0], 3);
	ck_assert_ptr_null(example->decimals[6]);
	ck_assert_ptr_null(example->expected[2].data);
	ck_assert_ptr_null(exercise.groups[0].cases[1].expected);
}
END_TEST

START_TEST(groups_are_read)
{
	const struct exercise exercise = read_good();
	const struct group *groups = exercise.groups;

	ck_assert_uint_eq(exercise.n_groups, 3);
	ck_assert_str_eq(groups[0].title, "The examples");
	ck_assert_int_eq(groups[0].points, 2);
	ck_assert(!groups[0].all_or_nothing);
	ck_assert(!groups[0].hidden);
	ck_assert(groups[0].formula && !groups[0].range);
	ck_assert(groups[1].all_or_nothing);
	ck_assert(groups[1].hidden);
	ck_assert(!groups[1].formula && groups[1].range);
	ck_assert_uint_eq(groups[2].function, 1);
	ck_assert(!groups[2].formula && !groups[2].range);
}
END_TEST

START_TEST(draws_and_generators_are_read)
{
	const struct exercise exercise = read_good();
	const struct case_definition *plain = &exercise.groups[1].cases[0];
	const struct case_definition *made = &exercise.groups[1].cases[1];

	ck_assert_int_eq(plain->kind, CASE_RANDOM);
	ck_assert_int_eq(plain->draws[0].kind, DISTRIBUTION_INTEGERS);
	ck_assert_int_eq(plain->draws[0].to.number, 8);
	ck_assert(plain->draws[1].from.is_parameter);
	ck_assert_uint_eq(plain->draws[1].from.parameter, 0);
	ck_assert_int_eq(plain->draws[2].kind, DISTRIBUTION_NORMAL);
	ck_assert_double_eq(plain->draws[2].b, 1);
	ck_assert_int_eq(plain->draws[4].kind, DISTRIBUTION_UNIFORM);
	ck_assert_double_eq(plain->draws[4].a, -1);
	ck_assert_int_eq(plain->draws[5].kind, DISTRIBUTION_GIVEN);

	ck_assert_int_eq(made->kind, CASE_GENERATED);
	ck_assert_str_eq(made->generator, "gentle");
	ck_assert_uint_eq(made->generator_index, 0);
	ck_assert_uint_eq(made->n_generator_arguments, 2);
	ck_assert_double_eq(made->generator_arguments[0], 1.7);
	ck_assert_int_eq(made->draws[0].kind, DISTRIBUTION_GIVEN);
	ck_assert_uint_eq(made->values[0].number, 3);
	ck_assert_int_eq(made->draws[2].kind, DISTRIBUTION_GENERATED);
	ck_assert_int_eq(made->draws[4].kind, DISTRIBUTION_CONSTANT);
	ck_assert_double_eq(made->draws[4].a, 2);
	ck_assert(exercise.groups[1].cases[2].values[3].is_null);
}
END_TEST

START_TEST(a_list_of_sizes_is_told_by_the_nesting_too)
{
	const struct exercise exercise = read_good();
	const struct value *deep = exercise.groups[2].cases[0].values;
	const struct value *flat = exercise.groups[2].cases[1].values;

	ck_assert_uint_eq(deep[0].number, 2);
	ck_assert_uint_eq(deep[1].count, 2);
	ck_assert_uint_eq(((size_t *)deep[1].data)[0], 1);
	ck_assert_uint_eq(((size_t *)deep[1].data)[1], 2);
	ck_assert_uint_eq(deep[2].number, 1);
	ck_assert_uint_eq(deep[3].n_axes, 3);
	ck_assert_uint_eq(deep[4].count, 6);

	ck_assert_uint_eq(flat[0].number, 0);
	ck_assert_uint_eq(flat[1].count, 0);
	ck_assert_uint_eq(flat[2].number, 2);
	ck_assert_uint_eq(flat[3].n_axes, 1);
}
END_TEST

START_TEST(counted_cases_are_numbered)
{
	const struct exercise exercise = read_good();
	const struct case_definition *plain = &exercise.groups[1].cases[0];
	struct error err = {0};

	ck_assert_str_eq(case_name(plain, 0, arena, &err), "plain-1");
	ck_assert_str_eq(case_name(plain, 4, arena, &err), "plain-5");
	ck_assert_str_eq(
		case_name(&exercise.groups[0].cases[0], 0, arena, &err),
		"example-1");
}
END_TEST

static void put_changed(struct text *out, const char *old, const char *new)
{
	const char *at = strstr(good, old);

	ck_assert_msg(at != NULL, "no such text: %s", old);
	ck_assert_msg(!strstr(at + 1, old), "twice there: %s", old);
	text_put(out, good, (size_t)(at - good));
	text_puts(out, new);
	text_puts(out, at + strlen(old));
}

START_TEST(the_cases_of_a_probe_are_counted_apart)
{
	struct text text = {0};
	struct exercise exercise = {0};
	struct error err = {0};

	put_changed(&text, "\"points\": 2, \"tags\": [\"formula\"]",
		"\"points\": 0, \"tags\": [\"probe\"]");
	ck_assert_msg(
		exercise_read("x", text.data, text.len, arena, &exercise, &err),
		"%s", err.message);
	ck_assert(exercise.groups[0].probe && !exercise.groups[1].probe);
	ck_assert_uint_eq(exercise.n_probes, 2);
	ck_assert_uint_eq(exercise.n_cases, 5 + 2 + 1 + 4);
	text_finish(&text);
}
END_TEST

/* What is refused ---------------------------------------------------------- */

/* One text for another in the good one, and what is said of it. */
static const struct {
	const char *old;
	const char *new;
	const char *says;
} slips[] = {
#include "tests/exercise_slips.inc"
};

START_TEST(a_slip_is_refused_with_its_place)
{
	struct text text = {0};
	struct exercise exercise = {0};
	struct error err = {0};

	put_changed(&text, slips[_i].old, slips[_i].new);
	ck_assert_msg(!exercise_read(
			      "x", text.data, text.len, arena, &exercise, &err),
		"taken: %s", slips[_i].new);
	ck_assert_msg(strcmp(err.message, slips[_i].says) == 0,
		"%s\n is said in place of\n%s", err.message, slips[_i].says);
	ck_assert_int_eq(err.kind, ERROR_EXERCISE);
	ck_assert_ptr_null(exercise.name);
	text_finish(&text);
}
END_TEST

START_TEST(an_exercise_has_no_more_cases_than_can_be_run)
{
	struct text many = {0};
	struct text text = {0};
	struct exercise exercise = {0};
	struct error err = {0};

	for (int i = 0; i < 10; i++)
		text_printf(&many,
			"{\"name\": \"many-%c\", \"count\": 10000, \"inputs\": "
			"{\"Tq\": 1, \"d\": 1, \"Q\": {\"normal\": [0, 1]}, "
			"\"mask\": null, \"scale\": 1}},\n",
			'a' + i);
	text_puts(&many, "{\"name\": \"plain\", \"count\": 5");
	put_changed(&text, "{\"name\": \"plain\", \"count\": 5", many.data);
	ck_assert(!exercise_read(
		"x", text.data, text.len, arena, &exercise, &err));
	ck_assert_str_eq(err.message,
		"x:37: groups[1].cases[9] makes 100002 cases in all, expected "
		"at most 100000");
	text_finish(&many);
	text_finish(&text);
}
END_TEST

START_TEST(a_list_of_texts_has_an_end)
{
	struct text many = {0};
	struct text text = {0};
	struct exercise exercise = {0};
	struct error err = {0};

	text_puts(&many, "[\"Mix\"");
	for (int i = 0; i < 100; i++)
		text_puts(&many, ", \"x\"");
	text_puts(&many, "]");
	put_changed(&text, "[\"Mix\"]", many.data);
	ck_assert(!exercise_read(
		"x", text.data, text.len, arena, &exercise, &err));
	ck_assert_str_eq(err.message,
		"x:38: steps has 101 entries, expected at most 100");
	text_finish(&many);
	text_finish(&text);
}
END_TEST

/* The folder --------------------------------------------------------------- */

static void put_file(const char *name, const char *data, size_t len)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	close(fd);
}

static void put_string(const char *name, const char *data)
{
	put_file(name, data, strlen(data));
}

static void remove_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	ck_assert_int_eq(remove(path), 0);
}

static void make_folder(void)
{
	set_up();
	strcpy(folder, "/tmp/grader-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	put_string("exercise.json", good);
	put_string("lesson.md", "# Mix\n");
	put_string("solution.c", "int solve;\n");
	put_string("reference.c", "int reference;\n");
	put_string("generators.c",
		"void generate_gentle(void);\nvoid generate_grow(void);\n");
}

static void remove_folder(void)
{
	DIR *dir;

	/* As a test may have left it. */
	if (geteuid() != getuid())
		ck_assert_int_eq(seteuid(getuid()), 0);
	chmod(folder, 0700);
	dir = opendir(folder);
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(folder);
	tear_down();
}

static void load(struct exercise *exercise)
{
	struct error err = {0};

	ck_assert_msg(exercise_load(folder, arena, exercise, &err), "%s",
		err.message);
}

/* says follows the folder. */
static void expect_error(const char *says, enum error_kind kind)
{
	struct exercise exercise = {0};
	struct error err = {0};
	char expected[256];

	snprintf(expected, sizeof(expected), "%s%s", folder, says);
	ck_assert(!exercise_load(folder, arena, &exercise, &err));
	ck_assert_str_eq(err.message, expected);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_ptr_null(exercise.name);
}

START_TEST(a_folder_is_loaded_with_its_files)
{
	struct exercise exercise = {0};

	load(&exercise);
	ck_assert_str_eq(exercise.folder, folder);
	ck_assert_str_eq(exercise.name, "mix");
	ck_assert_str_eq(exercise.lesson.name, "lesson.md");
	ck_assert_str_eq(exercise.lesson.data, "# Mix\n");
	ck_assert_uint_eq(exercise.lesson.len, 6);
	ck_assert_str_eq(exercise.solution.data, "int solve;\n");
	ck_assert_str_eq(exercise.reference.data, "int reference;\n");
	ck_assert_str_eq(exercise.generators.name, "generators.c");
	ck_assert_uint_eq(strlen(exercise.hash), 64);
}
END_TEST

START_TEST(the_lesson_of_attention_is_loaded)
{
	struct exercise exercise = {0};
	struct error err = {0};

	ck_assert_msg(
		exercise_load("exercises/attention", arena, &exercise, &err),
		"%s", err.message);
	ck_assert_str_eq(exercise.name, "attention");
	ck_assert_str_eq(exercise.groups[0].cases[0].name, "example-1");
	ck_assert_uint_eq(exercise.groups[0].cases[0].values[2].number, 2);
}
END_TEST

START_TEST(the_hash_changes_with_each_file)
{
	static const char *const names[] = {"lesson.md", "solution.c",
		"reference.c", "generators.c", "explain.c"};
	struct exercise before = {0};
	struct exercise again = {0};

	load(&before);
	load(&again);
	ck_assert_str_eq(before.hash, again.hash);
	for (size_t i = 0; i < COUNT(names); i++) {
		struct exercise after = {0};

		put_string(names[i], "/* generate_gentle, generate_grow */");
		load(&after);
		ck_assert_str_ne(before.hash, after.hash);
		before = after;
	}
	put_string("exercise.json", good);
	load(&again);
	ck_assert_str_eq(before.hash, again.hash);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
	static const char *const names[] = {
		"exercise.json", "lesson.md", "solution.c", "reference.c"};
	char says[64];

	remove_file(names[_i]);
	snprintf(says, sizeof(says), "/%s: is missing", names[_i]);
	expect_error(says, ERROR_EXERCISE);
}
END_TEST

START_TEST(a_file_that_is_no_regular_one_is_refused)
{
	char path[128];

	remove_file("solution.c");
	snprintf(path, sizeof(path), "%s/solution.c", folder);
	ck_assert_int_eq(symlink("/etc/passwd", path), 0);
	expect_error("/solution.c: is a symbolic link, expected a regular file",
		ERROR_EXERCISE);
	remove_file("solution.c");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	expect_error("/solution.c: is no regular file", ERROR_EXERCISE);
	remove_file("solution.c");
	ck_assert_int_eq(mkdir(path, 0700), 0);
	expect_error("/solution.c: is no regular file", ERROR_EXERCISE);
	ck_assert_int_eq(rmdir(path), 0);
}
END_TEST

START_TEST(a_file_too_long_is_refused)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/lesson.md", folder);
	ck_assert_int_eq(truncate(path, (1 << 20) + 1), 0);
	expect_error("/lesson.md: has 1048577 bytes, expected at most 1048576",
		ERROR_EXERCISE);
	snprintf(path, sizeof(path), "%s/exercise.json", folder);
	ck_assert_int_eq(truncate(path, (4 << 20) + 1), 0);
	expect_error(
		"/exercise.json: has 4194305 bytes, expected at most 4194304",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(a_file_with_odd_bytes_is_refused)
{
	put_file("lesson.md", "# Mix\n\xff\n", 8);
	expect_error("/lesson.md:2: has a byte 0xff that is no UTF-8",
		ERROR_EXERCISE);
	put_file("lesson.md", "a\n\nb\0c", 6);
	expect_error("/lesson.md:3: has a NUL byte", ERROR_EXERCISE);
	put_string("lesson.md", "# Mix\n");
	put_file("solution.c", "\xff\n\0", 3);
	expect_error("/solution.c:2: has a NUL byte", ERROR_EXERCISE);
}
END_TEST

START_TEST(a_slip_in_the_folder_has_the_whole_path)
{
	put_string("exercise.json", "{\n\"schema\": 2}");
	expect_error("/exercise.json:2: schema is 2, expected "
		     "\"grader/exercise/1\"",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(a_generator_that_is_not_there_is_refused)
{
	put_string("generators.c",
		"void generate_gentel(void); void generate_grow(void);");
	expect_error("/exercise.json:30: groups[1].cases[1].generator is "
		     "\"gentle\", but generators.c has no generate_gentle; did "
		     "you mean generate_gentel?",
		ERROR_EXERCISE);
	put_string("generators.c", "void generate_gentle(void);");
	expect_error("/exercise.json:36: groups[2].cases[3].generator is "
		     "\"grow\", but generators.c has no generate_grow",
		ERROR_EXERCISE);
	remove_file("generators.c");
	expect_error("/exercise.json:30: groups[1].cases[1].generator is "
		     "\"gentle\", but there is no generators.c",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(stages_and_mistakes_go_together)
{
	struct exercise exercise = {0};
	struct text json = {0};

	put_string("mistakes.c", "int x;");
	expect_error("/mistakes.c: is there, but exercise.json has no stages",
		ERROR_EXERCISE);
	put_changed(&json, "[\"Mix\"]",
		"[\"Mix\"], \"stages\": [{\"name\": \"s\", \"choices\": "
		"[{\"name\": \"m\", \"says\": \"x\", \"hint\": 1, "
		"\"family\": \"f\", \"range\": true}]}]");
	put_string("exercise.json", json.data);
	text_finish(&json);
	load(&exercise);
	ck_assert_uint_eq(exercise.n_stages, 1);
	ck_assert_str_eq(exercise.stages[0].mistakes[0].family, "f");
	ck_assert(exercise.stages[0].mistakes[0].range);
	ck_assert_str_eq(exercise.mistaken[0].name, "mistaken_solve");
	remove_file("mistakes.c");
	expect_error("/exercise.json: has stages, but there is no mistakes.c",
		ERROR_EXERCISE);
}
END_TEST

START_TEST(generators_that_a_macro_writes_are_left_to_the_linker)
{
	struct exercise exercise = {0};

	put_string("generators.c",
		"#define G(x) void generate_##x(void);\n"
		"G(gentle) G(grow)\n");
	load(&exercise);
}
END_TEST

START_TEST(a_slash_behind_the_folder_is_not_shown)
{
	struct exercise exercise = {0};
	struct error err = {0};
	char path[72];

	snprintf(path, sizeof(path), "%s//", folder);
	ck_assert_msg(
		exercise_load(path, arena, &exercise, &err), "%s", err.message);
	ck_assert_str_eq(exercise.folder, folder);
}
END_TEST

START_TEST(a_folder_that_is_none_is_the_users_slip)
{
	static const struct {
		const char *name;
		const char *says;
	} rows[] = {
		{"none", "No such file or directory"},
		{"lesson.md", "Not a directory"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct exercise exercise = {0};
		struct error err = {0};
		char path[128];
		char says[256];

		snprintf(path, sizeof(path), "%s/%s", folder, rows[i].name);
		snprintf(says, sizeof(says),
			"cannot open the exercise '%s': %s", path,
			rows[i].says);
		ck_assert(!exercise_load(path, arena, &exercise, &err));
		ck_assert_str_eq(err.message, says);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
	}
}
END_TEST

START_TEST(what_may_not_be_read_is_said)
{
	struct exercise exercise = {0};
	struct error err = {0};
	char path[128];

	snprintf(path, sizeof(path), "%s/solution.c", folder);
	ck_assert_int_eq(chmod(folder, 0755), 0);
	ck_assert_int_eq(chmod(path, 0), 0);
	/* To root everything is readable. */
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	expect_error("/solution.c: cannot be read: Permission denied",
		ERROR_EXERCISE);
	if (geteuid() != getuid())
		ck_assert_int_eq(seteuid(getuid()), 0);
	ck_assert_int_eq(chmod(folder, 0), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	ck_assert(!exercise_load(folder, arena, &exercise, &err));
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, ": Permission denied"));
}
END_TEST

static void add_folder_tests(TCase *tcase)
{
	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_add_test(tcase, a_folder_is_loaded_with_its_files);
	tcase_add_test(tcase, the_lesson_of_attention_is_loaded);
	tcase_add_test(tcase, the_cases_of_a_probe_are_counted_apart);
	tcase_add_test(tcase, the_hash_changes_with_each_file);
	tcase_add_loop_test(tcase, a_missing_file_is_named, 0, 4);
	tcase_add_test(tcase, a_file_that_is_no_regular_one_is_refused);
	tcase_add_test(tcase, a_file_too_long_is_refused);
	tcase_add_test(tcase, a_file_with_odd_bytes_is_refused);
	tcase_add_test(tcase, a_slip_in_the_folder_has_the_whole_path);
	tcase_add_test(tcase, a_generator_that_is_not_there_is_refused);
	tcase_add_test(tcase, stages_and_mistakes_go_together);
	tcase_add_test(
		tcase, generators_that_a_macro_writes_are_left_to_the_linker);
	tcase_add_test(tcase, a_slash_behind_the_folder_is_not_shown);
	tcase_add_test(tcase, a_folder_that_is_none_is_the_users_slip);
	tcase_add_test(tcase, what_may_not_be_read_is_said);
}

Suite *exercise_suite(void)
{
	Suite *suite = suite_create("exercise");
	TCase *reading = tcase_create("reading");
	TCase *refusing = tcase_create("refusing");
	TCase *folders = tcase_create("folders");

	tcase_add_checked_fixture(reading, set_up, tear_down);
	tcase_add_test(reading, the_top_level_is_read);
	tcase_add_test(reading, functions_are_read);
	tcase_add_test(
		reading, an_explicit_case_tells_its_sizes_by_its_nesting);
	tcase_add_test(reading, expected_values_come_with_the_decimals_written);
	tcase_add_test(reading, groups_are_read);
	tcase_add_test(reading, draws_and_generators_are_read);
	tcase_add_test(reading, a_list_of_sizes_is_told_by_the_nesting_too);
	tcase_add_test(reading, counted_cases_are_numbered);
	suite_add_tcase(suite, reading);

	tcase_add_checked_fixture(refusing, set_up, tear_down);
	tcase_add_loop_test(
		refusing, a_slip_is_refused_with_its_place, 0, COUNT(slips));
	tcase_add_test(refusing, an_exercise_has_no_more_cases_than_can_be_run);
	tcase_add_test(refusing, a_list_of_texts_has_an_end);
	suite_add_tcase(suite, refusing);

	add_folder_tests(folders);
	suite_add_tcase(suite, folders);
	return suite;
}
