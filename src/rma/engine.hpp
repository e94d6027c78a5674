// One-sided communication of one rank: what all its windows share.
#pragma once

#include <memory>

#include "deposit/endpoint.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"

namespace loadstone::rma {

class asked;

struct engine_config {};

class engine {
 public:
  engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena,
         const engine_config& config = {});
  ~engine();

  deposit::endpoint& endpoint() { return endpoint_; }
  memory::job& job() { return job_; }
  memory::arena& arena() { return arena_; }
  asked& by_message() { return *by_message_; }
  std::uint32_t self() const { return endpoint_.self(); }

 private:
  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  std::unique_ptr<asked> by_message_;
};

}  // namespace loadstone::rma
