/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_PAGE_H
#define GRADER_REPORT_PAGE_H

/*
 * CommonMark as a page of plain text, for lessons and hints.
 *
 * cmark reads it.  Paragraphs are wrapped to the width, code is shown as it
 * is, and tables with pipes, which CommonMark has not, are lined up.
 */

#include <stddef.h>

struct style;
struct text;

/* Ends with a newline, and has no blank line in front or behind; nothing where
   the source has nothing to show. */
void page_put(struct text *out, const struct style *style, const char *source,
	size_t len);

#endif
