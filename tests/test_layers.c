/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
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
	"sealed memfds", "process control", "clean descriptors",
	"clean environment", "compiler file view"};

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

/* As any user of the machine could. */
START_TEST(ids_that_somebody_has_taken_are_told)
{
	enum { FIRST = 60578, COUNT = 512 };
	const struct layer *layer;
	struct error err = {0};

	if (!sandbox->run_slot.change_ids)
		return;
	sandbox_destroy(sandbox);
	for (int id = FIRST; id < FIRST + COUNT; id++) {
		struct sockaddr_un name = {.sun_family = AF_UNIX};
		int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
		int len = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1,
			"grader-slot-%d", id);

		ck_assert_int_ge(fd, 0);
		/* Other graders may have some. */
		(void)!bind(fd, (const struct sockaddr *)&name,
			(socklen_t)(sizeof(sa_family_t) + 1 + (size_t)len));
	}
	sandbox = sandbox_create(&options, &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	layer = find("separate uid");
	ck_assert_int_eq(layer->state, LAYER_MISSING);
	ck_assert_ptr_nonnull(strstr(layer->reason, "are taken"));
	ck_assert(sandbox->run_slot.change_ids);
	ck_assert_uint_ne(sandbox->run_slot.uid, 0);
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

#define SAYS "the kernel says: Operation not permitted"
#define TELLS                                                                  \
	": Operation not permitted: a submission can tell which files "        \
	"exist"

/* Whatever its arguments. */
#define ANY                                                                    \
	{                                                                      \
		0, 0, 0                                                        \
	}

/* Each call that a layer rests on, refused as a container's filter would. */
static const struct {
	struct refusal refusal;
	const char *layer; /* NULL: none rests on it alone */
	enum layer_state state;
	const char *reason;
	int status; /* of grader doctor, which grades */
} refusals[] = {
	{{SYS_personality, EPERM, ANY}, "fixed addresses", LAYER_MISSING, SAYS,
		0},

	{{SYS_landlock_create_ruleset, ENOSYS, ANY}, "landlock", LAYER_MISSING,
		"the kernel has none, or it is turned off", 0},
	{{SYS_landlock_create_ruleset, EPERM, ANY}, "compiler landlock",
		LAYER_MISSING, "there is no Landlock", 0},
	{{SYS_landlock_create_ruleset, EPERM, {2, 1, 0}}, "landlock",
		LAYER_MISSING,
		"cannot make a Landlock ruleset: Operation not permitted", 0},
	{{SYS_landlock_add_rule, EPERM, ANY}, "compiler landlock",
		LAYER_MISSING,
		"cannot let the compile jail see its folder: Operation not "
		"permitted",
		0},
	{{SYS_landlock_restrict_self, EPERM, ANY}, "landlock", LAYER_MISSING,
		SAYS, 0},
	{{SYS_landlock_restrict_self, EPERM, ANY}, "landlock network",
		LAYER_MISSING, "there is no Landlock", 0},
	{{SYS_landlock_restrict_self, EPERM, ANY}, "compiler landlock",
		LAYER_MISSING, "there is no Landlock", 0},

	{{SYS_clone, EPERM, {0, CLONE_NEWNS, CLONE_NEWNS}},
		"compiler namespaces", LAYER_MISSING, NULL, 0},
	{{SYS_mount, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot detach its mounts in a namespace" TELLS, 0},
	{{SYS_open_tree, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot take the work folder in a namespace" TELLS, 0},
	{{SYS_mount_setattr, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot mount the work folder in a namespace" TELLS, 0},
	{{SYS_move_mount, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot mount the work folder in a namespace" TELLS, 0},
	{{SYS_pivot_root, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot change its root in a namespace" TELLS, 0},
	{{SYS_umount2, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot change its root in a namespace" TELLS, 0},
	{{SYS_setns, EPERM, ANY}, "compiler namespaces", LAYER_MISSING,
		"cannot look around in a namespace" TELLS, 0},

	{{SYS_setgroups, EPERM, ANY}, "separate uid", LAYER_MISSING, SAYS, 0},
	{{SYS_setresgid, EPERM, ANY}, "separate uid", LAYER_MISSING, SAYS, 0},
	{{SYS_setresuid, EPERM, ANY}, "separate uid", LAYER_MISSING, SAYS, 0},
	{{SYS_fchown, EPERM, ANY}, "separate uid", LAYER_MISSING,
		"files cannot be given to it (CAP_CHOWN)", 4},

	{{SYS_seccomp, EPERM,
		 {1, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			 SECCOMP_FILTER_FLAG_NEW_LISTENER}},
		"syscall names", LAYER_MISSING, SAYS, 0},
	{{SYS_seccomp, EBUSY,
		 {1, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			 SECCOMP_FILTER_FLAG_NEW_LISTENER}},
		"syscall names", LAYER_MISSING,
		"another listener has been set up around the grader", 0},
	{{SYS_seccomp, EPERM, ANY}, "seccomp", LAYER_BROKEN, SAYS, 4},

	{{SYS_prctl, EPERM, {0, UINT32_MAX, PR_SET_NO_NEW_PRIVS}},
		"no-new-privs", LAYER_BROKEN, SAYS, 4},
	{{SYS_prctl, 0, {0, UINT32_MAX, PR_GET_NO_NEW_PRIVS}}, "no-new-privs",
		LAYER_BROKEN, "is set, and has no effect", 4},
	{{SYS_capset, EPERM, ANY}, "no-new-privs", LAYER_BROKEN, SAYS, 4},
	{{SYS_prlimit64, EPERM, {1, UINT32_MAX, RLIMIT_AS}}, "rlimits",
		LAYER_BROKEN, SAYS, 4},
	{{SYS_prlimit64, 0, {1, UINT32_MAX, RLIMIT_AS}}, "rlimits",
		LAYER_BROKEN, "is set, and has no effect", 4},
	{{SYS_memfd_create, EPERM, {1, MFD_ALLOW_SEALING, MFD_ALLOW_SEALING}},
		"sealed memfds", LAYER_BROKEN,
		"cannot keep the probe in memory: Operation not permitted", 4},
	{{SYS_fcntl, EPERM, {1, UINT32_MAX, F_ADD_SEALS}}, "sealed memfds",
		LAYER_BROKEN,
		"cannot keep the probe in memory: Operation not permitted", 4},
	{{SYS_fcntl, 0, {1, UINT32_MAX, F_ADD_SEALS}}, "sealed memfds",
		LAYER_BROKEN, "is sealed, and can be written to", 4},
	{{SYS_close_range, ENOSYS, ANY}, "clean descriptors", LAYER_BROKEN,
		"the kernel says: Function not implemented", 4},
	{{SYS_close_range, 0, ANY}, "clean descriptors", LAYER_BROKEN,
		"is set, and has no effect", 4},
	{{SYS_dup3, EPERM, ANY}, "clean descriptors", LAYER_BROKEN, SAYS, 4},

	{{SYS_execveat, EACCES, ANY}, "process control", LAYER_BROKEN,
		"the child cannot execute the program: Permission denied", 4},
	{{SYS_execveat, EACCES, ANY}, "clean environment", LAYER_BROKEN,
		"a program that looks could not be run", 4},
	{{SYS_execveat, EACCES, ANY}, "memory figures", LAYER_MISSING,
		"a program that looks could not be run", 4},
	{{SYS_clone, EPERM, {0, CLONE_PIDFD, CLONE_PIDFD}}, "process control",
		LAYER_BROKEN, "cannot start a child: Operation not permitted",
		4},
	{{SYS_setsid, EPERM, ANY}, "process control", LAYER_BROKEN,
		"the child cannot leave the session: Operation not permitted",
		4},
	{{SYS_prctl, EPERM, {0, UINT32_MAX, PR_SET_PDEATHSIG}},
		"process control", LAYER_BROKEN,
		"the child cannot be tied to its parent's life: Operation not "
		"permitted",
		4},
	{{SYS_pidfd_send_signal, EPERM, ANY}, "process control", LAYER_BROKEN,
		"a child cannot be killed: Operation not permitted", 4},
	{{SYS_pidfd_send_signal, ENOSYS, ANY}, "process control", LAYER_BROKEN,
		"a child cannot be killed: Function not implemented", 4},
	/* A process's clock has a negative number. */
	{{SYS_clock_gettime, EINVAL, {0, 1u << 31, 1u << 31}},
		"process control", LAYER_BROKEN,
		"a child's CPU clock cannot be read: Invalid argument", 4},
	{{SYS_waitid, EPERM, ANY}, "process control", LAYER_BROKEN,
		"a child cannot be waited for: Operation not permitted", 4},

	/* What shows when it is needed. */
	{{SYS_openat2, EACCES, ANY}, NULL, LAYER_OK, NULL, 4},
	{{SYS_socketpair, EPERM, ANY}, NULL, LAYER_OK, NULL, 4},
	{{SYS_ioctl, EPERM, {1, UINT32_MAX, SECCOMP_IOCTL_NOTIF_RECV}}, NULL,
		LAYER_OK, NULL, 4},
	{{SYS_ioctl, EPERM, {1, UINT32_MAX, SECCOMP_IOCTL_NOTIF_ID_VALID}},
		NULL, LAYER_OK, NULL, 4},
};

/* It grades, or it refuses and says why; here, and in a program of its own. */
static void check_doctor(int status)
{
	const char *const argv[] = {command_grader(), "doctor", NULL};
	struct command command = command_run(argv, NULL, NULL);

	ck_assert_msg(command.status == status, "%d: %s%s", command.status,
		command.out, command.errors);
	ck_assert_str_eq(command.errors, "");
	ck_assert_msg((strstr(command.out,
			       "a small program was compiled and "
			       "run") != NULL) == (status == 0),
		"%s", command.out);
	command_finish(&command);
}

START_TEST(what_a_container_refuses_is_missing_or_broken)
{
	const char *name = refusals[_i].layer;
	bool was_there = name && find(name)->state == LAYER_OK;
	const bool grades = refusals[_i].status == 0;
	const struct layer *layer;
	struct error err = {0};

	sandbox_destroy(sandbox);
	refuse_call(&refusals[_i].refusal);
	sandbox = sandbox_create(&options, &err);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	layer = name ? find(name) : NULL;
	if (layer)
		ck_assert_msg(layer->state == refusals[_i].state, "%s: %d: %s",
			name, layer->state, layer->reason);
	/* Where it is missing anyway, the reason is another. */
	if (was_there && refusals[_i].reason)
		ck_assert_str_eq(layer->reason, refusals[_i].reason);
	if (refusals[_i].state == LAYER_BROKEN)
		ck_assert(!sandbox_check_layers(sandbox, &err));
	/* Without mounts it takes Landlock, and the other way round. */
	if (grades && !sandbox_check_layers(sandbox, &err))
		check_doctor(4);
	else
		check_doctor(refusals[_i].status);
}
END_TEST

/* What comes of a command, here where addresses cannot be fixed. */
static void check_command(const char *const argv[], int status, const char *out,
	const char *errors)
{
	struct command command = command_run(argv, NULL, NULL);

	ck_assert_msg(command.status == status, "%d: %s", command.status,
		command.errors);
	ck_assert_msg(
		strstr(command.out, out) != NULL, "%s: %s", out, command.out);
	ck_assert_str_eq(command.errors, errors);
	command_finish(&command);
}

START_TEST(what_is_missing_is_told_and_refused_where_it_is_required)
{
#define GRADE                                                                  \
	command_grader(), "grade", "tests/cli/exercises/scale",                \
		"tests/cli/submissions/right.c"
	const char *const text[] = {GRADE, NULL};
	const char *const json[] = {GRADE, "-r", "json", NULL};
	const char *const doctor[] = {
		command_grader(), "doctor", "--json", NULL};
	const char *const there[] = {GRADE, "--require", "seccomp", NULL};
	const char *const missing[] = {
		GRADE, "--require", "seccomp,fixed addresses", NULL};
#undef GRADE

	refuse_call(
		&(struct refusal){.call = SYS_personality, .number = EPERM});
	check_command(text, 0, "fixed addresses", "");
	check_command(json, 0, "\"fixed addresses\":\t\"missing\"", "");
	check_command(json, 0, "\"fixed addresses\":\t\"" SAYS "\"", "");
	check_command(doctor, 0,
		"\"fixed addresses\",\n\t\t\t\"state\":\t\"missing\",\n"
		"\t\t\t\"detail\":\t\"" SAYS "\"",
		"");
	check_command(there, 0, "passed", "");
	check_command(missing, 4, "",
		"grader: the layer 'fixed addresses' is required and "
		"missing: " SAYS "\n");
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
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, what_we_cannot_do_without_is_there, 0,
		sizeof(required) / sizeof(char *));
	tcase_add_loop_test(tcase, what_is_missing_has_a_reason, 0,
		sizeof(optional) / sizeof(char *));
	tcase_add_test(tcase, only_root_can_give_uids);
	tcase_add_loop_test(tcase,
		a_layer_that_is_left_out_is_missing_and_says_so, 0,
		sizeof(can_be_left_out) / sizeof(char *));
	tcase_add_test(tcase, graders_side_by_side_have_other_ids);
	tcase_add_test(tcase, ids_that_somebody_has_taken_are_told);
	tcase_add_test(tcase, a_broken_layer_makes_the_jails_refuse);
	tcase_add_test(tcase, an_ignored_sigchld_is_an_error);
	tcase_add_loop_test(tcase,
		what_a_container_refuses_is_missing_or_broken, 0,
		sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tcase,
		what_is_missing_is_told_and_refused_where_it_is_required);
	tcase_add_test(tcase, the_probes_leave_us_as_we_were);
	suite_add_tcase(suite, tcase);
	return suite;
}
