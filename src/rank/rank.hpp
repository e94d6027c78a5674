// Everything one rank owns, in the order of its layers; settings.hpp makes its configuration. Tests
// build several in one process, one a thread.
#pragma once

#include <memory>

#include "coll/engine.hpp"
#include "deposit/endpoint.hpp"
#include "io/engine.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/mappings.hpp"
#include "p2p/engine.hpp"
#include "rank/shared_heap.hpp"
#include "rma/engine.hpp"

namespace loadstone {

class rank {
 public:
  struct config {
    bool threads = false;
    bool kept_machine = true;  // may p2p.machine be replaced by what loadstone model has kept?
    // That machine; null: the nearest that is built in.
    std::shared_ptr<const model::machine> machine;
    std::size_t shared_heap_from = 0;  // blocks from this size on; 0: as the heap has it
    deposit::endpoint_config endpoint;
    memory::mappings_config mappings;
    p2p::engine_config p2p;
    coll::choices coll;
    rma::engine_config rma;
    buffering::config io;
  };
  // Makes the rank whose place in the job is `self`. Takes over the view of the job, and claims the
  // place unless that view has done so already.
  static base::result<std::unique_ptr<rank>> open(std::unique_ptr<memory::job> job, std::uint32_t self,
                                                  const config& config);
  ~rank();

  std::uint32_t self;
  base::event_sink events;  // where all layers raise events
  std::unique_ptr<memory::job> job;
  std::unique_ptr<memory::arena> arena;
  std::unique_ptr<shared_heap> heap;  // gives the program's malloc memory of the arena; off until allow(true)
  std::unique_ptr<memory::mappings> mappings;
  std::unique_ptr<deposit::endpoint> endpoint;
  std::unique_ptr<p2p::engine> p2p;
  std::unique_ptr<coll::engine> coll;
  std::unique_ptr<rma::engine> rma;
  std::unique_ptr<io::engine> io;

 private:
  rank() = default;
};

}  // namespace loadstone
