// Copies between processes that look at the same memory while it is written: word by word, each
// whole. What belongs together is for the caller to know, by a checksum or by the word that is
// stored last.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace loadstone::transport {

namespace words {
inline bool aligned(const void* at, std::size_t bytes) {
  return (reinterpret_cast<std::uintptr_t>(at) | bytes) % sizeof(std::uint64_t) == 0;
}
}  // namespace words

// Release: whoever reads one of these words sees what was stored before them (sync: words).
inline void store_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (!words::aligned(to, bytes)) {  // arbitrary data, which nobody looks at before a fence
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, from + at, sizeof word);
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(to + at))
        .store(word, std::memory_order_release);
  }
}

inline void load_words(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (!words::aligned(from, bytes)) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    auto* there = reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(from + at));
    const std::uint64_t word =
        std::atomic_ref<std::uint64_t>(*there).load(std::memory_order_acquire);  // sync: words
    std::memcpy(to + at, &word, sizeof word);
  }
}

}  // namespace loadstone::transport
