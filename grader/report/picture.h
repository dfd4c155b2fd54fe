/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_PICTURE_H
#define GRADER_REPORT_PICTURE_H

/*
 * Which elements of a wrong output are wrong, so that a row, a column or a
 * diagonal is seen at a glance:
 *
 *	output, 5 rows of 3: ■ is wrong, n is NaN
 *	  0  · ■ ·
 *	  1  · ■ ·
 *	  2  n ■ n
 *
 * Where all are wrong in the same way, a line says so.  Of a large array there
 * is a part, with the first wrong element in it.
 */

#include <stdbool.h>
#include <stddef.h>

struct case_grade;
struct style;
struct text;

/* Whether there is something to see: a wrong answer, in an array of two axes
   that is not tiny, whose details may be shown. */
bool picture_is_worth_it(const struct case_grade *graded);

/* Of a case that is worth it; each line begins with so many blanks. */
void picture_put(struct text *out, const struct style *style, size_t indent,
	const struct case_grade *graded);

#endif
