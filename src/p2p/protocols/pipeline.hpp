// Pipeline: the sender packs blocks into its cells, the receiver unpacks them; a bounded number is
// on its way.
//
//   at once     the message is one block, and leaves as an eager message does, without an offer
//   pipelined   blocks leave when the receiver asks
//
// Condition: none. It is what is left when nothing else is allowed (process_vm_* refused, layouts
//            too fine, transports that do not map), and the way of choice up to pipeline_limit,
//            when both ends wait for the message, as long as the sender finds it quicker
//            (copy_costs.hpp).
// Copies:    2, overlapped. A receiver with one thread follows within a block, too.
// Cost:      cells of two blocks; an ack for each but the last. Nothing of the kernel's cost for a
//            page, which is why two copies can be quicker than one.
// Model:     a line and two copies (model::way::at_once); pipelined: three lines, for offer and
//            clearance (model::way::pipelined).
//
// A receiver asks one sender for one message at a time that is longer than the two blocks which may
// be on their way: so the blocks of both directions find room in cells that are passed to and fro
// (transport/passed_cells.hpp).
//
// The sender never waits for a cell: when there is none and nothing of this transfer is on its way
// that would bring an ack, it sends as much as fits a slot (which cannot be refused) and tries
// again when that has been acknowledged.
//
// Source: docs/decisions/005.
#pragma once

#include <array>
#include <vector>

#include "model/protocols.hpp"
#include "p2p/requests.hpp"

namespace loadstone::p2p {

class pipeline final : context, public way {
 public:
  // What it costs: these of model/protocols.cpp.
  static constexpr std::array modelled = {model::way::at_once, model::way::pipelined};

  explicit pipeline(const context& c);

  // --- sender ---
  bool start_at_once(message_request* r);  // false: no cell
  void step(message_request* r) override;  // sends what it may
  // --- receiver ---

  // Asks for [r->moved, r->until), or at the next poll, if that is not its turn yet (asked_from is
  // -1, and r->by asks again); what then happens is said to r->by.
  void ask(message_request* r);
  void start(message_request* r) {
    pipelined.count(r->until - r->moved);
    r->by = this;
    ask(r);
  }

  tally at_once, pipelined;

 private:
  friend struct context;
  void expect_block(const message_request* r);
  deposit::outcome send_block(message_request* r, std::int64_t bytes, bool acknowledge);
  void on_clear(const clearance& header, deposit::incoming&);
  void on_data(const data_header& header, deposit::incoming& message);
  void on_ack(const ack_header& header, deposit::incoming&);

  std::int64_t window() const { return 2 * block_; }
  bool is_long(std::int64_t bytes) const { return bytes > window(); }

  const std::int64_t block_;
  std::vector<bool> coming_;  // by process: a long receive has asked, and is not through
};

}  // namespace loadstone::p2p
