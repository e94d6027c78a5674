// What areas do for data that does not fit a slot: who has come, blocks, and reading and writing
// the memory of others.
#include <algorithm>
#include <cstring>

#include "coll/areas.hpp"
#include "copy/copy.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

// Communicators keep their blocks for the next operation, up to so much for all of them together.
constexpr std::size_t most_held = 4u << 20;

void note(std::int32_t* error, std::int32_t what) {
  if (*error == 0) *error = what;
}

}  // namespace

// --- memory

bool area_memory::reaches_buffers(std::span<const std::uint32_t> processes) const {
  return std::all_of(processes.begin(), processes.end(), [this](std::uint32_t process) {
    return process == endpoint_.self() || endpoint_.user().reaches(process);
  });
}

std::byte* area_memory::allocate_block(std::size_t bytes, areas& holder) {
  if (held_ + bytes > most_held)
    std::erase_if(holders_, [](areas* other) { return other->give_back_blocks(); });
  auto block = arena_.allocate(bytes, memory::isolation);
  if (!block) return nullptr;
  held_ += bytes;
  if (std::find(holders_.begin(), holders_.end(), &holder) == holders_.end()) holders_.push_back(&holder);
  return static_cast<std::byte*>(*block);
}

void area_memory::release_block(std::byte* block, std::size_t bytes) {
  held_ -= bytes;
  arena_.release(block);
}

std::byte* areas::block(std::size_t bytes) {
  const std::size_t which = number_ % 2;
  if (block_bytes_[which] >= bytes) return blocks_[which];
  // All are past the operation that it was last used for (ready()).
  if (blocks_[which] != nullptr) memory_.release_block(blocks_[which], block_bytes_[which]);
  block_bytes_[which] = 0;
  blocks_[which] = nullptr;
  std::byte* const made = memory_.allocate_block(bytes, *this);
  blocks_[which] = made;
  block_bytes_[which] = made != nullptr ? bytes : 0;
  return made;
}

// Called for any areas but those that just now allocate one, whose other block may still be read.
bool areas::give_back_blocks() {
  if (begun_) return false;
  const std::uint64_t used = std::max(used_[0], used_[1]);
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_ && members_[static_cast<std::size_t>(r)].at->finished.load(std::memory_order_acquire) <
                          used)  // sync: area-finished
      return false;
  for (std::size_t i = 0; i < 2; ++i) {
    if (blocks_[i] != nullptr) memory_.release_block(blocks_[i], block_bytes_[i]);
    blocks_[i] = nullptr;
    block_bytes_[i] = 0;
  }
  return true;
}

// --- who has come

void areas::publish_quietly() {
  publish(nobody);
  // Either we see that another one has come, or it sees us: so one of us does what there is to do.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void areas::publish_to(const member_set& members) {
  if (crowded_) {
    publish_quietly();
  } else {
    publish(nobody);
    members.without(rank_).each([this](std::int32_t m) {
      wake(m);
      return true;
    });
  }
  readers_[number_ % 2] = members;
}

void areas::unpublish() {
  own_slot().published.store(0, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool areas::has_come(std::int32_t r) {
  member& m = members_[static_cast<std::size_t>(r)];
  if (m.at->slot(number_).published.load(std::memory_order_acquire) != mark())  // sync: area-published
    return false;
  m.past = std::max(m.past, number_ - 1);
  return true;
}

bool areas::await(const member_set& members) {
  awaited_ = members;
  return wait_for(looking::work, 0);
}

void areas::wake_helpers() {
  const auto most = std::min<std::int32_t>(static_cast<std::int32_t>(memory_.cores()) - 1, size() - 1);
  for (std::int32_t i = 1; i <= most; ++i) wake((rank_ + i) % size());
}

// --- reading and writing

std::byte* areas::at(std::int32_t r, const place& p, std::int32_t* error) {
  if (r == rank_) return memory_.pointer(p.in(process_of(r)));
  member& m = members_[static_cast<std::size_t>(r)];
  const memory::address where = p.in(process_of(r));
  for (std::size_t i = 0; i < 2; ++i)
    if (m.blocks[i] && m.of[i] == where.region) return m.blocks[i].at(where.offset);
  const std::size_t i = m.next++ % 2;
  m.blocks[i] = memory_.endpoint().map(where.region);
  m.of[i] = where.region;
  if (m.blocks[i]) return m.blocks[i].at(where.offset);
  note(error, p2p::error_other);
  return nullptr;
}

void areas::read(std::int32_t from, const place& p, std::uint64_t at, std::byte* to, std::uint64_t bytes,
                 std::int32_t* error) {
  if (bytes == 0) return;
  if (p.mapped()) {
    const std::byte* const there = this->at(from, p, error);
    if (there != nullptr) copy::between(to, there + at, bytes, bytes);
    return;
  }
  note(error, p2p::error_of(memory_.endpoint().user().get(process_of(from), to, p.address + at, bytes)));
}

void areas::write(std::int32_t to, const place& p, std::uint64_t at, const std::byte* from,
                  std::uint64_t bytes, std::int32_t* error) {
  if (bytes == 0) return;
  if (p.mapped()) {
    std::byte* const there = this->at(to, p, error);
    if (there != nullptr) copy::between(there + at, from, bytes, bytes);
    return;
  }
  note(error, p2p::error_of(memory_.endpoint().user().put(process_of(to), p.address + at, from, bytes)));
}

const std::byte* areas::fetch(std::int32_t from, const place& p, std::uint64_t at, std::byte* room,
                              std::uint64_t bytes, std::int32_t* error) {
  if (p.mapped()) {
    const std::byte* const there = this->at(from, p, error);
    return there != nullptr ? there + at : room;
  }
  read(from, p, at, room, bytes, error);
  return room;
}

}  // namespace loadstone::coll
