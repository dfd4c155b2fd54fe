/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_NAMES_H
#define GRADER_ENGINE_NAMES_H

/*
 * Which names an exercise may give: to what ends up in C, and to what ends up
 * in file names, options and reports.
 */

#include <stdbool.h>

/* Each returns NULL if the name will do, else what is wrong with it, to follow
   the name: "is a keyword of C". */
const char *name_problem_of_function(const char *name);
const char *name_problem_of_parameter(const char *name);
/* The NAME of generate_NAME. */
const char *name_problem_of_generator(const char *name);
/* Of exercises, groups and cases: a-z, 0-9 and single hyphens between. */
const char *name_problem_of_label(const char *name);

#endif
