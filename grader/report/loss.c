/* SPDX-License-Identifier: MIT */
#include "grader/report/loss.h"

#include "base/text.h"

#include <string.h>

static void put_line(struct text *out, int line)
{
	if (line > 0)
		text_printf(out, " (line %d)", line);
}

void loss_put_sentence(struct text *out, const struct precision *precision)
{
	const char *name = precision->name;

	if (precision->loss == PRECISION_KEPT)
		return;
	text_puts(out, "Right method, lost precision: ");
	switch (precision->loss) {
	case PRECISION_KEPT:
		break;
	case PRECISION_VARIABLE:
		text_puts(out, "float");
		put_line(out, precision->line);
		if (name[0]) {
			text_printf(out, " and %s()", name);
			put_line(out, precision->function_line);
		}
		text_printf(out, " keep%s about 7 digits, double keeps 16",
			name[0] ? "" : "s");
		break;
	case PRECISION_FUNCTION:
		text_printf(out, "%s()", name);
		put_line(out, precision->line);
		text_printf(out,
			" works in float, with about 7 digits; %.*s() keeps 16",
			(int)strlen(name) - 1, name);
		break;
	case PRECISION_CONSTANT:
		text_printf(out, "the number %s", name);
		put_line(out, precision->line);
		text_printf(out, " has only %d digits, a double keeps 16",
			precision->digits);
		break;
	case PRECISION_UNKNOWN:
		text_puts(out,
			"every number that comes out is one that float can "
			"hold, and float keeps about 7 digits");
		break;
	}
}
