// Cached attributes: keyvals, and the values an object carries under them.
//
// Callbacks of the user run with no lock held: they may call MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

enum class attribute_owner : std::uint8_t { communicator, datatype, window };

// Both generations of callbacks (and all three kinds of objects) have one binary shape: the handle
// is a pointer.
using copy_function = int(void* object, int keyval, void* extra_state, void* value_in, void* value_out,
                          int* flag);
using delete_function = int(void* object, int keyval, void* value, void* extra_state);

// Sentinels of the ABI: compared, never called.
inline constexpr std::intptr_t null_function = 0, dup_function = 1;

struct keyval {
  int number;
  attribute_owner owner;
  copy_function* copy;
  delete_function* remove;
  void* extra_state;
};

// The keyvals of one process. One that is freed is gone when no object carries a value under it any
// more; until then its number is good for everything but to be freed again (MPI §7.7.2).
class keyval_table {
 public:
  int create(attribute_owner owner, copy_function* copy, delete_function* remove, void* extra_state);
  std::shared_ptr<const keyval> find(int number, attribute_owner owner) const;
  bool free(int number, attribute_owner owner);

 private:
  static constexpr int first = 0x10000;  // above every predefined key
  mutable std::mutex lock_;
  std::unordered_map<int, std::shared_ptr<const keyval>> live_;
  std::unordered_map<int, std::weak_ptr<const keyval>> freed_;  // held by the objects that carry a value
  int next_ = first;
};

// The values of one object, oldest first.
class attribute_set {
 public:
  // Each returns MPI_SUCCESS or what the user's callback returned.
  int set(void* object, std::shared_ptr<const keyval> key, void* value);
  bool get(int number, void** value) const;
  int remove(void* object, int number, bool* found);
  // Fills this (empty) set from the one of the object `from`, in the order of setting.
  int copy_from(const attribute_set& other, void* from);
  // Last set, first deleted. Stops at the first callback that fails: what is left stays.
  int clear(void* object);
  bool empty() const;

 private:
  struct entry {
    std::shared_ptr<const keyval> key;  // null: none
    void* value = nullptr;
  };
  // Whoever takes a value out calls its delete function, and puts it back if that fails: no value
  // is deleted twice, and none is used after its deletion, whichever threads set and delete.
  entry take(int number);               // under the lock
  int end(void* object, entry victim);  // not under the lock
  mutable std::mutex lock_;
  std::vector<entry> entries_;
};

}  // namespace loadstone::mpi
