// Shared copy: one copy, from memory to memory, by whoever is there. The receiver reaches the
// sender's data where it is mapped (it lies in an arena) or by process_vm_readv, the sender the
// receive buffer likewise, and either copies what it can get:
//
//   direct       the receiver alone, out of the sender's arena, layouts included
//   single copy  the receiver alone, by the kernel; layout to layout by lists of blocks. A receive
//                layout of tiny blocks: into a small buffer that stays in the cache, unpacked from
//                there
//   both sides   the data is one block on both: it is cut into blocks that receiver and sender
//                claim (block_claims.hpp), so that two cores' bandwidth is used when both are in
//                the library. When the sender is not, the receiver claims them all
//   direct both  the same where each can map the other's buffer: the kernel is not asked
//   push         the sender alone, into the receiver's arena: blocks of which the receiver claims
//                none
//
// Nobody begins in a call that does not wait, but asks for help there. If both ends wait before
// anybody has begun, the receiver claims all blocks, and has them sent through cells.
//
// Which of them, and when none: choice.hpp. A message that is deposited into an advert
// (adverts.hpp) is moved by both sides, the sender first.
// Copies:    1.
// Cost:      alone: one mapping, kept in the resource cache, or a system call for each piece, and
//            one answer. Both: a message that asks for help, and one to whoever was not last.
// Model:     a line for each message, and one copy: of the kernel by one side or two
//            (model::way::single_copy, both_sides), from memory that can be mapped by one side or
//            two (direct, push, direct_both).
//
// A refusal of the system in the midst: the sender gives its block back; the receiver has the block
// it holds sent through cells, and goes on.
#pragma once

#include <array>

#include "p2p/choice.hpp"
#include "p2p/protocols/block_claims.hpp"

namespace loadstone::p2p {

class shared_copy final : context, public way {
 public:
  // What it costs: these of model/protocols.cpp.
  static constexpr std::array modelled = {model::way::single_copy, model::way::both_sides, model::way::direct,
                                          model::way::direct_both, model::way::push};

  explicit shared_copy(const context& c);
  ~shared_copy();

  // What each asks for. Both, unless one of them can map the other's buffer, and the kernel is too
  // slow to be a help for so little.
  static bool may_share(const transfer& t, const limits& config) {
    return config.both_sides != 0 && t.theirs_one_block && t.ours_one_block && t.mapped &&
           t.bytes >= least_shared && (t.theirs_in_arena || (t.theirs_named && t.kernel)) &&
           (t.ours_in_arena || !t.theirs_in_arena || kernel_helps(t));
  }
  static bool may_be_direct(const transfer& t) { return t.theirs_in_arena; }
  static bool may_be_by_kernel(const transfer& t) { return t.theirs_named && t.kernel && t.mapped; }
  static bool may_push(const transfer& t) { return t.ours_in_arena && t.mapped; }
  // Though both might: a sender that waits, or will.
  static bool rather_pushes(const transfer& t) {
    return !t.theirs_in_arena && !kernel_helps(t) && t.wish != pipeline_nothing;
  }

  // --- receiver: moves [r->moved, r->until), or has choice take another way ---
  void start_direct(message_request* r);
  void start_by_kernel(message_request* r);
  void start_both(message_request* r, const memory::address* ours);
  void start_push(message_request* r, const memory::address& ours);
  // The sender deposits into what it knows of us; `alone`: it copies it all.
  void start_deposited(message_request* r, bool alone);
  // What the sender may copy alone, if its receiver stays away: it is there.
  void wait_begins(message_request* r);
  // --- sender: the receive that it fills is known, and its step the next ---
  void fill(message_request* r);

  void step(message_request* r) override;
  void range_moved(message_request* r) override;

  tally direct, direct_both, pushed, single_copy, both_sides;
  std::uint64_t helped_bytes = 0;  // of messages sent: copied into the receiver's memory here

 private:
  friend struct context;
  static bool kernel_helps(const transfer& t) { return t.kernel && t.bytes >= least_helped_by_kernel; }
  struct space;      // where a copy by the kernel lists its pieces, and unpacks
  struct counters {  // where the blocks of a transfer are counted
    rendezvous_record* at = nullptr;
    std::uint32_t generation = 0;
    memory::pin pin;
  };
  counters counters_of(const message_request* r);
  bool ask_help(message_request* r, const memory::address* ours, bool with_us);
  bool pass_through_cells(message_request* r, block_claims& claims);
  void take_blocks(message_request* r);  // the receiver's part: every block it can get
  void give_blocks(message_request* r);  // the sender's
  void give_back(const message_request* r, std::int64_t from);
  deposit::reached take(message_request* r, const memory::pin& source, std::int64_t from, std::int64_t bytes);
  deposit::reached copy_by_list(message_request* r, const memory::pin& source);
  void copy_by_kernel(message_request* r, space& with);
  void end(message_request* r, std::int32_t error);
  void on_help(const help_header& header, deposit::incoming& message);
  void on_given_back(const given_back_header& header, deposit::incoming&);
  void on_pushed(const pushed_header& header, deposit::incoming&);

  space* spaces_ = nullptr;  // several are lent at once where a long copy lets other threads in
};

}  // namespace loadstone::p2p
