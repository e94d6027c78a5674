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

// One write, so that lines of several ranks do not mix.
void print(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (n <= 0) return;  // nobody is listening
    done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void stop(const std::string& text) {
  print(text + "\n");
  _exit(1);
}

}  // namespace

process::process() {
  add_predefined();
}

process::process(std::unique_ptr<memory::job> job, std::uint32_t self)
    : own_runtime_(std::make_unique<loadstone::runtime>(std::move(job), self)), self_(self) {
  add_predefined();
}

process::~process() {
  delete world_;
  delete self_comm_;
  for (communicator* c : zombies_) delete c;
}

process& process::find_current() {
  // Relaxed: a thread that was bound sees its own store.
  if (any_bound.load(std::memory_order_relaxed) && bound != nullptr) return *bound;
  // Never destroyed: libraries may call MPI from their own destructors, after ours would have run.
  static process& the_process = *new process;
  // Relaxed, as in current(). A thread that comes here at the time of the first bind_to_thread()
  // would keep the way around it open; tests bind before they call.
  if (!any_bound.load(std::memory_order_relaxed)) the_process_.store(&the_process, std::memory_order_relaxed);
  return the_process;
}

void process::bind_to_thread(process* p) {
  bound = p;
  any_bound.store(true, std::memory_order_relaxed);  // only makes find_current() look at `bound`
  the_process_.store(nullptr, std::memory_order_relaxed);
}

// --- phases ---

// One more use of the library: MPI opens the runtime with its first, and closes it with its last.
// Under lock_.
int process::open(call& c, int required) {
  if (running()) {
    raise_thread_level(required);
    return MPI_SUCCESS;
  }
  if (runtime_ == nullptr) {
    loadstone::runtime& mine = own_runtime_ != nullptr ? *own_runtime_ : loadstone::runtime::of_process();
    if (const std::string why = mine.attach(); !why.empty()) stop(why);
    runtime_ = &mine;
    self_ = mine.self();
    world_size_ = mine.job().header().world_size;
    // Told at once: whoever dies while the core opens dies in this call.
    last_call_ = &mine.entry().last_call;
    polls_ = &mine.entry().polls;
    moved_ = &mine.entry().moved;
    note_call(c.which());
  }
  std::string complaint;
  const base::status e =
      runtime_->open({.threads = required == MPI_THREAD_MULTIPLE, .complaint = &complaint});
  // Every rank has the same environment: said once. A mistaken setting must not pass for one that
  // has no effect.
  if (self_ == 0 && !complaint.empty()) print("Loadstone: settings that are ignored:\n" + complaint);
  if (!e.ok()) {
    last_call_ = &call_before_start_;
    polls_ = &polls_before_start_;
    moved_ = &moved_before_start_;
    runtime_ = nullptr;
    return c.fail(e.kind == base::code::no_memory ? MPI_ERR_NO_MEM : MPI_ERR_OTHER,
                  "the library could not start: {} (error {})", e.what, e.number);
  }
  if (rank_ != nullptr) {
    raise_thread_level(required);
    return MPI_SUCCESS;
  }
  rank_ = &runtime_->core();
  sent.set_handle(requests.insert(&sent));  // no other thread is here yet
  gate_ = &rank_->endpoint->gate();
  connect_events(*this);
  const int most = runtime_->threads() ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
  thread_level_.store(std::min(required, most), std::memory_order_relaxed);
  rank_->endpoint->on_unreachable(
      [](void* self, std::uint32_t peer, const base::status& why) {
        auto& p = *static_cast<process*>(self);
        const auto f = static_cast<function>(p.last_call_->load(std::memory_order_relaxed));
        end_with(p, f, why.kind == base::code::no_memory ? MPI_ERR_NO_MEM : MPI_ERR_OTHER,
                 fmt::format("the memory of process {} of the job, which messages travel through, cannot be "
                             "mapped: {}",
                             peer, why.what));
      },
      this);
  main_thread_ = std::this_thread::get_id();
  bootstrap_.context = context_of(communicator_id(0, 2), traffic_kind::setup);
  bootstrap_.rank = static_cast<std::int32_t>(self_);
  for (std::uint32_t i = 0; i < rank_->job->header().capacity; ++i) bootstrap_.peers.push_back(i);
  return MPI_SUCCESS;
}

// The gate is chosen once: what was opened for one thread at a time stays so.
void process::raise_thread_level(int required) {
  if (required > thread_level() && required < MPI_THREAD_MULTIPLE)
    thread_level_.store(required, std::memory_order_relaxed);
}

int process::initialize(call& c, int required) {
  const std::lock_guard guard(lock_);
  if (state() == phase::running)
    return c.fail(MPI_ERR_OTHER, "MPI is initialised already; expected one call in a process");
  if (state() == phase::after_finalize) {
    return c.fail(MPI_ERR_OTHER, "MPI has been finalised; expected no call after MPI_Finalize");
  }
  if (const int error = open(c, required)) return error;
  make_world();
  fill_environment();
  LOADSTONE_FAULT_POINT("mpi.initializing");
  // Relaxed: other threads learn of it from this one, by means of their own.
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

void process::make_world() {
  process_list all(world_size_);
  for (std::uint32_t i = 0; i < world_size_; ++i) all[i] = i;
  world_ = new communicator(*this, communicator_id(0, 0),
                            std::make_shared<const process_list>(std::move(all)), nullptr);
  self_comm_ = new communicator(*this, communicator_id(self_, 1),
                                std::make_shared<const process_list>(process_list{self_}), nullptr);
  world_->set_handle(MPI_COMM_WORLD);
  world_->set_name("MPI_COMM_WORLD");
  world_->set_error_handler(initial_error_handler_);
  self_comm_->set_handle(MPI_COMM_SELF);
  self_comm_->set_name("MPI_COMM_SELF");
  self_comm_->set_error_handler(initial_error_handler_);
  comms.set_predefined(MPI_COMM_WORLD, world_);
  comms.set_predefined(MPI_COMM_SELF, self_comm_);
  world_rank_ = static_cast<int>(self_);
  const memory::process_entry& entry = rank_->job->process(self_);
  predefined_attributes = {
      .tag_ub = INT_MAX,
      .io = MPI_ANY_SOURCE,
      .host = MPI_PROC_NULL,
      .wtime_is_global = 1,
      .appnum = rank_->job->header().launcher != 0 ? static_cast<int>(entry.application) : 0,
      .universe_size = static_cast<int>(world_size_)};
}

int process::finalize(call& c) {
  // First of all, and while MPI still works in full: the attributes of MPI_COMM_SELF, last set
  // first (MPI §11.2.4).
  if (const int error = self_comm_->attributes.clear(MPI_COMM_SELF)) {
    return c.fail(error, "a delete function of an attribute of MPI_COMM_SELF returned {}", error);
  }
  drain();
  LOADSTONE_FAULT_POINT("mpi.finalizing");
  // No barrier: what was sent has arrived or lies in job memory, which outlives us, and a rank that
  // comes here because of an exception (mpi4py calls MPI_Finalize at exit) must not wait for peers
  // that wait for it: it ends, and mpiexec ends the job.
  const std::lock_guard guard(lock_);
  comms.set_predefined(MPI_COMM_WORLD, nullptr);
  comms.set_predefined(MPI_COMM_SELF, nullptr);
  phase_.store(phase::after_finalize, std::memory_order_relaxed);  // as in initialize()
  end_use();
  LOADSTONE_FAULT_POINT("mpi.finalized");
  return MPI_SUCCESS;
}

// Everything sent has left the memory of the program.
void process::drain() {
  const wait::reason why{0, -1, 0, 0, "messages still to be sent"};
  buffer.flush(*this, why);
  // Other threads may free communicators meanwhile (a session is closed): a reference keeps each.
  std::vector<communicator*> held;
  const auto hold = [&](communicator& comm) {
    comm.references.fetch_add(1, std::memory_order_relaxed);  // its handle, which is in the table, holds one
    held.push_back(&comm);
  };
  comms.for_each(hold);
  for (communicator* comm : {world_, self_comm_}) {
    if (comm != nullptr) hold(*comm);
  }
  for (communicator* comm : held) {
    comm->buffer.flush(*this, why);
    release(comm);
  }
  const std::lock_guard guard(gate());
  rank_->p2p->wait_until(
      [](void* context) {
        auto& list = *static_cast<std::vector<p2p::request*>*>(context);
        return std::all_of(list.begin(), list.end(),
                           [](const p2p::request* r) { return r->complete.load(std::memory_order_acquire); });
      },
      &adopted_, why);  // sync: request-complete
  for (p2p::request* r : adopted_) discard(*this, r);
  adopted_.clear();
}

void process::adopt(p2p::request* r) {
  // Now and then: drops those that are complete.
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
  return self_comm_ != nullptr && world() ? self_comm_->error_handler() : initial_error_handler_;
}

void process::set_file_error_handler(errhandler* handler) {
  release(file_error_handler_.exchange(handler));
}

void process::note_poll() {
  std::uint64_t moved = completed_.load(std::memory_order_relaxed) + rank_->endpoint->counts().received;
  for (const std::uint64_t sent : rank_->p2p->counts().messages) moved += sent;
  moved_->store(static_cast<std::uint32_t>(moved), std::memory_order_relaxed);
  polls_->store(polls_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void process::release(errhandler* handler) {
  if (handler->release()) {
    errhandlers.remove(handler->handle());
    delete handler;
  }
}

bool process::job_is_ending() const {
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job == nullptr || job->header().launcher == 0) return false;
  // Relaxed: a hint, nothing else is read behind it.
  return job->header().phase.load(std::memory_order_relaxed) ==
         static_cast<std::uint32_t>(memory::job_phase::stopping);
}

bool process::another_has_failed() {
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job == nullptr || job->header().launcher == 0) return false;
  // Relaxed: each word is a hint on its own, nothing else is read behind it.
  if (job->process(self_).met_death.load(std::memory_order_relaxed) != 0) return true;
  for (std::uint32_t i = 0; i < job->header().capacity; ++i) {
    const memory::process_entry& entry = job->process(i);
    const auto state = static_cast<memory::process_state>(entry.state.load(std::memory_order_relaxed));
    if (i == self_ || state == memory::process_state::free || state == memory::process_state::claiming)
      continue;
    // What the launcher has seen and does not end the job for is no failure.
    const bool seen = entry.dead.load(std::memory_order_relaxed) != 0;
    if (entry.words.load(std::memory_order_relaxed) == 0 &&
        (seen || state == memory::process_state::finalized || memory::is_alive(*job, i)))
      continue;
    memory::note_death(*job, i);
    return true;
  }
  return false;
}

void process::end(memory::last_words kind, function f, int code, const std::string& text) {
  const int status = (code & 0xff) == 0 ? 1 : code & 0xff;
  memory::job* job = runtime_ != nullptr ? &runtime_->job() : nullptr;
  if (job != nullptr && job->self() != UINT32_MAX && job->header().launcher != 0) {
    memory::leave_last_words(job->process(self_), kind, kind == memory::last_words::abort ? code : status,
                             static_cast<std::uint32_t>(f), text);
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

// --- communicators ---

MPI_Comm process::add(std::unique_ptr<communicator> c, communicator* parent) {
  communicator* raw = c.release();
  raw->set_error_handler(parent != nullptr ? parent->error_handler() : initial_error_handler_);
  if (parent != nullptr) raw->session_buffer = parent->session_buffer;
  const MPI_Comm handle = comms.insert(raw);
  raw->set_handle(handle);
  if (handle == MPI_COMM_NULL) delete raw;
  return handle;
}

void process::release(communicator* c) {
  // sync: comm-last — whatever was done with it happens before its deletion
  if (c->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::lock_guard guard(gate());
  zombies_.push_back(c);
  sweep();
}

// Under the gate: messages count themselves there.
void process::sweep() {
  auto kept = zombies_.begin();
  for (communicator* c : zombies_) {
    if (c->in_use() || !c->buffer.empty(*this)) {
      *kept++ = c;
    } else {
      c->for_each_scope([](void* p, p2p::scope& s) { static_cast<process*>(p)->core().p2p->detach(s); },
                        this);
      delete c;
    }
  }
  zombies_.erase(kept, zombies_.end());
}

// --- datatypes ---

void process::remember(const loadstone::datatype::type* core, MPI_Datatype handle) {
  const std::lock_guard guard(types_lock_);
  type_handles_.emplace(core, handle);
}

void process::forget(const loadstone::datatype::type* core, MPI_Datatype handle) {
  const std::lock_guard guard(types_lock_);
  const auto found = type_handles_.find(core);
  if (found != type_handles_.end() && found->second == handle) type_handles_.erase(found);
}

MPI_Datatype process::handle_of(const loadstone::datatype::type& core) {
  {
    const std::lock_guard guard(types_lock_);
    const auto found = type_handles_.find(&core);
    if (found != type_handles_.end()) return found->second;
  }
  core.acquire();
  return new_datatype(*this, &core);
}

void* process::keep_user_function(const void* key, const std::function<std::shared_ptr<void>()>& make) {
  const std::lock_guard guard(types_lock_);
  auto& kept = user_functions_[key];
  if (kept == nullptr) kept = make();
  return kept.get();
}

}  // namespace loadstone::mpi
