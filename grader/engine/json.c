/* SPDX-License-Identifier: MIT */
#include "grader/engine/json.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/engine/json_scan.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places ------------------------------------------------------------------- */

/* Hands the starts, which are in the order of the text, to the values. */
static size_t place_values(cJSON *item, const uint32_t *starts)
{
	size_t used = 1;

	item->valueint = (int)starts[0];
	for (cJSON *child = item->child; child; child = child->next)
		used += place_values(child, starts + used);
	return used;
}

static size_t count_values(const cJSON *item)
{
	size_t count = 1;

	for (const cJSON *child = item->child; child; child = child->next)
		count += count_values(child);
	return count;
}

static bool find_lines(struct json *json)
{
	size_t count = 1;

	for (size_t i = 0; i < json->len; i++)
		count += json->text[i] == '\n';
	json->lines = calloc(count, sizeof(*json->lines));
	if (!json->lines)
		return false;
	json->n_lines = 1;
	for (size_t i = 0; i < json->len; i++) {
		if (json->text[i] == '\n')
			json->lines[json->n_lines++] = (uint32_t)i + 1;
	}
	return true;
}

bool json_parse(const char *path, const char *text, size_t len,
	struct json *json_out, struct error *err)
{
	CLEANUP(cleanup_json)
	struct json json = {.path = path, .text = text, .len = len};
	uint32_t *starts = NULL;
	size_t count = 0;

	if (!json_scan(path, text, len, &starts, &count, err))
		return false;
	json.root = cJSON_ParseWithLength(text, len);
	if (json.root && count_values(json.root) == count)
		place_values(json.root, starts);
	else
		count = 0;
	free(starts);
	if (count == 0 || !find_lines(&json))
		return error_set(err, ERROR_SYSTEM,
			"%s: not enough memory to read it", path);
	*json_out = json;
	json = (struct json){0};
	return true;
}

void json_finish(struct json *json)
{
	cJSON_Delete(json->root);
	free(json->lines);
	*json = (struct json){0};
}

int json_line(const struct json *json, const cJSON *item)
{
	size_t low = 0;
	size_t high = json->n_lines;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (json->lines[middle] <= (uint32_t)item->valueint)
			low = middle;
		else
			high = middle;
	}
	return (int)low + 1;
}

/* Its text in the file: a number's digits as they were written. */
static const char *find_token(
	const struct json *json, const cJSON *item, size_t *len_out)
{
	const char *start = json->text + item->valueint;
	size_t left = json->len - (size_t)item->valueint;
	size_t len = 0;

	while (len < left && !strchr(" \t\r\n,:]}", start[len]))
		len++;
	*len_out = len;
	return start;
}

/* "groups[1].cases[0]", found by going down to where the item starts. */
static void put_path(
	struct text *out, const struct json *json, const cJSON *item)
{
	const cJSON *at = json->root;
	size_t start = out->len;

	while (at != item && at->child) {
		const cJSON *child = at->child;
		size_t index = 0;

		while (child->next && child->next->valueint <= item->valueint) {
			child = child->next;
			index++;
		}
		if (cJSON_IsArray(at))
			text_printf(out, "[%zu]", index);
		else
			text_printf(out, "%s%s", out->len > start ? "." : "",
				child->string);
		at = child;
	}
	if (out->len == start)
		text_puts(out, "the top level");
}

/* Errors ------------------------------------------------------------------- */

static void write_error(const struct json *json, const cJSON *item,
	const char *says, struct error *err)
{
	struct text message = {0};
	struct text shown = {0};

	put_path(&message, json, item);
	text_printf(&message, " %s", says);
	if (text_check(&message, err)) {
		/* Names in it came from the file. */
		escape_put_line(&shown, message.data, message.len, false);
		if (text_check(&shown, err))
			error_write(err, ERROR_EXERCISE, "%s:%d: %s",
				json->path, json_line(json, item), shown.data);
	}
	text_finish(&message);
	text_finish(&shown);
}

void json_write_error(const struct json *json, const cJSON *item,
	struct error *err, const char *fmt, ...)
{
	char says[sizeof(err->message)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(says, sizeof(says), fmt, args);
	va_end(args);
	write_error(json, item, says, err);
}

static void put_found(
	struct text *out, const struct json *json, const cJSON *item)
{
	enum { SHOWN = 40 };
	const char *token;
	size_t len;

	if (cJSON_IsString(item)) {
		text_printf(out, "\"%.*s%s\"", SHOWN, item->valuestring,
			strlen(item->valuestring) > SHOWN ? "..." : "");
	} else if (cJSON_IsArray(item)) {
		text_puts(out, "an array");
	} else if (cJSON_IsObject(item)) {
		text_puts(out, "an object");
	} else {
		token = find_token(json, item, &len);
		text_put(out, token, len);
	}
}

void json_write_expected(const struct json *json, const cJSON *item,
	struct error *err, const char *fmt, ...)
{
	struct text says = {0};
	char expected[sizeof(err->message)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(expected, sizeof(expected), fmt, args);
	va_end(args);
	text_puts(&says, "is ");
	put_found(&says, json, item);
	text_printf(&says, ", expected %s", expected);
	if (text_check(&says, err))
		write_error(json, item, says.data, err);
	text_finish(&says);
}

/* Types -------------------------------------------------------------------- */

static bool has_type(const cJSON *item, enum json_type type)
{
	switch (type) {
	case JSON_ANY:
		break;
	case JSON_STRING:
		return cJSON_IsString(item);
	case JSON_NUMBER:
		return cJSON_IsNumber(item);
	case JSON_BOOL:
		return cJSON_IsBool(item);
	case JSON_ARRAY:
		return cJSON_IsArray(item);
	case JSON_OBJECT:
		return cJSON_IsObject(item);
	}
	return true;
}

bool json_expect(const struct json *json, const cJSON *item,
	enum json_type type, struct error *err)
{
	static const char *const names[] = {
		[JSON_ANY] = "a value",
		[JSON_STRING] = "a string",
		[JSON_NUMBER] = "a number",
		[JSON_BOOL] = "true or false",
		[JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};

	return has_type(item, type) ||
		json_expected(json, item, err, "%s", names[type]);
}

size_t json_count(const cJSON *array)
{
	size_t count = 0;

	for (const cJSON *child = array->child; child; child = child->next)
		count++;
	return count;
}

static bool check_keys(
	const struct json *json, const cJSON *item, struct error *err)
{
	size_t count = json_count(item);

	if (count > JSON_KEYS_MAX)
		return json_fail(json, item, err,
			"has %zu keys, expected at most %d", count,
			JSON_KEYS_MAX);
	for (const cJSON *a = item->child; a; a = a->next) {
		for (const cJSON *b = item->child; b != a; b = b->next) {
			if (strcmp(a->string, b->string) == 0)
				return json_fail(json, a, err,
					"is there twice, first on line %d",
					json_line(json, b));
		}
	}
	return true;
}

static bool fail_unknown(const struct json *json, const cJSON *item,
	const struct json_key *keys, size_t n_keys, struct error *err)
{
	const char *names[JSON_KEYS_MAX];
	const char *meant;

	for (size_t k = 0; k < n_keys; k++)
		names[k] = keys[k].name;
	meant = nearest_name(item->string, names, n_keys);
	if (meant)
		return json_fail(json, item, err,
			"is no known key; did you mean \"%s\"?", meant);
	return json_fail(json, item, err, "is no known key");
}

bool json_object(const struct json *json, const cJSON *item,
	const struct json_key *keys, size_t n_keys, const cJSON **values,
	struct error *err)
{
	assert(n_keys <= JSON_KEYS_MAX);
	if (!json_expect(json, item, JSON_OBJECT, err) ||
		!check_keys(json, item, err))
		return false;
	for (size_t k = 0; k < n_keys; k++)
		values[k] = NULL;
	for (const cJSON *child = item->child; child; child = child->next) {
		size_t k = 0;

		while (k < n_keys && strcmp(keys[k].name, child->string) != 0)
			k++;
		if (k == n_keys)
			return fail_unknown(json, child, keys, n_keys, err);
		if (!json_expect(json, child, keys[k].type, err))
			return false;
		values[k] = child;
	}
	for (size_t k = 0; k < n_keys; k++) {
		if (keys[k].required && !values[k])
			return json_fail(
				json, item, err, "has no \"%s\"", keys[k].name);
	}
	return true;
}

/* Text --------------------------------------------------------------------- */

bool json_text(const struct json *json, const cJSON *item,
	const char **text_out, struct error *err)
{
	if (!json_expect(json, item, JSON_STRING, err))
		return false;
	if (item->valuestring[0] == '\0')
		return json_fail(json, item, err, "is empty");
	*text_out = item->valuestring;
	return true;
}

bool json_line_of_text(const struct json *json, const cJSON *item,
	const char **text_out, struct error *err)
{
	const char *text = NULL;

	if (!json_text(json, item, &text, err))
		return false;
	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			return json_fail(json, item, err,
				"has a line break or control character in it");
	}
	*text_out = text;
	return true;
}

/* Numbers ------------------------------------------------------------------ */

/* False unless the text is digits, perhaps behind a minus, that fit. */
static bool read_digits(const struct json *json, const cJSON *item,
	bool *minus_out, uint64_t *number_out)
{
	size_t len;
	const char *token = find_token(json, item, &len);
	uint64_t number = 0;
	bool minus = *token == '-';

	if (!cJSON_IsNumber(item))
		return false;
	for (size_t i = minus; i < len; i++) {
		if (token[i] < '0' || token[i] > '9' ||
			__builtin_mul_overflow(number, 10, &number) ||
			__builtin_add_overflow(number, token[i] - '0', &number))
			return false;
	}
	*minus_out = minus;
	*number_out = number;
	return true;
}

bool json_integer(const struct json *json, const cJSON *item, int64_t min,
	int64_t max, int64_t *out, struct error *err)
{
	bool minus = false;
	uint64_t size = 0;
	int64_t number = 0;
	bool fits = read_digits(json, item, &minus, &size) &&
		size <= (uint64_t)INT64_MAX + minus;

	if (fits)
		/* Negated while unsigned: INT64_MIN has no positive. */
		number = (int64_t)(minus ? 0 - size : size);
	if (!fits || number < min || number > max)
		return json_expected(json, item, err,
			"a whole number from %lld to %lld", (long long)min,
			(long long)max);
	*out = number;
	return true;
}

bool json_unsigned(const struct json *json, const cJSON *item, uint64_t max,
	uint64_t *out, struct error *err)
{
	bool minus = false;
	uint64_t number = 0;

	if (!read_digits(json, item, &minus, &number) ||
		(minus && number > 0) || number > max)
		return json_expected(json, item, err,
			"a whole number from 0 to %llu",
			(unsigned long long)max);
	*out = number;
	return true;
}

bool json_real(const struct json *json, const cJSON *item, double max,
	double *out, struct error *err)
{
	if (!json_expect(json, item, JSON_NUMBER, err))
		return false;
	if (!isfinite(item->valuedouble))
		return json_expected(json, item, err, "a finite number");
	if (!(fabs(item->valuedouble) <= max))
		return json_expected(json, item, err,
			"a number at most %g away from 0", max);
	*out = item->valuedouble;
	return true;
}

int json_decimals(const struct json *json, const cJSON *item)
{
	enum { FAR = 10000 }; /* beyond all exponents of a double */
	size_t len;
	const char *token = find_token(json, item, &len);
	const char *end = token + len;
	int decimals = 0;
	int exponent = 0;
	bool minus = false;

	while (token < end && *token != '.' && *token != 'e' && *token != 'E')
		token++;
	if (token < end && *token == '.') {
		for (token++; token < end && *token != 'e' && *token != 'E';
			token++)
			decimals++;
	}
	for (; token < end; token++) {
		minus |= *token == '-';
		if (*token >= '0' && *token <= '9' && exponent < FAR)
			exponent = 10 * exponent + (*token - '0');
	}
	return minus ? decimals + exponent : decimals - exponent;
}
