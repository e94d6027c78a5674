// Data of ordinary memory that its owner copies, while it waits in a call.
//
// Condition: the way is `system`, and the owner may help (choice.hpp).
// Cost: two copies, one behind the other by two processes; a message, and a look at its outcome.
//
// The origin writes a piece into memory of the job, offers it and sends a message, unless the owner
// has still to take notice of an earlier one: then it was in no call since. The owner claims what
// it finds offered, copies, and says so. An origin that has waited long enough takes its offer
// back, and does without. So nobody depends on the owner's next call, and whoever has claimed is at
// work.
//
// Accumulates are handed over in the same way. The owner changes the elements under the same locks
// as everybody (ranges.hpp): it takes them all without waiting, or declines. So whoever changes an
// element of ordinary memory has its lock, the owner and origins, and nothing else is needed to
// keep them apart. A long one is shared work: the origin takes the locks, and until it gives them
// back both change blocks of it, each its own (handed_change.cpp).
//
// The origin dies: what it had offered happens, or does not. The owner dies: who waits is told.
// Models: models/rma_handed.pml, rma_shared.pml.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/learned.hpp"
#include "base/round_up.hpp"
#include "copy/store_choice.hpp"
#include "datatype/op.hpp"
#include "deposit/endpoint.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "rma/choice.hpp"
#include "rma/collected.hpp"
#include "rma/engine.hpp"
#include "rma/handed_layout.hpp"
#include "rma/rooms.hpp"
#include "rma/window.hpp"
#include "wait/first_poll.hpp"

namespace loadstone::rma {

class asked;

// What an origin has for one target. Under the gate.
struct hand_end {
  hand_end(memory::arena& a, wait::first_poll f) : arena(a), first(f) {}
  // What the owner may still be told of stays where it is, for good.
  ~hand_end();
  memory::arena& arena;
  hand_place* place = nullptr;
  memory::address where{};
  std::uint64_t number = 0;                // of the last offer
  std::uint64_t offered[hand_slots] = {};  // in each slot, its word
  // Of one element. (What is copied takes too long for a poll to be in its way.)
  wait::first_poll first;
  base::learned taken;   // ns: small transfers that were handed over, also in vain
  bool busy = false;     // a thread uses it
  bool useless = false;  // the owner does not reach our memory
  bool untold = false;   // there was no room for the message
};

class handed {
 public:
  // `always`: even if that takes long.
  using rule = engine_config::owners;
  static constexpr double always_ns = 2e10;
  handed(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena, asked& windows, rule by,
         const costs& prices);
  handed(const handed&) = delete;
  handed& operator=(const handed&) = delete;

  // All under the gate. What is to carry this transfer?
  // (`seen->comes` is for the caller to say.)
  decision choose(target& t, const transfer& what, owner_seen* seen);
  // How long the owner's copying thread is waited for, in ns; and whether it has come.
  double patience_for_thread(const decision& d) const {
    return rule_ == rule::thread ? always_ns : rma::patience_for_thread(d, costs_);
  }
  void learn_of_thread(target& t, bool came);
  // It has been carried so; or it was handed over, in vain, and has been carried by a call.
  void learn(const target& t, const decision& d, const owner_seen& seen);
  // Moves packed bytes from `*done` on, up to what is then `*done`, as far as the owner comes; the
  // rest is for another carrier. What it may find wrong: the owner has died.
  trouble move(window& w, const place& at, const local_data& here, const remote_data& there, bool get,
               const decision& d, const owner_seen& seen, std::int64_t* done);
  // False: not done.
  bool put(window& w, target& t, const collection& all, const decision& d, const owner_seen& seen,
           trouble* failed);
  // Accumulates (handed_change.cpp). As accumulate_ways.hpp has them; the gate is held. Of one
  // element; false: nothing has been done, by another way.
  bool change_one(window& w, const place& at, const local_data* origin, const local_data* result,
                  const remote_data& where, datatype::op_kind op, const decision& d, const owner_seen& seen,
                  trouble* failed);
  // Of any, in pieces. What the owner leaves is changed by the system's calls, with the gate open.
  // `rest`: all of it, and what is left when the owner does not come any more.
  trouble change(window& w, const place& at, const local_data* origin, const local_data* result,
                 const remote_data& where, datatype::op_kind op, const decision& d, const owner_seen& seen,
                 std::unique_lock<wait::gate>& hold, unchanged* rest);
  bool compare_and_swap(window& w, const place& at, const std::byte* in, const std::byte* compare,
                        std::byte* out, std::int64_t bytes, datatype::named_kind kind, const decision& d,
                        const owner_seen& seen, trouble* failed);
  // One element at `offset` of the target's part, if its owner stays: then there is nothing to
  // choose. `compare` null: an accumulate. False: nothing has happened, or somebody has died.
  bool change_at_once(window& w, target& t, std::int64_t offset, datatype::named_kind kind,
                      datatype::op_kind op, const void* in, const void* compare, void* out);
  // By both ends. The gate is not held.
  trouble share(window& w, const place& at, const local_data& origin, const remote_data& where,
                datatype::op_kind op, unchanged* rest);
  // Until owners have taken notice of all they were told. Before the last barrier of a window.
  // False: one of them has died.
  bool retire(window& w, const wait::reason& why);

 private:
  enum class end : std::uint8_t { none, done, back, declined, gone };
  class in_pieces;
  class sharing;
  decision always(const transfer& what, const owner_seen& seen);
  double patience_of(const decision& d, const owner_seen& seen) const {
    return rule_ == rule::always ? always_ns : patience(d, seen, costs_);
  }
  hand_end* end_of(target& t);
  bool thread_serves(target& t) const;
  // What an offer says besides where it is.
  struct piece_kind {
    hand_kind kind = hand_kind::put;
    datatype::op_kind op = {};
    datatype::named_kind of = {};
    bool fetches = false;
  };
  void store(std::byte* to, const std::byte* from, std::size_t bytes);
  void offer(window& w, target& t, std::uint32_t slot, memory::address where, std::uint32_t runs,
             const piece_kind& what, std::uint32_t data, std::uint32_t fetched = 0);
  trouble get_near(window& w, const place& at, const local_data& result, const remote_data& where,
                   const decision& d, const owner_seen& seen, std::int64_t* done);
  bool change_near(window& w, target& t, const piece_kind& what, const decision& d, const owner_seen& seen,
                   trouble* failed);
  bool take_back(hand_slot& s, std::uint64_t number) const;
  void call(const window& w, target& t);
  void tell(const window& w, target& t);
  // `first`: for what is near.
  end await(window& w, target& t, std::uint32_t slot, double patience, wait::first_poll* first = nullptr);
  // The owner (handed_owner.cpp).
  void serve(std::uint32_t source, const hand_call& call);
  const memory::pin* reach(memory::region_id region);
  hand_state carry_out(window& w, std::uint32_t source, hand_slot& s);
  void copy(window& w, const hand_slot& s, std::byte* room);
  static bool carry_out_near(window& w, hand_slot& s);
  void help(window& w, std::uint32_t source, const hand_slot& s, shared_work& work);

  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  asked& windows_;
  const rule rule_;
  const costs costs_;
  bool crowded_;
  base::learned call_;             // ns: small transfers by the system's call
  std::uint32_t transfers_ = 0;    // small ones
  std::uint32_t passed_over_ = 0;  // of them, since one was handed over
  double spent_ns_ = 0;            // beside owners that slept, since one was woken
  copy::store_choice stores_;      // into rooms
  rooms rooms_;
  std::unordered_map<std::uint64_t, memory::pin> origins_;  // regions that were offered, by name
  std::unique_ptr<std::byte[]> block_;                      // of shared work, as it was read
};

// What asked_place() and runs are about: behind them the data begins.
constexpr std::uint32_t whole_lines(std::size_t bytes) {
  return static_cast<std::uint32_t>(base::round_up(bytes, 64));
}
constexpr std::uint32_t behind_runs(std::size_t runs) {
  return whole_lines(runs * sizeof(asked_run));
}
trouble owner_gone();

}  // namespace loadstone::rma
