// The basic types of the random programs of windows, and the predefined operations on them, written out.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rma {

// The same numbers from the same seed everywhere (splitmix64); the ranks of a job draw alike.
class chance {
 public:
  explicit chance(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Both ends included.
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool percent(int p) { return pick(1, 100) <= p; }
  template <class T, std::size_t n>
  const T& of(const T (&list)[n]) {
    return list[pick(0, n - 1)];
  }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(list.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[next() % i]);
  }

 private:
  std::uint64_t state_;
};

using bytes = std::vector<unsigned char>;

enum class op { max, min, sum, prod, land, lor, lxor, band, bor, bxor, maxloc, minloc, replace, no_op };

inline MPI_Op handle(op o) {
  const MPI_Op all[] = {MPI_MAX,  MPI_MIN, MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_LOR,     MPI_LXOR,
                        MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
  return all[static_cast<int>(o)];
}

inline const char* name(op o) {
  static const char* const all[] = {"MAX",  "MIN", "SUM",  "PROD",   "LAND",   "LOR",     "LXOR",
                                    "BAND", "BOR", "BXOR", "MAXLOC", "MINLOC", "REPLACE", "NO_OP"};
  return all[static_cast<int>(o)];
}

using ranges = std::vector<std::pair<std::size_t, std::size_t>>;  // (offset, length)

enum class family { integer, unsigned_integer, byte, logical, floating, complex, pair, text };

struct kind {
  const char* name;
  MPI_Datatype type;
  family group;
  std::size_t extent, align;
  ranges typemap;  // of the bytes that it covers: a pair has a gap
  ranges data;     // of those, the bytes that have the value: a long double has ten
  void (*apply)(op, void* a, const void* b);   // a = b op a; nothing for text
  void (*set)(void* a, int value, int index);  // index: of pairs
  bool swaps;                                  // compare_and_swap has it
};

template <class T>
T by(op o, T a, T b) {
  // The kinds are integers shorter than int, too.
  switch (o) {
    case op::max:
      return std::max(a, b);
    case op::min:
      return std::min(a, b);
    case op::sum:
      return static_cast<T>(a + b);
    case op::prod:
      return static_cast<T>(a * b);
    case op::land:
      return static_cast<T>(a && b);
    case op::lor:
      return static_cast<T>(a || b);
    case op::lxor:
      return static_cast<T>(!a != !b);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (o == op::band) return static_cast<T>(a & b);
    if (o == op::bor) return static_cast<T>(a | b);
    if (o == op::bxor) return static_cast<T>(a ^ b);
  }
  return a;
}

template <class T>
void apply_number(op o, void* at, const void* with) {
  T a, b;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, with, sizeof b);
  a = by(o, a, b);
  std::memcpy(at, &a, sizeof a);
}

template <class T>
void apply_complex(op o, void* at, const void* with) {
  std::complex<T> a, b;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, with, sizeof b);
  if (o == op::sum) a += b;
  if (o == op::prod)  // of small integers: exact however it is written
    a = {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  std::memcpy(at, &a, sizeof a);
}

template <class T>
struct located {
  T value;
  int index;
};

template <class T>
void apply_pair(op o, void* at, const void* with) {
  constexpr std::size_t index_at = offsetof(located<T>, index);
  T a, b;
  int i, j;
  std::memcpy(&a, at, sizeof a);
  std::memcpy(&b, with, sizeof b);
  std::memcpy(&i, static_cast<char*>(at) + index_at, sizeof i);
  std::memcpy(&j, static_cast<const char*>(with) + index_at, sizeof j);
  if (a == b)
    i = std::min(i, j);
  else if ((o == op::maxloc) == (b > a))
    a = b, i = j;
  std::memcpy(at, &a, sizeof a);
  std::memcpy(static_cast<char*>(at) + index_at, &i, sizeof i);
}

template <class T>
void set_number(void* at, int value, int) {
  const T a = static_cast<T>(value);
  std::memcpy(at, &a, sizeof a);
}

template <class T>
void set_complex(void* at, int value, int index) {
  const std::complex<T> a(static_cast<T>(value), static_cast<T>(index));
  std::memcpy(at, &a, sizeof a);
}

template <class T>
void set_pair(void* at, int value, int index) {
  const T a = static_cast<T>(value);
  std::memcpy(at, &a, sizeof a);
  std::memcpy(static_cast<char*>(at) + offsetof(located<T>, index), &index, sizeof index);
}

template <class T>
constexpr std::size_t data_bytes = std::is_same_v<T, long double> && sizeof(T) == 16 ? 10 : sizeof(T);

template <class T>
kind number(const char* name, MPI_Datatype type, family group, bool swaps = true) {
  return {name,
          type,
          group,
          sizeof(T),
          alignof(T),
          {{0, sizeof(T)}},
          {{0, data_bytes<T>}},
          apply_number<T>,
          set_number<T>,
          swaps};
}

// MPI_DOUBLE_INT has a gap behind the int, which is nobody's. Other libraries write it.
inline bool leaves_gaps = true;

template <class T>
kind pair(const char* name, MPI_Datatype type) {
  using both = located<T>;
  return {
      name,
      type,
      family::pair,
      sizeof(both),
      alignof(both),
      leaves_gaps ? ranges{{0, sizeof(T)}, {offsetof(both, index), sizeof(int)}} : ranges{{0, sizeof(both)}},
      {{0, data_bytes<T>}, {offsetof(both, index), sizeof(int)}},
      apply_pair<T>,
      set_pair<T>,
      false};
}

template <class T>
kind complex(const char* name, MPI_Datatype type) {
  return {name,
          type,
          family::complex,
          2 * sizeof(T),
          alignof(T),
          {{0, 2 * sizeof(T)}},
          {{0, data_bytes<T>}, {sizeof(T), data_bytes<T>}},
          apply_complex<T>,
          set_complex<T>,
          false};
}

inline const std::vector<kind>& kinds() {
  using f = family;
  static const std::vector<kind> all = {
      number<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, f::integer),
      number<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, f::unsigned_integer),
      number<short>("MPI_SHORT", MPI_SHORT, f::integer),
      number<unsigned short>("MPI_UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, f::unsigned_integer),
      number<int>("MPI_INT", MPI_INT, f::integer),
      number<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED, f::unsigned_integer),
      number<long>("MPI_LONG", MPI_LONG, f::integer),
      number<unsigned long>("MPI_UNSIGNED_LONG", MPI_UNSIGNED_LONG, f::unsigned_integer),
      number<long long>("MPI_LONG_LONG", MPI_LONG_LONG, f::integer),
      number<unsigned long long>("MPI_UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, f::unsigned_integer),
      number<std::int8_t>("MPI_INT8_T", MPI_INT8_T, f::integer),
      number<std::int16_t>("MPI_INT16_T", MPI_INT16_T, f::integer),
      number<std::int32_t>("MPI_INT32_T", MPI_INT32_T, f::integer),
      number<std::int64_t>("MPI_INT64_T", MPI_INT64_T, f::integer),
      number<std::uint8_t>("MPI_UINT8_T", MPI_UINT8_T, f::unsigned_integer),
      number<std::uint16_t>("MPI_UINT16_T", MPI_UINT16_T, f::unsigned_integer),
      number<std::uint32_t>("MPI_UINT32_T", MPI_UINT32_T, f::unsigned_integer),
      number<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T, f::unsigned_integer),
      number<MPI_Aint>("MPI_AINT", MPI_AINT, f::integer),
      number<MPI_Offset>("MPI_OFFSET", MPI_OFFSET, f::integer),
      number<MPI_Count>("MPI_COUNT", MPI_COUNT, f::integer),
      number<unsigned char>("MPI_BYTE", MPI_BYTE, f::byte),
      number<bool>("MPI_C_BOOL", MPI_C_BOOL, f::logical),
      number<float>("MPI_FLOAT", MPI_FLOAT, f::floating, false),
      number<double>("MPI_DOUBLE", MPI_DOUBLE, f::floating, false),
      number<long double>("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, f::floating, false),
      pair<float>("MPI_FLOAT_INT", MPI_FLOAT_INT),
      pair<double>("MPI_DOUBLE_INT", MPI_DOUBLE_INT),
      pair<long>("MPI_LONG_INT", MPI_LONG_INT),
      pair<int>("MPI_2INT", MPI_2INT),
      pair<short>("MPI_SHORT_INT", MPI_SHORT_INT),
      pair<long double>("MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT),
      number<char>("MPI_CHAR", MPI_CHAR, f::text, false),
      number<wchar_t>("MPI_WCHAR", MPI_WCHAR, f::text, false),
      complex<float>("MPI_C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX),
      complex<double>("MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX),
      complex<long double>("MPI_C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX),
  };
  return all;
}

// "Predefined reduction operations": which operations a kind has. All have replace and no_op.
inline std::vector<op> operations(const kind& k) {
  switch (k.group) {
    case family::integer:
    case family::unsigned_integer:
      return {op::max, op::min, op::sum, op::prod, op::land, op::lor, op::lxor, op::band, op::bor, op::bxor};
    case family::byte:
      return {op::band, op::bor, op::bxor};
    case family::logical:
      return {op::land, op::lor, op::lxor};
    case family::floating:
      return {op::max, op::min, op::sum, op::prod};
    case family::complex:
      return {op::sum, op::prod};
    case family::pair:
      return {op::maxloc, op::minloc};
    case family::text:
      return {};
  }
  return {};
}

// A value whose use many times over by `o` neither overflows nor rounds; in windows larger ones are put at first.
inline void draw_value(chance& random, const kind& k, op o, bool first, void* at) {
  std::memset(at, 0, k.extent);
  int value = static_cast<int>(random.pick(0, 7)), index = static_cast<int>(random.pick(0, 3));
  const bool negative =
      k.group == family::integer || k.group == family::floating || k.group == family::complex;
  if (o == op::sum) {
    value = static_cast<int>(first ? random.pick(negative ? -60 : 0, 20) : random.pick(0, 2));
  } else if (o == op::prod) {
    value = static_cast<int>(first ? random.pick(1, 3) : random.percent(k.extent > 2 ? 10 : 2) ? 2 : 1);
    if (negative && random.percent(30)) value = -value;
    index = 0;
    if (k.group == family::complex && random.percent(50)) std::swap(value, index);
  } else if (k.group == family::logical) {
    value &= 1;
  } else if (o == op::max || o == op::min || o == op::maxloc || o == op::minloc) {
    value =
        static_cast<int>(negative || k.group == family::pair ? random.pick(-90, 90) : random.pick(0, 120));
  } else if (o == op::band || o == op::bor || o == op::bxor) {
    value = static_cast<int>(random.pick(0, 127));
  }
  k.set(at, value, index);
}

}  // namespace rma
