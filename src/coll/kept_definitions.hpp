// Types and operations that a schedule keeps alive: the user may free them right after the call.
#pragma once

#include <algorithm>
#include <vector>

#include "datatype/op.hpp"
#include "datatype/type.hpp"

namespace loadstone::coll {

class kept_definitions {
 public:
  void keep(const datatype::type& t) {
    if (std::find(types_.begin(), types_.end(), &t) != types_.end()) return;
    types_.push_back(&t);
    t.acquire();
  }
  void keep(const datatype::op& op) {
    ops_.push_back(&op);
    op.acquire();
  }
  void release() {
    for (const datatype::type* t : types_) t->release();
    for (const datatype::op* o : ops_) o->release();
    types_.clear();
    ops_.clear();
  }

 private:
  std::vector<const datatype::type*> types_;
  std::vector<const datatype::op*> ops_;
};

}  // namespace loadstone::coll
