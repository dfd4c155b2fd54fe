/* SPDX-License-Identifier: MIT */
#include "sandbox/filter.h"
#include "base/cleanup.h"
#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of libseccomp's levels of what a kernel can do, the first with listeners.
   Left to itself it asks the kernel, and refuses to write a filter for another
   one; whether ours has listeners is found out by loading it. */
enum { API_WITH_LISTENERS = 5 };

static void cleanup_seccomp(scmp_filter_ctx *context)
{
	if (*context)
		seccomp_release(*context);
}

static bool report(int result, const char *doing, struct error *err)
{
	if (result == 0)
		return true;
	errno = -result;
	return error_set_errno(err, "cannot build a filter: %s", doing);
}

static bool add_rules(scmp_filter_ctx context, const struct filter_rule *rules,
	size_t n_rules, uint32_t otherwise, uint64_t key, struct error *err)
{
	for (size_t i = 0; i < n_rules; i++) {
		struct filter_rule rule = rules[i];

		if (rule.action == otherwise)
			continue;
		for (int half = 0; rule.keyed && half < 2; half++)
			rule.conditions[half].datum_a = filter_key_argument(key,
				half,
				(unsigned int)rule.conditions[half].datum_a);
		if (!report(seccomp_rule_add_array(context, rule.action,
				    rule.call, rule.n_conditions,
				    rule.conditions),
			    "a rule", err))
			return false;
	}
	return true;
}

/* Into a file and out again: this libseccomp has no other way. */
static bool export(
	scmp_filter_ctx context, struct sock_fprog *filter, struct error *err)
{
	CLEANUP(cleanup_close)
	int fd = memfd_create("filter", MFD_CLOEXEC);
	struct sock_filter *code;
	struct stat status;

	if (fd < 0)
		return error_set_errno(err, "cannot make a memory file");
	if (!report(seccomp_export_bpf(context, fd), "its export", err))
		return false;
	if (fstat(fd, &status) != 0)
		return error_set_errno(err, "cannot look up a memory file");
	code = malloc((size_t)status.st_size);
	if (!code)
		return error_set(err, ERROR_SYSTEM, "out of memory");
	if (pread(fd, code, (size_t)status.st_size, 0) != status.st_size) {
		free(code);
		return error_set_errno(err, "cannot read a memory file");
	}
	*filter = (struct sock_fprog){
		.len = (unsigned short)((size_t)status.st_size / sizeof(*code)),
		.filter = code,
	};
	return true;
}

bool filter_build(const struct filter_rule *rules, size_t n_rules,
	uint32_t otherwise, uint64_t key, struct sock_fprog *filter_out,
	struct error *err)
{
	CLEANUP(cleanup_seccomp) scmp_filter_ctx context = NULL;

	if (!report(seccomp_api_set(API_WITH_LISTENERS), "its level", err))
		return false;
	context = seccomp_init(otherwise);
	if (!context)
		return error_set(
			err, ERROR_SYSTEM, "cannot build a filter: its start");
	if (!report(seccomp_attr_set(
			    context, SCMP_FLTATR_ACT_BADARCH, otherwise),
		    "other architectures", err))
		return false;
	return add_rules(context, rules, n_rules, otherwise, key, err) &&
		export(context, filter_out, err);
}

void filter_finish(struct sock_fprog *filter)
{
	free(filter->filter);
	*filter = (struct sock_fprog){0};
}
