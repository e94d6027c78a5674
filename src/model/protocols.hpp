// What each protocol of p2p/ has to cost on a machine, and what became of it.
//
//   limit           a line is handed over, and the data crosses once, by one core or by two,
//                   whichever is quicker: less no protocol can do with memory that both processes
//                   reach
//   prediction      the steps of the protocol, each at the cost of the basic transfer that it is
//                   made of
//   implementation  prediction / measured: what our code adds to the steps of the protocol
//   protocol        limit / prediction: what the steps of the protocol add to the bare transfer
//   communication   limit / measured: the product of the two
#pragma once

#include <cstdint>
#include <string_view>

#include "model/machine.hpp"

namespace loadstone::model {

struct protocol_settings {
  bool both_sides = false;        // large messages may be copied by both sides
  std::int64_t pipeline_lag = 1;  // bytes by which the second copy of the pipeline is behind the first
};

// One-way microseconds of a message whose receive is posted, from MPI_Send until the data is in
// place and known to be. `protocol`: short, eager, direct, single_copy, both_sides, at_once, begun,
// pipelined, as the library's performance variables messages_… call them. 0: the model does not
// know the protocol, or the machine refuses what it needs.
double predict(const machine& here, std::string_view protocol, std::int64_t bytes,
               const protocol_settings& with);

double limit(const machine& here, std::int64_t bytes);

struct efficiencies {
  double implementation, protocol, communication;  // 1 is all; 0: not known
};
efficiencies judge(double limit, double predicted, double measured);

// The size from which `late` stays cheaper than `early`, by the times at rising sizes: between the
// last size at which it is not and the next, on the line between them. -1: never; the first size:
// always.
struct timed {
  std::int64_t bytes;
  double early, late;
};
std::int64_t crossing(const timed* points, std::size_t n);

}  // namespace loadstone::model
