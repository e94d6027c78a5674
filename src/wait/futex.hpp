// The raw futex, non-private: words in job memory are slept on by one process and rung by another
// (std::atomic::wait would be private to a process).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace loadstone::wait {

// Sleeps unless `word` has moved away from `expected`; at most `limit`. May return early without
// reason.
void sleep_on(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds limit);

// Moves the word and wakes whoever sleeps on it. Publishes everything stored before (sync: bell).
void ring(std::atomic<std::uint32_t>& word);

// Wakes one of those who sleep on the word, if there is one.
void wake_sleeper(std::atomic<std::uint32_t>& word);

}  // namespace loadstone::wait
