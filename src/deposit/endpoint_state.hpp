// What an endpoint is made of; private to the folder.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <vector>

#include "deposit/endpoint.hpp"
#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"
#include "transport/routes.hpp"
#include "wait/backoff.hpp"
#include "wait/sleep_cost.hpp"

namespace loadstone::deposit {

inline constexpr std::size_t max_handlers = 64;

// Sleeps while work defers itself, for whose sake nobody rings: each twice as long as the last.
inline constexpr std::chrono::nanoseconds shortest_nap = std::chrono::microseconds(50),
                                          longest_nap = std::chrono::milliseconds(1);

inline incoming::incoming(const transport::slot& s, std::uint32_t source, transport::arrived_cell* cell)
    : source_(source),
      header_(s.data),
      header_bytes_(s.header_bytes),
      payload_(cell != nullptr ? cell->payload : s.data + s.header_bytes),
      payload_bytes_(s.payload_bytes),
      token_(cell != nullptr && (cell->cell != nullptr || cell->overlapped) ? cell : nullptr),
      kept_(cell != nullptr && cell->cell != nullptr),
      whole_(cell == nullptr || !cell->overlapped) {}

// An inline message that a handler sent when there was no memory for it: kept in ordinary memory
// until the end of the poll.
struct postponed {
  std::uint32_t peer;
  std::uint8_t handler, kind, header_bytes, payload_bytes;
  std::array<std::byte, max_inline> data;
};

struct endpoint_state {
  endpoint_state(memory::job& j, std::uint32_t who, memory::arena& a, memory::mappings& m,
                 const endpoint_config& c, const wait::policy& p)
      : job(j),
        self(who),
        config(c),
        entry(j.process(who)),
        memory(who, a, m),
        user(j, who, c.transport, c.vm),
        gate(c.threads),
        policy(p),
        sleep_cost(entry.sleep_cost),
        overlap(c.overlap < endpoint_config::automatic
                    ? c.overlap != 0
                    : p.how != wait::mode::block &&
                          (j.header().cpus == 0 || j.header().cpus >= j.header().world_size)),
        backoff(p),
        expected(j.header().capacity) {}

  memory::job& job;
  const std::uint32_t self;
  const endpoint_config config;
  memory::process_entry& entry;
  transport::peer_memory memory;
  user_memory user;
  wait::gate gate;
  const wait::policy policy;
  wait::sleep_cost sleep_cost;
  const bool overlap;     // payloads of handlers that follow are published before all of them is there
  wait::backoff backoff;  // of the thread that drains
  struct {
    std::uint64_t ns = 0, until = 0;  // said since a waiter read it last; and until when nobody sleeps
    std::uint32_t parts = 0;          // that have come (note_progress())
  } expecting;
  std::uint32_t lateness = 0;  // tests

  std::unique_ptr<transport::routes> routes;
  std::unique_ptr<one_sided> deposits;

  struct registered {
    deposit::handler function = nullptr;
    void* context = nullptr;
    reading how = reading::whole;
  };
  std::array<registered, max_handlers> handlers{};
  struct {
    endpoint::starved_handler tell = nullptr;
    void* context = nullptr;
  } on_starved;
  struct {
    endpoint::long_wait_handler tell = nullptr;
    void* context = nullptr;
    std::uint32_t empty_polls = 0;  // of the program
  } on_long_wait;
  std::vector<std::array<std::uint32_t, transport::classes>>
      expected;  // sequence of the next message, by source
  bool in_handler = false;
  bool stop_search = false;
  std::deque<postponed> waiting_for_memory;
  struct {
    std::vector<deferred> later;
    std::array<deferred, 2> looks{};  // by endpoint::looker
    bool any = false;                 // of either kind
  } work;                             // for the end of a poll
  statistics counts{};

  // Is the payload published while it is still being written?
  transport::outgoing message(handler_id id, traffic kind, const void* header, std::size_t header_bytes,
                              filler fill, void* context, std::size_t payload_bytes) const {
    const reading how = payload_bytes > max_inline ? handlers[id % max_handlers].how : reading::whole;
    const bool follows = how != reading::whole && payload_bytes >= transport::least_overlapped;
    return {id,
            static_cast<std::uint8_t>(kind),
            static_cast<std::uint8_t>(header_bytes),
            header,
            fill,
            context,
            payload_bytes,
            follows && overlap,
            follows || how == reading::checked};
  }
  std::size_t await_rest(std::uint32_t source, const std::atomic<std::uint32_t>& filled, std::size_t wanted);
  bool abandoned(std::uint32_t source) const {
    if (stopping()) return true;
    if (memory::is_alive(job, source)) return false;
    memory::note_death(job, source);
    return true;
  }
  bool deliver(transport::slot& s, std::uint32_t source, bool fresh, bool queued);
  bool deliver_buffer(transport::slot& s, std::uint32_t source, bool queued);
  endpoint::caught copy_from_buffer(std::uint32_t peer, const transport::seen_message& m, std::byte* to);
  verdict handle(const transport::slot& s, incoming& m, bool queued);
  [[noreturn, gnu::cold]] void out_of_order(const transport::slot& s, std::uint32_t source) const;
  [[noreturn, gnu::cold]] void no_handler(const transport::slot& s, std::uint32_t source) const;
  // What a transport gives arrived messages to.
  struct receiver {
    endpoint_state& s;
    bool operator()(transport::slot& m, std::uint32_t source, bool fresh, bool queued) {
      return s.deliver(m, source, fresh, queued);
    }
    std::uint32_t due(std::uint32_t source, std::uint8_t kind) const { return s.expected[source][kind]; }
  };
  outcome send(std::uint32_t peer, const transport::outgoing& m) {
    transport::send_result sent = transport::send_result::no_memory;
    if (waiting_for_memory.empty()) [[likely]] {
      sent = routes->send(peer, m);
      if (sent == transport::send_result::sent) [[likely]]
        return outcome::sent;
    }
    return send_slowly(peer, m, sent);
  }
  outcome send_slowly(std::uint32_t peer, const transport::outgoing& m, transport::send_result first);
  bool flush_postponed();
  void run_deferred();
  void look() {
    for (const deferred& l : work.looks)
      if (l.work != nullptr) [[unlikely]]
        l.work(l.context);
  }
  bool poll();
  bool poll_front();  // at most one message; nothing else
  void relieve();     // now and then
  bool stopping() const {
    // Acquire: what the launcher wrote before it said so (sync: job-phase).
    return job.header().phase.load(std::memory_order_acquire) !=
           static_cast<std::uint32_t>(memory::job_phase::running);
  }
  bool wait(wait::condition done, const wait::reason& why, std::chrono::nanoseconds longest);
  bool wait_threaded(wait::condition done, const wait::reason& why, std::chrono::nanoseconds longest);
  bool await_ring(wait::gate::waiter& me, std::uint32_t bell);
  // Do more threads wait here than have cores, where several have one? Under the gate.
  bool crowded_by_threads() const { return policy.threads > 1 && gate.waiters() > policy.threads; }
  void wait_for(const wait::reason& why);
  bool leave_core(bool evenly);
  void spread();
  bool polls_on(wait::backoff& b, const wait::reason& why, std::uint32_t* parts);
  std::uint32_t dearest_sleep(const wait::reason& why) const;
  template <class Sleep>
  void asleep(const wait::reason& why, memory::wait_note& note, Sleep&& sleep);
  void slept_on_bell(std::uint64_t went, std::uint64_t awake) {
    // What rang before, or not at all, woke nobody.
    const std::uint64_t rang = routes->sleeper().rang_at();
    if (rang >= went && rang <= awake) sleep_cost.woken_after(awake - rang);
  }
  void tell_of_long_wait(const wait::reason& why);
  void be_late();
  void sleep(wait::gate::waiter* me, wait::condition done, const wait::reason& why, memory::wait_note& note,
             std::chrono::nanoseconds longest, std::chrono::nanoseconds* nap);

  bool poll_for_program() {
    const bool any = poll();
    if (background.has_left_work()) [[unlikely]]
      background.run_left_work();
    relieve();
    return any;
  }

  // Last: it ends while everything it may use is still there.
  progress_thread background{*this};
};

}  // namespace loadstone::deposit
