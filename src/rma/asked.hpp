// By messages to the owner of the memory.
//
// Condition: none. It is for memory that is neither mapped here nor reached by the system's calls.
// Cost: a message for each piece of the data, and an answer to each; a copy more at either end. The
// owner executes them when it looks for messages, in a call or by its progress thread.
//
// The class is the origin's end, and knows the windows; asked_owner is the other one.
//
// No type travels: a request holds the runs of the target's layout that it is about, and a bounded
// number of them. Origins count the pieces of puts they have sent and those answered, which flush
// compares. What is wrong with a put, as the owner finds it, is told by the next flush.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "datatype/op.hpp"
#include "deposit/endpoint.hpp"
#include "rma/asked_owner.hpp"
#include "rma/lock.hpp"
#include "rma/lock_reason.hpp"
#include "rma/window.hpp"
#include "rma/wire_layout.hpp"

namespace loadstone::rma {

class asked {
 public:
  explicit asked(deposit::endpoint& endpoint, memory::job& job);
  asked(const asked&) = delete;
  asked& operator=(const asked&) = delete;

  // From here on others may ask us. Under the gate.
  void add(window& w);
  void remove(window& w);
  // A window that others may ask for; null: there is none of that name.
  window* find(std::uint64_t id) const {
    const auto found = windows_.find(id);
    return found == windows_.end() ? nullptr : found->second;
  }
  // A progress thread is needed, and may change elements of our windows from here on.
  void admit_progress_thread();

  // As those of ways.hpp; the gate is not held.
  trouble put(window& w, std::int32_t rank, const place& at, const local_data& origin,
              const remote_data& where);
  // Packed data for one run. The gate is held.
  trouble put(window& w, target& t, const asked_run& run, const std::byte* data);
  trouble get(window& w, std::int32_t rank, const place& at, const local_data& result,
              const remote_data& where);
  // As those of accumulate_ways.hpp (asked_accumulate.cpp); the gate is not held.
  // `part`: what has not been changed by another way.
  trouble accumulate(window& w, std::int32_t rank, const place& at, const local_data* origin,
                     const local_data* result, const remote_data& where, datatype::op_kind op,
                     const unchanged& part);
  trouble compare_and_swap(window& w, std::int32_t rank, const place& at, const std::byte* in,
                           const std::byte* compare, const local_data& result);
  // The passive lock of a member whose record is not mapped here. Under the gate. False: the owner
  // or somebody it hangs on has died, or the job is being stopped.
  bool lock(window& w, partner& p, bool exclusive, bool joins, const wait::reason& why);
  bool unlock(window& w, partner& p, bool exclusive);
  // Waits for what this target has not answered. Under the gate.
  trouble flush(window& w, target& t);

 private:
  struct request;   // one piece
  struct awaited {  // what an answer brings: data; of a lock nothing
    local_data result;
    std::int64_t missing;
    trouble what = {};
    std::uint32_t pieces = 0;                // asked for, and not answered
    std::optional<lock_holder> holder = {};  // as target::holder, or of the lock itself
  };

  template <class Send>
  trouble send_pieces(const remote_data& where, std::int64_t start, Send&& send);
  trouble send(std::uint32_t process, const asked_request& header, deposit::filler fill, void* context,
               std::size_t bytes);
  template <class Condition>
  bool wait(lock_reason& says, std::uint32_t process, const std::optional<lock_holder>& holder,
            Condition&& over);
  bool dead(std::uint32_t process) const;
  // The number of an operation that is answered with data, a wait before each of its pieces is
  // asked for, and the wait for all of them.
  std::uint64_t expect(awaited& data);
  trouble await_some(window& w, const partner& p, awaited& data);
  trouble await(std::uint64_t number, const awaited& data, const trouble& sent, std::uint32_t process,
                lock_reason& says);
  trouble await(std::uint64_t number, const awaited& data, const trouble& sent, window& w, const partner& p);

  void accept(const asked_answer& header, const std::byte* data, std::size_t bytes);

  deposit::endpoint& endpoint_;
  memory::job& job_;
  std::unordered_map<std::uint64_t, window*> windows_;  // by id
  std::unordered_map<std::uint64_t, awaited*> gets_;    // by number
  std::uint64_t next_ = 1;
  asked_owner owner_;
};

}  // namespace loadstone::rma
