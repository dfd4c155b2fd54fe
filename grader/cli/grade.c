/* SPDX-License-Identifier: MIT */
#include "grader/engine/grade.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "grader/cli/formats.h"
#include "grader/cli/lookup.h"
#include "grader/cli/memory.h"
#include "grader/cli/output.h"
#include "grader/cli/submission.h"
#include "grader/cli/workshop.h"
#include "grader/report/report.h"

#include <string.h>

static bool write_report(const struct report_target *target,
	const struct grade *grade, const struct report_options *options,
	struct error *err)
{
	struct report_options own = *options;
	struct text out = {0};
	bool good;

	/* A file is no terminal. */
	if (target->file)
		own.style.color = own.style.fold = false;
	good = target->format->put(&out, grade, &own, err);
	if (good && target->file)
		good = file_write_atomic(
			target->file, out.data, out.len, FILE_REPLACE, err);
	else if (good)
		good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static bool write_reports(struct invocation *invocation,
	const struct grade *grade, struct error *err)
{
	struct options *options = &invocation->options;
	struct report_options how = {
		.style = invocation->style,
		.verbose = options->verbose,
		.exercise = lookup_words(invocation, err),
		.hints_opened =
			memory_hints_opened(invocation, grade->exercise),
	};

	if (!how.exercise)
		return false;
	if (options->n_reports == 0 && !options->quiet) {
		options->reports[0].format = formats_find("text", 4, err);
		options->n_reports = 1;
	}
	for (size_t i = 0; i < options->n_reports; i++)
		if (!write_report(&options->reports[i], grade, &how, err))
			return false;
	return true;
}

static enum status status_of(
	const struct grade *grade, const struct options *options)
{
	if (grade->passed)
		return STATUS_PASSED;
	if (grade->verdict == VERDICT_GRADER_ERROR)
		return STATUS_SYSTEM;
	return options->exit_zero ? STATUS_PASSED : STATUS_NOT_PASSED;
}

static bool grade_and_report(struct invocation *invocation,
	const struct grade_request *request, struct tools *tools,
	struct error *err)
{
	struct grade whole, grade;

	if (!workshop_check_required(invocation, tools, err) ||
		!grade_submission(
			request, tools, invocation->arena, &whole, err) ||
		!grade_for(invocation->options.audience, &whole,
			invocation->arena, &grade, err))
		return false;
	if (!write_reports(invocation, &grade, err))
		return false;
	invocation->status = status_of(&grade, &invocation->options);
	if (invocation->status == STATUS_SYSTEM)
		output_note("the grader failed on some of the cases; this says "
			    "nothing about the submission");
	return true;
}

/* Before the work: that a report can be written, and that what was read is not
   gone with it. */
static bool check_report_files(
	const struct invocation *invocation, struct error *err)
{
	const struct options *options = &invocation->options;
	const char *const read[] = {invocation->arguments[1],
		options->secret ? options->secret
				: invocation->environment.secret_file};

	for (size_t i = 0; i < options->n_reports; i++) {
		const char *file = options->reports[i].file;

		if (file && !file_check_target(file, err))
			return false;
		for (size_t k = 0; k < sizeof(read) / sizeof(*read); k++)
			if (file && read[k] && file_same_place(file, read[k]))
				return error_set(err, ERROR_USAGE,
					"a report to '%s' would replace the "
					"%s",
					file, k == 0 ? "submission" : "secret");
	}
	return true;
}

bool command_grade(struct invocation *invocation, struct error *err)
{
	struct exercise exercise;
	struct grade_request request;
	struct tools tools;
	bool good;

	if (!check_report_files(invocation, err) ||
		!lookup_exercise(invocation, &exercise, err) ||
		!submission_request(invocation, &exercise, &request, err) ||
		!workshop_open(invocation, &tools, err))
		return false;
	good = grade_and_report(invocation, &request, &tools, err);
	workshop_close(&tools);
	return good;
}
