/* SPDX-License-Identifier: MIT */
#include "sandbox/slot.h"
#include "base/error.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Ids that neither a distribution nor systemd gives to anybody. */
enum {
	ID_FIRST = 60578,
	ID_COUNT = 512,
};

enum {
	STACK_BYTES = 0x10000,
	GUARD_BYTES = 0x1000,
};

/*
 * An id is claimed by a name in the kernel, which is free again when its holder
 * is gone, however that ended; no file is left behind.
 */
static bool claim(int fd, id_t id)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	/* Its first byte is NUL: it is no path. */
	int len = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
		"grader-slot-%u", (unsigned int)id);

	return bind(fd, (const struct sockaddr *)&address,
		       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			       (size_t)len)) == 0;
}

/* Where all are taken, by whomever, it is an id that is somebody else's too. */
static void choose_ids(struct slot *slot)
{
	const id_t start = (id_t)getpid() % ID_COUNT;

	slot->claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	for (id_t i = 0; slot->claim >= 0 && i < ID_COUNT; i++) {
		id_t candidate = ID_FIRST + (start + i) % ID_COUNT;

		if (!claim(slot->claim, candidate))
			continue;
		slot->uid = candidate;
		slot->gid = candidate;
		return;
	}
	if (slot->claim >= 0)
		close(slot->claim);
	slot->claim = -1;
	slot->uid = ID_FIRST + start;
	slot->gid = ID_FIRST + start;
}

/* With a guard below. */
static bool make_stack(struct slot *slot, struct error *err)
{
	char *pages =
		mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (pages == MAP_FAILED)
		return error_set_errno(err, "cannot make a stack for jails");
	slot->stack = pages + GUARD_BYTES;
	slot->stack_bytes = STACK_BYTES;
	if (mprotect(pages, GUARD_BYTES, PROT_NONE) != 0)
		return error_set_errno(err, "cannot make a stack for jails");
	return true;
}

bool slot_create(struct slot *slot, struct error *err)
{
	slot->change_ids = geteuid() == 0;
	choose_ids(slot);
	return make_stack(slot, err);
}

void slot_finish(struct slot *slot)
{
	if (slot->stack)
		munmap((char *)slot->stack - GUARD_BYTES,
			GUARD_BYTES + slot->stack_bytes);
	if (slot->claim >= 0)
		close(slot->claim);
	cgroup_finish(&slot->cgroup);
	*slot = (struct slot)SLOT_NONE;
}
