/* SPDX-License-Identifier: MIT */
#include "grader/report/report.h"

#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/grade.h"

#include <inttypes.h>
#include <string.h>

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./,:=+@%";

	return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

/* In bash's, zsh's and ksh's way of spelling bytes that cannot be shown. */
static void put_spelt(struct text *out, const char *word)
{
	text_puts(out, "$'");
	for (; *word; word++) {
		unsigned char byte = (unsigned char)*word;

		if (byte == '\'' || byte == '\\')
			text_printf(out, "\\%c", byte);
		else if (byte < ' ' || byte > '~')
			text_printf(out, "\\%03o", byte);
		else
			text_putc(out, *word);
	}
	text_putc(out, '\'');
}

/* Whether it may be shown as it is. */
static bool is_harmless(const char *word, bool ascii)
{
	size_t len = strlen(word);
	struct text escaped = {0};
	bool same;

	escape_put_line(&escaped, word, len, ascii);
	/* Escaping only ever makes it longer. */
	same = !escaped.failed && escaped.len == len;
	text_finish(&escaped);
	return same;
}

void report_put_word(struct text *out, const char *word, bool ascii)
{
	if (is_plain(word)) {
		text_puts(out, word);
		return;
	}
	if (!is_harmless(word, ascii)) {
		put_spelt(out, word);
		return;
	}
	text_putc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			text_puts(out, "'\\''");
		else
			text_putc(out, *word);
	}
	text_putc(out, '\'');
}

void report_put_rerun(struct text *out, const struct grade *grade,
	const struct report_options *options, const struct case_grade *graded)
{
	text_printf(out, "grader grade %s ", options->exercise);
	/* A name that starts with a dash would be taken for an option. */
	if (grade->file[0] == '-' && grade->file[1] != '\0')
		text_puts(out, "./");
	report_put_word(out, grade->file, options->style.ascii);
	text_puts(out, " --case ");
	report_put_word(out, graded->name, options->style.ascii);
	text_printf(out, " --seed %" PRIu64, grade->seed);
}

size_t report_choose_hint(const struct grade *grade, size_t hints_opened)
{
	const struct diagnosis *diagnosis = &grade->diagnosis;
	const size_t n_hints = grade->exercise->n_hints;
	const size_t hint = diagnosis->n_findings > 0
		? diagnosis->findings[0].mistake->hint
		: hints_opened + 1;

	if (grade->passed || !grade->compiled ||
		grade->verdict == VERDICT_GRADER_ERROR || hint > n_hints)
		return 0;
	return hint;
}
