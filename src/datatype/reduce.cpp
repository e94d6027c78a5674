// The loops of the predefined reductions. They are simple, so that the compiler vectorises them
// (this file is built with -O3). Elements are read and written with memcpy, which costs nothing and
// allows any alignment, as staging buffers may begin anywhere.
//
// On x86-64 there are others of each with vectors of 32 and 64 bytes, taken where the processor has
// them. Sums of doubles, ns: on a Zen 5, an operand misaligned, 16 KiB 165 by vectors of 32 bytes,
// 109 by 64; 64 KiB 886, 741; 1 MiB 15.0, 14.0 us. On a Xeon with AVX-512 16 KiB 164, 111; 64 KiB
// 1220, 1300; 1 MiB 29.8, 31.2 us. All give the same bits: no product is contracted with a sum
// (-ffp-contract=off).
//
// A loop of one vector must not cross a line of code (-falign-loops): on a Zen 3 it takes 1.8 times
// as long then (a sum of 16 KiB of doubles 0.34 us for 0.20). Wide ones take four vectors a
// turn: where one operand is misaligned, as blocks from malloc are, 0.35 us for 0.41.
#include "datatype/reduce.hpp"

#include <cstring>
#include <type_traits>

#include "base/cpus.hpp"
#include "datatype/combine.hpp"

namespace loadstone::datatype {
namespace {

// No turn of a loop needs what another has written, also where the result lies on an operand.
#if defined(__clang__)
#define LOADSTONE_TURNS_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define LOADSTONE_TURNS_APART _Pragma("GCC ivdep")
#endif

template <class Op, class T>
[[gnu::always_inline]] inline void element(const std::byte* a, const std::byte* b, std::byte* out,
                                           std::int64_t i) {
  const auto at = static_cast<std::size_t>(i) * sizeof(T);
  store(out + at, combine<Op>(load<T>(a + at), load<T>(b + at)));
}

template <class Op, class T>
void loop(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count) {
  LOADSTONE_TURNS_APART
  for (std::int64_t i = 0; i < count; i++) element<Op, T>(a, b, out, i);
}

#if defined(__x86_64__)
template <class Op, class T>
__attribute__((target("avx2"))) void loop_of_32(const std::byte* a, const std::byte* b, std::byte* out,
                                                std::int64_t count) {
  LOADSTONE_TURNS_APART
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < count; i++) element<Op, T>(a, b, out, i);
}

template <class Op, class T>
__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"))) void loop_of_64(const std::byte* a,
                                                                              const std::byte* b,
                                                                              std::byte* out,
                                                                              std::int64_t count) {
  LOADSTONE_TURNS_APART
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < count; i++) element<Op, T>(a, b, out, i);
}
#endif

template <class T>
constexpr bool in_vectors = (std::is_arithmetic_v<T> && sizeof(T) <= 8) ||
                            std::is_same_v<T, complex_of<float>> || std::is_same_v<T, complex_of<double>>;

template <class Op, class T>
reduction choose_loop([[maybe_unused]] vectors wide) {
#if defined(__x86_64__)
  if constexpr (in_vectors<T>) {
    // gcc contracts complex products where there are such instructions, whatever it is told.
    if constexpr (std::is_arithmetic_v<T>)
      if (wide == vectors::of_64) return loop_of_64<Op, T>;
    if (wide != vectors::of_all) return loop_of_32<Op, T>;
  }
#endif
  return loop<Op, T>;
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
void pair_loop(const pair_layout& l, const std::byte* a, const std::byte* b, std::byte* out,
               std::int64_t count) {
  const comparison index_less = less_for(l.index);
  const std::size_t index_size = size_of(l.index);
  for (std::int64_t i = 0; i < count; i++, a += l.extent, b += l.extent, out += l.extent) {
    const auto x = comparable(load<V>(a)), y = comparable(load<V>(b));
    const bool wins = Maximum ? x > y : x < y;
    const bool of_a = wins || (x == y && index_less(a + l.index_offset, b + l.index_offset));
    const std::byte* const from = of_a ? a : b;
    if (from == out) continue;
    std::memcpy(out, from, sizeof(V));
    std::memcpy(out + l.index_offset, from + l.index_offset, index_size);
  }
}

template <bool Maximum>
void pairs(const pair_layout& l, const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count) {
  switch (l.value) {
    case number::i8:
      return pair_loop<Maximum, std::int8_t>(l, a, b, out, count);
    case number::i16:
      return pair_loop<Maximum, std::int16_t>(l, a, b, out, count);
    case number::i32:
      return pair_loop<Maximum, std::int32_t>(l, a, b, out, count);
    case number::i64:
      return pair_loop<Maximum, std::int64_t>(l, a, b, out, count);
    case number::i128:
      return pair_loop<Maximum, int128>(l, a, b, out, count);
    case number::u8:
      return pair_loop<Maximum, std::uint8_t>(l, a, b, out, count);
    case number::u16:
      return pair_loop<Maximum, std::uint16_t>(l, a, b, out, count);
    case number::u32:
      return pair_loop<Maximum, std::uint32_t>(l, a, b, out, count);
    case number::u64:
      return pair_loop<Maximum, std::uint64_t>(l, a, b, out, count);
    case number::f16:
      return pair_loop<Maximum, half>(l, a, b, out, count);
    case number::f32:
      return pair_loop<Maximum, float>(l, a, b, out, count);
    case number::f64:
      return pair_loop<Maximum, double>(l, a, b, out, count);
    case number::extended:
      return pair_loop<Maximum, long double>(l, a, b, out, count);
    case number::f128:
      return pair_loop<Maximum, float128>(l, a, b, out, count);
    default:
      return;
  }
}

}  // namespace

#if defined(__x86_64__)
const vectors widest_vectors = base::has_vectors_of_64()             ? vectors::of_64
                               : __builtin_cpu_supports("avx2") != 0 ? vectors::of_32
                                                                     : vectors::of_all;
#else
const vectors widest_vectors = vectors::of_all;
#endif

reduction find_reduction(op_kind kind, number form, vectors wide) {
  return reduction_on(kind, form,
                      [wide]<class Op, class T>() -> reduction { return choose_loop<Op, T>(wide); });
}

void reduce_pairs(bool maximum, const pair_layout& layout, const std::byte* a, const std::byte* b,
                  std::byte* out, std::int64_t count) {
  maximum ? pairs<true>(layout, a, b, out, count) : pairs<false>(layout, a, b, out, count);
}

}  // namespace loadstone::datatype
