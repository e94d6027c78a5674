// Accumulates on ordinary memory that its owner carries out, or helps with (handed.hpp).
//
// Condition: the owner may help; what it does alone fits one piece, of which there is one at a
// time: so accumulates of one origin keep their order. Cost: one piece: a message, a look at its
// outcome, and one copy more. Shared work: nothing but the message, if the owner does not come;
// else about half of the time.
#include <array>
#include <cstring>
#include <mutex>

#include "rma/accumulate_ways.hpp"
#include "rma/asked.hpp"
#include "rma/engine.hpp"
#include "rma/handed_pieces.hpp"
#include "rma/ranges.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using datatype::op_kind;

namespace {

constexpr std::int64_t most_shared = 512 * 1024;  // under the locks at a time: for some 30 us

}  // namespace

bool handed::change_one(window& w, const place& at, const local_data* origin, const local_data* result,
                        const remote_data& where, op_kind op, const decision& d, const owner_seen& seen,
                        trouble* failed) {
  hand_end* const e = end_of(*at.to);
  const std::int64_t bytes = where.bytes();
  if (e == nullptr || bytes > near_element::largest) return false;
  near_element& one = e->place->slots[0].near;
  one.offset = at.offset + where.lowest();
  if (origin != nullptr) datatype::pack(origin->address, origin->count, *origin->type, 0, bytes, one.value);
  const piece_kind which{hand_kind::change, op, where.type->single_named(), result != nullptr};
  if (!change_near(w, *at.to, which, d, seen, failed)) return false;
  if (result != nullptr && failed->ok())
    datatype::unpack(result->address, result->count, *result->type, 0, bytes, one.value);
  return true;
}

trouble handed::change(window& w, const place& at, const local_data* origin, const local_data* result,
                       const remote_data& where, op_kind op, const decision& d, const owner_seen& seen,
                       std::unique_lock<wait::gate>& hold, unchanged* rest) {
  const datatype::program* const program = where.type->compiled();
  if (program == nullptr || end_of(*at.to) == nullptr || !is_there(origin, false) || !is_there(result, true))
    return {};
  in_pieces pieces(*this, w, at, where, {origin, result, hand_kind::change, op}, *program, rest->from);
  const double waits = patience_of(d, seen);
  std::array<unchanged, hand_slots> left;  // that the owner has not done
  std::size_t lefts = 0;
  for (bool comes = true;;) {
    in_pieces::piece p;
    const end how = pieces.next(comes ? waits : 0, comes && lefts == 0, &p);
    if (how == end::gone) return owner_gone();
    if (how == end::back || how == end::declined) left[lefts++] = {p.position, p.position + p.bytes};
    comes = comes && how != end::back;
    if (pieces.outstanding() != 0) continue;
    if (lefts == 0 && how != end::none) continue;
    rest->from = pieces.offered();
    if (lefts == 0) return {};
    // Not by the gate's holder: it may have to wait for locks.
    hold.unlock();
    trouble t;
    for (std::size_t i = 0; i < lefts && t.ok(); ++i) {
      t = change_by_system(w, at, origin, result, where, op, &left[i]);
      if (t.ok() || t.why.kind != base::code::refused) continue;
      // Not any more. What has been offered is to be done here, in whatever way.
      for (; i < lefts; ++i) {
        const trouble asked = windows_.accumulate(w, at.to->rank, at, origin, result, where, op, left[i]);
        if (!asked.ok()) t = asked;
      }
    }
    hold.lock();
    lefts = 0;
    if (!t.ok()) return t;
  }
}

bool handed::compare_and_swap(window& w, const place& at, const std::byte* in, const std::byte* compare,
                              std::byte* out, std::int64_t bytes, datatype::named_kind kind,
                              const decision& d, const owner_seen& seen, trouble* failed) {
  hand_end* const e = end_of(*at.to);
  if (e == nullptr || bytes > near_element::largest) return false;
  const auto size = static_cast<std::size_t>(bytes);
  hand_slot& s = e->place->slots[0];
  near_element& one = s.near;
  one.offset = at.offset;
  std::memcpy(one.value, in, size);
  std::memcpy(s.compared, compare, size);
  if (!change_near(w, *at.to, {hand_kind::compare_and_swap, {}, kind, true}, d, seen, failed)) return false;
  if (failed->ok()) std::memcpy(out, one.value, size);
  return true;
}

bool handed::change_at_once(window& w, target& t, std::int64_t offset, datatype::named_kind kind, op_kind op,
                            const void* in, const void* compare, void* out) {
  hand_end* const e = t.hand.get();
  if (e == nullptr || e->place == nullptr || e->busy || t.collected != nullptr) return false;
  // Relaxed: a hint, as in offer().
  if (e->place->notice().load(std::memory_order_relaxed) != hand_notice::here) return false;
  const element what_it_is(kind);
  const std::int64_t bytes = what_it_is.size();
  // Origin data lie as in memory: here they are copied as they are.
  if (bytes > near_element::largest || bytes != what_it_is.span()) return false;
  hand_slot& s = e->place->slots[0];
  s.near.offset = offset;
  if (op != op_kind::no_op) copy_few(s.near.value, in, bytes);
  if (compare != nullptr) copy_few(s.compared, compare, bytes);
  const hand_kind what = compare != nullptr ? hand_kind::compare_and_swap : hand_kind::change;
  trouble gone;
  if (!change_near(w, t, {what, op, kind, out != nullptr}, {carrier::handed, 0, 2 * costs_.call}, {},
                   &gone) ||
      !gone.ok())
    return false;
  if (out != nullptr) copy_few(out, s.near.value, bytes);
  return true;
}

// What is one element, and written. False: it has not happened.
bool handed::change_near(window& w, target& t, const piece_kind& what, const decision& d,
                         const owner_seen& seen, trouble* failed) {
  t.hand->busy = true;
  offer(w, t, 0, {}, 0, what, 0, 1);
  const end how = await(w, t, 0, patience_of(d, seen), &t.hand->first);
  t.hand->busy = false;
  if (how == end::gone) *failed = owner_gone();
  return how == end::done || how == end::gone;
}

// --- shared work ---

// One accumulate of which both ends take blocks: what has been taken, and what is offered now.
class handed::sharing {
 public:
  sharing(handed& h, window& w, const place& at, const local_data& origin, const remote_data& where,
          op_kind op, const unchanged& part)
      : by_(h),
        window_(w),
        to_(*at.to),
        kind_(where.type->single_named()),
        op_(op),
        start_(part.from),
        cut_(block_cut::of(part.to - start_, element(kind_).size())),
        count_(cut_.count()),
        data_(reinterpret_cast<std::uint64_t>(origin.type->block_at(origin.address) + start_)),
        address_(at.address + static_cast<std::uint64_t>(where.lowest() + start_)),
        offset_(at.offset + where.lowest() + start_) {}

  ~sharing() {
    if (!mine_) return;
    const std::lock_guard hold(by_.endpoint_.gate());
    to_.hand->busy = false;
  }
  sharing(const sharing&) = delete;
  sharing& operator=(const sharing&) = delete;

  bool offered() const { return offered_; }
  // The next block from the front; empty: there is none left to take.
  unchanged next() {
    if (!offered_ && useful_ && front_ + back_ + 1 < count_) offer(0);
    if (offered_) {
      std::atomic<std::uint64_t>& taken = work().taken;
      std::uint64_t now = taken.load(std::memory_order_relaxed);  // relaxed, both: as in help()
      do {
        if (shared_work::front(now) + shared_work::back(now) >= count_) return {};
      } while (!taken.compare_exchange_weak(now, now + shared_work::one_from_front,
                                            std::memory_order_relaxed));  // sync: rma-blocks
    } else if (front_ + back_ >= count_) {
      return {};
    }
    ++front_;
    return {start_ + cut_.begin(front_ - 1), start_ + cut_.begin(front_)};
  }
  // Has the owner ended its help? Then there may be more for it.
  void look() {
    if (!offered_) return;
    const hand_state now = state_of(slot().state.load(std::memory_order_acquire));  // sync: rma-hand
    if (now != hand_state::offered && now != hand_state::claimed) take_stock();
  }
  // Until the owner is not at it any more.
  trouble settle(double patience = 0) {
    if (!offered_) return {};
    const std::lock_guard hold(by_.endpoint_.gate());
    if (by_.await(window_, to_, 0, patience) == end::gone) return owner_gone();
    take_stock();
    return {};
  }
  // Where the blocks begin that the owner has done.
  std::int64_t back() const { return start_ + cut_.begin(count_ - back_); }
  std::uint64_t address() const { return address_; }
  // All that is left is for the owner, who takes the locks itself. Waits until it is through, or
  // does not come.
  trouble hand_over(double patience) {
    while (useful_ && front_ + back_ < count_) {
      offer(1);
      if (!offered_) break;
      if (trouble gone = settle(patience); !gone.ok()) return gone;
    }
    useful_ = false;
    return {};
  }

 private:
  hand_slot& slot() const { return to_.hand->place->slots[0]; }
  shared_work& work() const { return slot().shared; }

  void offer(std::uint32_t locks) {
    const std::lock_guard hold(by_.endpoint_.gate());
    if (by_.end_of(to_) == nullptr || (to_.hand->busy && !mine_)) {
      useful_ = false;
      return;
    }
    to_.hand->busy = mine_ = true;
    shared_work& w = work();
    // Relaxed: offered with release.
    w.taken.store(static_cast<std::uint64_t>(back_) << 32 | front_, std::memory_order_relaxed);
    w.data = data_, w.address = address_, w.offset = offset_;
    w.bytes = cut_.bytes, w.block = cut_.block, w.unread = 0, w.locks = locks;
    by_.offer(window_, to_, 0, {}, 0, {hand_kind::shared, op_, kind_}, 0);
    before_ = back_;
    offered_ = true;
  }
  void take_stock() {
    // Relaxed: the state was read with acquire, or the offer has been taken back.
    back_ = shared_work::back(work().taken.load(std::memory_order_relaxed));
    useful_ = back_ != before_ && work().unread == 0;
    back_ -= work().unread;  // its last one
    offered_ = false;
  }

  handed& by_;
  window& window_;
  target& to_;
  const datatype::named_kind kind_;
  const op_kind op_;
  const std::int64_t start_;
  const block_cut cut_;
  const std::uint32_t count_;
  const std::uint64_t data_, address_;
  const std::int64_t offset_;
  std::uint32_t front_ = 0, back_ = 0, before_ = 0;
  bool offered_ = false, useful_ = true, mine_ = false;
};

trouble handed::share(window& w, const place& at, const local_data& origin, const remote_data& where,
                      op_kind op, unchanged* rest) {
  const element what(where.type->single_named());
  const std::int64_t all = rest->to, most = most_shared / what.size() * what.size();
  while (rest->from < all) {
    const unchanged part{rest->from, std::min(all, rest->from + most)};
    sharing work(*this, w, at, origin, where, op, part);
    range_hold hold(w, *at.to);
    if (crowded_) {
      if (trouble gone = work.hand_over(rule_ == rule::always ? always_ns : costs_.turns); !gone.ok())
        return gone;
    } else if (!hold.take(ranges_of(work.address(), static_cast<std::uint64_t>(part.to - part.from)))) {
      return locks_lost(hold);
    }
    for (unchanged now = work.next(); now.from != now.to || work.offered(); now = work.next()) {
      trouble t;
      if (now.from != now.to) t = change_by_system(w, at, &origin, nullptr, where, op, &now, !crowded_);
      if (t.ok() && now.from != now.to) {
        work.look();
        continue;
      }
      // There is no more to take, or the system has failed: then the owner has the end of it.
      if (trouble gone = work.settle(); !gone.ok()) return gone;
      if (t.ok()) continue;
      hold.release();  // for the owner, who is asked for what is left of this part
      *rest = {part.to, all};
      if (t.why.kind != base::code::refused) return t;
      const trouble asked = w.engine().by_message().accumulate(w, at.to->rank, at, &origin, nullptr, where,
                                                               op, {now.from, work.back()});
      return asked.ok() ? t : asked;
    }
    rest->from = part.to;
  }
  return {};
}

namespace {

// Ordinary memory of a target that has been accessed, and no lock has to be waited for. Null: it is
// not so.
target* find_ordinary(const window& w, std::int32_t rank, std::int64_t displacement, std::int64_t bytes,
                      std::int64_t* offset) {
  target* const t = w.known(rank);
  // Relaxed: as in locate().
  if (t == nullptr || t->way.load(std::memory_order_relaxed) != way::system || !w.may_begin(*t) ||
      static_cast<std::uint64_t>(displacement) > t->displacements)
    return nullptr;
  *offset = displacement * t->unit;
  return *offset <= t->bytes - bytes ? t : nullptr;
}

}  // namespace

bool change_ordinary_single(window& w, std::int32_t rank, std::int64_t displacement,
                            const datatype::type& type, const datatype::op& op, const void* in, void* out) {
  const datatype::named_kind kind = type.single_named();
  std::int64_t offset = 0;
  target* const t = find_ordinary(w, rank, displacement, type.extent(), &offset);
  if (t == nullptr || op.kind() == op_kind::user || !op.defined_on(kind)) return false;
  const std::lock_guard hold(w.engine().endpoint().gate());
  return w.engine().by_owner().change_at_once(w, *t, offset, kind, op.kind(), in, nullptr, out);
}

bool swap_ordinary_single(window& w, std::int32_t rank, std::int64_t displacement, const datatype::type& type,
                          const void* in, const void* compare, void* out) {
  std::int64_t offset = 0;
  target* const t = find_ordinary(w, rank, displacement, type.extent(), &offset);
  if (t == nullptr) return false;
  const std::lock_guard hold(w.engine().endpoint().gate());
  return w.engine().by_owner().change_at_once(w, *t, offset, type.single_named(), op_kind::replace, in,
                                              compare, out);
}

}  // namespace loadstone::rma
