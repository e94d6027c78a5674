// Replaces malloc and its family for the whole program. Blocks from `threshold` bytes on come from
// the block store while it has a source (interface.hpp). All others come from libc, through the
// __libc_ names that glibc has for replacements. The address of a block says which of the two it is
// from.
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "heap/block_store.hpp"

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void __libc_free(void* block);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace loadstone::heap {

namespace {

constinit block_store store;
constinit std::atomic<std::size_t> threshold{SIZE_MAX};

// Is this thread in a function of the source? What that allocates comes from libc.
__attribute__((tls_model("initial-exec"))) thread_local bool inside = false;

// Relaxed: the threshold is only a preference, and the store checks under its lock whether it has a
// source.
bool is_large(std::size_t bytes) {
  return __builtin_expect(bytes >= threshold.load(std::memory_order_relaxed), 0) && !inside;
}

// nullptr: libc shall serve it. errno stays as it was.
void* take(std::size_t bytes, std::size_t alignment, bool zero) {
  const int before = errno;
  inside = true;
  void* block = store.allocate(bytes, alignment, zero);
  inside = false;
  errno = before;
  return block;
}

void* any_block(std::size_t bytes) {
  if (is_large(bytes))
    if (void* block = take(bytes, 16, false)) return block;
  return __libc_malloc(bytes);
}

void* aligned_block(std::size_t alignment, std::size_t bytes) {
  if (is_large(bytes))
    if (void* block = take(bytes, alignment, false)) return block;
  return __libc_memalign(alignment, bytes);
}

std::size_t usable(void* block) {
  if (store.holds(block)) return store.usable(block);
  using function = std::size_t (*)(void*);
  // There is no __libc_ name for this one, and the next malloc_usable_size in the search order may
  // be another allocator's. So it is looked up in libc itself, at the first use, when libc is
  // surely loaded.
  static constinit std::atomic<function> of_libc{nullptr};
  function found = of_libc.load(std::memory_order_relaxed);  // relaxed: every thread would find the same
  if (found == nullptr) {
    void* libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
    found = libc == nullptr ? nullptr : reinterpret_cast<function>(dlsym(libc, "malloc_usable_size"));
    of_libc.store(found, std::memory_order_relaxed);
  }
  return found == nullptr ? 0 : found(block);
}

void drop(void* block) {
  if (!store.holds(block)) return __libc_free(block);
  const int before = errno;
  store.release(block);
  errno = before;
}

// Reallocates by a copy: from libc to the store, from the store to libc, or within either.
void* moved(void* block, std::size_t bytes) {
  const std::size_t now = usable(block);
  void* to = any_block(bytes);
  if (to == nullptr) return nullptr;
  std::memcpy(to, block, now < bytes ? now : bytes);
  drop(block);
  return to;
}

bool is_power_of_two(std::size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

std::size_t page() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Are all functions of malloc's family that the program calls the ones of this library? If another
// library's free got one of our blocks, or ours one of its, the program would crash.
bool in_use() {
  Dl_info here{}, there{};
  if (dladdr(&store, &here) == 0) return false;
  for (const char* name :
       {"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign"}) {
    const void* found = dlsym(RTLD_DEFAULT, name);
    if (found == nullptr || dladdr(found, &there) == 0 || there.dli_fbase != here.dli_fbase) return false;
  }
  return true;
}

// --- fork ---

void before_fork() {
  store.before_fork();
}

void after_fork_in_parent() {
  store.after_fork_in_parent();
}

void after_fork_in_child() {
  if (!store.after_fork_in_child()) {
    constexpr char text[] =
        "Loadstone: fork: no memory to copy the shared heap of the parent (mpiexec --shared-heap); the child "
        "ends here.\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    _exit(127);
  }
  inside = false;
  threshold.store(SIZE_MAX, std::memory_order_relaxed);  // relaxed: the only thread
}

// Registered when the library is loaded, not when it is first used. Of the handlers before a fork,
// the one registered first runs last: so the copy is made when the handlers of others have taken
// their locks.
constinit bool fork_is_watched = false;
__attribute__((constructor)) void watch_fork() {
  fork_is_watched = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

constexpr std::size_t usual_threshold = 32 * 1024;

}  // namespace

}  // namespace loadstone::heap

using namespace loadstone::heap;

extern "C" {

bool loadstone_heap_attach(const source* from) {
  if (!fork_is_watched || !in_use() || !store.attach(*from)) return false;
  threshold.store(from->least == 0 ? usual_threshold : from->least, std::memory_order_relaxed);
  return true;
}

void loadstone_heap_detach(void* context) {
  threshold.store(SIZE_MAX, std::memory_order_relaxed);
  store.detach(context);
}

void* malloc(std::size_t bytes) {
  return any_block(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (!__builtin_mul_overflow(count, bytes, &all) && is_large(all))
    if (void* block = take(all, 16, true)) return block;
  return __libc_calloc(count, bytes);
}

void free(void* block) {
  drop(block);
}

void* realloc(void* block, std::size_t bytes) {
  if (block == nullptr) return any_block(bytes);
  if (store.holds(block)) {
    if (bytes == 0) {
      drop(block);
      return nullptr;
    }
    const bool stays = bytes >= threshold.load(std::memory_order_relaxed) || bytes >= store.usable(block) / 2;
    return stays && store.resize(block, bytes) ? block : moved(block, bytes);
  }
  // A block that is large already and libc's stays libc's: there it may grow without a copy.
  if (!is_large(bytes)) return __libc_realloc(block, bytes);
  const std::size_t now = usable(block);
  void* to = now < threshold.load(std::memory_order_relaxed) ? take(bytes, 16, false) : nullptr;
  if (to == nullptr) return __libc_realloc(block, bytes);
  std::memcpy(to, block, now < bytes ? now : bytes);
  __libc_free(block);
  return to;
}

void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, all);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  if (!is_power_of_two(alignment)) return __libc_memalign(alignment, bytes);
  return aligned_block(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return aligned_block(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* made = aligned_block(alignment, bytes);
  errno = before;
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

void* valloc(std::size_t bytes) {
  return aligned_block(page(), bytes);
}

void* pvalloc(std::size_t bytes) {
  const std::size_t rounded = (bytes + page() - 1) / page() * page();
  if (rounded < bytes) {
    errno = ENOMEM;
    return nullptr;
  }
  return aligned_block(page(), rounded);
}

std::size_t malloc_usable_size(void* block) {
  return block == nullptr ? 0 : usable(block);
}

// Allocators that get their memory from malloc expect it to read as zero after such advice. Shared
// memory keeps its content, unless the advice is MADV_REMOVE, which punches a hole in the file.
int madvise(void* start, std::size_t bytes, int advice) noexcept {
  constexpr int dontneed_locked = 24;  // older headers have no name for it
  const bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == dontneed_locked;
  if (drops && store.holds(start)) {
    const int before = errno;
    if (syscall(SYS_madvise, start, bytes, MADV_REMOVE) == 0) return 0;
    errno = before;  // not shared: after a fork, in the child
  }
  return static_cast<int>(syscall(SYS_madvise, start, bytes, advice));
}

void free_sized(void* block, std::size_t) {
  drop(block);
}

void free_aligned_sized(void* block, std::size_t, std::size_t) {
  drop(block);
}

void cfree(void* block) {
  drop(block);
}
}
