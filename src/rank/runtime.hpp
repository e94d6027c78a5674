// What the programming interfaces of one process share: its place in a job, the core (a `rank`),
// and requests to the launcher. MPI is one such interface; others in the same process open the same
// runtime. The first open() makes the core, the last close() ends what the process owes its job.
//
//   runtime& r = runtime::of_process();
//   if (std::string why = r.attach(); !why.empty()) …    // by each interface; the first attaches
//   base::status opened = r.open({.threads = true, …});  // by each interface, matched by close()
//   r.core().p2p->send(…);  r.ask(memory::lookup_name{…}, why);
//   r.close();
//
// The core is not destroyed by the last close(), and the runtime may be opened again: a place in a
// job can be claimed only once, peers may still read what was sent, and libraries may call until
// the process ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "memory/name_table.hpp"
#include "memory/process_id.hpp"
#include "memory/requests.hpp"
#include "rank/rank.hpp"

namespace loadstone {

class runtime {
 public:
  // The runtime of this process, made at the first call. Never destroyed: libraries may use it in
  // their own destructors, which may run after ours.
  static runtime& of_process();
  // A further one, for tests whose ranks are threads of one process: `self` is its place in the
  // job.
  runtime(std::unique_ptr<memory::job> job, std::uint32_t self);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // Finds the job of this process and claims its place there; does nothing if that is done already.
  // Returns an empty string, or a sentence that tells the user why it failed: then the process can
  // only end.
  std::string attach();
  // Why an open() failed. The place in the job is used up with it: nobody can start here any more,
  // and a job of one process would not be what was asked for.
  base::status failure();
  // The next five: only after attach().
  memory::job& job();
  std::uint32_t self() const { return self_; }
  memory::process_entry& entry() { return job().process(self_); }
  // Everything below the programming interfaces knows a process by its peer number: small, dense,
  // this process's own. Only these two know how it goes with identities; now a peer number is an
  // index in the table of the own job. peer_of: code::apart for a process of another job,
  // code::invalid for one that there cannot be.
  memory::process_id id_of(std::uint32_t peer);
  base::result<std::uint32_t> peer_of(const memory::process_id& who);

  struct wishes {
    // May several threads call at a time? The first open() decides it for all.
    bool threads = false;
    // Gets a line for each setting that cannot be used, at the first open().
    std::string* complaint = nullptr;
  };
  // Adds a user of the core. The first makes the core; from then on the job expects this process to
  // close it.
  base::status open(const wishes& how);
  void close();
  bool opened() const { return core_ != nullptr; }  // has open() ever succeeded? Not while it runs
  rank& core() { return *core_; }
  bool threads() const { return threads_; }  // as the first open() decided

  // Sends a request to the launcher and waits for the answer. Without a launcher the process is
  // alone, and the runtime answers itself. `why`: what a report of a hang says about this wait.
  template <class Request>
  base::result<typename Request::answer> ask(const Request& request, const wait::reason& why) {
    if (job().header().launcher != 0) return memory::ask(job(), request, why);
    const std::lock_guard guard(lock_);
    return own_names_.serve(self_, request);
  }

 private:
  runtime() = default;
  std::mutex lock_;                   // guards open(), close() and own_names_
  std::unique_ptr<memory::job> job_;  // until the core owns it
  std::unique_ptr<rank> core_;
  std::uint32_t self_ = 0;
  int users_ = 0;
  bool threads_ = false;
  base::status failure_;          // of the first open()
  memory::name_table own_names_;  // published names, where there is no launcher
};

}  // namespace loadstone
