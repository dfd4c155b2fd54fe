/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"
#include "tests/suites.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct sandbox_options options = {.temp_dir = "/tmp"};
static struct sandbox *sandbox;

static void set_up(void)
{
	struct error err = {0};

	sandbox = sandbox_create(&options, &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
}

static void tear_down(void)
{
	sandbox_destroy(sandbox);
}

static const struct layer *find(const char *name)
{
	size_t count;
	const struct layer *layers = sandbox_layers(sandbox, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(layers[i].name, name) == 0)
			return &layers[i];
	ck_abort_msg("no layer %s", name);
	return NULL;
}

static const char *const required[] = {"no-new-privs", "rlimits", "seccomp",
	"sealed memfds", "clean descriptors", "clean environment"};

START_TEST(what_we_cannot_do_without_is_there)
{
	const struct layer *layer = find(required[_i]);

	ck_assert(layer->required);
	ck_assert_msg(
		layer->state == LAYER_OK, "%s: %s", layer->name, layer->reason);
	ck_assert_str_eq(layer->reason, "");
}
END_TEST

static const char *const optional[] = {"syscall names", "memory figures",
	"landlock", "landlock network", "landlock scopes", "separate uid",
	"fixed addresses", "cgroup memory", "compiler namespaces",
	"compiler landlock"};

START_TEST(what_is_missing_has_a_reason)
{
	const struct layer *layer = find(optional[_i]);

	ck_assert(!layer->required);
	ck_assert_int_ne(layer->state, LAYER_BROKEN);
	ck_assert_int_eq(layer->state == LAYER_OK, layer->reason[0] == '\0');
}
END_TEST

START_TEST(only_root_can_give_uids)
{
	bool separate = find("separate uid")->state == LAYER_OK;

	ck_assert_int_eq(sandbox->run_slot.change_ids, separate);
	if (separate)
		ck_assert_int_eq(geteuid(), 0);
}
END_TEST

/* Each alone: what the others do does not rest on it. */
static const char *const can_be_left_out[] = {"syscall names", "landlock",
	"separate uid", "fixed addresses", "compiler namespaces",
	"compiler landlock"};

START_TEST(a_layer_that_is_left_out_is_missing_and_says_so)
{
	const char *const without[] = {can_be_left_out[_i], NULL};
	const struct layer *layer;
	struct error err = {0};
	struct sandbox_options fewer = options;

	fewer.without = without;
	sandbox_destroy(sandbox);
	sandbox = sandbox_create(&fewer, &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	layer = find(can_be_left_out[_i]);
	ck_assert_int_eq(layer->state, LAYER_MISSING);
	ck_assert_str_eq(layer->reason, "left out on request");
	ck_assert_int_eq(find("no-new-privs")->state, LAYER_OK);
}
END_TEST

START_TEST(graders_side_by_side_have_other_ids)
{
	struct error err = {0};
	struct sandbox *other = sandbox_create(&options, &err);

	ck_assert_msg(other != NULL, "%s", err.message);
	ck_assert_uint_ne(sandbox->run_slot.uid, sandbox->tool_slot.uid);
	ck_assert_uint_ne(sandbox->run_slot.uid, other->run_slot.uid);
	ck_assert_uint_ne(sandbox->run_slot.uid, other->tool_slot.uid);
	ck_assert_uint_ne(sandbox->tool_slot.uid, other->tool_slot.uid);
	sandbox_destroy(other);
}
END_TEST

START_TEST(a_broken_layer_makes_the_jails_refuse)
{
	struct error err = {0};

	ck_assert(sandbox_check_layers(sandbox, &err));
	sandbox_add_layer(sandbox, "optional", false, "not there");
	ck_assert(sandbox_check_layers(sandbox, &err));
	sandbox_add_layer(sandbox, "walls", true, "made of paper");
	ck_assert(!sandbox_check_layers(sandbox, &err));
	ck_assert_str_eq(err.message,
		"this machine cannot jail programs: walls: made of paper");
}
END_TEST

START_TEST(an_ignored_sigchld_is_an_error)
{
	struct error err = {0};

	signal(SIGCHLD, SIG_IGN);
	ck_assert_ptr_null(sandbox_create(&options, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "SIGCHLD is ignored"));
	signal(SIGCHLD, SIG_DFL);
}
END_TEST

/* A filter around this process, as containers have one. */
static void refuse_call(int call, int number)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)number),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {4, code};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter), 0);
}

static const struct {
	int call, number;
	const char *layer;
	enum layer_state state;
	const char *reason;
} refusals[] = {
	{SYS_personality, EPERM, "fixed addresses", LAYER_MISSING,
		"the kernel says: Operation not permitted"},
	{SYS_landlock_create_ruleset, ENOSYS, "landlock", LAYER_MISSING,
		"the kernel has none, or it is turned off"},
	{SYS_landlock_restrict_self, EPERM, "landlock", LAYER_MISSING,
		"the kernel says: Operation not permitted"},
	{SYS_close_range, ENOSYS, "clean descriptors", LAYER_BROKEN,
		"the kernel says: Function not implemented"},
	{SYS_execveat, EACCES, "sealed memfds", LAYER_BROKEN,
		"the child cannot execute the program: Permission denied"},
};

START_TEST(what_a_container_refuses_is_missing_or_broken)
{
	const struct layer *layer;
	struct error err = {0};

	sandbox_destroy(sandbox);
	refuse_call(refusals[_i].call, refusals[_i].number);
	sandbox = sandbox_create(&options, &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	layer = find(refusals[_i].layer);
	ck_assert_int_eq(layer->state, refusals[_i].state);
	ck_assert_str_eq(layer->reason, refusals[_i].reason);
	/* The compile jail may not do without what the run jail can. */
	if (refusals[_i].state == LAYER_BROKEN)
		ck_assert(!sandbox_check_layers(sandbox, &err));
}
END_TEST

START_TEST(the_probes_leave_us_as_we_were)
{
	/* The child of the probes has lost all of these. */
	ck_assert_int_eq(access("/", R_OK), 0);
	ck_assert_int_gt(getppid(), 0);
	ck_assert_int_eq(close(dup(0)), 0);
}
END_TEST

Suite *layers_suite(void)
{
	Suite *suite = suite_create("layers");
	TCase *tcase = tcase_create("layers");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, what_we_cannot_do_without_is_there, 0,
		sizeof(required) / sizeof(char *));
	tcase_add_loop_test(tcase, what_is_missing_has_a_reason, 0,
		sizeof(optional) / sizeof(char *));
	tcase_add_test(tcase, only_root_can_give_uids);
	tcase_add_loop_test(tcase,
		a_layer_that_is_left_out_is_missing_and_says_so, 0,
		sizeof(can_be_left_out) / sizeof(char *));
	tcase_add_test(tcase, graders_side_by_side_have_other_ids);
	tcase_add_test(tcase, a_broken_layer_makes_the_jails_refuse);
	tcase_add_test(tcase, an_ignored_sigchld_is_an_error);
	tcase_add_loop_test(tcase,
		what_a_container_refuses_is_missing_or_broken, 0,
		sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tcase, the_probes_leave_us_as_we_were);
	suite_add_tcase(suite, tcase);
	return suite;
}
