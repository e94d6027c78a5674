// Room in job memory for what is handed over (handed.hpp), in a ring: long pieces lie behind each
// other, and come back to the same memory when it has left the caches of all who used it.
//
// Writing a line that another core has read and still has in its cache takes three to five times as
// long as one that has left it (docs/decisions/024-ordinary-memory.md). So the ring is longer than
// the second-level cache of a core. Short pieces find the same memory again, in our cache.
//
// Under the gate.
#pragma once

#include <cstddef>
#include <vector>

#include "memory/address.hpp"
#include "memory/arena.hpp"

namespace loadstone::rma {

class rooms {
 public:
  struct room {
    std::byte* memory = nullptr;  // null: there is none
    memory::address where{};
    std::size_t begin = 0, end = 0;
  };
  explicit rooms(memory::arena& a) : arena_(a) {}
  ~rooms();
  rooms(const rooms&) = delete;
  rooms& operator=(const rooms&) = delete;

  room take(std::size_t most);
  // So much of the one that was taken last is needed.
  void cut(room* last, std::size_t bytes);
  void give(const room& r);

 private:
  bool is_used(std::size_t begin, std::size_t end, std::size_t* behind) const;

  memory::arena& arena_;
  std::byte* ring_ = nullptr;  // made at first use
  memory::address where_{};
  std::size_t bytes_ = 0, next_ = 0;
  std::vector<room> used_;  // a few: two for each transfer that is under way
};

}  // namespace loadstone::rma
