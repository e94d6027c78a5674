// What has been stored into far memory since the last good fence, by line: so that the fence can
// read it back and store again what is not there. What is stored twice in between counts once, as
// it was stored last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <tuple>

#include "memory/address.hpp"
#include "transport/poor/line_faults.hpp"

namespace loadstone::transport {

class unfenced {
 public:
  void note(memory::address where, const void* data, std::size_t bytes);
  // Calls is_there(address, data, bytes) for each contiguous part of a line of that process, and
  // forgets the lines that are there. True: there are none left.
  template <class F>
  bool settle(std::uint32_t process, F&& is_there);
  void forget(std::uint32_t process);
  std::size_t lines() const { return lines_.size(); }
  bool none() const { return lines_.empty(); }
  std::uint32_t some_process() const { return std::get<0>(lines_.begin()->first); }

 private:
  struct line {
    std::uint64_t stored = 0;  // which of its bytes
    std::array<std::byte, line_bytes> data;
  };
  using key =
      std::tuple<std::uint32_t, std::uint16_t, std::uint16_t, std::uint64_t>;  // and number of the line
  std::map<key, line> lines_;
};

template <class F>
bool unfenced::settle(std::uint32_t process, F&& is_there) {
  bool none_left = true;
  for (auto at = lines_.lower_bound({process, 0, 0, 0}); at != lines_.end();) {
    const auto& [owner, number, generation, first] = at->first;
    if (owner != process) break;
    const line& l = at->second;
    bool all_there = true;
    for (std::size_t from = 0; from < line_bytes;) {
      std::size_t to = from;
      while (to < line_bytes && (l.stored >> to & 1) != 0) ++to;
      if (to != from)
        all_there &= is_there(memory::address{{owner, number, generation}, first * line_bytes + from},
                              l.data.data() + from, to - from);
      from = to + 1;
    }
    none_left &= all_there;
    at = all_there ? lines_.erase(at) : std::next(at);
  }
  return none_left;
}

}  // namespace loadstone::transport
