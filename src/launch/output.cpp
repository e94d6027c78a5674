#include "launch/output.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace loadstone::launch {

sink::sink(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
  struct stat file {};
  regular_ = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
  terminal_ = isatty(descriptor) == 1;
}

void sink::add(int source, std::string_view prefix, std::string_view bytes) {
  if (bytes.empty() || closed_) return;
  if (open_line_ >= 0 && open_line_ != source) {
    text_ += '\n';
    open_line_ = -1;
  }
  if (open_line_ != source) text_ += prefix;
  text_ += bytes;
  open_line_ = bytes.back() == '\n' ? -1 : source;
}

void sink::abandon() {
  closed_ = true;
  text_.clear();
  at_ = 0;
}

bool sink::write_piece() {
  if (!pending()) return false;
  std::size_t piece = text_.size() - at_;
  if (!regular_) {
    // A pipe that is ready takes 4 KiB without blocking; making it non-blocking would do so for
    // others that share it.
    pollfd polls{descriptor_, POLLOUT, 0};
    if (poll(&polls, 1, 0) <= 0) return false;
    piece = std::min<std::size_t>(piece, 4096);
  }
  ssize_t n = write(descriptor_, text_.data() + at_, piece);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (n < 0) {
    if (errno != EPIPE) failure_ = errno;
    abandon();
    return false;
  }
  at_ += static_cast<std::size_t>(n);
  if (at_ == text_.size()) {
    text_.clear();
    at_ = 0;
  } else if (at_ > limit) {
    text_.erase(0, at_);
    at_ = 0;
  }
  return true;
}

void sink::write_some() {
  while (write_piece()) continue;
}

void line_stream::line(std::string_view text) {
  if (holds_ && held_since_ < 0 && text.find("Traceback (most recent call last)") != text.npos)
    held_since_ = now_ms_;
  if (held_since_ >= 0) {
    held_ += prefix_;
    held_ += text;
    if (held_.size() > most_held) release_held();
    return;
  }
  to_->add(source_, prefix_, text);
}

void line_stream::feed(std::string_view bytes, std::int64_t now_ms) {
  last_ms_ = now_ms_ = now_ms;
  if (alone_ && !holds_ && prefix_.empty()) {
    to_->add(source_, {}, bytes);
    return;
  }
  std::size_t at = 0;
  if (!partial_.empty()) {
    std::size_t end = bytes.find('\n');
    if (end == bytes.npos) {
      partial_ += bytes;
      at = bytes.size();
    } else {
      partial_ += bytes.substr(0, end + 1);
      std::string whole;
      whole.swap(partial_);
      line(whole);
      at = end + 1;
    }
  }
  while (at < bytes.size()) {
    std::size_t end = bytes.find('\n', at);
    if (end == bytes.npos) {
      partial_ = bytes.substr(at);
      break;
    }
    line(bytes.substr(at, end + 1 - at));
    at = end + 1;
  }
  if (partial_.size() > longest_line) {
    std::string piece;
    piece.swap(partial_);
    line(piece);
  }
}

std::int64_t line_stream::tick(std::int64_t now_ms) {
  std::int64_t again = -1;
  if (held_since_ >= 0) {
    if (now_ms - held_since_ >= hold_ms)
      release_held();
    else
      again = held_since_ + hold_ms;
  }
  // Somebody sits in front of a terminal; in a file or pipe, whole lines matter more.
  if (!partial_.empty() && held_since_ < 0 && (alone_ || to_->terminal())) {
    if (now_ms - last_ms_ >= prompt_ms) {
      std::string piece;
      piece.swap(partial_);
      line(piece);
    } else {
      again = last_ms_ + prompt_ms;
    }
  }
  return again;
}

void line_stream::release_held() {
  held_since_ = -1;
  to_->add(source_, {}, held_);
  held_.clear();
}

void line_stream::end() {
  if (partial_.empty()) return;
  std::string piece;
  piece.swap(partial_);
  line(piece);
}

}  // namespace loadstone::launch
