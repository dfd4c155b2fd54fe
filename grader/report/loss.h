/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_LOSS_H
#define GRADER_REPORT_LOSS_H

/* The words of lost precision. */

#include "grader/engine/precision.h"

struct text;

/* "Right method, lost precision: float has about 7 digits (line 12), double
   has 16"; nothing where none was lost. */
void loss_put_sentence(struct text *out, const struct precision *precision);

#endif
