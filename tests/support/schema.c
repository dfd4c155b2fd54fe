/* SPDX-License-Identifier: MIT */
#include "tests/support/schema.h"

#include "tests/support/command.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULE_MISSING = 77 };

static const char script[] =
	"import json, sys\n"
	"try:\n"
	"    import jsonschema\n"
	"except ImportError:\n"
	"    sys.exit(77)\n"
	"schema = json.load(open(sys.argv[1]))\n"
	"def refuse(word):\n"
	"    raise ValueError(word + ' is not JSON')\n"
	"report = json.load(open(sys.argv[2], encoding='utf-8'),\n"
	"                   parse_constant=refuse)\n"
	"checker = jsonschema.Draft7Validator(schema)\n"
	"checker.check_schema(schema)\n"
	"errors = [f'{list(e.absolute_path)}: {e.message}'\n"
	"          for e in checker.iter_errors(report)]\n"
	"sys.exit('\\n'.join(errors) if errors else 0)\n";

void schema_check_report(const char *json, size_t len)
{
	char path[] = "/tmp/grader-schema-XXXXXX";
	const char *const argv[] = {"/usr/bin/python3", "-c", script,
		"docs/report.schema.json", path, NULL};
	const char *ci = getenv("CI");
	int fd = mkstemp(path);
	struct command command;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, json, len), (ssize_t)len);
	close(fd);
	command = command_run(argv, NULL, NULL);
	unlink(path);
	if (command.status == MODULE_MISSING) {
		ck_assert_msg(!ci || strcmp(ci, "true") != 0,
			"python3-jsonschema is missing");
	} else {
		/* Check takes messages of a few thousand bytes at most. */
		ck_assert_msg(command.status == 0, "%.1000s\nin %.*s",
			command.errors, len > 2000 ? 2000 : (int)len, json);
	}
	command_finish(&command);
}
