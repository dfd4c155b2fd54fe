/* SPDX-License-Identifier: MIT */
#include "tests/support/probe.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/text.h"
#include "sandbox/internal.h"
#include "sandbox/protocol.h"

#include <check.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { X32_BIT = 0x40000000 };

/* The probes follow.  y[0] is what the kernel returned. */
static const char program_source[] =
	"#include <stddef.h>\n"
	"#include <sys/syscall.h>\n"
	"#include <unistd.h>\n"
	"struct probe { long way, call; unsigned long a[6]; };\n"
	"static const struct probe probes[];\n"
	"static unsigned long own(unsigned long a, const double *x)\n"
	"{\n"
	"	switch (a) {\n"
	"	case 0x7e57000000000001: return getpid();\n"
	"	case 0x7e57000000000002: return getppid();\n"
	"	case 0x7e57000000000003: return (unsigned long)x & -4096;\n"
	"	case 0x7e57000000000004: return (unsigned long)\"/bin/true\";\n"
	"	}\n"
	"	return a;\n"
	"}\n"
	"double solve(const double *x, size_t n, double *y)\n"
	"{\n"
	"	const struct probe *p = &probes[(long)x[0] / 10];\n"
	"	long r = p->call;\n"
	"	unsigned long a[6];\n"
	"	for (int i = 0; i < 6; i++) a[i] = own(p->a[i], x);\n"
	"	register long r10 __asm__(\"r10\") = a[3];\n"
	"	register long r8 __asm__(\"r8\") = a[4];\n"
	"	register long r9 __asm__(\"r9\") = a[5];\n"
	"	if (p->way == 2)\n"
	"		__asm__ volatile(\"int $0x80\" : \"+a\"(r) : "
	"\"b\"(a[0]),"
	"			\"c\"(a[1]), \"d\"(a[2]), \"S\"(a[3]),"
	"			\"D\"(a[4]), \"r\"(r8), \"r\"(r9), \"r\"(r10)"
	"			: \"memory\");\n"
	"	else\n"
	"		__asm__ volatile(\"syscall\" : \"+a\"(r) : \"D\"(a[0]),"
	"			\"S\"(a[1]), \"d\"(a[2]), \"r\"(r10), "
	"\"r\"(r8),"
	"			\"r\"(r9) : \"rcx\", \"r11\", \"memory\");\n"
	"	y[0] = r;\n"
	"	return 1;\n"
	"}\n"
	"static const struct probe probes[] = {\n";

struct probing *probing_create(bool listens)
{
	static const char *const listener[] = {"syscall names", NULL};
	const struct sandbox_options options = {
		.temp_dir = "/tmp",
		.without = listens ? NULL : listener,
	};
	struct probing *of = calloc(1, sizeof(*of));
	struct error err = {0};

	ck_assert_ptr_nonnull(of);
	of->program.fd = -1;
	of->plan.plan = -1;
	of->sandbox = sandbox_create(&options, &err);
	ck_assert_msg(of->sandbox != NULL, "%s", err.message);
	ck_assert(listens || !of->sandbox->listens);
	call_table_of_run(&of->table, of->sandbox->listens);
	return of;
}

void probing_destroy(struct probing *of)
{
	sandbox_destroy(of->sandbox);
	if (of->program.fd >= 0)
		close(of->program.fd);
	if (of->plan.plan >= 0)
		jail_plan_drop(&of->plan);
	free(of);
}

struct probe *probing_add(struct probing *of, enum probe_way way, int call)
{
	struct probe *probe = &of->list[of->n];

	ck_assert_uint_lt(of->n, JAIL_CALLS_MAX);
	of->n++;
	*probe = (struct probe){
		.way = way,
		.call = way == PROBE_X32 ? call | X32_BIT : call,
	};
	return probe;
}

void probing_build(struct probing *of)
{
	CLEANUP(cleanup_text) struct text source = {0};

	text_puts(&source, program_source);
	for (size_t i = 0; i < of->n; i++) {
		text_printf(&source, "{%d, %d, {", (int)of->list[i].way,
			of->list[i].call);
		for (size_t k = 0; k < 6; k++)
			text_printf(&source, "%#llxul,",
				(unsigned long long)of->list[i].arguments[k]);
		text_puts(&source, "}},\n");
	}
	text_puts(&source, "};\n");
	ck_assert(!source.failed);
	of->program = jail_build(source.data);
	jail_plan_make(&of->plan, of->n);
}

void probing_run(struct probing *of, size_t which)
{
	struct run_request request = jail_request(&of->program, &of->plan);
	struct error err = {0};

	of->plan.progress->first = which;
	of->plan.progress->end = which + 1;
	ck_assert_msg(
		sandbox_run_program(of->sandbox, &request, &of->result, &err),
		"%s", err.message);
}

double probing_returned(const struct probing *of, size_t which)
{
	return jail_output(&of->plan, which)[0];
}

const char *probing_describe(const struct probe *probe)
{
	static char said[160];
	const uint64_t *a = probe->arguments;

	snprintf(said, sizeof(said),
		"way %d, call %d(%#llx, %#llx, %#llx, %#llx, %#llx)",
		(int)probe->way, probe->call, (unsigned long long)a[0],
		(unsigned long long)a[1], (unsigned long long)a[2],
		(unsigned long long)a[3], (unsigned long long)a[4]);
	return said;
}

void probing_check_end(const struct probing *of, size_t which, enum run_end end)
{
	const struct run_result *result = &of->result;

	ck_assert_msg(result->end == end,
		"%s: end %d, not %d; signal %d, violation '%s' %lld",
		probing_describe(&of->list[which]), (int)result->end, (int)end,
		result->signal, result->violation.name,
		(long long)result->violation.number);
}

void probing_check_answer(const struct probing *of, size_t which, double answer)
{
	const double returned = probing_returned(of, which);

	probing_check_end(of, which, RUN_FINISHED);
	ck_assert_msg(returned == answer, "%s: returned %g, not %g",
		probing_describe(&of->list[which]), returned, answer);
}

static void check_name(
	const struct probe *probe, const struct run_violation *violation)
{
	static const uint32_t tokens[PROBE_WAYS] = {
		SCMP_ARCH_X86_64, SCMP_ARCH_X32, SCMP_ARCH_X86};
	char *name = seccomp_syscall_resolve_num_arch(
		tokens[probe->way], probe->call);

	ck_assert_msg(strcmp(violation->name, name ? name : "") == 0,
		"%s: '%s'", probing_describe(probe), violation->name);
	free(name);
}

/* Arguments that the program has put in place of ours. */
static bool is_its_own(uint64_t argument)
{
	return argument >> 48 == PROBE_SELF >> 48;
}

void probing_check_violation(const struct probing *of, size_t which)
{
	static const uint32_t architectures[PROBE_WAYS] = {
		AUDIT_ARCH_X86_64, AUDIT_ARCH_X86_64, AUDIT_ARCH_I386};
	const struct probe *probe = &of->list[which];
	const struct run_violation *violation = &of->result.violation;

	probing_check_end(of, which, RUN_VIOLATION);
	if (!of->sandbox->listens) {
		ck_assert_int_eq(of->result.signal, SIGSYS);
		ck_assert_int_eq(violation->number, -1);
		ck_assert_str_eq(violation->name, "");
		return;
	}
	ck_assert_int_eq(of->result.signal, SIGKILL);
	ck_assert_int_eq(violation->number, probe->call);
	ck_assert_uint_eq(violation->architecture, architectures[probe->way]);
	check_name(probe, violation);
	for (size_t i = 0; i < 6 && probe->way != PROBE_INT_80; i++)
		if (!is_its_own(probe->arguments[i]))
			ck_assert_uint_eq(
				violation->arguments[i], probe->arguments[i]);
}
