// The owner of memory that others offer transfers for (handed.hpp): what it does when it is told.
#include <cstring>
#include <new>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "copy/strided.hpp"
#include "rma/accumulate.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/element.hpp"
#include "rma/handed.hpp"
#include "rma/ranges.hpp"
#include "wait/pause.hpp"

namespace loadstone::rma {

using datatype::op_kind;

namespace {

constexpr std::size_t most_origins = 64;                            // regions that stay mapped
constexpr std::uint32_t most_at_once = 8;                           // offers carried out for one message,
constexpr std::uint32_t most_while_here = 64, looks_for_more = 32;  // or while one comes behind the other

std::uint64_t name_of(memory::region_id region) {
  std::uint64_t name;
  std::memcpy(&name, &region, sizeof name);
  return name;
}

// Unless there is one more message: the origin may take the place away from here on, as soon as
// nothing in it is claimed.
void notice_taken(hand_place& place) {
  hand_notice now = hand_notice::looking;
  place.notice().compare_exchange_strong(now, hand_notice::none, std::memory_order_release,
                                         std::memory_order_relaxed);  // sync: rma-notice
}

// False: there is a message on its way.
bool stay(hand_place& place) {
  hand_notice now = hand_notice::looking;
  return place.notice().compare_exchange_strong(now, hand_notice::here, std::memory_order_acq_rel,
                                                std::memory_order_relaxed);  // sync: rma-notice
}
// As notice_taken().
void leave(hand_place& place) {
  hand_notice now = hand_notice::here;
  place.notice().compare_exchange_strong(now, hand_notice::none, std::memory_order_release,
                                         std::memory_order_relaxed);  // sync: rma-notice
}

element element_of(const hand_slot& s) {
  return element({static_cast<datatype::basic>(s.value), static_cast<datatype::basic>(s.index)});
}

}  // namespace

// Null: it cannot be mapped here.
const memory::pin* handed::reach(memory::region_id region) try {
  const std::uint64_t name = name_of(region);
  if (const auto found = origins_.find(name); found != origins_.end()) return &found->second;
  memory::pin pin = endpoint_.map(region);
  if (!pin) return nullptr;
  return &origins_.emplace(name, std::move(pin)).first->second;
} catch (const std::bad_alloc&) {
  return nullptr;
}

// In a handler. A message of a window that is not there any more is too late for anything: the
// origin's memory may be gone.
void handed::serve(std::uint32_t source, const hand_call& call) {
  window* const w = windows_.find(call.window);
  if (w == nullptr) return;
  if (origins_.size() >= most_origins) origins_.clear();
  const memory::pin* const at = reach(call.place.region);
  if (at == nullptr) return;  // we are in no call, as it seems
  auto& place = *reinterpret_cast<hand_place*>(at->at(call.place.offset));
  place.notice().exchange(hand_notice::looking, std::memory_order_acq_rel);  // sync: rma-notice
  // Offers of one element often come one behind the other: then it is dearer to be told of the next
  // one than to wait for it.
  const bool may_stay = !endpoint_.gate().threads() &&
                        (!crowded_ || endpoint_.words().place_of(source) != wait::presence::place::same_core);
  bool stays = false, leaves = false;
  for (std::uint32_t done = 0, looks = 0; !leaves;) {
    hand_slot* first = nullptr;
    std::uint64_t word = 0;
    for (hand_slot& s : place.slots) {
      const std::uint64_t now = s.state.load(std::memory_order_acquire);  // sync: rma-hand
      if (state_of(now) != hand_state::offered || (first != nullptr && now > word)) continue;
      first = &s;
      word = now;
    }
    if (first == nullptr && stays && ++looks < looks_for_more) {
      wait::pause();
      continue;
    }
    if (first == nullptr) break;
    const std::uint64_t number = number_of(word);
    // Fails if it was taken back: then there may be another one by now.
    if (!first->state.compare_exchange_strong(word, hand_word(number, hand_state::claimed),
                                              std::memory_order_acq_rel, std::memory_order_relaxed))
      continue;
    LOADSTONE_FAULT_POINT("rma.claimed");
    // Of these there is one at a time. What is claimed keeps the place here, and the origin's
    // next look at this line is for the outcome: so all else is done to it before.
    if (first->runs == 0 && !stays) {
      stays = may_stay && stay(place);
      leaves = !stays;
      if (leaves) notice_taken(place);
    }
    const hand_state end = carry_out(*w, source, *first);
    first->state.store(hand_word(number, end), std::memory_order_release);  // sync: rma-hand
    endpoint_.wake(source);
    looks = 0;
    ++done;
    if (done >= (stays ? most_while_here : most_at_once)) break;
  }
  if (stays)
    leave(place);
  else if (!leaves)
    notice_taken(place);
}

hand_state handed::carry_out(window& w, std::uint32_t source, hand_slot& s) {
  if (s.kind == hand_kind::shared) {
    help(w, source, s, s.shared);
    return hand_state::done;
  }
  const bool written = s.kind != hand_kind::get &&
                       (s.kind != hand_kind::change || static_cast<op_kind>(s.op) != op_kind::no_op);
  if (s.runs == 0) return carry_out_near(w, s) ? hand_state::done : hand_state::declined;
  const memory::pin* const at = reach(s.room.region);
  if (at == nullptr) return hand_state::useless;
  std::byte* const room = at->at(s.room.offset);
  for (std::uint32_t i = 0; i < s.runs; ++i)
    if (!w.check_own(asked_run_at(room, i), written).ok()) return hand_state::declined;
  if (s.kind == hand_kind::change)
    return accumulate_whole_here(w, element_of(s), static_cast<op_kind>(s.op), {room, s.runs}, room + s.data,
                                 s.fetched != 0 ? room + s.fetched : nullptr)
               ? hand_state::done
               : hand_state::declined;
  copy(w, s, room);
  return hand_state::done;
}

void handed::copy(window& w, const hand_slot& s, std::byte* room) {
  std::byte* data = room + s.data;
  for (std::uint32_t i = 0; i < s.runs; ++i) {
    const asked_run run = asked_run_at(room, i);
    std::byte* const here = asked_place(w.memory(), run.offset);
    const auto length = static_cast<std::size_t>(run.length);
    if (s.kind == hand_kind::get && run.count == 1)
      store(data, here, length);
    else if (s.kind == hand_kind::get)
      copy::strided(data, run.length, here, run.stride, length, run.count);
    else
      copy::strided(here, run.stride, data, run.length, length, run.count);
    data += run.length * run.count;
  }
}

// One block, or one element. False: the memory is not there any more, or somebody has its lock.
bool handed::carry_out_near(window& w, hand_slot& s) {
  if (s.kind == hand_kind::put || s.kind == hand_kind::get) {
    near_block& one = s.block;
    std::byte* const here = asked_place(w.memory(), one.offset);
    if (!w.check_attached({one.offset, s.data, 1, 0}).ok()) return false;
    if (base::guarded([&] {
          s.kind == hand_kind::put ? copy::ordinary(here, one.data, s.data)
                                   : copy::ordinary(one.data, here, s.data);
        }))
      return true;
    base::take_missing();
    return false;
  }
  near_element& one = s.near;
  const element what = element_of(s);
  if (!w.check_attached({one.offset, what.span(), 1, 0}).ok()) return false;
  std::byte in[near_element::largest];
  std::memcpy(in, one.value, sizeof in);
  return change_one_here(w, what, static_cast<op_kind>(s.op), asked_place(w.memory(), one.offset), in,
                         s.kind == hand_kind::compare_and_swap ? s.compared : nullptr,
                         s.fetched != 0 ? one.value : nullptr);
}

// Takes blocks from the back as long as there are some, and as their locks are to be had.
void handed::help(window& w, std::uint32_t source, const hand_slot& s, shared_work& work) {
  deposit::user_memory& user = endpoint_.user();
  const element what = element_of(s);
  if (block_ == nullptr) block_.reset(new (std::nothrow) std::byte[block_cut::longest]);
  base::status why;
  target* const self = w.reach(w.rank(), &why);
  if (block_ == nullptr || self == nullptr || !user.reaches(source)) return;
  const block_cut cut{work.bytes, work.block};
  const std::uint32_t count = cut.count();
  range_hold hold(w, *self, range_hold::gate::held);
  for (;;) {
    // Relaxed, both: whoever takes a block has it for himself, and that it is done is told by the
    // state of the offer (sync: rma-blocks).
    std::uint64_t taken = work.taken.load(std::memory_order_relaxed);
    std::uint32_t block = 0;
    std::int64_t from = 0, bytes = 0;
    do {
      if (shared_work::front(taken) + shared_work::back(taken) >= count) return;
      block = count - 1 - shared_work::back(taken);
      from = cut.begin(block), bytes = cut.begin(block + 1) - from;
      if (!w.check_own({work.offset + from, bytes, 1, 0}, true).ok()) return;
      // (Nobody else takes blocks then.)
      if (work.locks != 0 && !hold.try_take(ranges_of(work.address + static_cast<std::uint64_t>(from),
                                                      static_cast<std::uint64_t>(bytes))))
        return;
    } while (!work.taken.compare_exchange_weak(taken, taken + shared_work::one_from_back,
                                               std::memory_order_relaxed));
    LOADSTONE_FAULT_POINT("rma.helped");
    if (user.get(source, block_.get(), work.data + static_cast<std::uint64_t>(from),
                 static_cast<std::size_t>(bytes)) != deposit::reached::done) {
      work.unread = 1;
      return;
    }
    what.apply(static_cast<op_kind>(s.op), asked_place(w.memory(), work.offset + from), what.size(),
               block_.get(), nullptr, bytes / what.size());
    hold.release();
  }
}

}  // namespace loadstone::rma
