/* SPDX-License-Identifier: MIT */
#include "grader/engine/signature.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "grader/engine/declaration.h"
#include "grader/engine/elf.h"
#include "grader/engine/source.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAMES_MAX = 256,
	FOUND_BYTES_MAX = 120,
};

/* What all of this adds to. */
struct explainer {
	struct diagnostic_list *list;
	struct error *err;
	bool prefix; /* there is more than one function to name */
};

static bool say(struct explainer *explainer, enum severity severity, int line,
	const struct text *sentence)
{
	return text_check(sentence, explainer->err) &&
		diagnostics_add(explainer->list, severity, line, sentence->data,
			explainer->err);
}

static void put_prefix(const struct explainer *explainer, struct text *sentence,
	const struct function *function)
{
	if (explainer->prefix)
		text_printf(sentence, "%s: ", function->name);
}

static bool say_prototype(struct explainer *explainer, enum severity severity,
	int line, const struct function *function)
{
	CLEANUP(cleanup_text) struct text sentence = {0};

	text_puts(&sentence, "expected: ");
	source_put_prototype(&sentence, function);
	return say(explainer, severity, line, &sentence);
}

/* What the learner wrote, on one line. */
static void put_tokens(
	struct text *sentence, const struct token *tokens, size_t n)
{
	size_t start = sentence->len;

	for (size_t i = 0; i < n; i++) {
		const struct token *token = &tokens[i];
		bool apart = i > 0 &&
			token->text > tokens[i - 1].text + tokens[i - 1].len;

		if (sentence->len - start + token->len > FOUND_BYTES_MAX) {
			text_puts(sentence, "...");
			return;
		}
		if (apart)
			text_putc(sentence, ' ');
		text_put(sentence, token->text, token->len);
	}
}

static bool same_parameter(const struct declared_parameter *found,
	const struct text *expected, bool *sure_out)
{
	struct declaration *read = malloc(sizeof(*read));
	bool same = true;

	*sure_out = false;
	if (!read || !expected->data) {
		free(read);
		return true;
	}
	declaration_read_parameter(expected->data, read);
	*sure_out = found->type.sure && read->parameters[0].type.sure;
	if (*sure_out)
		same = ctype_equal(&found->type, &read->parameters[0].type);
	free(read);
	return same;
}

/* Adds to *n_said_out; types that are not known count as right. */
static bool explain_parameters(struct explainer *explainer,
	const struct function *function, const struct declaration *found,
	size_t *n_said)
{
	for (size_t i = 0; i < function->n_parameters; i++) {
		const struct declared_parameter *parameter =
			&found->parameters[i];
		CLEANUP(cleanup_text) struct text expected = {0};
		CLEANUP(cleanup_text) struct text sentence = {0};
		bool sure;

		source_put_parameter(&expected, function, i);
		if (same_parameter(parameter, &expected, &sure))
			continue;
		put_prefix(explainer, &sentence, function);
		text_printf(&sentence, "parameter %zu, %s: expected %s, found ",
			i + 1, function->parameters[i].name, expected.data);
		put_tokens(&sentence, parameter->tokens, parameter->n_tokens);
		if (!say(explainer, SEVERITY_ERROR, parameter->tokens[0].line,
			    &sentence))
			return false;
		(*n_said)++;
	}
	return true;
}

static const char *return_base(const struct function *function)
{
	if (!function->returns)
		return "void";
	if (function->return_type == TYPE_SIZE ||
		function->return_type == TYPE_UINT64)
		return "unsigned long";
	return type_name(function->return_type);
}

static bool explain_return(struct explainer *explainer,
	const struct function *function, const struct declaration *found,
	size_t *n_said)
{
	CLEANUP(cleanup_text) struct text sentence = {0};
	const struct ctype *type = &found->returns;

	if (!type->sure ||
		(!*type->levels &&
			strcmp(type->base, return_base(function)) == 0))
		return true;
	put_prefix(explainer, &sentence, function);
	text_printf(&sentence, "returns %s%s%s, expected %s",
		type->is_const ? "const " : "", type->base,
		*type->levels ? " *" : "",
		function->returns ? type_name(function->return_type) : "void");
	(*n_said)++;
	return say(explainer, SEVERITY_ERROR, found->line, &sentence);
}

static bool explain_function(struct explainer *explainer,
	const struct function *function, const struct declaration *found)
{
	CLEANUP(cleanup_text) struct text sentence = {0};
	size_t n_said = 0;

	if (!explain_return(explainer, function, found, &n_said))
		return false;
	if (found->sure && found->n_parameters != function->n_parameters) {
		put_prefix(explainer, &sentence, function);
		text_printf(&sentence, "expected %zu parameters, found %zu",
			function->n_parameters, found->n_parameters);
		return say(explainer, SEVERITY_ERROR, found->line, &sentence) &&
			say_prototype(explainer, SEVERITY_NOTE, found->line,
				function);
	}
	if (found->sure &&
		!explain_parameters(explainer, function, found, &n_said))
		return false;
	if (n_said > 0)
		return true;
	return say_prototype(explainer, SEVERITY_ERROR, found->line, function);
}

/* What gcc says when a declaration is not the one of the header. */
enum complaint {
	COMPLAINT_NONE,
	COMPLAINT_TYPES,
	COMPLAINT_COUNT, /* of a function that it does not name */
	COMPLAINT_STATIC,
	COMPLAINT_KIND,
};

/* start_out: how its message starts; line_out: where gcc sees it, or 0. */
static enum complaint find_complaint(const struct diagnostic_list *list,
	const char *name, struct text *start_out, int *line_out)
{
	static const struct {
		const char *format;
		enum complaint complaint;
	} rows[] = {
		{"conflicting types for '%s'", COMPLAINT_TYPES},
		{"number of arguments doesn't match prototype",
			COMPLAINT_COUNT},
		{"static declaration of '%s' follows", COMPLAINT_STATIC},
		{"'%s' redeclared as different kind of symbol", COMPLAINT_KIND},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *mark = strstr(rows[i].format, "%s");
		const struct diagnostic *found;

		start_out->len = 0;
		if (mark) {
			text_put(start_out, rows[i].format,
				(size_t)(mark - rows[i].format));
			text_puts(start_out, name);
			text_puts(start_out, mark + 2);
		} else {
			text_puts(start_out, rows[i].format);
		}
		found = start_out->failed
			? NULL
			: diagnostics_find(list, start_out->data);
		if (!found)
			continue;
		*line_out = found->line;
		return rows[i].complaint;
	}
	return COMPLAINT_NONE;
}

static bool explain_complaint(struct explainer *explainer,
	enum complaint complaint, int complaint_line,
	const struct function *function)
{
	struct declaration *found = calloc(1, sizeof(*found));
	CLEANUP(cleanup_text) struct text sentence = {0};
	bool known, good;
	int line;

	if (!found)
		return error_set(explainer->err, ERROR_SYSTEM, "out of memory");
	known = declaration_find(explainer->list->source.data,
		explainer->list->source.len, function->name, found);
	line = known ? found->line : complaint_line;
	if (complaint == COMPLAINT_STATIC) {
		text_printf(&sentence,
			"%s is static, so it cannot be called from outside: "
			"leave out \"static\"",
			function->name);
		good = say(explainer, SEVERITY_ERROR, line, &sentence);
	} else if (complaint == COMPLAINT_KIND) {
		text_printf(
			&sentence, "%s is not a function here", function->name);
		good = say(explainer, SEVERITY_ERROR, line, &sentence) &&
			say_prototype(explainer, SEVERITY_NOTE, 0, function);
	} else if (complaint == COMPLAINT_COUNT) {
		good = !known || !found->is_function || !found->sure ||
			found->n_parameters == function->n_parameters ||
			explain_function(explainer, function, found);
	} else if (known && found->is_function) {
		good = explain_function(explainer, function, found);
	} else {
		good = say_prototype(explainer, SEVERITY_ERROR, line, function);
	}
	free(found);
	return good;
}

/* Of a file that is no text gcc names each byte that it does not understand. */
static bool explain_binary(struct explainer *explainer,
	const struct function *functions, size_t n_functions)
{
	CLEANUP(cleanup_text) struct text sentence = {0};

	text_puts(&sentence,
		"this is not C as text: there are NUL bytes in it (is it a "
		"program, or was it saved as anything but plain text?)");
	if (!say(explainer, SEVERITY_ERROR, 0, &sentence))
		return false;
	for (size_t i = 0; i < n_functions; i++)
		if (!say_prototype(explainer, SEVERITY_NOTE, 0, &functions[i]))
			return false;
	return true;
}

bool signature_explain(struct diagnostic_list *list,
	const struct function *functions, size_t n_functions, struct error *err)
{
	struct explainer explainer = {
		.list = list,
		.err = err,
		.prefix = n_functions > 1,
	};

	if (memchr(list->source.data, '\0', list->source.len))
		return explain_binary(&explainer, functions, n_functions);
	for (size_t i = 0; i < n_functions; i++) {
		CLEANUP(cleanup_text) struct text start = {0};
		int line = 0;
		enum complaint complaint =
			find_complaint(list, functions[i].name, &start, &line);
		size_t n_before = list->n_own;

		if (complaint == COMPLAINT_NONE)
			continue;
		if (!explain_complaint(
			    &explainer, complaint, line, &functions[i]))
			return false;
		if (list->n_own > n_before)
			diagnostics_demote(list, start.data);
	}
	return true;
}

/* The object -------------------------------------------------------------- */

static const char *refuse_symbol(const struct elf_symbol *symbol)
{
	if (symbol->type == STT_GNU_IFUNC)
		return "is chosen when the program starts; it must be an "
		       "ordinary function";
	if (symbol->type != STT_FUNC)
		return "is not a function here";
	if (symbol->binding == STB_WEAK)
		return "may be replaced by another of its name; it must be an "
		       "ordinary function";
	if (symbol->binding != STB_GLOBAL)
		return "is static, so it cannot be called from outside: leave "
		       "out \"static\"";
	return NULL;
}

/* Of the functions that the object defines; the only one is near enough. */
static const char *find_nearest(const struct elf *object, const char *name)
{
	const char *names[NAMES_MAX];
	size_t n = 0, count = elf_n_symbols(object);

	for (size_t i = 0; i < count && n < NAMES_MAX; i++) {
		struct elf_symbol symbol;

		if (elf_symbol(object, i, &symbol) && symbol.defined &&
			symbol.type == STT_FUNC)
			names[n++] = symbol.name;
	}
	return n == 1 ? names[0] : nearest_name(name, names, n);
}

static bool say_missing(struct explainer *explainer, const struct elf *object,
	const struct function *function)
{
	CLEANUP(cleanup_text) struct text sentence = {0};
	const char *nearest = find_nearest(object, function->name);

	text_printf(&sentence, "there is no function named %s", function->name);
	if (nearest)
		text_printf(&sentence, "; there is %s", nearest);
	return say(explainer, SEVERITY_ERROR, 0, &sentence) &&
		say_prototype(explainer, SEVERITY_NOTE, 0, function);
}

bool signature_check_object(struct diagnostic_list *list,
	const struct elf *object, const struct build_request *request,
	bool *good_out, struct error *err)
{
	struct explainer explainer = {
		.list = list,
		.err = err,
	};
	bool good = true;

	for (size_t i = 0; i < request->n_functions; i++) {
		const struct function *function = &request->functions[i];
		CLEANUP(cleanup_text) struct text sentence = {0};
		struct elf_symbol symbol;
		const char *refused;

		if (!elf_find_symbol(object, function->name, &symbol)) {
			good = false;
			if (!say_missing(&explainer, object, function))
				return false;
			continue;
		}
		refused = refuse_symbol(&symbol);
		if (!refused)
			continue;
		good = false;
		text_printf(&sentence, "%s %s", function->name, refused);
		if (!say(&explainer, SEVERITY_ERROR, 0, &sentence))
			return false;
	}
	*good_out = good;
	return true;
}
