// The choice of the way, and accumulates on memory that is mapped here.
//
// Cost: the instruction and some 10 ns for one number by fetch_and_op or compare_and_swap.
#include "rma/accumulate.hpp"

#include <algorithm>
#include <cstring>

#include "rma/accumulate_ways.hpp"
#include "rma/atomics.hpp"
#include "rma/element.hpp"
#include "rma/engine.hpp"
#include "rma/ranges.hpp"
#include "rma/runs.hpp"

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
  return std::min(count, 1 + (step > 0 ? behind / step : offset / -step));
}

// Changes elements of memory that is mapped here.
class changer {
 public:
  // `address`: what the memory is called in the target's process (place::address). Who holds the
  // gate does not wait.
  changer(window& w, target& t, bool atomic, const std::byte* memory, std::uint64_t address,
          const element& what, op_kind op, range_hold::gate gate)
      : what_(what),
        op_(op),
        by_instruction_(atomic ? what.by_instruction(op) : nullptr),
        to_address_(address - reinterpret_cast<std::uint64_t>(memory)),
        waits_(gate == range_hold::gate::open),
        hold_(w, t, gate) {}

  // How many it has changed; fewer: a lock is not to be had.
  std::int64_t change(element_run r, const std::byte* in, std::byte* out) {
    if (by_instruction_ != nullptr &&
        instructions_reach(reinterpret_cast<std::uintptr_t>(r.at), r.step, what_.size())) [[likely]] {
      by_instruction_(r.at, r.step, in, out, r.count);
      return r.count;
    }
    for (std::int64_t done = 0; done < r.count;) {
      const std::uint64_t address = reinterpret_cast<std::uint64_t>(r.at + done * r.step) + to_address_;
      const std::int64_t n = within_range(address, r.step, what_.span(), r.count - done);
      if (!hold(ranges_of(address, static_cast<std::uint64_t>(what_.span())), n * what_.size())) return done;
      what_.apply(op_, r.at + done * r.step, r.step, part(in, done), part(out, done), n);
      done += n;
    }
    return r.count;
  }

 private:
  // Not for too long, if others want it.
  bool hold(range_set set, std::int64_t bytes) {
    if (held_bytes_ > most_held) {
      hold_.release();
      held_bytes_ = 0;
    }
    held_bytes_ += bytes;
    return waits_ ? hold_.take(set) : hold_.try_take(set);
  }
  template <class Byte>
  Byte* part(Byte* packed, std::int64_t element) const {
    return packed != nullptr ? packed + element * what_.size() : nullptr;
  }

  const element what_;
  const op_kind op_;
  const operation by_instruction_;
  const std::uint64_t to_address_;  // what to add to an address here
  const bool waits_;
  range_hold hold_;
  std::int64_t held_bytes_ = 0;
};

void compare_and_swap_locked(std::byte* at, const std::byte* in, const std::byte* compare, std::byte* out,
                             std::size_t bytes) {
  std::memcpy(out, at, bytes);
  if (std::memcmp(out, compare, bytes) == 0) std::memcpy(at, in, bytes);
}

// The one element of an operation that needs nothing but an instruction; null if it is not so.
inline std::byte* instruction_reaches(window& w, std::int32_t rank, std::int64_t displacement,
                                      std::int64_t bytes) {
  const target* const t = w.known(rank);
  std::int64_t from = 0;
  if (t == nullptr || t->memory == nullptr || !t->in_job_memory ||
      __builtin_mul_overflow(displacement, t->unit, &from) || from < 0 || from > t->bytes - bytes)
    return nullptr;
  std::byte* const at = t->memory + from;
  return instructions_reach(reinterpret_cast<std::uintptr_t>(at), 0, bytes) ? at : nullptr;
}

}  // namespace

trouble change_here(window& w, const place& at, const local_data* origin, const local_data* result,
                    const remote_data& where, op_kind op) {
  const element what(where.type->single_named());
  std::byte origin_buffer[buffer_bytes], result_buffer[buffer_bytes];
  const packed in(origin, origin_buffer), out(result, result_buffer);
  element_runs runs(what, at.memory, where.count, *where.type);
  changer changes(w, *at.to, at.atomic, at.memory, at.address, what, op, range_hold::gate::open);
  const std::int64_t all = where.bytes();
  const std::int64_t most =
      in.in_pieces() || out.in_pieces() ? buffer_bytes / what.size() * what.size() : all;
  for (std::int64_t done = 0; done < all;) {
    const std::int64_t piece = std::min(most, all - done);
    in.read(done, piece);
    const std::byte* from = in.at(done);
    std::byte* to = out.at(done);
    for (std::int64_t left = piece / what.size(); left > 0;) {
      const element_run r = runs.next(left);
      if (changes.change(r, from, to) != r.count) return locks_lost();
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
  if (at.way == way::direct) return change_here(w, at, reads, result, where, op.kind());
  if (at.way == way::system) return change_by_system(w, at, reads, result, where, op.kind());
  return trouble::of({base::code::refused, 0, "there is no way to the target's memory"});
}

trouble fetch_and_op(window& w, std::int32_t rank, const void* origin, void* result,
                     const datatype::type& type, std::int64_t displacement, const datatype::op& op) {
  const datatype::named_kind kind = type.single_named();
  const single_operation one = kind.index == datatype::basic::none
                                   ? find_single_atomic(op.kind(), datatype::info(kind.value).form)
                                   : nullptr;
  std::byte* const at = one != nullptr ? instruction_reaches(w, rank, displacement, type.size()) : nullptr;
  if (at != nullptr) [[likely]] {
    one(at, static_cast<const std::byte*>(origin), static_cast<std::byte*>(result));
    return {};
  }
  const local_data fetched{result, 1, &type};
  return accumulate(w, rank, {const_cast<void*>(origin), 1, &type}, &fetched, {displacement, 1, &type}, op);
}

trouble compare_and_swap(window& w, std::int32_t rank, const void* origin, const void* compare, void* result,
                         const datatype::type& type, std::int64_t displacement) {
  const auto* const in = static_cast<const std::byte*>(origin);
  const auto* const expected = static_cast<const std::byte*>(compare);
  auto* const out = static_cast<std::byte*>(result);
  if (std::byte* const at = instruction_reaches(w, rank, displacement, type.size()); at != nullptr)
      [[likely]] {
    compare_and_swap_atomic(at, in, expected, out, type.size());
    return {};
  }
  place at;
  if (trouble t = w.locate(rank, {displacement, 1, &type}, &at); !t.ok()) return t;
  const auto bytes = static_cast<std::size_t>(type.size());
  if (at.way == way::system) return compare_and_swap_by_system(w, at, in, expected, out, bytes);
  if (at.way != way::direct)
    return trouble::of({base::code::refused, 0, "there is no way to the target's memory"});
  // The first use of a target comes here, too, beside others who use the instruction.
  if (at.atomic && instructions_reach(reinterpret_cast<std::uintptr_t>(at.memory), 0, type.size())) {
    compare_and_swap_atomic(at.memory, in, expected, out, type.size());
    return {};
  }
  range_hold hold(w, *at.to);
  if (!hold.take(ranges_of(at.address, bytes))) return locks_lost();
  compare_and_swap_locked(at.memory, in, expected, out, bytes);
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

std::int64_t accumulate_here(window& w, const element& what, op_kind op, element_run at, const std::byte* in,
                             std::byte* out) {
  const own_place place = own_place_of(w, at.at);
  changer changes(w, *place.to, place.atomic, at.at, place.address, what, op, range_hold::gate::held);
  return changes.change(at, in, out);
}

bool compare_and_swap_here(window& w, std::byte* at, const std::byte* in, const std::byte* compare,
                           std::byte* out, std::int64_t bytes) {
  const own_place place = own_place_of(w, at);
  if (place.atomic && instructions_reach(reinterpret_cast<std::uintptr_t>(at), 0, bytes)) {
    compare_and_swap_atomic(at, in, compare, out, bytes);
    return true;
  }
  range_hold hold(w, *place.to, range_hold::gate::held);
  if (!hold.try_take(ranges_of(place.address, static_cast<std::uint64_t>(bytes)))) return false;
  compare_and_swap_locked(at, in, compare, out, static_cast<std::size_t>(bytes));
  return true;
}

}  // namespace loadstone::rma
