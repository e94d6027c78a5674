// One-sided operations. On mapped memory they are loads, stores and atomic instructions of the
// caller. Where remote words cannot be changed so, their owner does it, asked by a message, when it
// polls; all changes of a word are made there then, so that they are atomic among themselves.
#include <algorithm>
#include <atomic>

#include "base/fault.hpp"
#include "deposit/endpoint.hpp"
#include "deposit/handler_ids.hpp"
#include "memory/liveness.hpp"
#include "transport/routes.hpp"

namespace loadstone::deposit {

using base::code;
using base::status;

namespace {

// What a transport walks through (transport::some_pieces): two strided layouts at once, one
// contiguous piece at a time.
template <class Byte>
auto pieces(one_sided::strided there, Byte* local, one_sided::strided here) {
  return [=](auto&& piece) {
    std::size_t in_there = 0, in_here = 0, done_there = 0, done_here = 0;
    std::ptrdiff_t at_there = 0, at_here = 0;
    if (there.block == 0 || here.block == 0) return;
    while (done_there < there.count && done_here < here.count) {
      const std::size_t n = std::min(there.block - in_there, here.block - in_here);
      piece(at_there + static_cast<std::ptrdiff_t>(in_there),
            local + at_here + static_cast<std::ptrdiff_t>(in_here), n);
      in_there += n;
      in_here += n;
      if (in_there == there.block) {
        in_there = 0;
        ++done_there;
        at_there += there.stride;
      }
      if (in_here == here.block) {
        in_here = 0;
        ++done_here;
        at_here += here.stride;
      }
    }
  };
}

// Sequentially consistent: users build locks of these (sync: counter, among others).
std::uint64_t change(void* at, atomic_op op, std::uint64_t operand) {
  const std::atomic_ref<std::uint64_t> word(*static_cast<std::uint64_t*>(at));
  return op == atomic_op::swap ? word.exchange(operand) : word.fetch_add(operand);
}

struct request {
  memory::address where;
  std::uint64_t operand, id;
  atomic_op op;
};
struct reply {
  std::uint64_t id, old_value;
};
constexpr std::uint64_t no_answer = 0;  // as id
static_assert(offsetof(request, operand) == sizeof(memory::address) &&
              offsetof(request, op) == offsetof(request, id) + 8 && offsetof(reply, old_value) == 8);
static_assert(sizeof(request) <= max_inline && sizeof(reply) <= max_inline);
template <class T>
T payload_of(const incoming& m) {
  T value;
  std::memcpy(&value, m.payload(), sizeof value);
  return value;
}

// Calls f with the way that deposits there take.
template <class F>
status stores_to(transport::routes& routes, memory::address remote, F&& f) {
  return routes.with(remote.region.process, [&](auto& way) { return f(way.stores()); });
}

}  // namespace

status one_sided::put(memory::address remote, const void* local, std::size_t bytes) {
  if (bytes == 0) return status::success();
  return stores_to(routes_, remote, [&](auto& to) { return to.put(remote, local, bytes); });
}

status one_sided::get(void* local, memory::address remote, std::size_t bytes) {
  if (bytes == 0) return status::success();
  return stores_to(routes_, remote, [&](auto& to) { return to.get(local, remote, bytes); });
}

status one_sided::put_strided(memory::address remote, strided at_remote, const void* local,
                              strided at_local) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.put_pieces(remote, pieces(at_remote, static_cast<const std::byte*>(local), at_local));
  });
}

status one_sided::get_strided(void* local, strided at_local, memory::address remote, strided at_remote) {
  return stores_to(routes_, remote, [&](auto& to) {
    return to.get_pieces(remote, pieces(at_remote, static_cast<std::byte*>(local), at_local));
  });
}

status one_sided::fence(std::uint32_t peer) {
  return routes_.with(peer, [&](auto& way) { return way.stores().fence(peer); });
}

status one_sided::fence_all() {
  return routes_.fence_all();
}

// --- atomics ---

one_sided::one_sided(endpoint& by, memory::job& job, transport::routes& routes,
                     transport::peer_memory& memory)
    : endpoint_(by), job_(job), routes_(routes), memory_(memory) {
  by.set_handler(
      handler_deposit_atomic,
      [](void* context, incoming& m, bool) {
        auto& self = *static_cast<one_sided*>(context);
        const auto r = payload_of<request>(m);
        const reply answer{r.id, change(self.memory_.arena().pointer(r.where), r.op, r.operand)};
        LOADSTONE_FAULT_POINT("atomic.applied");
        if (r.id != no_answer)
          (void)self.endpoint_.send_active(m.source(), handler_deposit_atomic_done, traffic::control, nullptr,
                                           0, &answer, sizeof answer);
        return verdict::consumed;
      },
      this);
  by.set_handler(
      handler_deposit_atomic_done,
      [](void* context, incoming& m, bool) {
        auto& answers = static_cast<one_sided*>(context)->answers_;
        const auto r = payload_of<reply>(m);
        // Nobody may be waiting any more (the job is being stopped): then the answer is void.
        if (auto found = answers.find(r.id); found != answers.end()) found->second = r.old_value;
        return verdict::consumed;
      },
      this);
}

base::result<std::uint64_t> one_sided::atomic(memory::address remote, atomic_op op, std::uint64_t operand) {
  if (remote.offset % sizeof operand != 0)
    return status{code::invalid, 0, "atomic operations are on naturally aligned integers of 8 bytes"};
  if (by_message(remote)) return atomic_by_message(remote, op, operand);
  auto got = memory_.reach(remote);
  if (!got) return got.error();
  return change(got->at, op, operand);
}

status one_sided::signal(std::uint32_t peer, memory::address word, std::uint64_t n) {
  if (by_message(word)) {
    const request r{word, n, no_answer, atomic_op::fetch_add};
    const outcome sent =
        endpoint_.send_active(peer, handler_deposit_atomic, traffic::control, nullptr, 0, &r, sizeof r);
    return sent == outcome::sent ? status::success() : status{code::gone, 0, "the peer is gone"};
  }
  auto got = memory_.reach(word);
  if (!got) return got.error();
  change(got->at, atomic_op::fetch_add, n);
  routes_.wake(peer);
  return status::success();
}

bool one_sided::by_message(memory::address remote) const {
  return !routes_.properties(remote.region.process).remote_atomics;
}

base::result<std::uint64_t> one_sided::atomic_by_message(memory::address remote, atomic_op op,
                                                         std::uint64_t operand) {
  const request r{remote, operand, next_++, op};
  const status no_owner{code::gone, 0, "the owner of the word is gone"};
  auto& answer = answers_[r.id];
  if (endpoint_.send_active(remote.region.process, handler_deposit_atomic, traffic::control, nullptr, 0, &r,
                            sizeof r) != outcome::sent) {
    answers_.erase(r.id);
    return no_owner;
  }
  LOADSTONE_FAULT_POINT("atomic.asked");
  const wait::reason why{.peer = static_cast<std::int32_t>(remote.region.process),
                         .detail = "atomic operation"};
  const auto& owner = job_.process(remote.region.process);
  const auto over = [&] {
    return answer.has_value() || owner.dead.load(std::memory_order_acquire) != 0;  // sync: process-dead
  };
  const bool in_time = endpoint_.wait_until(over, why);
  const std::optional<std::uint64_t> old_value = answer;
  answers_.erase(r.id);
  if (old_value) return *old_value;
  if (in_time) memory::note_death(job_, remote.region.process);
  return in_time ? no_owner : status{code::gone, 0, "the job is being stopped"};
}

}  // namespace loadstone::deposit
