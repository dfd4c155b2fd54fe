/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_EXERCISE_READER_H
#define GRADER_ENGINE_EXERCISE_READER_H

/*
 * What the parts of the loader share: exercise.c reads the folder,
 * exercise_top.c the whole of exercise.json, exercise_functions.c "functions",
 * exercise_stages.c "stages", exercise_groups.c "groups", exercise_case.c one
 * case, exercise_literal.c a nested array and exercise_draws.c a distribution.
 */

#include "grader/engine/exercise.h"
#include "grader/engine/json.h"

struct reader {
	struct json json;
	struct arena *arena; /* of the exercise */
	struct exercise *exercise;
	/* The exercise's own list, with room for GENERATORS_MAX. */
	struct function *generators;
	size_t *generated;    /* the index of the function each is for */
	size_t n_definitions; /* in all groups so far */
};

/* Copies into the arena: the tree is freed before the exercise. */
bool reader_line(struct reader *reader, const cJSON *item,
	const char **text_out, struct error *err)
	__attribute__((warn_unused_result));
/* A name that problem_of() has nothing against (names.h). */
bool reader_name(struct reader *reader, const cJSON *item,
	const char *(*problem_of)(const char *), const char **name_out,
	struct error *err) __attribute__((warn_unused_result));

/* false; the item is a word that is none of these; says "a tag" or the like. */
bool reader_fail_word(struct reader *reader, const cJSON *item,
	const char *says, const char *const names[], size_t count,
	struct error *err);

/* false; "says: why".  Our own failures stay what they are. */
bool reader_fail_because(struct reader *reader, const cJSON *item,
	const char *says, const struct error *why, struct error *err);

/* Each sets what it is named after in reader->exercise. */
bool reader_read_functions(struct reader *reader, const cJSON *item,
	struct error *err) __attribute__((warn_unused_result));
bool reader_read_groups(struct reader *reader, const cJSON *item,
	struct error *err) __attribute__((warn_unused_result));
/* After functions, hints and watch_out. */
bool reader_read_stages(struct reader *reader, const cJSON *item,
	struct error *err) __attribute__((warn_unused_result));

/* One entry of the cases of a group whose function is known. */
bool reader_read_case(struct reader *reader, const struct function *function,
	const cJSON *item, struct case_definition *out, struct error *err)
	__attribute__((warn_unused_result));

/* One case, while it is read: what is known of each parameter. */
struct case_inputs {
	struct reader *reader;
	const struct function *function;
	const cJSON *inputs;                  /* the object */
	const cJSON *entries[PARAMETERS_MAX]; /* NULL: not in it */
	bool known[PARAMETERS_MAX];           /* draws has it */
	struct draw *draws;
	struct value *values;
};

/* The range of a type's values as integers. */
void reader_integer_range(
	enum value_type type, int64_t *min_out, int64_t *max_out);

/* One number, true or false: of that type, as struct value holds a scalar. */
bool reader_scalar(struct reader *reader, const cJSON *item,
	enum value_type type, struct value *out, struct error *err)
	__attribute__((warn_unused_result));

/*
 * A literal array: finds its shape from the sizes that are known and those
 * that its nesting tells, which are known from then on, and reads it.
 */
bool reader_literal(struct case_inputs *inputs, size_t p, struct error *err)
	__attribute__((warn_unused_result));

/*
 * A literal array of a shape that is set in *value.  decimals_out may be NULL;
 * it is left alone if the type is not floating.
 */
bool reader_literal_of_shape(struct case_inputs *inputs, size_t p,
	const cJSON *item, struct value *value, const int **decimals_out,
	struct error *err) __attribute__((warn_unused_result));

/* One of {"normal": ...}, {"uniform": ...} and so on. */
bool reader_distribution(struct case_inputs *inputs, size_t p,
	struct error *err) __attribute__((warn_unused_result));

/*
 * Once all inputs are read: whatever is drawn must be in its type's range, in
 * order, and make arrays that can be, from the least sizes to the most.
 */
bool reader_check_draws(struct case_inputs *inputs, struct error *err)
	__attribute__((warn_unused_result));

#endif
