/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_INLINE_H
#define GRADER_REPORT_INLINE_H

/*
 * What stands inside a paragraph of CommonMark: words, emphasis, code, links.
 */

#include <cmark.h>
#include <stdbool.h>
#include <stddef.h>

struct style;
struct text;

/* The children of a block as words; bold ones if asked for.  Line breaks that
   the author did not insist on are blanks. */
void inline_put(struct text *out, const struct style *style, cmark_node *block,
	bool bold);

/* The same of source that is one paragraph, such as the cell of a table. */
void inline_put_source(struct text *out, const struct style *style,
	const char *source, size_t len, bool bold);

#endif
