// Accumulates on ordinary memory of another process: read, change, write back, under its locks.
//
// Condition: the system lets us (deposit::user_memory).
// Cost: two system calls for each piece of at most `room_bytes`, `most_blocks` blocks, or as far as
// its addresses ascend; one for MPI_NO_OP, and for MPI_REPLACE where nothing is fetched.
#include <sys/uio.h>

#include <array>
#include <cstring>

#include "base/fault.hpp"
#include "rma/accumulate_ways.hpp"
#include "rma/engine.hpp"
#include "rma/ranges.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using base::status;
using datatype::op_kind;

namespace {

constexpr std::size_t most_blocks = 256;
constexpr std::int64_t room_bytes = most_by_one_call;

// The next blocks of the target. Their addresses ascend, so that no element is among them twice:
// it would be changed once only.
class batch {
 public:
  batch(std::uint64_t address, const remote_data& where, std::int64_t element_bytes)
      : address_(reinterpret_cast<const std::byte*>(address)), where_(where), element_bytes_(element_bytes) {}

  // From packed byte `from` on, at most `most` bytes, which is whole elements as the result is.
  std::int64_t fill(std::int64_t from, std::int64_t most) {
    used_ = 0;
    bytes_ = 0;
    end_ = 0;
    ranges_ = 0;
    if (where_.type->in_one_block(where_.count)) {
      add(where_.type->block_at(address_) + from, static_cast<std::size_t>(most));
    } else {
      datatype::for_each_block(
          address_, where_.count, *where_.type, from, most,
          [](void* self, void* block, std::size_t length) {
            return static_cast<batch*>(self)->add(block, length);
          },
          this);
    }
    return bytes_ - bytes_ % element_bytes_;
  }
  std::span<const iovec> all() const { return {vectors_.data(), used_}; }
  range_set ranges() const { return ranges_; }

 private:
  bool add(void* block, std::size_t length) {
    const auto address = reinterpret_cast<std::uint64_t>(block);
    if (address < end_) return false;
    vectors_[used_++] = {block, length};
    bytes_ += static_cast<std::int64_t>(length);
    end_ = address + length;
    ranges_ |= ranges_of(address, length);
    return used_ < most_blocks;
  }

  const std::byte* const address_;
  const remote_data& where_;
  const std::int64_t element_bytes_;
  std::array<iovec, most_blocks> vectors_;
  std::size_t used_ = 0;
  std::int64_t bytes_ = 0;
  std::uint64_t end_ = 0;  // of the last block
  range_set ranges_ = 0;
};

}  // namespace

trouble change_by_system(window& w, const place& at, const local_data* origin, const local_data* result,
                         const remote_data& where, op_kind op, unchanged* rest, bool locked) {
  const element what(where.type->single_named());
  deposit::user_memory& user = w.engine().endpoint().user();
  alignas(64) std::byte room[room_bytes];
  constexpr std::int64_t third = room_bytes / 3;
  const packed in(origin, room + third), out(result, room + 2 * third);
  const std::int64_t room_here = in.in_pieces() || out.in_pieces() ? third : room_bytes,
                     most = room_here / what.size() * what.size(), all = rest->to;
  // What is replaced need not be read, what is only read not be written.
  const bool reads = op != op_kind::replace || result != nullptr, writes = op != op_kind::no_op;
  batch there(at.address, where, what.size());
  range_hold hold(w, *at.to);
  for (std::int64_t& done = rest->from; done < all;) {
    const std::int64_t now = there.fill(done, std::min(most, all - done));
    in.read(done, now);
    if (!locked && !hold.take(there.ranges())) return locks_lost(hold);
    // The shorter list counts.
    const iovec here{reads ? room : in.at(done), static_cast<std::size_t>(now)};
    if (reads) {
      if (const status got = outcome_of(user.get(at.to->process, {&here, 1}, there.all())); !got.ok())
        return trouble::of(got);
      what.apply(op, room, what.size(), in.at(done), out.at(done), now / what.size(),
                 element::layout::packed);
    }
    LOADSTONE_FAULT_POINT("rma.changed");
    if (writes) {
      const status put = outcome_of(user.put(at.to->process, there.all(), {&here, 1}));
      w.note_stores();
      if (!put.ok()) return trouble::of(put);
    }
    hold.release();
    out.write(done, now);
    done += now;
  }
  return {};
}

trouble compare_and_swap_by_system(window& w, const place& at, const std::byte* in, const std::byte* compare,
                                   std::byte* out, std::size_t bytes) {
  deposit::user_memory& user = w.engine().endpoint().user();
  range_hold hold(w, *at.to);
  if (!hold.take(ranges_of(at.address, bytes))) return locks_lost(hold);
  if (const status got = outcome_of(user.get(at.to->process, out, at.address, bytes)); !got.ok())
    return trouble::of(got);
  if (std::memcmp(out, compare, bytes) != 0) return {};
  const status put = outcome_of(user.put(at.to->process, at.address, in, bytes));
  w.note_stores();
  return trouble::of(put);
}

}  // namespace loadstone::rma
