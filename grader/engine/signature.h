/* SPDX-License-Identifier: MIT */
#ifndef GRADER_ENGINE_SIGNATURE_H
#define GRADER_ENGINE_SIGNATURE_H

/*
 * Our own sentences about a function that is not the one asked for: what the
 * learner wrote, beside what was expected.
 */

#include "grader/engine/diagnostics.h"

struct elf;

/*
 * After cc1: for each function whose declaration gcc found to be wrong, adds
 * which parameter is, or, where that cannot be told, the prototype alone.
 * Of a file that is no text, says that it is none.
 */
bool signature_explain(struct diagnostic_list *list,
	const struct function *functions, size_t n_functions, struct error *err)
	__attribute__((warn_unused_result));

/*
 * After as: sets *good_out to whether the object defines each function as an
 * ordinary global function, and adds a sentence for each that it does not
 * ("there is no function named solve; there is Solve").
 */
bool signature_check_object(struct diagnostic_list *list,
	const struct elf *object, const struct build_request *request,
	bool *good_out, struct error *err) __attribute__((warn_unused_result));

#endif
