// Point-to-point messages: matching, and the ways to move their data (choice.hpp), on deposits and
// active messages.
//
// Threading: the caller holds endpoint.gate() (std::lock_guard) around every call; wait calls
// release it while asleep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "datatype/type.hpp"
#include "deposit/endpoint.hpp"
#include "p2p/engine_config.hpp"
#include "p2p/matching/bins.hpp"
#include "p2p/request.hpp"

namespace loadstone::p2p {

inline constexpr std::int32_t any_source = -1;

// One communicator as messages see it. Context ids are 64 bits: (creator process << 32 | its
// counter) << 3 | kind of traffic. Owned by the communicator; lives until its last request is done
// (the engine keeps a count in `users`).
struct scope {
  std::uint64_t context = 0;  // matches sends and receives
  std::int32_t rank = 0;      // my rank in the local group: what receivers see as source
  std::vector<std::uint32_t>
      peers;  // process of each rank of the remote group (= local group unless inter-communicator)
  std::uint32_t users = 0;
  // What the engine keeps about the members (sequence numbers sent, ranks of processes): made at
  // first use.
  struct sequences;
  std::shared_ptr<sequences> sequence;
};

enum class send_mode : std::uint8_t { standard, synchronous, ready, buffered };

// What send_now() has found out, so that send() need not ask again.
enum class tried : std::uint8_t { nothing, sent, not_eager, no_cell };

struct buffer {
  const void* address;  // for receives: writable
  std::int64_t count;
  const datatype::type* type;  // kept alive by the engine until completion
};

// A message taken out of matching by a matched probe.
struct arrival;
using matched_message = arrival;

class engine {
 public:
  static base::result<std::unique_ptr<engine>> open(deposit::endpoint& endpoint, memory::job& job,
                                                    memory::arena& arena, const engine_config& config = {});
  ~engine();

  // A communicator goes: what arrived for it and was never received is dropped. Messages that
  // arrive before its first use here wait for it.
  void detach(scope& where);

  // All return a request owned by the caller (release with free()). Never fail for lack of slots.
  // Peer is a rank of the scope; PROC_NULL is the caller's business. `buffered` sends: the MPI
  // layer copies into the attached buffer and sends standard. `waits`: the caller stays in the
  // library until the request is complete. `spent`: a message of the caller's that is complete and
  // done with; it becomes the new one, and nothing has to be taken and given back. `found`: by
  // send_now() of the same message, just before.
  request* send(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode,
                bool waits = false, request* spent = nullptr, tried found = tried::nothing);
  // Sends if nothing has to be waited for or remembered afterwards, as most short messages;
  // otherwise it is not sent: use send(). Now and then it polls first.
  tried send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode);
  // Receives a short message that has come before, or one of this source if it comes next, through
  // pair line or ring, within some microseconds, and no other receive wants it: without a request,
  // and without posting one. False: nothing has changed, use receive() (the wait has begun, and
  // goes on there: until it has ended, this is false); or the message has come and could not be
  // read, and receive() ends with that.
  bool receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, outcome* result);
  request* receive(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                   bool waits = false, request* spent = nullptr);
  // The same if nothing is to be searched for or found out, as most receives in a row: `spent`,
  // which is not null, has become the new one. False: nothing has been done, use receive().
  bool post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, request* spent);
  void cancel(
      request* r);  // receives that have not matched; sends that have not been matched (allowed to fail)
  void free(request* r);  // completed, or detached: completes on its own

  // Searches once, after a poll; match() takes it out, or nullptr.
  bool probe(scope& where, std::int32_t source, std::int32_t tag, outcome* found);
  matched_message* match(scope& where, std::int32_t source, std::int32_t tag, outcome* found);
  request* receive(matched_message* message, buffer data, request* spent = nullptr);
  // The same without a request, for most short ones; false: nothing has been done.
  bool receive_now(matched_message* message, const buffer& data, outcome* result);
  // How many messages have come, from all. One in the overflow queue of its sender counts when the
  // endpoint first comes across it there.
  std::uint64_t arrivals() const;

  // Fast blocking forms (same meaning as start + wait; may avoid the request).
  void send_wait(scope& where, buffer data, std::int32_t peer, std::int32_t tag, send_mode mode,
                 const wait::reason& why, outcome* result);
  void receive_wait(scope& where, buffer data, std::int32_t source, std::int32_t tag, const wait::reason& why,
                    outcome* result);
  // Both at once. The receive is posted first: what comes finds it.
  void exchange_wait(scope& where, const buffer& sent, std::int32_t to, std::int32_t send_tag,
                     const buffer& received, std::int32_t from, std::int32_t receive_tag,
                     const wait::reason& why, outcome* of_send, outcome* of_receive);

  bool progress();  // polls once
  // Many calls find all they want without a poll: a send that leaves, a wait for what is complete.
  // A program may make no others, so every so many-th of these calls polls all the same.
  // send_now(), wait() and wait_until() see to that; who does without them asks this, and calls
  // progress() when it says so. By any thread, with or without the gate.
  bool poll_is_due();
  // Used for all/any/some and by every blocking call above p2p. False: the job is being stopped.
  bool wait_until(wait::condition done, const wait::reason& why);
  bool wait(request& r, const wait::reason& why);
  // How a large message goes is decided when its owner waits for it. wait() says so itself; who
  // calls wait_until() for a message says it before, while there are some that are open.
  bool some_are_open() const;
  void wait_begins(request& r);

  // An operation of another kind stands still unless somebody polls; `more` false: one less. Does
  // nothing where there is no progress thread.
  void want_progress(bool more);
  // As of the endpoint: on the progress thread, leaves the work to a thread of the program.
  bool leave_to_program(void (*work)(void*), void* context);

  // Completes a request of another kind (collective, generalized): sets complete, runs on_complete,
  // wakes its waiter.
  void complete(request& r);

  // Messages and bytes by the way they took. Counted where the way is chosen: the first four and
  // advert where they are sent, the others where they are received.
  enum protocol : std::uint8_t {
    short_message,
    eager,
    self_message,
    pipelined_at_once,  // one block that leaves without an offer
    advert,             // sent into a receive that its sender knew of
    pipelined,          // in blocks, when the receiver has asked
    direct,             // by the receiver, out of the sender's arena
    direct_both,        // by both, each out of or into the other's arena
    push,               // by the sender, into the receiver's
    single_copy,        // by the receiver alone, through the kernel
    both_sides,         // by receiver and sender, of whom one at least asks the kernel
    protocols
  };
  struct statistics {
    std::uint64_t messages[protocols], bytes[protocols];
    std::uint64_t unexpected_length, posted_length, unexpected_bytes, unexpected_bytes_peak;
    std::uint64_t helped_bytes;       // of messages sent: copied into the receiver's memory here
    std::uint64_t remembered;         // of communicators: channels, lists of adverts
    std::uint64_t left_with_senders;  // messages that there was no capacity for
    std::uint64_t no_cell;            // attempts to send through a cell when none was left
  };
  statistics counts() const;
  std::uint64_t messages() const;  // of these, by all ways

 private:
  void finish_receive(request* r, const wait::reason& why, outcome* result);
  struct parts;
  explicit engine(std::unique_ptr<parts> made);
  bool search(scope& where, std::int32_t source, std::int32_t tag, bool take, outcome* found,
              matched_message** taken);
  std::unique_ptr<parts> parts_;
};

}  // namespace loadstone::p2p
