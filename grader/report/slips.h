/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_SLIPS_H
#define GRADER_REPORT_SLIPS_H

/*
 * The words of a slip with memory: "read K[15]: K has 15 elements (5 rows of
 * 3)".  Plain ASCII; of the submission's own bytes only names that are letters,
 * digits and underscores, and how an array is declared, if that is printable.
 */

#include "grader/engine/grade.h"
#include "grader/engine/slips.h"

struct text;

/* One sentence with no full stop, no newline, and no line number of where it
   was. */
void slips_put_sentence(
	struct text *out, const struct grade *grade, const struct slip *slip);

/* The name in reports for programs: "index". */
const char *slips_kind_name(enum slip_kind kind);

#endif
