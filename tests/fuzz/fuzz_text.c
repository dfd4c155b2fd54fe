/* SPDX-License-Identifier: MIT */

/*
 * Whatever a submission, the compiler, a file's name or an exercise brings to a
 * report.  The first four bytes say how it may look and which case fails how;
 * strings follow, each up to a NUL; the rest is what the case printed.
 */

#include "base/escape.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/report/excerpt.h"
#include "grader/report/fold.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/sample.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { STRINGS = 8, ELEMENTS = 5 * 3 };

static void check_escape(const char *data, size_t len)
{
	for (unsigned int i = 0; i < 4; i++) {
		const struct style style = {.ascii = i & 1};
		struct text out = {0}, expected = {0}, twice = {0};

		if (i & 2)
			escape_put_line(&out, data, len, style.ascii);
		else
			escape_put(&out, data, len, style.ascii);
		fuzz_check_text(&out, &style);
		fuzz_escape(&expected, data, len, style.ascii, i & 2);
		assert(out.len == expected.len);
		assert(len == 0 ||
			memcmp(out.data, expected.data, out.len) == 0);
		/* What was escaped is what may be shown. */
		escape_put(&twice, out.data, out.len, style.ascii);
		assert(twice.len == out.len);
		text_finish(&twice);
		if (i == 3)
			fuzz_check_sentence(out.data ? out.data : "", out.len);
		text_finish(&out);
		text_finish(&expected);
	}
}

static void check_words(const struct style *style, const char *words)
{
	struct text out = {0}, folded = {0};

	style_put_words(&out, style, words);
	fuzz_check_text(&out, style);
	assert(out.len == 0 || !strpbrk(out.data, "\n\t"));
	assert(style_columns_of_words(style, words) <= out.len);
	/* Folding moves to new lines and changes nothing else. */
	if (out.data)
		fold_put(&folded, style, 0, out.data, out.len);
	fuzz_check_text(&folded, style);
	assert(out.len == folded.len ||
		(out.len == folded.len + 1 && out.data[out.len - 1] == ' '));
	for (size_t i = 0; i < folded.len; i++)
		assert(folded.data[i] == out.data[i] ||
			(folded.data[i] == '\n' && out.data[i] == ' '));
	text_finish(&out);
	text_finish(&folded);
}

static void check_excerpt(
	const struct style *style, const char *source, size_t len, int column)
{
	struct excerpt excerpt = {.line = 1, .column = column};
	struct text out = {0};
	size_t lines = 0;

	if (!excerpt_find(&excerpt, source, len)) {
		assert(len == 0);
		return;
	}
	assert(excerpt.source == source && excerpt.len <= len);
	excerpt_put(&out, style, &excerpt);
	fuzz_check_text(&out, style);
	for (size_t i = 0; i < out.len; i++)
		lines += out.data[i] == '\n';
	assert(lines == (column > 0 ? 2 : 1));
	text_finish(&out);
}

/* The byte at *at of a word that a shell would spell $'...'. */
static char read_spelt(const char **at)
{
	char byte = *(*at)++;

	if (byte != '\\')
		return byte;
	if (**at == '\\' || **at == '\'')
		return *(*at)++;
	byte = (char)((*at)[0] - '0');
	byte = (char)(byte * 8 + (*at)[1] - '0');
	byte = (char)(byte * 8 + (*at)[2] - '0');
	*at += 3;
	return byte;
}

/* As a shell would read it. */
static void check_word(const char *word, bool ascii)
{
	const struct style shown = {.ascii = ascii};
	struct text out = {0};
	bool quoted = false;
	size_t n = 0;
	const char *at;

	report_put_word(&out, word, ascii);
	assert(!out.failed && out.len > 0);
	at = out.data;
	if (strncmp(at, "$'", 2) == 0) {
		for (at += 2; *at != '\'';)
			assert(read_spelt(&at) == word[n++]);
		at++;
	}
	for (; *at; at++) {
		if (*at == '\'') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && *at == '\\')
			at++;
		else if (!quoted)
			assert(!strchr(" \t\n\"$`&|;<>()*?[]{}#~!\\", *at));
		assert(*at == word[n++]);
	}
	assert(!quoted && word[n] == '\0');
	fuzz_check_harmless(out.data, out.len, &shown);
	text_finish(&out);
}

static void check_nearest(const char *word, char *const strings[STRINGS])
{
	const char *found =
		nearest_name(word, (const char *const *)strings, STRINGS);
	bool among = !found;

	for (size_t i = 0; i < STRINGS; i++)
		among |= found == strings[i];
	assert(among);
}

static void check_items(const cJSON *root, const struct sample *sample,
	const struct case_grade *failed)
{
	const struct grade *grade = &sample->grade;
	const cJSON *item;

	item = cJSON_GetObjectItem(root, "file");
	fuzz_check_item(item, grade->file, strlen(grade->file));
	item = cJSON_GetObjectItem(root, "title");
	fuzz_check_item(
		item, grade->exercise->title, strlen(grade->exercise->title));
	item = cJSON_GetObjectItem(
		cJSON_GetObjectItem(root, "compile"), "diagnostics");
	assert((size_t)cJSON_GetArraySize(item) == grade->n_diagnostics);
	for (size_t i = 0; i < grade->n_diagnostics; i++) {
		const char *message = grade->diagnostics[i].message;

		fuzz_check_item(
			cJSON_GetObjectItem(
				cJSON_GetArrayItem(item, (int)i), "message"),
			message, strlen(message));
	}
	item = cJSON_GetObjectItem(root, "cases");
	assert(cJSON_GetArraySize(item) == SAMPLE_CASES);
	item = cJSON_GetArrayItem(item, (int)(failed - sample->cases));
	if (failed->details)
		fuzz_check_item(cJSON_GetObjectItem(item, "stdout"),
			failed->text, failed->text_len);
	else
		assert(cJSON_IsNull(cJSON_GetObjectItem(item, "stdout")));
}

/* A wrong output, with any elements wrong in any way. */
static void spoil(struct case_grade *failed, const struct text *printed,
	unsigned char elements[ELEMENTS])
{
	bool wrong = false;

	for (size_t i = 0; i < ELEMENTS; i++) {
		elements[i] = i < printed->len
			? (unsigned char)printed->data[i] % 4
			: ELEMENT_RIGHT;
		if (elements[i] != ELEMENT_RIGHT && !wrong)
			failed->mismatch.element = i;
		wrong |= elements[i] != ELEMENT_RIGHT;
	}
	failed->mismatch.found = wrong;
	failed->mismatch.output = SAMPLE_OUTPUT;
	failed->mismatch.type = TYPE_DOUBLE;
	failed->elements = wrong ? elements : NULL;
}

static void check_reports(struct sample *sample, unsigned int how,
	char *const strings[STRINGS], const struct text *printed)
{
	static const struct style styles[] = {
		{.width = 80},
		{.ascii = true, .width = 80},
		{.color = true, .fold = true, .width = 60},
		{.ascii = true, .fold = true, .width = 24},
	};
	const size_t source_len = strlen(strings[3]);
	const struct diagnostic diagnostics[] = {
		{how & 0x40 ? SEVERITY_ERROR : SEVERITY_WARNING, 1,
			(int)(how >> 8 & 0x7f), strings[1], strings[2],
			strings[3], strcspn(strings[3], "\n")},
		{SEVERITY_NOTE, 0, 0, strings[2], NULL, NULL, 0},
		{SEVERITY_WARNING, 0, 0, strings[4], strings[1], NULL, 0},
	};
	struct hint hints[] = {{strings[6], strings[7]}};
	struct case_grade *failed = sample_fail(sample, how % SAMPLE_CASES,
		VERDICT_SECURITY_VIOLATION +
			how / SAMPLE_CASES %
				(VERDICT_PASS - VERDICT_SECURITY_VIOLATION));
	unsigned char elements[ELEMENTS];
	cJSON *root;

	if (failed->verdict == VERDICT_WRONG_ANSWER)
		spoil(failed, printed, elements);
	failed->line = how & 0x8000 ? 1 : 0;
	failed->text = printed->data ? printed->data : "";
	failed->text_len = printed->len;
	failed->text_cut = how & 0x4000;
	sample->grade.file = strings[0];
	sample->grade.compiled = !(how & 0x40);
	sample->grade.diagnostics = diagnostics;
	sample->grade.n_diagnostics = 3;
	sample->grade.source = strings[3];
	sample->grade.source_len = source_len;
	sample->exercise.title = strings[4];
	sample->exercise.hints = hints;
	sample->exercise.n_hints = 1;
	sample->groups[0].title = strings[5];
	sample->groups[1].title = strings[6];
	sample->grade.compiler = strings[7];
	sample->options.style = styles[how >> 16 & 3];
	sample->options.exercise = strings[5];
	root = fuzz_check_reports(&sample->grade, &sample->options);
	check_items(root, sample, failed);
	cJSON_Delete(root);
}

int fuzz_text(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	unsigned int how = (unsigned int)fuzz_number(&input, 3);
	unsigned int column = fuzz_byte(&input);
	char *strings[STRINGS];
	struct text printed = {0};
	struct sample sample;

	for (size_t i = 0; i < STRINGS; i++)
		strings[i] = fuzz_string(&input);
	text_put(&printed, (const char *)input.data, input.len);
	sample_init(&sample);
	check_reports(&sample, how, strings, &printed);
	check_escape(printed.data, printed.len);
	check_excerpt(
		&sample.options.style, printed.data, printed.len, (int)column);
	for (size_t i = 0; i < STRINGS; i++) {
		check_words(&sample.options.style, strings[i]);
		check_word(strings[i], sample.options.style.ascii);
		check_nearest(strings[i], strings);
	}
	text_finish(&printed);
	for (size_t i = 0; i < STRINGS; i++)
		free(strings[i]);
	return 0;
}

FUZZ_ENTRY(text)
