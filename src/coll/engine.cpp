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

choices& engine::algorithms() {
  return state_->choices;
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
  } else {
    s = idle.back();
    idle.pop_back();
    s->clear();
  }
  s->idle_ = &idle;
  s->scopes_[0] = g.local;
  s->scopes_[1] = g.remote == g.local ? nullptr : g.remote;
  return s;
}

void engine::start(schedule* s) {
  s->start();
  if (!s->active_) return;
  s->in_background_ = true;
  state_->messages->want_progress(true);
}

std::int32_t engine::run(schedule* s, const wait::reason& why) {
  if (!s) return error_no_memory;
  s->start();
  if (!state_->messages->wait(*s, why)) {
    destroy(s);
    return error_stopped;
  }
  const std::int32_t error = s->result.error;
  destroy(s);
  return error;
}

void engine::destroy(schedule* s) {
  if (s->active_) {
    s->abandoned_ = true;
    return;
  }
  s->release_parts();
  state_->idle.push_back(s);
}

}  // namespace loadstone::coll
