#include "coll/packed.hpp"

namespace loadstone::coll {

const datatype::type& byte_type() {
  return *datatype::predefined_type(datatype::basic::byte);
}

}  // namespace loadstone::coll
