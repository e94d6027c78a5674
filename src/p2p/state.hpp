// What the engine keeps, and the parts its files share. Not for other layers.
//
//   engine.cpp      opening, requests, waiting          matching.cpp    posting, arrival, claiming, delivery
//   eager.cpp       short and eager protocol            rendezvous.cpp  offers, choice of protocol, answers
//   direct.cpp single_copy.cpp both_sides.cpp pipelined.cpp             one protocol each
//   adverts.cpp     large receives told to the sender   self.cpp        messages to this process
//   probe.cpp       cancel.cpp       flow.cpp
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <vector>

#include "deposit/handler_ids.hpp"
#include "p2p/arrival.hpp"
#include "p2p/channels.hpp"
#include "p2p/engine.hpp"
#include "p2p/error_class.hpp"
#include "p2p/kept_index.hpp"
#include "p2p/message_request.hpp"
#include "p2p/pool.hpp"
#include "p2p/posted.hpp"
#include "p2p/wire_layout.hpp"
#include "transport/outgoing.hpp"
#include "wait/gate.hpp"

namespace loadstone::p2p {

struct scope::sequences {
  struct member {
    std::uint32_t process = 0;
    std::uint32_t sent = 0;   // messages to it
    std::uint32_t plain = 0;  // the same, up to the last that was not deposited into an advert
    channel* from = nullptr;  // messages from it; null: nothing was posted for it yet
  };
  std::vector<member> members;                              // by rank
  bool identity = false;                                    // rank r is process r
  std::unordered_map<std::uint32_t, std::int32_t> rank_of;  // otherwise
  member& of(std::int32_t rank) { return members[static_cast<std::size_t>(rank)]; }
};

// A receive that a peer has advertised to us.
struct known_advert {
  advert_header about;
  advert_body where;
};
// All of one peer and communicator that may still be pending.
struct peer_adverts {
  std::deque<known_advert> list;  // in the order of their posting
  std::uint32_t taken_in = 0;     // messages of ours that the peer had taken in when it posted the newest
  std::size_t prune_at = 16;      // so long a list is freed of those that are over
};
struct advert_key {
  std::uint64_t context;
  std::uint32_t process;
  friend bool operator==(const advert_key&, const advert_key&) = default;
};
struct advert_hash {
  std::size_t operator()(const advert_key& k) const {
    const std::uint64_t h = (k.context ^ std::uint64_t{k.process} << 40) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
  }
};

// Where the blocks of a transfer are counted.
struct counters {
  rendezvous_record* at = nullptr;
  std::uint32_t generation = 0;
  memory::pin pin;
};

// Where a copy by the kernel lists its pieces, and unpacks (single_copy.cpp): much for the stack of a thread.
// Kept for the next copy; several are lent at once where a long copy lets other threads in.
struct copy_space;
class copy_spaces {
 public:
  copy_spaces() = default;
  copy_spaces(const copy_spaces&) = delete;
  copy_spaces& operator=(const copy_spaces&) = delete;
  ~copy_spaces();
  copy_space* take();
  void give(copy_space* space);

 private:
  copy_space* first_ = nullptr;
};

// A look for a message that may still stand in a refused sender's queue.
struct hunt {
  match_key key;
  bool take = false;  // matched probe: the message leaves the queue
  arrival* taken = nullptr;
  bool found = false;
  std::uint32_t process = 0;
  std::int32_t tag = 0;
  std::int64_t bytes = 0;
};

// Below, handing the gate over costs more than others gain.
inline constexpr std::int64_t long_move = 128 * 1024;

// Below, a receive is not worth the message that makes it known: up to the usual eager limit its message comes
// without asking.
inline constexpr std::int64_t least_advertised = 64 * 1024 + 1;

// Receives without a request before one that polls for everybody; calls of other kinds (poll_is_due).
inline constexpr std::uint32_t full_poll_every = 256;

struct engine::state {
  state(deposit::endpoint& e, memory::job& j, memory::arena& a, const engine_config& c)
      : endpoint(e),
        job(j),
        arena(a),
        config(c),
        self(e.self()),
        background(e.has_progress_thread()),
        incoming(j.header().capacity),
        lost(j.header().capacity) {}

  deposit::endpoint& endpoint;
  memory::job& job;
  memory::arena& arena;
  engine_config config;
  const std::uint32_t self;
  const bool background;  // there is a progress thread for requests that need this process
  std::int64_t short_limit =
      0;  // bytes of a message that is sent with its envelope in one slot, without asking
  std::int64_t quiet_limit = 0;     // bytes of a receive that nobody has to be told of
  std::int64_t by_turns_limit = 0;  // the same of one that finds the pair line open
  std::int64_t at_once_limit = 0;   // what may leave as one block that nobody answers (pipelined.cpp)
  statistics counts{};

  pool<message_request> requests;
  pool<matched_message> arrivals;
  posted_receives posted;
  unexpected_messages unexpected;
  channels incoming;
  // By process: a transfer with it was given up because it is dead, or the job is ending. What names such a
  // transfer names a request that is no more; it may be on its way still, or come if the process lives after all.
  std::vector<std::uint8_t> lost;

  bool running = false;   // run_work() is on the stack
  bool deferred = false;  // run_work() has been handed to the endpoint
  bool sending = false;   // a user message is on its way out: no other may overtake it (turn_to_send)
  bool refusing = false;
  bool taking_in = false;  // take_in() looks
  bool relieving = false;  // relieve() does
  bool looking = false;    // look_into_queues() looks
  message_request* looking_for = nullptr;
  hunt* hunting = nullptr;
  std::vector<std::uint8_t> keeps_messages;      // by process: messages of its queue were left there
  std::vector<std::uint32_t> keepers;            // those processes
  kept_index kept;                               // roughly which
  std::vector<message_request*> work;            // requests whose next step cannot be done in a handler
  std::vector<message_request*> finished;        // completed in a handler, callback still to run
  std::vector<message_request*> followed;        // whose payload had not come in full at the last look
  std::uint32_t received_now = 0;                // calls of receive_now()
  std::atomic<std::uint32_t> calls{0};           // as poll_is_due() counts them
  std::size_t work_next = 0, finished_next = 0;  // done up to there: kept here, for threads take turns
  std::vector<arrival*> leftovers;               // scratch of detach()
  std::vector<offered_block> blocks;             // scratch of make_offer()
  copy_spaces spaces;

  std::unordered_map<advert_key, peer_adverts, advert_hash> adverts;
  std::unordered_map<std::uint32_t, copy_costs>
      costs;  // by process, of those that large messages have gone to

  rendezvous_record* free_records = nullptr;
  std::vector<void*> record_slabs;

  // --- engine.cpp ---
  // `spent`: one of ours that is done with, or null.
  message_request* new_request(request_kind kind, scope& where, const buffer& data, std::int32_t peer,
                               std::int32_t tag, request* spent) {
    auto* r = spent != nullptr ? static_cast<message_request*>(spent) : requests.take();
    r->reset(kind);
    r->where = &where;
    r->data = message_data(data);
    r->bytes = r->data.bytes();
    r->peer = peer;
    r->tag = tag;
    return r;
  }
  // From now on it is not complete: keep type and scope.
  void hold(message_request* r) {
    r->holds = true;
    ++r->where->users;
    if (!r->data.predefined()) r->data.acquire_type();
  }
  void finish(message_request* r) {  // completes; callbacks run outside handlers
    r->step = phase::finished;
    if (r->holds) {
      r->holds = false;
      if (r->needs_us) [[unlikely]]
        rest(r);
      --r->where->users;
      if (!r->data.predefined()) r->data.release_type();
    }
    if (r->advert == nullptr && r->on_complete == nullptr && !r->detached) [[likely]]
      r->complete.store(true, std::memory_order_release);  // sync: request-complete
    else
      finish_with_more(r);
  }
  void finish_with_more(message_request* r);
  void finish(message_request* r, std::int32_t error) {
    r->result.error = error;
    if (error != 0) [[unlikely]]
      note_failure(r);
    finish(r);
  }
  void note_failure(message_request* r);
  // Around handlers of messages that name a transfer under way.
  template <deposit::verdict (*handle)(void*, deposit::incoming&, bool)>
  static deposit::verdict unless_lost(void* self, deposit::incoming& message, bool queued) {
    if (static_cast<state*>(self)->lost[message.source()] != 0) [[unlikely]]
      return deposit::verdict::consumed;
    return handle(self, message, queued);
  }
  // A held request stands still until somebody here polls; or no longer.
  void need(message_request* r) {
    if (background && !r->needs_us) [[unlikely]] {
      r->needs_us = true;
      r->plain = false;
      endpoint.want_progress(true);
    }
  }
  void rest(message_request* r) {
    if (!r->needs_us) [[likely]]
      return;
    r->needs_us = false;
    endpoint.want_progress(false);
  }
  void announce(request* r);  // sets complete and calls back
  void recycle(message_request* r);
  void schedule(message_request* r);
  void unschedule(message_request* r);
  void defer();
  void run_work();
  static void run_deferred(void* self);
  void attach(scope& where);
  scope::sequences& sequences_of(scope& where) {
    if (where.sequence == nullptr) [[unlikely]]
      attach(where);
    return *where.sequence;
  }
  std::int32_t rank_of(scope& where, std::uint32_t process);
  void count(protocol p, std::int64_t bytes) {
    ++counts.messages[p];
    counts.bytes[p] += static_cast<std::uint64_t>(bytes);
  }

  // Sends a user message. It may have to wait (for the peer's start, for memory) and polls meanwhile:
  // whatever else wants to send in that time comes after it, so that sequence numbers leave in order.
  template <class Send>
  deposit::outcome in_turn(Send&& leave) {
    if (sending) [[unlikely]]
      await_turn();
    sending = true;
    const deposit::outcome o = leave();
    sending = false;
    if (!finished.empty()) [[unlikely]]
      defer();
    return o;
  }
  void await_turn();

  // Moves data of matched requests, which nobody else touches: a long move lets other threads in meanwhile.
  template <class Move>
  void move_apart(std::int64_t bytes, Move&& move) {
    if (bytes < long_move || !endpoint.gate().threads()) return move();
    const bool outer = running;
    running = false;  // what others leave to do meanwhile they do themselves
    {
      wait::gate::recess others_in(endpoint.gate());
      move();
    }
    running = outer;
  }

  // Relaxed, and not in one step: of calls that threads make at the same time some may not count.
  bool poll_is_due() {
    const std::uint32_t n = calls.load(std::memory_order_relaxed) + 1;
    calls.store(n, std::memory_order_relaxed);
    return n % full_poll_every == 0;
  }
  bool poll();

  // --- eager.cpp ---
  bool send_short(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag);
  bool send_now(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode);
  void has_left(scope::sequences::member& to) { to.plain = ++to.sent; }
  bool is_eager(const message_data& data, std::int64_t bytes, std::uint32_t process) const;
  deposit::outcome send_eager(scope& where, const message_data& data, std::int64_t bytes, std::int32_t peer,
                              std::uint32_t process, std::int32_t tag, const message_request* answered);
  bool receive_short(const envelope& header, std::uint32_t source, const std::byte* payload,
                     std::size_t bytes);
  static deposit::verdict on_eager(void* self, deposit::incoming& message, bool queued);
  deposit::verdict receive_eager(deposit::incoming& message, bool queued);
  deposit::verdict receive_from_cell(message_request* r, const match_key& key, deposit::incoming& message,
                                     const answered_envelope* answered);
  deposit::verdict on_eager_unmatched(channel& from, const match_key& key, deposit::incoming& message,
                                      std::uint32_t sequence, const answered_envelope* answered, bool queued);
  // Would keeping it, or dropping it, wait for a sender that is writing it?
  bool must_wait_for(const deposit::incoming& message) const {
    return message.token() != nullptr && !message.can_keep() &&
           endpoint.written(message.token()) < message.payload_bytes();
  }

  // --- matching.cpp ---
  void send(message_request* r, send_mode mode);
  void receive(message_request* r, std::int32_t source);
  bool post(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, message_request* r);
  bool receive_unexpected(message_request* r, const match_key& key);
  void post_and_look(message_request* r, const match_key& key, channel* from);
  void receive_from(message_request* r, arrival* a);
  void set_source(message_request* r, std::uint32_t process, std::int32_t tag, std::int64_t bytes) {
    if (r->peer == any_source) r->peer = rank_of(*r->where, process);
    r->process = process;
    r->result.source = r->peer;
    r->result.tag = tag;
    r->result.bytes = bytes;
    if (bytes > r->bytes) r->result.error = error_truncate;
  }
  // Copy-out of a message whose payload is at hand; never beyond the buffer. `token`: of the cell it is in.
  void deliver(message_request* r, const std::byte* payload, std::int64_t bytes, void* token) {
    const std::int64_t n = bytes < r->bytes ? bytes : r->bytes;
    if (n == 0) return;
    if (token != nullptr) return deliver_from_cell(r, payload, n, token);
    if (!r->data.one_block())
      r->data.unpack(0, n, payload);
    else if (static_cast<std::size_t>(n) <= transport::slot_data_bytes)
      copy::small(r->data.block(), payload, static_cast<std::size_t>(n));
    else
      std::memcpy(r->data.block(), payload, static_cast<std::size_t>(n));
  }
  bool copy_as_it_comes(message_request* r, std::int64_t first, const std::byte* payload, std::int64_t n,
                        void* token);
  void deliver_from_cell(message_request* r, const std::byte* payload, std::int64_t n, void* token);
  // Must the receive follow a payload that its sender is writing? With one thread it waits for the rest instead.
  bool must_follow(const message_request* r, std::int64_t bytes, void* token) const {
    return token != nullptr && endpoint.gate().threads() &&
           endpoint.written(token) < static_cast<std::size_t>(bytes < r->bytes ? bytes : r->bytes);
  }
  void follow(message_request* r, arrival* a);
  void copy_written(message_request* r);
  void conclude(message_request* r, arrival* a);
  bool claim(std::uint32_t process, packed_address record, std::uint32_t generation);
  bool cancelled(std::uint32_t process, packed_address record, std::uint32_t generation);
  // A user message leaves the transport, first of all: where it belongs. Null: its communicator has
  // been freed here, and drop_late() says what becomes of it.
  channel* channel_of(const match_key& key, std::uint32_t sequence) {
    return incoming.of_arrival(key.context, key.process, sequence);
  }
  deposit::verdict drop_late(const match_key& key, std::uint32_t sequence, const deposit::incoming& message);
  // Then that it is due. `ahead`: out of a queue, perhaps before older ones.
  void check_order(channel& from, const match_key& key, std::uint32_t sequence, bool ahead) {
    if (!from.order.next_of_all(sequence)) [[unlikely]]
      check_order(from.order, key, sequence, ahead);
  }
  void check_order(stream& s, const match_key& key, std::uint32_t sequence, bool ahead);
  void drop(arrival* a);
  bool matches(const match_key& wanted, const match_key& key) const {
    return wanted.context == key.context &&
           (wanted.process == any_process || wanted.process == key.process) &&
           (wanted.tag == any_tag || wanted.tag == key.tag);
  }
  void send_control(std::uint32_t process, std::uint8_t handler, const void* header, std::size_t bytes);
  void send_done(std::uint32_t process, packed_address record, std::uint32_t generation, std::int32_t error);

  // --- rendezvous.cpp ---
  rendezvous_record* new_record(message_request* r, std::uint32_t* generation);
  void free_record(rendezvous_record* record, std::uint32_t generation);
  rendezvous_record* take_record(message_request* r);
  bool insist_on_record(message_request* r);  // waits for memory while there is hope of any
  void give_record(message_request* r);
  rendezvous_record* record_at(packed_address record) {
    return static_cast<rendezvous_record*>(arena.pointer(unpack(self, record)));
  }
  void offer_message(message_request* r);
  deposit::outcome leave_offer(message_request* r, const answered_envelope& envelope, const offer& o);
  void make_offer(message_request* r, offer* o);
  // With fault points compiled in: packed bytes [from, from + bytes) lie where the offer says.
#ifdef LOADSTONE_FAULTS
  void check_moves(const message_request* r, std::int64_t from, std::int64_t bytes);
#else
  void check_moves(const message_request*, std::int64_t, std::int64_t) {}
#endif
  void begin_transfer(message_request* r);
  void start_transfer(message_request* r);
  void end_receive(message_request* r, std::int32_t error);  // completes it and answers the sender
  static deposit::verdict on_rendezvous(void* self, deposit::incoming& message, bool queued);
  static deposit::verdict on_clear(void* self, deposit::incoming& message, bool queued);
  static deposit::verdict on_done(void* self, deposit::incoming& message, bool queued);

  // --- one protocol each. Transfers go from r->moved to r->until; false: not possible (any more), choose
  // another ---
  bool pull_direct(message_request* r, std::int32_t* error);
  bool pull_single_copy(message_request* r, std::int32_t* error);
  bool pull_single_copy(message_request* r, std::int32_t* error, copy_space& space);
  bool share(message_request* r);
  void copy_shared(message_request* r);
  void block_arrived(message_request* r);
  static std::int64_t shared_total(const message_request* r) {
    return r->offered.bytes < r->bytes ? r->offered.bytes : r->bytes;
  }
  counters counters_of(const message_request* r);
  bool pass_one_block(message_request* r);
  // A copy by the kernel, from or to a peer; what it costs is remembered.
  template <class Copy>
  deposit::reached copy_by_kernel(std::uint32_t process, std::int64_t bytes, Copy&& copy) {
    auto done = deposit::reached::done;
    const double ns = time_of([&] { done = copy(); });
    if (config.stream_limit != 0 && done == deposit::reached::done) costs[process].by_kernel(bytes, ns);
    return done;
  }
  // So many bytes are being copied for a request of ours, or will be when the peer hears of it: nobody sleeps
  // meanwhile.
  void expect_copy(std::uint32_t process, std::int64_t bytes) {
    const auto known = costs.find(process);
    endpoint.expect((known != costs.end() ? known->second : copy_costs{}).through_in(bytes));
  }
  void help(message_request* r);
  static deposit::verdict on_help(void* self, deposit::incoming& message, bool queued);
  static deposit::verdict on_given_back(void* self, deposit::incoming& message, bool queued);
  // --- adverts.cpp ---
  void advertise(message_request* r, const match_key& key);
  bool withdraw(message_request* r);  // false: its sender has it
  bool use_advert(message_request* r);
  bool over(std::uint32_t peer, const known_advert& a);
  bool claim_advert(const message_request* r, peer_adverts& known, known_advert* claimed);
  static deposit::verdict on_advert(void* self, deposit::incoming& message, bool queued);
  static deposit::verdict on_taken(void* self, deposit::incoming& message, bool queued);

  bool ask_push(message_request* r);
  void push(message_request* r);
  static deposit::verdict on_pushed(void* self, deposit::incoming& message, bool queued);
  std::uint32_t stream_of(const message_request* r);
  bool streams_at_once(const message_request* r);
  deposit::outcome stream_at_once(message_request* r);
  template <class Leave>
  deposit::outcome leave_timed(std::uint32_t process, std::int64_t bytes, bool timed, Leave&& leave);
  bool may_pass_through_cells(const message_request* r);
  bool pass_through_cells(message_request* r);
  bool take_first_block(message_request* r, deposit::incoming& message);
  void ask_pipeline(message_request* r);
  void expect_block(const message_request* r);
  deposit::outcome send_block(message_request* r, std::int64_t bytes, bool acknowledge);
  deposit::outcome leave_block(message_request* r, std::uint8_t handler, deposit::traffic kind,
                               const void* header, std::size_t header_bytes, std::int64_t bytes);
  void pump(message_request* r);
  static deposit::verdict on_data(void* self, deposit::incoming& message, bool queued);
  static deposit::verdict on_ack(void* self, deposit::incoming& message, bool queued);

  // --- self.cpp ---
  void send_to_self(message_request* r, send_mode mode);
  void receive_from_self(message_request* r, message_request* sender);

  // --- flow.cpp ---
  arrival* new_arrival(const match_key& key, std::int64_t bytes);
  // An eager message, kept; `answered`: its header if its sender waits for an answer.
  arrival* keep(const match_key& key, deposit::incoming& message, const answered_envelope* answered,
                deposit::verdict* what);
  void store_payload(arrival* a, deposit::incoming& message, deposit::verdict* what);
  void add_unexpected(arrival* a);
  void take_unexpected(arrival* a);  // out of the lists, still accounted until recycled
  void recycle(arrival* a);
  std::size_t footprint(const arrival* a) const;
  bool accept_from_queue(channel& from, const match_key& key, std::uint32_t sequence);
  bool may_keep(const match_key& wanted) const { return !keepers.empty() && kept.may_hold(wanted); }
  void look_into_queues(const match_key& wanted);
  void take_in();
  void relieve(std::uint32_t process);
  // Is this what the hunt looks for? Then it is recorded. True if it shall be taken (and, if its sender
  // waits, it is claimed).
  bool hunted(const match_key& key, std::int64_t bytes, const answered_envelope* answered);
};

[[noreturn]] void broken(const char* what);  // a defect of ours: says so and aborts

}  // namespace loadstone::p2p
