#include "launch/keeper.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

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
#include "launch/io_service.hpp"
#include "launch/machine.hpp"
#include "launch/oom.hpp"
#include "launch/outputs.hpp"
#include "launch/phases.hpp"
#include "launch/placement_report.hpp"
#include "launch/program_file.hpp"
#include "launch/rank_process.hpp"
#include "launch/request_server.hpp"
#include "launch/shared_heap.hpp"
#include "launch/standstill.hpp"
#include "launch/timetable.hpp"
#include "launch/wait_report.hpp"
#include "memory/job.hpp"
#include "memory/launch_environment.hpp"

namespace loadstone::launch {

namespace {

constexpr std::int64_t cause_ms = 1000;       // for the end of a rank whose death another one has met
constexpr std::int64_t drain_news_ms = 1000;  // how often the user is told what is still to be stored
constexpr std::int64_t carry_every_ms = 50;
constexpr double longest_timeout = 1e9;  // seconds

std::int64_t now_ms() {
  return static_cast<std::int64_t>(base::now_ns() / 1'000'000);
}

struct rank_state {
  pid_t pid = -1;
  bool ended = false;
  int wait_status = 0;
  verdict how = verdict::fine;
};

struct rank_states {
  std::vector<rank_state> each;
  std::uint32_t ended = 0;

  bool all_ended() const { return !each.empty() && ended == each.size(); }
  bool are(pid_t pid) const {
    return std::any_of(each.begin(), each.end(), [pid](const rank_state& r) { return r.pid == pid; });
  }
};

class keeper {
 public:
  keeper(const options& wanted, const front_line& line)
      : wanted_(wanted), line_(line), size_(wanted.world_size()), outputs_(wanted, size_, patience()) {
    add_checks();
  }
  int run();

 private:
  // What is looked at when some time has passed, in the order in which it is looked at.
  enum timed : std::size_t {
    next_phase,
    timeout,
    foreign_programs,
    causes,
    departed,
    standing_still,
    requested,
    held_lines,
    drain_news,
    carrying,
  };
  void add_checks();
  // What is known before the ranks are started, and of no use when they are.
  struct preparation {
    std::vector<variables> threads;  // by rank: what it is told of them
    std::string heap;                // library of the shared heap; empty: none
  };
  std::string set_up();
  void place_ranks(preparation& how);
  std::string start_all(const preparation& how);
  int open_input(std::uint32_t rank);
  void loop();
  void wait_for_events();
  void read_signals();
  void read_control();
  void read_failures();
  void take_order(int number);
  void see_ends();
  void rank_ended(std::uint32_t rank, int wait_status);
  std::vector<rank_end> ends();
  std::int64_t find_cause(bool now);
  void blame(std::uint32_t rank);
  void time_is_over();
  std::int64_t check_for_foreign_mpi(std::int64_t now);
  std::int64_t check_departures(std::int64_t now);
  std::int64_t check(standstill& still, std::int64_t now);
  void drain_begins();
  std::int64_t tell_of_drain(std::int64_t now);
  std::int64_t carry(std::int64_t now);
  bool gives_up();
  std::string heap_of(const application& a, const std::string& heap);
  void report_waits(const std::string& why);
  void signal_all(int number);
  void stop(int number);
  void release();
  void say_what_was_not_read_or_written();
  void say_what_was_not_stored();
  void say(const std::string& text) { outputs_.say(text); }
  outputs::patience patience();
  int finish();
  // Has a rank not reached MPI_Finalize? It may wait, now or once it has called MPI_Init, for one
  // that has left with an error.
  bool somebody_may_wait() {
    for (std::uint32_t i = 0; i < size_; ++i)
      if (!ranks_.each[i].ended && !has_finalized(job_->process(i))) return true;
    return false;
  }
  // Not where the ranks have caught the signal, and ended well.
  bool was_ended_by_signal() const {
    return ending_signal_ != 0 && (status_ || phases_.stopped() || phases_.cut_short() || output_dropped_);
  }

  const options& wanted_;
  front_line line_;
  std::uint32_t size_;
  outputs outputs_;
  std::unique_ptr<memory::job> job_;
  std::optional<binding> binding_;
  std::optional<oom_watch> oom_;
  std::optional<input_copies> copies_;
  rank_states ranks_;
  int signals_ = -1, failures_ = -1;

  timetable checks_;  // by the numbers of `timed`

  foreign_watch foreign_{wanted_};
  phases phases_{[this](memory::job_phase now) {
                   if (job_ != nullptr)  // it was made
                     job_->header().phase.store(static_cast<std::uint32_t>(now),
                                                std::memory_order_release);  // sync: job-phase
                 },
                 [this](int number) { signal_all(number); }};
  std::optional<io_service> io_;
  std::optional<request_server> requests_;
  bool asked_to_give_up_ = false;
  int ending_signal_ = 0;  // the user's, that ends the job
  bool output_dropped_ = false, timed_out_ = false;
  std::optional<death> first_death_;  // explained at the end
  std::optional<int> status_;         // the first failure's
  struct suspect {
    std::uint32_t rank;
    std::int64_t until;  // when the end of the one it names is not waited for any more
  };
  std::vector<suspect> suspects_;  // ranks that have failed, in this order, and are not known to be the cause
  departures departures_;
  std::vector<start_failure> start_failures_;
};

void keeper::add_checks() {
  checks_.add([this](std::int64_t now) { return phases_.turn(now); });
  checks_.add([this](std::int64_t) { return time_is_over(), timetable::never; });
  checks_.add([this](std::int64_t now) { return check_for_foreign_mpi(now); });
  checks_.add([this](std::int64_t) { return find_cause(false); });
  checks_.add([this](std::int64_t now) { return check_departures(now); });
  checks_.add([this, still = standstill()](std::int64_t now) mutable { return check(still, now); });
  checks_.add([this](std::int64_t now) {
    requests_->serve();
    return now + request_server::check_every_ms;
  });
  checks_.add([this](std::int64_t now) { return outputs_.tick(now); });
  checks_.add([this](std::int64_t now) { return tell_of_drain(now); });
  checks_.add([this](std::int64_t now) { return carry(now); });
}

// How long a reader is waited for when everything else is over.
outputs::patience keeper::patience() {
  return {line_.control, [this] { read_control(); }, [this] { return ending_signal_ != 0 || timed_out_; },
          [this] { output_dropped_ = true; }};
}

std::string keeper::set_up() {
  preparation how;
  if (!wanted_.quiet)
    for (const std::string& line : wanted_.notes) say(fmt::format("mpiexec: {}\n", line));
  if (std::string why = find_shared_heap(wanted_, &how.heap); !why.empty()) return why;
  memory::job_config config;
  config.world_size = size_;
  config.launcher = getpid();
  if (const char* most = std::getenv("LOADSTONE_ARENA_LIMIT"))
    config.arena_limit = memory::arena_limit_of(most);
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
  place_ranks(how);
  std::string why = start_all(how);
  if (!why.empty()) return why;
  const char* writes = std::getenv("LOADSTONE_IO_WRITES");
  io_.emplace(*job_, io_config{.processes = std::max(wanted_.io_ranks, 1u),
                               .places = binding_->servers,
                               .writes = writes != nullptr ? writes : "",
                               .shared_pids = line_.io_processes});
  phases_.add(*io_);
  requests_.emplace(*job_, *io_);
  if (requests_->descriptor() < 0) checks_.set(timed::requested, now_ms());
  return {};
}

void keeper::place_ranks(preparation& how) {
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
                                  elsewhere ? placement_wish{} : wanted_.placing, wanted_.io_ranks));
  const processors ours = base::affinity_list();
  how.threads = told_of_threads(wanted_, *binding_, ours.size());
  if (synthetic == nullptr) {
    tell(binding_->note);
    tell(note_of_servers(wanted_.io_ranks, *binding_));
    memory::publish_localities(*job_, size_, localities(size_, *binding_));
    if (wanted_.report_bindings) say(describe_placement(wanted_, *binding_, ours));
    return;
  }
  const processors theirs = all_processors(cores);
  const auto count = static_cast<std::uint32_t>(theirs.size());
  const placement there = place(cores, demands_of(wanted_, count), wanted_.placing, count, wanted_.io_ranks);
  tell(there.note);
  tell(note_of_servers(wanted_.io_ranks, there));
  memory::publish_localities(*job_, size_, localities(size_, there));
  if (wanted_.report_bindings)
    say(describe_placement(wanted_, there, theirs) +
        fmt::format("mpiexec: so it would be on LOADSTONE_TOPOLOGY={}\n", synthetic));
}

// What becomes the standard input of the rank; -1: nothing.
int keeper::open_input(std::uint32_t rank) {
  const input_wish& wish = wanted_.input;
  if (line_.input < 0 || wish.whom == input_wish::to::nobody) return -1;
  if (wish.whom == input_wish::to::rank) return rank == wish.rank ? line_.input : -1;
  if (!copies_) copies_.emplace(line_.input);
  return copies_->open_copy();
}

// The library of the shared heap for this program. A sanitizer would end it with words that name
// neither the option nor us.
std::string keeper::heap_of(const application& a, const std::string& heap) {
  if (heap.empty() || !read_linkage(find_program(a)).address_sanitizer) return heap;
  say(fmt::format(
      "mpiexec: --shared-heap: no effect: {} is built with AddressSanitizer, whose malloc must stay\n",
      a.command.front()));
  return {};
}

std::string keeper::start_all(const preparation& how) {
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  rlimit raised{open_files.rlim_max, open_files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &raised);  // two pipes a rank
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return fmt::format("pipe: {}", std::strerror(errno));
  fcntl(report[0], F_SETFL, O_NONBLOCK);
  failures_ = report[0];
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  bool alone_below = !memory::foreign_launcher().empty();
  ranks_.each.resize(size_);
  std::string error;
  std::uint32_t rank = 0;
  for (std::size_t part = 0; part < wanted_.applications.size() && error.empty(); ++part) {
    const std::string heap = heap_of(wanted_.applications[part], how.heap);
    for (std::uint32_t i = 0; i < wanted_.applications[part].ranks && error.empty(); ++i, ++rank) {
      rank_state& r = ranks_.each[rank];
      const processors* place = binding_->places.empty() ? nullptr : &binding_->places[rank];
      memory::process_entry& entry = job_->process(rank);
      entry.application = static_cast<std::uint32_t>(part);
      entry.cpu = place != nullptr ? place->front() : -1;
      int out = -1, err = -1;
      error = outputs_.open(rank, &out, &err);
      if (error.empty()) {
        const int input = open_input(rank);
        r.pid = start_rank({job_.get(), &wanted_.applications[part], rank, place,
                            input >= 0 ? input : nothing, out, err, report[1], open_files, &heap,
                            wanted_.shared_heap, &how.threads[rank], alone_below});
        if (r.pid < 0) error = fmt::format("cannot start rank {}: {}", rank, std::strerror(errno));
        if (copies_ && input >= 0) close(input);
      }
      if (r.pid < 0 && errno == EMFILE)
        error += fmt::format(" (the limit is {} open files; each rank needs two)", raised.rlim_cur);
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
  if (nothing >= 0) close(nothing);
  if (line_.input > STDERR_FILENO && !copies_) close(line_.input);
  for (std::uint32_t i = 0; i < size_; ++i)
    if (ranks_.each[i].pid < 0) ++ranks_.ended, ranks_.each[i].ended = true;
  return error;
}

void keeper::signal_all(int number) {
  for (const rank_state& r : ranks_.each)
    if (r.pid > 0 && !r.ended) kill(-r.pid, number);
}

void keeper::stop(int number) {
  checks_.set(timed::next_phase, phases_.stop(number, now_ms()));
}

void keeper::rank_ended(std::uint32_t rank, int wait_status) {
  rank_state& r = ranks_.each[rank];
  memory::process_entry& entry = job_->process(rank);
  r.ended = true;
  r.wait_status = wait_status;
  ++ranks_.ended;
  LOADSTONE_FAULT_POINT("launch.rank_ended");
  entry.wait_status = wait_status;
  entry.dead.store(1, std::memory_order_release);  // sync: process-dead
  requests_->rank_ended(rank);
  if (!phases_.running()) return;  // a consequence, not a cause
  if (!has_claimed(entry)) say(foreign_.rank_ended(entry.application));
  r.how = judge(entry, wait_status);
  if (r.how == verdict::left || (r.how == verdict::fine && !has_claimed(entry))) {
    departures_.add(rank, has_claimed(entry) ? departures::without::finalize : departures::without::init);
    if (checks_.at(timed::departed) == timetable::never)
      checks_.set(timed::departed, now_ms() + departures::check_every_ms);
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
    seen[i] = {ranks_.each[i].ended, ranks_.each[i].how != verdict::fine || !has_claimed(job_->process(i)),
               job_->process(i).met_death.load(std::memory_order_relaxed)};
  }
  return seen;
}

// Judges the failures seen so far, in their order, as far as their causes are known. `now`: none
// will be known better later. Answers when one will be.
std::int64_t keeper::find_cause(bool now) {
  while (!suspects_.empty() && phases_.running()) {
    const suspect first = suspects_.front();
    const auto cause = cause_of(ends(), first.rank, now || now_ms() >= first.until);
    if (!cause) return first.until;
    suspects_.erase(suspects_.begin());
    blame(*cause);
  }
  return timetable::never;
}

void keeper::blame(std::uint32_t rank) {
  const rank_state& r = ranks_.each[rank];
  memory::process_entry& entry = job_->process(rank);
  verdict end = r.how;
  // It has ended well, but for the rank that needed it: without MPI_Init.
  if (end == verdict::fine) end = verdict::fatal;
  if (!status_) status_ = r.how == verdict::fine ? 1 : exit_status_of(entry, r.wait_status);
  // Of a shell script, the status says it.
  const bool by_pipe = exit_status_of(entry, r.wait_status) == 128 + SIGPIPE && outputs_.reader_left(rank);
  if (!first_death_ && ending_signal_ == 0 && !by_pipe)
    first_death_ = death{rank, size_, r.pid, r.wait_status, oom_->happened(), false};
  if (end == verdict::left || (end == verdict::failed && somebody_may_wait())) end = verdict::fatal;
  if (end == verdict::fatal) {
    if (first_death_ && first_death_->rank == rank) first_death_->others_stopped = !ranks_.all_ended();
    stop(SIGTERM);
  }
}

void keeper::see_ends() {
  io_->see_ends();
  // It may have been the last, and have had no descriptor that was looked at.
  if (phases_.now() == memory::job_phase::draining) checks_.set(timed::next_phase, now_ms());
  if (io_->stands_in()) checks_.set(timed::carrying, now_ms());
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (ranks_.each[i].ended) continue;
    int pid = ranks_.each[i].pid;
    siginfo_t info{};
    // Looked at, not reaped: the process id stays this rank's until the job is over.
    if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid)
      continue;
    int status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8
                                            : info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
    rank_ended(i, status);
  }
  checks_.set(timed::causes, find_cause(ranks_.all_ended()));
  if (ranks_.all_ended() && (phases_.running() || phases_.now() == memory::job_phase::stopping)) {
    checks_.set(timed::next_phase, phases_.all_ended(now_ms()));
    drain_begins();
  }
  reap_orphans([this](pid_t pid) { return ranks_.are(pid) || io_->is(pid); });
}

// Data of ranks are still on their way to files. Whoever has ended the job, or looks on, is told.
void keeper::drain_begins() {
  if (phases_.over()) return;
  checks_.set(timed::drain_news, now_ms() + (ending_signal_ != 0 ? 0 : drain_news_ms));
}

std::int64_t keeper::tell_of_drain(std::int64_t now) {
  if (phases_.now() != memory::job_phase::draining) return timetable::never;
  const std::uint64_t left = io_->pending_bytes();
  if (left != 0 && (ending_signal_ != 0 || isatty(STDERR_FILENO)))
    say(fmt::format("mpiexec: {:.1f} MiB that the ranks have written to files are being stored{}\n",
                    static_cast<double>(left) / (1 << 20),
                    ending_signal_ != 0 ? "; one more signal gives them up" : ""));
  return now + drain_news_ms;
}

// No I/O process could be kept running.
std::int64_t keeper::carry(std::int64_t now) {
  if (phases_.over()) return timetable::never;
  io_->stand_in(40);
  return now + carry_every_ms;
}

// A signal in a drain. The first that says that the job shall end does not mean the data, as
// whoever sends it cannot know of them.
bool keeper::gives_up() {
  if (phases_.now() != memory::job_phase::draining || io_->pending_bytes() == 0) return true;
  if (std::exchange(asked_to_give_up_, true) || ending_signal_ != 0) return true;
  checks_.set(timed::drain_news, now_ms());
  return false;
}

// Also while we wait for a reader of why there is no job: then nobody waits.
void keeper::report_waits(const std::string& why) {
  if (job_ != nullptr) say(why + wait_report(views_of(*job_, size_)));
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
      if (ending_signal_ != 0 || !phases_.running()) {
        const bool drain_too = gives_up();
        if (ending_signal_ == 0 && !phases_.stopped()) ending_signal_ = number;  // also the first, in a drain
        if (!drain_too) return;
        // Ranks that do not end are killed now; what they have written is still stored.
        const bool in_drain =
            !io_ || phases_.now() == memory::job_phase::draining || io_->pending_bytes() == 0;
        checks_.set(timed::next_phase, phases_.hurry(now_ms(), in_drain));
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
    // The I/O processes see our end, and end when they have written what there is.
    kill_descendants([](pid_t) { return false; }, io_ ? io_->running() : std::vector<pid_t>());
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

void keeper::time_is_over() {
  if (!phases_.running()) return;
  timed_out_ = true;
  report_waits(fmt::format(
      "mpiexec: the job has run for {} s (--timeout) and is ended. Who waits for whom:\n", wanted_.timeout));
  stop(SIGTERM);
}

std::int64_t keeper::check_departures(std::int64_t now) {
  if (!phases_.running()) return timetable::never;
  if (const auto missed = departures_.missed(views_of(*job_, size_))) blame(*missed);
  return now + departures::check_every_ms;
}

std::int64_t keeper::check(standstill& still, std::int64_t now) {
  if (!phases_.running()) return timetable::never;
  const std::vector<rank_view> ranks = views_of(*job_, size_);
  say(still.look(ranks, [&](std::uint32_t rank) { return base::stat_of_process(ranks[rank].pid); }, now));
  return still.next_look(now);
}

std::int64_t keeper::check_for_foreign_mpi(std::int64_t now) {
  if (!phases_.running()) return timetable::never;
  std::vector<pid_t> running(size_);
  for (std::uint32_t i = 0; i < size_; ++i)
    running[i] = ranks_.each[i].ended || has_claimed(job_->process(i)) ? -1 : ranks_.each[i].pid;
  say(foreign_.check(*job_, running, now));
  return foreign_.next_check();
}

void keeper::wait_for_events() {
  std::vector<pollfd> polls;
  polls.push_back({line_.control, POLLIN, 0});
  polls.push_back({signals_, POLLIN, 0});
  polls.push_back({failures_, POLLIN, 0});
  const std::size_t printed = polls.size();
  outputs_.add_polls(polls);
  const std::size_t asked = polls.size();
  polls.push_back({requests_->descriptor(), POLLIN, 0});
  for (const int descriptor : phases_.descriptors()) polls.push_back({descriptor, POLLIN, 0});
  const std::size_t input = polls.size();
  if (copies_) copies_->add_polls(polls);
  checks_.set(timed::held_lines, outputs_.tick(now_ms()));
  const std::int64_t until = checks_.next();
  int pause = until < 0 ? -1 : static_cast<int>(std::clamp<std::int64_t>(until - now_ms(), 0, 1 << 30));
  if (poll(polls.data(), polls.size(), pause) < 0) return;
  // Output first: what a rank printed before it died is seen before its death.
  outputs_.turn(polls.data() + printed);
  if (copies_) copies_->turn(polls.data() + input);
  if (polls[asked].revents != 0) requests_->serve();
  const bool drained = std::any_of(polls.data() + asked + 1, polls.data() + input,
                                   [](const pollfd& p) { return p.revents != 0; });
  if (drained) checks_.set(timed::next_phase, now_ms());
  if (polls[2].revents != 0) read_failures();
  if (polls[0].revents != 0) read_control();
  if (polls[1].revents != 0) read_signals();
}

void keeper::loop() {
  while (!phases_.over()) {
    wait_for_events();
    checks_.turn(now_ms());
    outputs_.write_some();
  }
}

// Everything that is still below us goes: children of ranks, daemons. Ranks stay as zombies with
// their process ids. All writers are dead then, and what is in the pipes is all.
void keeper::release() {
  LOADSTONE_FAULT_POINT("launch.clearing_away");
  for (const rank_state& r : ranks_.each)
    if (r.pid > 0) kill(-r.pid, SIGKILL);
  kill_descendants([this](pid_t pid) { return ranks_.are(pid); });
  outputs_.read_rest();
  if (failures_ >= 0) read_failures();
}

void keeper::say_what_was_not_read_or_written() {
  if (copies_ && copies_->failure() != 0) {
    say(fmt::format("mpiexec: cannot read the standard input: {}\n", std::strerror(copies_->failure())));
    if (!status_) status_ = 1;
  }
  for (const std::string& failure : outputs_.failures()) {
    say(fmt::format("mpiexec: {}\n", failure));
    if (!status_) status_ = 1;
  }
}

void keeper::say_what_was_not_stored() {
  const std::string wrong = io_->failures() + io_->lost();
  say(wrong);
  if (!wrong.empty() && !status_) status_ = 1;
  if (wanted_.io_report) say(io_->report());
}

int keeper::finish() {
  // The held traceback of the rank that died first comes last, after the explanation.
  outputs_.release_held_but(first_death_ ? first_death_->rank : size_);
  outputs_.flush_but_own();
  say_what_was_not_read_or_written();
  say_what_was_not_stored();
  const bool blamed = first_death_ && ranks_.each[first_death_->rank].how == verdict::left;
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
    outputs_.release_held(first_death_->rank);
  } else if (was_ended_by_signal() && ending_signal_ != SIGINT) {
    say(fmt::format("mpiexec: the job was ended by signal {} ({}) to mpiexec.\n", ending_signal_,
                    strsignal(ending_signal_)));
  }
  outputs_.flush_own();
  for (const rank_state& r : ranks_.each)
    if (r.pid > 0) waitpid(r.pid, nullptr, 0);
  if (timed_out_) return 124;
  if (was_ended_by_signal()) return 128 + ending_signal_;
  return status_.value_or(outputs_.own_failed() ? 1 : 0);
}

int keeper::run() {
  std::string error = set_up();
  if (!error.empty()) {
    signal_all(SIGKILL);
    kill_descendants([](pid_t) { return false; });
    say(fmt::format("mpiexec: {}\n", error));
    outputs_.flush_own();
    return 1;
  }
  if (wanted_.timeout > 0)
    checks_.set(timed::timeout,
                now_ms() + static_cast<std::int64_t>(std::min(wanted_.timeout, longest_timeout) * 1000));
  checks_.set(timed::foreign_programs, now_ms() + foreign_watch::first_check_ms);
  checks_.set(timed::standing_still, now_ms() + standstill::look_every_ms);
  loop();
  release();
  return finish();
}

}  // namespace

int keep_job(const options& wanted, const front_line& line) {
  return keeper(wanted, line).run();
}

}  // namespace loadstone::launch
