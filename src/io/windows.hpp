// The windows of all aggregators of a team (windows_layout.hpp), mapped at every member. They are
// made at the first access that needs them, and kept: larger ones are made when they are needed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/engine.hpp"
#include "io/two_ways.hpp"
#include "io/windows_layout.hpp"
#include "memory/mappings.hpp"

namespace loadstone::io {

class team;

class windows {
 public:
  explicit windows(engine& e) : engine_(e) {}
  ~windows();
  windows(const windows&) = delete;
  windows& operator=(const windows&) = delete;

  // All members call it alike: windows of at least so many bytes, owned by these ranks. *there, the
  // same at all: not if some member has no memory for it. Returns an error class of MPI.
  int make(team& t, std::vector<int> owners, std::int64_t bytes, bool* there);
  const windows_of& of(int aggregator) const { return mapped_[static_cast<std::size_t>(aggregator)]; }
  // Memory of this process, as large as a window.
  std::byte* stage() const { return stage_.get(); }
  // Members may still be using them, as an access has ended in the midst: so they are never given
  // back.
  void abandon() { abandoned_ = true; }
  // The way past them.
  two_ways& ways() { return ways_; }

 private:
  engine& engine_;
  std::vector<int> owners_;
  std::int64_t bytes_ = 0;
  void* mine_ = nullptr;  // in the arena
  std::vector<memory::pin> pins_;
  std::vector<windows_of> mapped_;
  std::unique_ptr<std::byte[]> stage_;
  bool abandoned_ = false;
  two_ways ways_;
};

}  // namespace loadstone::io
