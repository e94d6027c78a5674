// Converts IEEE binary16 to and from float, in software, because not all compilers that we support
// know the type.
#pragma once

#include <bit>
#include <cstdint>

namespace loadstone::datatype {

inline float half_to_float(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  std::uint32_t exponent = (h >> 10) & 0x1f, fraction = h & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {  // zero and subnormals: fraction * 2^-24, exact in float
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

// Rounds to nearest, ties to even.
inline std::uint16_t float_to_half(float f) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);  // NaN
  if (magnitude >= 0x47800000u)
    return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2^16 and above: infinity
  std::uint32_t value, shift;
  if (magnitude >= 0x38800000u) {  // normal
    value = magnitude - (112u << 23);
    shift = 13;
  } else {  // subnormal: the 24-bit significand, shifted to units of 2^-24
    const std::uint32_t exponent = magnitude >> 23;
    if (exponent < 102) return sign;
    value = (magnitude & 0x7fffffu) | 0x800000u;
    shift = 126 - exponent;
  }
  const std::uint32_t rest = value & ((1u << shift) - 1), half = 1u << (shift - 1);
  value >>= shift;
  if (rest > half || (rest == half && (value & 1) != 0))
    value++;  // may carry into the exponent, up to infinity, which is correct
  return static_cast<std::uint16_t>(sign | value);
}

}  // namespace loadstone::datatype
