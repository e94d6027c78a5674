// Set-up and active messages. Waiting is in waiting.cpp, one-sided operations in deposits.cpp.
#include "deposit/endpoint.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "copy/kernels.hpp"
#include "deposit/endpoint_state.hpp"
#include "deposit/handler_ids.hpp"

namespace loadstone::deposit {

using base::code;
using base::status;
using transport::outgoing;
using transport::send_result;

static_assert(max_inline == transport::slot_data_bytes);
static_assert(max_message == transport::cells::largest);
static_assert(static_cast<int>(traffic::control) == transport::control_class &&
              static_cast<int>(traffic::user) == transport::user_class);

base::result<std::unique_ptr<endpoint>> endpoint::open(memory::job& job, std::uint32_t self,
                                                       memory::arena& arena, memory::mappings& mappings,
                                                       const endpoint_config& config) try {
  const std::uint32_t cores = job.header().cpus != 0 ? job.header().cpus : base::usable_cpus();
  base::set_fault_process(self);
  // Each core its share, and neighbours in rank, who mostly talk to each other, apart.
  if (job.header().world_size > cores) base::move_to_cpu(self);
  auto made = std::unique_ptr<endpoint>(new endpoint);
  made->state_ = std::make_unique<endpoint_state>(
      job, self, arena, mappings, config,
      wait::choose_policy(cores, job.header().world_size, config.waiting, base::affinity_cpus()));
  endpoint_state& s = *made->state_;
  if (s.policy.threads > 1) s.gate.be_patient();
  // Several threads run on several cores, or none.
  if (job.header().world_size > cores && !config.threads) s.backoff.say_presence(&s.entry.presence);
  // Not who sleeps at every wait; nor several threads, whose deputy sets the sleep bit whenever
  // they leave.
  const bool may_attend = !s.gate.threads() && s.policy.how != wait::mode::block;
  // Some microseconds, with a core for every process: its receiver runs.
  const bool enough_cores = s.policy.yields == 0 && s.policy.how != wait::mode::block;
  const std::uint32_t patience = enough_cores ? 4 * s.policy.free_polls : 0;
  transport::setup with{config, job, s.memory, handler_deposit_offer, s.gate.threads(), may_attend, patience};
  // Of a small arena. What only saves time (passed cells, buffers of pairs, blocks of collectives)
  // leaves half of it (arena::has_spare).
  with.cell_bytes_limit = std::min(config.cell_bytes_limit, job.header().arena_limit / 3);
  auto routes = transport::routes::open(with);
  if (!routes) return routes.error();
  s.routes = std::move(*routes);
  made->set_handler(
      handler_deposit_offer,
      [](void* context, incoming& m, bool) {
        static_cast<transport::routes*>(context)->accept(m.source(), m.header());
        return verdict::consumed;
      },
      s.routes.get());
  s.deposits = std::make_unique<one_sided>(*made, job, *s.routes, s.memory);
  made->on_unreachable(
      [](void*, std::uint32_t peer, const status& why) {
        std::fprintf(stderr, "loadstone: the memory of process %u cannot be mapped: %s\n", peer, why.what);
        std::abort();
      },
      nullptr);
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe an endpoint"};
}

endpoint::~endpoint() = default;

std::uint32_t endpoint::self() const {
  return state_->self;
}

wait::gate& endpoint::gate() {
  return state_->gate;
}

transport::traits endpoint::route_to(std::uint32_t peer) const {
  return state_->routes->properties(peer);
}

deposit::user_memory& endpoint::user() {
  return state_->user;
}

one_sided& endpoint::deposits() {
  return *state_->deposits;
}

progress_thread& endpoint::background() {
  return state_->background;
}

memory::pin endpoint::map(memory::region_id region) {
  return state_->routes->with(region.process, [&](auto& way) { return way.stores().map(region); });
}

base::result<transport::reached> endpoint::reach(memory::address where) {
  return state_->memory.insist(where);
}

bool endpoint::ready(std::uint32_t peer) {
  return state_->routes->reaches(peer);
}

void endpoint::set_handler(handler_id id, handler function, void* context, reading how) {
  if (id < max_handlers) state_->handlers[id] = {function, context, how};
}

void endpoint::on_unreachable(unreachable_handler handler, void* context) {
  state_->memory.on_unreachable(handler, context);
}

void endpoint::on_starved(starved_handler handler, void* context) {
  state_->on_starved = {handler, context};
}

void endpoint::on_long_wait(long_wait_handler handler, void* context) {
  state_->on_long_wait = {handler, context, 0};
}

// --- sending ---

// In line down to the store into the peer's memory: every short message comes this way.
[[gnu::flatten]] outcome endpoint::send_active(std::uint32_t peer, handler_id id, traffic kind,
                                               const void* header, std::size_t header_bytes, filler fill,
                                               void* context, std::size_t payload_bytes) {
  return state_->send(peer, state_->message(id, kind, header, header_bytes, fill, context, payload_bytes));
}

namespace {
// Nothing: it may be tried again.
std::optional<outcome> outcome_of(send_result sent) {
  switch (sent) {
    case send_result::sent:
      return outcome::sent;
    case send_result::no_cell:
      return outcome::again;
    case send_result::gone:
      return outcome::gone;
    case send_result::no_memory:
    case send_result::not_ready:
      break;
  }
  return std::nullopt;
}
}  // namespace

std::optional<outcome> endpoint::attempt_active(std::uint32_t peer, handler_id id, traffic kind,
                                                const void* header, std::size_t header_bytes, filler fill,
                                                void* context, std::size_t payload_bytes) {
  endpoint_state& s = *state_;
  if (!s.waiting_for_memory.empty()) return std::nullopt;
  return outcome_of(
      s.routes->send(peer, s.message(id, kind, header, header_bytes, fill, context, payload_bytes)));
}

[[gnu::noinline]] outcome endpoint_state::send_slowly(std::uint32_t peer, const outgoing& m,
                                                      send_result first) {
  if (first == send_result::no_memory && in_handler) {
    // May not wait here: keep it until the poll that runs this handler is over. Bounded by what one
    // poll handles.
    if (!m.fits_slot()) return outcome::again;
    postponed& p = waiting_for_memory.emplace_back();
    p.peer = peer;
    p.handler = m.handler;
    p.kind = m.kind;
    p.header_bytes = m.header_bytes;
    p.payload_bytes = static_cast<std::uint8_t>(m.payload_bytes);
    copy::small(p.data.data(), m.header, m.header_bytes);
    m.put_inline(p.data.data() + m.header_bytes);
    return outcome::sent;
  }
  if (!waiting_for_memory.empty() && !flush_postponed()) return outcome::gone;
  std::optional<outcome> result;
  const auto again = [&] {
    if (result) return true;  // what has been sent is not sent twice
    send_result once = routes->send(peer, m);
    // Memory may come back as we ask for it.
    if (once == send_result::no_memory && routes->ask_for_memory()) once = routes->send(peer, m);
    return (result = outcome_of(once)).has_value();
  };
  // Nobody rings when a peer opens its endpoint, or when a slot of an inbox is free: short sleeps.
  if (in_handler) {
    while (!again() && !stopping()) backoff.yield();
  } else {
    const wait::reason why{.peer = static_cast<std::int32_t>(peer),
                           .detail = first == send_result::not_ready ? "peer's start" : "memory to send"};
    if (!wait(again, why, std::chrono::milliseconds(1))) return outcome::gone;
  }
  return result.value_or(outcome::gone);
}

bool endpoint::wait_for_memory(wait::condition got, std::uint32_t peer) {
  const wait::reason why{.peer = static_cast<std::int32_t>(peer), .detail = "memory to send"};
  const auto again = [&] { return got() || !state_->routes->ask_for_memory() || got(); };
  state_->wait(again, why, std::chrono::milliseconds(1));
  return got();
}

// Sends what handlers could not, in order. False: the job is being stopped.
bool endpoint_state::flush_postponed() {
  if (in_handler) return true;
  while (!waiting_for_memory.empty()) {
    postponed p = waiting_for_memory.front();
    waiting_for_memory.pop_front();
    std::deque<postponed> rest;
    rest.swap(waiting_for_memory);  // so that send() does not come back here
    outgoing m{p.handler,      p.kind, p.header_bytes, p.data.data(), nullptr, p.data.data() + p.header_bytes,
               p.payload_bytes};
    outcome sent = send(p.peer, m);
    // What handlers postponed while we waited comes after what was there before.
    for (postponed& q : waiting_for_memory) rest.push_back(q);
    waiting_for_memory.swap(rest);
    if (sent == outcome::gone && stopping()) return false;
  }
  return true;
}

std::size_t endpoint::payload_access::arrived(void* token, std::size_t wanted) {
  if (token == nullptr) return wanted;
  const auto& cell = *static_cast<transport::arrived_cell*>(token);
  std::size_t there = cell.there();
  if (there < wanted) there = state_.await_rest(cell.source, *cell.filled, wanted);
  return there == transport::unreadable ? 0 : there;
}

std::size_t endpoint::payload_access::written(void* token) const {
  return static_cast<const transport::arrived_cell*>(token)->there();
}

bool endpoint::payload_access::unreadable(void* token) const {
  return token != nullptr && written(token) == transport::unreadable;
}

void endpoint::payload_access::release(void* token) {
  auto* cell = static_cast<transport::arrived_cell*>(token);
  std::uint32_t source = cell->source;
  state_.routes->with(source, [&](auto& way) {
    if (way.arrived().close(cell)) way.wake(source);
  });
}

// --- arriving ---

namespace {
[[noreturn]] void no_buffer(std::uint32_t self, std::uint32_t source) {
  std::fprintf(stderr, "loadstone: defect: a message at process %u names no buffer of process %u\n", self,
               source);
  std::abort();
}
}  // namespace

void endpoint_state::no_handler(const transport::slot& s, std::uint32_t source) const {
  std::fprintf(stderr, "loadstone: defect: no handler %u at process %u for a message of process %u\n",
               s.handler, self, source);
  std::abort();
}

inline verdict endpoint_state::handle(const transport::slot& s, incoming& m, bool queued) {
  registered& h = handlers[s.handler % max_handlers];
  if (h.function == nullptr) [[unlikely]]
    no_handler(s, m.source());
  LOADSTONE_FAULT_POINT("active.arrived");
  in_handler = true;
  const verdict said = h.function(h.context, m, queued);
  in_handler = false;
  LOADSTONE_FAULT_POINT("active.handled");
  return said;
}

void endpoint_state::out_of_order(const transport::slot& s, std::uint32_t source) const {
  std::fprintf(stderr,
               "loadstone: defect: message %u from process %u arrived at process %u where %u was due\n",
               s.sequence, source, self, expected[source][s.kind]);
  std::abort();
}

inline bool endpoint_state::deliver(transport::slot& s, std::uint32_t source, bool fresh, bool queued) {
  if (fresh) {
    std::uint32_t& next = expected[source][s.kind];
    if (s.sequence != next) [[unlikely]]
      out_of_order(s, source);
    ++next;
    ++counts.received;
  }
  if (s.flags != 0) return deliver_buffer(s, source, queued);
  incoming m(s, source, nullptr);
  return handle(s, m, queued) != verdict::left || !queued;
}

// The payload is in a cell, or in the buffer of the pair: then the turn goes back when this has
// returned, no sooner than all of the payload has come, whoever wanted it. False: the message stays
// where it is.
bool endpoint_state::deliver_buffer(transport::slot& s, std::uint32_t source, bool queued) {
  transport::arrived_cell* cell = routes->with(source, [&](auto& way) { return way.payload_of(s, source); });
  if (cell == nullptr) [[unlikely]]
    no_buffer(self, source);
  incoming m(s, source, cell);
  const verdict said = handle(s, m, queued);
  if (said == verdict::kept) return true;
  const bool coming = m.token() != nullptr && !m.can_keep();
  if (coming && said != verdict::left && cell->there() < s.payload_bytes)
    await_rest(source, *cell->filled, s.payload_bytes);
  routes->with(source, [&](auto& way) {
    if (said == verdict::left)
      way.arrived().forget(cell);
    else if (way.arrived().close(cell))
      way.wake(source);
  });
  if (said != verdict::left) return true;
  if (coming) {
    --expected[source][s.kind];
    --counts.received;
  }
  return !coming && !queued;
}

// A payload in the buffer of the pair, as it comes.
endpoint::caught endpoint_state::copy_from_buffer(std::uint32_t peer, const transport::seen_message& m,
                                                  std::byte* to) {
  const std::byte* const from = m.payload;
  const std::size_t bytes = m.payload_bytes;
  const void* why = nullptr;
  const auto copy_all = [&] {
    for (std::size_t at = 0, there = 0; at < bytes; at = there) {
      there = m.there();
      if (there == at && (there = await_rest(peer, *m.filled, at + 1)) == 0) why = base::unfinished;
      if (there == transport::unreadable) why = base::elsewhere;
      if (why != nullptr) return;
      copy::by_turns(to + at, from + at, there - at, bytes);
    }
  };
  static_assert(transport::least_overlapped <= base::least_guarded);
  if (!base::guarded(copy_all)) {
    if (m.filled == nullptr || await_rest(peer, *m.filled, bytes) != 0)
      return endpoint::caught::broken;  // its writer goes on
    why = base::unfinished;
  }
  if (why == nullptr) return endpoint::caught::message;
  base::noted = why;
  return endpoint::caught::broken;
}

bool endpoint_state::poll() {
  if (in_handler) return false;
  bool any = routes->poll(receiver{*this});
  if (!waiting_for_memory.empty()) [[unlikely]]
    flush_postponed();
  if (work.any) [[unlikely]]
    run_deferred();
  return any;
}

// In line from the poll of a line to the handler: what a waiter does until its message is there,
// and once it is.
[[gnu::flatten]] bool endpoint_state::poll_front() {
  bool any = routes->poll_front(receiver{*this});
  if (any && !waiting_for_memory.empty()) [[unlikely]]
    flush_postponed();
  // Before anything else is taken in: a block of ours to be copied for a peer, and then those it
  // has for us.
  if (any && work.any) [[unlikely]]
    run_deferred();
  return any;
}

bool endpoint::poll() {
  const bool any = state_->poll_for_program();
  // Who tests instead of waiting waits all the same.
  auto& waits = state_->on_long_wait;
  if (!any && ++waits.empty_polls % 64 == 0 && waits.tell != nullptr) [[unlikely]]
    waits.tell(waits.context, base::now_ns());
  return any;
}

void endpoint_state::run_deferred() {
  if (!work.later.empty()) {
    // Work may poll, and defer more.
    std::vector<deferred> now;
    now.swap(work.later);
    LOADSTONE_FAULT_POINT("active.deferred");
    for (deferred& d : now) d.work(d.context);
  }
  look();
  work.any = !work.later.empty() || work.looks[0].work != nullptr || work.looks[1].work != nullptr;
}

void endpoint::defer(void (*work)(void*), void* context) {
  state_->work.later.push_back({work, context});
  state_->work.any = true;
}

void endpoint::look(void (*work)(void*), void* context, looker whose) {
  state_->work.looks[static_cast<std::size_t>(whose)] = {work, context};
  state_->work.any = true;  // the next poll may find that there is none
}

// --- flow control ---

void endpoint::refuse_user_traffic(bool refuse) {
  state_->routes->refuse(refuse);
}

void endpoint::search_queues(std::uint32_t source) {
  endpoint_state& s = *state_;
  if (s.in_handler) return;
  s.stop_search = false;
  s.routes->search(source, endpoint_state::receiver{s}, &s.stop_search);
}

bool endpoint::in_handler() const {
  return state_->in_handler;
}

void endpoint::stop_search() {
  state_->stop_search = true;
}

const statistics& endpoint::counts() const {
  endpoint_state& s = *state_;
  static_cast<transport::figures&>(s.counts) = s.routes->counts();
  s.counts.wakeups_sent = s.routes->sleeper().rings();
  return s.counts;
}

}  // namespace loadstone::deposit
