// Access to a file by all that opened it, in one call.
#pragma once

#include <cerrno>
#include <new>

#include "io/independent.hpp"
#include "io/team.hpp"

namespace loadstone::io {

// As write_alone() and read_alone(), and every member calls it. An error of one member comes out at
// all.
trouble write_together(team& all, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                       const hints& h, std::int64_t* done);
trouble read_together(team& all, stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                      const hints& h, std::int64_t* done);

// All members learn of the first trouble that one of them has. Own trouble is returned unchanged.
trouble agree(team& all, const trouble& mine);
// What a member does between two collectives: it comes to the next, as others wait for it there.
template <class Work>
trouble with_memory(Work work) try {
  return work();
} catch (const std::bad_alloc&) {
  return {ENOMEM, "no memory for the access"};
}
// That the members could not talk to each other, with an error class of MPI.
trouble lost(int error_class);

}  // namespace loadstone::io
