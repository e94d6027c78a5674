// Inquiries about the library and the machine (MPI §9.1, §9.6), and allocation of memory (§9.2).
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "mpi/generated/impl.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

void give_text(const std::string& text, char* out, int capacity, int* length) {
  const std::size_t n = std::min(text.size(), static_cast<std::size_t>(capacity) - 1);
  std::memcpy(out, text.data(), n);
  out[n] = '\0';
  *length = static_cast<int>(n);
}

}  // namespace

int impl::Get_processor_name(call&, char* name, int* length) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  if (gethostname(host, sizeof host - 1) != 0) std::strcpy(host, "localhost");
  give_text(host, name, MPI_MAX_PROCESSOR_NAME, length);
  return MPI_SUCCESS;
}

int impl::Get_library_version(call&, char* version, int* length) {
  give_text("Loadstone " LOADSTONE_VERSION
            ", an MPI made of loads and stores (MPI 5.0, standard ABI 1.0, shared memory)",
            version, MPI_MAX_LIBRARY_VERSION_STRING, length);
  return MPI_SUCCESS;
}

int impl::Pcontrol(call&, int) {
  return MPI_SUCCESS;
}  // profiling is by interposition: nothing to control here

// Allocates in the arena, which peers can map.
int impl::Alloc_mem(call& c, std::int64_t size, info* info, void* baseptr) {
  std::size_t alignment = 64;
  if (info != nullptr) {
    if (const auto wanted = info->find("mpi_minimum_memory_alignment")) {
      const unsigned long long value = std::strtoull(wanted->c_str(), nullptr, 10);
      if (value > alignment && (value & (value - 1)) == 0 && value <= 1u << 21) alignment = value;
    }
  }
  if (size < 0) return c.fail(MPI_ERR_ARG, "argument 1 (size) is {}; expected at least 0", size);
  auto block = c.process().core().arena->allocate(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)),
                                                  alignment);
  if (!block)
    return c.fail(MPI_ERR_NO_MEM, "{} bytes of memory are not to be had: {}", size, block.error().what);
  *static_cast<void**>(baseptr) = *block;
  return MPI_SUCCESS;
}

int impl::Free_mem(call& c, void* base) {
  if (base == nullptr) return MPI_SUCCESS;
  memory::address where;
  if (!c.process().core().arena->find(base, 1, &where)) {
    return c.fail(MPI_ERR_BASE, "argument 1 (base) is {}; expected an address that MPI_Alloc_mem returned",
                  static_cast<const void*>(base));
  }
  c.process().core().arena->release(base);
  return MPI_SUCCESS;
}

// Only the shared memory of the one machine is offered as a resource type.
int impl::Get_hw_resource_info(call& c, MPI_Info* info) {
  *info = new_info(c.process(), {{"mpi://SHARED", "true"}});
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
