// An info object: (key, value) pairs in the order in which the keys were first set.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

class call;
class process;

class info {
 public:
  using pairs = std::vector<std::pair<std::string, std::string>>;
  info() = default;
  explicit info(pairs content) : content_(std::move(content)) {}

  MPI_Info handle() const { return handle_; }
  void set_handle(MPI_Info handle) { handle_ = handle; }

  void set(std::string_view key, std::string_view value);
  bool remove(std::string_view key);
  std::optional<std::string> find(std::string_view key) const;
  std::size_t size() const;
  std::string key_at(std::size_t i) const;  // precondition: i < size()
  pairs content() const;                    // a copy

 private:
  mutable std::mutex lock_;
  MPI_Info handle_ = MPI_INFO_NULL;
  pairs content_;
};

MPI_Info new_info(process& p, info::pairs content);
// The same with errors reported to the caller.
int give_info(call& c, info::pairs content, MPI_Info* out);

}  // namespace loadstone::mpi
