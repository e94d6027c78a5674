// The handles of one kind, and the objects that they stand for.
//
// A handle is an integer in a pointer. Predefined ones have the values of the ABI. Dynamic ones are
// larger:
//
//   63  62               32  31  30      27 26            index_bits            0
//   | 0 | generation, high  | 0 | kind     | generation, low | index             |
//
// `index` is a *place* in the table. A place has the object, and the handle that it was given last.
// find() compares that with the handle of the caller. So one comparison detects a stale handle, one
// of another kind, and garbage, and none of them is followed: a place without a live handle holds a
// word whose index is another one. Each new use of a place has the next generation. A request's
// place is used again for every message, and its generations last for hours of nothing but
// messages.
//
// Looking up takes no lock. Places are in chunks, which are not moved or freed while the table
// exists. Indices without a chunk share an empty one.
//
// The lower half of a handle is the Fortran integer; whole() finds the upper half of a live handle
// in its place.
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

// T: the object; Handle: MPI_Comm, …; [First, First + Predefined) are the values of the ABI for
// this kind, the first of which is the null handle.
template <class T, class Handle, handle_kind Kind, std::intptr_t First, std::size_t Predefined,
          unsigned IndexBits = 20, class Lock = std::mutex>
class handle_table {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << IndexBits;

  // Holds an object and its handle.
  struct place {
    std::atomic<std::uint64_t> handle{
        0};  // the newest; when that is dead, its complement, which leads elsewhere
    std::atomic<T*> object{nullptr};
  };
  static_assert(sizeof(place) == 16);

  handle_table() {
    for (auto& chunk : chunks_) chunk.store(&empty_, std::memory_order_relaxed);  // no other thread yet
  }
  handle_table(const handle_table&) = delete;
  handle_table& operator=(const handle_table&) = delete;
  ~handle_table() {
    for (auto& chunk : chunks_) {
      // Relaxed: no other thread is left.
      if (auto* made = chunk.load(std::memory_order_relaxed); made != &empty_) delete made;
    }
  }

  // The object, or nullptr for anything that is not a live handle of this kind.
  T* find(Handle handle) const {
    const auto bits = static_cast<std::uint64_t>(handle_bits(handle));
    if constexpr (Predefined > 1) {
      const std::uint64_t fixed = bits - static_cast<std::uint64_t>(First);
      if (fixed < Predefined)
        return predefined_[fixed].load(std::memory_order_acquire);  // sync: predefined-handle
    }
    const std::size_t index = bits & (capacity - 1);
    // sync: handle-chunk — the places are initialised
    const chunk* c = chunks_[index / chunk_places].load(std::memory_order_acquire);
    const place& at = c->places[index % chunk_places];
    // sync: handle-publish — the object is the one of this handle, and constructed
    if (at.handle.load(std::memory_order_acquire) != bits) [[unlikely]]
      return nullptr;
    // Relaxed: ordered by the handle word. remove() sets it to null, which a find() at the same
    // time returns.
    return at.object.load(std::memory_order_relaxed);
  }

  // The handle that a Fortran integer stands for. If it does not stand for a live one: some handle
  // that find() does not know either. Any thread.
  Handle whole(int lower) const {
    const auto bits = static_cast<std::uint32_t>(lower);
    const std::size_t index = bits & (capacity - 1);
    const chunk* c = chunks_[index / chunk_places].load(std::memory_order_acquire);  // sync: handle-chunk
    // Relaxed: no object is followed.
    const std::uint64_t here = c->places[index % chunk_places].handle.load(std::memory_order_relaxed);
    return static_cast<std::uint32_t>(here) == bits && bits != 0 ? to_handle(static_cast<std::intptr_t>(here))
                                                                 : to_handle(lower);
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
      // Relaxed read: only insert writes it, under the lock.
      if (auto& of_place = chunks_[index / chunk_places];
          of_place.load(std::memory_order_relaxed) == &empty_) {
        of_place.store(new chunk, std::memory_order_release);  // sync: handle-chunk
      }
      // Relaxed: published below.
      place_at(index).handle.store(~(kind_bits | index), std::memory_order_relaxed);
    }
    place& at = place_at(index);
    at.object.store(object, std::memory_order_relaxed);  // published by the handle word
    ++alive_;
    return publish(at);
  }

  // The handle is dead from here on; predefined and unknown ones are ignored.
  void remove(Handle handle) {
    const std::lock_guard guard(lock_);
    const auto bits = static_cast<std::uint64_t>(handle_bits(handle));
    const std::uint32_t index = bits & (capacity - 1);
    if (index >= used_) return;
    place& at = place_at(index);
    if (at.handle.load(std::memory_order_relaxed) != bits) return;  // relaxed: written under the lock only
    kill(at);
    at.object.store(nullptr, std::memory_order_relaxed);
    free_.push_back(index);
    --alive_;
  }

  // For an object that is used again and again: its place, which it keeps. From suspend() to
  // renew() it has no live handle; renew() gives it a new one. alive() counts it all the time.
  place& place_of(Handle handle) {
    return place_at(
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(handle_bits(handle)) & (capacity - 1)));
  }
  void suspend(place& at) {
    const std::lock_guard guard(lock_);
    kill(at);
  }
  Handle renew(place& at) {
    const std::lock_guard guard(lock_);
    return publish(at);
  }

  void set_predefined(Handle handle, T* object) {
    const auto fixed = static_cast<std::uint64_t>(handle_bits(handle) - First);
    if (fixed < Predefined)
      predefined_[fixed].store(object, std::memory_order_release);  // sync: predefined-handle
  }

  static bool is_predefined(Handle handle) {
    return static_cast<std::uint64_t>(handle_bits(handle) - First) < Predefined;
  }

  // How many dynamic handles are alive: for leak reports and tests.
  std::size_t alive() const {
    const std::lock_guard guard(lock_);
    return alive_;
  }

  // Calls visit(object) for every dynamic object, under the lock of the table, so that none is
  // removed meanwhile.
  template <class F>
  void for_each(F visit) {
    const std::lock_guard guard(lock_);
    for (std::uint32_t i = 0; i < used_; ++i) {
      place& at = place_at(i);
      // Relaxed: under the lock.
      if ((at.handle.load(std::memory_order_relaxed) & (capacity - 1)) == i)
        visit(*at.object.load(std::memory_order_relaxed));
    }
  }

 private:
  static constexpr std::size_t chunk_places = 1024;
  static constexpr std::uint64_t kind_bits = std::uint64_t{static_cast<std::uint8_t>(Kind)} << 27;
  // The bits that belong neither to the generation nor to the index.
  static constexpr std::uint64_t fixed_bits = std::uint64_t{0x1f} << 27, sign = std::uint64_t{1} << 63;
  struct chunk {
    std::array<place, chunk_places> places;
  };

  Handle publish(place& at) {
    // Relaxed: written under the lock only. The place is dead, so it holds the complement. Ones in
    // the bits between the two halves of the generation pass a carry on.
    const std::uint64_t last = ~at.handle.load(std::memory_order_relaxed);
    const std::uint64_t bits = (((last | fixed_bits) + capacity) & ~(fixed_bits | sign)) | kind_bits;
    at.handle.store(bits, std::memory_order_release);  // sync: handle-publish
    return to_handle(static_cast<std::intptr_t>(bits));
  }
  void kill(place& at) {
    // Relaxed: written under the lock only.
    const std::uint64_t alive = at.handle.load(std::memory_order_relaxed);
    at.handle.store(~alive, std::memory_order_release);  // sync: handle-publish
  }
  static Handle to_handle(std::intptr_t bits) { return reinterpret_cast<Handle>(bits); }
  place& place_at(std::uint32_t index) {
    // Relaxed: the caller holds the lock, under which chunks are made.
    return chunks_[index / chunk_places].load(std::memory_order_relaxed)->places[index % chunk_places];
  }

  std::array<std::atomic<T*>, Predefined> predefined_{};
  inline static chunk empty_;  // never written
  std::array<std::atomic<chunk*>, (capacity + chunk_places - 1) / chunk_places> chunks_;
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
using info_table = handle_table<info, MPI_Info, handle_kind::info, 0x130, 2>;
using errhandler_table = handle_table<errhandler, MPI_Errhandler, handle_kind::errhandler, 0x140, 4>;
// No lock of their own: they are changed under the gate, which a receive holds anyway.
using message_table = handle_table<message, MPI_Message, handle_kind::message, 0x128, 2, 20, no_lock>;
using request_table = handle_table<request, MPI_Request, handle_kind::request, 0x180, 1, 22, no_lock>;
using datatype_table = handle_table<datatype, MPI_Datatype, handle_kind::datatype, 0x200, 0x100>;
using op_table = handle_table<op, MPI_Op, handle_kind::op, 0x20, 0x20>;

}  // namespace loadstone::mpi
