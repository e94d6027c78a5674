// Types that the user asks for by properties: precision and range, a size, or a pair of value and
// index.
#include "datatype/draft.hpp"

namespace loadstone::datatype {
namespace {

struct real_kind {
  int precision, range;
  basic real, complex;
};
// gfortran's kinds 4, 8, 10 and 16. Kind 10 is x87's format; where C's long double is binary128 it
// has 33 digits as well.
constexpr real_kind real_kinds[] = {
    {6, 37, basic::real4, basic::complex8},
    {15, 307, basic::real8, basic::complex16},
#if defined(__x86_64__)
    {18, 4931, basic::long_double, basic::c_long_double_complex},
#endif
    {33, 4931, basic::real16, basic::complex32},
};

const real_kind* select_real(int precision, int range) {
  if (precision < 0 && range < 0) return nullptr;  // at least one must be given
  for (const auto& kind : real_kinds)
    if (precision <= kind.precision && range <= kind.range) return &kind;
  return nullptr;
}

int given(int number) {
  return number < 0 ? undefined : number;
}

// Can MINLOC and MAXLOC compare it? That is asked of the value, and of the index, by which ties are
// broken.
bool ordered(const type& t) {
  if (!t.predefined() || t.made().index != basic::none) return false;
  switch (info(t.made().value).group) {
    case group::c_integer:
    case group::fortran_integer:
    case group::floating:
    case group::multi_language:
      return true;
    default:
      return false;
  }
}

bool counts(const type& t) {
  return ordered(t) && info(t.made().value).group != group::floating;
}

}  // namespace

builder::made builder::element(combiner kind, numbers arguments, basic value) {
  return guarded([&]() -> made {
    draft d(kind, false);
    d.add(arguments);
    d->value = value;
    return d.finish(true);
  });
}

builder::made builder::f90_real(int precision, int range) {
  const auto* kind = select_real(precision, range);
  if (kind == nullptr) return invalid("no real type has that precision and range");
  const std::int64_t arguments[] = {given(precision), given(range)};
  return element(combiner::f90_real, arguments, kind->real);
}

builder::made builder::f90_complex(int precision, int range) {
  const auto* kind = select_real(precision, range);
  if (kind == nullptr) return invalid("no complex type has that precision and range");
  const std::int64_t arguments[] = {given(precision), given(range)};
  return element(combiner::f90_complex, arguments, kind->complex);
}

builder::made builder::f90_integer(int range) {
  const std::int64_t arguments[] = {range};
  constexpr std::pair<int, basic> kinds[] = {{2, basic::integer1},
                                             {4, basic::integer2},
                                             {9, basic::integer4},
                                             {18, basic::integer8},
                                             {38, basic::integer16}};
  if (range < 0) return invalid("the range of an integer type is negative");
  for (auto [most, kind] : kinds)
    if (range <= most) return element(combiner::f90_integer, arguments, kind);
  return invalid("no integer type has that range");
}

builder::made builder::value_index(const type& value, const type& index) {
  if (value.made().index != basic::none || index.made().index != basic::none)
    return static_cast<const type*>(nullptr);
  constexpr int first_pair = 0x228, last_pair = 0x232;
  for (int abi = first_pair; abi <= last_pair; abi++) {
    const type* named = predefined_type(abi);
    if (named != nullptr && named->made().value == value.made().value &&
        named->made().index == index.made().value && value.abi_value() != 0 && index.abi_value() != 0)
      return named;
  }
  if (!ordered(value) || !counts(index)) return static_cast<const type*>(nullptr);
  return guarded([&]() -> made {
    draft d(combiner::value_index, false);
    d.part(value);
    d.part(index);
    d->value = value.made().value;
    d->index = index.made().value;
    return d.finish(true);
  });
}

const type* match_size(type_class kind, std::int64_t size) {
  constexpr basic integers[] = {basic::integer1, basic::integer2, basic::integer4, basic::integer8,
                                basic::integer16};
  constexpr basic reals[] = {basic::real2, basic::real4, basic::real8, basic::real16};
  constexpr basic complexes[] = {basic::complex4, basic::complex8, basic::complex16, basic::complex32};
  constexpr basic logicals[] = {basic::logical1, basic::logical2, basic::logical4, basic::logical8,
                                basic::logical16};
  auto find = [size](std::span<const basic> candidates) -> const type* {
    for (auto candidate : candidates)
      if (info(candidate).size == size) return predefined_type(candidate);
    return nullptr;
  };
  switch (kind) {
    case type_class::integer:
      return find(integers);
    case type_class::real:
      return find(reals);
    case type_class::complex:
      return find(complexes);
    case type_class::logical:
      return find(logicals);
  }
  return nullptr;
}

}  // namespace loadstone::datatype
