#include "launch/io_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "buffering/failures.hpp"
#include "buffering/figures.hpp"
#include "buffering/pending.hpp"
#include "memory/liveness.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

using buffering::get;
using memory::io_carrier;

namespace {

constexpr int most_deaths = 5;  // without a byte written in between

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

std::string size_of(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  if (bytes < 10 << 20) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} MiB", bytes >> 20);
}

double seconds(std::uint64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

// What LOADSTONE_IO_BUFFER has to be for so much: pieces are not laid side by side to the byte.
std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t mib = 1 << 20;
  return (bytes + bytes / 256 + (64 << 10) + mib - 1) / mib * mib;
}

}  // namespace

io_process::io_process(memory::job& job, std::string writes, std::atomic<std::int32_t>* shared_pid)
    : job_(job),
      maps_(job, UINT32_MAX, {.threads = false}),
      writes_(std::move(writes)),
      shared_pid_(shared_pid) {}

io_process::~io_process() {
  if (socket_ >= 0) close(socket_);
  for (const file& f : files_) close(f.descriptor);
}

// Forks it. It inherits the files that are open.
bool io_process::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  std::vector<std::pair<std::uint64_t, int>> open;
  for (const file& f : files_) open.emplace_back(f.id, f.descriptor);
  memory::io_area& area = job_.io();
  area.asleep.store(0, std::memory_order_relaxed);  // relaxed: of the one before, which is dead
  carried_at_start_ = get(area.carried);
  const pid_t keeper = getpid(), pid = fork();
  if (pid == 0) run_io_process(job_, keeper, ends[1], writes_, open);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  if (socket_ >= 0) close(socket_);
  socket_ = ends[0];
  pid_ = pid;
  if (shared_pid_ != nullptr) shared_pid_->store(pid, std::memory_order_relaxed);
  area.carrier_pid.store(pid, std::memory_order_relaxed);
  area.started.fetch_add(1, std::memory_order_relaxed);
  area.carrier.store(static_cast<std::uint32_t>(io_carrier::process), std::memory_order_release);
  return true;
}

// A descriptor, or, with -1, that the file is closed.
bool io_process::tell(std::uint64_t id, int descriptor) {
  io_message message{id, descriptor >= 0 ? 1u : 0u, 0};
  iovec part{&message, sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr whole{};
  whole.msg_iov = &part;
  whole.msg_iovlen = 1;
  if (descriptor >= 0) {
    whole.msg_control = control;
    whole.msg_controllen = sizeof control;
    cmsghdr* head = CMSG_FIRSTHDR(&whole);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  }
  // It may be stopped: we wait for nobody.
  if (sendmsg(socket_, &whole, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof message) return false;
  wait::ring(job_.io().called);  // sync: bell
  return true;
}

memory::buffer_file::answer io_process::serve(std::uint32_t from, const memory::buffer_file& asked) {
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
  while (place < memory::io_files && get(area.files[place].id) != 0) ++place;
  if (place == memory::io_files) return refuse(ENFILE);
  const int descriptor = descriptor_of(memory::pid_here(job_, from), asked);
  if (descriptor < 0) return refuse(errno);
  const std::uint64_t id = memory::io_file_id(next_use_++, place);
  if ((pid_ < 0 && !start()) || !tell(id, descriptor)) {
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

memory::release_file::answer io_process::serve(std::uint32_t, const memory::release_file& asked) {
  const auto f =
      std::find_if(files_.begin(), files_.end(), [&](const file& o) { return o.id == asked.file; });
  if (f == files_.end() || --f->uses != 0) return {1};
  // A rank that has died does not come here: its files stay open to the end.
  add_to_report(*f);
  undropped_.push_back(f->id);
  std::erase_if(undropped_, [this](std::uint64_t id) { return pid_ < 0 || tell(id, -1); });
  if (stand_in_) stand_in_->drop_file(f->id);
  close(f->descriptor);
  job_.io().files[memory::io_file_place(f->id)].id.store(0, std::memory_order_relaxed);
  files_.erase(f);
  return {1};
}

void io_process::see_end() {
  if (pid_ < 0) return;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = -1;
  if (shared_pid_ != nullptr) shared_pid_->store(0, std::memory_order_relaxed);
  job_.io().carrier_pid.store(0, std::memory_order_relaxed);
  if (draining_ && pending_bytes() == 0) return;  // its work is done
  deaths_ = get(job_.io().carried) != carried_at_start_ ? 1 : deaths_ + 1;
  undropped_.clear();  // the next one does not know those files
  if (deaths_ > most_deaths || !start()) fail();
}

// Nothing more is accepted; what was, the keeper writes.
void io_process::fail() {
  job_.io().carrier.store(static_cast<std::uint32_t>(io_carrier::failed), std::memory_order_release);
  stand_in_.emplace(job_, buffering::make_system_writes());
  for (const file& f : files_) stand_in_->add_file(f.id, f.descriptor);
  stand_in_->give_up_missing();
}

void io_process::stand_in(std::int64_t for_ms) {
  const std::uint64_t end = base::now_ns() + static_cast<std::uint64_t>(for_ms) * 1'000'000;
  while (stand_in_->step() != 0 && base::now_ns() < end) continue;
}

void io_process::begin_drain() {
  draining_ = true;
  drain_began_ = base::now_ns();
  job_.io().draining.store(1, std::memory_order_release);  // sync: io-drain
  wait::ring(job_.io().called);
}

bool io_process::is_busy() {
  see_end();
  if (!stand_in_) return pid_ >= 0;
  stand_in(40);
  return stand_in_->has_work();
}

std::uint64_t io_process::progress() {
  return get(job_.io().carried);
}

std::uint64_t io_process::pending_bytes() {
  return buffering::pending(job_, maps_).bytes;
}

const std::string& io_process::path_of(std::uint64_t id) {
  static const std::string unknown = "a file that is not known";
  for (const auto& [known, path] : names_)
    if (known == id) return path;
  return unknown;
}

std::string io_process::failures() {
  std::string text;
  buffering::each_untold(job_, [&](const buffering::failure& f) {
    text += fmt::format(
        "mpiexec: {} that rank {} had written to {} ({} at offset {}) could not be stored: {}. "
        "No later call of it on this file could say so.\n",
        size_of(f.bytes), f.process, path_of(f.file),
        f.times == 1 ? "one write" : fmt::format("{} writes, the first", f.times), f.offset,
        std::strerror(f.number));
  });
  if (const std::uint64_t more = get(job_.io().unlisted); more != 0)
    text += fmt::format("mpiexec: {} more could not be stored, in other files or of other ranks.\n",
                        size_of(more));
  return text;
}

std::string io_process::lost() {
  std::string text;
  for (const auto& [id, path] : names_) {
    const buffering::amount left = buffering::pending(job_, maps_, id);
    if (left.extents != 0)
      text += fmt::format("mpiexec: {} that were written to {} are lost: writing them was given up.\n",
                          size_of(left.bytes), path);
  }
  return text;
}

void io_process::figures::count(const memory::io_figures& w) {
  accepted_bytes += get(w.accepted_bytes), copy_ns += get(w.copy_ns);
  called_bytes += get(w.called_bytes), called_ns += get(w.called_ns);
  overflow_bytes += get(w.overflow_bytes), short_bytes += get(w.short_bytes);
  at_once_bytes += get(w.at_once_bytes), at_once_ns += get(w.at_once_ns);
  stall_ns += get(w.stall_ns);
}

void io_process::figures::count(const memory::io_file& of) {
  count(of.figures);
  carried_bytes += get(of.carried_bytes), carry_ns += get(of.carry_ns);
  carry_cpu_ns += get(of.carry_cpu_ns);
  needed_bytes = std::max(needed_bytes, get(of.needed_bytes));
  limit_bytes = std::max(limit_bytes, get(of.limit_bytes));
}

void io_process::add_to_report(const file& f) {
  const memory::io_file& e = job_.io().files[memory::io_file_place(f.id)];
  if (get(e.figures.accepted) + get(e.figures.called_bytes) == 0) return;
  auto known =
      std::find_if(closed_.begin(), closed_.end(), [&](const figures& o) { return o.path == f.path; });
  if (known == closed_.end()) known = closed_.insert(known, figures{.path = f.path});
  known->count(e);
}

std::string io_process::figures::line() const {
  const double share = buffering::hidden(called_ns + stall_ns, called_ns, carry_ns);
  return fmt::format("  {:>10} {:>10} {:>10} {:>11} {:>8.3f} {:>8.3f} {:>6.1f}%  {}\n",
                     size_of(accepted_bytes), size_of(carried_bytes), size_of(overflow_bytes),
                     size_of(called_bytes - overflow_bytes), seconds(copy_ns), seconds(called_ns + stall_ns),
                     100 * share, path);
}

std::string io_process::figures::remarks() const {
  std::string text;
  if (at_once_bytes != 0) {
    const auto each = [](std::uint64_t ns, std::uint64_t bytes) {
      return bytes == 0 ? std::string("-")
                        : fmt::format("{:.2f}", static_cast<double>(ns) / static_cast<double>(bytes));
    };
    text += fmt::format(
        "             no core was idle: ns a byte at once {}; buffered, to copy {} and of the I/O "
        "process's core {}\n",
        each(at_once_ns, at_once_bytes), each(copy_ns, accepted_bytes), each(carry_cpu_ns, carried_bytes));
  }
  if (short_bytes != 0)
    text += fmt::format(
        "             the machine had no memory left for a buffer: {} were written by the calls for that\n",
        size_of(short_bytes));
  if (overflow_bytes > short_bytes && needed_bytes > limit_bytes)
    text += fmt::format(
        "             the buffer of a rank was too small: D = {}, S = {}, D - S = {} more would have held "
        "all "
        "(LOADSTONE_IO_BUFFER={}, hint loadstone_io_buffer)\n",
        size_of(needed_bytes), size_of(limit_bytes), size_of(needed_bytes - limit_bytes),
        rounded(needed_bytes));
  return text;
}

// Could all have been carried while the ranks computed? From their first write on, less the time in
// which calls were blocked, as a mean of those that have written.
std::string io_process::steady_state(const figures& all) const {
  const std::uint64_t end = drain_began_ != 0 ? drain_began_ : base::now_ns();
  std::uint64_t first = end, writers = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    const std::uint64_t began = get(job_.io(p).first_ns);
    if (began == 0) continue;
    first = std::min(first, began);
    ++writers;
  }
  const std::uint64_t carried = get(job_.io().carried_bytes), carry_ns = get(job_.io().carry_ns);
  if (writers == 0 || carried == 0 || carry_ns == 0) return {};
  const double blocked = seconds(all.copy_ns + all.called_ns + all.stall_ns) / static_cast<double>(writers);
  const double computed = std::max(0.0, seconds(end - first) - blocked);
  const double rate = static_cast<double>(carried) / seconds(carry_ns);  // W
  const std::uint64_t bytes = all.accepted_bytes + all.called_bytes;
  const double lacks = static_cast<double>(bytes) / rate - computed;
  std::string text = fmt::format(
      "  {} ranks wrote {}; the I/O process writes {:.0f} MiB/s, and had {:.3f} s of their computing\n"
      "  after the first write for that: ",
      writers, size_of(bytes), rate / (1 << 20), computed);
  if (lacks <= 0) return text + "enough, with a buffer that holds a snapshot\n";
  return text + fmt::format("{:.3f} s too little, whatever the buffer\n", lacks);
}

std::string io_process::report() {
  for (const file& f : files_) add_to_report(f);
  figures all{.path = "in all"}, named;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) all.count(job_.io(p).figures);
  if (all.accepted_bytes + all.called_bytes == 0) return "mpiexec: no file was written\n";
  std::uint64_t limit = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p)
    limit = std::max(limit, get(job_.io(p).limit_bytes));
  std::string text = fmt::format(
      "mpiexec: what all ranks wrote to files (buffers: at most {} a rank; I/O processes: {})\n"
      "  {:>10} {:>10} {:>10} {:>11} {:>8} {:>8} {:>7}  file\n",
      size_of(limit), job_.io().started.load(std::memory_order_relaxed), "buffered", "carried", "overflow",
      "synchronous", "copy s", "disk s", "hidden");
  for (const figures& f : closed_) {
    text += f.line() + f.remarks();
    named.called_bytes += f.called_bytes, named.called_ns += f.called_ns;
  }
  if (all.called_bytes > named.called_bytes)
    text += figures{.path = "files without buffers",
                    .called_bytes = all.called_bytes - named.called_bytes,
                    .called_ns = all.called_ns - named.called_ns}
                .line();
  all.carried_bytes = get(job_.io().carried_bytes), all.carry_ns = get(job_.io().carry_ns);
  return text + all.line() + steady_state(all);
}

}  // namespace loadstone::launch
