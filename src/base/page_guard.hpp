// Stores into a mapped file: if a page of it is gone (somebody has cut the file, or there is no
// space or no device behind it any more), that ends the stores instead of the process.
//
// The guard is SIGBUS's handler, set at the first use. It looks at faults of the guarded pages
// only, in the thread that stores into them: any other fault goes to the handler that was there
// before (Fortran's runtime has one, so do sanitizers), or ends the process as ever. Cost: two
// system calls and a setjmp each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace loadstone::base {

enum class stored : std::uint8_t {
  all,
  ended,    // in the midst of it, by a fault
  nothing,  // there is no guard: the program has set a handler since, or blocks the signal
};

// Runs store(context), which stores into [at, at + bytes) and holds nothing that would have to be
// given back.
stored store_guarded(const void* at, std::size_t bytes, void (*store)(void*), void* context);
template <class Store>
stored store_guarded(const void* at, std::size_t bytes, Store&& store) {
  using type = std::remove_reference_t<Store>;
  return store_guarded(
      at, bytes, [](void* c) { (*static_cast<type*>(c))(); },
      const_cast<void*>(static_cast<const void*>(std::addressof(store))));
}

}  // namespace loadstone::base
