/* SPDX-License-Identifier: MIT */
#include "grader/engine/fill.h"

#include "sandbox/protocol.h"

#include <stdbool.h>
#include <string.h>

uint64_t fill_pattern(enum value_type type, unsigned int origin, uint32_t nonce)
{
	uint64_t real;

	switch (type) {
	case TYPE_DOUBLE:
		return FILL_DOUBLE(origin, nonce);
	case TYPE_FLOAT:
		real = FILL_FLOAT(origin, nonce);
		return real << 32 | real;
	case TYPE_SIZE:
	case TYPE_INT:
	case TYPE_BOOL:
	case TYPE_CHAR:
	case TYPE_UINT64:
		break;
	}
	return FILL_BYTE * (uint64_t)0x0101010101010101;
}

uint64_t fill_finite(enum value_type type)
{
	/* Some number that nothing else comes to: 2.8437..., twice as float. */
	if (type == TYPE_DOUBLE)
		return 0x4006bfd1c3a5e794;
	if (type == TYPE_FLOAT)
		return 0x4035fe8e4035fe8e;
	return fill_pattern(type, 0, 0);
}

static enum element_origin origin_of(
	unsigned int origin, bool quiet, size_t *parameter_out)
{
	switch (origin) {
	case FILL_OUTPUT:
		return quiet ? ORIGIN_FROM_OUTPUT : ORIGIN_UNTOUCHED;
	case FILL_STACK:
		return ORIGIN_FROM_STACK;
	case FILL_HEAP:
		return ORIGIN_FROM_HEAP;
	default:
		if (origin < FILL_BEFORE ||
			origin >= FILL_BEFORE + PARAMETERS_MAX)
			return ORIGIN_COMPUTED;
		*parameter_out = origin - FILL_BEFORE;
		return ORIGIN_FROM_BEFORE;
	}
}

static enum element_origin origin_of_double(
	uint32_t nonce, const void *element, size_t *parameter_out)
{
	uint64_t bits;
	unsigned int origin;

	memcpy(&bits, element, sizeof(bits));
	bits &= INT64_MAX; /* a NaN keeps its tag when its sign is turned */
	origin = (unsigned int)(bits >> 32) & 0xff;
	if ((bits & ~FILL_QUIET_BIT) != FILL_DOUBLE(origin, nonce))
		return ORIGIN_COMPUTED;
	return origin_of(origin, (bits & FILL_QUIET_BIT) != 0, parameter_out);
}

static enum element_origin origin_of_float(
	uint32_t nonce, const void *element, size_t *parameter_out)
{
	const uint32_t quiet_bit = 0x00400000;
	uint32_t bits;
	unsigned int origin;

	memcpy(&bits, element, sizeof(bits));
	bits &= INT32_MAX;
	origin = bits >> 14 & 0xff;
	if ((bits & ~quiet_bit) != FILL_FLOAT(origin, nonce))
		return ORIGIN_COMPUTED;
	return origin_of(origin, (bits & quiet_bit) != 0, parameter_out);
}

enum element_origin fill_origin_of(uint32_t nonce, enum value_type type,
	const void *element, size_t *parameter_out)
{
	const unsigned char *bytes = element;

	if (type == TYPE_DOUBLE)
		return origin_of_double(nonce, element, parameter_out);
	if (type == TYPE_FLOAT)
		return origin_of_float(nonce, element, parameter_out);
	for (size_t i = 0; i < type_bytes(type); i++) {
		if (bytes[i] != FILL_BYTE)
			return ORIGIN_COMPUTED;
	}
	return ORIGIN_UNTOUCHED;
}
