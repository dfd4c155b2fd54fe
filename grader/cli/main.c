/* SPDX-License-Identifier: MIT */

/*
 * The grader's command line.  Follow a submission through the files:
 *
 *   grader/engine/exercise.[ch]  what is asked: reads exercises/<name>/
 *   grader/engine/cases.[ch]     what is fed in and what should come out
 *   grader/engine/compile.[ch]   the submission becomes a program, in a jail
 *   grader/engine/run.[ch]       it is called on every case, in another jail
 *   grader/engine/compare.[ch]   its outputs against the expected ones
 *   grader/engine/verdict.[ch]   what that makes of a case and of the whole
 *   grader/engine/grade.[ch]     all of the above, in order: a grade
 *   grader/report/               the grade for people and for programs
 *   grader/cli/                  one file per command
 *
 * Only this folder prints to the standard streams, reads the environment or
 * decides the exit status.
 */

#include <stdio.h>

int main(void)
{
	fputs("usage: grader COMMAND [OPTIONS] ...\n", stderr);
	return 2;
}
