/* SPDX-License-Identifier: MIT */
#include "tests/support/golden.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { GOLDEN_MAX = 1 << 20 };

static void compare(const char *path, const char *expected, const char *got)
{
	int line = 1;
	size_t same = 0;

	for (size_t i = 0; expected[i] && expected[i] == got[i]; i++) {
		if (expected[i] == '\n') {
			same = i + 1;
			line++;
		}
	}
	ck_assert_msg(strcmp(expected, got) == 0,
		"%s:%d: got\n%.1200s\nexpected\n%.1200s", path, line,
		got + same, expected + same);
}

void golden_check(const char *path, const struct text *got)
{
	const char *update = getenv("UPDATE");
	CLEANUP(cleanup_free) char *expected = NULL;
	struct error err = {0};
	size_t len;

	ck_assert(!got->failed);
	if (update && update[0]) {
		ck_assert_msg(file_write_atomic(path, got->data, got->len,
				      FILE_REPLACE, &err),
			"%s", err.message);
		return;
	}
	ck_assert_msg(file_read(path, GOLDEN_MAX, &expected, &len, &err), "%s",
		err.message);
	compare(path, expected, got->data ? got->data : "");
}
