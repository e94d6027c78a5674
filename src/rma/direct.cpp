// By loads and stores.
//
// Condition: the memory is mapped here.
// Cost: one pass from layout to layout. Up to 16 bytes in one block are one load and one store.
#include "copy/copy.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

void direct_put(std::byte* at, const local_data& origin, const remote_data& where) {
  if (origin.type->in_one_block(origin.count) && where.type->in_one_block(where.count)) {
    const auto bytes = static_cast<std::size_t>(where.bytes());
    return copy::between(where.type->block_at(at), origin.type->block_at(origin.address), bytes, bytes);
  }
  datatype::transfer(at, where.count, *where.type, origin.address, origin.count, *origin.type);
}

void direct_get(const std::byte* at, const local_data& result, const remote_data& where) {
  if (result.type->in_one_block(result.count) && where.type->in_one_block(where.count)) {
    const auto bytes = static_cast<std::size_t>(where.bytes());
    return copy::between(result.type->block_at(result.address), where.type->block_at(at), bytes, bytes);
  }
  datatype::transfer(result.address, result.count, *result.type, at, where.count, *where.type);
}

}  // namespace loadstone::rma
