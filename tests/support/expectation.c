/* SPDX-License-Identifier: MIT */
#include "tests/support/expectation.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void read_first_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "r");
	char *text;

	ck_assert_ptr_nonnull(file);
	if (!fgets(line, (int)size, file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\r\n")] = '\0';
	/* A byte order mark may stand in front. */
	text = strstr(line, "// expect: ");
	ck_assert_msg(text && text - line <= 3,
		"%s does not start with '// expect: VERDICT'", path);
	memmove(line, text + 11, strlen(text + 11) + 1);
}

/* Cuts the next word off; a quoted part may have spaces. */
static char *cut_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ");
	char *end = word;
	bool quoted = false;

	while (*end && (quoted || *end != ' '))
		quoted ^= *end++ == '"';
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* The part's value, without its quotes, if the word is that part. */
static bool take_part(const char *word, const char *name, char out[static 256])
{
	size_t len = strlen(name);
	bool quoted = name[len - 1] == '"';

	if (strncmp(word, name, len) != 0)
		return false;
	snprintf(out, 256, "%s", word + len);
	if (quoted)
		out[strcspn(out, "\"")] = '\0';
	return true;
}

static void add_verdict(
	struct expectation *e, const char *path, const char *verdict)
{
	ck_assert_msg(e->n_verdicts < EXPECTATION_VERDICTS,
		"%s allows too many verdicts", path);
	snprintf(e->verdicts[e->n_verdicts++], sizeof(e->verdicts[0]), "%.23s",
		verdict);
}

struct expectation expectation_read(const char *path)
{
	struct expectation e = {0};
	char line[512];
	char other[256];
	char *rest = line;
	char *word;

	read_first_line(path, line, sizeof(line));
	add_verdict(&e, path, cut_word(&rest));
	while (*(word = cut_word(&rest))) {
		if (take_part(word, "or=", other))
			add_verdict(&e, path, other);
		else if (!take_part(word, "fails=", e.fails) &&
			!take_part(word, "passes=", e.passes) &&
			!take_part(word, "says=\"", e.says) &&
			!take_part(word, "names=", e.names) &&
			!take_part(word, "not=\"", e.not_says))
			ck_abort_msg("%s expects '%s', which is no part of an "
				     "expectation",
				path, word);
	}
	return e;
}

bool expectation_allows(const struct expectation *e, const char *verdict)
{
	for (size_t i = 0; i < e->n_verdicts; i++)
		if (strcmp(e->verdicts[i], verdict) == 0)
			return true;
	return false;
}
