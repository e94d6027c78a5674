// The data of a call in memory, as its packed bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/type.hpp"

namespace loadstone::io {

struct memory_data {
  void* address = nullptr;  // of writes: only read
  std::int64_t count = 0;
  const datatype::type* type = nullptr;

  std::int64_t bytes() const { return count * type->size(); }
  // Where all of it lies in one piece; null: it does not.
  std::byte* block() const { return type->in_one_block(count) ? type->block_at(address) : nullptr; }
  void take(std::int64_t from, std::int64_t n, std::byte* out) const {
    datatype::pack(address, count, *type, from, n, out);
  }
  void put(std::int64_t from, std::int64_t n, const std::byte* in) const {
    datatype::unpack(address, count, *type, from, n, in);
  }
};

}  // namespace loadstone::io
