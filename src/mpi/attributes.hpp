// Attribute caching: the keyvals of a process, and the attributes of one object (communicator or
// datatype).
//
// Callbacks of the user run while no lock is held: they may call MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mpi.h"

namespace loadstone::mpi {

enum class attribute_owner : std::uint8_t { communicator, datatype, window };

// The callbacks of all kinds of objects, the deprecated ones included, have one binary form,
// because every handle is a pointer.
using copy_function = int(void* object, int keyval, void* extra_state, void* value_in, void* value_out,
                          int* flag);
using delete_function = int(void* object, int keyval, void* value, void* extra_state);

// The ABI's values of MPI_X_NULL_FN and MPI_X_DUP_FN: compared with, never called.
inline constexpr std::intptr_t null_function = 0, dup_function = 1;

struct keyval {
  int number;
  attribute_owner owner;
  copy_function* copy;
  delete_function* remove;
  void* extra_state;
};

// The keyvals of one process. A freed one lives on until no object has an attribute of it. Until
// then its number can be used for everything but to be freed again (MPI §7.7.2).
class keyval_table {
 public:
  int create(attribute_owner owner, copy_function* copy, delete_function* remove, void* extra_state);
  std::shared_ptr<const keyval> find(int number, attribute_owner owner) const;
  bool free(int number, attribute_owner owner);

 private:
  static constexpr int first = 0x10000;  // above every predefined key
  mutable std::mutex lock_;
  std::unordered_map<int, std::shared_ptr<const keyval>> live_;
  std::unordered_map<int, std::weak_ptr<const keyval>> freed_;  // kept alive by objects with an attribute
  int next_ = first;
};

// The attributes of one object, in the order in which they were set.
class attribute_set {
 public:
  // Each returns MPI_SUCCESS or what the user's callback returned.
  int set(void* object, std::shared_ptr<const keyval> key, void* value);
  bool get(int number, void** value) const;
  int remove(void* object, int number, bool* found);
  // Fills this set, which is empty, by the copy callbacks of `other`, which is the set of the
  // object `from`.
  int copy_from(const attribute_set& other, void* from);
  // Deletes all, the one set last first. Stops at the first callback that fails; the others stay.
  int clear(void* object);
  bool empty() const;

 private:
  struct entry {
    std::shared_ptr<const keyval> key;  // null: none
    void* value = nullptr;
  };
  // Deleting has two steps: take() removes the attribute, end() calls its delete callback, and puts
  // it back if that fails. So no attribute is deleted twice or used after its deletion, whichever
  // threads set and delete.
  entry take(int number);               // under the lock
  int end(void* object, entry victim);  // not under the lock
  mutable std::mutex lock_;
  std::vector<entry> entries_;
};

}  // namespace loadstone::mpi
