/* SPDX-License-Identifier: MIT */

/*
 * The filters as text, and the run jail's table as documentation.
 *
 * What happens is found out by executing the filter; when, is told in the words
 * of the table, which test_policy.c has shown to be the filter's own, to the
 * last branch.  So a difference in these files is one in what the kernel does,
 * and another version of libseccomp is none.
 */

#include "base/cleanup.h"
#include "base/text.h"
#include "sandbox/policy.h"
#include "sandbox/protocol.h"
#include "tests/suites.h"
#include "tests/support/bpf.h"
#include "tests/support/call_table.h"
#include "tests/support/golden.h"

#include <inttypes.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum {
	NUMBERS_END = 1024,
	X32_BIT = 0x40000000,
};

/* Arguments that conditions speak of, by their names in the manual. */
static const struct {
	int call;
	unsigned int argument;
	const char *name;
} argument_names[] = {
	{SYS_futex, 1, "futex_op"},
	{SYS_read, 0, "fd"},
	{SYS_readv, 0, "fd"},
	{SYS_write, 0, "fd"},
	{SYS_writev, 0, "fd"},
	{SYS_sendmsg, 0, "fd"},
	{SYS_execveat, 0, "fd"},
	{SYS_execveat, 4, "flags"},
	{SYS_mmap, 1, "length"},
	{SYS_mmap, 2, "prot"},
	{SYS_mmap, 3, "flags"},
	{SYS_mmap, 4, "fd"},
	{SYS_mremap, 2, "new_size"},
	{SYS_mprotect, 2, "prot"},
	{SYS_madvise, 2, "advice"},
	{SYS_arch_prctl, 0, "op"},
	{SYS_prlimit64, 0, "pid"},
	{SYS_prlimit64, 2, "new_limit"},
	{SYS_clock_gettime, 0, "clockid"},
	{SYS_exit_group, 0, "status"},
	{SYS_tkill, 1, "sig"},
	{SYS_tgkill, 2, "sig"},
	{SYS_fcntl, 1, "op"},
};

static const char *name_argument(int call, unsigned int argument)
{
	for (size_t i = 0; i < sizeof(argument_names) / sizeof(*argument_names);
		i++)
		if (argument_names[i].call == call &&
			argument_names[i].argument == argument)
			return argument_names[i].name;
	ck_abort_msg("argument %u of call %d has no name", argument, call);
	return NULL;
}

static void put_call(struct text *out, int call)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, call);

	ck_assert(name || call == CRASH_REPORT_CALL);
	text_puts(out, name ? name : "(crash report)");
	free(name);
}

static void put_number(struct text *out, uint64_t value)
{
	text_printf(out, value < 32 ? "%" PRIu64 : "0x%" PRIx64, value);
}

static void put_condition(
	struct text *out, const struct filter_rule *rule, unsigned int k)
{
	const struct scmp_arg_cmp *condition = &rule->conditions[k];
	uint64_t datum = condition->datum_a;
	const char *sign = "=";

	text_puts(out, name_argument(rule->call, condition->arg));
	if (condition->op == SCMP_CMP_MASKED_EQ) {
		if (datum != 0xffffffffu)
			text_printf(out, " & 0x%" PRIx64, datum);
		datum = condition->datum_b;
	} else if (condition->op == SCMP_CMP_LT) {
		sign = "<";
	} else if (condition->op == SCMP_CMP_GE) {
		sign = ">=";
	} else {
		ck_assert_int_eq((int)condition->op, SCMP_CMP_EQ);
	}
	text_printf(out, " %s ", sign);
	put_number(out, datum);
	if (rule->keyed && k < 2)
		text_printf(out, " + key %u", k);
}

static void put_conditions(struct text *out, const struct filter_rule *rule)
{
	for (unsigned int k = 0; k < rule->n_conditions; k++) {
		if (k > 0)
			text_puts(out, ", ");
		put_condition(out, rule, k);
	}
}

static void put_error(struct text *out, int number)
{
	const char *name = strerrorname_np(number);

	if (number == 0)
		text_puts(out, "returns 0");
	else
		text_printf(out, "fails with %s", name ? name : "?");
}

/* Golden files ----------------------------------------------------------- */

static const struct {
	const char *path;
	const char *title;
	enum { ASKING, KILLING, TOOL } which;
} files[] = {
	{"tests/golden/run-filter.txt",
		"of a submission's program, in the run jail", ASKING},
	{"tests/golden/run-filter-without-listener.txt",
		"of a submission's program, where nobody can listen", KILLING},
	{"tests/golden/tool-filter.txt",
		"of a compiler, assembler or linker, in the compile jail",
		TOOL},
};

static void put_action(struct text *out, uint32_t action)
{
	switch (action & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
		text_puts(out, "is made");
		return;
	case SECCOMP_RET_USER_NOTIF:
		text_puts(out, "is put to us");
		return;
	case SECCOMP_RET_KILL_PROCESS:
		text_puts(out, "kills");
		return;
	default:
		ck_assert_uint_eq(
			action & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
		put_error(out, (int)(action & SECCOMP_RET_DATA));
	}
}

struct rendering {
	struct call_table table;
	struct sock_fprog filter;
	/* Of the call that is looked at. */
	uint32_t actions[CALL_TABLE_RULES_MAX];
	bool found[CALL_TABLE_RULES_MAX];
	uint32_t otherwise;
	bool found_otherwise;
};

static uint32_t execute(const struct rendering *of, uint32_t arch, int call,
	const uint64_t arguments[6])
{
	struct seccomp_data data = {.nr = call, .arch = arch};

	for (int i = 0; i < 6; i++)
		data.args[i] = arguments[i];
	return bpf_run(&of->filter, &data, NULL);
}

/* One action for each rule, and one for the rest. */
static void look(void *context, int call, const uint64_t arguments[6])
{
	struct rendering *of = context;
	const uint32_t action = execute(of, AUDIT_ARCH_X86_64, call, arguments);
	const struct filter_rule *rule =
		call_table_find(&of->table, call, arguments);
	const size_t i = rule ? (size_t)(rule - of->table.rules) : 0;
	bool *found = rule ? &of->found[i] : &of->found_otherwise;
	uint32_t *at = rule ? &of->actions[i] : &of->otherwise;

	ck_assert(!*found || *at == action);
	*found = true;
	*at = action;
}

static void put_line(struct text *out, int call, bool first, uint32_t action,
	const struct filter_rule *rule)
{
	struct text name = {0}, does = {0};

	put_call(&name, call);
	put_action(&does, action);
	if (first)
		text_printf(out, "%5d %-18s", call, name.data);
	else
		text_printf(out, "%24s", "");
	text_printf(out, " %s", does.data);
	if (!rule) {
		text_puts(out, " otherwise");
	} else if (rule->n_conditions) {
		text_puts(out, " if ");
		put_conditions(out, rule);
	}
	text_putc(out, '\n');
	text_finish(&name);
	text_finish(&does);
}

/* False: like all others that have no rule. */
static bool put_rules(struct text *out, struct rendering *of, int call)
{
	bool first = true;

	memset(of->found, 0, sizeof(of->found));
	of->found_otherwise = false;
	call_table_probe(&of->table, call, look, of);
	for (size_t i = 0; i < of->table.n_rules; i++) {
		if (!of->found[i])
			continue;
		put_line(out, call, first, of->actions[i], &of->table.rules[i]);
		first = false;
	}
	if (of->found_otherwise) {
		ck_assert_uint_eq(of->otherwise, of->table.otherwise);
		if (!first)
			put_line(out, call, false, of->otherwise, NULL);
	}
	return !first;
}

/* What no call of the other architectures escapes. */
static uint32_t find_foreign(
	const struct rendering *of, uint32_t arch, int bits)
{
	static const uint64_t none[6];
	const uint32_t action = execute(of, arch, bits, none);

	for (int call = 0; call < NUMBERS_END; call++)
		ck_assert_uint_eq(execute(of, arch, call | bits, none), action);
	return action;
}

static void render(struct text *out, struct rendering *of)
{
	int n = 0;

	text_puts(out, "\nx86-64:\n");
	for (int call = 0; call < NUMBERS_END; call++)
		n += put_rules(out, of, call);
	n += put_rules(out, of, CRASH_REPORT_CALL);
	ck_assert_int_gt(n, 0);
	text_puts(out, "      all others         ");
	put_action(out, of->table.otherwise);
	text_puts(out, "\n\nx32: all ");
	put_action(out, find_foreign(of, AUDIT_ARCH_X86_64, X32_BIT));
	text_puts(out, "\nint 0x80: all ");
	put_action(out, find_foreign(of, AUDIT_ARCH_I386, 0));
	text_puts(out, "\n");
}

START_TEST(a_filter_is_what_it_was)
{
	CLEANUP(cleanup_text) struct text got = {0};
	struct rendering *of = calloc(1, sizeof(*of));

	ck_assert_ptr_nonnull(of);
	if (files[_i].which == TOOL) {
		call_table_of_tool(&of->table);
		call_table_filter_of_tool(&of->filter);
	} else {
		call_table_of_run(&of->table, files[_i].which == ASKING);
		call_table_filter_of_run(
			files[_i].which == ASKING, &of->filter);
	}
	text_printf(&got,
		"What the kernel does with each system call %s.\n"
		"Written by: make check T=policy_golden UPDATE=1\n",
		files[_i].title);
	render(&got, of);
	golden_check(files[_i].path, &got);
	filter_finish(&of->filter);
	free(of);
}
END_TEST

/* Documentation ----------------------------------------------------------- */

static const char introduction[] =
	"# System calls of a submission's program\n"
	"\n"
	"<!-- Made from sandbox/policy.c: make check T=policy_golden UPDATE=1"
	" -->\n"
	"\n"
	"The whole list. What is not on it, or has other arguments, stops the\n"
	"program, and the report names the call. So does each call of another\n"
	"architecture (32-bit `int 0x80`, x32). The list holds from before "
	"the\n"
	"program's first instruction to its end. The crash report is the "
	"number\n"
	"9001, which no kernel has.\n"
	"\n"
	"Descriptors: 0 is empty, 1 and 2 take what is printed, 3 is the plan, "
	"4\n"
	"holds the outputs; others there are none. `key` is a random number.\n";

static const struct {
	const char *title;
	const char *text;
	enum policy_decision decision;
	bool conditions;
} sections[] = {
	{"Made as they are", "", POLICY_ALLOW, false},
	{"Made with these arguments alone", "", POLICY_ALLOW, true},
	{"Answered without being made", "", POLICY_ERRNO, false},
	{"Put to the grader",
		"The program waits for the answer. Where the layer \"syscall\n"
		"names\" is missing, nobody can be asked, and the kernel does\n"
		"what the column \"else\" says; what is not on the list then\n"
		"kills without a name.\n\n",
		POLICY_ASK, true},
};

static void put_decision(
	struct text *out, enum policy_decision decision, int number)
{
	if (decision == POLICY_ALLOW)
		text_puts(out, "is made");
	else
		put_error(out, number);
}

static bool belongs(const struct policy_rule *rule, size_t section)
{
	if (rule->decision != sections[section].decision)
		return false;
	return rule->decision != POLICY_ALLOW ||
		sections[section].conditions == (rule->n_conditions > 0);
}

static void put_row(struct text *out, const struct policy_rule *rule,
	const struct filter_rule *as_filter)
{
	text_puts(out, "| `");
	put_call(out, rule->call);
	text_puts(out, "` | ");
	if (rule->decision == POLICY_ALLOW || rule->decision == POLICY_ASK) {
		if (rule->n_conditions) {
			text_putc(out, '`');
			put_conditions(out, as_filter);
			text_putc(out, '`');
		}
	} else {
		put_error(out, rule->number);
	}
	text_puts(out, " | ");
	if (rule->decision == POLICY_ASK) {
		put_decision(out, rule->instead, rule->instead_number);
		text_puts(out, " | ");
	} else {
		/* The same, whether we listen or not. */
		ck_assert_int_eq(rule->decision, rule->instead);
		ck_assert_int_eq(rule->number, rule->instead_number);
	}
	ck_assert_ptr_nonnull(rule->why);
	text_printf(out, "%s |\n", rule->why);
}

/* Calls with nothing to say but why, and the same, are one row. */
static size_t put_short_row(
	struct text *out, const struct policy_rule *rules, size_t i, size_t n)
{
	size_t end = i;

	text_puts(out, "| ");
	for (; end < n && belongs(&rules[end], 0) &&
		strcmp(rules[end].why, rules[i].why) == 0;
		end++) {
		text_puts(out, end > i ? " `" : "`");
		put_call(out, rules[end].call);
		text_putc(out, '`');
	}
	text_printf(out, " | %s |\n", rules[i].why);
	return end;
}

static void put_section(struct text *out, size_t section)
{
	static const char *const heads[] = {
		"| calls | why |\n| --- | --- |\n",
		"| call | if | why |\n| --- | --- | --- |\n",
		"| call | answer | why |\n| --- | --- | --- |\n",
		"| call | if | else | why |\n| --- | --- | --- | --- |\n",
	};
	struct call_table table;
	size_t n;
	const struct policy_rule *rules = policy_rules(&n);

	call_table_of_run(&table, true);
	text_printf(out, "\n## %s\n\n%s%s", sections[section].title,
		sections[section].text, heads[section]);
	for (size_t i = 0; i < n;) {
		if (!belongs(&rules[i], section))
			i++;
		else if (section == 0)
			i = put_short_row(out, rules, i, n);
		else {
			put_row(out, &rules[i], &table.rules[i]);
			i++;
		}
	}
}

START_TEST(the_documentation_lists_what_the_table_has)
{
	CLEANUP(cleanup_text) struct text got = {0};

	text_puts(&got, introduction);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		put_section(&got, i);
	golden_check("docs/syscalls.md", &got);
}
END_TEST

Suite *policy_golden_suite(void)
{
	Suite *suite = suite_create("policy_golden");
	TCase *tcase = tcase_create("policy_golden");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, a_filter_is_what_it_was, 0,
		sizeof(files) / sizeof(files[0]));
	tcase_add_test(tcase, the_documentation_lists_what_the_table_has);
	suite_add_tcase(suite, tcase);
	return suite;
}
