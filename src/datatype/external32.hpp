// Packs and unpacks data in the canonical representation "external32" (MPI-5.0, 14.5.2):
// big-endian, fixed sizes, elements side by side in type-map order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/type.hpp"

namespace loadstone::datatype {

// How many bytes `count` elements take; -1 if that is beyond 64 bits.
std::int64_t external32_size(std::int64_t count, const type& t);

// Both fail only for lack of memory. In external32, C's long and unsigned long have 4 bytes, and
// wide characters 2: larger values lose their high-order part, as the standard says.
base::status pack_external32(const void* address, std::int64_t count, const type& t, std::byte* out);
base::status unpack_external32(void* address, std::int64_t count, const type& t, const std::byte* in);

// Converts `count` elements of one kind, side by side in both representations.
void to_external32(basic kind, const std::byte* in, std::int64_t count, std::byte* out);
void from_external32(basic kind, const std::byte* in, std::int64_t count, std::byte* out);

}  // namespace loadstone::datatype
