#include "transport/poor/delayed_stores.hpp"

#include <algorithm>
#include <cstring>

#include "transport/poor/words.hpp"

namespace loadstone::transport {

delayed_stores::~delayed_stores() {
  flush_all();
}

base::status delayed_stores::store(memory::address where, const void* data, std::size_t bytes) {
  auto reachable = memory_.reach(where);
  if (!reachable) return reachable.error();
  const auto* from = static_cast<const std::byte*>(data);
  for (std::size_t at = 0; at < bytes; at += piece) {
    std::size_t n = std::min(piece, bytes - at);
    memory::address there = where;
    there.offset += at;
    pending_.push_back({there, std::vector<std::byte>(from + at, from + at + n)});
    bytes_ += n;
    while (bytes_ > most_bytes) apply(random_() % pending_.size());
  }
  return base::status::success();
}

void delayed_stores::apply(std::size_t index) {
  pending p = std::move(pending_[index]);
  pending_[index] = std::move(pending_.back());
  pending_.pop_back();
  bytes_ -= p.data.size();
  arrive(p);
  if (!faults_.exist() || p.where.region.process == memory_.self()) return;
  if (faults_.strike()) repeat_an_old_line();
  if (old_.size() < most_old)
    old_.push_back(std::move(p));
  else
    old_[faults_.number() % most_old] = std::move(p);
}

void delayed_stores::arrive(const pending& p) {
  auto got = memory_.insist(p.where);
  if (!got) return;
  if (p.where.region.process == memory_.self()) return store_words(got->at, p.data.data(), p.data.size());
  line_faults::each_line(p.where.offset, p.data.size(), [&](std::size_t offset, std::size_t n) {
    store_words(got->at + offset, p.data.data() + offset, faults_.arriving(n));
  });
}

void delayed_stores::repeat_an_old_line() {
  if (old_.empty()) return;
  const pending& p = old_[faults_.number() % old_.size()];
  auto got = memory_.reach(p.where);
  if (!got) return;  // its owner has given the memory back meanwhile
  const std::size_t wanted = faults_.number() % p.data.size();
  line_faults::each_line(p.where.offset, p.data.size(), [&](std::size_t offset, std::size_t n) {
    if (wanted - offset < n) store_words(got->at + offset, p.data.data() + offset, n);
  });
}

void delayed_stores::flush(std::uint32_t process) {
  std::shuffle(pending_.begin(), pending_.end(), random_);
  for (std::size_t i = pending_.size(); i-- > 0;) {
    if (pending_[i].where.region.process == process) apply(i);
  }
  if (how_long_ == repeats::until_flush)
    std::erase_if(old_, [process](const pending& p) { return p.where.region.process == process; });
}

void delayed_stores::flush_all() {
  while (!pending_.empty()) apply(random_() % pending_.size());
  if (how_long_ == repeats::until_flush) old_.clear();
}

void delayed_stores::perhaps() {
  if (!pending_.empty() && random_() % 8 == 0) apply(random_() % pending_.size());
}

}  // namespace loadstone::transport
