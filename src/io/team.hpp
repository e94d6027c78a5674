// The processes that opened a file together, and what they say to each other about it. Nobody else
// uses the communicator behind it, which was made for the file.
//
// Two sequences of collectives run side by side: of blocking calls, and of those in the background.
// Each call here takes the gate itself and blocks; the file's locks are not held.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coll/engine.hpp"
#include "io/engine.hpp"
#include "io/windows.hpp"
#include "wait/record.hpp"

namespace loadstone::io {

class team {
 public:
  team() = default;
  team(engine& e, const coll::group_view& view, p2p::scope& messages, const wait::reason& why)
      : engine_(&e),
        view_(view),
        messages_(&messages),
        why_(why),
        windows_(std::make_shared<io::windows>(e)) {}

  int rank() const { return view_.rank; }
  int size() const { return view_.local_size; }
  std::uint32_t process(int rank) const { return messages_->peers[static_cast<std::size_t>(rank)]; }
  io::engine& core() const { return *engine_; }
  io::windows& windows() const { return *windows_; }
  // What reports of hangs say of a wait from here on.
  void set_reason(const wait::reason& why) { why_ = why; }

  // Each returns an error class of MPI, 0 for success.
  int barrier();
  int bcast(void* data, std::int64_t bytes, int root);
  int allgather(const void* mine, std::int64_t bytes, void* all);
  // The members take turns in rank order: waits for the one before; lets the next one go.
  int await_turn();
  int pass_turn();

 private:
  int run(coll::schedule* s);
  io::engine* engine_ = nullptr;
  coll::group_view view_;
  p2p::scope* messages_ = nullptr;
  wait::reason why_;
  std::shared_ptr<io::windows> windows_;
};

}  // namespace loadstone::io
