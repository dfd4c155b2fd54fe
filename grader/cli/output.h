/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_OUTPUT_H
#define GRADER_CLI_OUTPUT_H

/*
 * Standard output and standard error.
 *
 * Commands put together all that they have to say and write it once, so that
 * a reader who has gone or a disk that is full is noticed and told.
 */

#include <stdbool.h>

struct error;
struct text;

/* Makes sure that no file which is opened later becomes one of the three
   standard streams, and that writing to nobody is an error, not the end. */
void output_init(void);

bool output_write(const struct text *text, struct error *err)
	__attribute__((warn_unused_result));

/* Whether complaints are to be ASCII alone; they need not until it is known. */
void output_set_ascii(bool ascii);

/* A line on standard error, "grader: ..."; bytes that could harm a terminal
   are escaped. */
void output_complain(const char *message);
void output_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
