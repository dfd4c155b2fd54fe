/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_SPACE_H
#define SANDBOX_SPACE_H

#include <stdbool.h>
#include <stdint.h>

struct error;

/*
 * The address space that a program takes before its code has asked for any:
 * its own image, the plan, the outputs and the slots, and what the kernel adds.
 * The stack is not in it.
 */
bool space_measure(int program, int plan, uint64_t *bytes_out,
	struct error *err) __attribute__((warn_unused_result));

#endif
