#include "transport/mapped.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace loadstone::transport {

using base::code;
using base::status;

mapped::mapped(const setup& with)
    : sending(with),
      inbox_(with.job, with.memory),
      arrived_(with.memory, &bounce_.passed()),
      stores_(with.memory) {}

base::result<std::unique_ptr<mapped>> mapped::open(const setup& with) try {
  std::uint32_t slots = with.inbox_slots;
  if (!std::has_single_bit(slots) || slots < 2 || slots > max_inbox_slots)
    return status{code::invalid, 0, "the number of inbox slots must be a power of two from 2 to 512"};
  if (with.job.header().capacity > max_processes)
    return status{code::invalid, 0, "more processes than the mapped transport can address"};
  auto made = std::unique_ptr<mapped>(new mapped(with));
  auto* memory = with.memory.arena().pointer(memory::front_of(with.memory.self()));
  auto* f = static_cast<front*>(memory);  // fresh job memory is zero; peers may be looking at `ready` already
  made->own_ = f;
  f->transport = with.transport.word();
  f->slots = slots;
  f->first_position = with.first_position & ~flag_bits;
  f->intent.inbox.store(no_inbox, std::memory_order_relaxed);  // relaxed: published by `ready`
  made->peers_.set_own(f);
  made->awake_.set_own(f);
  made->inbox_.open(*f, with.first_position);
  made->queues_ = std::make_unique<overflow>(with.memory, *f, with.job.header().capacity);
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("front.ready");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
}

// --- sleeping ---

void mapped::wake(std::uint32_t index) {
  // The caller's plain store comes before the read of the sleep bit.
  if (peer* p = peers_.reach(index); p != nullptr) awake_.announce_to_sleeper(*p->at);
}

bool mapped::asleep(std::uint32_t index) const {
  const peer* const p = peers_.known(index);
  return p != nullptr && p->at != nullptr && attention::asleep(*p->at);
}

std::optional<std::chrono::nanoseconds> mapped::arm() {
  if (queues_->work()) return std::nullopt;
  const bool settling = awake_.give_up();  // before the bit, and before lines and rings are polled
  if (!inbox_.set_sleep_bit()) return std::nullopt;
  if (lines_.arrived() || rings_.arrived() || queues_->announced()) return std::nullopt;
  const auto longest = inbox_.longest_sleep();
  return longest && settling ? std::min<std::chrono::nanoseconds>(*longest, settle_time) : longest;
}

}  // namespace loadstone::transport
