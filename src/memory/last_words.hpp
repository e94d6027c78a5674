// Why a process ends the job, for mpiexec to print: the text of MPI_Abort or of a fatal MPI error.
#pragma once

#include <cstdint>
#include <string_view>

#include "memory/job_layout.hpp"

namespace loadstone::memory {

// `text` has no full stop at its end. For abort it goes on after "called MPI_Abort with code N";
// for error it says what was wrong. The first to speak is heard; later calls change nothing. Longer
// texts are cut.
void leave_last_words(process_entry& entry, last_words kind, std::int32_t exit_code, std::string_view text);

}  // namespace loadstone::memory
