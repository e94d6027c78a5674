// Visits packed bytes of a message in order, and calls copy(address, length, count, stride) for
// each run. It is quicker than a cursor, as it walks whole subtrees by nested loops, but keeps no
// position between calls. Use: walk_message().
#pragma once

#include <cstdint>

#include "datatype/program.hpp"

namespace loadstone::datatype {

template <class Copy>
class walk {
 public:
  walk(const program& p, Copy& copy) : program_(p), copy_(copy) {}

  // All of `n`, which starts at `base`.
  void whole(const node& n, std::uintptr_t base) {
    switch (n.kind) {
      case node_kind::block:
        copy_(base, n.length, n.count, n.stride);
        return;
      case node_kind::loop: {
        const node& child = program_.at(n.first);
        for (std::int64_t i = 0; i < n.count; i++)
          whole(child, base + static_cast<std::uintptr_t>(i * n.stride));
        return;
      }
      case node_kind::list: {
        const entry* e = program_.entries(n);
        for (const entry* end = e + n.count; e < end; e++) {
          const std::uintptr_t at = base + static_cast<std::uintptr_t>(e->offset);
          e->block != 0 ? copy_(at, e->block, 1, 0) : whole(program_.at(e->child), at);
        }
        return;
      }
    }
  }

  // Packed bytes [from, to) of `n`, not empty.
  void part(const node& n, std::uintptr_t base, std::int64_t from, std::int64_t to) {
    if (from == 0 && to == n.bytes) return whole(n, base);
    if (n.kind == node_kind::list) {
      for (std::int64_t i = program_.find(n, from); i < n.count; i++) {
        const entry& e = program_.entries(n)[i];
        if (e.start >= to) return;
        const node& child = program_.at(e.child);
        part(child, base + static_cast<std::uintptr_t>(e.offset), std::max<std::int64_t>(from - e.start, 0),
             std::min(to - e.start, child.bytes));
      }
      return;
    }
    // The first and the last iteration may be incomplete.
    auto at = [&](std::int64_t i) { return base + static_cast<std::uintptr_t>(i * n.stride); };
    auto piece = [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
      if (n.kind == node_kind::loop) return part(program_.at(n.first), at(i), begin, end);
      copy_(at(i) + static_cast<std::uintptr_t>(begin), end - begin, 1, 0);
    };
    std::int64_t first = from / n.length;
    const std::int64_t last = to / n.length, begin = from - first * n.length, end = to - last * n.length;
    if (first == last) return piece(first, begin, end);
    if (begin != 0) piece(first++, begin, n.length);
    if (n.kind == node_kind::block) {
      if (first < last) copy_(at(first), n.length, last - first, n.stride);
    } else {
      for (const node& child = program_.at(n.first); first < last; first++) whole(child, at(first));
    }
    if (end != 0) piece(last, 0, end);
  }

 private:
  const program& program_;
  Copy& copy_;
};

// Packed bytes [from, from + bytes) of (address, count, t); not empty, inside the message.
template <class Copy>
void walk_message(const program& p, const void* address, std::int64_t count, const type& t, std::int64_t from,
                  std::int64_t bytes, Copy&& copy) {
  const node all = repeat(p.root(), count, t.extent(), [&p](const node&) { return p.root_id(); });
  const auto base = reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(p.offset());
  walk<Copy>(p, copy).part(all, base, from, from + bytes);
}

}  // namespace loadstone::datatype
