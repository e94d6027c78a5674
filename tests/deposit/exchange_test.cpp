// Two processes exchange active messages of all sizes.
#include <cstring>
#include <numeric>
#include <string>

#include "deposit/ranks.hpp"

namespace loadstone::test {
namespace {

struct echo {
  node* n;
  std::uint64_t received = 0;
  std::string last;
};

verdict take(void* context, incoming& m, bool) {
  auto& e = *static_cast<echo*>(context);
  ++e.received;
  e.last.assign(reinterpret_cast<const char*>(m.payload()), m.payload_bytes());
  return verdict::consumed;
}

void exchange(node& n) {
  echo e{&n, 0, {}};
  n.endpoint->set_handler(40, take, &e);
  n.barrier();
  std::uint32_t peer = 1 - n.self;
  std::uint64_t expected = 0;
  for (std::size_t bytes : {0, 1, 7, 32, 88, 89, 500, 513, 8000, 65536}) {
    for (int round = 0; round < 20; ++round) {
      std::string text(bytes, static_cast<char>('a' + round));
      std::uint64_t header = bytes;
      auto send = [&] {
        while (n.endpoint->send_active(peer, 40, traffic::user, &header, 8, text.data(), bytes) ==
               outcome::again)
          n.endpoint->poll();
      };
      ++expected;
      if (n.self == 0) send();
      ASSERT_TRUE(n.wait([&] { return e.received >= expected; }));
      ASSERT_EQ(e.last, text);
      if (n.self == 1) send();
    }
  }
}

TEST(exchange, processes) {
  run_processes(2, {}, {}, exchange);
}
TEST(exchange, threads) {
  run_threads(2, {}, {}, exchange);
}

TEST(exchange, tiny_inbox_near_the_wrap) {
  deposit::endpoint_config config;
  config.inbox_slots = 2;
  config.first_position = 0 - std::uint64_t{40};
  run_processes(2, config, {}, exchange);
}

}  // namespace
}  // namespace loadstone::test
