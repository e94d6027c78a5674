// A collective operation of one process, written down: messages and local work in order, with
// points where everything sent and received so far must be complete. A request like any other, so
// that blocking, non-blocking and persistent calls share it.
//
//   receive 0 <- child   \  posted in order, complete in any order
//   receive 1 <- child   /
//   wait
//   reduce, reduce          local work runs where it stands
//   send    -> parent
//
// It advances inside the completions of its own messages; nobody polls it. An error does not stop
// it (the others would hang): the first one is kept and reported once, at completion. Functions of
// the user are called by threads of the program only: where the progress thread comes to one, it
// leaves the schedule to them.
//
// Matching: all messages of one schedule between two processes are posted in the same order on both
// sides, and each collective has a tag range of its own, so schedules outstanding on one
// communicator never meet, and a persistent one may be restarted while a slower process still
// executes the previous round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coll/messenger.hpp"
#include "datatype/op.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll {

inline constexpr std::uint32_t tags_per_schedule = 8;
// The tag range of the n-th collective of a communicator: wraps far beyond what can be outstanding,
// and stays positive.
constexpr std::int32_t first_tag(std::uint32_t n) {
  return static_cast<std::int32_t>((n & 0x0fffffffu) * tags_per_schedule);
}
static_assert(first_tag(0xffffffffu) == 0x7ffffff8 && first_tag(0x10000000u) == 0);

class schedule final : public p2p::request {
 public:
  explicit schedule(messenger& messages) : request(p2p::request_kind::collective), messages_(messages) {}
  ~schedule() override { clear(); }

  bool active() const { return active_; }

 private:
  friend class builder;
  friend class engine;

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
  // Scratch memory of one schedule: pieces that live as long as it does. The first piece is kept
  // when the schedule is recycled.
  struct piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes, used;
  };

  void start();
  void advance();
  void copy(const step& s);
  void post(step& s);
  void absorb(p2p::request& r);
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
  std::vector<schedule*>* idle_ = nullptr;      // where it goes when it completes after having been abandoned
  p2p::request* spent_ =
      nullptr;  // the message whose completion we are in: freed at the next one, not under its feet
  std::size_t cursor_ = 0;
  std::size_t pending_ = 0;
  std::int32_t tag_ = 0;
  std::int32_t error_ = 0;
  bool active_ = false;
  bool advancing_ =
      false;  // a message may complete, or be matched by another of ours, while it is being posted
  bool abandoned_ = false;
  bool in_background_ = false;  // started by a call that has returned
  bool left_ = false;           // to a thread of the program, which goes on with it
};

}  // namespace loadstone::coll
