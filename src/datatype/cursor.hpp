// A position in the data of a message (address, count, type), in packed order. next() hands out the
// data from there on as *runs*: equal contiguous blocks at equal distances. A copy kernel takes a
// run in one call.
#pragma once

#include <algorithm>
#include <cstdint>

#include "datatype/program.hpp"

namespace loadstone::datatype {

struct run {
  std::uintptr_t address = 0;
  std::int64_t length = 0;  // of one block
  std::int64_t count = 0;   // blocks
  std::int64_t stride = 0;  // from block to block
  basic element = basic::none;
  void drop(std::int64_t blocks) {
    address += static_cast<std::uintptr_t>(blocks * stride);
    count -= blocks;
  }
};

// Addresses are computed as integers, as displacements may be absolute (from MPI_BOTTOM, which is
// the null pointer).
class cursor {
 public:
  // A cursor at packed byte `position`, which must lie inside the message. `p` is the program of
  // the message's type.
  cursor(const void* address, std::int64_t count, const type& t, const program& p, std::int64_t position)
      : program_(p), whole_(repeat(p.root(), count, t.extent(), [&p](const node&) { return p.root_id(); })) {
    seek(whole_, reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(p.offset()),
         position);
  }
  cursor(const cursor&) = delete;
  cursor& operator=(const cursor&) = delete;

  // The next run, of at most `limit` bytes (> 0). The caller knows the size of the message, and
  // never asks beyond it.
  run next(std::int64_t limit) {
    if (finished_) advance();
    frame& f = frames_[depth_];
    const node& n = *f.what;
    run r{f.base + static_cast<std::uintptr_t>(f.index * n.stride), n.length, 1, n.stride, n.element};
    if (within_ != 0 || limit < n.length) {
      r.address += static_cast<std::uintptr_t>(within_);
      r.length = std::min(n.length - within_, limit);
      r.stride = 0;
      within_ += r.length;
      if (within_ == n.length) {
        within_ = 0;
        f.index++;
      }
    } else {
      const std::int64_t left = n.count - f.index;
      r.count = left == 1 || limit / n.length >= left ? left : limit / n.length;
      f.index += r.count;
    }
    finished_ = f.index == n.count;
    return r;
  }

 private:
  struct frame {
    const node* what;
    std::int64_t index;
    std::uintptr_t base;  // where this node starts
  };

  void push(const node& n, std::uintptr_t base, std::int64_t index) { frames_[++depth_] = {&n, index, base}; }

  void seek(const node& from, std::uintptr_t base, std::int64_t position) {
    const node* n = &from;
    while (n->kind != node_kind::block) {
      if (n->kind == node_kind::loop) {
        const std::int64_t i = position / n->length;
        position -= i * n->length;
        push(*n, base, i);
        base += static_cast<std::uintptr_t>(i * n->stride);
        n = &program_.at(n->first);
      } else {
        const std::int64_t i = position == 0 ? 0 : program_.find(*n, position);
        const entry& e = program_.entries(*n)[i];
        position -= e.start;
        push(*n, base, i);
        base += static_cast<std::uintptr_t>(e.offset);
        n = &program_.at(e.child);
      }
    }
    const std::int64_t i = position == 0 ? 0 : position / n->length;
    push(*n, base, i);
    within_ = position - i * n->length;
  }

  // Moves to the first block behind the current one, which has been handed out completely.
  void advance() {
    finished_ = false;
    for (;;) {
      frame& f = frames_[--depth_];
      if (++f.index == f.what->count) continue;
      if (f.what->kind == node_kind::loop) {
        enter(program_.at(f.what->first), f.base + static_cast<std::uintptr_t>(f.index * f.what->stride));
      } else {
        const entry& e = program_.entries(*f.what)[f.index];
        enter(program_.at(e.child), f.base + static_cast<std::uintptr_t>(e.offset));
      }
      return;
    }
  }

  // Moves to the first block of a subtree.
  void enter(const node& from, std::uintptr_t base) {
    const node* n = &from;
    while (n->kind != node_kind::block) {
      push(*n, base, 0);
      n = &program_.at(n->kind == node_kind::loop ? n->first : program_.entries(*n)[0].child);
    }
    push(*n, base, 0);
  }

  const program& program_;
  node whole_;
  int depth_ = -1;
  bool finished_ = false;
  std::int64_t within_ = 0;  // bytes of the current block already handed out
  frame frames_[program::max_depth + 2];
};

}  // namespace loadstone::datatype
