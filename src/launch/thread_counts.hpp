// How many threads the runtimes inside a rank start, as far as the environment says it: OpenMP's,
// those of the BLAS libraries, NumExpr's. Each rank of a job that shares cores would otherwise
// start one for every core it sees, and have them spin.
//
// What each obeys, strongest first (the libraries' manuals):
//   libgomp            OMP_THREAD_LIMIT as the limit, OMP_NUM_THREADS, else its affinity mask
//   libomp, libiomp5   KMP_HW_SUBSET, KMP_ALL_THREADS and OMP_THREAD_LIMIT as limits,
//                      OMP_NUM_THREADS, else its affinity mask
//   OpenBLAS           OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS, OMP_NUM_THREADS, else its affinity
//                      mask (built with OpenMP: as that)
//   MKL                MKL_DOMAIN_NUM_THREADS, MKL_NUM_THREADS, OMP_NUM_THREADS, else the cores of
//                      its affinity mask
//   BLIS               BLIS_NUM_THREADS (or one for each loop), OMP_NUM_THREADS, else one
//   NumExpr            NUMEXPR_NUM_THREADS, OMP_NUM_THREADS, else the processors, up to
//                      NUMEXPR_MAX_THREADS
// So OMP_NUM_THREADS reaches all of them, and whoever has set another of these has decided.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launch/options.hpp"
#include "launch/program_threads.hpp"

namespace loadstone::launch {

using variables = std::vector<std::pair<std::string, std::string>>;

// What the ranks of a program will find in their environment: -x is stronger than what mpiexec
// itself has.
variable_lookup environment_of(const application& program);

// The largest count that the user has set for one of the runtimes; 0: none, or none that is a
// number.
std::uint32_t wished_threads(const variable_lookup& variable);

// Those variables that the user has set to say how many threads there are, as NAME=value, with
// blanks between. A count that the runtimes ignore (empty, 0, no number) is none.
std::string threads_set_by_user(const variable_lookup& variable);

// Ranks of each program and their threads, for the placement; programs are looked into only where
// there may be more than a core for each rank (`usable` processors in all).
std::vector<demand> demands_of(const options& wanted, std::uint32_t usable);

// What is set for a rank beside its own environment. `threads` are its due, `processors` how many
// its affinity mask will have; `crowded`: ranks share cores, though each has but one thread.
variables thread_variables(const variable_lookup& variable, std::uint32_t threads, std::size_t processors,
                           bool crowded);

// The same for all ranks; `processors` is for those that are not bound.
std::vector<variables> told_of_threads(const options& wanted, const placement& where, std::size_t processors);

}  // namespace loadstone::launch
