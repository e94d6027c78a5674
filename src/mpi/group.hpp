// A group: an ordered list of processes. The list is immutable and shared with the communicators
// made from it.
#pragma once

#include <memory>
#include <vector>

#include "memory/process_id.hpp"
#include "mpi.h"

namespace loadstone::mpi {

class bsend_buffer;
class process;

// Processes in rank order, of any jobs.
using process_list = std::vector<memory::process_id>;
using members = std::shared_ptr<const process_list>;

// Rank of `who` in the list; MPI_UNDEFINED if it is not there.
int rank_in(const process_list& list, const memory::process_id& who);
// Are they not all of the job of `self`?
bool across_jobs(const process_list& list, const memory::process_id& self);

class group {
 public:
  explicit group(members list, std::shared_ptr<bsend_buffer> session = nullptr)
      : list_(std::move(list)), session_(std::move(session)) {}

  MPI_Group handle() const { return handle_; }
  void set_handle(MPI_Group handle) { handle_ = handle; }
  const members& list() const { return list_; }
  int size() const { return static_cast<int>(list_->size()); }
  // The buffer for buffered sends of the session that it comes from; null: the world model.
  const std::shared_ptr<bsend_buffer>& session_buffer() const { return session_; }
  int rank_of(const memory::process_id& who) const { return rank_in(*list_, who); }

 private:
  MPI_Group handle_ = MPI_GROUP_NULL;
  members list_;
  std::shared_ptr<bsend_buffer> session_;
};

// A new handle for a list; an empty list is MPI_GROUP_EMPTY.
MPI_Group new_group(process& p, members list, std::shared_ptr<bsend_buffer> session);

}  // namespace loadstone::mpi
