#include "rank/shared_heap.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text_file.hpp"
#include "heap/interface.hpp"

namespace loadstone {

namespace {

memory::arena& arena_of(void* context) {
  return *static_cast<memory::arena*>(context);
}

bool grow(void* context, std::size_t bytes, heap::span* made) {
  auto region = arena_of(context).lend(bytes);
  if (!region) return false;
  *made = {region->base, region->bytes, region->descriptor, static_cast<std::int64_t>(region->file_offset)};
  return true;
}

bool charge(void* context, std::size_t bytes) {
  return arena_of(context).charge(bytes).ok();
}

void discharge(void* context, std::size_t bytes) {
  arena_of(context).discharge(bytes);
}

// Ordinary memory has huge pages by itself, and shared memory has not. (glibc asks for them when this tunable is set.)
bool sharing_costs_huge_pages(const std::string& root) {
  const std::string folder = root + "/sys/kernel/mm/transparent_hugepage/";
  const auto chosen = [&](const char* file) {
    return base::chosen_word(base::read_text_file(folder + file));
  };
  const std::string shared = chosen("shmem_enabled");
  if (shared == "always" || shared == "within_size" || shared == "force") return false;
  if (chosen("enabled") == "always") return true;
  constexpr std::string_view tunable = "glibc.malloc.hugetlb=";
  const char* set = std::getenv("GLIBC_TUNABLES");
  const std::string_view tunables = set == nullptr ? "" : set;
  const std::size_t at = tunables.find(tunable);
  return at != tunables.npos && !tunables.substr(at + tunable.size()).starts_with('0');
}

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

shared_blocks shared_blocks::usual(const std::string& root) {
  shared_blocks b;
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  if (sharing_costs_huge_pages(root)) b.longest = huge_page - 1;
  return b;
}

bool shared_blocks::impossible(const std::string& root) {
  return base::read_text_file(root + "/proc/sys/vm/overcommit_memory").starts_with('2');
}

// Mappings that rank-threads share are not left to anybody: under ThreadSanitizer there is no shared heap.
shared_heap::shared_heap(memory::job& job, memory::arena& arena, const shared_blocks& which)
    : arena_(arena),
      which_(which),
      wanted_(which.shortest != 0 && job.header().world_size >= 2 && !job.mapper().shared()) {}

shared_heap::~shared_heap() {
  allow(false);
}

void shared_heap::allow(bool on) {
  if (on == attached_ || !wanted_) return;
  if (!on) {
    if (auto* detach = find<decltype(loadstone_heap_detach)>("loadstone_heap_detach")) detach(&arena_);
    attached_ = false;
    return;
  }
  auto* attach = find<decltype(loadstone_heap_attach)>("loadstone_heap_attach");
  if (attach == nullptr || shared_blocks::impossible()) return;
  const heap::source from{heap::source_version, &arena_,        grow,       charge, discharge,
                          which_.shortest,      which_.longest, which_.most};
  attached_ = attach(&from);
}

}  // namespace loadstone
