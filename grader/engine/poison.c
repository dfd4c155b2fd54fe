/* SPDX-License-Identifier: MIT */
#include "grader/engine/poison.h"

#include "base/text.h"
#include "sandbox/protocol.h"

#include <inttypes.h>
#include <string.h>

#define PATTERN_LONG "$-72340172838076674" /* eight bytes 0xfe */
#define PATTERN_INT "$-16843010"

#define ADDRESS_BASE 0x6e0000000000u
#define ADDRESS_SHIFT 24
#define NUMBER_BASE 0xfe0000feu
#define NUMBER_SHIFT 8
#define SITE_SHIFT 40
#define SITE_MASK ((uint64_t)POISON_SITES_MAX << SITE_SHIFT)
#define DOUBLE_BASE ((uint64_t)0x7ff00000 << 32 | (uint64_t)FILL_LOCAL << 32)
#define ELEMENT_UNKNOWN 0xffffffffu
#define FLOAT_BASE (0x7f800000u | (uint32_t)FILL_LOCAL << 14)
#define FLOAT_FLAG 0x8000u /* shim_checked.h knows it */

enum {
	LABELS_MAX = 4096,
	FILES_MAX = 64,
	LINE_BYTES_MAX = 256,
};

/* One line of the assembly, without its newline. */
struct line {
	const char *text;
	size_t len;
};

struct rewriter {
	struct poison *poison;
	const struct places *places;
	struct text *out;
	const char *rest;
	const char *end;
	bool is_pattern[LABELS_MAX]; /* .LCn is all 0xfe */
	unsigned int file;           /* the source's number, from .file */
	int line, column;            /* of the last .loc in it */
	uint32_t doubles[POISON_SITES_MAX + 1];
	size_t n_doubles; /* sites whose constants are to be written */
	uint32_t floats[POISON_SITES_MAX + 1];
	size_t n_floats;
};

static struct line line_at(const char *at, const char *end)
{
	const char *stop = memchr(at, '\n', (size_t)(end - at));

	return (struct line){at, (size_t)((stop ? stop : end) - at)};
}

static const char *behind(const struct line *line, const char *end)
{
	const char *at = line->text + line->len;

	return at < end ? at + 1 : end;
}

static bool starts(const struct line *line, const char *start)
{
	size_t len = strlen(start);

	return line->len >= len && memcmp(line->text, start, len) == 0;
}

static bool is(const struct line *line, const char *text)
{
	return line->len == strlen(text) && starts(line, text);
}

/* Digits at an offset, which is moved behind them; -1 if there are none. */
static int number_at(const struct line *line, size_t *at)
{
	int number = 0;
	size_t start = *at;

	while (*at < line->len && line->text[*at] >= '0' &&
		line->text[*at] <= '9' && *at - start < 8)
		number = number * 10 + (line->text[(*at)++] - '0');
	return *at > start ? number : -1;
}

static bool skip_word(const struct line *line, size_t *at, const char *word)
{
	size_t len = strlen(word);

	if (line->len - *at < len || memcmp(line->text + *at, word, len) != 0)
		return false;
	*at += len;
	return true;
}

/* Constants --------------------------------------------------------------- */

static bool is_pattern_data(const struct line *line)
{
	return is(line, "\t.long\t-16843010") || is(line, "\t.byte\t-2") ||
		is(line, "\t.quad\t-72340172838076674");
}

static void find_patterns(struct rewriter *w)
{
	for (const char *at = w->rest; at < w->end;) {
		struct line line = line_at(at, w->end), next;
		size_t digits = 3;
		int label;

		at = behind(&line, w->end);
		if (!starts(&line, ".LC"))
			continue;
		label = number_at(&line, &digits);
		if (label < 0 || label >= LABELS_MAX ||
			digits + 1 != line.len || line.text[digits] != ':')
			continue;
		next = line_at(at, w->end);
		w->is_pattern[label] = is_pattern_data(&next);
		while (starts(&next, "\t.long") || starts(&next, "\t.byte") ||
			starts(&next, "\t.quad")) {
			w->is_pattern[label] &= is_pattern_data(&next);
			at = behind(&next, w->end);
			next = line_at(at, w->end);
		}
	}
}

/* "\tmovsd\t.LC1(%rip), %xmm0": whether the constant is a pattern. */
static bool loads_pattern(
	const struct rewriter *w, const struct line *line, const char *mnemonic)
{
	size_t at = 1;
	int label;

	if (!starts(line, "\t") || !skip_word(line, &at, mnemonic) ||
		!skip_word(line, &at, "\t.LC"))
		return false;
	label = number_at(line, &at);
	return label >= 0 && label < LABELS_MAX && w->is_pattern[label] &&
		skip_word(line, &at, "(%rip), %xmm");
}

/* Sites ------------------------------------------------------------------- */

/* 0: there is no such place in the source, or there are too many. */
static uint32_t add_site(struct rewriter *w, enum place_type *type_out)
{
	struct place_name name = places_name(w->places, w->line, w->column);
	struct poison *poison = w->poison;

	*type_out = places_declared_type(w->places, &name);
	if (!name.text || poison->n_sites == POISON_SITES_MAX)
		return 0;
	poison->n_sites++;
	poison->sites[poison->n_sites] =
		(struct poison_site){w->line, w->column};
	return (uint32_t)poison->n_sites;
}

/* "\t.file 1 \"solve.c\"" */
static void read_file(
	struct rewriter *w, const struct line *line, const char *file)
{
	size_t at = strlen("\t.file ");
	int number = number_at(line, &at);

	if (number > 0 && skip_word(line, &at, " \"") &&
		skip_word(line, &at, file) && skip_word(line, &at, "\"") &&
		at == line->len)
		w->file = (unsigned int)number;
}

/* "\t.loc 1 22 14 is_stmt 0" */
static void read_loc(struct rewriter *w, const struct line *line)
{
	size_t at = strlen("\t.loc ");
	int file = number_at(line, &at);
	int number;

	w->line = w->column = 0;
	if (file < 0 || (unsigned int)file != w->file ||
		!skip_word(line, &at, " "))
		return;
	number = number_at(line, &at);
	if (number < 0 || !skip_word(line, &at, " "))
		return;
	w->line = number;
	w->column = number_at(line, &at);
}

/* Rewriting --------------------------------------------------------------- */

static struct line peek(const struct rewriter *w)
{
	return line_at(w->rest, w->end);
}

static void put(struct rewriter *w, const struct line *line)
{
	text_put(w->out, line->text, line->len);
	text_putc(w->out, '\n');
}

static void take(struct rewriter *w)
{
	struct line line = peek(w);

	put(w, &line);
	w->rest = behind(&line, w->end);
}

/* The same with another constant, whose label is made of the site's number. */
static void put_load(struct rewriter *w, const struct line *line,
	const char *mnemonic, char kind, uint32_t site)
{
	const char *operand = memchr(line->text, '(', line->len);

	text_printf(w->out, "\t%s\t.LG%c%" PRIu32, mnemonic, kind, site);
	text_put(w->out, operand, line->len - (size_t)(operand - line->text));
	text_putc(w->out, '\n');
}

static bool put_scalar(struct rewriter *w, const struct line *line)
{
	bool wide = loads_pattern(w, line, "movsd");
	enum place_type type;
	uint32_t site;

	if (!wide && !loads_pattern(w, line, "movss"))
		return false;
	site = add_site(w, &type);
	if (!site)
		return false;
	put_load(w, line, wide ? "movsd" : "movss", wide ? 'd' : 'f', site);
	if (wide)
		w->doubles[w->n_doubles++] = site;
	else
		w->floats[w->n_floats++] = site;
	return true;
}

/* How far behind the register's address a store reaches; 0: it is none. */
static size_t store_reach(const struct line *line, const char *base)
{
	static const struct {
		const char *start;
		size_t bytes;
	} stores[] = {
		{"\tmovaps\t%xmm", 16},
		{"\tmovups\t%xmm", 16},
		{"\tmovdqu\t%xmm", 16},
		{"\tmovq\t%", 8},
		{"\tmovl\t%", 4},
		{"\tmovl\t" PATTERN_INT ",", 4},
	};
	const char *comma = memchr(line->text, ',', line->len);
	size_t at, bytes = 0;
	int offset;

	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		if (starts(line, stores[i].start))
			bytes = stores[i].bytes;
	if (!comma || bytes == 0)
		return 0;
	at = (size_t)(comma - line->text) + 1;
	if (!skip_word(line, &at, " "))
		return 0;
	offset = number_at(line, &at);
	if (!skip_word(line, &at, "(") || !skip_word(line, &at, base) ||
		!skip_word(line, &at, ")") || at != line->len)
		return 0;
	return bytes + (size_t)(offset > 0 ? offset : 0);
}

/* "%rax" of "\tmovaps\t%xmm0, (%rax)", what an array's first store is. */
static bool read_base(const struct line *line, char base[static 8])
{
	const char *open = memchr(line->text, '(', line->len);
	size_t at, len;

	if (!starts(line, "\tmov") || !open || open[-1] != ' ')
		return false;
	at = (size_t)(open - line->text) + 1;
	len = line->len - at;
	if (len < 4 || len > 6 || line->text[line->len - 1] != ')' ||
		line->text[at] != '%')
		return false;
	memcpy(base, line->text + at, len - 1);
	base[len - 1] = '\0';
	return store_reach(line, base) > 0;
}

/*
 * An array that is set by a row of stores: behind them its elements are set
 * once more.  At -O0 no register that the call may change is in use between two
 * statements.
 */
static bool put_array(struct rewriter *w, const struct line *line)
{
	struct line next = peek(w);
	enum place_type type;
	size_t bytes = 0;
	char base[8];
	uint32_t site;

	if (!loads_pattern(w, line, "movdqa") &&
		!starts(line, "\tmovabsq\t" PATTERN_LONG ", "))
		return false;
	if (!read_base(&next, base))
		return false;
	put(w, line);
	for (size_t reach; (reach = store_reach(&next, base)) > 0;
		next = peek(w)) {
		bytes = reach > bytes ? reach : bytes;
		take(w);
	}
	site = add_site(w, &type);
	if (site && type != PLACE_OTHER)
		text_printf(w->out,
			"\tmovq\t%s, %%rdi\n\tmovl\t$%" PRIu32
			", %%esi\n\tmovl\t$%zu, %%edx\n\tcall\tgrader_poison\n",
			base, site | (type == PLACE_FLOAT ? FLOAT_FLAG : 0),
			bytes);
	return true;
}

/* An array that memset() is called for. */
static bool put_memset(struct rewriter *w, const struct line *line)
{
	struct line move = peek(w), call;
	enum place_type type;
	uint32_t site;

	if (!is(line, "\tmovl\t$254, %esi") || !starts(&move, "\tmovq\t") ||
		w->rest == w->end)
		return false;
	call = line_at(behind(&move, w->end), w->end);
	if (!is(&call, "\tcall\tmemset"))
		return false;
	site = add_site(w, &type);
	if (!site || type == PLACE_OTHER)
		return false;
	text_printf(w->out, "\tmovl\t$%" PRIu32 ", %%esi\n",
		site | (type == PLACE_FLOAT ? FLOAT_FLAG : 0));
	take(w);
	w->rest = behind(&call, w->end);
	text_puts(w->out, "\tcall\tgrader_poison\n");
	return true;
}

static bool put_long(struct rewriter *w, const struct line *line)
{
	static const char start[] = "\tmovabsq\t" PATTERN_LONG ", ";
	struct line next = peek(w);
	enum place_type type;
	uint32_t site;

	/* A long double is made of two. */
	if (!starts(line, start) || !starts(&next, "\tmovq\t%") ||
		next.text[next.len - 1] != ')' ||
		!memmem(next.text, next.len, "(%rbp)", 6))
		return false;
	site = add_site(w, &type);
	if (!site)
		return false;
	text_printf(w->out, "\tmovabsq\t$%" PRIu64 ", ",
		(uint64_t)ADDRESS_BASE | (uint64_t)site << ADDRESS_SHIFT);
	text_put(w->out, line->text + strlen(start), line->len - strlen(start));
	text_putc(w->out, '\n');
	return true;
}

static bool put_int(struct rewriter *w, const struct line *line)
{
	static const char start[] = "\tmovl\t" PATTERN_INT ", ";
	enum place_type type;
	uint32_t site;

	if (!starts(line, start))
		return false;
	site = add_site(w, &type);
	if (!site)
		return false;
	text_printf(w->out, "\tmovl\t$%" PRId32 ", ",
		(int32_t)(NUMBER_BASE | site << NUMBER_SHIFT));
	text_put(w->out, line->text + strlen(start), line->len - strlen(start));
	text_putc(w->out, '\n');
	return true;
}

static void put_constants(struct rewriter *w)
{
	if (w->n_doubles + w->n_floats == 0)
		return;
	text_puts(w->out, "\t.section\t.rodata\n\t.align 8\n");
	for (size_t i = 0; i < w->n_doubles; i++)
		text_printf(w->out, ".LGd%" PRIu32 ":\n\t.quad\t%" PRIu64 "\n",
			w->doubles[i],
			DOUBLE_BASE | (uint64_t)w->doubles[i] << SITE_SHIFT |
				ELEMENT_UNKNOWN);
	for (size_t i = 0; i < w->n_floats; i++)
		text_printf(w->out, ".LGf%" PRIu32 ":\n\t.long\t%" PRIu32 "\n",
			w->floats[i], FLOAT_BASE | w->floats[i]);
}

void poison_locals(struct poison *poison, const char *assembly, size_t len,
	const char *file, const struct places *places, struct text *out)
{
	struct rewriter w = {
		.poison = poison,
		.places = places,
		.out = out,
		.rest = assembly,
		.end = assembly + len,
	};

	find_patterns(&w);
	while (w.rest < w.end) {
		struct line line = peek(&w);

		w.rest = behind(&line, w.end);
		if (starts(&line, "\t.file "))
			read_file(&w, &line, file);
		else if (starts(&line, "\t.loc "))
			read_loc(&w, &line);
		if (!put_scalar(&w, &line) && !put_array(&w, &line) &&
			!put_memset(&w, &line) && !put_long(&w, &line) &&
			!put_int(&w, &line))
			put(&w, &line);
	}
	put_constants(&w);
}

/* Reading ----------------------------------------------------------------- */

uint32_t poison_site_of_double(uint64_t bits, int64_t *element_out)
{
	const uint64_t fixed = ~(SITE_MASK | FILL_QUIET_BIT | 0xffffffffu);
	uint32_t element = (uint32_t)bits;

	if ((bits & fixed & ~((uint64_t)1 << 63)) != DOUBLE_BASE)
		return 0;
	*element_out = element == ELEMENT_UNKNOWN ? -1 : (int64_t)element;
	return (uint32_t)((bits & SITE_MASK) >> SITE_SHIFT);
}

uint32_t poison_site_of_float(uint32_t bits)
{
	const uint32_t quiet = 1u << 22, sign = 1u << 31;
	uint32_t plain = bits & ~(quiet | sign);

	return (plain & ~(uint32_t)POISON_SITES_MAX) == FLOAT_BASE
		? plain & POISON_SITES_MAX
		: 0;
}

uint32_t poison_site_of_address(uint64_t address)
{
	/* Half of the distance between two, to either side. */
	uint64_t from = address - ADDRESS_BASE + (1u << (ADDRESS_SHIFT - 1));

	from >>= ADDRESS_SHIFT;
	return from <= POISON_SITES_MAX ? (uint32_t)from : 0;
}

uint32_t poison_site_of_number(int64_t number)
{
	const uint32_t mask = (uint32_t)POISON_SITES_MAX << NUMBER_SHIFT;
	uint32_t low = (uint32_t)number;
	int64_t high = number >> 32;

	if ((high == 0 || high == -1) && (low & ~mask) == NUMBER_BASE)
		return (low & mask) >> NUMBER_SHIFT;
	return number > 0 ? poison_site_of_address((uint64_t)number) : 0;
}
