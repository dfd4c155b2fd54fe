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
	if (exercise->mistaken) {
		put_declarations(
			out, exercise->mistaken, exercise->n_functions);
		text_putc(out, '\n');
	}
	if (exercise->explainers) {
		put_declarations(
			out, exercise->explainers, 2 * exercise->n_functions);
		text_putc(out, '\n');
	}
	text_put(out, embedded_random,
		(size_t)(embedded_random_end - embedded_random));
	text_puts(out, "\n#endif\n");
}

/* The shim ----------------------------------------------------------------- */

void source_put_argument(
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
		source_put_argument(out, &function->parameters[p], p);
	}
	text_puts(out, ");\n\t\tbreak;\n");
}

/* Of each output whose elements can be told apart: a call of that function. */
static void put_output_calls(struct text *out, const struct function *function,
	size_t index, const char *called)
{
	text_printf(out, "\tcase %zu:\n", index);
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];
		bool spliced = parameter->n_dimensions == 0;

		for (size_t i = 0; i < parameter->n_dimensions; i++)
			spliced |= parameter->dimensions[i].kind ==
				DIMENSION_SPLICE;
		if (!parameter->output || parameter->type != TYPE_DOUBLE ||
			spliced)
			continue;
		text_printf(out, "\t\t%s(values[%zu].pointer, 1", called, p);
		for (size_t i = 0; i < parameter->n_dimensions; i++) {
			const struct dimension *d = &parameter->dimensions[i];

			if (d->kind == DIMENSION_NUMBER)
				text_printf(out, " * %zu", d->number);
			else
				text_printf(out, " * values[%zu].bits",
					d->parameter);
		}
		text_printf(out, ", %zu);\n", p);
	}
	text_puts(out, "\t\tbreak;\n");
}

static void put_all_output_calls(struct text *out,
	const struct function *functions, size_t count, const char *name,
	const char *called)
{
	text_printf(out,
		"\nvoid %s(uint32_t function, union runner_value *values)\n"
		"{\n"
		"\tswitch (function) {\n",
		name);
	for (size_t i = 0; i < count; i++)
		put_output_calls(out, &functions[i], i, called);
	text_puts(out, "\t}\n}\n");
}

static void put_calls(
	struct text *out, const struct function *functions, size_t count)
{
	text_putc(out, '\n');
	put_declarations(out, functions, count);
	text_puts(out,
		"\nvoid grader_call(uint32_t function, "
		"union runner_value *values)\n"
		"{\n"
		"\tswitch (function) {\n");
	for (size_t i = 0; i < count; i++)
		put_call(out, &functions[i], i);
	text_puts(out, "\t}\n}\n");
}

void source_put_shim(
	struct text *out, const struct function *functions, size_t count)
{
	text_put(out, embedded_shim,
		(size_t)(embedded_shim_end - embedded_shim));
	put_calls(out, functions, count);
}

void source_put_checked_shim(
	struct text *out, const struct function *functions, size_t count)
{
	text_put(out, embedded_shim_checked,
		(size_t)(embedded_shim_checked_end - embedded_shim_checked));
	put_calls(out, functions, count);
	put_all_output_calls(out, functions, count, "grader_number_outputs",
		"grader_number_output");
	put_all_output_calls(out, functions, count, "grader_restore_outputs",
		"grader_restore_output");
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
		" * To try it:    cc -g try.c solve.c -lm && ./a.out\n");
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
