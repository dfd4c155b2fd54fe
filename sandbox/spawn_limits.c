/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/spawn.h"

#include <inttypes.h>

/* As people know them. */
static const struct {
	int resource;
	const char *name;
	uint64_t unit;
	const char *unit_name;
} names[] = {
	{RLIMIT_AS, "address space (ulimit -v)", 1024, " KiB"},
	{RLIMIT_DATA, "data (ulimit -d)", 1024, " KiB"},
	{RLIMIT_CPU, "processor time (ulimit -t)", 1, " s"},
	{RLIMIT_FSIZE, "the size of files (ulimit -f)", 1024, " KiB"},
	{RLIMIT_NOFILE, "open files (ulimit -n)", 1, ""},
	{RLIMIT_STACK, "the stack (ulimit -s)", 1024, " KiB"},
};

static bool refuse(
	const struct spawn_limit *limit, uint64_t have, struct error *err)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].resource == limit->resource)
			return error_set(err, ERROR_SYSTEM,
				"the limit on %s is %" PRIu64 "%s here, and "
				"%" PRIu64 "%s are needed: raise it",
				names[i].name, have / names[i].unit,
				names[i].unit_name,
				limit->least / names[i].unit,
				names[i].unit_name);
	return error_set(err, ERROR_SYSTEM,
		"limit %d is %" PRIu64 " here, and %" PRIu64
		" are needed: raise it",
		limit->resource, have, limit->least);
}

bool spawn_check_limits(const struct spawn *spawn, struct error *err)
{
	for (size_t i = 0; i < spawn->n_limits; i++) {
		const struct spawn_limit *limit = &spawn->limits[i];
		struct rlimit64 ours;

		if (limit->least == 0)
			continue;
		if (prlimit64(0, (enum __rlimit_resource)limit->resource, NULL,
			    &ours) != 0)
			return error_set_errno(err, "cannot look up limits");
		if (ours.rlim_max < limit->least)
			return refuse(limit, ours.rlim_max, err);
	}
	return true;
}
