/* SPDX-License-Identifier: MIT */

/* The compile jail, with small programs of ours in the place of a compiler. */

#include "base/error.h"
#include "sandbox/internal.h"
#include "sandbox/sandbox.h"
#include "tests/suites.h"
#include "tests/support/folder.h"
#include "tests/support/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct folder folder;
static struct sandbox *sandbox;
static struct work_dir *work;
static struct tool_result result;
static struct error err;
static char tool_path[128];
static mode_t mask = 022; /* of the one who makes the sandbox */

/* What the tools see: all of them, then what either view holds alone. */
static const struct {
	const char *const without[2];
} views[] = {
	{{NULL}},
	{{"compiler namespaces"}},
	{{"compiler landlock"}},
};

enum {
	VIEW_BOTH,
	VIEW_RULES,
	VIEW_MOUNTS,
	N_VIEWS,
};

static void set_up_with(const char *const *without)
{
	static char bin[120];
	static const char *reads[] = {bin, NULL};
	struct sandbox_options options = {
		.temp_dir = folder.path,
		.tool_reads = reads,
		.without = without,
	};
	mode_t before;

	folder_make(&folder);
	ck_assert_int_eq(chmod(folder.path, 0755), 0);
	snprintf(bin, sizeof(bin), "%s/bin", folder.path);
	snprintf(tool_path, sizeof(tool_path), "%s/tool", bin);
	ck_assert_int_eq(mkdir(bin, 0755), 0);
	options.temp_dir = folder.path;
	before = umask(mask);
	sandbox = sandbox_create(&options, &err);
	umask(before);
	ck_assert_msg(sandbox != NULL, "%s", err.message);
	work = sandbox_take_work_dir(sandbox);
}

static void set_up(void)
{
	set_up_with(NULL);
}

/* False where the machine does not have it; there is nothing to test then. */
static bool has_view(size_t view)
{
	return (view == VIEW_RULES || sandbox->tool_view.mount_ns >= 0) &&
		(view == VIEW_MOUNTS || sandbox->tool_landlock >= 0);
}

static void tear_down(void)
{
	tool_result_finish(&result);
	sandbox_return_work_dir(work);
	sandbox_destroy(sandbox);
	unlink(tool_path);
	*strrchr(tool_path, '/') = '\0';
	rmdir(tool_path);
	unlink("/tmp/grader-test-outside");
	ck_assert_uint_eq(folder_count(folder.path), 0);
	folder_remove(&folder);
}

static void use_view(size_t view)
{
	tear_down();
	set_up_with(views[view].without);
}

static void run_compiler(const char *source)
{
	char *argv[] = {(char[]){"cc"}, (char[]){"-static"}, (char[]){"-w"},
		(char[]){"-O1"}, (char[]){"-o"}, tool_path, (char[]){"-x"},
		(char[]){"c"}, NULL, NULL};
	char path[512];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s",
		folder_put(&folder, "tool.c", source, 0644));
	argv[8] = path;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		execvp("musl-gcc", argv); /* the quicker one */
		execvp(argv[0], argv);
		_exit(127);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	unlink(path);
}

#define HEAD                                                                   \
	"#define _GNU_SOURCE\n#include <errno.h>\n#include "                   \
	"<fcntl.h>\n#include <signal.h>\n"                                     \
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"       \
	"#include <sys/mman.h>\n#include <sys/resource.h>\n"                   \
	"#include <sys/socket.h>\n#include <sys/stat.h>\n"                     \
	"#include <sys/syscall.h>\n#include <unistd.h>\n"                      \
	"extern char **environ;\n"                                             \
	"int main(int argc, char **argv)\n{\n"

static struct tool tool_of(void)
{
	static char name[] = "tool", argument[] = "one argument";
	static char *argv[] = {name, argument, NULL};

	return (struct tool){
		.path = tool_path,
		.argv = argv,
		.work = work,
		.output = "out",
		.limits =
			{
				.cpu_ms = 1000,
				.wall_ms = 20000,
				.memory_bytes = 256 << 20,
				.file_bytes = 1 << 20,
				.diagnostic_bytes = 4096,
				.output_bytes = 65536,
			},
		.cancel = -1,
	};
}

static void run_tool(const struct tool *tool)
{
	ck_assert_msg(sandbox_run_tool(sandbox, tool, &result, &err), "%s",
		err.message);
}

static void run(const char *body)
{
	struct tool tool = tool_of();
	char source[8192];

	snprintf(source, sizeof(source), HEAD "%s\nreturn 0;\n}\n", body);
	run_compiler(source);
	run_tool(&tool);
}

static void check_exit(int status)
{
	ck_assert_msg(result.end == TOOL_EXITED, "end %d, status %d: %s",
		result.end, result.status, result.diagnostics);
	ck_assert_msg(result.status == status, "%d: %s", result.status,
		result.diagnostics);
}

START_TEST(output_and_status_come_back)
{
	run("write(1, \"to stdout\\n\", 10); write(2, \"to stderr\\n\", 10);"
	    " return argc + (strcmp(argv[1], \"one argument\") == 0);");
	check_exit(3);
	ck_assert_str_eq(result.diagnostics, "to stdout\nto stderr\n");
	ck_assert_uint_eq(result.diagnostics_len, 20);
	ck_assert(!result.diagnostics_cut);
}
END_TEST

START_TEST(it_has_three_descriptors_and_one_variable)
{
	run("for (int fd = 3; fd < 1000; fd++)"
	    " if (fcntl(fd, F_GETFD) >= 0) return 10;"
	    "if (read(0, &argc, 1) != 0) return 11;"
	    "if (!environ[0] || strcmp(environ[0], \"LC_ALL=C\")) return 12;"
	    "if (environ[1]) return 13;");
	check_exit(0);
}
END_TEST

/* Root alone is not enough: its capabilities may be gone. */
START_TEST(root_gives_it_an_id_of_its_own)
{
	if (!sandbox->tool_slot.change_ids)
		return;
	run("return getuid() == 0 || geteuid() == 0 || getgid() == 0;");
	check_exit(0);
	ck_assert_uint_ne(getuid() + 1, 0);
}
END_TEST

START_TEST(the_work_folder_is_read_and_written)
{
	struct work_file file;

	ck_assert(work_dir_put(work, "in", "hello", 5, &err));
	run("char text[6] = \"\"; int fd = open(\"in\", O_RDONLY);"
	    "if (read(fd, text, 5) != 5 || strcmp(text, \"hello\")) return 1;"
	    "fd = open(\"out\", O_WRONLY | O_CREAT | O_TRUNC, 0644);"
	    "if (write(fd, \"back\", 4) != 4) return 2;"
	    "if (open(\"in\", O_WRONLY) >= 0) return 3;");
	check_exit(0);
	ck_assert(work_dir_take(work, "out", 100, &file, &err));
	ck_assert(file.found);
	ck_assert_uint_eq(file.len, 4);
	ck_assert_str_eq(file.data, "back");
	free(file.data);
}
END_TEST

/* In a child, since it changes its root: 0 if that is possible here. */
static void try_mounts(void)
{
	bool good = unshare(CLONE_NEWNS) == 0 &&
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("tmpfs", folder.path, "tmpfs", 0, NULL) == 0 &&
		chdir(folder.path) == 0 &&
		syscall(SYS_pivot_root, ".", ".") == 0 &&
		umount2(".", MNT_DETACH) == 0;

	_exit(!good);
}

/* A view that could not be made would leave the tests of it out. */
START_TEST(who_can_mount_has_a_view_by_mounts)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		try_mounts();
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (status == 0)
		ck_assert_int_ge(sandbox->tool_view.mount_ns, 0);
}
END_TEST

/* What it must not open, for reading and for writing. */
static const char *const outside[] = {"/etc/passwd", "/proc/self/environ",
	"/dev/zero", "/dev/null", "/dev/stdin", "../outside",
	"/usr/include/stdio.h", "/tmp/grader-test-outside"};

enum { N_OUTSIDE = sizeof(outside) / sizeof(*outside) };

START_TEST(nothing_else_can_be_opened)
{
	const char *path = outside[(size_t)_i % N_OUTSIDE];
	char body[512];

	use_view((size_t)_i / N_OUTSIDE);
	if (!has_view((size_t)_i / N_OUTSIDE))
		return;
	snprintf(body, sizeof(body),
		"if (open(\"%s\", O_RDONLY) >= 0) return 1;"
		"if (open(\"%s\", O_WRONLY | O_CREAT, 0666) >= 0) return 2;"
		"if (open(\"%s\", O_RDONLY | O_DIRECTORY) >= 0) return 3;",
		path, path, path);
	run(body);
	check_exit(0);
}
END_TEST

START_TEST(folders_are_closed_or_show_only_what_may_be_read)
{
	struct tool tool;

	use_view((size_t)_i);
	if (!has_view((size_t)_i))
		return;
	run_compiler(
		"#include <dirent.h>\n#include <stdio.h>\n"
		"int main(void) { DIR *root = opendir(\"/\"), *tmp = "
		"opendir(\"/tmp\"), *up = opendir(\"..\");"
		"if (!root && !tmp && !up) puts(\"closed\");"
		"if (!root || !tmp || !up) return 0;"
		"for (struct dirent *e; (e = readdir(root));) if (e->d_name[0]"
		" != '.') puts(e->d_name);"
		"for (struct dirent *e; (e = readdir(tmp));) if (e->d_name[0]"
		" != '.') puts(e->d_name); return 0; }");
	/* readdir() makes a call that no compiler has need of. */
	tool = tool_of();
	run_tool(&tool);
	ck_assert_str_eq(
		result.diagnostics, _i == VIEW_MOUNTS ? "" : "closed\n");
}
END_TEST

/* Landlock says no to what is there, and the file system to what is not. */
START_TEST(by_mounts_what_exists_looks_as_what_does_not)
{
	static const char body[] =
		"static const char *const paths[] = {\"/etc/passwd\","
		"\"/etc/absent\", \"/root/absent\", \"/proc/1/environ\","
		"\"/usr/bin\"};"
		"for (int i = 0; i < 5; i++) if (open(paths[i], O_RDONLY) >= 0"
		" || errno != ENOENT || access(paths[i], F_OK) == 0) "
		"return i + 1;";

	use_view((size_t)_i);
	if (!has_view((size_t)_i))
		return;
	run(body);
	check_exit(_i == VIEW_RULES ? 1 : 0);
}
END_TEST

/* Open to all, so that nothing but the view stands in the way. */
START_TEST(what_it_may_read_it_may_not_write)
{
	struct tool tool;
	char header[320];

	use_view((size_t)_i);
	if (!has_view((size_t)_i))
		return;
	tool = tool_of();
	run_compiler(HEAD "char path[300] = \"\";"
			  "int in = open(\"path\", O_RDONLY);"
			  "if (read(in, path, 299) <= 0) return 1;"
			  "if (open(path, O_RDONLY) < 0) return 2;"
			  "if (open(path, O_WRONLY) >= 0) return 3;"
			  "if (truncate(path, 0) == 0) return 4;"
			  "if (unlink(path) == 0) return 5;"
			  "strcat(path, \".new\");"
			  "if (open(path, O_WRONLY | O_CREAT, 0600) >= 0)"
			  " return 6; return 0; }");
	snprintf(header, sizeof(header), "%s.h", tool_path);
	close(open(header, O_WRONLY | O_CREAT, 0600));
	ck_assert_int_eq(chmod(header, 0666), 0);
	snprintf(header, sizeof(header), "%.*s",
		(int)(strrchr(tool_path, '/') - tool_path), tool_path);
	ck_assert_int_eq(chmod(header, 0777), 0);
	snprintf(header, sizeof(header), "%s.h", tool_path);
	ck_assert(work_dir_put(work, "path", header, strlen(header), &err));
	run_tool(&tool);
	check_exit(0);
	ck_assert_int_eq(unlink(header), 0);
}
END_TEST

/* So the disk is safe: one file, which has a limit. */
START_TEST(it_can_make_remove_and_rename_no_file)
{
	use_view((size_t)_i);
	if (!has_view((size_t)_i))
		return;
	ck_assert(work_dir_put(work, "in", "hello", 5, &err));
	run("if (open(\"second\", O_WRONLY | O_CREAT, 0644) >= 0) return 1;"
	    "if (open(\".\", O_WRONLY | O_TMPFILE, 0600) >= 0) return 2;"
	    "unlink(\"in\"); unlink(\"out\");"
	    "if (access(\"in\", R_OK) || access(\"out\", W_OK)) return 3;"
	    "chmod(\".\", 0777); chmod(\"in\", 0666);"
	    "if (open(\"second\", O_WRONLY | O_CREAT, 0644) >= 0) return 4;"
	    "if (open(\"in\", O_WRONLY) >= 0) return 5;"
	    "if (rename(\"out\", \"other\") == 0) return 6;"
	    "if (syscall(SYS_memfd_create, \"m\", 0) >= 0) return 7;"
	    "return syscall(452, AT_FDCWD, \".\", 0777, 0) == 0;");
	check_exit(0);
	ck_assert_uint_eq(result.output_bytes, 0);
}
END_TEST

/* The second takes even from the owner, which root does not notice. */
static const mode_t masks[] = {077, 0277};

START_TEST(the_umask_is_no_matter_of_the_tools)
{
	mode_t before = umask(022);
	struct tool tool;

	mask = geteuid() == 0 ? masks[_i] : masks[0];
	use_view(VIEW_MOUNTS);
	if (!has_view(VIEW_MOUNTS)) {
		umask(before);
		return;
	}
	tool = tool_of();
	run_compiler(HEAD "char path[300] = \"\";"
			  "int in = open(\"path\", O_RDONLY);"
			  "if (read(in, path, 299) <= 0) return 1;"
			  "if (open(path, O_RDONLY) < 0) return 2;"
			  "return open(\"out\", O_WRONLY) < 0 ? 3 : 0; }");
	ck_assert(
		work_dir_put(work, "path", tool_path, strlen(tool_path), &err));
	umask(mask);
	run_tool(&tool);
	umask(before);
	check_exit(0);
}
END_TEST

START_TEST(the_next_tool_finds_what_the_last_has_written_and_cannot_change_it)
{
	struct tool tool = tool_of();

	run("int fd = open(\"out\", O_WRONLY); return write(fd, \"12345\", 5)"
	    " != 5;");
	check_exit(0);
	ck_assert_uint_eq(result.output_bytes, 5);
	tool.output = "second";
	tool_result_finish(&result);
	run_compiler(HEAD "if (open(\"out\", O_RDONLY) < 0) return 1;"
			  "if (open(\"out\", O_WRONLY) >= 0) return 2;"
			  "return open(\"second\", O_WRONLY) < 0; }");
	run_tool(&tool);
	check_exit(0);
}
END_TEST

START_TEST(the_folder_is_empty_for_the_next_build)
{
	struct work_file file;

	ck_assert(work_dir_put(work, "in", "hello", 5, &err));
	run("return 0;");
	sandbox_return_work_dir(work);
	work = sandbox_take_work_dir(sandbox);
	ck_assert(work_dir_take(work, "in", 100, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, "out", 100, &file, &err));
	ck_assert(!file.found);
	ck_assert_uint_eq(folder_count(work->path), 0);
}
END_TEST

static const char *const deadly[] = {"fork();", "vfork();",
	"syscall(SYS_clone, 17, 0, 0, 0, 0);", "syscall(SYS_clone3, 0, 0);",
	"socket(AF_INET, SOCK_STREAM, 0);", "socket(AF_UNIX, SOCK_STREAM, 0);",
	"setsid();", "kill(getppid(), SIGKILL);", "kill(-1, SIGKILL);",
	"syscall(SYS_tgkill, getppid(), getppid(), 9);",
	"syscall(SYS_ptrace, 0, 0, 0, 0);", "syscall(SYS_prctl, 4, 1);",
	"syscall(SYS_mount, 0, 0, 0, 0, 0);", "symlink(\"a\", \"b\");",
	"link(\"a\", \"b\");", "mkdir(\"d\", 0777);",
	"mknod(\"f\", S_IFIFO | 0600, 0);", "mknod(\"f\", S_IFREG, 0);",
	"setuid(0);", "syscall(SYS_io_uring_setup, 1, 0);",
	"execv(\"/bin/sh\", argv);", "syscall(SYS_bpf, 0, 0, 0);",
	"syscall(SYS_userfaultfd, 0);", "syscall(SYS_unshare, 0);",
	"syscall(0x40000000 + SYS_getpid);",
	"__asm__ volatile(\"int $0x80\" : : \"a\"(20));"};

START_TEST(a_call_that_compilers_have_no_need_of_ends_it)
{
	run(deadly[_i]);
	/* Another architecture's number may also be answered with ENOSYS. */
	if (_i >= (int)(sizeof(deadly) / sizeof(*deadly)) - 2 &&
		result.end == TOOL_EXITED)
		return;
	ck_assert_msg(
		result.end == TOOL_REFUSED, "%d: %s", result.end, deadly[_i]);
}
END_TEST

START_TEST(harmless_unknown_calls_just_fail)
{
	run("if (syscall(SYS_inotify_init1, 0) != -1 || errno != ENOSYS)"
	    " return 1;"
	    "if (syscall(SYS_memfd_create, \"x\", 0) != -1) return 2;"
	    "if (syscall(SYS_nanosleep, 0, 0) != -1) return 3;"
	    "if (syscall(SYS_pause) != -1 || errno != ENOSYS) return 4;"
	    "if (syscall(SYS_execveat, 1, \"\", argv, 0, AT_EMPTY_PATH) != -1)"
	    " return 5;"
	    "struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};"
	    "if (setrlimit(RLIMIT_CPU, &all) == 0) return 6;");
	check_exit(0);
}
END_TEST

START_TEST(it_cannot_be_started_twice)
{
	/* Nor another one, of a path for which no descriptor counts. */
	run("syscall(SYS_execveat, 10, \"\", argv, environ, AT_EMPTY_PATH);"
	    "if (errno != ENOSYS) return 1;"
	    "syscall(SYS_execveat, 10, \"/usr/bin/true\", argv, environ,"
	    " AT_EMPTY_PATH);"
	    "return errno == ENOSYS ? 0 : 1;");
	check_exit(0);
}
END_TEST

START_TEST(its_own_output_is_nothing_to_wait_for)
{
	/* A pipe could be opened at its other end; without a jail's own user,
	   by its permissions too. */
	run("char byte;"
	    "for (int fd = 1; fd < 3; fd++) {"
	    " char path[32]; sprintf(path, \"/proc/self/fd/%d\", fd);"
	    " if (open(path, O_RDONLY) >= 0) return 1;"
	    " if (errno != ENXIO && errno != ENOENT) return 2;"
	    " if (read(fd, &byte, 1) != 0) return 3; }");
	check_exit(0);
}
END_TEST

static const struct {
	const char *body;
	enum tool_end end;
} limits[] = {
	{"for (;;);", TOOL_CPU_LIMIT},
	{"signal(SIGXCPU, SIG_IGN); for (;;);", TOOL_CPU_LIMIT},
	{"static char block[4096]; int fd = open(\"out\", O_WRONLY)"
	 "; for (;;) write(fd, block, sizeof(block));",
		TOOL_FILE_LIMIT},
	{"for (;;) puts(\"a line that says nothing at all, and no end\");",
		TOOL_OUTPUT_LIMIT},
	{"abort();", TOOL_REFUSED}, /* a signal, sent by tgkill() */
	{"*(volatile int *)0 = 1;", TOOL_SIGNALED},
	{"__builtin_trap();", TOOL_SIGNALED},
};

START_TEST(each_limit_is_told_from_the_others)
{
	run(limits[_i].body);
	ck_assert_msg(result.end == limits[_i].end, "%d: %s", result.end,
		limits[_i].body);
	ck_assert_uint_le(result.diagnostics_len, 4096);
}
END_TEST

START_TEST(memory_beyond_the_limit_is_not_to_be_had)
{
	run("return malloc(300 << 20) != NULL;");
	check_exit(0);
}
END_TEST

START_TEST(output_beyond_what_is_kept_is_cut)
{
	run("for (int i = 0; i < 5000; i++) putchar('x');");
	check_exit(0);
	ck_assert(result.diagnostics_cut);
	ck_assert_uint_eq(result.diagnostics_len, 4096);
}
END_TEST

/* Its output is closed, and so would wake nobody. */
START_TEST(a_tool_that_goes_on_for_too_long_is_stopped)
{
	struct tool tool = tool_of();

	tool.limits.cpu_ms = 20000;
	tool.limits.wall_ms = 300;
	run_compiler(HEAD "close(1); close(2); for (;;) ; }");
	run_tool(&tool);
	ck_assert_int_eq(result.end, TOOL_WALL_LIMIT);
}
END_TEST

/* So one that gets nowhere was kept from running, and by us. */
START_TEST(nothing_that_a_tool_may_do_waits)
{
	run("int zero = 0, op; struct { long s, ns; } time = {0, 1};"
	    "for (op = 0; op < 14; op++) if (op != 1 &&"
	    " (syscall(SYS_futex, &zero, op, 0, 0, 0, 0) != -1"
	    " || errno != ENOSYS)) return op + 1;"
	    "if (syscall(SYS_futex, &zero, 1 | 128, 1, 0, 0, 0)) return 20;"
	    "if (read(1, &op, 1) != 0) return 21;"
	    "if (syscall(SYS_nanosleep, &time, 0) != -1) return 22;"
	    "if (syscall(SYS_pause) != -1) return 23;"
	    "if (syscall(SYS_poll, 0, 0, -1) != -1) return 24;"
	    "if (syscall(SYS_rt_sigsuspend, &time, 8) != -1) return 25;");
	check_exit(0);
}
END_TEST

static int open_work_folder(void)
{
	char pattern[300];
	glob_t found;
	int fd;

	snprintf(pattern, sizeof(pattern), "%s/grader-jail-*", folder.path);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	fd = open(found.gl_pathv[0], O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	globfree(&found);
	return fd;
}

START_TEST(a_result_that_is_no_plain_file_is_not_taken)
{
	static const char *const others[] = {
		"link", "soft", "fifo", "folder", "folder/file"};
	struct work_file file = {.found = true};
	int fd = open_work_folder();

	ck_assert(work_dir_put(work, "plain", "12345", 5, &err));
	/* Put there by us: no tool could. */
	ck_assert(work_dir_put(work, "one", "12345", 5, &err));
	ck_assert_int_eq(linkat(fd, "one", fd, "link", 0), 0);
	ck_assert_int_eq(symlinkat("plain", fd, "soft"), 0);
	ck_assert_int_eq(mkfifoat(fd, "fifo", 0666), 0);
	ck_assert_int_eq(mkdirat(fd, "folder", 0777), 0);
	ck_assert_int_eq(linkat(fd, "one", fd, "folder/file", 0), 0);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		ck_assert(work_dir_take(work, others[i], 100, &file, &err));
		ck_assert_msg(!file.found, "%s", others[i]);
	}
	ck_assert_int_eq(unlinkat(fd, "folder/file", 0), 0);
	ck_assert_int_eq(unlinkat(fd, "folder", AT_REMOVEDIR), 0);
	close(fd);
	ck_assert(work_dir_take(work, "absent", 100, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, "plain", 4, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, "../tool", 100, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, "/etc/passwd", 1 << 20, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, ".", 1 << 20, &file, &err));
	ck_assert(!file.found);
	ck_assert(work_dir_take(work, "plain", 5, &file, &err));
	ck_assert(file.found);
	free(file.data);
}
END_TEST

/* As "ulimit -H" makes them, for users who cannot raise them again. */
START_TEST(limits_that_we_are_under_ourselves_are_no_obstacle)
{
	static const struct {
		int resource;
		rlim_t most;
	} ours[] = {
		{RLIMIT_STACK, 8 << 20},
		{RLIMIT_NOFILE, 60},
		{RLIMIT_CPU, 1},
	};
	struct tool tool = tool_of();

	run_compiler(HEAD "return 0; }");
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		const struct rlimit limit = {ours[i].most, ours[i].most};

		ck_assert_int_eq(setrlimit(ours[i].resource, &limit), 0);
	}
	run_tool(&tool);
	ck_assert_int_eq(result.end, TOOL_EXITED);
	ck_assert_int_eq(result.status, 0);
}
END_TEST

/* With less than it is promised, a tool would be said to have used it up. */
static const struct {
	int resource;
	rlim_t most;
	const char *name;
} too_low[] = {
	{RLIMIT_FSIZE, 1 << 19, "the size of files (ulimit -f) is 512 KiB"},
	{RLIMIT_STACK, 1 << 19, "the stack (ulimit -s) is 512 KiB"},
	{RLIMIT_NOFILE, 20, "open files (ulimit -n) is 20"},
#ifndef __SANITIZE_ADDRESS__ /* they need more than that themselves */
	{RLIMIT_DATA, 32 << 20, "data (ulimit -d) is 32768 KiB"},
#endif
};

START_TEST(a_limit_of_our_own_that_is_too_low_is_named)
{
	const struct rlimit limit = {too_low[_i].most, too_low[_i].most};
	struct tool tool = tool_of();

	run_compiler(HEAD "return 0; }");
	ck_assert_int_eq(setrlimit(too_low[_i].resource, &limit), 0);
	ck_assert(!sandbox_run_tool(sandbox, &tool, &result, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_msg(strstr(err.message, too_low[_i].name), "%s", err.message);
}
END_TEST

START_TEST(a_file_is_put_once)
{
	ck_assert(work_dir_put(work, "a", "1", 1, &err));
	ck_assert(!work_dir_put(work, "a", "2", 1, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
}
END_TEST

START_TEST(a_failure_without_room_is_our_error)
{
	struct tool tool = tool_of();

	tool.limits.room_bytes = UINT64_MAX / 2;
	run_compiler(HEAD "return access(\"ok\", F_OK) != 0; }");
	ck_assert(!sandbox_run_tool(sandbox, &tool, &result, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "full"));
	/* Success is success, however little room there is. */
	sandbox_return_work_dir(work);
	work = sandbox_take_work_dir(sandbox);
	ck_assert(work_dir_put(work, "ok", "", 0, &err));
	run_tool(&tool);
	check_exit(0);
}
END_TEST

START_TEST(a_tool_that_cannot_be_watched_is_our_error)
{
	struct tool tool = tool_of();

	run_compiler(HEAD "for (;;) ; }");
	refuse_call(&(struct refusal){.call = SYS_poll, .number = EPERM});
	ck_assert(!sandbox_run_tool(sandbox, &tool, &result, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.message, "cannot watch the jail"));
}
END_TEST

START_TEST(what_cannot_be_read_is_our_error)
{
	static const char *const reads[] = {"/proc/nonexistent/include", NULL};
	const struct sandbox_options options = {
		.temp_dir = folder.path,
		.tool_reads = reads,
	};

	ck_assert_ptr_null(sandbox_create(&options, &err));
	ck_assert_ptr_nonnull(strstr(err.message, "/proc/nonexistent/include"));
}
END_TEST

/* Whether a folder of that name and age is there after the next start. */
static bool survives(const char *name, time_t age, bool locked)
{
	const struct timespec times[2] = {
		{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
	const struct sandbox_options options = {.temp_dir = folder.path};
	struct sandbox *next;
	char path[300];
	bool there;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder.path, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	close(openat(fd, "learner.s", O_WRONLY | O_CREAT, 0600));
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	ck_assert_int_eq(chmod(path, 0500), 0);
	if (locked)
		ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	next = sandbox_create(&options, &err);
	ck_assert_ptr_nonnull(next);
	sandbox_destroy(next);
	there = access(path, F_OK) == 0;
	ck_assert_int_eq(chmod(path, 0700), there ? 0 : -1);
	unlinkat(fd, "learner.s", 0);
	rmdir(path);
	close(fd);
	return there;
}

START_TEST(what_a_killed_grader_left_behind_is_removed)
{
	ck_assert(!survives("grader-jail-0000abcd-aaaaaa", 100, false));
	ck_assert(survives("grader-jail-0000abcd-aaaaaa", 100, true));
	ck_assert(survives("grader-jail-0000abcd-aaaaaa", 5, false));
	ck_assert(survives("grader-aaaaaa", 100, false));
	ck_assert(survives("grader-jail-my-own-notes", 3600, false));
}
END_TEST

START_TEST(without_a_view_no_tool_is_started)
{
	static const char *const without[] = {
		"compiler namespaces", "compiler landlock", NULL};
	struct tool tool = tool_of();

	sandbox_return_work_dir(work);
	sandbox_destroy(sandbox);
	sandbox = sandbox_create(
		&(struct sandbox_options){
			.temp_dir = folder.path, .without = without},
		&err);
	ck_assert_ptr_nonnull(sandbox);
	work = sandbox_take_work_dir(sandbox);
	tool.work = work;
	ck_assert(!sandbox_run_tool(sandbox, &tool, &result, &err));
	ck_assert_int_eq(err.kind, ERROR_SYSTEM);
	ck_assert_ptr_nonnull(
		strstr(err.message, "neither namespaces nor Landlock"));
}
END_TEST

START_TEST(what_grading_needs_cannot_be_left_out)
{
	static const char *const without[] = {"seccomp", NULL};

	ck_assert_ptr_null(
		sandbox_create(&(struct sandbox_options){.temp_dir = "/tmp",
				       .without = without},
			&err));
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "'seccomp'"));
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *tool_suite(void)
{
	Suite *suite = suite_create("tool");
	TCase *tcase = tcase_create("tool");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, output_and_status_come_back);
	tcase_add_test(tcase, it_has_three_descriptors_and_one_variable);
	tcase_add_test(tcase, root_gives_it_an_id_of_its_own);
	tcase_add_test(tcase, the_work_folder_is_read_and_written);
	tcase_add_test(tcase, who_can_mount_has_a_view_by_mounts);
	tcase_add_loop_test(
		tcase, nothing_else_can_be_opened, 0, N_VIEWS * N_OUTSIDE);
	tcase_add_loop_test(tcase,
		folders_are_closed_or_show_only_what_may_be_read, 0, N_VIEWS);
	tcase_add_loop_test(tcase, by_mounts_what_exists_looks_as_what_does_not,
		0, N_VIEWS);
	tcase_add_loop_test(
		tcase, what_it_may_read_it_may_not_write, 0, N_VIEWS);
	tcase_add_loop_test(
		tcase, it_can_make_remove_and_rename_no_file, 0, N_VIEWS);
	tcase_add_test(tcase,
		the_next_tool_finds_what_the_last_has_written_and_cannot_change_it);
	tcase_add_loop_test(tcase, the_umask_is_no_matter_of_the_tools, 0, 2);
	tcase_add_test(tcase, the_folder_is_empty_for_the_next_build);
	tcase_add_loop_test(tcase,
		a_call_that_compilers_have_no_need_of_ends_it, 0,
		COUNT(deadly));
	tcase_add_test(tcase, harmless_unknown_calls_just_fail);
	tcase_add_test(tcase, it_cannot_be_started_twice);
	tcase_add_test(tcase, its_own_output_is_nothing_to_wait_for);
	tcase_add_loop_test(
		tcase, each_limit_is_told_from_the_others, 0, COUNT(limits));
	tcase_add_test(tcase, memory_beyond_the_limit_is_not_to_be_had);
	tcase_add_test(tcase, output_beyond_what_is_kept_is_cut);
	tcase_add_test(tcase, a_tool_that_goes_on_for_too_long_is_stopped);
	tcase_add_test(tcase, nothing_that_a_tool_may_do_waits);
	tcase_add_test(tcase, a_result_that_is_no_plain_file_is_not_taken);
	tcase_add_test(
		tcase, limits_that_we_are_under_ourselves_are_no_obstacle);
	tcase_add_loop_test(tcase, a_limit_of_our_own_that_is_too_low_is_named,
		0, COUNT(too_low));
	tcase_add_test(tcase, a_file_is_put_once);
	tcase_add_test(tcase, a_failure_without_room_is_our_error);
	tcase_add_test(tcase, a_tool_that_cannot_be_watched_is_our_error);
	tcase_add_test(tcase, what_cannot_be_read_is_our_error);
	tcase_add_test(tcase, what_a_killed_grader_left_behind_is_removed);
	tcase_add_test(tcase, without_a_view_no_tool_is_started);
	tcase_add_test(tcase, what_grading_needs_cannot_be_left_out);
	suite_add_tcase(suite, tcase);
	return suite;
}
