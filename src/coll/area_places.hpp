// Where in the areas of all members (area_layout.hpp) that lies which the present operation uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coll/area_members.hpp"
#include "coll/offers.hpp"

namespace loadstone::coll {

class area_places : public area_members {
 public:
  area_slot& slot_of(std::int32_t rank) const { return *reinterpret_cast<area_slot*>(in(rank, slot_at_)); }
  // Where data of so many bytes lies.
  std::byte* data_of(std::int32_t rank, std::uint64_t bytes) const {
    if (area_slot::is_near(bytes)) return slot_of(rank).near;
    return bytes <= area_slot::most_behind ? slot_of(rank).behind() : half_of(rank);
  }
  std::byte* half_of(std::int32_t rank) const { return in(rank, half_at_); }
  offer& offer_of(std::int32_t rank) const { return *reinterpret_cast<offer*>(half_of(rank)); }

 protected:
  area_places(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
              std::size_t most_bytes)
      : area_members(memory, processes, rank, most_bytes) {}
  ~area_places() = default;

  // `one_sided`: some only give, or only take.
  void be_operation(std::uint64_t number, bool one_sided) {
    number_ = number;
    one_sided_ = one_sided;
    slot_ = area_shape::slot_of(number, one_sided);
    slot_at_ = shape_.slot_at(slot_);
    half_at_ = shape_.half_at(number);
  }
  // If the next operation is one-sided, too.
  const std::byte* next_slot_of(std::int32_t rank) const {
    return in(rank, shape_.slot_at(area_shape::slot_of(number_ + 1, true)));
  }
  area& area_of(std::int32_t rank) const { return *members_[static_cast<std::size_t>(rank)].at; }

  std::uint64_t number_ = 0;  // of the present operation, or the last
  std::size_t slot_ = 0;      // that it uses
  bool one_sided_ = false;

 private:
  std::byte* in(std::int32_t rank, std::size_t at) const {
    return reinterpret_cast<std::byte*>(&area_of(rank)) + at;
  }

  const area_shape shape_{most_bytes_};
  std::size_t slot_at_ = 0, half_at_ = 0;
};

}  // namespace loadstone::coll
