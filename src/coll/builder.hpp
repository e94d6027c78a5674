// Writes a schedule, step by step. An algorithm reads like a program with non-blocking messages:
// send() and receive() start a message, then() waits for all messages so far, copy() and reduce()
// are done at once. Nothing of that happens while building, but when the schedule runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coll/schedule.hpp"
#include "datatype/op.hpp"
#include "datatype/type.hpp"

namespace loadstone::coll {

// A group whose members this process exchanges messages with. `rank` is the rank of this process in
// it; for the remote group of an inter-communicator, its rank in the local group.
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
  // The n-th collective of its communicator.
  builder(schedule& s, std::uint32_t number, operation what, std::int32_t root, bool persistent = false)
      : s_(s) {
    s_.number_ = number;
    s_.does_ = {.root = root, .what = what, .persistent = persistent};
  }
  // Which of several algorithms is written, and which one beside it.
  template <class Algorithm>
  Algorithm uses(Algorithm a, Algorithm otherwise = Algorithm::automatic) {
    s_.does_.algorithm = static_cast<std::uint8_t>(a);
    s_.does_.otherwise = static_cast<std::uint8_t>(otherwise);
    return a;
  }
  const signature& does() const { return s_.does_; }  // when all is written

  schedule& made() { return s_; }
  std::uint32_t number() const { return s_.number_; }

  // Messages of different phases never match. A phase is needed where the order of messages between
  // two processes would not tell them apart. Less than tags_per_schedule.
  void send(const team& t, std::int32_t to, buffer data, unsigned phase = 0);
  void receive(const team& t, std::int32_t from, buffer data, unsigned phase = 0);
  void then();
  void copy(buffer from, buffer to);  // if it does not fit, it is truncated, and an error, like a message
  // result = lower op higher. The result may be one of both (op.hpp says where not).
  void reduce(const void* lower, const void* higher, void* result, std::int64_t count,
              const datatype::type& t, const datatype::op& op);

  // Scratch memory for `count` elements of `t`, whatever its lower bound and extent. Returns the
  // address to use with that type.
  void* scratch(std::int64_t count, const datatype::type& t);
  std::byte* scratch_bytes(std::int64_t bytes);

  // --- in areas (area_writer.hpp)

  // Keeps a type or an operation alive until the schedule is destroyed: the user may free it right
  // after the call.
  void keep(const datatype::type& t);
  void keep(const datatype::op& op);

 private:
  friend class area_writer;
  friend class block_writer;
  schedule::step& add(schedule::action what, std::int32_t peer = -1, std::int32_t number = -1);

  schedule& s_;
};

}  // namespace loadstone::coll
