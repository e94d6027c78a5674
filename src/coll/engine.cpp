#include "coll/engine.hpp"

#include "coll/engine_state.hpp"

namespace loadstone::coll {

namespace {
constexpr std::int32_t error_stopped = 16;    // MPI_ERR_OTHER: the job is being stopped
constexpr std::int32_t error_no_memory = 39;  // MPI_ERR_NO_MEM
}  // namespace

engine::engine(p2p::engine& p2p, const choices& algorithms) : engine(make_messenger(p2p)) {
  state_->choices = algorithms;
}

engine::engine(std::unique_ptr<messenger> messages) : state_(std::make_unique<state>()) {
  state_->messages = std::move(messages);
}

engine::~engine() = default;

shared_areas::shared_areas() = default;
shared_areas::~shared_areas() = default;

// It depends on what is the same at all members only.
bool engine::state::may_share(const group_view& g) {
  if (g.areas == nullptr || !memory || g.inter || g.local_size < 2 || g.local_size > model::most_with_areas)
    return false;
  using answer = shared_areas::answer;
  answer& possible = g.areas->possible_;
  if (possible == answer::unasked) possible = memory->reaches(g.local->peers) ? answer::yes : answer::no;
  if (possible != answer::yes) return false;
  if (g.areas->levels_ == nullptr)
    g.areas->levels_ = std::make_unique<levels>(memory->localities(g.local->peers));
  return true;
}

areas& engine::state::areas_of(const group_view& g, schedule& s, std::int64_t bytes) {
  const auto make = [&](std::int64_t slot) {
    return std::make_unique<areas>(*memory, g.local->peers, g.rank, static_cast<std::size_t>(slot));
  };
  if (g.persistent) {
    s.own_areas_ = make(bytes);
    return *s.own_areas_;
  }
  if (g.areas->made_ == nullptr) g.areas->made_ = make(choices::area_bytes);
  return *g.areas->made_;
}

choices& engine::algorithms() {
  state_->repeated.forget([this](schedule* s) { state_->retire(*s); });
  return state_->choices;
}

void engine::share(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena) {
  state_->memory.emplace(endpoint, job, arena);
  state_->looking.open(endpoint);
}

void engine::watch(deposit::endpoint& endpoint) {
  state_->differences.watch(endpoint);
}

std::string engine::explanation() {
  return state_->differences.explanation();
}

std::uint64_t engine::notes() const {
  return state_->differences.notes();
}

schedule* engine::state::take(const group_view& g) {
  schedule* s;
  if (idle.empty()) {
    schedules.push_back(std::make_unique<schedule>(*messages));
    s = schedules.back().get();
    idle.reserve(schedules.size());  // so that giving one back cannot fail
    looking.reserve(schedules.size());
  } else {
    s = idle.back();
    idle.pop_back();
    s->clear();
  }
  s->reuse_.idle = &idle;
  s->lookers_ = &looking;
  s->scopes_[0] = g.local;
  s->scopes_[1] = g.remote == g.local ? nullptr : g.remote;
  return s;
}

void engine::start(schedule* s) {
  s->start(true);
}

void engine::wait_begins(schedule& s) {
  if (!s.active_ || s.waited_ != schedule::waited::not_yet) return;
  s.waited_ = schedule::waited::now;
  // Those to come hear it when they are posted.
  if (s.pending_ == 0) return;
  for (const schedule::step& step : s.steps_)
    if (step.request != nullptr) state_->messages->wait_begins(*step.request);
}

bool engine::wait(schedule& s, const wait::reason& why) {
  wait_begins(s);
  if (s.active_) s.look_no_more();
  return state_->wait(s, why);
}

// For words in areas: whoever waits looks, and says for whom.
bool engine::state::wait_in_areas(schedule& s, const wait::reason& why) {
  struct waiting {
    schedule& s;
    wait::reason why;
    char detail[wait::longest_detail + 1];
    std::uint64_t described = ~std::uint64_t{0};

    void name() {
      if (!s.there_.begun) return;
      const std::int32_t whom = missing_members(*s.areas_).first();
      why.peer = whom < 0 ? -1 : static_cast<std::int32_t>(s.areas_->process_of(whom));
    }
    bool over() {
      if (s.complete.load(std::memory_order_relaxed)) return true;
      if (s.there_.begun) s.advance();  // else its messages do so, or whoever is before it in line
      if (s.complete.load(std::memory_order_relaxed)) return true;
      // Words are written when they change: whoever waits polls for others meanwhile.
      if (why.since != 0 && s.there_.begun && described != missing_members(*s.areas_).described()) {
        described = missing_members(*s.areas_).described();
        name();
        missing_members(*s.areas_).describe(detail, sizeof detail);
        why.detail = detail;
      }
      return false;
    }
  } w{s, why, {}};
  const auto over = [&] { return w.over(); };
  // Those with whom we share our core are to come first. As long as what we wait for comes nearer,
  // they do: it takes as many yields as there are members, and a sleep costs more. Nobody looks for
  // messages meanwhile.
  while (s.there_.begun && s.areas_->crowded() && s.pending_ == 0) {
    const auto before = s.near();
    const auto stay = [&] { return s.areas_->waits_for_other_cores(); };
    if (memory->endpoint().yield_until(over, stay)) return messages->wait(s, why);
    if (s.near() == before) break;
  }
  w.name();
  return messages->wait_until(over, w.why);
}

std::int32_t engine::run_at_once(schedule* s) {
  if (!s) return error_no_memory;
  if (s->areas_ == nullptr) {
    s->start(false);
    return not_yet;
  }
  if (!s->run_at_once()) return not_yet;
  state_->messages->poll_if_due();
  const std::int32_t error = s->error_;
  destroy(s);
  return error;
}

std::int32_t engine::run_on(schedule& s, const wait::reason& why) {
  const std::int32_t error = state_->wait(s, why) ? s.result.error : error_stopped;
  destroy(&s);
  return error;
}

void engine::destroy(schedule* s) {
  if (state_->repeated.keeps(*s)) return;
  if (s->active_) {
    s->abandon();
    return;
  }
  state_->retire(*s);
}

}  // namespace loadstone::coll
