// The data of a message as the engine keeps it.
//
// Whether it is one block, and where that is, is answered once, here, when the message is begun: a
// block that does not begin at the buffer's address (a slab of an array, a displacement, absolute
// addresses with MPI_BOTTOM), or whose type has another extent than its size, is kept as the bytes
// it is. Nobody else sees the address that the program gave.
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/type.hpp"
#include "p2p/engine.hpp"

namespace loadstone::p2p {

class message_data {
 public:
  message_data() = default;
  explicit message_data(const buffer& b) : what_(b.type->contiguous() ? b : as_block(b)) {}
  // Of a type that is known to be contiguous().
  static message_data contiguous(const buffer& b) {
    message_data made;
    made.what_ = b;
    return made;
  }

  std::int64_t bytes() const { return what_.type->size() * what_.count; }
  // Packed byte i is block()[i].
  bool one_block() const { return what_.type->contiguous(); }
  std::byte* block() const { return static_cast<std::byte*>(const_cast<void*>(what_.address)); }
  // Of one block or many: as the functions of datatype/type.hpp.
  void pack(std::int64_t from, std::int64_t bytes, std::byte* out) const {
    datatype::pack(what_.address, what_.count, *what_.type, from, bytes, out);
  }
  void unpack(std::int64_t from, std::int64_t bytes, const std::byte* in) const {
    datatype::unpack(const_cast<void*>(what_.address), what_.count, *what_.type, from, bytes, in);
  }
  std::int64_t for_each_block(std::int64_t from, std::int64_t bytes,
                              bool (*visit)(void* context, void* address, std::size_t length),
                              void* context) const {
    return datatype::for_each_block(what_.address, what_.count, *what_.type, from, bytes, visit, context);
  }
  void take_all_from(const message_data& other) const {
    datatype::transfer(const_cast<void*>(what_.address), what_.count, *what_.type, other.what_.address,
                       other.what_.count, *other.what_.type);
  }

  // Of a type that need not be kept.
  bool predefined() const { return what_.type->predefined(); }
  void acquire_type() const { what_.type->acquire(); }
  void release_type() const { what_.type->release(); }

 private:
  [[gnu::noinline]] static buffer as_block(const buffer& b) {
    if (!b.type->in_one_block(b.count)) return b;
    return {b.type->block_at(b.address), b.count * b.type->size(),
            datatype::predefined_type(datatype::basic::byte)};
  }

  buffer what_{};
};

}  // namespace loadstone::p2p
