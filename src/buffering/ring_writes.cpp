// Writes by io_uring: many under way at once, of several files and processes. The library is linked
// statically where the build has found it; without it there is nothing here.
#include "buffering/file_writes.hpp"

#ifdef LOADSTONE_URING

#include <liburing.h>
#include <limits.h>

#include <algorithm>
#include <cerrno>

namespace loadstone::buffering {

namespace {

constexpr unsigned depth = 32;

class ring_writes final : public file_writes {
 public:
  explicit ring_writes(const io_uring& ring) : ring_(ring) {}
  ~ring_writes() override { io_uring_queue_exit(&ring_); }
  std::string_view name() const override { return "io_uring"; }

  void write(std::span<file_write> all) override {
    // One alone gains nothing from a ring.
    if (all.size() == 1) return finish_write(all[0]);
    for (std::size_t next = 0; next < all.size();) {
      unsigned given = 0;
      for (; given < depth && next < all.size(); ++given, ++next) {
        file_write& w = all[next];
        io_uring_sqe* entry = io_uring_get_sqe(&ring_);
        if (entry == nullptr) break;
        io_uring_prep_writev(entry, w.descriptor, w.parts.data(),
                             static_cast<unsigned>(std::min<std::size_t>(w.parts.size(), IOV_MAX)), w.offset);
        io_uring_sqe_set_data(entry, &w);
      }
      reap(given);
    }
    // What came short, or failed: by a system call, whose errno is the one to tell.
    for (file_write& w : all)
      if (w.done < w.bytes) finish_write(w);
  }

 private:
  // Until these are done: nothing of `all` may be in the kernel's hands when we return.
  void reap(unsigned count) {
    unsigned submitted = 0;
    while (submitted < count) {
      const int n = io_uring_submit(&ring_);
      if (n > 0) submitted += static_cast<unsigned>(n);
      if (n < 0 && n != -EINTR && n != -EAGAIN && n != -EBUSY) break;
    }
    for (unsigned i = 0; i < submitted;) {
      io_uring_cqe* entry = nullptr;
      if (io_uring_wait_cqe(&ring_, &entry) != 0) continue;
      auto* w = static_cast<file_write*>(io_uring_cqe_get_data(entry));
      if (entry->res > 0) w->wrote(static_cast<std::uint64_t>(entry->res));
      io_uring_cqe_seen(&ring_, entry);
      ++i;
    }
  }

  io_uring ring_;
};

}  // namespace

std::unique_ptr<file_writes> make_ring_writes() {
  io_uring ring;
  if (io_uring_queue_init(depth, &ring, 0) != 0) return nullptr;
  return std::make_unique<ring_writes>(ring);
}

}  // namespace loadstone::buffering

#else

namespace loadstone::buffering {

std::unique_ptr<file_writes> make_ring_writes() {
  return nullptr;
}

}  // namespace loadstone::buffering

#endif
