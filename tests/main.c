/* SPDX-License-Identifier: MIT */
#include "tests/suites.h"

#include <stdbool.h>
#include <stdlib.h>

int main(void)
{
	SRunner *runner = srunner_create(NULL);
	bool good;

#define SUITE(name) srunner_add_suite(runner, name##_suite());
#include "suites.inc"
#undef SUITE

	srunner_run_all(runner, CK_ENV);
	/* A misspelt CK_RUN_SUITE runs nothing, which Check calls a success. */
	good = srunner_ntests_run(runner) > 0 &&
		srunner_ntests_failed(runner) == 0;
	srunner_free(runner);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
