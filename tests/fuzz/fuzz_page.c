/* SPDX-License-Identifier: MIT */

/*
 * Whatever a lesson or a hint holds: the first byte says how the page may
 * look, the rest is CommonMark.
 */

#include "base/text.h"
#include "grader/report/page.h"
#include "grader/report/style.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* "Ends with a newline, and has no blank line in front or behind." */
static void check_ends(const char *page, size_t len)
{
	assert(len > 0 && page[len - 1] == '\n');
	if (len == 1)
		return;
	assert(page[0] != '\n');
	assert(page[len - 2] != '\n');
}

int fuzz_page(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	unsigned int looks = fuzz_byte(&input);
	struct style style = {
		.ascii = looks & 1,
		.color = looks & 2,
		.fold = looks & 4,
		.width = (int)(looks >> 3) * 4,
	};
	char *source = fuzz_copy(input.data, input.len);
	struct text page = {0}, again = {0};

	page_put(&page, &style, source, input.len);
	fuzz_check_text(&page, &style);
	if (page.len > 0)
		check_ends(page.data, page.len);
	/* It depends on nothing else, and adds to what is there. */
	text_puts(&again, "before\n");
	page_put(&again, &style, source, input.len);
	assert(again.len == page.len + 7);
	assert(page.len == 0 ||
		memcmp(again.data + 7, page.data, page.len) == 0);
	text_finish(&page);
	text_finish(&again);
	free(source);
	return 0;
}

FUZZ_ENTRY(page)
