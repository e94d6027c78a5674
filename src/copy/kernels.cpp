#include "copy/kernels.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace loadstone::copy {

#if defined(__x86_64__)
// Every x86-64 processor has these instructions. Wider ones are no faster, as only whole lines
// count.
void past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t at = std::min<std::size_t>(bytes, -reinterpret_cast<std::uintptr_t>(to) % 64);
  std::memcpy(to, from, at);
  for (; at + 64 <= bytes; at += 64) {
    const auto* source = reinterpret_cast<const __m128i*>(from + at);
    auto* line = reinterpret_cast<__m128i*>(to + at);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1),
                  c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(line, a);
    _mm_stream_si128(line + 1, b);
    _mm_stream_si128(line + 2, c);
    _mm_stream_si128(line + 3, d);
  }
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();  // nothing else orders non-temporal stores
}
#else
void past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}
#endif

}  // namespace loadstone::copy
