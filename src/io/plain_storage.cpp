// Storage by system calls on the calling thread. Nothing is held back, so settle() has nothing to
// do, and every process of the host sees a write when it has returned.
#include <fcntl.h>
#include <fmt/core.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/guarded.hpp"
#include "buffering/apart.hpp"
#include "buffering/past_cache.hpp"
#include "copy/kernels.hpp"
#include "io/file_pages.hpp"
#include "io/storage.hpp"
#include "io/two_ways.hpp"

namespace loadstone::io {
namespace {

trouble failed(std::string_view what, std::int64_t offset = -1, std::int64_t bytes = 0) {
  const int number = errno;
  return {number, std::string(what) + ": " + std::strerror(number), offset, bytes};
}

// As the kernel's statfs(2) has them.
struct system_name {
  long magic;
  std::string_view name;
};
constexpr system_name systems[] = {
    {0xef53, "ext4"},        {0x58465342, "xfs"},  {0x9123683e, "btrfs"}, {0x01021994, "tmpfs"},
    {0x794c7630, "overlay"}, {0x6969, "nfs"},      {0xff534d42, "cifs"},  {0x0bd00bd0, "lustre"},
    {0x47504653, "gpfs"},    {0x65735546, "fuse"}, {0x2fc12fc1, "zfs"},   {0x01021997, "9p"},
};

std::string_view name_of(long magic) {
  for (const system_name& s : systems) {
    if (s.magic == magic) return s.name;
  }
  return "";
}

// Can bytes be stored into a mapping beside the writes of other processes?
bool stores_well(std::string_view system) {
  return system == "tmpfs" || system == "ext4" || system == "xfs" || system == "btrfs" || system == "overlay";
}

class plain_file final : public stored_file {
 public:
  // `mapped`: what its pages are reached by, which may be the same descriptor; -1: they are not.
  // `beside`: the job in which others may write it past the page cache; null: nobody does.
  plain_file(int fd, const file_kind& kind, int mapped, memory::job* beside)
      : fd_(fd), mapped_(mapped), kind_(kind), beside_(beside), pages_(mapped, mapped >= 0) {}
  ~plain_file() override {
    if (fd_ >= 0) close_both();
  }

  const file_kind& kind() const override { return kind_; }
  int descriptor() const override { return fd_; }

  trouble read(std::span<const extent> extents, std::int64_t* done) override {
    return move(extents, done, false);
  }
  trouble write(std::span<const extent> extents, std::int64_t* done) override {
    const std::uint64_t began = base::now_ns();
    const buffering::through_cache said(beside_);
    trouble t = move(extents, done, true);
    count(*done, began);
    return t;
  }

  bool in_memory(std::int64_t from, std::int64_t to, std::int64_t) override {
    return pages_.in_memory(from, to);
  }
  bool store(std::int64_t from, std::int64_t to, std::int64_t bytes, const user& use) override {
    const std::uint64_t began = base::now_ns();
    const buffering::through_cache said(beside_);
    const bool stored = store_all(from, to, use);
    if (stored) count(bytes, began);
    return stored;
  }

  // A device has no size that means anything here.
  trouble size(std::int64_t* bytes) override {
    *bytes = 0;
    if (!kind_.seekable) return {};
    struct stat is;
    if (fstat(fd_, &is) != 0) return failed("the size of the file cannot be found out");
    if (S_ISREG(is.st_mode)) *bytes = is.st_size;
    if (S_ISBLK(is.st_mode)) *bytes = std::max<off_t>(lseek(fd_, 0, SEEK_END), 0);
    return {};
  }
  trouble resize(std::int64_t bytes) override {
    if (!kind_.regular) return {};
    while (ftruncate(fd_, bytes) != 0) {
      if (errno != EINTR) return failed("the size cannot be set", bytes);
    }
    pages_.forget();
    return {};
  }
  trouble reserve(std::int64_t bytes) override {
    std::int64_t now = 0;
    if (trouble t = size(&now); !t.ok()) return t;
    if (!kind_.regular || bytes <= 0) return {};
    for (;;) {
      if (fallocate(fd_, 0, 0, bytes) == 0) return {};
      if (errno == EINTR) continue;
      if (errno == EOPNOTSUPP || errno == ENOSYS) break;
      return failed("space cannot be reserved", 0, bytes);
    }
    // No such call there: at least the size is right.
    return bytes > now ? resize(bytes) : trouble{};
  }
  trouble settle() override { return {}; }
  trouble sync() override {
    note_time();
    while (fsync(fd_) != 0) {
      // Not a file that has anything to write back. (Of a regular one: what is not written is
      // lost.)
      if (!kind_.regular && (errno == EINVAL || errno == EROFS)) return {};
      if (errno != EINTR) return failed("data cannot be written to the device");
    }
    return {};
  }
  trouble close() override {
    note_time();
    pages_.forget();
    // EINTR: Linux has closed it.
    if (close_both() != 0 && errno != EINTR) return failed("the file cannot be closed");
    return {};
  }
  trouble set_atomic(bool) override { return {}; }

  trouble lock(std::int64_t offset, std::int64_t bytes, bool alone) override {
    locking_.lock();
    struct flock range {};
    range.l_type = static_cast<short>(alone ? F_WRLCK : F_RDLCK);
    range.l_whence = SEEK_SET;
    range.l_start = offset;
    range.l_len = bytes;
    while (fcntl(fd_, F_OFD_SETLKW, &range) != 0) {
      if (errno == EINTR) continue;
      trouble t = failed("bytes of the file cannot be locked", offset, bytes);
      if (errno == EINVAL || errno == ENOLCK || errno == ENOSYS) t.number = ENOTSUP;
      locking_.unlock();
      return t;
    }
    locked_ = range;
    return {};
  }
  void unlock() override {
    locked_.l_type = F_UNLCK;
    fcntl(fd_, F_OFD_SETLK, &locked_);  // of a lock that is held: cannot fail
    locking_.unlock();
  }

 private:
  static constexpr std::size_t at_once = 256;  // extents in one call

  int close_both() {
    if (mapped_ >= 0 && mapped_ != fd_) ::close(mapped_);
    const int fd = fd_;
    fd_ = mapped_ = -1;
    return ::close(fd);
  }

  void count(std::int64_t bytes, std::uint64_t began) {
    const std::uint64_t took = base::now_ns() - began;
    for (memory::io_figures* f : {&figures_, also_}) {
      if (f == nullptr) continue;
      f->called_bytes.fetch_add(static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
      f->called_ns.fetch_add(took, std::memory_order_relaxed);
    }
  }

  bool store_all(std::int64_t from, std::int64_t to, const user& use) {
    const bool stored = pages_.store(from, to, use);
    if (stored) stored_.store(true, std::memory_order_relaxed);  // relaxed: for later calls of this process
    return stored;
  }

  // What a write would have done to the file's time, for programs that look at it.
  void note_time() {
    const timespec times[] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    if (stored_.exchange(false, std::memory_order_relaxed)) futimens(fd_, times);
  }

  // Extents in ascending order with gaps of less than two pages.
  struct group {
    std::size_t count = 0;              // of extents
    std::int64_t calls = 0, bytes = 0;  // that writes of them take; from the first to the last byte
  };
  trouble move(std::span<const extent> extents, std::int64_t* done, bool write) {
    *done = 0;
    if (!write || !pages_.possible()) return by_calls(extents, done, write);
    while (!extents.empty()) {
      const group g = group_of(extents);
      std::int64_t moved = 0;
      trouble t = write_group(extents.first(g.count), g, &moved);
      *done += moved;
      if (!t.ok()) return t;
      extents = extents.subspan(g.count);
    }
    return {};
  }

  trouble write_group(std::span<const extent> extents, const group& g, std::int64_t* moved) {
    const bool quick = g.calls > calls_for_mapping + g.bytes / calls_in_bytes;
    // With pieces about as long as pages it depends on whether those are mapped by now, and have
    // been written back since: both ways are measured.
    const bool depends = !quick && g.calls > calls_for_mapping && g.bytes / g.calls <= 4 * page;
    if (!quick && !depends) return by_calls(extents, moved, true);
    const std::uint64_t began = base::now_ns();
    const bool stored = (quick || try_stores()) && store(extents);
    if (stored)
      for (const extent& e : extents) *moved += e.bytes;
    trouble t = stored ? trouble{} : by_calls(extents, moved, true);
    if (depends && t.ok()) {
      const std::lock_guard guard(ways_lock_);
      ways_.note(stored, *moved, base::now_ns() - began);
    }
    return t;
  }
  bool try_stores() {
    const std::lock_guard guard(ways_lock_);
    return ways_.stores();
  }

  // Extents that follow each other in the file go in one call.
  trouble by_calls(std::span<const extent> extents, std::int64_t* done, bool write) {
    std::array<iovec, at_once> parts;
    for (std::size_t i = 0; i < extents.size();) {
      std::int64_t at = extents[i].offset, bytes = 0;
      if (!write && slow_to_read(extents[i])) {
        trouble t = read_and_copy(extents[i], &bytes);
        *done += bytes;
        if (!t.ok() || bytes < extents[i].bytes) return t;
        ++i;
        continue;
      }
      std::size_t n = 0;
      for (; i < extents.size() && n < at_once && extents[i].offset == at + bytes; ++i) {
        if (!write && slow_to_read(extents[i])) break;
        if (extents[i].bytes == 0) continue;
        parts[n++] = {extents[i].memory, static_cast<std::size_t>(extents[i].bytes)};
        bytes += extents[i].bytes;
      }
      if (n == 0) continue;
      std::int64_t moved = 0;
      trouble t = move_all(parts.data(), static_cast<int>(n), at, bytes, &moved, write);
      *done += moved;
      if (!t.ok() || moved < bytes) return t;
    }
    return {};
  }

  // What pages cost that are not mapped yet, in calls of pwritev that take some bytes: that many,
  // and one for each page.
  static constexpr std::int64_t read_part = 64 * 1024;  // fits the near caches

  static constexpr std::int64_t page = 4096, calls_for_mapping = 8, calls_in_bytes = 4096;

  static group group_of(std::span<const extent> extents) {
    group g;
    std::int64_t end = extents[0].offset;
    for (const extent& e : extents) {
      if (e.offset < end || e.offset - end >= 2 * page) break;
      if (g.count == 0 || e.offset != end) ++g.calls;
      end = e.offset + e.bytes;
      ++g.count;
    }
    g.bytes = end - extents[0].offset;
    return g;
  }

  // Small pieces that lie close together are stored into the file's pages, as a call for each takes
  // longer than a page of them. No other byte is read or written, so nobody needs a lock. False:
  // they have to be written (what has been stored by then may be written again), and the error, if
  // there is one, comes from there.
  bool store(std::span<const extent> extents) {
    const extent& last = extents.back();
    const std::int64_t from = extents[0].offset, end = last.offset + last.bytes;
    std::int64_t now = 0, moved = 0;
    if (!size(&now).ok()) return false;
    if (now < end) {
      // As long as it has to be; a call for the size might cut what others add.
      iovec part{last.memory, static_cast<std::size_t>(last.bytes)};
      if (!move_all(&part, 1, last.offset, last.bytes, &moved, true).ok()) return false;
    }
    return store_all(from, end, [&](std::byte* pages) {
      for (const extent& e : extents)
        copy::ordinary(pages + (e.offset - from), e.memory, static_cast<std::size_t>(e.bytes));
    });
  }

  // Whether the kernel would copy this one out of its pages at a fifth of the usual speed (decision
  // 031): most buffers that malloc gives, on processors that are like that.
  bool slow_to_read(const extent& e) const {
    static const bool at_all = base::copies_some_slowly_by_string();
    return at_all && kind_.seekable && e.bytes >= read_part / 4 &&
           copy::slow_by_string(e.memory, reinterpret_cast<const void*>(e.offset));
  }
  // Reads such a one by parts, to where the kernel copies well, and copies them.
  trouble read_and_copy(const extent& e, std::int64_t* done) {
    const std::unique_ptr<std::byte, decltype(&std::free)> pages(
        static_cast<std::byte*>(std::aligned_alloc(page, read_part)), &std::free);
    if (pages == nullptr) {
      iovec whole{e.memory, static_cast<std::size_t>(e.bytes)};
      return move_all(&whole, 1, e.offset, e.bytes, done, false);
    }
    while (*done < e.bytes) {
      const std::int64_t at = e.offset + *done;
      std::byte* const part = pages.get() + at % page;
      const std::int64_t bytes = std::min(e.bytes - *done, read_part - at % page);
      std::int64_t moved = 0;
      iovec one{part, static_cast<std::size_t>(bytes)};
      const bool read = move_all(&one, 1, at, bytes, &moved, false).ok();
      const int why = errno;
      if (!base::guarded([&] { copy::ordinary(e.memory + *done, part, static_cast<std::size_t>(moved)); })) {
        errno = EFAULT;
        return failed("data cannot be read", at, bytes);
      }
      *done += moved;
      if (!read) {
        errno = why;
        return failed("data cannot be read", e.offset + *done, e.bytes - *done);
      }
      if (moved < bytes) return {};
    }
    return {};
  }

  trouble move_all(iovec* parts, int n, std::int64_t at, std::int64_t bytes, std::int64_t* moved,
                   bool write) {
    while (*moved < bytes) {
      ssize_t k;
      if (kind_.seekable)
        k = write ? pwritev(fd_, parts, n, at + *moved) : preadv(fd_, parts, n, at + *moved);
      else
        k = write ? writev(fd_, parts, n) : readv(fd_, parts, n);
      if (k < 0) {
        if (errno == EINTR) continue;
        return failed(write ? "data cannot be written" : "data cannot be read", at + *moved, bytes - *moved);
      }
      if (k == 0) {
        if (!write) return {};
        errno = ENOSPC;
        return failed("data cannot be written", at + *moved, bytes - *moved);
      }
      *moved += k;
      for (; n > 0 && static_cast<std::size_t>(k) >= parts->iov_len; ++parts, --n)
        k -= static_cast<ssize_t>(parts->iov_len);
      if (n > 0) {
        parts->iov_base = static_cast<std::byte*>(parts->iov_base) + k;
        parts->iov_len -= static_cast<std::size_t>(k);
      }
    }
    return {};
  }

  int fd_, mapped_;
  const file_kind kind_;
  memory::job* const beside_;
  file_pages pages_;
  std::mutex ways_lock_;
  two_ways ways_;
  std::atomic<bool> stored_{false};  // into pages, which changes no time by itself
  std::mutex locking_;               // held while a range is locked
  struct flock locked_ {};
};

file_kind kind_of(int fd) {
  file_kind kind;
  struct stat is;
  if (fstat(fd, &is) == 0) {
    kind.regular = S_ISREG(is.st_mode);
    kind.seekable = kind.regular || (lseek(fd, 0, SEEK_CUR) >= 0 && !S_ISFIFO(is.st_mode));
    if (is.st_blksize > 0) kind.block = is.st_blksize;
  }
  struct statfs system;
  if (fstatfs(fd, &system) == 0) kind.system = name_of(static_cast<long>(system.f_type));
  kind.past_cache = buffering::past_cache::gains_at(fd);
  return kind;
}

// The system maps no file that is open for writing only; it is opened once more for that, if its
// permissions are such. -1: it is not to be mapped.
int descriptor_to_map(int fd, const open_how& how, const file_kind& kind) {
  if (!kind.regular || !how.write || !stores_well(kind.system)) return -1;
  return how.read ? fd : ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_RDWR | O_CLOEXEC);
}

class plain_storage final : public storage {
 public:
  explicit plain_storage(memory::job* job) : job_(job) {}

  std::unique_ptr<stored_file> open(const open_how& how, trouble* why) override {
    int flags = O_CLOEXEC | (how.read && how.write ? O_RDWR : how.write ? O_WRONLY : O_RDONLY);
    if (how.create) flags |= O_CREAT;
    if (how.exclusive) flags |= O_EXCL;
    int fd;
    do {
      fd = ::open(how.path.c_str(), flags, how.permissions);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
      *why = failed("the file cannot be opened");
      return nullptr;
    }
    struct stat is;
    if (fstat(fd, &is) == 0 && S_ISDIR(is.st_mode)) {
      ::close(fd);
      errno = EISDIR;
      *why = failed("the file cannot be opened");
      return nullptr;
    }
    const file_kind kind = kind_of(fd);
    return std::make_unique<plain_file>(fd, kind, descriptor_to_map(fd, how, kind),
                                        kind.past_cache ? job_ : nullptr);
  }
  trouble remove(const std::string& path) override {
    return unlink(path.c_str()) == 0 ? trouble{} : failed("the file cannot be removed");
  }

 private:
  memory::job* const job_;
};

}  // namespace

std::unique_ptr<storage> make_plain_storage(memory::job* job) {
  return std::make_unique<plain_storage>(job);
}

}  // namespace loadstone::io
