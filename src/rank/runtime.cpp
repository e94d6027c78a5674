#include "rank/runtime.hpp"

#include <cstdlib>

#include "memory/launch_environment.hpp"
#include "rank/settings.hpp"
#include "rma/copy_thread.hpp"

namespace loadstone {

runtime& runtime::of_process() {
  static runtime& the_one = *new runtime;
  return the_one;
}

runtime::runtime(std::unique_ptr<memory::job> job, std::uint32_t self) : job_(std::move(job)), self_(self) {}

runtime::~runtime() = default;

memory::job& runtime::job() {
  return core_ != nullptr ? *core_->job : *job_;
}

std::string runtime::attach() {
  const std::lock_guard guard(lock_);
  if (core_ != nullptr || job_ != nullptr) return {};
  if (!failure_.ok()) return std::string("the library could not start before: ") + failure_.what;
  const auto most = memory::arena_limit_of(value_of(variables_of_environment(), "LOADSTONE_ARENA_LIMIT"));
  memory::found_job found = memory::find_job(most);
  if (found.view == nullptr) return found.error;
  job_ = std::move(found.view);
  self_ = found.self;
  // By this note mpiexec tells a program that ends without MPI_Finalize from one that was killed
  // while its parent, a shell, ended normally. `this` lives as long as the process.
  on_exit(
      [](int status, void* self) {
        auto& mine = *static_cast<runtime*>(self);
        if (mine.core_ != nullptr || mine.job_ != nullptr) mine.job().note_exit(status);
      },
      this);
  return {};
}

memory::process_id runtime::id_of(std::uint32_t peer) {
  // Relaxed: it was read with acquire when the job was attached, and stays.
  return {job().header().ready.load(std::memory_order_relaxed), peer};
}

base::result<std::uint32_t> runtime::peer_of(const memory::process_id& who) {
  if (who.job != id_of(self_).job) {
    return base::status{base::code::apart, 0,
                        "it belongs to another job, to which this process is not connected"};
  }
  if (who.index >= job().header().capacity)
    return base::status{base::code::invalid, 0, "this job has no such process"};
  return who.index;
}

base::status runtime::failure() {
  const std::lock_guard guard(lock_);
  return failure_;
}

base::status runtime::open(const wishes& how) {
  const std::lock_guard guard(lock_);
  if (!failure_.ok()) return failure_;
  if (core_ == nullptr) {
    const variables given = variables_of_environment();
    if (how.complaint != nullptr) *how.complaint = complaints_about(given);
    rank::config config = config_of(given);
    (void)machine_of(&config);
    config.threads = config.endpoint.threads = how.threads;
    auto opened = rank::open(std::move(job_), self_, config);
    if (!opened) return failure_ = opened.error();
    core_ = std::move(*opened);
    threads_ = how.threads;
  } else if (users_ == 0) {
    core_->endpoint->background().allow(true);
  }
  if (users_++ != 0) return base::status::success();
  core_->heap->allow(true);  // last, so that the library's own blocks are in ordinary memory
  core_->job->enter(memory::process_state::initialized);
  return base::status::success();
}

void runtime::close() {
  const std::lock_guard guard(lock_);
  if (--users_ != 0) return;
  core_->job->enter(memory::process_state::finalized);
  core_->endpoint->background().allow(false);
  core_->rma->for_others().stop();
  core_->heap->allow(false);
}

}  // namespace loadstone
