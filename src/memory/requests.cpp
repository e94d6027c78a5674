#include "memory/requests.hpp"

#include <algorithm>
#include <chrono>

#include "base/fault.hpp"
#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"
#include "wait/futex.hpp"

namespace loadstone::memory {

using base::code;
using base::status;

namespace {

constexpr std::chrono::milliseconds look_for_launcher(200);

// A slot for this process, and its word; nullptr: all are in use.
request_slot* claim(request_area& area, std::uint32_t self, std::uint64_t* word) {
  for (std::uint32_t i = 0; i < request_slots; ++i) {
    request_slot& slot = area.slots[(self + i) % request_slots];
    std::uint64_t before = slot.word.load(std::memory_order_relaxed);  // relaxed: the exchange looks again
    if (state_of_request(before) != request_state::free) continue;
    *word = request_word(request_state::claimed, self, number_of_request(before) + 1);
    // Acquire: behind everything the user before has read (sync: request-claim).
    if (slot.word.compare_exchange_strong(before, *word, std::memory_order_acquire,
                                          std::memory_order_relaxed))
      return &slot;
  }
  return nullptr;
}

// From one state of this use to the next. False: the launcher takes us for dead, and has given the
// slot away.
bool go_on(request_slot& slot, std::uint64_t* word, request_state next) {
  std::uint64_t expected = *word;
  *word = with_state(*word, next);
  // Release: what was written, or read, before it (sync: request-publish, request-claim).
  return slot.word.compare_exchange_strong(expected, *word, std::memory_order_release,
                                           std::memory_order_relaxed);
}

constexpr status no_launcher{code::gone, 0, "the launcher of this job has ended"};
constexpr status taken_for_dead{code::gone, 0, "the launcher of this job takes this process for dead"};

}  // namespace

status ask(job& of, request_kind kind, const void* body, std::size_t bytes, void* answer,
           std::size_t answer_bytes, const wait::reason& why) {
  const std::uint32_t self = of.self();
  if (of.header().launcher == 0) return {code::gone, 0, "this job has no launcher"};
  if (self == UINT32_MAX) return {code::invalid, 0, "this process has no place in the job yet"};
  request_area& area = of.requests();
  std::uint64_t word = 0;
  request_slot* slot = nullptr;
  wait_note note(of.process(self));
  for (;;) {
    const std::uint32_t freed = area.freed.load(std::memory_order_acquire);  // sync: bell
    slot = claim(area, self, &word);
    if (slot != nullptr) break;
    if (launcher_is_gone(of)) return no_launcher;
    note.sleeps(why);
    wait::sleep_on(area.freed, freed, look_for_launcher);
    note.wakes();
  }
  LOADSTONE_FAULT_POINT("request.claimed");
  slot->kind = static_cast<std::uint32_t>(kind);
  slot->bytes = static_cast<std::uint32_t>(bytes);
  std::memcpy(slot->body, body, bytes);
  if (!go_on(*slot, &word, request_state::published)) return taken_for_dead;
  LOADSTONE_FAULT_POINT("request.published");
  wait::ring(area.called);
  for (;;) {
    const std::uint32_t bell = slot->bell.load(std::memory_order_acquire);  // sync: bell
    const std::uint64_t now = slot->word.load(std::memory_order_acquire);   // sync: request-answer
    if (number_of_request(now) != number_of_request(word)) return taken_for_dead;
    if (state_of_request(now) == request_state::answered) {
      word = now;
      break;
    }
    if (state_of_request(now) == request_state::free) return taken_for_dead;
    if (launcher_is_gone(of)) return no_launcher;
    note.sleeps(why);
    wait::sleep_on(slot->bell, bell, look_for_launcher);
    note.wakes();
  }
  LOADSTONE_FAULT_POINT("request.answered");
  status outcome = status::success();
  if (slot->kind != static_cast<std::uint32_t>(kind) || slot->bytes != answer_bytes)
    outcome = {code::version, 0, "the launcher of this job does not know this request"};
  else
    std::memcpy(answer, slot->body, answer_bytes);
  if (!go_on(*slot, &word, request_state::free)) return taken_for_dead;
  wait::ring(area.freed);
  return outcome;
}

bool request_desk::take(std::uint32_t i, request* r) {
  request_slot& slot = area_.slots[i];
  const std::uint64_t word = slot.word.load(std::memory_order_acquire);  // sync: request-publish
  if (state_of_request(word) != request_state::published) return false;
  *r = {i,
        with_state(word, request_state::serving),
        static_cast<request_kind>(slot.kind),
        owner_of_request(word),
        std::min<std::uint32_t>(slot.bytes, sizeof slot.body),
        slot.body};
  // relaxed: only the launcher changes a slot in this state, and only it cares for the next.
  slot.word.store(r->word, std::memory_order_relaxed);
  return true;
}

bool request_desk::answer(const request& to, request_kind kind, const void* with, std::size_t bytes) {
  request_slot& slot = area_.slots[to.slot];
  // relaxed: our own store; a slot that was given back and claimed again has another number.
  if (slot.word.load(std::memory_order_relaxed) != to.word) return false;
  slot.kind = static_cast<std::uint32_t>(kind);
  slot.bytes = static_cast<std::uint32_t>(bytes);
  if (bytes != 0) std::memcpy(slot.body, with, bytes);
  slot.word.store(with_state(to.word, request_state::answered),
                  std::memory_order_release);  // sync: request-answer
  wait::ring(slot.bell);
  return true;
}

void request_desk::forget(std::uint32_t process) {
  for (request_slot& slot : area_.slots) {
    // Acquire, and release below: as if the dead one had done it (sync: request-claim).
    std::uint64_t word = slot.word.load(std::memory_order_acquire);
    if (state_of_request(word) == request_state::free || owner_of_request(word) != process) continue;
    // Its own last step may have come just now, where a child of the dead one lives on.
    if (slot.word.compare_exchange_strong(word, with_state(word, request_state::free),
                                          std::memory_order_acq_rel, std::memory_order_relaxed))
      wait::ring(area_.freed);
  }
}

}  // namespace loadstone::memory
