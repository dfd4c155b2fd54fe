/* SPDX-License-Identifier: MIT */
#include "grader/engine/diagnostics.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/ctoken.h"

#include <string.h>

enum {
	MESSAGE_BYTES_MAX = 1200,
	NAME_BYTES_MAX = 200,
	LINE_NUMBER_MAX = 100000000,
};

struct span {
	const char *data;
	size_t len;
};

static bool starts_with(struct span span, const char *start)
{
	size_t len = strlen(start);

	return span.len >= len && memcmp(span.data, start, len) == 0;
}

static bool same(struct span span, const char *text)
{
	return span.len == strlen(text) && starts_with(span, text);
}

static struct span skip(struct span span, size_t n)
{
	return (struct span){span.data + n, span.len - n};
}

static bool contains(struct span span, const char *part)
{
	return memmem(span.data, span.len, part, strlen(part)) != NULL;
}

struct source_file source_file_of(
	const char *name, const char *data, size_t len)
{
	return (struct source_file){
		.name = name,
		.data = data,
		.len = len,
		.renumbered = ctoken_has_line_directive(data, len),
	};
}

/* False if the file has no such line. */
static bool find_line(
	const struct source_file *source, int line, struct span *out)
{
	struct span rest = {source->data, source->len};
	const char *end;

	for (int i = 1; i < line && rest.len > 0; i++) {
		end = memchr(rest.data, '\n', rest.len);
		rest = end ? skip(rest, (size_t)(end - rest.data) + 1)
			   : skip(rest, rest.len);
	}
	/* An error at the end of the file is put behind its last line. */
	if (rest.len == 0)
		return false;
	end = memchr(rest.data, '\n', rest.len);
	if (end)
		rest.len = (size_t)(end - rest.data);
	if (rest.len > 0 && rest.data[rest.len - 1] == '\r')
		rest.len--;
	*out = rest;
	return true;
}

bool source_file_has_line(const struct source_file *source, int line)
{
	struct span text;

	return line > 0 && find_line(source, line, &text);
}

static void place(struct diagnostic *diagnostic,
	const struct source_file *source, int line, int column)
{
	struct span text;

	if (source->renumbered || line <= 0 || !find_line(source, line, &text))
		return;
	diagnostic->line = line;
	diagnostic->column = column;
	diagnostic->source = text.data;
	diagnostic->source_len = text.len;
}

/* A message is one line of text: bytes that would end it early are not. */
static const char *copy_message(
	struct arena *arena, struct span message, struct error *err)
{
	size_t len = message.len;
	char *copy;

	if (len > MESSAGE_BYTES_MAX) {
		len = MESSAGE_BYTES_MAX;
		while (len > 0 && (message.data[len] & 0xc0) == 0x80)
			len--;
	}
	copy = len < message.len
		? arena_printf(arena, err, "%.*s...", (int)len, message.data)
		: arena_copy(arena, message.data, len, err);
	if (copy && len == message.len)
		for (char *nul; (nul = memchr(copy, '\0', len));)
			*nul = ' ';
	return copy;
}

bool diagnostic_list_init(struct diagnostic_list *list,
	const struct source_file *source, struct arena *arena,
	struct error *err)
{
	*list = (struct diagnostic_list){.source = *source, .arena = arena};
	list->items =
		arena_alloc(arena, DIAGNOSTICS_MAX, sizeof(*list->items), err);
	return list->items != NULL;
}

/* Behind our own, before the compiler's, the last of which may fall out. */
static void insert(
	struct diagnostic_list *list, const struct diagnostic *diagnostic)
{
	size_t n_behind;

	list->cut |= list->count == DIAGNOSTICS_MAX;
	if (list->n_own == DIAGNOSTICS_MAX)
		return;
	list->count -= list->count == DIAGNOSTICS_MAX;
	n_behind = list->count - list->n_own;
	memmove(list->items + list->n_own + 1, list->items + list->n_own,
		n_behind * sizeof(*list->items));
	list->items[list->n_own++] = *diagnostic;
	list->count++;
}

bool diagnostics_add(struct diagnostic_list *list, enum severity severity,
	int line, const char *message, struct error *err)
{
	struct diagnostic diagnostic = {.severity = severity};

	diagnostic.message = copy_message(
		list->arena, (struct span){message, strlen(message)}, err);
	if (!diagnostic.message)
		return false;
	place(&diagnostic, &list->source, line, 0);
	insert(list, &diagnostic);
	return true;
}

static struct diagnostic *find(
	const struct diagnostic_list *list, const char *start)
{
	for (size_t i = list->n_own; i < list->count; i++)
		if (strncmp(list->items[i].message, start, strlen(start)) == 0)
			return &list->items[i];
	return NULL;
}

const struct diagnostic *diagnostics_find(
	const struct diagnostic_list *list, const char *start)
{
	return find(list, start);
}

void diagnostics_demote(struct diagnostic_list *list, const char *start)
{
	struct diagnostic *found = find(list, start);

	if (found)
		found->severity = SEVERITY_NOTE;
}

/* Reading ----------------------------------------------------------------- */

struct parser {
	struct diagnostic_list *list;
	enum diagnostic_tool tool;
	bool failed;
	bool dropped; /* the last one: so are its notes */
	bool out_of_memory;
	struct error *err;
};

/* What was read of one line. */
struct finding {
	enum severity severity;
	int line, column;
	struct span message;
	struct span option;
};

static const struct {
	const char *word;
	enum severity severity;
} severity_words[] = {
	{"error: ", SEVERITY_ERROR},
	{"fatal error: ", SEVERITY_ERROR},
	{"internal compiler error: ", SEVERITY_ERROR},
	{"sorry, unimplemented: ", SEVERITY_ERROR},
	{"warning: ", SEVERITY_WARNING},
	{"note: ", SEVERITY_NOTE},
	{"Error: ", SEVERITY_ERROR},
	{"Fatal error: ", SEVERITY_ERROR},
	{"Warning: ", SEVERITY_WARNING},
	{"Info: ", SEVERITY_NOTE},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool take_severity(struct span *rest, enum severity *out)
{
	for (size_t i = 0; i < COUNT(severity_words); i++) {
		if (!starts_with(*rest, severity_words[i].word))
			continue;
		*rest = skip(*rest, strlen(severity_words[i].word));
		*out = severity_words[i].severity;
		return true;
	}
	return false;
}

/* Digits and the character behind them; 0 if there is no such number. */
static int take_number(struct span *rest, char behind)
{
	int number = 0;
	size_t n = 0;

	while (n < rest->len && rest->data[n] >= '0' && rest->data[n] <= '9') {
		if (number > LINE_NUMBER_MAX)
			return 0;
		number = number * 10 + (rest->data[n++] - '0');
	}
	if (n == 0 || n >= rest->len || rest->data[n] != behind)
		return 0;
	*rest = skip(*rest, n + 1);
	return number;
}

/* "solve.c:12:" or "solve.c:12:5:", as far as it is there. */
static bool take_place(const struct source_file *source, struct span *rest,
	int *line, int *column)
{
	struct span at = *rest;

	if (starts_with(at, "./"))
		at = skip(at, 2);
	if (!starts_with(at, source->name))
		return false;
	at = skip(at, strlen(source->name));
	if (!starts_with(at, ":"))
		return false;
	at = skip(at, 1);
	*line = take_number(&at, ':');
	if (*line == 0)
		return false;
	*column = take_number(&at, ':');
	*rest = at;
	return true;
}

/* "[-Wunused-variable]" at the end, if it is there, is taken off. */
static void take_option(struct finding *finding)
{
	struct span *message = &finding->message;
	size_t at = message->len;

	if (at < 4 || message->data[at - 1] != ']')
		return;
	while (at > 0 && message->data[at - 1] != '[')
		at--;
	if (at < 2 || message->len - at < 4 || message->data[at - 2] != ' ' ||
		memcmp(message->data + at, "-W", 2) != 0)
		return;
	finding->option =
		(struct span){message->data + at, message->len - at - 1};
	message->len = at - 2;
}

/* A line of gcc's or of as'. */
static bool read_line(
	const struct parser *parser, struct span line, struct finding *finding)
{
	struct span rest = line;

	if (take_place(&parser->list->source, &rest, &finding->line,
		    &finding->column) &&
		starts_with(rest, " ")) {
		rest = skip(rest, 1);
		if (!take_severity(&rest, &finding->severity))
			return false;
		finding->message = rest;
		take_option(finding);
		return true;
	}
	/* Another file's, or none's: what follows the first severity. */
	finding->line = 0;
	finding->column = 0;
	for (rest = line; rest.len > 2; rest = skip(rest, 1)) {
		struct span at = rest;

		if (!starts_with(at, ": "))
			continue;
		at = skip(at, 2);
		if (!take_severity(&at, &finding->severity))
			continue;
		finding->message = at;
		take_option(finding);
		return true;
	}
	return false;
}

/* Where a line of ld names the learner's file, with a line number. */
static void find_place(
	const struct parser *parser, struct span line, struct finding *finding)
{
	for (struct span at = line; at.len > 0; at = skip(at, 1)) {
		struct span rest = at;
		bool starts = at.data == line.data || at.data[-1] == ' ' ||
			at.data[-1] == '/';

		if (starts &&
			take_place(&parser->list->source, &rest, &finding->line,
				&finding->column))
			return;
	}
}

/* "undefined reference to `expo'" becomes a sentence about expo. */
static bool read_undefined(
	struct parser *parser, struct span line, struct finding *finding)
{
	static const char words[] = "undefined reference to `";
	const char *name = memmem(line.data, line.len, words, strlen(words));
	const char *end;
	char *message;

	if (!name)
		return false;
	name += strlen(words);
	end = memchr(name, '\'', line.len - (size_t)(name - line.data));
	if (!end || end - name > NAME_BYTES_MAX)
		return false;
	message = arena_printf(parser->list->arena, parser->err,
		"%.*s is called or used, but it is defined nowhere",
		(int)(end - name), name);
	parser->out_of_memory = !message;
	if (!message)
		return false;
	finding->severity = SEVERITY_ERROR;
	finding->message = (struct span){message, strlen(message)};
	find_place(parser, line, finding);
	return true;
}

/* What follows "solve.c:2: " or "learner.o:(.text+0x7): ", if it does. */
static struct span find_message(struct span line)
{
	for (struct span at = line; at.len > 3; at = skip(at, 1))
		if (at.data[1] == ':' && at.data[2] == ' ' &&
			(at.data[0] == ')' ||
				(at.data[0] >= '0' && at.data[0] <= '9')))
			return skip(at, 3);
	return (struct span){NULL, 0};
}

static bool read_linker_line(
	struct parser *parser, struct span line, struct finding *finding)
{
	if (read_undefined(parser, line, finding))
		return true;
	/* "ld: solve.o: in function `solve':" says where, and not what. */
	if (line.data[line.len - 1] == ':' || contains(line, "warning: "))
		return false;
	finding->severity = SEVERITY_ERROR;
	if (starts_with(line, "ld: ")) {
		finding->message = skip(line, 4);
		return true;
	}
	finding->message = find_message(line);
	find_place(parser, line, finding);
	return finding->message.len > 0;
}

/*
 * A pointer is as good as an array for a parameter, and gcc says only that
 * they are not spelt alike.  That a bound is another parameter's is news.
 */
static bool is_noise(const struct finding *finding)
{
	struct span option = finding->option;

	/* With no line it is that of our header. */
	if (finding->line == 0 &&
		same(finding->message, "prototype declaration"))
		return true;
	return (starts_with(option, "-Wvla-parameter") ||
		       starts_with(option, "-Warray-parameter")) &&
		(contains(finding->message, "declared as a pointer") ||
			contains(finding->message, "as an ordinary array") ||
			contains(finding->message,
				"as a variable length array"));
}

/* The same at the same place: an #include of itself has it 200 times. */
static bool is_repeated(
	const struct diagnostic_list *list, const struct diagnostic *diagnostic)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct diagnostic *item = &list->items[i];

		if (item->line == diagnostic->line &&
			item->column == diagnostic->column &&
			strcmp(item->message, diagnostic->message) == 0)
			return true;
	}
	return false;
}

static bool add(struct parser *parser, const struct finding *finding)
{
	struct diagnostic_list *list = parser->list;
	struct diagnostic diagnostic = {.severity = finding->severity};

	if (finding->severity != SEVERITY_NOTE)
		parser->dropped = is_noise(finding);
	if (parser->dropped || finding->message.len == 0)
		return true;
	if (list->count == DIAGNOSTICS_MAX) {
		list->cut = true;
		return true;
	}
	if (!parser->failed && finding->severity == SEVERITY_ERROR)
		diagnostic.severity = SEVERITY_NOTE;
	diagnostic.message = copy_message(
		parser->list->arena, finding->message, parser->err);
	if (!diagnostic.message)
		return false;
	if (finding->option.len > 0) {
		diagnostic.option = copy_message(
			parser->list->arena, finding->option, parser->err);
		if (!diagnostic.option)
			return false;
	}
	place(&diagnostic, &parser->list->source, finding->line,
		finding->column);
	if (is_repeated(list, &diagnostic))
		return true;
	/* What the linker misses is an error, and cc1's warnings are not. */
	if (parser->tool == DIAGNOSTIC_LINKER)
		insert(list, &diagnostic);
	else
		list->items[list->count++] = diagnostic;
	return true;
}

bool diagnostics_parse(struct diagnostic_list *list, enum diagnostic_tool tool,
	const char *text, size_t len, bool failed, struct error *err)
{
	struct parser parser = {
		.list = list,
		.tool = tool,
		.failed = failed,
		.err = err,
	};
	struct span rest = {text, len};

	while (rest.len > 0) {
		const char *end = memchr(rest.data, '\n', rest.len);
		struct span line = {
			rest.data, end ? (size_t)(end - rest.data) : rest.len};
		struct finding finding = {0};
		bool found;

		rest = skip(rest, line.len + (end != NULL));
		if (line.len == 0)
			continue;
		found = tool == DIAGNOSTIC_LINKER
			? read_linker_line(&parser, line, &finding)
			: read_line(&parser, line, &finding);
		if (parser.out_of_memory || (found && !add(&parser, &finding)))
			return false;
	}
	return true;
}
