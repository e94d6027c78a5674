// Short and eager: the message travels with its envelope in one active message.
//
// Condition: at most eager_limit bytes (direct_limit where the data lies in memory that the
//            receiver can map), and the endpoint has a cell.
// Copies:    short (fits one inbox slot): 1 in, 1 out. Eager: packed into a cell of the sender's,
//            unpacked from there straight into the receive buffer; a message that comes before its
//            receive stays in the cell: 2 copies either way. From 4 KiB on they overlap
//            (transport/cell_layout.hpp), but where the receiver has several threads. What goes by
//            turns needs no cell (transport/pair_buffer.hpp); unexpected, it is moved once more.
// Cost:      one slot, and for eager a cell that returns when the message is received.
// Model:     short: a line, and further lines behind it (model::way::short_message). Eager: a line
//            and two copies (model::way::eager).
//
// A synchronous send adds a record and is answered by `done` when it has been matched.
#pragma once

#include <array>
#include <cstring>

#include "model/protocols.hpp"
#include "p2p/requests.hpp"
#include "transport/outgoing.hpp"

namespace loadstone::p2p {

class eager final : context {
 public:
  // What it costs: these of model/protocols.cpp.
  static constexpr std::array modelled = {model::way::short_message, model::way::eager};

  explicit eager(const context& c);

  bool possible(const message_data& data, std::int64_t bytes, std::uint32_t process) const;
  // The request is complete, or waits for its answer. False: no cell.
  bool start(message_request* r, bool synchronous);
  deposit::outcome send(scope& where, const message_data& data, std::int64_t bytes, std::int32_t peer,
                        std::uint32_t process, std::int32_t tag, const message_request* answered,
                        tally* as = nullptr);
  // Without a request. False: nothing has been done; or, if base::missing(), it has left, could not
  // be read, and the request that is made next ends with that.
  bool send_short(scope& where, const buffer& data, std::int32_t peer, std::int32_t tag);
  tried send_now(scope& where, const buffer& from, std::int32_t peer, std::int32_t tag, send_mode mode);
  // The same for a message that has come, and not all of it could be read or copied.
  bool receive_now(scope& where, const buffer& data, std::int32_t source, std::int32_t tag, outcome* result);
  // Of a message that has come before: without a request, if it is here as a whole, short, and fits
  // one block. `listed`: it is still among the unexpected ones. False: nothing has been done.
  bool receive_kept(scope& where, arrival* a, const buffer& data, bool listed, outcome* result);

  void receive(message_request* r, arrival* a);  // matched: what has arrived whole, or nearly

  tally short_sent, sent;
  std::uint64_t no_cell = 0;  // attempts

 private:
  bool receive_short(const envelope& header, std::uint32_t source, const std::byte* payload,
                     std::size_t bytes);
  deposit::verdict on_message(deposit::incoming& message, bool queued);
  deposit::verdict on_other(deposit::incoming& message, bool queued);
  deposit::verdict on_unmatched(channel& from, const match_key& key, deposit::incoming& message,
                                std::uint32_t sequence, const answered_envelope* answered, bool queued);
  void deliver(message_request* r, const std::byte* payload, std::int64_t bytes, void* token);
  inline void end(message_request* r);

  const std::int64_t short_limit_;     // with its envelope in one slot
  const std::int64_t by_turns_limit_;  // of one that may find the pair line open
  std::uint32_t received_now_ = 0;     // calls of receive_now()
};

}  // namespace loadstone::p2p
