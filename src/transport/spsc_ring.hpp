// Both ends of a ring of slots that one process alone writes and one alone reads. It lies in the
// reader's memory; each end is kept by its process, and not shared. No word has two writers, and no
// store has to be waited for.
//
//   position   of an entry: goes up by `step` with each, from anywhere on, and wraps around
//   identity   of a published slot: its position with published_bit, stored last (sync:
//              ring-publish)
//   head       position of the oldest entry not consumed, as the reader tells (sync: ring-consume)
//
// An entry that was claimed and never published is nothing: its writer may die there.
// Model: models/ring.pml.
#pragma once

#include <concepts>
#include <cstdint>

#include "transport/front_layout.hpp"
#include "transport/prefetch.hpp"

namespace loadstone::transport {

// The ring as it is mapped here: head, and its slots, a power of two of them.
template <class R>
concept ring_memory = requires(R r, std::uint64_t position) {
  { r.at(position) } -> std::same_as<slot&>;
  { r.told() } -> std::same_as<std::atomic<std::uint64_t>&>;
  { r.size() } -> std::convertible_to<std::uint64_t>;
};

class ring_writer {
 public:
  explicit ring_writer(std::uint64_t first = 0) : position_(first), consumed_(first) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t identity() const { return position_ | published_bit; }
  std::uint64_t consumed() const { return consumed_; }

  // Null: it is full.
  template <ring_memory R>
  slot* claim(R&& ring) {
    if (is_full(ring)) [[unlikely]] {
      reader_is_at(ring.told().load(std::memory_order_acquire));  // sync: ring-consume
      if (is_full(ring)) return nullptr;
    }
    return &ring.at(position_);
  }
  template <ring_memory R>
  void publish(R&& ring) {
    ring.at(position_).identity.store(identity(), std::memory_order_release);  // sync: ring-publish
    published();
    prefetch_to_write(&ring.at(position_ + 5 * step));
  }

  // Where stores and loads take a way of their own:
  void published() { position_ += step; }
  void reader_is_at(std::uint64_t head) {
    if (static_cast<std::int64_t>(head - consumed_) > 0) consumed_ = head;  // an old word does no harm
  }
  bool is_full(const auto& ring) const { return position_ - consumed_ >= ring.size() * step; }

 private:
  std::uint64_t position_, consumed_;  // of the next entry; before this one all are known to be read
};

class ring_reader {
 public:
  explicit ring_reader(std::uint64_t first = 0) : position_(first) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t identity() const { return position_ | published_bit; }

  // Null: nothing has been published.
  template <ring_memory R>
  slot* front(R&& ring) const {
    slot& s = ring.at(position_);
    return s.identity.load(std::memory_order_acquire) == identity() ? &s : nullptr;  // sync: ring-publish
  }
  // `every`: after so many the writer is told.
  template <ring_memory R>
  void release(R&& ring, std::uint64_t every) {
    position_ += step;
    if (position_ / step % every == 0)
      ring.told().store(position_, std::memory_order_release);  // sync: ring-consume
  }

 private:
  std::uint64_t position_;  // of the next entry
};

}  // namespace loadstone::transport
