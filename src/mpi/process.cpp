#include "mpi/process.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/fault.hpp"
#include "memory/last_words.hpp"
#include "memory/liveness.hpp"
#include "mpi/raise.hpp"
#include "mpi/request_object.hpp"
#include "mpi/session.hpp"
#include "mpi/tool.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

thread_local process* bound = nullptr;  // ranks as threads: set by tests only
std::atomic<bool> any_bound{false};

// Prints to standard error in one write, so that lines of several ranks do not mix.
void print(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (n <= 0) return;  // standard error is closed
    done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void stop(const std::string& text) {
  print(text + "\n");
  _exit(1);
}

int not_started(call& c, const base::status& why, const char* when) {
  return c.fail(why.kind == base::code::no_memory ? MPI_ERR_NO_MEM : MPI_ERR_OTHER,
                "the library could not start{}: {} (error {})", when, why.what, why.number);
}

}  // namespace

process::process() = default;

process::process(std::unique_ptr<memory::job> job, std::uint32_t self)
    : own_runtime_(std::make_unique<loadstone::runtime>(std::move(job), self)), self_(self) {}

process::~process() {
  communicators.clear();  // as long as there is a core
}

process& process::find_current() {
  // Relaxed: a thread that was bound sees its own store.
  if (any_bound.load(std::memory_order_relaxed) && bound != nullptr) return *bound;
  // Never destroyed: libraries may call MPI from their own destructors, after ours would have run.
  static process& the_process = *new process;
  // Relaxed, as in known(). Tests whose ranks are threads call bind_to_thread() before any thread
  // gets here.
  if (!any_bound.load(std::memory_order_relaxed)) the_process_.store(&the_process, std::memory_order_relaxed);
  return the_process;
}

void process::bind_to_thread(process* p) {
  bound = p;
  any_bound.store(true, std::memory_order_relaxed);  // only makes find_current() read `bound`
  the_process_.store(nullptr, std::memory_order_relaxed);
}

// --- phases ---

// Called for one more use of MPI (the world model or a session): the first opens the runtime, the
// last closes it. Under lock_.
int process::open(call& c, int required) {
  if (running()) {
    raise_thread_level(required);
    return MPI_SUCCESS;
  }
  if (runtime_ == nullptr) {
    loadstone::runtime& mine = own_runtime_ != nullptr ? *own_runtime_ : loadstone::runtime::of_process();
    if (const base::status before = mine.failure(); !before.ok()) return not_started(c, before, " before");
    if (const std::string why = mine.attach(); !why.empty()) stop(why);
    runtime_ = &mine;
    self_ = mine.self();
    // Set before the core is opened, so that mpiexec can name this call if the process dies
    // meanwhile.
    activity.attach(mine.entry());
    activity.note_call(c.which());
  }
  std::string complaint;
  const base::status e =
      runtime_->open({.threads = required == MPI_THREAD_MULTIPLE, .complaint = &complaint});
  // One rank says it for all, as they have the same environment. Without a message, a wrong setting
  // would look like one without an effect.
  if (self_ == 0 && !complaint.empty()) print("Loadstone: settings that are ignored:\n" + complaint);
  if (!e.ok()) {
    activity.detach();
    runtime_ = nullptr;
    return not_started(c, e, "");
  }
  if (rank_ != nullptr) {
    raise_thread_level(required);
    return MPI_SUCCESS;
  }
  rank_ = &runtime_->core();
  request& sent = message_requests.sent;
  sent.set_handle(handles.requests.insert(&sent));  // no gate: no other thread yet
  gate_ = &rank_->endpoint->gate();
  connect_events(*this);
  const int most = runtime_->threads() ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
  threads_.level.store(std::min(required, most), std::memory_order_relaxed);
  rank_->endpoint->on_unreachable(
      [](void* self, std::uint32_t peer, const base::status& why) {
        auto& p = *static_cast<process*>(self);
        end_with(p, p.activity.last_call(),
                 why.kind == base::code::no_memory ? MPI_ERR_NO_MEM : MPI_ERR_OTHER,
                 fmt::format("the memory of process {} of the job, which messages travel through, cannot be "
                             "mapped: {}",
                             peer, why.what));
      },
      this);
  threads_.main = std::this_thread::get_id();
  communicators.open();
  return MPI_SUCCESS;
}

// MPI_THREAD_MULTIPLE cannot be reached later, as the gate is chosen once, when the runtime is
// opened.
void process::raise_thread_level(int required) {
  if (required > thread_level() && required < MPI_THREAD_MULTIPLE)
    threads_.level.store(required, std::memory_order_relaxed);
}

int process::initialize(call& c, int required) {
  const std::lock_guard guard(lock_);
  if (state() == phase::running)
    return c.fail(MPI_ERR_OTHER, "MPI is initialised already; expected one call in a process");
  if (state() == phase::after_finalize) {
    return c.fail(MPI_ERR_OTHER, "MPI has been finalised; expected no call after MPI_Finalize");
  }
  if (const int error = open(c, required)) return error;
  communicators.make_world();
  world_rank_ = static_cast<int>(self_);
  predefined.fill_attributes();
  predefined.fill_environment();
  LOADSTONE_FAULT_POINT("mpi.initializing");
  // Relaxed: other threads learn from this one that they may call MPI.
  uses_.fetch_add(1, std::memory_order_relaxed);
  phase_.store(phase::running, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

int process::open_session(call& c, int required) {
  const std::lock_guard guard(lock_);
  if (const int error = open(c, required)) return error;
  uses_.fetch_add(1, std::memory_order_relaxed);  // as in initialize()
  return MPI_SUCCESS;
}

int process::close_session() {
  drain();
  const std::lock_guard guard(lock_);
  end_use();
  return MPI_SUCCESS;
}

// Under lock_.
void process::end_use() {
  // As in initialize().
  if (uses_.fetch_sub(1, std::memory_order_relaxed) != 1) return;
  runtime_->close();
}

int process::finalize(call& c) {
  // First, while all of MPI still works: delete the attributes of MPI_COMM_SELF, the one set last
  // first (MPI §11.2.4).
  if (const int error = communicators.self()->attributes.clear(MPI_COMM_SELF)) {
    return c.fail(error, "a delete function of an attribute of MPI_COMM_SELF returned {}", error);
  }
  drain();
  LOADSTONE_FAULT_POINT("mpi.finalizing");
  // No barrier. What was sent has arrived, or lies in job memory, which outlives this process. And
  // a rank that gets here because of an exception (mpi4py calls MPI_Finalize at exit) must not wait
  // for peers that wait for it: it ends, and mpiexec ends the job.
  const std::lock_guard guard(lock_);
  communicators.end_world();
  phase_.store(phase::after_finalize, std::memory_order_relaxed);  // as in initialize()
  end_use();
  LOADSTONE_FAULT_POINT("mpi.finalized");
  return MPI_SUCCESS;
}

// Waits until everything sent has left the memory of the program.
void process::drain() {
  const wait::reason why{0, -1, 0, 0, "messages still to be sent"};
  buffer.flush(*this, why);
  communicators.for_each([&](communicator& comm) { comm.buffer.flush(*this, why); });
  const std::lock_guard guard(gate());
  rank_->p2p->wait_until(
      [&] {
        return std::all_of(adopted_.begin(), adopted_.end(),
                           [](const p2p::request* r) { return r->complete.load(std::memory_order_acquire); });
      },
      why);  // sync: request-complete
  for (p2p::request* r : adopted_) discard(*this, r);
  adopted_.clear();
}

void process::adopt(p2p::request* r) {
  // Before the list would grow: drop those that are complete.
  if (adopted_.size() == adopted_.capacity()) {
    auto kept = adopted_.begin();
    for (p2p::request* old : adopted_) {
      if (old->complete.load(std::memory_order_acquire)) {  // sync: request-complete
        discard(*this, old);
      } else {
        *kept++ = old;
      }
    }
    adopted_.erase(kept, adopted_.end());
  }
  adopted_.push_back(r);
}

// --- errors ---

errhandler* process::default_error_handler() {
  return world() ? communicators.self()->error_handler() : handlers.initial;
}

void process::note_poll(bool found) {
  // Without the questions of others that wait.
  const bool moved =
      activity.note_poll(rank_->p2p->arrivals() - rank_->coll->notes() + rank_->p2p->messages());
  rank_->endpoint->tested(found || moved);
}

void process::release(errhandler* handler) {
  if (handler->release()) {
    handles.errhandlers.remove(handler->handle());
    delete handler;
  }
}

bool process::job_is_ending() const {
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job == nullptr || job->header().launcher == 0) return false;
  // Relaxed: a hint; nothing else is read because of it.
  return job->header().phase.load(std::memory_order_relaxed) ==
         static_cast<std::uint32_t>(memory::job_phase::stopping);
}

bool process::another_has_failed() {
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job == nullptr || job->header().launcher == 0) return false;
  // Relaxed: each word is a hint by itself; nothing else is read because of it.
  if (job->process(self_).met_death.load(std::memory_order_relaxed) != 0) return true;
  for (std::uint32_t i = 0; i < job->header().capacity; ++i) {
    const memory::process_entry& entry = job->process(i);
    const auto state = static_cast<memory::process_state>(entry.state.load(std::memory_order_relaxed));
    if (i == self_ || state == memory::process_state::free || state == memory::process_state::claiming)
      continue;
    // A death that the launcher has seen without ending the job is no failure.
    const bool seen = entry.dead.load(std::memory_order_relaxed) != 0;
    if (entry.words.load(std::memory_order_relaxed) == 0 &&
        (seen || state == memory::process_state::finalized || memory::is_alive(*job, i)))
      continue;
    memory::note_death(*job, i);
    return true;
  }
  return false;
}

void process::end(memory::last_words kind, int code, const std::string& text) {
  const int status = (code & 0xff) == 0 ? 1 : code & 0xff;
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job != nullptr && job->self() != UINT32_MAX && job->header().launcher != 0) {
    memory::leave_last_words(job->process(self_), kind, kind == memory::last_words::abort ? code : status,
                             text);
  } else {
    const std::string who =
        world_rank_ < 0 ? fmt::format("process {}", getpid())
                        : fmt::format("rank {} of MPI_COMM_WORLD (process {})", world_rank_, getpid());
    print(kind == memory::last_words::abort
              ? fmt::format("Loadstone: {} called MPI_Abort with code {} {}.\n", who, code, text)
              : fmt::format("Loadstone: error on {}: {}.\n", who, text));
  }
  std::fflush(nullptr);
  _exit(status);
}

void* process::keep_user_function(const void* key, const std::function<std::shared_ptr<void>()>& make) {
  const std::lock_guard guard(lock_);
  auto& kept = user_functions_[key];
  if (kept == nullptr) kept = make();
  return kept.get();
}

}  // namespace loadstone::mpi
