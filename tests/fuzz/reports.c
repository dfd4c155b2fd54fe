/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/report/json.h"
#include "grader/report/report.h"
#include "grader/report/text.h"
#include "tests/fuzz/fuzz.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <string.h>

static void check_text(
	const struct grade *grade, const struct report_options *options)
{
	struct text text = {0};

	report_put_text(&text, grade, options);
	assert(text.len > 0 && text.data[text.len - 1] == '\n');
	fuzz_check_text(&text, &options->style);
	text_finish(&text);
}

/* What watch shows: no more lines than there may be. */
static void check_brief(
	const struct grade *grade, const struct report_options *options)
{
	struct report_options brief = *options;

	for (brief.rows = 0; brief.rows <= 8; brief.rows += 4) {
		struct text text = {0};
		size_t lines = 0;

		report_put_brief(&text, grade, &brief);
		assert(text.len > 0 && text.data[text.len - 1] == '\n');
		fuzz_check_text(&text, &options->style);
		for (size_t i = 0; i < text.len; i++)
			lines += text.data[i] == '\n';
		assert(brief.rows == 0 || lines <= brief.rows);
		text_finish(&text);
	}
}

static void check_failing(
	const struct grade *grade, const struct report_options *options)
{
	struct text text = {0};

	report_put_failing(&text, grade, options);
	assert(text.len == 0 || text.data[text.len - 1] == '\n');
	fuzz_check_text(&text, &options->style);
	text_finish(&text);
}

struct cJSON *fuzz_check_reports(
	const struct grade *grade, const struct report_options *options)
{
	struct report_options verbose = *options;
	struct error err = {0};
	struct text text = {0};
	const char *end = NULL;
	cJSON *root;

	check_text(grade, options);
	verbose.verbose = !options->verbose;
	check_text(grade, &verbose);
	check_brief(grade, options);
	check_failing(grade, options);
	assert(report_put_json(&text, grade, options, &err));
	fuzz_check_text(&text, NULL);
	assert(strlen(text.data) == text.len);
	root = cJSON_ParseWithOpts(text.data, &end, true);
	assert(root && end == text.data + text.len);
	text_finish(&text);
	return root;
}

void fuzz_check_item(const struct cJSON *item, const char *data, size_t len)
{
	const char *string = cJSON_GetStringValue(item);
	struct text escaped = {0};

	fuzz_escape(&escaped, data, len, false, false);
	assert(string && !escaped.failed);
	assert(strcmp(string, escaped.data ? escaped.data : "") == 0);
	text_finish(&escaped);
}
