// A window as one member sees it: its own record, and the targets it has been in contact with.
//
// It is made in two steps, as the members have to tell each other where their records are:
//
//   result<unique_ptr<window>> w = window::prepare(engine, part);   // a record in our arena
//   … the members exchange w->record_address() …
//   w->join(id, rank, processes, addresses);                        // from here on it can be used
//
// and is destroyed when all members are past a barrier. Any thread may start operations; waiting
// (sync.hpp) is under the gate.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "memory/address.hpp"
#include "memory/mappings.hpp"
#include "rma/operation.hpp"
#include "rma/record_layout.hpp"

namespace loadstone::rma {

class engine;

enum class way : std::uint8_t { direct, system, asked };

// What a member knows of another, or of itself, from the first contact on.
struct target {
  std::uint32_t process;
  rma::way way;           // of the window's memory there
  window_record* record;  // mapped here; null: not to be had, its owner is asked
  std::byte* memory;      // direct: the target's part, mapped here; null for dynamic windows
  std::int64_t bytes, unit;
  std::uint64_t base;  // its address there
  memory::pin record_pin, memory_pin;
  std::atomic<std::uint64_t> asked{0}, answered{0};  // operations by message (asked.cpp)
};

struct part {  // what the calling process brings in
  flavor kind = flavor::created;
  void* base = nullptr;  // null with bytes > 0: allocated and shared windows, in our arena
  std::int64_t bytes = 0, unit = 1;
  std::size_t alignment = 64;  // of what is allocated
};

class window {
 public:
  static base::result<std::unique_ptr<window>> prepare(engine& e, const part& mine, std::uint32_t members);
  ~window();
  window(const window&) = delete;
  window& operator=(const window&) = delete;

  memory::address record_address() const;
  base::status join(std::uint64_t id, std::int32_t rank, std::span<const std::uint32_t> processes,
                    std::span<const memory::address> records);

  std::uint64_t id() const { return id_; }
  std::int32_t rank() const { return rank_; }
  std::int32_t size() const { return static_cast<std::int32_t>(processes_.size()); }
  std::uint32_t process_of(std::int32_t rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  rma::engine& engine() const { return engine_; }
  window_record& own() const { return *own_; }
  std::byte* memory() const;  // our own part

  // The target, with its record mapped and its way decided. Null: `why` says what is wrong.
  target* reach(std::int32_t rank, base::status* why) {
    target* const known = targets_[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
    return known != nullptr ? known : contact(rank, why);  // sync: rma-target
  }

  // Each returns when the origin may be reused, or the data has arrived. At the target it is there
  // when flush() returns (with direct and system: at once).
  trouble put(std::int32_t rank, const local_data& origin, const remote_data& where);
  trouble get(std::int32_t rank, const local_data& result, const remote_data& where);
  // Of all operations on this target, or on all: complete at the target.
  trouble flush(std::int32_t rank);
  trouble flush_all();

  // Dynamic windows.
  base::status attach(void* base, std::int64_t bytes);
  bool detach(const void* base);  // false: nothing is attached there

 private:
  window(rma::engine& e) : engine_(e) {}
  target* contact(std::int32_t rank, base::status* why);

  rma::engine& engine_;
  window_record* own_ = nullptr;
  std::uint64_t id_ = 0;
  std::int32_t rank_ = -1;
  std::vector<std::uint32_t> processes_;
  std::vector<memory::address> records_;
  std::unique_ptr<std::atomic<target*>[]> targets_;  // made at first contact
};

}  // namespace loadstone::rma
