// Generalized requests (MPI §13.2): completed by the program, waited for like any other.
#include "mpi/generated/impl.hpp"
#include "mpi/request_object.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

struct flag_request final : p2p::request {
  flag_request() : request(p2p::request_kind::generalized) {}
};

class generalized_request final : public request {
 public:
  generalized_request(process& p, MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                      MPI_Grequest_cancel_function* cancel, void* extra)
      : request(p, nullptr, lifetime::owned), query_(query), free_(free), cancel_(cancel), extra_(extra) {
    operation_ = new flag_request;
    active_ = true;
  }

  bool generalized() const override { return true; }
  bool ends_here() const override { return true; }
  bool can_cancel() const override { return true; }
  int cancel() override { return cancel_ == nullptr ? MPI_SUCCESS : cancel_(extra_, complete()); }

  // No lock is held, as the user's functions may call MPI.
  int query(MPI_Status* status) override {
    MPI_Status local;
    set_empty_status(&local);
    const int code = query_ == nullptr ? MPI_SUCCESS : query_(extra_, &local);
    if (status != MPI_STATUS_IGNORE) {
      const int error = status->MPI_ERROR;
      *status = local;
      status->MPI_ERROR = error;
    }
    return code;
  }

  int retire() override { return free_ == nullptr ? MPI_SUCCESS : free_(extra_); }

  // If it is freed before it is complete, the program will still pass it to MPI_Grequest_complete,
  // and the free function is called then (MPI §13.2).
  int give_up() override {
    if (!complete()) {
      given_up_ = true;
      return MPI_SUCCESS;
    }
    const int code = retire();
    request::give_up();
    return code;
  }
  bool given_up() const { return given_up_; }

 private:
  MPI_Grequest_query_function* query_;
  MPI_Grequest_free_function* free_;
  MPI_Grequest_cancel_function* cancel_;
  void* extra_;
  bool given_up_ = false;
};

}  // namespace

int impl::Grequest_start(call& c, MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                         MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request) {
  auto* r = new generalized_request(c.process(), query, free, cancel, extra);
  if (publish(c.process(), r, request) != MPI_SUCCESS)
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  return MPI_SUCCESS;
}

int impl::Grequest_complete(call& c, MPI_Request handle) {
  auto& p = c.process();
  request* r = handle == MPI_REQUEST_NULL ? nullptr : p.handles.requests.find(handle);
  if (r == nullptr || !r->generalized()) {
    return c.fail(MPI_ERR_REQUEST, "argument 1 (request) is {:#x}; expected a generalized request",
                  static_cast<std::uintptr_t>(handle_bits(handle)));
  }
  auto* g = static_cast<generalized_request*>(r);
  const bool given_up = g->given_up();
  {
    const std::lock_guard guard(p.gate());
    p.core().p2p->complete(*r->operation());
    if (given_up) p.handles.requests.remove(handle);
  }
  if (!given_up) return MPI_SUCCESS;
  const int code = g->retire();
  delete g;
  return code;
}

}  // namespace loadstone::mpi
