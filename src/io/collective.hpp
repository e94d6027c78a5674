// Access to a file by all that opened it, in one call.
#pragma once

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
// That the members could not talk to each other, with an error class of MPI.
trouble lost(int error_class);

}  // namespace loadstone::io
