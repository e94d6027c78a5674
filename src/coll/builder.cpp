#include "coll/builder.hpp"

#include <algorithm>

namespace loadstone::coll {

void builder::send(const team& t, std::int32_t to, buffer data, unsigned phase) {
  s_.steps_.push_back({schedule::action::send,
                       static_cast<std::uint8_t>(phase),
                       to,
                       &s_,
                       t.scope,
                       data,
                       {},
                       nullptr,
                       nullptr});
}

void builder::receive(const team& t, std::int32_t from, buffer data, unsigned phase) {
  s_.steps_.push_back({schedule::action::receive,
                       static_cast<std::uint8_t>(phase),
                       from,
                       &s_,
                       t.scope,
                       data,
                       {},
                       nullptr,
                       nullptr});
}

void builder::then() {
  if (s_.steps_.empty() || s_.steps_.back().what == schedule::action::wait) return;
  s_.steps_.push_back({schedule::action::wait, 0, -1, &s_, nullptr, {}, {}, nullptr, nullptr});
}

void builder::copy(buffer from, buffer to) {
  if (packed_bytes(from) == 0) return;
  if (from.address == to.address && from.type == to.type && from.count <= to.count) return;
  s_.steps_.push_back({schedule::action::copy, 0, -1, &s_, nullptr, from, to, nullptr, nullptr});
}

void builder::reduce(const void* lower, void* higher, std::int64_t count, const datatype::type& t,
                     const datatype::op& op) {
  if (count == 0) return;
  s_.steps_.push_back(
      {schedule::action::reduce, 0, -1, &s_, nullptr, {lower, count, &t}, {higher, count, &t}, &op, nullptr});
}

void* builder::scratch(std::int64_t count, const datatype::type& t) {
  if (count == 0) return nullptr;
  // From the lowest byte of any element to the highest; with a negative extent the last element is
  // the lowest.
  const std::int64_t last = (count - 1) * t.extent();
  const std::int64_t low = t.true_lower_bound() + std::min<std::int64_t>(0, last);
  const std::int64_t high = t.true_lower_bound() + t.true_extent() + std::max<std::int64_t>(0, last);
  return scratch_bytes(high - low) - low;
}

std::byte* builder::scratch_bytes(std::int64_t bytes) {
  return s_.scratch(static_cast<std::size_t>(bytes));
}

void builder::keep(const datatype::type& t) {
  if (std::find(s_.types_.begin(), s_.types_.end(), &t) != s_.types_.end()) return;
  s_.types_.push_back(&t);
  t.acquire();
}

void builder::keep(const datatype::op& op) {
  s_.ops_.push_back(&op);
  op.acquire();
}

}  // namespace loadstone::coll
