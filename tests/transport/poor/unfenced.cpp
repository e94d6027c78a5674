#include "transport/poor/unfenced.hpp"

#include <algorithm>

namespace loadstone::transport {

void unfenced::note(memory::address where, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  line_faults::each_line(where.offset, bytes, [&](std::size_t offset, std::size_t n) {
    const std::uint64_t at = where.offset + offset, in_line = at % line_bytes;
    line& l = lines_[{where.region.process, where.region.number, where.region.generation, at / line_bytes}];
    std::copy_n(from + offset, n, l.data.begin() + static_cast<std::ptrdiff_t>(in_line));
    const std::uint64_t ones = n == line_bytes ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    l.stored |= ones << in_line;
  });
}

void unfenced::forget(std::uint32_t process) {
  lines_.erase(lines_.lower_bound({process, 0, 0, 0}),
               process == UINT32_MAX ? lines_.end() : lines_.lower_bound({process + 1, 0, 0, 0}));
}

}  // namespace loadstone::transport
