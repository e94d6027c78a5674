#include "launch/io_service.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "buffering/failures.hpp"
#include "buffering/figures.hpp"
#include "buffering/pending.hpp"
#include "buffering/servers.hpp"
#include "memory/liveness.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

using buffering::get;
using memory::io_carrier;

namespace {

bool is_file(int descriptor, std::uint64_t device, std::uint64_t inode) {
  struct stat is {};
  return fstat(descriptor, &is) == 0 && S_ISREG(is.st_mode) && is.st_dev == device && is.st_ino == inode;
}

// The open file of another process: itself, or opened once more. -1 and errno.
int descriptor_of(pid_t pid, const memory::buffer_file& asked) {
  int got = -1, refused = ENOENT;
  const auto fits = [&] {
    if (got < 0) {
      refused = errno;
      return false;
    }
    if (is_file(got, asked.device, asked.inode)) return true;
    close(got);
    got = -1;
    return false;
  };
  if (pid > 0 && asked.descriptor >= 0) {
    const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (process >= 0) {
      got = static_cast<int>(syscall(SYS_pidfd_getfd, process, asked.descriptor, 0));
      close(process);
      if (fits()) {
        const int flags = fcntl(got, F_GETFL);
        // With O_APPEND every write goes to the end; with O_DIRECT memory would have to be aligned.
        if ((flags & O_ACCMODE) != O_RDONLY && (flags & (O_APPEND | O_DIRECT)) == 0) return got;
        close(got);
      }
    }
    got = open(fmt::format("/proc/{}/fd/{}", pid, asked.descriptor).c_str(), O_WRONLY | O_CLOEXEC);
    if (fits()) return got;
  }
  got = open(asked.path, O_WRONLY | O_CLOEXEC);
  if (fits()) return got;
  errno = refused;
  return -1;
}

}  // namespace

io_service::io_service(memory::job& job, const io_config& how)
    : job_(job), maps_(job, UINT32_MAX, {.threads = false}), report_(job) {
  memory::io_area& area = job.io();
  const std::uint32_t count = std::clamp(how.processes, 1u, memory::io_servers);
  for (std::uint32_t i = 0; i < count; ++i) {
    io_start start{how.writes, i < how.places.size() ? how.places[i] : processors(), count == 1};
    processes_.emplace_back(job, i, std::move(start),
                            how.shared_pids == nullptr ? nullptr : how.shared_pids + i);
    area.server_of[i].store(i, std::memory_order_relaxed);  // relaxed, both: nobody knows a file yet
  }
  area.shares.store(count, std::memory_order_relaxed);
}

io_service::~io_service() {
  for (const file& f : files_) close(f.descriptor);
}

io_file_list io_service::open_files() const {
  io_file_list open;
  for (const file& f : files_) open.emplace_back(f.id, f.descriptor);
  return open;
}

std::vector<pid_t> io_service::running() const {
  std::vector<pid_t> all;
  for (const io_process& p : processes_)
    if (p.process() >= 0) all.push_back(p.process());
  return all;
}

bool io_service::is(pid_t pid) const {
  return std::any_of(processes_.begin(), processes_.end(),
                     [pid](const io_process& p) { return p.process() == pid; });
}

int io_service::descriptor() const {
  for (const io_process& p : processes_)
    if (p.process() >= 0) return p.socket();
  return -1;
}

// All, with the first file. False and errno: not one of them could be.
bool io_service::start() {
  bool any = false;
  for (io_process& p : processes_) any = p.start(open_files()) || any;
  if (!any) return false;
  for (std::uint32_t i = 0; i < processes_.size(); ++i)
    if (processes_[i].process() < 0) hand_over(i);
  job_.io().carrier.store(static_cast<std::uint32_t>(io_carrier::process), std::memory_order_release);
  return true;
}

// The shares of one that is dead, and stays so, go to another. False: there is none.
bool io_service::hand_over(std::uint32_t dead) {
  const auto take = [&](bool starts) {
    for (std::uint32_t i = 1; i < processes_.size(); ++i) {
      const std::uint32_t next = (dead + i) % static_cast<std::uint32_t>(processes_.size());
      io_process& p = processes_[next];
      if (p.process() < 0 && (!starts || p.is_hopeless() || !p.start(open_files()))) continue;
      for (auto& server : job_.io().server_of)
        if (server.load(std::memory_order_relaxed) == dead)
          server.store(next, std::memory_order_release);  // sync: io-share
      // Either a writer sees whom to ring, or we ring for what it has published (sync: io-asleep).
      std::atomic_thread_fence(std::memory_order_seq_cst);
      wait::ring(job_.io().servers[next].called);
      return true;
    }
    return false;
  };
  return take(false) || take(true);  // in a drain some may have ended well
}

// Has one anything left to write?
bool io_service::owes(std::uint32_t index) const {
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const memory::io_writer& w = job_.io(p);
    if (w.published.load(std::memory_order_acquire) != w.written.load(std::memory_order_acquire) &&
        &buffering::server_of(job_, p) == &job_.io().servers[index])
      return true;
  }
  return false;
}

// False and errno: one of them could not be told, and no one is to know it.
bool io_service::tell_open(std::uint64_t id, int descriptor) {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (processes_[i].process() < 0 || processes_[i].tell_open(id, descriptor)) continue;
    const int number = errno;
    for (std::size_t told = 0; told < i; ++told) processes_[told].tell_closed(id);
    errno = number;
    return false;
  }
  return true;
}

memory::buffer_file::answer io_service::serve(std::uint32_t from, const memory::buffer_file& asked) {
  const auto refuse = [](int number) { return memory::buffer_file::answer{0, number, 0}; };
  if (stand_in_ || draining_) return refuse(ECANCELED);
  for (file& f : files_) {
    if (f.device != asked.device || f.inode != asked.inode) continue;
    ++f.uses;
    return {f.id, 0, 0};
  }
  if (std::memchr(asked.path, 0, sizeof asked.path) == nullptr) return refuse(EINVAL);
  memory::io_area& area = job_.io();
  std::uint32_t place = 0;
  while (place < memory::io_files && (get(area.files[place].id) != 0 || buffering::has_untold(job_, place)))
    ++place;
  if (place == memory::io_files) return refuse(ENFILE);
  const int descriptor = descriptor_of(memory::pid_here(job_, from), asked);
  if (descriptor < 0) return refuse(errno);
  const std::uint64_t id = memory::io_file_id(next_use_++, place);
  if ((running().empty() && !start()) || !tell_open(id, descriptor)) {
    const int number = errno;
    close(descriptor);
    return refuse(number);
  }
  memory::io_file& entry = area.files[place];
  std::memset(static_cast<void*>(&entry), 0, sizeof entry);  // nobody has its number yet
  entry.id.store(id, std::memory_order_relaxed);             // relaxed: the asker learns it by our answer
  files_.push_back({id, asked.device, asked.inode, descriptor, asked.path, 1});
  names_.emplace_back(id, asked.path);
  return {id, 0, 0};
}

memory::release_file::answer io_service::serve(std::uint32_t, const memory::release_file& asked) {
  const auto f =
      std::find_if(files_.begin(), files_.end(), [&](const file& o) { return o.id == asked.file; });
  if (f == files_.end() || --f->uses != 0) return {1};
  // A rank that has died does not come here: its files stay open to the end.
  report_.add(f->path, f->id);
  for (io_process& p : processes_) p.tell_closed(f->id);
  if (stand_in_) stand_in_->drop_file(f->id);
  close(f->descriptor);
  job_.io().files[memory::io_file_place(f->id)].id.store(0, std::memory_order_relaxed);
  files_.erase(f);
  return {1};
}

void io_service::see_ends() {
  for (std::uint32_t i = 0; i < processes_.size() && !stand_in_; ++i) {
    io_process& p = processes_[i];
    if (!p.see_end() || (draining_ && !owes(i))) continue;
    if (!p.is_hopeless() && p.start(open_files())) continue;
    if (!hand_over(i)) fail();
  }
}

// Nothing more is accepted; what was, the keeper writes.
void io_service::fail() {
  job_.io().carrier.store(static_cast<std::uint32_t>(io_carrier::failed), std::memory_order_release);
  stand_in_.emplace(job_, buffering::make_system_writes());
  for (const file& f : files_) stand_in_->add_file(f.id, f.descriptor);
  stand_in_->give_up_missing();
}

void io_service::stand_in(std::int64_t for_ms) {
  const std::uint64_t end = base::now_ns() + static_cast<std::uint64_t>(for_ms) * 1'000'000;
  while (stand_in_->step() != 0 && base::now_ns() < end) continue;
}

void io_service::begin_drain() {
  draining_ = true;
  drain_began_ = base::now_ns();
  job_.io().draining.store(1, std::memory_order_release);  // sync: io-drain
  for (memory::io_server& s : job_.io().servers) wait::ring(s.called);
}

bool io_service::is_busy() {
  see_ends();
  if (!stand_in_) return !running().empty();
  stand_in(40);
  return stand_in_->has_work();
}

std::uint64_t io_service::progress() {
  std::uint64_t sum = 0;
  for (const memory::io_server& s : job_.io().servers) sum += get(s.carried);
  return sum;
}

std::uint64_t io_service::pending_bytes() {
  return buffering::pending(job_, maps_).bytes;
}

const std::string& io_service::path_of(std::uint64_t id) {
  static const std::string unknown = "a file that is not known";
  for (const auto& [known, path] : names_)
    if (known == id) return path;
  return unknown;
}

std::string io_service::failures() {
  std::string text;
  buffering::each_untold(job_, [&](std::uint32_t process, const buffering::failure& f) {
    text += fmt::format(
        "mpiexec: {} that rank {} had written to {} ({} at offset {}) could not be stored: {}. "
        "No later call of it on this file could say so.\n",
        size_of(f.bytes), process, path_of(f.file),
        f.times == 1 ? "one write" : fmt::format("{} writes, the first", f.times), f.offset, f.why());
  });
  return text;
}

std::string io_service::lost() {
  std::string text;
  for (const auto& [id, path] : names_) {
    const buffering::amount left = buffering::pending(job_, maps_, id);
    if (left.extents != 0)
      text += fmt::format("mpiexec: {} that were written to {} are lost: writing them was given up.\n",
                          size_of(left.bytes), path);
  }
  return text;
}

std::string io_service::report() {
  for (const file& f : files_) report_.add(f.path, f.id);
  return report_.text(processes_, drain_began_ != 0 ? drain_began_ : base::now_ns());
}

}  // namespace loadstone::launch
