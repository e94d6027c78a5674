#include "rma/engine.hpp"

#include "rma/accumulate.hpp"
#include "rma/sync.hpp"

namespace loadstone::rma {

engine::engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, const engine_config&)
    : endpoint_(endpoint), job_(job), arena_(arena) {}

engine::~engine() = default;

}  // namespace loadstone::rma
