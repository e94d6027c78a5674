// An MPI datatype: its size and extents, how it was made, and its compiled form (program.hpp).
// builder.hpp makes types; the functions at the end of this file copy data by them.
//
// A type is immutable after construction, but for commit(). Names and attributes are in src/mpi.
// Types are reference-counted by acquire() and release(): a new type has one reference, and a
// derived type keeps its parts alive. Named predefined types are static, and ignore both. Threads:
// counts are atomic, and several threads may commit() a type at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.hpp"
#include "datatype/basic.hpp"

namespace loadstone::datatype {

class program;

// How a type was made; the values are those of MPI_COMBINER_*.
enum class combiner : int {
  named = 101,
  dup,
  contiguous,
  vector,
  hvector,
  indexed,
  hindexed,
  indexed_block,
  hindexed_block,
  structure,
  subarray,
  darray,
  f90_real,
  f90_complex,
  f90_integer,
  resized,
  value_index,
};

// What MPI_Type_get_envelope returns: the combiner, and the sizes of the arrays that contents()
// fills.
struct envelope {
  combiner kind;
  std::int64_t integers, addresses, large_counts, datatypes;
};

class type {
 public:
  type(const type&) = delete;
  type& operator=(const type&) = delete;

  // --- queries; all in bytes, 64-bit ---
  std::int64_t size() const { return size_; }  // of the data in one element
  std::int64_t lower_bound() const { return lower_bound_; }
  std::int64_t extent() const { return extent_; }
  // The largest count for which the size of the data and its span in memory fit 64 bits. No
  // function that moves data may get a larger one.
  std::int64_t most() const { return most_; }
  std::int64_t true_lower_bound() const { return true_lower_bound_; }
  std::int64_t true_extent() const { return true_extent_; }
  bool committed() const {
    return (flags_.load(std::memory_order_acquire) & is_committed) != 0;
  }  // sync: commit
  // Is it a named type, or one of the unnamed ones that need no commit and may not be freed (f90,
  // value_index)?
  bool predefined() const { return predefined_; }
  // Are any number of elements one block that begins at the address itself: extent == size, no
  // gaps, in order? Known after commit; false before.
  bool contiguous() const {
    return (flags_.load(std::memory_order_acquire) & is_contiguous) != 0;
  }  // sync: commit
  // Are `count` elements one block, wherever it begins? It begins at block_at(address), which
  // differs from the address if the lower bound of the data is not 0. Known after commit.
  bool in_one_block(std::int64_t count) const {
    return (flags_.load(std::memory_order_acquire) & is_one_block) != 0 &&  // sync: commit
           (count <= 1 || extent_ == size_);
  }
  std::byte* block_at(const void* address) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) +
                                        static_cast<std::uintptr_t>(true_lower_bound_));
  }
  std::int64_t basic_elements() const { return basic_elements_; }  // of one element (for Get_elements)
  basic single_basic() const { return single_basic_; }  // the one basic kind it is made of, or basic::none
  // The one named type that it is made of, pairs included; nothing if there are several, or no
  // data. (MPI_2INT: the pair here, and int_ as single_basic().)
  named_kind single_named() const { return single_named_; }
  int abi_value() const;     // the handle value of a named type; 0 for others
  const char* name() const;  // "MPI_INT" for a named type; "" for others

  // --- how it was made ---
  datatype::envelope envelope() const;
  bool large() const;  // made by a constructor with large counts: contents() then uses `large_counts`
  // Fills each array up to its length, in the order that the standard says. The caller gets no
  // reference to the types.
  void contents(std::span<int> integers, std::span<std::int64_t> addresses,
                std::span<std::int64_t> large_counts, std::span<const type*> datatypes) const;

  // Compiles the type. Fails only for lack of memory, or if the layout nests deeper than
  // program::max_depth.
  base::status commit() const;

  void acquire() const;
  void release() const;

  struct definition;
  const definition& made() const { return definition_; }
  // The compiled forms (program.hpp): one for copying, and a typed one, in which blocks of
  // different kinds of elements stay apart, for external32 and element counts. Compiled on demand;
  // null: no memory.
  const program* compiled() const;
  const program* compiled_typed() const;

  // A word for the layer above, by which that finds its own object of this type. 0 at first; change
  // it only from `from`.
  std::intptr_t known_as() const { return known_as_.load(std::memory_order_relaxed); }
  void be_known_as(std::intptr_t name, std::intptr_t from = 0) const {
    known_as_.compare_exchange_strong(from, name, std::memory_order_relaxed);
  }

 private:
  friend class builder;
  friend class predefined_types;
  static constexpr std::uint8_t is_committed = 1, is_contiguous = 2, is_one_block = 4;
  struct with_definition;  // in one piece of memory
  explicit type(definition& made) : definition_(made) {}
  ~type();
  static type* make();    // to be filled in and settled
  base::status settle();  // computes size and extents from the definition; invalid if they overflow

  std::int64_t size_ = 0, lower_bound_ = 0, extent_ = 0, true_lower_bound_ = 0, true_extent_ = 0,
               basic_elements_ = 0, most_ = 0;
  basic single_basic_ = basic::none;
  named_kind single_named_;
  bool predefined_ = false, static_ = false;
  mutable std::atomic<std::uint8_t> flags_{0};
  mutable std::atomic<const program*> program_{nullptr}, typed_program_{nullptr};
  mutable std::atomic<std::int64_t> references_{1};
  mutable std::atomic<std::intptr_t> known_as_{0};  // relaxed: a handle, which brings nothing with it
  definition& definition_;
};

// The named predefined type that has this handle value; null for any other value, MPI_DATATYPE_NULL
// included.
const type* predefined_type(int abi_value);
const type* predefined_type(basic kind);

// Copies the packed bytes [from, from + bytes) of a message (address, count, type) to a contiguous
// buffer (pack), or from one to their places (unpack). They must lie within count * size(). Packed
// order is type-map order. Any byte may be the first: the time to get there does not depend on the
// position.
void pack(const void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
          std::byte* out);
void unpack(void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
            const std::byte* in);
// Packs all of it, from memory that may not be there. False: a part is not.
bool pack_if_there(const void* address, std::int64_t count, const type& t, std::byte* out);
// Copies from one layout to another in one pass, without a buffer: as many bytes as the smaller of
// the two messages has. Returns how many. Source and destination may not overlap.
std::int64_t transfer(void* to, std::int64_t to_count, const type& to_type, const void* from,
                      std::int64_t from_count, const type& from_type);

// Calls visit(context, address, length) for each contiguous block of the packed bytes [from, from +
// bytes), in type-map order, adjacent blocks merged (for process_vm_* and writev). Ends early when
// visit() returns false. Returns how many packed bytes were visited, the last block included: to
// continue, add that to `from`.
std::int64_t for_each_block(const void* address, std::int64_t count, const type& t, std::int64_t from,
                            std::int64_t bytes,
                            bool (*visit)(void* context, void* address, std::size_t length), void* context);

// How many basic elements the first `bytes` packed bytes of a message of type `t` have
// (MPI_Get_elements); -1 if the last one is incomplete, for which MPI says MPI_UNDEFINED.
std::int64_t elements_in(const type& t, std::int64_t bytes);
// The reverse (MPI_Status_set_elements): how many packed bytes the first `elements` basic elements
// have; -1 if that is beyond 64 bits. The time of both does not depend on the count.
std::int64_t bytes_of(const type& t, std::int64_t elements);

}  // namespace loadstone::datatype
