/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "sandbox/internal.h"
#include "tests/suites.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct sandbox *sandbox;

static void set_up(void)
{
	struct error err = {0};

	sandbox = sandbox_create("/tmp", &err);
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
	"landlock", "separate uid", "cgroup memory"};

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
	ck_assert_int_eq(find("separate uid")->state,
		geteuid() == 0 ? LAYER_OK : LAYER_MISSING);
	ck_assert_int_eq(sandbox->change_ids, geteuid() == 0);
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
	ck_assert_ptr_null(sandbox_create("/tmp", &err));
	ck_assert_ptr_nonnull(strstr(err.message, "SIGCHLD is ignored"));
	signal(SIGCHLD, SIG_DFL);
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
	tcase_add_test(tcase, a_broken_layer_makes_the_jails_refuse);
	tcase_add_test(tcase, an_ignored_sigchld_is_an_error);
	tcase_add_test(tcase, the_probes_leave_us_as_we_were);
	suite_add_tcase(suite, tcase);
	return suite;
}
