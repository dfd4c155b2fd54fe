/* SPDX-License-Identifier: MIT */

/*
 * Grades every file of tests/submissions/hostile/ on machines that give less
 * and less: as root with all layers, as root without the views of the file
 * system and Landlock around the run jail, and as nobody; and what attacks the
 * compiler once more as nobody in a container, where Landlock is its only view.
 * The verdicts are to be the same, whatever is missing.
 *
 * The files are shared out to two processes, since some wait for a limit.  They
 * do not assert but leave what they found in memory that is shared with the
 * test, which does.
 */

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"
#include "grader/engine/grade.h"
#include "grader/engine/tools.h"
#include "grader/report/json.h"
#include "grader/report/report.h"
#include "grader/report/text.h"
#include "tests/suites.h"
#include "tests/support/expectation.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	N_WORKERS = 2,
	NOBODY = 65534,
	SOURCE_BYTES_MAX = 1 << 16,
	PATIENCE_S = 300, /* for one file; each limit is far below */
};

/* Settings ---------------------------------------------------------------- */

static const char *const both[] = {"compiler namespaces", "landlock", NULL};
static const char *const namespaces[] = {"compiler namespaces", NULL};

static const struct setting {
	const char *name;
	const char *const *without; /* layers; NULL: none */
	bool root;
	const char *start; /* of the names of the files that are graded */
} settings[] = {
	{"root", NULL, true, ""},
	{"root without views", both, true, ""},
	{"nobody", NULL, false, ""},
	{"nobody without namespaces", namespaces, false, "compile_"},
};

/* The sanitizers look at the grader, and to it all settings are much the same.
 */
#ifdef __SANITIZE_ADDRESS__
enum { N_SETTINGS = 1 };
#else
enum { N_SETTINGS = sizeof(settings) / sizeof(*settings) };
#endif

/* What no report may hold, whatever was read.  The last is a function of the
   reference; the first is put into a file that everybody may read. */
static const char token[] = "this_is_the_canary_s_own_secret";
static const char *const secrets[] = {token, "root:x:0:0", "two_product"};

/* A test's folder, and what is in it. */
struct scene {
	struct folder folder;
	char canary[96]; /* a file */
	char left[96];   /* a file that somebody could leave there */
	char exercise[96];
	char temp[96];
	char cache[96];
};

static void make_folder(
	const struct scene *scene, const char *name, char out[static 96])
{
	snprintf(out, 96, "%s/%s", scene->folder.path, name);
	ck_assert_int_eq(mkdir(out, 0700), 0);
}

static void copy_exercise(struct scene *scene)
{
	glob_t found;

	snprintf(scene->exercise, sizeof(scene->exercise), "%s/exercise",
		scene->folder.path);
	ck_assert_int_eq(mkdir(scene->exercise, 0755), 0);
	ck_assert_int_eq(glob("exercises/attention/*", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char name[64];
		char *data;
		size_t len;
		struct error err = {0};

		ck_assert_msg(file_read(found.gl_pathv[i], 1 << 20, &data, &len,
				      &err),
			"%s", err.message);
		snprintf(name, sizeof(name), "exercise/%s",
			strrchr(found.gl_pathv[i], '/') + 1);
		folder_put(&scene->folder, name, data, 0644);
		free(data);
	}
	globfree(&found);
}

static void scene_make(struct scene *scene, bool for_nobody)
{
	mode_t before = umask(0);

	folder_make(&scene->folder);
	ck_assert_int_eq(chmod(scene->folder.path, 0755), 0);
	snprintf(scene->canary, sizeof(scene->canary), "%s",
		folder_put(&scene->folder, "canary", token, 0644));
	snprintf(scene->left, sizeof(scene->left), "%s/left",
		scene->folder.path);
	copy_exercise(scene);
	make_folder(scene, "temp", scene->temp);
	make_folder(scene, "cache", scene->cache);
	umask(before);
	if (!for_nobody)
		return;
	ck_assert_int_eq(chown(scene->temp, NOBODY, NOBODY), 0);
	ck_assert_int_eq(chown(scene->cache, NOBODY, NOBODY), 0);
}

/* Submissions ------------------------------------------------------------- */

static glob_t files;

struct submission {
	const char *path;
	struct expectation expects;
	char *data;
	size_t len;
};

static struct submission *read_submissions(void)
{
	struct submission *all = calloc(files.gl_pathc, sizeof(*all));
	struct error err = {0};

	ck_assert_ptr_nonnull(all);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		all[i].path = files.gl_pathv[i];
		all[i].expects = expectation_read(all[i].path);
		ck_assert_msg(file_read(all[i].path, SOURCE_BYTES_MAX,
				      &all[i].data, &all[i].len, &err),
			"%s", err.message);
	}
	return all;
}

static void free_submissions(struct submission *all)
{
	for (size_t i = 0; i < files.gl_pathc; i++)
		free(all[i].data);
	free(all);
}

/* "@CANARY@" and the like become what they stand for. */
static void fill_in(const struct submission *submission,
	const struct scene *scene, struct text *out)
{
	char pid[16];
	const struct {
		const char *name, *value;
	} places[] = {
		{"@CANARY@", scene->canary},
		{"@LEFT@", scene->left},
		{"@EXERCISE@", scene->exercise},
		{"@CACHE@", scene->cache},
		{"@PID@", pid},
	};

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	for (size_t at = 0, step; at < submission->len; at += step) {
		step = 1;
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
			size_t len = strlen(places[i].name);

			if (submission->len - at < len ||
				memcmp(submission->data + at, places[i].name,
					len) != 0)
				continue;
			text_puts(out, places[i].value);
			step = len;
		}
		if (step == 1)
			text_putc(out, submission->data[at]);
	}
}

/* Workers ----------------------------------------------------------------- */

struct result_of {
	bool graded;
	char problem[2048]; /* "": none */
};

struct shared {
	atomic_size_t next;
	struct {
		atomic_size_t file; /* the one that is being graded */
		char trouble[512];  /* why none could be */
	} workers[N_WORKERS];
	struct result_of findings[]; /* one for each file */
};

__attribute__((format(printf, 2, 3))) static void complain(
	struct result_of *finding, const char *format, ...)
{
	size_t len = strlen(finding->problem);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding->problem + len, sizeof(finding->problem) - len,
		format, arguments);
	va_end(arguments);
}

/* Whether no terminal could take any of it for anything but letters. */
static bool is_clean(const struct text *report)
{
	static const unsigned int forbidden[][2] = {{0, 0x08}, {0x0b, 0x1f},
		{0x7f, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f},
		{0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};
	unsigned int code;

	for (size_t at = 0, n; at < report->len; at += n) {
		n = escape_utf8(report->data + at, report->len - at, &code);
		if (n == 0)
			return false;
		for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden);
			i++)
			if (code >= forbidden[i][0] && code <= forbidden[i][1])
				return false;
	}
	return true;
}

/* Every run of blanks becomes one space. */
static void join_lines(struct text *report)
{
	size_t len = 0;

	for (size_t i = 0; i < report->len; i++) {
		bool blank = isspace((unsigned char)report->data[i]);

		if (blank && len > 0 && report->data[len - 1] == ' ')
			continue;
		report->data[len++] = blank ? ' ' : report->data[i];
	}
	report->data[len] = '\0';
	report->len = len;
}

static void check_report(
	struct result_of *finding, const char *what, const struct text *report)
{
	if (report->failed || report->len == 0) {
		complain(finding, "there is no report as %s; ", what);
		return;
	}
	if (!is_clean(report))
		complain(finding, "the %s is not escaped; ", what);
	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		if (memmem(report->data, report->len, secrets[i],
			    strlen(secrets[i])))
			complain(
				finding, "the %s tells %s; ", what, secrets[i]);
}

static void check_text(struct result_of *finding, const struct expectation *e,
	const struct grade *grade, const struct report_options *options)
{
	CLEANUP(cleanup_text) struct text report = {0};

	report_put_text(&report, grade, options);
	check_report(finding, "text", &report);
	if (!report.data || grade->audience == AUDIENCE_STAFF)
		return;
	join_lines(&report);
	if (!strstr(report.data, e->says))
		complain(finding, "it does not say '%s': %.800s; ", e->says,
			report.data);
	if (e->not_says[0] && strstr(report.data, e->not_says))
		complain(finding, "it says '%s'; ", e->not_says);
}

static void check_json(struct result_of *finding, const struct expectation *e,
	const struct grade *grade, const struct report_options *options)
{
	CLEANUP(cleanup_text) struct text report = {0};
	struct error err = {0};
	cJSON *read;

	if (!report_put_json(&report, grade, options, &err)) {
		complain(finding, "JSON: %s; ", err.message);
		return;
	}
	check_report(finding, "JSON", &report);
	if (e->not_says[0] && strstr(report.data, e->not_says))
		complain(finding, "the JSON says '%s'; ", e->not_says);
	read = cJSON_ParseWithLength(report.data, report.len);
	if (!read)
		complain(finding, "the JSON cannot be read; ");
	cJSON_Delete(read);
}

static void check_grade(struct result_of *finding, const struct expectation *e,
	const struct grade *whole, struct arena *arena)
{
	const struct report_options options = {
		.style = {.width = 80},
		.verbose = true,
		.exercise = "attention",
	};
	const char *verdict = verdict_name(whole->verdict);
	struct error err = {0};
	struct grade grade;

	if (!expectation_allows(e, verdict))
		complain(finding, "expected %s, got %s; ", e->verdicts[0],
			verdict);
	if ((whole->score == whole->max_score) != whole->passed)
		complain(finding, "%d points; ", whole->score);
	if (!grade_for(AUDIENCE_LEARNER, whole, arena, &grade, &err)) {
		complain(finding, "%s; ", err.message);
		return;
	}
	check_text(finding, e, whole, &options);
	check_text(finding, e, &grade, &options);
	check_json(finding, e, &grade, &options);
}

static void grade_one(const struct submission *submission,
	const struct scene *scene, const struct exercise *exercise,
	const struct tools *tools, struct result_of *finding)
{
	struct error err = {0};
	CLEANUP(cleanup_arena) struct arena *arena = arena_create(&err);
	CLEANUP(cleanup_text) struct text source = {0};
	struct grade_request request = {
		.exercise = exercise,
		.file = submission->path,
		.seed = exercise->seed,
	};
	struct grade grade;

	fill_in(submission, scene, &source);
	request.source = source.data;
	request.source_len = source.len;
	if (!arena || source.failed ||
		!grade_submission(&request, tools, arena, &grade, &err))
		complain(finding, "no verdict: %s", err.message);
	else
		check_grade(finding, &submission->expects, &grade, arena);
	finding->graded = true;
}

/* All that root has is given up; only what is the same for everybody stays. */
static bool become_nobody(struct error *err)
{
	if (syscall(SYS_setgroups, 0, NULL) != 0 ||
		setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
		setresuid(NOBODY, NOBODY, NOBODY) != 0 ||
		/* Where nobody starts the grader, exec sets this. */
		prctl(PR_SET_DUMPABLE, 1) != 0)
		return error_set_errno(err, "cannot become nobody");
	return true;
}

static bool check_left_out(const struct sandbox *sandbox,
	const char *const *names, struct error *err)
{
	size_t count;
	const struct layer *layers = sandbox_layers(sandbox, &count);

	for (; names && *names; names++) {
		size_t i = 0;

		while (i < count && strcmp(layers[i].name, *names) != 0)
			i++;
		if (i == count || layers[i].state == LAYER_OK)
			return error_set(err, ERROR_SYSTEM,
				"the layer %s is not left out", *names);
	}
	return true;
}

struct job {
	const struct setting *setting;
	const struct scene *scene;
	const struct submission *submissions;
	struct shared *shared;
	bool for_nobody;
};

static bool is_graded(const struct setting *setting, size_t file)
{
	const char *name = strrchr(files.gl_pathv[file], '/') + 1;

	return strncmp(name, setting->start, strlen(setting->start)) == 0;
}

static void grade_files(const struct job *job, size_t worker,
	const struct exercise *exercise, const struct tools *tools)
{
	struct shared *shared = job->shared;
	size_t file;

	while ((file = atomic_fetch_add(&shared->next, 1)) < files.gl_pathc) {
		if (!is_graded(job->setting, file))
			continue;
		atomic_store(&shared->workers[worker].file, file);
		alarm(PATIENCE_S);
		grade_one(&job->submissions[file], job->scene, exercise, tools,
			&shared->findings[file]);
	}
	alarm(0);
}

static bool work(const struct job *job, size_t worker, struct error *err)
{
	CLEANUP(cleanup_arena) struct arena *arena = arena_create(err);
	struct sandbox_options options = {
		.temp_dir = job->scene->temp,
		.without = job->setting->without,
	};
	struct tools tools = {.cancel = -1, .cache_dir = job->scene->cache};
	struct exercise exercise;
	bool good;

	if (!arena || (job->for_nobody && !become_nobody(err)) ||
		!toolchain_find(
			tools.cache_dir, arena, &tools.toolchain, err) ||
		!exercise_load(job->scene->exercise, arena, &exercise, err))
		return false;
	options.tool_reads = tools.toolchain.reads;
	tools.sandbox = sandbox_create(&options, err);
	if (!tools.sandbox)
		return false;
	good = check_left_out(tools.sandbox, options.without, err);
	if (good)
		grade_files(job, worker, &exercise, &tools);
	sandbox_destroy(tools.sandbox);
	return good;
}

static pid_t start_worker(const struct job *job, size_t worker)
{
	struct error err = {0};
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid > 0)
		return pid;
	signal(SIGALRM, SIG_DFL);
	if (!work(job, worker, &err))
		snprintf(job->shared->workers[worker].trouble,
			sizeof(job->shared->workers[worker].trouble), "%.500s",
			err.message);
	_exit(0);
}

static void wait_for(
	const struct job *job, size_t worker, pid_t pid, struct text *problems)
{
	const struct shared *shared = job->shared;
	size_t file;
	int status;

	while (waitpid(pid, &status, 0) < 0)
		ck_assert_int_eq(errno, EINTR);
	file = atomic_load(&shared->workers[worker].file);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		text_printf(problems, "%s took the grader down (status %#x)\n",
			files.gl_pathv[file], (unsigned int)status);
	if (shared->workers[worker].trouble[0])
		text_printf(problems, "%s\n", shared->workers[worker].trouble);
}

static void find_left_behind(const struct scene *scene, struct text *problems)
{
	char *data;
	size_t len;
	struct error err = {0};
	struct stat info;

	/* Orphans are ours: see below. */
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		text_puts(problems, "a process was left behind\n");
	if (folder_count(scene->temp) > 0)
		text_puts(problems, "a file was left in the work folder's\n");
	/* The canary, the exercise, temp and cache. */
	if (folder_count(scene->folder.path) != 4)
		text_puts(problems, "a file was left behind\n");
	if (stat(scene->canary, &info) != 0 || (info.st_mode & 07777) != 0644 ||
		!file_read(scene->canary, 1 << 10, &data, &len, &err)) {
		text_puts(problems, "the canary is another one\n");
		return;
	}
	if (strcmp(data, token) != 0)
		text_puts(problems, "the canary was written to\n");
	free(data);
}

static void grade_all(struct job *job, struct text *problems)
{
	const size_t bytes = sizeof(*job->shared) +
		files.gl_pathc * sizeof(job->shared->findings[0]);
	pid_t pids[N_WORKERS];

	job->shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(job->shared, MAP_FAILED);
	/* Whoever outlives its parent becomes our child. */
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (size_t w = 0; w < N_WORKERS; w++)
		pids[w] = start_worker(job, w);
	for (size_t w = 0; w < N_WORKERS; w++)
		wait_for(job, w, pids[w], problems);
	find_left_behind(job->scene, problems);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const struct result_of *finding = &job->shared->findings[i];

		if (!is_graded(job->setting, i))
			continue;
		if (!finding->graded || finding->problem[0])
			text_printf(problems, "%s, %s: %s\n", files.gl_pathv[i],
				job->setting->name,
				finding->graded ? finding->problem
						: "not graded");
	}
	munmap(job->shared, bytes);
}

START_TEST(hostile_submissions_get_what_they_deserve)
{
	const struct setting *setting = &settings[_i];
	const bool root = geteuid() == 0;
	struct scene scene;
	struct text problems = {0};
	struct job job = {
		.setting = setting,
		.scene = &scene,
		.for_nobody = root && !setting->root,
	};
	struct submission *submissions = read_submissions();

	if (setting->root && !root) {
		printf("hostile, %s: skipped, this is not root\n",
			setting->name);
		free_submissions(submissions);
		return;
	}
	job.submissions = submissions;
	scene_make(&scene, job.for_nobody);
	grade_all(&job, &problems);
	folder_remove(&scene.folder);
	free_submissions(submissions);
	ck_assert_msg(problems.len == 0, "%s", problems.data);
	text_finish(&problems);
}
END_TEST

START_TEST(there_are_enough_of_them)
{
	ck_assert_uint_ge(files.gl_pathc, 130);
}
END_TEST

Suite *hostile_suite(void)
{
	Suite *suite = suite_create("hostile");
	TCase *tcase = tcase_create("hostile");

	glob("tests/submissions/hostile/*.c", 0, NULL, &files);
	/* Of them all, on a machine that has other things to do as well. */
	tcase_set_timeout(tcase, 900);
	tcase_add_test(tcase, there_are_enough_of_them);
	tcase_add_loop_test(tcase, hostile_submissions_get_what_they_deserve, 0,
		N_SETTINGS);
	suite_add_tcase(suite, tcase);
	return suite;
}
