#include "coll/builder.hpp"

#include <algorithm>

namespace loadstone::coll {

schedule::step& builder::add(schedule::action what, std::int32_t peer, std::int32_t number) {
  s_.steps_.push_back({what, 0, peer, number, &s_, nullptr, {}, {}, nullptr, nullptr, nullptr});
  return s_.steps_.back();
}

void builder::send(const team& t, std::int32_t to, buffer data, unsigned phase) {
  schedule::step& s = add(schedule::action::send, to);
  s.phase = static_cast<std::uint8_t>(phase);
  s.where = t.scope;
  s.data = data;
}

void builder::receive(const team& t, std::int32_t from, buffer data, unsigned phase) {
  schedule::step& s = add(schedule::action::receive, from);
  s.phase = static_cast<std::uint8_t>(phase);
  s.where = t.scope;
  s.data = data;
}

void builder::then() {
  if (s_.steps_.empty() || s_.steps_.back().what == schedule::action::wait) return;
  add(schedule::action::wait);
}

void builder::copy(buffer from, buffer to) {
  if (packed_bytes(from) == 0) return;
  if (from.address == to.address && from.type == to.type && from.count <= to.count) return;
  schedule::step& s = add(schedule::action::copy);
  s.data = from;
  s.target = to;
}

void builder::reduce(const void* lower, const void* higher, void* result, std::int64_t count,
                     const datatype::type& t, const datatype::op& op) {
  if (count == 0) return;
  schedule::step& s = add(schedule::action::reduce);
  s.data = {lower, count, &t};
  s.higher = higher;
  s.target = {result, count, &t};
  s.op = &op;
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
  return s_.scratch_.allocate(static_cast<std::size_t>(bytes));
}

void builder::keep(const datatype::type& t) {
  s_.definitions_.keep(t);
}

void builder::keep(const datatype::op& op) {
  s_.definitions_.keep(op);
}

}  // namespace loadstone::coll
