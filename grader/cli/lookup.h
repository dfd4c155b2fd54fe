/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_LOOKUP_H
#define GRADER_CLI_LOOKUP_H

/*
 * Finds exercises: by folder, or by name in the places where they are kept.
 */

#include "grader/cli/invocation.h"

struct exercise;
struct text;

/* Loads the exercise that the command's first argument names. */
bool lookup_exercise(struct invocation *invocation,
	struct exercise *exercise_out, struct error *err)
	__attribute__((warn_unused_result));

/* One exercise that was found. */
struct found_exercise {
	const char *name;   /* of its folder */
	const char *folder; /* the way there */
};

struct found_exercises {
	struct found_exercise *items; /* by name, each name once */
	size_t count;
};

/* All of them; those of --exercises alone, if it was given. */
bool lookup_all(struct invocation *invocation, struct found_exercises *found,
	struct error *err) __attribute__((warn_unused_result));

/* "./exercises or /usr/share/grader/exercises": where names are looked up. */
void lookup_put_places(struct text *out, const struct invocation *invocation);

/* How to name the exercise in another command, quoted for a shell: raw. */
const char *lookup_words(struct invocation *invocation, struct error *err)
	__attribute__((warn_unused_result));
/* The same to be shown: any bytes can be in a name. */
void lookup_put_words(struct text *out, const struct invocation *invocation,
	const char *words);

#endif
