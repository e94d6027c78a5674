// What each predefined reduction does with two numbers, for whoever writes loops over them
// (reduce.cpp, rma/atomics.cpp).
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "datatype/basic.hpp"
#include "datatype/half.hpp"
#include "datatype/op.hpp"

namespace loadstone::datatype {

// Numbers are read and written with memcpy, which costs nothing and allows any alignment.
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

// What make<Op, T>() gives for an operation and the C++ type of a number; a null pointer if there
// is no such operation on it. Not for minloc and maxloc, and not for replace and no_op.
template <class Op, class Make>
constexpr auto on_integers(number form, Make make) -> decltype(make.template operator()<Op, int>()) {
  switch (form) {
    case number::i8:
      return make.template operator()<Op, std::int8_t>();
    case number::i16:
      return make.template operator()<Op, std::int16_t>();
    case number::i32:
      return make.template operator()<Op, std::int32_t>();
    case number::i64:
      return make.template operator()<Op, std::int64_t>();
    case number::i128:
      return make.template operator()<Op, int128>();
    case number::u8:
      return make.template operator()<Op, std::uint8_t>();
    case number::u16:
      return make.template operator()<Op, std::uint16_t>();
    case number::u32:
      return make.template operator()<Op, std::uint32_t>();
    case number::u64:
      return make.template operator()<Op, std::uint64_t>();
    default:
      return nullptr;
  }
}
template <class Op, class Make>
constexpr auto on_reals(number form, Make make) -> decltype(make.template operator()<Op, int>()) {
  switch (form) {
    case number::f16:
      return make.template operator()<Op, half>();
    case number::f32:
      return make.template operator()<Op, float>();
    case number::f64:
      return make.template operator()<Op, double>();
    case number::extended:
      return make.template operator()<Op, long double>();
    case number::f128:
      return make.template operator()<Op, float128>();
    default:
      return on_integers<Op>(form, make);
  }
}
template <class Op, class Make>
constexpr auto on_numbers(number form, Make make) -> decltype(make.template operator()<Op, int>()) {
  switch (form) {
    case number::c16:
      return make.template operator()<Op, complex_of<half>>();
    case number::c32:
      return make.template operator()<Op, complex_of<float>>();
    case number::c64:
      return make.template operator()<Op, complex_of<double>>();
    case number::c_extended:
      return make.template operator()<Op, complex_of<long double>>();
    case number::c128:
      return make.template operator()<Op, complex_of<float128>>();
    default:
      return on_reals<Op>(form, make);
  }
}
template <class Make>
constexpr auto reduction_on(op_kind kind, number form,
                            Make make) -> decltype(make.template operator()<add, int>()) {
  switch (kind) {
    case op_kind::sum:
      return on_numbers<add>(form, make);
    case op_kind::prod:
      return on_numbers<multiply>(form, make);
    case op_kind::min:
      return on_reals<minimum>(form, make);
    case op_kind::max:
      return on_reals<maximum>(form, make);
    case op_kind::land:
      return on_integers<logical_and>(form, make);
    case op_kind::lor:
      return on_integers<logical_or>(form, make);
    case op_kind::lxor:
      return on_integers<logical_xor>(form, make);
    case op_kind::band:
      return on_integers<bit_and>(form, make);
    case op_kind::bor:
      return on_integers<bit_or>(form, make);
    case op_kind::bxor:
      return on_integers<bit_xor>(form, make);
    default:
      return nullptr;
  }
}

}  // namespace loadstone::datatype
