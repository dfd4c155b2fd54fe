/* SPDX-License-Identifier: MIT */
#include "tests/support/refusal.h"

#include <check.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void refuse_call(const struct refusal *refusal)
{
	const uint32_t argument =
		(uint32_t)(offsetof(struct seccomp_data, args) +
			refusal->condition.argument * sizeof(uint64_t));
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refusal->call, 0,
			4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, refusal->condition.mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refusal->condition.value, 0,
			1),
		BPF_STMT(BPF_RET | BPF_K,
			SECCOMP_RET_ERRNO | (uint32_t)refusal->number),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {
		.len = sizeof(code) / sizeof(*code),
		.filter = code,
	};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter), 0);
}
