// Test equipment: a rank with an engine, which makes windows with all the others.
#pragma once

#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "deposit/ranks.hpp"
#include "rma/engine.hpp"
#include "rma/window.hpp"

namespace loadstone::test {

class member {
 public:
  explicit member(node& n, const rma::engine_config& config = {})
      : node_(n), engine_(*n.endpoint, *n.job, *n.arena, config) {
    const std::lock_guard hold(gate());
    n.endpoint->set_handler(
        handler,
        [](void* self, incoming& m, bool) {
          note arrived;
          std::memcpy(&arrived, m.payload(), sizeof arrived);
          static_cast<member*>(self)->notes_[{arrived.round, m.source()}] = arrived.record;
          return verdict::consumed;
        },
        this);
    n.barrier();  // handlers are there
  }
  ~member() { barrier(); }

  rma::engine& engine() { return engine_; }
  node& at() { return node_; }
  std::uint32_t self() const { return node_.self; }
  std::uint32_t size() const { return node_.size; }
  wait::gate& gate() { return node_.endpoint->gate(); }
  void barrier() {
    const std::lock_guard hold(gate());
    node_.barrier();
  }

  // Of all ranks, or of some, in this order, which is that of the window.
  std::unique_ptr<rma::window> make(const rma::part& mine, std::vector<std::uint32_t> processes = {}) {
    if (processes.empty())
      for (std::uint32_t i = 0; i < size(); ++i) processes.push_back(i);
    const auto members = static_cast<std::uint32_t>(processes.size());
    auto made = rma::window::prepare(engine_, mine, members);
    if (!made) {
      ADD_FAILURE() << made.error().what;
      std::abort();
    }
    const std::lock_guard hold(gate());
    const note mine_here{++round_, (*made)->record_address()};
    std::vector<address> records(members);
    std::int32_t rank = -1;
    for (std::uint32_t i = 0; i < members; ++i) {
      if (processes[i] == self()) {
        rank = static_cast<std::int32_t>(i);
        records[i] = mine_here.record;
      } else {
        EXPECT_EQ(node_.endpoint->send_active(processes[i], handler, traffic::control, nullptr, 0, &mine_here,
                                              sizeof mine_here),
                  outcome::sent);
      }
    }
    for (std::uint32_t i = 0; i < members; ++i) {
      if (processes[i] == self()) continue;
      const std::pair key{round_, processes[i]};
      node_.wait([&] { return notes_.contains(key); }, "records");
      records[i] = notes_[key];
      notes_.erase(key);
    }
    const base::status joined = (*made)->join(round_, rank, processes, records);
    EXPECT_TRUE(joined.ok()) << joined.what;
    node_.barrier();  // nobody asks before all have joined
    return std::move(*made);
  }
  void free(std::unique_ptr<rma::window> w) {
    barrier();
    w.reset();  // takes the gate
  }

 private:
  static constexpr deposit::handler_id handler = 62;
  struct note {
    std::uint64_t round;
    address record;
  };
  node& node_;
  rma::engine engine_;
  std::uint64_t round_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, address> notes_;
};

}  // namespace loadstone::test
