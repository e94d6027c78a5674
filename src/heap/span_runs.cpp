// One span: its runs, the lists of free runs, dirty units, and the copy for a child of fork.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "heap/block_store.hpp"

namespace loadstone::heap {

namespace {

constexpr std::uint32_t longest_search = 32;  // runs of one list that are considered

// Lists: one for each length below 8, then eight for each power of two.
std::uint32_t list_of(std::uint32_t units) {
  if (units < 8) return units;
  const auto power = 31 - static_cast<std::uint32_t>(__builtin_clz(units));
  return (power - 2) * 8 + (units >> (power - 3) & 7);
}

void* zeros(std::size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// The bits of one word that belong to [first, last).
std::uint64_t bits_between(std::uint32_t word, std::uint32_t first, std::uint32_t last) {
  std::uint64_t bits = ~std::uint64_t{0};
  if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
  if (word == (last - 1) / 64) bits &= ~std::uint64_t{0} >> (63 - (last - 1) % 64);
  return bits;
}

}  // namespace

bool span_runs::open(const span& memory, void* owner, std::size_t unit_bytes) {
  units_ = static_cast<std::uint32_t>(memory.bytes / unit_bytes);
  const std::size_t for_runs = units_ * sizeof(run), for_dirty = (units_ / 64 + 1) * sizeof *dirty_;
  auto* description = static_cast<std::byte*>(zeros(for_runs + for_dirty));
  if (description == nullptr) return false;
  runs_ = reinterpret_cast<run*>(description);
  dirty_ = reinterpret_cast<std::uint64_t*>(description + for_runs);
  base_ = static_cast<std::byte*>(memory.base);
  start_ = reinterpret_cast<std::uintptr_t>(memory.base);
  end_ = start_ + std::size_t{units_} * unit_bytes;
  unit_bytes_ = unit_bytes;
  owner_ = owner;
  place_ = memory.place;
  for (std::uint32_t& head : heads_) head = no_unit;
  insert(0, units_);
  // A number far from those that programs use. It serves to skip holes when fork copies the span;
  // without it, all bytes of the blocks are copied.
  descriptor_ = fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 200);
  if (descriptor_ < 0) descriptor_ = fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 3);
  struct stat file {};
  if (descriptor_ >= 0 && fstat(descriptor_, &file) == 0) {
    device_ = file.st_dev;
    inode_ = file.st_ino;
  }
  return true;
}

void span_runs::describe(std::uint32_t first, std::uint32_t units, std::uint32_t free) {
  run& head = runs_[first];
  head.units = units;
  head.free = free;
  run& tail = runs_[first + units - 1];
  tail.units = units;
  tail.free = free;
}

void span_runs::insert(std::uint32_t first, std::uint32_t units) {
  describe(first, units, 1);
  const std::uint32_t list = list_of(units), second = heads_[list];
  runs_[first].next = second;
  runs_[first].previous = no_unit;
  if (second != no_unit) runs_[second].previous = first;
  heads_[list] = first;
  filled_[list / 64] |= std::uint64_t{1} << list % 64;
}

void span_runs::remove(std::uint32_t first) {
  const run r = runs_[first];
  if (r.next != no_unit) runs_[r.next].previous = r.previous;
  if (r.previous != no_unit) {
    runs_[r.previous].next = r.next;
    return;
  }
  const std::uint32_t list = list_of(r.units);
  heads_[list] = r.next;
  if (r.next == no_unit) filled_[list / 64] &= ~(std::uint64_t{1} << list % 64);
}

std::uint32_t span_runs::next_list(std::uint32_t from) const {
  for (std::uint32_t word = from / 64; word < sizeof filled_ / sizeof *filled_; ++word) {
    std::uint64_t bits = filled_[word];
    if (word == from / 64) bits &= ~std::uint64_t{0} << from % 64;
    if (bits != 0) return word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
  }
  return list_count;
}

// The unit of this free run at which a block of `units` would begin; no_unit: it does not fit.
std::uint32_t span_runs::fit(std::uint32_t first, std::uint32_t units, std::size_t alignment) const {
  std::uint32_t skipped = 0;
  if (alignment > unit_bytes_) {
    const std::uintptr_t at = start_ + std::size_t{first} * unit_bytes_;
    const std::size_t bytes = ((at + alignment - 1) & ~(alignment - 1)) - at;
    if (bytes / unit_bytes_ >= units_) return no_unit;
    skipped = static_cast<std::uint32_t>(bytes / unit_bytes_);
  }
  const std::uint32_t length = runs_[first].units;
  return skipped <= length && units <= length - skipped ? first + skipped : no_unit;
}

bool span_runs::find(std::uint32_t units, std::size_t alignment, std::uint32_t* first,
                     std::uint32_t* begin) const {
  if (units > units_) return false;
  for (std::uint32_t list = next_list(list_of(units)); list < list_count; list = next_list(list + 1)) {
    std::uint32_t best = UINT32_MAX, seen = 0;
    for (std::uint32_t at = heads_[list]; at != no_unit && seen < longest_search; ++seen) {
      const std::uint32_t where = fit(at, units, alignment);
      if (where != no_unit && runs_[at].units < best) {
        best = runs_[at].units;
        *first = at;
        *begin = where;
      }
      at = runs_[at].next;
    }
    if (best != UINT32_MAX) return true;
  }
  return false;
}

void span_runs::take(std::uint32_t first, std::uint32_t begin, std::uint32_t units) {
  const std::uint32_t end = first + runs_[first].units;
  remove(first);
  if (begin != first) insert(first, begin - first);
  if (end != begin + units) insert(begin + units, end - begin - units);
  describe(begin, units, 0);
  mark(begin, units, false);
}

void span_runs::give(std::uint32_t first) {
  std::uint32_t units = runs_[first].units;
  mark(first, units, true);
  const std::uint32_t after = first + units;
  if (after < units_ && runs_[after].free == 1) {
    units += runs_[after].units;
    remove(after);
  }
  if (first > 0 && runs_[first - 1].free == 1) {
    const std::uint32_t before = first - runs_[first - 1].units;
    units += runs_[before].units;
    remove(before);
    first = before;
  }
  insert(first, units);
}

void span_runs::put_off(std::uint32_t first) {
  runs_[first].next = put_off_;
  put_off_ = first;
}

std::uint32_t span_runs::give_what_was_put_off() {
  std::uint32_t units = 0;
  while (put_off_ != no_unit) {
    const std::uint32_t first = put_off_;
    put_off_ = runs_[first].next;
    units += runs_[first].units;
    give(first);
  }
  return units;
}

void span_runs::shorten(std::uint32_t first, std::uint32_t units) {
  const std::uint32_t rest = runs_[first].units - units;
  describe(first, units, 0);
  describe(first + units, rest, 0);
  give(first + units);
}

std::uint32_t span_runs::free_after(std::uint32_t first) const {
  const std::uint32_t after = first + runs_[first].units;
  return after < units_ && runs_[after].free == 1 ? runs_[after].units : 0;
}

void span_runs::lengthen(std::uint32_t first, std::uint32_t more) {
  const std::uint32_t units = runs_[first].units, after = first + units;
  take(after, after, more);
  describe(first, units + more, 0);
}

// --- which free units may hold pages ---

void span_runs::mark(std::uint32_t first, std::uint32_t units, bool dirty) {
  for (std::uint32_t word = first / 64; word <= (first + units - 1) / 64; ++word) {
    const std::uint64_t bits = bits_between(word, first, first + units);
    dirty_[word] = dirty ? dirty_[word] | bits : dirty_[word] & ~bits;
  }
}

std::uint32_t span_runs::dirty_in(std::uint32_t first, std::uint32_t units) const {
  std::uint32_t count = 0;
  for (std::uint32_t word = first / 64; word <= (first + units - 1) / 64; ++word)
    count += static_cast<std::uint32_t>(
        __builtin_popcountll(dirty_[word] & bits_between(word, first, first + units)));
  return count;
}

void span_runs::dirty_bounds(std::uint32_t first, std::uint32_t units, std::uint32_t* low,
                             std::uint32_t* high) const {
  *low = no_unit;
  for (std::uint32_t word = first / 64; word <= (first + units - 1) / 64; ++word) {
    const std::uint64_t bits = dirty_[word] & bits_between(word, first, first + units);
    if (bits == 0) continue;
    if (*low == no_unit) *low = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
    *high = word * 64 + 63 - static_cast<std::uint32_t>(__builtin_clzll(bits));
  }
}

// Gives all dirty units of one free run back to the system; returns how many.
std::uint32_t span_runs::clean_run(std::uint32_t first) {
  const std::uint32_t units = runs_[first].units, count = dirty_in(first, units);
  if (count == 0) return 0;
  std::uint32_t low = 0, high = 0;
  dirty_bounds(first, units, &low, &high);
  // Clean units in between have no pages, so one call does for all. The hole is punched through the
  // descriptor of the file, as the program may have locked or protected the mapped pages.
  const std::size_t offset = std::size_t{low} * unit_bytes_,
                    bytes = std::size_t{high - low + 1} * unit_bytes_;
  const int failed = private_       ? ::madvise(at(low), bytes, MADV_DONTNEED)
                     : knows_data() ? fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                                static_cast<off_t>(place_) + static_cast<off_t>(offset),
                                                static_cast<off_t>(bytes))
                                    : ::madvise(at(low), bytes, MADV_REMOVE);
  if (failed != 0) return 0;
  mark(low, high - low + 1, false);
  return count;
}

std::uint32_t span_runs::clean(std::uint32_t wanted) {
  std::uint32_t done = 0;
  for (std::uint32_t list = list_count; list-- > 0 && done < wanted;)
    for (std::uint32_t at = heads_[list]; at != no_unit && done < wanted; at = runs_[at].next)
      done += clean_run(at);
  return done;
}

// --- fork ---

// Is the descriptor still that of our file? Some programs close all descriptors that they do not
// know.
bool span_runs::knows_data() const {
  struct stat file {};
  return descriptor_ >= 0 && fstat(descriptor_, &file) == 0 && file.st_dev == device_ &&
         file.st_ino == inode_;
}

// Copies the bytes of the span at [from, to). With `only_data` holes are skipped, because reading a
// hole through the mapping would allocate its pages.
void span_runs::copy_range(std::size_t from, std::size_t to, bool only_data) {
  while (from < to) {
    std::size_t data = from, hole = to;
    if (only_data) {
      const off_t begin =
          lseek(descriptor_, static_cast<off_t>(place_) + static_cast<off_t>(from), SEEK_DATA);
      if (begin < 0 && errno == ENXIO) return;  // only a hole follows
      const off_t end = begin < 0 ? begin : lseek(descriptor_, begin, SEEK_HOLE);
      if (end >= 0) {
        data = static_cast<std::size_t>(begin - place_);
        hole = static_cast<std::size_t>(end - place_);
      }
      if (data >= to) return;
      if (hole > to) hole = to;
    }
    // From the file, because the program may have protected a page against reading.
    while (only_data && data < hole) {
      const ssize_t got = pread(descriptor_, copy_ + data, hole - data,
                                static_cast<off_t>(place_) + static_cast<off_t>(data));
      if (got <= 0 && !(got < 0 && errno == EINTR)) break;
      data += got < 0 ? 0 : static_cast<std::size_t>(got);
    }
    std::memcpy(copy_ + data, base_ + data, hole - data);
    from = hole;
  }
}

bool span_runs::copy_for_child() {
  if (private_) return true;
  copy_ = static_cast<std::byte*>(zeros(bytes()));
  if (copy_ == nullptr) return false;
  const bool only_data = knows_data();
  for (std::uint32_t at = 0; at < units_; at += runs_[at].units)
    if (runs_[at].free == 0)
      copy_range(std::size_t{at} * unit_bytes_, std::size_t{at + runs_[at].units} * unit_bytes_, only_data);
  return true;
}

void span_runs::drop_copy() {
  if (copy_ != nullptr) munmap(copy_, bytes());
  copy_ = nullptr;
}

bool span_runs::become_private() {
  if (private_) return true;
  if (copy_ == nullptr || mremap(copy_, bytes(), bytes(), MREMAP_MAYMOVE | MREMAP_FIXED, base_) == MAP_FAILED)
    return false;
  copy_ = nullptr;
  put_off_ = no_unit;
  private_ = true;
  if (knows_data()) close(descriptor_);
  descriptor_ = -1;
  return true;
}

}  // namespace loadstone::heap
