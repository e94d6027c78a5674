#include "p2p/record_store.hpp"

namespace loadstone::p2p {

namespace {

constexpr std::size_t per_slab = 64;

// From pending to something else. False: somebody was quicker, or it is of another generation.
bool change(rendezvous_record* record, std::uint32_t generation, record_state to) {
  std::uint64_t expected = state_word(generation, record_pending);
  // sync: record-claim — acquire pairs with the owner's release of a fresh record; release with the
  // acquire of whoever fails here: owner and peer meet in this word
  return record->state.compare_exchange_strong(expected, state_word(generation, to),
                                               std::memory_order_acq_rel, std::memory_order_acquire);
}

}  // namespace

record_store::~record_store() {
  for (void* slab : slabs_) arena_.release(slab);
}

bool record_store::take(message_request* r) {
  if (free_ == nullptr) {
    auto slab = arena_.allocate(per_slab * sizeof(rendezvous_record), 128);
    if (!slab) return false;
    slabs_.push_back(*slab);
    auto* records = static_cast<rendezvous_record*>(*slab);
    for (std::size_t i = per_slab; i-- > 0;) {
      auto* made = new (&records[i]) rendezvous_record{};
      made->request = reinterpret_cast<std::uint64_t>(free_);
      free_ = made;
    }
  }
  rendezvous_record* record = free_;
  free_ = reinterpret_cast<rendezvous_record*>(record->request);
  record->request = reinterpret_cast<std::uint64_t>(r);
  // relaxed: the words below become visible with `state`, and nobody looks at them before that
  record->error.store(0, std::memory_order_relaxed);
  record->copied.store(0, std::memory_order_relaxed);
  // A new generation: envelopes that speak of an earlier use are void. relaxed load: only we change
  // it while it is free
  const auto generation = static_cast<std::uint32_t>(record->state.load(std::memory_order_relaxed) >> 2) + 1;
  record->wish.store(wish_word(generation, pipeline_nothing), std::memory_order_relaxed);
  record->claimed.store(std::uint64_t{generation} << 32, std::memory_order_relaxed);
  record->state.store(state_word(generation, record_pending),
                      std::memory_order_release);  // sync: record-claim
  r->own = {record, nullptr, generation};
  return true;
}

bool record_store::insist(message_request* r) {
  const auto got = [&] { return r->own.at != nullptr || take(r); };
  return got() || endpoint_.wait_for_memory(got, r->process);
}

void record_store::give(message_request* r) {
  if (r->own.block_list != nullptr) arena_.release(r->own.block_list);
  // relaxed: a late envelope sees either value, and neither is `pending` of a generation it knows
  r->own.at->state.store(state_word(r->own.generation, record_free), std::memory_order_relaxed);
  r->own.at->request = reinterpret_cast<std::uint64_t>(free_);
  free_ = r->own.at;
  r->own.at = nullptr;
}

bool record_store::withdraw(const message_request* r) {
  return change(r->own.at, r->own.generation, record_cancelled);
}

record_store::mapped record_store::map(std::uint32_t process, local_address record) {
  const memory::address where = record.in(process);
  memory::pin pin = endpoint_.map(where.region);
  if (!pin) return {};
  auto* at = reinterpret_cast<rendezvous_record*>(pin.at(where.offset));
  return {at, std::move(pin)};
}

bool record_store::claim(std::uint32_t process, local_address record, std::uint32_t generation) {
  const mapped there = map(process, record);
  return there.at == nullptr || claim(there, generation);
}

bool record_store::claim(const mapped& there, std::uint32_t generation) {
  return change(there.at, generation, record_matched);
}

bool record_store::cancelled(std::uint32_t process, local_address record, std::uint32_t generation) {
  const mapped there = map(process, record);
  // sync: record-claim
  return there.at != nullptr &&
         there.at->state.load(std::memory_order_acquire) != state_word(generation, record_pending);
}

}  // namespace loadstone::p2p
