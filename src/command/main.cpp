// The program `loadstone`: shows the settings, checks what on this system costs speed, and measures
// how fast messages should be.

#include "command/options.hpp"

int main(int argc, char** argv) {
  return loadstone::command::run_command_line(argc, argv);
}
