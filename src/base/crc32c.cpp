#include "base/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace loadstone::base {

namespace {

constexpr std::uint32_t polynomial = 0x82f6'3b78;  // bits reversed, as the bytes are shifted in

// tables[k][b]: what byte b contributes when k more bytes follow it.
using tables_of_bytes = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr tables_of_bytes make_tables() {
  tables_of_bytes t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t rest = b;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? polynomial : 0);
    t[0][b] = rest;
  }
  for (std::uint32_t b = 0; b < 256; ++b)
    for (std::size_t k = 1; k < 8; ++k) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xff];
  return t;
}
constexpr tables_of_bytes tables = make_tables();

std::uint64_t word_at(const std::byte* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

}  // namespace

std::uint32_t crc32c_by_table(const void* data, std::size_t bytes, std::uint32_t before) {
  const auto* p = static_cast<const std::byte*>(data);
  std::uint32_t rest = ~before;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    const std::uint64_t word = word_at(p) ^ rest;
    rest = 0;
    for (std::size_t k = 0; k < 8; ++k) rest ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; bytes != 0; --bytes, ++p)
    rest = (rest >> 8) ^ tables[0][(rest ^ std::to_integer<std::uint32_t>(*p)) & 0xff];
  return ~rest;
}

#if defined(__x86_64__)

bool crc32c_instruction_exists() {
  return __builtin_cpu_supports("sse4.2") != 0;
}

__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(const void* data, std::size_t bytes,
                                                                      std::uint32_t before) {
  const auto* p = static_cast<const std::byte*>(data);
  std::uint64_t rest = ~before;
  for (; bytes >= 8; bytes -= 8, p += 8) rest = _mm_crc32_u64(rest, word_at(p));
  auto last = static_cast<std::uint32_t>(rest);
  for (; bytes != 0; --bytes, ++p) last = _mm_crc32_u8(last, std::to_integer<unsigned char>(*p));
  return ~last;
}

#elif defined(__aarch64__)

bool crc32c_instruction_exists() {
  return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
}

__attribute__((target("+crc"))) std::uint32_t crc32c_by_instruction(const void* data, std::size_t bytes,
                                                                    std::uint32_t before) {
  const auto* p = static_cast<const std::byte*>(data);
  std::uint32_t rest = ~before;
  for (; bytes >= 8; bytes -= 8, p += 8) rest = __crc32cd(rest, word_at(p));
  for (; bytes != 0; --bytes, ++p) rest = __crc32cb(rest, std::to_integer<unsigned char>(*p));
  return ~rest;
}

#else

bool crc32c_instruction_exists() {
  return false;
}

std::uint32_t crc32c_by_instruction(const void* data, std::size_t bytes, std::uint32_t before) {
  return crc32c_by_table(data, bytes, before);
}

#endif

std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before) {
  static const auto chosen = crc32c_instruction_exists() ? crc32c_by_instruction : crc32c_by_table;
  return chosen(data, bytes, before);
}

}  // namespace loadstone::base
