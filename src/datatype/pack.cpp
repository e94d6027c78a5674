// pack(), unpack(), transfer() and for_each_block() of type.hpp.
#include <cstring>

#include "base/guarded.hpp"
#include "copy/strided.hpp"
#include "datatype/cursor.hpp"
#include "datatype/walk.hpp"

namespace loadstone::datatype {
namespace {

std::byte* at(std::uintptr_t address) {
  return reinterpret_cast<std::byte*>(address);
}

// A type that gets here was committed, and so compiled. If it was not, memory is exhausted, and
// these functions cannot report that.
const program& program_of(const type& t) {
  const program* p = t.compiled();
  if (p == nullptr) __builtin_trap();
  return *p;
}

std::byte* contiguous_start(const void* address, std::int64_t from) {
  return at(reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(from));
}

// One side of a transfer: the run being consumed, and what remains of the run it was split from.
class feed {
 public:
  feed(const void* address, std::int64_t count, const type& t, std::int64_t total)
      : cursor_(address, count, t, program_of(t), 0), left_(total) {}

  run& get() {
    if (now_.count == 0) {
      if (later_.count != 0) {
        now_ = later_;
        later_.count = 0;
      } else {
        now_ = cursor_.next(left_);
        left_ -= now_.length * now_.count;
      }
    }
    return now_;
  }
  // Takes `bytes` from the beginning of the first block; the other blocks stay.
  void shorten(std::int64_t bytes) {
    if (now_.count > 1) {  // then nothing waits in later_: only split runs do, and they have one block
      later_ = now_;
      later_.drop(1);
      now_.count = 1;
    }
    now_.address += static_cast<std::uintptr_t>(bytes);
    now_.length -= bytes;
    if (now_.length == 0) now_.count = 0;
  }

 private:
  cursor cursor_;
  std::int64_t left_;
  run now_, later_;
};

}  // namespace

void pack(const void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
          std::byte* out) {
  if (bytes <= 0) return;
  if (t.contiguous()) {
    copy::ordinary(out, contiguous_start(address, from), static_cast<std::size_t>(bytes));
    return;
  }
  walk_message(program_of(t), address, count, t, from, bytes,
               [&out](std::uintptr_t block, std::int64_t length, std::int64_t blocks, std::int64_t stride) {
                 copy::strided(out, length, at(block), stride, static_cast<std::size_t>(length), blocks);
                 out += length * blocks;
               });
}

bool pack_if_there(const void* address, std::int64_t count, const type& t, std::byte* out) {
  const bool all = base::guarded([&] { pack(address, count, t, 0, count * t.size(), out); });
  if (!all) base::take_missing();
  return all;
}

void unpack(void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
            const std::byte* in) {
  if (bytes <= 0) return;
  if (t.contiguous()) {
    copy::ordinary(contiguous_start(address, from), in, static_cast<std::size_t>(bytes));
    return;
  }
  walk_message(program_of(t), address, count, t, from, bytes,
               [&in](std::uintptr_t block, std::int64_t length, std::int64_t blocks, std::int64_t stride) {
                 copy::strided(at(block), stride, in, length, static_cast<std::size_t>(length), blocks);
                 in += length * blocks;
               });
}

std::int64_t transfer(void* to, std::int64_t to_count, const type& to_type, const void* from,
                      std::int64_t from_count, const type& from_type) {
  const std::int64_t total = std::min(to_count * to_type.size(), from_count * from_type.size());
  if (total <= 0) return 0;
  if (to_type.contiguous()) {
    pack(from, from_count, from_type, 0, total, static_cast<std::byte*>(to));
    return total;
  }
  if (from_type.contiguous()) {
    unpack(to, to_count, to_type, 0, total, static_cast<const std::byte*>(from));
    return total;
  }
  if (&to_type == &from_type) {  // the same layout: walk one side, the other is at a constant distance
    const std::uintptr_t distance =
        reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
    const std::int64_t count = std::min(to_count, from_count);
    walk_message(
        program_of(from_type), from, count, from_type, 0, total,
        [distance](std::uintptr_t block, std::int64_t length, std::int64_t blocks, std::int64_t stride) {
          copy::strided(at(block + distance), stride, at(block), stride, static_cast<std::size_t>(length),
                        blocks);
        });
    return total;
  }
  feed source(from, from_count, from_type, total), sink(to, to_count, to_type, total);
  for (std::int64_t moved = 0; moved < total;) {
    run& s = source.get();
    run& d = sink.get();
    const auto length = std::min(s.length, d.length);
    // Blocks of equal length go one to one; else one longer block goes to or comes from several
    // shorter ones.
    const std::int64_t blocks = s.length == d.length  ? std::min(s.count, d.count)
                                : s.length < d.length ? std::min(s.count, d.length / s.length)
                                                      : std::min(d.count, s.length / d.length);
    const bool equal = s.length == d.length;
    const std::int64_t from_stride = equal || s.length < d.length ? s.stride : length;
    const std::int64_t to_stride = equal || d.length < s.length ? d.stride : length;
    copy::strided(at(d.address), to_stride, at(s.address), from_stride, static_cast<std::size_t>(length),
                  blocks);
    const bool source_whole = s.length == length, sink_whole = d.length == length;
    if (source_whole) s.drop(blocks);
    if (sink_whole) d.drop(blocks);
    if (!source_whole) source.shorten(blocks * length);
    if (!sink_whole) sink.shorten(blocks * length);
    moved += blocks * length;
  }
  return total;
}

std::int64_t for_each_block(const void* address, std::int64_t count, const type& t, std::int64_t from,
                            std::int64_t bytes,
                            bool (*visit)(void* context, void* address, std::size_t length), void* context) {
  if (bytes <= 0) return 0;
  if (t.contiguous()) {
    visit(context, contiguous_start(address, from), static_cast<std::size_t>(bytes));
    return bytes;
  }
  cursor c(address, count, t, program_of(t), from);
  std::int64_t seen = 0, covered = 0;
  std::uintptr_t start = 0;  // of the block that may still grow: [start, start + seen - covered)
  while (seen < bytes) {
    const run r = c.next(bytes - seen);
    for (std::int64_t i = 0; i < r.count; i++) {
      const std::uintptr_t block = r.address + static_cast<std::uintptr_t>(i * r.stride);
      const std::int64_t pending = seen - covered;
      if (pending > 0 && start + static_cast<std::uintptr_t>(pending) != block) {
        covered = seen;
        if (!visit(context, at(start), static_cast<std::size_t>(pending))) return covered;
      }
      if (seen == covered) start = block;
      seen += r.length;
    }
  }
  visit(context, at(start), static_cast<std::size_t>(seen - covered));
  return seen;
}

}  // namespace loadstone::datatype
