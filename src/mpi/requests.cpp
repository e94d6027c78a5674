// Completion of requests: wait and test, of one, any, some and all (MPI §3.7.3 – §3.7.6).
#include <algorithm>
#include <vector>

#include "mpi/collective_request.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/message_request_inl.hpp"
#include "mpi/point_to_point.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::mpi {
namespace {

// Stores the peer and communicator of an incomplete message in *why, for reports of hangs. Under
// the gate.
void describe(const request& r, wait::reason* why) {
  why->peer = r.ends_here() ? -2 : -1;
  why->tag = -1;
  why->communicator = 0;
  if (r.where() != nullptr) why->communicator = r.where()->id() + 1;
  const p2p::request* operation = r.operation();
  if (operation == nullptr ||
      (operation->kind != p2p::request_kind::send && operation->kind != p2p::request_kind::receive))
    return;
  const auto& message = static_cast<const p2p::message_request&>(*operation);
  why->peer = message.process == p2p::any_process ? -1 : static_cast<std::int32_t>(message.process);
  why->tag = message.tag;
}

// The requests of an array of handles; allocates only for long ones. Null and inactive requests are
// null in it.
class request_list {
 public:
  // An error class if a handle is wrong.
  // `any`: up to the first that is complete, if there is one.
  int read(call& c, int count, const MPI_Request* handles, bool any = false) {
    size_ = static_cast<std::size_t>(count);
    if (size_ > inline_size) {
      long_.resize(size_);
      data_ = long_.data();
    }
    const request_table& table = c.handles().requests;
    request** const data = data_;
    std::size_t active = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      data[i] = nullptr;
      if (handles[i] == MPI_REQUEST_NULL) continue;
      request* r = table.find(handles[i]);
      if (r == nullptr) [[unlikely]]
        return wrong(c, i, handles[i]);
      if (!r->active()) [[unlikely]]
        continue;
      data[i] = r;
      ++active;
      if (any && r->complete()) {
        size_ = i + 1;
        break;
      }
    }
    active_ = active;
    return MPI_SUCCESS;
  }
  std::size_t size() const { return size_; }
  std::size_t active() const { return active_; }
  request* operator[](std::size_t i) const { return data_[i]; }

  // The first that is complete, or size().
  std::size_t first_complete() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (data_[i] != nullptr && data_[i]->complete()) return i;
    }
    return size_;
  }
  // Remembers how far it got, as a complete request stays complete.
  bool all_complete() {
    std::size_t i = done_;
    while (i < size_ && (data_[i] == nullptr || data_[i]->complete())) ++i;
    done_ = i;
    return i == size_;
  }
  // How many, from the first on, are known to be complete. done_until() tells of some whose
  // outcomes the caller has taken.
  std::size_t done() const { return done_; }
  void done_until(std::size_t done) { done_ = done; }
  // The same; if not all are complete, stores what is waited for, for reports of hangs. Under the
  // gate.
  bool all_complete_or_why() {
    if (all_complete()) return true;
    if (described_ != done_ + 1) {  // not at each poll
      described_ = done_ + 1;
      describe(*data_[done_], &why);
    }
    return false;
  }
  bool any_complete_or_why() {
    if (first_complete() < size_) return true;
    if (described_ != 0) return false;
    described_ = 1;
    // One that another rank need not end makes it unknown who could end this wait.
    for (std::size_t i = 0; i < size_; ++i)
      if (data_[i] != nullptr && (active_ == 1 || data_[i]->ends_here())) describe(*data_[i], &why);
    return false;
  }
  wait::reason why;

 private:
  [[gnu::cold]] static int wrong(call& c, std::size_t i, MPI_Request handle) {
    return c.fail(MPI_ERR_REQUEST,
                  "array_of_requests[{}] is {:#x}; expected a live request or MPI_REQUEST_NULL", i,
                  static_cast<std::uintptr_t>(handle_bits(handle)));
  }

  static constexpr std::size_t inline_size = 512;
  request* short_[inline_size];
  std::vector<request*> long_;
  request** data_ = short_;
  std::size_t size_ = 0, active_ = 0, done_ = 0;
  std::size_t described_ = 0;  // 1 + the request that `why` is of, or 1: of several; 0: of none yet
};

template <class Found>
bool progress(call& c, Found found) {
  const std::lock_guard guard(c.process().gate());
  c.process().core().p2p->progress();
  const bool is = found();
  c.process().note_poll(is);
  return is;
}

// For a call that takes all there is: what has come by now.
void take_in(call& c) {
  const std::lock_guard guard(c.process().gate());
  c.process().core().p2p->progress();
}

// For a call that finds everything complete: polls only if there has been no poll for some time.
void progress_if_due(call& c) {
  if (c.process().core().p2p->poll_is_due()) [[unlikely]]
    take_in(c);
}

// For a call that tests: polls, but if it finds what it looks for at once only now and then.
template <class Found>
bool test(call& c, Found found) {
  if (!found()) return progress(c, found);
  progress_if_due(c);
  return true;
}

// For a call that waits. `complete`: there is nothing to wait for.
void wait_until(call& c, bool complete, wait::condition done, request_list& list, const char* detail) {
  if (complete) return progress_if_due(c);
  list.why = {call_number(c), -1, -1, 0, detail};
  const std::lock_guard guard(c.process().gate());
  if (!c.process().core().p2p->wait_until(done, list.why)) wait_for_the_end();
}

bool of_collective(const request& r) {
  return r.operation() != nullptr && r.operation()->kind == p2p::request_kind::collective;
}

// Takes the outcome of a complete request: fills the status; a persistent request becomes inactive,
// any other is gone.
int finish(request* r, MPI_Request* handle, MPI_Status* status) {
  process& p = r->owner();
  if (r->ends() == request::lifetime::pooled) [[likely]] {
    const p2p::outcome& result = r->result();
    set_status(status, result);
    const int code = result.error;
    *handle = MPI_REQUEST_NULL;
    const std::lock_guard guard(p.gate());
    static_cast<message_request*>(r)->end();
    return code;
  }
  if (r->ends() == request::lifetime::shared) {
    set_status(status, r->result());
    *handle = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
  }
  p.activity.note_completed();
  int code = r->query(status);
  if (r->persistent()) {
    const std::lock_guard guard(p.gate());
    r->deactivate();
    return code;
  }
  *handle = MPI_REQUEST_NULL;
  {
    const std::lock_guard guard(p.gate());
    p.handles.requests.remove(r->handle());
  }
  const int retired = r->retire();
  if (code == MPI_SUCCESS) code = retired;
  delete r;
  return code;
}

// The same for a call that completes one request: an error of the request is the error of the call,
// on the communicator of the request.
int finish_alone(call& c, request* r, MPI_Request* handle, MPI_Status* status) {
  if (r->ends() == request::lifetime::pooled) [[likely]] {
    const std::lock_guard guard(c.process().gate());
    if (static_cast<message_request*>(r)->end_well(status)) [[likely]] {
      *handle = MPI_REQUEST_NULL;
      return MPI_SUCCESS;
    }
  }
  const p2p::outcome result = r->result();
  const std::int64_t capacity = result.error != MPI_SUCCESS ? r->capacity() : -1;
  const bool message = !r->generalized();
  const bool collective = result.error != MPI_SUCCESS && of_collective(*r);
  if (communicator* where = r->where()) c.on(*where);
  if (file* where = r->of_file()) c.on(*where);
  const std::string known = r->problem();
  const int code = finish(r, handle, status);
  if (code == MPI_SUCCESS) return code;
  if (!known.empty()) return c.fail(code, "{}", known);
  if (collective) {
    const std::lock_guard guard(c.process().gate());
    return collective_error(c, code);
  }
  return message ? message_error(c, result, capacity)
                 : c.fail(code, "the generalized request ended with error {}", code);
}

// The errors of a call that completes several requests. They go to the statuses. But the program
// may have ignored the statuses, or its error handler may end the job: so the message of the call
// tells of the first error.
class error_collector {
 public:
  // Call it before the request is finished, as the request cannot be asked afterwards.
  void before_finish(const request& r) {
    if (errors_ != 0) return;
    file_ = r.of_file();
    known_ = r.problem();
    if (r.result().error == MPI_SUCCESS) return;
    first_result_ = r.result();
    first_capacity_ = r.capacity();
    collective_ = of_collective(r);
  }
  void note(std::size_t index, communicator* where, int code) {
    if (code == MPI_SUCCESS) return;
    if (errors_++ == 0) first_ = index, first_code_ = code;
    if (where_ == nullptr) where_ = where;
  }
  int report(call& c) const {
    if (errors_ == 0) return MPI_SUCCESS;
    if (where_ != nullptr)
      c.on(*where_);
    else if (file_ != nullptr)
      c.on(*file_);
    std::string_view name = class_name(first_code_);
    std::string what = name.empty() ? fmt::format("error {}", first_code_) : std::string(name);
    if (!known_.empty())
      what += ", " + known_;
    else if (first_result_.error == first_code_)
      what += ", " + problem(c);
    return c.fail(MPI_ERR_IN_STATUS, "{} of the requests failed, the first is number {} of the array: {}",
                  errors_, first_, what);
  }
  bool any() const { return errors_ > 0; }

 private:
  std::string problem(call& c) const {
    if (!collective_) return message_problem(first_result_, first_capacity_);
    const std::lock_guard guard(c.process().gate());
    return collective_problem(c.process(), first_code_);
  }

  communicator* where_ = nullptr;
  file* file_ = nullptr;  // of the first
  std::string known_;     // about the first
  int errors_ = 0, first_code_ = MPI_SUCCESS;
  std::size_t first_ = 0;
  p2p::outcome first_result_;
  std::int64_t first_capacity_ = -1;
  bool collective_ = false;
};

int find_one(call& c, MPI_Request handle, request** out) {
  *out = nullptr;
  if (handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  *out = c.handles().requests.find(handle);
  if (*out != nullptr) return MPI_SUCCESS;
  return c.fail(MPI_ERR_REQUEST, "argument 1 (request) is {:#x}; expected a live request or MPI_REQUEST_NULL",
                static_cast<std::uintptr_t>(handle_bits(handle)));
}

// Of a call that returns when this one is complete. Under the gate.
void begin_to_wait(const request& r) {
  p2p::request* const operation = r.operation();
  if (operation == nullptr) return;
  if (operation->kind == p2p::request_kind::collective)
    r.owner().core().coll->wait_begins(static_cast<coll::schedule&>(*operation));
  else
    r.owner().core().p2p->wait_begins(*operation);
}

// Until this one is complete. False: the job is being stopped. Under the gate.
bool wait_for(const request& r, const wait::reason& why) {
  p2p::request* const operation = r.operation();
  if (operation != nullptr && operation->kind == p2p::request_kind::collective)
    return r.owner().core().coll->wait(static_cast<coll::schedule&>(*operation), why);
  begin_to_wait(r);
  return r.owner().core().p2p->wait_until([&] { return r.complete(); }, why);
}

// Takes the outcomes of messages, from number `first` on, and stops at the first request that is
// not complete, has an error, or is not a message. Returns its number. Most calls need no more than
// this. Under the gate.
std::size_t finish_messages(const request_list& list, std::size_t first, MPI_Request* handles,
                            MPI_Status* statuses) {
  const bool told = statuses != MPI_STATUSES_IGNORE;
  for (std::size_t i = first, n = list.size(); i < n; ++i) {
    request* r = list[i];
    MPI_Status* status = told ? &statuses[i] : MPI_STATUS_IGNORE;
    if (r != nullptr && r->ends() == request::lifetime::pooled &&
        static_cast<message_request*>(r)->end_well(status)) [[likely]] {
      handles[i] = MPI_REQUEST_NULL;
      continue;
    }
    if (r == nullptr) {
      set_empty_status(status);
      continue;
    }
    if (!r->complete()) return i;
    const p2p::outcome& result = r->result();
    if (result.error != MPI_SUCCESS || r->ends() > request::lifetime::pooled) [[unlikely]]
      return i;
    set_status(status, result);
    handles[i] = MPI_REQUEST_NULL;
    if (r->ends() == request::lifetime::pooled) static_cast<message_request*>(r)->end();
  }
  return list.size();
}

// The requests of MPI_Waitall. Outcomes are taken while it waits, in the order of the array: so
// each request is read once, when its data is still in the caches.
struct all_of_them {
  request_list& list;
  MPI_Request* handles;
  MPI_Status* statuses;
  const p2p::engine& messages;
  std::size_t taken = 0;
  // Under the gate.
  bool complete_or_why() {
    if (list.done() == taken) {
      taken = finish_messages(list, taken, handles, statuses);
      list.done_until(taken);
    }
    const bool complete = list.all_complete_or_why();
    if (!complete && messages.some_are_open()) [[unlikely]]
      begin_to_wait();
    return complete;
  }
  void begin_to_wait() const {
    for (std::size_t i = list.done(); i < list.size(); ++i)
      if (list[i] != nullptr) mpi::begin_to_wait(*list[i]);
  }
};

// All are complete (or null), and the outcomes of the first `taken` have been taken: takes all
// others.
int finish_all(call& c, const request_list& list, std::size_t taken, MPI_Request* handles,
               MPI_Status* statuses) {
  std::size_t first;
  {
    const std::lock_guard guard(c.process().gate());
    first = finish_messages(list, taken, handles, statuses);
  }
  if (first == list.size()) [[likely]]
    return MPI_SUCCESS;
  error_collector errors;
  std::vector<int> codes;
  for (std::size_t i = first; i < list.size(); ++i) {
    MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
    int code = MPI_SUCCESS;
    if (list[i] == nullptr) {
      set_empty_status(status);
    } else {
      communicator* where = list[i]->where();
      errors.before_finish(*list[i]);
      code = finish(list[i], &handles[i], status);
      errors.note(i, where, code);
    }
    if (code != MPI_SUCCESS && codes.empty()) codes.assign(list.size(), MPI_SUCCESS);
    if (!codes.empty()) codes[i] = code;
  }
  if (errors.any() && statuses != MPI_STATUSES_IGNORE) {
    for (std::size_t i = 0; i < list.size(); ++i) statuses[i].MPI_ERROR = codes[i];
  }
  return errors.report(c);
}

int finish_some(call& c, const request_list& list, MPI_Request* handles, int* outcount, int* indices,
                MPI_Status* statuses) {
  error_collector errors;
  int n = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == nullptr || !list[i]->complete()) continue;
    MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[n];
    communicator* where = list[i]->where();
    errors.before_finish(*list[i]);
    const int code = finish(list[i], &handles[i], status);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = code;
    errors.note(i, where, code);
    indices[n++] = static_cast<int>(i);
  }
  *outcount = n;
  return errors.report(c);
}

}  // namespace

int impl::Wait(call& c, MPI_Request* handle, MPI_Status* status) {
  request* r;
  if (const int error = find_one(c, *handle, &r)) return error;
  if (r == nullptr || !r->active()) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  if (!r->complete()) {
    wait::reason why{call_number(c), -1, -1, 0, "request"};
    const std::lock_guard guard(c.process().gate());
    describe(*r, &why);
    if (!wait_for(*r, why)) wait_for_the_end();
  } else {
    progress_if_due(c);
  }
  return finish_alone(c, r, handle, status);
}

int impl::Test(call& c, MPI_Request* handle, int* flag, MPI_Status* status) {
  request* r;
  if (const int error = find_one(c, *handle, &r)) return error;
  if (r == nullptr || !r->active()) {
    *flag = 1;
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = test(c, [&] { return r->complete(); });
  return *flag ? finish_alone(c, r, handle, status) : MPI_SUCCESS;
}

int impl::Waitany(call& c, int count, MPI_Request handles[], int* index, MPI_Status* status) {
  request_list list;
  if (const int error = list.read(c, count, handles, true)) return error;
  if (list.active() == 0) {
    *index = MPI_UNDEFINED;
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  std::size_t i = list.first_complete();
  if (i == list.size()) {
    wait_until(c, false, [&] { return list.any_complete_or_why(); }, list, "any of several requests");
    i = list.first_complete();
    if (list.active() > 1) take_in(c);  // for the calls that follow: each would look at all that are left
  } else {
    progress_if_due(c);
  }
  *index = static_cast<int>(i);
  return finish_alone(c, list[i], &handles[i], status);
}

int impl::Testany(call& c, int count, MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
  request_list list;
  if (const int error = list.read(c, count, handles, true)) return error;
  *index = MPI_UNDEFINED;
  if (list.active() == 0) {
    *flag = 1;
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  std::size_t i;
  *flag = test(c, [&] {
    i = list.first_complete();
    return i < list.size();
  });
  if (!*flag) return MPI_SUCCESS;
  *index = static_cast<int>(i);
  return finish_alone(c, list[i], &handles[i], status);
}

int impl::Waitall(call& c, int count, MPI_Request handles[], MPI_Status statuses[]) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  all_of_them all{list, handles, statuses, *c.process().core().p2p};
  wait_until(c, false, [&] { return all.complete_or_why(); }, list, "all of several requests");
  return finish_all(c, list, all.taken, handles, statuses);
}

int impl::Testall(call& c, int count, MPI_Request handles[], int* flag, MPI_Status statuses[]) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  *flag = test(c, [&] { return list.all_complete(); });
  return *flag ? finish_all(c, list, 0, handles, statuses) : MPI_SUCCESS;
}

int impl::Waitsome(call& c, int count, MPI_Request handles[], int* outcount, int indices[],
                   MPI_Status statuses[]) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  if (list.active() == 0) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  wait_until(
      c, list.first_complete() < list.size(), [&] { return list.any_complete_or_why(); }, list,
      "some of several requests");
  if (list.active() > 1) take_in(c);
  return finish_some(c, list, handles, outcount, indices, statuses);
}

int impl::Testsome(call& c, int count, MPI_Request handles[], int* outcount, int indices[],
                   MPI_Status statuses[]) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  if (list.active() == 0) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  progress(c, [&] { return list.first_complete() < list.size(); });
  return finish_some(c, list, handles, outcount, indices, statuses);
}

// --- MPI_Request_get_status: asks without completing ---

int impl::Request_get_status(call& c, MPI_Request handle, int* flag, MPI_Status* status) {
  request* r;
  if (const int error = find_one(c, handle, &r)) return error;
  *flag = 1;
  if (r == nullptr || !r->active()) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = test(c, [&] { return r->complete(); });
  if (*flag) r->query(status);
  return MPI_SUCCESS;
}

int impl::Request_get_status_any(call& c, int count, const MPI_Request handles[], int* index, int* flag,
                                 MPI_Status* status) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (list.active() == 0) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  std::size_t i;
  *flag = progress(c, [&] {
    i = list.first_complete();
    return i < list.size();
  });
  if (!*flag) return MPI_SUCCESS;
  *index = static_cast<int>(i);
  list[i]->query(status);
  return MPI_SUCCESS;
}

int impl::Request_get_status_all(call& c, int count, const MPI_Request handles[], int* flag,
                                 MPI_Status* statuses) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  *flag = test(c, [&] { return list.all_complete(); });
  if (!*flag || statuses == MPI_STATUSES_IGNORE) return MPI_SUCCESS;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == nullptr) {
      set_empty_status(&statuses[i]);
    } else {
      statuses[i].MPI_ERROR = list[i]->query(&statuses[i]);
    }
  }
  return MPI_SUCCESS;
}

int impl::Request_get_status_some(call& c, int count, const MPI_Request handles[], int* outcount,
                                  int indices[], MPI_Status* statuses) {
  request_list list;
  if (const int error = list.read(c, count, handles)) return error;
  if (list.active() == 0) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  progress(c, [&] { return list.first_complete() < list.size(); });
  int n = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == nullptr || !list[i]->complete()) continue;
    if (statuses != MPI_STATUSES_IGNORE) statuses[n].MPI_ERROR = list[i]->query(&statuses[n]);
    indices[n++] = static_cast<int>(i);
  }
  *outcount = n;
  return MPI_SUCCESS;
}

// --- MPI_Request_free and MPI_Cancel ---

int impl::Request_free(call& c, MPI_Request* handle) {
  if (*handle == MPI_REQUEST_NULL)
    return c.fail(MPI_ERR_REQUEST, "argument 1 (request) is MPI_REQUEST_NULL; expected a request");
  request* r;
  if (const int error = find_one(c, *handle, &r)) return error;
  *handle = MPI_REQUEST_NULL;
  return r->give_up();
}

int impl::Cancel(call& c, MPI_Request* handle) {
  if (*handle == MPI_REQUEST_NULL)
    return c.fail(MPI_ERR_REQUEST, "argument 1 (request) is MPI_REQUEST_NULL; expected a request");
  request* r;
  if (const int error = find_one(c, *handle, &r)) return error;
  if (communicator* where = r->where()) c.on(*where);
  if (file* where = r->of_file()) c.on(*where);
  if (!r->active())
    return c.fail(MPI_ERR_REQUEST, "argument 1 (request) is not active; expected one that was started");
  if (!r->can_cancel()) {
    return c.fail(MPI_ERR_REQUEST,
                  "argument 1 (request) is of a collective or partitioned operation, of a combined send and "
                  "receive, or of access to a file: it cannot be cancelled");
  }
  return r->cancel();
}

}  // namespace loadstone::mpi
