// loadstone: what the library is set to, what this system costs it, and what it should reach.

#include "command/options.hpp"

int main(int argc, char** argv) {
  return loadstone::command::run_command_line(argc, argv);
}
