// CRC32C (the Castagnoli polynomial, as in iSCSI, SCTP and ext4): checksums for transports that may
// lose or repeat cache lines (LOADSTONE_INTEGRITY).
//
// Detects every burst error of at most 32 bits; of all others, one in 2^32 stays undetected. Speed:
// about 8 bytes in three cycles with the processor's instruction (SSE 4.2, CRC of ARMv8), a quarter
// of that without it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::base {

// The checksum of `bytes` bytes at `data`. `before` is the checksum of what comes before them:
// crc32c(b, n, crc32c(a, m)) is that of a and b together. Any thread may call.
std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0);

// The two implementations that crc32c() chooses from, for tests.
std::uint32_t crc32c_by_table(const void* data, std::size_t bytes, std::uint32_t before);
bool crc32c_instruction_exists();
std::uint32_t crc32c_by_instruction(const void* data, std::size_t bytes,
                                    std::uint32_t before);  // only if it exists

}  // namespace loadstone::base
