// The state of MPI in one process: whether it is initialised, and the objects that belong to it,
// each in a file of its own: tables of handles, predefined objects, communicators and others. Also
// access to the runtime (src/rank).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "mpi/activity.hpp"
#include "mpi/bsend_buffer.hpp"
#include "mpi/communicators.hpp"
#include "mpi/error_handlers.hpp"
#include "mpi/errors.hpp"
#include "mpi/event_queue.hpp"
#include "mpi/handle_tables.hpp"
#include "mpi/part_tray.hpp"
#include "mpi/predefined.hpp"
#include "mpi/representations.hpp"
#include "mpi/request_object.hpp"
#include "mpi/type_handles.hpp"
#include "rank/runtime.hpp"

namespace loadstone::mpi {

class call;

enum class phase : std::uint8_t { before_init, running, after_finalize };

class process {
 public:
  process();
  // For tests whose ranks are threads: the place `self` in this job, used when MPI is initialised.
  process(std::unique_ptr<memory::job> job, std::uint32_t self);
  ~process();
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  // The only way to global state: the object of this process, or, in tests whose ranks are threads,
  // the one bound to this thread.
  static process& current() {
    process* const found = known();
    return found != nullptr ? *found : find_current();
  }
  // The same, in one load, if current() has been called before; else null. Null where ranks are
  // threads.
  static process* known() {
    // Relaxed: a thread that calls MPI learnt that it may from the one that initialised, and so
    // sees what that wrote.
    return the_process_.load(std::memory_order_relaxed);
  }
  static void bind_to_thread(process* p);  // for tests: from now on this thread is that rank

  // --- phases ---
  // Relaxed: a thread that calls MPI learnt that it may from the thread that initialised.
  phase state() const { return phase_.load(std::memory_order_relaxed); }  // of the world model
  bool world() const { return state() == phase::running; }
  // True between MPI_Init and MPI_Finalize, and while a session is open.
  bool running() const { return uses_.load(std::memory_order_relaxed) > 0; }
  int world_rank() const { return world_rank_; }                                       // -1 before MPI_Init
  int thread_level() const { return threads_.level.load(std::memory_order_relaxed); }  // as state()
  bool on_main_thread() const { return std::this_thread::get_id() == threads_.main; }

  int initialize(call& c, int required);  // the world model
  int finalize(call& c);
  int open_session(call& c, int required);  // one session more
  int close_session();

  // --- errors ---
  //
  // The handler for errors that belong to no communicator, window, file or session: that of
  // MPI_COMM_SELF, or, before initialisation, the one that the job was started with.
  errhandler* default_error_handler();
  void release(errhandler* handler);  // drops one reference
  // Is the launcher ending the job?
  bool job_is_ending() const;
  // Is it about to, because another process of the job has died or called MPI_Abort? Slow: asks the
  // system.
  bool another_has_failed();
  // Ends the job, whatever the communicator: all its processes are connected, and the standard
  // allows MPI_Abort to end all connected processes (§11.5). mpiexec prints `text`, a sentence
  // without a full stop; without a launcher it is printed here.
  [[noreturn]] void end(memory::last_words kind, int code, const std::string& text);

  // --- the core ---
  bool opened() const { return rank_ != nullptr; }  // by the thread that initialises, or after it
  loadstone::rank& core() { return *rank_; }
  loadstone::runtime& runtime() { return *runtime_; }  // opened likewise
  std::uint32_t self() const { return self_; }         // as a peer number
  memory::process_id id() const { return runtime_->id_of(self_); }
  wait::gate& gate() { return *gate_; }
  std::uint32_t world_size() const { return runtime_->job().header().world_size; }
  // A call that tests or probes has polled, and found what it looks for or not: counts that
  // (activity.hpp), and may give the core away (endpoint::tested). Under the gate.
  void note_poll(bool found);
  // Takes a send that the user has freed while it is active: MPI_Finalize waits for it. Under the
  // gate.
  void adopt(p2p::request* r);
  // An object that belongs to a function of the user, found by its address. Made at the first use,
  // kept until the process ends.
  void* keep_user_function(const void* key, const std::function<std::shared_ptr<void>()>& make);

  handle_tables handles;
  error_handlers handlers;
  error_registry errors;  // error classes and codes of the user
  type_handles layouts{*this};
  predefined_objects predefined{*this};
  mpi::communicators communicators{*this};
  representations known_representations;
  message_pool message_requests{*this};
  bsend_buffer buffer;  // MPI_Buffer_attach
  part_trays trays{*this};
  mpi::activity activity;
  event_queue deferred_events;

 private:
  static process& find_current();
  // Null until the first call of current(), and always where ranks are threads.
  static inline std::atomic<process*> the_process_{nullptr};

  int open(call& c, int required);
  void raise_thread_level(int required);
  void end_use();
  void drain();

  std::atomic<phase> phase_{phase::before_init};
  std::atomic<int> uses_{0};                         // the world model and each session
  std::mutex lock_;                                  // guards initialisation, and user_functions_
  std::unique_ptr<loadstone::runtime> own_runtime_;  // where ranks are threads
  loadstone::runtime* runtime_ = nullptr;            // null before there is a job
  loadstone::rank* rank_ = nullptr;                  // of the runtime; null before that is opened
  wait::gate* gate_ = nullptr;
  std::uint32_t self_ = 0;
  int world_rank_ = -1;
  struct {
    std::atomic<int> level{MPI_THREAD_SINGLE};  // only grows, under lock_
    std::thread::id main;
  } threads_;
  std::vector<p2p::request*> adopted_;
  std::unordered_map<const void*, std::shared_ptr<void>> user_functions_;
};

}  // namespace loadstone::mpi
