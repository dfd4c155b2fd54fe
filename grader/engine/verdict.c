/* SPDX-License-Identifier: MIT */
#include "grader/engine/verdict.h"

#include "grader/engine/run.h"

static const char *const names[] = {
	[VERDICT_GRADER_ERROR] = "GRADER_ERROR",
	[VERDICT_COMPILE_ERROR] = "COMPILE_ERROR",
	[VERDICT_SECURITY_VIOLATION] = "SECURITY_VIOLATION",
	[VERDICT_TIME_LIMIT] = "TIME_LIMIT",
	[VERDICT_MEMORY_LIMIT] = "MEMORY_LIMIT",
	[VERDICT_OUTPUT_LIMIT] = "OUTPUT_LIMIT",
	[VERDICT_RUNTIME_ERROR] = "RUNTIME_ERROR",
	[VERDICT_WRONG_ANSWER] = "WRONG_ANSWER",
	[VERDICT_NOT_RUN] = "NOT_RUN",
	[VERDICT_PASS] = "PASS",
};

/* How a process ended, as a verdict on the call that it was in. */
static const enum verdict of_end[] = {
	/* It left by the runner's door in the middle of a call. */
	[RUN_FINISHED] = VERDICT_RUNTIME_ERROR,
	[RUN_EXITED] = VERDICT_RUNTIME_ERROR,
	[RUN_SIGNALED] = VERDICT_RUNTIME_ERROR,
	[RUN_ABORTED] = VERDICT_RUNTIME_ERROR,
	[RUN_VIOLATION] = VERDICT_SECURITY_VIOLATION,
	[RUN_CPU_CALL] = VERDICT_TIME_LIMIT,
	[RUN_CPU_TOTAL] = VERDICT_TIME_LIMIT,
	[RUN_TEXT_LIMIT] = VERDICT_OUTPUT_LIMIT,
	[RUN_MEMORY] = VERDICT_MEMORY_LIMIT,
	[RUN_KILLED] = VERDICT_GRADER_ERROR,
	[RUN_STARVED] = VERDICT_GRADER_ERROR,
};

const char *verdict_name(enum verdict verdict)
{
	return names[verdict];
}

enum verdict verdict_of_call(const struct call_result *result, bool matches)
{
	const struct run_result *ended = &result->ended;

	switch (result->state) {
	case CALL_RETURNED:
		return matches ? VERDICT_PASS : VERDICT_WRONG_ANSWER;
	case CALL_NOT_RUN:
		return VERDICT_NOT_RUN;
	case CALL_ENDED:
		break;
	}
	/* A crash after memory was refused is the refusal's doing. */
	if (ended->memory_refused > 0 &&
		(ended->end == RUN_SIGNALED || ended->end == RUN_ABORTED))
		return VERDICT_MEMORY_LIMIT;
	return of_end[ended->end];
}

enum verdict verdict_of_all(const enum verdict *verdicts, size_t count)
{
	enum verdict worst = VERDICT_PASS;

	if (count == 0)
		return VERDICT_GRADER_ERROR;
	for (size_t i = 0; i < count; i++) {
		if (verdicts[i] < worst)
			worst = verdicts[i];
	}
	return worst;
}
