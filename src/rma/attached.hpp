// Attached memory of dynamic windows: a table in the owner's arena, sorted by address, which
// origins search where it is. A version in the owner's record says whether it was changed
// meanwhile.
//
// Cost for an origin: a binary search. For the owner: moving the part of the table behind what it
// attaches or detaches.
//
// A table that has become too small is kept until the window is freed: so an origin that has read
// where the table is, and that the version is still the same, may follow that.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "memory/arena.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

// The owner's side. The window's user calls from one thread at a time, or holds a lock of his own.
class attached_memory {
 public:
  attached_memory(memory::arena& arena, window_record& record) : arena_(arena), record_(record) {}
  ~attached_memory();
  attached_memory(const attached_memory&) = delete;
  attached_memory& operator=(const attached_memory&) = delete;

  // code::invalid: it overlaps what is attached.
  base::status attach(void* base, std::int64_t bytes);
  bool detach(const void* base);

 private:
  base::status make_room();
  std::size_t find(std::uintptr_t base) const;  // the first range that does not begin before

  memory::arena& arena_;
  window_record& record_;
  std::mutex lock_;
  attached_range* table_ = nullptr;
  std::size_t used_ = 0, room_ = 0;
  std::vector<void*> tables_;                  // all there have been
  std::multimap<std::uintptr_t, char> empty_;  // attached with 0 bytes
};

// What a member knows of another's, or of its own.
class attachments {
 public:
  attachments(window& w, const target& of, bool self) : window_(w), target_(of), self_(self) {}

  // Is the data attached, which lies within [from, to)? Completes `found`, which says where the
  // displacement points, and the way if it is ordinary memory.
  trouble find(const remote_data& where, std::int64_t from, std::int64_t to, place* found);
  // Are all the addresses?
  trouble find(std::int64_t from, std::int64_t to, place* found);

 private:
  struct snapshot {
    std::uint64_t version, count;
    memory::address table;
  };
  base::status look(snapshot* s) const;
  bool unchanged(const snapshot& s) const {
    // relaxed: all reads before were acquire, and stay before
    return target_.record->attached.version.load(std::memory_order_relaxed) == s.version;
  }
  std::byte* mapped(memory::address where);

  window& window_;
  const target& target_;
  const bool self_;
  std::mutex lock_;
  std::map<std::uint16_t, std::pair<std::uint16_t, memory::pin>> regions_;  // by number: generation
};

}  // namespace loadstone::rma
