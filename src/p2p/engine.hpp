// Point-to-point messages: matching and the protocols (short, eager, single-copy, direct, pipelined) on
// deposits and active messages.
//
// Threading: the caller holds endpoint.gate() (std::lock_guard) around every call; wait calls release it
// while asleep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "datatype/type.hpp"
#include "deposit/endpoint.hpp"
#include "p2p/copy_costs.hpp"
#include "p2p/request.hpp"

namespace loadstone::p2p {

inline constexpr std::int32_t any_source = -1;
inline constexpr std::int32_t any_tag =
    -1;  // internal: MPI_ANY_TAG is mapped to it at the API; real tags are ≥ 0

// One communicator as messages see it. Context ids are 64 bits: (creator process << 32 | its counter) << 3 |
// kind of traffic. Owned by the communicator; lives until its last request is done (the engine keeps a count
// in `users`).
struct scope {
  std::uint64_t context = 0;  // matches sends and receives
  std::int32_t rank = 0;      // my rank in the local group: what receivers see as source
  std::vector<std::uint32_t>
      peers;  // process of each rank of the remote group (= local group unless inter-communicator)
  std::uint32_t users = 0;
  // What the engine keeps about the members (sequence numbers sent, ranks of processes): made by attach() or
  // at first use.
  struct sequences;
  std::shared_ptr<sequences> sequence;
};

enum class send_mode : std::uint8_t { standard, synchronous, ready, buffered };

struct buffer {
  const void* address;  // for receives: writable
  std::int64_t count;
  const datatype::type* type;  // kept alive by the engine until completion
};

// A message taken out of matching by a matched probe.
class matched_message;

inline constexpr std::size_t usual_eager_limit = 64 * 1024;

struct engine_config {
  // LOADSTONE_EAGER_LIMIT: up to here a standard send completes locally. Unless it is lowered, so does a blocking one up to
  // pipeline_block, where copying through cells is the quickest way.
  std::size_t eager_limit = usual_eager_limit;
  // LOADSTONE_DIRECT_LIMIT: longer ones that lie in memory the receiver can map (MPI_Alloc_mem) are not copied into
  // a cell: they are copied once, by both ends, and a standard send waits for its receiver. Only with a core for
  // every process.
  std::size_t direct_limit = 16 * 1024;
  std::size_t unexpected_limit =
      16u << 20;  // LOADSTONE_UNEXPECTED: memory here before senders are asked to keep theirs
  std::size_t pipeline_block = 256 * 1024;  // LOADSTONE_PIPELINE_BLOCK
  // LOADSTONE_STREAM_LIMIT: up to here a message that both ends wait for goes through cells, both copying at
  // once, to peers where that is measured to be quicker than a copy by the kernel (copy_costs.hpp). Only with a
  // core for every process, and of processes with one thread. 0: never.
  std::size_t stream_limit = 1u << 30;
  copy_costs::rules stream_rules;  // tests: always, never, soon
  static constexpr std::size_t automatic = 2;
  // LOADSTONE_BOTH_SIDES: whether a receiver asks a sender to copy a part of a large message (0, 1);
  // automatic: when there is a core for every process, so that no block waits for a process that waits for a
  // core.
  std::size_t both_sides = automatic;
  std::uint32_t pipeline_window = 8;   // blocks on their way at once
  base::event_sink* events = nullptr;  // who wants to know of unexpected messages; may be null
  static engine_config from_environment();
  // Of a job of so many processes on so many cores (0: not known).
  static bool core_for_each(std::uint32_t cores, std::uint32_t processes) {
    return cores == 0 || cores >= processes;
  }
  bool copies_on_both_sides(std::uint32_t cores, std::uint32_t processes) const {
    return both_sides < automatic ? both_sides != 0 : core_for_each(cores, processes);
  }
};

class engine {
 public:
  static base::result<std::unique_ptr<engine>> open(deposit::endpoint& endpoint, memory::job& job,
                                                    memory::arena& arena, const engine_config& config = {});
  ~engine();

  // A communicator comes and goes. Messages that arrive for a context before attach() wait for it. attach()
  // is implied by the first use; detach() is owed when the communicator is freed and drops what arrived for
  // it and was never received.
  void attach(scope& where);
  void detach(scope& where);

  // All return a request owned by the caller (release with free()). Never fail for lack of slots. Peer is a
  // rank of the scope; PROC_NULL is the caller's business. `buffered` sends: the MPI layer copies into the
  // attached buffer and sends standard.
  // `waits`: the caller stays in the library until the request is complete. `spent`: a message of the caller's that
  // is complete and done with; it becomes the new one, and nothing has to be taken and given back.
  request* send(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode,
                bool waits = false, request* spent = nullptr);
  // Sends if nothing has to be waited for or remembered afterwards, as most short messages; false: not sent,
  // use send(). Now and then it polls first.
  bool send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode);
  // Receives a short message of this source if it comes next, through the pair line, within some microseconds, and
  // no other receive wants it: without a request, and without posting one. False: nothing has changed, use receive() (the
  // wait has begun, and goes on there: until it has ended, this is false).
  bool receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, outcome* result);
  request* receive(scope& where, const buffer& data, std::int32_t source, std::int32_t tag,
                   bool waits = false, request* spent = nullptr);
  // The same if nothing is to be looked for or found out, as most receives in a row: `spent`, which is not null, has
  // become the new one. False: nothing has been done, use receive().
  bool post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, request* spent);
  void cancel(
      request* r);  // receives that have not matched; sends that have not been matched (allowed to fail)
  void free(request* r);  // completed, or detached: completes on its own

  bool probe(scope& where, std::int32_t source, std::int32_t tag,
             outcome* found);  // looks once, after a poll
  matched_message* match(scope& where, std::int32_t source, std::int32_t tag,
                         outcome* found);  // takes it out; or nullptr
  request* receive(matched_message* message, buffer data);

  // Fast blocking forms (same meaning as start + wait; may avoid the request).
  void send_wait(scope& where, buffer data, std::int32_t peer, std::int32_t tag, send_mode mode,
                 const wait::reason& why, outcome* result);
  void receive_wait(scope& where, buffer data, std::int32_t source, std::int32_t tag, const wait::reason& why,
                    outcome* result);

  bool progress();  // polls once
  // Many calls find all they want without a poll: a send that leaves, a wait for what is complete. A program may
  // make no others, and what its peers and its own receives need of it would stand still: every so many-th of
  // these calls polls all the same. send_now(), wait() and wait_until() see to that; who does without them asks
  // this, and calls progress() when it says so. By any thread, with or without the gate.
  bool poll_is_due();
  // Waits until done(context); used for all/any/some and by every blocking call above p2p. False: the job is
  // being stopped.
  bool wait_until(deposit::endpoint::predicate done, void* context, const wait::reason& why);
  bool wait(request& r, const wait::reason& why);

  // An operation of another kind stands still unless somebody polls; `more` false: one less. Does nothing
  // where there is no progress thread.
  void want_progress(bool more);
  // As of the endpoint: on the progress thread, leaves the work to a thread of the program.
  bool leave_to_program(void (*work)(void*), void* context);

  // Completes a request of another kind (collective, generalized): sets complete, runs on_complete, wakes its
  // waiter.
  void complete(request& r);

  // Limit on memory that unexpected messages may use here before senders are asked to keep theirs.
  void set_unexpected_limit(std::size_t bytes);

  // Messages and bytes by protocol: short, eager and self where they are sent; single-copy, direct and
  // pipelined where they are received, for there the choice is made.
  enum protocol : std::uint8_t {
    short_message,
    eager,
    single_copy,
    direct,
    pipelined,
    self_message,
    protocols
  };
  struct statistics {
    std::uint64_t messages[protocols], bytes[protocols];
    std::uint64_t unexpected_length, posted_length, unexpected_bytes, unexpected_bytes_peak;
    std::uint64_t deposited;     // messages sent into an advertised receive
    std::uint64_t helped_bytes;  // of messages sent: copied into the receiver's memory here (both_sides.cpp)
  };
  const statistics& counts() const;

  struct state;  // internal: p2p/state.hpp

 private:
  engine() = default;
  std::unique_ptr<state> state_;
};

}  // namespace loadstone::p2p
