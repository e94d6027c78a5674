// What is seen when, beyond the rules of storage.hpp: a read takes what any process of the job has
// had accepted in its range from where it lies, and the rest from the file; a write waits for what
// others have had accepted in its range. So processes see each other's writes as without buffers.
// Who holds a lock finds nothing accepted in its range, and writes by itself: buffers do not reach
// over locks.
#include "io/buffered_storage.hpp"

#include <fmt/core.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "base/clock.hpp"
#include "buffering/failures.hpp"
#include "buffering/figures.hpp"
#include "buffering/pending.hpp"
#include "memory/mappings.hpp"
#include "memory/requests.hpp"

namespace loadstone::io {
namespace {

// What all buffered files of a process share.
struct shared {
  shared(memory::job& j, memory::arena& arena, const buffering::config& c)
      : job(j), wanted(c), maps(j, j.self(), {}), out(j, arena, c) {}
  memory::job& job;
  const buffering::config wanted;
  memory::mappings maps;
  buffering::stream out;
};

class buffered_file final : public stored_file {
 public:
  buffered_file(std::unique_ptr<stored_file> below, shared& all, std::uint64_t id, std::uint64_t device,
                std::uint64_t limit, bool always)
      : below_(std::move(below)),
        all_(all),
        id_(id),
        device_(device),
        limit_(limit),
        always_(always),
        past_cache_(below_->kind().past_cache) {}
  ~buffered_file() override { let_go(); }

  const file_kind& kind() const override { return below_->kind(); }
  int descriptor() const override { return below_->descriptor(); }

  // Of what was carried of the file, this process has had its part accepted.
  carried behind() const override {
    if (id_ == 0) return {};
    const memory::io_file& f = all_.job.io().files[memory::io_file_place(id_)];
    const double part = static_cast<double>(get(figures_.accepted_bytes)) /
                        static_cast<double>(std::max<std::uint64_t>(get(f.figures.accepted_bytes), 1));
    return {get(f.carried_bytes),
            buffering::hidden(buffering::disk_ns(figures_), get(figures_.called_ns),
                              static_cast<std::uint64_t>(part * static_cast<double>(get(f.carry_ns))))};
  }

  // What was accepted and is lost is told here, too: the bytes that come are older ones. Looked at
  // last, so that a loss that this read could have met is not missed.
  trouble read(std::span<const extent> extents, std::int64_t* done) override {
    trouble t = read_all(extents, done);
    return t.ok() ? late() : t;
  }

  trouble write(std::span<const extent> extents, std::int64_t* done) override {
    *done = 0;
    if (trouble t = late(); !t.ok()) return t;
    std::int64_t bytes = 0;
    for (const extent& e : extents) bytes += e.bytes;
    if (bytes == 0) return {};
    settle_others(extents);
    const std::int64_t from = extents.front().offset,
                       span = extents.back().offset + extents.back().bytes - from;
    const auto pieces = static_cast<std::int64_t>(extents.size());
    // relaxed: set by a call of the same order as this one
    const bool by_itself = atomic_.load(std::memory_order_relaxed) || locked_.load(std::memory_order_relaxed);
    // Small ones, and many small pieces, are quicker made than handed over.
    const auto least = static_cast<std::int64_t>(all_.wanted.direct_below);
    const bool small = bytes < least || (pieces > 16 && bytes / pieces < 1024);
    if (by_itself || small) {
      all_.out.settle_range(me(), u(from), u(span));
      const std::uint64_t began = base::now_ns();
      trouble t = below_->write(extents, done);
      all_.out.note_called(me(), u(*done), base::now_ns() - began);
      return t;
    }
    auto at_once = static_cast<std::int64_t>(
        always_ ? 0 : std::min(all_.out.at_once(id_, device_, past_cache_, u(bytes)), u(bytes)));
    if (at_once == bytes) return write_now(extents, bytes, done);
    for (extent e : extents) {
      if (at_once > 0) {
        const extent now{e.offset, e.memory, std::min(at_once, e.bytes)};
        at_once -= now.bytes;
        if (trouble t = write_now({&now, 1}, now.bytes, done); !t.ok()) return t;
        e = {e.offset + now.bytes, e.memory + now.bytes, e.bytes - now.bytes};
      }
      if (e.bytes == 0) continue;
      const auto n =
          static_cast<std::int64_t>(all_.out.accept(me(), u(e.offset), e.memory, u(e.bytes), limit_));
      *done += n;
      if (n == e.bytes) continue;
      if (trouble t = overflow({e.offset + n, e.memory + n, e.bytes - n}, done); !t.ok()) return t;
    }
    return {};
  }

  // Not what a buffer would take, and not where a write would tell of a loss.
  bool in_memory(std::int64_t from, std::int64_t to, std::int64_t bytes) override {
    const bool buffers =
        u(bytes) >= all_.wanted.direct_below && (always_ || all_.out.buffers(device_, past_cache_));
    return !buffers && !buffering::has_failure(all_.job, all_.job.self(), id_) &&
           below_->in_memory(from, to, bytes);
  }
  bool store(std::int64_t from, std::int64_t to, std::int64_t bytes, const user& use) override {
    const extent all{from, nullptr, to - from};
    settle_others({&all, 1});
    all_.out.settle_range(me(), u(from), u(to - from));
    const std::uint64_t began = base::now_ns();
    const bool stored = below_->store(from, to, bytes, use);
    if (!stored) return false;
    all_.out.look(u(bytes));  // so that it is seen when a core becomes idle, as with any other write
    all_.out.note_called(me(), u(bytes), base::now_ns() - began);
    return true;
  }

  trouble size(std::int64_t* bytes) override {
    // What is pending now is in the file later, at the latest: in this order nothing is missed.
    const auto end = static_cast<std::int64_t>(buffering::pending_end(all_.job, all_.maps, id_));
    trouble t = below_->size(bytes);
    if (t.ok()) *bytes = std::max(*bytes, end);
    return t;
  }
  trouble resize(std::int64_t bytes) override {
    settle_all(0, INT64_MAX);
    return below_->resize(bytes);
  }
  trouble reserve(std::int64_t bytes) override {
    settle_all(0, INT64_MAX);
    return below_->reserve(bytes);
  }
  trouble settle() override {
    all_.out.settle(me());
    return late();
  }
  trouble sync() override {
    trouble t = settle();
    trouble device = below_->sync();
    return t.ok() ? device : t;
  }
  trouble late() override {
    const buffering::failure f = buffering::take_failure(all_.job, all_.job.self(), id_);
    if (f.number == 0) return {};
    return {
        f.number,
        fmt::format("{} bytes of {}, which had been accepted, cannot be written: {}", f.bytes,
                    f.times == 1 ? "an earlier write" : fmt::format("{} earlier writes", f.times), f.why()),
        static_cast<std::int64_t>(f.offset), static_cast<std::int64_t>(f.bytes)};
  }
  trouble close() override {
    trouble t = settle();
    let_go();
    trouble last = below_->close();
    return t.ok() ? last : t;
  }
  trouble set_atomic(bool on) override {
    settle_all(0, INT64_MAX);
    atomic_.store(on, std::memory_order_relaxed);  // relaxed: all threads call in the same place
    return below_->set_atomic(on);
  }

  trouble lock(std::int64_t offset, std::int64_t bytes, bool alone) override {
    trouble t = below_->lock(offset, bytes, alone);
    if (!t.ok()) return t;
    locked_.store(true, std::memory_order_relaxed);  // relaxed: for the thread that has the lock
    settle_all(offset, bytes);
    return {};
  }
  void unlock() override {
    locked_.store(false, std::memory_order_relaxed);
    below_->unlock();
  }

 private:
  using held = buffering::held;

  trouble read_all(std::span<const extent> extents, std::int64_t* done) {
    *done = 0;
    // What is held behind our range matters, too: the file is longer than it seems.
    if (extents.empty() || buffering::pending_end(all_.job, all_.maps, id_) == 0)
      return below_->read(extents, done);
    const std::int64_t from = extents.front().offset;
    const std::vector<held> there = buffering::find_held(
        all_.job, all_.maps, id_, u(from), u(extents.back().offset + extents.back().bytes - from));
    for (const extent& e : extents) {
      std::int64_t got = 0;
      trouble t = read_one(e, there, &got);
      *done += got;
      if (!t.ok() || got < e.bytes) return t;
    }
    return {};
  }

  // Held data first: what is in no buffer before we look at the file is in the file.
  trouble read_one(const extent& e, const std::vector<held>& there, std::int64_t* got) {
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;  // that come from buffers: from, to
    for (const held& h : there) {
      const auto from = static_cast<std::int64_t>(h.what.offset),
                 to = from + static_cast<std::int64_t>(h.what.length);
      if (to <= e.offset || from >= e.offset + e.bytes) continue;
      if (!buffering::copy_held(all_.job, all_.maps, h, u(e.offset), e.memory, u(e.bytes))) {
        settle_all(e.offset, e.bytes);
        return below_->read({&e, 1}, got);
      }
      parts.emplace_back(from, to);
    }
    std::sort(parts.begin(), parts.end());
    parts.emplace_back(e.offset + e.bytes, e.offset + e.bytes);
    std::int64_t at = e.offset;
    for (const auto& [from, to] : parts) {
      if (at < from) {
        if (trouble t = fill_gap({at, e.memory + (at - e.offset), from - at}, &at); !t.ok() || at < from) {
          *got = at - e.offset;
          return t;
        }
      }
      at = std::max(at, to);
    }
    *got = e.bytes;
    return {};
  }

  // What no buffer holds. The file may end before it, and what is held lies behind: then it is
  // zeros.
  trouble fill_gap(const extent& gap, std::int64_t* at) {
    std::int64_t got = 0, end = 0;
    trouble t = below_->read({&gap, 1}, &got);
    if (t.ok() && got < gap.bytes) {
      t = size(&end);
      const std::int64_t whole = std::clamp(end - gap.offset, got, gap.bytes);
      std::memset(gap.memory + got, 0, static_cast<std::size_t>(whole - got));
      got = whole;
    }
    *at += got;
    return t;
  }

  buffering::stream::target me() { return {id_, &figures_}; }
  static std::uint64_t get(const std::atomic<std::uint64_t>& figure) { return buffering::get(figure); }
  static std::uint64_t u(std::int64_t n) { return static_cast<std::uint64_t>(n); }

  void settle_all(std::int64_t offset, std::int64_t bytes) {
    const std::uint64_t ns = buffering::settle_all(all_.job, all_.maps, id_, u(offset), u(bytes));
    if (ns != 0) all_.out.note_stall(me(), ns);
  }

  // As it would not pay to buffer it; behind what is older there.
  trouble write_now(std::span<const extent> extents, std::int64_t bytes, std::int64_t* done) {
    const std::int64_t from = extents.front().offset;
    all_.out.settle_range(me(), u(from), u(extents.back().offset + extents.back().bytes - from));
    const std::uint64_t began = base::now_ns();
    std::int64_t moved = 0;
    trouble t = below_->write(extents, &moved);
    *done += moved;
    const std::uint64_t took = base::now_ns() - began;
    if (moved == bytes)
      all_.out.note_at_once(me(), device_, u(moved), took);
    else
      all_.out.note_called(me(), u(moved), took);
    return t;
  }

  // What others have had accepted of these bytes comes first, as it would without buffers. Programs
  // have no more than a barrier between such writes (HDF5: fill values, then data), and an
  // aggregator may hold what this process itself has written before.
  void settle_others(std::span<const extent> extents) {
    const std::uint32_t self = all_.job.self();
    if (!buffering::others_pending(all_.job, self)) return;
    std::vector<buffering::range> ranges;
    for (const extent& e : extents)
      if (e.bytes > 0) ranges.push_back({u(e.offset), u(e.bytes)});
    const std::uint64_t ns = buffering::settle_others(all_.job, all_.maps, self, id_, ranges);
    if (ns != 0) all_.out.note_stall(me(), ns);
  }

  // There is no room: what is left waits for some, or is written here, behind what is older there.
  trouble overflow(extent rest, std::int64_t* done) {
    if (all_.out.waits_for_room(device_)) {
      for (std::int64_t n = 1; n > 0 && rest.bytes > 0 && all_.out.await_room(me(), u(rest.bytes));) {
        n = static_cast<std::int64_t>(
            all_.out.accept(me(), u(rest.offset), rest.memory, u(rest.bytes), limit_));
        *done += n;
        rest = {rest.offset + n, rest.memory + n, rest.bytes - n};
      }
      if (rest.bytes == 0) return {};
    }
    all_.out.settle_range(me(), u(rest.offset), u(rest.bytes));
    const std::uint64_t began = base::now_ns();
    std::int64_t moved = 0;
    trouble t = below_->write(std::span(&rest, 1), &moved);
    *done += moved;
    all_.out.note_overflow(me(), device_, u(moved), base::now_ns() - began);
    return t;
  }

  void let_go() {
    if (id_ == 0) return;
    all_.out.settle(me());
    static_cast<void>(
        memory::ask(all_.job, memory::release_file{id_}, {.peer = -2, .detail = "a file to be closed"}));
    id_ = 0;
  }

  std::unique_ptr<stored_file> below_;
  shared& all_;
  std::uint64_t id_;
  const std::uint64_t device_, limit_;
  const bool always_;      // also where it does not pay
  const bool past_cache_;  // can it be written so? As kind() says
  std::atomic<bool> atomic_{false}, locked_{false};
};

class buffered_storage final : public storage {
 public:
  buffered_storage(memory::job& job, memory::arena& arena, const buffering::config& wanted)
      : all_(job, arena, wanted) {}

  std::unique_ptr<stored_file> open(const open_how& how, trouble* why) override {
    if (how.program_bytes > 0) all_.out.declare(static_cast<std::uint64_t>(how.program_bytes));
    std::unique_ptr<stored_file> file = plain_->open(how, why);
    if (file == nullptr || !how.write) return file;
    std::uint64_t device = 0;
    const std::uint64_t id = can_buffer(*file, how) ? ask_for(*file, &device) : 0;
    if (id == 0) {
      file->count_in(all_.job.io(all_.job.self()).figures);
      return file;
    }
    const std::uint64_t limit =
        how.buffer_bytes < 0 ? buffering::config::automatic : static_cast<std::uint64_t>(how.buffer_bytes);
    return std::make_unique<buffered_file>(std::move(file), all_, id, device, limit, how.buffer_always);
  }
  trouble remove(const std::string& path) override { return plain_->remove(path); }

 private:
  bool can_buffer(const stored_file& file, const open_how& how) const {
    if (!how.buffered || how.buffer_bytes == 0 || (how.buffer_bytes < 0 && all_.wanted.bytes == 0))
      return false;
    return file.kind().regular && all_.job.header().launcher != 0;
  }
  // 0: it is not to be buffered.
  std::uint64_t ask_for(const stored_file& file, std::uint64_t* device) {
    struct stat is {};
    if (fstat(file.descriptor(), &is) != 0) return 0;
    memory::buffer_file asked{};
    asked.descriptor = file.descriptor();
    asked.device = *device = is.st_dev;
    asked.inode = is.st_ino;
    const ssize_t n = readlink(fmt::format("/proc/self/fd/{}", file.descriptor()).c_str(), asked.path,
                               sizeof asked.path - 1);
    if (n < 0) asked.path[0] = 0;
    auto answer = memory::ask(all_.job, asked, {.peer = -2, .detail = "mpiexec to open a file"});
    return answer ? (*answer).file : 0;
  }

  shared all_;
  std::unique_ptr<storage> plain_ = make_plain_storage(&all_.job);
};

}  // namespace

std::unique_ptr<storage> make_buffered_storage(memory::job& job, memory::arena& arena,
                                               const buffering::config& wanted) {
  return std::make_unique<buffered_storage>(job, arena, wanted);
}

}  // namespace loadstone::io
