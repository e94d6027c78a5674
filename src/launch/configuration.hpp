// -configfile: a file with one part of the job a line, as the MPI standard wants it.
#pragma once

#include <string>
#include <vector>

namespace loadstone::launch {

// The parts of the text: words are divided by blanks, and may be quoted as in a shell; # begins a
// line of comment, \ at the end goes on in the next line. A word ":" divides parts too. An answer
// is the mistake.
std::string read_configuration(const std::string& text, std::vector<std::vector<std::string>>* parts);

}  // namespace loadstone::launch
