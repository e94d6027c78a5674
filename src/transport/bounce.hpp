// Bounce buffers of a sender: payload that fits no lane is copied into a cell of its arena, which
// the message names and its receiver gives back (cells.hpp); through the caches or past them
// (copy/store_choice.hpp).
#pragma once

#include "copy/store_choice.hpp"
#include "transport/cells.hpp"
#include "transport/local_address.hpp"
#include "transport/outgoing.hpp"

namespace loadstone::transport {

class bounce_buffers {
 public:
  bounce_buffers(memory::arena& arena, std::size_t limit, bool always_past = false)
      : arena_(arena), cells_(arena, limit), stores_(always_past) {}

  // A payload on its way: of an overlapped message a first part, then, once that is published, the
  // rest.
  struct filling {
    cell_header* cell = nullptr;  // null: none is free
    std::size_t there = 0;
    copy::store_choice::plan plan{copy::store_way::through, false};
    explicit operator bool() const { return cell != nullptr; }
  };
  filling begin(const outgoing& m, bool whole);
  void finish(const outgoing& m, filling& f);
  // It does not leave after all.
  static void drop(filling& f) { give_back(*f.cell); }
  std::uint64_t name_of(const filling& f) const {
    return f.cell == nullptr ? 0 : local_address::of(arena_.address_of(f.cell)).bits;
  }

 private:
  memory::arena& arena_;
  cells cells_;
  copy::store_choice stores_;
};

}  // namespace loadstone::transport
