/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include "base/text.h"

size_t escape_utf8(const char *data, size_t len, unsigned int *code_out)
{
	/* The first byte's bits, how many follow, and the least code. */
	static const struct {
		unsigned char mask, lead;
		unsigned char length;
		unsigned int least;
	} forms[] = {
		{0x80, 0x00, 1, 0x00},
		{0xe0, 0xc0, 2, 0x80},
		{0xf0, 0xe0, 3, 0x800},
		{0xf8, 0xf0, 4, 0x10000},
	};
	const unsigned char *bytes = (const unsigned char *)data;

	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		unsigned int code = bytes[0] & (unsigned int)~forms[f].mask;

		if ((bytes[0] & forms[f].mask) != forms[f].lead)
			continue;
		if (forms[f].length > len)
			return 0;
		for (size_t i = 1; i < forms[f].length; i++) {
			if ((bytes[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (bytes[i] & 0x3f);
		}
		/* Overlong forms, surrogates and what lies past Unicode. */
		if (code < forms[f].least || code > 0x10ffff ||
			(code >= 0xd800 && code <= 0xdfff))
			return 0;
		*code_out = code;
		return forms[f].length;
	}
	return 0;
}

static bool is_harmless(unsigned int code, bool ascii, bool line)
{
	if (code == '\n' || code == '\t')
		return !line;
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
		return false;
	if (code <= 0x7e)
		return true;
	if (ascii)
		return false;
	/* Bidi marks, embeddings, overrides and isolates; U+2028, U+2029. */
	return !(code == 0x61c || code == 0x200e || code == 0x200f ||
		(code >= 0x2028 && code <= 0x202e) ||
		(code >= 0x2066 && code <= 0x206f) || code == 0xfeff);
}

static void put(
	struct text *out, const char *data, size_t len, bool ascii, bool line)
{
	for (size_t i = 0; i < len;) {
		unsigned int code = 0;
		size_t n = escape_utf8(data + i, len - i, &code);
		size_t bytes = n ? n : 1;

		if (n && is_harmless(code, ascii, line)) {
			text_put(out, data + i, n);
		} else {
			for (size_t k = 0; k < bytes; k++)
				text_printf(out, "\\x%02x",
					(unsigned int)(unsigned char)
						data[i + k]);
		}
		i += bytes;
	}
}

void escape_put(struct text *out, const char *data, size_t len, bool ascii)
{
	put(out, data, len, ascii, false);
}

void escape_put_line(struct text *out, const char *data, size_t len, bool ascii)
{
	put(out, data, len, ascii, true);
}
