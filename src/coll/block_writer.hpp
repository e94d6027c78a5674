// Writes what is done with blocks of a root that may be too long for a slot (vectors.cpp): such a
// one is a message, and the slot says so.
#pragma once

#include "coll/area_writer.hpp"

namespace loadstone::coll {

class block_writer {
 public:
  explicit block_writer(area_writer& w) : w_(w) {}

  // In place of area_writer::put(): our block is sent.
  void put_none() {
    uses_slots();
    w_.add(schedule::action::put_none);
  }
  // A block for each, behind a list of where they begin; at 0: it is sent.
  void put_room(std::int64_t bytes) {
    uses_slots();
    w_.add(schedule::action::put_room, areas::nobody, static_cast<std::int32_t>(bytes));
  }
  void put_block(std::int32_t to, buffer data, std::int64_t at) {
    steps()[w_.add(schedule::action::put_block, to, static_cast<std::int32_t>(at))].data = data;
  }

  // What is expected to be sent is received before its giver has said so: returns that step, which
  // is 0 for what is not.
  std::size_t receive(std::int32_t from, buffer to) {
    w_.b_.receive(w_.team_, from, to);
    return steps().size() - 1;
  }
  // Until it is known that it lies in the slot, or until it has come.
  void hear(std::int32_t from, std::size_t received) {
    w_.hear(from);
    if (received != 0) steps().back().number = static_cast<std::int32_t>(received);
  }
  // `listed`: from a slot that has a block for each.
  void take(std::int32_t from, buffer to, std::size_t received, bool listed) {
    const auto step = received != 0 ? static_cast<std::int32_t>(received) : -1;
    schedule::step& s = steps()[w_.add(schedule::action::take_or_not, from, step)];
    s.target = to;
    s.phase = listed ? 1 : 0;
    if (received == 0) w_.b_.receive(w_.team_, from, to);
  }

 private:
  std::vector<schedule::step>& steps() { return w_.b_.s_.steps_; }
  void uses_slots() { w_.b_.s_.there_.uses_slots = true; }

  area_writer& w_;
};

}  // namespace loadstone::coll
