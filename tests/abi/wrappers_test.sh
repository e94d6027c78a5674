#!/bin/sh
# The compiler wrappers in the build tree and, moved elsewhere, in an installation.
# usage: wrappers_test.sh <build tree> <scratch folder>
set -eu
build=$1 scratch=$2
unset LD_LIBRARY_PATH || true
rm -rf "$scratch" && mkdir -p "$scratch" && cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }

cat >program.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  if (MPI_Get_library_version(version, &length) != MPI_SUCCESS) return 1;
  puts(version);
  return strncmp(version, "Loadstone ", 10) != 0;
}
C
cp program.c program.cpp

# Sentinels where an array may stand: no reason for a warning in a program that is right.
cat >sentinels.c <<'C'
#include <mpi.h>
int main(void) {
  int zero = 0;
  MPI_Comm ring;
  MPI_Init(0, 0);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, MPI_UNWEIGHTED, 1, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Dist_graph_neighbors(ring, 1, &zero, MPI_UNWEIGHTED, 1, &zero, MPI_UNWEIGHTED);
  return MPI_Finalize();
}
C

check() { # folder of the wrappers, what their flags must name
  bin=$1 top=$2
  "$bin/mpicc" program.c -o c_program && ./c_program >out || fail "mpicc in $bin"
  for o in -O0 -O2; do "$bin/mpicc" $o -Wall -Wextra -Werror -c sentinels.c || fail "a warning about sentinels, $o"; done
  "$bin/mpicc" -c program.c -o program.o && "$bin/mpicc" program.o -o linked && ./linked >out || fail "compile and link apart"
  for cxx in mpicxx mpic++; do "$bin/$cxx" program.cpp -o cxx_program && ./cxx_program >out || fail "$cxx in $bin"; done
  case $("$bin/mpicc" -show x.c) in *" x.c "*"-lmpi_abi"*) ;; *) fail "-show: $("$bin/mpicc" -show x.c)" ;; esac
  case $("$bin/mpicc" -show -c x.c) in *-lmpi_abi*) fail "-show -c links" ;; esac
  case $("$bin/mpicc" -compile-info) in *-lmpi_abi*) fail "-compile-info links" ;; *-I*) ;; *) fail "-compile-info" ;; esac
  case $("$bin/mpicc" -link-info) in *-I*) fail "-link-info compiles" ;; *"-L$top/"*-lmpi_abi*) ;; *) fail "-link-info" ;; esac
  case $(LOADSTONE_CC=other-cc-of-mine "$bin/mpicc" -show x.c) in other*) fail "a missing compiler is used" ;; esac
  case $(LOADSTONE_CC="env A=b cc" "$bin/mpicc" -show x.c) in "env A=b cc -I"*) ;; *) fail "LOADSTONE_CC" ;; esac
  case $(LOADSTONE_CXX="env A=b c++" "$bin/mpicxx" -show x.c) in "env A=b c++ -I"*) ;; *) fail "LOADSTONE_CXX" ;; esac
  case $("$bin/mpicc" -cc=env -show x.c) in "env -I"*) ;; *) fail "-cc=" ;; esac
  "$bin/mpicc" --version >out || fail "--version"
  "$bin/mpicc" -v >out 2>&1 || fail "-v"
  "$bin/mpicc" -DTEXT='"it is $HOME"' -E program.c >out || fail "quotes"
  if "$bin/mpicc" missing.c -o x 2>out; then fail "the status of the compiler is lost"; fi
  ln -sf "$bin/mpicc" alias && ./alias program.c -o c_program && ./c_program >out || fail "through a link"
}

check "$build/bin" "$build"

cmake --install "$build" --prefix "$scratch/first" >install.log || fail "cmake --install"
mv first moved
check "$scratch/moved/bin" "$scratch/moved"
readelf -d c_program | grep -q 'RUNPATH.*moved' || fail "the run path is not a DT_RUNPATH"

if command -v pkg-config >/dev/null; then
  for package in loadstone mpi; do
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find moved -name loadstone.pc)") pkg-config --cflags --libs $package) || fail "pkg-config $package"
    cc program.c $flags -o pc_program && ./pc_program >out || fail "pkg-config $package"
  done
fi
echo passed
