/* SPDX-License-Identifier: MIT */
#include "base/nearest.h"

#include <string.h>

#define LONGEST 64 /* longer words are not typing slips of any name */

static char lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The optimal string alignment distance: each swap counts once. */
static size_t slips(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][LONGEST + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *now = rows[i % 3];
		const size_t *last = rows[(i - 1) % 3];
		const size_t *before = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			char x = lower(a[i - 1]);
			char y = lower(b[j - 1]);

			now[j] = least(least(last[j], now[j - 1]) + 1,
				last[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) &&
				lower(a[i - 2]) == y)
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

const char *nearest_name(
	const char *word, const char *const names[], size_t count)
{
	size_t len = strlen(word);
	size_t best = len / 3 > 2 ? len / 3 : 2;
	const char *found = NULL;

	if (len == 0 || len > LONGEST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t name_len = strlen(names[i]);
		size_t distance;

		if (name_len > LONGEST)
			continue;
		distance = slips(word, len, names[i], name_len);
		/* Every letter replaced is another word, not a slip. */
		if (distance < len && distance < best + (found == NULL)) {
			best = distance;
			found = names[i];
		}
	}
	return found;
}
