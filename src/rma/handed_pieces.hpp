// One transfer or accumulate in pieces, of which its owner has one while we are at the next one;
// private to handed*.cpp. Under the gate, and nobody else uses the hand_end meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "copy/kernels.hpp"
#include "datatype/cursor.hpp"
#include "rma/asked_request.hpp"
#include "rma/handed.hpp"
#include "rma/runs.hpp"

namespace loadstone::rma {

class handed::in_pieces {
 public:
  struct work {
    const local_data* origin;  // whose data goes there; null: none
    const local_data* result;  // where what comes back goes; null: nothing does
    hand_kind kind;
    datatype::op_kind op = {};  // of an accumulate
  };
  struct piece {
    std::int64_t position = 0, bytes = 0;
  };

  // `program`: of the target's type. From packed byte `from` on.
  in_pieces(handed& h, window& w, const place& at, const remote_data& there, const work& what,
            const datatype::program& program, std::int64_t from = 0)
      : by_(h),
        window_(w),
        to_(*at.to),
        work_(what),
        bytes_(there.bytes()),
        most_runs_(there.type->in_one_block(there.count) ? 1 : most_handed_runs) {
    const auto address = reinterpret_cast<void*>(at.offset);
    if (changes()) {
      kind_ = there.type->single_named();
      const element each(kind_);
      unit_ = each.size(), span_ = each.span();
      elements_.emplace(each, address, there.count, *there.type, from);
    } else {
      blocks_.emplace(address, there.count, *there.type, program, from);
    }
    const std::int64_t room = most_handed_bytes / (fetches() ? 2 : 1);
    most_ = h.crowded_ ? room : std::clamp((bytes_ / 4 + 63) / 64 * 64, least_piece, room);
    most_ = std::min(bytes_, most_ / unit_ * unit_);
    if (const local_data* const from = what.origin; from != nullptr && from->type->in_one_block(from->count))
      block_ = from->type->block_at(static_cast<const std::byte*>(from->address));
    offered_ = from;
    to_.hand->busy = true;
  }
  ~in_pieces() {
    for (const held& h : pieces_) by_.rooms_.give(h.in);
    to_.hand->busy = false;
  }
  in_pieces(const in_pieces&) = delete;
  in_pieces& operator=(const in_pieces&) = delete;

  // Offers what there is room for, if there is `more` to be offered; then waits for the oldest
  // offer, and takes what it has brought. `none`: there is none.
  end next(double patience, bool more, piece* what) {
    while (more && outstanding_ < hand_slots && offered_ < bytes_ && offer_one()) ++outstanding_;
    if (outstanding_ == 0) return end::none;
    const std::uint32_t slot = oldest_++ % hand_slots;
    --outstanding_;
    const held& h = pieces_[slot];
    *what = h;
    const end how = by_.await(window_, to_, slot, patience);
    if (how == end::done && work_.result != nullptr)
      datatype::unpack(work_.result->address, work_.result->count, *work_.result->type, h.position, h.bytes,
                       h.in.memory + h.back);
    return how;
  }
  std::uint32_t outstanding() const { return outstanding_; }
  std::int64_t offered() const { return offered_; }  // packed bytes, from the first one on

 private:
  struct held : piece {
    rooms::room in;
    std::uint32_t back = 0;  // where in the room that begins which comes back
  };

  bool changes() const { return work_.kind == hand_kind::change; }
  bool fetches() const { return changes() && work_.result != nullptr; }  // what was there before
  asked_run next_run(std::int64_t limit) {
    if (changes()) {
      const element_run r = elements_->next(limit / unit_);
      return {reinterpret_cast<std::int64_t>(r.at), span_, r.count, r.step};
    }
    const datatype::run r = blocks_->next(limit);
    return {static_cast<std::int64_t>(r.address), r.length, r.count, r.stride};
  }

  // False: there is no room for it.
  bool offer_one() {
    const std::uint32_t slot = newest_ % hand_slots;
    held& h = pieces_[slot];
    by_.rooms_.give(h.in);
    const std::size_t data_bytes = whole_lines(static_cast<std::size_t>(most_)) * (fetches() ? 2 : 1);
    h = {{offered_, 0}, by_.rooms_.take(behind_runs(most_runs_) + data_bytes)};
    std::byte* const memory = h.in.memory;
    if (memory == nullptr) return false;
    std::uint32_t runs = 0;
    for (const std::int64_t all = std::min(bytes_ - offered_, most_); runs < most_runs_ && h.bytes < all;
         ++runs) {
      const asked_run run = next_run(all - h.bytes);
      std::memcpy(memory + runs * sizeof run, &run, sizeof run);
      h.bytes += (changes() ? unit_ : run.length) * run.count;
    }
    const std::uint32_t data = behind_runs(runs), lines = whole_lines(static_cast<std::size_t>(h.bytes));
    h.back = data + (changes() ? lines : 0);
    by_.rooms_.cut(&h.in, data + lines * (fetches() ? 2 : 1));
    if (block_ != nullptr)
      by_.store(memory + data, block_ + h.position, static_cast<std::size_t>(h.bytes));
    else if (work_.origin != nullptr)
      datatype::pack(work_.origin->address, work_.origin->count, *work_.origin->type, h.position, h.bytes,
                     memory + data);
    by_.offer(window_, to_, slot, h.in.where, runs, {work_.kind, work_.op, kind_, fetches()}, data, h.back);
    offered_ += h.bytes;
    ++newest_;
    return true;
  }

  handed& by_;
  window& window_;
  target& to_;
  const work work_;
  const std::int64_t bytes_;
  const std::uint32_t most_runs_;
  const std::byte* block_ = nullptr;  // all that goes there, if it is one
  // Of one piece: a fourth at most, so that both ends have something to do; with fewer cores than
  // processes what there is room for, as each piece costs a turn.
  std::int64_t most_;
  datatype::named_kind kind_;         // of an accumulate: its elements,
  std::int64_t unit_ = 1, span_ = 0;  // packed, and at the target
  std::optional<datatype::cursor> blocks_;
  std::optional<element_runs> elements_;
  std::array<held, hand_slots> pieces_;
  std::uint32_t newest_ = 0, oldest_ = 0, outstanding_ = 0;
  std::int64_t offered_ = 0;
};

}  // namespace loadstone::rma
