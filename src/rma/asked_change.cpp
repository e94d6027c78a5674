// Accumulates by messages: the owner. It changes the elements by the same means as anybody else: by
// instructions where they have them, else under the locks of its own record. In a handler it does
// not wait for those: what finds one taken is done by a later poll, and whatever accumulates came
// after it too, for accumulates of one origin keep their order, unless the program has said that
// they need not (info key accumulate_ordering).
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/fault.hpp"
#include "rma/accumulate.hpp"
#include "rma/asked.hpp"
#include "rma/asked_owner.hpp"
#include "rma/asked_request.hpp"
#include "rma/waiting.hpp"

namespace loadstone::rma {

using datatype::basic;
using datatype::op_kind;

// Goes on where it stood. False: somebody has a lock that it takes.
bool asked_owner::change(window& w, kept& k) {
  const asked_request& header = k.header;
  std::byte* const first = k.fetched.data();
  if (header.kind == asked_kind::compare_and_swap) {
    const auto bytes = static_cast<std::int64_t>(k.fetched.size());
    return compare_and_swap_here(w, asked_place(w.memory(), header.from), k.payload.data(),
                                 k.payload.data() + bytes, first, bytes);
  }
  const element what({static_cast<basic>(header.value), static_cast<basic>(header.index)});
  const std::byte* const data = k.payload.data() + header.runs * sizeof(asked_run);
  std::int64_t before = 0;  // elements of the runs that have been looked at
  for (std::uint32_t i = 0; i < header.runs; ++i) {
    const asked_run run = asked_run_at(k.payload.data(), i);
    const std::int64_t done = std::max<std::int64_t>(k.done - before, 0), left = run.count - done;
    before += run.count;
    if (left <= 0) continue;
    const std::int64_t packed = k.done * what.size();
    const std::int64_t now = accumulate_here(
        w, what, static_cast<op_kind>(header.op),
        {asked_place(w.memory(), run.offset + done * run.stride), run.stride, left},
        header.data != 0 ? data + packed : nullptr, k.fetched.empty() ? nullptr : first + packed);
    k.done += now;
    if (now != left) return false;
  }
  return true;
}

// Done, or wrong, it is answered. False: it has to wait.
bool asked_owner::try_change(window& w, kept& k) {
  answer back = answer_to(k.from, k.header);
  if (is_there(w, k.header, k.payload.data(), back)) {
    if (!change(w, k)) return false;
    back.data = std::move(k.fetched);
  }
  LOADSTONE_FAULT_POINT("rma.changed_for");
  reply(std::move(back));
  return true;
}

void asked_owner::change_in_turn(window& w, std::uint32_t source, const asked_request& header,
                                 const std::byte* payload, std::size_t bytes) {
  kept k{source, header, std::vector<std::byte>(payload, payload + bytes), 0, {}};
  if (header.kind == asked_kind::compare_and_swap)
    k.fetched.resize(static_cast<std::size_t>(header.to - header.from));
  if (header.kind == asked_kind::get_accumulate) {
    std::int64_t elements = 0;
    for (std::uint32_t i = 0; i < header.runs; ++i) elements += asked_run_at(payload, i).count;
    const element what({static_cast<basic>(header.value), static_cast<basic>(header.index)});
    k.fetched.resize(static_cast<std::size_t>(elements * what.size()));
  }
  if ((blocked_.empty() || header.in_any_order != 0) && try_change(w, k)) return;
  blocked_.push_back(std::move(k));
  if (blocked_.size() == 1)
    endpoint_.defer([](void* self) { static_cast<asked_owner*>(self)->retry(); }, this);
}

// Asked now and then. Then it is answered so: what the dead one has begun there nobody can end.
bool asked_owner::holder_has_died(window& w, kept& k) {
  const std::uint64_t now = base::now_ns();
  if (k.next_check == 0) k.next_check = now + death_check_every_ns;
  if (now < k.next_check) return false;
  k.next_check = now + death_check_every_ns;
  bool dead = false;
  const auto holder =
      holder_here(w, asked_place(w.memory(), k.header.from), k.header.to - k.header.from, &dead);
  if (!dead) {
    if (holder) tell(k.from, k.header, {*holder, 0}, k.told);
    return false;
  }
  answer back = answer_to(k.from, k.header);
  back.header.wrong = static_cast<std::uint32_t>(wrong::holder_gone);
  back.header.from = *holder;
  reply(std::move(back));
  return true;
}

// As many of those that found a lock taken as find it free now.
void asked_owner::retry() {
  while (!blocked_.empty()) {
    kept& k = blocked_.front();
    window* const w = windows_.find(k.header.window);
    if (w != nullptr && !try_change(*w, k) && !holder_has_died(*w, k))
      return endpoint_.defer([](void* self) { static_cast<asked_owner*>(self)->retry(); }, this);
    blocked_.pop_front();
  }
}

}  // namespace loadstone::rma
