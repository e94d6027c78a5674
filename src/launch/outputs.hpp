// All that the ranks print, and what mpiexec says itself: from the pipes of the ranks into our own
// outputs or files.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/options.hpp"
#include "launch/output.hpp"

namespace loadstone::launch {

class outputs {
 public:
  // While everything else is over, and only a slow reader is waited for.
  struct patience {
    int control = -1;               // readable: heed() is called
    std::function<void()> heed;     // somebody wants something of mpiexec
    std::function<bool()> has_end;  // is a reader left that takes nothing for a second?
    std::function<void()> left;     // that has happened
  };
  outputs(const options& wanted, std::uint32_t ranks, patience how);
  outputs(const outputs&) = delete;
  outputs& operator=(const outputs&) = delete;

  // Makes the two pipes of a rank and hands out its ends. An answer is why not; the first may be
  // open then.
  std::string open(std::uint32_t rank, int* output, int* error);
  void say(const std::string& text);  // mpiexec's own

  // For poll(): pipes that may be read and outputs that may take more. turn() is given the same
  // places again.
  void add_polls(std::vector<pollfd>& polls);
  void turn(const pollfd* polls);
  std::int64_t tick(std::int64_t now);  // when to be called again; -1: need not be
  void write_some();

  bool reader_left(std::uint32_t rank) const;  // of one of its outputs
  // All writers that we know are dead, so what a pipe holds now is all. Its end may not be there: a
  // rank can have handed its output to a process that is not below us.
  void read_rest();
  void release_held(std::uint32_t rank);      // the traceback that was kept back, if there is one
  void release_held_but(std::uint32_t rank);  // those of all others
  void flush_but_own();                       // waits until all is written but what we say ourselves
  void flush_own();
  std::vector<std::string> failures() const;  // what could not be written, a sentence each
  bool own_failed() const { return err_->failure() != 0; }

 private:
  // One output of one rank: our end of the pipe, and what becomes of the bytes.
  struct output_pipe {
    int pipe;  // -1: at its end
    sink* to;
    line_stream lines;
  };
  struct pair {
    std::unique_ptr<output_pipe> output, error;
  };
  sink* open_file(const std::string& pattern, std::uint32_t rank, std::string* why);
  std::unique_ptr<output_pipe> open_pipe(std::uint32_t rank, bool is_error, int* write_end, std::string* why);
  bool read(output_pipe& c);  // false: nothing is there now
  void close(output_pipe& c);
  void flush(sink& to);
  template <class F>
  void each(F&& f) {
    for (pair& p : ranks_)
      for (output_pipe* c : {p.output.get(), p.error.get()})
        if (c != nullptr && c->pipe >= 0) f(*c);
  }

  const output_wish& wish_;
  bool label_;
  patience how_;
  // Our own outputs, which are one if they are the same file; then the files of --output-filename,
  // by name.
  std::vector<std::unique_ptr<sink>> sinks_;
  sink *out_ = nullptr, *err_ = nullptr;
  std::map<std::string, sink*> files_;
  std::vector<pair> ranks_;
  std::vector<output_pipe*> polled_;  // by the last add_polls()
};

}  // namespace loadstone::launch
