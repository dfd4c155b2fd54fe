/* SPDX-License-Identifier: MIT */
#ifndef SANDBOX_TOOL_POLICY_H
#define SANDBOX_TOOL_POLICY_H

/*
 * What a compiler, an assembler or a linker may do in the compile jail.
 */

#include "sandbox/filter.h"

#include <errno.h>

struct error;
struct sandbox;
struct work_dir;

/* What happens with all that the rules do not list. */
#define TOOL_POLICY_OTHERWISE SCMP_ACT_ERRNO(ENOSYS)

const struct filter_rule *tool_policy_rules(size_t *count_out);

/* key is that of its start: see FILTER_KEYED(). */
bool tool_policy_build(uint64_t key, struct sock_fprog *filter_out,
	struct error *err) __attribute__((warn_unused_result));

/*
 * The work folder's ruleset (work->landlock), made if it is not there yet:
 * these files and folders can be read, the work folder can be written as well,
 * and nothing else can be opened.  An error where the kernel has no Landlock:
 * no tool is started without its view of files.
 */
bool tool_policy_restrict(const struct sandbox *sandbox, struct work_dir *work,
	const char *const *reads, struct error *err)
	__attribute__((warn_unused_result));

#endif
