// Everything the C API keeps for one process: its phase, the tables of handles, the predefined
// objects.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "memory/job_layout.hpp"
#include "mpi/attributes.hpp"
#include "mpi/bsend_buffer.hpp"
#include "mpi/communicator.hpp"
#include "mpi/datatype_object.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/errors.hpp"
#include "mpi/event_queue.hpp"
#include "mpi/generated/names.hpp"
#include "mpi/handle_table.hpp"
#include "mpi/op_object.hpp"
#include "mpi/request_object.hpp"
#include "rank/runtime.hpp"

namespace loadstone::mpi {

class call;

enum class phase : std::uint8_t { before_init, running, after_finalize };

class process {
 public:
  process();
  // For tests whose ranks are threads: opens on this job when MPI is initialised.
  process(std::unique_ptr<memory::job> job, std::uint32_t self);
  ~process();
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  // The one accessor: the process, or, in test builds where ranks are threads, the one bound to
  // this thread.
  static process& current() {
    process* const found = known();
    return found != nullptr ? *found : find_current();
  }
  // The same if it has been asked for before; null where ranks are threads.
  static process* known() {
    // Relaxed: what is behind the pointer was there before any thread could call MPI, or is found
    // the other way.
    return the_process_.load(std::memory_order_relaxed);
  }
  static void bind_to_thread(process* p);  // from here on, this thread is that rank

  // --- phases ---
  // Relaxed: a thread that calls MPI has learnt from the initialising thread that it may.
  phase state() const { return phase_.load(std::memory_order_relaxed); }  // of the world model
  bool world() const { return state() == phase::running; }
  // True between MPI_Init and MPI_Finalize, and while a session is open.
  bool running() const { return uses_.load(std::memory_order_relaxed) > 0; }
  int world_rank() const { return world_rank_; }                                      // -1 before MPI_Init
  int thread_level() const { return thread_level_.load(std::memory_order_relaxed); }  // as state()
  bool on_main_thread() const { return std::this_thread::get_id() == main_thread_; }

  int initialize(call& c, int required);  // the world model
  int finalize(call& c);
  int open_session(call& c, int required);  // the library for one more session
  int close_session();

  // --- errors --- The handler for errors that belong to no communicator, window, file or session:
  // MPI_COMM_SELF's, or before initialisation the one the job was started with.
  errhandler* default_error_handler();
  // MPI_FILE_NULL's: for errors on files that are not open, and for each file when it is opened
  // (MPI §14.7).
  errhandler* file_error_handler() const { return file_error_handler_.get(); }
  void set_file_error_handler(errhandler* handler);
  // Is the launcher ending the job?
  bool job_is_ending() const;
  // Is it about to, because another process of it has died or called MPI_Abort? Slow: asks the
  // system.
  bool another_has_failed();
  // Ends the job, whatever the communicator: all processes of a job are connected, and the standard
  // lets MPI_Abort end all of these (§11.5). `text`, without a full stop, is left for mpiexec to
  // print; without a launcher it is printed here.
  [[noreturn]] void end(memory::last_words kind, function f, int code, const std::string& text);
  void release(errhandler* handler);  // one reference less

  // --- the core ---
  bool opened() const { return rank_ != nullptr; }  // by the thread that initialises, or after it
  loadstone::rank& core() { return *rank_; }
  loadstone::runtime& runtime() { return *runtime_; }  // opened likewise
  std::uint32_t self() const { return self_; }
  wait::gate& gate() { return *gate_; }
  std::uint32_t world_size() const { return world_size_; }
  // The function entered last, for mpiexec to name if this rank dies: one store to a line that only
  // we write. Relaxed: a number for people to read.
  void note_call(function f) { last_call_->store(static_cast<std::uint32_t>(f), std::memory_order_relaxed); }
  // A call has looked for something, and polled: mpiexec tells who polls in vain from who computes
  // or talks. Under the gate. Relaxed: as above.
  void note_poll();
  // Something has come to its end that is no message of the core's count. Relaxed: as above;
  // threads that count at a time may count once.
  void note_completed() {
    completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // A fresh id for a communicator that this process leads.
  std::uint64_t new_id() { return communicator_id(self_, next_id_.fetch_add(1, std::memory_order_relaxed)); }
  // Messages between processes that share no communicator yet: ranks are process numbers.
  p2p::scope& bootstrap() { return bootstrap_; }

  // --- communicators ---
  // Gives it a handle, the parent's error handler (or the default) and session.
  MPI_Comm add(std::unique_ptr<communicator> c, communicator* parent);
  // The user's handle, or a request, lets go. Deleted when nothing uses it any more.
  void release(communicator* c);
  void sweep();  // deletes what waited for its last message; under the gate

  // The handle of a layout, for callbacks of the user: that of a live object, or a temporary one
  // (kept until finalize).
  MPI_Datatype handle_of(const loadstone::datatype::type& core);
  void remember(const loadstone::datatype::type* core, MPI_Datatype handle);
  void forget(const loadstone::datatype::type* core, MPI_Datatype handle);

  // Datatypes made from parameters alone: the same parameters give the same handle.
  std::mutex parametric_lock;
  std::map<std::tuple<int, int, int>, MPI_Datatype> parametric_types;
  // What belongs to a function of the user, by its address; made at first use, kept until the
  // process ends.
  void* keep_user_function(const void* key, const std::function<std::shared_ptr<void>()>& make);

  // A send given up by its user while active: finalize waits for it. Under the gate.
  void adopt(p2p::request* r);

  communicator_table comms;
  group_table groups;
  datatype_table types;
  op_table ops;
  info_table infos;
  errhandler_table errhandlers;
  request_table requests;  // but for find(): under the gate
  message_pool message_requests{*this};
  sent_request sent{*this};  // has its handle as long as the library is open
  message_table messages;
  session_table sessions;
  window_table windows;
  file_table files;
  keyval_table keyvals;
  error_registry errors;
  bsend_buffer buffer;  // MPI_Buffer_attach
  info environment;     // MPI_INFO_ENV
  event_queue deferred_events;

  errhandler errors_are_fatal{errhandler_kind::fatal, MPI_ERRORS_ARE_FATAL};
  errhandler errors_abort{errhandler_kind::abort, MPI_ERRORS_ABORT};
  errhandler errors_return{errhandler_kind::returns, MPI_ERRORS_RETURN};

  // Values behind the predefined attributes of MPI_COMM_WORLD (pointers to them are handed out).
  struct {
    int tag_ub, io, host, wtime_is_global, appnum, universe_size;
  } predefined_attributes{};

 private:
  static process& find_current();
  // Null until it is first asked for, and for good where ranks are threads.
  static inline std::atomic<process*> the_process_{nullptr};

  int open(call& c, int required);
  void raise_thread_level(int required);
  void end_use();
  void make_world();
  void drain();
  void fill_environment();
  void add_predefined();

  std::atomic<phase> phase_{phase::before_init};
  std::atomic<int> uses_{0};                         // the world model and each session
  std::mutex lock_;                                  // initialisation, lists below
  std::unique_ptr<loadstone::runtime> own_runtime_;  // where ranks are threads
  loadstone::runtime* runtime_ = nullptr;            // once there is a job
  loadstone::rank* rank_ = nullptr;                  // of the runtime, once it is opened
  wait::gate* gate_ = nullptr;
  std::atomic<std::uint32_t> call_before_start_{0};
  std::atomic<std::uint32_t> polls_before_start_{0}, moved_before_start_{0};
  std::atomic<std::uint32_t> completed_{0};                      // published by note_poll()
  std::atomic<std::uint32_t>* last_call_ = &call_before_start_;  // in job memory once there is a job
  std::atomic<std::uint32_t>* polls_ = &polls_before_start_;     // likewise
  std::atomic<std::uint32_t>* moved_ = &moved_before_start_;     // likewise
  std::uint32_t self_ = 0, world_size_ = 1;
  int world_rank_ = -1;
  std::atomic<int> thread_level_{MPI_THREAD_SINGLE};  // only grows, under lock_
  std::thread::id main_thread_;
  communicator *world_ = nullptr, *self_comm_ = nullptr;
  errhandler* initial_error_handler_ = &errors_are_fatal;
  errhandler_slot file_error_handler_{&errors_return};
  p2p::scope bootstrap_;
  std::atomic<std::uint32_t> next_id_{16};
  std::vector<communicator*> zombies_;
  std::vector<p2p::request*> adopted_;
  std::mutex types_lock_;
  std::unordered_map<const loadstone::datatype::type*, MPI_Datatype> type_handles_;
  std::vector<std::unique_ptr<datatype>> predefined_types_;
  std::vector<std::unique_ptr<op>> predefined_ops_;
  std::unique_ptr<group> empty_group_;
  std::unordered_map<const void*, std::shared_ptr<void>> user_functions_;
};

}  // namespace loadstone::mpi
