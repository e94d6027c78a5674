// Accumulates by each way. `at` says where the data is, and is inside the window; there is some. No
// origin: MPI_NO_OP. No result: nothing is fetched.
#pragma once

#include "rma/element.hpp"
#include "rma/ranges.hpp"
#include "rma/window.hpp"

namespace loadstone::rma {

trouble change_here(window& w, const place& at, const local_data* origin, const local_data* result,
                    const remote_data& where, datatype::op_kind op);
// Ordinary memory: by the owner, by the system, or by both. `rest`: what is left, if the system
// refuses it (base::code::refused).
trouble change_ordinary(window& w, const place& at, const local_data* origin, const local_data* result,
                        const remote_data& where, datatype::op_kind op, unchanged* rest);
// `rest`: what of it is to be changed, and when it returns, what is left. `locked`: the caller has
// the locks.
trouble change_by_system(window& w, const place& at, const local_data* origin, const local_data* result,
                         const remote_data& where, datatype::op_kind op, unchanged* rest,
                         bool locked = false);
// `out` has room for the element, and is not `in` or `compare`.
trouble compare_and_swap_ordinary(window& w, const place& at, const std::byte* in, const std::byte* compare,
                                  std::byte* out, const datatype::type& type);
trouble compare_and_swap_by_system(window& w, const place& at, const std::byte* in, const std::byte* compare,
                                   std::byte* out, std::size_t bytes);

inline trouble locks_lost(const range_hold& hold) {
  if (hold.dead()) return {.what = wrong::holder_gone, .from = *hold.dead()};
  return trouble::of({base::code::gone, 0, "the job is being stopped"});
}

// Packed data of a message at one end, piece by piece: where it is, if that is one block, and else
// by way of a buffer.
class packed {
 public:
  packed(const local_data* of, std::byte* buffer) : of_(of), buffer_(buffer) {  // null: no data
    if (of != nullptr && of->type->in_one_block(of->count)) block_ = of->type->block_at(of->address);
  }
  bool in_pieces() const { return of_ != nullptr && block_ == nullptr; }
  std::byte* at(std::int64_t from) const {
    return block_ != nullptr ? block_ + from : of_ != nullptr ? buffer_ : nullptr;
  }
  void read(std::int64_t from, std::int64_t bytes) const {
    if (in_pieces()) datatype::pack(of_->address, of_->count, *of_->type, from, bytes, buffer_);
  }
  void write(std::int64_t from, std::int64_t bytes) const {
    if (in_pieces()) datatype::unpack(of_->address, of_->count, *of_->type, from, bytes, buffer_);
  }

 private:
  const local_data* const of_;
  std::byte* const buffer_;
  std::byte* block_ = nullptr;
};

}  // namespace loadstone::rma
