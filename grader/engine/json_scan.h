/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_JSON_SCAN_H
#define GRADER_ENGINE_JSON_SCAN_H

/*
 * The strict reader in front of cJSON (json.h): is this JSON (RFC 8259), and
 * where does each of its values start?
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/*
 * On success *starts_out, the caller's to free, has the offset of each value
 * in the order of the text: an object or array before what is in it.  An error
 * says "FILE:LINE:COLUMN: expected ..., found ...", the column in bytes.
 */
bool json_scan(const char *path, const char *text, size_t len,
	uint32_t **starts_out, size_t *count_out, struct error *err)
	__attribute__((warn_unused_result));

#endif
