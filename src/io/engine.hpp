// Files of one rank: what they all share.
#pragma once

#include <memory>

#include "buffering/stream.hpp"
#include "coll/engine.hpp"
#include "deposit/endpoint.hpp"
#include "io/buffered_storage.hpp"
#include "io/storage.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/mappings.hpp"
#include "p2p/engine.hpp"

namespace loadstone::io {

class engine {
 public:
  engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, p2p::engine& p2p,
         coll::engine& coll, const buffering::config& buffers)
      : endpoint_(endpoint),
        job_(job),
        arena_(arena),
        p2p_(p2p),
        coll_(coll),
        mappings_(job, job.self(), {}),
        storage_(make_buffered_storage(job, arena, buffers)) {}
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  deposit::endpoint& endpoint() { return endpoint_; }
  memory::job& job() { return job_; }
  memory::arena& arena() { return arena_; }
  p2p::engine& p2p() { return p2p_; }
  coll::engine& coll() { return coll_; }
  memory::mappings& mappings() { return mappings_; }  // of what members of files have for each other
  io::storage& storage() { return *storage_; }

 private:
  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  p2p::engine& p2p_;
  coll::engine& coll_;
  memory::mappings mappings_;
  std::unique_ptr<io::storage> storage_;
};

}  // namespace loadstone::io
