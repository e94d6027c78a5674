#include "launch/input_copies.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace loadstone::launch {

input_copies::~input_copies() {
  close_all();
}

void input_copies::close_all() {
  for (copy& c : copies_)
    if (c.to >= 0) close(c.to);
  copies_.clear();
  if (from_ > STDERR_FILENO) close(from_);
  from_ = -1;
}

int input_copies::open_copy() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  copies_.push_back({ends[1]});
  return ends[0];
}

bool input_copies::all_done() const {
  return std::all_of(copies_.begin(), copies_.end(),
                     [&](const copy& c) { return c.to < 0 || c.done == bytes_; });
}

void input_copies::add_polls(std::vector<pollfd>& polls) const {
  polls.push_back({all_done() ? from_ : -1, POLLIN, 0});
  for (const copy& c : copies_) polls.push_back({c.done < bytes_ ? c.to : -1, POLLOUT, 0});
}

void input_copies::turn(const pollfd* polls) {
  if (polls[0].revents != 0) {
    const ssize_t n = read(from_, block_, sizeof block_);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n < 0) failure_ = errno;
    if (n <= 0) return close_all();
    bytes_ = static_cast<std::size_t>(n);
    for (copy& c : copies_) c.done = 0;
  }
  for (copy& c : copies_) {
    if (c.to < 0 || c.done == bytes_) continue;
    const ssize_t n = write(c.to, block_ + c.done, bytes_ - c.done);
    if (n > 0) c.done += static_cast<std::size_t>(n);
    if (n >= 0 || errno == EINTR || errno == EAGAIN) continue;
    close(c.to);  // the rank has closed its input, or is dead
    c.to = -1;
  }
  // Nobody is left to read for: what is still there stays there.
  if (std::none_of(copies_.begin(), copies_.end(), [](const copy& c) { return c.to >= 0; })) close_all();
}

}  // namespace loadstone::launch
