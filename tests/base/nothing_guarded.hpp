// Tests of copies from and to memory that is not there begin with
//   if (nothing_guarded) GTEST_SKIP() << why_not_guarded;
#pragma once

namespace loadstone::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool nothing_guarded = true;
#else
inline constexpr bool nothing_guarded = false;
#endif
inline constexpr const char* why_not_guarded =
    "AddressSanitizer has a handler of SIGSEGV itself (base/guarded.hpp)";

}  // namespace loadstone::test
