#include "rma/collected.hpp"

#include <algorithm>
#include <cstring>

namespace loadstone::rma {

bool collection::add(std::int64_t offset, const void* data, std::int64_t bytes) {
  if (used_ == most_runs || bytes > most_bytes - bytes_) return false;
  std::byte* const to = data_.data() + bytes_;
  if (bytes == 8) [[likely]]
    std::memcpy(to, data, 8);
  else
    std::memcpy(to, data, static_cast<std::size_t>(bytes));
  bytes_ += bytes;
  describe(offset, bytes);
  return true;
}

bool collection::touches(std::int64_t from, std::int64_t to) const {
  for (const asked_run& r : runs()) {
    const std::int64_t last = r.offset + (r.count - 1) * r.stride;
    if (std::min(r.offset, last) < to && std::max(r.offset, last) + r.length > from) return true;
  }
  return false;
}

void collection::describe(std::int64_t offset, std::int64_t bytes) {
  if (used_ != 0) {
    asked_run& last = runs_[used_ - 1];
    if (last.count == 1 && offset == last.offset + last.length) {
      last.length += bytes;
      return;
    }
    if (last.length == bytes) {
      if (last.count == 1) last.stride = offset - last.offset;
      if (offset == last.offset + last.count * last.stride) {
        ++last.count;
        ++blocks_;
        return;
      }
    }
  }
  runs_[used_++] = {offset, bytes, 1, 0};
  ++blocks_;
}

}  // namespace loadstone::rma
