/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_finish(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}

/* Makes room for len bytes and the NUL behind them. */
static bool reserve(struct text *text, size_t len)
{
	size_t size = text->size ? text->size : 256;
	char *data;

	if (text->failed || len >= SIZE_MAX / 4 - text->len) {
		text->failed = true;
		return false;
	}
	while (size - text->len <= len)
		size *= 2;
	if (size == text->size)
		return true;
	data = realloc(text->data, size);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->size = size;
	return true;
}

void text_put(struct text *text, const char *data, size_t len)
{
	if (!reserve(text, len))
		return;
	if (len > 0)
		memcpy(text->data + text->len, data, len);
	text->len += len;
	text->data[text->len] = '\0';
}

void text_puts(struct text *text, const char *string)
{
	text_put(text, string, strlen(string));
}

void text_putc(struct text *text, char c)
{
	text_put(text, &c, 1);
}

void text_printf(struct text *text, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0 || !reserve(text, (size_t)len)) {
		text->failed = true;
		return;
	}
	va_start(args, fmt);
	vsnprintf(text->data + text->len, (size_t)len + 1, fmt, args);
	va_end(args);
	text->len += (size_t)len;
}

bool text_check(const struct text *text, struct error *err)
{
	if (text->failed)
		return error_set(err, ERROR_SYSTEM, "not enough memory");
	return true;
}
