// fake_rank STEP…: a rank that follows its script. Steps for one rank only are written RANK/STEP.
//   init  finalize  exit:STATUS  signal:NUMBER  print:TEXT  error:TEXT  call:NUMBER  abort:CODE:TEXT
//   mpi_error:TEXT
//   wait:CALL:PEER:TAG   records the wait and sleeps for ever      sleep         sleeps for ever
//   wait-now:…           the same, but the wait has always just begun
//   wait-until:…:FILE    the same, until FILE exists
//   unexpected:FILE      waits until FILE exists                   touch:FILE
//   catch:SIGNAL:STATUS  exits with STATUS at that signal          daemon:FILE   leaves a process in a session of its own
//   met:RANK             has met the death of that rank             exit-now:STATUS  as exit, but by _exit
//   poll[:MS]            polls for ever, as MPI_Test does, every so often        poll-and-find:MS   as long, not in vain
//   pause:MS
//   single               must not find a job                       claimed:FILE  must be refused: place taken
//   environment          the announcement is gone
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "memory/last_words.hpp"
#include "memory/launch_environment.hpp"
#include "memory/liveness.hpp"
#include "memory/wait_note.hpp"

using namespace loadstone;

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

int status_at_signal;
void leave(int) {
  _exit(status_at_signal);
}

void touch(const std::string& file) {
  std::string started = file + ".new";
  FILE* f = std::fopen(started.c_str(), "w");
  std::fprintf(f, "%d\n", static_cast<int>(getpid()));
  std::fclose(f);
  std::rename(started.c_str(), file.c_str());
}

memory::found_job mine;

memory::process_entry& entry() {
  return mine.view->process(mine.self);
}

void take(const std::vector<std::string>& step) {
  const std::string& what = step[0];
  auto number = [&](std::size_t i) { return std::atoi(step.at(i).c_str()); };
  if (what == "init") {
    mine = memory::find_job();
    if (mine.view == nullptr) {
      std::fprintf(stderr, "fake_rank: %s\n", mine.error.c_str());
      std::exit(70);
    }
    mine.view->enter(memory::process_state::initialized);
    on_exit([](int status, void*) { mine.view->note_exit(status); }, nullptr);
  } else if (what == "finalize") {
    mine.view->enter(memory::process_state::finalized);
  } else if (what == "exit") {
    std::exit(number(1));
  } else if (what == "exit-now") {
    _exit(number(1));
  } else if (what == "met") {
    memory::note_death(*mine.view, static_cast<std::uint32_t>(number(1)));
  } else if (what == "poll") {
    const useconds_t pause = step.size() > 1 ? static_cast<useconds_t>(number(1)) * 1000 : 1000;
    for (;; usleep(pause)) entry().polls.fetch_add(1, std::memory_order_relaxed);  // relaxed: a test's number
  } else if (what == "poll-and-find") {
    for (int i = 0; i < number(1); i += 10, usleep(10'000)) {
      entry().polls.fetch_add(1, std::memory_order_relaxed);                     // relaxed: as above
      if (i % 1000 == 0) entry().moved.fetch_add(1, std::memory_order_relaxed);  // relaxed: as above
    }
  } else if (what == "signal") {
    kill(getpid(), number(1));
  } else if (what == "print") {
    std::puts(step[1].c_str());
    std::fflush(stdout);
  } else if (what == "error") {
    std::fprintf(stderr, "%s\n", step[1].c_str());
  } else if (what == "call") {
    entry().last_call.store(static_cast<std::uint32_t>(number(1)),
                            std::memory_order_relaxed);  // relaxed: a test's number
  } else if (what == "abort" || what == "mpi_error") {
    bool abort = what == "abort";
    memory::leave_last_words(entry(), abort ? memory::last_words::abort : memory::last_words::error,
                             abort ? number(1) : 1, step[abort ? 2 : 1]);
    _exit(abort ? number(1) : 1);
  } else if (what.rfind("wait", 0) == 0) {
    memory::wait_note note(entry());
    note.sleeps({.call = static_cast<std::uint16_t>(number(1)),
                 .peer = number(2),
                 .tag = number(3),
                 .communicator = 0,
                 .detail = "test",
                 .since = what == "wait-now" ? ~std::uint64_t{0} >> 1 : 0});
    if (what == "wait-until")
      while (access(step[4].c_str(), F_OK) != 0) usleep(10000);
    else
      for (;;) pause();
  } else if (what == "sleep") {
    for (;;) pause();
  } else if (what == "pause") {
    usleep(static_cast<useconds_t>(number(1)) * 1000);
  } else if (what == "until") {
    while (access(step[1].c_str(), F_OK) != 0) usleep(1000);
  } else if (what == "touch") {
    touch(step[1]);
  } else if (what == "catch") {
    status_at_signal = number(2);
    signal(number(1), leave);
  } else if (what == "daemon") {
    if (fork() == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      touch(step[1]);
      for (;;) pause();
    }
    while (access(step[1].c_str(), F_OK) != 0) usleep(1000);
  } else if (what == "single") {
    if (mine.launched || mine.view->header().world_size != 1) std::exit(71);
  } else if (what == "environment") {
    if (getenv("LOADSTONE_RANK") || getenv("LOADSTONE_JOB") || getenv("LOADSTONE_JOB_FD")) std::exit(72);
  } else if (what == "size") {
    std::printf("%u of %u, application %u\n", mine.self, mine.view->header().world_size, entry().application);
  } else if (what == "run") {  // a child program of this rank: this program with `init single`
    int status = std::system((step[1] + " init single finalize").c_str());
    if (status != 0) std::exit(73);
  } else {
    std::fprintf(stderr, "fake_rank: unknown step %s\n", what.c_str());
    std::exit(74);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* rank = getenv("LOADSTONE_RANK");
  std::string self = rank != nullptr ? rank : "0";
  for (int i = 1; i < argc; ++i) {
    std::string step = argv[i];
    std::size_t slash = step.find('/'), colon = step.find(':');
    if (slash != step.npos && slash < colon && slash > 0) {
      if (step.substr(0, slash) != self) continue;
      step.erase(0, slash + 1);
    }
    take(split(step));
  }
  return 0;
}
