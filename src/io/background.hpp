// Access that goes on while the program computes: by a thread of the file's, started with the
// first. There are two, as what waits for other members must not hold up what does not.
#pragma once

#include <string>

#include "io/file.hpp"
#include "io/service_thread.hpp"
#include "p2p/request.hpp"

namespace loadstone::io {

class background {
 public:
  // What can be waited for. It is deleted by whoever has it last: its owner, or, if that has let go
  // of it before, the thread.
  class operation final : public p2p::request {
   public:
    const trouble& why() const { return why_; }  // once complete
    // Under the gate. The owner does not want it any more.
    void let_go();

   private:
    friend class background;
    operation(background& owner, planned what);
    ~operation() override;
    background& owner_;
    planned what_;
    trouble why_;
    bool abandoned_ = false;  // under the gate
  };

  background(engine& e, file& f, const team& all) : engine_(e), file_(f), team_(all) {}
  background(const background&) = delete;
  background& operator=(const background&) = delete;

  // Collective ones begin in the order of these calls, which is the same at all members. Null: no
  // thread can be had.
  operation* start(planned what);
  void drain();  // waits for all there are; the gate is not held

 private:
  static void work(void* context);
  engine& engine_;
  file& file_;
  team team_;
  service_thread alone_, together_;
};

}  // namespace loadstone::io
