// What a transport is: a way to move messages and data between this process and those peers that it
// serves. Which of them serves a peer is known to routes.hpp alone.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/status.hpp"
#include "memory/job.hpp"
#include "transport/arrived_cell.hpp"
#include "transport/choice.hpp"
#include "transport/lane.hpp"
#include "transport/outgoing.hpp"
#include "transport/peer_memory.hpp"

namespace loadstone::transport {

// What a process brings to all its transports.
struct setup : settings {
  memory::job& job;
  peer_memory& memory;
  std::uint8_t offer_handler = 0;  // of the message that offers a line or a ring: calls accept()
  bool threads = false;            // payload is published to us when all of it is there; no rings
  bool may_attend = false;         // whether stores to us need no fence while we are awake
  // How often a sender polls a full lane for a slot before it takes another; 0 where its reader
  // may need our core, which is let run once instead.
  std::uint32_t patience = 0;
};

// The pieces of a strided or indexed layout: calls the function for each, with where it lies beyond
// the remote address, where it lies here, and how long it is.
struct some_pieces {
  void operator()(auto&& piece) const {
    piece(std::ptrdiff_t{}, static_cast<std::byte*>(nullptr), std::size_t{});
  }
};

// Deposits: what is put is there after the fence, and not before. Local buffers: any memory.
template <class S>
concept stores = requires(S s, memory::address remote, std::byte* local, const std::byte* source,
                          std::size_t bytes, const some_pieces& pieces, std::uint32_t peer) {
  { s.put(remote, source, bytes) } -> std::same_as<base::status>;
  { s.get(local, remote, bytes) } -> std::same_as<base::status>;
  { s.put_pieces(remote, pieces) } -> std::same_as<base::status>;
  { s.get_pieces(remote, pieces) } -> std::same_as<base::status>;
  { s.fence(peer) } -> std::same_as<base::status>;
  { s.fence_all() } -> std::same_as<base::status>;
  { s.map(remote.region) } -> std::same_as<memory::pin>;  // nothing, where there is no such thing
};

template <class T>
concept transport = requires(T t, std::uint32_t peer, const outgoing& message, some_taker take, slot& arrived,
                             const bool* stop) {
  { t.properties() } -> std::same_as<traits>;
  // Messages; Take: some_taker. What payload of a message lies in a cell is open until
  // arrived().close() or forget(); null: its sender has no such cell.
  { t.send(peer, message) } -> std::same_as<send_result>;
  { t.poll(take) } -> std::same_as<bool>;        // a bounded number; true if there were any
  { t.poll_front(take) } -> std::same_as<bool>;  // one of them, if it is there
  { t.payload_of(arrived, peer) } -> std::same_as<arrived_cell*>;
  { t.arrived() } -> std::same_as<arrived_cells&>;
  { t.stores() } -> stores;
  // Flow control. search(): offers what peers keep for us (user class) again, until *stop.
  { t.refuse(true) };
  { t.search(peer, take, stop) };
  { t.starved() } -> std::same_as<std::optional<std::uint32_t>>;
  { t.ask_for_memory() } -> std::same_as<bool>;
  // Sleeping (models/sleep.pml). arm(): whoever stores from here on wakes us, or the sleep is
  // short. Nothing: there is something to look at; otherwise the longest sleep allowed.
  { t.arm() } -> std::same_as<std::optional<std::chrono::nanoseconds>>;
  { t.wake(peer) };
};

}  // namespace loadstone::transport
