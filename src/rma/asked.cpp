#include "rma/asked.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/fault.hpp"
#include "copy/strided.hpp"
#include "datatype/cursor.hpp"
#include "deposit/handler_ids.hpp"
#include "rma/asked_request.hpp"
#include "rma/attached.hpp"
#include "rma/engine.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

using base::code;
using base::status;
using deposit::outcome;
using deposit::traffic;
using deposit::verdict;

namespace {

constexpr std::size_t most_runs = most_asked_runs;
constexpr std::int64_t most_bytes = 128 * 1024;
constexpr std::uint32_t most_unanswered = 8;  // pieces of what is answered with data
static_assert(sizeof(asked_request) + sizeof(asked_run) + 8 <= deposit::max_inline);
static_assert(sizeof(asked_request) <= deposit::max_header && sizeof(asked_answer) <= deposit::max_header);
static_assert(most_runs * sizeof(asked_run) + most_bytes <= deposit::max_message);

}  // namespace

namespace {

trouble gone() {
  return trouble::of({code::gone, 0, "the target has died, or the job is being stopped"});
}

wait::reason reason_for(std::uint64_t window, std::uint32_t process, const char* what) {
  return {.peer = static_cast<std::int32_t>(process),
          .tag = -1,
          .communicator = wait::is_window | window,
          .detail = what};
}

}  // namespace

asked::asked(deposit::endpoint& endpoint, memory::job& job)
    : endpoint_(endpoint), job_(job), owner_(endpoint, job, *this) {
  const std::lock_guard hold(endpoint.gate());
  endpoint.set_handler(
      deposit::handler_rma_answer,
      [](void* self, deposit::incoming& m, bool) {
        static_cast<asked*>(self)->accept(read_wire<asked_answer>(m.header()), m.payload(),
                                          m.payload_bytes());
        return verdict::consumed;
      },
      this);
}

void asked::add(window& w) {
  windows_.emplace(w.id(), &w);
}

void asked::remove(window& w) {
  if (const auto found = windows_.find(w.id()); found == windows_.end() || found->second != &w) return;
  windows_.erase(w.id());
  owner_.forget(w);
}

void asked::admit_progress_thread() {
  endpoint_.background().admit();
  for (const auto& [id, w] : windows_)
    if (target* const self = w->known(w->rank())) self->alone = false;
}

// --- the origin ---

bool asked::dead(std::uint32_t process) const {
  return job_.process(process).dead.load(std::memory_order_acquire) != 0;  // sync: process-dead
}

// Until `over` or the target is dead. False: `over` does not hold. The owner may tell of a holder
// meanwhile.
template <class Condition>
bool asked::wait(lock_reason& says, std::uint32_t process, const std::optional<lock_holder>& holder,
                 Condition&& over) {
  wait_for_members(
      endpoint_, says.why,
      [&] {
        says.name(holder);
        return over() || dead(process);
      },
      [&] { return has_died(endpoint_, job_, process); });
  return over();
}

// Waits as long as our own buffers are used up. Who gives one back wakes us; what else a message
// may have to wait for send_active() does, which is no part of a condition.
trouble asked::send(std::uint32_t process, const asked_request& header, deposit::filler fill, void* context,
                    std::size_t bytes) {
  constexpr deposit::handler_id to = deposit::handler_rma_request;
  outcome sent =
      endpoint_.send_active(process, to, traffic::control, &header, sizeof header, fill, context, bytes);
  while (sent == outcome::again) {
    std::optional<outcome> attempt = outcome::again;
    lock_reason says(reason_for(header.window, process, "memory to ask a target"), process);
    const bool over = wait(says, process, std::nullopt, [&] {
      // A condition may be evaluated again after it has held.
      if (attempt == outcome::again)
        attempt = endpoint_.attempt_active(process, to, traffic::control, &header, sizeof header, fill,
                                           context, bytes);
      return attempt != outcome::again;
    });
    if (!over) return gone();
    sent = attempt ? *attempt
                   : endpoint_.send_active(process, to, traffic::control, &header, sizeof header, fill,
                                           context, bytes);
  }
  LOADSTONE_FAULT_POINT("rma.asked");
  if (sent == outcome::sent) return {};
  return gone();
}

// Calls send(piece) for each piece of the target's layout.
template <class Send>
trouble asked::send_pieces(const remote_data& where, std::int64_t start, Send&& send) {
  const std::int64_t bytes = where.bytes();
  const datatype::program* const program = where.type->compiled();
  if (program == nullptr) return trouble::of({code::no_memory, 0, "no memory to compile a datatype"});
  datatype::cursor there(reinterpret_cast<const void*>(start), where.count, *where.type, *program, 0);
  request piece;
  while (piece.position < bytes) {
    piece.used = 0;
    piece.bytes = 0;
    while (piece.used < most_runs && piece.bytes < most_bytes && piece.position + piece.bytes < bytes) {
      const auto r = there.next(std::min(bytes - piece.position, most_bytes) - piece.bytes);
      piece.runs[piece.used++] = {static_cast<std::int64_t>(r.address), r.length, r.count, r.stride};
      piece.bytes += r.length * r.count;
    }
    if (trouble t = send(piece); !t.ok()) return t;
    piece.position += piece.bytes;
  }
  return {};
}

trouble asked::put(window& w, std::int32_t rank, const place& at, const local_data& origin,
                   const remote_data& where) {
  const std::lock_guard hold(endpoint_.gate());
  return send_pieces(where, at.offset, [&](request& piece) {
    const asked_request header{.window = w.id(),
                               .position = piece.position,
                               .from = at.offset + where.lowest(),
                               .to = at.offset + where.highest(),
                               .rank = rank,
                               .runs = static_cast<std::uint16_t>(piece.used),
                               .kind = asked_kind::put};
    piece.origin = &origin;
    w.count_asked(*at.to);
    return send(at.to->process, header, request::fill, &piece, piece.payload_bytes());
  });
}

trouble asked::put(window& w, target& t, const asked_run& run, const std::byte* data) {
  struct payload {
    const asked_run& run;
    const std::byte* data;
    static void fill(void* context, std::size_t from, std::byte* to, std::size_t bytes) {
      const auto& p = *static_cast<payload*>(context);
      for (; bytes != 0 && from < sizeof p.run; --bytes)
        *to++ = reinterpret_cast<const std::byte*>(&p.run)[from++];
      if (bytes != 0) std::memcpy(to, p.data + (from - sizeof p.run), bytes);
    }
  } all{run, data};
  const std::int64_t last = run.offset + (run.count - 1) * run.stride;
  const asked_request header{.window = w.id(),
                             .from = std::min(run.offset, last),
                             .to = std::max(run.offset, last) + run.length,
                             .rank = t.rank,
                             .runs = 1,
                             .kind = asked_kind::put};
  w.count_asked(t);
  return send(t.process, header, payload::fill, &all,
              sizeof run + static_cast<std::size_t>(run.length * run.count));
}

trouble asked::get(window& w, std::int32_t rank, const place& at, const local_data& result,
                   const remote_data& where) {
  const std::lock_guard hold(endpoint_.gate());
  awaited get{result, where.bytes()};
  const std::uint64_t number = expect(get);
  trouble t = send_pieces(where, at.offset, [&](request& piece) {
    if (trouble late = await_some(w, *at.to, get); !late.ok()) return late;
    const asked_request header{.window = w.id(),
                               .number = number,
                               .position = piece.position,
                               .from = at.offset + where.lowest(),
                               .to = at.offset + where.highest(),
                               .rank = rank,
                               .runs = static_cast<std::uint16_t>(piece.used),
                               .kind = asked_kind::get};
    return send(at.to->process, header, request::fill, &piece, piece.run_bytes());
  });
  return await(number, get, t, w, *at.to);
}

// Before the next piece is asked for: the owner keeps what it has no memory to send.
trouble asked::await_some(window& w, const partner& p, awaited& data) {
  lock_reason says(reason_for(w.id(), p.process, w.sync().answer_in_epoch(p)), p.process, "memory of ");
  const bool came = data.pieces < most_unanswered || wait(says, p.process, data.holder, [&] {
                      return data.pieces < most_unanswered || !data.what.ok();
                    });
  if (!came) return gone();
  ++data.pieces;
  return data.what;
}

std::uint64_t asked::expect(awaited& data) {
  const std::uint64_t number = next_++;
  gets_.emplace(number, &data);
  return number;
}

trouble asked::await(std::uint64_t number, const awaited& data, const trouble& sent, std::uint32_t process,
                     lock_reason& says) {
  const auto over = [&] { return data.missing == 0 || !data.what.ok(); };
  const bool came = sent.ok() && wait(says, process, data.holder, over);
  gets_.erase(number);
  if (!sent.ok()) return sent;
  return came ? data.what : gone();
}

trouble asked::await(std::uint64_t number, const awaited& data, const trouble& sent, window& w,
                     const partner& p) {
  lock_reason says(reason_for(w.id(), p.process, w.sync().answer_in_epoch(p)), p.process, "memory of ");
  return await(number, data, sent, p.process, says);
}

bool asked::lock(window& w, partner& p, bool exclusive, bool joins, const wait::reason& why) {
  awaited answer{{}, 1, {}, 1};
  const std::uint64_t number = expect(answer);
  const trouble sent = send(p.process,
                            {.window = w.id(),
                             .number = number,
                             .from = w.rank(),
                             .to = exclusive ? 1
                                   : joins   ? -1
                                             : 0,
                             .rank = p.rank,
                             .kind = asked_kind::lock},
                            nullptr, nullptr, 0);
  lock_reason says(why, p.process);
  return await(number, answer, sent, p.process, says).ok();
}

// Counted as a put is, so that MPI_Win_free waits for the owner to have done it: no message of a
// window comes after it.
bool asked::unlock(window& w, partner& p, bool exclusive) {
  w.count_asked(*w.known(p.rank));
  return send(p.process,
              {.window = w.id(),
               .from = w.rank(),
               .to = exclusive ? 1 : 0,
               .rank = p.rank,
               .kind = asked_kind::unlock},
              nullptr, nullptr, 0)
      .ok();
}

trouble asked::flush(window& w, target& t) {
  // Not for what other threads ask meanwhile.
  const std::uint64_t asked = t.asked;
  lock_reason says(reason_for(w.id(), t.process, w.sync().answer_in_epoch(t)), t.process, "memory of ");
  const bool all = wait(says, t.process, t.holder, [&] { return t.answered >= asked; });
  if (!all) {
    w.count_answered(t, t.asked - t.answered);  // they will never be
    t.lost = true;
  }
  if (t.lost) return gone();  // to each thread that waits for them
  if (!t.failed.ok()) w.outstanding_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: as outstanding()
  return std::exchange(t.failed, {});
}

void asked::accept(const asked_answer& header, const std::byte* data, std::size_t bytes) {
  const trouble what{static_cast<wrong>(header.wrong), header.from, header.to, 0, {}};
  std::optional<lock_holder> holder;
  if (header.position == not_yet) {
    holder.emplace();
    if (header.from >= 0) holder->process = static_cast<std::uint32_t>(header.from);
    holder->readers = static_cast<std::uint32_t>(header.to);
  }
  if (header.number == 0) {
    const auto found = windows_.find(header.window);
    target* const t = found == windows_.end() ? nullptr : found->second->known(header.rank);
    if (t == nullptr) return;
    t->holder = holder;
    if (holder) return;
    // What has failed stays outstanding until the next flush.
    if (!what.ok() && t->failed.ok())
      t->failed = what, ++t->answered;
    else
      found->second->count_answered(*t, 1);
    return;
  }
  const auto found = gets_.find(header.number);
  if (found == gets_.end()) return;  // it has failed
  awaited& get = *found->second;
  get.holder = holder;
  if (holder) return;
  --get.pieces;
  if (!what.ok()) {
    if (get.what.ok()) get.what = what;
    return;
  }
  if (get.result.type == nullptr) {
    get.missing = 0;
    return;
  }
  datatype::unpack(get.result.address, get.result.count, *get.result.type, header.position,
                   static_cast<std::int64_t>(bytes), data);
  get.missing -= static_cast<std::int64_t>(bytes);
}

}  // namespace loadstone::rma
