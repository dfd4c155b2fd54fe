/* SPDX-License-Identifier: MIT */
#include "grader/cli/terminal.h"

#include "base/error.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* All whose default would end or stop us; WINCH and CONT: to draw anew. */
static const int waiting[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
	SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL, SIGPWR,
	SIGSTKFLT, SIGTSTP, SIGCONT, SIGWINCH};
static const int crashes[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* A handler has no other way to what it needs. */
static struct termios before;
static volatile sig_atomic_t taken;

static int signals = -1;
static sigset_t mask_before;

static void crash(int number)
{
	terminal_give_back();
	/* The handler is gone already: this is the end. */
	raise(number);
}

static void handle_crashes(void (*handler)(int))
{
	const struct sigaction action = {.sa_handler = handler,
		.sa_flags = handler == SIG_DFL ? 0 : (int)SA_RESETHAND};

	for (size_t i = 0; i < COUNT(crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

bool terminal_open(int *signals_out, struct error *err)
{
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < COUNT(waiting); i++)
		sigaddset(&mask, waiting[i]);
	signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals < 0)
		return error_set_errno(err, "cannot wait for signals");
	sigprocmask(SIG_BLOCK, &mask, &mask_before);
	handle_crashes(crash);
	*signals_out = signals;
	return true;
}

void terminal_close(void)
{
	terminal_give_back();
	terminal_forget();
}

void terminal_forget(void)
{
	taken = 0;
	handle_crashes(SIG_DFL);
	close(signals);
	signals = -1;
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/* A terminal that is not the one which controls us has no foreground. */
static bool is_foreground(void)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);

	return group < 0 ? errno == ENOTTY : group == getpgrp();
}

bool terminal_take_keys(void)
{
	struct termios modes;

	if (!isatty(STDIN_FILENO) || !is_foreground())
		return false;
	if (!taken && tcgetattr(STDIN_FILENO, &before) < 0)
		return false;
	modes = before;
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	taken = 1;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0)
		return true;
	taken = 0;
	return false;
}

void terminal_give_back(void)
{
	/* From the background it is not ours to change. */
	if (taken && is_foreground())
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	taken = 0;
}

int terminal_read_signal(void)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

void terminal_stop(int number)
{
	sigset_t mask, now;

	terminal_give_back();
	sigemptyset(&mask);
	sigaddset(&mask, number);
	raise(number);
	/* Here it stops. */
	sigprocmask(SIG_UNBLOCK, &mask, &now);
	sigprocmask(SIG_SETMASK, &now, NULL);
}
