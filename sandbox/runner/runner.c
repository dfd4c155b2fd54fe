/* SPDX-License-Identifier: MIT */

/*
 * Makes the calls of a plan, inside the submission's own process.
 *
 * Whatever is here can be overwritten, forged and jumped over by the code that
 * it calls, and nothing that it says is believed (sandbox/protocol.h).  It is
 * careful for another reason: an honest program with a mistake should leave
 * good evidence.
 *
 * Slots lie at addresses where a static program has nothing.  What is not
 * mapped between them is their guard: neither brk() nor mmap() without a fixed
 * address gets there, with terabytes between.
 */

#include "sandbox/runner/runner.h"
#include "sandbox/raw.h"

#include <asm/sigcontext.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <asm/ucontext.h>
#include <asm/unistd.h>
#include <linux/mman.h>
#include <stdbool.h>

enum {
	PAGE_BYTES = 4096,
	SIGNAL_STACK_BYTES = 65536,
	SIGSET_BYTES = 8,
	SEEK_TO_END = 2,
	PAGE_FAULT = 14,       /* the processor's number for it */
	COPY_IN_WORDS_MAX = 96 /* bytes: above, starting "rep movs" pays */
};

/* No stack is longer than this, whatever its limit. */
#define STACK_SPAN_MAX ((uint64_t)1 << 30)

/* A callee that is called directly is searched for this far in front of pc. */
#define CALLEE_BYTES_MAX 4096

/* As many words of the stack are looked at for return addresses. */
#define SCAN_WORDS_MAX 2048
#define SCAN_FRAMES_MAX 8
#define CALL_BYTES_MAX 7

#define FRAMES_MAX                                                             \
	(sizeof(((struct crash_report *)0)->frames) / sizeof(uint64_t))

/* 8 bytes at any address, of whatever they are. */
typedef uint64_t __attribute__((may_alias, aligned(1))) word;

/* From the linker: the program's code lies between. */
extern const char code_start[] __asm__("__executable_start")
	__attribute__((weak));
extern const char code_end[] __asm__("etext") __attribute__((weak));

uint64_t grader_heap_pattern;
uint64_t grader_notes[CRASH_NOTES];

static const char *plan_base;
static char *outputs_base;
static volatile struct progress *progress;
static uint64_t stack_top;
static char signal_stack[SIGNAL_STACK_BYTES] __attribute__((aligned(16)));

/*
 * The entry point.  libc's own start file is not linked, since it would call
 * main(), which is the learner's to define or not; the arguments are what both
 * musl and glibc want: main, argc, argv, init, fini, rtld_fini, and on the
 * stack its end.
 */
__asm__(".text\n"
	".global grader_start\n"
	".type grader_start, @function\n"
	"grader_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov %rsp, %rax\n"
	"	mov (%rsp), %rsi\n"
	"	lea 8(%rsp), %rdx\n"
	"	lea grader_main(%rip), %rdi\n"
	"	xor %ecx, %ecx\n"
	"	xor %r8d, %r8d\n"
	"	xor %r9d, %r9d\n"
	"	and $-16, %rsp\n"
	"	push %rax\n"
	"	push %rax\n"
	"	call __libc_start_main\n"
	"	hlt\n"
	".size grader_start, . - grader_start\n");

/*
 * What else glibc expects of a start file: _start, for a debugger to stop
 * unwinding at, and a function that in position-independent programs relocates
 * them.  Weak, so that a learner's own does not clash.
 */
__asm__(".text\n"
	".weak _start, _dl_relocate_static_pie\n"
	".hidden _start, _dl_relocate_static_pie\n"
	".set _start, grader_start\n"
	".type _dl_relocate_static_pie, @function\n"
	"_dl_relocate_static_pie:\n"
	"	ret\n"
	".size _dl_relocate_static_pie, . - _dl_relocate_static_pie\n");

/* The one place of the runner's own exit: the grader knows it by its address.
   0 is RUNNER_EXIT_CODE. */
_Static_assert(RUNNER_EXIT_CODE == 0, "grader_exit clears the register");
_Noreturn void grader_exit(void);
__asm__(".text\n"
	".global grader_exit, grader_exit_return\n"
	".hidden grader_exit, grader_exit_return\n"
	".type grader_exit, @function\n"
	"grader_exit:\n"
	"	mov $231, %eax\n" /* exit_group */
	"	xor %edi, %edi\n"
	"	syscall\n"
	"grader_exit_return:\n"
	"	hlt\n"
	".size grader_exit, . - grader_exit\n");

void grader_restore(void);
__asm__(".text\n"
	".global grader_restore\n"
	".hidden grader_restore\n"
	".type grader_restore, @function\n"
	"grader_restore:\n"
	"	mov $15, %eax\n" /* rt_sigreturn */
	"	syscall\n"
	".size grader_restore, . - grader_restore\n");

static _Noreturn void refuse_plan(void)
{
	for (;;)
		raw_call(__NR_exit_group, RUNNER_BAD_PLAN_CODE, 0, 0, 0, 0);
}

/* At an address of the kernel's choice where address is 0. */
static char *map(
	uint64_t address, uint64_t bytes, int protection, int fd, uint64_t at)
{
	int flags = MAP_SHARED | (address ? MAP_FIXED_NOREPLACE : 0);
	long result = raw_call6(__NR_mmap, (long)address, (long)bytes,
		protection, flags, fd, (long)at);

	if (result < 0 && result > -PAGE_BYTES)
		refuse_plan();
	return (char *)result;
}

static const struct plan *get_plan(void)
{
	return (const void *)plan_base;
}

static const struct plan_slot *get_slots(void)
{
	return (const void *)(plan_base + get_plan()->slots_at);
}

static void map_slot(const struct plan_slot *slot)
{
	const int both = PROT_READ | PROT_WRITE;

	map(slot->address, slot->bytes, slot->writable ? both : PROT_READ,
		FD_OUTPUTS, slot->offset);
	if (slot->writable_address != slot->address)
		map(slot->writable_address, slot->bytes, both, FD_OUTPUTS,
			slot->offset);
}

static void map_plan(void)
{
	const struct plan *plan;

	/* No other call that we are allowed tells how long a file is. */
	plan_base = map(0, PAGE_BYTES, PROT_READ, FD_PLAN, 0);
	plan = get_plan();
	if (plan->magic != PLAN_MAGIC)
		refuse_plan();
	if (plan->bytes > PAGE_BYTES)
		plan_base = map(0, plan->bytes, PROT_READ, FD_PLAN, 0);
	plan = get_plan();
	outputs_base = map(
		0, plan->outputs_bytes, PROT_READ | PROT_WRITE, FD_OUTPUTS, 0);
	progress = (volatile void *)outputs_base;
	if (progress->first > progress->end || progress->end > plan->n_calls)
		refuse_plan();
	for (uint32_t i = 0; i < plan->n_slots; i++)
		map_slot(&get_slots()[i]);
}

/* Crashes --------------------------------------------------------------- */

/*
 * Whether a word of the stack is a return address: it points into the
 * program's code, behind a call.  That is e8 and a distance, or ff, the next
 * byte's middle bits being 2, and up to 5 bytes more.
 */
static bool is_behind_call(uint64_t address)
{
	const unsigned char *code = (const unsigned char *)address;

	/* What calls and never comes back may be the last code there is. */
	if (address < (uint64_t)code_start + CALL_BYTES_MAX ||
		address > (uint64_t)code_end)
		return false;
	if (code[-5] == 0xe8)
		return true;
	for (int i = 2; i <= CALL_BYTES_MAX; i++)
		if (code[-i] == 0xff && (code[1 - i] >> 3 & 7) == 2)
			return true;
	return false;
}

/* ... and the call is a direct one of the function that pc is in. */
static bool is_behind_call_of(uint64_t address, uint64_t pc)
{
	const unsigned char *code = (const unsigned char *)address;
	int32_t distance;

	if (!is_behind_call(address) || code[-5] != 0xe8)
		return false;
	distance = (int32_t)(code[-4] | (uint32_t)code[-3] << 8 |
		(uint32_t)code[-2] << 16 | (uint32_t)code[-1] << 24);
	return pc - (address + (uint64_t)(int64_t)distance) < CALLEE_BYTES_MAX;
}

static bool is_frame(uint64_t frame, uint64_t sp)
{
	return frame >= sp && frame % sizeof(word) == 0 &&
		frame <= stack_top - 2 * sizeof(word) &&
		is_behind_call(((const word *)frame)[1]);
}

/*
 * libc's functions keep no frame pointer.  If the process died in one, then
 * rbp is still the learner's, whose own return address to be is missing from
 * the chain of frames: it is between sp and rbp, behind a call of this very
 * function.  Or rbp holds anything: then all that looks like a return address
 * is taken for one.
 */
static uint64_t scan_stack(
	uint64_t *frames, const struct sigcontext *regs, bool framed, bool any)
{
	const uint64_t end = framed ? regs->rbp : stack_top;
	uint64_t n = 0;

	for (uint64_t i = 0; i < SCAN_WORDS_MAX && n < SCAN_FRAMES_MAX; i++) {
		uint64_t at = regs->rsp + i * sizeof(word);
		uint64_t value;

		if (at + sizeof(word) > end)
			break;
		value = *(const word *)at;
		if (any ? is_behind_call(value)
			: is_behind_call_of(value, regs->rip))
			frames[n++] = value;
		if (!any && n)
			break;
	}
	return n;
}

/*
 * What lies between sp and the top of the stack is mapped, unless sp or a
 * frame was forged: then this ends the process, of the signal that it would
 * have died of anyway.
 */
static uint64_t find_frames(
	struct crash_report *report, const struct sigcontext *regs)
{
	const uint64_t sp = regs->rsp;
	uint64_t frame = regs->rbp;
	/* A fault just there or above: the stack is at its limit, and what
	   is between sp and the last frame may not be mapped. */
	const bool overflow = regs->trapno == PAGE_FAULT &&
		report->address + PAGE_BYTES > sp &&
		report->address < stack_top;
	uint64_t n = 0;
	bool framed;

	if (sp == 0 || sp > stack_top || stack_top - sp > STACK_SPAN_MAX)
		return 0;
	framed = is_frame(frame, sp);
	if (!overflow)
		n = scan_stack(report->frames, regs, framed,
			!framed || report->signal == SIGABRT);
	while (framed && n < FRAMES_MAX) {
		const word *saved = (const word *)frame;

		report->frames[n++] = saved[1];
		framed = saved[0] > frame && is_frame(saved[0], sp);
		frame = saved[0];
	}
	return n;
}

static void on_crash(int signal, struct siginfo *info, void *context)
{
	const struct sigcontext *regs =
		&((const struct ucontext *)context)->uc_mcontext;
	struct crash_report *report = (void *)(uintptr_t)&progress->crash;
	const bool sent = info->si_code <= 0;

	report->signal = signal;
	report->code = info->si_code;
	report->address = sent ? 0 : (uint64_t)info->si_addr;
	report->pc = regs->rip;
	report->sp = regs->rsp;
	report->stack_top = stack_top;
	report->fault_bits = regs->trapno == PAGE_FAULT ? regs->err : 0;
	report->n_frames = 0;
	for (uint32_t i = 0; i < CRASH_NOTES; i++)
		report->notes[i] = grader_notes[i];
	/* All of it stands in memory before the walk, which may be the end. */
	__asm__ volatile("" ::: "memory");
	report->n_frames = find_frames(report, regs);
	raw_call6(CRASH_REPORT_CALL,
		(long)((uint64_t)(uint32_t)report->code << 32 |
			(uint32_t)signal),
		(long)report->address, (long)report->pc, (long)report->sp,
		(long)report->fault_bits, (long)report->n_frames);
	/* A fault comes again when the handler returns, and then it kills.  A
	   signal that was sent must be sent again. */
	if (sent)
		raw_call(__NR_tkill, raw_call(__NR_gettid, 0, 0, 0, 0, 0),
			signal, 0, 0, 0);
}

/* A stack of its own for the handler: the other may be what has run out. */
static void catch_crashes(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	const stack_t stack = {
		.ss_sp = signal_stack,
		.ss_size = sizeof(signal_stack),
	};
	const struct sigaction action = {
		.sa_handler = (__sighandler_t)(uintptr_t)on_crash,
		.sa_flags =
			SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_RESTORER,
		.sa_restorer = grader_restore,
	};

	raw_call(__NR_sigaltstack, (long)&stack, 0, 0, 0, 0);
	for (uint32_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		raw_call(__NR_rt_sigaction, signals[i], (long)&action, 0,
			SIGSET_BYTES, 0);
}

/* Calls ----------------------------------------------------------------- */

static void copy(char *to, const char *from, uint64_t bytes)
{
	if (bytes > COPY_IN_WORDS_MAX) {
		__asm__ volatile("rep movsb"
				 : "+D"(to), "+S"(from), "+c"(bytes)
				 :
				 : "memory");
		return;
	}
	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		*(word *)to = *(const word *)from;
		to += sizeof(word);
		from += sizeof(word);
	}
	while (bytes--)
		*to++ = *from++;
}

/* The pattern's phase is that of the array, which starts at to. */
static void fill(char *to, uint64_t bytes, uint64_t pattern)
{
	uint64_t words = bytes / sizeof(word);

	__asm__ volatile("rep stosq"
			 : "+D"(to), "+c"(words)
			 : "a"(pattern)
			 : "memory");
	for (bytes %= sizeof(word); bytes > 0; bytes--) {
		*to++ = (char)pattern;
		pattern >>= 8;
	}
}

/* Where the array of an argument starts, in the view that is for us. */
static char *place(const struct plan_argument *argument)
{
	const struct plan_slot *slot = &get_slots()[argument->slot];

	if (argument->slot >= get_plan()->n_slots ||
		argument->bytes > slot->bytes)
		refuse_plan();
	return (char *)slot->writable_address + slot->bytes - argument->bytes;
}

static void paint_before(const struct plan_argument *argument, char *start)
{
	uint64_t room = get_slots()[argument->slot].bytes - argument->bytes;

	if (room > BEFORE_PAINT_BYTES)
		room = BEFORE_PAINT_BYTES;
	room -= room % sizeof(word);
	fill(start - room, room, argument->pattern);
}

static void set_up(const struct plan_argument *argument, bool keep_outputs,
	union runner_value *value)
{
	const struct plan_slot *slot;
	char *start;

	value->bits = argument->value;
	switch ((enum argument_kind)argument->kind) {
	case ARGUMENT_SCALAR:
		return;
	case ARGUMENT_NULL:
	case ARGUMENT_RESULT:
		value->bits = 0;
		return;
	case ARGUMENT_INPUT:
		start = place(argument);
		paint_before(argument, start);
		copy(start, plan_base + argument->value, argument->bytes);
		break;
	case ARGUMENT_OUTPUT:
		start = place(argument);
		paint_before(argument, start);
		if (!keep_outputs)
			fill(start, argument->bytes, argument->pattern);
		break;
	default:
		refuse_plan();
	}
	slot = &get_slots()[argument->slot];
	value->bits = slot->address + slot->bytes - argument->bytes;
}

static void take(
	const struct plan_argument *argument, const union runner_value *value)
{
	char *to = outputs_base + argument->value;

	if (argument->kind == ARGUMENT_RESULT)
		*(word *)to = value->bits;
	else if (argument->kind == ARGUMENT_OUTPUT)
		copy(to, place(argument), argument->bytes);
}

/* Below the stack pointer, where the next function's variables will be: no
   handler can come between, since those have a stack of their own. */
static inline __attribute__((always_inline)) void paint_stack(uint64_t pattern)
{
	uint64_t words = STACK_PAINT_BYTES / sizeof(word);
	char *to;

	__asm__ volatile(
		"lea %c[below](%%rsp), %[to]\n\t"
		"rep stosq"
		: [to] "=&D"(to), "+c"(words)
		: "a"(pattern), [below] "i"(-(int64_t)STACK_PAINT_BYTES)
		: "memory");
}

/*
 * As every process starts out: an exception that is pending or a rounding mode
 * that is left over would be another call's mistake.
 */
static inline __attribute__((always_inline)) void reset_float(void)
{
	const uint32_t mxcsr = 0x1f80;

	__asm__ volatile("fninit\n\t"
			 "ldmxcsr %0\n\t"
			 "cld"
			 :
			 : "m"(mxcsr));
}

static inline __attribute__((always_inline)) uint64_t read_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static void make_call(const struct plan_call *call, struct call_record *record)
{
	const struct plan *plan = get_plan();
	const struct plan_argument *arguments =
		(const struct plan_argument *)(plan_base + plan->arguments_at) +
		call->first_argument;
	const uint64_t pattern = FILL_DOUBLE(FILL_STACK, plan->nonce);
	union runner_value values[RUNNER_ARGUMENTS_MAX];
	uint64_t start;

	if (call->n_arguments > RUNNER_ARGUMENTS_MAX ||
		call->first_argument > plan->n_arguments ||
		call->n_arguments > plan->n_arguments - call->first_argument)
		refuse_plan();
	for (uint32_t i = 0; i < call->n_arguments; i++)
		set_up(&arguments[i], call->keep_outputs, &values[i]);
	paint_stack(pattern);
	reset_float();
	start = read_ticks();
	grader_call(call->function, values);
	record->ticks = read_ticks() - start;
	__asm__ volatile("cld");
	for (uint32_t i = 0; i < call->n_arguments; i++)
		take(&arguments[i], &values[i]);
	record->text_end =
		(uint64_t)raw_call(__NR_lseek, FD_STDOUT, 0, SEEK_TO_END, 0, 0);
}

void grader_run(void)
{
	const struct plan_call *calls;
	struct call_record *records;

	stack_top = (uint64_t)__builtin_frame_address(0);
	map_plan();
	catch_crashes();
	grader_heap_pattern = FILL_DOUBLE(FILL_HEAP, get_plan()->nonce);
	calls = (const void *)(plan_base + get_plan()->calls_at);
	records = (void *)(outputs_base + get_plan()->records_at);
	for (uint64_t i = progress->first; i < progress->end; i++) {
		progress->current++;
		make_call(&calls[i], &records[i]);
		progress->done++;
	}
	grader_exit();
}
