/* SPDX-License-Identifier: MIT */
#include "tests/support/bpf.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool takes_jump(const struct sock_filter *at, uint32_t a)
{
	switch (at->code) {
	case BPF_JMP | BPF_JEQ | BPF_K:
		return a == at->k;
	case BPF_JMP | BPF_JGT | BPF_K:
		return a > at->k;
	case BPF_JMP | BPF_JGE | BPF_K:
		return a >= at->k;
	case BPF_JMP | BPF_JSET | BPF_K:
		return a & at->k;
	default:
		ck_abort_msg("instruction %#x is unknown", at->code);
		return false;
	}
}

uint32_t bpf_run(const struct sock_fprog *filter,
	const struct seccomp_data *data, unsigned char *seen)
{
	uint32_t a = 0;

	for (size_t pc = 0; pc < filter->len; pc++) {
		const struct sock_filter *at = &filter->filter[pc];
		const size_t here = pc;
		bool jumps = false;

		switch (at->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			ck_assert_uint_le(at->k, sizeof(*data) - sizeof(a));
			memcpy(&a, (const char *)data + at->k, sizeof(a));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= at->k;
			break;
		case BPF_JMP | BPF_JA:
			pc += at->k;
			break;
		case BPF_RET | BPF_K:
			if (seen)
				seen[here] |= BPF_WENT_ON;
			return at->k;
		default:
			jumps = takes_jump(at, a);
			pc += jumps ? at->jt : at->jf;
		}
		if (seen)
			seen[here] |= jumps ? BPF_JUMPED : BPF_WENT_ON;
	}
	ck_abort_msg("the filter has no end");
	return 0;
}
