// Which way a message takes. Decided once by its sender, from its size, where its data lies, how
// its peer can be reached, who waits, what copying there has cost, and the settings; and, for an
// offer, once by its receiver, who knows both ends. A way that turns out to be barred hands what is
// left to the next one here, and is not asked again.
//
// A large message is open until both ends wait (decision 019): a non-blocking end says when it
// begins to wait (wait_begins), a sender in its record. A transfer that nobody has begun goes by
// cells then. Who waits first gives the other end a moment (gives_time); a receiver that does not
// wait asks for help, and leaves its own part to its next call. Who waits for something else waits
// for all that is open, and until the end of what has begun to go by cells (wait_until).
//
//   sender    self         to this process                                         self.hpp
//             eager        up to eager_limit: the message with its envelope        eager.hpp
//             at once      below a block, or one that is waited for                pipeline.hpp
//             advert       the receiver has told of its receive                    adverts.hpp
//             offer        the rest                                                rendezvous.hpp
//   receiver  pipeline     both ends wait for it, and cells are quicker 2 copies   pipeline.hpp
//             both sides   one block on either side                     1, by both shared_copy.hpp
//             direct       the data lies in the sender's arena          1          shared_copy.hpp
//             single copy  process_vm_readv is allowed for this pair    1          shared_copy.hpp
//             push         the receive buffer is one block in our arena 1          shared_copy.hpp
//             pipeline     always                                       2          pipeline.hpp
#pragma once

#include "model/protocols.hpp"
#include "p2p/peer_costs.hpp"
#include "p2p/requests.hpp"

namespace loadstone::p2p {

// A receive that is posted, and its message: what decides how the data moves.
struct transfer {
  std::int64_t bytes;
  std::uint32_t wish;  // the sender's (enum pipeline_wish)
  bool waits;          // the receiver
  bool patient;        // it gives a sender that does not wait yet a moment to begin
  bool mapped;         // its peer's memory, where it is in an arena
  bool kernel;         // process_vm_* is allowed
  bool theirs_in_arena, theirs_named, theirs_one_block;
  bool ours_in_arena, ours_one_block;
};

// The way of a message in one piece, before anything has been learnt of its peer: what copies have
// cost may make it another one later (copy_costs.hpp). The receive is posted.
struct first_way {
  model::way which;
  const char* because;
};
first_way first_way_of(const limits& l, std::int64_t bytes, const model::reach& between);

class choice final : context, public way {
 public:
  enum of_receiver : std::uint8_t {
    pipelined_by_wish,
    both_sides,
    direct,
    single_copy,
    push,
    pipelined_at_last,
    not_yet  // decided again at the next poll
  };
  // What goes through cells of a transfer that both ends would copy.
  enum class part : std::uint8_t { nothing, all, later };

  explicit choice(const context& c) : context(c) {}

  void send(message_request* r, send_mode mode, tried found);

  // The owner stays in the library from now on until it is complete.
  void wait_begins(message_request* r);
  // Until that is true. False: the job is being stopped.
  bool wait_until(wait::condition done, const wait::reason& why) {
    // Each costs every wait a nanosecond.
    constexpr std::size_t most_served = 32;
    if (const std::size_t open = live.open().size(); open == 0 || open > most_served) [[likely]]
      return endpoint.wait_until(done, why);
    return wait_beside_open(done, why);
  }
  // Of a transfer that both ends may copy, and nobody has begun to.
  part through_cells(message_request* r);  // receiver
  // A receiver that waits moves it now, the way its sender wishes: what that has found quicker, or
  // tries.
  void follow(message_request* r) { follow(r, records.wish_of(r->process, r->theirs.at)); }
  // Sender: does it leave that to its receiver, which waits or may be about to?
  bool leaves_it(message_request* r, bool receiver_waits) const;

  // A receive has been matched by an offer: in a handler,
  void matched(message_request* r);
  void move(message_request* r);  // and outside
  void step(message_request* r) override { move(r); }
  // This way cannot go on: the rest by another.
  void bar(message_request* r, of_receiver which) {
    r->barred |= static_cast<std::uint8_t>(1u << which);
    move_on(r);
  }

  // `barred`: bits of ways that have been tried.
  static of_receiver of(const transfer& t, const limits& config, std::uint8_t barred);
  static part cells_of(const transfer& t, const limits& config);

 private:
  bool wait_beside_open(wait::condition done, const wait::reason& why);
  void come_in();
  bool may_go();
  bool goes_by_cells(const message_request* r) const;
  void follow(message_request* r, std::uint32_t wish);
  bool may_leave_at_once(const message_request* r) const;
  std::uint32_t wish_of(message_request* r);
  static bool gives_time(message_request* r);
  transfer describe(message_request* r, memory::address* ours) const;
  void move_on(message_request* r);

  std::uint32_t waiting_ = 0;  // threads of ours, beside what is open
};

}  // namespace loadstone::p2p
