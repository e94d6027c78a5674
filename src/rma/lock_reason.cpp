#include "rma/lock_reason.hpp"

#include <fmt/format.h>

namespace loadstone::rma {

void lock_reason::change(const std::optional<lock_holder>& holder) {
  const bool as_before = named_ && holder && named_->readers == holder->readers;
  named_ = holder;
  why.since = 0;
  if (!holder) {
    why.peer = caller_.peer;
    why.detail = caller_.detail;
    return;
  }
  why.peer = holder->process ? static_cast<std::int32_t>(*holder->process) : -1;
  why.detail = detail_;
  if (as_before) return;
  const auto text =
      holder->readers == 0
          ? fmt::format_to_n(detail_, wait::longest_detail, "{}{}rank {}", wait::lock_detail, what_, process_)
          : fmt::format_to_n(detail_, wait::longest_detail, "{}{}rank {}, {} readers", wait::lock_detail,
                             what_, process_, holder->readers);
  *text.out = 0;
}

}  // namespace loadstone::rma
