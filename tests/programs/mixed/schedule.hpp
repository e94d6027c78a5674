// One random program: steps that all of its processes draw alike and carry out in the same order.
// What a step starts may end many steps later, in an order that each process draws for itself. A
// blocking step waits for no more than what others start in the same step or earlier: so there is
// no deadlock but the library's.
#pragma once

#include "mixed/plan.hpp"

namespace mixed {

class schedule {
 public:
  schedule(MPI_Comm base, std::uint64_t seed, std::string folder, int thread);
  void run(long steps);

 private:
  // One window, and what is in it.
  struct window {
    communicator* c = nullptr;
    MPI_Win win = MPI_WIN_NULL;
    int kind = 0, epoch = 0;  // 0: none
    bool was_active = false;  // the last one
    long words = 0;
    std::uint64_t* memory = nullptr;
    std::vector<std::uint64_t> own;
    std::vector<MPI_Aint> address;
    std::vector<std::vector<std::uint64_t>> holds, next;  // by rank in the window: now, and after this epoch
    std::vector<std::vector<int>> state;                  // what is done to each word in this epoch
    std::vector<std::function<void()>> checks;
    std::vector<MPI_Request> requests;
  };

  // schedule.cpp
  [[noreturn]] void fail(const std::string& what);
  void must(int code, const char* call);
  void dawdle();
  long draw_due();
  void later(long due, MPI_Request request, std::function<void()> check, bool of_file = false);
  void finish(pending& p);
  void complete(long until, bool files_only = false);
  void check_words(const char* what, std::uint64_t op, buffer& b, int from, int to, long first, long count,
                   long offset = 0);
  void check_guards(const char* what, buffer& b);
  buffers make(const layout& l, long count);
  layout draw_layout();
  communicator* any(bool intra = false);

  void new_communicator();
  void free_communicator();

  // messages.cpp
  void message();
  void ring();
  void persistent_message();

  // collectives.cpp
  void collective();
  void reduction(communicator& c, int form);
  void exchange(communicator& c, int form);
  void finish_collective(int form, MPI_Request request, long due, long rounds,
                         const std::function<void(std::uint64_t)>& fill,
                         const std::function<void(std::uint64_t)>& check);

  // windows.cpp
  void window_step();
  void new_window();
  void free_window(std::size_t index);
  void begin_epoch(window& w);
  void access(window& w);
  void end_epoch(window& w);

  // files.cpp
  void file_step();
  void open_file();
  void close_file();
  void view_file();
  void access_file(bool write);
  long file_word(int who, long i) const;
  void sync_file();

  MPI_Comm base_;
  int rank_, size_, thread_;
  std::uint64_t seed_;
  random plan_, own_;
  std::string folder_, path_;
  long step_ = 0;
  std::uint64_t op_ = 0;
  std::string doing_;
  std::list<communicator> comms_;
  std::list<pending> pending_;
  std::vector<std::unique_ptr<window>> windows_;
  MPI_Datatype pair_, triple_, gappy_;
  MPI_Op affine_;

  MPI_File file_ = MPI_FILE_NULL;
  std::vector<word> content_;
  std::vector<int> writer_;  // who has written this word since the last synchronisation, or -1
  std::vector<int> reader_;  // who has read it since then; -1: nobody
  std::vector<long> busy_;   // the step until which the word is being written or read
  long tile_ = 0;            // words of each process in a row; 0: all see all
};

#define MUST(call) must(call, #call)

}  // namespace mixed
