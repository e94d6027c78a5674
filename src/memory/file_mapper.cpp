#include "memory/file_mapper.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "base/round_up.hpp"
#include "memory/huge_pages.hpp"

namespace loadstone::memory {

namespace {

// Address space in which a range of the file and its addresses lie alike in huge pages: only then
// can these be mapped as such. nullptr: there is none, or no huge page fits.
std::byte* room_for(std::uint64_t offset, std::size_t bytes) {
  if (bytes < huge_page) return nullptr;
  const std::size_t whole = base::round_up(bytes, single_page) + huge_page;
  void* room = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* const from = static_cast<std::byte*>(room);
  const std::size_t before = (offset - reinterpret_cast<std::uintptr_t>(from)) % huge_page;
  if (before != 0) munmap(from, before);
  munmap(from + whole - (huge_page - before), huge_page - before);
  return from + before;
}

base::result<std::byte*> map_range(int descriptor, std::uint64_t offset, std::size_t bytes) {
  std::byte* const room = room_for(offset, bytes);
  void* base = mmap(room, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (room != nullptr ? MAP_FIXED : 0),
                    descriptor, static_cast<off_t>(offset));
  if (base == MAP_FAILED) {
    const int number = errno;
    if (room != nullptr) munmap(room, bytes);
    errno = number;
    if (errno == ENOMEM)
      return base::status{base::code::no_memory, ENOMEM,
                          "no address space is left to map job memory (is there a limit, ulimit -v?)"};
    return base::status{base::code::system, errno, "mapping job memory failed"};
  }
  madvise(base, bytes, MADV_DONTDUMP);  // a core dump of one rank need not hold the memory of all
  return static_cast<std::byte*>(base);
}

}  // namespace

file_mapper::~file_mapper() {
  for (auto& [range, entry] : mapped_) munmap(entry.base, range.second);
  if (descriptor_ >= 0) close(descriptor_);
}

base::result<std::byte*> file_mapper::map(std::uint64_t offset, std::size_t bytes) {
  if (!shared_) return map_range(descriptor_, offset, bytes);
  std::lock_guard lock(mutex_);
  auto found = mapped_.find({offset, bytes});
  if (found != mapped_.end()) {
    ++found->second.users;
    return found->second.base;
  }
  auto base = map_range(descriptor_, offset, bytes);
  if (!base) return base;
  try {
    mapped_.emplace(std::pair{offset, bytes}, mapping{*base, 1});
  } catch (const std::bad_alloc&) {
    munmap(*base, bytes);
    return base::status{base::code::no_memory, ENOMEM, "no memory for the table of mappings"};
  }
  return base;
}

void file_mapper::unmap(std::uint64_t offset, std::byte* base, std::size_t bytes) {
  if (!shared_) {
    munmap(base, bytes);
    return;
  }
  std::lock_guard lock(mutex_);
  auto found = mapped_.find({offset, bytes});
  if (found == mapped_.end() || --found->second.users != 0) return;
  munmap(base, bytes);
  mapped_.erase(found);
}

}  // namespace loadstone::memory
