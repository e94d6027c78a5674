// Processes of one job as the transport sees them, all in one thread of a test: each with its own
// arena and mappings.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "transport/mapped.hpp"

namespace loadstone::transport {

struct processes {
  struct one {
    std::unique_ptr<memory::arena> arena;
    std::unique_ptr<memory::mappings> maps;
    std::unique_ptr<peer_memory> memory;
  };
  std::unique_ptr<memory::job> job;
  std::vector<one> all;

  explicit processes(std::uint32_t n, std::uint64_t arena_limit = 0) {
    memory::job_config config;
    config.world_size = n;
    config.arena_limit = arena_limit;
    job = std::move(*memory::job::create(config));
    for (std::uint32_t p = 0; p < n; ++p) {
      one made;
      made.arena = std::move(*memory::arena::open(*job, p));
      made.maps = std::make_unique<memory::mappings>(*job, p, memory::mappings_config{});
      made.memory = std::make_unique<peer_memory>(p, *made.arena, *made.maps);
      all.push_back(std::move(made));
    }
  }
  one& operator[](std::uint32_t p) { return all[p]; }
};

// Takes what arrives, in order per source and class; asserts that nothing comes before it is due.
struct taker {
  struct message {
    std::uint32_t source, sequence;
    std::uint8_t handler;
    bool operator==(const message&) const = default;
  };
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::uint32_t> next;
  std::vector<message> got;
  std::uint64_t value = 0;  // the header of the last one

  bool operator()(slot& s, std::uint32_t source, bool fresh, bool) {
    if (fresh) {
      std::uint32_t& now = next[std::pair{source, s.kind}];
      EXPECT_EQ(s.sequence, now);
      ++now;
    }
    got.push_back({source, s.sequence, s.handler});
    if (s.header_bytes == sizeof value) std::memcpy(&value, s.data, sizeof value);
    return true;
  }
  std::uint32_t due(std::uint32_t source, std::uint8_t kind) const {
    const auto at = next.find({source, kind});
    return at == next.end() ? 0 : at->second;
  }
};

inline outgoing short_message(std::uint64_t& header, std::uint8_t handler = 1,
                              std::uint8_t kind = user_class) {
  return {handler, kind, sizeof header, &header, nullptr, nullptr, 0};
}

}  // namespace loadstone::transport
