// Writes what the last member to come does for all, in areas whose members are counted: with fewer
// cores than members, who comes earlier had better leave its core to the others.
//
//   arrive()         counts us in; what follows is done by the last to come
//   let_go()
//   others_go_on()   what follows, the others do
//   be_let_go()
//   all_go_on()
#pragma once

#include "coll/area_writer.hpp"

namespace loadstone::coll {

class last_comer {
 public:
  explicit last_comer(area_writer& w) : w_(w) {}

  void arrive() { arrived_ = w_.add(schedule::action::arrive); }
  void let_go(std::int32_t whom = areas::all) { w_.add(schedule::action::let_go, whom); }
  void others_go_on() {
    last_ = w_.add(schedule::action::go_on, areas::all);
    w_.lead_here(arrived_);
  }
  void be_let_go() { w_.add(schedule::action::be_let_go); }
  void all_go_on() { w_.lead_here(last_); }

 private:
  area_writer& w_;
  std::size_t arrived_ = 0, last_ = 0;  // steps
};

// All have put something for the root. Others than it leave without waiting; what `work` writes is
// done by the last to come, or, with flags, by the root.
template <class Work>
void to_root(area_writer& w, last_comer& last, std::int32_t root, Work&& work) {
  const bool at_root = w.members().rank == root;
  if (!w.crowded()) {
    // What the root has put is for itself.
    if (!at_root) return w.publish(root);
    w.hear();
    return work();
  }
  last.arrive();
  work();
  last.let_go(at_root ? areas::nobody : root);
  last.others_go_on();
  if (at_root) last.be_let_go();
}

}  // namespace loadstone::coll
