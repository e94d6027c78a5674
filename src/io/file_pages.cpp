#include "io/file_pages.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/page_guard.hpp"
#include "base/round_up.hpp"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // as Linux 5.14 has it; the C library's headers may be older
#endif

namespace loadstone::io {
namespace {

constexpr std::int64_t page = 4096;
// Begins and ends at multiples of a large page, so that the system can map those at once. Longer
// than it has to be, as the next access is often behind: what is not touched costs nothing.
constexpr std::int64_t unit = std::int64_t{2} << 20, ahead = std::int64_t{32} << 20;
// What lies so near to pages that are there is made to be there with what lies between: one range
// is known, and to ask for pages again that are there takes longer than to store into them.
constexpr std::int64_t near = std::int64_t{256} << 10;

bool reaches(int descriptor, std::int64_t to) {
  struct stat is;
  return fstat(descriptor, &is) == 0 && is.st_size >= to;
}

// A write that makes a file longer sets the size first, and zeroes what lies between the old end
// and itself in the page of the old end afterwards (ext4, Linux 6.18): over what is stored there
// meanwhile. It holds the lock of the file for all of that, which asking where data is takes. So
// behind this, writes that have set a size that was seen before have ended. Behind every end there
// is no data: the answer is an error at once, and moves no offset.
void await_growing_writes(int descriptor) {
  lseek(descriptor, std::numeric_limits<off_t>::max(), SEEK_DATA);
}

}  // namespace

struct file_pages::mapping {
  std::byte* const base;
  const std::int64_t from, to;            // of the file; it may end before
  std::int64_t there = 0, there_end = 0;  // pages that have been found to be there (under the lock)
  mapping(std::byte* at, std::int64_t first, std::int64_t end) : base(at), from(first), to(end) {}
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  ~mapping() { munmap(base, static_cast<std::size_t>(to - from)); }
};

bool file_pages::store(std::int64_t from, std::int64_t to, const user& use) {
  if (!possible() || to - from > most || !reaches(descriptor_, to)) return false;
  await_growing_writes(descriptor_);
  const std::shared_ptr<mapping> m = reach(from, to);
  if (m == nullptr) return false;
  std::byte* const at = m->base + (from - m->from);
  const base::stored how = base::store_guarded(at, static_cast<std::size_t>(to - from), [&] { use(at); });
  if (how == base::stored::all) return true;
  forget();
  return false;
}

void file_pages::forget() {
  const std::lock_guard guard(lock_);
  now_.reset();
}

// Holes that nobody has read are in no page.
bool file_pages::in_memory(std::int64_t from, std::int64_t to) {
  if (!possible() || to - from > most || !reaches(descriptor_, to)) return false;
  const std::lock_guard guard(lock_);
  const mapping* m = cover(from, to);
  if (m == nullptr) return false;
  if (from >= m->there && to <= m->there_end) return true;  // found to be there before
  from = from / page * page;
  unsigned char pages[unit / page];
  for (; from < to; from += unit) {
    const auto bytes = static_cast<std::size_t>(std::min(unit, to - from));
    if (mincore(m->base + (from - m->from), bytes, pages) != 0) return false;
    if (!std::all_of(pages, pages + (bytes + page - 1) / page, [](unsigned char p) { return p & 1; }))
      return false;
  }
  return true;
}

file_pages::mapping* file_pages::cover(std::int64_t from, std::int64_t to) {
  if (now_ != nullptr && from >= now_->from && to <= now_->to) return now_.get();
  now_.reset();
  const std::int64_t first = from / unit * unit, end = base::round_up(std::max(to, first + ahead), unit);
  void* const at = mmap(nullptr, static_cast<std::size_t>(end - first), PROT_READ | PROT_WRITE, MAP_SHARED,
                        descriptor_, first);
  if (at == MAP_FAILED) return nullptr;
  now_ = std::make_shared<mapping>(static_cast<std::byte*>(at), first, end);
  return now_.get();
}

// Pages are there before anything is stored: a full disk is the error of a call, and no signal. (A
// page that the system has written to its device meanwhile may need space again, where each writing
// goes to a new place; then it is a signal, which store() lives through.)
std::shared_ptr<file_pages::mapping> file_pages::reach(std::int64_t from, std::int64_t to) {
  const std::lock_guard guard(lock_);
  if (cover(from, to) == nullptr) return nullptr;
  mapping& m = *now_;
  from = from / page * page;
  to = base::round_up(to, page);
  if (from >= m.there && to <= m.there_end) return now_;
  if (m.there_end > m.there && from <= m.there_end + near && to >= m.there - near) {  // what is new of it
    if (from >= m.there) from = m.there_end;
    if (to <= m.there_end) to = m.there;
  } else {
    m.there = m.there_end = from;
  }
  if (madvise(m.base + (from - m.from), static_cast<std::size_t>(to - from), MADV_POPULATE_WRITE) != 0) {
    if (errno == EINVAL) possible_.store(false, std::memory_order_relaxed);  // an older kernel
    return nullptr;
  }
  if (m.there == m.there_end) m.there = from, m.there_end = to;
  m.there = std::min(m.there, from);
  m.there_end = std::max(m.there_end, to);
  return now_;
}

}  // namespace loadstone::io
