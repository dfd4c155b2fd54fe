/* SPDX-License-Identifier: MIT */

/*
 * Whatever a learner writes and makes the tools print.  The first byte says
 * which of them failed; then come the source, the texts of cc1, as and ld, and
 * what gcc -### printed, with the byte 0x1e between them.
 */

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/ctoken.h"
#include "grader/engine/declaration.h"
#include "grader/engine/diagnostics.h"
#include "grader/engine/gcc_probe.h"
#include "grader/engine/signature.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/lesson.h"
#include "tests/support/sample.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEPARATOR = 0x1e,
	TOOLS = 3,
	MESSAGE_BYTES = 1203, /* and the dots of one that was cut */
};

struct part {
	char *data;
	size_t len;
};

static struct part take_part(struct fuzz_input *input)
{
	const unsigned char *end =
		input->len ? memchr(input->data, SEPARATOR, input->len) : NULL;
	struct part part = {
		.len = end ? (size_t)(end - input->data) : input->len};

	part.data = fuzz_copy(input->data, part.len);
	input->data += part.len + (end != NULL);
	input->len -= part.len + (end != NULL);
	return part;
}

/* Newlines from one place up to another. */
static int count_lines(const char *from, const char *to)
{
	int lines = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		lines++;
		from++;
	}
	return lines;
}

static void check_token(const struct part *source, const struct token *token)
{
	assert(token->text >= source->data);
	assert(token->len <=
		(size_t)(source->data + source->len - token->text));
	if (token->kind == TOKEN_NAME)
		assert(token->text[0] < '0' || token->text[0] > '9');
	else if (token->kind == TOKEN_PUNCTUATOR)
		assert(token->len == 1);
}

static void check_tokens(const struct part *source)
{
	struct ctoken_reader reader;
	const char *end = source->data;
	struct token token;
	bool directive;
	int line = 1;

	ctoken_start(&reader, source->data, source->len);
	while ((token = ctoken_next(&reader)).kind != TOKEN_END) {
		check_token(source, &token);
		assert(token.len > 0 && token.text >= end);
		line += count_lines(end, token.text);
		assert(token.line == line);
		end = token.text + token.len;
		line += count_lines(token.text, end);
	}
	assert(token.text == source->data + source->len);
	directive = ctoken_has_line_directive(source->data, source->len);
	assert(directive == reader.line_directive);
	/* No "#" and no "%:", no directive. */
	assert(!directive || memchr(source->data, '#', source->len) ||
		memmem(source->data, source->len, "%:", 2));
}

static void check_declaration(const struct part *source, const char *name)
{
	struct declaration *found = calloc(1, sizeof(*found));

	assert(found);
	if (declaration_find(source->data, source->len, name, found)) {
		assert(found->line >= 1 &&
			found->line <= 1 +
					count_lines(source->data,
						source->data + source->len));
		assert(found->n_tokens <= DECLARATION_TOKENS_MAX);
		assert(found->n_parameters <= DECLARATION_PARAMETERS_MAX);
		for (size_t i = 0; i < found->n_tokens; i++)
			check_token(source, &found->tokens[i]);
		for (size_t p = 0; p < found->n_parameters; p++) {
			const struct declared_parameter *parameter =
				&found->parameters[p];

			assert(parameter->tokens >= found->tokens);
			assert(parameter->tokens + parameter->n_tokens <=
				found->tokens + found->n_tokens);
			assert(strlen(parameter->type.levels) <=
				TYPE_LEVELS_MAX);
			assert(!parameter->type.sure || parameter->type.base);
			assert(!parameter->type.sure ||
				ctype_equal(
					&parameter->type, &parameter->type));
		}
		assert(memmem(source->data, source->len, name, strlen(name)));
	}
	free(found);
}

/* That line of the source, looked for in the plainest way. */
static void check_line(
	const struct part *source, const struct diagnostic *diagnostic)
{
	const char *start = source->data;
	const char *all_end = source->data + source->len;
	const char *end;

	assert(diagnostic->source && diagnostic->source >= source->data);
	assert(diagnostic->source_len <=
		(size_t)(all_end - diagnostic->source));
	assert(!memchr(diagnostic->source, '\n', diagnostic->source_len));
	for (int line = 1; line < diagnostic->line; line++) {
		start = memchr(start, '\n', (size_t)(all_end - start));
		assert(start);
		start++;
	}
	assert(diagnostic->source == start);
	end = start + diagnostic->source_len;
	if (end < all_end && *end == '\r')
		end++;
	assert(end == all_end || *end == '\n');
}

static void check_list(
	const struct part *source, const struct diagnostic_list *list)
{
	bool renumbered = list->source.renumbered;

	assert(list->count <= DIAGNOSTICS_MAX && list->n_own <= list->count);
	for (size_t i = 0; i < list->count; i++) {
		const struct diagnostic *item = &list->items[i];

		assert(item->message && item->message[0]);
		assert(strlen(item->message) <= MESSAGE_BYTES);
		assert(!strchr(item->message, '\n'));
		assert(item->line >= 0 && item->column >= 0);
		assert(!item->option || !strchr(item->option, '\n'));
		if (item->line == 0) {
			assert(!item->source && item->column == 0);
			continue;
		}
		assert(!renumbered);
		check_line(source, item);
	}
}

static void check_report(const struct diagnostic_list *list, bool failed)
{
	struct sample sample;
	cJSON *root;
	cJSON *items;

	sample_init(&sample);
	sample_fail(&sample, 0, VERDICT_COMPILE_ERROR);
	sample.grade.compiled = !failed;
	sample.grade.diagnostics = list->items;
	sample.grade.n_diagnostics = list->count;
	sample.grade.diagnostics_cut = list->cut;
	sample.options.style.ascii = list->count & 1;
	root = fuzz_check_reports(&sample.grade, &sample.options);
	items = cJSON_GetObjectItem(
		cJSON_GetObjectItem(root, "compile"), "diagnostics");
	assert((size_t)cJSON_GetArraySize(items) == list->count);
	cJSON_Delete(root);
}

static void check_diagnostics(const struct part *source,
	const struct part said[TOOLS], unsigned int failed, struct arena *arena)
{
	struct function functions[] = {lesson_function, lesson_function};
	struct source_file file =
		source_file_of("solve.c", source->data, source->len);
	struct diagnostic_list list;
	struct error err = {0};

	functions[1].name = "other";
	assert(diagnostic_list_init(&list, &file, arena, &err));
	for (size_t t = 0; t < TOOLS; t++) {
		size_t n_own = list.n_own;

		assert(diagnostics_parse(&list, (enum diagnostic_tool)t,
			said[t].data, said[t].len, failed & 1u << t, &err));
		check_list(source, &list);
		/* What it said is never among what we say; of the linker's it
		   stands there. */
		assert(t == DIAGNOSTIC_LINKER || list.n_own == n_own);
		if (t == DIAGNOSTIC_COMPILER && !(failed & 1))
			for (size_t i = 0; i < list.count; i++)
				assert(list.items[i].severity !=
					SEVERITY_ERROR);
		if (t == DIAGNOSTIC_COMPILER && failed & 1)
			assert(signature_explain(&list, functions, 2, &err));
		check_list(source, &list);
	}
	check_report(&list, failed & 7);
}

/* Reads on only behind what the answer names and the disk has. */
static void check_answer(const struct part *said)
{
	char *answer = strndup(said->data, said->len);
	struct gcc_facts *facts = calloc(1, sizeof(*facts));
	struct error err = {0};

	assert(answer && facts);
	if (gcc_read_answer(answer, facts, &err)) {
		assert(strstr(answer, "gcc version "));
		assert(strstr(answer, "Target: x86_64-"));
		assert(strncmp(facts->compiler, "gcc ", 4) == 0);
		assert(facts->cc1[0] == '/' && facts->as[0] == '/');
		assert(facts->ld[0] == '/');
	} else {
		assert(err.kind == ERROR_SYSTEM && err.message[0]);
	}
	free(facts);
	free(answer);
}

int fuzz_diagnostics(const unsigned char *data, size_t size)
{
	struct fuzz_input input = {data, size};
	unsigned int failed = fuzz_byte(&input);
	struct part source = take_part(&input);
	struct part said[TOOLS + 1];
	struct error err = {0};
	struct arena *arena = arena_create(&err);

	assert(arena);
	for (size_t t = 0; t <= TOOLS; t++)
		said[t] = take_part(&input);
	check_tokens(&source);
	check_declaration(&source, "solve");
	check_diagnostics(&source, said, failed, arena);
	if (said[TOOLS].len > 0)
		check_answer(&said[TOOLS]);
	for (size_t t = 0; t <= TOOLS; t++)
		free(said[t].data);
	free(source.data);
	arena_destroy(arena);
	return 0;
}

FUZZ_ENTRY(diagnostics)
