/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_JSON_H
#define GRADER_ENGINE_JSON_H

/*
 * JSON files that people write: cJSON's tree, and for each of its values where
 * in the file it stands, so that an error can say
 *
 *   exercise.json:41: groups[1].cases[0].count is "five", expected a number
 *
 * All errors are ERROR_EXERCISE, but for the lack of memory.
 *
 * A scanner of our own reads the file first.  It is strict where cJSON is not
 * (numbers like 01, control characters in strings, bytes that are no UTF-8),
 * says where a slip of syntax is, and notes where each value starts.  That
 * place is kept in cJSON's valueint, which nothing here has another use for.
 */

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum {
	JSON_DEPTH_MAX = 32,
	JSON_KEYS_MAX = 64,        /* of one object */
	JSON_VALUES_MAX = 1000000, /* of a file: what bounds explicit data */
	JSON_NUMBER_MAX = 40,      /* bytes of a number's text */
};
#define JSON_BYTES_MAX ((size_t)4 << 20)

struct json {
	const char *path; /* of the file, for messages */
	const char *text;
	size_t len;
	cJSON *root;
	uint32_t *lines; /* where each line starts */
	size_t n_lines;
};

/* path and text must outlive *json_out, which is json_finish()'s to free. */
bool json_parse(const char *path, const char *text, size_t len,
	struct json *json_out, struct error *err)
	__attribute__((warn_unused_result));
void json_finish(struct json *json);

static inline void cleanup_json(struct json *json)
{
	json_finish(json);
}

/* The line, from 1, on which a value starts. */
int json_line(const struct json *json, const cJSON *item);

/* false, and in err "FILE:LINE: PATH " and the sentence, fit to be shown. */
#define json_fail(json, item, err, ...)                                        \
	(json_write_error((json), (item), (err), __VA_ARGS__), false)
void json_write_error(const struct json *json, const cJSON *item,
	struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* "is WHAT IT IS, expected THAT". */
#define json_expected(json, item, err, ...)                                    \
	(json_write_expected((json), (item), (err), __VA_ARGS__), false)
void json_write_expected(const struct json *json, const cJSON *item,
	struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

enum json_type {
	JSON_ANY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_BOOL,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json_key {
	const char *name;
	enum json_type type;
	bool required;
};

/*
 * Holds an object against the keys that it may have.  values gets one entry
 * per key, NULL for a key that is not there.
 */
bool json_object(const struct json *json, const cJSON *item,
	const struct json_key *keys, size_t n_keys, const cJSON **values,
	struct error *err) __attribute__((warn_unused_result));

bool json_expect(const struct json *json, const cJSON *item,
	enum json_type type, struct error *err)
	__attribute__((warn_unused_result));

size_t json_count(const cJSON *array);

/* One line of text, not empty, without control characters. */
bool json_line_of_text(const struct json *json, const cJSON *item,
	const char **text_out, struct error *err)
	__attribute__((warn_unused_result));
/* Any number of lines, not empty. */
bool json_text(const struct json *json, const cJSON *item,
	const char **text_out, struct error *err)
	__attribute__((warn_unused_result));

/* Whole numbers, written as such, read from the text and not from a double. */
bool json_integer(const struct json *json, const cJSON *item, int64_t min,
	int64_t max, int64_t *out, struct error *err)
	__attribute__((warn_unused_result));
bool json_unsigned(const struct json *json, const cJSON *item, uint64_t max,
	uint64_t *out, struct error *err) __attribute__((warn_unused_result));

/* A finite number, at most max away from 0. */
bool json_real(const struct json *json, const cJSON *item, double max,
	double *out, struct error *err) __attribute__((warn_unused_result));

/* Decimals of a number as written: 5 of 6.69762, 0 of 10, 4 of 1.5e-3, -3 of
   1e3. */
int json_decimals(const struct json *json, const cJSON *item);

#endif
