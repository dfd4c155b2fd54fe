/* SPDX-License-Identifier: MIT */
#include "grader/engine/program.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memfd.h"
#include "grader/engine/elf.h"

#include <elf.h>

void program_finish(struct program *program)
{
	if (program->fd >= 0)
		close(program->fd);
	*program = (struct program){.fd = -1};
}

static const char *refuse_functions(const struct elf *elf,
	const struct function *functions, size_t n_functions)
{
	for (size_t i = 0; i < n_functions; i++) {
		struct elf_symbol symbol;

		if (!elf_find_symbol(elf, functions[i].name, &symbol) ||
			symbol.type != STT_FUNC || symbol.binding != STB_GLOBAL)
			return "what it calls is not an ordinary function";
	}
	return NULL;
}

static const char *refuse_start(const struct elf *elf)
{
	struct elf_symbol start;

	if (!elf_find_symbol(elf, "grader_start", &start) ||
		start.value != elf->entry)
		return "it does not start where it should";
	return NULL;
}

static bool find_places(
	const struct elf *elf, struct program *program, struct error *err)
{
	struct elf_symbol exit_return;
	struct elf_section learner;
	struct elf_symbol guard;

	if (!elf_find_symbol(elf, "grader_exit_return", &exit_return))
		return error_set(err, ERROR_SYSTEM,
			"the runner in this program is not the one expected");
	program->runner_exit = exit_return.value;
	if (elf_find_section(elf, PROGRAM_LEARNER_SECTION, &learner)) {
		program->learner_start = learner.address;
		program->learner_end = learner.address + learner.size;
	}
	if (elf_find_symbol(elf, "__stack_chk_fail", &guard)) {
		program->guard_start = guard.value;
		program->guard_end = guard.value + guard.size;
	}
	return true;
}

bool program_load(const void *data, size_t len,
	const struct build_request *request, struct program *program_out,
	const char **refused_out, struct error *err)
{
	struct program program = {.fd = -1};
	const char *refused;
	struct elf elf;

	refused = elf_open(&elf, data, len) ? elf_refuse(&elf)
					    : "it is not a well-formed file";
	if (!refused)
		refused = refuse_start(&elf);
	if (!refused)
		refused = refuse_functions(
			&elf, request->functions, request->n_functions);
	if (!refused) {
		if (!find_places(&elf, &program, err))
			return false;
		program.fd =
			memfd_create_sealed("program", data, len, true, err);
		if (program.fd < 0)
			return false;
		*program_out = program;
	}
	*refused_out = refused;
	return true;
}
