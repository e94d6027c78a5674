// The choice of the way, and accumulates on memory that is mapped here.
//
// Cost: the instruction and some 10 ns for one number by fetch_and_op or compare_and_swap.
#include "rma/accumulate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/guarded.hpp"
#include "rma/accumulate_ways.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/atomics.hpp"
#include "rma/bulk.hpp"
#include "rma/element.hpp"
#include "rma/engine.hpp"
#include "rma/ranges.hpp"
#include "rma/runs.hpp"
#include "rma/single.hpp"
#include "rma/waiting.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using datatype::op_kind;

namespace {

constexpr std::int64_t buffer_bytes = 8192;
constexpr std::int64_t most_held = 32 * 1024;  // bytes changed before a lock is given back

// How many of the elements lie within the range of the first one; that one always counts.
std::int64_t within_range(std::uint64_t address, std::int64_t step, std::int64_t span, std::int64_t count) {
  constexpr std::uint64_t mask = (1ull << range_shift) - 1;
  const auto offset = static_cast<std::int64_t>(address & mask);
  const std::int64_t behind = static_cast<std::int64_t>(mask) + 1 - offset - span;  // bytes behind the first
  if (behind < 0) return 1;
  if (step == 0) return count;
  if (step > 0 && (step & (step - 1)) == 0)  // nearly always: no division
    return std::min(count, 1 + (behind >> std::countr_zero(static_cast<std::uint64_t>(step))));
  return std::min(count, 1 + (step > 0 ? behind / step : offset / -step));
}

// Changes elements of memory that is mapped here.
class changer {
 public:
  // `address`: what the memory is called in the target's process (place::address). `elements`: of
  // the whole operation. Who holds the gate does not wait.
  changer(window& w, target& t, bool atomic, const std::byte* memory, std::uint64_t address,
          const element& what, op_kind op, std::int64_t elements, range_hold::gate gate)
      : what_(what),
        op_(op),
        by_instruction_(atomic ? what.by_instruction(op) : nullptr),
        to_address_(address - reinterpret_cast<std::uint64_t>(memory)),
        single_(elements < bulk_pays),
        waits_(gate == range_hold::gate::open),
        target_(t),
        hold_(w, t, gate) {}

  // How many it has changed; fewer: a lock is not to be had.
  std::int64_t change(const element_run& r, const std::byte* in, std::byte* out) {
    if (by_instruction_ != nullptr && r.count > 1 && r.step % what_.size() != 0) [[unlikely]]
      return change_each(r, in, out);
    const bool instructions =
        by_instruction_ != nullptr &&
        instructions_reach(reinterpret_cast<std::uintptr_t>(r.at), r.step, what_.size());
    for (std::int64_t done = 0; done < r.count;) {
      const element_run rest{r.at + done * r.step, r.step, r.count - done};
      const std::uint64_t address = address_of(rest.at);
      const range_set set = ranges_of(address, static_cast<std::uint64_t>(what_.span()));
      const std::int64_t n = within_range(address, r.step, what_.span(), rest.count);
      const std::byte* const from = in != nullptr ? in + done * what_.size() : nullptr;
      std::byte* const to = out != nullptr ? out + done * what_.size() : nullptr;
      done += n;
      if (instructions && !in_bulk(target_, set) && !turns_to_bulk(rest, set, n)) {
        const announcement here(target_);
        if (!in_bulk(target_, set)) {
          by_instruction_(rest.at, r.step, from, to, n);
          continue;
        }
      }
      if (!hold(set, n * what_.size())) return done - n;
      // Under the lock instructions are as good where the bit was cleared.
      if (instructions && !in_bulk(target_, set)) {
        by_instruction_(rest.at, r.step, from, to, n);
      } else {
        what_.apply(op_, rest.at, r.step, from, to, n);
        if (instructions) tally_in_bulk(set);
      }
    }
    return r.count;
  }
  trouble lost() const { return locks_lost(hold_); }

 private:
  static constexpr std::int64_t bulk_pays = 4;         // elements, for which the lock costs as much
  static constexpr std::uint32_t barrier_pays = 2500;  // elements, for which a barrier costs as much

  // Elements that may be aligned or not, each: others may come to it alone.
  std::int64_t change_each(const element_run& r, const std::byte* in, std::byte* out) {
    for (std::int64_t i = 0; i < r.count; ++i) {
      if (change({r.at + i * r.step, 0, 1}, in, out) != 1) return i;
      if (in != nullptr) in += what_.size();
      if (out != nullptr) out += what_.size();
    }
    return r.count;
  }
  std::uint64_t address_of(const std::byte* here) const {
    return reinterpret_cast<std::uint64_t>(here) + to_address_;
  }
  std::atomic<std::uint32_t>& tally(range_set set) const {
    return target_.record->ranges[static_cast<std::size_t>(std::countr_zero(set))].tally;
  }
  // Not for too long, if others want it.
  bool hold(range_set set, std::int64_t bytes) {
    if (held_bytes_ > most_held) {
      hold_.release();
      held_bytes_ = 0;
    }
    held_bytes_ += bytes;
    return waits_ ? hold_.take(set) : hold_.try_take(set);
  }
  // Have enough elements of this range been changed by instructions, with all that follow now? Then
  // they are the last. (Relaxed, the tallies: what they decide is never wrong, only dear.)
  bool turns_to_bulk(const element_run& rest, range_set set, std::int64_t now) {
    if (single_) return false;
    std::atomic<std::uint32_t>& elements = tally(set);
    const std::uint32_t before = elements.load(std::memory_order_relaxed);
    elements.store(before + static_cast<std::uint32_t>(now), std::memory_order_relaxed);
    if (before + rest.count < barrier_pays) return false;
    // One barrier for all that follows.
    const std::uint64_t first = address_of(rest.at),
                        last = first + static_cast<std::uint64_t>((rest.count - 1) * rest.step);
    const range_set all = ranges_of(std::min(first, last), std::max(first, last) - std::min(first, last) +
                                                               static_cast<std::uint64_t>(what_.span()));
    if (!(waits_ ? hold_.take(all) : hold_.try_take(all))) return false;
    const bool begun = begin_bulk(target_, all);
    for (range_set left = all; left != 0; left &= left - 1) tally(left).store(0, std::memory_order_relaxed);
    hold_.release();
    return begun;
  }
  // Under the lock. So many single operations in a row cost more than the next barrier.
  void tally_in_bulk(range_set set) {
    std::atomic<std::uint32_t>& singles = tally(set);
    const std::uint32_t now = single_ ? singles.load(std::memory_order_relaxed) + 1 : 0;
    const bool enough = now >= barrier_pays;
    singles.store(enough ? 0 : now, std::memory_order_relaxed);
    if (enough) end_bulk(target_, set);
  }

  const element what_;
  const op_kind op_;
  const operation by_instruction_;
  const std::uint64_t to_address_;  // what to add to an address here
  const bool single_, waits_;
  target& target_;
  range_hold hold_;
  std::int64_t held_bytes_ = 0;
};

// Under the lock. By an instruction where others may use them now.
void compare_and_swap_locked(std::byte* at, bool atomic, const std::byte* in, const std::byte* compare,
                             std::byte* out, std::int64_t bytes) {
  if (atomic && instructions_reach(reinterpret_cast<std::uintptr_t>(at), 0, bytes))
    return compare_and_swap_atomic(at, in, compare, out, bytes);
  const auto size = static_cast<std::size_t>(bytes);
  std::memcpy(out, at, size);
  if (std::memcmp(out, compare, size) == 0) std::memcpy(at, in, size);
}

}  // namespace

trouble change_here(window& w, const place& at, const local_data* origin, const local_data* result,
                    const remote_data& where, op_kind op) {
  const element what(where.type->single_named());
  std::byte origin_buffer[buffer_bytes], result_buffer[buffer_bytes];
  const packed in(origin, origin_buffer), out(result, result_buffer);
  changer changes(w, *at.to, at.atomic, at.memory, at.address, what, op, where.bytes() / what.size(),
                  range_hold::gate::open);
  const std::int64_t all = where.bytes();
  if (where.type->in_one_block(where.count) && !in.in_pieces() && !out.in_pieces()) {
    std::byte* const block = where.type->block_at(at.memory);
    const std::int64_t start =
        begin_apart(w, at.address + static_cast<std::uint64_t>(where.lowest()), all, what.size());
    for (const unchanged part : {unchanged{start, all}, unchanged{0, start}}) {
      if (part.from == part.to) break;
      const element_run r{block + part.from, what.size(), (part.to - part.from) / what.size()};
      if (changes.change(r, origin != nullptr ? in.at(part.from) : nullptr,
                         result != nullptr ? out.at(part.from) : nullptr) != r.count)
        return changes.lost();
    }
    return {};
  }
  element_runs runs(what, at.memory, where.count, *where.type);
  const std::int64_t most =
      in.in_pieces() || out.in_pieces() ? buffer_bytes / what.size() * what.size() : all;
  for (std::int64_t done = 0; done < all;) {
    const std::int64_t piece = std::min(most, all - done);
    in.read(done, piece);
    const std::byte* from = in.at(done);
    std::byte* to = out.at(done);
    for (std::int64_t left = piece / what.size(); left > 0;) {
      const element_run r = runs.next(left);
      if (changes.change(r, from, to) != r.count) return changes.lost();
      left -= r.count;
      if (from != nullptr) from += r.count * what.size();
      if (to != nullptr) to += r.count * what.size();
    }
    out.write(done, piece);
    done += piece;
  }
  return {};
}

trouble accumulate(window& w, std::int32_t rank, const local_data& origin, const local_data* result,
                   const remote_data& where, const datatype::op& op) {
  place at;
  if (trouble t = w.locate(rank, where, &at); !t.ok() || where.bytes() == 0) return t;
  const local_data* const reads = op.kind() == op_kind::no_op ? nullptr : &origin;
  if (at.way == way::direct) {
    trouble t = change_here(w, at, reads, result, where, op.kind());
    w.note_stores();
    return t;
  }
  unchanged rest{0, where.bytes()};
  if (at.way != way::asked) {
    const trouble t = change_ordinary(w, at, reads, result, where, op.kind(), &rest);
    if (t.why.kind == base::code::bad_address) return missing_memory(w, at, reads, result, where);
    if (t.why.kind != base::code::refused) return t;
    at.to->way.store(way::asked, std::memory_order_relaxed);  // relaxed: each finds out for itself
    if (rest.from == rest.to) return {};
  }
  return w.engine().by_message().accumulate(w, rank, at, reads, result, where, op.kind(), rest);
}

trouble fetch_and_op(window& w, std::int32_t rank, const void* origin, void* result,
                     const datatype::type& type, std::int64_t displacement, const datatype::op& op) {
  if (change_single(w, rank, displacement, type, op.kind(), origin, result)) [[likely]]
    return {};
  const local_data fetched{result, 1, &type};
  return accumulate(w, rank, {const_cast<void*>(origin), 1, &type}, &fetched, {displacement, 1, &type}, op);
}

// Of the types that MPI_Compare_and_swap takes: MPI_INTEGER16.
constexpr std::size_t largest_compared = 16;

trouble compare_and_swap(window& w, std::int32_t rank, const void* origin, const void* compare, void* result,
                         const datatype::type& type, std::int64_t displacement) {
  const auto* const in = static_cast<const std::byte*>(origin);
  const auto* expected = static_cast<const std::byte*>(compare);
  auto* const out = static_cast<std::byte*>(result);
  if (swap_single(w, rank, displacement, type, origin, compare, result)) [[likely]]
    return {};
  place at;
  if (trouble t = w.locate(rank, {displacement, 1, &type}, &at); !t.ok()) return t;
  const auto bytes = static_cast<std::size_t>(type.size());
  // The result may be written before it is compared, and be in the comparand's place.
  std::byte comparand[largest_compared];
  std::memcpy(comparand, expected, bytes);
  expected = comparand;
  if (at.way == way::system) {
    const trouble t = compare_and_swap_ordinary(w, at, in, expected, out, type);
    if (t.why.kind == base::code::bad_address)
      return missing_memory(w, at, nullptr, nullptr, {displacement, 1, &type});
    if (t.why.kind != base::code::refused) return t;
    at.way = way::asked;
    at.to->way.store(way::asked, std::memory_order_relaxed);  // relaxed: as above
  }
  if (at.way == way::asked)
    return w.engine().by_message().compare_and_swap(w, rank, at, in, expected, {out, 1, &type});
  // The first use of a target comes here, too, beside others who use the instruction.
  range_hold hold(w, *at.to);
  if (!hold.take(ranges_of(at.address, bytes))) return locks_lost(hold);
  compare_and_swap_locked(at.memory, at.atomic, in, expected, out, type.size());
  w.note_stores();
  return {};
}

namespace {

// Our own part, and what an address of it is called by all members.
struct own_place {
  target* to;
  bool atomic;
  std::uint64_t address;
};
own_place own_place_of(window& w, const std::byte* at) {
  base::status why;
  target* const self = w.reach(w.rank(), &why);
  if (self == nullptr) __builtin_trap();  // whoever was asked has its own record
  const std::uint64_t here = reinterpret_cast<std::uint64_t>(at);
  const bool dynamic = self->kind == flavor::dynamic;
  return {self, self->in_job_memory && !dynamic,
          dynamic ? here : self->base + (here - reinterpret_cast<std::uint64_t>(self->memory))};
}

}  // namespace

std::optional<std::uint32_t> holder_here(window& w, std::byte* from, std::int64_t bytes, bool* dead) {
  const own_place place = own_place_of(w, from);
  std::optional<std::uint32_t> any;
  *dead = false;
  for (range_set left = ranges_of(place.address, static_cast<std::uint64_t>(bytes)); left != 0 && !*dead;
       left &= left - 1) {
    const auto lock = static_cast<std::size_t>(std::countr_zero(left));
    // Relaxed: nothing is read but the name.
    const std::uint64_t word = w.own().ranges[lock].holder.load(std::memory_order_relaxed);
    if (word == 0) continue;
    any = static_cast<std::uint32_t>(word & name_of_holder) - 1;
    *dead = has_died(w.engine().endpoint(), w.engine().job(), *any);
  }
  return any;
}

std::int64_t accumulate_here(window& w, const element& what, op_kind op, element_run at, const std::byte* in,
                             std::byte* out) {
  const own_place place = own_place_of(w, at.at);
  changer changes(w, *place.to, place.atomic, at.at, place.address, what, op, at.count,
                  range_hold::gate::held);
  return changes.change(at, in, out);
}

bool accumulate_whole_here(window& w, const element& what, op_kind op, piece_runs runs, const std::byte* in,
                           std::byte* out) {
  const auto run_at = [&](std::uint32_t i) {
    const asked_run run = asked_run_at(runs.first, i);
    return element_run{asked_place(w.memory(), run.offset), run.stride, run.count};
  };
  const own_place first = own_place_of(w, run_at(0).at);
  const std::uint64_t to_address = first.address - reinterpret_cast<std::uint64_t>(run_at(0).at);
  range_set set = 0;
  for (std::uint32_t i = 0; i < runs.count; ++i) {
    const element_run r = run_at(i);
    const std::int64_t way = (r.count - 1) * r.step;
    set |= ranges_of(
        reinterpret_cast<std::uint64_t>(r.at) + to_address + static_cast<std::uint64_t>(way < 0 ? way : 0),
        static_cast<std::uint64_t>((way < 0 ? -way : way) + what.span()));
  }
  range_hold hold(w, *first.to, range_hold::gate::held);
  if (!hold.try_take(set)) return false;
  for (std::uint32_t i = 0; i < runs.count; ++i) {
    const element_run r = run_at(i);
    what.apply(op, r.at, r.step, in, out, r.count);
    in += r.count * what.size();
    if (out != nullptr) out += r.count * what.size();
  }
  return true;
}

bool change_one_here(window& w, const element& what, op_kind op, std::byte* at, const std::byte* in,
                     const std::byte* compare, std::byte* out) {
  const own_place place = own_place_of(w, at);
  range_hold hold(w, *place.to, range_hold::gate::held);
  if (!hold.try_take(ranges_of(place.address, static_cast<std::uint64_t>(what.span())))) return false;
  if (base::guarded([&] {
        if (compare != nullptr)
          compare_and_swap_locked(at, false, in, compare, out, what.size());
        else
          what.apply(op, at, what.size(), in, out, 1);
      }))
    return true;
  base::take_missing();
  return false;
}

bool compare_and_swap_here(window& w, std::byte* at, const std::byte* in, const std::byte* compare,
                           std::byte* out, std::int64_t bytes) {
  const own_place place = own_place_of(w, at);
  if (place.atomic && instructions_reach(reinterpret_cast<std::uintptr_t>(at), 0, bytes)) {
    const announcement here(*place.to);
    if (!in_bulk(*place.to, range_of(place.address))) {
      compare_and_swap_atomic(at, in, compare, out, bytes);
      return true;
    }
  }
  range_hold hold(w, *place.to, range_hold::gate::held);
  if (!hold.try_take(ranges_of(place.address, static_cast<std::uint64_t>(bytes)))) return false;
  compare_and_swap_locked(at, place.atomic, in, compare, out, bytes);
  return true;
}

}  // namespace loadstone::rma
