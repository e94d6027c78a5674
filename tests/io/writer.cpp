// writer STEP…: a rank that writes a file through the storage of this library, and follows its
// script. Steps for one rank only are written RANK/STEP.
//   open:FILE[:BUFFER]        rank r has bytes [r × size, (r + 1) × size) of it, which hold pattern(r, …)
//   write:BYTES[:PIECE]       its next bytes, in pieces        again:BYTES    the same from its begin
//   sync  settle  close  size:BYTES   check      reads all that this rank has written, and compares
//   fails:ERRNO               the next call that is `settle` must fail so, and print what it says
//   kill  exit:STATUS  abort:TEXT  sleep  touch:FILE  until:FILE
//   need:MIB                  so much memory from now on     relieved   waits until its buffer was given back
//   stop-io  kill-io  continue-io     a signal to its I/O process
//   hunt-io                   kills its I/O process until another one is its own
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "buffering/servers.hpp"
#include "io/buffered_storage.hpp"
#include "memory/last_words.hpp"
#include "memory/launch_environment.hpp"

using namespace loadstone;

namespace {

constexpr std::int64_t share = 64 << 20;  // of a rank, in the file

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

std::byte pattern(std::uint32_t rank, std::int64_t at) {
  return static_cast<std::byte>(
      1 + (rank * 31 + static_cast<std::uint64_t>(at) * 7 + static_cast<std::uint64_t>(at >> 12)) % 251);
}

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "writer: %s\n", why.c_str());
  std::_Exit(3);
}

struct script {
  memory::job& job;
  std::uint32_t self;
  io::storage& storage;
  std::unique_ptr<io::stored_file> file = nullptr;
  std::int64_t written = 0, most = 0;
  int expected = 0;
  std::vector<char> needed = {};

  void must(const io::trouble& t, const char* what) {
    if (!t.ok()) die(std::string(what) + ": " + t.what);
  }
  void write(std::int64_t bytes, std::int64_t piece) {
    std::vector<std::byte> data(static_cast<std::size_t>(piece));
    for (std::int64_t end = written + bytes; written < end;) {
      const std::int64_t n = std::min(piece, end - written);
      for (std::int64_t i = 0; i < n; ++i) data[static_cast<std::size_t>(i)] = pattern(self, written + i);
      std::int64_t done = 0;
      const io::extent e{self * share + written, data.data(), n};
      must(file->write(std::span(&e, 1), &done), "write");
      if (done != n) die("a write was short");
      std::memset(data.data(), 0, data.size());  // it is ours again
      written += n;
    }
    most = std::max(most, written);
  }
  void check() {
    std::vector<std::byte> data(static_cast<std::size_t>(most));
    std::int64_t done = 0;
    const io::extent e{self * share, data.data(), most};
    must(file->read(std::span(&e, 1), &done), "read");
    if (done != most) die("a read was short");
    for (std::int64_t i = 0; i < most; ++i)
      if (data[static_cast<std::size_t>(i)] != pattern(self, i)) die("wrong byte " + std::to_string(i));
  }
  void signal_io(int number) {
    const pid_t pid = buffering::server_of(job, self).pid.load();
    if (pid <= 0) die("there is no I/O process");
    kill(pid, number);
  }
  void step(const std::string& text) {
    const std::vector<std::string> word = split(text);
    const auto number = [&](std::size_t i) { return std::stoll(word.at(i)); };
    if (word[0] == "open") {
      io::trouble why;
      io::open_how how;
      how.path = word[1];
      how.write = how.create = true;
      if (word.size() > 2) how.buffer_bytes = number(2);
      file = storage.open(how, &why);
      if (file == nullptr) die(why.what);
      written = most = 0;
    } else if (word[0] == "write") {
      write(number(1), word.size() > 2 ? number(2) : 1 << 20);
    } else if (word[0] == "again") {
      written = 0;
      write(number(1), 1 << 20);
    } else if (word[0] == "settle" || word[0] == "sync") {
      const io::trouble t = word[0] == "sync" ? file->sync() : file->settle();
      if (t.number != expected) die("settle: " + std::to_string(t.number) + ": " + t.what);
      if (!t.ok())
        std::printf("told: %s; offset %lld, %lld bytes\n", t.what.c_str(), static_cast<long long>(t.offset),
                    static_cast<long long>(t.bytes));
      expected = 0;
    } else if (word[0] == "fails") {
      expected = static_cast<int>(number(1));
    } else if (word[0] == "close") {
      must(file->close(), "close");
      file.reset();
    } else if (word[0] == "size") {
      std::int64_t bytes = 0;
      must(file->size(&bytes), "size");
      if (bytes != number(1)) die("its size is " + std::to_string(bytes));
    } else if (word[0] == "check") {
      check();
    } else if (word[0] == "kill") {
      raise(SIGKILL);
    } else if (word[0] == "exit") {
      std::_Exit(static_cast<int>(number(1)));
    } else if (word[0] == "abort") {
      memory::leave_last_words(job.process(self), memory::last_words::abort, 7, word[1]);
      std::_Exit(7);
    } else if (word[0] == "sleep") {
      for (;;) pause();
    } else if (word[0] == "touch") {
      ::close(open(word[1].c_str(), O_CREAT | O_WRONLY, 0666));
    } else if (word[0] == "until") {
      while (access(word[1].c_str(), F_OK) != 0) usleep(1000);
    } else if (word[0] == "need") {
      needed.assign(static_cast<std::size_t>(number(1)) << 20, 1);
    } else if (word[0] == "relieved") {
      while (job.io(self).relieved.load() == 0) usleep(1000);
    } else if (word[0] == "stop-io") {
      signal_io(SIGSTOP);
    } else if (word[0] == "continue-io") {
      signal_io(SIGCONT);
    } else if (word[0] == "hunt-io") {
      // A new one is stopped before it has written anything, if it can be; and then killed.
      memory::io_server& first = buffering::server_of(job, self);
      while (&buffering::server_of(job, self) == &first)
        if (const pid_t pid = first.pid.load(); pid > 0) kill(pid, SIGKILL);
    } else if (word[0] == "kill-io") {
      signal_io(SIGKILL);
    } else {
      die("no such step: " + text);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  memory::found_job found = memory::find_job();
  if (found.view == nullptr) die(found.error);
  found.view->enter(memory::process_state::initialized);
  auto arena = memory::arena::open(*found.view, found.self);
  if (!arena) die(arena.error().what);
  buffering::config config;
  config.always = true;  // however few cores there are
  if (const char* bytes = std::getenv("LOADSTONE_IO_BUFFER")) config.bytes = std::stoull(bytes);
  if (const char* bytes = std::getenv("LOADSTONE_IO_PROGRAM_MEMORY"))
    config.program_bytes = std::stoull(bytes);
  {
    const auto storage = io::make_buffered_storage(*found.view, **arena, config);
    script s{*found.view, found.self, *storage};
    for (int i = 1; i < argc; ++i) {
      std::string text = argv[i];
      if (const std::size_t slash = text.find('/'); slash != std::string::npos && slash < text.find(':')) {
        if (std::stoul(text) != found.self) continue;
        text = text.substr(slash + 1);
      }
      s.step(text);
    }
  }
  found.view->enter(memory::process_state::finalized);
  return 0;
}
