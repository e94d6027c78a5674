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

int team::alltoall(const void* out, std::int64_t bytes_each, void* in) {
  const std::lock_guard guard(engine_->endpoint().gate());
  return run(engine_->coll().alltoall(view_, bytes_at(out, bytes_each), bytes_at(in, bytes_each), false));
}

int team::alltoallv(const blocks& out, const blocks& in) {
  const auto side = [](const blocks& b) {
    return coll::vector_side{b.data,
                             {b.counts.data(), sizeof(std::int64_t)},
                             {b.places.data(), sizeof(std::int64_t)},
                             datatype::predefined_type(datatype::basic::byte),
                             nullptr};
  };
  const std::lock_guard guard(engine_->endpoint().gate());
  return run(engine_->coll().alltoallv(view_, side(out), side(in), false));
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

std::vector<std::int64_t> one_after_another(const std::vector<std::int64_t>& counts, std::int64_t* all) {
  std::vector<std::int64_t> at(counts.size());
  *all = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    at[i] = *all;
    *all += counts[i];
  }
  return at;
}

}  // namespace loadstone::io
