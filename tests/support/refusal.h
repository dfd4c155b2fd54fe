/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_REFUSAL_H
#define TESTS_SUPPORT_REFUSAL_H

/*
 * A filter on system calls around the test's own process and all that it
 * starts, as containers have one.
 */

#include <stdint.h>

struct refusal {
	int call;
	int number; /* it fails with this; 0: it does nothing, successfully */
	struct {
		unsigned int argument;
		uint32_t mask; /* of its lower half; 0: whatever it is */
		uint32_t value;
	} condition;
};

/* From now on, and for good. */
void refuse_call(const struct refusal *refusal);

#endif
