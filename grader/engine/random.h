/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_RANDOM_H
#define GRADER_ENGINE_RANDOM_H

/*
 * Seeded numbers, the same bits on every machine: integers, + - * / only.
 *
 * The grader draws random cases with these, and exercise.h carries this very
 * file to the generators of an exercise.
 *
 *   struct random random = random_start(seed);
 *   q[i] = random_normal(&random, 0, 1);
 */

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline struct random random_start(uint64_t seed)
{
	return (struct random){seed};
}

/* SplitMix64 (Steele, Lea, Flood 2014): any seed will do, 0 as well. */
static inline uint64_t random_bits(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* At least from, below to. */
static inline double random_uniform(
	struct random *random, double from, double to)
{
	double unit = (double)(random_bits(random) >> 11) * 0x1p-53;

	return from + (to - from) * unit;
}

/* A sum of twelve uniforms (Irwin-Hall): within 6 deviations of the mean. */
static inline double random_normal(
	struct random *random, double mean, double deviation)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += random_uniform(random, 0, 1);
	return mean + deviation * (sum - 6);
}

__extension__ typedef unsigned __int128 random_product;

/* From and to are both included; from must not be above to. */
static inline int64_t random_integer(
	struct random *random, int64_t from, int64_t to)
{
	uint64_t range = (uint64_t)to - (uint64_t)from + 1;
	uint64_t bits = random_bits(random);

	/* 64 by 64 bits, the upper half: no bias that a case could show. */
	if (range != 0)
		bits = (uint64_t)(((random_product)bits * range) >> 64);
	return (int64_t)((uint64_t)from + bits);
}

/* A multiple of 2^-bits between from and to, both included and such too. */
static inline double random_dyadic(
	struct random *random, double from, double to, int bits)
{
	double unit = (double)((uint64_t)1 << bits);

	return (double)random_integer(
		       random, (int64_t)(from * unit), (int64_t)(to * unit)) /
		unit;
}

#endif
