#include "rma/asked_owner.hpp"

#include <cstring>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/fault.hpp"
#include "copy/strided.hpp"
#include "deposit/handler_ids.hpp"
#include "rma/asked.hpp"
#include "rma/asked_request.hpp"
#include "rma/attached.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

using deposit::outcome;
using deposit::traffic;
using deposit::verdict;

asked_owner::asked_owner(deposit::endpoint& endpoint, memory::job& job, asked& windows)
    : endpoint_(endpoint), job_(job), windows_(windows) {
  const std::lock_guard hold(endpoint.gate());
  endpoint.set_handler(
      deposit::handler_rma_request,
      [](void* self, deposit::incoming& m, bool) {
        static_cast<asked_owner*>(self)->serve(m.source(), read_wire<asked_request>(m.header()), m.payload(),
                                               m.payload_bytes());
        return verdict::consumed;
      },
      this);
}

asked_owner::answer asked_owner::answer_to(std::uint32_t source, const asked_request& header) {
  return {source, {header.window, header.number, header.position, header.rank, 0, 0, 0}, {}};
}

void asked_owner::serve(std::uint32_t source, const asked_request& header, const std::byte* payload,
                        std::size_t bytes) {
  if (window* const w = windows_.find(header.window); w != nullptr) {
    w->want_progress();  // if nobody knew that it may be asked
    return execute(*w, source, header, payload, bytes);
  }
  // Nobody asks before all have joined, or after the last barrier, but where a member has failed.
  answer back = answer_to(source, header);
  back.header.wrong = static_cast<std::uint32_t>(wrong::gone);
  reply(std::move(back));
}

void asked_owner::execute(window& w, std::uint32_t source, const asked_request& header,
                          const std::byte* payload, std::size_t bytes) {
  switch (header.kind) {
    case asked_kind::put:
    case asked_kind::get:
      return move(w, source, header, payload);
    case asked_kind::lock:
      return queue_up(w, source, header);
    case asked_kind::unlock: {
      const auto next = give_back(w.own(), source, header.to != 0);
      if (next && *next != endpoint_.self()) endpoint_.wake(*next);
      return reply(answer_to(source, header));
    }
    case asked_kind::accumulate:
    case asked_kind::get_accumulate:
    case asked_kind::compare_and_swap:
      return change_in_turn(w, source, header, payload, bytes);
  }
}

// True: all of it is there. If not, `back` says so.
bool asked_owner::is_there(window& w, const asked_request& header, const std::byte* payload, answer& back) {
  trouble t;
  if (header.kind == asked_kind::compare_and_swap)
    t = w.check_own({header.from, header.to - header.from, 1, 0}, true);
  const bool written = header.kind == asked_kind::put ||
                       (header.kind != asked_kind::get &&
                        static_cast<datatype::op_kind>(header.op) != datatype::op_kind::no_op);
  for (std::uint32_t i = 0; i < header.runs && t.ok(); ++i)
    t = w.check_own(asked_run_at(payload, i), written);
  if (t.ok()) return true;
  back.header.wrong = static_cast<std::uint32_t>(t.what);
  const bool all = t.what != wrong::missing;
  back.header.from = all ? header.from : t.from;
  back.header.to = all ? header.to : t.to;
  return false;
}

void asked_owner::move(window& w, std::uint32_t source, const asked_request& header,
                       const std::byte* payload) {
  answer back = answer_to(source, header);
  if (!is_there(w, header, payload, back)) return reply(std::move(back));
  const std::byte* data = payload + header.runs * sizeof(asked_run);
  for (std::uint32_t i = 0; i < header.runs; ++i) {
    const asked_run run = asked_run_at(payload, i);
    std::byte* const here = asked_place(w.memory(), run.offset);
    const auto length = static_cast<std::size_t>(run.length);
    if (header.kind == asked_kind::put) {
      copy::strided(here, run.stride, data, run.length, length, run.count);
      data += run.length * run.count;
    } else {
      const std::size_t before = back.data.size();
      back.data.resize(before + length * static_cast<std::size_t>(run.count));
      copy::strided(back.data.data() + before, run.length, here, run.stride, length, run.count);
    }
  }
  LOADSTONE_FAULT_POINT("rma.executed");
  reply(std::move(back));
}

void asked_owner::queue_up(window& w, std::uint32_t source, const asked_request& header) {
  const bool exclusive = header.to > 0, joins = header.to < 0;
  if (try_lock(w.own(), source, exclusive, joins)) return reply(answer_to(source, header));
  waiting_.push_back({w, source, header,
                      lock_waiter(w.own(), static_cast<std::int32_t>(header.from), source, endpoint_.self(),
                                  exclusive, joins)});
  if (!looking_) look_later();
}

void asked_owner::look_later() {
  looking_ = true;
  endpoint_.defer([](void* self) { static_cast<asked_owner*>(self)->look_at_locks(); }, this);
}

// Who is told to wake up for it is us: so each poll looks.
void asked_owner::look_at_locks() {
  for (auto l = waiting_.begin(); l != waiting_.end();) l = look_at(*l) ? waiting_.erase(l) : std::next(l);
  looking_ = false;
  if (!waiting_.empty()) look_later();
}

// True: it is over.
bool asked_owner::look_at(waiting& l) {
  lock_waiter::answer now = l.place.look();
  if (now == lock_waiter::answer::not_yet) {
    const std::uint64_t time = base::now_ns();
    if (l.next_check == 0) l.next_check = time + death_check_every_ns;
    if (time < l.next_check) return false;
    l.next_check = time + death_check_every_ns;
    const lock_holder held = l.place.holder();
    const auto holder = held.process, before = l.place.in_front();
    const auto has_died = [this](std::uint32_t process) { return rma::has_died(endpoint_, job_, process); };
    bool broken = (holder && has_died(*holder)) || (before && has_died(*before));
    for (std::int32_t rank = 0; !holder && !broken && rank < l.of.size();
         ++rank)  // one of its readers, perhaps
      broken = has_died(l.of.process_of(rank));
    if (!broken) return tell(l.source, l.header, held, l.told), false;
    mark_broken(l.of.own());
    now = l.place.look();
  }
  if (now == lock_waiter::answer::taken)
    if (const auto reader = l.place.next_reader(); reader && *reader != endpoint_.self())
      endpoint_.wake(*reader);
  answer back = answer_to(l.source, l.header);
  if (now != lock_waiter::answer::taken) back.header.wrong = static_cast<std::uint32_t>(wrong::gone);
  reply(std::move(back));
  return true;
}

// Who has the lock that the origin's operation waits for here, if that is not what it knows.
void asked_owner::tell(std::uint32_t source, const asked_request& header, const lock_holder& holder,
                       std::optional<lock_holder>& told) {
  if (told == holder) return;
  told = holder;
  answer back = answer_to(source, header);
  back.header.position = not_yet;
  back.header.from = holder.process ? static_cast<std::int64_t>(*holder.process) : -1;
  back.header.to = holder.readers;
  reply(std::move(back));
}

bool asked_owner::try_reply(const answer& a) {
  return endpoint_.send_active(a.to, deposit::handler_rma_answer, traffic::control, &a.header,
                               sizeof a.header, a.data.data(), a.data.size()) != outcome::again;
}

// In a handler: what there is no memory for is sent by a later poll.
void asked_owner::reply(answer&& a) {
  if (replies_.empty() && try_reply(a)) return;
  replies_.push_back(std::move(a));
  if (replies_.size() == 1)
    endpoint_.defer([](void* self) { static_cast<asked_owner*>(self)->send_replies(); }, this);
}

void asked_owner::send_replies() {
  while (!replies_.empty() && try_reply(replies_.front())) replies_.pop_front();
  if (!replies_.empty())
    endpoint_.defer([](void* self) { static_cast<asked_owner*>(self)->send_replies(); }, this);
}

}  // namespace loadstone::rma
