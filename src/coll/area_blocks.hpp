// Data that does not fit a slot: blocks that a member lends to the others for one operation, and
// reading and writing what others have in theirs, or in their buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/area_places.hpp"

namespace loadstone::coll {

class area_blocks : public area_places {
 public:
  area_blocks(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
              std::size_t most_bytes)
      : area_places(memory, processes, rank, most_bytes), mapped_(processes.size()) {}
  ~area_blocks();

  // Memory of our own that others map, for this operation; null: there is none.
  std::byte* block(std::size_t bytes);
  bool give_back_blocks();  // if nobody needs them

  // Of two members that give each other something, each writes next where it has read last: its
  // cache has those lines, and nobody is waited for. So they write their own block and that of the
  // other one by turns, as long as nothing else uses their blocks. Both come to the same here: by
  // what they have told each other, and by `bytes`, the more that one of both needs.
  struct exchanged {
    bool known = false;       // false: they are not passed (any more), and block() is for us
    bool of_other = false;    // it is the block of the other one
    std::byte* at = nullptr;  // null: that cannot be mapped
  };
  exchanged next_of_exchange(std::size_t bytes);
  // May ours stay until the next exchange? What all communicators keep so is bounded.
  bool may_stay() const { return memory_.keeps_little(); }
  std::size_t block_bytes() const { return block_bytes_[number_ % 2]; }
  // It was the first in a row, and both blocks stay.
  void begin_exchanges(std::byte* of_other, std::size_t bytes);
  void end_exchanges() { passed_ = {}; }
  std::byte* own_of_exchange() const { return passed_.own; }
  memory::address address_of(const std::byte* in_block) const { return memory_.address_of(in_block); }
  void note_progress() { memory_.endpoint().words().note_progress(); }
  // How our blocks are written: all of them are written and read by the same cores.
  copy::store_choice& stores() { return memory_.stores(); }

  // The bytes [at, at + bytes) of a place of another member, or of a block of our own. An error is
  // kept, unless there is one.
  void read(std::int32_t from, const place& p, std::uint64_t at, std::byte* to, std::uint64_t bytes,
            std::int32_t* error);
  void write(std::int32_t to, const place& p, std::uint64_t at, const std::byte* from, std::uint64_t bytes,
             std::int32_t* error);
  // Where they can be read: there, or in `room`, after they have been copied.
  const std::byte* fetch(std::int32_t from, const place& p, std::uint64_t at, std::byte* room,
                         std::uint64_t bytes, std::int32_t* error);
  std::byte* at(std::int32_t member, const place& mapped, std::int32_t* error);  // null: it cannot be mapped

 protected:
  bool begun_ = false;  // an operation

 private:
  bool all_have_finished(std::uint64_t number) const;  // the others

  // The regions of a member's blocks.
  struct mapped_blocks {
    memory::pin pins[2];
    memory::region_id of[2] = {};
    std::uint8_t next = 0;
  };
  std::vector<mapped_blocks> mapped_;
  std::byte* blocks_[2] = {nullptr, nullptr};  // for operations of even and of odd numbers
  std::size_t block_bytes_[2] = {0, 0};
  std::uint64_t lent_ = 0;  // the last operation that had one
  struct passed {
    std::byte* own = nullptr;  // null: none are passed
    std::byte* of_other = nullptr;
    std::size_t bytes = 0;  // of either, at least
    bool at_home = true;    // we have written our own last
  };
  passed passed_;
};

}  // namespace loadstone::coll
