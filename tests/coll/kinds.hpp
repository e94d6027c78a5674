// Types, operations and numbers that the tests of collectives are made of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coll/image.hpp"
#include "datatype/builder.hpp"
#include "datatype/op.hpp"
#include "datatype/type.hpp"

namespace loadstone::coll::test {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
template <class... More>
std::uint64_t mix(std::uint64_t a, std::uint64_t b, More... more) {
  return mix(mix(a, b), static_cast<std::uint64_t>(more)...);
}

// `n` int32; one mixing makes two of them, for tests make many.
inline values random_values(std::uint64_t seed, std::int64_t n) {
  values v(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < v.size(); i += 2) {
    const std::uint64_t two = mix(seed, i);
    v[i] = static_cast<std::int32_t>(two);
    if (i + 1 < v.size()) v[i + 1] = static_cast<std::int32_t>(two >> 32);
  }
  return v;
}

// Every message is a multiple of this many int32, and of the size of each type below.
inline constexpr std::int64_t unit = 6;

struct types {
  using type = datatype::type;
  const type* plain = datatype::predefined_type(datatype::basic::int32);
  const type* pair = nullptr;      // two neighbours
  const type* strided = nullptr;   // three, with gaps
  const type* negative = nullptr;  // two, the second in front of the first, lower bound -12, extent 24
  const type* ahead = nullptr;     // two neighbours, 16 bytes behind the address; several are one block
  const type* before = nullptr;    // one, in front of the address, with a hole behind it
  const type* padded =
      nullptr;  // two at 0 and 8 of an extent of 16, lower bound -4: what user operations work on
  const type* nothing = nullptr;  // of size zero

  types() {
    using b = datatype::builder;
    pair = made(b::contiguous(2, *plain));
    strided = made(b::vector(3, 1, 2, *plain));
    const std::int64_t lengths[] = {1, 1}, backwards[] = {0, -8}, apart[] = {0, 8};
    negative = made(b::resized(*made(b::hindexed(lengths, backwards, *plain)), -12, 24));
    const std::int64_t two[] = {2}, one[] = {1}, at_16[] = {16}, at_minus_8[] = {-8};
    ahead = made(b::hindexed(two, at_16, *plain));
    before = made(b::resized(*made(b::hindexed(one, at_minus_8, *plain)), -8, 12));
    padded = made(b::resized(*made(b::hindexed(lengths, apart, *plain)), -4, 16));
    nothing = made(b::contiguous(0, *plain));
  }
  // For moving data: any, by number.
  const type& any(std::uint64_t n) const {
    const std::array<const type*, 6> all{plain, pair, strided, negative, ahead, before};
    return *all[n % all.size()];
  }

 private:
  static const type* made(datatype::builder::made r) {
    if (!r.ok() || !(*r)->commit().ok()) std::abort();
    return *r;
  }
};

inline const types& all_types() {
  static const types t;
  return t;
}

// Elements of `t` that hold `n` int32.
inline std::int64_t elements(std::int64_t n, const datatype::type& t) {
  return n / (t.size() / static_cast<std::int64_t>(sizeof(std::int32_t)));
}

// Operations on pairs (a, b), seen as x -> a x + b: composition is associative but not commutative; the sum
// is both.
enum class operation { predefined_sum, user_sum, composition };

inline void compose(void*, const void* in, void* inout, std::int64_t count, const datatype::type& t) {
  const std::byte* x = static_cast<const std::byte*>(in);
  std::byte* y = static_cast<std::byte*>(inout);
  const std::int64_t second = t.extent() == 16 ? 8 : 4;
  for (std::int64_t i = 0; i < count; ++i, x += t.extent(), y += t.extent()) {
    std::uint32_t a, b, c, d;
    std::memcpy(&a, x, 4), std::memcpy(&b, x + second, 4);
    std::memcpy(&c, y, 4), std::memcpy(&d, y + second, 4);
    d = c * b + d, c = c * a;
    std::memcpy(y, &c, 4), std::memcpy(y + second, &d, 4);
  }
}
inline void add(void*, const void* in, void* inout, std::int64_t count, const datatype::type& t) {
  const std::byte* x = static_cast<const std::byte*>(in);
  std::byte* y = static_cast<std::byte*>(inout);
  const std::int64_t second = t.extent() == 16 ? 8 : 4;
  for (std::int64_t i = 0; i < count; ++i, x += t.extent(), y += t.extent())
    for (std::int64_t at : {std::int64_t{0}, second}) {
      std::uint32_t a, b;
      std::memcpy(&a, x + at, 4), std::memcpy(&b, y + at, 4);
      b += a;
      std::memcpy(y + at, &b, 4);
    }
}

inline const datatype::op& op_of(operation o) {
  static const datatype::op* const composition = datatype::op::create(compose, nullptr, false);
  static const datatype::op* const user_sum = datatype::op::create(add, nullptr, true);
  switch (o) {
    case operation::composition:
      return *composition;
    case operation::user_sum:
      return *user_sum;
    default:
      return *datatype::predefined_op(0x00000021);
  }
}

// The same on values.
inline values fold(operation o, const values& low, values high) {
  if (o != operation::composition) {
    for (std::size_t i = 0; i < high.size(); ++i)
      high[i] =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(low[i]) + static_cast<std::uint32_t>(high[i]));
    return high;
  }
  for (std::size_t i = 0; i + 1 < high.size(); i += 2) {
    const auto a = static_cast<std::uint32_t>(low[i]), b = static_cast<std::uint32_t>(low[i + 1]);
    const auto c = static_cast<std::uint32_t>(high[i]), d = static_cast<std::uint32_t>(high[i + 1]);
    high[i] = static_cast<std::int32_t>(c * a);
    high[i + 1] = static_cast<std::int32_t>(c * b + d);
  }
  return high;
}

}  // namespace loadstone::coll::test
