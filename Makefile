# One Makefile for everything, never one that calls another.  GNU make.
#
#   make                       the program          build/bin/grader
#   make try                   installs what is missing, builds, grades samples
#   make check                 installs what is missing, builds, runs all tests
#   make packages              installs what is missing, and no more
#   make check T=compare       one suite; T=cli or T=submissions too
#   make check SANITIZE=1      the same under ASan, LSan and UBSan
#   make check-hostile         the submissions that attack us, and no more
#   make bench                 what grading costs, beside the compiler's cost
#   make fuzz TIME=600         each harness of tests/fuzz/ for so many seconds
#   make fuzz F=elf            one of them; -j2 for two at a time
#   make coverage              the tests with gcov; summary on stdout
#   make format | format-check clang-format over all C files
#   make lint                  layers, clang-tidy, man pages
#   make install DESTDIR= PREFIX=/usr/local
#   make clean
#
# V=1 shows the commands.  Each set of flags builds in its own folder, so that
# switching between them never mixes objects.

CC ?= cc
PREFIX ?= /usr/local
EXERCISES_DIR = $(PREFIX)/share/grader/exercises
PKG_CONFIG ?= pkg-config
CLANG_FORMAT ?= clang-format
CLANG_TIDY ?= clang-tidy
GCOVR ?= gcovr

# A module is one .c and one .h in its room, and tests/test_<module>.c.
LIB_SRCS := $(sort $(wildcard base/*.c sandbox/*.c grader/engine/*.c \
	grader/report/*.c))
CLI_SRCS := $(sort $(wildcard grader/cli/*.c))
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_HELPER_SRCS := $(filter-out $(FUZZ_SRCS),$(sort $(wildcard tests/fuzz/*.c))) \
	tests/support/elf_file.c tests/support/lesson.c tests/support/sample.c
TEST_SRCS := tests/main.c $(sort $(wildcard tests/test_*.c tests/support/*.c tests/fuzz/*.c))
RUNNER_SRCS := $(sort $(wildcard sandbox/runner/*.c))
BENCH_SRCS := $(sort $(wildcard tests/bench/*.c))
EXERCISE_FILES := $(sort $(wildcard exercises/*/*))
MAN_PAGES := $(sort $(wildcard docs/*.1 docs/*.5))
SUITES := $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c))
HARNESSES := $(FUZZ_SRCS:tests/fuzz/fuzz_%.c=%)
MODULES := libcjson libseccomp libsodium libcmark

# Goals that first install what is missing; all others take things as they are.
# pkg-config may be among what is missing: nothing may ask it before a recipe
# runs, so no := where it is called.
INSTALLS := $(if $(filter try,$(MAKECMDGOALS)),build) \
	$(if $(filter check check-hostile packages,$(MAKECMDGOALS)),build tests) \
	$(if $(filter fuzz,$(MAKECMDGOALS)),build fuzz)

BUILD := build
ifeq ($(SANITIZE),1)
  BUILD := build/sanitize
  MODE_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(COVERAGE),1)
  BUILD := build/coverage
  MODE_FLAGS := --coverage -O0
else
  MODE_FLAGS := -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong
endif

# CFLAGS, CPPFLAGS, LDFLAGS and WERROR are the user's; ALL_* are ours.
# -fPIE: the default here, but hardening should not rest on a default.
CFLAGS ?= -g
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef -Wwrite-strings \
	-Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations \
	-Wpointer-arith -Wcast-qual -Wformat=2 -Wimplicit-fallthrough \
	-Wswitch-enum -Wnull-dereference -Wconversion -Wsign-conversion
ALL_CPPFLAGS := -I. -I$(BUILD)/include -D_GNU_SOURCE -MMD -MP $(CPPFLAGS)
ALL_CFLAGS := -std=c17 -fPIE $(WARNINGS) $(if $(WERROR),-Werror) $(MODE_FLAGS) $(CFLAGS)
ALL_LDFLAGS := -pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack $(MODE_FLAGS) $(LDFLAGS)

# The runner is linked into learners' programs: no libc, no sanitizers, and
# nothing in it that would call into the learner's code by accident.
RUNNER_CFLAGS := -std=c17 $(WARNINGS) $(if $(WERROR),-Werror) -O2 -ffreestanding \
	-fno-stack-protector -fno-builtin -fno-tree-loop-distribute-patterns \
	-fcf-protection=none -fno-pie -mno-avx -fno-omit-frame-pointer \
	-fno-asynchronous-unwind-tables -fvisibility=hidden -U_FORTIFY_SOURCE

# libFuzzer is clang's alone, so the harnesses and all that they call are built
# by clang, in a folder of their own; what gcc says of the same code counts.
FUZZ_CC ?= clang
FUZZ_CFLAGS := -std=c17 -w -g -O1 -fno-omit-frame-pointer -DFUZZ_ONE \
	-fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_GUIDE := -fsanitize=fuzzer-no-link

# What fuzz_shared.c puts its own in the place of, while it runs.
WRAPPED := cases_prepare clock_getcpuclockid clock_gettime compile_program ioctl ppoll \
	proc_read_memory spawn_finish spawn_kill spawn_start spawn_wait
WRAPS := $(WRAPPED:%=-Wl,--wrap=%)

MODULE_LIBS = $(shell $(PKG_CONFIG) --libs $(MODULES)) -lm
# Looked up only when a test is built: building needs no Check.
CHECK_CFLAGS = $(shell $(PKG_CONFIG) --cflags check)
CHECK_LIBS = $(shell $(PKG_CONFIG) --libs check)

LIB_OBJS := $(LIB_SRCS:%.c=$(BUILD)/obj/%.o)
CLI_OBJS := $(CLI_SRCS:%.c=$(BUILD)/obj/%.o)
TEST_OBJS := $(TEST_SRCS:%.c=$(BUILD)/obj/%.o)
FUZZ_LIB_OBJS := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(LIB_SRCS) $(FUZZ_HELPER_SRCS))
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(BUILD)/fuzz/obj/%.o)
BENCH_OBJS := $(BENCH_SRCS:%.c=$(BUILD)/obj/%.o)
RUNNER_OBJS := $(RUNNER_SRCS:%.c=$(BUILD)/obj/%.o)
EMBED_OBJS := $(BUILD)/obj/embedded.o
ALL_OBJS := $(LIB_OBJS) $(CLI_OBJS) $(TEST_OBJS) $(BENCH_OBJS) $(RUNNER_OBJS) \
	$(EMBED_OBJS) $(FUZZ_OBJS) $(FUZZ_LIB_OBJS)
C_FILES := $(wildcard base/*.[ch] sandbox/*.[ch] sandbox/runner/*.[ch] \
	grader/*/*.[ch] tests/*.[ch] tests/support/*.[ch] tests/bench/*.[ch] \
	tests/fuzz/*.[ch])

JOBS := $(shell nproc)
Q := $(if $(V),,@)
say = $(if $(V),@:,@printf '  %-6s %s\n' $(1) $(2))

all: $(BUILD)/bin/grader

$(BUILD)/bin/grader: $(CLI_OBJS) $(LIB_OBJS) $(EMBED_OBJS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(MODULE_LIBS) $(LDLIBS)

$(BUILD)/bin/tests: $(TEST_OBJS) $(LIB_OBJS) $(EMBED_OBJS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) $(WRAPS) -o $@ $^ $(CHECK_LIBS) $(MODULE_LIBS) $(LDLIBS)

$(BUILD)/bin/bench: $(BENCH_OBJS) $(LIB_OBJS) $(EMBED_OBJS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(MODULE_LIBS) $(LDLIBS)

$(BUILD)/fuzz/bin/%: $(BUILD)/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_LIB_OBJS) $(EMBED_OBJS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined $(WRAPS) \
		-o $@ $^ $(MODULE_LIBS)

$(TEST_OBJS): EXTRA_CPPFLAGS = $(CHECK_CFLAGS)
$(CLI_OBJS): $(BUILD)/prefix
$(CLI_OBJS): EXTRA_CPPFLAGS = -DEXERCISES_DIR='"$(EXERCISES_DIR)"'
$(BUILD)/obj/tests/main.o: $(BUILD)/include/suites.inc

# One suite per module: tests/test_compare.c has compare_suite().
$(BUILD)/include/suites.inc: force
	@mkdir -p $(@D)
	@printf 'SUITE(%s)\n' $(SUITES) | cmp -s - $@ || printf 'SUITE(%s)\n' $(SUITES) >$@

$(BUILD)/obj/sandbox/runner/%.o: sandbox/runner/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -I. -MMD -MP $(RUNNER_CFLAGS) -c -o $@ $<

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(EXTRA_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/fuzz/obj/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(ALL_CPPFLAGS) $(FUZZ_CFLAGS) $(FUZZ_GUIDE) -c -o $@ $<

# Ways through what only checks lead nowhere.
$(BUILD)/fuzz/obj/tests/fuzz/fuzz.o $(BUILD)/fuzz/obj/tests/fuzz/reports.o: FUZZ_GUIDE :=

# Files that the program carries inside: the runner, the shim that goes with it,
# the header that exercises get their seeded numbers from, and the search among
# mistakes.
$(BUILD)/obj/runner.o: $(RUNNER_OBJS)
	$(Q)$(LD) -r -o $@ $^

$(BUILD)/obj/embedded.o: base/embedded.S $(BUILD)/obj/runner.o grader/engine/random.h \
	grader/engine/shim.h grader/engine/shim_checked.h grader/engine/search.h
	$(call say,AS,$<)
	$(Q)$(CC) -DRUNNER='"$(BUILD)/obj/runner.o"' \
		-DRANDOM='"grader/engine/random.h"' -DSHIM='"grader/engine/shim.h"' \
		-DSHIM_CHECKED='"grader/engine/shim_checked.h"' \
		-DSEARCH='"grader/engine/search.h"' -c -o $@ $<

packages:
	@sh .ci/packages $(strip $(INSTALLS))

# Rewritten only when the flags change; then everything is built anew.  All
# objects wait for it, and so for the packages that they need.
FLAGS_NOW := $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(RUNNER_CFLAGS) \
	$(FUZZ_CC) $(FUZZ_CFLAGS)
$(BUILD)/flags: force $(if $(strip $(INSTALLS)),packages)
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' >$@

# The same for what only the command line needs to know.
$(BUILD)/prefix: force
	@mkdir -p $(@D)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' >$@

-include $(ALL_OBJS:.o=.d)

try: $(BUILD)/bin/grader
	@sh .ci/samples $<

# Each test runs in a process of its own, which makes a leak the failure of the
# test that leaks.  To step through one instead: CK_FORK=no gdb build/bin/tests
check: $(BUILD)/bin/tests $(BUILD)/bin/grader
	$(if $(T),CK_RUN_SUITE=$(T)) GRADER=$(BUILD)/bin/grader $<

check-hostile: $(BUILD)/bin/tests
	CK_RUN_SUITE=hostile $<

# What they find stays below $(BUILD)/fuzz/, and the status tells of it.
TIME ?= 60
fuzz: $(addprefix fuzz-,$(or $(F),$(HARNESSES)))
fuzz-%: $(BUILD)/fuzz/bin/% force
	@sh .ci/fuzz $* $(BUILD)/fuzz $(TIME)

bench: $(BUILD)/bin/bench $(BUILD)/bin/grader
	$< --json $(BUILD)/bench.json $(if $(N),--pairs $(N)) $(BUILD)/bin/grader

coverage:
	@find build/coverage -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory check COVERAGE=1
	$(GCOVR) --root . --exclude tests/ build/coverage

format:
	@$(CLANG_FORMAT) -i $(C_FILES)

format-check:
	@$(CLANG_FORMAT) --dry-run --Werror $(C_FILES)

lint: lint-layers lint-tidy lint-man

# Arrows go one way: base <- sandbox <- engine <- report <- cli, and only
# tests/ know Check.  Sanitizers bring variables and calls of their own.
lint-layers: $(LIB_OBJS) $(RUNNER_OBJS)
ifneq ($(SANITIZE)$(COVERAGE),)
	@echo 'lint-layers wants the plain build' && exit 1
endif
	@sh .ci/layers '$(LIB_OBJS)' '$(RUNNER_OBJS)'

# A file at a time: given several, clang-tidy 14 takes every va_list but the
# first file's to be uninitialised.
lint-tidy:
	@printf '%s\n' $(LIB_SRCS) $(CLI_SRCS) $(BENCH_SRCS) | \
	xargs -P $(JOBS) -n 1 sh -c \
		'said=$$($(CLANG_TIDY) --quiet "$$0" -- -I. -D_GNU_SOURCE -std=c17 2>&1) || \
			{ printf "%s\n" "$$said"; exit 1; }'

lint-man:
	$(if $(MAN_PAGES),mandoc -Tlint -Wwarning $(MAN_PAGES))

# Nothing but what DESTDIR and PREFIX say; what is older there is replaced.
BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man
install: all
	install -d '$(BINDIR)'
	install -m 755 $(BUILD)/bin/grader '$(BINDIR)/grader'
	for page in $(MAN_PAGES); do \
		install -d "$(MANDIR)/man$${page##*.}" && \
		install -m 644 $$page "$(MANDIR)/man$${page##*.}/" || exit 1; \
	done
	for file in $(EXERCISE_FILES); do \
		install -d "$(DESTDIR)$(EXERCISES_DIR)/$$(dirname $${file#exercises/})" && \
		install -m 644 $$file "$(DESTDIR)$(EXERCISES_DIR)/$${file#exercises/}" || exit 1; \
	done

uninstall:
	rm -f '$(BINDIR)/grader'
	for page in $(MAN_PAGES); do \
		rm -f "$(MANDIR)/man$${page##*.}/$${page#docs/}"; \
	done
	for file in $(EXERCISE_FILES); do \
		rm -f "$(DESTDIR)$(EXERCISES_DIR)/$${file#exercises/}"; \
	done
	for folder in $(sort $(dir $(EXERCISE_FILES:exercises/%=%))); do \
		rmdir "$(DESTDIR)$(EXERCISES_DIR)/$$folder" || true; \
	done
	rmdir '$(DESTDIR)$(EXERCISES_DIR)' '$(DESTDIR)$(PREFIX)/share/grader' || true

clean:
	rm -rf build

force:
.PHONY: all packages try check check-hostile bench fuzz coverage format format-check \
	lint lint-layers lint-tidy lint-man install uninstall clean force
.SECONDARY: $(FUZZ_OBJS) $(FUZZ_LIB_OBJS) $(HARNESSES:%=$(BUILD)/fuzz/bin/%)
.DELETE_ON_ERROR:
