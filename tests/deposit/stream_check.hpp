// Test equipment: streams of numbered messages, checked in the handler that takes them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "deposit/ranks.hpp"

namespace loadstone::test {

struct stream_check {
  std::uint64_t next[2] = {}, received = 0;
  bool good = true;
  deposit::endpoint* follows = nullptr;
};

// Header: number in its class. Payload: the low byte of the number, again and again.
template <int Class>
verdict take(void* context, incoming& m, bool) {
  auto& check = *static_cast<stream_check*>(context);
  std::uint64_t number;
  std::memcpy(&number, m.header(), 8);
  check.good = check.good && number == check.next[Class]++;
  ++check.received;
  if (check.follows != nullptr && number % 3 == 0)
    return verdict::consumed;  // not wanted: it may still be coming
  const std::byte* const p = m.payload();
  for (std::size_t at = 0, there = 0; at < m.payload_bytes(); at = there) {
    there =
        check.follows == nullptr ? m.payload_bytes() : check.follows->payloads().arrived(m.token(), at + 1);
    check.good = check.good && there > at;
    check.good = check.good && std::all_of(p + at, p + there,
                                           [&](std::byte b) { return b == static_cast<std::byte>(number); });
    if (!check.good) break;
  }
  return verdict::consumed;
}

inline std::uint32_t seed() {
  const char* wanted = std::getenv("LOADSTONE_TEST_SEED");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : 7;
}

}  // namespace loadstone::test
