// The loops of the predefined reductions. They are simple, so that the compiler vectorises them
// (this file is built with -O3). Elements are read and written with memcpy, which costs nothing and
// allows any alignment, as staging buffers may begin anywhere.
#include "datatype/reduce.hpp"

#include <cstring>
#include <type_traits>

#include "datatype/half.hpp"

namespace loadstone::datatype {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void store(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
}

// A half in memory; arithmetic is done in float.
struct half {
  std::uint16_t bits;
};
template <class T>
struct complex_of {
  T re, im;
};

template <class T>
constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, int128>;
template <class T>
struct unsigned_of {  // at least as wide as int: narrower types are promoted to int, which may overflow
  using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};
template <>
struct unsigned_of<int128> {
  using type = unsigned __int128;
};

// Integers wrap around.
struct add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (is_integer<T>) {
      using u = typename unsigned_of<T>::type;
      return static_cast<T>(static_cast<u>(a) + static_cast<u>(b));
    } else {
      return a + b;
    }
  }
};
struct multiply {
  template <class T>
  static T of(T a, T b) {
    if constexpr (is_integer<T>) {
      using u = typename unsigned_of<T>::type;
      return static_cast<T>(static_cast<u>(a) * static_cast<u>(b));
    } else {
      return a * b;
    }
  }
};
struct minimum {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct maximum {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};
struct logical_and {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct logical_or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) | (b != 0));
  }
};
struct logical_xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};
struct bit_and {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct bit_or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct bit_xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

template <class Op, class T>
T combine(const T& a, const T& b) {
  return Op::of(a, b);
}
template <class Op>
half combine(const half& a, const half& b) {
  return {float_to_half(Op::of(half_to_float(a.bits), half_to_float(b.bits)))};
}
template <class Op, class T>
complex_of<T> combine(const complex_of<T>& a, const complex_of<T>& b) {
  if constexpr (std::is_same_v<Op, add>) {
    return {combine<Op>(a.re, b.re), combine<Op>(a.im, b.im)};
  } else if constexpr (std::is_same_v<T, half>) {
    const float ar = half_to_float(a.re.bits), ai = half_to_float(a.im.bits);
    const float br = half_to_float(b.re.bits), bi = half_to_float(b.im.bits);
    return {{float_to_half(ar * br - ai * bi)}, {float_to_half(ar * bi + ai * br)}};
  } else {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
}

template <class Op, class T>
void loop(const std::byte* __restrict in, std::byte* __restrict inout, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i++) {
    const auto at = static_cast<std::size_t>(i) * sizeof(T);
    store(inout + at, combine<Op>(load<T>(in + at), load<T>(inout + at)));
  }
}

template <class Op>
reduction on_integers(number form) {
  switch (form) {
    case number::i8:
      return loop<Op, std::int8_t>;
    case number::i16:
      return loop<Op, std::int16_t>;
    case number::i32:
      return loop<Op, std::int32_t>;
    case number::i64:
      return loop<Op, std::int64_t>;
    case number::i128:
      return loop<Op, int128>;
    case number::u8:
      return loop<Op, std::uint8_t>;
    case number::u16:
      return loop<Op, std::uint16_t>;
    case number::u32:
      return loop<Op, std::uint32_t>;
    case number::u64:
      return loop<Op, std::uint64_t>;
    default:
      return nullptr;
  }
}
template <class Op>
reduction on_reals(number form) {
  switch (form) {
    case number::f16:
      return loop<Op, half>;
    case number::f32:
      return loop<Op, float>;
    case number::f64:
      return loop<Op, double>;
    case number::extended:
      return loop<Op, long double>;
    case number::f128:
      return loop<Op, float128>;
    default:
      return on_integers<Op>(form);
  }
}
template <class Op>
reduction on_numbers(number form) {
  switch (form) {
    case number::c16:
      return loop<Op, complex_of<half>>;
    case number::c32:
      return loop<Op, complex_of<float>>;
    case number::c64:
      return loop<Op, complex_of<double>>;
    case number::c_extended:
      return loop<Op, complex_of<long double>>;
    case number::c128:
      return loop<Op, complex_of<float128>>;
    default:
      return on_reals<Op>(form);
  }
}

// --- MINLOC and MAXLOC ---

template <class T>
auto comparable(T value) {
  if constexpr (std::is_same_v<T, half>) {
    return half_to_float(value.bits);
  } else {
    return value;
  }
}
template <class T>
bool less(const std::byte* a, const std::byte* b) {
  return comparable(load<T>(a)) < comparable(load<T>(b));
}
using comparison = bool (*)(const std::byte* a, const std::byte* b);

comparison less_for(number form) {
  switch (form) {
    case number::i8:
      return less<std::int8_t>;
    case number::i16:
      return less<std::int16_t>;
    case number::i32:
      return less<std::int32_t>;
    case number::i64:
      return less<std::int64_t>;
    case number::i128:
      return less<int128>;
    case number::u8:
      return less<std::uint8_t>;
    case number::u16:
      return less<std::uint16_t>;
    case number::u32:
      return less<std::uint32_t>;
    case number::u64:
      return less<std::uint64_t>;
    case number::f16:
      return less<half>;
    case number::f32:
      return less<float>;
    case number::f64:
      return less<double>;
    case number::extended:
      return less<long double>;
    case number::f128:
      return less<float128>;
    default:
      return nullptr;
  }
}

// The kind of the value is known to the loop; that of the index matters only where two values are
// equal.
template <bool Maximum, class V>
void pair_loop(const pair_layout& l, const std::byte* in, std::byte* inout, std::int64_t count) {
  const comparison index_less = less_for(l.index);
  const std::size_t index_size = size_of(l.index);
  for (std::int64_t i = 0; i < count; i++, in += l.extent, inout += l.extent) {
    const auto a = comparable(load<V>(in)), b = comparable(load<V>(inout));
    const bool wins = Maximum ? a > b : a < b;
    if (wins || (a == b && index_less(in + l.index_offset, inout + l.index_offset))) {
      std::memcpy(inout, in, sizeof(V));
      std::memcpy(inout + l.index_offset, in + l.index_offset, index_size);
    }
  }
}

template <bool Maximum>
void pairs(const pair_layout& l, const std::byte* in, std::byte* inout, std::int64_t count) {
  switch (l.value) {
    case number::i8:
      return pair_loop<Maximum, std::int8_t>(l, in, inout, count);
    case number::i16:
      return pair_loop<Maximum, std::int16_t>(l, in, inout, count);
    case number::i32:
      return pair_loop<Maximum, std::int32_t>(l, in, inout, count);
    case number::i64:
      return pair_loop<Maximum, std::int64_t>(l, in, inout, count);
    case number::i128:
      return pair_loop<Maximum, int128>(l, in, inout, count);
    case number::u8:
      return pair_loop<Maximum, std::uint8_t>(l, in, inout, count);
    case number::u16:
      return pair_loop<Maximum, std::uint16_t>(l, in, inout, count);
    case number::u32:
      return pair_loop<Maximum, std::uint32_t>(l, in, inout, count);
    case number::u64:
      return pair_loop<Maximum, std::uint64_t>(l, in, inout, count);
    case number::f16:
      return pair_loop<Maximum, half>(l, in, inout, count);
    case number::f32:
      return pair_loop<Maximum, float>(l, in, inout, count);
    case number::f64:
      return pair_loop<Maximum, double>(l, in, inout, count);
    case number::extended:
      return pair_loop<Maximum, long double>(l, in, inout, count);
    case number::f128:
      return pair_loop<Maximum, float128>(l, in, inout, count);
    default:
      return;
  }
}

}  // namespace

reduction find_reduction(op_kind kind, number form) {
  switch (kind) {
    case op_kind::sum:
      return on_numbers<add>(form);
    case op_kind::prod:
      return on_numbers<multiply>(form);
    case op_kind::min:
      return on_reals<minimum>(form);
    case op_kind::max:
      return on_reals<maximum>(form);
    case op_kind::land:
      return on_integers<logical_and>(form);
    case op_kind::lor:
      return on_integers<logical_or>(form);
    case op_kind::lxor:
      return on_integers<logical_xor>(form);
    case op_kind::band:
      return on_integers<bit_and>(form);
    case op_kind::bor:
      return on_integers<bit_or>(form);
    case op_kind::bxor:
      return on_integers<bit_xor>(form);
    default:
      return nullptr;
  }
}

void reduce_pairs(bool maximum, const pair_layout& layout, const std::byte* in, std::byte* inout,
                  std::int64_t count) {
  maximum ? pairs<true>(layout, in, inout, count) : pairs<false>(layout, in, inout, count);
}

}  // namespace loadstone::datatype
