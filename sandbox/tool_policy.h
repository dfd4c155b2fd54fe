/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TOOL_POLICY_H
#define SANDBOX_TOOL_POLICY_H

/*
 * What a compiler, an assembler or a linker may ask of the kernel in the
 * compile jail: one table, from which the filter is built.
 */

#include "sandbox/filter.h"

#include <errno.h>

struct error;

/* What happens with all that the rules do not list. */
#define TOOL_POLICY_OTHERWISE SCMP_ACT_ERRNO(ENOSYS)

const struct filter_rule *tool_policy_rules(size_t *count_out);

/* key is that of its start: see FILTER_KEYED(). */
bool tool_policy_build(uint64_t key, struct sock_fprog *filter_out,
	struct error *err) __attribute__((warn_unused_result));

#endif
