#include "coll/area_memory.hpp"

#include <algorithm>
#include <new>

#include "coll/area_blocks.hpp"
#include "memory/liveness.hpp"
#include "transport/pair_line_layout.hpp"
#include "wait/presence.hpp"

namespace loadstone::coll {

namespace {
// Communicators keep their blocks for the next operation, up to so much for all of them together.
constexpr std::size_t most_held = 4u << 20;
// They begin where payload of messages does (transport/pair_buffer.hpp).
constexpr std::size_t page = transport::buffer_page, begin = transport::buffer_begin;
}  // namespace

area* area_memory::allocate(std::size_t most_bytes, std::uint32_t members) {
  sweep();
  const area_shape shape(most_bytes);
  // Where one has no area, all go on by messages, which need memory, too.
  if (!arena_.has_spare(shape.bytes())) return nullptr;
  auto block = arena_.allocate(shape.bytes(), memory::isolation);
  if (!block) return nullptr;
  area* const a = new (*block) area{};
  for (std::size_t i = 0; i < area_slots; ++i)
    new (static_cast<std::byte*>(*block) + shape.slot_at(i)) area_slot{};
  a->most_bytes = static_cast<std::uint32_t>(most_bytes);
  a->members = members;
  a->magic = area_magic;
  return a;
}

void area_memory::release_when_left(area* a, std::byte* const (&blocks)[2], std::size_t bytes) {
  sweep();
  departing_.push_back({a, {blocks[0], blocks[1]}, bytes});
}

void area_memory::sweep() {
  std::erase_if(departing_, [this](const departing& d) {
    // Acquire: all that others have done there is over (sync: area-left).
    if (d.at->left.load(std::memory_order_acquire) + 1 != d.at->members) return false;
    for (std::byte* block : d.blocks)
      if (block != nullptr) arena_.release(block - begin);
    held_ -= d.bytes;
    arena_.release(d.at);
    return true;
  });
}

bool area_memory::reaches(std::span<const std::uint32_t> processes) const {
  return std::all_of(processes.begin(), processes.end(), [this](std::uint32_t process) {
    return process < job_.header().capacity && endpoint_.route_to(process).mapped;
  });
}

bool area_memory::crowded(std::size_t processes) const {
  return job_.header().cpus != 0 && processes > job_.header().cpus;
}

bool area_memory::has_died(std::uint32_t process) const {
  if (process == endpoint_.self() || memory::is_alive(job_, process)) return false;
  memory::note_death(job_, process);
  return true;
}

std::vector<memory::locality> area_memory::localities(std::span<const std::uint32_t> processes) {
  if (places_.empty()) places_ = memory::localities_of(job_, job_.header().world_size);
  memory::locality unknown;
  unknown.fill(memory::nowhere);
  std::vector<memory::locality> found;
  for (const std::uint32_t p : processes) found.push_back(p < places_.size() ? places_[p] : unknown);
  return found;
}

bool area_memory::shares_core(std::uint32_t process) const {
  const auto core_of = [this](std::uint32_t p) { return wait::presence::core_of(job_.process(p).presence); };
  return core_of(process) == core_of(endpoint_.self());
}

bool area_memory::reaches_buffers(std::span<const std::uint32_t> processes) const {
  return std::all_of(processes.begin(), processes.end(), [this](std::uint32_t process) {
    return process == endpoint_.self() || endpoint_.user().reaches(process);
  });
}

std::byte* area_memory::allocate_block(std::size_t bytes, area_blocks& holder) {
  if (held_ + bytes > most_held || !arena_.has_spare(bytes)) {
    sweep();
    std::erase_if(holders_, [](area_blocks* other) { return other->give_back_blocks(); });
  }
  // Where one has no block, all go on by messages, which need memory, too.
  if (!arena_.has_spare(bytes)) return nullptr;
  auto block = arena_.allocate(begin + bytes, page);
  if (!block) return nullptr;
  held_ += bytes;
  if (std::find(holders_.begin(), holders_.end(), &holder) == holders_.end()) holders_.push_back(&holder);
  return static_cast<std::byte*>(*block) + begin;
}

bool area_memory::keeps_little() const {
  return held_ <= most_held;
}

void area_memory::release_block(std::byte* block, std::size_t bytes) {
  held_ -= bytes;
  arena_.release(block - begin);
}

}  // namespace loadstone::coll
