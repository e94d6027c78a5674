// A thread that copies for others, or adds, what lies in small pieces in ordinary memory of this
// process, while its program computes.
//
// Condition: the way is `system`, and the blocks are so many that a look-up of each by the kernel
//            takes longer than two changes of threads (choice.hpp).
// Cost:      two copies, by way of job memory, and two changes of threads. The origin sleeps
//            meanwhile: so the thread has its core, and takes none from the program.
//
// It is started by the first window of ordinary memory that others reach by the system's calls, and
// ended when the process finalizes. It sleeps on a bell of its own, without a timer, and polls for
// nothing. It takes no gate and sends no message, so the process needs no locks because of it.
// Where there is a progress thread for all, that one does it (handed.hpp).
//
// An origin whose request nobody takes up takes it back, and does without; for what the thread has
// begun it waits. It answers messages every millisecond meanwhile, and says in reports of hangs
// whose thread it waits for. If it dies, what it has asked for happens, or does not; the next one
// takes the desk from it.
// Model: models/rma_desk.pml.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "datatype/op.hpp"
#include "memory/address.hpp"
#include "rma/copy_desk_layout.hpp"
#include "rma/operation.hpp"

namespace loadstone::memory {
class wait_note;
}

namespace loadstone::rma {

class engine;
class window;
struct place;

class copy_thread {
 public:
  explicit copy_thread(engine& e) : engine_(e) {}
  ~copy_thread();
  copy_thread(const copy_thread&) = delete;
  copy_thread& operator=(const copy_thread&) = delete;

  // --- the owner. A place that others may be told of; false: there is no memory for it.
  bool prepare(memory::address* desk);
  // From here on others may ask for copies of this window, and there is a thread. Until remove(),
  // which waits for a copy that is under way. Under the gate.
  void add(window& w);
  void remove(const window& w);
  // Nobody is to ask for anything any more: ends the thread, until a window is added again.
  void stop();

  // --- an origin, without the gate. Moves packed bytes from `*done` on, as far as the target's
  // thread comes within `patience` ns for each piece; the rest is for another carrier. What it may
  // find wrong: the owner has died.
  trouble move(window& w, const place& at, const local_data& here, const remote_data& there, bool get,
               double patience, std::int64_t* done);
  // The same of accumulates: of `rest`, from its beginning on (accumulate_ways.hpp).
  trouble change(window& w, const place& at, const local_data* origin, const local_data* result,
                 const remote_data& where, datatype::op_kind op, double patience, unchanged* rest);
  // Is there a thread?
  static bool serves(const copy_desk* desk) {
    // Relaxed: a hint. A request that nobody takes up is taken back.
    return desk != nullptr && desk->open.load(std::memory_order_relaxed) != 0;
  }

 private:
  enum class end : std::uint8_t { done, declined, missed, gone };
  struct turn;  // an origin's, at a desk
  bool take(turn& t);
  end post(turn& t);
  end await(const turn& t, desk_word posted);
  static void give_back(const turn& t);
  void sleep(const turn& t, memory::wait_note& note, std::uint32_t seen, std::uint64_t ns);
  bool has_died(std::uint32_t process);
  void run();
  desk_state carry_out(const desk_request& what);

  engine& engine_;
  copy_desk* desk_ = nullptr;  // ours
  memory::address where_{};
  std::mutex windows_lock_;  // those that others may ask for, by id
  std::unordered_map<std::uint64_t, window*> windows_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace loadstone::rma
