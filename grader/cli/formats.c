/* SPDX-License-Identifier: MIT */
#include "grader/cli/formats.h"

#include "base/error.h"
#include "base/text.h"
#include "grader/report/json.h"
#include "grader/report/text.h"

#include <string.h>

static bool put_text(struct text *out, const struct grade *grade,
	const struct report_options *options, struct error *err)
{
	report_put_text(out, grade, options);
	return text_check(out, err);
}

static const struct report_format formats[] = {
	{"text", put_text},
	{"json", report_put_json},
};

const struct report_format *formats_find(
	const char *name, size_t len, struct error *err)
{
	struct text known = {0};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		const char *format = formats[i].name;

		if (strlen(format) == len && memcmp(format, name, len) == 0) {
			text_finish(&known);
			return &formats[i];
		}
		text_printf(&known, "%s%s", i ? ", " : "", format);
	}
	error_write(err, ERROR_USAGE,
		"report format '%.*s' is not available; the formats are: %s",
		len > 64 ? 64 : (int)len, name, known.data ? known.data : "");
	text_finish(&known);
	return NULL;
}
