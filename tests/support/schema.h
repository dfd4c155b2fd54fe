/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_SCHEMA_H
#define TESTS_SUPPORT_SCHEMA_H

#include <stddef.h>

/*
 * Fails the test unless the text is JSON that docs/report.schema.json allows.
 * It takes python3-jsonschema; where that is missing nothing is checked, but
 * with CI=true in the environment the test fails.
 */
void schema_check_report(const char *json, size_t len);

#endif
