/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_GOLDEN_H
#define TESTS_SUPPORT_GOLDEN_H

/*
 * Files that say what comes out: a test makes the text and compares it.
 */

struct text;

/* Fails the test at the first line that differs.  Where UPDATE is set in the
   environment, it writes the file instead: read the difference. */
void golden_check(const char *path, const struct text *got);

#endif
