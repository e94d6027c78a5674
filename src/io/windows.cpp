#include "io/windows.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "io/team.hpp"

namespace loadstone::io {

windows::~windows() {
  if (mine_ != nullptr && !abandoned_) engine_.arena().release(mine_);
}

int windows::make(team& t, std::vector<int> owners, std::int64_t bytes, bool* there) {
  *there = owners == owners_ && bytes <= bytes_;
  if (*there) return 0;
  struct offer {
    memory::address where;
    std::int64_t possible;
  } mine{};
  // Nothing between the two meetings asks for memory: who left there would leave others waiting.
  std::vector<offer> offers(static_cast<std::size_t>(t.size()));
  std::vector<std::int64_t> all_map(static_cast<std::size_t>(t.size()));
  std::vector<memory::pin> pins;
  std::vector<windows_of> mapped;
  pins.reserve(owners.size());
  mapped.reserve(owners.size());
  void* block = nullptr;
  // Whoever has no memory for windows says so where all hear it.
  std::unique_ptr<std::byte[]> stage(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
  mine.possible = stage != nullptr;
  const std::size_t size = windows_of::size(t.size(), bytes);
  if (std::find(owners.begin(), owners.end(), t.rank()) != owners.end()) {
    if (auto got = engine_.arena().allocate(size, 4096)) {
      block = *got;
      std::memset(block, 0, size - 2 * static_cast<std::size_t>(bytes));
      mine.where = engine_.arena().address_of(block);
    } else {
      mine.possible = 0;
    }
  }
  const auto give_up = [&](int error) {
    if (block != nullptr && error == 0) engine_.arena().release(block);
    return error;
  };
  if (int e = t.allgather(&mine, sizeof mine, offers.data())) return give_up(e);
  std::int64_t maps =
      std::all_of(offers.begin(), offers.end(), [](const offer& o) { return o.possible != 0; });
  if (maps == 0) return give_up(0);
  for (const int owner : owners) {
    const memory::address at = offers[static_cast<std::size_t>(owner)].where;
    auto pin = engine_.mappings().acquire(at.region);
    if (!pin) {
      maps = 0;
      break;
    }
    mapped.emplace_back((*pin).at(at.offset), t.size(), bytes);
    pins.push_back(std::move(*pin));
  }
  if (int e = t.allgather(&maps, sizeof maps, all_map.data())) return give_up(e);
  *there = std::find(all_map.begin(), all_map.end(), 0) == all_map.end();
  if (!*there) return give_up(0);
  // All have come here, so nobody uses the old ones any more.
  if (mine_ != nullptr) engine_.arena().release(mine_);
  mine_ = block;
  owners_ = std::move(owners);
  bytes_ = bytes;
  pins_ = std::move(pins);
  mapped_ = std::move(mapped);
  stage_ = std::move(stage);
  return 0;
}

}  // namespace loadstone::io
