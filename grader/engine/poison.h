/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_POISON_H
#define GRADER_ENGINE_POISON_H

/*
 * Makes local variables that were never set tell which they are.
 *
 * gcc's -ftrivial-auto-var-init=pattern sets each to 0xfe bytes where its scope
 * begins.  In the assembly these are found and replaced, each by a pattern that
 * carries a number, its site's:
 *
 *   double, float     a signalling NaN; in arrays each element's own
 *   8-byte integers   an address where nothing is: they may be pointers
 *   int               a large negative number
 *
 * The site is the line and the column where gcc says that the variable is
 * declared, so the name is the one that stands there in the source (places.h).
 * Pure.  The assembly is the submission's as much as the compiler's: what is
 * not as gcc writes it stays as it is.
 */

#include "grader/engine/places.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum { POISON_SITES_MAX = 2047 };

struct poison_site {
	int line;
	int column;
};

/* Numbers of sites start at 1. */
struct poison {
	struct poison_site sites[POISON_SITES_MAX + 1];
	size_t n_sites;
};

/* file: what gcc calls the source in the assembly. */
void poison_locals(struct poison *poison, const char *assembly, size_t len,
	const char *file, const struct places *places, struct text *out);

/*
 * Which site a value comes from, 0 where none.  The quiet bit of a NaN does not
 * matter.  *element_out is -1 where it is not known.
 */
uint32_t poison_site_of_double(uint64_t bits, int64_t *element_out);
uint32_t poison_site_of_float(uint32_t bits);
/* An address near the one that the pointer held. */
uint32_t poison_site_of_address(uint64_t address);
/* An index or another integer. */
uint32_t poison_site_of_number(int64_t number);

#endif
