#include "coll/chain.hpp"

#include <algorithm>
#include <utility>

#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "copy/kernels.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

constexpr std::size_t line = 64;

}  // namespace

void chain_work::open(std::int32_t members, std::int32_t rank, const reduction_work::form& f,
                      const datatype::type& type, const datatype::op& op,
                      std::span<const std::int64_t> shares, const void* input, void* result) {
  members_ = members;
  rank_ = rank;
  type_ = &type;
  op_ = &op;
  input_ = static_cast<const std::byte*>(input);
  result_ = static_cast<std::byte*>(result);
  shape_ = shape_of(shares, type.size());
  elements_ = shares.back();
  const std::int64_t element = std::max<std::int64_t>(1, type.size());
  piece_ = std::max<std::int64_t>(1, piece_bytes / element);
  pieces_ = (elements_ + piece_ - 1) / piece_;
  apart_ = base::round_up(bytes(std::min(piece_, elements_)), line);
  places_ = std::clamp<std::int64_t>(block_bytes / std::max<std::int64_t>(1, bytes(piece_)), 2,
                                     std::max<std::int64_t>(2, pieces_));
  wanted_ = {0, elements_};
  if (f.whose == result_of::root && f.root != rank) wanted_ = {0, 0};
  if (f.whose == result_of::own_slice) {
    const auto r = static_cast<std::size_t>(rank);
    wanted_ = {shares[r], shares[r + 1]};
  }
  const bool none = wanted_.first == wanted_.end;
  takes_ =
      none ? range{pieces_, pieces_} : range{wanted_.first / piece_, (wanted_.end + piece_ - 1) / piece_};
}

void chain_work::offer_in(areas& a) {
  offer& o = *new (&a.offer_of(rank_)) offer{};
  block_ = nullptr;
  folded_ = 0;
  taken_ = takes_.first;
  agreed_ = stopped_ = refused_ = false;
  o.shape = shape_;
  // Relaxed: published with the slot.
  o.taken_pieces.store(taken_ == takes_.end ? pieces_ : taken_, std::memory_order_relaxed);
  first_word_ = highest();
  if (!highest()) return;
  const std::size_t size = std::max(line, static_cast<std::size_t>(places_) * apart_);
  block_ = a.block(size);
  agreed_ = block_ != nullptr;
  stopped_ = !agreed_;
  if (agreed_) o.places()[0] = place::of(a.address_of(block_), size);
  o.refused = agreed_ ? 0 : 1;
  o.ready.store(agreed_ ? folded(0) : stopped, std::memory_order_relaxed);  // relaxed: as above
}

std::int64_t chain_work::word_of(areas& a, std::int32_t member) const {
  if (member != rank_ && !a.has_come(member)) return nothing;
  // Acquire: what it has folded, and all above it have (sync: chain-folded).
  return a.offer_of(member).ready.load(std::memory_order_acquire);
}

std::int64_t chain_work::taken_by(areas& a, std::int32_t member) const {
  if (member != rank_ && !a.has_come(member)) return 0;
  // Acquire: it has read what is written over (sync: chain-taken).
  return a.offer_of(member).taken_pieces.load(std::memory_order_acquire);
}

// And whoever may wait for that looks again.
void chain_work::say(areas& a, std::int64_t word) {
  a.offer_of(rank_).ready.store(word, std::memory_order_release);  // sync: chain-folded
  LOADSTONE_FAULT_POINT("coll.folded");
  if (rank_ == 0)
    a.wake_all();
  else
    a.wake(rank_ - 1);
}

void chain_work::stop(areas& a) {
  stopped_ = true;
  say(a, stopped);
}

// The one above us has come, and all above it. False: nothing will be done, which those below are
// told.
bool chain_work::agrees_with_above(areas& a) {
  offer& o = a.offer_of(rank_);
  const offer& above = a.offer_of(rank_ + 1);
  o.note(above.error.load(std::memory_order_relaxed));  // relaxed: it came with its word
  o.refused = above.refused;
  if (above.shape != shape_ && o.refused == 0) o.note(p2p::error_truncate);
  if (o.refused != 0 || above.shape != shape_ || word_of(a, rank_ + 1) == stopped) return stop(a), false;
  std::int32_t error = 0;
  block_ = a.at(members_ - 1, a.offer_of(members_ - 1).places()[0], &error);
  o.note(error);
  agreed_ = true;
  say(a, folded(0));
  return true;
}

// May a piece be written where an earlier one lies?
bool chain_work::has_place(areas& a, std::int64_t k) const {
  for (std::int32_t m = 0; m < members_ && k >= places_; ++m)
    if (taken_by(a, m) <= k - places_) return false;
  return true;
}

// Always `lower op higher`.
void chain_work::fold(std::int64_t k) const {
  if (block_ == nullptr) return;
  const range r = piece(k);
  const std::byte* const ours = input_ + bytes(r.first);
  if (highest())
    copy::ordinary(place_of(k), ours, bytes(r.end - r.first));
  else
    op_->apply(ours, place_of(k), r.end - r.first, *type_);
}

void chain_work::take(std::int64_t k) const {
  if (block_ == nullptr) return;
  const range p = piece(k), r{std::max(p.first, wanted_.first), std::min(p.end, wanted_.end)};
  copy::ordinary(result_ + bytes(r.first - wanted_.first), place_of(k) + bytes(r.first - p.first),
                 bytes(r.end - r.first));
}

// One piece, folded or taken. False: there is nothing to do.
bool chain_work::step(areas& a) {
  if (!agreed_) return word_of(a, rank_ + 1) != nothing && agrees_with_above(a);
  if (folded_ < pieces_ &&
      (highest() ? has_place(a, folded_) : word_of(a, rank_ + 1) >= folded(folded_ + 1))) {
    fold(folded_);
    say(a, folded(++folded_));
    return true;
  }
  if (taken_ == takes_.end || word_of(a, 0) < folded(taken_ + 1)) return false;
  take(taken_);
  ++taken_;
  a.offer_of(rank_).taken_pieces.store(taken_ == takes_.end ? pieces_ : taken_,
                                       std::memory_order_release);  // sync: chain-taken
  if (pieces_ > places_) a.wake(members_ - 1);
  return true;
}

// Who keeps us from going on. While we fold: those above us that have not folded that piece, and
// whoever keeps the highest from writing it, where it lies in the place of an earlier one: those
// that have not folded that one, or not taken it. Later those that have not folded what we take.
member_set chain_work::awaited(areas& a) const {
  const bool folds = folded_ < pieces_ || !agreed_;
  const std::int64_t earlier = folded_ - places_;
  member_set who;
  for (std::int32_t m = 0; m < members_; ++m) {
    if (m == rank_) continue;
    const std::int64_t word = word_of(a, m);
    bool behind;
    if (stopped_) {
      behind = m < rank_ && word != stopped;
    } else if (!folds || highest()) {
      behind = word < folded(std::min(taken_ + 1, takes_.end));
    } else {
      behind = m > rank_ && word < folded(std::min(folded_ + 1, pieces_));
    }
    if (folds && !stopped_ && earlier >= 0)
      behind = behind || word < folded(earlier + 1) || taken_by(a, m) <= earlier;
    if (behind) who.add(m);
  }
  return who;
}

// Unsigned: before it is our turn in the area, anything may lie in our own slot.
std::int64_t chain_work::done_by_all(areas& a) const {
  std::uint64_t done = 0;
  for (std::int32_t m = 0; m < members_; ++m)
    done += static_cast<std::uint64_t>(word_of(a, m)) + static_cast<std::uint64_t>(taken_by(a, m));
  return static_cast<std::int64_t>(done);
}

bool chain_work::go_on(areas& a) {
  // Its first word came with the slot, which wakes nobody, and there may be none to follow.
  if (std::exchange(first_word_, false) && (stopped_ || pieces_ == 0)) a.wake(rank_ - 1);
  for (;;) {
    while (!stopped_ && step(a)) a.note_progress();
    const std::int64_t last = word_of(a, 0);
    offer& o = a.offer_of(rank_);
    if (last == stopped || (last != nothing && folded_ == pieces_ && taken_ == takes_.end)) {
      refused_ = a.offer_of(0).refused != 0;
      o.note(a.offer_of(0).error.load(std::memory_order_relaxed));  // relaxed: it came with its word
      return true;
    }
    if (const member_set who = awaited(a); !who.empty()) return a.await(who);
  }
}

}  // namespace loadstone::coll
