// Small puts to ordinary memory of one target, kept until the epoch ends, a flush comes, or there
// is no room (Worringer 5.2.1.4 d): a system call, or a piece for the owner, is for all of them.
//
// What a put brings is copied when it is called. Puts stay in their order. Those that follow each
// other at equal distances are one run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rma/wire_layout.hpp"

namespace loadstone::rma {

class collection {
 public:
  static constexpr std::int64_t most_bytes = 6 * 1024, largest = 1024;  // of all, and of one put
  static constexpr std::size_t most_runs = 128;

  // False: there is no room, and nothing has happened. `offset`: as in asked_run.
  bool add(std::int64_t offset, const void* data, std::int64_t bytes);
  // Is any of it in [from, to)?
  bool touches(std::int64_t from, std::int64_t to) const;
  void clear() { used_ = 0, bytes_ = 0, blocks_ = 0; }
  bool empty() const { return used_ == 0; }
  std::span<const asked_run> runs() const { return {runs_.data(), used_}; }
  std::span<const std::byte> data() const { return {data_.data(), static_cast<std::size_t>(bytes_)}; }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t blocks() const { return blocks_; }  // what a system call has to look up

 private:
  void describe(std::int64_t offset, std::int64_t bytes);

  std::size_t used_ = 0;
  std::int64_t bytes_ = 0, blocks_ = 0;
  std::array<asked_run, most_runs> runs_;
  std::array<std::byte, static_cast<std::size_t>(most_bytes)> data_;
};

}  // namespace loadstone::rma
