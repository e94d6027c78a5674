// What the programming interfaces of one process share: its place in a job, the core that stands on
// it, and the way to the launcher. MPI opens it, and so may others in the same process; the first
// opens, the last closes.
//
//   runtime& r = runtime::of_process();
//   if (std::string why = r.attach(); !why.empty()) …          // once, whoever comes first
//   base::status opened = r.open({.threads = true, …});  // each interface, matched by close()
//   r.core().p2p->send(…);  r.ask(memory::lookup_name{…}, why);
//   r.close();  // the last one: this process owes its job nothing more
//
// After the last close() the core stays where it is, and may be opened again: a place in a job is
// claimed once, peers may still read what was sent, and libraries call until the process ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "memory/name_table.hpp"
#include "memory/requests.hpp"
#include "rank/rank.hpp"

namespace loadstone {

class runtime {
 public:
  // The one of this process, made at the first call. Never destroyed: libraries may use it from
  // their own destructors, after ours would have run.
  static runtime& of_process();
  // One more, for tests whose ranks are threads of one process: its job and its place there are
  // given.
  runtime(std::unique_ptr<memory::job> job, std::uint32_t self);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // Finds the job of this process and claims the place in it; does nothing if that is done. An
  // answer is a sentence for the user: why not. Nothing can be done then but end.
  std::string attach();
  memory::job& job();  // once attached; so are these
  std::uint32_t self() const { return self_; }
  memory::process_entry& entry() { return job().process(self_); }

  struct wishes {
    bool threads = false;  // several threads at a time. Decided by who opens first, for all
    std::string* complaint =
        nullptr;  // gets a line for each setting that cannot be used, from the first to open
  };
  // One more user of the core. The first makes it; from there on, this process owes its end.
  base::status open(const wishes& how);
  void close();
  bool opened() const { return core_ != nullptr; }  // ever; for those who wait for open() to return
  rank& core() { return *core_; }
  bool threads() const { return threads_; }  // as the first to open has decided

  // Asks the launcher, or, where there is none, answers itself what concerns this process alone.
  template <class Request>
  base::result<typename Request::answer> ask(const Request& request, const wait::reason& why) {
    if (job().header().launcher != 0) return memory::ask(job(), request, why);
    const std::lock_guard guard(lock_);
    return own_names_.serve(self_, request);
  }

 private:
  runtime() = default;
  std::mutex lock_;                   // opening, closing, our own names
  std::unique_ptr<memory::job> job_;  // until the core has it
  std::unique_ptr<rank> core_;
  std::uint32_t self_ = 0;
  int users_ = 0;
  bool threads_ = false;
  memory::name_table own_names_;
};

}  // namespace loadstone
