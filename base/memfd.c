/* SPDX-License-Identifier: MIT */
#include "base/memfd.h"

#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Newer than the headers of the distributions that we build on. */
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

int memfd_create_sealed(const char *name, const void *data, size_t len,
	bool executable, struct error *err)
{
	const unsigned int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
	const int seals =
		F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	int fd = memfd_create(name, executable ? flags | MFD_EXEC : flags);

	if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
		fd = memfd_create(name, flags);
	if (fd >= 0 && file_write_fd(fd, data, len) &&
		(!executable || fchmod(fd, 0111) == 0) &&
		fcntl(fd, F_ADD_SEALS, seals) == 0)
		return fd;
	error_write_errno(err, "cannot keep the %s in memory", name);
	if (fd >= 0)
		close(fd);
	return -1;
}
