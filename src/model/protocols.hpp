// What each way to move a message has to cost on a machine, which of them is the quickest, and what
// became of it.
//
//   limit           a line is handed over, and the data crosses once, by one core or by two,
//                   whichever is quicker: less no protocol can do with memory that both processes
//                   reach
//   prediction      the steps of the way, each at the cost of the basic transfer that it is made of
//   implementation  prediction / measured: what our code adds to the steps of the protocol
//   protocol        limit / prediction: what the steps of the protocol add to the bare transfer
//   communication   limit / measured: the product of the two
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/machine.hpp"
#include "model/thresholds.hpp"

namespace loadstone::model {

enum class way : std::uint8_t {
  short_message,  // with its envelope in one slot
  eager,          // through a cell or the pair buffer, without asking
  at_once,        // the same as one block that both ends wait for
  pipelined,      // through cells block by block, asked for
  single_copy,    // asked for, and copied by the receiver with process_vm_readv
  both_sides,     // the same, a half by each side
  direct,         // the data lies where the receiver can map it: the receiver copies
  direct_both,    // both buffers do: each copies a half
  push,           // the receive buffer does: the sender copies
  advert,         // the sender has been told of the receive, and fills it alone
};
inline constexpr std::size_t ways = 10;

std::string_view name_of(way w);      // "both sides"
std::string_view protocol_of(way w);  // as the library's performance variables messages_… call it

// Where the two ends are, and where their buffers lie.
struct reach {
  bool kernel = true;          // process_vm_readv and process_vm_writev between them are allowed
  bool source_mapped = false;  // the receiver can map the sender's buffer,
  bool target_mapped = false;  // the sender the receiver's
  bool cores = true;           // each has a core: what two can do at the same time takes half
  bool both = true;            // both may copy a half
  bool waits = true;           // both are in blocking calls until the message is through
  // The receive was posted early, by a call that does not wait, and names source and tag.
  bool told = false;
};

// What fits, by the layout of slots and cells. No size at which the library changes its way stands
// here.
struct bounds {
  std::int64_t most_short = 80, most_eager = 256 * 1024;
  std::int64_t least_followed = 4096;  // shorter payload is copied in before anybody reads it
};

// One-way microseconds of a message whose receive is posted, from MPI_Send until the data is in
// place and known to be. 0: this way is not possible (why_not), or the machine refuses what it
// needs.
double predict(way w, std::int64_t bytes, const machine& here, const reach& between, const bounds& fits = {});
// What a protocol of the performance variables takes: the quickest of its ways.
double predict(std::string_view protocol, std::int64_t bytes, const machine& here, const reach& between);
// Why predict() is 0, a few words; empty if it is not.
std::string_view why_not(way w, std::int64_t bytes, const machine& here, const reach& between,
                         const bounds& fits = {});

// All ways, the quickest first; those that are not possible, at the end, have time 0.
struct candidate {
  way which;
  double time;
};
std::array<candidate, ways> choose(std::int64_t bytes, const machine& here, const reach& between,
                                   const bounds& fits = {});

// What the model says of the sizes at which the library changes its way.
thresholds thresholds_of(const machine& here, const bounds& fits = {});

double limit(const machine& here, std::int64_t bytes);

struct efficiencies {
  double implementation, protocol, communication;  // 1 is all; 0: not known
};
efficiencies judge(double limit, double predicted, double measured);

// The size from which on `late` is cheaper than `early`, from their times at rising sizes:
// interpolated between the last size at which it is not cheaper and the next. -1: there is none.
// The first size: it always is.
struct timed {
  std::int64_t bytes;
  double early, late;
};
std::int64_t crossing(const timed* points, std::size_t n);

}  // namespace loadstone::model
