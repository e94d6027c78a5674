// Memory for short vectors inside of the object that has them. What is longer is allocated; what a
// vector leaves behind when it grows stays until the object goes, so its length is said before.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace loadstone::datatype {

template <std::size_t bytes>
class room final : public std::pmr::monotonic_buffer_resource {
 public:
  // Not of the default resource, which is the program's.
  room() : monotonic_buffer_resource(here_, bytes, std::pmr::new_delete_resource()) {}

 private:
  alignas(std::max_align_t) std::byte here_[bytes];
};

}  // namespace loadstone::datatype
