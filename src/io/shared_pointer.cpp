#include "io/shared_pointer.hpp"

#include <cstring>
#include <mutex>
#include <utility>

namespace loadstone::io {

shared_pointer::~shared_pointer() {
  leave();
}

base::status shared_pointer::make(engine& e) {
  auto got = e.arena().allocate(sizeof(std::int64_t));
  if (!got) return got.error();
  word_ = *got;
  std::memset(word_, 0, sizeof(std::int64_t));
  join(e, e.arena().address_of(word_));
  return {};
}

void shared_pointer::leave() {
  if (word_ != nullptr) engine_->arena().release(std::exchange(word_, nullptr));
}

base::result<std::int64_t> shared_pointer::add(std::int64_t n) {
  const std::lock_guard guard(engine_->endpoint().gate());
  auto before = engine_->endpoint().deposits().atomic(where_, sizeof n, deposit::atomic_op::fetch_add,
                                                      static_cast<std::uint64_t>(n));
  if (!before) return before.error();
  return static_cast<std::int64_t>(*before);
}

base::status shared_pointer::set(std::int64_t n) {
  const std::lock_guard guard(engine_->endpoint().gate());
  return engine_->endpoint()
      .deposits()
      .atomic(where_, sizeof n, deposit::atomic_op::swap, static_cast<std::uint64_t>(n))
      .error();
}

}  // namespace loadstone::io
