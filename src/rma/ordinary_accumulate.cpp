// Accumulates on ordinary memory of other processes: what carries them (choice.hpp).
#include <mutex>

#include "rma/accumulate_ways.hpp"
#include "rma/asked.hpp"
#include "rma/copy_thread.hpp"
#include "rma/engine.hpp"
#include "rma/handed.hpp"
#include "rma/ways.hpp"

namespace loadstone::rma {

using datatype::op_kind;

trouble change_ordinary(window& w, const place& at, const local_data* origin, const local_data* result,
                        const remote_data& where, op_kind op, unchanged* rest) {
  handed& owners = w.engine().by_owner();
  const bool one_block = where.type->in_one_block(where.count);
  const std::int64_t size = element(where.type->single_named()).size();
  for (;;) {
    transfer what = shape_of(where, false, rest->from);
    what.changes = true;
    what.plain =
        origin != nullptr && result == nullptr && origin->type->in_one_block(origin->count) && one_block;
    decision by{};
    {
      std::unique_lock hold(w.engine().endpoint().gate());
      w.send_what_touches(at, where);
      owner_seen seen{};
      by = owners.choose(*at.to, what, &seen);
      trouble failed;
      if (by.by != carrier::handed) {
        // below
      } else if (where.bytes() == size) {
        if (owners.change_one(w, at, origin, result, where, op, by, seen, &failed)) return failed;
      } else {
        failed = owners.change(w, at, origin, result, where, op, by, seen, hold, rest);
        if (!failed.ok() || rest->from == rest->to) return failed;
      }
    }
    if (by.alone == carrier::thread) {
      const trouble t = w.engine().for_others().change(w, at, origin, result, where, op,
                                                       owners.patience_for_thread(by), rest);
      const std::lock_guard hold(w.engine().endpoint().gate());
      owners.learn_of_thread(*at.to, rest->from == rest->to);
      if (!t.ok() || rest->from == rest->to) return t;
      continue;
    }
    if (by.by == carrier::shared) return owners.share(w, at, *origin, where, op, rest);
    const std::int64_t left = rest->to - rest->from, part = part_alone(left, by.calls) / size * size;
    if (one_block || part == left) break;
    unchanged alone{rest->from, rest->from + part};
    const trouble t = change_by_system(w, at, origin, result, where, op, &alone);
    rest->from = alone.from;
    if (!t.ok()) return t;
  }
  const std::int64_t start =
      one_block && rest->from == 0
          ? begin_apart(w, at.address + static_cast<std::uint64_t>(where.lowest()), rest->to, size)
          : 0;
  if (start != 0) {
    unchanged behind{start, rest->to};
    rest->to = start;
    const trouble t = change_by_system(w, at, origin, result, where, op, &behind);
    if (t.why.kind == base::code::refused) {
      const trouble asked =
          w.engine().by_message().accumulate(w, at.to->rank, at, origin, result, where, op, behind);
      return asked.ok() ? t : asked;
    }
    if (!t.ok()) return t;
  }
  return change_by_system(w, at, origin, result, where, op, rest);
}

trouble compare_and_swap_ordinary(window& w, const place& at, const std::byte* in, const std::byte* compare,
                                  std::byte* out, const datatype::type& type) {
  const auto bytes = static_cast<std::size_t>(type.size());
  const auto length = static_cast<std::int64_t>(bytes);
  {
    handed& owners = w.engine().by_owner();
    const std::lock_guard hold(w.engine().endpoint().gate());
    owner_seen seen{};
    const decision by = owners.choose(*at.to, {false, length, 1, length, true}, &seen);
    trouble failed;
    if (by.by == carrier::handed &&
        owners.compare_and_swap(w, at, in, compare, out, length, type.single_named(), by, seen, &failed))
      return failed;
  }
  return compare_and_swap_by_system(w, at, in, compare, out, bytes);
}

}  // namespace loadstone::rma
