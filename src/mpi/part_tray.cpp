#include "mpi/part_tray.hpp"

#include "mpi/process.hpp"

namespace loadstone::mpi {

part_tray part_trays::make(std::int64_t parts, std::int64_t bytes, std::uint32_t peer) {
  sweep();
  rank& core = owner_.core();
  const part_tray shape(nullptr, parts, bytes);
  if (!part_tray::fits(parts, bytes) || !core.endpoint->route_to(peer).mapped ||
      !core.arena->has_spare(shape.size()))
    return {};
  const auto block = core.arena->allocate(shape.size(), memory::isolation);
  if (!block) return {};
  const part_tray made(*block, parts, bytes);
  made.clear();
  return made;
}

void part_trays::give_back(const part_tray& tray, std::uint32_t round) {
  departing_.push_back({tray, round});
  sweep();
}

void part_trays::sweep() {
  std::erase_if(departing_, [this](const departing& d) {
    if (d.tray.untaken(d.round) != 0) return false;
    owner_.core().arena->release(d.tray.at());
    return true;
  });
}

void part_trays::add(waiter& w) {
  if (waiters_.empty())
    owner_.core().endpoint->look([](void* self) { static_cast<part_trays*>(self)->look(); }, this,
                                 deposit::endpoint::looker::parts);
  waiters_.push_back(&w);
}

void part_trays::remove(waiter& w) {
  if (std::erase(waiters_, &w) != 0 && waiters_.empty())
    owner_.core().endpoint->look(nullptr, nullptr, deposit::endpoint::looker::parts);
}

// One that ends goes from the list.
void part_trays::look() {
  for (std::size_t i = 0; i < waiters_.size();) {
    waiter* const w = waiters_[i];
    w->look();
    if (i < waiters_.size() && waiters_[i] == w) ++i;
  }
}

}  // namespace loadstone::mpi
