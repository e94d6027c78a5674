// Both ends of a request: a process asks the launcher of its job something, and waits for the
// answer.
//
//   a process      auto answer = memory::ask(job, memory::lookup_name{"ocean"}, why);
//   the launcher   desk.serve([&](const auto& r) { … desk.answer(r, lookup_name::answer{…}); });
//
// Nobody polls. The launcher sleeps on the area's word until a process calls; a process sleeps on
// the word of its slot. Either end may die at any moment: the launcher frees the slots of dead
// processes, and a process that waits checks now and then whether the launcher lives. A request
// costs a system call or two; it is not for hot paths. models/requests.pml
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/status.hpp"
#include "memory/job.hpp"
#include "memory/request_layout.hpp"
#include "wait/record.hpp"

namespace loadstone::memory {

// Any thread of a process that has claimed its place. Waits while all slots are in use. code::gone:
// there is no launcher, or it has died; code::version: it does not know this request. `why` is what
// hang reports say meanwhile.
base::status ask(job& of, request_kind kind, const void* body, std::size_t bytes, void* answer,
                 std::size_t answer_bytes, const wait::reason& why);

template <class Request>
base::result<typename Request::answer> ask(job& of, const Request& request, const wait::reason& why) {
  static_assert(std::is_trivially_copyable_v<Request> && sizeof(Request) <= sizeof(request_slot::body));
  static_assert(std::is_trivially_copyable_v<typename Request::answer> &&
                sizeof(typename Request::answer) <= sizeof(request_slot::body));
  typename Request::answer answer;
  const base::status asked = ask(of, Request::kind, &request, sizeof request, &answer, sizeof answer, why);
  if (!asked.ok()) return asked;
  return answer;
}

// The launcher's end. One thread.
class request_desk {
 public:
  explicit request_desk(job& of) : area_(of.requests()) {}

  struct request {
    std::uint32_t slot;
    std::uint64_t word;  // as it was taken: says whether the answer is still wanted
    request_kind kind;
    std::uint32_t from, bytes;
    const std::byte* body;  // valid until the answer
    // A copy, so that nobody changes it meanwhile. False: its size is another.
    template <class Request>
    bool read(Request* into) const {
      if (bytes != sizeof *into) return false;
      std::memcpy(into, body, sizeof *into);
      return true;
    }
  };

  // What moves with every request: to be read before serve(), and slept on behind it.
  std::atomic<std::uint32_t>& called() { return area_.called; }
  // Takes each request that is there; it is answered by its handler, or later.
  template <class Handler>
  void serve(Handler&& handle) {
    for (std::uint32_t i = 0; i < request_slots; ++i)
      if (request r{}; take(i, &r)) handle(static_cast<const request&>(r));
  }
  // False: who asked has died meanwhile, and the answer goes nowhere.
  template <class Answer>
  bool answer(const request& to, const Answer& with) {
    static_assert(std::is_trivially_copyable_v<Answer> && sizeof(Answer) <= sizeof(request_slot::body));
    return answer(to, to.kind, &with, sizeof with);
  }
  bool refuse(const request& r) { return answer(r, request_kind::none, nullptr, 0); }  // not known here
  // The process has died: what it held is free again.
  void forget(std::uint32_t process);

 private:
  bool take(std::uint32_t slot, request* r);
  bool answer(const request& to, request_kind kind, const void* with, std::size_t bytes);
  request_area& area_;
};

}  // namespace loadstone::memory
