#!/bin/sh
# The compiler wrappers in the build tree and, moved elsewhere, in an installation.
# usage: wrappers_test.sh <build tree> <scratch folder>
set -eu
build=$1 scratch=$2
unset LD_LIBRARY_PATH LOADSTONE_CC LOADSTONE_CXX MPICH_CC MPICH_CXX OMPI_CC OMPI_CXX I_MPI_CC I_MPI_CXX || true
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
  for std in c89 gnu89 c99; do "$bin/mpicc" -std=$std -Wall -Wextra -Werror -c sentinels.c || fail "-std=$std"; done
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
  # The words of other libraries' wrappers, with one dash and two.
  for dash in - --; do
    [ "$("$bin/mpicc" ${dash}show x.c)" = "$("$bin/mpicc" ${dash}showme x.c)" ] || fail "${dash}showme"
    for word in compile_info show-compile-info; do
      [ "$("$bin/mpicc" $dash$word)" = "$("$bin/mpicc" -compile-info)" ] || fail "$dash$word"
    done
    for word in link_info show-link-info; do
      [ "$("$bin/mpicc" $dash$word)" = "$("$bin/mpicc" -link-info)" ] || fail "$dash$word"
    done
    case $("$bin/mpicc" ${dash}showme:compile) in -I*-l*|*" "*) fail "${dash}showme:compile" ;; -I/*) ;; *) fail "${dash}showme:compile" ;; esac
    case $("$bin/mpicc" ${dash}showme:link) in *-I*) fail "${dash}showme:link" ;; "-L$top/"*-lmpi_abi) ;; *) fail "${dash}showme:link" ;; esac
    [ -f "$("$bin/mpicc" ${dash}showme:incdirs)/mpi.h" ] || fail "${dash}showme:incdirs"
    libs=$("$bin/mpicc" ${dash}showme:libs)
    [ -f "$("$bin/mpicc" ${dash}showme:libdirs)/lib$libs.so" ] || fail "${dash}showme:libdirs, ${dash}showme:libs"
    "$bin/mpicc" ${dash}showme:version | grep -Eq '[0-9]+\.[0-9]+\.[0-9]+' || fail "${dash}showme:version"
    [ "$(OMPI_CC="env A=b cc" "$bin/mpicc" ${dash}showme:command)" = "env A=b cc" ] || fail "${dash}showme:command"
    if "$bin/mpicc" ${dash}showme:colour >out 2>&1; then fail "${dash}showme:colour ends with 0"; fi
  done
  "$bin/mpicc" $("$bin/mpicc" --showme:compile) -c program.c -o program.o || fail "with the flags of --showme:compile"
  cc program.o $("$bin/mpicc" --showme:link) -o linked && ./linked >out || fail "with the flags of --showme:link"
  # Who names the compiler: the option, then the variables in their order.
  of() { env "$@" "$bin/mpicc" -showme:command; }
  [ "$(of MPICH_CC=env)" = env ] && [ "$(of OMPI_CC=env)" = env ] && [ "$(of I_MPI_CC=env)" = env ] || fail "other libraries' variables"
  [ "$(of LOADSTONE_CC=env MPICH_CC=true OMPI_CC=true)" = env ] && [ "$(of MPICH_CC=env OMPI_CC=true)" = env ] || fail "precedence"
  [ "$(OMPI_CXX=env "$bin/mpicxx" -showme:command)" = env ] || fail "OMPI_CXX"
  [ "$(MPICH_CC=true "$bin/mpicc" -cc=env -showme:command)" = env ] || fail "-cc= before the variables"
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
