/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SOURCE_COMMENT_H
#define GRADER_ENGINE_SOURCE_COMMENT_H

/*
 * Texts of an exercise as comments of C, in lines of 80 columns.  Nothing in a
 * text can end the comment that it stands in or start another.
 */

struct text;

/* Lines that each start with a prefix, such as " * ", inside a comment. */
void comment_put_lines(struct text *out, const char *prefix, const char *says);

/* " * name   what it is", the name in as many columns as asked for. */
void comment_put_entry(
	struct text *out, const char *name, const char *says, int width);

/* A comment of its own: one line if it fits, else a block. */
void comment_put(struct text *out, const char *indent, const char *says);

#endif
