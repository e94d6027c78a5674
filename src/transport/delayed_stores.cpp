#include "transport/delayed_stores.hpp"

#include <algorithm>
#include <cstring>

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
  auto got = memory_.insist(p.where);
  if (got) std::memcpy(got->at, p.data.data(), p.data.size());
}

void delayed_stores::flush(std::uint32_t process) {
  std::shuffle(pending_.begin(), pending_.end(), random_);
  for (std::size_t i = pending_.size(); i-- > 0;) {
    if (pending_[i].where.region.process == process) apply(i);
  }
}

void delayed_stores::flush_all() {
  while (!pending_.empty()) apply(random_() % pending_.size());
}

void delayed_stores::perhaps() {
  if (!pending_.empty() && random_() % 8 == 0) apply(random_() % pending_.size());
}

}  // namespace loadstone::transport
