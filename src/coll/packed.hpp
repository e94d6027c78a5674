// Data in packed form, for algorithms that cut it into bytes, or put it together. That is the
// user's memory itself where it is contiguous, and scratch memory of the schedule otherwise; pack()
// and unpack() copy only then.
#pragma once

#include "coll/builder.hpp"

namespace loadstone::coll {

const datatype::type& byte_type();

inline buffer bytes_at(std::byte* address, std::int64_t count) {
  return {address, count, &byte_type()};
}

// An empty message: it only tells that its sender has come so far.
inline buffer nothing() {
  return {nullptr, 0, &byte_type()};
}

class packed_form {
 public:
  packed_form(builder& b, buffer data) : b_(b), data_(data), bytes_(packed_bytes(data)) {
    in_user_memory_ = data.type->in_one_block(data.count);
    at_ = in_user_memory_ ? data.type->block_at(data.address) : b.scratch_bytes(bytes_);
  }
  bool in_user_memory() const { return in_user_memory_; }
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
