#include "coll/area_writer.hpp"

#include "coll/last_comer.hpp"
#include "coll/packed.hpp"
#include "wait/flag_barrier.hpp"

namespace loadstone::coll {

std::size_t area_writer::add(schedule::action what, std::int32_t peer, std::int32_t number) {
  b_.add(what, peer, number);
  return b_.s_.steps_.size() - 1;
}

void area_writer::lead_here(std::size_t step) {
  b_.s_.steps_[step].number = static_cast<std::int32_t>(b_.s_.steps_.size());
}

void area_writer::enter(areas& a) {
  b_.s_.areas_ = &a;
}

// Two rounds to member 0 and back: so either all come to a decision, or none does.
void area_writer::introduce(areas& a) {
  const std::size_t met = add(schedule::action::go_on, areas::nobody);
  constexpr auto each = static_cast<std::int64_t>(sizeof(area_introduction));
  const buffer where = bytes_at(b_.scratch_bytes(each * team_.size), each * team_.size);
  auto* const told = static_cast<area_introduction*>(const_cast<void*>(where.address));
  told[team_.rank] = a.introduce();
  allgather_by_root(b_, team_, where, each);
  b_.then();
  const buffer found = bytes_at(b_.scratch_bytes(team_.size), team_.size);
  auto* const ours = static_cast<std::byte*>(const_cast<void*>(found.address)) + team_.rank;
  *ours = std::byte{0};
  schedule::step& s = b_.add(schedule::action::meet);
  s.data = where;
  s.target = bytes_at(ours, 1);
  allgather_by_root(b_, team_, found, 1);
  b_.then();
  b_.add(schedule::action::decide).data = found;
  lead_here(met);
}

void area_writer::put(buffer data) {
  b_.s_.there_.uses_slots = true;
  b_.add(schedule::action::put).data = data;
}

void area_writer::publish(std::int32_t to) {
  add(schedule::action::publish, to);
}

void area_writer::hear(std::int32_t from) {
  b_.s_.there_.uses_slots = true;
  add(schedule::action::hear, from);
}

void area_writer::hear_below(std::int32_t rank) {
  if (rank == 0) return;
  b_.s_.there_.uses_slots = true;
  add(schedule::action::hear, areas::nobody, rank);
}

void area_writer::everybody(buffer own, buffer own_place) {
  if (!crowded()) publish();
  if (own.type != nullptr) b_.copy(own, own_place);
  if (!crowded()) return hear();
  last_comer last(*this);
  last.arrive();
  last.let_go();
  last.others_go_on();
  last.be_let_go();
  last.all_go_on();
}

void area_writer::take(std::int32_t from, buffer to) {
  take_part(from, -1, to);
}

void area_writer::take_part(std::int32_t from, std::int32_t part, buffer to) {
  schedule::step& s = b_.add(schedule::action::take, from, part);
  s.target = to;
}

void area_writer::take_elements(std::int32_t from, const operand& o, std::int64_t first, std::int64_t put,
                                void* to) {
  schedule::step& s = b_.add(schedule::action::take, from, static_cast<std::int32_t>(first));
  s.phase = 1;
  s.data = {nullptr, put, &o.type};
  s.target = o.at(to);
}

// An operation wants its operands as the type has them.
void* area_writer::room_for_lower(const operand& o) {
  return o.type.contiguous() ? nullptr : b_.scratch(o.count, o.type);
}

void area_writer::fold_slot(std::int32_t from, const operand& o, std::int64_t first, std::int64_t put,
                            void* room, std::optional<const void*> higher, void* result) {
  if (room != nullptr) {
    if (!higher) take_elements(from + 1, o, first, put, result);
    take_elements(from, o, first, put, room);
    b_.reduce(room, higher.value_or(result), result, o.count, o.type, o.op);
    return;
  }
  schedule::step& s = b_.add(schedule::action::fold, from, static_cast<std::int32_t>(first));
  s.phase = higher ? 0 : 1;
  s.higher = higher.value_or(nullptr);
  s.data = {nullptr, put, &o.type};
  s.target = o.at(result);
  s.op = &o.op;
}

void area_writer::combine(std::int32_t above, const operand& o, void* result, std::int64_t first,
                          std::int64_t put, std::optional<const void*> highest) {
  if (!highest) --above;
  if (above == 0) {
    if (highest) return b_.copy(o.at(*highest), o.at(result));
    return take_elements(0, o, first, put, result);
  }
  void* const room = room_for_lower(o);
  while (above-- > 0) {
    fold_slot(above, o, first, put, room, highest, result);
    highest = result;
  }
}

void area_writer::combine_group(std::span<const std::int32_t> group, const operand& o, const void* mine,
                                void* result) {
  void* const room = room_for_lower(o);
  const void* sum = result;
  for (std::size_t i = group.size(); i-- > 0;) {
    const std::int32_t one = group[i];
    const bool highest = i + 1 == group.size();
    if (one != team_.rank) be_passed(one);
    if (highest && one == team_.rank) {
      sum = mine;
      continue;
    }
    if (highest)
      take_elements(one, o, 0, o.count, result);
    else if (one == team_.rank)
      b_.reduce(mine, sum, result, o.count, o.type, o.op);
    else
      fold_slot(one, o, 0, o.count, room, sum, result);
    sum = result;
  }
  b_.copy(o.at(sum), o.at(result));  // of a group of one
}

void area_writer::pass_up(const levels::seat& at) {
  add(schedule::action::pass);
  add(schedule::action::reader, at.above);
}

void area_writer::pass_down(const levels::seat& at, bool back) {
  if (at.below.empty()) return;
  b_.add(schedule::action::pass).phase = back ? 1 : 0;
  for (auto group = at.below.rbegin(); group != at.below.rend(); ++group)
    for (const std::int32_t one : *group)
      if (one != team_.rank) add(schedule::action::reader, one);
}

void area_writer::be_passed(std::int32_t from, bool back) {
  b_.s_.there_.uses_slots = true;
  b_.add(schedule::action::be_passed, from).phase = back ? 1 : 0;
}

exchange_work& area_writer::exchange() {
  return b_.s_.staying_.exchange(team_.size);
}

edge_work& area_writer::edges(bool moves) {
  return b_.s_.staying_.edges(moves);
}

round_work& area_writer::reduction_in_rounds() {
  return b_.s_.staying_.rounds();
}

chain_work& area_writer::reduction_in_chain() {
  return b_.s_.staying_.chain();
}

stream_work& area_writer::streams(stream_work::form f) {
  return b_.s_.staying_.streams(team_.size, team_.rank, f);
}

reduction_work& area_writer::reduction() {
  return b_.s_.staying_.reduction();
}

void area_writer::offer() {
  b_.s_.there_.uses_slots = true;
  add(schedule::action::offer);
}

void area_writer::work() {
  work_ = add(schedule::action::work);
}

void area_writer::rounds() {
  const auto n = static_cast<std::int32_t>(wait::flag_barrier::rounds(team_.size));
  for (std::int32_t k = 0; k < n; ++k) {
    add(schedule::action::tell, areas::nobody, k);
    add(schedule::action::be_told, areas::nobody, k);
  }
}

void area_writer::answer(buffer data, std::int32_t in_slot_of) {
  b_.add(schedule::action::answer, in_slot_of).data = data;
}

}  // namespace loadstone::coll
