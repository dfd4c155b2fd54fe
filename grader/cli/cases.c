/* SPDX-License-Identifier: MIT */
#include "grader/engine/cases.h"

#include "base/error.h"
#include "base/text.h"
#include "grader/cli/lookup.h"
#include "grader/cli/output.h"
#include "grader/cli/submission.h"
#include "grader/cli/workshop.h"
#include "grader/engine/cases_pattern.h"
#include "grader/report/cases.h"

static bool write_cases(struct invocation *invocation,
	const struct cases_view *view, struct error *err)
{
	size_t hidden = view->hidden ? 0 : cases_count_hidden(view);
	struct text out = {0};
	bool good = true;

	if (invocation->options.json)
		good = cases_put_json(&out, view, err);
	else
		cases_put_text(&out, &invocation->style, view);
	good = good && output_write(&out, err);
	text_finish(&out);
	if (good && invocation->options.json && hidden > 0)
		output_note("%zu hidden case%s left out; --audience staff "
			    "shows %s",
			hidden, hidden == 1 ? " is" : "s are",
			hidden == 1 ? "it" : "them");
	return good;
}

bool command_cases(struct invocation *invocation, struct error *err)
{
	struct exercise exercise;
	struct case_request request;
	struct case_list list;
	struct tools tools;
	bool good;

	if (!lookup_exercise(invocation, &exercise, err))
		return false;
	request = (struct case_request){
		.exercise = &exercise,
		.seed = invocation->options.seed_given
			? invocation->options.seed
			: exercise.seed,
		.pattern = invocation->n_arguments > 1
			? invocation->arguments[1]
			: NULL,
	};
	if (!submission_read_secret(
		    invocation, &request.secret, &request.secret_len, err) ||
		!cases_check_pattern(
			&exercise, request.pattern, invocation->arena, err) ||
		!workshop_open(invocation, &tools, err))
		return false;
	good = cases_prepare(&request, &tools, invocation->arena, &list, err) &&
		write_cases(invocation,
			&(struct cases_view){
				.exercise = &exercise,
				.list = &list,
				.seed = request.seed,
				.hidden = invocation->options.audience ==
					AUDIENCE_STAFF,
				.whole = request.pattern != NULL,
			},
			err);
	workshop_close(&tools);
	return good;
}
