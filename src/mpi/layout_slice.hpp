// A part of a layout as a layout of its own: for one-sided operations whose two sides have not as
// many bytes, which is allowed as long as the data fits.
#pragma once

#include <cstdint>

#include "base/status.hpp"
#include "datatype/type.hpp"

namespace loadstone::mpi {

class layout_slice {
 public:
  layout_slice() = default;
  ~layout_slice() {
    if (made_ != nullptr) made_->release();
  }
  layout_slice(const layout_slice&) = delete;
  layout_slice& operator=(const layout_slice&) = delete;

  // The packed bytes [from, from + bytes) of `count` elements of type `t`, which has so many.
  base::status cut(std::int64_t count, const loadstone::datatype::type& t, std::int64_t from,
                   std::int64_t bytes);

  std::int64_t count() const { return count_; }
  const loadstone::datatype::type* type() const { return type_; }

 private:
  base::status use(const base::result<const loadstone::datatype::type*>& made);

  std::int64_t count_ = 0;
  const loadstone::datatype::type* type_ = nullptr;
  const loadstone::datatype::type* made_ = nullptr;
};

}  // namespace loadstone::mpi
