/* SPDX-License-Identifier: MIT */

/*
 * grader watch, on a pseudo-terminal as a shell would start it: a group of its
 * own in the foreground of a session.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

/* On a machine that has much else to do. */
enum { PATIENCE_MS = 60000, TIMEOUT_S = 120 };

static struct folder folder;
static char home[96], temp[96];

static void make_folder(void)
{
	char script[400];
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct command command;

	(void)command_grader();
	folder_make(&folder);
	snprintf(script, sizeof(script),
		"cp -R tests/cli/exercises tests/cli/submissions %s; "
		"mkdir %s/home %s/tmp",
		folder.path, folder.path, folder.path);
	command = command_run(argv, NULL, NULL);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
	snprintf(home, sizeof(home), "HOME=%s/home", folder.path);
	snprintf(temp, sizeof(temp), "TMPDIR=%s/tmp", folder.path);
	ck_assert_int_eq(chdir(folder.path), 0);
}

static void remove_folder(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	folder_remove(&folder);
}

/* Saving ------------------------------------------------------------------- */

static void write_to(const char *path, const char *submission)
{
	CLEANUP(cleanup_free) char *data = NULL;
	char from[96];
	struct error err;
	size_t len;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	snprintf(from, sizeof(from), "submissions/%s.c", submission);
	ck_assert(file_read(from, 1 << 20, &data, &len, &err));
	ck_assert_int_ge(fd, 0);
	ck_assert(file_write_fd(fd, data, len));
	close(fd);
}

static void save_in_place(const char *submission)
{
	write_to("solve.c", submission);
}

static void save_by_renaming(const char *submission)
{
	write_to("solve.c.new", submission);
	ck_assert_int_eq(rename("solve.c.new", "solve.c"), 0);
}

/* As vi does with its backups. */
static void save_behind_a_backup(const char *submission)
{
	ck_assert_int_eq(rename("solve.c", "solve.c~"), 0);
	write_to("solve.c", submission);
	ck_assert_int_eq(unlink("solve.c~"), 0);
}

/* A session ---------------------------------------------------------------- */

struct session {
	int master;
	int terminal; /* its other end, held open */
	int news;     /* from the shell: the grader's pid, then its status */
	pid_t shell;
	pid_t grader;
	struct termios modes; /* of before */
	struct text seen;     /* and not yet asked for */
};

static void run_grader(const char *path, const char *const argv[])
{
	static const char *const rest[] = {"LC_ALL=C.UTF-8", "TERM=xterm"};
	const char *env[] = {
		home, temp, rest[0], rest[1], "PATH=/usr/bin:/bin", NULL};
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++)
		if (open(path, O_RDWR) != fd)
			_exit(126);
	tcsetpgrp(0, getpid());
	execve(command_grader(), (char *const *)(const void *)argv,
		(char *const *)(const void *)env);
	_exit(127);
}

/* Waits like a shell, so that what it started can be stopped. */
static void run_shell(
	const char *path, const char *const argv[], int master, int news)
{
	int status = 0, terminal;
	pid_t pid;

	/* The test may fail, and then the terminal is to hang up. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(master);
	setsid();
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	/* The first one that is opened controls the session. */
	terminal = open(path, O_RDWR);
	pid = terminal < 0 ? -1 : fork();
	if (pid < 0)
		_exit(126);
	if (pid == 0) {
		/* Not before it has the terminal. */
		signal(SIGHUP, SIG_DFL);
		run_grader(path, argv);
	}
	if (write(news, &pid, sizeof(pid)) != sizeof(pid))
		_exit(126);
	do {
		if (waitpid(pid, &status, WUNTRACED) < 0)
			_exit(126);
	} while (WIFSTOPPED(status));
	tcsetpgrp(terminal, getpid());
	if (write(news, &status, sizeof(status)) != sizeof(status))
		_exit(126);
	_exit(0);
}

static void start(struct session *s, const char *file)
{
	const char *const argv[] = {
		"grader", "watch", "scale", file, "--color=never", NULL};
	const struct winsize size = {.ws_col = 100, .ws_row = 24};
	char path[64];
	int ends[2];

	*s = (struct session){
		.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
	ck_assert(s->master >= 0 && grantpt(s->master) == 0 &&
		unlockpt(s->master) == 0);
	ck_assert_int_eq(ptsname_r(s->master, path, sizeof(path)), 0);
	s->terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(s->terminal, 0);
	ck_assert_int_eq(ioctl(s->terminal, TIOCSWINSZ, &size), 0);
	ck_assert_int_eq(tcgetattr(s->terminal, &s->modes), 0);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	s->shell = fork();
	ck_assert_int_ge(s->shell, 0);
	if (s->shell == 0)
		run_shell(path, argv, s->master, ends[1]);
	close(ends[1]);
	s->news = ends[0];
	ck_assert_int_eq(read(s->news, &s->grader, sizeof(s->grader)),
		sizeof(s->grader));
}

static void finish(struct session *s)
{
	ck_assert_int_eq(waitpid(s->shell, NULL, 0), s->shell);
	close(s->news);
	close(s->terminal);
	close(s->master);
	text_finish(&s->seen);
}

/* False: nothing came for so long. */
static bool see_more(struct session *s, int patience_ms)
{
	struct pollfd polled = {.fd = s->master, .events = POLLIN};
	char chunk[4096];
	ssize_t len;

	if (poll(&polled, 1, patience_ms) <= 0)
		return false;
	len = read(s->master, chunk, sizeof(chunk));
	if (len > 0)
		text_put(&s->seen, chunk, (size_t)len);
	return len > 0;
}

/* Waits until it is shown; what was shown up to there is gone. */
static void expect(struct session *s, const char *words)
{
	const char *found = NULL;
	size_t rest;

	while (!s->seen.data || !(found = strstr(s->seen.data, words)))
		ck_assert_msg(see_more(s, PATIENCE_MS), "no '%s' in:\n%s",
			words, s->seen.data ? s->seen.data : "");
	found += strlen(words);
	rest = s->seen.len - (size_t)(found - s->seen.data);
	memmove(s->seen.data, found, rest + 1);
	s->seen.len = rest;
}

static void press(struct session *s, const char *keys)
{
	ck_assert_int_eq(
		write(s->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Its exit status, or 128 + the signal. */
static int wait_for_end(struct session *s)
{
	struct pollfd polled = {.fd = s->news, .events = POLLIN};
	int status, waited_ms = 0;

	/* It may still have something to write. */
	while (poll(&polled, 1, 10) == 0 && waited_ms < PATIENCE_MS) {
		(void)see_more(s, 0);
		waited_ms += 10;
	}
	ck_assert_int_eq(
		read(s->news, &status, sizeof(status)), sizeof(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool takes_keys(const struct session *s)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(s->terminal, &now), 0);
	return !(now.c_lflag & (ICANON | ECHO));
}

static void check_as_before(const struct session *s)
{
	struct termios now;

	ck_assert_int_eq(tcgetattr(s->terminal, &now), 0);
	ck_assert_uint_eq(now.c_iflag, s->modes.c_iflag);
	ck_assert_uint_eq(now.c_oflag, s->modes.c_oflag);
	ck_assert_uint_eq(now.c_cflag, s->modes.c_cflag);
	ck_assert_uint_eq(now.c_lflag, s->modes.c_lflag);
	ck_assert_mem_eq(now.c_cc, s->modes.c_cc, sizeof(now.c_cc));
}

static void quit(struct session *s)
{
	press(s, "q");
	ck_assert_int_eq(wait_for_end(s), 0);
	check_as_before(s);
	finish(s);
}

static bool is_empty(const char *name)
{
	return folder_count(name) == 0;
}

/* Saves -------------------------------------------------------------------- */

static void (*const ways_to_save[])(const char *submission) = {
	save_in_place, save_by_renaming, save_behind_a_backup};

START_TEST(every_save_is_graded)
{
	struct session s;

	save_in_place("wrong");
	start(&s, "solve.c");
	expect(&s, "0 of 14 points · not passed");
	expect(&s, "q quit");
	ways_to_save[_i]("right");
	expect(&s, "14 of 14 points · passed");
	expect(&s, "q quit");
	ways_to_save[_i]("syntax");
	expect(&s, "does not compile");
	expect(&s, "q quit");
	ways_to_save[_i]("right");
	expect(&s, "14 of 14 points · passed");
	quit(&s);
	ck_assert(is_empty("tmp"));
}
END_TEST

START_TEST(a_file_that_is_gone_is_waited_for)
{
	struct session s;

	save_in_place("right");
	start(&s, "solve.c");
	expect(&s, "14 of 14 points · passed");
	expect(&s, "q quit");
	ck_assert_int_eq(unlink("solve.c"), 0);
	expect(&s, "cannot read 'solve.c': No such file or directory");
	expect(&s, "q quit");
	save_in_place("wrong");
	expect(&s, "0 of 14 points · not passed");
	ck_assert_int_eq(unlink("solve.c"), 0);
	ck_assert_int_eq(symlink("submissions/right.c", "solve.c"), 0);
	expect(&s, "'solve.c' is a symbolic link, and none is followed");
	quit(&s);
}
END_TEST

/* Of a folder that is removed, inotify tells no more. */
START_TEST(a_folder_that_is_gone_is_waited_for)
{
	struct session s;

	ck_assert_int_eq(mkdir("work", 0755), 0);
	write_to("work/solve.c", "wrong");
	start(&s, "work/solve.c");
	expect(&s, "0 of 14 points · not passed");
	expect(&s, "q quit");
	ck_assert_int_eq(unlink("work/solve.c"), 0);
	ck_assert_int_eq(rmdir("work"), 0);
	expect(&s, "cannot read 'work/solve.c'");
	expect(&s, "q quit");
	ck_assert_int_eq(mkdir("work", 0755), 0);
	write_to("work/solve.c", "right");
	expect(&s, "14 of 14 points · passed");
	expect(&s, "q quit");
	write_to("work/solve.c", "wrong");
	expect(&s, "0 of 14 points · not passed");
	quit(&s);
}
END_TEST

START_TEST(a_report_fits_on_the_screen_as_it_is_now)
{
	const struct winsize narrow = {.ws_col = 40, .ws_row = 7};
	struct session s;

	save_in_place("unwritten");
	start(&s, "solve.c");
	expect(&s, "✗ example-1     Y[1][0] was never written\r\n");
	expect(&s, "✗ unseen-small  wrong answer\r\n");
	expect(&s, "q quit");
	ck_assert_int_eq(ioctl(s.terminal, TIOCSWINSZ, &narrow), 0);
	expect(&s,
		"\033[H\033[Jscale · solve.c\r\n"
		"  0 of 14 points · not passed\r\n"
		"\r\n"
		"  …\r\n"
		"\r\n"
		"  h hint");
	quit(&s);
}
END_TEST

START_TEST(a_save_cuts_a_grading_short)
{
	const char *const argv[] = {"sh", "-ec",
		"sed -i 's/\"cpu_case_ms\": 200, \"cpu_total_ms\": 1000/"
		"\"cpu_case_ms\": 60000, \"cpu_total_ms\": 60000/' "
		"exercises/scale/exercise.json",
		NULL};
	struct command command = command_run(argv, NULL, NULL);
	struct session s;

	ck_assert_int_eq(command.status, 0);
	command_finish(&command);
	save_in_place("right");
	start(&s, "solve.c");
	expect(&s, "14 of 14 points · passed");
	save_in_place("forever");
	expect(&s, "grading ...");
	save_in_place("wrong");
	expect(&s, "0 of 14 points · not passed");
	/* So does leaving. */
	save_in_place("forever");
	expect(&s, "grading ...");
	quit(&s);
	ck_assert(is_empty("tmp"));
}
END_TEST

/* Keys --------------------------------------------------------------------- */

static void check_opened(const char *expected)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err;
	size_t len;

	ck_assert_msg(file_read("home/.local/state/grader/hints/scale", 64,
			      &data, &len, &err),
		"%s", err.message);
	ck_assert_str_eq(data, expected);
}

START_TEST(h_opens_one_hint_after_the_other)
{
	struct session s;

	save_in_place("wrong");
	start(&s, "solve.c");
	expect(&s, "h hint · l list of failing cases · q quit");
	press(&s, "h");
	expect(&s, "Hint 1 of 2: Where to start");
	expect(&s, "h next hint · any other key: back · q quit");
	check_opened("1\n");
	press(&s, "h");
	expect(&s, "Hint 2 of 2: The whole way");
	expect(&s, "q quit");
	check_opened("2\n");
	press(&s, "h");
	expect(&s, "You have opened all hints.");
	expect(&s, "q quit");
	press(&s, " ");
	expect(&s, "0 of 14 points · not passed");
	quit(&s);
}
END_TEST

/* One mistake that is known, and belongs to the second hint. */
static void make_mistakes(void)
{
	static const char mistakes[] =
		"#include \"exercise.h\"\n"
		"void mistaken_scale(size_t rows, size_t columns,\n"
		"	const double X[rows][columns], double factor,\n"
		"	double Y[rows][columns], const int choice[])\n"
		"{\n"
		"	for (size_t i = 0; i < rows; i++)\n"
		"		for (size_t j = 0; j < columns; j++)\n"
		"			Y[i][j] = choice[0] == 1 ? X[i][j]\n"
		"						: factor * "
		"X[i][j];\n"
		"}\n";
	const char *const argv[] = {"sh", "-ec",
		"sed -i -e '/\"name\": \"random\", \"title\"/"
		"s/\"points\": 2/&, \"tags\": [\"formula\"]/' "
		"-e 's/^  \"hints\"/  \"stages\": [{\"name\": \"factor\", "
		"\"choices\": [{\"name\": \"factor-none\", \"says\": "
		"\"nothing is multiplied\", \"hint\": 2}]}],\\n&/' "
		"exercises/scale/exercise.json",
		NULL};
	struct command command = command_run(argv, NULL, NULL);
	struct error err;

	ck_assert_int_eq(command.status, 0);
	command_finish(&command);
	ck_assert(file_write_atomic("exercises/scale/mistakes.c", mistakes,
		strlen(mistakes), FILE_KEEP, &err));
}

START_TEST(h_opens_the_hint_that_belongs_to_what_was_found)
{
	struct session s;

	make_mistakes();
	save_in_place("unused");
	start(&s, "solve.c");
	expect(&s, "Your output is what you get when nothing is multiplied");
	expect(&s, "q quit");
	press(&s, "h");
	/* With those in front of it. */
	expect(&s, "Hint 1 of 2");
	expect(&s, "Hint 2 of 2");
	expect(&s, "q quit");
	check_opened("2\n");
	/* After the next grading it is shown again. */
	save_by_renaming("unused");
	expect(&s, "nothing is multiplied");
	expect(&s, "q quit");
	press(&s, "h");
	expect(&s, "\033[H\033[JHint 2 of 2");
	expect(&s, "q quit");
	press(&s, "h");
	expect(&s, "You have opened all hints.");
	quit(&s);
}
END_TEST

START_TEST(a_hint_that_cannot_be_remembered_is_told_once)
{
	struct session s;

	ck_assert_int_eq(
		close(open("home/.local", O_CREAT | O_WRONLY, 0644)), 0);
	save_in_place("wrong");
	start(&s, "solve.c");
	expect(&s, "q quit");
	press(&s, "h");
	expect(&s, "Hint 1 of 2");
	expect(&s, "hints will not be remembered as opened");
	press(&s, "h");
	expect(&s, "Hint 2 of 2");
	expect(&s, "q quit");
	press(&s, "x");
	expect(&s, "0 of 14 points");
	ck_assert_ptr_null(strstr(s.seen.data, "remembered"));
	quit(&s);
}
END_TEST

START_TEST(l_lists_what_fails)
{
	struct session s;

	save_in_place("float");
	start(&s, "solve.c");
	expect(&s, "q quit");
	press(&s, "l");
	expect(&s, "✗ random-1      Y[0][0]: expected");
	expect(&s, "✗ random-2      Y[0][0]: expected");
	expect(&s, "✗ unseen-large  wrong answer");
	expect(&s, "l more · any other key: back · q quit");
	/* Of three pages the first is also the fourth. */
	press(&s, "l");
	expect(&s, "✗ random-1 ");
	expect(&s, "q quit");
	/* An arrow is one key, whatever letters it sends. */
	press(&s, "\033[1l");
	expect(&s, "5 of 14 points");
	expect(&s, "h hint");
	save_in_place("right");
	expect(&s, "passed");
	expect(&s, "q quit");
	press(&s, "l");
	expect(&s, "No case fails.");
	quit(&s);
}
END_TEST

/* The end ------------------------------------------------------------------ */

static const struct {
	const char *keys; /* or NULL */
	int signal;       /* or 0 */
	int status;
} ends[] = {
	{"q", 0, 0},
	{"\004", 0, 0},
	{"\003", 0, 0},
	{"\034", 0, 128 + SIGQUIT},
	{NULL, SIGINT, 0},
	{NULL, SIGTERM, 128 + SIGTERM},
	{NULL, SIGHUP, 128 + SIGHUP},
	{NULL, SIGALRM, 128 + SIGALRM},
	{NULL, SIGUSR1, 128 + SIGUSR1},
	{NULL, SIGABRT, 128 + SIGABRT},
	{NULL, SIGSEGV, 128 + SIGSEGV},
};

START_TEST(however_it_ends_the_terminal_is_as_before)
{
	struct session s;

	save_in_place("right");
	start(&s, "solve.c");
	expect(&s, "q quit");
	ck_assert(takes_keys(&s));
	if (ends[_i].keys)
		press(&s, ends[_i].keys);
	else
		ck_assert_int_eq(kill(s.grader, ends[_i].signal), 0);
	ck_assert_int_eq(wait_for_end(&s), ends[_i].status);
	check_as_before(&s);
	finish(&s);
	ck_assert(is_empty("tmp"));
}
END_TEST

START_TEST(an_error_leaves_the_terminal_as_before)
{
	struct session s;

	/* No compiler can be run in it. */
	save_in_place("right");
	ck_assert_int_eq(rename("tmp", "gone"), 0);
	snprintf(temp, sizeof(temp), "TMPDIR=/proc");
	start(&s, "solve.c");
	expect(&s, "grader: ");
	ck_assert_int_eq(wait_for_end(&s), 4);
	check_as_before(&s);
	finish(&s);
}
END_TEST

static char state_of(pid_t pid)
{
	char path[64];
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err;
	size_t len;
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	ck_assert(file_read(path, 4096, &data, &len, &err));
	end = strrchr(data, ')');
	ck_assert_ptr_nonnull(end);
	return end[2];
}

START_TEST(while_it_is_stopped_the_terminal_is_as_before)
{
	struct session s;
	int waited_ms = 0;

	save_in_place("right");
	start(&s, "solve.c");
	expect(&s, "q quit");
	press(&s, "\032");
	while (state_of(s.grader) != 'T' && waited_ms++ < PATIENCE_MS)
		usleep(1000);
	ck_assert_int_eq(state_of(s.grader), 'T');
	check_as_before(&s);
	save_in_place("wrong");
	ck_assert_int_eq(kill(s.grader, SIGCONT), 0);
	expect(&s, "0 of 14 points · not passed");
	ck_assert(takes_keys(&s));
	quit(&s);
}
END_TEST

/* Without a terminal ------------------------------------------------------- */

static const struct {
	int signal;
	int status;
} endings[] = {{SIGINT, 0}, {SIGTERM, 128 + SIGTERM}};

START_TEST(without_a_terminal_a_signal_ends_it)
{
	const char *const argv[] = {
		command_grader(), "watch", "scale", "solve.c", NULL};
	const char *const env[] = {
		home, temp, "LC_ALL=C.UTF-8", "TERM=xterm", NULL};
	struct command_started started;
	struct command command;
	struct stat status;
	int waited_ms = 0;

	save_in_place("wrong");
	started = command_start(argv, env, NULL);
	while (fstat(started.out, &status) == 0 && status.st_size == 0 &&
		waited_ms++ < PATIENCE_MS)
		usleep(1000);
	save_by_renaming("right");
	for (off_t size = status.st_size; status.st_size == size &&
		fstat(started.out, &status) == 0 && waited_ms++ < PATIENCE_MS;)
		usleep(1000);
	ck_assert_int_eq(kill(started.pid, endings[_i].signal), 0);
	command = command_wait(&started);
	ck_assert_int_eq(command.status, endings[_i].status);
	ck_assert_str_eq(command.errors, "");
	ck_assert_ptr_nonnull(strstr(command.out, " 0 of 14 points"));
	ck_assert_ptr_nonnull(strstr(command.out, " 14 of 14 points"));
	ck_assert_ptr_null(strchr(command.out, '\033'));
	ck_assert_ptr_null(strstr(command.out, "quit"));
	command_finish(&command);
	ck_assert(is_empty("tmp"));
}
END_TEST

Suite *watch_suite(void)
{
	Suite *suite = suite_create("watch");
	TCase *tcase = tcase_create("watch");

	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_checked_fixture(tcase, make_folder, remove_folder);
	tcase_add_loop_test(
		tcase, every_save_is_graded, 0, COUNT(ways_to_save));
	tcase_add_test(tcase, a_file_that_is_gone_is_waited_for);
	tcase_add_test(tcase, a_folder_that_is_gone_is_waited_for);
	tcase_add_test(tcase, a_report_fits_on_the_screen_as_it_is_now);
	tcase_add_test(tcase, a_save_cuts_a_grading_short);
	tcase_add_test(tcase, h_opens_one_hint_after_the_other);
	tcase_add_test(tcase, h_opens_the_hint_that_belongs_to_what_was_found);
	tcase_add_test(tcase, a_hint_that_cannot_be_remembered_is_told_once);
	tcase_add_test(tcase, l_lists_what_fails);
	tcase_add_loop_test(tcase, however_it_ends_the_terminal_is_as_before, 0,
		COUNT(ends));
	tcase_add_test(tcase, an_error_leaves_the_terminal_as_before);
	tcase_add_test(tcase, while_it_is_stopped_the_terminal_is_as_before);
	tcase_add_loop_test(
		tcase, without_a_terminal_a_signal_ends_it, 0, COUNT(endings));
	suite_add_tcase(suite, tcase);
	return suite;
}
