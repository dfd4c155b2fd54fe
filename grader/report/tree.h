/* SPDX-License-Identifier: MIT */
#ifndef GRADER_REPORT_TREE_H
#define GRADER_REPORT_TREE_H

/*
 * JSON to be written: cJSON's trees, with what reports need on top.
 *
 * Whole numbers are exact up to 64 bits, doubles are as short as they can be
 * and yet read back to the same bits, what JSON cannot hold is a string
 * ("NaN", "Infinity", "-Infinity"), and strings may be any bytes at all: they
 * come out escaped (base/escape.h), so that they are valid UTF-8 and harmless.
 *
 * Items go to the tree as they are made.  Running out of memory is remembered
 * and told once, by tree_write().
 */

#include "grader/engine/function.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct text;

struct tree {
	cJSON *root;
	bool failed;
};

bool tree_start(struct tree *tree, struct error *err)
	__attribute__((warn_unused_result));
void tree_finish(struct tree *tree);

/*
 * All of these put an item into parent: under name if parent is an object, at
 * the end if it is an array and name is NULL.  They return it, or NULL when
 * there is no memory, which they all take as parent in turn.
 */
cJSON *tree_object(struct tree *tree, cJSON *parent, const char *name);
cJSON *tree_array(struct tree *tree, cJSON *parent, const char *name);
void tree_null(struct tree *tree, cJSON *parent, const char *name);
void tree_bool(struct tree *tree, cJSON *parent, const char *name, bool value);
void tree_string(
	struct tree *tree, cJSON *parent, const char *name, const char *value);
void tree_bytes(struct tree *tree, cJSON *parent, const char *name,
	const char *data, size_t len);
void tree_int(
	struct tree *tree, cJSON *parent, const char *name, int64_t value);
void tree_size(
	struct tree *tree, cJSON *parent, const char *name, uint64_t value);
void tree_real(
	struct tree *tree, cJSON *parent, const char *name, double value);

/* A scalar, a single element, NULL, or nested arrays as the shape says. */
void tree_value(struct tree *tree, cJSON *parent, const char *name,
	enum value_type type, const struct value *value, bool is_array);

/* Indented, with a newline at the end; or all on one line. */
bool tree_write(const struct tree *tree, bool indented, struct text *out,
	struct error *err) __attribute__((warn_unused_result));

/* A double as C and JSON spell it, such as "0.1" or "-0.0"; the strings of
   above for what is not finite.  At most size bytes; 32 are enough. */
void tree_spell_real(double value, char *out, size_t size);

#endif
