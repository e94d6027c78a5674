// The layer everything else is made of: one-sided deposits and active messages between the
// processes of a job.
//
// Threading: an endpoint is not thread-safe by itself. With MPI_THREAD_MULTIPLE the owner holds the
// endpoint's gate (wait/gate.hpp) around every call; wait_until() releases it while this thread
// sleeps. Handlers run under the gate.
//
// Ordering: active messages of one (sender, receiver, traffic class) are handled in the order they
// were sent. put/get/atomics are unordered until fence(). An active message sent after fence(peer)
// finds everything deposited before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.hpp"
#include "deposit/active_message.hpp"
#include "deposit/endpoint_config.hpp"
#include "deposit/one_sided.hpp"
#include "deposit/progress.hpp"
#include "deposit/user_memory.hpp"
#include "memory/address.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/mappings.hpp"
#include "transport/peer_memory.hpp"
#include "wait/gate.hpp"
#include "wait/presence.hpp"
#include "wait/record.hpp"

namespace loadstone::deposit {

struct endpoint_state;

class endpoint {
 public:
  // `job` has entry `self` claimed. References must outlive the endpoint.
  static base::result<std::unique_ptr<endpoint>> open(memory::job& job, std::uint32_t self,
                                                      memory::arena& arena, memory::mappings& mappings,
                                                      const endpoint_config& config);
  ~endpoint();

  std::uint32_t self() const;
  wait::gate& gate();
  loadstone::transport::traits route_to(std::uint32_t peer) const;
  // Has the peer opened its endpoint, so that a message to it leaves at once? (Where its memory is
  // mapped; otherwise false.)
  bool ready(std::uint32_t peer);

  // Called when memory of a peer that messages lie in cannot be mapped here (no address space is
  // left, say): makes memory available and returns (we try again), or does not return. Under the
  // gate, from wherever it was noticed. Without it the process says so and aborts.
  using unreachable_handler = void (*)(void* context, std::uint32_t peer, const base::status& why);
  void on_unreachable(unreachable_handler handler, void* context);

  // Called while we wait or poll here, and a peer waits for memory of a queue in which messages for
  // us have been left (verdict::left): whoever left them takes them now, or that peer may wait for
  // ever. Under the gate.
  using starved_handler = void (*)(void* context, std::uint32_t peer);
  void on_starved(starved_handler handler, void* context);

  // Called now and then in a wait that has lasted for a tenth of a second, and where polls of the
  // program find nothing. `now`: CLOCK_MONOTONIC, ns. Under the gate.
  using long_wait_handler = void (*)(void* context, std::uint64_t now);
  void on_long_wait(long_wait_handler handler, void* context);

  // --- active messages ---
  void set_handler(handler_id id, handler function, void* context, reading how = reading::whole);
  // header (≤ max_header) and payload are copied before return. With header+payload ≤ max_inline
  // the outcome is never `again`. Rarely (the peer has not opened its endpoint yet, or this arena
  // has no memory left to queue an inline message) it waits, polls meanwhile, and with threads
  // releases the gate: call it with your own structures in order. In a handler it never waits.
  outcome send_active(std::uint32_t peer, handler_id id, traffic kind, const void* header,
                      std::size_t header_bytes, const void* payload, std::size_t payload_bytes) {
    return send_active(peer, id, kind, header, header_bytes, nullptr, const_cast<void*>(payload),
                       payload_bytes);
  }
  // The same, but `fill` writes the payload in place; null: it lies at `context`.
  outcome send_active(std::uint32_t peer, handler_id id, traffic kind, const void* header,
                      std::size_t header_bytes, filler fill, void* context, std::size_t payload_bytes);
  // One attempt, also for conditions of waits: it never waits itself. Nothing: send_active() would
  // wait now.
  std::optional<outcome> attempt_active(std::uint32_t peer, handler_id id, traffic kind, const void* header,
                                        std::size_t header_bytes, filler fill, void* context,
                                        std::size_t payload_bytes);
  // Payloads beyond a slot that have come, by their tokens.
  class payload_access;
  payload_access payloads() const;
  // A message, past handlers and polls, if it leaves at once; in endpoint_inl.hpp, for what is the
  // whole of most messages. False: nothing has been done but polling, go the usual way.
  bool send_at_once(std::uint32_t peer, handler_id id, traffic kind, const void* header,
                    std::size_t header_bytes, const void* payload, std::size_t payload_bytes);
  // Only if may_watch(): waits for the next user message of `peer` through their line, as long as
  // nothing else is to be done, for some microseconds, and with several threads not at all; or
  // takes it out of the ring that `peer` has for what it sends in a row. If it is one for `id` with
  // so long a header, accept(header, payload bytes, &where its payload goes) says whether it is
  // wanted, in which case it is copied there; otherwise nothing has been done. `broken`: it was,
  // and base::missing() says why not all of it is there.
  enum class caught : std::uint8_t { nothing, message, broken };
  bool may_watch(std::uint32_t peer) const;
  template <class Accept>
  caught watch(std::uint32_t peer, handler_id id, std::size_t header_bytes, Accept&& accept);

  // --- flow control of user traffic (design §4) --- While refusing, senders keep user messages in
  // queues of their own; search_queues() offers each queued message, oldest first per sender, to
  // its handler with queued = true. New ones are also offered by poll() as they appear.
  void refuse_user_traffic(bool refuse);
  // Offers all queued user messages of `source` (or of every source: UINT32_MAX) again, from the
  // oldest. Inbox messages may be handled on the way, as by poll(). Not from a handler.
  void search_queues(std::uint32_t source);
  bool in_handler() const;  // does one run at this moment?
  // From a handler that search_queues() runs: enough, the search ends behind this message.
  void stop_search();

  // --- progress and waiting ---
  bool poll();  // handles what has arrived, a bounded amount; true if anything was done
  // Polls, spins and sleeps (by the wait policy) until `done` is true. `why` is for hang reports:
  // written only before sleeping. Releases the gate while asleep. Returns false if the job is being
  // stopped.
  bool wait_until(wait::condition done, const wait::reason& why);
  // To be tried before wait_until() for what another process stores within a microsecond: with
  // fewer cores than processes, gives the core away some times and looks at nothing else meanwhile.
  // While `stay` holds, as the answer comes from another core and nobody here has use for ours,
  // polls for some microseconds first. Under the gate. Has it come?
  bool yield_until(wait::condition done, wait::condition stay = wait::never);
  // A call that tests has polled, and has found what it looks for or not. With fewer cores than
  // processes, one that finds nothing again and again, and does nothing else, gives the core away.
  // But every `turn_ns` at the most. Under the gate, which others get meanwhile.
  void tested(bool found, std::uint64_t turn_ns = 0);
  // There is no memory in the arena, and got() tries to get some: waits until it is true, as long
  // as receivers have messages of ours in queues, whom that is told. Polls; not from a handler.
  // False: no memory, and nobody to wait for.
  bool wait_for_memory(wait::condition got, std::uint32_t peer);
  // What is under way should be through in so many ns: with a core for every process nobody who
  // waits here sleeps before. It counts from a waiter's first poll that asks the clock, so nobody
  // reads one for it; and up to 10 ms, for a sleep is little beside that. Under the gate.
  void expect(std::uint64_t ns);
  // Makes a peer that sleeps in wait_until() poll again (after a plain store into its memory, for
  // instance).
  void wake(std::uint32_t peer);
  // What is said of words that processes store for each other in job memory.
  class words_access;
  words_access words() const;
  progress_thread& background();

  // --- deposits ---
  one_sided& deposits();
  // A peer's memory that is not job memory.
  deposit::user_memory& user();
  // Where a caller's own copy loop may reach the peer's region, or nothing (its memory is not
  // mapped here).
  memory::pin map(memory::region_id region);
  // A peer's memory that this process cannot do without, or its own. Where that cannot be mapped
  // on_unreachable() is told, as for what messages lie in; an error: there is no such memory.
  base::result<transport::reached> reach(memory::address where);

  const statistics& counts() const;
  std::uint64_t received() const;  // of these: messages

  // --- work that a handler may not do itself --- By the thread that polls, under the gate, at the
  // end of poll(). It may poll; it may not block. Work that has to be done again at the next poll
  // defers itself.
  void defer(void (*work)(void*), void* context);
  // Looks at words that others change, who wake us then: work(context) at the end of every poll,
  // and once more before a sleep, until it is taken away (null). It may not block. One of each.
  enum class looker : std::uint8_t { collectives, parts };
  void look(void (*work)(void*), void* context, looker whose = looker::collectives);

 private:
  endpoint() = default;
  std::unique_ptr<endpoint_state> state_;
};

class endpoint::payload_access {
 public:
  // Waits until at least `wanted` bytes (of no more than it has) of the payload with this token
  // have been written, which their sender is doing at this moment; returns how many there are.
  // Nothing: that will never be, for it is unreadable(), the sender has died or the job is being
  // stopped. Without a token everything is there. It waits as it stands, in a handler or not, with
  // the gate held. (Several threads get no payload that is still coming.)
  std::size_t arrived(void* token, std::size_t wanted);
  std::size_t written(void* token) const;  // bytes
  // Its sender's program has no such memory.
  bool unreadable(void* token) const;
  void release(void* token);  // gives a kept payload back to its sender
 private:
  friend class endpoint;
  explicit payload_access(endpoint_state& s) : state_(s) {}
  endpoint_state& state_;
};
inline endpoint::payload_access endpoint::payloads() const {
  return payload_access(*state_);
}

// Under the gate.
class endpoint::words_access {
 public:
  // One has been stored for a peer that is mapped here: as wake(), without a fence while it attends
  // (front_layout.hpp).
  void announce(std::uint32_t peer);
  // One that we have waited for has come.
  void came();
  // What somebody here waits for has come a part nearer by them, which no poll counts as arrived:
  // so they poll anew before they sleep.
  void note_progress();
  // We have just stored one that asks for such a ring, and is read without a fence: our next sleeps
  // are short.
  void settle();
  // A hint: would one have to wake somebody, as it was a moment ago? False also where that cannot
  // be seen from here.
  bool asleep(std::uint32_t peer) const;
  // For a loop that waits for one process by itself, with fewer cores than processes. Where is it,
  // as far as that is known? And: gives the core away, and goes to another one if it has been for a
  // process on ours too often.
  wait::presence::place place_of(std::uint32_t peer) const;
  void give_way(std::uint32_t peer);

 private:
  friend class endpoint;
  explicit words_access(endpoint_state& s) : state_(s) {}
  endpoint_state& state_;
};
inline endpoint::words_access endpoint::words() const {
  return words_access(*state_);
}

}  // namespace loadstone::deposit
