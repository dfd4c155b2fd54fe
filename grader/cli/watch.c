/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/cli/attempt.h"
#include "grader/cli/hint.h"
#include "grader/cli/lookup.h"
#include "grader/cli/memory.h"
#include "grader/cli/output.h"
#include "grader/cli/saves.h"
#include "grader/cli/submission.h"
#include "grader/cli/terminal.h"
#include "grader/engine/exercise.h"
#include "grader/engine/grade.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SETTLE_US = 50000, /* an editor saves in several steps */
	LOOK_MS = 1000,    /* where nothing tells us to */
	FOOTER_ROWS = 2,
	CONTROL_D = 4,
	ESCAPE = 27,
};

enum view {
	VIEW_REPORT,
	VIEW_FAILING,
	VIEW_HINT,
};

struct watch {
	struct invocation *invocation;
	const struct exercise *exercise;
	struct grade_request request;
	struct saves saves;
	struct attempt attempt;
	struct attempt_result result; /* of the last that was done */
	uint64_t due_us;              /* when to grade; 0: there is no need */
	int signals;
	bool keys;      /* from a terminal */
	bool listening; /* for the end of standard input, if that is a pipe */
	enum view view;
	size_t page;         /* of the failing cases */
	size_t hints_opened; /* even if they cannot be remembered */
	bool hint_used;      /* the one that the result names was shown */
	bool complained;
	bool ending; /* when what is at hand is done */
	bool done;
	int ended_by; /* a signal that is to end us; 0: none */
};

/* The screen -------------------------------------------------------------- */

static bool is_screen(const struct watch *watch)
{
	return watch->invocation->environment.screen;
}

static bool put_on_screen(
	const struct watch *watch, const char *words, struct error *err)
{
	struct text out = {0};
	bool good;

	if (!is_screen(watch))
		return true;
	text_puts(&out, words);
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static size_t count_rows(const struct watch *watch)
{
	int rows = watch->invocation->environment.rows;

	/* The cursor stands on a line of its own. */
	return is_screen(watch) ? (size_t)rows - FOOTER_ROWS - 1 : 0;
}

static void put_footer(const struct watch *watch, struct text *out)
{
	static const char *const keys[] = {
		[VIEW_REPORT] = "h hint%sl list of failing cases%sq quit",
		[VIEW_FAILING] = "l more%sany other key: back%sq quit",
		[VIEW_HINT] = "h next hint%sany other key: back%sq quit",
	};
	const struct style *style = &watch->invocation->style;
	const char *dot = style->ascii ? " - " : " · ";
	const char *words = keys[watch->view];

	text_putc(out, '\n');
	if (!watch->keys)
		return;
	text_puts(out, "  ");
	style_begin(out, style, PAINT_DIM);
	for (const char *gap; (gap = strstr(words, "%s")); words = gap + 2) {
		text_put(out, words, (size_t)(gap - words));
		text_puts(out, dot);
	}
	text_puts(out, words);
	style_end(out, style);
	text_putc(out, '\n');
}

/* A screen is filled anew; elsewhere one thing comes after the other. */
static bool show(
	const struct watch *watch, const struct text *body, struct error *err)
{
	struct text out = {0};
	bool good;

	if (is_screen(watch))
		text_puts(&out, "\033[H\033[J");
	text_put(&out, body->data ? body->data : "", body->len);
	put_footer(watch, &out);
	out.failed |= body->failed;
	good = output_write(&out, err);
	text_finish(&out);
	return good;
}

static void put_error(const struct watch *watch, struct text *out)
{
	const struct style *style = &watch->invocation->style;

	text_puts(out, "  ");
	style_begin(out, style, PAINT_RED);
	style_put_words(out, style, watch->result.error.message);
	style_end(out, style);
	text_putc(out, '\n');
}

static bool show_report(struct watch *watch, struct error *err)
{
	struct text body = {0};
	bool good;

	watch->view = VIEW_REPORT;
	if (watch->result.graded)
		text_puts(&body, watch->result.brief);
	else if (watch->result.brief)
		put_error(watch, &body);
	good = show(watch, &body, err);
	text_finish(&body);
	return good;
}

/* So many lines further on; NULL: there are not so many. */
static const char *skip_lines(const char *text, size_t count)
{
	while (count > 0 && (text = strchr(text, '\n'))) {
		text++;
		count--;
	}
	return text && *text ? text : NULL;
}

/* A page of it; behind the last comes the first again. */
static bool show_failing(struct watch *watch, struct error *err)
{
	const char *failing = watch->result.failing;
	size_t rows = count_rows(watch);
	const char *start, *end;
	struct text body = {0};
	bool good;

	if (!watch->result.graded)
		return true;
	watch->page = watch->view == VIEW_FAILING ? watch->page + 1 : 0;
	watch->view = VIEW_FAILING;
	start = skip_lines(failing, watch->page * rows);
	if (!start) {
		watch->page = 0;
		start = failing;
	}
	end = rows > 0 ? skip_lines(start, rows) : NULL;
	text_put(&body, start, end ? (size_t)(end - start) : strlen(start));
	if (!*start)
		text_puts(&body, "  No case fails.\n");
	good = show(watch, &body, err);
	text_finish(&body);
	return good;
}

/* Hints ------------------------------------------------------------------- */

/* False, and err set, if that cannot be, for the first time. */
static bool remember(struct watch *watch, size_t count, struct error *err)
{
	bool good;

	if (count <= watch->hints_opened)
		return true;
	watch->hints_opened = count;
	good = memory_open_hints(
		watch->invocation, watch->exercise, count, err);
	if (good || watch->complained)
		return true;
	watch->complained = true;
	return false;
}

/* The one that belongs to what was found, and then one after the other. */
static bool show_hint(struct watch *watch, struct error *err)
{
	const struct exercise *exercise = watch->exercise;
	size_t opened = memory_hints_opened(watch->invocation, exercise);
	bool named = watch->result.hint > 0 && !watch->hint_used;
	struct text body = {0};
	struct error forgotten;
	bool kept = true, good;
	size_t last;

	/* It may not be remembered. */
	if (opened < watch->hints_opened)
		opened = watch->hints_opened;
	last = named ? watch->result.hint : opened + 1;
	watch->hint_used = true;
	watch->view = VIEW_HINT;
	if (last <= exercise->n_hints) {
		hint_put(&body, &watch->invocation->style, exercise,
			opened < last ? opened + 1 : last, last);
		if (last > opened)
			kept = remember(watch, last, &forgotten);
	} else {
		text_puts(&body, "  You have opened all hints.\n");
	}
	good = show(watch, &body, err);
	text_finish(&body);
	/* Below it: the screen is filled anew by what comes next. */
	if (!kept)
		output_note("hints will not be remembered as opened: %s",
			forgotten.message);
	return good;
}

/* What happens ------------------------------------------------------------ */

static bool start_grading(struct watch *watch, struct error *err)
{
	watch->due_us = 0;
	return attempt_start(&watch->attempt, watch->invocation,
		       &watch->request, count_rows(watch), err) &&
		put_on_screen(watch, "\r  grading ...", err);
}

static void grade_soon(struct watch *watch)
{
	attempt_cancel(&watch->attempt);
	watch->due_us = clock_read_us(CLOCK_MONOTONIC) + SETTLE_US;
}

static bool finish_grading(struct watch *watch, struct error *err)
{
	bool first = !watch->result.brief;

	attempt_result_finish(&watch->result);
	if (!attempt_take(&watch->attempt, &watch->result, err))
		return false;
	/* What never worked is to be put right before anything is watched. */
	if (first && !watch->result.graded) {
		*err = watch->result.error;
		return false;
	}
	watch->hint_used = false;
	return show_report(watch, err);
}

static void look_at_input(struct watch *watch)
{
	struct stat status;

	watch->keys = terminal_take_keys();
	watch->listening = watch->keys;
	if (!isatty(STDIN_FILENO) && fstat(STDIN_FILENO, &status) == 0)
		watch->listening =
			S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
}

static bool handle_signal(struct watch *watch, int number, struct error *err)
{
	struct environment *environment = &watch->invocation->environment;

	switch (number) {
	case SIGINT:
		watch->done = true;
		return true;
	case SIGTSTP:
		terminal_stop(number);
		look_at_input(watch);
		return true;
	case SIGCONT:
		look_at_input(watch);
		return show_report(watch, err);
	case SIGWINCH:
		environment_measure(environment);
		watch->invocation->style.width = environment->width;
		if (is_screen(watch))
			grade_soon(watch);
		return true;
	default:
		watch->ended_by = number;
		watch->done = true;
		return true;
	}
}

static bool handle_key(struct watch *watch, char key, struct error *err)
{
	switch (key) {
	case 'q':
	case CONTROL_D:
		watch->done = true;
		return true;
	case 'h':
		return show_hint(watch, err);
	case 'l':
		return show_failing(watch, err);
	default:
		return watch->view == VIEW_REPORT || show_report(watch, err);
	}
}

static bool handle_input(struct watch *watch, struct error *err)
{
	char chunk[256];
	ssize_t len = read(STDIN_FILENO, chunk, sizeof(chunk));

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (len <= 0) {
		watch->listening = false;
		watch->ending = true;
		watch->done = watch->keys;
		return true;
	}
	if (!watch->keys)
		return true;
	/* A key that sends several bytes: one that we have no use for. */
	if (chunk[0] == ESCAPE)
		return handle_key(watch, ESCAPE, err);
	for (ssize_t i = 0; i < len && !watch->done; i++)
		if (!handle_key(watch, chunk[i], err))
			return false;
	return true;
}

/* Until it is time to grade, or to look. */
static int time_to_wait(const struct watch *watch)
{
	uint64_t now_us = clock_read_us(CLOCK_MONOTONIC);

	if (watch->due_us == 0)
		return LOOK_MS;
	if (watch->due_us <= now_us)
		return 0;
	return (int)((watch->due_us - now_us) / 1000) + 1;
}

/* Waits for whatever comes, and acts on it. */
static bool step(struct watch *watch, struct error *err)
{
	enum { SIGNALS, SAVES, INPUT, ATTEMPT, COUNT };
	struct pollfd polled[COUNT] = {
		[SIGNALS] = {.fd = watch->signals, .events = POLLIN},
		[SAVES] = {.fd = watch->saves.inotify, .events = POLLIN},
		[INPUT] = {.fd = watch->listening ? STDIN_FILENO : -1,
			.events = POLLIN},
		[ATTEMPT] = {.fd = watch->attempt.pipe, .events = POLLIN},
	};
	int number;

	if (poll(polled, COUNT, time_to_wait(watch)) < 0 && errno != EINTR)
		return error_set_errno(err, "cannot wait for a save");
	while (!watch->done && (number = terminal_read_signal()) != 0)
		if (!handle_signal(watch, number, err))
			return false;
	if (watch->done)
		return true;
	if (saves_check(&watch->saves))
		grade_soon(watch);
	if (polled[INPUT].revents && !handle_input(watch, err))
		return false;
	/* It may have been cancelled by now. */
	if (watch->attempt.pid != 0 && polled[ATTEMPT].revents &&
		attempt_read(&watch->attempt) && !finish_grading(watch, err))
		return false;
	if (watch->due_us != 0 && time_to_wait(watch) == 0)
		return start_grading(watch, err);
	if (watch->ending && watch->due_us == 0 && watch->attempt.pid == 0)
		watch->done = true;
	return true;
}

static bool run(struct watch *watch, struct error *err)
{
	bool good;

	look_at_input(watch);
	good = start_grading(watch, err);
	while (good && !watch->done)
		good = step(watch, err);
	attempt_cancel(&watch->attempt);
	/* Over "grading ...", if that stands there. */
	return put_on_screen(watch, "\r\033[K", err) && good;
}

bool command_watch(struct invocation *invocation, struct error *err)
{
	struct exercise exercise;
	struct watch watch = {
		.invocation = invocation,
		.exercise = &exercise,
		.attempt = {.pipe = -1},
	};
	bool good;

	if (strcmp(invocation->arguments[1], "-") == 0)
		return error_set(err, ERROR_USAGE,
			"standard input cannot be watched: name a file");
	if (!lookup_exercise(invocation, &exercise, err))
		return false;
	/* Before it is read: a save in between is not to be missed. */
	saves_init(&watch.saves, invocation->arguments[1]);
	good = submission_request(invocation, &exercise, &watch.request, err) &&
		terminal_open(&watch.signals, err);
	if (good) {
		good = run(&watch, err);
		terminal_close();
	}
	saves_finish(&watch.saves);
	attempt_result_finish(&watch.result);
	if (watch.ended_by)
		raise(watch.ended_by);
	return good;
}
