#include "buffering/carrier.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.hpp"
#include "base/fault.hpp"
#include "buffering/apart.hpp"
#include "buffering/failures.hpp"
#include "buffering/figures.hpp"
#include "buffering/servers.hpp"
#include "buffering/stream.hpp"
#include "memory/address.hpp"
#include "wait/futex.hpp"

namespace loadstone::buffering {

using memory::io_extent;

namespace {

constexpr int no_data = EFAULT;  // an extent whose memory is not there: a defect, told as a failure

std::uint64_t share(std::uint64_t of, std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0
                  : static_cast<std::uint64_t>(static_cast<double>(of) * static_cast<double>(part) /
                                               static_cast<double>(all));
}

bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

// One extent of the step, and where it is in the list of writes.
struct carrier::taken {
  std::uint32_t process;
  io_extent extent;
  std::size_t write;     // of those that go the same way; SIZE_MAX: it could not be begun
  std::uint64_t begins;  // in that write
  bool past_cache;
};

carrier::carrier(memory::job& job, std::unique_ptr<file_writes> how, const std::string& root,
                 std::uint32_t server)
    : job_(job),
      maps_(job, UINT32_MAX, {.threads = false}),
      how_(std::move(how)),
      server_(server),
      shares_(server_count(job.io())),
      headroom_(memory::headroom::of_this_process(root)) {
  take_over();
}

// Is it ours to write what this process publishes? Of a share that is ours, it stays so.
bool carrier::has(std::uint32_t process) const {
  if (server_ == every_share) return true;
  const std::uint32_t share = memory::io_share(process, job_.header().world_size, shares_);
  return job_.io().server_of[share].load(std::memory_order_acquire) == server_;  // sync: io-share
}

// The one before us may have died between its count and the bell.
void carrier::take_over() {
  std::uint64_t found = 0;
  for (std::uint32_t s = 0; s < shares_; ++s)
    if (server_ == every_share ||
        job_.io().server_of[s].load(std::memory_order_acquire) == server_)  // sync: io-share
      found |= std::uint64_t{1} << s;
  if ((found & ~taken_over_) == 0) return;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    if (((found & ~taken_over_) >> memory::io_share(p, job_.header().world_size, shares_) & 1) == 0) continue;
    memory::io_writer& w = job_.io(p);
    // What it had claimed is free. Had it begun to take pages, it would have counted that before.
    auto ours = static_cast<std::uint32_t>(memory::io_claim::carrier);
    if (w.claimed.load(std::memory_order_relaxed) == ours)  // relaxed: of the dead one
      w.claimed.store(static_cast<std::uint32_t>(memory::io_claim::none),
                      std::memory_order_release);                                    // sync: io-claim
    if (w.waiting.exchange(0, std::memory_order_acq_rel) != 0) wait::ring(w.moved);  // sync: io-waiting
  }
  taken_over_ |= found;
}

carrier::~carrier() {
  for (const auto& [id, file] : files_)
    if (file.past_cache >= 0) close(file.past_cache);
}

void carrier::add_file(std::uint64_t id, int descriptor) {
  drop_file(id);
  files_[id] = {descriptor, past_cache::open(descriptor)};
  missing_ = 0;
}

void carrier::drop_file(std::uint64_t id) {
  const auto file = files_.find(id);
  if (file == files_.end()) return;
  if (file->second.past_cache >= 0) close(file->second.past_cache);
  files_.erase(file);
}

bool carrier::has_work() {
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const memory::io_writer& w = job_.io(p);
    // relaxed: our own, or that of the carrier before us, whose death we know of
    if (w.published.load(std::memory_order_acquire) != w.written.load(std::memory_order_relaxed) && has(p))
      return true;
  }
  return false;
}

// What processes are doing. A guess: who waits is rung whatever we make of it.
struct carrier::seen {
  bool writes = false;  // one copies into its buffer, or writes by itself
  bool waits = false;   // for us
  bool soon = false;    // will wait for us, as more than half of its buffer is full
};

// relaxed throughout: a guess
carrier::seen carrier::look() const {
  seen s;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const memory::io_writer& w = job_.io(p);
    const bool in_a_call =
        w.through_cache.load(std::memory_order_relaxed) != 0 ||
        w.claimed.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(memory::io_claim::owner);
    // Who is dead has perhaps died within such a call.
    s.writes = s.writes || (in_a_call && job_.process(p).dead.load(std::memory_order_relaxed) == 0);
    if (w.published.load(std::memory_order_relaxed) == w.written.load(std::memory_order_relaxed) || !has(p))
      continue;
    s.waits = s.waits || w.waiting.load(std::memory_order_relaxed) != 0;
    const std::uint64_t accepted = w.figures.accepted_bytes.load(std::memory_order_relaxed),
                        carried = w.carried_bytes.load(std::memory_order_relaxed);
    s.soon = s.soon ||
             (accepted > carried && accepted - carried > w.limit_bytes.load(std::memory_order_relaxed) / 2);
  }
  return s;
}

bool carrier::gives_way() {
  const seen s = look();
  const std::uint64_t now = base::now_ns();
  if (gives_way_ns_ != 0) patience_ -= std::chrono::nanoseconds(now - gives_way_ns_);
  const bool gives = s.writes && !s.waits && patience_.count() > 0;
  gives_way_ns_ = gives ? now : 0;
  return gives;
}

// Puts one extent into the list. False: not in this step.
bool carrier::put(std::uint32_t process, const io_extent& e) {
  const auto file = files_.find(e.file);
  if (file == files_.end() && !give_up_) {
    missing_ = e.file;
    return false;
  }
  auto pinned = maps_.acquire(memory::local_address{e.data}.in(process).region);
  if (file == files_.end() || !pinned) {
    taken_.push_back({process, e, SIZE_MAX, 0, false});
    return true;
  }
  // What is behind something older of the same bytes waits for the next step.
  for (std::size_t i = taken_.size(); i-- > 0 && taken_[i].process == process;)
    if (taken_[i].extent.file == e.file &&
        overlap(taken_[i].extent.offset, taken_[i].extent.length, e.offset, e.length))
      return false;
  iovec part{pinned->at(memory::local_address{e.data}.in(process).offset), e.length};
  pins_.push_back(std::move(*pinned));
  const bool past = file->second.past_cache >= 0 && past_cache::takes(e.offset, e.length, part.iov_base) &&
                    may_go_past_cache();
  std::vector<file_write>& writes = past ? past_cache_ : writes_;
  const bool follows = !taken_.empty() && taken_.back().process == process &&
                       taken_.back().extent.file == e.file && taken_.back().write != SIZE_MAX &&
                       taken_.back().past_cache == past &&
                       taken_.back().extent.offset + taken_.back().extent.length == e.offset;
  if (!follows) {
    writes.emplace_back();
    writes.back().descriptor = past ? file->second.past_cache : file->second.descriptor;
    writes.back().offset = e.offset;
  }
  file_write& w = writes.back();
  taken_.push_back({process, e, writes.size() - 1, w.bytes, past});
  w.parts.push_back(part);
  w.bytes += e.length;
  return true;
}

void carrier::take(std::uint32_t process, std::uint64_t from, std::uint64_t to) {
  const memory::local_address where{
      job_.io(process).ring.load(std::memory_order_acquire)};  // sync: io-publish
  auto ring = maps_.acquire(where.in(process).region);
  std::uint64_t bytes = 0;
  for (std::uint64_t n = from; n < to && bytes < unit; ++n) {
    io_extent e{};  // of length 0, if its ring is gone: then nothing can be said of it but that
    if (ring)
      e = reinterpret_cast<const memory::io_ring*>(ring->at(where.in(process).offset))
              ->extents[n % memory::io_extents];
    if (!ring || e.length == 0) {
      taken_.push_back({process, e, SIZE_MAX, 0, false});
      continue;
    }
    if (!put(process, e)) return;
    bytes += e.length;
  }
}

// In this step: asked when something could.
bool carrier::may_go_past_cache() {
  if (!goes_past_cache_) {
    const seen s = look();
    goes_past_cache_ = ways_.choose(s.waits || s.soon) && begin_past_cache(job_, index());
  }
  return *goes_past_cache_;
}

// First what goes past the cache. O_DIRECT: a write that came short may leave a rest that it does
// not take, which goes through the cache.
void carrier::write_taken() {
  if (!past_cache_.empty()) {
    how_->write(past_cache_);
    end_past_cache(job_, index());
  }
  const bool all_done = std::all_of(past_cache_.begin(), past_cache_.end(),
                                    [](const file_write& w) { return w.done == w.bytes; });
  if (all_done && writes_.empty()) return;
  const through_cache begun(job_, index());
  how_->write(writes_);
  for (const taken& t : taken_) {
    if (t.write == SIZE_MAX || !t.past_cache || t.begins != 0) continue;  // once for each write
    file_write& w = past_cache_[t.write];
    if (w.done == w.bytes) continue;
    w.descriptor = files_.at(t.extent.file).descriptor;
    w.number = 0;
    finish_write(w);
  }
}

const file_write& carrier::write_of(const taken& t) const {
  return (t.past_cache ? past_cache_ : writes_)[t.write];
}

// What of it is in the file.
std::uint64_t carrier::done_of(const taken& t) const {
  const std::uint64_t done = write_of(t).done;
  return std::min(t.extent.length, done - std::min(done, t.begins));
}

std::uint64_t carrier::step() {
  pins_.clear();
  writes_.clear();
  past_cache_.clear();
  taken_.clear();
  gives_way_ns_ = 0;
  take_over();
  goes_past_cache_.reset();
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    memory::io_writer& w = job_.io(p);
    const std::uint64_t from = w.written.load(std::memory_order_acquire);  // sync: io-written
    const std::uint64_t to = w.published.load(std::memory_order_acquire);  // sync: io-publish
    if (from < to && has(p)) take(p, from, to);
  }
  if (taken_.empty()) return 0;
  LOADSTONE_FAULT_POINT("io.carrying");
  const std::uint64_t began = base::now_ns(), cpu_began = base::cpu_ns();
  write_taken();
  const std::uint64_t took = base::now_ns() - began, cpu = base::cpu_ns() - cpu_began;
  std::uint64_t past = 0, cached = 0;
  for (const file_write& w : past_cache_) past += w.bytes;
  for (const file_write& w : writes_) cached += w.bytes;
  ways_.note(past, cached, took);
  patience_ = std::min<std::chrono::nanoseconds>(
      most_patience, std::max<std::chrono::nanoseconds>(patience_, {}) + std::chrono::nanoseconds(took));
  LOADSTONE_FAULT_POINT("io.in_file");
  memory::io_area& area = job_.io();
  std::uint64_t all = 0;
  for (const taken& t : taken_)
    if (t.write != SIZE_MAX) all += done_of(t);
  for (std::size_t i = 0; i < taken_.size();) {
    const std::uint32_t process = taken_[i].process;
    memory::io_writer& w = job_.io(process);
    const std::uint64_t first = w.written.load(std::memory_order_relaxed);  // relaxed: we alone change it
    std::uint64_t count = 0, bytes = 0;
    for (; i < taken_.size() && taken_[i].process == process; ++i, ++count) {
      const taken& t = taken_[i];
      memory::io_file& figures = area.files[memory::io_file_place(t.extent.file) % memory::io_files];
      std::uint64_t done = 0;
      int number = no_data;
      if (t.write != SIZE_MAX) {
        done = done_of(t);
        number = write_of(t).number;
      }
      add(figures.carried, 1);
      add(figures.carried_bytes, done);
      add(figures.carry_ns, share(took, done, all));
      add(figures.carry_cpu_ns, share(cpu, done, all));
      bytes += t.extent.length;
      if (done < t.extent.length || t.write == SIZE_MAX)
        note_failure(job_, process, first + count, t.extent.file, t.extent.offset + done,
                     t.extent.length - done, number);
    }
    add(w.carried_bytes, bytes);
    // Behind the reading of the data and the notes of failures (sync: io-written).
    w.written.store(first + count, std::memory_order_release);
    LOADSTONE_FAULT_POINT("io.given_back");
    // Either we see that somebody waits, or he sees what is written (sync: io-waiting).
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (w.waiting.load(std::memory_order_relaxed) != 0 &&
        w.waiting.exchange(0, std::memory_order_relaxed) != 0)
      wait::ring(w.moved);
  }
  memory::io_server& us = area.servers[index()];
  add(us.carried, taken_.size());
  add(us.carried_bytes, all);
  add(us.carry_ns, took);
  return taken_.size();
}

// The pages that the buffer of a process consists of, if it has nothing on its way and is not
// filling it. It learns of that by `relieved`, and touches none of them again.
bool carrier::give_back(std::uint32_t process) {
  memory::io_writer& w = job_.io(process);
  auto nobody = static_cast<std::uint32_t>(memory::io_claim::none);
  if (!w.claimed.compare_exchange_strong(nobody, static_cast<std::uint32_t>(memory::io_claim::carrier),
                                         std::memory_order_acquire,  // sync: io-claim
                                         std::memory_order_relaxed))
    return false;
  bool given = false;
  const memory::local_address where{w.ring.load(std::memory_order_acquire)};  // sync: io-publish
  // Relaxed: both are behind the claim, or our own.
  const std::uint64_t published = w.published.load(std::memory_order_relaxed);
  if (where && published == w.written.load(std::memory_order_relaxed)) {
    // Relaxed: by the claim. Before the first page goes: we may die in between.
    w.relieved.fetch_add(1, std::memory_order_relaxed);
    auto pinned = maps_.acquire(where.in(process).region);
    const auto* ring =
        pinned ? reinterpret_cast<const memory::io_ring*>(pinned->at(where.in(process).offset)) : nullptr;
    for (std::uint64_t i = 0; ring != nullptr && i < ring->segment_count; ++i) {
      const memory::address at = memory::local_address{ring->segments[i].data}.in(process);
      if (auto data = maps_.acquire(at.region); data)
        given = madvise(data->at(at.offset), ring->segments[i].bytes / past_cache::page * past_cache::page,
                        MADV_REMOVE) == 0 ||
                given;
    }
    given_back_[process] = published;
  }
  w.claimed.store(static_cast<std::uint32_t>(memory::io_claim::none),
                  std::memory_order_release);  // sync: io-claim
  return given;
}

std::chrono::milliseconds carrier::relieve() {
  using std::chrono::milliseconds;
  std::uint64_t held = 0;
  std::vector<std::uint32_t> idle;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const memory::io_writer& w = job_.io(p);
    const std::uint64_t bytes = get(w.held_bytes), published = get(w.published);
    const auto before = given_back_.find(p);
    if (bytes == 0 || !has(p) || (before != given_back_.end() && before->second == published)) continue;
    held += bytes;
    idle.push_back(p);
  }
  if (held == 0) return std::chrono::hours(24);
  const std::uint64_t left = headroom_.left();
  if (left < margin)
    for (const std::uint32_t p : idle) give_back(p);
  return left < margin + 4 * held ? milliseconds(50) : milliseconds(1000);
}

}  // namespace loadstone::buffering
