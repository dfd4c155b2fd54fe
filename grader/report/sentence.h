/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_SENTENCE_H
#define GRADER_REPORT_SENTENCE_H

/*
 * The words of a verdict: from facts to one line that says what happened, so
 * that a learner knows where to look.
 *
 * Everything is plain ASCII and free of the submission's own bytes.  Of a case
 * whose details may not be shown, nothing is said but what its verdict and the
 * exercise's own limits tell.  Our own failures are named as ours.
 */

#include "grader/engine/grade.h"

struct text;

/* Where details may be shown the case has its function and test case.
   One line with no full stop and no newline; empty for a case that passed. */
void sentence_put_case(struct text *out, const struct grade *grade,
	const struct case_grade *graded);

/* "read K[15]: K has 15 elements (5 rows of 3)": of an array of the case's. */
void sentence_put_access(struct text *out, const struct case_grade *graded,
	const struct access *access);

/* "1st", "22nd", "13th". */
void sentence_put_ordinal(struct text *out, unsigned int number);
/* "64 MiB", "1.5 KiB", "17 bytes". */
void sentence_put_bytes(struct text *out, uint64_t bytes);
/* "250 ms", "1.5 s". */
void sentence_put_ms(struct text *out, uint64_t ms);

#endif
