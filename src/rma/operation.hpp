// What an operation on a window is given, and what may be wrong with it.
#pragma once

#include <cstdint>

#include "base/status.hpp"
#include "datatype/type.hpp"

namespace loadstone::rma {

// Data of the calling process: an origin or a result. Counts are at most what type::most() says,
// and origin and target are of one size: the caller has checked that.
struct local_data {
  void* address;
  std::int64_t count;
  const datatype::type* type;
  std::int64_t bytes() const { return count * type->size(); }
};

// Data of a target. `displacement` in units of the target's part of the window; an address for
// dynamic windows.
struct remote_data {
  std::int64_t displacement;
  std::int64_t count;
  const datatype::type* type;  // of the calling process
  std::int64_t bytes() const { return count * type->size(); }
  // Where the data begins and ends, seen from where the displacement points. bytes() is not 0.
  std::int64_t lowest() const {
    const std::int64_t last = (count - 1) * type->extent();
    return type->true_lower_bound() + (last < 0 ? last : 0);
  }
  std::int64_t highest() const {
    const std::int64_t last = (count - 1) * type->extent();
    return type->true_lower_bound() + type->true_extent() + (last > 0 ? last : 0);
  }
};

// What of an accumulate is still to be done, in packed bytes.
struct unchanged {
  std::int64_t from, to;
};

enum class wrong : std::uint8_t {
  nothing,
  outside,      // not all of it is in the target's part of the window
  unattached,   // not all of it is in memory that the target has attached
  missing,      // memory of the target's part is not there any more; `from`: the first such byte
  no_buffer,    // the caller's own memory is not there; `from`: the first such address
  gone,         // the target has died, or the job is being stopped
  holder_gone,  // process `from` has died while it changed that memory, and had its lock
  no_memory,
  system,  // a system call has failed in a way that leaves no other way
};

// Where data is that no address reaches: its `to`.
inline constexpr std::int64_t beyond_all = INT64_MAX;

// How an operation ended. `from` and `to`: the bytes it wanted, from the start of the target's part
// (addresses for dynamic windows); `has`: the size of that part; `target`: its rank where the
// caller named several.
struct [[nodiscard]] trouble {
  wrong what = wrong::nothing;
  std::int64_t from = 0, to = 0, has = 0;
  base::status why = {};
  std::int32_t target = -1;
  bool ok() const { return what == wrong::nothing; }
  static trouble of(const base::status& why) {
    if (why.ok()) return {};
    return {.what = why.kind == base::code::gone        ? wrong::gone
                    : why.kind == base::code::no_memory ? wrong::no_memory
                                                        : wrong::system,
            .why = why};
  }
};

}  // namespace loadstone::rma
