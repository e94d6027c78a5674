#include "rank/shared_heap.hpp"

#include <dlfcn.h>

#include <string>

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

// Under strict overcommit the system counts memory of the job when it is touched, and sends SIGBUS
// if there is none.
bool overcommit_is_strict() {
  return base::read_text_file("/proc/sys/vm/overcommit_memory").starts_with('2');
}

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

// In a test whose ranks are threads and share their mappings (under ThreadSanitizer), there is no
// shared heap.
shared_heap::shared_heap(memory::job& job, memory::arena& arena, std::size_t least)
    : arena_(arena), least_(least), wanted_(job.header().world_size >= 2 && !job.mapper().shared()) {}

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
  if (attach == nullptr || overcommit_is_strict()) return;
  const heap::source from{heap::source_version, least_, &arena_, grow, charge, discharge};
  attached_ = attach(&from);
}

}  // namespace loadstone
