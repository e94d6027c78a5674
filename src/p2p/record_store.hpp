// The records of this process (wire_layout.hpp): one for each send that somebody has to answer, and
// for each receive that its sender knows of. And the question to a peer's record.
#pragma once

#include <vector>

#include "deposit/endpoint.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::p2p {

class record_store {
 public:
  record_store(deposit::endpoint& endpoint, memory::arena& arena) : endpoint_(endpoint), arena_(arena) {}
  ~record_store();

  // Sets r->own. False: no memory.
  bool take(message_request* r);
  bool insist(message_request* r);  // waits for memory while there is hope of any
  void give(message_request* r);    // with its list of blocks
  local_address address_of(const message_request* r) const {
    return local_address::of(arena_.address_of(r->own.at));
  }
  rendezvous_record* at(local_address record) const {
    return static_cast<rendezvous_record*>(arena_.pointer(record.in(endpoint_.self())));
  }
  message_request* request_at(local_address record) const {
    return reinterpret_cast<message_request*>(at(record)->request);
  }
  // What a sender that waits wishes for its message. It decides how to copy, and makes nothing
  // visible.
  static void wish(const message_request* r, std::uint32_t what) {
    r->own.at->wish.store(wish_word(r->own.generation, what),
                          std::memory_order_relaxed);  // relaxed: see above
  }
  static std::uint32_t wish_of(const message_request* r) { return wish_in(*r->own.at); }
  // Of a sender that waits for something else. False: the receiver has begun.
  static bool goes_away(const message_request* r) {
    return turn(*r->own.at, r->own.generation, pipeline_away);
  }
  // Its receiver begins, and it stays until the end. False: it has gone. Or it has copied all
  // meanwhile, and the record may be another message's, whose sender nobody keeps.
  bool keep_there(std::uint32_t process, local_address record, std::uint32_t generation) {
    const mapped there = map(process, record);
    return there.at != nullptr && turn(*there.at, generation, pipeline_all);
  }
  // As it is by now. Who cannot be asked is not waited for.
  std::uint32_t wish_of(std::uint32_t process, local_address record) {
    const mapped there = map(process, record);
    return there.at != nullptr ? wish_in(*there.at) : std::uint32_t{pipeline_waits};
  }
  // The owner takes it out of its peer's reach. False: the peer has claimed it.
  static bool withdraw(const message_request* r);

  // `at` is null where it cannot be mapped.
  struct mapped {
    rendezvous_record* at = nullptr;
    memory::pin pin;
  };
  mapped map(std::uint32_t process, local_address record);

  // Decides with one compare-and-swap in a peer's record whether its message is received (or its
  // receive filled) or has been cancelled. Where the peer's memory cannot be reached, or is there
  // no more, nothing that waits for an answer is ever cancelled, and the claim succeeds.
  bool claim(std::uint32_t process, local_address record, std::uint32_t generation);
  static bool claim(const mapped& there, std::uint32_t generation);
  bool cancelled(std::uint32_t process, local_address record, std::uint32_t generation);

 private:
  // relaxed: see above
  static std::uint32_t wish_in(const rendezvous_record& r) {
    return static_cast<std::uint32_t>(r.wish.load(std::memory_order_relaxed));
  }
  static bool turn(rendezvous_record& r, std::uint32_t generation, std::uint32_t into) {
    std::uint64_t now = wish_word(generation, pipeline_for_now);
    return r.wish.compare_exchange_strong(now, wish_word(generation, into), std::memory_order_relaxed);
  }

  deposit::endpoint& endpoint_;
  memory::arena& arena_;
  rendezvous_record* free_ = nullptr;
  std::vector<void*> slabs_;
};

}  // namespace loadstone::p2p
