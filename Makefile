# The front door. `make demo` and `make test` are the two commands to know; `make help` lists the rest.
# Each target does its own set-up: system packages (apt-get, when there is the right to use it), Python environments
# below build/, the library itself. Nothing is written outside build/.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:
MAKEFLAGS += --no-print-directory
.PHONY: help build demo test test-all test-mpi4py install bench format format-check lint ci clean system-build system-test \
        system-demo staged about-demo about-test

JOBS ?= $(shell nproc)
PRESET ?= release
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE := build/$(PRESET)

# Compiled objects are remembered by ccache where it is installed; its store stays below build/ too.
ifneq ($(shell command -v ccache 2>/dev/null),)
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CCACHE_DIR ?= $(CURDIR)/build/cache/ccache
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_SLOPPINESS ?= pch_defines,time_macros
export CCACHE_DEPEND ?= 1
endif

## help: this list
help:
	@echo "Loadstone, an MPI made of loads and stores"
	@echo
	@sed -n 's/^## \([a-z0-9-]*\): \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'
	@echo
	@echo "Variables: JOBS=$(JOBS) (parallel compiler runs), PRESET=$(PRESET) (see CMakePresets.json), PREFIX=$(PREFIX),"
	@echo "           ROUNDS=5 (bench)"

# How long it will take, said before it begins; measured on two cores with nothing compiled before.
about-demo:
	@$(call about,demo,6,bin/mpiexec)
about-test:
	@$(call about,test,12,tests/bin/fake_rank)
define about
if [ -f $(RELEASE)/$(3) ]; then
  echo "make $(1): this was built before, so that only what has changed is compiled"
else
  echo "make $(1): about $(2) minutes on 2 cores the first time, most of it compiling (there are $$(nproc) here); less later"
fi
endef

# What ninja says before each line: how far it is, and how long it will still take, if it knows that (from 1.12 on).
ninja_status = $(shell printf '%s\n1.12\n' "$$(ninja --version 2>/dev/null || echo 0)" | sort -V | head -n 1 | \
  grep -q '^1\.12$$' && echo '[%f/%t, about %W left] ' || echo '[%f/%t, %p after %e s] ')

system-build:
	@tools/setup/system-packages build
system-test:
	@tools/setup/system-packages build test
system-demo:
	@tools/setup/system-packages build test demo

# CMake's own checks make this quick when nothing has changed.
define compile
	@mkdir -p build/logs
	if [ ! -f $(RELEASE)/build.ninja ]; then
	  cmake --preset $(PRESET) $(1) >build/logs/configure-$(PRESET).log 2>&1 || { cat build/logs/configure-$(PRESET).log; exit 1; }
	elif [ -n "$(filter -DLOADSTONE_TESTS=ON,$(1))" ] && ! grep -q '^LOADSTONE_TESTS:BOOL=ON' $(RELEASE)/CMakeCache.txt; then
	  cmake --preset $(PRESET) $(1) >build/logs/configure-$(PRESET).log 2>&1 || { cat build/logs/configure-$(PRESET).log; exit 1; }
	fi
	NINJA_STATUS="$${NINJA_STATUS-$(ninja_status)}" cmake --build $(RELEASE) -j $(JOBS)
endef

## build: the library, mpiexec and the compiler wrappers (in build/release), staged in build/prefix
build: system-build
	$(call compile,-DLOADSTONE_TESTS=OFF)
	$(MAKE) staged

staged:
	@cmake --install $(RELEASE) --prefix build/prefix >build/logs/install.log || { cat build/logs/install.log; exit 1; }

## demo: builds everything, then runs a 2D-FFT, mpi4py and mpi4py-fft on it
demo: about-demo system-demo build
	@python3 examples/demo.py

## test: the tests, and the quick part of mpi4py's own suite
test: about-test system-test
	$(call compile,-DLOADSTONE_TESTS=ON)
	$(MAKE) staged
	tests/run_all --preset $(PRESET) --mpi4py quick

## test-all: the long lists: every test, and all of mpi4py's suite that applies
test-all: system-test
	$(call compile,-DLOADSTONE_TESTS=ON)
	$(MAKE) staged
	tests/run_all --preset $(PRESET) --mpi4py full --long

## test-mpi4py: mpi4py's own test suite on 1 to 8 ranks, with MPICH's figures for 1 and 2 beside ours
test-mpi4py: system-test build
	@python3 tests/mpi4py/run.py --level full --compare 1,2

## install: into PREFIX (default /usr/local)
install: build
	@DESTDIR=$(DESTDIR) cmake --install $(RELEASE) --prefix $(abspath $(PREFIX)) >build/logs/install.log || { cat build/logs/install.log; exit 1; }
	echo "Installed in $(DESTDIR)$(abspath $(PREFIX)). Programs find the compiler wrapper and launcher there:"
	echo "    $(abspath $(PREFIX))/bin/mpicc hello.c -o hello && $(abspath $(PREFIX))/bin/mpiexec -n 4 ./hello"

## bench: figures beside MPICH, Open MPI and Intel MPI (from PyPI), limits included; plots in build/bench/report.html
ROUNDS ?= 5
bench: system-test build
	@python3 bench/compare.py --rounds $(ROUNDS)

SOURCES = $(shell git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | grep -v -e '/generated/' -e '^include/')

## format: lays out every source file with the pinned clang-format, and breaks wide text anew
format:
	@tools/setup/system-packages build
	python3 tools/setup/python_env.py venv tools format
	build/venv/tools/bin/clang-format -i $(SOURCES)
	python3 tools/wrap_text.py $$(.ci/check_widths --files)

format-check:
	@python3 tools/setup/python_env.py venv tools format
	build/venv/tools/bin/clang-format --dry-run --Werror $(SOURCES)

## lint: the layout of files, the layers, the sizes of classes, and the currency of generated code
lint: format-check
	@.ci/check_layering
	.ci/check_widths
	.ci/check_classes
	if [ -f abi/generate.py ]; then python3 abi/generate.py --check; fi

## ci: everything that must hold before a change is merged
ci:
	@.ci/run

## clean: removes build/
clean:
	rm -rf build
