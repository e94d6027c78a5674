// Writes schedules. Read an algorithm as a program with non-blocking messages: send() and receive()
// start, then() waits for all of them, copy() and reduce() happen where they stand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coll/schedule.hpp"
#include "datatype/op.hpp"
#include "datatype/type.hpp"

namespace loadstone::coll {

// Who can be spoken to: the members of a group seen from rank `rank`. For the remote group of an
// inter-communicator `rank` is still mine in the local group.
struct team {
  p2p::scope* scope;
  std::int32_t rank, size;
};

using p2p::buffer;

// Address of element `index` of a buffer of `t`.
inline std::byte* element(const void* base, std::int64_t index, const datatype::type& t) {
  return static_cast<std::byte*>(const_cast<void*>(base)) + index * t.extent();
}
// The part of a buffer that holds `count` elements from element `first`.
inline buffer part(buffer whole, std::int64_t first, std::int64_t count) {
  return {element(whole.address, first, *whole.type), count, whole.type};
}
inline std::int64_t packed_bytes(buffer data) {
  return data.count * data.type->size();
}

class builder {
 public:
  builder(schedule& s, std::int32_t first_tag) : s_(s) { s_.tag_ = first_tag; }

  // Phases tell messages between the same two processes apart where their order alone would not.
  void send(const team& t, std::int32_t to, buffer data, unsigned phase = 0);
  void receive(const team& t, std::int32_t from, buffer data, unsigned phase = 0);
  void then();
  void copy(buffer from, buffer to);  // what does not fit is truncated, and an error, as in a message
  // higher = lower op higher
  void reduce(const void* lower, void* higher, std::int64_t count, const datatype::type& t,
              const datatype::op& op);

  // Scratch memory laid out as `count` elements of `t`, whatever its bounds; returns the address to
  // use with that type.
  void* scratch(std::int64_t count, const datatype::type& t);
  std::byte* scratch_bytes(std::int64_t bytes);

  // Kept alive until the schedule is destroyed: the user may free a type or an operation right
  // after the call.
  void keep(const datatype::type& t);
  void keep(const datatype::op& op);

 private:
  schedule& s_;
};

}  // namespace loadstone::coll
