#include "coll/joint.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/fault.hpp"
#include "base/valgrind.hpp"
#include "coll/outwait.hpp"
#include "coll/pieces.hpp"
#include "copy/kernels.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

// A piece of a reduction: it is read twice, so it is to stay in a near cache.
constexpr std::int64_t reduced_piece = 64 * 1024;
// With fewer cores than members, the last to come wakes others to help it with so much.
constexpr std::uint64_t worth_waking = 512 * 1024;

void one_less(areas& a, std::int32_t member) {
  // Acquire and release: whoever sees the last one sees all that was copied (sync: joint-left).
  if (a.offer_of(member).left.fetch_sub(1, std::memory_order_acq_rel) == 1 && member != a.rank())
    a.wake(member);
}

// Fewer than none where members disagree about how much there is, an error of the program.
bool all_is_done(areas& a, std::int32_t counted_at) {
  const std::uint32_t left = a.offer_of(counted_at).left.load(std::memory_order_acquire);  // sync: joint-left
  return static_cast<std::int32_t>(left) <= 0;
}

}  // namespace

// --- transfers

void exchange_work::open(std::int32_t members) {
  gives_.assign(static_cast<std::size_t>(members), {0, no_pair});
  takes_.assign(static_cast<std::size_t>(members), {0, no_pair});
}

void exchange_work::gives(std::int32_t to, const void* address, std::int64_t bytes) {
  gives_[static_cast<std::size_t>(to)] = place::in_process(address, static_cast<std::uint64_t>(bytes));
}

void exchange_work::takes(std::int32_t from, void* address, std::int64_t bytes) {
  takes_[static_cast<std::size_t>(from)] = place::in_process(address, static_cast<std::uint64_t>(bytes));
}

void exchange_work::offer_in(areas& a) {
  looked_ = false;
  offer& o = *new (&a.offer_of(a.rank())) offer{};
  std::uint32_t pairs = 0;
  for (std::int32_t r = 0; r < a.size(); ++r) {
    pairs += static_cast<std::uint32_t>(exists(gives_, r)) + static_cast<std::uint32_t>(exists(takes_, r));
    o.places()[r] = gives_[static_cast<std::size_t>(r)];
    taken_block& t = *new (&o.taken(a.size())[r]) taken_block{};
    t.where = takes_[static_cast<std::size_t>(r)];
  }
  // Relaxed: published with the slot.
  o.left.store(pairs, std::memory_order_relaxed);
}

// The same at both ends.
std::uint64_t exchange_work::piece_in(const areas& a, std::uint64_t bytes, std::int32_t from,
                                      std::int32_t to) const {
  const bool both_ways = from == a.rank() ? exists(takes_, to) : exists(gives_, from);
  return piece_of(bytes, both_ways || a.crowded());
}

// False: some of it is still being copied, or its other end has not come.
bool exchange_work::transfer(areas& a, std::int32_t from, std::int32_t to) {
  const bool pulls = to == a.rank();
  if (!a.has_come(pulls ? from : to)) return false;
  const place& given = a.offer_of(from).places()[to];
  taken_block& taken = a.offer_of(to).taken(a.size())[from];
  const std::uint64_t bytes = std::min(given.bytes(), taken.where.bytes()),
                      piece = piece_in(a, bytes, from, to);
  const std::uint32_t pieces = pieces_in(bytes, piece);
  for (std::uint32_t k; (k = claim_part(taken.claimed, pieces, pulls)) != nothing_left;) {
    const std::uint64_t at = k * piece, length = std::min(piece, bytes - at);
    LOADSTONE_FAULT_POINT("coll.copying");
    std::int32_t error = 0;
    if (pulls)
      a.read(from, given, at, reinterpret_cast<std::byte*>(taken.where.address) + at, length, &error);
    else
      a.write(to, taken.where, at, reinterpret_cast<const std::byte*>(given.address) + at, length, &error);
    if (given.bytes() > taken.where.bytes()) a.offer_of(to).note(p2p::error_truncate);
    a.offer_of(from).note(error);
    a.offer_of(to).note(error);
    if (taken.done.fetch_add(1, std::memory_order_acq_rel) + 1 != pieces) continue;  // sync: joint-done
    one_less(a, from);
    one_less(a, to);
  }
  return taken.done.load(std::memory_order_acquire) == pieces;  // sync: joint-done
}

// What comes to us first: nobody else may have done that. Each begins with another member, so that
// no two read from the same. With fewer cores than members, who runs on another core may have the
// memory there in its cache, and do it itself when it sees that we have come: so what goes there is
// left for the next look.
bool exchange_work::go_on(areas& a) {
  if (all_is_done(a, a.rank())) return true;
  const bool leaves = a.crowded() && !std::exchange(looked_, true);
  member_set awaited;
  for (std::int32_t i = 1; i < a.size(); ++i) {
    const std::int32_t from = (a.rank() + i) % a.size();
    if (exists(takes_, from) && !transfer(a, from, a.rank())) awaited.add(from);
  }
  for (std::int32_t i = 1; i < a.size(); ++i) {
    const std::int32_t to = (a.rank() + a.size() - i) % a.size();
    if (!exists(gives_, to)) continue;
    if ((leaves && !a.shares_core(to)) || !transfer(a, a.rank(), to)) awaited.add(to);
  }
  return all_is_done(a, a.rank()) || a.await(awaited);
}

void exchange_work::tell_valgrind() const {
  for (const place& block : takes_)
    if (block.size != no_pair) base::written_by_others(reinterpret_cast<void*>(block.address), block.bytes());
}

// --- reductions

std::int64_t reduction_work::scratch_bytes(const datatype::type& type) {
  return 2 * std::max(reduced_piece, type.size());
}

void reduction_work::open(std::int32_t members, const form& f, const datatype::type& type,
                          const datatype::op& op, std::span<const std::int64_t> shares, const void* input,
                          void* result, std::byte* scratch) {
  members_ = members;
  form_ = f;
  type_ = &type;
  op_ = &op;
  shares_.assign(shares.begin(), shares.end());
  input_ = static_cast<const std::byte*>(input);
  result_ = static_cast<std::byte*>(result);
  scratch_ = scratch;
  shape_ = shape_of(shares_, type.size());
  piece_ = std::max<std::int64_t>(1, reduced_piece / type.size());
}

std::uint32_t reduction_work::pieces_of(std::int32_t member) const {
  const auto m = static_cast<std::size_t>(member);
  return static_cast<std::uint32_t>((shares_[m + 1] - shares_[m] + piece_ - 1) / piece_);
}

void reduction_work::offer_in(areas& a) {
  offer& o = *new (&a.offer_of(a.rank())) offer{};
  seen_ = 0;
  begun_ = looked_ = disagreed_ = false;
  o.shape = shape_;
  o.places()[0] = place::in_process(input_, offset(shares_.back()));
  o.places()[1] = place::in_process(result_, offset(shares_.back()));
  std::uint32_t pieces = 0;
  for (std::int32_t r = 0; r < members_; ++r) pieces += pieces_of(r);
  // Relaxed: published with the slot.
  o.left.store(pieces, std::memory_order_relaxed);
}

// What is left is counted in one place, so all look there.
bool reduction_work::go_on(areas& a) {
  if (begun_ && all_is_done(a, 0)) return true;
  for (; seen_ < members_; ++seen_)
    if (seen_ != a.rank() && !a.has_come(seen_)) {
      member_set missing;
      for (std::int32_t r = seen_; r < members_; ++r)
        if (r != a.rank() && !a.has_come(r)) missing.add(r);
      return missing.empty() ? go_on(a) : a.await(missing);
    }
  if (!begun_) {
    begun_ = true;
    // All see that alike. Counts that differ would have some write where others have no room.
    for (std::int32_t m = 1; m < members_; ++m)
      disagreed_ = disagreed_ || a.offer_of(m).shape != a.offer_of(0).shape;
    if (disagreed_) {
      a.offer_of(a.rank()).note(p2p::error_truncate);
      // Nobody else wakes those that came before and sleep: there is no work whose end would.
      a.wake_all();
    } else if (a.crowded() && offset(shares_.back()) >= worth_waking) {
      a.wake_helpers();
    }
  }
  if (disagreed_) return true;
  const bool leaves = a.crowded() && !std::exchange(looked_, true);
  for (std::int32_t i = 0; i < members_; ++i) {
    const std::int32_t share = (a.rank() + i) % members_;
    if (!leaves || share == a.rank() || a.shares_core(share)) reduce_share(a, share);
  }
  return all_is_done(a, 0) || a.await(member_set::others(members_, a.rank()));
}

// Who gives up takes back what it has published, and waits for those that say that they are at
// work. So either we see the one, or it sees the other. False: somebody gives up.
bool reduction_work::goes_to_work(areas& a) {
  std::atomic<std::uint32_t>& at_work = a.offer_of(a.rank()).at_work;
  // Relaxed: the fence orders it before what is read then (sync: joint-at-work).
  at_work.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (std::int32_t r = 0; r < members_; ++r) {
    if (r == a.rank() || a.has_come(r)) continue;
    at_work.store(0, std::memory_order_release);  // sync: joint-at-work
    return false;
  }
  return true;
}

// What is left of it.
void reduction_work::reduce_share(areas& a, std::int32_t share) {
  const std::uint32_t pieces = pieces_of(share);
  std::atomic<std::uint32_t>& claimed = a.offer_of(share).claimed;
  // Relaxed: whether to try, no more.
  while (claimed.load(std::memory_order_relaxed) < pieces && goes_to_work(a)) {
    const std::uint32_t k = claim(claimed, pieces);
    if (k != nothing_left) reduce_piece(a, share, k);
    // Release: what we have written is there for who waits for us (sync: joint-at-work).
    a.offer_of(a.rank()).at_work.store(0, std::memory_order_release);
  }
}

void reduction_work::reduce_piece(areas& a, std::int32_t share, std::uint32_t k) {
  const auto s = static_cast<std::size_t>(share);
  const std::int64_t first = shares_[s] + k * piece_;
  const range r{first, std::min(first + piece_, shares_[s + 1])};
  LOADSTONE_FAULT_POINT("coll.folding");
  std::int32_t error = 0;
  if (form_.whose == result_of::lower || form_.whose == result_of::strictly_lower)
    scan(a, r, &error);
  else
    fold(a, share, r, &error);
  if (error != 0)
    for (std::int32_t m = 0; m < members_; ++m) a.offer_of(m).note(error);
  // Acquire and release: whoever sees the last one sees all results (sync: joint-left).
  if (a.offer_of(0).left.fetch_sub(1, std::memory_order_acq_rel) == 1) a.wake_all();
}

const std::byte* reduction_work::operand_of(areas& a, std::int32_t member, range r, std::byte* room,
                                            std::int32_t* error) {
  if (member == a.rank()) return input_ + offset(r.first);
  return a.fetch(member, a.offer_of(member).places()[0], offset(r.first), room, offset(r.count()), error);
}

void reduction_work::deliver(areas& a, std::int32_t member, std::int32_t share, range r, const std::byte* sum,
                             std::int32_t* error) {
  const std::int64_t begins =
      form_.whose == result_of::own_slice ? shares_[static_cast<std::size_t>(share)] : 0;
  const std::uint64_t at = offset(r.first - begins), bytes = offset(r.count());
  if (member != a.rank())
    a.write(member, a.offer_of(member).places()[1], at, sum, bytes, error);
  else if (sum != result_ + at)
    copy::ordinary(result_ + at, sum, bytes);
}

// From the highest rank down, always `lower op higher`.
void reduction_work::fold(areas& a, std::int32_t share, range r, std::int32_t* error) {
  const std::int32_t highest = members_ - 1;
  const auto s = static_cast<std::size_t>(share);
  const std::uint64_t bytes = offset(r.count());
  std::byte* const room = scratch_ + bytes;
  std::byte* last = scratch_;
  if (form_.wanted_by(a.rank(), share)) {
    std::byte* const result =
        result_ + offset(r.first - (form_.whose == result_of::own_slice ? shares_[s] : 0));
    // In place, our operand is where its result goes, and of rank 0 it is the lower one of the last
    // two.
    if (a.rank() > 0 || op_->predefined() || result != input_ + offset(r.first)) last = result;
  }
  const std::byte* sum = operand_of(a, highest, r, scratch_, error);
  for (std::int32_t m = highest - 1; m >= 0 && *error == 0; --m) {
    std::byte* const to = m > 0 ? scratch_ : last;
    op_->combine(operand_of(a, m, r, room, error), sum, to, r.count(), *type_);
    sum = to;
  }
  for (std::int32_t m = 0; m < members_; ++m)
    if (form_.wanted_by(m, share)) deliver(a, m, share, r, sum, error);
}

void reduction_work::scan(areas& a, range r, std::int32_t* error) {
  const std::uint64_t bytes = offset(r.count());
  std::byte* const room[2] = {scratch_, scratch_ + bytes};
  const std::byte* sum = operand_of(a, 0, r, room[0], error);
  const bool strictly = form_.whose == result_of::strictly_lower;
  if (!strictly) deliver(a, 0, 0, r, sum, error);
  for (std::int32_t m = 1; m < members_ && *error == 0; ++m) {
    std::byte* const next = !strictly && m == a.rank() ? result_ + offset(r.first) : room[m % 2];
    op_->combine(sum, operand_of(a, m, r, next, error), next, r.count(), *type_);
    deliver(a, m, 0, r, strictly ? sum : next, error);  // in place, it lies where our operand was
    sum = next;
  }
}

void reduction_work::tell_valgrind(std::int32_t self) const {
  if (disagreed_ || (form_.whose == result_of::strictly_lower && self == 0)) return;
  const auto m = static_cast<std::size_t>(self);
  for (std::int32_t share = 0; share < members_; ++share) {
    const auto s = static_cast<std::size_t>(share);
    if (!form_.wanted_by(self, share)) continue;
    const std::int64_t at = form_.whose == result_of::own_slice ? shares_[s] - shares_[m] : shares_[s];
    base::written_by_others(result_ + offset(at), offset(shares_[s + 1] - shares_[s]));
  }
}

// --- who gives up sees to it that nobody begins to touch its memory, and waits for those that do

void exchange_work::withdraw(areas& a) {
  a.unpublish();
  for (std::int32_t r = 0; r < a.size(); ++r) {
    if (r == a.rank() || !a.has_come(r)) continue;
    const auto leave = [&](std::int32_t from, std::int32_t to) {
      taken_block& t = a.offer_of(to).taken(a.size())[from];
      const std::uint64_t bytes = std::min(a.offer_of(from).places()[to].bytes(), t.where.bytes());
      const std::uint32_t pieces = pieces_in(bytes, piece_in(a, bytes, from, to));
      const std::uint32_t begun = claimed_in(close_claims(t.claimed), pieces);
      outwait(a, r, [&] { return t.done.load(std::memory_order_acquire) >= begun; });  // sync: joint-done
    };
    if (exists(takes_, r)) leave(r, a.rank());
    if (exists(gives_, r)) leave(a.rank(), r);
  }
}

void reduction_work::withdraw(areas& a) {
  a.unpublish();
  for (std::int32_t r = 0; r < members_; ++r)
    if (r != a.rank() && a.has_come(r))
      outwait(a, r, [&] {
        return a.offer_of(r).at_work.load(std::memory_order_acquire) == 0;  // sync: joint-at-work
      });
}

}  // namespace loadstone::coll
