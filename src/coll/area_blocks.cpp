// What areas do for data that does not fit a slot: who has come, blocks, and reading and writing
// the memory of others.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/fault.hpp"
#include "coll/areas.hpp"
#include "copy/copy.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

void note(std::int32_t* error, std::int32_t what) {
  if (*error == 0) *error = what;
}

}  // namespace

// Others may still read what we have published, so ours stays until they have left.
area_blocks::~area_blocks() {
  memory_.forget(*this);
  if (own_ == nullptr) return;
  if (state_ != state::shared) {  // nobody has used it
    memory_.release(own_);
    return;
  }
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_)
      members_[static_cast<std::size_t>(r)].at->left.fetch_add(1,
                                                               std::memory_order_release);  // sync: area-left
  LOADSTONE_FAULT_POINT("coll.left");
  memory_.release_when_left(own_, blocks_, block_bytes_[0] + block_bytes_[1]);
}

bool area_blocks::all_have_finished(std::uint64_t number) const {
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_ && members_[static_cast<std::size_t>(r)].at->finished.load(std::memory_order_acquire) <
                          number)  // sync: area-finished
      return false;
  return true;
}

std::byte* area_blocks::block(std::size_t bytes) {
  const std::size_t which = number_ % 2, other = 1 - which;
  // All are past the operation that ours of this parity was last used for (ready()). Often they are
  // past the other's, too: its pages are there, and mapped by all.
  if (block_bytes_[which] < bytes && block_bytes_[other] >= bytes && all_have_finished(lent_)) {
    std::swap(blocks_[which], blocks_[other]);
    std::swap(block_bytes_[which], block_bytes_[other]);
  }
  lent_ = number_;
  if (block_bytes_[which] >= bytes) return blocks_[which];
  if (blocks_[which] != nullptr) memory_.release_block(blocks_[which], block_bytes_[which]);
  block_bytes_[which] = 0;
  blocks_[which] = nullptr;
  std::byte* const made = memory_.allocate_block(bytes, *this);
  blocks_[which] = made;
  block_bytes_[which] = made != nullptr ? bytes : 0;
  return made;
}

area_blocks::exchanged area_blocks::next_of_exchange(std::size_t bytes) {
  if (passed_.own == nullptr || bytes > passed_.bytes) {
    end_exchanges();
    return {};
  }
  passed_.at_home = !passed_.at_home;
  if (!passed_.at_home) return {true, true, passed_.of_other};
  // It counts as the block of this operation's parity. All are past what the other one was used
  // for.
  if (blocks_[number_ % 2] != passed_.own) {
    std::swap(blocks_[0], blocks_[1]);
    std::swap(block_bytes_[0], block_bytes_[1]);
  }
  lent_ = number_;
  return {true, false, passed_.own};
}

void area_blocks::begin_exchanges(std::byte* of_other, std::size_t bytes) {
  passed_ = {blocks_[number_ % 2], of_other, std::min(bytes, block_bytes()), true};
}

// Called for any areas but those that just now allocate one, whose other block may still be read.
bool area_blocks::give_back_blocks() {
  if (begun_ || passed_.own != nullptr || !all_have_finished(lent_)) return false;
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
  note_use(members);
}

void areas::unpublish() {
  slot_of(rank_).published.store(0, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool areas::has_come(std::int32_t r) {
  member& m = members_[static_cast<std::size_t>(r)];
  if (slot_of(r).published.load(std::memory_order_acquire) != mark())  // sync: area-published
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

std::byte* area_blocks::at(std::int32_t r, const place& p, std::int32_t* error) {
  if (r == rank_) return memory_.pointer(p.in(process_of(r)));
  mapped_blocks& m = mapped_[static_cast<std::size_t>(r)];
  const memory::address where = p.in(process_of(r));
  for (std::size_t i = 0; i < 2; ++i)
    if (m.pins[i] && m.of[i] == where.region) return m.pins[i].at(where.offset);
  const std::size_t i = m.next++ % 2;
  m.pins[i] = memory_.endpoint().map(where.region);
  m.of[i] = where.region;
  if (m.pins[i]) return m.pins[i].at(where.offset);
  note(error, p2p::error_other);
  return nullptr;
}

void area_blocks::read(std::int32_t from, const place& p, std::uint64_t at, std::byte* to,
                       std::uint64_t bytes, std::int32_t* error) {
  if (bytes == 0) return;
  if (p.mapped()) {
    const std::byte* const there = this->at(from, p, error);
    if (there != nullptr) copy::between(to, there + at, bytes, bytes);
    return;
  }
  note(error, p2p::error_of(memory_.endpoint().user().get(process_of(from), to, p.address + at, bytes)));
}

void area_blocks::write(std::int32_t to, const place& p, std::uint64_t at, const std::byte* from,
                        std::uint64_t bytes, std::int32_t* error) {
  if (bytes == 0) return;
  if (p.mapped()) {
    std::byte* const there = this->at(to, p, error);
    if (there != nullptr) copy::between(there + at, from, bytes, bytes);
    return;
  }
  note(error, p2p::error_of(memory_.endpoint().user().put(process_of(to), p.address + at, from, bytes)));
}

const std::byte* area_blocks::fetch(std::int32_t from, const place& p, std::uint64_t at, std::byte* room,
                                    std::uint64_t bytes, std::int32_t* error) {
  if (p.mapped()) {
    const std::byte* const there = this->at(from, p, error);
    return there != nullptr ? there + at : room;
  }
  read(from, p, at, room, bytes, error);
  return room;
}

}  // namespace loadstone::coll
