// A file that a group of processes has open: its view, its pointers, and what is done with it. No
// handles, no argument checks: src/mpi does those.
//
// An access is made in two steps. plan() is the call of the program: it says where the access is,
// and moves pointers. run() does it, on any thread. Calls that all members make in the same order
// are marked; those that the program may have under way in the background take the team that they
// talk through.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "io/hints.hpp"
#include "io/memory.hpp"
#include "io/read_ahead.hpp"
#include "io/shared_pointer.hpp"
#include "io/storage.hpp"
#include "io/team.hpp"
#include "io/view.hpp"

namespace loadstone::io {

enum class place : std::uint8_t { explicit_offset, individual, shared };

// What a call asks for. Ordered calls are shared and collective.
struct access_kind {
  place where = place::explicit_offset;
  bool write = false;
  bool collective = false;
};

struct planned {
  access_kind kind;
  memory_data data;
  std::shared_ptr<const view> through;
  std::int64_t etypes = 0;   // how many it has in the file
  std::int64_t offset = -1;  // in etypes; ordered access learns it when it is run
};

class file {
 public:
  file(engine& e, open_how how);
  ~file();
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  const std::string& path() const { return how_.path; }
  const file_kind& kind() const { return stored_->kind(); }
  bool readable() const { return how_.read; }
  bool writable() const { return how_.write; }

  // --- all members ---
  // Failed at one, failed at all. `append`: all pointers begin at the end of the file.
  trouble open(team& all, bool append);
  // After it only the destructor. `remove`: the file, too, when all have closed it.
  trouble close(team& all, bool remove);
  trouble resize(team& all, std::int64_t bytes);
  trouble reserve(team& all, std::int64_t bytes);
  trouble sync(team& all);
  trouble set_atomic(team& all, bool on);
  // Sets the view of this member, and all pointers to 0.
  trouble set_view(team& all, std::shared_ptr<const view> v);
  trouble seek_shared(team& all, std::int64_t etypes);

  // --- this member alone ---
  const memory::io_figures& figures() const { return stored_->figures(); }
  const memory::io_read_figures& reads() const { return ahead_.figures(); }
  stored_file::carried behind() const { return stored_->behind(); }
  trouble size(std::int64_t* bytes) { return stored_->size(bytes); }
  bool atomic() const {
    return atomic_.load(std::memory_order_relaxed);
  }  // relaxed: set before, by this thread or one it follows
  std::shared_ptr<const view> current_view() const;
  std::int64_t position() const;  // of the individual pointer, in etypes
  void seek(std::int64_t etypes);
  trouble shared_position(std::int64_t* etypes);
  // How many etypes the view shows before the end of the file.
  trouble end_in_view(std::int64_t* etypes);

  void set_hints(const hints& h);
  hints current_hints() const;

  // --- access --- `offset`: of explicit access, in etypes. The view must reach as far as the plan
  // goes; EOVERFLOW.
  trouble plan(const access_kind& kind, std::int64_t offset, const memory_data& data, planned* out);
  // *done: bytes of memory that have been moved.
  trouble run(team& all, planned& p, std::int64_t* done);

 private:
  trouble find_place(team& all, planned& p);
  trouble move(team& all, const planned& p, const memory_data& data, std::int64_t* done);
  trouble move_now(team& all, const planned& p, const memory_data& data, std::int64_t* done);
  std::int64_t converted_at_a_time(const planned& p, std::int64_t one) const;
  trouble move_converted(team& all, const planned& p, std::int64_t* done);

  engine& engine_;
  const open_how how_;
  std::unique_ptr<stored_file> stored_;
  shared_pointer shared_;
  std::atomic<bool> atomic_{false};
  mutable std::mutex lock_;  // guards the view, the individual pointer and the hints
  std::shared_ptr<const view> view_;
  std::int64_t position_ = 0;
  hints hints_;
  read_ahead ahead_;
};

// Bytes that `data` has in a file with this representation; negative and why: it has none there.
std::int64_t bytes_in_file(const memory_data& data, const representation& r, trouble* why);

}  // namespace loadstone::io
