/* SPDX-License-Identifier: MIT */
#include "tests/support/jail.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memfd.h"
#include "sandbox/protocol.h"

#include <check.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
#define GUARD 0x10000ul

enum {
	N_ARGUMENTS = 4, /* x, n, y and the result */
	PROGRAM_BYTES_MAX = 32 << 20,
};

static const char shim[] =
	"#include \"sandbox/runner/runner.h\"\n"
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"double solve(const double *x, size_t n, double *y);\n"
	"int grader_main(int argc, char **argv, char **envp)\n"
	"{\n"
	"	setvbuf(stdout, NULL, _IONBF, 0);\n"
	"	grader_run();\n"
	"}\n"
	"void grader_call(uint32_t function, union runner_value *v)\n"
	"{\n"
	"	v[3].number = solve(v[0].pointer, v[1].bits, v[2].pointer);\n"
	"}\n";

static const char build_script[] =
	"set -e; cd \"$1\"; top=$2\n"
	"flags='-std=gnu17 -O1 -g -fno-omit-frame-pointer"
	" -fstack-protector-strong -fno-tree-loop-distribute-patterns"
	" -fno-pie -w'\n"
	"if [ $3 = musl ]; then\n"
	"	gcc=musl-gcc; crt=\n"
	"	libs=/usr/lib/x86_64-linux-musl/libc.a\n"
	"else\n"
	"	gcc=gcc\n"
	"	crt=\"$(gcc -print-file-name=crti.o)"
	" $(gcc -print-file-name=crtn.o)\"\n"
	"	libs=\"$(gcc -print-file-name=libm.a)"
	" $(gcc -print-file-name=libc.a)"
	" $(gcc -print-file-name=libgcc_eh.a)\"\n"
	"fi\n"
	"$gcc $flags -I\"$top\" -c shim.c\n"
	"$gcc $flags -I\"$top\" -c solve.c\n"
	"ld -static -z noexecstack -e grader_start -o program runner.o shim.o"
	" solve.o $crt --start-group $libs \"$(gcc -print-libgcc-file-name)\""
	" --end-group\n";

static void put(
	const char *folder, const char *name, const void *data, size_t len)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

static void run_script(const char *folder, const char *libc)
{
	char top[PAGE];
	int status;
	pid_t pid;

	ck_assert_ptr_nonnull(getcwd(top, sizeof(top)));
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", build_script, "sh", folder, top,
			libc, NULL);
		_exit(127);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

/* A memory file with the program, which all may execute and none read. */
static int seal_program(const char *folder)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err = {0};
	char path[128];
	size_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/program", folder);
	ck_assert_msg(file_read(path, PROGRAM_BYTES_MAX, &data, &len, &err),
		"%s", err.message);
	fd = memfd_create_sealed("program", data, len, true, &err);
	ck_assert_msg(fd >= 0, "%s", err.message);
	return fd;
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = {"runner.o", "shim.c", "shim.o",
		"solve.c", "solve.o", "program"};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	ck_assert_int_eq(rmdir(folder), 0);
}

struct sandbox *jail_create(const char *const *tool_reads)
{
	const struct sandbox_options options = {
		.temp_dir = "/tmp",
		.tool_reads = tool_reads,
	};
	struct error err = {0};
	struct sandbox *sandbox = sandbox_create(&options, &err);

	ck_assert_msg(sandbox != NULL, "%s", err.message);
	return sandbox;
}

struct jail_program jail_build_with(const char *libc, const char *source)
{
	char folder[] = "/tmp/grader-test-XXXXXX";
	struct jail_program program;
	size_t runner_bytes;
	const void *runner = sandbox_runner_object(&runner_bytes);

	ck_assert_ptr_nonnull(mkdtemp(folder));
	put(folder, "runner.o", runner, runner_bytes);
	put(folder, "shim.c", shim, sizeof(shim) - 1);
	put(folder, "solve.c", source, strlen(source));
	run_script(folder, libc);
	program.fd = seal_program(folder);
	remove_folder(folder);
	program.runner_exit = jail_symbol(&program, "grader_exit_return");
	return program;
}

struct jail_program jail_build(const char *source)
{
	return jail_build_with("musl", source);
}

static uint64_t find_symbol(const char *image, const char *name)
{
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);

	for (size_t s = 0; s < header->e_shnum; s++) {
		const Elf64_Sym *symbols =
			(const void *)(image + sections[s].sh_offset);
		const char *names =
			image + sections[sections[s].sh_link].sh_offset;

		if (sections[s].sh_type != SHT_SYMTAB)
			continue;
		for (size_t i = 0; i < sections[s].sh_size / sizeof(symbols[0]);
			i++)
			if (strcmp(names + symbols[i].st_name, name) == 0)
				return symbols[i].st_value;
	}
	ck_abort_msg("no symbol %s", name);
	return 0;
}

uint64_t jail_symbol(const struct jail_program *program, const char *name)
{
	struct stat status;
	uint64_t address;
	char *image;

	ck_assert_int_eq(fstat(program->fd, &status), 0);
	image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
		program->fd, 0);
	ck_assert_ptr_ne(image, MAP_FAILED);
	address = find_symbol(image, name);
	munmap(image, (size_t)status.st_size);
	return address;
}

/* Plans ----------------------------------------------------------------- */

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

static int make_file(const char *name, uint64_t bytes, unsigned int seals)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
	ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* Whole numbers, and the bytes of a last one that is cut short. */
static void fill_input(char *to, size_t call, size_t bytes)
{
	for (size_t i = 0; i * sizeof(double) < bytes; i++) {
		const double x = (double)(10 * call + i);
		const size_t left = bytes - i * sizeof(x);

		memcpy(to + i * sizeof(x), &x,
			left < sizeof(x) ? left : sizeof(x));
	}
}

/* Aligned for the next. */
static uint64_t stride(const struct jail_plan *plan)
{
	return (plan->array_bytes + 7) / 8 * 8;
}

/* An output and what the function returned. */
static uint64_t packed_bytes(const struct jail_plan *plan)
{
	return stride(plan) + sizeof(double);
}

static void fill_plan(
	char *base, const struct plan *plan, const struct jail_plan *made)
{
	const uint64_t inputs_at = plan->arguments_at +
		plan->n_arguments * sizeof(struct plan_argument);
	struct plan_slot *slots = (void *)(base + plan->slots_at);
	struct plan_call *calls = (void *)(base + plan->calls_at);
	struct plan_argument *arguments = (void *)(base + plan->arguments_at);
	char *inputs = base + inputs_at;
	const uint64_t slot_bytes = whole_pages(made->array_bytes);
	const uint64_t slots_offset = plan->outputs_bytes - 2 * slot_bytes;
	const uint64_t input = made->input_end - slot_bytes;
	const uint64_t output = made->output_end - slot_bytes;

	memcpy(base, plan, sizeof(*plan));
	slots[0] = (struct plan_slot){
		.address = input,
		.writable_address = made->output_end + GUARD,
		.bytes = slot_bytes,
		.offset = slots_offset,
	};
	slots[1] = (struct plan_slot){
		.address = output,
		.writable_address = output,
		.bytes = slot_bytes,
		.offset = slots_offset + slot_bytes,
		.writable = 1,
	};
	for (size_t c = 0; c < plan->n_calls; c++) {
		struct plan_argument *a = arguments + c * N_ARGUMENTS;
		uint64_t packed = made->packed_at + c * packed_bytes(made);

		calls[c] = (struct plan_call){
			.first_argument = (uint32_t)(c * N_ARGUMENTS),
			.n_arguments = N_ARGUMENTS,
			.keep_outputs = made->repeats && c > 0,
		};
		a[0] = (struct plan_argument){ARGUMENT_INPUT, 0,
			inputs_at + c * stride(made), made->array_bytes,
			FILL_DOUBLE(FILL_BEFORE, plan->nonce)};
		a[1] = (struct plan_argument){ARGUMENT_SCALAR, 0,
			made->array_bytes / sizeof(double), 0, 0};
		a[2] = (struct plan_argument){ARGUMENT_OUTPUT, 1, packed,
			made->array_bytes,
			FILL_DOUBLE(FILL_OUTPUT, plan->nonce)};
		a[3] = (struct plan_argument){
			ARGUMENT_RESULT, 0, packed + stride(made), 0, 0};
		fill_input(inputs + c * stride(made), c, made->array_bytes);
	}
}

static void make_plan_file(struct jail_plan *plan, const struct plan *head)
{
	char *base;

	plan->plan = make_file("plan", head->bytes, 0);
	base = mmap(NULL, head->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		plan->plan, 0);
	ck_assert_ptr_ne(base, MAP_FAILED);
	fill_plan(base, head, plan);
	munmap(base, head->bytes);
	ck_assert_int_eq(fcntl(plan->plan, F_ADD_SEALS,
				 F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW |
					 F_SEAL_SEAL),
		0);
}

static void make_outputs(struct jail_plan *plan, uint64_t bytes)
{
	plan->outputs = make_file(
		"outputs", bytes, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	plan->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		plan->outputs, 0);
	ck_assert_ptr_ne(plan->base, MAP_FAILED);
	plan->progress = (void *)plan->base;
	plan->progress->end = plan->n_calls;
}

void jail_plan_make(struct jail_plan *plan, size_t n_calls)
{
	jail_plan_make_of(plan, n_calls, JAIL_ELEMENTS * sizeof(double), false);
}

void jail_plan_make_of(struct jail_plan *plan, size_t n_calls,
	size_t array_bytes, bool repeats)
{
	struct plan head = {
		.magic = PLAN_MAGIC,
		.n_slots = 2,
		.n_calls = (uint32_t)n_calls,
		.nonce = 0xabad1dea,
		.n_arguments = (uint32_t)(n_calls * N_ARGUMENTS),
	};

	*plan = (struct jail_plan){
		.n_calls = n_calls,
		.nonce = head.nonce,
		.array_bytes = array_bytes,
		.repeats = repeats,
	};
	plan->input_end = SLOTS_BASE + GUARD + whole_pages(array_bytes);
	plan->input = plan->input_end - array_bytes;
	plan->output_end = plan->input_end + GUARD + whole_pages(array_bytes);
	plan->output = plan->output_end - array_bytes;
	head.slots_at = sizeof(head);
	head.calls_at = head.slots_at + head.n_slots * sizeof(struct plan_slot);
	head.arguments_at = head.calls_at + n_calls * sizeof(struct plan_call);
	head.bytes = whole_pages(head.arguments_at +
		head.n_arguments * sizeof(struct plan_argument) +
		n_calls * stride(plan));
	head.records_at = PAGE;
	plan->records_at = head.records_at;
	plan->packed_at =
		head.records_at + n_calls * sizeof(struct call_record);
	head.outputs_bytes =
		whole_pages(plan->packed_at + n_calls * packed_bytes(plan)) +
		2 * whole_pages(array_bytes);
	make_plan_file(plan, &head);
	make_outputs(plan, head.outputs_bytes);
	plan->text = memfd_create("text", MFD_CLOEXEC);
	ck_assert_int_ge(plan->text, 0);
	ck_assert_int_eq(fcntl(plan->text, F_SETFL, O_APPEND), 0);
}
void jail_plan_drop(struct jail_plan *plan)
{
	struct stat status;

	ck_assert_int_eq(fstat(plan->outputs, &status), 0);
	munmap(plan->base, (size_t)status.st_size);
	close(plan->plan);
	close(plan->outputs);
	close(plan->text);
}

const double *jail_output(const struct jail_plan *plan, size_t call)
{
	return (const void *)(plan->base + plan->packed_at +
		call * packed_bytes(plan));
}

uint64_t jail_text_end(const struct jail_plan *plan, size_t call)
{
	const struct call_record *records =
		(const void *)(plan->base + plan->records_at);

	return records[call].text_end;
}

size_t jail_text(const struct jail_plan *plan, char *out, size_t size)
{
	ssize_t len = pread(plan->text, out, size - 1, 0);

	ck_assert_int_ge(len, 0);
	out[len] = '\0';
	return (size_t)len;
}

const struct run_limits jail_limits = {
	.cpu_call_ms = 200,
	.cpu_total_ms = 2000,
	.memory_bytes = 64u << 20,
	.stack_bytes = 8u << 20,
	.text_bytes = 1u << 20,
};

struct run_request jail_request(
	const struct jail_program *program, const struct jail_plan *plan)
{
	return (struct run_request){
		.program = program->fd,
		.plan = plan->plan,
		.outputs = plan->outputs,
		.text = plan->text,
		.progress = plan->progress,
		.runner_exit = program->runner_exit,
		.limits = jail_limits,
		.cancel = -1,
	};
}
