// A window: the engine's window (rma/window.hpp), the epochs of this process on it, and what the
// user has attached to it: error handler, name, attributes, hints.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mpi.h"
#include "mpi/attributes.hpp"
#include "mpi/epochs.hpp"
#include "mpi/errhandler.hpp"
#include "mpi/group.hpp"
#include "mpi/window_hints.hpp"
#include "rma/window.hpp"

namespace loadstone::mpi {

class communicator;
class process;

class window {
 public:
  window(process& owner, const communicator& comm, rma::flavor kind);
  ~window();
  window(const window&) = delete;
  window& operator=(const window&) = delete;

  MPI_Win handle() const { return handle_; }
  void set_handle(MPI_Win handle) { handle_ = handle; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  rma::flavor kind() const { return kind_; }
  process& owner() const { return owner_; }
  const mpi::group& group() const { return group_; }
  // The engine's part, from when all members know each other.
  rma::window& core() const { return *core_; }
  void set_core(std::unique_ptr<rma::window> core) { core_ = std::move(core); }

  // True at every 64th call. Relaxed: threads may miss each other's calls.
  bool time_to_poll() {
    const std::uint32_t n = calls_.load(std::memory_order_relaxed) + 1;
    calls_.store(n, std::memory_order_relaxed);
    return n % 64 == 0;
  }
  // The same for a call that cannot poll: false, and it does not count, if it would be such a one.
  bool count_unless_it_polls() {
    const std::uint32_t n = calls_.load(std::memory_order_relaxed) + 1;  // relaxed: as above
    if (n % 64 == 0) return false;
    calls_.store(n, std::memory_order_relaxed);
    return true;
  }

  errhandler* error_handler() const { return error_handler_.get(); }
  void set_error_handler(errhandler* handler);  // takes a reference of its own, releases the old one
  std::string name() const;
  void set_name(std::string_view name);
  std::string described() const;  // for messages: the name, or the number

  // The ranks here of a group that was given to MPI_Win_post or MPI_Win_start: programs give the
  // same one again and again. Kept by its list, which does not change. Under the gate.
  struct partners {
    members list;
    std::vector<std::int32_t> ranks;
  } posted, started;

  mpi::epochs epochs;
  attribute_set attributes;
  window_hints hints;
  // The values of the predefined attributes, to which users get pointers.
  struct {
    void* base = nullptr;
    MPI_Aint size = 0;
    int unit = 1, flavor = 0, model = MPI_WIN_UNIFIED;
  } shape;

 private:
  process& owner_;
  MPI_Win handle_ = MPI_WIN_NULL;
  const rma::flavor kind_;
  const int rank_, size_;
  const mpi::group group_;
  std::unique_ptr<rma::window> core_;
  std::atomic<std::uint32_t> calls_{0};
  errhandler_slot error_handler_;
  mutable std::mutex lock_;  // guards the name
  std::string name_;
};

}  // namespace loadstone::mpi
