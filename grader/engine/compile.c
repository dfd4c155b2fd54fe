/* SPDX-License-Identifier: MIT */
#include "grader/engine/compile.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/text.h"
#include "grader/engine/cache.h"
#include "grader/engine/compile_tool.h"
#include "grader/engine/elf.h"
#include "grader/engine/hash.h"
#include "grader/engine/lines.h"
#include "grader/engine/places.h"
#include "grader/engine/poison.h"
#include "grader/engine/program.h"
#include "grader/engine/signature.h"
#include "grader/engine/tools.h"
#include "sandbox/sandbox.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MIB ((uint64_t)1 << 20)

/* Whatever the source is called, its results are called this. */
#define ASSEMBLY "learner.s"
#define POISONED "checked.s"
#define OBJECT "learner.o"
#define PROGRAM "program"

/*
 * Keeps the learner's code apart: by this it has a section of its own, the
 * rest of the linker's own script stays as it is.
 */
static const char link_script[] =
	"SECTIONS { " PROGRAM_LEARNER_SECTION " : { " OBJECT
	"(.text .text.* .init .fini) } } INSERT AFTER .text;\n";

/* Static glibc calls this, and has it only where crt1.o is linked. */
static const char glibc_extra[] = "\n__attribute__((visibility(\"hidden\")))\n"
				  "void _dl_relocate_static_pie(void);\n"
				  "void _dl_relocate_static_pie(void)\n{\n}\n";

/* The flags that are no matter of the language: nobody need read them. */
static const char *const cc1_flags[] = {
	"-quiet",
	"-nostdinc",
	"-mtune=generic",
	"-march=x86-64",
	"-fno-pie",
	"-fcf-protection=none",
	"-gdwarf-4",
	/* Every call leaves a frame: the way from a crash in libc's free()
	   through the shim's wrapper to the learner's line can be followed. */
	"-fno-optimize-sibling-calls",
	/* One line of ASCII for each diagnostic, without the source, which
	   may be another file's (#line). */
	"-fno-diagnostics-show-caret",
	"-fdiagnostics-color=never",
	"-fdiagnostics-urls=never",
	"-fdiagnostics-column-unit=byte",
	"-fmessage-length=0",
	"-fmax-errors=50",
	"-ftrack-macro-expansion=0",
	NULL,
};

/*
 * What BUILD_CHECKED adds: arrays that are set by memset(), so that poison.c
 * finds them, and no red zone, so that it can add calls.  A compiler that does
 * not know all of it makes no such build.
 */
static const char *const checked_flags[] = {
	"-w",
	"-mno-red-zone",
	"-mmemset-strategy=libcall:-1:noalign",
	"-ftrivial-auto-var-init=pattern",
	"-fsanitize=bounds,integer-divide-by-zero",
	NULL,
};

static void cleanup_file(struct work_file *file)
{
	free(file->data);
}

static void cleanup_work_dir(struct work_dir **work)
{
	sandbox_return_work_dir(*work);
}

/* Objects ----------------------------------------------------------------- */

/* One C file that is to become an object. */
struct unit {
	const char *name;
	const char *text;
	size_t len;
	const char *header_name; /* NULL: none */
	const char *header;
	size_t header_len;
	const char *level;       /* "-O1" */
	const char *const *more; /* flags; NULL: none */
	struct poison *poison;   /* NULL: variables are as they are */
};

static bool run_cc1(struct builder *builder, const struct unit *unit,
	struct work_dir *work, bool *good_out)
{
	const char *const *dir = builder->toolchain->include_dirs;
	struct arguments arguments = {.builder = builder};

	arguments_add(&arguments, "cc1");
	arguments_add_list(&arguments, cc1_flags);
	arguments_add_list(&arguments, toolchain_flags);
	arguments_add_list(&arguments, builder->toolchain->own_flags);
	arguments_add(&arguments, unit->level);
	if (unit->more)
		arguments_add_list(&arguments, unit->more);
	for (; *dir; dir++) {
		arguments_add(&arguments, "-isystem");
		arguments_add(&arguments, *dir);
	}
	if (unit->header_name) {
		arguments_add(&arguments, "-include");
		arguments_add(&arguments, unit->header_name);
	}
	arguments_add(&arguments, "-o");
	arguments_add(&arguments, ASSEMBLY);
	arguments_add(&arguments, unit->name);
	return builder_run(
		builder, TOOL_CC1, work, ASSEMBLY, &arguments, good_out);
}

static bool run_as(struct builder *builder, struct work_dir *work,
	const char *assembly, bool *good_out)
{
	static const char *const words[] = {
		"as", "--64", "--noexecstack", "-o", OBJECT, NULL};
	struct arguments arguments = {.builder = builder};

	arguments_add_list(&arguments, words);
	arguments_add(&arguments, assembly);
	return builder_run(
		builder, TOOL_AS, work, OBJECT, &arguments, good_out);
}

/* A tool that says it succeeded and left nothing was taken over. */
static bool take_result(struct builder *builder, struct work_dir *work,
	const char *name, struct work_file *out, bool *good_out)
{
	CLEANUP(cleanup_text) struct text sentence = {0};

	if (!work_dir_take(work, name, PROGRAM_BYTES_MAX, out, builder->err))
		return false;
	*good_out = out->found;
	text_puts(&sentence, "the compiler made nothing of this file");
	return out->found || builder_say(builder, &sentence);
}

/* Makes POISONED of what cc1 left. */
static bool poison(struct builder *builder, const struct unit *unit,
	struct work_dir *work, bool *good_out)
{
	CLEANUP(cleanup_file) struct work_file assembly = {0};
	CLEANUP(cleanup_text) struct text poisoned = {0};
	struct places places;

	if (!work_dir_take(
		    work, ASSEMBLY, CHECKED_BYTES_MAX, &assembly, builder->err))
		return false;
	*good_out = assembly.found;
	if (!assembly.found)
		return true;
	/* Under #line the places in it are not those of the source. */
	if (!places_read(&places, unit->text,
		    builder->list.source.renumbered ? 0 : unit->len,
		    builder->arena, builder->err))
		return false;
	poison_locals(unit->poison, assembly.data, assembly.len, unit->name,
		&places, &poisoned);
	return text_check(&poisoned, builder->err) &&
		work_dir_put(work, POISONED, poisoned.data, poisoned.len,
			builder->err);
}

/* In a folder of its own.  *good_out is false if the C is to blame. */
static bool build_object(struct builder *builder, const struct unit *unit,
	struct work_file *object_out, bool *good_out)
{
	CLEANUP(cleanup_work_dir)
	struct work_dir *work = sandbox_take_work_dir(builder->tools->sandbox);
	bool good;

	if (!work_dir_put(
		    work, unit->name, unit->text, unit->len, builder->err))
		return false;
	if (unit->header_name &&
		!work_dir_put(work, unit->header_name, unit->header,
			unit->header_len, builder->err))
		return false;
	if (!run_cc1(builder, unit, work, &good))
		return false;
	if (good && unit->poison && !poison(builder, unit, work, &good))
		return false;
	if (good &&
		!run_as(builder, work, unit->poison ? POISONED : ASSEMBLY,
			&good))
		return false;
	if (good && !take_result(builder, work, OBJECT, object_out, &good))
		return false;
	*good_out = good;
	return true;
}

/* The shim ---------------------------------------------------------------- */

static void hash_toolchain(struct builder *builder, struct hash *hash)
{
	hash_add_string(hash, builder->toolchain->identity);
	for (const char *const *flag = cc1_flags; *flag; flag++)
		hash_add_string(hash, *flag);
	for (const char *const *flag = toolchain_flags; *flag; flag++)
		hash_add_string(hash, *flag);
}

static void shim_key(struct builder *builder, const struct text *shim,
	char key[static HASH_HEX_BYTES])
{
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, "grader/shim/1");
	hash_toolchain(builder, &hash);
	hash_add(&hash, shim->data, shim->len);
	hash_hex(&hash, key);
}

/* The shim is ours: that it does not compile is our fault. */
static bool build_shim(struct builder *builder, const struct text *shim,
	struct work_file *object)
{
	const struct unit unit = {
		.name = "shim.c",
		.text = shim->data,
		.len = shim->len,
		.level = "-O2",
	};
	struct builder own = *builder;
	struct source_file source;
	bool good;

	source = source_file_of(unit.name, shim->data, shim->len);
	if (!diagnostic_list_init(&own.list, &source, own.arena, own.err) ||
		!build_object(&own, &unit, object, &good))
		return false;
	if (good)
		return true;
	for (size_t i = 0; i < own.list.count; i++)
		if (own.list.items[i].severity == SEVERITY_ERROR)
			return error_set(own.err, ERROR_SYSTEM,
				"cannot build what calls the functions: "
				"shim.c:%d: %.200s",
				own.list.items[i].line,
				own.list.items[i].message);
	return error_set(
		own.err, ERROR_SYSTEM, "cannot build what calls the functions");
}

static bool get_shim(struct builder *builder, struct work_file *object)
{
	CLEANUP(cleanup_text) struct text shim = {0};
	char key[HASH_HEX_BYTES];

	text_put(&shim, builder->request->shim, builder->request->shim_len);
	if (builder->toolchain->libc == LIBC_GLIBC)
		text_puts(&shim, glibc_extra);
	if (!text_check(&shim, builder->err))
		return false;
	shim_key(builder, &shim, key);
	if (cache_get(builder->tools->cache_dir, key, PROGRAM_BYTES_MAX,
		    &object->data, &object->len))
		return true;
	if (!build_shim(builder, &shim, object))
		return false;
	cache_put(builder->tools->cache_dir, key, object->data, object->len);
	return true;
}

/* The program ------------------------------------------------------------- */

/* Every function __wrap_x of the shim stands in for x. */
static bool add_wraps(struct arguments *arguments, const struct work_file *shim)
{
	static const char prefix[] = "__wrap_";
	struct builder *builder = arguments->builder;
	struct elf elf;
	size_t count;

	if (!elf_open(&elf, shim->data, shim->len))
		return error_set(builder->err, ERROR_SYSTEM,
			"what calls the functions was built wrong");
	count = elf_n_symbols(&elf);
	for (size_t i = 0; i < count; i++) {
		struct elf_symbol symbol;
		char option[64];

		if (!elf_symbol(&elf, i, &symbol) || !symbol.defined ||
			strncmp(symbol.name, prefix, strlen(prefix)) != 0)
			continue;
		snprintf(option, sizeof(option), "--wrap=%s",
			symbol.name + strlen(prefix));
		arguments_add(arguments, option);
	}
	return true;
}

/*
 * muldefs: what the learner defines, libc's is not linked for, even where it
 * comes along with something else.  The runner and the shim stand in front.
 */
static bool run_ld(struct builder *builder, const struct work_file *shim,
	struct work_dir *work, bool *good_out)
{
	static const char *const first[] = {"ld", "-m", "elf_x86_64", "-static",
		"-nostdlib", "-e", "grader_start", "-z", "noexecstack", "-z",
		"muldefs", "--build-id=none", "-T", "learner.ld", "-o", PROGRAM,
		NULL};
	static const char *const objects[] = {
		"runner.o", "shim.o", OBJECT, "--start-group", NULL};
	struct arguments arguments = {.builder = builder};

	arguments_add_list(&arguments, first);
	/* Static glibc refers to it by name. */
	if (builder->toolchain->libc == LIBC_GLIBC)
		arguments_add(&arguments, "--defsym=_start=grader_start");
	if (!add_wraps(&arguments, shim))
		return false;
	arguments_add_list(&arguments, builder->toolchain->start_files);
	arguments_add_list(&arguments, objects);
	arguments_add_list(&arguments, builder->toolchain->libraries);
	arguments_add(&arguments, "--end-group");
	arguments_add_list(&arguments, builder->toolchain->end_files);
	return builder_run(
		builder, TOOL_LD, work, PROGRAM, &arguments, good_out);
}

/* In a folder that neither cc1 nor as has had its hands on. */
static bool link_program(struct builder *builder, const struct work_file *shim,
	const struct work_file *object, struct work_file *program_out,
	bool *good_out)
{
	CLEANUP(cleanup_work_dir)
	struct work_dir *work = sandbox_take_work_dir(builder->tools->sandbox);
	size_t runner_len;
	const void *runner = sandbox_runner_object(&runner_len);
	const struct {
		const char *name;
		const void *data;
		size_t len;
	} files[] = {
		{"learner.ld", link_script, sizeof(link_script) - 1},
		{"runner.o", runner, runner_len},
		{"shim.o", shim->data, shim->len},
		{OBJECT, object->data, object->len},
	};
	bool good;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (!work_dir_put(work, files[i].name, files[i].data,
			    files[i].len, builder->err))
			return false;
	if (!run_ld(builder, shim, work, &good))
		return false;
	if (good && !take_result(builder, work, PROGRAM, program_out, &good))
		return false;
	*good_out = good;
	return true;
}

/* What the addresses of struct program come from must not be there twice. */
static bool check_names(
	struct builder *builder, const struct elf *object, bool *good_out)
{
	static const char prefix[] = "grader_";
	size_t count = elf_n_symbols(object);

	for (size_t i = 0; i < count; i++) {
		CLEANUP(cleanup_text) struct text sentence = {0};
		struct elf_symbol symbol;

		if (!elf_symbol(object, i, &symbol) || !symbol.defined ||
			strncmp(symbol.name, prefix, strlen(prefix)) != 0)
			continue;
		*good_out = false;
		text_printf(&sentence,
			"%s: names that start with %s are the grader's own",
			symbol.name, prefix);
		return builder_say(builder, &sentence);
	}
	return true;
}

static bool check_object(
	struct builder *builder, const struct work_file *object, bool *good_out)
{
	CLEANUP(cleanup_text) struct text sentence = {0};
	struct elf elf;
	bool good;

	if (!elf_open(&elf, object->data, object->len)) {
		*good_out = false;
		text_puts(&sentence,
			"what the assembler makes of this file cannot be read "
			"(has it thousands of sections?)");
		return builder_say(builder, &sentence);
	}
	if (!signature_check_object(&builder->list, &elf, builder->request,
		    &good, builder->err) ||
		!check_names(builder, &elf, &good))
		return false;
	/* The linker would fail, in words that nobody understands. */
	if (elf_memory(&elf) > ELF_IMAGE_MAX) {
		good = false;
		text_printf(&sentence,
			"the variables of this file take more than %d MiB",
			(int)(ELF_IMAGE_MAX / MIB));
		if (!builder_say(builder, &sentence))
			return false;
	}
	*good_out = good;
	return true;
}

static bool load(struct builder *builder, const struct work_file *data,
	struct program *program_out, bool *good_out)
{
	CLEANUP(cleanup_text) struct text sentence = {0};
	const char *refused;

	if (!program_load(data->data, data->len, builder->request, program_out,
		    &refused, builder->err))
		return false;
	*good_out = !refused;
	if (!refused)
		return true;
	text_printf(&sentence, "the program is not run: %s", refused);
	return builder_say(builder, &sentence);
}

static bool compile_learner(
	struct builder *builder, struct work_file *object, bool *good_out)
{
	const struct build_request *request = builder->request;
	static const char *const levels[] = {
		[BUILD_LEARNER] = "-O1",
		[BUILD_EXERCISE] = "-O2",
		[BUILD_CHECKED] = "-O0",
	};
	const struct unit unit = {
		.name = builder->source_name,
		.text = request->source,
		.len = request->source_len,
		.header_name = request->header_name,
		.header = request->header,
		.header_len = request->header_len,
		.level = levels[request->kind],
		.more = builder->poison ? checked_flags : NULL,
		.poison = builder->poison,
	};
	bool good;

	if (!build_object(builder, &unit, object, &good))
		return false;
	if (!good &&
		!signature_explain(&builder->list, request->functions,
			request->n_functions, builder->err))
		return false;
	if (good && !check_object(builder, object, &good))
		return false;
	*good_out = good;
	return true;
}

static void program_key(
	struct builder *builder, char key[static HASH_HEX_BYTES])
{
	const struct build_request *request = builder->request;
	size_t runner_len;
	const void *runner = sandbox_runner_object(&runner_len);
	struct hash hash;

	hash_init(&hash);
	hash_add_string(&hash, "grader/program/1");
	hash_toolchain(builder, &hash);
	hash_add(&hash, link_script, sizeof(link_script));
	hash_add(&hash, runner, runner_len);
	hash_add_string(&hash, builder->source_name);
	hash_add(&hash, request->source, request->source_len);
	hash_add_string(&hash, request->header_name);
	hash_add(&hash, request->header, request->header_len);
	hash_add(&hash, request->shim, request->shim_len);
	hash_hex(&hash, key);
}

/* An entry that is not to be run is one that is not there. */
static bool load_cached(
	struct builder *builder, const char *key, struct program *program_out)
{
	CLEANUP(cleanup_file) struct work_file data = {0};
	struct error ignored;
	const char *refused;

	return cache_get(builder->tools->cache_dir, key, PROGRAM_BYTES_MAX,
		       &data.data, &data.len) &&
		program_load(data.data, data.len, builder->request, program_out,
			&refused, &ignored) &&
		!refused;
}

static bool build_program(struct builder *builder, const char *key,
	struct program *program_out, bool *good_out)
{
	CLEANUP(cleanup_file) struct work_file shim = {0};
	CLEANUP(cleanup_file) struct work_file object = {0};
	CLEANUP(cleanup_file) struct work_file data = {0};
	bool good;

	if (!get_shim(builder, &shim) ||
		!compile_learner(builder, &object, &good))
		return false;
	if (good && !link_program(builder, &shim, &object, &data, &good))
		return false;
	if (good && !load(builder, &data, program_out, &good))
		return false;
	if (good && key)
		cache_put(builder->tools->cache_dir, key, data.data, data.len);
	*good_out = good;
	return true;
}

/* The name as it is, if no tool could take it for something else. */
static void choose_source_name(
	const char *name, char out[static SOURCE_NAME_MAX])
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	size_t len = strlen(name);
	bool good = len > 2 && len < SOURCE_NAME_MAX &&
		strspn(name, safe) == len && name[0] != '-' && name[0] != '.' &&
		strcmp(name + len - 2, ".c") == 0;

	snprintf(out, SOURCE_NAME_MAX, "%s", good ? name : "solve.c");
}

bool compile_program(const struct tools *tools,
	const struct build_request *request, struct arena *arena,
	struct build *build_out, struct error *err)
{
	struct builder builder = {
		.tools = tools,
		.toolchain = &tools->toolchain,
		.request = request,
		.arena = arena,
		.err = err,
	};
	struct build build = {.program = {.fd = -1}};
	bool whole = request->kind == BUILD_EXERCISE;
	struct source_file source;
	char key[HASH_HEX_BYTES];

	if (request->kind == BUILD_CHECKED) {
		builder.poison =
			arena_alloc(arena, 1, sizeof(*builder.poison), err);
		if (!builder.poison)
			return false;
	}
	choose_source_name(request->source_name, builder.source_name);
	source = source_file_of(
		builder.source_name, request->source, request->source_len);
	if (!diagnostic_list_init(&builder.list, &source, arena, err))
		return false;
	program_key(&builder, key);
	build.cached = whole && load_cached(&builder, key, &build.program);
	build.ok = build.cached;
	if (!build.cached &&
		!build_program(&builder, whole ? key : NULL, &build.program,
			&build.ok))
		return false;
	build.diagnostics = builder.list.items;
	build.n_diagnostics = builder.list.count;
	build.diagnostics_cut = builder.cut || builder.list.cut;
	build.poison = builder.poison;
	*build_out = build;
	return true;
}

static int find_line(
	const struct program *program, const char *name, uint64_t pc)
{
	struct stat info;
	struct elf elf;
	void *data;
	int line = 0;

	if (fstat(program->fd, &info) != 0)
		return 0;
	data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE,
		program->fd, 0);
	if (data == MAP_FAILED)
		return 0;
	if (elf_open(&elf, data, (size_t)info.st_size))
		line = lines_find(&elf, name, pc);
	munmap(data, (size_t)info.st_size);
	return line;
}

int compile_find_line(const struct program *program,
	const struct build_request *request, uint64_t pc)
{
	char name[SOURCE_NAME_MAX];
	struct source_file source;
	int line;

	if (pc < program->learner_start || pc >= program->learner_end)
		return 0;
	choose_source_name(request->source_name, name);
	source = source_file_of(name, request->source, request->source_len);
	if (source.renumbered)
		return 0;
	line = find_line(program, name, pc);
	return source_file_has_line(&source, line) ? line : 0;
}
