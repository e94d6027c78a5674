// Atomic operations and counters: by instruction where memory is coherent, by message to the owner
// where it is not. Then every change of a word is made by its owner.
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

template <class Word>
std::uint64_t change(std::byte* at, atomic_op op, std::uint64_t operand, std::uint64_t compare) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(at));
  auto value = static_cast<Word>(operand);
  auto expected = static_cast<Word>(compare);
  // Sequentially consistent: users build locks of these (sync: counter, among others).
  switch (op) {
    case atomic_op::fetch_add:
      return word.fetch_add(value);
    case atomic_op::swap:
      return word.exchange(value);
    case atomic_op::compare_swap:
      word.compare_exchange_strong(expected, value);
      return expected;
    case atomic_op::fetch_and:
      return word.fetch_and(value);
    case atomic_op::fetch_or:
      return word.fetch_or(value);
    case atomic_op::fetch_xor:
      return word.fetch_xor(value);
  }
  return 0;
}

struct request {
  memory::address where;
  std::uint64_t operand, compare, id;
  std::uint32_t width;
  atomic_op op;
};
struct reply {
  std::uint64_t id, old_value;
};
struct signal_request {
  memory::address where;
  std::uint64_t n;
};
static_assert(offsetof(request, operand) == sizeof(memory::address) &&
              offsetof(request, id) == offsetof(request, operand) + 16);
static_assert(offsetof(request, width) == offsetof(request, id) + 8 &&
              offsetof(request, op) == offsetof(request, width) + 4);
static_assert(offsetof(reply, old_value) == 8 && offsetof(signal_request, n) == sizeof(memory::address));
template <class T>
T payload_of(const incoming& m) {
  T value;
  std::memcpy(&value, m.payload(), sizeof value);
  return value;
}

}  // namespace

std::uint64_t one_sided::apply(std::byte* at, std::size_t width, atomic_op op, std::uint64_t operand,
                               std::uint64_t compare) {
  return width == 4 ? change<std::uint32_t>(at, op, operand, compare)
                    : change<std::uint64_t>(at, op, operand, compare);
}

one_sided::one_sided(endpoint& by, memory::job& job, transport::routes& routes,
                     transport::peer_memory& memory)
    : endpoint_(by), job_(job), routes_(routes), memory_(memory) {
  by.set_handler(
      handler_deposit_atomic,
      [](void* context, incoming& m, bool) {
        auto& self = *static_cast<one_sided*>(context);
        auto r = payload_of<request>(m);
        auto* at = static_cast<std::byte*>(self.memory_.arena().pointer(r.where));
        reply answer{r.id, apply(at, r.width, r.op, r.operand, r.compare)};
        LOADSTONE_FAULT_POINT("atomic.applied");
        (void)self.endpoint_.send_active(m.source(), handler_deposit_atomic_done, traffic::control, nullptr,
                                         0, &answer, sizeof answer);
        return verdict::consumed;
      },
      this);
  by.set_handler(
      handler_deposit_atomic_done,
      [](void* context, incoming& m, bool) {
        auto& answers = static_cast<one_sided*>(context)->answers_;
        auto r = payload_of<reply>(m);
        // Nobody may be waiting any more (the job is being stopped): then the answer is void.
        if (auto found = answers.find(r.id); found != answers.end()) found->second = r.old_value;
        return verdict::consumed;
      },
      this);
  by.set_handler(
      handler_deposit_signal,
      [](void* context, incoming& m, bool) {
        auto& self = *static_cast<one_sided*>(context);
        auto r = payload_of<signal_request>(m);
        apply(static_cast<std::byte*>(self.memory_.arena().pointer(r.where)), 8, atomic_op::fetch_add, r.n,
              0);
        return verdict::consumed;
      },
      this);
}

base::result<std::uint64_t> one_sided::atomic_by_message(memory::address remote, std::size_t width,
                                                         atomic_op op, std::uint64_t operand,
                                                         std::uint64_t compare) {
  request r{remote, operand, compare, next_++, static_cast<std::uint32_t>(width), op};
  static_assert(sizeof r <= max_inline && sizeof(reply) <= max_inline);
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

bool one_sided::by_message(memory::address remote) const {
  return !routes_.properties(remote.region.process).remote_atomics;
}

status one_sided::signal_by_message(std::uint32_t peer, counter where, std::uint64_t n) {
  signal_request r{where.where, n};
  if (endpoint_.send_active(peer, handler_deposit_signal, traffic::control, nullptr, 0, &r, sizeof r) !=
      outcome::sent)
    return {code::gone, 0, "the peer is gone"};
  return status::success();
}

}  // namespace loadstone::deposit
