// The running result of a reduction. Contributions are folded in from the ranks right above or
// right below those that the result covers, so that rank order is kept.
//
// The value begins in memory that may not be written (the user's send buffer). `value op incoming`
// is computed in the memory of `incoming`, which is the value from then on; `incoming op value` in
// that of the value, or, the first and the last, of the result: so nothing is copied.
//
// Use: receive into incoming(), then fold_higher() or fold_lower(); at the end finish().
#pragma once

#include <optional>

#include "coll/algorithms.hpp"

namespace loadstone::coll {

class accumulator {
 public:
  // `result`: where finish() puts the value; std::nullopt if it is not wanted here (a null address
  // is MPI_BOTTOM). Equal to `input` if in place: then the input may be overwritten once it is
  // folded.
  accumulator(builder& b, const operand& o, const void* input, std::optional<void*> result)
      : b_(b), o_(o), value_(const_cast<void*>(input)), result_(result), writable_(result == value_) {}

  // Where to receive the next contribution. `last`: no other follows, so the result itself is used
  // if possible.
  buffer incoming(bool last = false) {
    if (last && result_ && value_ != *result_) return o_.at(incoming_ = *result_);
    void*& spare = scratch_[value_ == scratch_[0] ? 1 : 0];
    if (!spare) spare = b_.scratch(o_.count, o_.type);
    return o_.at(incoming_ = spare);
  }
  void fold_higher() {  // value op incoming
    fold(value_, incoming_, incoming_);
  }
  void fold_lower(bool last = false) {  // incoming op value
    fold(incoming_, value_, writable_ && !(last && result_) ? value_ : other_memory());
  }
  buffer value() const { return o_.at(value_); }
  void finish() {
    if (result_ && value_ != *result_) b_.copy(o_.at(value_), o_.at(*result_));
  }

 private:
  void fold(const void* lower, const void* higher, void* to) {
    b_.reduce(lower, higher, to, o_.count, o_.type, o_.op);
    value_ = to;
    writable_ = true;
  }
  // Where nothing has been received.
  void* other_memory() {
    if (result_ && incoming_ != *result_) return *result_;
    void*& spare = scratch_[incoming_ == scratch_[0] ? 1 : 0];
    if (!spare) spare = b_.scratch(o_.count, o_.type);
    return spare;
  }

  builder& b_;
  const operand& o_;
  void* value_;
  std::optional<void*> result_;
  void* incoming_ = nullptr;
  void* scratch_[2] = {nullptr, nullptr};
  bool writable_;
};

}  // namespace loadstone::coll
