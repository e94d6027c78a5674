// An MPI datatype: constructors, extents, envelope, and the compiled form (leaves with stacks) that packing runs on.
//
// Types are immutable after construction but for commit(), names and attributes live in the MPI layer. Reference-counted:
// acquire()/release(); predefined types are static and ignore both. Thread safety: counts are atomic, commit() is idempotent
// and may race with itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"

namespace loadstone::datatype {

// The C-level kind of a basic element: what reductions and external32 need to know.
enum class basic : std::uint8_t;

class type {
 public:
  // --- queries; all in bytes, 64-bit ---
  std::int64_t size() const;         // of the data in one element
  std::int64_t lower_bound() const;
  std::int64_t extent() const;
  std::int64_t true_lower_bound() const;
  std::int64_t true_extent() const;
  bool committed() const;
  bool predefined() const;
  bool contiguous() const;  // `count` elements are one block of count*size() bytes starting at +0 (extent == size, no gaps, in order)
  std::int64_t basic_elements() const;               // of one element (for Get_elements)
  basic single_basic() const;                        // the one basic kind it is made of, or basic::none (for RMA and external32)

  void acquire() const;
  void release() const;

 private:
  friend class builder;
  struct state;
  state* state_;
};

// Position in the packed form of `count` elements: pack/unpack can stop and restart at any byte.
//   pack:   memory -> contiguous. Copies packed bytes [from, from+bytes) of (address, count, type) to `out`.
//   unpack: contiguous -> memory.
void pack(const void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes, std::byte* out);
void unpack(void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes, const std::byte* in);
// layout -> layout, one pass, no buffer: min of both packed sizes; returns bytes moved.
std::int64_t transfer(void* to, std::int64_t to_count, const type& to_type, const void* from, std::int64_t from_count,
                      const type& from_type);

// The contiguous pieces of packed bytes [from, from+bytes) in memory order of the type map (for process_vm_* and writev):
// calls visit(context, address, length) until it returns false; returns the packed bytes covered.
std::int64_t for_each_block(const void* address, std::int64_t count, const type& t, std::int64_t from, std::int64_t bytes,
                            bool (*visit)(void* context, void* address, std::size_t length), void* context);

}  // namespace loadstone::datatype
