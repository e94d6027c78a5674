#include "rma/choice.hpp"

#include "model/machine.hpp"

namespace loadstone::rma {

// What is not known of the machine stays what it is of others. The two copies of a hand-over are
// those of pieces that follow each other through more memory than a core has cache for itself.
costs costs_of(const model::machine& here) {
  constexpr std::int64_t some = 64 * 1024, much = 4 << 20;
  constexpr double ns = 1e3;
  costs c;
  const auto known = [](double* to, double figure) {
    if (figure > 0) *to = figure;
  };
  known(&c.call, here.call * ns);
  known(&c.piece, here.piece * ns);
  if (here.vm.known()) known(&c.kernel, some / ns / (here.vm.at(some) - here.call));
  known(&c.copy, std::min(here.put.rate(much), here.get.rate(much)));
  known(&c.fold, here.fold > 0 ? 1.024 / here.fold : 0);
  known(&c.wake, here.wake * ns);
  return c;
}

}  // namespace loadstone::rma
