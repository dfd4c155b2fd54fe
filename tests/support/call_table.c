/* SPDX-License-Identifier: MIT */
#include "tests/support/call_table.h"
#include "base/error.h"
#include "sandbox/policy.h"
#include "sandbox/tool_policy.h"

#include <check.h>

#define LOW 0xffffffffu

enum {
	VALUES_MAX = 512,
	N_ARGUMENTS = 6,
};

static uint32_t action_of(enum policy_decision decision, int number)
{
	if (decision == POLICY_ALLOW)
		return SCMP_ACT_ALLOW;
	if (decision == POLICY_ASK)
		return SCMP_ACT_NOTIFY;
	ck_assert_int_eq(decision, POLICY_ERRNO);
	return SCMP_ACT_ERRNO((uint32_t)number);
}

void call_table_of_run(struct call_table *table, bool listens)
{
	const struct policy_rule *rules = policy_rules(&table->n_rules);

	ck_assert_uint_le(table->n_rules, CALL_TABLE_RULES_MAX);
	table->otherwise = listens ? SCMP_ACT_NOTIFY : SCMP_ACT_KILL_PROCESS;
	table->key = CALL_TABLE_KEY;
	for (size_t i = 0; i < table->n_rules; i++) {
		struct filter_rule *rule = &table->rules[i];

		*rule = (struct filter_rule){
			.call = rules[i].call,
			.action = listens
				? action_of(rules[i].decision, rules[i].number)
				: action_of(rules[i].instead,
					  rules[i].instead_number),
			.n_conditions = rules[i].n_conditions,
			.keyed = rules[i].keyed,
		};
		for (unsigned int k = 0; k < rule->n_conditions; k++)
			rule->conditions[k] = rules[i].conditions[k];
	}
}

void call_table_of_tool(struct call_table *table)
{
	const struct filter_rule *rules = tool_policy_rules(&table->n_rules);

	ck_assert_uint_le(table->n_rules, CALL_TABLE_RULES_MAX);
	table->otherwise = TOOL_POLICY_OTHERWISE;
	table->key = CALL_TABLE_KEY;
	for (size_t i = 0; i < table->n_rules; i++)
		table->rules[i] = rules[i];
}

void call_table_filter_of_run(bool listens, struct sock_fprog *filter_out)
{
	struct error err = {0};

	ck_assert_msg(policy_build(listens, CALL_TABLE_KEY, filter_out, &err),
		"%s", err.message);
}

void call_table_filter_of_tool(struct sock_fprog *filter_out)
{
	struct error err = {0};

	ck_assert_msg(tool_policy_build(CALL_TABLE_KEY, filter_out, &err), "%s",
		err.message);
}

/* What a condition compares with: the key's halves stand in upper ones. */
static uint64_t wanted(const struct call_table *table,
	const struct filter_rule *rule, unsigned int k)
{
	uint64_t datum = rule->conditions[k].datum_a;

	if (rule->keyed && k == 0)
		datum |= table->key & ~(uint64_t)LOW;
	if (rule->keyed && k == 1)
		datum |= table->key << 32;
	return datum;
}

static bool holds(const struct call_table *table,
	const struct filter_rule *rule, unsigned int k, uint64_t value)
{
	const struct scmp_arg_cmp *condition = &rule->conditions[k];
	const uint64_t datum = wanted(table, rule, k);

	if (condition->op == SCMP_CMP_MASKED_EQ)
		return (value & datum) == condition->datum_b;
	if (condition->op == SCMP_CMP_EQ)
		return value == datum;
	if (condition->op == SCMP_CMP_LT)
		return value < datum;
	ck_assert_int_eq((int)condition->op, SCMP_CMP_GE);
	return value >= datum;
}

const struct filter_rule *call_table_find(
	const struct call_table *table, int call, const uint64_t arguments[6])
{
	for (size_t i = 0; i < table->n_rules; i++) {
		const struct filter_rule *rule = &table->rules[i];
		bool fits = rule->call == call;

		for (unsigned int k = 0; fits && k < rule->n_conditions; k++)
			fits = holds(table, rule, k,
				arguments[rule->conditions[k].arg]);
		if (fits)
			return rule;
	}
	return NULL;
}

uint32_t call_table_decide(
	const struct call_table *table, int call, const uint64_t arguments[6])
{
	const struct filter_rule *rule =
		call_table_find(table, call, arguments);

	/* libseccomp's actions are the kernel's numbers. */
	return rule ? rule->action : table->otherwise;
}

/* Probes ----------------------------------------------------------------- */

struct values {
	size_t n;
	uint64_t list[VALUES_MAX];
};

static void add(struct values *values, uint64_t value)
{
	for (size_t i = 0; i < values->n; i++)
		if (values->list[i] == value)
			return;
	ck_assert_uint_lt(values->n, VALUES_MAX);
	values->list[values->n++] = value;
}

static void add_around(struct values *values, uint64_t value)
{
	add(values, value);
	add(values, value - 1);
	add(values, value + 1);
	/* The same, with another upper half. */
	add(values, value ^ UINT64_C(1) << 32);
	add(values, value ^ UINT64_C(1) << 63);
	add(values, value | ~(uint64_t)LOW);
	add(values, value & LOW);
}

/* All bits of the mask as they should be, then one that is not. */
static void add_bits(struct values *values, uint64_t mask, uint64_t value)
{
	add_around(values, value);
	add(values, value | ~mask);
	/* Of a whole word some do. */
	for (int bit = 0; bit < 64; bit += mask == LOW ? 11 : 1)
		if (mask >> bit & 1)
			add(values, value ^ UINT64_C(1) << bit);
}

static void find_values(const struct call_table *table, int call,
	struct values values[N_ARGUMENTS])
{
	for (size_t i = 0; i < N_ARGUMENTS; i++)
		values[i].n = 0;
	for (size_t i = 0; i < table->n_rules; i++) {
		const struct filter_rule *rule = &table->rules[i];

		if (rule->call != call)
			continue;
		for (unsigned int k = 0; k < rule->n_conditions; k++) {
			const struct scmp_arg_cmp *condition =
				&rule->conditions[k];
			struct values *at = &values[condition->arg];
			const uint64_t datum = wanted(table, rule, k);

			add(at, 0);
			add(at, UINT64_MAX);
			if (condition->op == SCMP_CMP_MASKED_EQ)
				add_bits(at, datum, condition->datum_b);
			else
				add_around(at, datum);
		}
	}
}

static void probe_from(struct values values[N_ARGUMENTS], int argument,
	uint64_t arguments[N_ARGUMENTS], int call,
	void (*visit)(void *context, int call, const uint64_t arguments[6]),
	void *context)
{
	if (argument == N_ARGUMENTS) {
		visit(context, call, arguments);
		return;
	}
	if (values[argument].n == 0)
		add(&values[argument], 0);
	for (size_t i = 0; i < values[argument].n; i++) {
		arguments[argument] = values[argument].list[i];
		probe_from(
			values, argument + 1, arguments, call, visit, context);
	}
}

void call_table_probe(const struct call_table *table, int call,
	void (*visit)(void *context, int call, const uint64_t arguments[6]),
	void *context)
{
	static const uint64_t others[] = {1, 0x7fffffff, LOW, 1ull << 32};
	struct values values[N_ARGUMENTS];
	uint64_t arguments[N_ARGUMENTS] = {0};

	find_values(table, call, values);
	probe_from(values, 0, arguments, call, visit, context);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		for (size_t k = 0; k < N_ARGUMENTS; k++)
			arguments[k] = others[i];
		visit(context, call, arguments);
	}
}
