// Some processes with their collective engines on a simulated network, and the communicators between them.
#pragma once

#include <memory>
#include <vector>

#include "coll/engine.hpp"
#include "coll/schedule.hpp"
#include "coll/simulator.hpp"

namespace loadstone::coll::test {

// An intra-communicator of a processes, or an inter-communicator of a + b: processes [0, a) and [a, a + b).
class communicator {
 public:
  communicator(std::uint64_t context, int a, int b, bool inter) : inter_(inter) {
    for (int p = 0; p < a + (inter ? b : 0); ++p) {
      auto m = std::make_unique<member>();
      m->group = p < a ? 0 : 1;
      m->rank = p - (m->group ? a : 0);
      const int local = m->group ? b : a, first = m->group ? a : 0;
      m->local.context = context + (m->group ? 1 : 0);
      m->local.rank = m->rank;
      for (int i = 0; i < local; ++i) m->local.peers.push_back(static_cast<std::uint32_t>(first + i));
      if (inter) {
        m->remote.context = context + 2;
        m->remote.rank = m->rank;
        for (int i = 0; i < a + b - local; ++i)
          m->remote.peers.push_back(static_cast<std::uint32_t>((m->group ? 0 : a) + i));
      }
      members_.push_back(std::move(m));
    }
  }
  int processes() const { return static_cast<int>(members_.size()); }
  int group(int process) const { return members_[static_cast<std::size_t>(process)]->group; }
  int rank(int process) const { return members_[static_cast<std::size_t>(process)]->rank; }
  group_view view(int process) {
    member& m = *members_[static_cast<std::size_t>(process)];
    group_view g;
    g.local = &m.local;
    g.remote = inter_ ? &m.remote : &m.local;
    g.rank = m.rank;
    g.local_size = static_cast<std::int32_t>(m.local.peers.size());
    g.remote_size = static_cast<std::int32_t>(g.remote->peers.size());
    g.inter = inter_;
    g.next_tag = &m.next_tag;
    g.areas = m.areas.get();
    return g;
  }
  // Where ranks have areas: under the gate of this process.
  void leave_areas(int process) { members_[static_cast<std::size_t>(process)]->areas.reset(); }
  bool idle() const {
    for (const auto& m : members_)
      if (m->local.users != 0 || m->remote.users != 0) return false;
    return true;
  }
  void set_next_tag(std::uint32_t n) {
    for (auto& m : members_) m->next_tag = n;
  }

 private:
  struct member {
    int group = 0, rank = 0;
    p2p::scope local, remote;
    std::uint32_t next_tag = 0;
    std::unique_ptr<shared_areas> areas = std::make_unique<shared_areas>();
  };
  bool inter_;
  std::vector<std::unique_ptr<member>> members_;
};

struct simulated_job {
  simulated_job(int processes, std::uint64_t seed) : wires(seed) {
    for (int p = 0; p < processes; ++p)
      engines.push_back(std::make_unique<engine>(
          std::make_unique<simulated_messenger>(wires, static_cast<std::uint32_t>(p))));
  }
  engine& of(int process) { return *engines[static_cast<std::size_t>(process)]; }
  void choose(std::string_view collective, std::string_view algorithm) {
    for (auto& e : engines)
      if (!e->algorithms().set(collective, algorithm)) std::abort();
  }
  void run_until_quiet() {
    while (wires.step()) {
    }
  }

  network wires;
  std::vector<std::unique_ptr<engine>> engines;
};

}  // namespace loadstone::coll::test
