#include "io/team.hpp"

#include <mutex>

namespace loadstone::io {
namespace {

constexpr std::int32_t no_memory = 39;  // MPI_ERR_NO_MEM
constexpr std::int32_t turn_tag = 1;

p2p::buffer bytes_at(const void* data, std::int64_t bytes) {
  return {data, bytes, datatype::predefined_type(datatype::basic::byte)};
}

}  // namespace

int team::run(coll::schedule* s) {
  return s == nullptr ? no_memory : engine_->coll().run(s, why_);
}

int team::barrier() {
  const std::lock_guard guard(engine_->endpoint().gate());
  return run(engine_->coll().barrier(view_));
}

int team::bcast(void* data, std::int64_t bytes, int root) {
  const std::lock_guard guard(engine_->endpoint().gate());
  return run(engine_->coll().bcast(view_, bytes_at(data, bytes), root));
}

int team::allgather(const void* mine, std::int64_t bytes, void* all) {
  const std::lock_guard guard(engine_->endpoint().gate());
  return run(engine_->coll().allgather(view_, bytes_at(mine, bytes), bytes_at(all, bytes), false));
}

int team::await_turn() {
  if (rank() == 0) return 0;
  p2p::outcome result;
  char nothing = 0;
  const std::lock_guard guard(engine_->endpoint().gate());
  engine_->p2p().receive_wait(*messages_, bytes_at(&nothing, 1), rank() - 1, turn_tag, why_, &result);
  return result.error;
}

int team::pass_turn() {
  if (rank() + 1 == size()) return 0;
  p2p::outcome result;
  const char nothing = 0;
  const std::lock_guard guard(engine_->endpoint().gate());
  engine_->p2p().send_wait(*messages_, bytes_at(&nothing, 1), rank() + 1, turn_tag, p2p::send_mode::standard,
                           why_, &result);
  return result.error;
}

}  // namespace loadstone::io
