/* SPDX-License-Identifier: MIT */

/*
 * Bytes that a terminal or a reader would take for something else, pushed
 * through every way by which a submission has a say in what the grader shows:
 * what it prints, what it makes the compiler, the assembler and the linker
 * print, what its functions, its sections and itself are called.  None may
 * come out as it is: not on a terminal, in a report of any kind, in a file or
 * among the errors.
 */

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "tests/suites.h"
#include "tests/support/command.h"
#include "tests/support/folder.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

enum { OUTPUT_MAX = 8 << 20, TIMEOUT_S = 120 };

/* What is pushed through ---------------------------------------------------
 */

/* Without newline, NUL, quotes, backslash, percent and slash, so that it fits
   into a literal, a directive and a name alike. */
#define CONTROLS                                                               \
	"\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13" \
	"\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
/* Clearing the screen, a window's title, 8-bit CSI, an APC, a query. */
#define SEQUENCES                                                              \
	"\x1b[2J\x1b[31m\x1b]0;owned\x07\x9b"                                  \
	"2J\x1b_G\x1b*\x1b[6n"
#define HIGH "\x80\x81\x8f\x90\x9b\x9f\xa0\xad\xbf\xc0\xc1\xf5\xf8\xfc\xfe\xff"
/* '/', newline and ESC in too many bytes. */
#define OVERLONG "\xc0\xaf\xc0\x8a\xe0\x80\x9b\xf0\x80\x80\x9b"
#define SURROGATES "\xed\xa0\x80\xed\xbf\xbf\xed\xa0\xbd\xed\xb8\x80"
#define BEYOND "\xf4\x90\x80\x80\xf7\xbf\xbf\xbf"
/* U+0080, U+009B, U+009F, U+2028, U+2029, U+FEFF */
#define UNICODE                                                                \
	"\xc2\x80\xc2\x9b"                                                     \
	"2J\xc2\x9f\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf"
/* U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069, U+206A */
#define BIDI                                                                   \
	"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac" \
	"\xe2\x80\xad\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81" \
	"\xa9\xe2\x81\xaa"
#define TRUNCATED "\xe2\x80"
#define TORTURE                                                                \
	"torture" CONTROLS SEQUENCES HIGH OVERLONG SURROGATES BEYOND UNICODE   \
		BIDI TRUNCATED

/* What must not be there --------------------------------------------------- */

/* Of a valid sequence at data its length and code; 0: there is none.  Not the
   grader's own reader of UTF-8: that is what is tested. */
static size_t read_code(const unsigned char *data, size_t len, unsigned *code)
{
	size_t n = data[0] < 0x80 ? 1
		: data[0] < 0xc2  ? 0
		: data[0] < 0xe0  ? 2
		: data[0] < 0xf0  ? 3
		: data[0] < 0xf5  ? 4
				  : 0;

	if (n == 0 || n > len)
		return 0;
	*code = n == 1 ? data[0] : data[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if (data[i] < 0x80 || data[i] > 0xbf)
			return 0;
		*code = *code << 6 | (data[i] & 0x3fu);
	}
	if ((n == 3 && *code < 0x800) || (n == 4 && *code < 0x10000) ||
		*code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return n;
}

static bool is_forbidden(unsigned code)
{
	return (code < 0x20 && code != '\n' && code != '\t') ||
		(code >= 0x7f && code <= 0x9f) || code == 0x61c ||
		code == 0x200e || code == 0x200f ||
		(code >= 0x2028 && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x206f) || code == 0xfeff;
}

/* A colour of ours: ESC, [, digits and semicolons, m. */
static size_t colour_len(const char *data, size_t len)
{
	size_t n = 2;

	if (len < 3 || data[0] != '\x1b' || data[1] != '[')
		return 0;
	while (n < len && strchr("0123456789;", data[n]) && data[n])
		n++;
	return n < len && data[n] == 'm' ? n + 1 : 0;
}

static void check_clean(
	const char *what, const char *data, size_t len, bool colours)
{
	for (size_t i = 0, n; i < len; i += n) {
		unsigned code = 0;

		n = colours ? colour_len(data + i, len - i) : 0;
		if (n > 0)
			continue;
		n = read_code((const unsigned char *)data + i, len - i, &code);
		ck_assert_msg(n > 0 && !is_forbidden(code),
			"%s: byte 0x%02x (code U+%04X) at %zu, behind '%.*s'",
			what, (unsigned)(unsigned char)data[i], code, i,
			(int)(i < 60 ? i : 60), data + i - (i < 60 ? i : 60));
	}
}

/* A reader of JSON gets strings that are as clean. */
static void check_strings(const char *what, const cJSON *item)
{
	for (; item; item = item->next) {
		if (cJSON_IsString(item))
			check_clean(what, item->valuestring,
				strlen(item->valuestring), false);
		if (item->string)
			check_clean(what, item->string, strlen(item->string),
				false);
		check_strings(what, item->child);
	}
}

static void check_json(const char *what, const char *data, size_t len)
{
	cJSON *root = cJSON_ParseWithLength(data, len);

	check_clean(what, data, len, false);
	ck_assert_msg(root != NULL, "%s: no JSON: %.200s", what, data);
	check_strings(what, root);
	cJSON_Delete(root);
}

/* Running ------------------------------------------------------------------ */

static struct folder folder;
static char home[96];
static const char *const environment[] = {home, "LC_ALL=C.UTF-8", NULL};
static const char *const ascii_environment[] = {home, "LC_ALL=C", NULL};

static void make_folders(void)
{
	char script[400];
	const char *const argv[] = {"sh", "-ec", script, NULL};
	struct command command;

	(void)command_grader();
	folder_make(&folder);
	snprintf(script, sizeof(script),
		"cp -R tests/cli/exercises %s; mkdir %s/home", folder.path,
		folder.path);
	command = command_run(argv, NULL, NULL);
	ck_assert_msg(command.status == 0, "%s", command.errors);
	command_finish(&command);
	snprintf(home, sizeof(home), "HOME=%s/home", folder.path);
	ck_assert_int_eq(chdir(folder.path), 0);
}

static void remove_folders(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	folder_remove(&folder);
}

static void run_on_terminal(const char *path, const char *const argv[])
{
	struct termios modes;
	struct winsize size = {.ws_col = 80, .ws_row = 24};
	int fd;

	setsid();
	fd = open(path, O_RDWR);
	if (fd < 0 || tcgetattr(fd, &modes) < 0)
		_exit(126);
	modes.c_oflag &= ~(tcflag_t)OPOST;
	tcsetattr(fd, TCSANOW, &modes);
	ioctl(fd, TIOCSWINSZ, &size);
	for (size_t i = 0; environment[i]; i++)
		putenv(strdup(environment[i]));
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	execv(argv[0], (char *const *)(const void *)argv);
	_exit(127);
}

/* What a terminal gets of a command, output and errors. */
static void check_terminal(const char *what, const char *const argv[])
{
	CLEANUP(cleanup_text) struct text got = {0};
	CLEANUP(cleanup_close)
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char chunk[4096];
	const char *path;
	ssize_t n;
	pid_t pid;

	ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	path = ptsname(master);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		run_on_terminal(path, argv);
	/* Until it is opened there is nobody at the other end: EIO. */
	do {
		n = read(master, chunk, sizeof(chunk));
		if (n > 0)
			text_put(&got, chunk, (size_t)n);
	} while (n > 0 || waitpid(pid, NULL, WNOHANG) == 0);
	ck_assert_uint_gt(got.len, 0);
	check_clean(what, got.data, got.len, true);
}

static void check_file(const char *what, const char *path, bool json)
{
	CLEANUP(cleanup_free) char *data = NULL;
	struct error err;
	size_t len;

	ck_assert_msg(file_read(path, OUTPUT_MAX, &data, &len, &err), "%s: %s",
		what, err.message);
	ck_assert_uint_gt(len, 0);
	if (json)
		check_json(what, data, len);
	else
		check_clean(what, data, len, false);
}

/* Grades a file, and looks at all that comes of it. */
static void check_grading(const char *what, const char *file)
{
	const char *const text[] = {command_grader(), "grade", "-v",
		"--color=always", "-r", "text", "-r", "text=report.txt", "-r",
		"json=report.json", "scale", file, NULL};
	const char *const json[] = {
		command_grader(), "grade", "-r", "json", "scale", file, NULL};
	const char *const brief[] = {
		command_grader(), "grade", "scale", file, NULL};
	const struct command_started started[] = {
		command_start(text, environment, folder.path),
		command_start(json, environment, folder.path),
		command_start(brief, ascii_environment, folder.path),
	};
	struct command command = command_wait(&started[0]);

	ck_assert_msg(command.status == 0 || command.status == 1,
		"%s: exit status %d: %s", what, command.status, command.errors);
	check_clean(what, command.out, command.out_len, true);
	check_clean(what, command.errors, command.errors_len, false);
	command_finish(&command);
	check_file(what, "report.txt", false);
	check_file(what, "report.json", true);
	command = command_wait(&started[1]);
	check_json(what, command.out, command.out_len);
	command_finish(&command);
	command = command_wait(&started[2]);
	for (size_t i = 0; i < command.out_len; i++)
		ck_assert_msg((unsigned char)command.out[i] < 0x7f,
			"%s: more than ASCII: %s", what, command.out);
	check_clean(what, command.out, command.out_len, false);
	command_finish(&command);
	check_terminal(what, brief);
}

/* The compiler's, the assembler's and the linker's words ------------------- */

#define SOLVE                                                                  \
	"void solve(size_t rows, size_t columns, const double X[rows]"         \
	"[columns],\n\tdouble factor, double Y[rows][columns])\n"
#define BODY "{\n\tY[0][0] = X[0][0] * factor;\n}\n"
/* As escapes of C, and of as within a string of C. */
#define IN_C "\\033[2J\\x9b\\u009b\\u202e\\377\\302\\233\\001"
#define IN_AS "\\\\033[2J\\\\233\\\\342\\\\200\\\\256\\\\377"

static const char *const sources[] = {
	"#error " TORTURE "\n",
	"#error \"" TORTURE "\"\n",
	"#warning " TORTURE "\n" SOLVE BODY,
	"#pragma message \"" TORTURE "\"\n" SOLVE BODY,
	"#pragma message \"" IN_C "\"\n" SOLVE BODY,
	"#pragma " TORTURE "\n" SOLVE BODY,
	"#pragma GCC " TORTURE "\n" SOLVE BODY,
	"#pragma GCC diagnostic error \"" TORTURE "\"\n" SOLVE BODY,
	"#pragma GCC optimize(\"" TORTURE "\")\n" SOLVE BODY,
	"#pragma GCC target(\"" TORTURE "\")\n" SOLVE BODY,
	"#pragma GCC poison " TORTURE "\n" SOLVE BODY,
	"#pragma GCC dependency \"" TORTURE "\"\n" SOLVE BODY,
	"#pragma pack(" TORTURE ")\n" SOLVE BODY,
	"#" TORTURE "\n",
	"#define " TORTURE "\n#define a" TORTURE "\n" SOLVE BODY,
	"#if " TORTURE "\n#endif\n",
	"#include \"" TORTURE "\"\n",
	"#include <" TORTURE ">\n",
	"#line 1 \"" TORTURE "\"\nint x = y;\n",
	"#line 1 \"" IN_C "\"\nint x = y;\n",
	"# 1 \"" IN_C "\" 1\nint x = y;\n# 1 \"" TORTURE "\" 3\nint x = z;\n",
	"#line 1 \"solve.c\"\nint x = " TORTURE ";\n",
	"#ident \"" TORTURE "\"\nint x = y;\n",
	"_Static_assert(0, \"" TORTURE "\");\n",
	"_Static_assert(0, \"" IN_C "\");\n",
	"_Static_assert(0, u8\"" IN_C "\");\n",
	"int x = " TORTURE ";\n",
	"int x = \\u202e\\u009b\\u00e9\\u2028\\ufeff\\u061c;\n",
	"int x = \xc3\xa9\xe2\x80\xae\xd8\x9c\xce\xb1;\n",
	"int \xce\xb1\xce\xb2 = \xce\xb3;\nint x = 'ab" TORTURE "';\n",
	"char *s = \"" TORTURE "\n" SOLVE BODY,
	"/* " TORTURE " */ int x = y; // " TORTURE "\n",
	"__attribute__((deprecated(\"" TORTURE "\"))) int f(void);\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	"__attribute__((deprecated(\"" IN_C "\"))) int f(void);\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	"__attribute__((error(\"" TORTURE "\"))) int f(void);\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	"__attribute__((warning(\"" IN_C "\"))) int f(void);\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	"__attribute__((unavailable(\"" TORTURE "\"))) int f(void);\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	"__attribute__((target(\"" TORTURE "\"))) " SOLVE BODY,
	"__attribute__((optimize(\"" TORTURE "\"))) " SOLVE BODY,
	"__attribute__((alias(\"" TORTURE "\"))) int f(void);\n" SOLVE BODY,
	"__attribute__((section(\"" TORTURE "\"))) int v = 1;\n" SOLVE BODY,
	"__attribute__((section(\"a\"\"" IN_C "\"))) int v = 1;\n" SOLVE BODY,
	"__attribute__((visibility(\"" TORTURE "\"))) int v = 1;\n" SOLVE BODY,
	"__attribute__((" TORTURE ")) int v = 1;\n" SOLVE BODY,
	"#include <stdio.h>\n" SOLVE "{\n\tprintf(\"%\x1b %\x9b %\xe2\x80\xae "
	"%" IN_C "\", 1);\n\tY[0][0] = X[0][0];\n}\n",
	SOLVE "{\n\tasm(\"" TORTURE "\");\n}\n",
	"asm(\"" TORTURE "\");\n",
	"asm(\"" IN_C "\");\n",
	"asm(\".error \\\"" TORTURE "\\\"\");\n",
	"asm(\".error \\\"" IN_AS "\\\"\");\n",
	"asm(\".warning \\\"" TORTURE "\\\"\\n foo\");\n",
	"asm(\".print \\\"" TORTURE "\\\"\\n foo\");\n",
	"asm(\".print \\\"" IN_AS "\\\"\\n foo\");\n",
	"asm(\".include \\\"" TORTURE "\\\"\");\n",
	"asm(\".incbin \\\"" TORTURE "\\\"\");\n",
	"asm(\".incbin \\\"" IN_AS "\\\"\");\n",
	"asm(\".file \\\"" TORTURE "\\\"\\n foo\");\n",
	"asm(\".linefile 1 \\\"" TORTURE "\\\"\\n foo\");\n",
	"asm(\"# 1 \\\"" TORTURE "\\\"\\n foo\");\n",
	"asm(\".section \\\"" TORTURE "\\\",\\\"zzz\\\"\");\n",
	"asm(\".globl \\\"" TORTURE "\\\"\\n.quad \\\"" TORTURE
	"\\\"\");\n" SOLVE BODY,
	"asm(\".quad \\\"" IN_AS "\\\"\");\n" SOLVE BODY,
	"asm(\".hidden \\\"" TORTURE "\\\"\\n.quad \\\"" TORTURE
	"\\\"\");\n" SOLVE BODY,
	"asm(\".section \\\"" TORTURE "\\\",\\\"ax\\\"\\n.byte v\\n.text\");\n"
	"int v;\n" SOLVE BODY,
	"asm(\".section .gnu.warning.puts\\n.string \\\"" TORTURE
	"\\\"\\n.text\");\n#include <stdio.h>\n" SOLVE
	"{\n\tputs(\"\");\n\tnowhere();\n}\n",
	"extern int f(void) asm(\"" TORTURE "\");\n" SOLVE
	"{\n\tY[0][0] = f() + X[0][0] * factor;\n}\n",
	/* The one function there is. */
	"int f(void) asm(\"" TORTURE "\");\nint f(void) { return 1; }\n",
	"int f(void) asm(\"Solve" TORTURE "\");\nint f(void) { return 1; }\n",
	"int f(void) asm(\"grader_" TORTURE
	"\");\nint f(void) { return 1; }\n" SOLVE BODY,
	"void solve(size_t rows, " TORTURE " columns, int " TORTURE ");\n",
	"void solve(size_t rows, struct \xce\xb1\xe2\x80\xae *columns) {}\n",
};

static void put_source(const char *name, const char *data, size_t len)
{
	struct error err;

	ck_assert_msg(file_write_atomic(name, data, len, FILE_REPLACE, &err),
		"%s", err.message);
}

START_TEST(what_the_compiler_is_made_to_say_is_escaped)
{
	char what[32];

	snprintf(what, sizeof(what), "source %d", _i);
	put_source("solve.c", sources[_i], strlen(sources[_i]));
	check_grading(what, "solve.c");
}
END_TEST

/* Every byte there is, in every place of a line. */
START_TEST(a_file_of_all_bytes_is_escaped)
{
	static const char start[] = "int x = ";
	char bytes[4 * 256 + sizeof(start)];
	size_t len = 0;

	for (int lines = 0; lines < 2; lines++) {
		memcpy(bytes, start, sizeof(start) - 1);
		len = sizeof(start) - 1;
		for (int byte = 0; byte < 256; byte++) {
			bytes[len++] = (char)byte;
			if (lines)
				bytes[len++] = '\n';
		}
		put_source("solve.c", bytes, len);
		check_grading("all bytes", "solve.c");
	}
}
END_TEST

/* What it prints ----------------------------------------------------------- */

#define PRINTING                                                               \
	"#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"       \
	"#include <string.h>\nstatic const char torture[] = \"" TORTURE        \
	"\";\n" SOLVE "{\n"                                                    \
	"\tfor (int c = 0; c < 256; c++)\n\t\tputchar(c);\n"                   \
	"\tfputs(torture, stderr);\n"

static const char *const programs[] = {
	PRINTING "\tY[0][0] = X[0][0] * factor;\n}\n",
	PRINTING "\tabort();\n}\n",
	PRINTING "\t*(volatile int *)0 = 1;\n}\n",
	PRINTING "\tassert(!\"" TORTURE "\");\n}\n",
	PRINTING "\texit(27);\n}\n",
	PRINTING "\tfor (;;)\n\t\tputs(torture);\n}\n",
	/* Cut where what is kept ends, in the middle of a character. */
	PRINTING "\tfor (int i = 0; i < 5000; i++)\n"
		 "\t\tputs(\"\xe2\x80\xae\xe2\x82\xac\");\n}\n",
	PRINTING "\tfor (int i = 0; i < 5000; i++)\n"
		 "\t\tfputs(\"\xe2\x82\xac\", stdout);\n}\n",
	PRINTING "\tfor (int i = 0; i < 5000; i++)\n"
		 "\t\tfputs(\"a\\033[2J\\r\", i % 2 ? stdout : stderr);\n}\n",
	PRINTING "\tperror(torture);\n}\n",
	/* Numbers that are no numbers, in what it answers. */
	PRINTING "\tmemcpy(Y, torture, 8);\n\tfree((void *)torture);\n}\n",
	/* Its line is shown. */
	SOLVE "{\n\t*(volatile int *)8 = 1; /* " TORTURE " */ // " TORTURE
	      "\n}\n",
};

START_TEST(what_a_program_prints_is_escaped)
{
	char what[32];

	snprintf(what, sizeof(what), "program %d", _i);
	put_source("solve.c", programs[_i], strlen(programs[_i]));
	check_grading(what, "solve.c");
}
END_TEST

/* What it is called -------------------------------------------------------- */

/* A file's name has no more than 255 bytes. */
static const char *const names[] = {
	TORTURE ".c", TORTURE, "new\nline\tand tab.c",
	"quotes ' \" ` \\ $(id) %s%n.c", "\x1b[2J", "\xff", "-\x1b[2J",
	"\xc3\xa9\xce\xb1\xe2\x82\xac.c",
	"\xc3\x9b.c", /* its second byte is CSI to whoever has 8 bits */
};

START_TEST(what_a_file_is_called_is_escaped)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "./%s", names[_i]);
	put_source(path, SOLVE "{\n\t*(volatile int *)8 = 1;\n}\n",
		strlen(SOLVE "{\n\t*(volatile int *)8 = 1;\n}\n"));
	check_grading("a crash", path);
	put_source(path, "int x = y;\n", 11);
	check_grading("an error", path);
}
END_TEST

/* Each command with the name wherever it takes a word; N stands for it. */
static const char *const commands[][8] = {
	{"N"},
	{"help", "N"},
	{"show", "N"},
	{"show", "-e", "N", "scale"},
	{"hint", "N"},
	{"hint", "scale", "N"},
	{"cases", "N"},
	{"cases", "scale", "N"},
	{"start", "N"},
	{"start", "scale", "N"},
	{"start", "scale", "N"}, /* the second time it is there */
	{"start", "scale", "N/N"},
	{"list", "-e", "N"},
	{"list", "N"},
	{"doctor", "N"},
	{"grade", "scale", "N"},
	{"grade", "N", "solve.c"},
	{"grade", "scale", "solve.c", "N"},
	{"grade", "scale", "solve.c", "--seed", "N"},
	{"grade", "scale", "solve.c", "--case", "N"},
	{"grade", "scale", "solve.c", "--secret", "N"},
	{"grade", "scale", "solve.c", "--require", "N"},
	{"grade", "scale", "solve.c", "--audience", "N"},
	{"grade", "scale", "solve.c", "--color", "N"},
	{"grade", "scale", "solve.c", "--report", "N"},
	{"grade", "scale", "solve.c", "--report", "json=N/N"},
	{"grade", "scale", "solve.c", "--report", "json=N"},
	{"grade", "scale", "solve.c", "--N"},
	{"grade", "-e", "N", "scale", "solve.c"},
};

/* With the name in the place of every N; each is the caller's to free. */
static char *insert(const char *word, const char *name)
{
	CLEANUP(cleanup_text) struct text out = {0};

	for (; *word; word++) {
		if (*word == 'N')
			text_puts(&out, name);
		else
			text_putc(&out, *word);
	}
	ck_assert(out.data && !out.failed);
	return strdup(out.data);
}

static void check_command(const char *const words[], const char *name)
{
	const char *argv[10] = {command_grader()};
	struct command_started started, ascii;
	struct command command;
	char *copies[8] = {NULL};
	size_t n = 0;

	for (; n < 8 && words[n]; n++)
		argv[n + 1] = copies[n] = insert(words[n], name);
	started = command_start(argv, environment, folder.path);
	ascii = command_start(argv, ascii_environment, folder.path);
	command = command_wait(&started);
	check_clean(words[0], command.out, command.out_len, false);
	check_clean(words[0], command.errors, command.errors_len, false);
	command_finish(&command);
	command = command_wait(&ascii);
	for (size_t i = 0; i < command.errors_len; i++)
		ck_assert_uint_lt((unsigned char)command.errors[i], 0x7f);
	for (size_t i = 0; i < command.out_len; i++)
		ck_assert_uint_lt((unsigned char)command.out[i], 0x7f);
	command_finish(&command);
	for (size_t i = 0; i < n; i++)
		free(copies[i]);
}

START_TEST(words_of_the_command_line_are_escaped)
{
	put_source("solve.c", "int x = y;\n", 11);
	for (int c = 0; c < COUNT(commands); c++)
		check_command(commands[c], names[_i]);
}
END_TEST

/* An exercise in a folder of such a name: what is to be typed next is shown. */
START_TEST(the_name_of_a_folder_is_escaped)
{
	static const char *const words[][8] = {
		{"list", "-e", "N"},
		{"show", "-e", "N", "scale"},
		{"hint", "-e", "N", "scale"},
		{"start", "-e", "N", "scale", "home/N"},
		{"grade", "-e", "N", "scale", "solve.c"},
		{"show", "./N/scale"},
		{"hint", "./N/scale", "1"},
		{"grade", "./N/scale", "solve.c", "--report", "json"},
	};

	put_source("solve.c", SOLVE "{\n}\n", strlen(SOLVE "{\n}\n"));
	ck_assert_int_eq(rename("exercises", names[_i]), 0);
	for (int c = 0; c < COUNT(words); c++)
		check_command(words[c], names[_i]);
}
END_TEST

/* What is shown to be typed does what it says. */
START_TEST(a_word_that_is_spelt_is_the_word_that_was_given)
{
	static const char script[] =
		"line=$(\"$0\" start scale \"$1\" | sed -n "
		"'s/.*grader grade scale //p')\n"
		"eval \"set -- $line\"\n"
		"test -f \"$1\"\n";
	const char *const argv[] = {
		"bash", "-ec", script, command_grader(), names[_i], NULL};
	struct command command;

	if (names[_i][0] == '-')
		return;
	command = command_run(argv, environment, folder.path);
	ck_assert_msg(command.status == 0, "name %d: %s%s", _i, command.out,
		command.errors);
	command_finish(&command);
}
END_TEST

Suite *torture_suite(void)
{
	Suite *suite = suite_create("torture");
	TCase *tcase = tcase_create("torture");

	tcase_add_checked_fixture(tcase, make_folders, remove_folders);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(tcase, what_the_compiler_is_made_to_say_is_escaped,
		0, COUNT(sources));
	tcase_add_test(tcase, a_file_of_all_bytes_is_escaped);
	tcase_add_loop_test(
		tcase, what_a_program_prints_is_escaped, 0, COUNT(programs));
	tcase_add_loop_test(
		tcase, what_a_file_is_called_is_escaped, 0, COUNT(names));
	tcase_add_loop_test(
		tcase, words_of_the_command_line_are_escaped, 0, COUNT(names));
	tcase_add_loop_test(
		tcase, the_name_of_a_folder_is_escaped, 0, COUNT(names));
	tcase_add_loop_test(tcase,
		a_word_that_is_spelt_is_the_word_that_was_given, 0,
		COUNT(names));
	suite_add_tcase(suite, tcase);
	return suite;
}
