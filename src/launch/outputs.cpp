#include "launch/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/clock.hpp"

namespace loadstone::launch {

namespace {

constexpr int own_messages = 1 << 30;  // as a source of output: mpiexec itself
constexpr int grace_ms = 1000;         // for a reader, once the job has been ended from outside

// Two descriptors of the same file (2>&1) share one sink, so that lines of both do not mix.
bool same_file(int a, int b) {
  struct stat sa {
  }, sb{};
  return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino &&
         !S_ISREG(sa.st_mode);
}

}  // namespace

outputs::outputs(const options& wanted, std::uint32_t ranks, patience how)
    : wish_(wanted.output), label_(wanted.label), how_(std::move(how)), ranks_(ranks) {
  sinks_.push_back(std::make_unique<sink>(STDOUT_FILENO, "the standard output"));
  out_ = err_ = sinks_.front().get();
  if (same_file(STDOUT_FILENO, STDERR_FILENO)) return;
  sinks_.push_back(std::make_unique<sink>(STDERR_FILENO, "the standard error"));
  err_ = sinks_.back().get();
}

void outputs::say(const std::string& text) {
  err_->add(own_messages, {}, text);
}

// The file that a rank's output goes to; nullptr if it cannot be written.
sink* outputs::open_file(const std::string& pattern, std::uint32_t rank, std::string* why) {
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
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    *why = fmt::format("cannot write {}: {}", name, std::strerror(errno));
    return nullptr;
  }
  sinks_.push_back(std::make_unique<sink>(descriptor, name));
  return file = sinks_.back().get();
}

std::unique_ptr<outputs::output_pipe> outputs::open_pipe(std::uint32_t rank, bool is_error, int* write_end,
                                                         std::string* why) {
  const std::string& pattern = is_error ? wish_.error : wish_.output;
  sink* to = is_error ? err_ : out_;
  if (!pattern.empty()) to = open_file(pattern, rank, why);
  if (to == nullptr) return nullptr;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *why = fmt::format("cannot start rank {}: {}", rank, std::strerror(errno));
    return nullptr;
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *write_end = ends[1];
  std::string prefix = label_ ? fmt::format("[{}] ", rank) : std::string();
  const int source = static_cast<int>(rank * 2 + (is_error ? 1 : 0));
  return std::make_unique<output_pipe>(output_pipe{
      ends[0], to, line_stream(source, *to, prefix, ranks_.size() == 1, is_error && pattern.empty())});
}

std::string outputs::open(std::uint32_t rank, int* output, int* error) {
  std::string why;
  pair& mine = ranks_[rank];
  mine.output = open_pipe(rank, false, output, &why);
  if (mine.output) mine.error = open_pipe(rank, true, error, &why);
  return why;
}

void outputs::add_polls(std::vector<pollfd>& polls) {
  polled_.clear();
  for (const auto& s : sinks_) polls.push_back({s->pending() ? s->descriptor() : -1, POLLOUT, 0});
  each([&](output_pipe& c) {
    if (c.to->full()) return;
    polls.push_back({c.pipe, POLLIN, 0});
    polled_.push_back(&c);
  });
}

void outputs::turn(const pollfd* polls) {
  const pollfd* pipe = polls + sinks_.size();
  for (output_pipe* c : polled_)
    if (pipe++->revents != 0) read(*c);
}

void outputs::write_some() {
  for (const auto& s : sinks_) s->write_some();
}

std::int64_t outputs::tick(std::int64_t now) {
  std::int64_t next = -1;
  each([&](output_pipe& c) {
    const std::int64_t again = c.lines.tick(now);
    if (again >= 0 && (next < 0 || again < next)) next = again;
  });
  return next;
}

void outputs::close(output_pipe& c) {
  c.lines.end();
  ::close(c.pipe);
  c.pipe = -1;
}

bool outputs::read(output_pipe& c) {
  static char block[64 << 10];
  const ssize_t n = ::read(c.pipe, block, sizeof block);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n > 0 && !c.to->closed()) {
    c.lines.feed({block, static_cast<std::size_t>(n)}, static_cast<std::int64_t>(base::now_ns() / 1'000'000));
    return true;
  }
  // At the end; or nobody reads our output any more, which the rank is told as it would be without
  // us, by SIGPIPE.
  close(c);
  return true;
}

bool outputs::reader_left(std::uint32_t rank) const {
  const pair& p = ranks_[rank];
  return (p.output && p.output->to->closed()) || (p.error && p.error->to->closed());
}

// Waits until all that is pending has been written. Its reader may take for ever (a stopped pager):
// we still listen, and once the job has been ended from outside, a reader that takes nothing for
// the grace is left.
void outputs::flush(sink& to) {
  while (to.pending()) {
    pollfd polls[2] = {{to.descriptor(), POLLOUT, 0}, {how_.control, POLLIN, 0}};
    const int ready = poll(polls, 2, how_.has_end() ? grace_ms : -1);
    if (ready < 0) continue;
    if (polls[1].revents != 0) how_.heed();
    if (polls[0].revents != 0) to.write_some();
    if (ready == 0) {
      to.abandon();
      how_.left();
    }
  }
}

void outputs::read_rest() {
  each([this](output_pipe& c) {
    while (c.pipe >= 0 && read(c))
      if (c.to->full()) flush(*c.to);
    if (c.pipe >= 0) close(c);
  });
}

void outputs::release_held(std::uint32_t rank) {
  output_pipe* c = ranks_[rank].error.get();
  if (c != nullptr && c->lines.holding()) c->lines.release_held();
}

void outputs::release_held_but(std::uint32_t rank) {
  for (std::uint32_t i = 0; i < ranks_.size(); ++i)
    if (i != rank) release_held(i);
}

void outputs::flush_but_own() {
  for (const auto& s : sinks_)
    if (s.get() != err_ || err_ == out_) flush(*s);
}

void outputs::flush_own() {
  flush(*err_);
}

std::vector<std::string> outputs::failures() const {
  std::vector<std::string> all;
  for (const auto& s : sinks_)
    if (s->failure() != 0 && (s.get() != err_ || err_ == out_))
      all.push_back(fmt::format("cannot write {}: {}", s->name(), std::strerror(s->failure())));
  return all;
}

}  // namespace loadstone::launch
