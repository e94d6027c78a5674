// Goes over the blocks of a part of a view, from one offset of the file to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "io/view.hpp"

namespace loadstone::io {

class walk {
 public:
  // Of positions [from, to), where the view must ascend. It must outlive this.
  walk(const view& v, std::int64_t from, std::int64_t to) : view_(v), position_(from), left_(to - from) {
    if (left_ > 0 && !v.dense()) v.put_cursor(at_, from, to);
  }
  walk(const walk&) = delete;
  walk& operator=(const walk&) = delete;

  std::int64_t position() const { return position_; }  // of what comes next
  // How many bytes of it lie before `limit`.
  std::int64_t before(std::int64_t limit) const {
    return view_.position_at(limit, position_, position_ + left_) - position_;
  }

  // Calls each(offset, length, count, stride) for what lies before `limit`, as view::blocks does.
  template <class Each>
  void take(std::int64_t limit, Each&& each) {
    while (left_ > 0) {
      if (count_ == 0) next_run();
      if (offset_ + cut_ >= limit) return;
      std::int64_t whole = 0;
      if (cut_ == 0 && offset_ + length_ <= limit)
        whole = count_ == 1 ? 1 : std::min(count_, (limit - length_ - offset_) / stride_ + 1);
      std::int64_t bytes = whole * length_;
      if (whole > 0) {
        if (stride_ == length_)
          each(offset_, bytes, std::int64_t{1}, std::int64_t{0});
        else
          each(offset_, length_, whole, stride_);
        drop(whole);
      } else {  // a part of a block
        const std::int64_t to = std::min(length_, limit - offset_);
        bytes = to - cut_;
        each(offset_ + cut_, bytes, std::int64_t{1}, std::int64_t{0});
        cut_ = to;
        if (cut_ == length_) cut_ = 0, drop(1);
      }
      position_ += bytes;
      left_ -= bytes;
    }
  }

 private:
  void drop(std::int64_t blocks) {
    offset_ += blocks * stride_;
    count_ -= blocks;
  }
  void next_run() {
    if (view_.dense()) {
      offset_ = view_.displacement() + position_;
      length_ = left_;
      count_ = 1;
      return;
    }
    const datatype::run r = at_->next(left_);
    offset_ = static_cast<std::int64_t>(r.address);
    length_ = r.length;
    count_ = r.count;
    stride_ = r.stride;
  }
  const view& view_;
  std::int64_t position_, left_;
  std::optional<datatype::cursor> at_;
  std::int64_t offset_ = 0, length_ = 0, count_ = 0, stride_ = 0;  // what is left of a run,
  std::int64_t cut_ = 0;                                           // but for so much of its first block
};

}  // namespace loadstone::io
