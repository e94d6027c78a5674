// Cells that go to and fro between two processes: who has read one keeps it, and writes its own
// next message to that peer there, into lines that it has nearest (docs/decisions/012). A cell
// passes with the message that names it, whichever lane that takes, so no word is shared and nobody
// waits for it. A process makes one only for a peer whose message it has read from a cell since, so
// messages of one direction go through ordinary cells (cells.hpp).
//
// Condition: a payload that fits neither a slot nor the buffer of a pair.
// Cost: a second-level cache of memory of either process for each pair and size at most, and a
// look-up of the peer's region.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/cells.hpp"
#include "transport/peer_memory.hpp"

namespace loadstone::transport {

class passed_cells {
 public:
  // `limit`: bytes of them that this process makes; of one size for one peer `cache` at most, for
  // what both make are to find room in the caches of both.
  passed_cells(peer_memory& memory, std::size_t limit, std::size_t cache)
      : memory_(memory), left_(limit), most_(std::min(cache, most_bytes)) {}
  ~passed_cells();

  // One that a message names, or has named.
  struct name {
    std::uint64_t where = 0;  // local_address in its maker's arena
    std::uint32_t bytes = 0;  // of its last payload that was coming: to be there before it is used again
    bool made_here = false;
  };
  // For a message of that many bytes to that peer. `at` is null: there is none.
  struct found {
    cell_header* at = nullptr;
    name known_as;
    memory::pin pin;
  };
  found take(std::uint32_t peer, std::size_t bytes);
  // It has been read, or does not leave after all. (Where there is no memory to remember it, nobody
  // uses it again.)
  void keep(std::uint32_t peer, std::size_t bytes, const name& cell) {
    if (pair* const with = of(peer); with != nullptr) with->sizes[class_of(bytes)].add(cell);
  }
  // A message of that peer has been read, out of whatever cell: one to it may need one.
  void heard(std::uint32_t peer, std::size_t bytes) {
    pair* const with = of(peer);
    if (with == nullptr) return;
    std::uint32_t& credit = with->sizes[class_of(bytes)].credit;
    if (credit < most_made) ++credit;
  }

  // Gives those of ours that are here, and not being written, back to the arena. False: there are
  // none.
  bool shed();

  static constexpr std::size_t most_bytes = 1 << 20;

 private:
  static constexpr std::uint32_t most_made = most_bytes / cells::usual;  // of a size, for a pair
  static constexpr std::size_t capacities[] = {cells::usual, cells::largest};
  static std::size_t class_of(std::size_t bytes) { return bytes > capacities[0] ? 1 : 0; }
  // Those of one size between two processes.
  struct of_size {
    std::array<name, std::size_t{2} * most_made> names;  // that are here; the last one was read last
    std::uint32_t count = 0;
    std::uint32_t credit = 0;  // so many may be made
    std::size_t made = 0;      // bytes of those that are ours, wherever they are
    void add(const name& n) { names[count++] = n; }
    void remove(std::uint32_t i) {
      std::move(names.begin() + i + 1, names.begin() + count, names.begin() + i);
      --count;
    }
  };
  struct pair {
    std::array<of_size, 2> sizes;
  };
  pair* of(std::uint32_t peer);  // null: no memory
  found make(of_size& which, std::size_t capacity);
  cell_header* own_cell(const name& n);
  void release(const name& n);

  peer_memory& memory_;
  std::size_t left_;
  const std::size_t most_;
  std::vector<std::unique_ptr<pair>> pairs_;  // by peer
};

}  // namespace loadstone::transport
