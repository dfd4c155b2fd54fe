/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

/*
 * One suite per module: tests/test_<module>.c tests <folder>/<module>.c and
 * defines <module>_suite().  The Makefile lists them from the file names.
 */

#include <check.h>

#define SUITE(name) Suite *name##_suite(void);
#include "suites.inc"
#undef SUITE

#endif
