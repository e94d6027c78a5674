// The objects behind the predefined handles.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

#include "mpi/group.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

void process::add_predefined() {
  errhandlers.set_predefined(MPI_ERRORS_ARE_FATAL, &errors_are_fatal);
  errhandlers.set_predefined(MPI_ERRORS_ABORT, &errors_abort);
  errhandlers.set_predefined(MPI_ERRORS_RETURN, &errors_return);

  empty_group_ = std::make_unique<group>(std::make_shared<const process_list>());
  empty_group_->set_handle(MPI_GROUP_EMPTY);
  groups.set_predefined(MPI_GROUP_EMPTY, empty_group_.get());

  for (int value = 0x201; value < 0x300; ++value) {
    const loadstone::datatype::type* core = loadstone::datatype::predefined_type(value);
    if (core == nullptr) continue;
    const auto handle = reinterpret_cast<MPI_Datatype>(static_cast<std::intptr_t>(value));
    predefined_types_.push_back(std::make_unique<datatype>(core, handle));
    predefined_types_.back()->set_name(core->name());
    types.set_predefined(handle, predefined_types_.back().get());
    remember(core, handle);
  }
  for (int value = 0x21; value < 0x40; ++value) {
    const loadstone::datatype::op* core = loadstone::datatype::predefined_op(value);
    if (core == nullptr) continue;
    const auto handle = reinterpret_cast<MPI_Op>(static_cast<std::intptr_t>(value));
    predefined_ops_.push_back(std::make_unique<op>(core, handle));
    ops.set_predefined(handle, predefined_ops_.back().get());
  }

  environment.set_handle(MPI_INFO_ENV);
  infos.set_predefined(MPI_INFO_ENV, &environment);
}

// MPI_INFO_ENV (MPI §11.2.1): how this process was started, as far as it can be known.
void process::fill_environment() {
  const auto cut = [](std::string text) { return text.substr(0, MPI_MAX_INFO_VAL - 1); };
  std::string command, rest;
  if (std::FILE* file = std::fopen("/proc/self/cmdline", "r")) {
    std::string all;
    char block[4096];
    for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) all.append(block, n);
    std::fclose(file);
    for (std::size_t at = 0; at < all.size();) {
      const std::string word = all.c_str() + at;
      at += word.size() + 1;
      if (command.empty()) {
        command = word;
      } else {
        rest += rest.empty() ? word : " " + word;
      }
    }
  }
  if (!command.empty()) environment.set("command", cut(command));
  if (!rest.empty()) environment.set("argv", cut(rest));
  environment.set("maxprocs", fmt::format("{}", world_size_));
  environment.set("soft", fmt::format("0:{}", world_size_));
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) == 0 && host[0] != '\0') environment.set("host", host);
#if defined(__x86_64__)
  environment.set("arch", "x86_64");
#elif defined(__aarch64__)
  environment.set("arch", "aarch64");
#endif
  char* directory = getcwd(nullptr, 0);
  if (directory != nullptr) environment.set("wdir", cut(directory));
  std::free(directory);
  const char* level = thread_level_ == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
                      : thread_level_ == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                      : thread_level_ == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                                               : "MPI_THREAD_SINGLE";
  environment.set("thread_level", level);
}

}  // namespace loadstone::mpi
