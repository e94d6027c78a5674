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
#include <span>

#include "base/events.hpp"
#include "base/status.hpp"
#include "deposit/user_memory.hpp"
#include "memory/address.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/mappings.hpp"
#include "transport/choice.hpp"
#include "transport/traits.hpp"
#include "wait/gate.hpp"
#include "wait/policy.hpp"
#include "wait/record.hpp"

namespace loadstone::transport {
struct slot;
struct arrived_cell;
}  // namespace loadstone::transport

namespace loadstone::deposit {

inline constexpr std::size_t max_header = 72;           // bytes of handler header in one active message
inline constexpr std::size_t max_inline = 96;           // header + payload that travel in one slot
inline constexpr std::size_t max_message = 256 * 1024;  // payload of one, through a sender-owned cell

// User messages can be refused by a receiver short of memory; control, one-sided and collective
// traffic cannot.
enum class traffic : std::uint8_t { control, user };

enum class outcome : std::uint8_t {
  sent,   // the source may be reused
  again,  // the sender's own buffers for this size are used up (bounded): choose another protocol or come
          // back
  gone,   // the peer is dead
};

class endpoint;

// An arriving active message, as its header handler sees it.
class incoming {
 public:
  // By the endpoint. `cell`: where its payload lies, if not in the slot.
  incoming(const loadstone::transport::slot& s, std::uint32_t source,
           loadstone::transport::arrived_cell* cell);
  std::uint32_t source() const { return source_; }
  const std::byte* header() const { return header_; }
  std::size_t header_bytes() const { return header_bytes_; }
  // In the slot, in the sender's cell, or in the buffer of the pair (mapped here). A handler that
  // was set to follow asks payload_access::arrived() how much of it is there.
  const std::byte* payload() const { return payload_; }
  std::size_t payload_bytes() const { return payload_bytes_; }
  // True when the payload lies in a sender-owned cell (never with integrity): the handler may then
  // return verdict::kept and use payload() until payload_access::release(token()). Any other
  // payload must be copied out before the handler returns.
  bool can_keep() const { return kept_; }
  // Of a payload that may still be coming: for payload_access::arrived(), until the handler returns
  // or what it keeps is released.
  void* token() const { return token_; }

 private:
  std::uint32_t source_;
  const std::byte* header_;
  std::size_t header_bytes_;
  const std::byte* payload_;
  std::size_t payload_bytes_;
  void* token_;
  bool kept_;  // may be
};

enum class verdict : std::uint8_t {
  consumed,  // payload copied out, or not wanted
  kept,      // payload stays in the sender's cell until payload_access::release(token)
  // Only for messages offered again in a refused sender's queue, and those that are still coming
  // and cannot be kept: stays there, unconsumed, and is offered again.
  left,
};

// Header handlers run inside poll(), under the gate. They may not call back into
// poll()/wait_until(); sending control messages, put, signal and setting flags is allowed (the
// "in-context" list of the LAPI design); anything longer goes to defer(). `queued` is true when the
// message is being offered again in a refused sender's queue (then `left` is allowed).
using handler = verdict (*)(void* context, incoming& message, bool queued);
using handler_id = std::uint8_t;  // below 64; the numbers are listed in deposit/handler_ids.hpp

// What a handler does with a payload beyond a slot: takes all of it; asks payload_access::arrived()
// first, for its sender's program may turn out not to have that memory; or, from 4 KiB on, does so
// and may be called when a part is still being written. The sender's process has set the same.
enum class reading : std::uint8_t { whole, checked, following };

// An arrival counter in job memory; waiters poll it at home.
struct counter {
  memory::address where;
};

enum class atomic_op : std::uint8_t { fetch_add, swap, compare_swap, fetch_and, fetch_or, fetch_xor };

// Counts that tools and tests read.
struct statistics : loadstone::transport::figures {
  std::uint64_t received = 0, sleeps = 0, sleep_ns = 0, wakeups_sent = 0;
};

struct endpoint_config;

class endpoint {
 public:
  // `job` has entry `self` claimed. References must outlive the endpoint.
  static base::result<std::unique_ptr<endpoint>> open(memory::job& job, std::uint32_t self,
                                                      memory::arena& arena, memory::mappings& mappings,
                                                      const endpoint_config& config);
  ~endpoint();

  std::uint32_t self() const;
  wait::gate& gate();
  loadstone::transport::traits way_to(std::uint32_t peer) const;
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
  // the outcome is never `again`. Rarely — the peer has not opened its endpoint yet, or this arena
  // has no memory left to queue an inline message — it waits, and polls meanwhile (handlers run;
  // with threads the gate is released): call it with your own structures in order. In a handler it
  // never waits for memory.
  outcome send_active(std::uint32_t peer, handler_id id, traffic kind, const void* header,
                      std::size_t header_bytes, const void* payload, std::size_t payload_bytes);
  // The same, but the caller writes the payload in place (a pack loop): fill(context, from,
  // destination, bytes), in one piece or in several, from the front. `fill` null: the payload lies
  // at `context`.
  using filler = void (*)(void* context, std::size_t from, std::byte* destination, std::size_t bytes);
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
  // A message, past handlers and polls: by turns (transport/pair_line.hpp), or, if header and
  // payload are at most max_inline, through the peer's inbox; in endpoint_inl.hpp, for what is the
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
  bool queues_exist() const;  // constant time: does any sender keep messages for us?
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
  // Under the gate. Has it come?
  bool yield_until(wait::condition done);
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
  // A hint: would a message to it have to wake somebody, as it was a moment ago? False also where
  // that cannot be seen from here.
  bool asleep(std::uint32_t peer) const;
  class progress_thread;
  progress_thread background();

  // --- deposits ---
  class one_sided;
  one_sided deposits();
  // A peer's memory that is not job memory.
  deposit::user_memory& user();
  // Where a caller's own copy loop may reach the peer's region, or nothing (its memory is not
  // mapped here).
  memory::pin map(memory::region_id region);

  const statistics& counts() const;

  // --- work that a handler may not do itself --- By the thread that polls, under the gate, at the
  // end of poll(). It may poll; it may not block. Work that has to be done again at the next poll
  // defers itself.
  void defer(void (*work)(void*), void* context);
  // Looks at words that others change, who wake us then: work(context) at the end of every poll,
  // and once more before a sleep, until it is taken away (null). It may not block. Of one layer.
  void look(void (*work)(void*), void* context);

 private:
  template <class Accept>
  caught watch_line(std::uint32_t peer, handler_id id, std::size_t header_bytes, Accept&& accept);
  template <class Accept>
  caught poll_ring(std::uint32_t peer, handler_id id, std::size_t header_bytes, Accept&& accept);
  endpoint() = default;
  struct state;
  std::unique_ptr<state> state_;
};

class endpoint::payload_access {
 public:
  // Waits until at least `wanted` bytes (of no more than it has) of the payload with this token
  // have been written, which their sender is doing at this moment; returns how many there are.
  // Nothing: that will never be, for it is unreadable(), the sender has died or the job is being
  // stopped. Without a token everything is there. It waits as it stands, in a handler or not, with
  // the gate held: for processes with one thread.
  std::size_t arrived(void* token, std::size_t wanted);
  // With several threads a sender that has stopped must not keep them all: the handler keeps the
  // payload and asks again at each poll (defer() work that defers itself; while there is such,
  // sleeps are short), how many bytes have been written,
  std::size_t written(void* token) const;
  // Its sender's program has no such memory.
  bool unreadable(void* token) const;
  // and, now and then, for it asks the system, whether there will be no more: then it asks a last
  // time.
  bool abandoned(void* token) const;
  void release(void* token);  // gives a kept payload back to its sender
 private:
  friend class endpoint;
  explicit payload_access(state& s) : state_(s) {}
  state& state_;
};
inline endpoint::payload_access endpoint::payloads() const {
  return payload_access(*state_);
}

// A thread of our own that polls while none of the program's waits here, as long as it is wanted.
// It is started when that is so for the first time, sleeps like any waiter, and polls for a bounded
// time. All that poll() does it may do at any time the gate is free; what only threads of the
// program may do, it leaves to them.
class endpoint::progress_thread {
 public:
  bool is_for_all() const;  // is there to be one for all that wants it? Never changes
  // There is to be one all the same, from here on: for what others ask of this process and nobody
  // else can do. If this process had one thread, the gate and all below it are real from now on
  // (wait/gate.hpp). Under the gate, also in a handler.
  void admit();
  // Something stands still unless somebody polls; `more` false: one thing less. Only if there is to
  // be one.
  void want(bool more);
  bool is_this_thread() const;
  // On it: leaves the work to the next poll of a thread of the program (as defer()). False: this is
  // such a thread, do it.
  bool leave_to_program(void (*work)(void*), void* context);
  // Ends the thread; there is none until it is allowed again. The gate is not held.
  void allow(bool yes);

 private:
  friend class endpoint;
  explicit progress_thread(state& s) : state_(s) {}
  state& state_;
};

// Local buffers: any memory. Remote: job memory. Each returns when the local source may be reused,
// or the data has arrived locally.
class endpoint::one_sided {
 public:
  base::status put(memory::address remote, const void* local, std::size_t bytes);
  base::status get(void* local, memory::address remote, std::size_t bytes);
  struct strided {  // `count` blocks of `block` bytes, `stride` bytes from start to start
    std::size_t block, count;
    std::ptrdiff_t stride;
  };
  base::status put_strided(memory::address remote, strided at_remote, const void* local, strided at_local);
  base::status get_strided(void* local, strided at_local, memory::address remote, strided at_remote);
  struct block {
    std::uint64_t remote_offset, local_offset, bytes;
  };
  base::status put_indexed(memory::address remote, const void* local, std::span<const block> blocks);
  base::status get_indexed(void* local, memory::address remote, std::span<const block> blocks);
  // 4- or 8-byte integers, naturally aligned; the old value.
  base::result<std::uint64_t> atomic(memory::address remote, std::size_t width, atomic_op op,
                                     std::uint64_t operand, std::uint64_t compare = 0);
  // Counters: a 64-bit word in job memory (arena). signal() wakes a peer waiting for it.
  base::status signal(std::uint32_t peer, counter where, std::uint64_t n);
  bool wait_counter(counter mine, std::uint64_t at_least, const wait::reason& why);
  // With integrity the fence reads back what was put since the last one, and stores again what is
  // not there; an error when that does not help. Until it returns, the bytes put belong to this
  // process: whatever their owner stores there before may be overwritten.
  base::status fence(std::uint32_t peer);
  base::status fence_all();

 private:
  friend class endpoint;
  explicit one_sided(state& s) : state_(s) {}
  state& state_;
};

struct endpoint_config {
  loadstone::transport::choice transport;   // the same in all processes of a job
  std::uint32_t inbox_slots = 256;          // a power of two; tests use 2
  std::size_t cell_bytes_limit = 4u << 20;  // of cells in use at once; at most a third of the arena
  std::uint32_t pair_lines = 16;            // pairs with a line of their own; 0: none, nor passed cells
  bool past_caches = false;                 // tests: payload in cells is always stored past the caches
  std::uint32_t line_after = 8;             // answers before a pair gets one; tests use 1
  std::uint32_t ring_after = 16;  // messages in a row before their sender gets a ring; tests use fewer
  // Whether a receiver copies a payload out while its sender is still copying it in (0, 1);
  // automatic: when there is a core for every process, so that nobody waits for one that waits for
  // a core.
  static constexpr std::uint32_t automatic = 2;
  std::uint32_t overlap = automatic;
  wait::mode waiting = wait::mode::adaptive;  // LOADSTONE_WAIT
  bool vm = true;        // LOADSTONE_VM: user() may use process_vm_readv and process_vm_writev
  bool threads = false;  // several threads may call (takes the gate for real)
  // LOADSTONE_PROGRESS: whether there is a thread that polls while the program computes, where
  // requests need it. Automatic: when there is a core for it. Only with `threads`.
  enum class progress_kind : std::uint8_t { off, automatic, on } progress = progress_kind::off;
  base::event_sink* events = nullptr;  // who wants to know of sleeps; may be null
  std::uint64_t first_position = 0;    // of the inbox's tail word; tests start near the wrap
  std::uint32_t late_at_least_ns = 0, late_at_most_ns = 0;  // tests: every sleep ends so much later
};

}  // namespace loadstone::deposit
