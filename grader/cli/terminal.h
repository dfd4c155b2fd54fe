/* SPDX-License-Identifier: MIT */
#ifndef GRADER_CLI_TERMINAL_H
#define GRADER_CLI_TERMINAL_H

/*
 * Single keys from a terminal on standard input, and the signals that have to
 * do with it.  Lines are not waited for and keys are not shown; Ctrl-C and its
 * like still send signals.
 *
 * Whatever ends or stops the program, the terminal is as it was before: signals
 * that can wait are blocked and read from a descriptor, by whoever waits for
 * keys; those that cannot (a crash) have handlers.  One at a time.
 */

#include <stdbool.h>

struct error;

/*
 * From here on, signals that would end or stop the program are read with
 * terminal_read_signal() alone.  *signals_out is to be polled for reading.
 */
bool terminal_open(int *signals_out, struct error *err)
	__attribute__((warn_unused_result));
void terminal_close(void);

/* Of a child, which is to have none of it: after fork(). */
void terminal_forget(void);

/*
 * Asks for keys.  False where there are none to be had: standard input is no
 * terminal, or another program has it now.
 */
bool terminal_take_keys(void);
/* Gives the terminal back as it was. */
void terminal_give_back(void);

/* The next signal that arrived; 0: none. */
int terminal_read_signal(void);

/* Stops the program as the signal would have, until it is continued; the keys
   have to be asked for again. */
void terminal_stop(int number);

#endif
