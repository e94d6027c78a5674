#include "model/measure.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/cpus.hpp"
#include "base/median.hpp"
#include "wait/futex.hpp"

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

namespace loadstone::model {

namespace {

using base::code;
using base::status;

constexpr std::size_t isolation = 128;  // two lines: the prefetcher fetches pairs
// Memory that the cold pattern goes through: more than the caches that two cores share, as a rule.
constexpr std::size_t cold_area = 64u << 20;
constexpr double seconds_of_a_point = 0.02;
constexpr int fewest = 9, most = 300;
constexpr std::size_t most_pieces = 64;

enum class task : std::uint32_t {
  hand_over,
  share,
  sleep,
  deposit,
  pull,
  pull_together,
  copy_together,
  stop
};

// What the two processes share. The parent writes a task and the number of the turn; the child
// answers with the same number. Numbers of turns only rise.
struct board {
  alignas(isolation) std::atomic<std::uint32_t> to_child;
  alignas(isolation) std::atomic<std::uint32_t> to_parent;
  alignas(isolation) std::atomic<std::uint32_t> line;
  alignas(isolation) std::atomic<std::uint32_t> bell;
  alignas(isolation) task what;
  std::uint32_t rounds;
  std::size_t offset, bytes;
  double child_time;
};

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

// The cost of reading the clock twice, which every measurement contains.
double cost_of_clock() {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    const double begin = now();
    values.push_back(now() - begin);
  }
  return base::median(values);
}

std::vector<int> processors() {
  cpu_set_t allowed;
  std::vector<int> found;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return found;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
  return found;
}

void pin(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);  // if it fails, measure all the same
}

// sync: measured-turn — acquire here, release in say(): what the other process wrote before say()
// is visible.
void await(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  for (unsigned spins = 0; word.load(std::memory_order_acquire) != value;)
    if (++spins > 2000) {
      sched_yield();  // the other process may be waiting for our processor
      spins = 0;
    }
}
// The same where the other process is on our processor.
void await_in_turn(const std::atomic<std::uint32_t>& word, std::uint32_t value) {
  while (word.load(std::memory_order_acquire) != value) sched_yield();
}
void say(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  word.store(value, std::memory_order_release);
}

// The two processes and their memory. open() forks the child, which then serves the tasks of the
// parent; each of the functions below it measures one parameter.
class pair {
 public:
  explicit pair(std::size_t area) : area_(area) {}
  ~pair();
  status open();

  double line();
  double wake();
  double turn();
  double call();
  double piece();
  // Median microseconds of one transfer: that of the parent is returned, that of the child
  // (task::deposit) stored. 0 if the data has not arrived, or is wrong.
  double transfer(task what, std::size_t bytes, double* of_child = nullptr);

  pattern how = pattern::rewritten;

 private:
  std::byte* map(int flags);
  [[noreturn]] void serve();
  void answer(std::uint32_t turn);
  void command(task what) {
    board_->what = what;
    say(board_->to_child, ++turn_);
  }
  bool read_half(std::size_t offset, std::size_t bytes);
  double time_of_call(std::size_t pieces);
  bool arrived(task what, std::size_t bytes);

  std::size_t area_;
  board* board_ = nullptr;
  std::byte *source_ = nullptr, *target_ = nullptr;  // private, at the same address in both
  std::byte *wire_ = nullptr, *far_ = nullptr;       // shared
  pid_t child_ = -1, parent_ = -1;
  std::vector<int> processors_;  // of the parent, and of the child
  cpu_set_t before_{};           // where this process could run
  std::uint32_t turn_ = 0;
  std::uint32_t rounds_ = 0;
};

std::byte* pair::map(int flags) {
  void* base = mmap(nullptr, area_, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  return base == MAP_FAILED ? nullptr : static_cast<std::byte*>(base);
}

status pair::open() {
  void* base = mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  source_ = map(MAP_PRIVATE), target_ = map(MAP_PRIVATE), wire_ = map(MAP_SHARED), far_ = map(MAP_SHARED);
  if (base == MAP_FAILED || source_ == nullptr || target_ == nullptr || wire_ == nullptr || far_ == nullptr)
    return {code::no_memory, errno, "no memory for measuring"};
  board_ = new (base) board{};
  for (std::byte* area : {target_, wire_, far_}) std::memset(area, 1, area_);
  processors_ = processors();
  if (processors_.size() < 2) return {code::invalid, 0, "two processors are needed for measuring"};
  parent_ = getpid();
  child_ = fork();
  if (child_ < 0) return {code::system, errno, "no process can be started"};
  sched_getaffinity(0, sizeof before_, &before_);
  pin(processors_[child_ == 0 ? 1 : 0]);
  if (child_ == 0) serve();
  // Where only ancestors may trace (Yama), the parent has to allow the child to write into its
  // memory; the other direction is allowed anyway.
  prctl(PR_SET_PTRACER, static_cast<unsigned long>(child_), 0, 0, 0);
  return status::success();
}

pair::~pair() {
  if (child_ > 0) {
    sched_setaffinity(0, sizeof before_, &before_);
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (board_ != nullptr) munmap(board_, sizeof(board));
  for (std::byte* area : {source_, target_, wire_, far_})
    if (area != nullptr) munmap(area, area_);
}

void pair::serve() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::memset(source_, 1, area_);
  for (std::uint32_t turn = 1;; ++turn) {
    await(board_->to_child, turn);
    if (board_->what == task::hand_over) {
      for (std::uint32_t i = 1; i <= board_->rounds; ++i) {
        await(board_->line, 2 * i - 1);
        say(board_->line, 2 * i);
      }
    } else if (board_->what == task::share) {
      pin(processors_[0]);
      for (std::uint32_t i = 1; i <= board_->rounds; ++i) {
        await_in_turn(board_->line, 2 * i - 1);
        say(board_->line, 2 * i);
      }
      pin(processors_[1]);
    } else if (board_->what == task::sleep) {
      const std::uint32_t before = board_->bell.load(std::memory_order_acquire);
      say(board_->to_parent, turn);
      while (board_->bell.load(std::memory_order_acquire) == before)
        wait::sleep_on(board_->bell, before, std::chrono::seconds(1));
      board_->child_time = now();
      say(board_->to_parent, ++turn);
      continue;
    } else {
      answer(turn);
      if (board_->what == task::pull_together || board_->what == task::copy_together) ++turn;
    }
    say(board_->to_parent, turn);
  }
}

// The child's part of one transfer, of which it is the sender: writes the data, then copies it into
// shared memory (deposit) or copies its half (together).
void pair::answer(std::uint32_t turn) {
  const std::size_t n = board_->bytes, half = n / 2, at = board_->offset;
  std::byte* const data = (board_->what == task::copy_together ? wire_ : source_) + at;
  std::memset(data, static_cast<int>(turn), n);
  if (board_->what == task::deposit) {
    const double begin = now();
    std::memcpy(wire_ + at, data, n);
    board_->child_time = now() - begin;
    return;
  }
  if (board_->what == task::pull) return;
  say(board_->to_parent, turn);
  await(board_->to_child, turn + 1);
  if (board_->what == task::copy_together) {
    std::memcpy(far_ + at + half, data + half, n - half);
  } else {
    const iovec here{data + half, n - half}, there{target_ + at + half, n - half};
    if (process_vm_writev(parent_, &here, 1, &there, 1, 0) < 0) board_->child_time = -1;
  }
}

double pair::line() {
  std::vector<double> values;
  board_->rounds = 1000;
  const double end = now() + 10e6 * seconds_of_a_point;
  for (int repetition = 0; repetition < 3 || (repetition < 30 && now() < end); ++repetition) {
    say(board_->line, 0);
    command(task::hand_over);
    const double begin = now();
    for (std::uint32_t i = 1; i <= board_->rounds; ++i) {
      say(board_->line, 2 * i - 1);
      await(board_->line, 2 * i);
    }
    values.push_back((now() - begin) / 2 / board_->rounds);
    await(board_->to_parent, turn_);
  }
  return base::median(values);
}

double pair::wake() {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) {
    command(task::sleep);
    await(board_->to_parent, turn_);
    usleep(200);  // by then the child is asleep
    const double begin = now();
    wait::ring(board_->bell);
    await(board_->to_parent, ++turn_);
    values.push_back(board_->child_time - begin);
    say(board_->to_child, turn_);
  }
  return base::median(values);
}

double pair::turn() {
  std::vector<double> values;
  board_->rounds = 300;
  for (int repetition = 0; repetition < 5; ++repetition) {
    say(board_->line, 0);
    command(task::share);
    // The first comes when the child has moved here.
    double begin = 0;
    for (std::uint32_t i = 1; i <= board_->rounds; ++i) {
      say(board_->line, 2 * i - 1);
      await_in_turn(board_->line, 2 * i);
      if (i == 1) begin = now();
    }
    values.push_back((now() - begin) / 2 / (board_->rounds - 1));
    await(board_->to_parent, turn_);
  }
  return base::median(values);
}

bool pair::read_half(std::size_t offset, std::size_t bytes) {
  const iovec here{target_ + offset, bytes}, there{source_ + offset, bytes};
  return process_vm_readv(child_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

// Of 8 bytes from each of so many places, a line apart.
double pair::time_of_call(std::size_t pieces) {
  std::array<iovec, most_pieces> there;
  for (std::size_t i = 0; i < pieces; ++i) there[i] = {source_ + 64 * i, 8};
  const iovec here{target_, 8 * pieces};
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) {
    const double begin = now();
    if (process_vm_readv(child_, &here, 1, there.data(), pieces, 0) != static_cast<ssize_t>(8 * pieces))
      return 0;
    values.push_back(now() - begin);
  }
  return std::max(base::median(values) - cost_of_clock(), 1e-3);
}

double pair::call() {
  return time_of_call(1);
}

double pair::piece() {
  const double one = time_of_call(1), all = time_of_call(most_pieces);
  return std::max((all - one) / (most_pieces - 1), 0.0);
}

double pair::transfer(task what, std::size_t bytes, double* of_child) {
  const double clock = cost_of_clock();
  const std::size_t stride = (bytes + 4095) / 4096 * 4096 + 4096;
  const std::size_t places = how == pattern::cold ? std::max<std::size_t>(area_ / stride, 1) : 1;
  std::vector<double> here, there;
  const double end = now() + 1e6 * seconds_of_a_point;
  for (int i = 0; i < most && (i < fewest || now() < end); ++i) {
    const std::size_t at = rounds_++ % places * stride;
    board_->offset = at, board_->bytes = bytes;
    command(what);
    await(board_->to_parent, turn_);
    const double begin = now();
    switch (what) {
      case task::deposit:
        std::memcpy(target_ + at, wire_ + at, bytes);
        break;
      case task::pull:
        read_half(at, bytes);
        break;
      case task::pull_together:
        say(board_->to_child, ++turn_);
        read_half(at, bytes / 2);
        await(board_->to_parent, turn_);
        break;
      case task::copy_together:
        say(board_->to_child, ++turn_);
        std::memcpy(far_ + at, wire_ + at, bytes / 2);
        await(board_->to_parent, turn_);
        break;
      default:
        break;
    }
    here.push_back(now() - begin - clock);
    there.push_back(board_->child_time - clock);
  }
  if (!arrived(what, bytes)) return 0;
  if (of_child != nullptr) *of_child = std::max(base::median(there), 1e-3);
  return std::max(base::median(here), 1e-3);
}

// Has the data arrived? The child writes the number of its turn into every byte.
bool pair::arrived(task what, std::size_t bytes) {
  const bool two_turns = what == task::pull_together || what == task::copy_together;
  const auto value = static_cast<std::byte>(two_turns ? turn_ - 1 : turn_);
  const std::byte* data = (what == task::copy_together ? far_ : target_) + board_->offset;
  return std::all_of(data, data + bytes, [&](std::byte b) { return b == value; });
}

// As reductions of the library are done (datatype/reduce.cpp): by the widest vectors there are.
[[gnu::always_inline]] inline void fold(const double* __restrict from, double* __restrict to,
                                        std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] = from[k] + to[k];
}
void fold_as_compiled(const double* from, double* to, std::size_t count) {
  fold(from, to, count);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void fold_wide(const double* from, double* to, std::size_t count) {
  fold(from, to, count);
}
#endif
auto best_fold() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return fold_wide;
#endif
  return fold_as_compiled;
}

// Of 64 KiB, which two caches hold; for 1 KiB.
double time_of_fold() {
  constexpr std::size_t count = 8192;
  std::vector<double> from(count, 1.0), to(count, 0.0), values;
  for (int i = 0; i < 200; ++i) {
    const double begin = now();
    best_fold()(from.data(), to.data(), count);
    values.push_back(now() - begin);
  }
  const double time = base::median(values) - cost_of_clock();
  return to[count - 1] == 200 ? std::max(time / (8 * count / 1024), 1e-5) : 0;
}

}  // namespace

base::result<machine> measure(pattern how, std::span<const std::int64_t> sizes) {
  const auto largest = static_cast<std::size_t>(sizes.empty() ? 0 : sizes.back());
  pair two(std::max(how == pattern::cold ? cold_area : 0, 2 * largest + 8192));
  if (status opened = two.open(); !opened.ok()) return opened;
  two.how = how;
  machine found;
  found.line = two.line();
  found.wake = two.wake();
  found.call = two.call();
  found.piece = two.piece();
  found.turn = two.turn();
  found.fold = time_of_fold();
  found.strings = base::copies_best_by_string();
  for (const std::int64_t bytes : sizes) {
    const auto add = [&](curve& to, double time) {
      if (time > 0) to.add(bytes, time);
      return time > 0;
    };
    const auto n = static_cast<std::size_t>(bytes);
    double put = 0;
    const double get = two.transfer(task::deposit, n, &put);
    const double together = two.transfer(task::copy_together, n);
    if (!add(found.put, put) || !add(found.get, get) || !add(found.together, together))
      return status{code::system, 0, "the data of a measurement arrived wrong"};
    if (found.call == 0) continue;
    add(found.vm, two.transfer(task::pull, n));
    add(found.vm_together, two.transfer(task::pull_together, n));
  }
  return found;
}

}  // namespace loadstone::model
