/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_BPF_H
#define TESTS_SUPPORT_BPF_H

/*
 * The kernel's machine for system call filters, as far as they need it: says
 * what a filter decides without a process that makes the call.
 */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>

enum {
	BPF_WENT_ON = 1, /* it was executed, and no jump was taken */
	BPF_JUMPED = 2,
};

/* Returns SECCOMP_RET_... with its data.  seen is NULL or has a byte for each
   instruction, to which what happened there is added.  Fails the test at an
   instruction that it does not know. */
uint32_t bpf_run(const struct sock_fprog *filter,
	const struct seccomp_data *data, unsigned char *seen);

#endif
