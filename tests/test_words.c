/* SPDX-License-Identifier: MIT */

/*
 * Every sentence that a learner reads, held against tests/words.txt.
 *
 * A word is allowed if it stands there (plain English, and what any C course
 * has), or if it is one of the exercise's own terms: what the lesson explains,
 * in bold below "Words to know" or in italics where it comes up, and the names
 * of parameters.  What is plainly code is no word: in backquotes, in front of
 * a parenthesis, with a digit or an underscore, a single letter.
 *
 * The grader's own sentences are read from the string literals of its C files,
 * so none is missed for want of a test that brings it about.  A literal without
 * a blank is a key or a name.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { FILE_MAX = 4 << 20, WORD_MAX = 64, MESSAGE_MAX = 4096 };

/* Words, each between two newlines. */
static struct text plain;
static struct text terms; /* of one exercise */
static struct text refused;

static char *read_file(const char *path)
{
	struct error err;
	char *data;
	size_t len;

	ck_assert_msg(file_read(path, FILE_MAX, &data, &len, &err), "%s",
		err.message);
	return data;
}

static void set_up(void)
{
	CLEANUP(cleanup_free) char *data = read_file("tests/words.txt");

	text_putc(&plain, '\n');
	text_putc(&terms, '\n');
	for (char *line = strtok(data, "\n"); line; line = strtok(NULL, "\n")) {
		if (line[0] == '#')
			continue;
		for (char *c = line; *c; c++)
			text_putc(&plain, *c == ' ' ? '\n' : *c);
		text_putc(&plain, '\n');
	}
}

static void tear_down(void)
{
	text_finish(&plain);
	text_finish(&terms);
	text_finish(&refused);
}

/* Words -------------------------------------------------------------------- */

static bool has(const struct text *list, const char *word, size_t len)
{
	char between[WORD_MAX + 3];

	snprintf(between, sizeof(between), "\n%.*s\n", (int)len, word);
	return strstr(list->data, between) != NULL;
}

static bool is_listed(const char *word, size_t len)
{
	return has(&plain, word, len) || has(&terms, word, len);
}

/* Itself, or what it is a form of: adds, added, adding; divides; queries. */
static bool is_allowed(const char *word)
{
	static const struct {
		const char *ending;
		const char *base;
	} forms[] = {{"s", ""}, {"es", ""}, {"d", ""}, {"ed", ""}, {"ing", ""},
		{"ies", "y"}, {"ied", "y"}};
	size_t len = strlen(word);

	if (is_listed(word, len))
		return true;
	for (size_t i = 0; i < COUNT(forms); i++) {
		size_t end = strlen(forms[i].ending);
		char base[WORD_MAX + 2];

		if (len < end + 3 ||
			strcmp(word + len - end, forms[i].ending) != 0)
			continue;
		snprintf(base, sizeof(base), "%.*s%s", (int)(len - end), word,
			forms[i].base);
		if (is_listed(base, strlen(base)))
			return true;
	}
	return false;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static bool is_code(const char *word, size_t len, char next)
{
	if (len == 1 || next == '(')
		return true;
	for (size_t i = 0; i < len; i++)
		if (word[i] == '_' || isdigit((unsigned char)word[i]) ||
			(word[i] & 0x80))
			return true;
	return false;
}

static void check_word(const char *where, const char *word, size_t len)
{
	char exact[WORD_MAX + 1], lower[WORD_MAX + 1];

	ck_assert_uint_lt(len, sizeof(exact));
	for (size_t i = 0; i <= len; i++) {
		exact[i] = i < len ? word[i] : '\0';
		lower[i] = (char)tolower((unsigned char)exact[i]);
	}
	if (is_listed(exact, len) || is_allowed(lower))
		return;
	/* Check takes no message of any length. */
	if (refused.len < MESSAGE_MAX)
		text_printf(&refused, "%s: %s\n", where, exact);
}

/* The words of a sentence; all else is blanks. */
static void check_words(const char *where, const char *text)
{
	while (*text) {
		const char *word = text;

		/* An option: --verbose. */
		if (strncmp(text, "--", 2) == 0)
			text += 2 + strspn(text + 2, LETTERS "-");
		while (is_word_char(*text))
			text++;
		if (text == word)
			text++;
		else if (word[0] != '-' &&
			!is_code(word, (size_t)(text - word), *text))
			check_word(where, word, (size_t)(text - word));
		/* The lesson's, doesn't, malloc'ed. */
		if (*text == '\'' && text > word &&
			isalpha((unsigned char)text[-1]))
			text += 1 + strspn(text + 1, LETTERS);
	}
}

/* Markdown ----------------------------------------------------------------- */

/* With blanks in place of what is code: lines that are indented by four, and
   what stands in backquotes. */
static void blank_code(char *text)
{
	bool quoted = false, indented = false, line_starts = true;

	for (; *text; text++) {
		if (line_starts)
			indented = strncmp(text, "    ", 4) == 0;
		line_starts = *text == '\n';
		if (*text == '`' && !indented)
			quoted = !quoted;
		if ((quoted || indented) && *text != '\n')
			*text = ' ';
	}
}

static void check_markdown(const char *where, const char *text)
{
	CLEANUP(cleanup_free) char *copy = strdup(text);

	ck_assert_ptr_nonnull(copy);
	blank_code(copy);
	check_words(where, copy);
}

static void add_terms(const char *words, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text_putc(&terms,
			isalpha((unsigned char)words[i])
				? (char)tolower((unsigned char)words[i])
				: '\n');
	text_putc(&terms, '\n');
}

/* What stands between two of these marks, up to end. */
static void find_terms(const char *text, const char *end, const char *mark)
{
	const size_t len = strlen(mark);

	while ((text = strstr(text, mark)) && text < end) {
		const char *close = strstr(text + len, mark);

		if (!close || text[len] == ' ' || text[len] == '*')
			return;
		add_terms(text + len, (size_t)(close - text) - len);
		text = close + len;
	}
}

/* In italics anywhere, in bold where words are explained. */
static void find_lesson_terms(const char *lesson)
{
	CLEANUP(cleanup_free) char *copy = strdup(lesson);
	char *section, *end;

	ck_assert_ptr_nonnull(copy);
	blank_code(copy);
	section = strstr(copy, "\n## Words to know\n");
	ck_assert_ptr_nonnull(section);
	end = strstr(section + 1, "\n## ");
	ck_assert_ptr_nonnull(end);
	find_terms(section, end, "**");
	for (char *bold = copy; (bold = strstr(bold, "**"));)
		bold[0] = bold[1] = ' ';
	find_terms(copy, copy + strlen(copy), "*");
}

/* An exercise -------------------------------------------------------------- */

/* Of exercise.json, what is shown. */
static const char *const shown[] = {
	"title", "summary", "says", "text", "watch_out", "steps"};

static bool is_shown(const char *key)
{
	for (size_t i = 0; key && i < COUNT(shown); i++)
		if (strcmp(key, shown[i]) == 0)
			return true;
	return false;
}

/* Calls back for each string; key is that of the list for those in one. */
static void walk(const char *where, const cJSON *item, const char *key)
{
	for (; item; item = item->next) {
		const char *name = item->string ? item->string : key;

		if (cJSON_IsString(item) && is_shown(name))
			check_markdown(where, item->valuestring);
		else if (item->child)
			walk(where, item->child, name);
	}
}

static void find_parameters(const cJSON *root)
{
	const cJSON *function, *parameter;

	cJSON_ArrayForEach(
		function, cJSON_GetObjectItemCaseSensitive(root, "functions"))
	{
		cJSON_ArrayForEach(parameter,
			cJSON_GetObjectItemCaseSensitive(
				function, "parameters"))
		{
			text_puts(&terms,
				cJSON_GetStringValue(
					cJSON_GetObjectItemCaseSensitive(
						parameter, "name")));
			text_putc(&terms, '\n');
		}
	}
}

/* C ------------------------------------------------------------------------ */

/* An escape of C in a literal; a letter where one is meant. */
static const char *skip_escape(const char *text)
{
	if (*text == 'x')
		return text + 1 + strspn(text + 1, "0123456789abcdef");
	if (strspn(text, "01234567") > 0)
		return text + strspn(text, "01234567");
	return text + 1;
}

/* The conversion behind a %: "zu", ".*s", "02x". */
static const char *skip_conversion(const char *text)
{
	text += strspn(text, "-+ #0123456789.*");
	text += strspn(text, "hlzjtL");
	return *text && *text != '"' ? text + 1 : text;
}

/* A literal from its quote on, and those that follow at once. */
static const char *take_literal(const char *text, struct text *out)
{
	while (*text == '"') {
		text++;
		while (*text && *text != '"') {
			if (*text == '\\') {
				text = skip_escape(text + 1);
				text_putc(out, '\n');
			} else if (*text == '%') {
				text = skip_conversion(text + 1);
				text_putc(out, '0');
			} else {
				text_putc(out, *text++);
			}
		}
		text += *text == '"';
		text += strspn(text, " \t\n");
	}
	return text;
}

static const char *skip_comment(const char *text)
{
	const char *end = strstr(text + 2, "*/");

	return end ? end + 2 : text + strlen(text);
}

static const char *skip_line(const char *text)
{
	return text + strcspn(text, "\n");
}

/* All string literals that have a blank in them. */
static void check_literals(const char *path)
{
	CLEANUP(cleanup_free) char *data = read_file(path);
	const char *at = data;

	while (*at) {
		if (strncmp(at, "/*", 2) == 0) {
			at = skip_comment(at);
		} else if (strncmp(at, "#include", 8) == 0) {
			at = skip_line(at);
		} else if (strncmp(at, "'\"'", 3) == 0) {
			at += 3;
		} else if (*at == '"') {
			CLEANUP(cleanup_text) struct text literal = {0};

			at = take_literal(at, &literal);
			if (literal.data && strchr(literal.data, ' '))
				check_words(path, literal.data);
		} else {
			at++;
		}
	}
}

static void check_comments(const char *path)
{
	CLEANUP(cleanup_free) char *data = read_file(path);
	char *at = data;

	while ((at = strstr(at, "/*"))) {
		char *end = strstr(at, "*/");

		ck_assert_ptr_nonnull(end);
		*end = '\0';
		if (!strstr(at, "SPDX"))
			check_words(path, at);
		at = end + 1;
	}
}

/* -------------------------------------------------------------------------- */

static void each(const char *pattern, void (*check)(const char *path))
{
	glob_t found = {0};

	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			check(found.gl_pathv[i]);
	globfree(&found);
}

static void check_refused(void)
{
	ck_assert_msg(refused.len == 0,
		"neither in tests/words.txt nor explained by the lesson:\n%s",
		refused.data);
}

START_TEST(the_grader_says_everything_in_plain_words)
{
	each("grader/report/*.c", check_literals);
	each("grader/engine/signature.c", check_literals);
	each("grader/cli/hint.c", check_literals);
	each("grader/cli/watch*.c", check_literals);
	each("grader/cli/explain*.c", check_literals);
	check_refused();
}
END_TEST

START_TEST(a_word_that_nobody_explained_is_refused)
{
	find_lesson_terms("# A\n\nA *logit* is a number.\n\n    *code*\n"
			  "\n## Words to know\n\n- **Softmax**: a step.\n"
			  "\n## Why\n\n**Entropy** matters.\n");
	check_markdown("one",
		"The softmaxes of d_v logits, `as code`, exp(2), "
		"Tq2 and doesn't divide malloc'ed queries --x.");
	ck_assert_str_eq(refused.data, "one: queries\n");
	refused.len = 0;
	check_markdown("two", "Entropy\n\n    code that is indented\n\ncode");
	ck_assert_str_eq(refused.data, "two: Entropy\n");
}
END_TEST

static void check_exercise(const char *folder)
{
	char path[256];
	CLEANUP(cleanup_free) char *json = NULL;
	CLEANUP(cleanup_free) char *lesson = NULL;
	cJSON *root;

	terms.len = 1;
	snprintf(path, sizeof(path), "%s/lesson.md", folder);
	lesson = read_file(path);
	find_lesson_terms(lesson);
	check_markdown(path, lesson);
	snprintf(path, sizeof(path), "%s/exercise.json", folder);
	json = read_file(path);
	root = cJSON_Parse(json);
	ck_assert_msg(root != NULL, "%s", path);
	find_parameters(root);
	walk(path, root->child, NULL);
	cJSON_Delete(root);
	snprintf(path, sizeof(path), "%s/explain.c", folder);
	each(path, check_literals);
	snprintf(path, sizeof(path), "%s/solution.c", folder);
	each(path, check_comments);
}

START_TEST(an_exercise_uses_only_words_that_its_lesson_explains)
{
	each("exercises/*", check_exercise);
	check_refused();
}
END_TEST

Suite *words_suite(void)
{
	Suite *suite = suite_create("words");
	TCase *tcase = tcase_create("words");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, a_word_that_nobody_explained_is_refused);
	tcase_add_test(tcase, the_grader_says_everything_in_plain_words);
	tcase_add_test(
		tcase, an_exercise_uses_only_words_that_its_lesson_explains);
	suite_add_tcase(suite, tcase);
	return suite;
}
