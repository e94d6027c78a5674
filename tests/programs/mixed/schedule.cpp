#include "mixed/schedule.hpp"

#include <chrono>

namespace mixed {
namespace {

// x -> a x + b, as pairs (a, b); the lower rank's is applied first.
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  const word* lower = static_cast<const word*>(in);
  word* higher = static_cast<word*>(inout);
  for (int i = 0; i < *count; ++i) {
    const word a = lower[2 * i] * higher[2 * i], b = lower[2 * i + 1] * higher[2 * i] + higher[2 * i + 1];
    higher[2 * i] = a;
    higher[2 * i + 1] = b;
  }
}

}  // namespace

schedule::schedule(MPI_Comm base, std::uint64_t seed, std::string folder, int thread)
    : base_(base),
      thread_(thread),
      seed_(seed),
      plan_{seed * 2654435761u + static_cast<std::uint64_t>(thread)},
      own_{0},
      folder_(std::move(folder)) {
  MPI_Comm_rank(base, &rank_);
  MPI_Comm_size(base, &size_);
  own_.state = plan_.state * 31 + static_cast<std::uint64_t>(rank_) + 1;
  MPI_Type_contiguous(2, MPI_UINT32_T, &pair_);
  MPI_Type_contiguous(3, MPI_UINT32_T, &triple_);
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_UINT32_T, &two);
  MPI_Type_create_resized(two, 0, 3 * sizeof(word), &gappy_);
  MPI_Type_free(&two);
  for (MPI_Datatype* t : {&pair_, &triple_, &gappy_}) MPI_Type_commit(t);
  MPI_Op_create(compose, 0, &affine_);
}

void schedule::fail(const std::string& what) {
  std::fprintf(stderr, "mixed_random: rank %d of %d, thread %d, seed %llu, step %ld (%s): %s\n", rank_, size_,
               thread_, static_cast<unsigned long long>(seed_), step_, doing_.c_str(), what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void schedule::must(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  fail(std::string(call) + ": " + text);
}

// Processes come late, each in its own way.
void schedule::dawdle() {
  if (own_.one_in(24)) {
    usleep(static_cast<useconds_t>(own_.below(own_.one_in(20) ? 4000 : 200)));
  } else if (own_.one_in(16)) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(own_.below(50));
    while (std::chrono::steady_clock::now() < until) {
    }
  }
  if (own_.one_in(8))
    for (pending& p : pending_) {
      if (p.done || own_.one_in(2)) continue;
      int flag;
      MUST(MPI_Test(&p.request, &flag, MPI_STATUS_IGNORE));
      if (!flag) continue;
      finish(p);
    }
}

void schedule::finish(pending& p) {
  p.done = true;
  if (p.persistent) MUST(MPI_Request_free(&p.request));
  if (p.request != MPI_REQUEST_NULL) fail("a completed request is still there");
  p.check();
}

// All draw this, whoever has a request.
long schedule::draw_due() {
  return step_ + plan_.below(plan_.one_in(4) ? 40 : 6);
}

void schedule::later(long due, MPI_Request request, std::function<void()> check, bool of_file) {
  pending_.push_back({due, request, std::move(check), of_file});
  if (request == MPI_REQUEST_NULL) {
    pending_.back().done = true;
    pending_.back().check();
  }
}

// Completes what is due, one way or another.
void schedule::complete(long until, bool files_only) {
  std::vector<pending*> due;
  for (pending& p : pending_)
    if (!p.done && p.due <= until && (!files_only || p.of_file)) due.push_back(&p);
  const std::string before = doing_;
  if (!due.empty()) {
    doing_ = "completes";
    for (std::size_t i = due.size(); i > 1; --i)
      std::swap(due[i - 1], due[static_cast<std::size_t>(own_.below(static_cast<long>(i)))]);
    std::vector<MPI_Request> requests;
    for (pending* p : due) requests.push_back(p->request);
    const int n = static_cast<int>(requests.size());
    switch (own_.below(5)) {
      case 0:
        for (MPI_Request& r : requests) MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        break;
      case 1:
        MUST(MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE));
        break;
      case 2:
        for (int left = n, which; left; --left) {
          MUST(MPI_Waitany(n, requests.data(), &which, MPI_STATUS_IGNORE));
          if (which == MPI_UNDEFINED) fail("MPI_Waitany has nothing more to wait for");
        }
        break;
      case 3: {
        std::vector<int> which(requests.size());
        for (int left = n, some; left; left -= some) {
          MUST(MPI_Waitsome(n, requests.data(), &some, which.data(), MPI_STATUSES_IGNORE));
          if (some == MPI_UNDEFINED) fail("MPI_Waitsome has nothing more to wait for");
        }
        break;
      }
      default:
        for (MPI_Request& r : requests)
          for (int flag = 0; !flag;) MUST(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
    }
    for (std::size_t i = 0; i < due.size(); ++i) {
      due[i]->request = requests[i];
      finish(*due[i]);
    }
  }
  pending_.remove_if([](const pending& p) { return p.done; });
  doing_ = before;
}

void schedule::check_words(const char* what, std::uint64_t op, buffer& b, int from, int to, long first,
                           long count, long offset) {
  for (long i = 0; i < count; ++i)
    if (const word is = b.at(first + i), wanted = value(op, from, to, offset + i); is != wanted) {
      char text[200];
      std::snprintf(text, sizeof text,
                    "%s of step %llu: word %ld of %ld from %d for %d is %08x instead of %08x", what,
                    static_cast<unsigned long long>(op), i, count, from, to, is, wanted);
      fail(text);
    }
}

void schedule::check_guards(const char* what, buffer& b) {
  if (const long at = b.scribbled(); at >= 0)
    fail(std::string(what) + ": word " + std::to_string(at) + " beside the data was written");
}

buffers schedule::make(const layout& l, long count) {
  return std::make_shared<buffer>(l, count, own_.one_in(4));
}

layout schedule::draw_layout() {
  switch (plan_.below(6)) {
    case 0:
      return {pair_, 2, 2};
    case 1:
      return {triple_, 3, 3};
    case 2:
      return {gappy_, 2, 3};
    default:
      return {};
  }
}

communicator* schedule::any(bool intra) {
  for (;;) {
    auto at = comms_.begin();
    std::advance(at, plan_.below(static_cast<long>(comms_.size())));
    if (!intra || !at->inter) return &*at;
  }
}

void schedule::new_communicator() {
  communicator& from = *any();
  communicator made;
  long how = plan_.below(7);
  if (from.inter) how = how % 2 == 0 ? 0 : 6;
  doing_ = "makes a communicator, way " + std::to_string(how);
  const int n = static_cast<int>(from.groups[0].size());
  made.groups[0] = from.groups[0];
  made.side = from.side;
  if (how == 0) {  // of the same
    made.grid = from.grid;
    made.groups[1] = from.groups[1];
    made.inter = from.inter;
    if (from.member()) MUST(MPI_Comm_dup(from.comm, &made.comm));
  } else if (how == 1) {  // the same, with others between
    if (from.member()) {
      MPI_Request request;
      MUST(MPI_Comm_idup(from.comm, &made.comm, &request));
      dawdle();
      MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
  } else if (how == 2) {  // parts, in another order: that of the first member is kept
    const long parts = 1 + plan_.below(3), turn = plan_.below(n);
    std::vector<std::pair<long, int>> order;
    for (int i = 0; i < n; ++i)
      if (i % parts == 0)
        order.push_back({(i * 7 + turn) % (n * 7), from.groups[0][static_cast<std::size_t>(i)]});
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    made.groups[0].clear();
    for (const auto& [key, who] : order) made.groups[0].push_back(who);
    if (from.member())
      MUST(MPI_Comm_split(from.comm, from.me % parts == 0 ? 0 : MPI_UNDEFINED,
                          static_cast<int>((from.me * 7 + turn) % (n * 7)), &made.comm));
  } else if (how == 3) {  // some of them, by a group
    std::vector<int> ranks;
    const long first = plan_.below(n), count = 1 + plan_.below(n);
    for (long i = 0; i < count; ++i) ranks.push_back(static_cast<int>((first + i) % n));
    made.groups[0].clear();
    for (int r : ranks) made.groups[0].push_back(from.groups[0][static_cast<std::size_t>(r)]);
    if (from.member() && std::find(ranks.begin(), ranks.end(), from.me) != ranks.end()) {
      MPI_Group all, part;
      MUST(MPI_Comm_group(from.comm, &all));
      MUST(MPI_Group_incl(all, static_cast<int>(count), ranks.data(), &part));
      MUST(MPI_Comm_create_group(from.comm, part, static_cast<int>(step_ % 100), &made.comm));
      MUST(MPI_Group_free(&all));
      MUST(MPI_Group_free(&part));
    }
  } else if (how == 4) {  // a ring
    made.grid = true;
    if (from.member()) {
      const int periodic = 1;
      MUST(MPI_Cart_create(from.comm, 1, &n, &periodic, 0, &made.comm));
    }
  } else if (how == 5) {  // two groups
    if (n < 2) return;
    const int cut = 1 + static_cast<int>(plan_.below(n - 1));
    made.inter = true;
    made.groups[0].assign(from.groups[0].begin(), from.groups[0].begin() + cut);
    made.groups[1].assign(from.groups[0].begin() + cut, from.groups[0].end());
    if (from.member()) {
      made.side = from.me >= cut;
      MPI_Comm half;
      MUST(MPI_Comm_split(from.comm, made.side, from.me, &half));
      MUST(MPI_Intercomm_create(half, 0, from.comm, made.side ? 0 : cut, static_cast<int>(step_ % 100),
                                &made.comm));
      MUST(MPI_Comm_free(&half));
    }
  } else {  // both groups in one, or a dup
    const int high = static_cast<int>(plan_.below(2));
    if (from.inter) {
      made.groups[0] = from.groups[high];
      made.groups[0].insert(made.groups[0].end(), from.groups[1 - high].begin(), from.groups[1 - high].end());
      if (from.member()) MUST(MPI_Intercomm_merge(from.comm, from.side != high, &made.comm));
      made.side = 0;
    } else if (from.member()) {
      MUST(MPI_Comm_dup(from.comm, &made.comm));
    }
  }
  if (made.member()) {
    MUST(MPI_Comm_set_errhandler(made.comm, MPI_ERRORS_RETURN));
    const auto& group = made.groups[made.side];
    made.me = static_cast<int>(std::find(group.begin(), group.end(), rank_) - group.begin());
    int is, of;
    MUST(MPI_Comm_rank(made.comm, &is));
    MUST(MPI_Comm_size(made.comm, &of));
    if (is != made.me || of != static_cast<int>(group.size()))
      fail("rank " + std::to_string(is) + " of " + std::to_string(of) + " instead of " +
           std::to_string(made.me) + " of " + std::to_string(group.size()));
  }
  comms_.push_back(made);
}

// What is under way on it goes on, as the standard says.
void schedule::free_communicator() {
  auto at = comms_.begin();
  std::advance(at, 1 + plan_.below(static_cast<long>(comms_.size()) - 1));
  for (const auto& w : windows_)
    if (w->c == &*at) return;
  doing_ = "frees a communicator";
  if (at->member()) MUST(MPI_Comm_free(&at->comm));
  comms_.erase(at);
}

void schedule::run(long steps) {
  communicator whole;
  MUST(MPI_Comm_dup(base_, &whole.comm));
  MUST(MPI_Comm_set_errhandler(whole.comm, MPI_ERRORS_RETURN));
  for (int r = 0; r < size_; ++r) whole.groups[0].push_back(r);
  whole.me = rank_;
  comms_.push_back(whole);
  for (step_ = 1; step_ <= steps; ++step_) {
    op_ = seed_ * 1000003 + static_cast<std::uint64_t>(thread_) * 7919 + static_cast<std::uint64_t>(step_);
    dawdle();
    const long what = plan_.below(100);
    if (what < 4 && comms_.size() < 8)
      new_communicator();
    else if (what < 7 && comms_.size() > 3)
      free_communicator();
    else if (what < 30)
      message();
    else if (what < 35)
      ring();
    else if (what < 40)
      persistent_message();
    else if (what < 70)
      collective();
    else if (what < 88)
      window_step();
    else
      file_step();
    complete(step_);
  }
  doing_ = "ends";
  complete(steps + 1000);
  while (!windows_.empty()) free_window(windows_.size() - 1);
  if (file_ != MPI_FILE_NULL) close_file();
  for (communicator& c : comms_)
    if (c.member()) MUST(MPI_Comm_free(&c.comm));
  for (MPI_Datatype* t : {&pair_, &triple_, &gappy_}) MUST(MPI_Type_free(t));
  MUST(MPI_Op_free(&affine_));
}

}  // namespace mixed
