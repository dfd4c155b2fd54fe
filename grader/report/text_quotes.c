/* SPDX-License-Identifier: MIT */
#include "grader/report/text_writer.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/report/excerpt.h"
#include "grader/report/fold.h"
#include "grader/report/report.h"
#include "grader/report/style.h"

#include <string.h>

enum {
	ERRORS_SHOWN = 5,
	WARNINGS_SHOWN = 2,
	PRINTED_LINES_SHOWN = 5,
	PRINTED_COLUMNS_SHOWN = 100,
};

void text_put_file_name(const struct text_writer *w, struct text *out)
{
	const char *slash = strrchr(w->grade->file, '/');
	const char *name = slash ? slash + 1 : w->grade->file;

	if (strcmp(name, "-") == 0)
		text_puts(out, "standard input");
	else
		escape_put_line(out, name, strlen(name), w->style->ascii);
}

/* What the compiler said ------------------------------------------------ */

static const struct {
	const char *name;
	enum paint paint;
} severities[] = {
	[SEVERITY_ERROR] = {"error", PAINT_RED},
	[SEVERITY_WARNING] = {"warning", PAINT_YELLOW},
	[SEVERITY_NOTE] = {"note", PAINT_CYAN},
};

static void put_diagnostic_line(const struct text_writer *w, struct text *out,
	const struct diagnostic *d)
{
	text_puts(out, "  ");
	text_put_file_name(w, out);
	if (d->line > 0)
		text_printf(out, ":%d", d->line);
	if (d->line > 0 && d->column > 0)
		text_printf(out, ":%d", d->column);
	text_puts(out, ": ");
	style_begin(out, w->style, severities[d->severity].paint);
	text_printf(out, "%s:", severities[d->severity].name);
	style_end(out, w->style);
	text_putc(out, ' ');
	escape_put_line(out, d->message, strlen(d->message), w->style->ascii);
	if (d->option) {
		text_puts(out, " [");
		escape_put_line(
			out, d->option, strlen(d->option), w->style->ascii);
		text_putc(out, ']');
	}
}

/* Ours, about the line that was just shown: how it should have read. */
static bool is_own_note(const struct diagnostic *d)
{
	static const char start[] = "expected: ";

	return d->severity == SEVERITY_NOTE && d->column == 0 &&
		strncmp(d->message, start, strlen(start)) == 0;
}

static void put_diagnostic(struct text_writer *w, const struct diagnostic *d)
{
	CLEANUP(cleanup_text) struct text line = {0};
	const struct excerpt excerpt = {
		d->line, d->source, d->source_len, d->column};

	put_diagnostic_line(w, &line, d);
	if (!line.failed)
		fold_put(w->out, w->style, FOLD_INDENT, line.data, line.len);
	w->out->failed |= line.failed;
	text_putc(w->out, '\n');
	if (d->source && d->line > 0 && !is_own_note(d))
		excerpt_put(w->out, w->style, &excerpt);
}

/* All of one severity, the first few of them unless verbose, each with the
   notes that follow it: ours, or all if verbose. */
static size_t put_diagnostics(
	struct text_writer *w, enum severity severity, size_t max)
{
	size_t count = 0;
	bool with_notes = false;

	for (size_t i = 0; i < w->grade->n_diagnostics; i++) {
		const struct diagnostic *d = &w->grade->diagnostics[i];

		if (d->severity == severity) {
			count++;
			with_notes = count <= max || w->options->verbose;
			if (with_notes)
				put_diagnostic(w, d);
		} else if (d->severity != SEVERITY_NOTE) {
			with_notes = false;
		} else if (with_notes &&
			(w->options->verbose || is_own_note(d))) {
			put_diagnostic(w, d);
		}
	}
	if (count > max && !w->options->verbose)
		text_printf(w->out, "  %s and %zu more %s%s\n",
			style_symbol(w->style, SYMBOL_CUT), count - max,
			severities[severity].name, count - max == 1 ? "" : "s");
	return count;
}

static void put_cut(struct text_writer *w)
{
	if (w->grade->diagnostics_cut)
		text_puts(w->out, "  The compiler said more than is kept.\n");
}

void text_put_compile_errors(struct text_writer *w)
{
	style_begin(w->out, w->style, PAINT_RED);
	text_puts(w->out, "  does not compile");
	style_end(w->out, w->style);
	text_puts(w->out, "\n\n");
	if (put_diagnostics(w, SEVERITY_ERROR, ERRORS_SHOWN) == 0)
		put_diagnostics(w, SEVERITY_WARNING, ERRORS_SHOWN);
	put_cut(w);
	text_putc(w->out, '\n');
}

void text_put_warnings(struct text_writer *w)
{
	bool any = false;

	for (size_t i = 0; i < w->grade->n_diagnostics; i++)
		any |= w->grade->diagnostics[i].severity == SEVERITY_WARNING;
	if (!any || w->grade->passed || !w->grade->compiled)
		return;
	text_putc(w->out, '\n');
	put_diagnostics(w, SEVERITY_WARNING, WARNINGS_SHOWN);
	put_cut(w);
}

/* What the submission printed ------------------------------------------- */

static void put_printed_line(
	struct text_writer *w, const char *line, size_t len, bool whole)
{
	struct text escaped = {0};
	size_t shown;

	escape_put_line(&escaped, line, len, w->style->ascii);
	shown = escaped.len;
	if (!whole && shown > PRINTED_COLUMNS_SHOWN) {
		shown = PRINTED_COLUMNS_SHOWN;
		while (((unsigned char)escaped.data[shown] & 0xc0) == 0x80)
			shown--;
	}
	style_begin(w->out, w->style, PAINT_DIM);
	text_printf(w->out, "      %s ", style_symbol(w->style, SYMBOL_BAR));
	if (escaped.data)
		text_put(w->out, escaped.data, shown);
	if (shown < escaped.len)
		text_puts(w->out, style_symbol(w->style, SYMBOL_CUT));
	style_end(w->out, w->style);
	text_putc(w->out, '\n');
	w->out->failed |= escaped.failed;
	text_finish(&escaped);
}

void text_put_printed(struct text_writer *w, const struct case_grade *graded)
{
	const char *line = graded->text;
	const char *end = line + graded->text_len;
	size_t n = 0;
	bool whole = w->options->verbose;

	if (!graded->details || graded->text_len == 0)
		return;
	while (line < end && (whole || n < PRINTED_LINES_SHOWN)) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		put_printed_line(w, line, (size_t)(stop - line), whole);
		line = newline ? newline + 1 : end;
		n++;
	}
	if (line < end || graded->text_cut)
		text_printf(w->out, "      %s\n",
			style_symbol(w->style, SYMBOL_CUT));
}
