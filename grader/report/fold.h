/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_FOLD_H
#define GRADER_REPORT_FOLD_H

/*
 * Lines of a report that is read on a screen: none is wider than that.  Where
 * style->fold is not set (a file, a pipe), everything fits.
 */

#include <stdbool.h>
#include <stddef.h>

struct style;
struct text;

/* Whether so many columns more fit on the line that out ends with. */
bool fold_fits(
	const struct text *out, const struct style *style, size_t columns);

/* Words on the line that out ends with; between two of them a new line of so
   many blanks begins where the next does not fit. */
void fold_put(struct text *out, const struct style *style, size_t indent,
	const char *words, size_t len);

/*
 * Takes away what does not fit on so many lines of the screen, of the text
 * from start on, and says so in the last of them; 0 lines: everything fits.
 */
void fold_cut(
	struct text *out, const struct style *style, size_t start, size_t rows);

#endif
