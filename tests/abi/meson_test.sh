#!/bin/sh
# meson's dependency('mpi') finds us, and what it builds runs. meson comes from PyPI, into a virtual environment under the build
# tree; without a network and without that environment the test is skipped (77).
# usage: meson_test.sh <folder with the programs> <build tree> <scratch folder> <requirements>
set -eu
source=$1 build=$2 scratch=$3 requirements=$4
tools=$build/venvs/meson
if [ ! -x "$tools/bin/meson" ]; then
  python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" ||
    { echo "skipped: meson cannot be installed here"; exit 77; }
fi
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
PATH=$build/bin:$PATH
unset LD_LIBRARY_PATH MPICC MPICXX CC CXX CFLAGS LDFLAGS || true
cp "$source/program.c" "$source/program.cpp" .
cat >meson.build <<'M'
project('finds', 'c', 'cpp', version: '1')
c = dependency('mpi', language: 'c')
cpp = dependency('mpi', language: 'cpp', version: '>=0.1')
executable('c_program', 'program.c', dependencies: c)
executable('cxx_program', 'program.cpp', dependencies: cpp)
M
"$tools/bin/meson" setup out >log 2>&1 && ninja -C out >>log 2>&1 || { cat log; exit 1; }
grep -q "^mpicc found: YES ($build/bin/mpicc)" log || { cat log; exit 1; }
./out/c_program && ./out/cxx_program
