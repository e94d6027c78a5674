#include "rank/rank.hpp"

#include "base/fault.hpp"

namespace loadstone {

namespace {

// All must compute the same costs. So the machine is that of the first process to come here, which
// may have found a file that others do not see, or not yet. Null: the one that is built in.
std::shared_ptr<const model::machine> machine_of_job(memory::job& job, const model::machine* mine) {
  const std::string_view text = job.agree(mine != nullptr ? model::write(*mine, "this job") : std::string());
  auto agreed = model::read(text);
  return agreed ? std::make_shared<const model::machine>(std::move(agreed->measured)) : nullptr;
}

}  // namespace

base::result<std::unique_ptr<rank>> rank::open(std::unique_ptr<memory::job> job, std::uint32_t self,
                                               const config& config) {
  if (job->self() != self) {
    const base::status claimed = job->claim(self);
    if (!claimed.ok()) return claimed;
  }
  base::set_fault_process(self);
  std::unique_ptr<rank> made(new rank);
  made->self = self;
  made->job = std::move(job);
  auto arena = memory::arena::open(*made->job, self);
  if (!arena) return arena.error();
  made->arena = std::move(*arena);
  made->heap = std::make_unique<shared_heap>(*made->job, *made->arena, config.shared_heap_from);
  deposit::endpoint_config endpoint_config = config.endpoint;
  // The progress thread is one more thread, even where the program has only one.
  endpoint_config.threads = endpoint_config.threads || config.threads ||
                            endpoint_config.progress == deposit::endpoint_config::progress_kind::on;
  endpoint_config.events = &made->events;
  memory::mappings_config mappings_config = config.mappings;
  mappings_config.events = &made->events;
  mappings_config.threads = endpoint_config.threads;
  made->mappings = std::make_unique<memory::mappings>(*made->job, self, mappings_config);
  auto endpoint = deposit::endpoint::open(*made->job, self, *made->arena, *made->mappings, endpoint_config);
  if (!endpoint) return endpoint.error();
  made->endpoint = std::move(*endpoint);
  p2p::engine_config p2p_config = config.p2p;
  p2p_config.events = &made->events;
  auto p2p = p2p::engine::open(*made->endpoint, *made->job, *made->arena, p2p_config);
  if (!p2p) return p2p.error();
  made->p2p = std::move(*p2p);
  const memory::job_header& header = made->job->header();
  coll::choices algorithms = config.coll;
  algorithms.set_machine(machine_of_job(*made->job, config.machine.get()), header.cpus, header.world_size);
  made->coll = std::make_unique<coll::engine>(*made->p2p, algorithms);
  made->coll->watch(*made->endpoint);
  made->coll->share(*made->endpoint, *made->job, *made->arena);
  rma::engine_config rma_config = config.rma;
  rma_config.prices = rma::costs_of(config.machine != nullptr ? *config.machine : model::nearest_built_in());
  made->rma = std::make_unique<rma::engine>(*made->endpoint, *made->job, *made->arena, rma_config);
  made->io = std::make_unique<io::engine>(*made->endpoint, *made->job, *made->arena, *made->p2p, *made->coll,
                                          config.io);
  return made;
}

// Upper layers first, as each uses those below it.
rank::~rank() {
  if (endpoint != nullptr) endpoint->background().allow(false);  // its thread may use the engines
  io.reset();
  rma.reset();
  coll.reset();
  p2p.reset();
  endpoint.reset();
  mappings.reset();
  heap.reset();
  arena.reset();
  job.reset();
}

}  // namespace loadstone
