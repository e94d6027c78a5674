#include "buffering/stream.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "base/text_file.hpp"
#include "buffering/figures.hpp"
#include "buffering/past_cache.hpp"
#include "buffering/pending.hpp"
#include "buffering/servers.hpp"
#include "copy/kernels.hpp"
#include "wait/futex.hpp"

namespace loadstone::buffering {

using memory::io_carrier;
using memory::io_claim;
using memory::io_extent;

namespace {

constexpr std::uint64_t largest_segment = 32 << 20;
constexpr std::uint64_t alignment = 64, page = past_cache::page;
constexpr std::uint64_t apart = 64 << 10;  // shorter writes are not divided where pages begin
constexpr std::uint64_t look_at_memory_again = 100'000'000;  // ns, for memory that gets short

// Relaxed: published behind it; readers of an older extent may look on (pending.cpp).
void fill(io_extent& slot, const io_extent& with) {
  const auto put = [](std::uint64_t& word, std::uint64_t value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
  };
  put(slot.file, with.file);
  put(slot.offset, with.offset);
  put(slot.length, with.length);
  put(slot.data, with.data);
}

// Memory that this process has for itself: fields 2 and 3 of statm, resident and shared.
std::uint64_t own_memory() {
  const std::string text = base::read_text_file("/proc/self/statm");
  unsigned long long resident = 0, shared = 0;
  if (std::sscanf(text.c_str(), "%*u %llu %llu", &resident, &shared) != 2 || shared > resident) return 0;
  return (resident - shared) * page;
}

}  // namespace

stream::stream(memory::job& job, memory::arena& arena, const config& wanted)
    : job_(job),
      arena_(arena),
      config_(wanted),
      headroom_(memory::headroom::of_this_process(wanted.root)),
      mine_(job.io(job.self())),
      program_bytes_(wanted.program_bytes),
      worth_(std::max<std::uint32_t>(job.header().world_size, 1),
             std::max<std::uint32_t>(job.header().cpus, 1)) {
  auto dead = static_cast<std::uint32_t>(io_claim::owner);  // who had this place before us
  mine_.claimed.compare_exchange_strong(dead, static_cast<std::uint32_t>(io_claim::none),
                                        std::memory_order_relaxed);
}

stream::~stream() {
  if (ring_ == nullptr) return;
  wait_until(mine_.published.load(std::memory_order_relaxed), {0});  // relaxed: our own store
  std::lock_guard lock(mutex_);
  while (!claim()) std::this_thread::yield();  // the carrier is at it, or mpiexec sees that it is dead
  for (const segment& s : segments_) arena_.release(s.base);
  segments_.clear();
  mine_.ring.store(0, std::memory_order_release);  // sync: io-publish
  arena_.release(ring_);
  unclaim();
  job_.io().writers.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a figure
}

// Acquire and release: the pages and the list of segments (sync: io-claim).
bool stream::claim() {
  auto nobody = static_cast<std::uint32_t>(io_claim::none);
  return mine_.claimed.compare_exchange_strong(nobody, static_cast<std::uint32_t>(io_claim::owner),
                                               std::memory_order_acquire, std::memory_order_relaxed);
}

void stream::unclaim() {
  mine_.claimed.store(static_cast<std::uint32_t>(io_claim::none), std::memory_order_release);
}

void stream::list_segments() {
  ring_->segment_count = 0;
  for (const segment& s : segments_) ring_->segments[ring_->segment_count++] = {s.address, s.bytes};
  mine_.held_bytes.store(held_, std::memory_order_relaxed);  // relaxed: a figure
}

void stream::declare(std::uint64_t program_bytes) {
  std::lock_guard lock(mutex_);
  if (program_bytes <= program_bytes_) return;
  program_bytes_ = program_bytes;
  if (config_.bytes == config::automatic) limit_ = config::automatic;  // to be asked again
}

// What a buffer leaves to others: the margin, and what the program says that it will need, less
// what it has already. All processes are alike in that, as far as one can know.
std::uint64_t stream::spared() const {
  if (program_bytes_ == 0) return margin;
  const std::uint64_t processes = std::max<std::uint32_t>(job_.header().world_size, 1);
  const std::uint64_t has = own_memory();
  return margin + (program_bytes_ > has ? program_bytes_ - has : 0) * processes;
}

std::uint64_t stream::written() const {
  return mine_.written.load(std::memory_order_acquire);  // sync: io-written
}

std::uint64_t stream::held() const {
  std::lock_guard lock(mutex_);
  return held_;
}

// A quarter of what the machine has left when the first file is written, shared among all
// processes; what the program says it will need is not counted as left.
std::uint64_t stream::limit() {
  std::lock_guard lock(mutex_);
  if (limit_ != config::automatic) return limit_;
  limit_ = config_.bytes;
  if (limit_ == config::automatic) {
    const std::uint64_t processes = std::max<std::uint32_t>(job_.header().world_size, 1);
    const std::uint64_t left = headroom_.left() + held_;
    const std::uint64_t theirs = spared() - margin;
    limit_ = (left > theirs ? left - theirs : 0) / 4 / processes;
  }
  return limit_;
}

bool stream::begin() {
  if (ring_ != nullptr) return true;
  if (!refused_) refused_ = !job_.reserve_failures(job_.self()).ok();
  if (refused_) return false;
  auto made = arena_.allocate(sizeof(memory::io_ring));
  if (!made) {
    refused_ = true;
    return false;
  }
  ring_ = static_cast<memory::io_ring*>(*made);
  ring_->segment_count = 0;
  job_.io().writers.fetch_add(1, std::memory_order_relaxed);  // relaxed: a figure
  mine_.ring.store(memory::local_address::of(arena_.address_of(ring_)).bits,
                   std::memory_order_release);  // sync: io-publish
  return true;
}

// A new segment, if the limit and the memory of the machine allow it. No larger than all before it;
// and no more than is wanted, or an eighth of these: a MiB that nobody has touched yet takes some 2
// ms, and a snapshot whose parts begin within pages wants a little more than fits.
bool stream::grow(std::uint64_t limit, std::uint64_t wanted) {
  if (held_ >= limit || segments_.size() == memory::io_segments) return false;
  const std::uint64_t least = std::min(config_.segment, largest_segment);
  std::uint64_t bytes = std::clamp(held_, least, largest_segment);
  bytes = std::min(bytes, base::round_up(std::max(wanted, held_ / 8), least));
  bytes = std::min(bytes, limit - held_) / alignment * alignment;
  if (bytes == 0) return false;
  if (headroom_.left() < bytes + spared()) {
    short_ = true;
    shrink();
    return false;
  }
  auto made = arena_.allocate(bytes, page);
  if (!made) return false;
  auto* base = static_cast<std::byte*>(*made);
  segments_.push_back({base, memory::local_address::of(arena_.address_of(base)).bits, bytes, 0, 0, 0});
  held_ += bytes;
  list_segments();
  return true;
}

// Under pressure: what is empty is given back.
void stream::shrink() {
  const std::uint64_t done = written();
  std::erase_if(segments_, [&](const segment& s) {
    if (s.last > done) return false;
    held_ -= s.bytes;
    arena_.release(s.base);
    return true;
  });
  list_segments();
}

// A buffer that does not grow is memory all the same. Asked now and then, as the answer takes some
// ten microseconds; then what is empty is given back, and the caller writes by itself.
bool stream::short_of_memory() {
  const std::uint64_t now = base::now_ns();
  // The carrier has given its pages back, as memory was short: none of them may be touched again.
  if (const std::uint32_t n = mine_.relieved.load(std::memory_order_relaxed); n != relieved_) {
    relieved_ = n;  // relaxed: by claim()
    shrink();
    looked_ = 0;
  }
  if (held_ == 0 || now - looked_ < look_at_memory_again) return false;
  looked_ = now;
  if (headroom_.left() >= spared()) return false;
  looked_ = 0;  // and at once the next time: it may have helped
  short_ = true;
  shrink();
  return true;
}

// Where the next bytes go, and up to where; nullptr: there is no room. The segment that is filled
// is the last, from its begin again once all of it is written. Memory that has been filled before,
// and is written, comes first: to touch a page takes longer than to copy it. Of an empty segment
// there is a unit at least, if it has as much.
stream::segment* stream::room(std::uint64_t limit, std::uint64_t unit, std::uint64_t wanted,
                              std::uint64_t* end) {
  const std::uint64_t done = written();
  const auto fits = [unit](const segment& s, std::uint64_t to) {
    return base::round_up(s.used, unit) + unit <= to;
  };
  const auto fill_next = [this](std::deque<segment>::iterator next) {
    const segment s = *next;
    segments_.erase(next);
    segments_.push_back(s);
    return &segments_.back();
  };
  for (segment& s : segments_)
    if (s.last <= done) s.used = 0;
  const auto last = segments_.empty() ? segments_.end() : std::prev(segments_.end());
  const auto filled = std::find_if(segments_.begin(), last,
                                   [&](const segment& s) { return s.used == 0 && s.touched >= unit; });
  if (filled != last) {
    const auto next = fits(*last, last->touched) ? last : filled;
    *end = next->touched;
    return fill_next(next);
  }
  const auto any = [&](const segment& s) { return s.used == 0 || fits(s, s.bytes); };
  auto next = last != segments_.end() && any(*last) ? last : std::find_if(segments_.begin(), last, any);
  if (next == last && (last == segments_.end() || !any(*last))) {
    if (!grow(limit, wanted)) return nullptr;
    next = std::prev(segments_.end());
  }
  *end = next->bytes;
  return fill_next(next);
}

// What a buffer would have to hold so that no write of ours ever finds it full: all that was
// written, less what the carrier would have taken since at the rate that was seen, of which each
// writer has its share.
void stream::need(std::uint64_t file, std::uint64_t bytes, std::uint64_t now) {
  const memory::io_area& area = job_.io();
  const std::uint64_t blocked = disk_ns(mine_.figures);
  const std::uint64_t at = std::max(owed_at_, now - std::min(now, blocked));
  if (const double rate = owed_ > 0 ? carry_rate(area) : 0; rate > 0) {
    const double writers = std::max<std::uint32_t>(area.writers.load(std::memory_order_relaxed), 1);
    owed_ = std::max(owed_ - rate / writers * static_cast<double>(at - owed_at_), 0.0);
  }
  owed_at_ = at;
  const std::uint64_t held = get(mine_.figures.accepted_bytes) - get(mine_.carried_bytes);
  owed_ = std::max(owed_, static_cast<double>(held)) + static_cast<double>(bytes);
  raise(mine_.needed_bytes, static_cast<std::uint64_t>(owed_));
  raise(job_.io().files[memory::io_file_place(file)].needed_bytes, static_cast<std::uint64_t>(owed_));
}

std::uint64_t stream::accept(target to, std::uint64_t offset, const std::byte* memory, std::uint64_t bytes,
                             std::uint64_t limit) {
  const std::uint64_t file = to.file;
  memory::io_area& area = job_.io();
  // relaxed: who finds an old value writes by itself, or publishes what is carried at the end
  if (area.carrier.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(io_carrier::process))
    return 0;
  if (limit == config::automatic) limit = this->limit();
  const std::uint64_t began = base::now_ns();
  std::lock_guard lock(mutex_);
  if (get(mine_.first_ns) == 0) mine_.first_ns.store(began, std::memory_order_relaxed);
  if (limit == 0 || !begin()) {
    each(to, [&](memory::io_figures& f) { add(f.short_bytes, bytes); });
    return 0;
  }
  // relaxed: a figure, and a guess of the carrier's, how full the buffer is
  mine_.limit_bytes.store(limit, std::memory_order_relaxed);
  need(file, bytes, began);
  area.files[memory::io_file_place(file)].limit_bytes.store(limit, std::memory_order_relaxed);
  std::uint64_t accepted = 0, held_before = held_;
  std::uint64_t number = mine_.published.load(std::memory_order_relaxed);  // relaxed: our own store
  const bool ours = claim();
  short_ = !ours;
  const std::uint64_t taken = !ours || short_of_memory() ? 0 : bytes;
  while (accepted < taken) {
    // Acquire, in written(): the carrier has read what lay here before (sync: io-written).
    if (number - written() >= config_.extents) break;
    const std::uint64_t left = bytes - accepted, into = (offset + accepted) % page;
    const bool pages = left >= apart && into == 0;
    std::uint64_t end = 0;  // of what may be filled of it
    segment* s = room(limit, pages ? page : alignment, left, &end);
    if (s == nullptr) break;
    std::uint64_t n = left;
    if (pages && s->bytes >= page) {
      s->used = base::round_up(s->used, page);
      n = std::min(left, end - s->used) / page * page;
    } else if (left >= apart && into != 0) {
      n = page - into;
    }
    n = std::min(n, end - s->used);
    LOADSTONE_FAULT_POINT("io.claimed");
    copy::ordinary(s->base + s->used, memory + accepted, n);
    fill(ring_->extents[number % memory::io_extents],
         {file, offset + accepted, n, s->address + s->used / alignment});
    LOADSTONE_FAULT_POINT("io.filled");
    s->used = base::round_up(s->used + n, alignment);
    s->touched = std::max(s->touched, s->used);
    s->last = ++number;
    mine_.published.store(number, std::memory_order_release);  // sync: io-publish
    LOADSTONE_FAULT_POINT("io.published");
    accepted += n;
  }
  if (ours) unclaim();
  if (accepted < bytes && short_)
    each(to, [&](memory::io_figures& f) { add(f.short_bytes, bytes - accepted); });
  if (accepted != 0) {
    // Rung once, at the end: a carrier that wrote meanwhile would take memory bandwidth from our
    // copy. Either we see that it is about to sleep, or it sees our extents (sync: io-asleep).
    // Whoever takes our share over looks at it by itself (sync: io-share).
    std::atomic_thread_fence(std::memory_order_seq_cst);
    memory::io_server& server = server_of(job_, job_.self());
    if (server.asleep.load(std::memory_order_relaxed) != 0 &&
        server.asleep.exchange(0, std::memory_order_relaxed) != 0)
      wait::ring(server.called);
    const std::uint64_t took = base::now_ns() - began;
    each(to, [&](memory::io_figures& f) {
      add(f.accepted, 1);
      add(f.accepted_bytes, accepted);
      add(f.copy_ns, took);
    });
    // Memory that is touched for the first time says nothing about later copies.
    if (held_ == held_before) worth_.copied(accepted, took);
  }
  return accepted;
}

void stream::wait_until(std::uint64_t number, target to) {
  if (written() >= number) return;
  const std::uint64_t began = base::now_ns();
  wait_for_written(job_, job_.self(), number);
  if (to.file != 0) note_stall(to, base::now_ns() - began);
}

bool stream::overlaps(std::uint64_t file, std::uint64_t offset, std::uint64_t bytes) const {
  // relaxed: a thread's own writes; those of others at the same time have no order with this one
  if (written() == mine_.published.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(mutex_);
  return ring_ != nullptr &&
         last_overlap(ring_->extents, written(), mine_.published.load(std::memory_order_relaxed), file,
                      offset, bytes) != 0;
}

void stream::note_called(target to, std::uint64_t bytes, std::uint64_t ns) {
  if (get(mine_.first_ns) == 0) mine_.first_ns.store(base::now_ns() - ns, std::memory_order_relaxed);
  each(to, [&](memory::io_figures& f) {
    add(f.called_bytes, bytes);
    add(f.called_ns, ns);
  });
}

void stream::note_overflow(target to, std::uint64_t device, std::uint64_t bytes, std::uint64_t ns) {
  note_called(to, bytes, ns);
  each(to, [&](memory::io_figures& f) {
    add(f.overflow_bytes, bytes);
    add(f.overflow_ns, ns);
  });
  std::lock_guard lock(mutex_);
  worth_.written(device, bytes, ns);
}

bool stream::waits_for_room(std::uint64_t device) {
  const std::uint32_t writers = job_.io().writers.load(std::memory_order_relaxed);  // relaxed: a figure
  std::lock_guard lock(mutex_);
  return worth_.waits(device, writers);
}

// The segment whose end comes first: by then all of it may be filled again.
bool stream::await_room(target to, std::uint64_t bytes) {
  std::uint64_t number = ~std::uint64_t{};
  {
    std::lock_guard lock(mutex_);
    const std::uint64_t done = written();
    for (const segment& s : segments_)
      if (s.last > done) number = std::min(number, s.last);
    owed_ = std::max(owed_ - static_cast<double>(bytes), 0.0);  // counted once more then: need()
  }
  if (number == ~std::uint64_t{}) return false;
  wait_until(number, to);
  return true;
}

std::uint64_t stream::at_once(std::uint64_t file, std::uint64_t device, bool past_cache,
                              std::uint64_t bytes) {
  // relaxed: nobody carries yet, or no more: then it is not a matter of cost
  if (config_.always ||
      job_.io().carrier.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(io_carrier::process))
    return 0;
  const memory::io_file& figures = job_.io().files[memory::io_file_place(file)];
  std::lock_guard lock(mutex_);
  worth_.carried(device, figures.carried_bytes.load(std::memory_order_relaxed),
                 figures.carry_cpu_ns.load(std::memory_order_relaxed),
                 figures.carry_ns.load(std::memory_order_relaxed));
  return worth_.at_once(device, past_cache, bytes);
}

void stream::look(std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  worth_.look(bytes);
}

bool stream::buffers(std::uint64_t device, bool past_cache) {
  // relaxed: as in at_once()
  if (job_.io().carrier.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(io_carrier::process))
    return false;
  std::lock_guard lock(mutex_);
  return config_.always || worth_.buffers(device, past_cache);
}

void stream::note_at_once(target to, std::uint64_t device, std::uint64_t bytes, std::uint64_t ns) {
  note_called(to, bytes, ns);
  each(to, [&](memory::io_figures& f) {
    add(f.at_once_bytes, bytes);
    add(f.at_once_ns, ns);
  });
  std::lock_guard lock(mutex_);
  worth_.written(device, bytes, ns);
}

void stream::note_stall(target to, std::uint64_t ns) {
  each(to, [&](memory::io_figures& f) { add(f.stall_ns, ns); });
}

void stream::settle(target to) {
  settle_range(to, 0, ~std::uint64_t{});
}

void stream::settle_range(target to, std::uint64_t offset, std::uint64_t bytes) {
  // relaxed: as overlaps()
  if (written() == mine_.published.load(std::memory_order_relaxed)) return;
  std::uint64_t last = 0;
  {
    std::lock_guard lock(mutex_);
    if (ring_ == nullptr) return;
    const std::uint64_t end = mine_.published.load(std::memory_order_relaxed);  // relaxed: our own store
    last = last_overlap(ring_->extents, written(), end, to.file, offset, bytes);
  }
  wait_until(last, to);
}

}  // namespace loadstone::buffering
