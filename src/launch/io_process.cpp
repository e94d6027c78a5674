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
#include <map>

#include "base/clock.hpp"
#include "buffering/failures.hpp"
#include "buffering/pending.hpp"
#include "memory/liveness.hpp"
#include "wait/futex.hpp"

namespace loadstone::launch {

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

// relaxed: figures
std::uint64_t get(const std::atomic<std::uint64_t>& figure) {
  return figure.load(std::memory_order_relaxed);
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
  for (auto* figure :
       {&entry.accepted_bytes, &entry.accepted, &entry.direct_bytes, &entry.direct, &entry.copy_ns,
        &entry.direct_ns, &entry.stall_ns, &entry.carried_bytes, &entry.carried, &entry.carry_ns,
        &entry.wanted_bytes, &entry.carry_cpu_ns, &entry.at_once_bytes, &entry.at_once_ns})
    figure->store(0, std::memory_order_relaxed);
  entry.id.store(id, std::memory_order_relaxed);  // relaxed: the asker learns it by our answer
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

void io_process::add_to_report(const file& f) {
  const memory::io_file& e = job_.io().files[memory::io_file_place(f.id)];
  if (get(e.accepted) + get(e.direct) + get(e.at_once_bytes) == 0) return;
  closed_.push_back({f.path, get(e.accepted_bytes), get(e.accepted), get(e.direct_bytes), get(e.direct),
                     get(e.copy_ns), get(e.direct_ns), get(e.stall_ns), get(e.carried_bytes), get(e.carry_ns),
                     get(e.wanted_bytes), get(e.carry_cpu_ns), get(e.at_once_bytes), get(e.at_once_ns)});
}

std::string io_process::report() {
  for (const file& f : files_) add_to_report(f);
  if (closed_.empty()) return "mpiexec: no file was written through buffers\n";
  // Files of the same folder and kind come in hundreds: one line for each path, the figures added.
  std::map<std::string, figures> by_path;
  for (const figures& f : closed_) {
    auto [at, fresh] = by_path.try_emplace(f.path, f);
    if (fresh) continue;
    figures& sum = at->second;
    sum.accepted_bytes += f.accepted_bytes, sum.accepted += f.accepted;
    sum.direct_bytes += f.direct_bytes, sum.direct += f.direct;
    sum.copy_ns += f.copy_ns, sum.direct_ns += f.direct_ns, sum.stall_ns += f.stall_ns;
    sum.carried_bytes += f.carried_bytes, sum.carry_ns += f.carry_ns;
    sum.carry_cpu_ns += f.carry_cpu_ns, sum.at_once_bytes += f.at_once_bytes, sum.at_once_ns += f.at_once_ns;
    sum.wanted_bytes = std::max(sum.wanted_bytes, f.wanted_bytes);
  }
  std::uint64_t held = 0, limit = 0;
  for (std::uint32_t p = 0; p < job_.header().capacity; ++p) {
    held += get(job_.io(p).held_bytes);
    limit = std::max(limit, get(job_.io(p).limit_bytes));
  }
  std::string text = fmt::format(
      "mpiexec: buffered writes (all ranks; buffers: {} held at the end, at most {} a rank; I/O processes: "
      "{})\n"
      "  {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>7}  file\n",
      size_of(held), size_of(limit), job_.io().started.load(std::memory_order_relaxed), "buffered", "at once",
      "overflow", "copy s", "stall s", "write s", "hidden");
  for (const auto& [path, f] : by_path) {
    const double writing = static_cast<double>(f.carry_ns + f.direct_ns + f.at_once_ns);
    const double seen = static_cast<double>(f.stall_ns + f.direct_ns + f.at_once_ns);
    text += fmt::format("  {:>10} {:>10} {:>10} {:>9.3f} {:>9.3f} {:>9.3f} {:>6.1f}%  {}\n",
                        size_of(f.accepted_bytes), size_of(f.at_once_bytes), size_of(f.direct_bytes),
                        static_cast<double>(f.copy_ns) * 1e-9, static_cast<double>(f.stall_ns) * 1e-9,
                        writing * 1e-9, writing > 0 ? 100 * std::max(0.0, 1 - seen / writing) : 100.0, path);
    if (f.at_once_bytes != 0) {
      const auto each = [](std::uint64_t ns, std::uint64_t bytes) {
        return bytes == 0 ? std::string("-")
                          : fmt::format("{:.2f}", static_cast<double>(ns) / static_cast<double>(bytes));
      };
      text += fmt::format(
          "             no core was idle: ns a byte at once {}; buffered, to copy {} and of the I/O "
          "process's core {}\n",
          each(f.at_once_ns, f.at_once_bytes), each(f.copy_ns, f.accepted_bytes),
          each(f.carry_cpu_ns, f.carried_bytes));
    }
    if (f.direct_bytes != 0)
      text += fmt::format(
          "             the buffer was too small for this file: {} overflowed; {} a rank would have held it "
          "(LOADSTONE_IO_BUFFER, hint loadstone_io_buffer)\n",
          size_of(f.direct_bytes), size_of(f.wanted_bytes));
  }
  return text;
}

}  // namespace loadstone::launch
