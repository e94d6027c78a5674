#include "coll/rounds.hpp"

#include <algorithm>
#include <cstring>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "copy/copy.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

constexpr std::size_t line = 64;
// What is summed is read and written once for each member: so much stays in the nearest cache.
constexpr std::int64_t summed_at_once = 8 * 1024;

void store(copy::store_way way, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (way == copy::store_way::past)
    copy::past_caches(to, from, bytes);
  else
    copy::into_cell(to, from, bytes, bytes);
}

}  // namespace

void round_shares::cut(std::span<const std::int64_t> begins, std::int64_t most) {
  begins_.assign(begins.begin(), begins.end());
  std::int64_t longest = 0;
  for (std::size_t m = 0; m + 1 < begins_.size(); ++m)
    longest = std::max(longest, begins_[m + 1] - begins_[m]);
  piece_ = std::max<std::int64_t>(1, std::min(most, longest));
  rounds_ = (longest + piece_ - 1) / piece_;
}

round_shares::range round_shares::in_round(std::int64_t round, std::int32_t share) const {
  const auto m = static_cast<std::size_t>(share);
  const std::int64_t first = std::min(begins_[m] + round * piece_, begins_[m + 1]);
  return {first, std::min(piece_, begins_[m + 1] - first)};
}

void round_work::open(std::int32_t members, std::int32_t rank, const reduction_work::form& f,
                      const datatype::type& type, const datatype::op& op,
                      std::span<const std::int64_t> shares, const void* input, void* result) {
  members_ = members;
  rank_ = rank;
  form_ = f;
  type_ = &type;
  op_ = &op;
  blocks_.resize(static_cast<std::size_t>(members));
  input_ = static_cast<const std::byte*>(input);
  result_ = static_cast<std::byte*>(result);
  shape_ = shape_of(shares, type.size());
  const std::int64_t element = std::max<std::int64_t>(1, type.size());
  shares_.cut(shares, round_bytes / members / element);
  apart_ = base::round_up(bytes(shares_.piece()), line);
  at_once_ = std::clamp<std::int64_t>(summed_at_once / element, 1, shares_.piece());
  room_.resize(bytes(at_once_));
}

void round_work::offer_in(areas& a) {
  offer& o = *new (&a.offer_of(rank_)) offer{};
  begun_ = refused_ = disagreed_ = unmapped_ = false;
  taken_ = 0;
  summed_by_us_ = {};
  helps_ = a.crowded();
  goes_back_ = !helps_ && members_ == 2 && form_.whose == result_of::all;
  stores_ = &a.stores();
  o.shape = shape_;
  const std::size_t size = 2 * half_bytes();
  std::byte* const block = a.block(size);
  blocks_[static_cast<std::size_t>(rank_)] = block;
  if (block == nullptr) {
    o.refused = 1;
    return;
  }
  o.places()[0] = place::of(a.address_of(block), size);
  put(0);
  put(1);
  o.ready.store(2, std::memory_order_relaxed);  // relaxed: published with the slot
}

void round_work::put(std::int64_t round) {
  if (round >= shares_.rounds()) return;
  std::byte* const block = blocks_[static_cast<std::size_t>(rank_)];
  const copy::store_choice::plan how = stores_->next();
  way_ = how.way;
  const std::uint64_t begin = how.timed ? base::now_ns() : 0;
  std::size_t all = 0;
  for (std::int32_t s = 0; s < members_; ++s) {
    const range r = shares_.in_round(round, s);
    if (r.count <= 0 || (s == rank_ && !helps_)) continue;
    store(way_, piece_at(block, round, s), input_ + bytes(r.first), bytes(r.count));
    all += bytes(r.count);
  }
  if (how.timed && all > 0) stores_->took(way_, all, base::now_ns() - begin);
}

bool round_work::wanted_by_others(std::int32_t share) const {
  switch (form_.whose) {
    case result_of::root:
      return form_.root != rank_;
    case result_of::own_slice:
      return share != rank_;
    default:
      return members_ > 1;
  }
}

std::byte* round_work::result_of_share(std::int32_t share, const range& r) const {
  const std::int64_t begin = form_.whose == result_of::own_slice ? shares_.begin_of(share) : 0;
  return result_ + bytes(r.first - begin);
}

// From the highest rank down, always `lower op higher`. Our own operand is read where it is: in
// place, the result of the same elements is written over it at the end.
void round_work::sum(std::int64_t round, std::int32_t share) {
  const range r = shares_.in_round(round, share);
  if (r.count <= 0 || unmapped_) return;
  const bool ours = form_.wanted_by(rank_, share), theirs = wanted_by_others(share);
  std::byte* const result = ours ? result_of_share(share, r) : nullptr;
  std::byte* const sums = sum_at(round, share);
  // What all read stays in the caches, but for that of two.
  const copy::store_way way =
      form_.whose != result_of::all || members_ == 2 ? way_ : copy::store_way::through;
  const std::int32_t highest = members_ - 1;
  for (std::int64_t done = 0; done < r.count; done += at_once_) {
    const std::int64_t count = std::min(at_once_, r.count - done);
    const std::size_t at = bytes(done), n = bytes(count);
    const auto operand_of = [&](std::int32_t m) -> const std::byte* {
      if (m == rank_) return input_ + bytes(r.first) + at;
      return piece_at(blocks_[static_cast<std::size_t>(m)], round, share) + at;
    };
    // A user's operation cannot write over its lower operand.
    const bool in_result = ours && (rank_ > 0 || op_->predefined() || result + at != operand_of(rank_));
    const bool in_sums = ours ? goes_back_ && rank_ != highest : way == copy::store_way::through;
    std::byte* const last = in_sums ? sums + at : in_result ? result + at : room_.data();
    const std::byte* sum = operand_of(highest);
    for (std::int32_t m = highest - 1; m >= 0; --m) {
      std::byte* const to = m > 0 ? room_.data() : last;
      op_->combine(operand_of(m), sum, to, count, *type_);
      sum = to;
    }
    if (theirs && last != sums + at) store(way, sums + at, last, n);
    if (ours && last != result + at) copy::out_of_cell(result + at, last, n, n);
  }
}

// What others have summed. Each begins with another member.
void round_work::take(std::int64_t round) {
  for (std::int32_t i = 0; i < members_; ++i) {
    const std::int32_t s = (rank_ + i) % members_;
    if (!form_.wanted_by(rank_, s) || summed_by_us_.has(s)) continue;
    const range r = shares_.in_round(round, s);
    if (r.count > 0)
      copy::out_of_cell(result_of_share(s, r), sum_at(round, s), bytes(r.count), bytes(r.count));
  }
}

bool round_work::all_have_come(areas& a) {
  member_set missing;
  for (std::int32_t r = 0; r < members_; ++r)
    if (r != rank_ && !a.has_come(r)) missing.add(r);
  return missing.empty() || a.await(missing);
}

// All see the same, but who cannot map a block, which tells the others.
void round_work::begin(areas& a) {
  begun_ = true;
  const std::uint64_t shape = a.offer_of(0).shape;
  for (std::int32_t m = 0; m < members_; ++m) {
    refused_ = refused_ || a.offer_of(m).refused != 0;
    disagreed_ = disagreed_ || a.offer_of(m).shape != shape;
  }
  if (disagreed_) a.offer_of(rank_).note(p2p::error_truncate);
  for (std::int32_t m = 0; m < members_ && !refused_ && !disagreed_; ++m) {
    std::int32_t error = 0;
    if (m != rank_) blocks_[static_cast<std::size_t>(m)] = a.at(m, a.offer_of(m).places()[0], &error);
    if (error == 0) continue;
    unmapped_ = true;
    for (std::int32_t r = 0; r < members_; ++r) a.offer_of(r).note(error);
  }
  // Nobody else wakes those that came before and sleep, where nothing is summed.
  if (refused_ || disagreed_ || shares_.rounds() == 0) a.wake_all();
  if (a.crowded() && shares_.rounds() > 1) a.wake_helpers();
}

// Who keeps a round from being summed.
member_set round_work::not_ready(areas& a, std::int64_t round) const {
  member_set who;
  for (std::int32_t m = 0; m < members_; ++m)
    // Acquire: what it has put, and has taken (sync: round-ready).
    if (m != rank_ && a.offer_of(m).ready.load(std::memory_order_acquire) <= round) who.add(m);
  return who;
}

bool round_work::is_summed(areas& a, std::int64_t round) const {
  for (std::int32_t s = 0; s < members_; ++s)
    if (a.offer_of(s).summed.load(std::memory_order_acquire) <= round) return false;  // sync: round-summed
  return true;
}

// What nobody else sums, our own share first. Those of one share are summed one after the other.
void round_work::sum_what_is_left(areas& a, std::int64_t round) {
  for (std::int32_t i = 0; i < members_; ++i) {
    const std::int32_t share = (rank_ + i) % members_;
    if (!sums(share)) break;  // ours is the first
    offer& o = a.offer_of(share);
    if (o.summed.load(std::memory_order_acquire) != round) continue;  // sync: round-summed
    auto expected = static_cast<std::uint32_t>(round);
    // Relaxed: what is read came with `ready`, and with the load before (sync: joint-claim).
    if (!o.claimed.compare_exchange_strong(expected, expected + 1, std::memory_order_relaxed)) continue;
    sum(round, share);
    summed_by_us_.add(share);
    o.summed.store(round + 1, std::memory_order_release);  // sync: round-summed
    // Of two that sum the last ones, one at least sees that all are.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    LOADSTONE_FAULT_POINT("coll.summed");
    if (is_summed(a, round)) a.wake_all();
  }
}

bool round_work::go_on(areas& a) {
  if (!begun_) {
    if (!all_have_come(a)) return false;
    begin(a);
  }
  if (refused_ || disagreed_) return true;
  while (taken_ < shares_.rounds()) {
    if (const member_set others = not_ready(a, taken_); !others.empty()) return a.await(others);
    sum_what_is_left(a, taken_);
    if (!is_summed(a, taken_)) return a.await(member_set::others(members_, rank_));  // whoever has claimed it
    if (!unmapped_) {
      take(taken_);
      put(taken_ + 2);
    }
    summed_by_us_ = {};
    ++taken_;
    a.note_progress();
    a.offer_of(rank_).ready.store(taken_ + 2, std::memory_order_release);  // sync: round-ready
  }
  return true;
}

}  // namespace loadstone::coll
