// mpiexec: starts the ranks of a job on this machine and looks after them.

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "launch/guard.hpp"
#include "launch/keeper.hpp"
#include "launch/options.hpp"

using namespace loadstone::launch;

int main(int argc, char** argv) {
  parsed command_line = parse_command_line(argc, argv);
  if (command_line.status >= 0) {
    std::FILE* to = command_line.status == 0 ? stdout : stderr;
    if ((std::fputs(command_line.text.c_str(), to) < 0 || std::fflush(to) != 0) && command_line.status == 0) {
      std::fprintf(stderr, "mpiexec: cannot write the standard output: %s\n", std::strerror(errno));
      return 1;
    }
    return command_line.status;
  }
  auto keep = [](const front_line& line, void* context) {
    return keep_job(*static_cast<const options*>(context), line);
  };
  return run_guarded(keep, &command_line.wanted);
}
