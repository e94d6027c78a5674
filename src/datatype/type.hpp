// An MPI datatype: extents, envelope, and the compiled form that packing runs on (program.hpp).
// Built by builder.hpp.
//
// Types are immutable after construction but for commit(); names and attributes live in the MPI
// layer. Reference-counted: acquire()/release(), a new type holds one reference; a derived type
// keeps its parts alive. Named predefined types are static and ignore both. Thread safety: counts
// are atomic, commit() is idempotent and may race with itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
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

// What MPI_Type_get_envelope tells: the sizes of the arrays that contents() fills.
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
  // The largest count of elements whose data, and whose span, are a 64-bit number of bytes: what
  // may be given to anything that moves data.
  std::int64_t most() const { return most_; }
  std::int64_t true_lower_bound() const { return true_lower_bound_; }
  std::int64_t true_extent() const { return true_extent_; }
  bool committed() const {
    return (flags_.load(std::memory_order_acquire) & is_committed) != 0;
  }  // sync: commit
  // Named, or of the unnamed predefined kinds that need no commit and may not be freed (f90,
  // value_index).
  bool predefined() const { return predefined_; }
  // `count` elements are one block of count*size() bytes starting at +0 (extent == size, no gaps,
  // in order). Known after commit; false before.
  bool contiguous() const {
    return (flags_.load(std::memory_order_acquire) & is_contiguous) != 0;
  }  // sync: commit
  // The same of so many elements, wherever their block begins: at block_at(address), which is not
  // that address where the data is displaced. Known after commit.
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
  int abi_value() const;                                // the handle value of a named type; 0 for others
  const char* name() const;                             // "MPI_INT" for a named type; "" for others

  // --- how it was made ---
  datatype::envelope envelope() const;
  bool large() const;  // made by a constructor with large counts: contents() then uses `large_counts`
  // Fills each array up to its length, in the order the standard fixes. The types are not acquired
  // for the caller.
  void contents(std::span<int> integers, std::span<std::int64_t> addresses,
                std::span<std::int64_t> large_counts, std::span<const type*> datatypes) const;

  // Compiles. Fails only for lack of memory, or when the layout nests deeper than
  // program::max_depth.
  base::status commit() const;

  void acquire() const;
  void release() const;

  struct definition;
  const definition& made() const { return *definition_; }
  // The compiled forms (program.hpp): for copying; and with the kinds of elements kept apart, for
  // external32 and element counts. Compiled on demand; null without memory.
  const program* compiled() const;
  const program* compiled_typed() const;

 private:
  friend class builder;
  friend class predefined_types;
  static constexpr std::uint8_t is_committed = 1, is_contiguous = 2, is_one_block = 4;
  type();
  ~type();
  base::status settle();  // computes size and extents from the definition; invalid if they overflow

  std::int64_t size_ = 0, lower_bound_ = 0, extent_ = 0, true_lower_bound_ = 0, true_extent_ = 0,
               basic_elements_ = 0, most_ = 0;
  basic single_basic_ = basic::none;
  bool predefined_ = false, static_ = false;
  mutable std::atomic<std::uint8_t> flags_{0};
  mutable std::atomic<const program*> program_{nullptr}, typed_program_{nullptr};
  mutable std::atomic<std::int64_t> references_{1};
  std::unique_ptr<definition> definition_;
};

// The named predefined types, by handle value; null for any other value (MPI_DATATYPE_NULL
// included).
const type* predefined_type(int abi_value);
const type* predefined_type(basic kind);

// Position in the packed form of `count` elements: pack/unpack can stop and restart at any byte, in
// time that does not depend on the position. Packed order is type-map order.
//   pack:   memory -> contiguous. Copies packed bytes [from, from+bytes) of (address, count, type)
//           to `out`.
//   unpack: contiguous -> memory.
// [from, from+bytes) must lie within count*size().
void pack(const void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
          std::byte* out);
void unpack(void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
            const std::byte* in);
// layout -> layout, one pass, no buffer: min of both packed sizes; returns bytes moved. The data
// may not overlap.
std::int64_t transfer(void* to, std::int64_t to_count, const type& to_type, const void* from,
                      std::int64_t from_count, const type& from_type);

// The contiguous pieces of packed bytes [from, from+bytes) in type-map order (for process_vm_* and
// writev), neighbours merged: calls visit(context, address, length) until it returns false; returns
// the packed bytes covered, the block for which `visit` returned false included. Continue with from
// + that.
std::int64_t for_each_block(const void* address, std::int64_t count, const type& t, std::int64_t from,
                            std::int64_t bytes,
                            bool (*visit)(void* context, void* address, std::size_t length), void* context);

// The number of basic elements in the first `bytes` packed bytes of a message of type `t`
// (MPI_Get_elements), or -1 if the last one is incomplete (the API then says MPI_UNDEFINED).
std::int64_t elements_in(const type& t, std::int64_t bytes);
// The reverse (MPI_Status_set_elements): the packed bytes of the first `elements` basic elements.
// Neither depends on the count in its time. -1 if that does not fit 64 bits.
std::int64_t bytes_of(const type& t, std::int64_t elements);

}  // namespace loadstone::datatype
