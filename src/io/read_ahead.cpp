#include "io/read_ahead.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace loadstone::io {

namespace {

// What lies between blocks closer than this is fetched, too, as the device reads it in any case.
constexpr std::int64_t grain = 64 << 10;
// Of a view without gaps; what the system reads at a time.
constexpr std::int64_t piece = 2 << 20;

std::int64_t span_of(const view& v, std::int64_t at, std::int64_t bytes) {
  return v.offset_of(at + bytes - 1) - v.offset_of(at);
}

template <class Figure>
void add(memory::io_read_figures& mine, memory::io_read_figures* all, Figure figure, std::int64_t n) {
  // relaxed: figures
  (mine.*figure).fetch_add(static_cast<std::uint64_t>(n), std::memory_order_relaxed);
  if (all != nullptr) (all->*figure).fetch_add(static_cast<std::uint64_t>(n), std::memory_order_relaxed);
}

}  // namespace

// Of one form: then the way from one to the other says where the next will be. Views that are set
// anew for each snapshot differ by their displacement only.
bool read_ahead::alike(const access& a, const access& b) {
  if (a.bytes != b.bytes) return false;
  return a.through == b.through || span_of(*a.through, a.at, a.bytes) == span_of(*b.through, b.at, b.bytes);
}

read_ahead::step read_ahead::between(const access& a, const access& b) {
  return {b.at - a.at, b.through->displacement() - a.through->displacement()};
}

// False: there is no such place in the file.
bool read_ahead::next(const access& last, step by, access* expected) {
  access e = last;
  e.shift = by.offset;
  if (__builtin_add_overflow(e.at, by.at, &e.at) || e.at < 0) return false;
  std::int64_t end;
  if (__builtin_add_overflow(e.at, e.bytes, &end) || !e.through->reaches(end) ||
      !e.through->ascending(e.at, e.bytes) ||
      __builtin_add_overflow(e.through->offset_of(end - 1), e.shift, &end))
    return false;
  if (e.through->offset_of(e.at) + e.shift < 0) return false;
  *expected = std::move(e);
  return true;
}

void read_ahead::begins(const view& v, std::int64_t at, std::int64_t bytes) {
  const std::lock_guard guard(lock_);
  turn_.fetch_add(1, std::memory_order_relaxed);  // relaxed: whoever sees it late fetches in vain
  if (expected_.through == nullptr) return;
  const access& e = expected_;
  if (e.bytes == bytes && e.through->offset_of(e.at) + e.shift == v.offset_of(at) &&
      span_of(*e.through, e.at, bytes) == span_of(v, at, bytes))
    add(figures_, all_, &memory::io_read_figures::ahead_used_bytes, fetched_);
  expected_ = {};
  fetched_ = 0;
}

void read_ahead::ended(stored_file& file, std::shared_ptr<const view> v, std::int64_t at, std::int64_t bytes,
                       std::uint64_t ns, std::int64_t limit) {
  add(figures_, all_, &memory::io_read_figures::read_bytes, bytes);
  add(figures_, all_, &memory::io_read_figures::read_ns, static_cast<std::int64_t>(ns));
  // Memory is where a tmpfs has its files.
  const bool fetches = limit > 0 && bytes >= least && file.descriptor() >= 0 && file.kind().regular &&
                       file.kind().system != "tmpfs";
  const std::lock_guard guard(lock_);
  access now{std::move(v), at, bytes, 0};
  const bool follows = last_.through != nullptr && alike(last_, now);
  const step by = follows ? between(last_, now) : step{};
  // Twice the same way; of a part that joins the one before, once is enough.
  const bool regular =
      follows && by != step{} && ((stepped_ && by == step_) || (by.offset == 0 && by.at == bytes));
  stepped_ = follows;
  step_ = by;
  last_ = now;
  if (!fetches || !regular || !next(now, by, &expected_)) return;
  turn_.fetch_add(1, std::memory_order_relaxed);  // relaxed: another thread's may be under way
  descriptor_ = file.descriptor();
  limit_ = limit;
  fetched_ = 0;
  // If there is no thread to be had, nothing is fetched.
  if (!thread_.give(work, this)) expected_ = {};
}

void read_ahead::stop() {
  {
    const std::lock_guard guard(lock_);
    turn_.fetch_add(1, std::memory_order_relaxed);  // relaxed: as in begins()
    expected_ = last_ = {};
    stepped_ = false;
  }
  if (thread_.started()) thread_.drain();
}

void read_ahead::work(void* context) {
  static_cast<read_ahead*>(context)->fetch();
}

// Piece by piece, as far as the file, the limit and the patience of the program go.
void read_ahead::fetch() {
  access e;
  std::int64_t left = 0;
  int descriptor = -1;
  std::uint32_t turn = 0;
  {
    const std::lock_guard guard(lock_);
    turn = turn_.load(std::memory_order_relaxed);  // relaxed: it moves under the lock
    e = expected_;
    left = limit_;
    descriptor = descriptor_;
  }
  struct stat is {};
  if (e.through == nullptr || fstat(descriptor, &is) != 0) return;
  const view& v = *e.through;
  const std::int64_t end = e.at + e.bytes, cut = v.dense() ? piece : grain;
  for (std::int64_t at = e.at; at < end && left > 0;) {
    const std::int64_t offset = v.offset_of(at), behind = (offset / cut + 1) * cut;
    const std::int64_t then = v.position_at(behind, at, end);
    const std::int64_t from = offset + e.shift;
    const std::int64_t n = std::min({v.offset_of(then - 1) + 1 - offset, left, is.st_size - from});
    if (n <= 0 || turn_.load(std::memory_order_relaxed) != turn) return;
    if (posix_fadvise(descriptor, from, n, POSIX_FADV_WILLNEED) != 0) return;
    add(figures_, all_, &memory::io_read_figures::ahead_bytes, n);
    {
      const std::lock_guard guard(lock_);
      if (turn_.load(std::memory_order_relaxed) != turn) return;
      fetched_ += n;
    }
    left -= n;
    at = then;
  }
}

}  // namespace loadstone::io
