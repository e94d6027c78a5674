// Programs call the same collective with the same arguments again and again. Its schedule is kept,
// and started again as it is, which saves building it: with 8 bytes that is a third of the work.
//
// Kept are those done in areas that have met, of predefined types: those of the user may be large.
// An operation of the user is kept alive, so that no other one has its address. Nothing that they
// depend on changes but the choice of algorithms (forget()). One whose communicator is gone is not
// found any more: areas have serial numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "coll/schedule.hpp"

namespace loadstone::coll {

// A call, as this process makes it. What an operation does not have is null.
struct same_call {
  operation what = operation::barrier;
  bool in_place = false;
  std::int32_t root = 0;
  const void* send = nullptr;
  const void* receive = nullptr;
  std::int64_t send_count = 0, receive_count = 0;
  const datatype::type* send_type = nullptr;
  const datatype::type* receive_type = nullptr;
  const datatype::op* op = nullptr;

  // Without branches, as most calls that are compared are the same; one by one, as disagreements
  // does it (begins).
  friend bool operator==(const same_call& a, const same_call& b) {
    bool same = a.what == b.what;
    same &= a.in_place == b.in_place;
    same &= a.root == b.root;
    same &= a.send == b.send;
    same &= a.receive == b.receive;
    same &= a.send_count == b.send_count;
    same &= a.receive_count == b.receive_count;
    same &= a.send_type == b.send_type;
    same &= a.receive_type == b.receive_type;
    same &= a.op == b.op;
    return same;
  }

  // Null: what is in place, or of no use at this process.
  static same_call exchange(operation what, const p2p::buffer* send, const p2p::buffer* receive,
                            std::int32_t root = 0) {
    same_call c{.what = what, .root = root};
    if (send != nullptr) {
      c.send = send->address;
      c.send_count = send->count;
      c.send_type = send->type;
    }
    if (receive != nullptr) {
      c.receive = receive->address;
      c.receive_count = receive->count;
      c.receive_type = receive->type;
    }
    return c;
  }
  static same_call reduction(operation what, const void* send, const void* receive, std::int64_t count,
                             const datatype::type* type, const datatype::op* op, bool in_place,
                             std::int32_t root = 0) {
    return {.what = what,
            .in_place = in_place,
            .root = root,
            .send = send,
            .receive = receive,
            .receive_count = count,
            .receive_type = type,
            .op = op};
  }

  bool of_predefined_types() const {
    return (send_type == nullptr || send_type->predefined()) &&
           (receive_type == nullptr || receive_type->predefined());
  }
};

// Its counts and displacements, of so many members; what it does not have is null. They are
// compared one by one, as programs write other ones into the same array.
struct call_lists {
  std::size_t length = 0;
  std::array<const base::integers*, 4> all{};

  bool are(const std::vector<std::int64_t>& kept) const {
    const std::int64_t *at = kept.data(), *const end = at + kept.size();
    for (const base::integers* const list : all) {
      if (is_none(list)) continue;
      if (static_cast<std::size_t>(end - at) < length || !list->begins_as(at, length)) return false;
      at += length;
    }
    return at == end;
  }
  // May throw bad_alloc, and has changed nothing then.
  void copy_to(std::vector<std::int64_t>& kept) const {
    kept.reserve(all.size() * length);
    kept.clear();
    for (const base::integers* const list : all)
      for (std::size_t i = 0; !is_none(list) && i < length; ++i) kept.push_back((*list)[i]);
  }

 private:
  static bool is_none(const base::integers* list) { return list == nullptr || list->data == nullptr; }
};

class repeats {
 public:
  // Null: there is none, or it is under way. Otherwise it is in use from now on. `lists`: those of
  // a v form, also where it has none; null for other calls. Inline, as most calls have none: that
  // saves 50 of 800 instructions.
  [[gnu::always_inline]] schedule* find(const same_call& c, const call_lists* lists, std::uint64_t areas) {
    for (entry& e : places_of(c, areas)) {
      if (e.areas != areas || e.kept == nullptr || e.kept->reuse_.in_use || !(e.call == c)) continue;
      if (e.by_lists != (lists != nullptr) || (e.by_lists && !lists->are(e.lists))) continue;
      e.kept->reuse_.in_use = true;
      return e.kept;
    }
    return nullptr;
  }
  // A schedule that has been built for it and is in use. Returns one that is not kept any more. May
  // throw bad_alloc, and has changed nothing then.
  schedule* keep(const same_call& c, const call_lists* lists, std::uint64_t areas, schedule& s) {
    const std::span<entry, 2> places = places_of(c, areas);
    if (is_in_use(places[1])) std::swap(places[0], places[1]);
    if (is_in_use(places[1])) return nullptr;
    entry& older = places[1];
    if (lists != nullptr) lists->copy_to(older.lists);
    schedule* const gone = older.kept;
    if (gone != nullptr) gone->reuse_.kept = false;
    older.call = c;
    older.by_lists = lists != nullptr;
    older.areas = areas;
    older.kept = &s;
    std::swap(places[0], older);
    s.reuse_.kept = s.reuse_.in_use = true;
    return gone;
  }
  // Of one that is used no more: is it kept? Not one that has failed, or goes on by itself.
  bool keeps(schedule& s) {
    if (!s.reuse_.kept) return false;
    if (s.error_ == 0 && !s.active_) {
      s.staying_.give_back();
      s.reuse_.in_use = false;
      return true;
    }
    for (entry& e : all_)
      if (e.kept == &s) e.kept = nullptr;
    s.reuse_.kept = false;
    return false;
  }
  // All; gone(schedule) for each that is not in use.
  template <class Gone>
  void forget(Gone&& gone) {
    for (entry& e : all_) {
      if (e.kept == nullptr) continue;
      e.kept->reuse_.kept = false;
      if (!e.kept->reuse_.in_use) gone(e.kept);
      e.kept = nullptr;
    }
  }

 private:
  struct entry {
    same_call call;
    std::uint64_t areas = 0;
    schedule* kept = nullptr;
    bool by_lists = false;
    std::vector<std::int64_t> lists;  // call_lists
  };
  static bool is_in_use(const entry& e) { return e.kept != nullptr && e.kept->reuse_.in_use; }
  // Two: what is done on a dozen communicators by turns has room beside another such call.
  std::span<entry, 2> places_of(const same_call& c, std::uint64_t areas) {
    const auto bits = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
    std::uint64_t mixed = bits(c.send) ^ bits(c.receive) << 8 ^ static_cast<std::uint64_t>(c.receive_count);
    mixed ^= static_cast<std::uint64_t>(c.what) << 48;
    // Roots and communicators that take turns have places beside each other.
    const std::uint64_t place =
        ((mixed * 0x9e3779b97f4a7c15u) >> 59) + static_cast<std::uint32_t>(c.root) + areas;
    return std::span<entry, 2>(&all_[2 * (place % pairs)], 2);
  }
  static constexpr std::size_t pairs = 32;
  std::array<entry, 2 * pairs> all_{};
};

}  // namespace loadstone::coll
