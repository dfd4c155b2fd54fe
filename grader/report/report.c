/* SPDX-License-Identifier: MIT */
#include "grader/report/report.h"

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

void report_put_word(struct text *out, const char *word)
{
	if (is_plain(word)) {
		text_puts(out, word);
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
	report_put_word(out, grade->file);
	text_puts(out, " --case ");
	report_put_word(out, graded->name);
	text_printf(out, " --seed %" PRIu64, grade->seed);
}
