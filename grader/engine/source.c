/* SPDX-License-Identifier: MIT */
#include "grader/engine/source.h"

#include "base/embedded.h"
#include "base/text.h"
#include "grader/engine/exercise.h"
#include "grader/engine/source_comment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, TAB = 8 };

/* Prototypes --------------------------------------------------------------- */

static bool is_flat(const struct parameter *parameter)
{
	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		if (parameter->dimensions[d].kind == DIMENSION_SPLICE)
			return true;
	}
	return parameter->nullable;
}

static void put_dimension(struct text *out, const struct function *function,
	const struct dimension *dimension)
{
	if (dimension->kind == DIMENSION_NUMBER)
		text_printf(out, "[%zu]", dimension->number);
	else
		text_printf(out, "[%s]",
			function->parameters[dimension->parameter].name);
}

void source_put_parameter(
	struct text *out, const struct function *function, size_t p)
{
	const struct parameter *parameter = &function->parameters[p];
	bool flat =
		parameter->is_array && !parameter->open && is_flat(parameter);

	text_printf(out, "%s%s %s%s",
		parameter->is_array && !parameter->output ? "const " : "",
		type_name(parameter->type), flat ? "*" : "", parameter->name);
	if (!parameter->is_array || flat)
		return;
	if (parameter->open) {
		text_puts(out, "[]");
		return;
	}
	for (size_t d = 0; d < parameter->n_dimensions; d++)
		put_dimension(out, function, &parameter->dimensions[d]);
}

static void put_start(struct text *out, const struct function *function)
{
	text_printf(out, "%s %s(",
		function->returns ? type_name(function->return_type) : "void",
		function->name);
	if (function->n_parameters == 0)
		text_puts(out, "void");
}

void source_put_prototype(struct text *out, const struct function *function)
{
	put_start(out, function);
	for (size_t p = 0; p < function->n_parameters; p++) {
		text_puts(out, p ? ", " : "");
		source_put_parameter(out, function, p);
	}
	text_putc(out, ')');
}

/* The same in lines of 80 columns, in a file that people read. */
static void put_wrapped_prototype(
	struct text *out, const struct function *function)
{
	size_t line = out->len;
	size_t indent = 0;

	put_start(out, function);
	for (size_t p = 0; p < function->n_parameters; p++) {
		struct text next = {0};

		source_put_parameter(&next, function, p);
		if (p > 0 &&
			indent + out->len - line + next.len + 4 > COLUMNS) {
			text_puts(out, ",\n");
			line = out->len;
			/* Two tabs: they are two bytes. */
			text_puts(out, "\t\t");
			indent = 2 * (size_t)TAB - 2;
		} else if (p > 0) {
			text_puts(out, ", ");
		}
		out->failed |= next.failed;
		if (next.data)
			text_puts(out, next.data);
		text_finish(&next);
	}
	text_putc(out, ')');
}

static void put_declarations(
	struct text *out, const struct function *functions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		put_wrapped_prototype(out, &functions[i]);
		text_puts(out, ";\n");
	}
}

/* Headers ------------------------------------------------------------------ */

static void put_parameter_table(
	struct text *out, const struct function *function)
{
	size_t width = function->returns ? strlen("returns") : 0;

	for (size_t p = 0; p < function->n_parameters; p++) {
		size_t len = strlen(function->parameters[p].name);

		width = len > width ? len : width;
	}
	for (size_t p = 0; p < function->n_parameters; p++)
		comment_put_entry(out, function->parameters[p].name,
			function->parameters[p].says, (int)width);
	if (function->returns)
		comment_put_entry(
			out, "returns", function->return_says, (int)width);
}

void source_put_header(struct text *out, const struct exercise *exercise)
{
	text_puts(out, "#ifndef GRADER_SOLVE_H\n#define GRADER_SOLVE_H\n\n");
	text_puts(out, "#include <stdbool.h>\n#include <stddef.h>\n");
	for (size_t i = 0; i < exercise->n_functions; i++) {
		text_puts(out, "\n/*\n");
		put_parameter_table(out, &exercise->functions[i]);
		text_puts(out, " */\n");
		put_declarations(out, &exercise->functions[i], 1);
	}
	text_puts(out, "\n#endif\n");
}

void source_put_exercise_header(
	struct text *out, const struct exercise *exercise)
{
	text_puts(out,
		"#ifndef GRADER_EXERCISE_H\n"
		"#define GRADER_EXERCISE_H\n\n"
		"#include <stdbool.h>\n"
		"#include <stddef.h>\n"
		"#include <stdint.h>\n\n");
	put_declarations(out, exercise->functions, exercise->n_functions);
	text_putc(out, '\n');
	put_declarations(out, exercise->references, exercise->n_functions);
	text_putc(out, '\n');
	put_declarations(out, exercise->generator_functions,
		exercise->n_generator_functions);
	text_putc(out, '\n');
	text_put(out, embedded_random,
		(size_t)(embedded_random_end - embedded_random));
	text_puts(out, "\n#endif\n");
}

/* The shim ----------------------------------------------------------------- */

static void put_argument(
	struct text *out, const struct parameter *parameter, size_t p)
{
	/* The cell's member; a bool becomes 0 or 1, whatever its byte is. */
	static const char *const scalars[] = {
		[TYPE_SIZE] = "values[%zu].bits",
		[TYPE_INT] = "(int)values[%zu].bits",
		[TYPE_DOUBLE] = "values[%zu].number",
		[TYPE_FLOAT] = "values[%zu].real",
		[TYPE_BOOL] = "values[%zu].byte != 0",
		[TYPE_CHAR] = "(char)values[%zu].bits",
		[TYPE_UINT64] = "values[%zu].bits",
	};
	const char *form = scalars[parameter->type];
	const char *number = strstr(form, "%zu");

	if (parameter->is_array) {
		text_printf(out, "values[%zu].pointer", p);
		return;
	}
	text_put(out, form, (size_t)(number - form));
	text_printf(out, "%zu%s", p, number + strlen("%zu"));
}

/* A void pointer fits every array: the prototype says which it is. */
static void put_call(
	struct text *out, const struct function *function, size_t index)
{
	static const char *const results[] = {
		[TYPE_SIZE] = "bits = ",
		[TYPE_INT] = "bits = (uint64_t)",
		[TYPE_DOUBLE] = "number = ",
		[TYPE_FLOAT] = "real = ",
		[TYPE_BOOL] = "bits = ",
		[TYPE_CHAR] = "bits = (uint64_t)",
		[TYPE_UINT64] = "bits = ",
	};

	text_printf(out, "\tcase %zu:\n\t\t", index);
	if (function->returns)
		text_printf(out, "values[%zu].%s", function->n_parameters,
			results[function->return_type]);
	text_printf(out, "%s(", function->name);
	for (size_t p = 0; p < function->n_parameters; p++) {
		text_puts(out, p ? ",\n\t\t\t" : "");
		put_argument(out, &function->parameters[p], p);
	}
	text_puts(out, ");\n\t\tbreak;\n");
}

static const char shim_start[] =
	"#include <stdbool.h>\n"
	"#include <stddef.h>\n"
	"#include <stdint.h>\n"
	"#include <stdio.h>\n"
	"\n"
	"union runner_value {\n"
	"\tuint64_t bits;\n"
	"\tvoid *pointer;\n"
	"\tdouble number;\n"
	"\tfloat real;\n"
	"\tuint8_t byte;\n"
	"};\n"
	"\n"
	"extern uint64_t grader_heap_pattern;\n"
	"_Noreturn void grader_run(void);\n"
	"int grader_main(int argc, char **argv, char **envp);\n"
	"void grader_call(uint32_t function, union runner_value *values);\n"
	"\n"
	"void *__real_malloc(size_t size);\n"
	"void *__real_realloc(void *block, size_t size);\n"
	"void __real_free(void *block);\n"
	"void *__wrap_malloc(size_t size);\n"
	"void *__wrap_calloc(size_t count, size_t size);\n"
	"void *__wrap_realloc(void *block, size_t size);\n"
	"void __wrap_free(void *block);\n"
	"\n";

/*
 * How long a block is has to be known when it grows.  No libc is asked: blocks
 * may come from an allocator of the learner's own.  Of the blocks in use, a
 * table holds those that have found a place; of others the grown part stays as
 * it is.  A block of calloc() is cleared here, not by libc's own: that trusts
 * fresh memory to be zero, and it comes through __wrap_malloc().
 */
static const char shim_end[] =
	"static struct {\n"
	"\tvoid *block;\n"
	"\tsize_t size;\n"
	"} grader_blocks[2048];\n"
	"\n"
	"static size_t grader_place(const void *block, const void *wanted)\n"
	"{\n"
	"\tsize_t at = (size_t)((uintptr_t)block / 16 * 2654435761u);\n"
	"\n"
	"\tfor (size_t i = 0; i < 16; i++) {\n"
	"\t\tif (grader_blocks[(at + i) % 2048].block == wanted)\n"
	"\t\t\treturn (at + i) % 2048;\n"
	"\t}\n"
	"\treturn 2048;\n"
	"}\n"
	"\n"
	"static size_t grader_forget(void *block)\n"
	"{\n"
	"\tsize_t place = block ? grader_place(block, block) : 2048;\n"
	"\n"
	"\tif (place == 2048)\n"
	"\t\treturn SIZE_MAX;\n"
	"\tgrader_blocks[place].block = NULL;\n"
	"\treturn grader_blocks[place].size;\n"
	"}\n"
	"\n"
	"static void grader_remember(void *block, size_t size)\n"
	"{\n"
	"\tsize_t place = grader_place(block, block);\n"
	"\n"
	"\tif (place == 2048)\n"
	"\t\tplace = grader_place(block, NULL);\n"
	"\tif (place == 2048)\n"
	"\t\treturn;\n"
	"\tgrader_blocks[place].block = block;\n"
	"\tgrader_blocks[place].size = size;\n"
	"}\n"
	"\n"
	"static void grader_fill(\n"
	"\tvoid *block, size_t from, size_t to, uint64_t pattern)\n"
	"{\n"
	"\tvolatile unsigned char *bytes = block;\n"
	"\tvolatile uint64_t *words = block;\n"
	"\n"
	"\tfor (; from < to && from % 8 != 0; from++)\n"
	"\t\tbytes[from] = (unsigned char)(pattern >> from % 8 * 8);\n"
	"\tfor (; to - from >= 8 && from < to; from += 8)\n"
	"\t\twords[from / 8] = pattern;\n"
	"\tfor (; from < to; from++)\n"
	"\t\tbytes[from] = (unsigned char)(pattern >> from % 8 * 8);\n"
	"}\n"
	"\n"
	"void *__wrap_malloc(size_t size)\n"
	"{\n"
	"\tvoid *block = __real_malloc(size);\n"
	"\n"
	"\tif (block) {\n"
	"\t\tgrader_fill(block, 0, size, grader_heap_pattern);\n"
	"\t\tgrader_remember(block, size);\n"
	"\t}\n"
	"\treturn block;\n"
	"}\n"
	"\n"
	"void *__wrap_calloc(size_t count, size_t size)\n"
	"{\n"
	"\tsize_t bytes;\n"
	"\tvoid *block;\n"
	"\n"
	"\tif (__builtin_mul_overflow(count, size, &bytes))\n"
	"\t\tbytes = SIZE_MAX;\n"
	"\tblock = __real_malloc(bytes);\n"
	"\tif (block) {\n"
	"\t\tgrader_fill(block, 0, bytes, 0);\n"
	"\t\tgrader_remember(block, bytes);\n"
	"\t}\n"
	"\treturn block;\n"
	"}\n"
	"\n"
	"void *__wrap_realloc(void *block, size_t size)\n"
	"{\n"
	"\tsize_t had = block ? grader_forget(block) : 0;\n"
	"\tvoid *grown = __real_realloc(block, size);\n"
	"\n"
	"\tif (grown && had != SIZE_MAX) {\n"
	"\t\tif (size > had)\n"
	"\t\t\tgrader_fill(grown, had, size, grader_heap_pattern);\n"
	"\t\tgrader_remember(grown, size);\n"
	"\t} else if (block && size > 0 && had != SIZE_MAX) {\n"
	"\t\tgrader_remember(block, had);\n"
	"\t}\n"
	"\treturn grown;\n"
	"}\n"
	"\n"
	"void __wrap_free(void *block)\n"
	"{\n"
	"\tgrader_forget(block);\n"
	"\t__real_free(block);\n"
	"}\n"
	"\n"
	"int grader_main(int argc, char **argv, char **envp)\n"
	"{\n"
	"\t(void)argc;\n"
	"\t(void)argv;\n"
	"\t(void)envp;\n"
	"\tsetvbuf(stdout, NULL, _IONBF, 0);\n"
	"\tsetvbuf(stderr, NULL, _IONBF, 0);\n"
	"\tgrader_run();\n"
	"}\n";

void source_put_shim(
	struct text *out, const struct function *functions, size_t count)
{
	text_puts(out, shim_start);
	put_declarations(out, functions, count);
	text_puts(out,
		"\nvoid grader_call(uint32_t function, "
		"union runner_value *values)\n"
		"{\n"
		"\tswitch (function) {\n");
	for (size_t i = 0; i < count; i++)
		put_call(out, &functions[i], i);
	text_puts(out, "\t}\n}\n\n");
	text_puts(out, shim_end);
}

/* The starter -------------------------------------------------------------- */

static void put_steps(
	struct text *out, const struct exercise *exercise, const char *indent)
{
	for (size_t i = 0; i < exercise->n_steps; i++) {
		struct text step = {0};

		text_printf(&step, "%zu. %s", i + 1, exercise->steps[i]);
		comment_put(out, indent, step.data ? step.data : "");
		out->failed |= step.failed;
		text_finish(&step);
		if (i + 1 < exercise->n_steps)
			text_putc(out, '\n');
	}
}

void source_put_starter(struct text *out, const struct exercise *exercise)
{
	bool alone = exercise->n_functions == 1;

	text_puts(out, "/*\n");
	comment_put_lines(out, " * ", exercise->title);
	text_puts(out, " *\n");
	comment_put_lines(out, " * ", exercise->summary);
	text_puts(out,
		" *\n"
		" * To try it:    cc -g -o try try.c solve.c -lm && ./try\n");
	text_printf(out, " * To grade it:  grader grade %s solve.c\n",
		exercise->name);
	text_puts(out, " */\n#include \"solve.h\"\n\n#include <math.h>\n");
	if (!alone && exercise->n_steps > 0) {
		text_putc(out, '\n');
		put_steps(out, exercise, "");
	}
	for (size_t i = 0; i < exercise->n_functions; i++) {
		const struct function *function = &exercise->functions[i];

		text_puts(out, "\n/*\n");
		put_parameter_table(out, function);
		text_puts(out, " */\n");
		put_wrapped_prototype(out, function);
		text_puts(out, "\n{\n");
		if (alone)
			put_steps(out, exercise, "\t");
		if (function->returns)
			text_puts(out, "\treturn 0;\n");
		text_puts(out, "}\n");
	}
}
