/* SPDX-License-Identifier: MIT */
#include "grader/engine/grade.h"
#include "grader/report/fold.h"
#include "grader/report/report.h"
#include "grader/report/text_writer.h"

#include <string.h>

enum { INDENT = 2, ALSO_SHOWN = 2 };

/* A family says the same in other words. */
static void put_also(struct text *sentence, const struct finding *finding)
{
	const char *families[ALSO_SHOWN + 1] = {finding->mistake->family};
	size_t n = 1;

	for (size_t i = 0; i < finding->n_also && n <= ALSO_SHOWN; i++) {
		const struct mistake *also = finding->also[i];
		size_t f = 0;

		while (f < n && strcmp(families[f], also->family) != 0)
			f++;
		if (f < n)
			continue;
		families[n++] = also->family;
		text_printf(sentence, ", or when %s", also->says);
	}
}

void text_put_findings(struct text_writer *w)
{
	const struct diagnosis *diagnosis = &w->grade->diagnosis;

	for (size_t i = 0; i < diagnosis->n_findings; i++) {
		const struct finding *finding = &diagnosis->findings[i];
		struct text sentence = {0};

		text_puts(&sentence,
			i == 0 ? "Your output is what you get when "
			       : "and when ");
		text_puts(&sentence, finding->mistake->says);
		put_also(&sentence, finding);
		/* Of two that the same cases tell, the last has the number. */
		if (i + 1 == diagnosis->n_findings ||
			diagnosis->findings[i + 1].mistake->range !=
				finding->mistake->range)
			text_printf(&sentence, " (%zu of %zu cases agree%s)",
				finding->cases, finding->of,
				finding->cases < finding->of
					? ", the others did not come to an end"
					: "");
		if (i + 1 == diagnosis->n_findings)
			text_putc(&sentence, '.');
		text_puts(w->out, i == 0 ? "\n" : "");
		text_puts(w->out, "  ");
		fold_put(w->out, w->style, INDENT,
			sentence.data ? sentence.data : "", sentence.len);
		text_putc(w->out, '\n');
		w->out->failed |= sentence.failed;
		text_finish(&sentence);
	}
}
