// Memory between the steps of a schedule.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace loadstone::coll {

class scratch_memory {
 public:
  // In whole cache lines, until recycle(). May throw bad_alloc.
  std::byte* allocate(std::size_t bytes);
  // Nobody uses any of it. The first piece is kept, unless it is large.
  void recycle();
  bool small() const {  // no more than that
    return pieces_.empty() || (pieces_.size() == 1 && pieces_.front().bytes <= largest_piece_kept);
  }

 private:
  static constexpr std::size_t first_bytes = 4096, largest_piece_kept = 64 * 1024;
  struct piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes, used;
  };
  std::vector<piece> pieces_;
};

}  // namespace loadstone::coll
