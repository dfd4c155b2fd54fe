/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_LINES_H
#define GRADER_ENGINE_LINES_H

/*
 * Which line of a file the code at an address was made of, from the line table
 * (DWARF 2 to 4) of a program that a submission had its hands on: every byte
 * is checked, and no file is opened by a name that stands there.
 */

#include <stdint.h>

struct elf;

/* 0 if the table has no such address, or for another file than this. */
int lines_find(const struct elf *elf, const char *file, uint64_t address);

#endif
