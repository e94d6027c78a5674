// Memory for short vectors inside of the object that has them. What is longer is allocated.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace loadstone::datatype {

template <std::size_t bytes>
class room final : public std::pmr::monotonic_buffer_resource {
 public:
  room() : monotonic_buffer_resource(here_, bytes) {}

 private:
  alignas(std::max_align_t) std::byte here_[bytes];
};

}  // namespace loadstone::datatype
