// Handles of one kind and the objects behind them.
//
// A handle is a small integer in the shape of a pointer. Predefined ones have the values of the ABI; dynamic
// ones lie above them and fit 31 bits, so that conversion to and from a Fortran integer costs nothing:
//
//   30      27 26            index_bits            0
//   | kind   | generation     | index              |
//
// A slot remembers the whole handle it was given last. find() compares it with what the caller has, so a
// stale handle, one of another kind and plain garbage are all detected without being followed. Looking up
// takes no lock; slots live in chunks that are never moved or freed while the table lives.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

enum class handle_kind : std::uint8_t {
  communicator = 1,
  group,
  datatype,
  op,
  info,
  errhandler,
  request,
  message,
  session,
  window,
  file
};

template <class Handle>
std::intptr_t handle_bits(Handle handle) {
  return reinterpret_cast<std::intptr_t>(handle);
}

// For a table whose users hold a lock of their own around everything but find().
struct no_lock {
  void lock() {}
  void unlock() {}
};

// T: the object; Handle: MPI_Comm, …; [First, First + Predefined) are the values the ABI gives to this kind.
template <class T, class Handle, handle_kind Kind, std::intptr_t First, std::size_t Predefined,
          unsigned IndexBits = 20, class Lock = std::mutex>
class handle_table {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << IndexBits;

  handle_table() = default;
  handle_table(const handle_table&) = delete;
  handle_table& operator=(const handle_table&) = delete;
  ~handle_table() {
    for (auto& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);  // no other thread is left
  }

  // The object, or nullptr for anything that is not a live handle of this kind.
  T* find(Handle handle) const {
    const auto bits = static_cast<std::uint64_t>(handle_bits(handle));
    const std::uint64_t fixed = bits - static_cast<std::uint64_t>(First);
    if (fixed < Predefined)
      return predefined_[fixed].load(std::memory_order_acquire);  // sync: predefined-handle
    if (bits >> 27 != static_cast<std::uint64_t>(Kind)) return nullptr;
    const std::size_t index = bits & (capacity - 1);
    // sync: handle-chunk — the slots are initialised
    const chunk* c = chunks_[index / chunk_slots].load(std::memory_order_acquire);
    if (c == nullptr) return nullptr;
    const slot& s = c->slots[index % chunk_slots];
    // sync: handle-publish — the object is the one of this handle, and constructed
    if (s.handle.load(std::memory_order_acquire) != bits) return nullptr;
    // Relaxed: ordered by the handle word; remove() empties it, which a racing find reports as "not there".
    return s.object.load(std::memory_order_relaxed);
  }

  // Gives `object` a handle; the null handle of the kind (First) when all are in use.
  Handle insert(T* object) {
    const std::lock_guard guard(lock_);
    std::uint32_t index;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      if (used_ == capacity) return to_handle(First);
      index = used_++;
      auto& chunk_slot = chunks_[index / chunk_slots];
      // Relaxed read: only insert writes it, under the lock. sync: handle-chunk
      if (chunk_slot.load(std::memory_order_relaxed) == nullptr) {
        chunk_slot.store(new chunk, std::memory_order_release);
      }
    }
    slot& s = slot_at(index);
    s.object.store(object, std::memory_order_relaxed);  // published by the handle word
    ++alive_;
    return publish(s, index);
  }

  // The handle is dead from here on; predefined and unknown ones are ignored.
  void remove(Handle handle) {
    const std::lock_guard guard(lock_);
    const auto bits = static_cast<std::uint64_t>(handle_bits(handle));
    if (bits >> 27 != static_cast<std::uint64_t>(Kind)) return;
    const std::uint32_t index = bits & (capacity - 1);
    if (index >= used_) return;
    slot& s = slot_at(index);
    if (s.handle.load(std::memory_order_relaxed) != bits) return;  // relaxed: written under the lock only
    s.handle.store(0, std::memory_order_release);                  // sync: handle-publish
    s.object.store(nullptr, std::memory_order_relaxed);
    free_.push_back(index);
    --alive_;
  }

  // For an object that is used again and again: its handle is dead until renew(), its place is kept.
  void suspend(Handle handle) {
    const std::lock_guard guard(lock_);
    slot_of(handle).handle.store(0, std::memory_order_release);  // sync: handle-publish
    --alive_;
  }
  // A fresh handle for the object whose last one, suspended, was `old`.
  Handle renew(Handle old) {
    const std::lock_guard guard(lock_);
    ++alive_;
    return publish(slot_of(old), static_cast<std::uint64_t>(handle_bits(old)) & (capacity - 1));
  }

  void set_predefined(Handle handle, T* object) {
    const auto fixed = static_cast<std::uint64_t>(handle_bits(handle) - First);
    if (fixed < Predefined)
      predefined_[fixed].store(object, std::memory_order_release);  // sync: predefined-handle
  }

  static bool is_predefined(Handle handle) {
    return static_cast<std::uint64_t>(handle_bits(handle) - First) < Predefined;
  }

  // Dynamic handles alive: for leak reports and tests.
  std::size_t alive() const {
    const std::lock_guard guard(lock_);
    return alive_;
  }

  // Calls visit(object) for every dynamic object, under the lock of the table: none goes meanwhile.
  template <class F>
  void for_each(F visit) {
    const std::lock_guard guard(lock_);
    for (std::uint32_t i = 0; i < used_; ++i) {
      if (slot_at(i).handle.load(std::memory_order_relaxed) != 0) {  // relaxed: under the lock
        visit(*slot_at(i).object.load(std::memory_order_relaxed));
      }
    }
  }

 private:
  static constexpr std::size_t chunk_slots = 1024;
  static constexpr std::uint32_t generation_mask = (1u << (27 - IndexBits)) - 1;
  struct slot {
    std::atomic<std::uint32_t> handle{0};
    std::uint32_t generation = 0;
    std::atomic<T*> object{nullptr};
  };
  struct chunk {
    std::array<slot, chunk_slots> slots;
  };

  // Relaxed where it is filled: under the lock. A handle word that is 0 hides the object.
  Handle publish(slot& s, std::uint64_t index) {
    s.generation = (s.generation + 1) & generation_mask;
    const std::uint64_t bits = static_cast<std::uint64_t>(Kind) << 27 |
                               static_cast<std::uint64_t>(s.generation) << IndexBits | index;
    s.handle.store(static_cast<std::uint32_t>(bits), std::memory_order_release);  // sync: handle-publish
    return to_handle(static_cast<std::intptr_t>(bits));
  }
  slot& slot_of(Handle handle) {
    return slot_at(
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(handle_bits(handle)) & (capacity - 1)));
  }
  static Handle to_handle(std::intptr_t bits) { return reinterpret_cast<Handle>(bits); }
  slot& slot_at(std::uint32_t index) {
    // Relaxed: the caller holds the lock, under which chunks are made.
    return chunks_[index / chunk_slots].load(std::memory_order_relaxed)->slots[index % chunk_slots];
  }

  std::array<std::atomic<T*>, Predefined> predefined_{};
  std::array<std::atomic<chunk*>, capacity / chunk_slots> chunks_{};
  [[no_unique_address]] mutable Lock lock_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
  std::size_t alive_ = 0;
};

class communicator;
class group;
class datatype;
class op;
class info;
class errhandler;
class request;
class message;
class session;
class window;
class file;

using communicator_table = handle_table<communicator, MPI_Comm, handle_kind::communicator, 0x100, 3>;
using group_table = handle_table<group, MPI_Group, handle_kind::group, 0x108, 2>;
using window_table = handle_table<window, MPI_Win, handle_kind::window, 0x110, 1>;
using file_table = handle_table<file, MPI_File, handle_kind::file, 0x118, 1>;
using session_table = handle_table<session, MPI_Session, handle_kind::session, 0x120, 1>;
using message_table = handle_table<message, MPI_Message, handle_kind::message, 0x128, 2>;
using info_table = handle_table<info, MPI_Info, handle_kind::info, 0x130, 2>;
using errhandler_table = handle_table<errhandler, MPI_Errhandler, handle_kind::errhandler, 0x140, 4>;
// Changed under the gate: a receive holds it anyway.
using request_table = handle_table<request, MPI_Request, handle_kind::request, 0x180, 1, 22, no_lock>;
using datatype_table = handle_table<datatype, MPI_Datatype, handle_kind::datatype, 0x200, 0x100>;
using op_table = handle_table<op, MPI_Op, handle_kind::op, 0x20, 0x20>;

}  // namespace loadstone::mpi
