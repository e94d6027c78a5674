#include "base/valgrind.hpp"

#if LOADSTONE_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace loadstone::base {

#if LOADSTONE_VALGRIND

bool can_tell_valgrind() {
  return true;
}

bool under_valgrind() {
  static const bool here = RUNNING_ON_VALGRIND != 0;
  return here;
}

void written_by_others(const void* at, std::size_t bytes) {
  if (under_valgrind()) VALGRIND_MAKE_MEM_DEFINED(at, bytes);
}

unwritten_is_fine::unwritten_is_fine() {
  if (under_valgrind()) VALGRIND_DISABLE_ERROR_REPORTING;
}

unwritten_is_fine::~unwritten_is_fine() {
  if (under_valgrind()) VALGRIND_ENABLE_ERROR_REPORTING;
}

#else

bool can_tell_valgrind() {
  return false;
}

bool under_valgrind() {
  return false;
}

void written_by_others(const void*, std::size_t) {}
unwritten_is_fine::unwritten_is_fine() = default;
unwritten_is_fine::~unwritten_is_fine() = default;

#endif

}  // namespace loadstone::base
