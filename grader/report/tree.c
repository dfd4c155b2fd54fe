/* SPDX-License-Identifier: MIT */
#include "grader/report/tree.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tree_start(struct tree *tree, struct error *err)
{
	*tree = (struct tree){.root = cJSON_CreateObject()};
	if (!tree->root)
		return error_set(err, ERROR_SYSTEM, "not enough memory");
	return true;
}

void tree_finish(struct tree *tree)
{
	cJSON_Delete(tree->root);
	*tree = (struct tree){0};
}

/* Hands item to parent; NULL if either is missing. */
static cJSON *put(
	struct tree *tree, cJSON *parent, const char *name, cJSON *item)
{
	bool good = parent && item;

	if (good && name)
		good = cJSON_AddItemToObject(parent, name, item);
	else if (good)
		good = cJSON_AddItemToArray(parent, item);
	if (good)
		return item;
	cJSON_Delete(item);
	tree->failed = true;
	return NULL;
}

cJSON *tree_object(struct tree *tree, cJSON *parent, const char *name)
{
	return put(tree, parent, name, cJSON_CreateObject());
}

cJSON *tree_array(struct tree *tree, cJSON *parent, const char *name)
{
	return put(tree, parent, name, cJSON_CreateArray());
}

void tree_null(struct tree *tree, cJSON *parent, const char *name)
{
	put(tree, parent, name, cJSON_CreateNull());
}

void tree_bool(struct tree *tree, cJSON *parent, const char *name, bool value)
{
	put(tree, parent, name, cJSON_CreateBool(value));
}

void tree_bytes(struct tree *tree, cJSON *parent, const char *name,
	const char *data, size_t len)
{
	struct text escaped = {0};

	escape_put(&escaped, data, len, false);
	if (escaped.failed)
		tree->failed = true;
	else
		put(tree, parent, name,
			cJSON_CreateString(escaped.data ? escaped.data : ""));
	text_finish(&escaped);
}

void tree_string(
	struct tree *tree, cJSON *parent, const char *name, const char *value)
{
	tree_bytes(tree, parent, name, value, strlen(value));
}

/* cJSON's own numbers are doubles, and lose the sign of -0.0. */
void tree_int(struct tree *tree, cJSON *parent, const char *name, int64_t value)
{
	char spelt[32];

	snprintf(spelt, sizeof(spelt), "%" PRId64, value);
	put(tree, parent, name, cJSON_CreateRaw(spelt));
}

void tree_size(
	struct tree *tree, cJSON *parent, const char *name, uint64_t value)
{
	char spelt[32];

	snprintf(spelt, sizeof(spelt), "%" PRIu64, value);
	put(tree, parent, name, cJSON_CreateRaw(spelt));
}

void tree_spell_real(double value, char *out, size_t size)
{
	if (isnan(value)) {
		snprintf(out, size, "NaN");
		return;
	}
	if (isinf(value)) {
		snprintf(out, size, value > 0 ? "Infinity" : "-Infinity");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, size, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	/* Some readers take "-0" for the integer, which has no sign. */
	if (value == 0 && signbit(value))
		snprintf(out, size, "-0.0");
}

void tree_real(struct tree *tree, cJSON *parent, const char *name, double value)
{
	char spelt[32];

	tree_spell_real(value, spelt, sizeof(spelt));
	if (isfinite(value))
		put(tree, parent, name, cJSON_CreateRaw(spelt));
	else
		put(tree, parent, name, cJSON_CreateString(spelt));
}

static void put_element(struct tree *tree, cJSON *parent, const char *name,
	enum value_type type, const void *element)
{
	switch (type) {
	case TYPE_DOUBLE:
		tree_real(tree, parent, name, *(const double *)element);
		break;
	case TYPE_FLOAT:
		tree_real(tree, parent, name, (double)*(const float *)element);
		break;
	case TYPE_BOOL:
		tree_bool(tree, parent, name,
			*(const unsigned char *)element != 0);
		break;
	case TYPE_CHAR:
		tree_int(tree, parent, name, *(const char *)element);
		break;
	case TYPE_INT:
		tree_int(tree, parent, name, *(const int *)element);
		break;
	case TYPE_SIZE:
		tree_size(tree, parent, name, *(const size_t *)element);
		break;
	case TYPE_UINT64:
		tree_size(tree, parent, name, *(const uint64_t *)element);
		break;
	}
}

static const void *element_at(
	enum value_type type, const struct value *value, size_t i)
{
	return (const char *)value->data + i * type_bytes(type);
}

/* Elements from first on, nested from axis on; returns how many there were. */
static size_t put_axis(struct tree *tree, cJSON *parent, enum value_type type,
	const struct value *value, size_t axis, size_t first)
{
	size_t done = 0;

	for (size_t i = 0; i < value->shape[axis]; i++) {
		if (axis + 1 == value->n_axes) {
			put_element(tree, parent, NULL, type,
				element_at(type, value, first + done));
			done++;
		} else {
			cJSON *row = tree_array(tree, parent, NULL);

			done += put_axis(
				tree, row, type, value, axis + 1, first + done);
		}
	}
	return done;
}

static void put_scalar(struct tree *tree, cJSON *parent, const char *name,
	enum value_type type, const struct value *value)
{
	if (type_is_float(type))
		tree_real(tree, parent, name, value->real);
	else if (type == TYPE_BOOL)
		tree_bool(tree, parent, name, value->number != 0);
	else if (type == TYPE_SIZE || type == TYPE_UINT64)
		tree_size(tree, parent, name, value->number);
	else
		tree_int(tree, parent, name, (int64_t)value->number);
}

void tree_value(struct tree *tree, cJSON *parent, const char *name,
	enum value_type type, const struct value *value, bool is_array)
{
	if (value->is_null || (is_array && !value->data)) {
		tree_null(tree, parent, name);
	} else if (value->data && value->n_axes == 0) {
		put_element(tree, parent, name, type, value->data);
	} else if (is_array) {
		put_axis(tree, tree_array(tree, parent, name), type, value, 0,
			0);
	} else {
		put_scalar(tree, parent, name, type, value);
	}
}

bool tree_write(const struct tree *tree, bool indented, struct text *out,
	struct error *err)
{
	char *printed = NULL;

	if (!tree->failed)
		printed = indented ? cJSON_Print(tree->root)
				   : cJSON_PrintUnformatted(tree->root);
	if (!printed)
		return error_set(err, ERROR_SYSTEM, "not enough memory");
	text_puts(out, printed);
	text_putc(out, '\n');
	cJSON_free(printed);
	return text_check(out, err);
}
