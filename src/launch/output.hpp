// What ranks print, on its way to our own output: whole text lines, one after the other, whatever
// bytes they hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loadstone::launch {

// One of our own outputs, or a file that ranks' output goes to. Never waits for a reader.
class sink {
 public:
  sink(int descriptor, std::string name);

  // Appends one piece. `source` is who writes: a line of one source left open is ended before
  // another source writes, and continued, without the prefix, by its own.
  void add(int source, std::string_view prefix, std::string_view bytes);
  void write_some();  // as much as goes without waiting
  void abandon();     // what is pending, and all that may follow, is dropped
  bool pending() const { return at_ < text_.size() && !closed_; }
  bool full() const { return text_.size() - at_ > limit; }
  bool closed() const { return closed_; }  // nobody reads any more, or it cannot be written
  // Why it cannot be written (an errno), 0 if it can. A reader that has left is none: it had what
  // it wanted.
  int failure() const { return failure_; }
  bool terminal() const { return terminal_; }
  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t limit = 8 << 20;  // then ranks have to wait
  bool write_piece();                            // false: no more goes for now
  int descriptor_;
  std::string name_;
  int failure_ = 0;
  bool regular_, terminal_, closed_ = false;
  std::string text_;
  std::size_t at_ = 0;
  int open_line_ = -1;  // source whose line has no end yet
};

// One output of one rank: cuts what arrives into text lines.
class line_stream {
 public:
  // alone: no other rank can mix with it, so that output goes on as it comes. hold_tracebacks: see
  // below.
  line_stream(int source, sink& to, std::string prefix, bool alone, bool hold_tracebacks)
      : source_(source), to_(&to), prefix_(std::move(prefix)), alone_(alone), holds_(hold_tracebacks) {}

  void feed(std::string_view bytes, std::int64_t now_ms);
  void end();  // no more bytes will come: what is left goes out, but for a held traceback

  // A prompt without an end of line is let through when nothing more comes for a moment. A Python
  // traceback is kept back for a second, because the death that may follow it is explained before
  // it, so that it stays the last thing on the screen. Returns when to be called again, or -1.
  std::int64_t tick(std::int64_t now_ms);
  void release_held();
  bool holding() const { return held_since_ >= 0; }

 private:
  static constexpr std::size_t longest_line = 16 << 20;  // a longer one is forwarded in pieces
  static constexpr std::size_t most_held = 256 << 10;
  static constexpr std::int64_t hold_ms = 1000, prompt_ms = 50;
  void line(std::string_view text);
  int source_;
  sink* to_;
  std::string prefix_;
  bool alone_, holds_;
  std::string partial_, held_;
  std::int64_t last_ms_ = 0, now_ms_ = 0, held_since_ = -1;
};

}  // namespace loadstone::launch
