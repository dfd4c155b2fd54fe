/* SPDX-License-Identifier: MIT */
#include "grader/cli/attempt.h"

#include "base/arena.h"
#include "base/file.h"
#include "grader/cli/lookup.h"
#include "grader/cli/submission.h"
#include "grader/cli/terminal.h"
#include "grader/cli/workshop.h"
#include "grader/report/report.h"
#include "grader/report/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far more than it takes to kill a tool and remove a folder. */
enum { PATIENCE_MS = 10000 };

/* Comes first through the pipe; both texts follow. */
struct message {
	bool graded;
	struct error error;
	size_t hint;
	size_t brief_len;
	size_t failing_len;
};

/* The child --------------------------------------------------------------- */

struct work {
	struct invocation *invocation;
	struct grade_request request;
	size_t rows;
	struct message message;
	struct text brief;
	struct text failing;
};

static bool write_reports(
	struct work *work, const struct grade *grade, struct error *err)
{
	const struct diagnosis *diagnosis = &grade->diagnosis;
	const struct report_options options = {
		.style = work->invocation->style,
		.exercise = lookup_words(work->invocation, err),
		.rows = work->rows,
	};

	if (!options.exercise)
		return false;
	report_put_brief(&work->brief, grade, &options);
	report_put_failing(&work->failing, grade, &options);
	if (diagnosis->n_findings > 0)
		work->message.hint = report_choose_hint(grade, 0);
	work->message.brief_len = work->brief.len;
	work->message.failing_len = work->failing.len;
	return text_check(&work->brief, err) && text_check(&work->failing, err);
}

static bool grade_with(
	struct work *work, struct tools *tools, struct error *err)
{
	struct arena *arena = work->invocation->arena;
	struct grade whole, grade;

	return workshop_check_required(work->invocation, tools, err) &&
		grade_submission(&work->request, tools, arena, &whole, err) &&
		grade_for(AUDIENCE_LEARNER, &whole, arena, &grade, err) &&
		write_reports(work, &grade, err);
}

static bool grade(struct work *work, struct error *err)
{
	struct invocation *invocation = work->invocation;
	struct submission submission;
	struct tools tools;
	bool good;

	if (!submission_read(
		    invocation->arena, work->request.file, &submission, err) ||
		!workshop_open(invocation, &tools, err))
		return false;
	work->request.source = submission.source;
	work->request.source_len = submission.len;
	good = grade_with(work, &tools, err);
	/* Where it was told to stop, it ends here. */
	workshop_close(&tools);
	return good;
}

static void run(struct work *work, int pipe)
{
	struct message *message = &work->message;

	message->graded = grade(work, &message->error);
	if (!message->graded)
		message->brief_len = message->failing_len = 0;
	/* Who does not get it has ended, or does not want it any more. */
	_exit(file_write_fd(pipe, (const char *)message, sizeof(*message)) &&
				file_write_fd(pipe, work->brief.data,
					message->brief_len) &&
				file_write_fd(pipe, work->failing.data,
					message->failing_len)
			? 0
			: 1);
}

/* The parent -------------------------------------------------------------- */

bool attempt_start(struct attempt *attempt, struct invocation *invocation,
	const struct grade_request *request, size_t rows, struct error *err)
{
	struct work work = {
		.invocation = invocation, .request = *request, .rows = rows};
	pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set_errno(err, "cannot make a pipe");
	pid = fork();
	if (pid < 0) {
		(void)error_set_errno(err, "cannot start a process");
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		terminal_forget();
		run(&work, ends[1]);
	}
	close(ends[1]);
	*attempt = (struct attempt){.pid = pid, .pipe = ends[0]};
	return true;
}

bool attempt_read(struct attempt *attempt)
{
	char chunk[4096];
	ssize_t len = read(attempt->pipe, chunk, sizeof(chunk));

	if (len > 0)
		text_put(&attempt->data, chunk, (size_t)len);
	return len == 0 || (len < 0 && errno != EINTR && errno != EAGAIN);
}

static int reap(struct attempt *attempt)
{
	int status = 0;

	while (waitpid(attempt->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	close(attempt->pipe);
	attempt->pipe = -1;
	attempt->pid = 0;
	return status;
}

/* What a child of ours sent, whole. */
static bool unpack(const struct text *data, struct attempt_result *out)
{
	struct message message;
	const char *texts = data->data + sizeof(message);

	if (data->failed || data->len < sizeof(message))
		return false;
	memcpy(&message, data->data, sizeof(message));
	if (data->len - sizeof(message) !=
		message.brief_len + message.failing_len)
		return false;
	*out = (struct attempt_result){
		.graded = message.graded,
		.error = message.error,
		.hint = message.hint,
		.brief = strndup(texts, message.brief_len),
		.failing =
			strndup(texts + message.brief_len, message.failing_len),
	};
	if (out->brief && out->failing)
		return true;
	attempt_result_finish(out);
	return false;
}

bool attempt_take(struct attempt *attempt, struct attempt_result *result_out,
	struct error *err)
{
	int status = reap(attempt);
	bool good = unpack(&attempt->data, result_out);

	text_finish(&attempt->data);
	if (good)
		return true;
	if (WIFSIGNALED(status))
		return error_set(err, ERROR_SYSTEM,
			"the grading was ended by signal %d", WTERMSIG(status));
	return error_set(err, ERROR_SYSTEM, "the grading broke off");
}

void attempt_result_finish(struct attempt_result *result)
{
	free(result->brief);
	free(result->failing);
	*result = (struct attempt_result){0};
}

void attempt_cancel(struct attempt *attempt)
{
	struct pollfd pipe = {.fd = attempt->pipe, .events = POLLIN};
	int ready;

	if (attempt->pid == 0)
		return;
	kill(attempt->pid, SIGTERM);
	/* It may have been stopped from the keyboard. */
	kill(attempt->pid, SIGCONT);
	do {
		ready = poll(&pipe, 1, PATIENCE_MS);
	} while ((ready < 0 && errno == EINTR) ||
		(ready > 0 && !attempt_read(attempt)));
	if (ready == 0)
		kill(attempt->pid, SIGKILL);
	(void)reap(attempt);
	text_finish(&attempt->data);
}
