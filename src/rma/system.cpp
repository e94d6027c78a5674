// By process_vm_writev and process_vm_readv.
//
// Condition: the system lets us (deposit::user_memory).
// Cost: one system call for data in one block at either end; otherwise one for each `most_blocks`
// blocks of the end that has more of them. The vectors of a call are made from both layouts as they
// are, and cut differently at either end; they lie on the stack. Each block of the target costs the
// kernel as much as 5 KiB of a copy: so a get may read what is between them instead.
#include <algorithm>
#include <array>
#include <memory>
#include <new>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "datatype/cursor.hpp"
#include "rma/engine.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using base::code;
using base::status;
using deposit::reached;

status outcome_of(reached r) {
  switch (r) {
    case reached::done:
      return status::success();
    case reached::refused:
      return {code::refused, 0, "the system refuses access to the target's memory"};
    case reached::gone:
      return {code::gone, 0, "the target has died"};
    case reached::bad_address:
      return {code::bad_address, 0, "memory of the window, or of the buffer, is not accessible"};
  }
  return status::success();
}

namespace {

constexpr std::size_t most_blocks = 256;

// The next blocks of one end.
class blocks {
 public:
  // Packed bytes [from, from + bytes) of a message, as far as there is room; returns how many.
  std::int64_t fill(const void* address, std::int64_t count, const datatype::type& t, std::int64_t from,
                    std::int64_t bytes) {
    used_ = 0;
    if (t.in_one_block(count)) {
      add(t.block_at(address) + from, static_cast<std::size_t>(bytes));
      return bytes;
    }
    return datatype::for_each_block(
        address, count, t, from, bytes,
        [](void* self, void* block, std::size_t length) {
          return static_cast<blocks*>(self)->add(block, length);
        },
        this);
  }
  std::span<const iovec> all() const { return {vectors_.data(), used_}; }

 private:
  bool add(void* block, std::size_t length) {
    vectors_[used_++] = {block, length};
    return used_ < most_blocks;
  }
  std::array<iovec, most_blocks> vectors_;
  std::size_t used_ = 0;
};

// move(remote, local) is one system call, or several where it is interrupted.
template <class Move>
status move_all(const place& at, const local_data& here, const remote_data& there, std::int64_t from,
                std::int64_t bytes, Move&& move) {
  const auto* const address = reinterpret_cast<const std::byte*>(at.address);
  if (here.type->in_one_block(here.count) && there.type->in_one_block(there.count)) {
    const auto length = static_cast<std::size_t>(bytes - from);
    const iovec remote{there.type->block_at(address) + from, length};
    const iovec local{here.type->block_at(here.address) + from, length};
    return outcome_of(move(std::span(&remote, 1), std::span(&local, 1)));
  }
  blocks remote, local;
  for (std::int64_t done = from; done < bytes;) {
    std::int64_t now = remote.fill(address, there.count, *there.type, done, bytes - done);
    now = local.fill(here.address, here.count, *here.type, done, now);  // the shorter list counts
    if (const status moved = outcome_of(move(remote.all(), local.all())); !moved.ok()) return moved;
    LOADSTONE_FAULT_POINT("rma.moved");
    done += now;
  }
  return status::success();
}

}  // namespace

status system_put(window& w, const place& at, const local_data& origin, const remote_data& where,
                  std::int64_t from, std::int64_t to) {
  const status done =
      move_all(at, origin, where, from, to, [&](std::span<const iovec> remote, std::span<const iovec> local) {
        return w.engine().endpoint().user().put(at.to->process, remote, local);
      });
  w.note_stores();
  return done;
}

status system_get(window& w, const place& at, const local_data& result, const remote_data& where,
                  std::int64_t from) {
  return move_all(at, result, where, from, where.bytes(),
                  [&](std::span<const iovec> remote, std::span<const iovec> local) {
                    return w.engine().endpoint().user().get(at.to->process, local, remote);
                  });
}

namespace {

constexpr std::int64_t span_bytes = 256 * 1024;  // read at once
constexpr std::int64_t most_packed = 64 * 1024;

// Per thread: threads get at the same time. Kept, as the pages of a new one cost more than the
// call.
struct span_room {
  std::array<std::byte, span_bytes> span;
  std::array<std::byte, most_packed> packed;
};
span_room* room_of_thread() {
  thread_local std::unique_ptr<span_room> room;
  if (room == nullptr) room.reset(new (std::nothrow) span_room);
  return room.get();
}

// The next blocks of a layout that lie within span_bytes of each other.
struct stretch {
  std::int64_t low = 0, high = 0;  // addresses
  std::int64_t bytes = 0;          // packed
  // False: this run lies too far away; a part of the first one is taken.
  bool take(const datatype::run& r) {
    const std::int64_t step = r.stride < 0 ? -r.stride : r.stride;
    const auto first = static_cast<std::int64_t>(r.address);
    std::int64_t count = r.count;
    if (bytes == 0 && step > 0) count = std::min(count, (span_bytes - r.length) / step + 1);
    const std::int64_t last = first + (count - 1) * r.stride;
    const std::int64_t from = std::min(first, last), to = std::max(first, last) + r.length;
    const std::int64_t lowest = bytes == 0 ? from : std::min(low, from);
    const std::int64_t highest = bytes == 0 ? to : std::max(high, to);
    if (highest - lowest > span_bytes) return false;
    low = lowest, high = highest;
    bytes += count * r.length;
    return count == r.count;
  }
};

}  // namespace

status system_get_spans(window& w, const place& at, const local_data& result, const remote_data& where,
                        std::int64_t from) {
  const datatype::program* const program = where.type->compiled();
  span_room* const room = room_of_thread();
  if (program == nullptr || room == nullptr) return {code::no_memory, 0, "no memory to read a layout"};
  const auto address = static_cast<std::int64_t>(at.address);
  for (std::int64_t done = from; done < where.bytes();) {
    const std::int64_t most = std::min(where.bytes() - done, most_packed);
    datatype::cursor there(reinterpret_cast<const void*>(address), where.count, *where.type, *program, done);
    stretch now;
    while (now.bytes < most && now.take(there.next(most - now.bytes))) {
    }
    const iovec remote{reinterpret_cast<void*>(now.low), static_cast<std::size_t>(now.high - now.low)};
    const iovec local{room->span.data(), remote.iov_len};
    if (const status got =
            outcome_of(w.engine().endpoint().user().get(at.to->process, {&local, 1}, {&remote, 1}));
        !got.ok())
      return got;
    LOADSTONE_FAULT_POINT("rma.span");
    // The layout as if it lay where it was read to: computed as integers.
    const auto here = reinterpret_cast<std::int64_t>(room->span.data()) + address - now.low;
    const bool straight = result.type->in_one_block(result.count);
    std::byte* const packed = straight ? result.type->block_at(result.address) + done : room->packed.data();
    datatype::pack(reinterpret_cast<const void*>(here), where.count, *where.type, done, now.bytes, packed);
    if (!straight) datatype::unpack(result.address, result.count, *result.type, done, now.bytes, packed);
    done += now.bytes;
  }
  return status::success();
}

trouble missing_memory(window& w, const place& at, const local_data* origin, const local_data* result,
                       const remote_data& where) {
  const status why = outcome_of(reached::bad_address);
  for (const local_data* const here : {origin, result}) {
    if (here == nullptr) continue;
    struct {
      bool written;
      const void* at;
    } search{here == result, nullptr};
    datatype::for_each_block(
        here->address, here->count, *here->type, 0, here->bytes(),
        [](void* c, void* block, std::size_t length) {
          auto& s = *static_cast<decltype(search)*>(c);
          s.at = base::first_missing(block, length, s.written);
          return s.at == nullptr;
        },
        &search);
    if (search.at != nullptr)
      return {.what = wrong::no_buffer, .from = reinterpret_cast<std::int64_t>(search.at), .why = why};
  }
  // That of the target, as it can be read. If all can, it may not be written: the first block is
  // named.
  struct {
    deposit::user_memory& user;
    std::uint32_t process;
    std::uint64_t at, end;
  } search{w.engine().endpoint().user(), at.to->process, 0, 0};
  datatype::for_each_block(
      reinterpret_cast<const void*>(at.address), where.count, *where.type, 0, where.bytes(),
      [](void* c, void* block, std::size_t length) {
        auto& s = *static_cast<decltype(search)*>(c);
        constexpr std::uint64_t page = 4096;
        const auto begin = reinterpret_cast<std::uint64_t>(block);
        for (std::uint64_t byte = begin; byte < begin + length; byte = (byte / page + 1) * page) {
          std::byte value;
          const bool there = s.user.get(s.process, &value, byte, 1) == reached::done;
          if (there && s.end != 0) continue;
          s.at = byte;
          s.end = begin + length;
          if (!there) return false;
        }
        return true;
      },
      &search);
  const auto start = static_cast<std::int64_t>(at.address) - at.offset;
  return {.what = wrong::missing,
          .from = static_cast<std::int64_t>(search.at) - start,
          .to = static_cast<std::int64_t>(search.end) - start,
          .why = why};
}

trouble system_put(window& w, const target& t, const collection& all) {
  std::array<iovec, most_blocks> remote;
  deposit::user_memory& user = w.engine().endpoint().user();
  const auto base = static_cast<std::int64_t>(t.base);
  const std::byte *data = all.data().data(), *sent = data;
  trouble first;
  std::size_t used = 0;
  const auto flush = [&]() -> status {
    const iovec local{const_cast<std::byte*>(sent), static_cast<std::size_t>(data - sent)};
    const status done = outcome_of(user.put(t.process, {remote.data(), used}, {&local, 1}));
    w.note_stores();
    LOADSTONE_FAULT_POINT("rma.collected");
    // Each alone: which one was it? Those before it are stored once more.
    for (std::size_t i = 0; i < used && done.kind == code::bad_address; ++i) {
      const status one = outcome_of(
          user.put(t.process, reinterpret_cast<std::uint64_t>(remote[i].iov_base), sent, remote[i].iov_len));
      sent += remote[i].iov_len;
      const auto from = reinterpret_cast<std::int64_t>(remote[i].iov_base) - base;
      if (one.ok() || !first.ok()) continue;
      first = trouble::of(one);
      if (one.kind == code::bad_address) first.what = wrong::missing;
      first.from = from;
      first.to = from + static_cast<std::int64_t>(remote[i].iov_len);
    }
    used = 0;
    sent = data;
    return done.kind == code::bad_address ? status::success() : done;
  };
  for (const asked_run& run : all.runs())
    for (std::int64_t i = 0; i < run.count; ++i) {
      remote[used++] = {reinterpret_cast<void*>(base + run.offset + i * run.stride),
                        static_cast<std::size_t>(run.length)};
      data += run.length;
      if (used < remote.size()) continue;
      if (const status done = flush(); !done.ok()) return trouble::of(done);
    }
  if (used != 0)
    if (const status done = flush(); !done.ok()) return trouble::of(done);
  return first;
}

}  // namespace loadstone::rma
