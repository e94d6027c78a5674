// The members that share areas, and where each has its own. They are introduced to each other by
// messages of the first schedule that works there (area_writer). Where one member has no memory for
// an area, all go on with messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coll/area_memory.hpp"

namespace loadstone::coll {

// What a member tells the others, before there are areas.
struct area_introduction {
  memory::address where;
  std::uint64_t there;  // 0: it has no memory for one
};

class area_members {
 public:
  enum class state : std::uint8_t { unknown, shared, refused };

  area_members(const area_members&) = delete;
  area_members& operator=(const area_members&) = delete;

  std::int32_t size() const { return static_cast<std::int32_t>(processes_.size()); }
  std::int32_t rank() const { return rank_; }
  std::size_t most_bytes() const { return most_bytes_; }
  std::uint64_t serial() const { return serial_; }  // no other areas of this process have or had it
  std::uint32_t process_of(std::int32_t rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  bool has_died(std::int32_t rank) const { return memory_.has_died(process_of(rank)); }
  bool crowded() const { return crowded_; }  // are there more of them than cores?
  // Only if crowded(): as that member says.
  bool shares_core(std::int32_t member) const { return memory_.shares_core(process_of(member)); }
  // Has each process of the job a core, and one is left?
  bool copied_in_background() const { return memory_.copied_in_background(); }

  // --- they are found once (area_writer); decided() is the same at all members
  state decided() const { return state_; }
  area_introduction introduce();
  bool meet(std::span<const area_introduction> all);  // false: one has none, or it cannot be mapped here
  void decide(bool shared, bool buffers);
  bool reaches_buffers() const { return memory_.reaches_buffers(processes_); }
  // They are shared, and so may the members' buffers be.
  bool buffers() const { return buffers_; }

 protected:
  struct member {
    area* at = nullptr;
    memory::pin pin;
    std::uint64_t past = 0;  // operations that it is known to be past
  };

  // May throw bad_alloc.
  area_members(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
               std::size_t most_bytes);
  ~area_members() = default;  // who derives from it has given the areas back

  area_memory& memory_;
  const std::vector<std::uint32_t> processes_;
  std::vector<member> members_;
  const std::int32_t rank_;
  const std::size_t most_bytes_;
  const bool crowded_;
  const std::uint64_t serial_;
  area* own_;
  bool buffers_ = false;
  state state_ = state::unknown;
};

}  // namespace loadstone::coll
