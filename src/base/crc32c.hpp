// CRC32C (the Castagnoli polynomial, as in iSCSI, SCTP and ext4): checksums of what crosses a
// region that may lose or repeat lines.
//
// Finds every damage of at most 32 consecutive bits, and any other but for one in 2^32. Cost: about
// 8 bytes in three cycles with the processor's instruction (SSE 4.2, CRC of ARMv8), a quarter of
// that without it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadstone::base {

// The checksum of `bytes` bytes at `data`. `before`: that of what stands in front of them, so that
// crc32c(b, n, crc32c(a, m)) is the checksum of a and b together. Any thread may call.
std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0);

// What crc32c() chooses from, for tests.
std::uint32_t crc32c_by_table(const void* data, std::size_t bytes, std::uint32_t before);
bool crc32c_instruction_exists();
std::uint32_t crc32c_by_instruction(const void* data, std::size_t bytes,
                                    std::uint32_t before);  // only if it exists

}  // namespace loadstone::base
