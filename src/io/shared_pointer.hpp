// The file pointer that all who opened a file share: one word in job memory, of the process that
// has rank 0. It counts etypes.
#pragma once

#include <cstdint>

#include "io/engine.hpp"
#include "memory/address.hpp"

namespace loadstone::io {

class shared_pointer {
 public:
  shared_pointer() = default;
  ~shared_pointer();
  shared_pointer(const shared_pointer&) = delete;
  shared_pointer& operator=(const shared_pointer&) = delete;

  // By the owner alone; then the others get to know where the word is.
  base::status make(engine& e);
  memory::address where() const { return where_; }
  void join(engine& e, memory::address where) { engine_ = &e, where_ = where; }
  void leave();  // nobody uses it any more

  // Adds `n`, and gives the value before. Any member, any time. Takes the gate.
  base::result<std::int64_t> add(std::int64_t n);
  base::result<std::int64_t> value() { return add(0); }
  base::status set(std::int64_t n);

 private:
  engine* engine_ = nullptr;
  void* word_ = nullptr;  // of the owner
  memory::address where_{};
};

}  // namespace loadstone::io
