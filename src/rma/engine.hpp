// One-sided communication of one rank: what all its windows share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "deposit/endpoint.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "rma/choice.hpp"

namespace loadstone::rma {

class asked;
class collection;
class copy_thread;
class handed;

struct engine_config {
  // Ordinary memory. Tests force what the choice (choice.hpp) would take at times only.
  enum class owners : std::uint8_t { automatic, never, always, thread } help = owners::automatic;
  std::uint32_t collections = 256;  // targets at a time for which small puts are collected
  costs prices{};                   // of this machine
};

class engine {
 public:
  engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena,
         const engine_config& config = {});
  ~engine();

  deposit::endpoint& endpoint() { return endpoint_; }
  memory::job& job() { return job_; }
  memory::arena& arena() { return arena_; }
  asked& by_message() { return *by_message_; }
  handed& by_owner() { return *by_owner_; }
  copy_thread& for_others() { return *for_others_; }
  // To collect small puts in; null: there are enough. Under the gate.
  std::unique_ptr<collection> take_collection();
  void give_collection(std::unique_ptr<collection> c);
  std::uint32_t self() const { return endpoint_.self(); }

 private:
  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  std::unique_ptr<asked> by_message_;
  std::unique_ptr<handed> by_owner_;
  std::unique_ptr<copy_thread> for_others_;
  std::uint32_t collections_;  // that may still be taken
  std::vector<std::unique_ptr<collection>> empty_;
};

}  // namespace loadstone::rma
