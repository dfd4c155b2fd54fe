/* SPDX-License-Identifier: MIT */
#include "grader/engine/shrink.h"

#include "base/arena.h"
#include "base/error.h"
#include "grader/engine/shrink_number.h"

#include <math.h>
#include <string.h>

enum {
	BATCH_MAX = 64,        /* candidates of one round */
	BATCH_BYTES = 8 << 20, /* of all their arrays */
	SINGLES_MAX = 8,       /* so many rows are tried one by one */
	ELEMENTS_MAX = 256,    /* of an array whose elements are tried */
	ZEROED_MAX = 64,       /* parts of an array that are tried with 0 */
};

struct shrinking {
	const struct shrink_request *request;
	const struct function *function;
	struct arena *arena;
	struct shrink_case now;
	size_t rounds;
};

/* What a batch is made of, while it is put together. */
struct batch {
	struct arena *arena;
	struct shrink_case cases[BATCH_MAX];
	size_t count;
	size_t bytes;
};

/* Cases -------------------------------------------------------------------- */

static bool is_input_array(const struct function *function, size_t p)
{
	return function->parameters[p].is_array &&
		!function->parameters[p].output;
}

static size_t bytes_of(
	const struct function *function, const struct value *arguments)
{
	size_t bytes = 0;

	for (size_t p = 0; p < function->n_parameters; p++)
		bytes += arguments[p].count *
			type_bytes(function->parameters[p].type);
	return bytes;
}

/* A copy of all that is in it. */
static bool copy_case(const struct function *function,
	const struct shrink_case *from, struct arena *arena,
	struct shrink_case *out, struct error *err)
{
	size_t n = function->n_parameters;

	out->repeat = from->repeat;
	out->arguments = arena_alloc(arena, n, sizeof(*out->arguments), err);
	if (!out->arguments)
		return false;
	memcpy(out->arguments, from->arguments, n * sizeof(*out->arguments));
	for (size_t p = 0; p < n; p++) {
		struct value *value = &out->arguments[p];

		if (!is_input_array(function, p) || value->is_null)
			continue;
		value->data = arena_copy(arena, from->arguments[p].data,
			value->count * type_bytes(function->parameters[p].type),
			err);
		if (!value->data)
			return false;
	}
	return true;
}

/* Of two cases whose sizes may differ. */
static bool same_case(const struct function *function,
	const struct shrink_case *a, const struct shrink_case *b)
{
	if (a->repeat != b->repeat)
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct value *one = &a->arguments[p];
		const struct value *other = &b->arguments[p];
		size_t bytes =
			one->count * type_bytes(function->parameters[p].type);

		if (one->is_null != other->is_null ||
			one->count != other->count ||
			one->number != other->number ||
			one->real != other->real)
			return false;
		if (is_input_array(function, p) && !one->is_null &&
			memcmp(one->data, other->data, bytes) != 0)
			return false;
	}
	return true;
}

/* Rounds ------------------------------------------------------------------- */

static bool batch_start(struct batch *batch, struct error *err)
{
	batch->arena = arena_create(err);
	batch->count = 0;
	batch->bytes = 0;
	return batch->arena;
}

/* One more candidate, which is as the case is now. */
static struct shrink_case *batch_add(
	struct batch *batch, const struct shrinking *s, struct error *err)
{
	struct shrink_case *added = &batch->cases[batch->count];

	if (!copy_case(s->function, &s->now, batch->arena, added, err))
		return NULL;
	batch->bytes += bytes_of(s->function, added->arguments);
	batch->count++;
	return added;
}

static bool batch_is_full(const struct batch *batch)
{
	return batch->count == BATCH_MAX || batch->bytes > BATCH_BYTES;
}

/* Takes the first candidate that fails, and empties the batch. */
static bool batch_try(struct batch *batch, struct shrinking *s, bool *found_out,
	struct error *err)
{
	size_t found = batch->count;
	bool good = true;

	if (batch->count > 0 && s->rounds < s->request->rounds_max) {
		s->rounds++;
		good = s->request->test(s->request->context, batch->cases,
			batch->count, batch->arena, &found, err);
		*found_out = good && found < batch->count;
	}
	if (good && *found_out)
		good = copy_case(s->function, &batch->cases[found], s->arena,
			&s->now, err);
	arena_destroy(batch->arena);
	batch->arena = NULL;
	return good;
}

/* A size: a scalar, or one element of a list that is spliced. */
struct site {
	size_t parameter;
	size_t element; /* SIZE_MAX: a scalar */
};

/*
 * One kind of step: make() changes a copy of the case in way number k, and says
 * whether there is such a way.  All ways are tried, in order, until one fails.
 */
struct step {
	bool (*make)(const struct step *step, size_t k,
		struct shrink_case *candidate, struct arena *arena,
		bool *made_out, struct error *err);
	const struct shrinking *shrinking;
	size_t parameter;
	size_t element; /* of a list of sizes, or of an array's elements */
	const struct site *also; /* another size that shrinks with it; or NULL
				  */
};

static bool try_step(struct shrinking *s, const struct step *step,
	bool *found_out, struct error *err)
{
	size_t k = 0;
	bool more = true;

	*found_out = false;
	while (more && !*found_out) {
		struct batch batch;

		if (!batch_start(&batch, err))
			return false;
		while (more && !batch_is_full(&batch)) {
			struct shrink_case *added = batch_add(&batch, s, err);

			if (!added ||
				!step->make(step, k++, added, batch.arena,
					&more, err)) {
				arena_destroy(batch.arena);
				return false;
			}
			/* One that changed nothing would fail for ever. */
			batch.count -=
				!more || same_case(s->function, &s->now, added);
		}
		if (!batch_try(&batch, s, found_out, err))
			return false;
		more = more && s->rounds < s->request->rounds_max;
	}
	return true;
}

/* The same again and again, as long as it makes the case smaller. */
static bool repeat_step(struct shrinking *s, const struct step *step,
	bool *any_out, struct error *err)
{
	bool found = true;

	while (found) {
		if (!try_step(s, step, &found, err))
			return false;
		*any_out |= found;
	}
	return true;
}

/* Sizes -------------------------------------------------------------------- */

/* Which indices along the axes of a size stay. */
struct slices {
	const struct site *site;
	const struct site *also; /* another size; or NULL */
	size_t *keep;
	size_t count;
};

/* Where each axis of an array has its size from, in order. */
static size_t find_axes(const struct function *function,
	const struct value *arguments, size_t p, struct site sites[AXES_MAX])
{
	const struct parameter *parameter = &function->parameters[p];
	size_t n = 0;

	for (size_t d = 0; d < parameter->n_dimensions; d++) {
		const struct dimension *dimension = &parameter->dimensions[d];
		size_t count = 1;

		if (dimension->kind == DIMENSION_SPLICE)
			count = arguments[dimension->parameter].count;
		for (size_t e = 0; e < count && n < AXES_MAX; e++) {
			sites[n] =
				(struct site){dimension->parameter, SIZE_MAX};
			if (dimension->kind == DIMENSION_SPLICE)
				sites[n].element = e;
			if (dimension->kind == DIMENSION_NUMBER)
				sites[n].parameter = SIZE_MAX;
			n++;
		}
	}
	return n;
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->parameter == b->parameter && a->element == b->element;
}

/* Copies what is kept of an array whose new shape is set. */
static void copy_slices(enum value_type type, const struct value *from,
	struct value *to, const struct slices *slices,
	const bool axes[AXES_MAX])
{
	size_t bytes = type_bytes(type);

	for (size_t i = 0; i < to->count; i++) {
		size_t rest = i, source = 0, below = 1;

		for (size_t a = to->n_axes; a-- > 0;) {
			size_t index = rest % to->shape[a];

			rest /= to->shape[a];
			if (axes[a])
				index = slices->keep[index];
			source += index * below;
			below *= from->shape[a];
		}
		memcpy((char *)to->data + i * bytes,
			(const char *)from->data + source * bytes, bytes);
	}
}

static void set_size(
	struct value *arguments, const struct site *site, size_t count)
{
	struct value *size = &arguments[site->parameter];

	if (site->element == SIZE_MAX)
		size->number = count;
	else
		element_store(TYPE_SIZE, size->data, site->element, count, 0);
}

/* Leaves all other slices out of every array that has a size from there. */
static bool keep_slices(const struct shrinking *s, const struct slices *slices,
	struct shrink_case *out, struct arena *arena, struct error *err)
{
	const struct function *function = s->function;
	const struct site *site = slices->site;
	const struct site *also = slices->also;

	set_size(out->arguments, site, slices->count);
	if (also)
		set_size(out->arguments, also, slices->count);
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct value *from = &s->now.arguments[p];
		struct value *to = &out->arguments[p];
		enum value_type type = function->parameters[p].type;
		struct site sites[AXES_MAX];
		bool axes[AXES_MAX] = {false};
		bool any = false;
		size_t n = find_axes(function, s->now.arguments, p, sites);

		if (!function->parameters[p].is_array || to->is_null)
			continue;
		for (size_t a = 0; a < n; a++)
			any |= axes[a] = same_site(&sites[a], site) ||
				(also && same_site(&sites[a], also));
		if (!any)
			continue;
		if (!function_shape(function, p, out->arguments, err))
			return false;
		if (!is_input_array(function, p))
			continue;
		to->data = arena_alloc(arena, to->count, type_bytes(type), err);
		if (!to->data)
			return false;
		copy_slices(type, from, to, slices, axes);
	}
	return true;
}

/*
 * Way number k to leave some of n out: all but one; then all but a part, a
 * half, a quarter and so on, from the back.
 */
static bool choose_slices(size_t n, size_t k, struct slices *slices)
{
	size_t first = 0, end = 0; /* what goes */

	slices->count = 0;
	if (n < 2)
		return false;
	if (n <= SINGLES_MAX && k < n) {
		slices->keep[slices->count++] = k;
		return true;
	}
	if (n <= SINGLES_MAX)
		k -= n;
	for (size_t part = n - n / 2;; part /= 2) {
		size_t parts = (n + part - 1) / part;

		if (k < parts) {
			first = (parts - 1 - k) * part;
			end = first + part < n ? first + part : n;
			break;
		}
		if (part == 1)
			return false;
		k -= parts;
	}
	for (size_t i = 0; i < n; i++)
		if (i < first || i >= end)
			slices->keep[slices->count++] = i;
	return slices->count > 0;
}

static size_t size_at(const struct value *arguments, const struct site *site)
{
	uint64_t number;
	double real;

	if (site->element == SIZE_MAX)
		return (size_t)arguments[site->parameter].number;
	element_load(TYPE_SIZE, arguments[site->parameter].data, site->element,
		&number, &real);
	return (size_t)number;
}

static bool make_smaller(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	const struct site site = {step->parameter, step->element};
	size_t n = size_at(step->shrinking->now.arguments, &site);
	struct slices slices = {.site = &site,
		.also = step->also,
		.keep = arena_alloc(arena, n, sizeof(size_t), err)};

	if (!slices.keep)
		return false;
	*made_out = choose_slices(n, k, &slices);
	return !*made_out ||
		keep_slices(step->shrinking, &slices, candidate, arena, err);
}

/* How many arrays have a size from there, and how many lists that are spliced,
   which keep their length. */
struct use {
	size_t arrays;
	size_t lists;
};

static struct use find_use(const struct shrinking *s, const struct site *site)
{
	const struct function *function = s->function;
	struct use use = {0, 0};

	for (size_t p = 0; p < function->n_parameters; p++) {
		struct site sites[AXES_MAX];
		size_t n = find_axes(function, s->now.arguments, p, sites);

		for (size_t a = 0; a < n; a++) {
			if (!same_site(&sites[a], site))
				continue;
			use.arrays++;
			use.lists += function_is_spliced(function, p);
		}
	}
	return use;
}

static bool can_shrink(const struct shrinking *s, const struct site *site)
{
	struct use use = find_use(s, site);

	return use.arrays > 0 && use.lists == 0;
}

/* Every size that can shrink; at most PARAMETERS_MAX of them. */
static size_t list_sites(
	const struct shrinking *s, struct site sites[PARAMETERS_MAX])
{
	const struct function *function = s->function;
	size_t n = 0;

	for (size_t p = 0; p < function->n_parameters; p++) {
		bool list = function_is_spliced(function, p) &&
			!s->now.arguments[p].is_null;
		size_t count = list ? s->now.arguments[p].count : 1;

		if (!list && !parameter_is_size(&function->parameters[p]))
			continue;
		for (size_t e = 0; e < count && n < PARAMETERS_MAX; e++) {
			const struct site site = {p, list ? e : SIZE_MAX};

			if (can_shrink(s, &site))
				sites[n++] = site;
		}
	}
	return n;
}

/* Each for itself; then two that are equal together, for what has to be as wide
   as it is high. */
static bool shrink_sizes(struct shrinking *s, bool *any_out, struct error *err)
{
	struct site sites[PARAMETERS_MAX];
	size_t n = list_sites(s, sites);

	for (size_t a = 0; a < n; a++) {
		const struct step step = {make_smaller, s, sites[a].parameter,
			sites[a].element, NULL};

		if (!repeat_step(s, &step, any_out, err))
			return false;
	}
	for (size_t a = 0; a < n; a++) {
		for (size_t b = a + 1; b < n; b++) {
			const struct step step = {make_smaller, s,
				sites[a].parameter, sites[a].element,
				&sites[b]};
			const struct value *now = s->now.arguments;

			if (size_at(now, &sites[a]) ==
					size_at(now, &sites[b]) &&
				!repeat_step(s, &step, any_out, err))
				return false;
		}
	}
	return true;
}

/* Values ------------------------------------------------------------------- */

static bool make_fewer_repeats(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	(void)step;
	(void)arena;
	(void)err;
	*made_out = k + 1 < candidate->repeat;
	candidate->repeat = k + 1;
	return true;
}

static bool make_null(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	const struct function *function = step->shrinking->function;
	struct value *value = &candidate->arguments[step->parameter];

	(void)arena;
	*made_out = k == 0 && !value->is_null;
	value->is_null = true;
	value->data = NULL;
	return function_shape(
		function, step->parameter, candidate->arguments, err);
}

/* Of one number; simpler ones first. */
static bool make_simpler(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	enum value_type type =
		step->shrinking->function->parameters[step->parameter].type;
	struct value *value = &candidate->arguments[step->parameter];
	bool scalar = step->element == SIZE_MAX;
	uint64_t number = value->number;
	double real = value->real;

	(void)arena;
	(void)err;
	if (!scalar)
		element_load(type, value->data, step->element, &number, &real);
	*made_out = shrink_number(type, k, &number, &real);
	if (!*made_out)
		return true;
	if (scalar) {
		value->number = number;
		value->real = real;
	} else {
		element_store(type, value->data, step->element, number, real);
	}
	return true;
}

/* Of all elements of an array at once: the same number, or each its own whole
   part; false where nothing would change. */
static bool make_all_simpler(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	enum { ZEROS, ONES, WHOLE, WAYS };
	enum value_type type =
		step->shrinking->function->parameters[step->parameter].type;
	struct value *value = &candidate->arguments[step->parameter];

	(void)arena;
	(void)err;
	*made_out = k < WAYS;
	for (size_t i = 0; i < value->count && *made_out; i++) {
		uint64_t number;
		double real;

		element_load(type, value->data, i, &number, &real);
		if (k == WHOLE) {
			real = trunc(real);
		} else if (number != 0 || real != 0) {
			number = k == ONES;
			real = k == ONES;
		}
		element_store(type, value->data, i, number, real);
	}
	return true;
}

/* 0 for a part of an array: way k is part k. */
static bool make_zeros(const struct step *step, size_t k,
	struct shrink_case *candidate, struct arena *arena, bool *made_out,
	struct error *err)
{
	enum value_type type =
		step->shrinking->function->parameters[step->parameter].type;
	struct value *value = &candidate->arguments[step->parameter];
	size_t part = step->element;

	(void)arena;
	(void)err;
	*made_out = k * part < value->count;
	for (size_t i = k * part; i < (k + 1) * part && i < value->count; i++)
		element_store(type, value->data, i, 0, 0);
	return true;
}

static bool shrink_scalar(
	struct shrinking *s, size_t p, bool *any_out, struct error *err)
{
	const struct site site = {p, SIZE_MAX};
	const struct step step = {make_simpler, s, p, SIZE_MAX, NULL};

	return find_use(s, &site).arrays > 0 ||
		repeat_step(s, &step, any_out, err);
}

static bool shrink_array(
	struct shrinking *s, size_t p, bool *any_out, struct error *err)
{
	const struct value *value = &s->now.arguments[p];
	struct step step = {make_all_simpler, s, p, 0, NULL};
	bool good = repeat_step(s, &step, any_out, err);

	step.make = make_zeros;
	for (step.element = value->count - value->count / 2; good &&
		step.element > 1 && value->count / step.element < ZEROED_MAX;
		step.element -= step.element / 2)
		good = repeat_step(s, &step, any_out, err);
	step.make = make_simpler;
	for (step.element = 0; good && step.element < value->count &&
		value->count <= ELEMENTS_MAX;
		step.element++)
		good = repeat_step(s, &step, any_out, err);
	return good;
}

static bool shrink_values(struct shrinking *s, bool *any_out, struct error *err)
{
	const struct function *function = s->function;
	const struct step repeats = {make_fewer_repeats, s, 0, 0, NULL};

	if (!repeat_step(s, &repeats, any_out, err))
		return false;
	for (size_t p = 0; p < function->n_parameters; p++) {
		const struct parameter *parameter = &function->parameters[p];
		const struct step null = {make_null, s, p, 0, NULL};

		if (parameter->output || function_is_spliced(function, p))
			continue;
		if (parameter->nullable && !repeat_step(s, &null, any_out, err))
			return false;
		if (s->now.arguments[p].is_null)
			continue;
		if (!(parameter->is_array ? shrink_array(s, p, any_out, err)
					  : shrink_scalar(s, p, any_out, err)))
			return false;
	}
	return true;
}

bool shrink(const struct shrink_request *request, struct arena *arena,
	struct shrink_case *out, struct error *err)
{
	struct shrinking s = {
		.request = request,
		.function = request->function,
		.arena = arena,
	};
	bool any = true;

	if (!copy_case(s.function, &request->start, arena, &s.now, err))
		return false;
	while (any && s.rounds < request->rounds_max) {
		any = false;
		if (!shrink_sizes(&s, &any, err) ||
			!shrink_values(&s, &any, err))
			return false;
	}
	*out = s.now;
	return true;
}
