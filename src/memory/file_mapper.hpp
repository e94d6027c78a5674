// Maps ranges of the job memory's file. Rank-threads under ThreadSanitizer share one mapper that
// hands out the same address for the same range: two mappings of the same memory hide races from
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "base/status.hpp"

namespace loadstone::memory {

class file_mapper {
 public:
  // Takes the descriptor. `shared`: equal ranges get equal addresses, counted.
  file_mapper(int descriptor, bool shared) : descriptor_(descriptor), shared_(shared) {}
  file_mapper(const file_mapper&) = delete;
  file_mapper& operator=(const file_mapper&) = delete;
  ~file_mapper();

  int descriptor() const { return descriptor_; }
  void disown() { descriptor_ = -1; }  // the descriptor goes back to whoever gave it
  bool shared() const { return shared_; }
  base::result<std::byte*> map(std::uint64_t offset, std::size_t bytes);
  void unmap(std::uint64_t offset, std::byte* base, std::size_t bytes);

 private:
  struct mapping {
    std::byte* base;
    std::size_t users;
  };
  int descriptor_;
  bool shared_;
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, std::size_t>, mapping> mapped_;  // only when shared
};

}  // namespace loadstone::memory
