/* SPDX-License-Identifier: MIT */
#include "grader/cli/output.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void output_init(void)
{
	/* In the wrong direction: using it stays an error. */
	static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			break;
	/* Both calls then fail, and that is told. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

bool output_write(const struct text *text, struct error *err)
{
	if (!text_check(text, err))
		return false;
	if (!file_write_fd(STDOUT_FILENO, text->data, text->len))
		return error_set_errno(err, "cannot write to standard output");
	return true;
}

/* Of the terminal that complaints go to. */
static bool only_ascii;

void output_set_ascii(bool ascii)
{
	only_ascii = ascii;
}

void output_complain(const char *message)
{
	struct text line = {0};

	text_puts(&line, "grader: ");
	escape_put_line(&line, message, strlen(message), only_ascii);
	text_putc(&line, '\n');
	/* Nobody is left to be told that this failed. */
	if (!line.failed && !file_write_fd(STDERR_FILENO, line.data, line.len))
		line.failed = true;
	text_finish(&line);
}

void output_note(const char *format, ...)
{
	char message[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	output_complain(message);
}
