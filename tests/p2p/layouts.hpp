// Layouts of every kind for the data of a message, each as a type of the library and, beside it, as
// a plain list of where its bytes lie. One or many blocks; at the buffer's address, behind it, before
// it, or at absolute addresses; with other extents than sizes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "datatype/builder.hpp"
#include "datatype/held.hpp"
#include "datatype/random_types.hpp"
#include "p2p/engine.hpp"

namespace loadstone::testing {

enum class layout_kind : std::size_t {
  plain,     // bytes at the buffer's address
  slab,      // a slab of an array: one block behind the address
  before,    // one block before it
  absolute,  // one block, the address is MPI_BOTTOM
  elements,  // several elements that are one block together, or one element of another extent
  blocks,    // some blocks, long and short, in any order, some of them neighbours
  tiny,      // many small ones at equal distances, upwards or downwards
  holes,     // several elements with holes, upwards or downwards
  nested,    // random nested types
  count
};
inline constexpr const char* layout_names[] = {"plain",  "slab", "before", "absolute", "elements",
                                               "blocks", "tiny", "holes",  "nested"};

// The first is where packed byte 0 is; offsets in the memory that the layout takes.
struct piece {
  std::int64_t at, bytes;
};

struct layout {
  datatype::held type;
  std::int64_t count = 1;
  std::int64_t buffer_at = 0;  // the buffer's address, an offset of that memory as well; perhaps outside
  std::int64_t span = 0;       // bytes of that memory
  bool absolute = false;       // the buffer's address is null instead
  std::vector<piece> pieces;   // in packed order, neighbours merged
  std::string text;

  bool one_block() const { return pieces.size() == 1; }
  // As the engine offers it: too many or too small blocks are packed by their owner.
  bool awkward(std::int64_t bytes) const {
    return !one_block() &&
           (pieces.size() > (1u << 16) || bytes / static_cast<std::int64_t>(pieces.size()) < 256);
  }
  p2p::buffer buffer(const std::byte* memory) const {
    return {absolute ? nullptr
                     : reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(memory) +
                                                     static_cast<std::uintptr_t>(buffer_at)),
            count, type.get()};
  }
  // The first `bytes` of the data, from or to packed form: piece by piece.
  void scatter(std::byte* memory, const std::byte* packed, std::int64_t bytes) const {
    for (const piece& p : pieces) {
      const std::int64_t n = std::min(p.bytes, bytes);
      if (n == 0) return;
      std::memcpy(memory + p.at, packed, static_cast<std::size_t>(n));
      packed += n;
      bytes -= n;
    }
  }
};

class layout_maker {
 public:
  explicit layout_maker(std::uint64_t seed) : random_(seed) {}

  // `bytes` of data. Absolute layouts hold for `memory` alone, of room_for() bytes.
  layout make(layout_kind kind, std::int64_t bytes, const std::byte* memory) {
    layout l;
    switch (kind) {
      case layout_kind::plain:
        l.type = byte_;
        l.count = bytes;
        l.pieces = {{0, bytes}};
        break;
      case layout_kind::slab:
        slab(l, bytes);
        break;
      case layout_kind::before: {
        const std::int64_t gap = pick(0, 40'000);
        indexed(l, {{0, bytes}}, bytes + gap);
        break;
      }
      case layout_kind::absolute:
        indexed(l, {{pick(0, 300), bytes}},
                -static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory)));
        l.absolute = true;
        break;
      case layout_kind::elements:
        elements(l, bytes);
        break;
      case layout_kind::blocks:
        blocks(l, bytes, memory);
        break;
      case layout_kind::tiny:
        tiny(l, bytes);
        break;
      case layout_kind::holes:
        holes(l, bytes);
        break;
      default:
        nested(l, bytes, memory);
        break;
    }
    merge(l.pieces);
    for (const piece& p : l.pieces) l.span = std::max(l.span, p.at + p.bytes);
    if (!l.type.ok() || !l.type->commit().ok()) std::abort();
    l.text = fmt::format("{} ({} pieces, {} elements, address {:+})",
                         layout_names[static_cast<std::size_t>(kind)], l.pieces.size(), l.count, l.buffer_at);
    return l;
  }
  // Enough for each.
  static std::size_t room_for(std::int64_t bytes) { return static_cast<std::size_t>(3 * bytes + 200'000); }

  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

 private:
  using builder = datatype::builder;
  using list = std::vector<std::int64_t>;

  static void merge(std::vector<piece>& pieces) {
    std::size_t out = 0;
    for (const piece& p : pieces) {
      if (p.bytes == 0) continue;
      if (out > 0 && pieces[out - 1].at + pieces[out - 1].bytes == p.at)
        pieces[out - 1].bytes += p.bytes;
      else
        pieces[out++] = p;
    }
    pieces.resize(out);
  }
  // The pieces as a type of bytes, seen from `from`.
  void indexed(layout& l, std::vector<piece> pieces, std::int64_t from) {
    list lengths, displacements;
    for (const piece& p : pieces) lengths.push_back(p.bytes), displacements.push_back(p.at - from);
    l.type = datatype::held(builder::hindexed(lengths, displacements, *byte_));
    l.pieces = std::move(pieces);
    l.buffer_at = from;
  }
  // One of the counts that divide `bytes`.
  std::int64_t divisor(std::int64_t bytes, std::initializer_list<std::int64_t> of) {
    list fitting;
    for (std::int64_t n : of)
      if (bytes % n == 0) fitting.push_back(n);
    return fitting[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(fitting.size()) - 1))];
  }

  void slab(layout& l, std::int64_t bytes) {
    const std::int64_t planes = divisor(bytes, {1, 2, 3, 4});
    const std::int64_t before = pick(1, 3), after = pick(0, 2);
    std::int64_t row = divisor(bytes / planes, {1, 2, 8, 16}), column = bytes / planes / row;
    // The planes before and behind take memory, too: no more than there is.
    if ((before + after) * (bytes / planes) > bytes + 100'000) {
      const std::int64_t gap = pick(1, 5000);
      l.type = datatype::held(
          builder::subarray(list{gap + bytes + 7}, list{bytes}, list{gap}, datatype::order::c, *byte_));
      l.pieces = {{gap, bytes}};
      return;
    }
    const bool c = pick(0, 1) == 0;
    list sizes{before + planes + after, column, row}, part{planes, column, row}, start{before, 0, 0};
    if (!c) {
      std::reverse(sizes.begin(), sizes.end());
      std::reverse(part.begin(), part.end());
      std::reverse(start.begin(), start.end());
    }
    l.type = datatype::held(
        builder::subarray(sizes, part, start, c ? datatype::order::c : datatype::order::fortran, *byte_));
    l.pieces = {{before * column * row, bytes}};
  }

  void elements(layout& l, std::int64_t bytes) {
    const std::int64_t n = divisor(bytes, {1, 2, 3, 5, 8}), each = bytes / n, gap = pick(-70, 3000);
    const datatype::held one(builder::hindexed(list{each}, list{gap}, *byte_));
    if (n > 1) {
      l.type = one;  // extent == size
    } else {
      l.type = datatype::held(builder::resized(*one, pick(-50, 50), pick(0, 1) == 0 ? each + 64 : -3));
    }
    l.count = n;
    l.buffer_at = std::max<std::int64_t>(0, -gap);
    l.pieces = {{l.buffer_at + gap, bytes}};
  }

  void blocks(layout& l, std::int64_t bytes, const std::byte* memory) {
    const std::int64_t n = std::min(bytes, pick(2, 9));
    list cuts{0, bytes};
    for (std::int64_t i = 1; i < n; ++i) cuts.push_back(pick(0, bytes));
    std::sort(cuts.begin(), cuts.end());
    std::vector<piece> pieces;
    std::int64_t at = pick(0, 100);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      pieces.push_back({at, cuts[i + 1] - cuts[i]});
      at += pieces.back().bytes + (pick(0, 2) == 0 ? 0 : pick(1, 5000));
    }
    const std::int64_t order = pick(0, 2);
    if (order == 1) std::reverse(pieces.begin(), pieces.end());
    if (order == 2) std::shuffle(pieces.begin(), pieces.end(), random_);
    l.absolute = pick(0, 3) == 0;
    indexed(l, pieces,
            l.absolute ? -static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory))
                       : pick(-1000, at + 1000));
  }

  void tiny(layout& l, std::int64_t bytes) {
    const std::int64_t block = pick(bytes < 65536 ? 1 : 16, bytes < 65536 ? 16 : 64), n = bytes / block,
                       rest = bytes - n * block;
    const std::int64_t stride = block + pick(0, block), begin = pick(0, 50);
    const bool down = pick(0, 1) == 0;
    const datatype::held many(builder::hvector(n, block, down ? -stride : stride, *byte_));
    const std::int64_t first = begin + (down && n > 0 ? (n - 1) * stride : 0), end = begin + n * stride;
    l.buffer_at = pick(-100, end);
    const datatype::type* parts[] = {many.get(), byte_};
    l.type = datatype::held(
        builder::structure(list{1, rest}, list{first - l.buffer_at, end - l.buffer_at}, parts));
    for (std::int64_t i = 0; i < n; ++i) l.pieces.push_back({first + (down ? -i : i) * stride, block});
    l.pieces.push_back({end, rest});
  }

  void holes(layout& l, std::int64_t bytes) {
    const std::int64_t n = divisor(bytes, {1, 2, 4, 6, 10}), each = bytes / n, half = each / 2;
    const std::int64_t gap = pick(1, 40), low = pick(-30, 30);
    const std::int64_t extent = (each + gap + pick(0, 90)) * (pick(0, 1) == 0 ? 1 : -1);
    const datatype::held two(builder::hindexed(list{half, each - half}, list{low, low + half + gap}, *byte_));
    l.type = datatype::held(builder::resized(*two, pick(-9, 9), extent));
    l.count = n;
    l.buffer_at = 30 + (extent < 0 ? -extent * (n - 1) : 0);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = l.buffer_at + i * extent + low;
      l.pieces.push_back({at, half});
      l.pieces.push_back({at + half + gap, each - half});
    }
  }

  // Some elements of a random type, that repeated as a whole, and bytes for the rest.
  void nested(layout& l, std::int64_t bytes, const std::byte* memory) {
    datatype::type_maker types(random_());
    for (int attempt = 0; attempt < 200; ++attempt) {
      const datatype::sample s = types.make(static_cast<int>(pick(1, 3)));
      const std::int64_t size = s.map.size();
      if (size == 0 || size > bytes) continue;
      const std::int64_t few = std::min<std::int64_t>(bytes / size, pick(1, 40));
      if (!s.map.disjoint(few)) continue;
      std::vector<piece> part;
      std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
      s.map.each_byte(few, [&](std::int64_t d) {
        part.push_back({d, 1});
        lowest = std::min(lowest, d);
        highest = std::max(highest, d + 1);
      });
      merge(part);
      if (highest - lowest > 2 * few * size + 500) continue;  // sparse
      const std::int64_t times = bytes / (few * size), rest = bytes - times * few * size;
      const std::int64_t stride = highest - lowest + pick(0, 30);
      if (times * stride > 2 * bytes + 100'000) continue;
      const datatype::held inner(builder::contiguous(few, *s.type));
      const datatype::held outer(builder::hvector(times, 1, stride, *inner));
      const std::int64_t begin = pick(0, 64) - lowest, end = begin + lowest + times * stride;
      l.buffer_at = pick(0, end);
      const datatype::type* parts[] = {outer.get(), byte_};
      l.type = datatype::held(
          builder::structure(list{1, rest}, list{begin - l.buffer_at, end - l.buffer_at}, parts));
      for (std::int64_t i = 0; i < times; ++i)
        for (const piece& p : part) l.pieces.push_back({begin + i * stride + p.at, p.bytes});
      l.pieces.push_back({end, rest});
      return;
    }
    blocks(l, bytes, memory);
  }

  std::mt19937_64 random_;
  const datatype::type* const byte_ = datatype::predefined_type(datatype::basic::byte);
};

}  // namespace loadstone::testing
