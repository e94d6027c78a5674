// A schedule: one collective operation of one process, as a list of steps. A step is a message,
// local work (copy, reduce), a wait for all messages so far, or something done in the areas that
// the members share (areas.hpp). A schedule is a request like any other, so blocking, non-blocking
// and persistent calls share it. `builder` writes one, `engine` runs it.
//
//   receive 0 <- child   \  posted in order, complete in any order
//   receive 1 <- child   /
//   wait
//   reduce, reduce          local work runs where it stands
//   send    -> parent
//
// It advances when its messages complete, inside their completion callbacks. While it waits for a
// word in an area, whoever waits for it looks there, and with those in the background every poll.
// An error does not stop it, because other processes would hang: the first error is kept, and
// reported at completion. Reduction functions of the user are called only by threads of the
// program: when the progress thread comes to one, it leaves the schedule to such a thread.
//
// Matching: all messages of one schedule between two processes are posted in the same order on both
// sides, and each collective has a tag range of its own (signature.hpp). So messages of different
// schedules on one communicator never match each other, and a persistent one may be started again
// while a slower process still executes the round before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/areas.hpp"
#include "coll/kept_definitions.hpp"
#include "coll/messenger.hpp"
#include "coll/missing.hpp"
#include "coll/scratch.hpp"
#include "coll/signature.hpp"
#include "coll/staying.hpp"
#include "datatype/op.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll {

// The schedules that wait for words in areas, while nobody waits for them.
class lookers {
 public:
  void open(deposit::endpoint& endpoint) { endpoint_ = &endpoint; }
  void reserve(std::size_t schedules) { all_.reserve(schedules); }
  void add(schedule& s);
  void remove(schedule& s);

 private:
  void look();

  deposit::endpoint* endpoint_ = nullptr;
  std::vector<schedule*> all_;
  bool looking_ = false;
};

class schedule final : public p2p::request {
 public:
  explicit schedule(messenger& messages) : request(p2p::request_kind::collective), messages_(messages) {}
  ~schedule() override { clear(); }

  bool active() const { return active_; }

 private:
  friend class builder;
  friend class engine;
  friend class disagreements;
  friend class schedule_line;
  friend class area_writer;
  friend class block_writer;
  friend class last_comer;
  friend class lookers;
  friend class repeats;

  enum class action : std::uint8_t {
    send,
    receive,
    reduce,
    wait,
    last_with_messages = wait,  // has_messages()
    copy,
    // The areas are made (area_writer.cpp).
    meet,
    decide,
    go_on,   // with step `number`; `peer` nobody: if the areas have met before
    choose,  // the same if there are none; `phase` 1: or if buffers are not reached
    // In them. `peer`: a rank, areas::all, or areas::nobody.
    begin,
    put,      // into our own slot
    publish,  // to `peer`
    hear,     // wait until all, that one, or the first `number` have published, or until what step
              // `number` receives from that one has come
    take,     // from the slot of `peer`: all (-1), or part `number` of as many as there are members;
              // `phase` 1: from element `number` on, of as many as `data` has
    // Of blocks that may be too long for a slot, and come as messages then.
    put_none,     // our slot says that
    put_room,     // of `number` bytes, for a list of blocks
    put_block,    // the one of `peer`, from byte `number` on; 0: it comes as a message
    take_or_not,  // what is not in the slot of `peer`, the next step receives, or step `number` does
                  // already; `phase` 1: our block in a list
    fold,         // elements like these are the lower operand of a reduction; `phase` 1: the higher one
                  // is in the slot of the next rank
    tell,         // flag `number` of a barrier
    be_told,
    arrive,  // unless we are the last, goes on with step `number`
    answer,  // into the slot of `peer`
    let_go,
    be_let_go,
    // Along the levels of the machine (levels.hpp). `phase` 1: on the way back from the root.
    pass,       // our slot is made known to those that `reader` names
    reader,     // `peer`, who is woken
    be_passed,  // wait until `peer` has
    // Of data that stays where it is (joint.hpp).
    offer,
    work  // goes on with step `number` if a member has no memory
  };
  // When its owner waits for it, and does nothing else meanwhile.
  enum class waited : std::uint8_t {
    from_start,  // by the call that has started it
    not_yet,     // that call has returned, and others may make it advance
    now,         // with others
    alone        // by a call that looks for what it waits for
  };
  struct step {
    action what;
    std::uint8_t phase;  // added to the tag
    std::int32_t peer;
    std::int32_t number;  // see above
    schedule* owner;
    p2p::scope* where;
    p2p::buffer data;    // sent, received into, copied from; reduce: the lower operand
    p2p::buffer target;  // copied to; reduce, fold: the result
    const void* higher;  // reduce, fold: an operand
    const datatype::op* op;
    p2p::request* request;
  };
  // When its members are asked what they do (disagreement.hpp).
  struct question {
    std::uint64_t context = 0;
    std::uint32_t number = 0;  // of the collective
    std::uint64_t at = 0, gap = 0;
    std::uint64_t deaths_at = 0;  // when to look again whether those it waits for live
  };
  // How far it is in its areas.
  struct in_areas_now {
    bool in_line = false;        // with the areas
    schedule* behind = nullptr;  // who follows there
    bool begun = false;          // its operation there
    bool uses_slots = false;     // and not only flags
    bool looking = false;        // polled
  };
  // Whose it is while nobody uses it.
  struct reuse {
    std::vector<schedule*>* idle = nullptr;  // where it goes when it completes and is abandoned
    bool kept = false;                       // for the same call (repeats.hpp),
    bool in_use = false;                     // and used at this moment
  };

  void start(bool in_background);
  // The blocking form of one that works in areas. True: it is over, as it had to wait for nothing;
  // false: it has been started.
  bool run_at_once();
  void be_collective(std::uint32_t number);  // the n-th one of its communicator, as it is
  bool small() const { return scratch_.small(); }
  void advance();
  // How far it has come; of use to who waits for it only.
  std::array<std::uint64_t, 3> near() const {
    return {cursor_, static_cast<std::uint64_t>(staying_.parts_done(*areas_)),
            missing_members(*areas_).near()};
  }
  void copy(const step& s);
  // steps.cpp
  [[gnu::always_inline]] bool in_areas(const step& s);  // false: it has to wait
  // A step that sends, receives, waits for messages, or may be left to another thread with them.
  static constexpr bool has_messages(action what) { return what <= action::last_with_messages; }
  bool go_on_without_messages();  // up to such a step, or the end; false: it has to wait
  void put(std::int32_t in_slot_of, const p2p::buffer& data);
  void put_block(const step& s);
  void take(const step& s);
  bool has_received(const step& s) const {  // what another step receives
    return s.number >= 0 && steps_[static_cast<std::size_t>(s.number)].request == nullptr;
  }
  void take_or_not(const step& s);
  bool fold(const step& s);  // false: left to a thread of the program
  bool offer();
  bool work(const step& s);  // false: it has to wait, or is left to a thread of the program
  void meet(const step& s);
  void look_later();
  void look_no_more();
  void rewind(waited how);
  void be_active();
  void join_line();
  // Of one that its owner does not wait for in the call that has started it, or not to its end.
  void hold_scopes();
  void abandon();
  void leave_background();
  void post(step& s);
  void absorb(p2p::request& r);
  void give_up(std::int32_t error);  // cancels what is outstanding, and does no further step
  void finish();
  void release_parts();  // gives up types, operations and large scratch memory
  void clear();          // back to an empty schedule that may be built again
  static void on_message(p2p::request& r, void* context);
  static void resume(void* self);

  messenger& messages_;
  std::vector<step> steps_;
  scratch_memory scratch_;
  kept_definitions definitions_;
  p2p::scope* scopes_[2] = {nullptr, nullptr};  // kept in use while active and not waited for
  reuse reuse_;
  areas* areas_ = nullptr;            // that it works in, or would, if there were any
  std::unique_ptr<areas> own_areas_;  // of a persistent one
  lookers* lookers_ = nullptr;        // those that poll
  in_areas_now there_;
  staying_work staying_;
  // The message whose completion callback called advance(). It is in use by its caller, so it is
  // freed at the next one.
  p2p::request* spent_ = nullptr;
  std::size_t cursor_ = 0;
  std::size_t pending_ = 0;
  std::uint32_t number_ = 0;  // of the collective, in its communicator
  signature does_;
  question question_;
  std::int32_t error_ = 0;
  bool active_ = false;
  bool given_up_ = false;   // this time: others do something else
  bool advancing_ = false;  // in advance(): posting a message may complete another one of this schedule
  bool abandoned_ = false;  // destroyed by its owner while active
  bool left_ = false;       // left to a thread of the program, which goes on with it
  waited waited_ = waited::from_start;
};

}  // namespace loadstone::coll
