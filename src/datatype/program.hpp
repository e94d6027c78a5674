// The compiled form of a type, which packing and everything like it executes. commit() makes it.
//
// It follows direct_pack_ff (Worringer, dissertation, 5.1): each leaf is a block with a stack of
// (count, stride) levels, merged so that the innermost contiguous run is as long as possible. But
// type-map order is kept: what is interleaved in the type map becomes a *list* whose entries take
// turns, and which levels can repeat. So a program is a small tree of
//
//     block   `count` runs of `length` contiguous bytes, `stride` apart: a leaf with its innermost
//             level
//     loop    `count` times the child, `stride` apart: one more level of the stack
//     list    several children, each at its offset, one after the other
//
// Its size depends on the description of the type, not on the numbers of repetitions. Equal
// subtrees are shared. Finding the byte at a packed position takes one division for each level and
// one binary search for each list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "datatype/basic.hpp"
#include "datatype/room.hpp"
#include "datatype/type.hpp"

namespace loadstone::datatype {

enum class node_kind : std::uint8_t { block, loop, list };

struct node {
  node_kind kind = node_kind::block;
  basic element = basic::none;  // block: what it is made of, in a typed program
  std::uint32_t first = 0;      // loop: the child; list: its first entry
  std::int64_t count = 1;       // block: runs; loop: iterations; list: entries
  std::int64_t stride = 0;      // bytes from one run or iteration to the next
  std::int64_t length = 0;      // packed bytes of one run or iteration
  std::int64_t bytes = 0;       // packed bytes of all of it
  std::int64_t elements = 0;    // basic elements of all of it, in a typed program
  bool operator==(const node&) const = default;
};

struct entry {
  std::int64_t offset;  // in memory, from the start of the list
  std::int64_t start;   // packed bytes of the entries before
  std::uint32_t child;
  std::uint32_t block;  // the length of the child if it is a single block, else 0: saves reading the child
};

// `inner` repeated `count` times, merged with its outermost level where that is possible. Where it
// is not, `inner` becomes a child, and intern() stores it and gives its number.
template <class Intern>
node repeat(const node& inner, std::int64_t count, std::int64_t stride, Intern&& intern) {
  if (count == 1) return inner;
  node n = inner;
  std::int64_t span = 0;
  if (n.kind == node_kind::block && n.count == 1) {
    if (n.length == stride) {
      n.length *= count;
    } else {
      n.count = count;
      n.stride = stride;
    }
  } else if (n.kind != node_kind::list && !__builtin_mul_overflow(n.count, n.stride, &span) &&
             span == stride) {
    n.count *= count;
  } else {
    n = {.kind = node_kind::loop,
         .first = intern(inner),
         .count = count,
         .stride = stride,
         .length = inner.bytes};
  }
  if (__builtin_mul_overflow(inner.bytes, count, &n.bytes))
    n.bytes = INT64_MAX;  // only for messages that are larger than any memory
  if (__builtin_mul_overflow(inner.elements, count, &n.elements)) n.elements = INT64_MAX;
  return n;
}

class program {
 public:
  enum class detail { untyped, typed };
  // Null: no memory.
  static const program* compile(const type& t, detail d);

  static constexpr int max_depth =
      62;  // nodes from the root to a block; a cursor needs one more for the count of elements
  int depth() const { return depth_; }
  bool one_block() const { return root_.kind == node_kind::block && root_.count == 1; }

  const node& root() const { return root_; }
  std::int64_t offset() const { return offset_; }  // of the root in memory
  std::uint32_t root_id() const { return root_id_; }
  const node& at(std::uint32_t id) const { return nodes_[id]; }
  const entry* entries(const node& list) const { return entries_.data() + list.first; }
  // The entry of a list that holds packed byte `position`.
  std::int64_t find(const node& list, std::int64_t position) const {
    const entry* begin = entries(list);
    const entry* after = std::upper_bound(begin, begin + list.count, position,
                                          [](std::int64_t p, const entry& e) { return p < e.start; });
    return after - begin - 1;
  }
  // How many basic elements are before entry `index` of a list, in a typed program.
  std::int64_t elements_before(const node& list, std::int64_t index) const {
    return elements_before_[list.first + static_cast<std::size_t>(index)];
  }
  // The entry that holds basic element `index`.
  std::int64_t find_element(const node& list, std::int64_t index) const {
    const std::int64_t* begin = elements_before_.data() + list.first;
    return std::upper_bound(begin, begin + list.count, index) - begin - 1;
  }
  std::size_t nodes() const { return nodes_.size(); }  // what the tests assert about its size
  std::size_t all_entries() const { return entries_.size(); }

 private:
  friend class compiler;
  program() = default;
  node root_;
  std::int64_t offset_ = 0;
  std::uint32_t root_id_ = 0;
  int depth_ = 1;
  room<2 * sizeof(node)> here_;  // for what is short
  std::pmr::vector<node> nodes_{&here_};
  std::pmr::vector<entry> entries_{&here_};
  std::pmr::vector<std::int64_t> elements_before_{&here_};
};

}  // namespace loadstone::datatype
