/* SPDX-License-Identifier: MIT */

/*
 * Every path that a command opens, and every kind of file that somebody may
 * have put there: the program itself, in a folder of its own.  None may hang,
 * follow a link to what is not the user's, or read a file without end.
 */

#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 12, TIMEOUT_S = 60 };

/* Kinds of files ---------------------------------------------------------- */

enum kind {
	REGULAR,
	LINK,
	LINK_TO_NOTHING,
	LINK_TO_ITSELF,
	HARD_LINK,
	FOLDER,
	FIFO,
	SOCKET,
	SPARSE, /* a TiB of nothing */
	MISSING,
	/* These have names of their own. */
	NO_NAME,
	NULL_DEVICE,
	ZERO_DEVICE,
	STANDARD_INPUT,
	DESCRIPTOR,
	STANDARD_OUTPUT,
	N_KINDS,
};

static const char *const kind_names[N_KINDS] = {
	[REGULAR] = "regular",
	[LINK] = "link",
	[LINK_TO_NOTHING] = "link-to-nothing",
	[LINK_TO_ITSELF] = "link-to-itself",
	[HARD_LINK] = "hard-link",
	[FOLDER] = "folder",
	[FIFO] = "fifo",
	[SOCKET] = "socket",
	[SPARSE] = "sparse",
	[MISSING] = "missing",
	[NO_NAME] = "",
	[NULL_DEVICE] = "/dev/null",
	[ZERO_DEVICE] = "/dev/zero",
	[STANDARD_INPUT] = "/dev/stdin",
	[DESCRIPTOR] = "/proc/self/fd/0",
	[STANDARD_OUTPUT] = "/dev/stdout",
};

static struct folder folder;
static char home[96], state[96], cache[96];
/* To be added to the environment. */
static const char *const environment[] = {home, state, cache, NULL};

static void make_folders(void)
{
	char script[512];
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct command command;

	(void)command_grader();
	folder_make(&folder);
	snprintf(script, sizeof(script),
		"cp -R tests/cli/exercises %s\n"
		"cp tests/cli/submissions/right.c %s/right.c\n"
		"mkdir %s/home",
		folder.path, folder.path, folder.path);
	command = command_run(argv, NULL, NULL);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
	snprintf(home, sizeof(home), "HOME=%s/home", folder.path);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", folder.path);
	snprintf(cache, sizeof(cache), "XDG_CACHE_HOME=%s/cache", folder.path);
	ck_assert_int_eq(chdir(folder.path), 0);
}

static void remove_folders(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	folder_remove(&folder);
}

static void make_socket(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_uint_lt(strlen(path), sizeof(address.sun_path));
	strcpy(address.sun_path, path);
	ck_assert_int_eq(
		bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static void make_sparse(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
}

static void copy(const char *from, const char *to)
{
	const char *const argv[] = {"cp", from, to, NULL};
	struct command command = command_run(argv, NULL, NULL);

	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
}

/* Puts a file of a kind in the place of path; what can be read of it is what
   stands in model. */
static void make_kind(enum kind kind, const char *path, const char *model)
{
	if (kind > MISSING)
		return;
	unlink(path);
	switch ((int)kind) {
	case REGULAR:
		copy(model, path);
		break;
	case LINK:
		ck_assert_int_eq(symlink(model, path), 0);
		break;
	case LINK_TO_NOTHING:
		ck_assert_int_eq(symlink("nothing", path), 0);
		break;
	case LINK_TO_ITSELF:
		ck_assert_int_eq(symlink(path, path), 0);
		break;
	case HARD_LINK:
		copy(model, "first-name");
		ck_assert_int_eq(link("first-name", path), 0);
		break;
	case FOLDER:
		ck_assert_int_eq(mkdir(path, 0755), 0);
		break;
	case FIFO:
		ck_assert_int_eq(mkfifo(path, 0644), 0);
		break;
	case SOCKET:
		make_socket(path);
		break;
	case SPARSE:
		make_sparse(path);
		break;
	case MISSING:
		break;
	}
}

/* A name for it in our folder, or the one it has. */
static const char *path_of(enum kind kind)
{
	static char path[PATH_MAX];

	if (kind > MISSING)
		return kind_names[kind];
	snprintf(path, sizeof(path), "%s/%s.c", folder.path, kind_names[kind]);
	return path;
}

/* Runs the grader; its arguments end with NULL. */
static struct command grader(const char *const arguments[])
{
	const char *argv[ARGUMENTS_MAX + 2] = {command_grader()};

	for (size_t i = 0; arguments[i]; i++) {
		ck_assert_uint_lt(i, ARGUMENTS_MAX);
		argv[i + 1] = arguments[i];
	}
	return command_run(argv, environment, folder.path);
}

static void check_end(const struct command *command, const char *what,
	int status, const char *says)
{
	ck_assert_msg(command->status == status,
		"%s: exit status %d, expected %d: %s%s", what, command->status,
		status, command->out, command->errors);
	ck_assert_msg(!says || strstr(command->errors, says) != NULL,
		"%s: does not say '%s': %s", what, says, command->errors);
}

/* Submissions ------------------------------------------------------------- */

static const struct {
	enum kind kind;
	int status;
	const char *says;
} submissions[] = {
	{REGULAR, 0, NULL},
	{LINK, 2, "is a symbolic link, and none is followed\n"},
	{LINK_TO_NOTHING, 2, "is a symbolic link, and none is followed\n"},
	{LINK_TO_ITSELF, 2, "is a symbolic link, and none is followed\n"},
	{HARD_LINK, 2, "has a second name (a hard link); grade a copy of it"},
	{FOLDER, 2, "folder.c' is a folder"},
	{FIFO, 2, "is not a regular file"},
	{SOCKET, 2, "is not a regular file"},
	{SPARSE, 2, "is longer than 1048576 bytes"},
	{MISSING, 2, "missing.c': No such file or directory"},
	{NO_NAME, 2, "cannot read '': No such file or directory"},
	{NULL_DEVICE, 2, "'/dev/null' is not a regular file"},
	{ZERO_DEVICE, 2, "'/dev/zero' is not a regular file"},
	{STANDARD_INPUT, 2, "none is followed; - stands for standard input"},
	{DESCRIPTOR, 2, "none is followed; - stands for standard input"},
};

/* What grade takes in, watch would go on with; explain ends as grade does. */
START_TEST(a_submission_is_a_regular_file_of_one_name)
{
	static const char *const verbs[] = {"grade", "explain", "watch"};
	enum kind kind = submissions[_i].kind;
	const bool taken = submissions[_i].status == 0;

	make_kind(kind, path_of(kind), "right.c");
	for (size_t v = 0; v < (taken ? 1 : sizeof(verbs) / sizeof(*verbs));
		v++) {
		const char *const arguments[] = {verbs[v], "scale",
			path_of(kind), v == 0 ? "-q" : NULL, NULL};
		struct command command = grader(arguments);

		check_end(&command, path_of(kind), submissions[_i].status,
			submissions[_i].says);
		if (v == 0)
			ck_assert_str_eq(command.out, "");
		command_finish(&command);
	}
}
END_TEST

START_TEST(a_folder_on_the_way_may_be_a_link)
{
	const char *const arguments[] = {
		"grade", "scale", "link/right.c", "-q", NULL};
	struct command command;

	ck_assert_int_eq(symlink(".", "link"), 0);
	command = grader(arguments);
	check_end(&command, "link/right.c", 0, NULL);
	command_finish(&command);
}
END_TEST

/* What the shell connects, as the user told it to. */
static const struct {
	const char *script; /* $0 is the grader */
	int status;
	const char *says;
} inputs[] = {
	{"<right.c \"$0\" grade scale - -q", 0, NULL},
	{"cat right.c | \"$0\" grade scale - -q", 0, NULL},
	{"<link.c \"$0\" grade scale - -q", 0, NULL},
	{"</dev/null \"$0\" grade scale - -q", 1, NULL},
	{"</dev/zero \"$0\" grade scale - -q", 2,
		"'standard input' is longer than 1048576 bytes"},
	{"<sparse.c \"$0\" grade scale - -q", 2,
		"'standard input' is longer than 1048576 bytes"},
	{"<. \"$0\" grade scale - -q", 2,
		"cannot read 'standard input': Is a directory"},
	{"<&- \"$0\" grade scale - -q", 2, "cannot read 'standard input'"},
	{"\"$0\" grade scale - -q </dev/full", 2,
		"'standard input' is longer than 1048576 bytes"},
};

START_TEST(standard_input_may_be_anything_that_ends)
{
	const char *const argv[] = {
		"sh", "-c", inputs[_i].script, command_grader(), NULL};
	struct command command;

	make_kind(LINK, "link.c", "right.c");
	make_kind(SPARSE, "sparse.c", NULL);
	command = command_run(argv, environment, folder.path);
	check_end(&command, inputs[_i].script, inputs[_i].status,
		inputs[_i].says);
	command_finish(&command);
}
END_TEST

/* Secrets ----------------------------------------------------------------- */

static const struct {
	enum kind kind;
	int status;
	const char *says;
} secrets[] = {
	{REGULAR, 0, NULL},
	{LINK, 0, NULL},
	{HARD_LINK, 0, NULL},
	{LINK_TO_NOTHING, 2, "the secret: cannot read"},
	{LINK_TO_ITSELF, 2, "the secret: "},
	{FOLDER, 2, "is a folder"},
	{FIFO, 2, "is empty"},
	{SOCKET, 2, "is not a regular file"},
	{SPARSE, 2, "is longer than 65536 bytes"},
	{MISSING, 2, "No such file or directory"},
	{NO_NAME, 2, "the secret: cannot read ''"},
	{NULL_DEVICE, 2, "is not a regular file"},
	{ZERO_DEVICE, 2, "is not a regular file"},
};

START_TEST(a_secret_is_a_file_or_comes_through_a_pipe)
{
	enum kind kind = secrets[_i].kind;
	const char *path = path_of(kind);
	const char *const commands[][ARGUMENTS_MAX] = {
		{"grade", "scale", "right.c", "-q", "--secret", path, NULL},
		{"cases", "scale", "--secret", path, NULL},
	};

	make_kind(kind, path, "right.c");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct command command = grader(commands[i]);

		check_end(&command, path, secrets[_i].status, secrets[_i].says);
		if (secrets[_i].status != 0)
			ck_assert_str_eq(command.out, "");
		command_finish(&command);
	}
}
END_TEST

START_TEST(a_secret_from_a_command_is_the_same_as_from_a_file)
{
	static const char script[] =
		"printf secret >file\n"
		"mkfifo pipe\n"
		"(sleep 0.2; printf sec; sleep 0.2; printf ret) >pipe &\n"
		"\"$0\" cases scale --audience staff --secret pipe >one\n"
		"\"$0\" cases scale --audience staff --secret file >other\n"
		"cmp one other && test -s one\n";
	const char *const argv[] = {
		"sh", "-ec", script, command_grader(), NULL};
	struct command command = command_run(argv, environment, folder.path);

	check_end(&command, "a pipe", 0, NULL);
	command_finish(&command);
}
END_TEST

/* Reports ----------------------------------------------------------------- */

static const struct {
	enum kind kind;
	int status;
	const char *says;
} targets[] = {
	{REGULAR, 0, NULL},
	{HARD_LINK, 0, NULL},
	{SPARSE, 0, NULL},
	{MISSING, 0, NULL},
	{LINK, 2, "it is not a regular file"},
	{LINK_TO_NOTHING, 2, "it is not a regular file"},
	{LINK_TO_ITSELF, 2, "it is not a regular file"},
	{FOLDER, 2, "it is not a regular file"},
	{FIFO, 2, "it is not a regular file"},
	{SOCKET, 2, "it is not a regular file"},
	{NO_NAME, 2, "names no file"},
	{NULL_DEVICE, 2, "it is not a regular file"},
	{STANDARD_OUTPUT, 2, "it is not a regular file"},
};

START_TEST(a_report_replaces_a_regular_file_and_nothing_else)
{
	enum kind kind = targets[_i].kind;
	char report[PATH_MAX + 8];
	const char *const arguments[] = {
		"grade", "scale", "right.c", "-r", report, NULL};
	struct stat before = {0}, after = {0};
	struct command command;
	size_t count;

	snprintf(report, sizeof(report), "text=%s", path_of(kind));
	make_kind(kind, path_of(kind), "right.c");
	lstat(path_of(kind), &before);
	count = folder_count(folder.path);
	command = grader(arguments);
	check_end(&command, report, targets[_i].status, targets[_i].says);
	/* Nothing was graded, and what is there is what it was. */
	ck_assert_str_eq(command.out, "");
	lstat(path_of(kind), &after);
	if (targets[_i].status == 0) {
		ck_assert(S_ISREG(after.st_mode));
		ck_assert_int_gt(after.st_size, 0);
		ck_assert_int_lt(after.st_size, 4096);
		ck_assert_uint_eq(after.st_nlink, 1);
	} else {
		ck_assert_uint_eq(before.st_mode, after.st_mode);
		ck_assert_uint_eq(before.st_ino, after.st_ino);
		ck_assert_uint_eq(count, folder_count(folder.path));
	}
	command_finish(&command);
}
END_TEST

START_TEST(the_other_name_of_a_replaced_file_keeps_its_content)
{
	const char *const arguments[] = {
		"grade", "scale", "right.c", "-r", "text=report", NULL};
	const char *const compare[] = {"cmp", "right.c", "first-name", NULL};
	struct command command;

	make_kind(HARD_LINK, "report", "right.c");
	command = grader(arguments);
	check_end(&command, "report", 0, NULL);
	command_finish(&command);
	command = command_run(compare, NULL, folder.path);
	check_end(&command, "first-name", 0, NULL);
	command_finish(&command);
}
END_TEST

static const char *const no_targets[] = {"text=.", "text=..", "text=home/",
	"text=home/.", "text=no/such/report", "text=right.c/report", "text=/",
	"text=/proc/report"};

START_TEST(what_cannot_be_a_report_is_refused_before_the_work)
{
	const char *const arguments[] = {
		"grade", "scale", "right.c", "-r", no_targets[_i], NULL};
	struct command command = grader(arguments);

	/* A folder of the kernel's does not say no before it is tried. */
	check_end(&command, no_targets[_i],
		strstr(no_targets[_i], "/proc") ? 4 : 2, "cannot write");
	ck_assert_str_eq(command.out, "");
	ck_assert_uint_eq(folder_count("home"), 0);
	command_finish(&command);
}
END_TEST

/* Exercises --------------------------------------------------------------- */

static const char *const exercise_files[] = {"exercise.json", "lesson.md",
	"solution.c", "reference.c", "generators.c"};
enum { N_EXERCISE_FILES = sizeof(exercise_files) / sizeof(*exercise_files) };

static const struct {
	enum kind kind;
	int status;
	const char *says;
} exercises[] = {
	{LINK, 3, ": is a symbolic link, expected a regular file"},
	{LINK_TO_NOTHING, 3, ": is a symbolic link, expected a regular file"},
	{LINK_TO_ITSELF, 3, ": is a symbolic link, expected a regular file"},
	/* Package managers link files that are alike. */
	{HARD_LINK, 0, NULL},
	{FOLDER, 3, ": is no regular file"},
	{FIFO, 3, ": is no regular file"},
	{SOCKET, 3, ": is no regular file"},
	{SPARSE, 3, ": has 1099511627776 bytes, expected at most "},
};

START_TEST(every_command_refuses_an_exercise_of_such_files)
{
	const enum kind kind = exercises[_i].kind;
	const char *const commands[][ARGUMENTS_MAX] = {
		{"show", "exercises/scale", NULL},
		{"start", "exercises/scale", "fresh", NULL},
		{"hint", "exercises/scale", NULL},
		{"cases", "exercises/scale", NULL},
		{"grade", "exercises/scale", "right.c", "-q", NULL},
		{"list", "-e", "exercises", NULL},
	};
	static const char *const started[] = {
		"fresh/solve.c", "fresh/solve.h", "fresh/try.c"};
	const size_t n = sizeof(commands) / sizeof(*commands);

	for (size_t f = 0; f < N_EXERCISE_FILES; f++) {
		char path[PATH_MAX], model[PATH_MAX];

		snprintf(path, sizeof(path), "%s/exercises/scale/%s",
			folder.path, exercise_files[f]);
		snprintf(model, sizeof(model), "%s/model", folder.path);
		if (rename(path, model) != 0)
			folder_put(&folder, "model", "", 0644);
		make_kind(kind, path, model);
		for (size_t i = 0; i < n; i++) {
			struct command command = grader(commands[i]);

			check_end(&command, path, exercises[_i].status,
				exercises[_i].says);
			command_finish(&command);
		}
		remove(path);
		unlink("first-name");
		ck_assert_int_eq(rename(model, path), 0);
		for (size_t i = 0; i < 3; i++)
			unlink(started[i]);
	}
}
END_TEST

START_TEST(an_exercise_in_a_folder_behind_a_link_is_found)
{
	const char *const arguments[] = {
		"grade", "elsewhere", "right.c", "-q", "-e", "links", NULL};
	struct command command;

	ck_assert_int_eq(mkdir("links", 0755), 0);
	ck_assert_int_eq(symlink("../exercises/scale", "links/elsewhere"), 0);
	command = grader(arguments);
	check_end(&command, "links/elsewhere", 0, NULL);
	command_finish(&command);
}
END_TEST

static const char *const no_exercises[] = {"", "-", "right.c", "./right.c",
	"./fifo", "./socket", "/dev/null", "/dev/stdin", "./nothing",
	"./link-to-nothing", "./link-to-itself", "./home"};

START_TEST(what_is_no_exercise_is_refused_by_every_command)
{
	const char *name = no_exercises[_i];
	const char *const commands[][ARGUMENTS_MAX] = {
		{"show", name, NULL},
		{"start", name, "fresh", NULL},
		{"hint", name, NULL},
		{"cases", name, NULL},
		{"grade", name, "right.c", NULL},
	};

	make_kind(FIFO, "fifo", NULL);
	make_kind(SOCKET, "socket", NULL);
	make_kind(LINK_TO_NOTHING, "link-to-nothing", NULL);
	make_kind(LINK_TO_ITSELF, "link-to-itself", NULL);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct command command = grader(commands[i]);

		/* A folder is one that lacks its files. */
		check_end(&command, name, strcmp(name, "./home") ? 2 : 3,
			"grader: ");
		ck_assert_str_eq(command.out, "");
		ck_assert_int_lt(access("fresh", F_OK), 0);
		command_finish(&command);
	}
}
END_TEST

/* What start writes ------------------------------------------------------- */

static const struct {
	enum kind kind;
	int status;
	const char *says;
} places[] = {
	{MISSING, 0, NULL},
	{FOLDER, 0, NULL},
	{REGULAR, 2, "is not a folder"},
	{HARD_LINK, 2, "is not a folder"},
	{LINK, 2, "is not a folder"}, /* to a file */
	{LINK_TO_NOTHING, 2, "is not a folder"},
	{LINK_TO_ITSELF, 2, "is not a folder"},
	{FIFO, 2, "is not a folder"},
	{SOCKET, 2, "is not a folder"},
	{NO_NAME, 2, "cannot make the folder ''"},
	{NULL_DEVICE, 2, "is not a folder"},
};

START_TEST(start_writes_to_a_folder_or_not_at_all)
{
	enum kind kind = places[_i].kind;
	const char *path = path_of(kind);
	const char *const arguments[] = {"start", "scale", path, NULL};
	struct command command;
	size_t count;

	make_kind(kind, path, "right.c");
	count = folder_count(folder.path);
	command = grader(arguments);
	check_end(&command, path, places[_i].status, places[_i].says);
	if (places[_i].status == 0)
		ck_assert_uint_eq(folder_count(path), 3);
	else
		ck_assert_uint_eq(folder_count(folder.path), count);
	command_finish(&command);
}
END_TEST

START_TEST(start_replaces_no_file_of_any_kind)
{
	static const char *const names[] = {"solve.c", "solve.h", "try.c"};
	const char *const arguments[] = {"start", "scale", "home", NULL};

	if (_i == MISSING)
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct stat before, after;
		struct command command;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/home/%s", folder.path,
			names[i]);
		unlink("first-name");
		make_kind((enum kind)_i, path, "right.c");
		ck_assert_int_eq(lstat(path, &before), 0);
		command = grader(arguments);
		check_end(&command, path, 2,
			"exists already; nothing was written");
		ck_assert_int_eq(lstat(path, &after), 0);
		ck_assert_uint_eq(before.st_mode, after.st_mode);
		ck_assert_uint_eq(before.st_ino, after.st_ino);
		ck_assert_uint_eq(folder_count("home"), 1);
		command_finish(&command);
		remove(path);
	}
}
END_TEST

/* Files of our own -------------------------------------------------------- */

START_TEST(no_kind_of_file_in_the_place_of_what_is_remembered_is_in_the_way)
{
	const char *const commands[][ARGUMENTS_MAX] = {
		{"show", "scale", NULL},
		{"hint", "scale", NULL},
		{"grade", "scale", "right.c", NULL},
	};
	char path[PATH_MAX];

	snprintf(
		path, sizeof(path), "%s/state/grader/hints/scale", folder.path);
	ck_assert_int_eq(mkdir("state", 0700), 0);
	ck_assert_int_eq(mkdir("state/grader", 0700), 0);
	ck_assert_int_eq(mkdir("state/grader/hints", 0700), 0);
	make_kind((enum kind)_i, path, "right.c");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct command command = grader(commands[i]);

		check_end(&command, path, 0, NULL);
		command_finish(&command);
	}
}
END_TEST

static void replace_all(const char *path, enum kind kind)
{
	DIR *dir = opendir(path);
	char name[PATH_MAX];
	size_t count = 0;

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		unlink("first-name");
		make_kind(kind, name, "/etc/passwd");
		count++;
	}
	closedir(dir);
	ck_assert_uint_gt(count, 1);
}

START_TEST(no_kind_of_file_in_the_cache_is_in_the_way)
{
	const char *const arguments[] = {
		"grade", "scale", "right.c", "-q", NULL};
	struct command command = grader(arguments);

	check_end(&command, "without a cache", 0, NULL);
	command_finish(&command);
	/* A socket's name has no room for the longest of them. */
	if (_i == SOCKET)
		return;
	replace_all("cache/grader", (enum kind)_i);
	command = grader(arguments);
	check_end(&command, kind_names[_i], 0, NULL);
	command_finish(&command);
}
END_TEST

START_TEST(no_kind_of_file_in_the_place_of_a_folder_is_in_the_way)
{
	static const char *const names[] = {
		"XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"};
	const char *path = path_of((enum kind)_i);

	make_kind((enum kind)_i, path, "right.c");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char variable[PATH_MAX + 32];
		const char *const argv[] = {"env", variable, command_grader(),
			"grade", "scale", "right.c", "-q", NULL};
		struct command command;

		snprintf(variable, sizeof(variable), "%s=%s", names[i], path);
		command = command_run(argv, environment, folder.path);
		check_end(&command, variable, 0, NULL);
		command_finish(&command);
	}
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

Suite *files_suite(void)
{
	Suite *suite = suite_create("files");
	TCase *tcase = tcase_create("files");

	tcase_add_checked_fixture(tcase, make_folders, remove_folders);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(tcase, a_submission_is_a_regular_file_of_one_name,
		0, COUNT(submissions));
	tcase_add_test(tcase, a_folder_on_the_way_may_be_a_link);
	tcase_add_loop_test(tcase, standard_input_may_be_anything_that_ends, 0,
		COUNT(inputs));
	tcase_add_loop_test(tcase, a_secret_is_a_file_or_comes_through_a_pipe,
		0, COUNT(secrets));
	tcase_add_test(
		tcase, a_secret_from_a_command_is_the_same_as_from_a_file);
	tcase_add_loop_test(tcase,
		a_report_replaces_a_regular_file_and_nothing_else, 0,
		COUNT(targets));
	tcase_add_test(
		tcase, the_other_name_of_a_replaced_file_keeps_its_content);
	tcase_add_loop_test(tcase,
		what_cannot_be_a_report_is_refused_before_the_work, 0,
		COUNT(no_targets));
	tcase_add_loop_test(tcase,
		every_command_refuses_an_exercise_of_such_files, 0,
		COUNT(exercises));
	tcase_add_test(tcase, an_exercise_in_a_folder_behind_a_link_is_found);
	tcase_add_loop_test(tcase,
		what_is_no_exercise_is_refused_by_every_command, 0,
		COUNT(no_exercises));
	tcase_add_loop_test(tcase, start_writes_to_a_folder_or_not_at_all, 0,
		COUNT(places));
	tcase_add_loop_test(
		tcase, start_replaces_no_file_of_any_kind, 0, NO_NAME);
	tcase_add_loop_test(tcase,
		no_kind_of_file_in_the_place_of_what_is_remembered_is_in_the_way,
		0, NO_NAME);
	tcase_add_loop_test(
		tcase, no_kind_of_file_in_the_cache_is_in_the_way, 0, NO_NAME);
	tcase_add_loop_test(tcase,
		no_kind_of_file_in_the_place_of_a_folder_is_in_the_way, 0,
		N_KINDS);
	suite_add_tcase(suite, tcase);
	return suite;
}
