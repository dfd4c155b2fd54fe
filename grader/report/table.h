/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_TABLE_H
#define GRADER_REPORT_TABLE_H

/*
 * Tables as many write them in CommonMark, which itself takes them to be a
 * paragraph:
 *
 *	| mistake | caught by |
 *	| ------- | --------: |
 *	| no sqrt | gentle    |
 */

#include <cmark.h>
#include <stdbool.h>
#include <stddef.h>

struct style;
struct text;

enum { TABLE_COLUMNS_MAX = 16 };

struct table {
	const char *source; /* of the whole page */
	size_t len;
	int first_line; /* of the table in it, from 1 */
	int last_line;
	size_t margin; /* bytes in front of each line */
	size_t n_columns;
	bool right[TABLE_COLUMNS_MAX];    /* flush right */
	size_t widths[TABLE_COLUMNS_MAX]; /* once it is measured */
	/* The line that was looked at last: rows come one after the other. */
	int at_line;
	const char *at;
};

/* Whether a paragraph of the page is a table. */
bool table_find(struct table *table, const char *source, size_t len,
	cmark_node *paragraph);

/* Rows to be put: the head, a rule, and the others. */
size_t table_rows(const struct table *table);

/* Before the first row is put. */
void table_measure(struct table *table, const struct style *style);

/* One of them, with no newline. */
void table_put_row(struct text *out, const struct style *style,
	struct table *table, size_t row);

#endif
