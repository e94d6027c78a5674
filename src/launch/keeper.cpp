#include "launch/keeper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "launch/binding.hpp"
#include "launch/causes.hpp"
#include "launch/deaths.hpp"
#include "launch/departures.hpp"
#include "launch/descendants.hpp"
#include "launch/foreign_mpi.hpp"
#include "launch/input_copies.hpp"
#include "launch/machine.hpp"
#include "launch/oom.hpp"
#include "launch/output.hpp"
#include "launch/placement_report.hpp"
#include "launch/program_file.hpp"
#include "launch/rank_process.hpp"
#include "launch/shared_heap.hpp"
#include "launch/wait_report.hpp"
#include "memory/job.hpp"
#include "memory/launch_environment.hpp"

namespace loadstone::launch {

namespace {

constexpr std::int64_t grace_ms = 1000;                        // between SIGTERM and SIGKILL
constexpr std::int64_t first_look_ms = 20, foreign_ms = 5000;  // of programs of another MPI
constexpr std::int64_t cause_ms = 1000;  // for the end of a rank whose death another one has met
constexpr double longest_timeout = 1e9;  // seconds
constexpr int own_messages = 1 << 30;    // as a source of output: mpiexec itself

std::int64_t now_ms() {
  return static_cast<std::int64_t>(base::now_ns() / 1'000'000);
}

// One output of one rank: our end of the pipe, and what becomes of the bytes.
struct channel {
  int pipe;  // -1: at its end
  sink* to;
  line_stream lines;
};

struct rank_state {
  pid_t pid = -1;
  bool ended = false;
  int wait_status = 0;
  verdict how = verdict::fine;
  std::unique_ptr<channel> output, error;
};

class keeper {
 public:
  keeper(const options& wanted, const front_line& line)
      : wanted_(wanted), line_(line), size_(wanted.world_size()) {}
  int run();

 private:
  std::string set_up();
  void place_ranks();
  std::string start_all();
  std::unique_ptr<channel> open_channel(std::uint32_t rank, bool is_error, int* write_end);
  sink* open_file(const std::string& pattern, std::uint32_t rank);
  int open_input(std::uint32_t rank);
  void loop();
  void wait_for_events();
  bool read_channel(channel& c);  // false: nothing is there now
  void close_channel(channel& c);
  void read_signals();
  void read_control();
  void read_failures();
  void take_order(int number);
  void see_ends();
  void rank_ended(std::uint32_t rank, int wait_status);
  std::vector<rank_end> ends();
  void find_cause(bool now);
  void blame(std::uint32_t rank);
  void check_deadlines();
  void look_for_foreign_mpi();
  void say_foreign_mpi(std::uint32_t rank);
  std::string heap_of(const application& a);
  void report_waits(const std::string& why);
  void signal_all(int number);
  void stop(int number);
  void clear_away();
  void drain();
  void flush(sink& to);
  void say_what_was_not_read_or_written();
  void say(const std::string& text);
  int finish();
  // Has a rank not reached MPI_Finalize? It may wait, now or once it has called MPI_Init, for one that has
  // left with an error.
  bool somebody_may_wait() {
    for (std::uint32_t i = 0; i < size_; ++i)
      if (!ranks_[i].ended && !has_finalized(job_->process(i))) return true;
    return false;
  }
  bool all_ended() const { return ended_ == size_; }
  bool is_rank(pid_t pid) const {
    return std::any_of(ranks_.begin(), ranks_.end(), [pid](const rank_state& r) { return r.pid == pid; });
  }

  const options& wanted_;
  front_line line_;
  std::uint32_t size_;
  std::unique_ptr<memory::job> job_;
  std::optional<binding> binding_;
  std::vector<variables> threads_;  // by rank: what it is told of them
  std::string heap_;                // library of the shared heap; empty: none
  std::optional<oom_watch> oom_;
  // Our own outputs, which are one if they are the same file; then the files of --output-filename, by name.
  std::vector<std::unique_ptr<sink>> sinks_;
  sink *out_ = nullptr, *err_ = nullptr;
  std::map<std::string, sink*> files_;
  std::string file_failed_;  // why one of them cannot be opened
  int nothing_ = -1;         // the standard input of the ranks that get none
  std::optional<input_copies> copies_;
  std::vector<rank_state> ranks_;
  int signals_ = -1, failures_ = -1;
  std::uint32_t ended_ = 0;

  // Programs of another MPI. One that is seen is told when its rank ends, or has not called our MPI_Init for a while: a
  // Python program may load libraries of several.
  std::string foreign_;  // the library
  std::int64_t foreign_since_ = -1, foreign_look_at_ = -1, foreign_pause_ = first_look_ms;
  bool foreign_said_ = false;
  std::set<std::uint32_t> files_read_;  // of these applications, for the libraries that they name

  bool stopping_ = false, killed_ = false;
  std::int64_t kill_at_ = -1, timeout_at_ = -1, next_tick_ = -1;
  int ending_signal_ = 0;  // the user's, that ends the job
  bool output_dropped_ = false;
  bool timed_out_ = false;
  std::optional<death> first_death_;  // explained at the end
  std::optional<int> status_;         // the first failure's
  struct suspect {
    std::uint32_t rank;
    std::int64_t until;  // when the end of the one it names is not waited for any more
  };
  std::vector<suspect> suspects_;  // ranks that have failed, in this order, and are not known to be the cause
  departures departures_;
  std::int64_t look_at_ = -1;  // when to see what they mean to the others
  std::vector<start_failure> start_failures_;
};

// Two descriptors of the same file (2>&1) share one sink, so that lines of both do not mix.
bool same_file(int a, int b) {
  struct stat sa {
  }, sb{};
  return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino &&
         !S_ISREG(sa.st_mode);
}

std::string keeper::set_up() {
  if (!wanted_.quiet)
    for (const std::string& line : wanted_.notes) say(fmt::format("mpiexec: {}\n", line));
  if (std::string why = find_shared_heap(wanted_, &heap_); !why.empty()) return why;
  memory::job_config config;
  config.world_size = size_;
  config.launcher = getpid();
  config.arena_limit = memory::arena_limit_of_environment();
  auto made = memory::job::create(config);
  if (!made) {
    std::string text = fmt::format("cannot make the job memory: {}", made.error().what);
    if (made.error().number != 0) text += fmt::format(" ({})", std::strerror(made.error().number));
    return text;
  }
  job_ = std::move(*made);
  LOADSTONE_FAULT_POINT("launch.job_made");
  oom_.emplace();
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGCHLD);
  signals_ = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) return fmt::format("signalfd: {}", std::strerror(errno));
  place_ranks();
  return start_all();
}

void keeper::place_ranks() {
  const auto tell = [this](const std::string& note) {
    if (!note.empty()) say(fmt::format("mpiexec: {}\n", note));
  };
  const char* synthetic = synthetic_machine();
  const std::vector<core> cores = synthetic != nullptr ? read_cores(synthetic, true) : std::vector<core>();
  if (synthetic != nullptr && cores.empty()) {
    tell(fmt::format("LOADSTONE_TOPOLOGY={}: no effect: hwloc does not understand this description",
                     synthetic));
    synthetic = nullptr;
  }
  // What is wished for there means nothing here, but for being left alone.
  const bool elsewhere = synthetic != nullptr && wanted_.placing.bind != machine_part::none;
  binding_.emplace(choose_binding(demands_of(wanted_, base::usable_cpus()),
                                  elsewhere ? placement_wish{} : wanted_.placing));
  const processors ours = base::affinity_list();
  threads_ = told_of_threads(wanted_, *binding_, ours.size());
  if (synthetic == nullptr) {
    tell(binding_->note);
    memory::publish_localities(*job_, size_, localities(size_, *binding_));
    if (wanted_.report_bindings) say(describe_placement(wanted_, *binding_, ours));
    return;
  }
  const processors theirs = all_processors(cores);
  const auto count = static_cast<std::uint32_t>(theirs.size());
  const placement there = place(cores, demands_of(wanted_, count), wanted_.placing, count);
  tell(there.note);
  memory::publish_localities(*job_, size_, localities(size_, there));
  if (wanted_.report_bindings)
    say(describe_placement(wanted_, there, theirs) +
        fmt::format("mpiexec: so it would be on LOADSTONE_TOPOLOGY={}\n", synthetic));
}

// The file that a rank's output goes to; nullptr with errno if it cannot be written.
sink* keeper::open_file(const std::string& pattern, std::uint32_t rank) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%')
      name += pattern[i];
    else
      name += pattern[++i] == 'r' ? std::to_string(rank) : "%";
  }
  sink*& file = files_[name];
  if (file != nullptr) return file;
  std::error_code ignored;  // open() says why
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    file_failed_ = fmt::format("cannot write {}: {}", name, std::strerror(errno));
    return nullptr;
  }
  sinks_.push_back(std::make_unique<sink>(descriptor, name));
  return file = sinks_.back().get();
}

std::unique_ptr<channel> keeper::open_channel(std::uint32_t rank, bool is_error, int* write_end) {
  const std::string& pattern = is_error ? wanted_.output.error : wanted_.output.output;
  sink* to = is_error ? err_ : out_;
  if (!pattern.empty()) to = open_file(pattern, rank);
  if (to == nullptr) return nullptr;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *write_end = ends[1];
  std::string prefix = wanted_.label ? fmt::format("[{}] ", rank) : std::string();
  int source = static_cast<int>(rank * 2 + (is_error ? 1 : 0));
  return std::make_unique<channel>(
      channel{ends[0], to, line_stream(source, *to, prefix, size_ == 1, is_error && pattern.empty())});
}

// What becomes the standard input of the rank; -1: nothing.
int keeper::open_input(std::uint32_t rank) {
  const input_wish& wish = wanted_.input;
  if (line_.input < 0 || wish.whom == input_wish::to::nobody) return -1;
  if (wish.whom == input_wish::to::rank) return rank == wish.rank ? line_.input : -1;
  if (!copies_) copies_.emplace(line_.input);
  return copies_->open_copy();
}

// The library of the shared heap for this program. A sanitizer would end it with words that name neither the option nor us.
std::string keeper::heap_of(const application& a) {
  if (heap_.empty() || !read_linkage(find_program(a)).address_sanitizer) return heap_;
  say(fmt::format(
      "mpiexec: --shared-heap: no effect: {} is built with AddressSanitizer, whose malloc must stay\n",
      a.command.front()));
  return {};
}

std::string keeper::start_all() {
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  rlimit raised{open_files.rlim_max, open_files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &raised);  // two pipes a rank
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return fmt::format("pipe: {}", std::strerror(errno));
  fcntl(report[0], F_SETFL, O_NONBLOCK);
  failures_ = report[0];
  nothing_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  bool alone_below = !memory::foreign_launcher().empty();
  ranks_.resize(size_);
  std::string error;
  std::uint32_t rank = 0;
  for (std::size_t part = 0; part < wanted_.applications.size() && error.empty(); ++part) {
    const std::string heap = heap_of(wanted_.applications[part]);
    for (std::uint32_t i = 0; i < wanted_.applications[part].ranks && error.empty(); ++i, ++rank) {
      rank_state& r = ranks_[rank];
      const processors* place = binding_->places.empty() ? nullptr : &binding_->places[rank];
      memory::process_entry& entry = job_->process(rank);
      entry.application = static_cast<std::uint32_t>(part);
      entry.cpu = place != nullptr ? place->front() : -1;
      int out = -1, err = -1;
      r.output = open_channel(rank, false, &out);
      r.error = r.output ? open_channel(rank, true, &err) : nullptr;
      if (r.error) {
        const int input = open_input(rank);
        r.pid = start_rank({job_.get(), &wanted_.applications[part], rank, place,
                            input >= 0 ? input : nothing_, out, err, report[1], open_files, &heap,
                            wanted_.shared_heap, &threads_[rank], alone_below});
        if (copies_ && input >= 0) close(input);
      }
      if (r.pid < 0) error = fmt::format("cannot start rank {}: {}", rank, std::strerror(errno));
      if (r.pid < 0 && errno == EMFILE)
        error += fmt::format(" (the limit is {} open files; each rank needs two)", raised.rlim_cur);
      if (!file_failed_.empty()) error = file_failed_;
      if (wanted_.verbose && r.pid >= 0)
        say(fmt::format("mpiexec: rank {} is process {}: {}\n", rank, r.pid,
                        wanted_.applications[part].command.front()));
      entry.launched_pid = r.pid;
      LOADSTONE_FAULT_POINT("launch.rank_started");
      if (out >= 0) close(out);
      if (err >= 0) close(err);
    }
  }
  close(report[1]);
  if (nothing_ >= 0) close(nothing_);
  if (line_.input > STDERR_FILENO && !copies_) close(line_.input);
  for (std::uint32_t i = 0; i < size_; ++i)
    if (ranks_[i].pid < 0) ++ended_, ranks_[i].ended = true;
  return error;
}

void keeper::say(const std::string& text) {
  err_->add(own_messages, {}, text);
}

void keeper::signal_all(int number) {
  for (const rank_state& r : ranks_)
    if (r.pid > 0 && !r.ended) kill(-r.pid, number);
}

// Ends the job: `number` first, SIGKILL after the grace.
void keeper::stop(int number) {
  if (stopping_) return;
  stopping_ = true;
  job_->header().phase.store(static_cast<std::uint32_t>(memory::job_phase::stopping),
                             std::memory_order_release);  // sync: job-phase
  signal_all(number);
  signal_all(SIGCONT);
  kill_at_ = now_ms() + grace_ms;
}

void keeper::rank_ended(std::uint32_t rank, int wait_status) {
  rank_state& r = ranks_[rank];
  memory::process_entry& entry = job_->process(rank);
  r.ended = true;
  r.wait_status = wait_status;
  ++ended_;
  LOADSTONE_FAULT_POINT("launch.rank_ended");
  entry.wait_status = wait_status;
  entry.dead.store(1, std::memory_order_release);  // sync: process-dead
  if (!stopping_ && !has_claimed(entry)) say_foreign_mpi(rank);
  if (stopping_) return;  // a consequence, not a cause
  r.how = judge(entry, wait_status);
  if (r.how == verdict::left || (r.how == verdict::fine && !has_claimed(entry))) {
    departures_.add(rank, has_claimed(entry) ? departures::without::finalize : departures::without::init);
    if (look_at_ < 0) look_at_ = now_ms() + departures::look_every_ms;
    return;
  }
  if (r.how == verdict::fine) return;
  suspects_.push_back({rank, now_ms() + cause_ms});
}

std::vector<rank_end> keeper::ends() {
  std::vector<rank_end> seen(size_);
  for (std::uint32_t i = 0; i < size_; ++i) {
    // Who never called MPI_Init has failed for those who needed it: only they are asked of it.
    // relaxed: of a process that has ended; of others it is not looked at
    seen[i] = {ranks_[i].ended, ranks_[i].how != verdict::fine || !has_claimed(job_->process(i)),
               job_->process(i).met_death.load(std::memory_order_relaxed)};
  }
  return seen;
}

// Judges the failures seen so far, in their order, as far as their causes are known. `now`: none will be known
// better later.
void keeper::find_cause(bool now) {
  while (!suspects_.empty() && !stopping_) {
    const suspect first = suspects_.front();
    const auto cause = cause_of(ends(), first.rank, now || now_ms() >= first.until);
    if (!cause) return;
    suspects_.erase(suspects_.begin());
    blame(*cause);
  }
}

void keeper::blame(std::uint32_t rank) {
  const rank_state& r = ranks_[rank];
  memory::process_entry& entry = job_->process(rank);
  verdict end = r.how;
  // It has ended well, but for the rank that needed it: without MPI_Init.
  if (end == verdict::fine) end = verdict::fatal;
  if (!status_) status_ = r.how == verdict::fine ? 1 : exit_status_of(entry, r.wait_status);
  // Of a shell script, the status says it.
  const bool reader_left = (r.output && r.output->to->closed()) || (r.error && r.error->to->closed());
  const bool by_pipe = exit_status_of(entry, r.wait_status) == 128 + SIGPIPE && reader_left;
  if (!first_death_ && ending_signal_ == 0 && !by_pipe)
    first_death_ = death{rank, size_, r.pid, r.wait_status, oom_->happened(), false};
  if (end == verdict::left || (end == verdict::failed && somebody_may_wait())) end = verdict::fatal;
  if (end == verdict::fatal) {
    if (first_death_ && first_death_->rank == rank) first_death_->others_stopped = !all_ended();
    stop(SIGTERM);
  }
}

void keeper::see_ends() {
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (ranks_[i].ended) continue;
    int pid = ranks_[i].pid;
    siginfo_t info{};
    // Looked at, not reaped: the process id stays this rank's until the job is over.
    if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
      continue;
    int status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8
                                            : info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
    rank_ended(i, status);
  }
  find_cause(all_ended());
  reap_orphans([this](pid_t pid) { return is_rank(pid); });
}

void keeper::report_waits(const std::string& why) {
  say(why + wait_report(look_at(*job_, size_)));
}

// A signal that the user sent to mpiexec.
void keeper::take_order(int number) {
  switch (number) {
    case SIGUSR1:
      report_waits("mpiexec: who waits for whom:\n");
      return;
    case SIGTSTP:
      signal_all(SIGSTOP);  // SIGTSTP itself does nothing to a process group without a shell of its own
      return;
    case SIGCONT:
    case SIGUSR2:
      signal_all(number);
      return;
    default:  // INT, TERM, HUP, QUIT
      if (ending_signal_ != 0 || stopping_) {
        stop(SIGKILL);
        kill_at_ = now_ms();
        return;
      }
      ending_signal_ = number;
      signal_all(number);
      signal_all(SIGCONT);
  }
}

void keeper::read_control() {
  unsigned char orders[64];
  ssize_t n = read(line_.control, orders, sizeof orders);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n <= 0) {  // the front is dead: so is the job. Nobody is left to talk to
    signal_all(SIGKILL);
    kill_descendants([](pid_t) { return false; });
    _exit(128 + SIGKILL);
  }
  for (ssize_t i = 0; i < n; ++i) take_order(orders[i]);
}

void keeper::read_signals() {
  signalfd_siginfo info[16];
  while (read(signals_, info, sizeof info) > 0) continue;
  see_ends();
}

void keeper::read_failures() {
  start_failure failure;
  for (;;) {
    ssize_t n = read(failures_, &failure, sizeof failure);
    if (n == sizeof failure) {
      start_failures_.push_back(failure);
      continue;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    close(failures_);  // every rank has been replaced by its program, or has said why not
    failures_ = -1;
    return;
  }
}

void keeper::close_channel(channel& c) {
  c.lines.end();
  close(c.pipe);
  c.pipe = -1;
}

bool keeper::read_channel(channel& c) {
  static char block[64 << 10];
  ssize_t n = read(c.pipe, block, sizeof block);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n > 0 && !c.to->closed()) {
    c.lines.feed({block, static_cast<std::size_t>(n)}, now_ms());
    return true;
  }
  // At the end; or nobody reads our output any more, which the rank is told as it would be without us, by
  // SIGPIPE.
  close_channel(c);
  return true;
}

void keeper::check_deadlines() {
  std::int64_t now = now_ms();
  if (timeout_at_ >= 0 && now >= timeout_at_ && !stopping_ && !all_ended()) {
    timeout_at_ = -1;
    timed_out_ = true;
    report_waits(
        fmt::format("mpiexec: the job has run for {} s (--timeout) and is ended. Who waits for whom:\n",
                    wanted_.timeout));
    stop(SIGTERM);
  }
  if (kill_at_ >= 0 && now >= kill_at_) {
    kill_at_ = -1;
    killed_ = true;
    signal_all(SIGKILL);
  }
  if (foreign_look_at_ >= 0 && now >= foreign_look_at_) look_for_foreign_mpi();
  find_cause(false);
  if (look_at_ >= 0 && now >= look_at_) {
    look_at_ = stopping_ ? -1 : now + departures::look_every_ms;
    const bool over = stopping_ || all_ended();
    if (const auto missed = over ? std::nullopt : departures_.missed(look_at(*job_, size_))) blame(*missed);
  }
  next_tick_ = -1;
  for (rank_state& r : ranks_) {
    for (channel* c : {r.output.get(), r.error.get()}) {
      if (c == nullptr || c->pipe < 0) continue;
      std::int64_t again = c->lines.tick(now);
      if (again >= 0 && (next_tick_ < 0 || again < next_tick_)) next_tick_ = again;
    }
  }
}

// While no rank has called our MPI_Init, one rank of each program is looked at, less and less often.
void keeper::look_for_foreign_mpi() {
  foreign_look_at_ = -1;
  if (foreign_said_ || size_ < 2 || stopping_) return;
  bool unclaimed = false;
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (ranks_[i].ended || has_claimed(job_->process(i))) continue;
    unclaimed = true;
    if (i > 0 && job_->process(i).application == job_->process(i - 1).application && !ranks_[i - 1].ended)
      continue;
    if (foreign_.empty()) foreign_ = foreign_mpi_of(ranks_[i].pid);
    if (foreign_.empty()) continue;
    if (foreign_since_ < 0) foreign_since_ = now_ms();
    if (now_ms() - foreign_since_ >= foreign_ms) say_foreign_mpi(i);
    break;
  }
  if (unclaimed && !foreign_said_) foreign_look_at_ = now_ms() + foreign_pause_;
  foreign_pause_ = std::min<std::int64_t>(foreign_pause_ * 2, foreign_ms);
}

void keeper::say_foreign_mpi(std::uint32_t rank) {
  if (foreign_said_ || size_ < 2) return;
  const application& program = wanted_.applications[job_->process(rank).application];
  if (foreign_.empty() && files_read_.insert(job_->process(rank).application).second)
    foreign_ = foreign_mpi_named_by(program);
  if (foreign_.empty()) return;
  foreign_said_ = true;
  say(fmt::format(
      "mpiexec: {} uses another MPI, {}: its {} ranks are not one job but {} of one rank each. Compile it "
      "with "
      "Loadstone's mpicc (for Python: build mpi4py with it), or start it with that library's mpiexec.\n",
      program.command.front(), foreign_, size_, size_));
}

void keeper::wait_for_events() {
  std::vector<pollfd> look;
  std::vector<channel*> channels;
  look.push_back({line_.control, POLLIN, 0});
  look.push_back({signals_, POLLIN, 0});
  look.push_back({failures_, POLLIN, 0});
  for (const auto& s : sinks_) look.push_back({s->pending() ? s->descriptor() : -1, POLLOUT, 0});
  std::size_t first = look.size();
  for (rank_state& r : ranks_) {
    for (channel* c : {r.output.get(), r.error.get()}) {
      if (c == nullptr || c->pipe < 0 || c->to->full()) continue;
      look.push_back({c->pipe, POLLIN, 0});
      channels.push_back(c);
    }
  }
  const std::size_t input = look.size();
  if (copies_) copies_->add_looks(look);
  std::int64_t until = -1;
  const std::int64_t suspected = suspects_.empty() || stopping_ ? -1 : suspects_.front().until;
  for (std::int64_t deadline : {kill_at_, timeout_at_, next_tick_, foreign_look_at_, look_at_, suspected})
    if (deadline >= 0 && (until < 0 || deadline < until)) until = deadline;
  int pause = until < 0 ? -1 : static_cast<int>(std::clamp<std::int64_t>(until - now_ms(), 0, 1 << 30));
  if (poll(look.data(), look.size(), pause) < 0) return;
  // Output first: what a rank printed before it died is seen before its death.
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (look[first + i].revents != 0) read_channel(*channels[i]);
  if (copies_) copies_->turn(&look[input]);
  if (look[2].revents != 0) read_failures();
  if (look[0].revents != 0) read_control();
  if (look[1].revents != 0) read_signals();
}

void keeper::loop() {
  while (!all_ended()) {
    wait_for_events();
    check_deadlines();
    for (const auto& s : sinks_) s->write_some();
  }
}

// Everything that is still below us goes: children of ranks, daemons. Ranks stay as zombies with their
// process ids.
void keeper::clear_away() {
  LOADSTONE_FAULT_POINT("launch.clearing_away");
  for (const rank_state& r : ranks_)
    if (r.pid > 0) kill(-r.pid, SIGKILL);
  kill_descendants([this](pid_t pid) { return is_rank(pid); });
}

// Waits until all that is pending has been written. Its reader may take for ever (a stopped pager): we still
// listen, and once a signal or --timeout has ended the job, a reader that takes nothing for the grace is
// left.
void keeper::flush(sink& to) {
  while (to.pending()) {
    pollfd look[2] = {{to.descriptor(), POLLOUT, 0}, {line_.control, POLLIN, 0}};
    bool ended = ending_signal_ != 0 || timed_out_;
    int ready = poll(look, 2, ended ? static_cast<int>(grace_ms) : -1);
    if (ready < 0) continue;
    if (look[1].revents != 0) read_control();
    if (look[0].revents != 0) to.write_some();
    if (ready == 0) {
      to.abandon();
      output_dropped_ = true;
    }
  }
}

// All writers that we know are dead, so what a pipe holds now is all. Its end may not be there: a rank can
// have handed its output to a process that is not below us.
void keeper::drain() {
  for (rank_state& r : ranks_) {
    for (channel* c : {r.output.get(), r.error.get()}) {
      if (c == nullptr) continue;
      while (c->pipe >= 0 && read_channel(*c))
        if (c->to->full()) flush(*c->to);
      if (c->pipe >= 0) close_channel(*c);
    }
  }
  if (failures_ >= 0) read_failures();
}

void keeper::say_what_was_not_read_or_written() {
  if (copies_ && copies_->failure() != 0) {
    say(fmt::format("mpiexec: cannot read the standard input: {}\n", std::strerror(copies_->failure())));
    if (!status_) status_ = 1;
  }
  for (const auto& s : sinks_) {
    if (s->failure() == 0 || (s.get() == err_ && err_ != out_)) continue;
    say(fmt::format("mpiexec: cannot write {}: {}\n", s->name(), std::strerror(s->failure())));
    if (!status_) status_ = 1;
  }
}

int keeper::finish() {
  // The held traceback of the rank that died first comes last, after the explanation.
  std::uint32_t held = first_death_ ? first_death_->rank : size_;
  for (std::uint32_t i = 0; i < size_; ++i)
    if (i != held && ranks_[i].error && ranks_[i].error->lines.holding())
      ranks_[i].error->lines.release_held();
  for (const auto& s : sinks_)
    if (s.get() != err_ || err_ == out_) flush(*s);
  say_what_was_not_read_or_written();
  const bool blamed = first_death_ && ranks_[first_death_->rank].how == verdict::left;
  if (!blamed && !timed_out_ && ending_signal_ == 0) say(departures_.warning(size_));
  if (!start_failures_.empty()) {
    const start_failure& f = start_failures_.front();
    std::uint32_t before = 0;
    for (const application& a : wanted_.applications) {
      if (f.rank < before + a.ranks) {
        say(fmt::format("mpiexec: {}\n", why_not_started(a, f.step, f.number)));
        break;
      }
      before += a.ranks;
    }
  } else if (timed_out_) {
    // said already
  } else if (first_death_) {
    say(explain(*first_death_, job_->process(first_death_->rank)));
    channel* c = ranks_[first_death_->rank].error.get();
    if (c != nullptr && c->lines.holding()) c->lines.release_held();
  } else if (ending_signal_ != 0 && ending_signal_ != SIGINT && (status_ || stopping_ || output_dropped_)) {
    say(fmt::format("mpiexec: the job was ended by signal {} ({}) to mpiexec.\n", ending_signal_,
                    strsignal(ending_signal_)));
  }
  flush(*err_);
  for (const rank_state& r : ranks_)
    if (r.pid > 0) waitpid(r.pid, nullptr, 0);
  if (timed_out_) return 124;
  if (ending_signal_ != 0 && (status_ || stopping_ || output_dropped_)) return 128 + ending_signal_;
  return status_.value_or(err_->failure() == 0 ? 0 : 1);
}

int keeper::run() {
  sinks_.push_back(std::make_unique<sink>(STDOUT_FILENO, "the standard output"));
  out_ = err_ = sinks_.front().get();
  if (!same_file(STDOUT_FILENO, STDERR_FILENO)) {
    sinks_.push_back(std::make_unique<sink>(STDERR_FILENO, "the standard error"));
    err_ = sinks_.back().get();
  }
  std::string error = set_up();
  if (!error.empty()) {
    signal_all(SIGKILL);
    kill_descendants([](pid_t) { return false; });
    say(fmt::format("mpiexec: {}\n", error));
    flush(*err_);
    return 1;
  }
  if (wanted_.timeout > 0)
    timeout_at_ = now_ms() + static_cast<std::int64_t>(std::min(wanted_.timeout, longest_timeout) * 1000);
  foreign_look_at_ = now_ms() + first_look_ms;
  loop();
  clear_away();
  drain();
  return finish();
}

}  // namespace

int keep_job(const options& wanted, const front_line& line) {
  return keeper(wanted, line).run();
}

}  // namespace loadstone::launch
