/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

/*
 * What the harnesses share.
 *
 * A harness takes any bytes, hands them to the code that it is about, and
 * asserts what that code promises.  It is built twice: by clang into a program
 * of libFuzzer's ("make fuzz"), and by gcc into the tests, where
 * tests/test_fuzz.c feeds it all of tests/fuzz/corpus/.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;
struct grade;
struct report_options;
struct style;
struct text;

#define FUZZ_EACH(does)                                                        \
	does(diagnostics) does(elf) does(exercise) does(lines) does(page)      \
		does(places) does(shared) does(text)

#define FUZZ_DECLARE(name)                                                     \
	int fuzz_##name(const unsigned char *data, size_t size);
FUZZ_EACH(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* Follows a harness: by this name libFuzzer calls the only one there is. */
#ifdef FUZZ_ONE
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
#define FUZZ_ENTRY(name)                                                       \
	int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)     \
	{                                                                      \
		return fuzz_##name(data, size);                                \
	}
#else
#define FUZZ_ENTRY(name)                                                       \
	extern int fuzz_##name(const unsigned char *data, size_t size);
#endif

/* Bytes that are taken from the front; where they end there are zeros. */
struct fuzz_input {
	const unsigned char *data;
	size_t len;
};

unsigned int fuzz_byte(struct fuzz_input *input);
/* Little-endian, of at most 8 bytes. */
uint64_t fuzz_number(struct fuzz_input *input, size_t bytes);
/* At most len bytes; returns how many. */
size_t fuzz_take(struct fuzz_input *input, void *out, size_t len);

/* Of exactly so many bytes, so that reading on shows; the caller's to free. */
void *fuzz_copy(const void *data, size_t len);
/* What stands up to the next NUL or the end, as a string; to be freed. */
char *fuzz_string(struct fuzz_input *input);

/*
 * Asserts that text can do no harm where it is shown: valid UTF-8, no control
 * characters but newline and tab, no bidi controls; with style->ascii nothing
 * above 0x7e, with style->color the escape sequences of style.c.  NULL: none of
 * both.
 */
void fuzz_check_harmless(
	const char *data, size_t len, const struct style *style);
/* The same of all that was written, which did not run out of memory. */
void fuzz_check_text(const struct text *text, const struct style *style);
/* One harmless line of ASCII. */
void fuzz_check_sentence(const char *data, size_t len);

/* What escape_put() is to write, told in another way. */
void fuzz_escape(
	struct text *out, const char *data, size_t len, bool ascii, bool line);

/* Writes every report of a grade, asserts that it is harmless, and that JSON is
   JSON, which is returned; the caller's to delete. */
struct cJSON *fuzz_check_reports(
	const struct grade *grade, const struct report_options *options);
/* Asserts that a string in a report is these bytes, escaped. */
void fuzz_check_item(const struct cJSON *item, const char *data, size_t len);

#endif
