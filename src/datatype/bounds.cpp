// Sizes and extents, by the formulas of MPI-5.0, 5.1.6 and 5.1.7. A marker set by resized overrides
// the limits of the data, wherever the type is used. Without markers, the upper bound of a struct
// is padded to the strictest alignment in its type map, as a C compiler does. All other
// constructors pass that padding on, and add none. The standard's epsilon would pad them too, where
// strides and displacements in bytes are not aligned; but it leaves alignment to the
// implementation, and programs are used to libraries that do not pad these.
#include <algorithm>
#include <limits>

#include "datatype/definition.hpp"

namespace loadstone::datatype {
namespace {

struct bounds_algebra {
  using value = bounds;
  using list = bounds;
  checked arithmetic;

  bounds block(basic kind) {
    const auto& row = info(kind);
    bounds b;
    b.size = b.true_upper = b.upper = row.size;
    b.elements = 1;
    b.alignment = row.alignment;
    b.single = kind;
    b.named.value = kind;
    return b;
  }
  bounds part(const type& t) { return t.made().limits; }
  bounds repeat(bounds b, std::int64_t count, std::int64_t stride) {
    if (count == 0 || (b.size == 0 && !b.marked)) return {};
    const std::int64_t last = arithmetic.times(count - 1, stride);
    const std::int64_t down = std::min<std::int64_t>(last, 0), up = std::max<std::int64_t>(last, 0);
    if (b.size > 0) {
      b.true_lower = arithmetic.plus(b.true_lower, down);
      b.true_upper = arithmetic.plus(b.true_upper, up);
      b.upper = arithmetic.plus(b.upper, up);
    }
    if (b.marked) {
      b.marked_lower = arithmetic.plus(b.marked_lower, down);
      b.marked_upper = arithmetic.plus(b.marked_upper, up);
    }
    b.size = arithmetic.times(b.size, count);
    b.elements = arithmetic.times(b.elements, count);
    return b;
  }
  void append(bounds& to, const bounds& b, std::int64_t offset) {
    if (b.size > 0) {
      const std::int64_t lower = arithmetic.plus(b.true_lower, offset),
                         true_upper = arithmetic.plus(b.true_upper, offset),
                         upper = arithmetic.plus(b.upper, offset);
      to.true_lower = to.size > 0 ? std::min(to.true_lower, lower) : lower;
      to.true_upper = to.size > 0 ? std::max(to.true_upper, true_upper) : true_upper;
      to.upper = to.size > 0 ? std::max(to.upper, upper) : upper;
      to.mixed |= b.mixed || (to.size > 0 && to.single != b.single);
      to.single = b.single;
      to.several |= b.several || (to.size > 0 && to.named != b.named);
      to.named = b.named;
    }
    if (b.marked) {
      const std::int64_t lower = arithmetic.plus(b.marked_lower, offset),
                         upper = arithmetic.plus(b.marked_upper, offset);
      to.marked_lower = to.marked ? std::min(to.marked_lower, lower) : lower;
      to.marked_upper = to.marked ? std::max(to.marked_upper, upper) : upper;
      to.marked = true;
    }
    to.alignment = std::max(to.alignment, b.alignment);
    to.size = arithmetic.plus(to.size, b.size);
    to.elements = arithmetic.plus(to.elements, b.elements);
  }
  bounds sequence(bounds&& b) { return b; }
};

std::int64_t largest_count(std::int64_t size, std::int64_t extent) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  if (size == 0) return all;
  return all / std::max(size, extent < 0 ? -std::max(extent, -all) : extent);
}

}  // namespace

base::status type::settle() {
  definition& d = definition_;
  bounds_algebra algebra;
  bounds b = evaluate(d, algebra);
  checked& c = algebra.arithmetic;
  if (d.kind == combiner::resized) {
    b.marked = true;
    b.marked_lower = d.numbers[0];
    b.marked_upper = c.plus(d.numbers[0], d.numbers[1]);
  }
  if (b.size == 0) b.true_lower = b.true_upper = b.upper = 0;
  if (d.kind == combiner::structure || d.index != basic::none) {
    const std::int64_t length = c.plus(b.upper, c.times(b.true_lower, -1));
    b.upper = c.plus(b.upper, (b.alignment - length % b.alignment) % b.alignment);
  }
  const std::int64_t extent = b.marked ? c.plus(b.marked_upper, c.times(b.marked_lower, -1))
                                       : c.plus(b.upper, c.times(b.true_lower, -1));
  const std::int64_t true_extent = c.plus(b.true_upper, c.times(b.true_lower, -1));
  c.plus(b.lower(), extent);
  if (c.overflow) return {base::code::invalid, 0, "the size or extent of the datatype does not fit 64 bits"};
  if (b.mixed) b.single = basic::none;
  if (d.index != basic::none) {
    b.several = false;
    b.named = {d.value, d.index};
  }
  if (b.several) b.named = {};
  d.limits = b;
  size_ = b.size;
  lower_bound_ = b.lower();
  extent_ = extent;
  true_lower_bound_ = b.true_lower;
  true_extent_ = true_extent;
  basic_elements_ = b.elements;
  single_basic_ = b.single;
  single_named_ = b.named;
  most_ = largest_count(b.size, extent);
  return base::status::success();
}

}  // namespace loadstone::datatype
