// The owner of memory that others ask for by messages (asked.hpp): it executes what they ask, in
// handlers and later polls, and answers.
//
// What has to wait, for a lock or for memory to answer, is kept, and tried again at later polls.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <vector>

#include "deposit/endpoint.hpp"
#include "rma/lock.hpp"
#include "rma/window.hpp"
#include "rma/wire_layout.hpp"

namespace loadstone::rma {

class asked_owner {
 public:
  asked_owner(deposit::endpoint& endpoint, memory::job& job, asked& windows);
  asked_owner(const asked_owner&) = delete;
  asked_owner& operator=(const asked_owner&) = delete;

  // The window is about to go: nobody waits for its lock any more. Under the gate.
  void forget(const window& w) {
    waiting_.remove_if([&w](const waiting& l) { return &l.of == &w; });
  }

 private:
  struct answer {
    std::uint32_t to;
    asked_answer header;
    std::vector<std::byte> data;
  };
  struct waiting {  // for our lock, on behalf of `source`
    window& of;
    std::uint32_t source;
    asked_request header;
    lock_waiter place;
    std::uint64_t next_check = 0;
    std::optional<lock_holder> told = {};  // that it waits for
  };
  struct kept {  // a request that has to wait
    std::uint32_t from;
    asked_request header;
    std::vector<std::byte> payload;
    std::int64_t done;               // elements of an accumulate
    std::vector<std::byte> fetched;  // what they were before
    std::uint64_t next_check = 0;    // of who has the lock
    std::optional<lock_holder> told = {};
  };

  void serve(std::uint32_t source, const asked_request& header, const std::byte* payload, std::size_t bytes);
  void execute(window& w, std::uint32_t source, const asked_request& header, const std::byte* payload,
               std::size_t bytes);
  static answer answer_to(std::uint32_t source, const asked_request& header);
  static bool is_there(window& w, const asked_request& header, const std::byte* payload, answer& back);
  void move(window& w, std::uint32_t source, const asked_request& header, const std::byte* payload);
  void queue_up(window& w, std::uint32_t source, const asked_request& header);
  void change_in_turn(window& w, std::uint32_t source, const asked_request& header, const std::byte* payload,
                      std::size_t bytes);
  bool try_change(window& w, kept& k);
  static bool change(window& w, kept& k);
  bool holder_has_died(window& w, kept& k);
  void tell(std::uint32_t source, const asked_request& header, const lock_holder& holder,
            std::optional<lock_holder>& told);
  void retry();
  bool look_at(waiting& w);
  void look_later();
  void look_at_locks();
  void reply(answer&& a);
  bool try_reply(const answer& a);
  void send_replies();

  deposit::endpoint& endpoint_;
  memory::job& job_;
  asked& windows_;
  std::deque<answer> replies_;  // there was no memory for them
  std::list<waiting> waiting_;
  bool looking_ = false;      // is a look at them deferred?
  std::deque<kept> blocked_;  // accumulates that found a lock taken, and those that came after them
};

}  // namespace loadstone::rma
