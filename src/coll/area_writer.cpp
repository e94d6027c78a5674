#include "coll/area_writer.hpp"

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
  a.keep_place();
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
  b_.s_.uses_slots_ = true;
  b_.add(schedule::action::put).data = data;
}

void area_writer::publish(std::int32_t to) {
  add(schedule::action::publish, to);
}

void area_writer::hear(std::int32_t from) {
  b_.s_.uses_slots_ = true;
  add(schedule::action::hear, from);
}

void area_writer::hear_below(std::int32_t rank) {
  if (rank > 0) add(schedule::action::hear, areas::nobody, rank);
}

void area_writer::everybody() {
  if (!crowded()) {
    publish();
    hear();
    return;
  }
  arrive();
  let_go();
  others_go_on();
  be_let_go();
  all_go_on();
}

void area_writer::take(std::int32_t from, buffer to) {
  take_part(from, -1, to);
}

void area_writer::take_part(std::int32_t from, std::int32_t part, buffer to) {
  schedule::step& s = b_.add(schedule::action::take, from, part);
  s.target = to;
}

void area_writer::combine(std::int32_t above, const operand& o, void* result, std::int64_t first,
                          std::int64_t put, bool started) {
  const auto number = static_cast<std::int32_t>(first);
  const auto take_elements = [&](std::int32_t from, void* to) {
    schedule::step& s = b_.add(schedule::action::take, from, number);
    s.phase = 1;
    s.data = {nullptr, put, &o.type};
    s.target = o.at(to);
  };
  if (!started) take_elements(--above, result);
  // An operation wants its operands as the type has them.
  void* const unpacked = above > 0 && !o.type.contiguous() ? b_.scratch(o.count, o.type) : nullptr;
  while (above-- > 0) {
    if (unpacked != nullptr) {
      take_elements(above, unpacked);
      b_.reduce(unpacked, result, o.count, o.type, o.op);
      continue;
    }
    schedule::step& s = b_.add(schedule::action::fold, above, number);
    s.data = {nullptr, put, &o.type};
    s.target = o.at(result);
    s.op = &o.op;
  }
}

exchange_work& area_writer::exchange() {
  b_.s_.joint_ = schedule::joint::exchange;
  b_.s_.exchange_.open(team_.size);
  return b_.s_.exchange_;
}

edge_work& area_writer::edges(bool moves) {
  b_.s_.joint_ = schedule::joint::edges;
  b_.s_.edges_.open(moves);
  return b_.s_.edges_;
}

reduction_work& area_writer::reduction() {
  b_.s_.joint_ = schedule::joint::reduction;
  return b_.s_.reduction_;
}

void area_writer::offer() {
  b_.s_.uses_slots_ = true;
  add(schedule::action::offer);
}

void area_writer::work() {
  work_ = add(schedule::action::work);
}

void area_writer::collect() {
  add(schedule::action::collect);
}

void area_writer::stage(buffer data) {
  b_.s_.uses_slots_ = true;
  b_.add(schedule::action::stage).data = data;
}

void area_writer::unless_staged(std::int32_t by) {
  unless_staged_ = add(schedule::action::unless_staged, by);
}

void area_writer::unstage(std::int32_t from, buffer to) {
  b_.add(schedule::action::unstage, from).target = to;
}

void area_writer::rounds() {
  const auto n = static_cast<std::int32_t>(wait::flag_barrier::rounds(team_.size));
  for (std::int32_t k = 0; k < n; ++k) {
    add(schedule::action::tell, areas::nobody, k);
    add(schedule::action::be_told, areas::nobody, k);
  }
}

void area_writer::arrive() {
  arrived_ = add(schedule::action::arrive);
}

void area_writer::answer(buffer data) {
  b_.add(schedule::action::answer).data = data;
}

void area_writer::let_go(std::int32_t whom) {
  add(schedule::action::let_go, whom);
}

void area_writer::others_go_on() {
  last_ = add(schedule::action::go_on, areas::all);
  lead_here(arrived_);
}

void area_writer::be_let_go() {
  add(schedule::action::be_let_go);
}

void area_writer::all_go_on() {
  lead_here(last_);
}

}  // namespace loadstone::coll
