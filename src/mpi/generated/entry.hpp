// Written by abi/generate.py; do not edit.
// clang-format off

// MPI_X is a weak alias of PMPI_X, so that a tool may put its own MPI_X in front.
#pragma once

#define LOADSTONE_ALIAS(name) extern decltype(P##name) name __attribute__((weak, alias("P" #name)));

#include "mpi/check_arrays.hpp"
#include "mpi/check_buffers.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/group.hpp"
#include "mpi/info.hpp"
#include "mpi/op_object.hpp"
#include "mpi/quick.hpp"
#include "mpi/quick_window.hpp"
#include "mpi/session.hpp"
#include "mpi/topology.hpp"
#include "mpi/window.hpp"
