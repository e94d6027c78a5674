#include "rma/engine.hpp"

#include "rma/asked.hpp"

namespace loadstone::rma {

engine::engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, const engine_config&)
    : endpoint_(endpoint), job_(job), arena_(arena), by_message_(std::make_unique<asked>(endpoint, job)) {}

engine::~engine() = default;

}  // namespace loadstone::rma
