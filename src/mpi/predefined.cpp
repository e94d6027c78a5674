#include "mpi/predefined.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "mpi/memory_kinds.hpp"
#include "mpi/process.hpp"

namespace loadstone::mpi {

predefined_objects::predefined_objects(process& owner)
    : owner_(owner), empty_group_(std::make_shared<const process_list>()) {
  handle_tables& handles = owner.handles;
  for (errhandler* handler :
       {&owner.handlers.errors_are_fatal, &owner.handlers.errors_abort, &owner.handlers.errors_return}) {
    handles.errhandlers.set_predefined(handler->handle(), handler);
  }
  empty_group_.set_handle(MPI_GROUP_EMPTY);
  handles.groups.set_predefined(MPI_GROUP_EMPTY, &empty_group_);

  for (int value = 0x201; value < 0x300; ++value) {
    const loadstone::datatype::type* core = loadstone::datatype::predefined_type(value);
    if (core == nullptr) continue;
    const auto handle = reinterpret_cast<MPI_Datatype>(static_cast<std::intptr_t>(value));
    types_.push_back(std::make_unique<datatype>(core, handle));
    types_.back()->set_name(core->name());
    handles.types.set_predefined(handle, types_.back().get());
  }
  for (int value = 0x21; value < 0x40; ++value) {
    const loadstone::datatype::op* core = loadstone::datatype::predefined_op(value);
    if (core == nullptr) continue;
    const auto handle = reinterpret_cast<MPI_Op>(static_cast<std::intptr_t>(value));
    ops_.push_back(std::make_unique<op>(core, handle));
    handles.ops.set_predefined(handle, ops_.back().get());
  }

  environment.set_handle(MPI_INFO_ENV);
  handles.infos.set_predefined(MPI_INFO_ENV, &environment);
}

void predefined_objects::fill_attributes() {
  memory::job& job = owner_.runtime().job();
  attributes = {
      .tag_ub = INT_MAX,
      .io = MPI_ANY_SOURCE,
      .host = MPI_PROC_NULL,
      .wtime_is_global = 1,
      .appnum = job.header().launcher != 0 ? static_cast<int>(owner_.runtime().entry().application) : 0,
      .universe_size = static_cast<int>(owner_.world_size())};
}

void predefined_objects::fill_environment() {
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
  environment.set("maxprocs", fmt::format("{}", owner_.world_size()));
  environment.set("soft", fmt::format("0:{}", owner_.world_size()));
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) == 0 && host[0] != '\0') environment.set("host", host);
#if defined(__x86_64__)
  environment.set("arch", "x86_64");
#elif defined(__aarch64__)
  environment.set("arch", "aarch64");
#endif
  environment.set(memory_kinds_key, all_memory_kinds);
  char* directory = getcwd(nullptr, 0);
  if (directory != nullptr) environment.set("wdir", cut(directory));
  std::free(directory);
  const int threads = owner_.thread_level();
  const char* level = threads == MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
                      : threads == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                      : threads == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                                         : "MPI_THREAD_SINGLE";
  environment.set("thread_level", level);
}

}  // namespace loadstone::mpi
