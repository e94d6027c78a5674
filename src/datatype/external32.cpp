#include "datatype/external32.hpp"

#include <bit>
#include <cstring>

#include "datatype/cursor.hpp"

namespace loadstone::datatype {
namespace {

static_assert(std::endian::native == std::endian::little);

// A complex number is two of these.
struct scalar {
  std::int64_t native, external;  // bytes
  bool is_signed, extended;
  std::int64_t parts;
};

scalar scalar_of(basic kind) {
  const auto& row = info(kind);
  scalar s{row.size, row.external32, false, row.form == number::extended || row.form == number::c_extended,
           1};
  switch (row.form) {
    case number::i8:
    case number::i16:
    case number::i32:
    case number::i64:
    case number::i128:
      s.is_signed = kind != basic::wchar;
      break;  // code points are not negative
    case number::c16:
    case number::c32:
    case number::c64:
    case number::c_extended:
    case number::c128:
      s.native /= 2;
      s.external /= 2;
      s.parts = 2;
      break;
    default:
      break;
  }
  return s;
}

template <std::size_t N>
void reverse_each(const std::byte* in, std::int64_t count, std::byte* out) {
  for (std::int64_t i = 0; i < count; i++, in += N, out += N) {
    std::byte turned[N];
    for (std::size_t b = 0; b < N; b++) turned[b] = in[N - 1 - b];
    std::memcpy(out, turned, N);
  }
}

// Equal sizes: the same in both directions.
void reverse(std::int64_t size, const std::byte* in, std::int64_t count, std::byte* out) {
  switch (size) {
    case 1:
      std::memcpy(out, in, static_cast<std::size_t>(count));
      return;
    case 2:
      return reverse_each<2>(in, count, out);
    case 4:
      return reverse_each<4>(in, count, out);
    case 8:
      return reverse_each<8>(in, count, out);
    default:
      return reverse_each<16>(in, count, out);
  }
}

template <class Visit>
base::status for_each_element_block(const void* address, std::int64_t count, const type& t, Visit&& visit) {
  if (count <= 0 || t.size() == 0) return base::status::success();
  const program* p = t.compiled_typed();
  if (p == nullptr) return {base::code::no_memory, 0, "no memory to compile a datatype"};
  if (p->depth() > program::max_depth)
    return {base::code::invalid, 0, "the layout of the datatype nests too deeply"};
  cursor c(address, count, t, *p, 0);
  for (std::int64_t left = count * t.size(); left > 0;) {
    const run r = c.next(left);
    const std::int64_t elements = r.length / info(r.element).size;
    for (std::int64_t i = 0; i < r.count; i++)
      visit(r.element, reinterpret_cast<std::byte*>(r.address + static_cast<std::uintptr_t>(i * r.stride)),
            elements);
    left -= r.length * r.count;
  }
  return base::status::success();
}

std::int64_t external_bytes(const program& p, const node& n) {
  switch (n.kind) {
    case node_kind::block:
      return n.bytes / info(n.element).size * info(n.element).external32;
    case node_kind::loop:
      return n.count * external_bytes(p, p.at(n.first));
    case node_kind::list:
      break;
  }
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < n.count; i++) sum += external_bytes(p, p.at(p.entries(n)[i].child));
  return sum;
}

}  // namespace

void to_external32(basic kind, const std::byte* in, std::int64_t count, std::byte* out) {
  const scalar s = scalar_of(kind);
  count *= s.parts;
  if (s.extended) {
    for (std::int64_t i = 0; i < count; i++) {
      long double value;
      std::memcpy(&value, in + i * s.native, sizeof value);
      const auto wide = static_cast<float128>(value);
      reverse_each<16>(reinterpret_cast<const std::byte*>(&wide), 1, out + i * s.external);
    }
  } else if (s.native == s.external) {
    reverse(s.native, in, count, out);
  } else {  // only the low-order bytes, which come first in memory
    for (std::int64_t i = 0; i < count; i++) reverse(s.external, in + i * s.native, 1, out + i * s.external);
  }
}

void from_external32(basic kind, const std::byte* in, std::int64_t count, std::byte* out) {
  const scalar s = scalar_of(kind);
  count *= s.parts;
  if (s.extended) {
    for (std::int64_t i = 0; i < count; i++) {
      float128 wide;
      reverse_each<16>(in + i * s.external, 1, reinterpret_cast<std::byte*>(&wide));
      const auto value = static_cast<long double>(wide);
      std::memcpy(out + i * s.native, &value, sizeof value);
    }
  } else if (s.native == s.external) {
    reverse(s.native, in, count, out);
  } else {
    for (std::int64_t i = 0; i < count; i++) {
      const std::byte* from = in + i * s.external;
      const bool negative = s.is_signed && (from[0] & std::byte{0x80}) != std::byte{0};
      std::memset(out + i * s.native, negative ? 0xff : 0, static_cast<std::size_t>(s.native));
      reverse(s.external, from, 1, out + i * s.native);
    }
  }
}

std::int64_t external32_size(std::int64_t count, const type& t) {
  if (count <= 0 || t.size() == 0) return 0;
  std::int64_t one;
  if (t.single_basic() != basic::none) {
    one = t.size() / info(t.single_basic()).size * info(t.single_basic()).external32;
  } else {
    const program* p = t.compiled_typed();
    if (p == nullptr) return -1;
    one = external_bytes(*p, p->root());
  }
  std::int64_t all;
  return __builtin_mul_overflow(one, count, &all) ? -1 : all;
}

base::status pack_external32(const void* address, std::int64_t count, const type& t, std::byte* out) {
  return for_each_element_block(address, count, t,
                                [&out](basic kind, const std::byte* block, std::int64_t elements) {
                                  to_external32(kind, block, elements, out);
                                  out += elements * info(kind).external32;
                                });
}

base::status unpack_external32(void* address, std::int64_t count, const type& t, const std::byte* in) {
  return for_each_element_block(address, count, t,
                                [&in](basic kind, std::byte* block, std::int64_t elements) {
                                  from_external32(kind, in, elements, block);
                                  in += elements * info(kind).external32;
                                });
}

}  // namespace loadstone::datatype
