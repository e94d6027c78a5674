// The elements of a message, in packed order, in runs of equal distances. An element is never cut,
// and neither is a pair, whose two parts may be apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "datatype/cursor.hpp"
#include "rma/element.hpp"

namespace loadstone::rma {

class element_runs {
 public:
  // From packed byte `from` on, where an element begins.
  element_runs(const element& what, void* address, std::int64_t count, const datatype::type& t,
               std::int64_t from = 0)
      : size_(what.size()), paired_(what.paired()) {
    if (t.in_one_block(count)) {
      run_ = {.address = reinterpret_cast<std::uintptr_t>(t.block_at(address) + from),
              .length = count * t.size() - from,
              .count = 1};
    } else {
      const datatype::program* const p = t.compiled();
      if (p == nullptr) __builtin_trap();  // a committed type is compiled
      cursor_.emplace(address, count, t, *p, from);
    }
  }

  // At most `most` elements (> 0). The caller knows how many there are, and asks for no more.
  element_run next(std::int64_t most) {
    if (run_.count == 0) {
      run_ = cursor_->next((paired_ ? 1 : most) * size_);
      if (paired_) {  // the value comes first, and is where the pair is
        for (std::int64_t missing = size_ - run_.length * run_.count; missing > 0;) {
          const datatype::run rest = cursor_->next(missing);
          missing -= rest.length * rest.count;
        }
        run_.length = size_;
        run_.count = 1;
      }
    }
    auto* const at = reinterpret_cast<std::byte*>(run_.address);
    if (run_.length == size_ && run_.count > 1) {
      const std::int64_t n = std::min(most, run_.count);
      const element_run all{at, run_.stride, n};
      run_.drop(n);
      return all;
    }
    // One block at a time.
    const std::int64_t n = std::min(most, run_.length / size_ - within_);
    const element_run part{at + within_ * size_, size_, n};
    within_ += n;
    if (within_ * size_ == run_.length) {
      within_ = 0;
      run_.drop(1);
    }
    return part;
  }

 private:
  const std::int64_t size_;
  const bool paired_;
  datatype::run run_;                       // what is handed out
  std::int64_t within_ = 0;                 // elements of its first block that were
  std::optional<datatype::cursor> cursor_;  // none: it is all one block
};

}  // namespace loadstone::rma
