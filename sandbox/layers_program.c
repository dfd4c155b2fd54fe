/* SPDX-License-Identifier: MIT */
#include "sandbox/layers_program.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memfd.h"
#include "sandbox/proc.h"
#include "sandbox/spawn.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAM_BASE = 0x400000 };

/* Position-independent.  Its stack holds argc, argv, NULL, then envp.  It
   waits until its standard input is closed. */
extern const char probe_code[], probe_code_end[];
__asm__(".pushsection .rodata\n"
	"probe_code:\n"
	"	xor %eax, %eax\n" /* read(0, below the stack, 1) */
	"	xor %edi, %edi\n"
	"	lea -64(%rsp), %rsi\n"
	"	mov $1, %edx\n"
	"	syscall\n"
	"	mov $1, %ebx\n"
	"	mov (%rsp), %rax\n"
	"	cmpq $0, 16(%rsp, %rax, 8)\n"
	"	jne 1f\n"
	"	mov $2, %ebx\n"
	"	mov $72, %eax\n" /* fcntl(1, F_GETFD) */
	"	mov $1, %edi\n"
	"	mov $1, %esi\n"
	"	syscall\n"
	"	cmp $-9, %rax\n" /* EBADF */
	"	jne 1f\n"
	"	xor %ebx, %ebx\n"
	"1:	mov %ebx, %edi\n"
	"	mov $231, %eax\n" /* exit_group */
	"	syscall\n"
	"probe_code_end:\n"
	".popsection\n");

struct probe_image {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	char code[256];
};

static int make_program(struct error *err)
{
	const size_t code_bytes = (size_t)(probe_code_end - probe_code);
	struct probe_image image = {
		.header =
			{
				.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
					ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
				.e_type = ET_EXEC,
				.e_machine = EM_X86_64,
				.e_version = EV_CURRENT,
				.e_entry = PROGRAM_BASE +
					offsetof(struct probe_image, code),
				.e_phoff = sizeof(Elf64_Ehdr),
				.e_ehsize = sizeof(Elf64_Ehdr),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 1,
			},
		.segment =
			{
				.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_vaddr = PROGRAM_BASE,
				.p_filesz = sizeof(image),
				.p_memsz = sizeof(image),
				.p_align = 4096,
			},
	};
	char byte = 0;
	int fd;

	memcpy(image.code, probe_code, code_bytes);
	fd = memfd_create_sealed("probe", &image, sizeof(image), true, err);
	if (fd < 0)
		return -1;
	if (pwrite(fd, &byte, 1, 0) == -1 && errno == EPERM)
		return fd;
	error_write(err, ERROR_SYSTEM, "is sealed, and can be written to");
	close(fd);
	return -1;
}

static void no_control(
	struct program_probe *probe, const char *what, int number)
{
	snprintf(probe->control, sizeof(probe->control), "%s: %s", what,
		strerrordesc_np(number));
}

/* While it lives, for it waits.  Signal 0 is none, and refused as any other. */
static void look_at_child(
	const struct spawn_child *child, struct program_probe *probe)
{
	struct proc_memory memory;
	struct timespec time;
	clockid_t clock;

	probe->figures = proc_read_memory(proc_find(child->pidfd), &memory);
	if (clock_getcpuclockid(child->pid, &clock) != 0 ||
		clock_gettime(clock, &time) != 0)
		no_control(probe, "a child's CPU clock cannot be read", errno);
	if (syscall(SYS_pidfd_send_signal, child->pidfd, 0, NULL, 0) == 0)
		return;
	probe->others = errno == EPERM;
	no_control(probe, "a child cannot be killed", errno);
}

static void wait_for_child(
	const struct spawn_child *child, struct program_probe *probe)
{
	siginfo_t info = {0};

	if (waitid(P_PIDFD, (id_t)child->pidfd, &info, WEXITED) != 0)
		no_control(probe, "a child cannot be waited for", errno);
	else if (info.si_code == CLD_EXITED)
		probe->status = info.si_status;
	else
		snprintf(probe->control, sizeof(probe->control),
			"a program that is started dies of signal %d",
			info.si_status);
}

static void run_program(struct sandbox *sandbox, int program, int input,
	int wake, struct program_probe *probe)
{
	const struct slot *slot = &sandbox->run_slot;
	char name[] = "probe";
	char *const argv[] = {name, NULL};
	char *const envp[] = {NULL};
	const struct spawn spawn = {
		.program = program,
		.argv = argv,
		.envp = envp,
		.fds = &input,
		.n_fds = 1,
		.work_dir = -1,
		.cgroup = -1,
		.landlock = -1,
		.change_ids = slot->change_ids,
		.uid = slot->uid,
		.gid = slot->gid,
		.stack = slot->stack,
		.stack_bytes = slot->stack_bytes,
	};
	struct spawn_child child;
	struct error err = {0};

	if (!spawn_start(&spawn, &child, &err)) {
		snprintf(probe->control, sizeof(probe->control), "%.*s",
			(int)sizeof(probe->control) - 1, err.message);
		close(wake);
		return;
	}
	look_at_child(&child, probe);
	close(wake);
	wait_for_child(&child, probe);
	spawn_finish(&child);
}

bool layers_probe_program(
	struct sandbox *sandbox, struct program_probe *probe, struct error *err)
{
	struct error reason = {0};
	CLEANUP(cleanup_close) int program = make_program(&reason);
	CLEANUP(cleanup_close) int input = -1;
	int ends[2];

	*probe = (struct program_probe){.status = -1};
	if (program < 0) {
		snprintf(probe->sealed, sizeof(probe->sealed), "%.*s",
			(int)sizeof(probe->sealed) - 1, reason.message);
		snprintf(probe->control, sizeof(probe->control),
			"there is no program to try it with");
		return true;
	}
	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set_errno(err, "cannot make a pipe");
	input = ends[0];
	run_program(sandbox, program, input, ends[1], probe);
	return true;
}
