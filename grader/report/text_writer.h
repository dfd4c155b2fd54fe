/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_TEXT_WRITER_H
#define GRADER_REPORT_TEXT_WRITER_H

/*
 * What the files of the text report share and nobody else sees: text.c writes
 * the grader's own words, text_quotes.c what others said, the compiler and the
 * submission, text_findings.c which mistakes were made.
 */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct case_grade;
struct grade;
struct report_options;
struct style;

enum {
	EXCERPTS_SHOWN = 2,
	FOLD_INDENT = 6, /* of a sentence below what it is about */
};

struct text_writer {
	struct text *out;
	const struct grade *grade;
	const struct report_options *options;
	const struct style *style;
	size_t title_columns; /* of the widest group's title */
	size_t count_columns; /* of the widest "12/12" */
	size_t name_columns;  /* of the widest name of a failing case */
	int excerpt_lines[EXCERPTS_SHOWN];
	size_t n_excerpts;
	bool has_picture;
	struct text kinds; /* of the failures shown, a line each */
	size_t n_left_out; /* sentences, for their kind was shown */
};

/* The file without its folders: where a line is. */
void text_put_file_name(const struct text_writer *w, struct text *out);

void text_put_compile_errors(struct text_writer *w);
/* Of a submission that compiled and did not pass. */
void text_put_warnings(struct text_writer *w);

/* Which mistakes it makes, where they are known. */
void text_put_findings(struct text_writer *w);

/* What it printed in one case. */
void text_put_printed(struct text_writer *w, const struct case_grade *graded);

#endif
