// A schedule: one collective operation of one process, as a list of steps. A step is a message,
// local work (copy, reduce), or a wait for all messages so far. A schedule is a request like any
// other, so blocking, non-blocking and persistent calls share it. `builder` writes one, `engine`
// runs it.
//
//   receive 0 <- child   \  posted in order, complete in any order
//   receive 1 <- child   /
//   wait
//   reduce, reduce          local work runs where it stands
//   send    -> parent
//
// It advances when its messages complete, inside their completion callbacks; it is not polled. An
// error does not stop it, because other processes would hang: the first error is kept, and reported
// at completion. Reduction functions of the user are called only by threads of the program: when
// the progress thread comes to one, it leaves the schedule to such a thread.
//
// Matching: all messages of one schedule between two processes are posted in the same order on both
// sides, and each collective has a tag range of its own (signature.hpp). So messages of different
// schedules on one communicator never match each other, and a persistent one may be started again
// while a slower process still executes the round before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/messenger.hpp"
#include "coll/signature.hpp"
#include "datatype/op.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll {

class schedule final : public p2p::request {
 public:
  explicit schedule(messenger& messages) : request(p2p::request_kind::collective), messages_(messages) {}
  ~schedule() override { clear(); }

  bool active() const { return active_; }

 private:
  friend class builder;
  friend class engine;
  friend class disagreements;

  enum class action : std::uint8_t { send, receive, copy, reduce, wait };
  struct step {
    action what;
    std::uint8_t phase;  // added to the tag
    std::int32_t peer;
    schedule* owner;
    p2p::scope* where;
    p2p::buffer data;    // sent, received into, copied from; reduce: the lower operand
    p2p::buffer target;  // copied to; reduce: the higher operand and the result
    const datatype::op* op;
    p2p::request* request;
  };
  // When its members are asked what they do (disagreement.hpp).
  struct question {
    std::uint64_t context = 0;
    std::uint32_t number = 0;  // of the collective
    std::uint64_t at = 0, gap = 0;
  };
  // A piece of the schedule's scratch memory. The first is kept when the schedule is recycled,
  // unless it is large.
  struct piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes, used;
  };

  void start();
  void advance();
  void copy(const step& s);
  void post(step& s);
  void absorb(p2p::request& r);
  void give_up(std::int32_t error);  // cancels what is outstanding, and does no further step
  void finish();
  void release_parts();  // gives up types, operations and large scratch memory
  void clear();          // back to an empty schedule that may be built again
  static void on_message(p2p::request& r, void* context);
  static void resume(void* self);
  std::byte* scratch(std::size_t bytes);

  messenger& messages_;
  std::vector<step> steps_;
  std::vector<piece> scratch_;
  std::vector<const datatype::type*> types_;
  std::vector<const datatype::op*> ops_;
  p2p::scope* scopes_[2] = {nullptr, nullptr};  // kept in use while active
  std::vector<schedule*>* idle_ = nullptr;      // where it goes when it completes and is abandoned
  // The message whose completion callback called advance(). It is in use by its caller, so it is
  // freed at the next one.
  p2p::request* spent_ = nullptr;
  std::size_t cursor_ = 0;
  std::size_t pending_ = 0;
  std::int32_t tag_ = 0;
  std::uint32_t number_ = 0;  // of the collective, in its communicator
  signature does_;
  question question_;
  std::int32_t error_ = 0;
  bool active_ = false;
  bool given_up_ = false;       // this time: others do something else
  bool advancing_ = false;      // in advance(): posting a message may complete another one of this schedule
  bool abandoned_ = false;      // destroyed by its owner while active
  bool in_background_ = false;  // started by a call that has returned
  bool left_ = false;           // left to a thread of the program, which goes on with it
};

}  // namespace loadstone::coll
