// Test helper: numbers of every form, read from and written to memory.
#pragma once

#include <complex>
#include <cstring>

#include "datatype/basic.hpp"
#include "datatype/half.hpp"

namespace loadstone::datatype {

// Small whole numbers: exact in every format, products included, so that one arithmetic in long double serves
// as reference.
using wide = std::complex<long double>;

inline wide read(number form, const std::byte* from) {
  auto as = [from]<class T>(T value) {
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  auto two = [&]<class T>(T) {
    T parts[2];
    std::memcpy(parts, from, sizeof parts);
    return wide(static_cast<long double>(parts[0]), static_cast<long double>(parts[1]));
  };
  switch (form) {
    case number::i8:
      return static_cast<long double>(as(std::int8_t{}));
    case number::i16:
      return static_cast<long double>(as(std::int16_t{}));
    case number::i32:
      return static_cast<long double>(as(std::int32_t{}));
    case number::i64:
      return static_cast<long double>(as(std::int64_t{}));
    case number::i128:
      return static_cast<long double>(as(int128{}));
    case number::u8:
      return static_cast<long double>(as(std::uint8_t{}));
    case number::u16:
      return static_cast<long double>(as(std::uint16_t{}));
    case number::u32:
      return static_cast<long double>(as(std::uint32_t{}));
    case number::u64:
      return static_cast<long double>(as(std::uint64_t{}));
    case number::f16:
      return half_to_float(as(std::uint16_t{}));
    case number::f32:
      return as(float{});
    case number::f64:
      return as(double{});
    case number::extended:
      return as((long double){});
    case number::f128:
      return static_cast<long double>(as(float128{}));
    case number::c16: {
      std::uint16_t parts[2];
      std::memcpy(parts, from, sizeof parts);
      return {half_to_float(parts[0]), half_to_float(parts[1])};
    }
    case number::c32:
      return two(float{});
    case number::c64:
      return two(double{});
    case number::c_extended:
      return two((long double){});
    case number::c128:
      return two(float128{});
  }
  return {};
}

inline void write(number form, wide value, std::byte* to) {
  auto as = [to]<class T>(T v) { std::memcpy(to, &v, sizeof v); };
  auto two = [&]<class T>(T) {
    const T parts[2] = {static_cast<T>(value.real()), static_cast<T>(value.imag())};
    std::memcpy(to, parts, sizeof parts);
  };
  const auto whole = static_cast<std::int64_t>(value.real());
  switch (form) {
    case number::i8:
    case number::u8:
      return as(static_cast<std::int8_t>(whole));
    case number::i16:
    case number::u16:
      return as(static_cast<std::int16_t>(whole));
    case number::i32:
    case number::u32:
      return as(static_cast<std::int32_t>(whole));
    case number::i64:
    case number::u64:
      return as(whole);
    case number::i128:
      return as(static_cast<int128>(whole));
    case number::f16:
      return as(float_to_half(static_cast<float>(value.real())));
    case number::f32:
      return as(static_cast<float>(value.real()));
    case number::f64:
      return as(static_cast<double>(value.real()));
    case number::extended:
      return as(value.real());
    case number::f128:
      return as(static_cast<float128>(value.real()));
    case number::c16: {
      const std::uint16_t parts[2] = {float_to_half(static_cast<float>(value.real())),
                                      float_to_half(static_cast<float>(value.imag()))};
      std::memcpy(to, parts, sizeof parts);
      return;
    }
    case number::c32:
      return two(float{});
    case number::c64:
      return two(double{});
    case number::c_extended:
      return two((long double){});
    case number::c128:
      return two(float128{});
  }
}

}  // namespace loadstone::datatype
