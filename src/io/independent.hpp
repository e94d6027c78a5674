// Access to a file through a view, by one process alone.
#pragma once

#include "io/hints.hpp"
#include "io/memory.hpp"
#include "io/storage.hpp"
#include "io/view.hpp"

namespace loadstone::io {

// Moves all bytes of `data`, from position `at` of the view on. The view reaches that far. *done:
// how many bytes; fewer without trouble: a read has met the end of the file.
trouble write_alone(stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                    std::int64_t* done);
trouble read_alone(stored_file& file, const view& v, std::int64_t at, const memory_data& data, const hints& h,
                   std::int64_t* done);

}  // namespace loadstone::io
