// Copies from and to memory of the program that may not be there: an access that the system refuses
// ends the copy instead of the process.
//
// The guard is SIGSEGV's handler, set at the first such copy, and only where the program has none
// of its own: that one, or a debugger's or sanitizer's, sees what it has always seen. Any other
// fault ends the process as ever. Cost: a setjmp for each guarded copy, some 25 instructions, so
// shorter ones than least_guarded go without.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace loadstone::base {

inline constexpr std::size_t least_guarded = 4096;

// Runs copy(context), which holds nothing that would have to be given back. False: it was ended,
// and the address is noted.
bool guarded(void (*copy)(void*), void* context);
template <class Copy>
bool guarded(Copy&& copy) {
  using type = std::remove_reference_t<Copy>;
  return guarded([](void* c) { (*static_cast<type*>(c))(); },
                 const_cast<void*>(static_cast<const void*>(std::addressof(copy))));
}

// The first byte that cannot be read, or not written; null: all can. A byte of each page is written
// as it was, by an atomic instruction, so that others may use the memory meanwhile.
const void* first_missing(const void* at, std::size_t bytes, bool written);
// The same of blocks whose beginnings are `stride` apart.
const void* first_missing(const void* at, std::size_t bytes, std::ptrdiff_t stride, std::size_t blocks,
                          bool written);

// The address noted by this thread, as by errno; null: none. `elsewhere`: in a peer's memory;
// `unfinished`: whoever wrote the data has died over it.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local const void* noted;
inline const void* const elsewhere = reinterpret_cast<const void*>(1);
inline const void* const unfinished = reinterpret_cast<const void*>(2);
inline bool missing() {
  return noted != nullptr;
}
inline const void* take_missing() {
  const void* const at = noted;
  noted = nullptr;
  return at;
}

}  // namespace loadstone::base
