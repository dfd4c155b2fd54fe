/* SPDX-License-Identifier: MIT */
#include "grader/engine/places.h"

#include "base/arena.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A declaration that is longer is nobody's. */
enum { DECLARATION_TOKENS_MAX = 256 };

static bool find_lines(
	struct places *places, struct arena *arena, struct error *err)
{
	const char *end = places->data + places->len;
	const char *at = places->data;
	size_t count = 1;

	for (const char *c = at; c < end; c++)
		count += *c == '\n';
	places->lines = arena_alloc(arena, count, sizeof(*places->lines), err);
	if (!places->lines)
		return false;
	while (places->n_lines < count) {
		places->lines[places->n_lines++] = at;
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : end;
	}
	return true;
}

bool places_read(struct places *out, const char *data, size_t len,
	struct arena *arena, struct error *err)
{
	struct places places = {.data = data, .len = len};
	struct ctoken_reader reader;
	struct token token;
	size_t count = 0;

	*out = places;
	if (len == 0 || len > PLACES_BYTES_MAX)
		return true;
	ctoken_start(&reader, data, len);
	while (ctoken_next(&reader).kind != TOKEN_END)
		count++;
	places.tokens =
		arena_alloc(arena, count + 1, sizeof(*places.tokens), err);
	if (!places.tokens || !find_lines(&places, arena, err))
		return false;
	ctoken_start(&reader, data, len);
	while ((token = ctoken_next(&reader)).kind != TOKEN_END)
		places.tokens[places.count++] = token;
	*out = places;
	return true;
}

static int column_of(const struct places *places, const struct token *token)
{
	size_t line = (size_t)token->line - 1;

	return line < places->n_lines
		? (int)(token->text - places->lines[line]) + 1
		: 0;
}

/* The first token at a byte of the source, or behind it. */
static size_t first_from(const struct places *places, const char *at)
{
	size_t low = 0;
	size_t high = places->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (places->tokens[middle].text < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t first_of_line(const struct places *places, int line)
{
	if (line < 1 || (size_t)line > places->n_lines)
		return places->count;
	return first_from(places, places->lines[line - 1]);
}

/* The token that starts there, or count. */
static size_t find(const struct places *places, int line, int column)
{
	const char *at;
	size_t i;

	if (line < 1 || (size_t)line > places->n_lines || column < 1)
		return places->count;
	at = places->lines[line - 1];
	if (column > places->data + places->len - at)
		return places->count;
	at += column - 1;
	i = first_from(places, at);
	return i < places->count && places->tokens[i].text == at &&
			places->tokens[i].line == line
		? i
		: places->count;
}

static bool is(const struct places *places, size_t i, const char *text)
{
	return i < places->count && token_is(&places->tokens[i], text);
}

/* Whether it is one of a list of words, NULL at the end. */
static bool is_one_of(
	const struct places *places, size_t i, const char *const *words)
{
	for (; *words; words++)
		if (is(places, i, *words))
			return true;
	return false;
}

static bool is_name(const struct places *places, size_t i)
{
	return i < places->count && places->tokens[i].kind == TOKEN_NAME;
}

/* A name may hold more than what is shown: "$", UTF-8, a spliced line. */
static struct place_name name_of(const struct places *places, size_t i)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const struct token *token;

	if (!is_name(places, i))
		return (struct place_name){0};
	token = &places->tokens[i];
	for (size_t k = 0; k < token->len; k++)
		if (!memchr(plain, token->text[k], sizeof(plain) - 1))
			return (struct place_name){0};
	return (struct place_name){
		.text = token->text,
		.len = token->len,
		.line = token->line,
		.column = column_of(places, token),
	};
}

struct place_name places_name(const struct places *places, int line, int column)
{
	return name_of(places, find(places, line, column));
}

static bool same_name(
	const struct places *places, size_t i, const struct place_name *name)
{
	return is_name(places, i) && places->tokens[i].len == name->len &&
		memcmp(places->tokens[i].text, name->text, name->len) == 0;
}

/* Declarations ------------------------------------------------------------ */

static const char *const statement_ends[] = {";", "{", "}", "(", ")", NULL};

enum place_type places_declared_type(
	const struct places *places, const struct place_name *name)
{
	enum place_type type = PLACE_OTHER;
	size_t i;

	if (!name->text)
		return PLACE_OTHER;
	i = find(places, name->line, name->column);
	if (i == places->count)
		return PLACE_OTHER;
	if (i > 0 && is(places, i - 1, "*"))
		return PLACE_POINTER;
	for (size_t n = 0; i > 0 && !is_one_of(places, i - 1, statement_ends);
		n++) {
		i--;
		if (n == DECLARATION_TOKENS_MAX)
			return PLACE_OTHER;
		if (is(places, i, "long") || is(places, i, "struct") ||
			is(places, i, "_Complex"))
			return PLACE_OTHER;
		if (is(places, i, "double"))
			type = PLACE_DOUBLE;
		else if (is(places, i, "float"))
			type = PLACE_FLOAT;
	}
	return type;
}

/* The opening bracket that goes with a closing one, or count. */
static size_t opening(const struct places *places, size_t i, const char *open,
	const char *close)
{
	size_t depth = 0;

	for (;; i--) {
		if (is(places, i, close))
			depth++;
		else if (is(places, i, open) && --depth == 0)
			return i;
		if (i == 0)
			return places->count;
	}
}

/* Subscripts -------------------------------------------------------------- */

struct place_subscript places_subscript(
	const struct places *places, int line, int column)
{
	struct place_subscript out = {0};
	size_t i = find(places, line, column);

	if (!is(places, i, "["))
		return out;
	while (i > 0 && is(places, i - 1, "]")) {
		i = opening(places, i - 1, "[", "]");
		if (i == places->count)
			return out;
		out.axis++;
	}
	if (i == 0)
		return out;
	/* A member has its name from what it is a member of. */
	if (i > 1 && (is(places, i - 2, ".") || is(places, i - 2, ">")))
		return out;
	out.name = name_of(places, i - 1);
	return out;
}

/* Blocks ------------------------------------------------------------------ */

static const char *const allocators[] = {
	"malloc", "calloc", "realloc", "aligned_alloc", NULL};

/* What "double *w = (double *)malloc(" asks for it in: nothing but doubles? */
static enum place_type type_of_line(const struct places *places, int line)
{
	static const char *const others[] = {"int", "char", "long", "short",
		"bool", "struct", "size_t", "unsigned", "void", "float", NULL};
	bool is_double = false, is_other = false;

	for (size_t i = first_of_line(places, line);
		i < places->count && places->tokens[i].line == line; i++) {
		is_double |= is(places, i, "double");
		is_other |= is_one_of(places, i, others) ||
			/* double *rows[]: of pointers */
			(is(places, i, "*") && is(places, i + 1, "*"));
	}
	return is_double && !is_other ? PLACE_DOUBLE : PLACE_OTHER;
}

struct place_name places_block_owner(
	const struct places *places, int line, enum place_type *type_out)
{
	struct place_name owner = {0};
	size_t n = 0;

	*type_out = PLACE_OTHER;
	for (size_t i = first_of_line(places, line);
		i < places->count && places->tokens[i].line == line; i++) {
		size_t at = i;

		if (!is_one_of(places, i, allocators) ||
			!is(places, i + 1, "("))
			continue;
		if (++n > 1)
			return (struct place_name){0};
		/* Over a cast to what stands in front of it. */
		if (at > 0 && is(places, at - 1, ")")) {
			at = opening(places, at - 1, "(", ")");
			if (at == places->count)
				return (struct place_name){0};
		}
		if (at < 2 || !is(places, at - 1, "="))
			continue;
		if (at > 2 &&
			(is(places, at - 3, ".") || is(places, at - 3, ">")))
			continue;
		owner = name_of(places, at - 2);
	}
	*type_out = type_of_line(places, line);
	return owner;
}

/* Functions --------------------------------------------------------------- */

/* The body of a function, both braces included, and its name. */
struct body {
	size_t name;
	size_t first;
	size_t last;
};

static size_t closing_brace(const struct places *places, size_t i)
{
	size_t depth = 0;

	for (; i < places->count; i++) {
		depth += is(places, i, "{");
		if (is(places, i, "}") && --depth == 0)
			return i;
	}
	return places->count;
}

/* The next at or behind *at, which is moved on to behind it. */
static bool next_body(const struct places *places, size_t *at, struct body *out)
{
	for (size_t i = *at; i < places->count; i++) {
		size_t end, open;

		if (!is(places, i, "{"))
			continue;
		end = closing_brace(places, i);
		if (end == places->count)
			return false;
		open = i > 0 && is(places, i - 1, ")")
			? opening(places, i - 1, "(", ")")
			: places->count;
		if (open < places->count && open > 0 &&
			is_name(places, open - 1)) {
			*out = (struct body){open - 1, i, end};
			*at = end + 1;
			return true;
		}
		i = end; /* of a struct, or of an initializer */
	}
	return false;
}

static bool body_around(const struct places *places, int line, struct body *out)
{
	size_t at = 0;

	while (next_body(places, &at, out))
		if (places->tokens[out->name].line <= line &&
			line <= places->tokens[out->last].line)
			return true;
	return false;
}

/* Variables --------------------------------------------------------------- */

static const char *const types[] = {"double", "float", "int", "char", "long",
	"short", "unsigned", "signed", "size_t", "bool", "_Bool", "const",
	"static", "register", "volatile", "ptrdiff_t", "ssize_t", "int8_t",
	"uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
	"uint64_t", "auto", NULL};

static const char *const doubtful[] = {
	"struct", "union", "enum", "typedef", "extern", "typeof", NULL};

static const char *const words[] = {"return", "goto", "case", "else", "do",
	"sizeof", "if", "while", "for", "switch", "break", "continue",
	"default", NULL};

/* What a search for the only one of a kind has come to. */
struct search {
	struct place_name found;
	size_t n;
	bool doubt;
};

/*
 * The declarators of one statement from first to its end: names that stand
 * behind a type, a star or a comma, outside of brackets and initializers.
 */
static void search_declarators(const struct places *places, size_t first,
	size_t end, bool arrays_alone, struct search *search)
{
	size_t depth = 0;
	bool initializer = false;

	for (size_t i = first; i < end; i++) {
		static const char *const opens[] = {"(", "[", "{", NULL};
		static const char *const closes[] = {")", "]", "}", NULL};
		static const char *const follows[] = {"[", ",", ";", "=", NULL};

		if (is_one_of(places, i, opens))
			depth++;
		else if (is_one_of(places, i, closes))
			depth -= depth > 0;
		if (depth > 0)
			continue;
		if (is(places, i, "="))
			initializer = true;
		else if (is(places, i, ","))
			initializer = false;
		if (initializer || !is_name(places, i) ||
			is_one_of(places, i, types) ||
			!is_one_of(places, i + 1,
				arrays_alone ? (const char *const[]){"[", NULL}
					     : follows))
			continue;
		search->found = name_of(places, i);
		search->n++;
	}
}

static size_t statement_end(const struct places *places, size_t i, size_t last)
{
	size_t depth = 0;

	for (; i < last; i++) {
		depth += is(places, i, "{");
		depth -= depth > 0 && is(places, i, "}");
		if (depth == 0 && is(places, i, ";"))
			return i;
	}
	return last;
}

static bool has(
	const struct places *places, size_t first, size_t end, const char *word)
{
	for (size_t i = first; i < end; i++)
		if (is(places, i, word))
			return true;
	return false;
}

/* The declarations of a body: for each its first token and its end. */
static bool next_declaration(const struct places *places,
	const struct body *body, size_t *at, size_t *end_out,
	struct search *search)
{
	for (size_t i = *at; i < body->last; i++) {
		static const char *const starts[] = {";", "{", "}", NULL};

		if (!is_one_of(places, i - 1, starts))
			continue;
		search->doubt |= is_one_of(places, i, doubtful);
		/* A type that is not known here. */
		if (is_name(places, i) && is_name(places, i + 1) &&
			!is_one_of(places, i, types) &&
			!is_one_of(places, i, words))
			search->doubt = true;
		if (!is_one_of(places, i, types))
			continue;
		*at = i;
		*end_out = statement_end(places, i, body->last);
		return true;
	}
	return false;
}

static struct place_name only(const struct search *search)
{
	return search->n == 1 && !search->doubt ? search->found
						: (struct place_name){0};
}

struct place_name places_only_local_array(const struct places *places, int line)
{
	struct search search = {0};
	struct body body;
	size_t at, end;

	if (!body_around(places, line, &body))
		return (struct place_name){0};
	at = body.first + 1;
	while (next_declaration(places, &body, &at, &end, &search)) {
		if (!has(places, at, end, "static"))
			search_declarators(places, at, end, true, &search);
		at = end;
	}
	return only(&search);
}

/* "scores[n + 1]" from the name on, over all its brackets. */
static void copy_bound(const struct places *places, size_t i,
	char out[static PLACES_BOUND_BYTES])
{
	const char *start = places->tokens[i].text;
	size_t last = i, len;

	out[0] = '\0';
	while (is(places, last + 1, "[")) {
		size_t depth = 0;

		for (last++; last < places->count; last++) {
			depth += is(places, last, "[");
			if (is(places, last, "]") && --depth == 0)
				break;
		}
	}
	if (last >= places->count)
		return;
	len = (size_t)(places->tokens[last].text + 1 - start);
	if (len >= PLACES_BOUND_BYTES)
		return;
	for (size_t k = 0; k < len; k++)
		if (start[k] < ' ' || start[k] > '~')
			return;
	memcpy(out, start, len);
	out[len] = '\0';
}

struct place_name places_local_array(const struct places *places, int line,
	const struct place_name *name,
	char bound_out[static PLACES_BOUND_BYTES])
{
	struct search search = {0};
	struct place_name found = {0};
	struct body body;
	size_t at, end, n = 0;

	bound_out[0] = '\0';
	if (!name->text || !body_around(places, line, &body))
		return found;
	at = body.first + 1;
	while (next_declaration(places, &body, &at, &end, &search)) {
		for (size_t i = at + 1; i < end; i++) {
			if (!same_name(places, i, name) ||
				!is(places, i + 1, "[") ||
				!(is_one_of(places, i - 1, types) ||
					is(places, i - 1, ",")))
				continue;
			found = name_of(places, i);
			copy_bound(places, i, bound_out);
			n++;
		}
		at = end;
	}
	return n == 1 ? found : (struct place_name){0};
}

/* Outside of functions. */
static void search_globals(const struct places *places, struct search *search)
{
	struct body body = {0};
	size_t at = 0, from = 0;

	do {
		bool more = next_body(places, &at, &body);
		size_t to = more ? body.name : places->count;

		while (from < to) {
			size_t end = statement_end(places, from, to);
			size_t i = from;

			while (i < end && !is_one_of(places, i, doubtful))
				i++;
			search->doubt |= i < end;
			/* A prototype is no variable. */
			if (end < to && !has(places, from, end, "(") &&
				!has(places, from, end, "const"))
				search_declarators(
					places, from, end, false, search);
			from = end + 1;
		}
		from = body.last + 1;
		if (!more)
			return;
	} while (true);
}

struct place_name places_only_static(const struct places *places)
{
	struct search search = {0};
	struct body body;
	size_t next = 0;

	search_globals(places, &search);
	while (next_body(places, &next, &body)) {
		struct search ignored = {0};
		size_t at = body.first + 1;
		size_t end;

		while (next_declaration(places, &body, &at, &end, &ignored)) {
			if (has(places, at, end, "static") &&
				!has(places, at, end, "const"))
				search_declarators(
					places, at, end, false, &search);
			at = end;
		}
	}
	return only(&search);
}

/* Parameters -------------------------------------------------------------- */

/* As far as can be told: true where it may be. */
static bool is_declared_in(const struct places *places, const struct body *body,
	const struct place_name *name)
{
	struct search ignored = {0};
	size_t at = body->first + 1;
	size_t end;

	while (next_declaration(places, body, &at, &end, &ignored)) {
		for (size_t i = at + 1; i < end; i++)
			if (same_name(places, i, name) &&
				(is(places, i - 1, "*") ||
					is(places, i - 1, ",") ||
					is_one_of(places, i - 1, types)))
				return true;
		at = end;
	}
	return false;
}

/* A parameter's name stands before "[", "," or the end. */
size_t places_parameter(const struct places *places, const char *function,
	int line, const struct place_name *name)
{
	struct body body;
	size_t depth = 0, number = 0, found = PLACES_NONE;

	if (!name->text || !body_around(places, line, &body) ||
		!is(places, body.name, function))
		return PLACES_NONE;
	for (size_t i = body.name + 1; i < body.first; i++) {
		bool last = is(places, i + 1, ",") || is(places, i + 1, ")") ||
			is(places, i + 1, "[");

		if (is(places, i, "(") || is(places, i, "["))
			depth++;
		else if (is(places, i, ")") || is(places, i, "]"))
			depth--;
		else if (depth == 1 && is(places, i, ","))
			number++;
		else if (depth == 1 && last && same_name(places, i, name))
			found = number;
	}
	/* Another of that name may be meant. */
	return is_declared_in(places, &body, name) ? PLACES_NONE : found;
}

bool places_adds_to_element(const struct places *places, int line)
{
	for (size_t i = first_of_line(places, line);
		i < places->count && places->tokens[i].line == line; i++)
		if (is(places, i, "]") && is(places, i + 1, "+") &&
			is(places, i + 2, "="))
			return true;
	return false;
}
