// Words of other members' records: by a store or an atomic instruction where the record is mapped
// here, by a message to its owner where it is not.
#include "rma/synchronisation.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

namespace {

std::atomic<std::uint64_t>& word_of(partner& p, std::size_t at) {
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(reinterpret_cast<std::byte*>(p.record) + at);
}

bool add_by_owner(deposit::endpoint& endpoint, partner& p, std::size_t at, std::uint64_t more) {
  const deposit::counter word{{p.where.region, p.where.offset + at}};
  return endpoint.deposits().signal(p.process, word, more).ok();
}

}  // namespace

bool synchronisation::tell_awake(partner& p, std::size_t at, std::uint64_t value) {
  if (p.record == nullptr) [[unlikely]]
    return add_by_owner(endpoint_, p, at, 1);
  word_of(p, at).store(value, std::memory_order_release);  // sync: rma-post, flag-barrier
  return true;
}

bool synchronisation::tell(partner& p, std::size_t at, std::uint64_t value) {
  if (!tell_awake(p, at, value)) return false;
  wake(p);
  return true;
}

void synchronisation::tell_given_up(partner& p, std::size_t at) {
  if (p.record == nullptr) [[unlikely]] {
    (void)add_by_owner(endpoint_, p, at, wait::flag_barrier::given_up);  // if not: it is dead
    return;
  }
  word_of(p, at).store(wait::flag_barrier::given_up, std::memory_order_release);  // sync: flag-barrier
  wake(p);
}

void synchronisation::wake(const partner& p) {
  if (p.record != nullptr && p.process != endpoint_.self()) endpoint_.wake(p.process);
}

bool synchronisation::count(partner& p, std::size_t at) {
  if (p.record == nullptr) [[unlikely]]
    return add_by_owner(endpoint_, p, at, 1);
  word_of(p, at).fetch_add(1, std::memory_order_release);  // sync: rma-complete
  if (p.process != endpoint_.self()) endpoint_.wake(p.process);
  return true;
}

bool synchronisation::has_died(std::uint32_t process) const {
  return rma::has_died(endpoint_, job_, process);
}

bool synchronisation::some_member_has_died() const {
  for (const std::uint32_t process : processes_)
    if (has_died(process)) return true;
  return false;
}

}  // namespace loadstone::rma
