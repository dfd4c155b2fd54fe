/* SPDX-License-Identifier: MIT */
#include "grader/engine/names.h"

#include <stddef.h>
#include <string.h>

enum { NAME_MAX_BYTES = 63 };

#define LIBC_PROBLEM "is a function of the C library"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char *const keywords[] = {
	/* C17 and what C23 adds */
	"alignas", "alignof", "auto", "bool", "break", "case", "char", "const",
	"constexpr", "continue", "default", "do", "double", "else", "enum",
	"extern", "false", "float", "for", "goto", "if", "inline", "int",
	"long", "nullptr", "register", "restrict", "return", "short", "signed",
	"sizeof", "static", "static_assert", "struct", "switch", "thread_local",
	"true", "typedef", "typeof", "typeof_unqual", "union", "unsigned",
	"void", "volatile", "while",
	/* gcc's */
	"asm"};

/* Macros and types of the headers, and what gcc defines by itself: none of
   them can be the name of anything else. */
static const char *const taken[] = {"BUFSIZ", "CHAR_BIT", "DBL_EPSILON",
	"DBL_MAX", "DBL_MIN", "EDOM", "EOF", "ERANGE", "EXIT_FAILURE",
	"EXIT_SUCCESS", "FILE", "FLT_EPSILON", "FLT_MAX", "FLT_MIN", "HUGE_VAL",
	"I", "INFINITY", "INT_MAX", "INT_MIN", "LONG_MAX", "LONG_MIN", "M_E",
	"M_PI", "NAN", "NDEBUG", "NULL", "RAND_MAX", "SIZE_MAX", "UINT_MAX",
	"assert", "clock_t", "complex", "div_t", "double_t", "environ", "errno",
	"float_t", "fpos_t", "imaginary", "int16_t", "int32_t", "int64_t",
	"int8_t", "intmax_t", "intptr_t", "isfinite", "isinf", "isnan",
	"isnormal", "jmp_buf", "ldiv_t", "linux", "max_align_t", "offsetof",
	"ptrdiff_t", "setjmp", "signbit", "size_t", "ssize_t", "stderr",
	"stdin", "stdout", "time_t", "uint16_t", "uint32_t", "uint64_t",
	"uint8_t", "uintmax_t", "uintptr_t", "unix", "va_arg", "va_copy",
	"va_end", "va_list", "va_start", "wchar_t", "wint_t"};

/* A function of the same name would take libc's place, or not link. */
static const char *const functions_of_libc[] = {"abort", "abs", "acos", "acosh",
	"aligned_alloc", "asin", "asinh", "atan", "atan2", "atanh", "atexit",
	"atof", "atoi", "atol", "atoll", "bsearch", "calloc", "cbrt", "ceil",
	"clearerr", "clock", "close", "copysign", "cos", "cosh", "difftime",
	"div", "dup", "erf", "erfc", "execve", "exit", "exp", "exp2", "expm1",
	"fabs", "fclose", "fdim", "feof", "ferror", "fflush", "fgetc", "fgets",
	"floor", "fma", "fmax", "fmin", "fmod", "fopen", "fork", "fprintf",
	"fputc", "fputs", "fread", "free", "frexp", "fscanf", "fseek", "ftell",
	"fwrite", "gamma", "getc", "getchar", "getenv", "gets", "getpid",
	"gmtime", "hypot", "ilogb", "index", "isalnum", "isalpha", "iscntrl",
	"isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
	"isupper", "isxdigit", "j0", "j1", "jn", "kill", "labs", "ldexp",
	"ldiv", "lgamma", "llabs", "llrint", "llround", "localtime", "log",
	"log10", "log1p", "log2", "logb", "longjmp", "lrint", "lround", "main",
	"malloc", "memccpy", "memchr", "memcmp", "memcpy", "memmove", "mempcpy",
	"memset", "mktime", "mmap", "modf", "munmap", "nan", "nearbyint",
	"nextafter", "open", "perror", "pipe", "poll", "pow", "printf", "putc",
	"putchar", "puts", "qsort", "quick_exit", "raise", "rand", "random",
	"read", "realloc", "remainder", "remove", "remquo", "rename", "rewind",
	"rint", "round", "scalbln", "scalbn", "scanf", "select", "setbuf",
	"setenv", "setlocale", "setvbuf", "signal", "sin", "sinh", "sleep",
	"snprintf", "socket", "sprintf", "sqrt", "srand", "srandom", "sscanf",
	"stat", "strcat", "strchr", "strcmp", "strcpy", "strcspn", "strdup",
	"strerror", "strlen", "strncat", "strncmp", "strncpy", "strndup",
	"strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok",
	"strtol", "strtold", "strtoll", "strtoul", "strtoull", "syscall",
	"system", "tan", "tanh", "tgamma", "time", "tmpfile", "tolower",
	"toupper", "trunc", "ungetc", "unlink", "vprintf", "wait", "write",
	"y0", "y1", "yn"};

static const char *const prefixes[] = {"reference_", "generate_", "mistaken_",
	"explain_", "steps_", "grader_", "random_"};

/* What the companions of a function have parameters of (function.h). */
static const char *const own_parameters[] = {
	"seed", "argument", "result", "result_tolerance", "text"};

static bool is_one_of(const char *name, const char *const names[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool is_lower_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static const char *problem_of_word(const char *name)
{
	if (*name == '\0')
		return "is empty";
	if (*name >= '0' && *name <= '9')
		return "starts with a digit, expected a name of C";
	for (const char *c = name; *c; c++) {
		if (!is_lower_or_digit(*c) && !(*c >= 'A' && *c <= 'Z') &&
			*c != '_')
			return "is no name of C (letters, digits and _)";
	}
	if (strlen(name) > NAME_MAX_BYTES)
		return "has more than 63 characters";
	return NULL;
}

static const char *problem_of_identifier(const char *name)
{
	const char *problem = problem_of_word(name);

	if (problem)
		return problem;
	if (*name == '_')
		return "starts with _, which C keeps for itself";
	if (is_one_of(name, keywords, COUNT(keywords)))
		return "is a keyword of C";
	if (is_one_of(name, taken, COUNT(taken)))
		return "is taken by C's headers or its compiler";
	return NULL;
}

const char *name_problem_of_function(const char *name)
{
	const char *problem = problem_of_identifier(name);

	if (problem)
		return problem;
	if (is_one_of(name, functions_of_libc, COUNT(functions_of_libc)))
		return LIBC_PROBLEM;
	for (size_t i = 0; i < COUNT(prefixes); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return "starts like one of the grader's own functions";
	}
	return NULL;
}

const char *name_problem_of_parameter(const char *name)
{
	static const char prefix[] = "expected_";
	static const char suffix[] = "_tolerance";
	const char *problem = problem_of_identifier(name);
	size_t len = strlen(name);

	if (problem)
		return problem;
	/* It would hide the function from whoever writes the body. */
	if (is_one_of(name, functions_of_libc, COUNT(functions_of_libc)))
		return LIBC_PROBLEM;
	if (is_one_of(name, own_parameters, COUNT(own_parameters)) ||
		strncmp(name, prefix, sizeof(prefix) - 1) == 0 ||
		(len >= sizeof(suffix) &&
			strcmp(name + len - (sizeof(suffix) - 1), suffix) == 0))
		return "is a parameter that the grader adds itself";
	return NULL;
}

const char *name_problem_of_generator(const char *name)
{
	return problem_of_word(name);
}

const char *name_problem_of_label(const char *name)
{
	char last = '-';

	if (*name == '\0')
		return "is empty";
	for (const char *c = name; *c; c++) {
		if (!is_lower_or_digit(*c) && (*c != '-' || last == '-'))
			return "is no name here (a-z, 0-9, and single hyphens "
			       "between)";
		last = *c;
	}
	if (last == '-')
		return "ends with a hyphen";
	if (strlen(name) > NAME_MAX_BYTES)
		return "has more than 63 characters";
	return NULL;
}
