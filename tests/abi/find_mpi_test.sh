#!/bin/sh
# CMake's FindMPI finds us, and what it builds runs.
# usage: find_mpi_test.sh <source folder> <build tree> <scratch folder> <cmake> <generator>
set -eu
source=$1 build=$2 scratch=$3 cmake=$4 generator=$5
rm -rf "$scratch"
PATH=$build/bin:$PATH
unset LD_LIBRARY_PATH MPI_HOME CC CXX || true
"$cmake" -G "$generator" -S "$source" -B "$scratch" >"$scratch.log" 2>&1 || { cat "$scratch.log"; exit 1; }
grep -q "^$build/lib/libmpi_abi.so$" "$scratch/found" || { cat "$scratch/found"; exit 1; }
"$cmake" --build "$scratch" >>"$scratch.log" 2>&1 || { cat "$scratch.log"; exit 1; }
"$scratch/c_program"
"$scratch/cxx_program"
