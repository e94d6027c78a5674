// Errors inside the library: `status`, and `result<T>`, which is a value or a status. Only src/mpi
// turns them into MPI error classes.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

namespace loadstone::base {

enum class code : std::uint8_t {
  ok,
  no_memory,  // the system or a limit of ours refused memory
  refused,    // the system does not allow it (permissions, seccomp, trace rights)
  stranger,   // the process with that id is another one than the one meant
  gone,       // the peer has died or left
  apart,      // the process is of another job, which this one has no connection to
  bad_address,
  invalid,  // an argument makes no sense: a defect of ours, or a file that is not ours
  version,  // layout versions differ
  system,   // any other failed system call
};

// What failed. Made once, where the failure is first known, and passed up unchanged. `what` is a
// string literal; `number` is errno or 0.
struct [[nodiscard]] status {
  code kind = code::ok;
  int number = 0;
  const char* what = "";
  bool ok() const { return kind == code::ok; }
  static status success() { return {}; }
};

template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(status error) : state_(std::in_place_index<1>, error) {}
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  status error() const { return ok() ? status{} : *std::get_if<1>(&state_); }

 private:
  std::variant<T, status> state_;
};

}  // namespace loadstone::base
