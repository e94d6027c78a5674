#include "p2p/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "p2p/state.hpp"

namespace loadstone::p2p {

void broken(const char* what) {
  std::fprintf(stderr, "loadstone: defect in point-to-point messages: %s\n", what);
  std::abort();
}

namespace {

void from_variable(const char* name, std::size_t* value) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == 0) return;
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (end != text && *end == 0) *value = number;
}

}  // namespace

engine_config engine_config::from_environment() {
  engine_config config;
  from_variable("LOADSTONE_EAGER_LIMIT", &config.eager_limit);
  from_variable("LOADSTONE_DIRECT_LIMIT", &config.direct_limit);
  from_variable("LOADSTONE_UNEXPECTED", &config.unexpected_limit);
  from_variable("LOADSTONE_PIPELINE_BLOCK", &config.pipeline_block);
  from_variable("LOADSTONE_STREAM_LIMIT", &config.stream_limit);
  from_variable("LOADSTONE_BOTH_SIDES", &config.both_sides);
  return config;
}

base::result<std::unique_ptr<engine>> engine::open(deposit::endpoint& endpoint, memory::job& job,
                                                   memory::arena& arena, const engine_config& config) {
  std::unique_ptr<engine> made(new engine);
  made->state_ = std::make_unique<state>(endpoint, job, arena, config);
  state* s = made->state_.get();
  // One eager message is one active message; a pipeline block too.
  constexpr std::size_t most = deposit::max_message;
  if (s->config.eager_limit > most) s->config.eager_limit = most;
  if (s->config.pipeline_block > most) s->config.pipeline_block = most;
  if (s->config.pipeline_block == 0) s->config.pipeline_block = 1;
  s->short_limit = static_cast<std::int64_t>(std::min(s->config.eager_limit, inline_payload));
  s->quiet_limit = std::min(static_cast<std::int64_t>(s->config.eager_limit), least_advertised - 1);
  if (s->config.pipeline_window < 2) s->config.pipeline_window = 2;
  // With several threads a long copy lets others in, which one through cells does not.
  if (!config.core_for_each(job.header().cpus, job.header().world_size) || endpoint.gate().threads())
    s->config.stream_limit = 0;
  s->config.both_sides = config.copies_on_both_sides(job.header().cpus, job.header().world_size) ? 1 : 0;
  if (s->config.both_sides == 0) s->config.stream_rules.together = 1;
  // A message in a cell needs nobody; otherwise the progress thread would be wanted for every receive of that length.
  if (s->config.both_sides == 0 || endpoint.has_progress_thread() ||
      s->config.direct_limit > s->config.eager_limit)
    s->config.direct_limit = s->config.eager_limit;
  // Beyond, send_now() has to see where the data lies.
  s->by_turns_limit = static_cast<std::int64_t>(
      std::min(s->config.eager_limit, std::max<std::size_t>(s->config.direct_limit, 8 * 1024)));
  // Who has lowered the eager limit wants senders to wait.
  s->at_once_limit =
      s->config.eager_limit < usual_eager_limit
          ? 0
          : static_cast<std::int64_t>(std::min(s->config.pipeline_block, s->config.stream_limit));
  endpoint.on_starved([](void* context, std::uint32_t peer) { static_cast<state*>(context)->relieve(peer); },
                      s);
  endpoint.set_handler(deposit::handler_p2p_eager, state::on_eager, s, true);
  endpoint.set_handler(deposit::handler_p2p_rendezvous, state::on_rendezvous, s, true);
  endpoint.set_handler(deposit::handler_p2p_clear, state::unless_lost<state::on_clear>, s);
  endpoint.set_handler(deposit::handler_p2p_done, state::on_done, s);
  endpoint.set_handler(deposit::handler_p2p_data, state::unless_lost<state::on_data>, s);
  endpoint.set_handler(deposit::handler_p2p_part, state::unless_lost<state::on_data>, s, true);
  endpoint.set_handler(deposit::handler_p2p_ack, state::unless_lost<state::on_ack>, s);
  endpoint.set_handler(deposit::handler_p2p_advert, state::on_advert, s);
  endpoint.set_handler(deposit::handler_p2p_taken, state::on_taken, s);
  endpoint.set_handler(deposit::handler_p2p_help, state::unless_lost<state::on_help>, s);
  endpoint.set_handler(deposit::handler_p2p_given_back, state::unless_lost<state::on_given_back>, s);
  endpoint.set_handler(deposit::handler_p2p_pushed, state::unless_lost<state::on_pushed>, s);
  return made;
}

engine::~engine() {
  if (state_ == nullptr) return;
  state_->endpoint.on_starved(nullptr, nullptr);
  while (arrival* a = state_->unexpected.first()) {
    state_->take_unexpected(a);
    state_->recycle(a);
  }
  for (void* slab : state_->record_slabs) state_->arena.release(slab);
}

void engine::attach(scope& where) {
  state_->attach(where);
}

void engine::state::attach(scope& where) {
  if (where.sequence != nullptr) return;
  auto made = std::make_shared<scope::sequences>();
  made->members.resize(where.peers.size());
  made->identity = true;
  for (std::size_t r = 0; r < where.peers.size(); ++r) {
    made->members[r].process = where.peers[r];
    made->identity = made->identity && where.peers[r] == r;
  }
  if (!made->identity) {
    for (std::size_t r = 0; r < where.peers.size(); ++r)
      made->rank_of.emplace(where.peers[r], static_cast<std::int32_t>(r));
  }
  where.sequence = std::move(made);
}

void engine::detach(scope& where) {
  // Only erroneous programs leave messages behind; what they occupy is given back all the same.
  for (arrival* a = state_->unexpected.first(); a != nullptr; a = a->next) {
    if (a->key.context == where.context) state_->leftovers.push_back(a);
  }
  for (arrival* a : state_->leftovers) state_->drop(a);
  state_->leftovers.clear();
  state_->incoming.close(where.context);
  for (std::uint32_t process : where.peers) {
    state_->incoming.drop(where.context, process);
    state_->adverts.erase({where.context, process});
  }
  where.sequence = nullptr;
}

std::int32_t engine::state::rank_of(scope& where, std::uint32_t process) {
  const scope::sequences& known = sequences_of(where);
  if (known.identity) return process < where.peers.size() ? static_cast<std::int32_t>(process) : any_source;
  const auto found = known.rank_of.find(process);
  return found == known.rank_of.end() ? any_source : found->second;
}

// --- requests ---

void engine::state::finish_with_more(message_request* r) {
  if (r->advert != nullptr) {
    free_record(r->advert, r->advert_generation);
    r->advert = nullptr;
  }
  if ((endpoint.in_handler() || sending) && r->on_complete != nullptr) {
    finished.push_back(r);
    defer();
    return;
  }
  const bool ours =
      r->detached;  // read first: a callback may free the request, and another may get the object
  announce(r);
  if (ours) recycle(r);
}

void engine::state::note_failure(message_request* r) {
  if (r->kind == request_kind::send) r->result.source = r->peer, r->result.tag = r->tag;
  if (r->result.error == error_peer_aborted) lost[r->process] = 1;
}

void engine::state::announce(request* r) {
  auto* call = r->on_complete;
  r->complete.store(true, std::memory_order_release);  // sync: request-complete
  if (call != nullptr) call(*r, r->context);
}

void engine::state::recycle(message_request* r) {
  requests.give(r);
}

void engine::state::await_turn() {
  const wait::reason why{.detail = "another thread's send"};
  (void)endpoint.wait_until([](void* c) { return !static_cast<state*>(c)->sending; }, this, why);
}

void engine::state::schedule(message_request* r) {
  if (r->scheduled) return;
  r->scheduled = true;
  work.push_back(r);
  if (endpoint.in_handler()) defer();
}

// Something else has finished it in the meantime.
void engine::state::unschedule(message_request* r) {
  if (!r->scheduled) return;
  r->scheduled = false;
  for (std::size_t i = work_next; i < work.size(); ++i)
    if (work[i] == r) work[i] = nullptr;
}

void engine::state::defer() {
  if (deferred || running) return;
  deferred = true;
  endpoint.defer(run_deferred, this);
}

void engine::state::run_deferred(void* self) {
  auto* s = static_cast<state*>(self);
  s->deferred = false;
  for (message_request* r : s->followed) s->schedule(r);
  s->followed.clear();
  s->run_work();
}

// Everything a handler left to do. Callbacks may start operations, which may leave more to do: the loop sees
// it. While a user message waits to leave, transfers go on but callbacks wait: they could send.
void engine::state::run_work() {
  if (running || endpoint.in_handler()) return;
  running = true;
  for (;;) {
    if (finished_next < finished.size() && !sending) {
      message_request* r = finished[finished_next++];
      const bool ours = r->detached;
      announce(r);
      if (ours) recycle(r);
    } else if (work_next < work.size()) {
      message_request* r = work[work_next++];
      if (r == nullptr) continue;
      r->scheduled = false;
      if (r->step == phase::matched)
        start_transfer(r);
      else if (r->step == phase::following)
        copy_written(r);
      else if (r->step == phase::sharing)
        copy_shared(r);
      else if (r->step == phase::helping)
        help(r);
      else if (r->step == phase::clearing)
        pump(r);
      else if (r->step == phase::pushing)
        push(r);
    } else {
      work.clear();
      finished.erase(finished.begin(), finished.begin() + static_cast<std::ptrdiff_t>(finished_next));
      work_next = finished_next = 0;
      if (!keepers.empty()) [[unlikely]]
        take_in();
      if (work.empty() && (finished.empty() || sending)) break;
    }
  }
  running = false;
  if (!followed.empty()) [[unlikely]]
    defer();  // at the next poll
}

void engine::free(request* r) {
  auto* m = static_cast<message_request*>(r);
  // relaxed: completion happens under the gate, which the caller holds
  if (m->complete.load(std::memory_order_relaxed))
    state_->recycle(m);
  else
    m->detached = true, m->plain = false;
}

void engine::want_progress(bool more) {
  if (state_->background) state_->endpoint.want_progress(more);
}

bool engine::leave_to_program(void (*work)(void*), void* context) {
  return state_->background && state_->endpoint.leave_to_program(work, context);
}

void engine::complete(request& r) {
  state_->announce(&r);
}

// --- blocking forms and waiting ---

// Out of line: most callers are on their way to something quick.
[[gnu::noinline]] bool engine::state::poll() {
  const bool any = endpoint.poll();
  run_work();
  return any;
}

bool engine::progress() {
  return state_->poll();
}

bool engine::poll_is_due() {
  return state_->poll_is_due();
}

bool engine::wait_until(deposit::endpoint::predicate done, void* context, const wait::reason& why) {
  if (state_->poll_is_due()) [[unlikely]]
    state_->poll();
  return state_->endpoint.wait_until(done, context, why);
}

bool engine::wait(request& r, const wait::reason& why) {
  if (state_->poll_is_due()) [[unlikely]]
    state_->poll();
  if (r.complete.load(std::memory_order_acquire)) return true;  // sync: request-complete
  return state_->endpoint.wait_until(
      [](void* c) {
        return static_cast<request*>(c)->complete.load(std::memory_order_acquire);
      },  // sync: request-complete
      &r, why);
}

request* engine::send(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag, send_mode mode,
                      bool waits, request* spent) {
  message_request* r = state_->new_request(request_kind::send, where, data, peer, tag, spent);
  r->waits = waits;
  r->process = where.peers[static_cast<std::size_t>(peer)];
  state_->send(r, mode);
  return r;
}

request* engine::receive(matched_message* message, buffer data) {
  scope& where = *message->where;
  message_request* r =
      state_->new_request(request_kind::receive, where, data, any_source, message->key.tag, nullptr);
  state_->receive_from(r, message);
  --where.users;
  state_->run_work();
  return r;
}

void engine::send_wait(scope& where, buffer data, std::int32_t peer, std::int32_t tag, send_mode mode,
                       const wait::reason& why, outcome* result) {
  if (send_now(where, data, peer, tag, mode)) [[likely]] {
    *result = {};
    return;
  }
  request* r = send(where, data, peer, tag, mode, true);
  state_->run_work();
  const bool done = wait(*r, why);
  *result = r->result;
  if (!done) *result = {peer, tag, error_other};
  free(r);
}

void engine::receive_wait(scope& where, buffer data, std::int32_t source, std::int32_t tag,
                          const wait::reason& why, outcome* result) {
  if (receive_now(where, data, source, tag, result)) return;
  request* r = receive(where, data, source, tag, true);
  const bool done = wait(*r, why);
  if (!done) cancel(r);
  *result = r->result;
  if (!done) result->error = error_other;
  free(r);
}

const engine::statistics& engine::counts() const {
  statistics& c = state_->counts;
  c.unexpected_length = state_->unexpected.size();
  c.posted_length = state_->posted.size();
  return c;
}

}  // namespace loadstone::p2p
