// Data in its packed form, for algorithms that cut or combine it at bytes: the user's memory itself
// where that is one block, scratch memory of the schedule otherwise.
#pragma once

#include "coll/builder.hpp"

namespace loadstone::coll {

const datatype::type& byte_type();

inline buffer bytes_at(std::byte* address, std::int64_t count) {
  return {address, count, &byte_type()};
}

// The message that only says "here".
inline buffer nothing() {
  return {nullptr, 0, &byte_type()};
}

class packed_form {
 public:
  packed_form(builder& b, buffer data) : b_(b), data_(data), bytes_(packed_bytes(data)) {
    in_user_memory_ = data.type->in_one_block(data.count);
    at_ = in_user_memory_ ? data.type->block_at(data.address) : b.scratch_bytes(bytes_);
  }
  buffer bytes(std::int64_t from, std::int64_t count) const { return bytes_at(at_ + from, count); }
  void pack() {
    if (!in_user_memory_) b_.copy(data_, bytes(0, bytes_));
  }
  void unpack() {
    if (!in_user_memory_) b_.copy(bytes(0, bytes_), data_);
  }

 private:
  builder& b_;
  buffer data_;
  std::int64_t bytes_;
  std::byte* at_;
  bool in_user_memory_;
};

}  // namespace loadstone::coll
