// What a wait that may be for a lock says in reports of hangs: whose lock it is, and who has it.
// The wait counts from when that was seen first.
#pragma once

#include <optional>

#include "rma/lock.hpp"
#include "wait/record.hpp"

namespace loadstone::rma {

class lock_reason {
 public:
  // The lock is that of `process`'s part, or (`what`: "memory of ") of a range of it.
  lock_reason(const wait::reason& caller, std::uint32_t process, const char* what = "")
      : why(caller), caller_(caller), process_(process), what_(what) {}
  lock_reason(const lock_reason&) = delete;
  lock_reason& operator=(const lock_reason&) = delete;

  // Nobody: it is for something else now, as the caller has said.
  void name(const std::optional<lock_holder>& holder) {
    if (holder != named_) change(holder);
  }

  wait::reason why;  // to wait with

 private:
  void change(const std::optional<lock_holder>& holder);

  const wait::reason caller_;
  const std::uint32_t process_;
  const char* const what_;
  std::optional<lock_holder> named_;
  char detail_[wait::longest_detail + 1];
};

}  // namespace loadstone::rma
