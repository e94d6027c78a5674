// The resource cache: which regions of peers are mapped here. A mapping is in use (pinned), or
// available: kept until the policy or a limit evicts it. With a limit of one entry everything
// must still work, one region at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/events.hpp"
#include "base/status.hpp"
#include "memory/address.hpp"
#include "memory/job.hpp"

namespace loadstone::memory {

enum class cache_policy : std::uint8_t { lru, none };  // none: unmapped as soon as unpinned

struct mappings_config {
  cache_policy policy = cache_policy::lru;
  std::size_t max_entries = SIZE_MAX;  // pinned regions may exceed it only while pinned
  base::event_sink* events = nullptr;  // who wants to know of evictions; may be null
  bool threads = true;                 // may be used by several at once
};

class mappings;

// A pinned region of a peer: valid while this object lives.
class pin {
 public:
  pin() = default;
  pin(pin&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)),
        entry_(other.entry_),
        base_(std::exchange(other.base_, nullptr)) {}
  pin& operator=(pin&& other) noexcept {
    if (this == &other) return *this;
    release();
    owner_ = std::exchange(other.owner_, nullptr);
    entry_ = other.entry_;
    base_ = std::exchange(other.base_, nullptr);
    return *this;
  }
  ~pin() { release(); }
  explicit operator bool() const { return base_ != nullptr; }
  std::byte* base() const { return base_; }
  std::byte* at(std::uint64_t offset) const { return base_ + offset; }

 private:
  friend class mappings;
  pin(mappings* owner, void* entry, std::byte* base) : owner_(owner), entry_(entry), base_(base) {}
  void release() {
    if (owner_ != nullptr) unpin();
  }
  void unpin();
  mappings* owner_ = nullptr;
  void* entry_ = nullptr;
  std::byte* base_ = nullptr;
};

class mappings {
 public:
  mappings(job& job, std::uint32_t self, mappings_config config);
  ~mappings();
  // Maps the region if it is not mapped. code::gone when the generation does not match any more.
  base::result<pin> acquire(region_id region);
  void give_back();      // unmaps everything that is not pinned
  void admit_threads();  // from here on it is used by several at once; by the only one so far
  std::size_t entries() const;
  std::size_t max_entries() const;  // so that whoever keeps pins can leave some

 private:
  friend class pin;
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::memory
