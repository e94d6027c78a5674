// Persistent messages (MPI §3.9): the arguments are kept, MPI_Start sends or receives with them.
#include <string>

#include "mpi/generated/impl.hpp"
#include "mpi/point_to_point.hpp"

namespace loadstone::mpi {
namespace {

enum class form : std::uint8_t { standard, synchronous, ready, buffered, receive };

class persistent_message final : public request {
 public:
  persistent_message(process& p, communicator& comm, form kind, const void* buf, std::int64_t count,
                     datatype& type, int peer, int tag)
      : request(p, &comm, lifetime::persistent),
        form_(kind),
        buf_(buf),
        count_(count),
        type_(type.core()),
        peer_(peer),
        tag_(tag) {
    type_->acquire();
  }
  ~persistent_message() override { type_->release(); }

  bool can_cancel() const override { return true; }

  int cancel() override {
    if (operation_ == nullptr) return MPI_SUCCESS;
    const std::lock_guard guard(owner_.gate());
    owner_.core().p2p->cancel(operation_);
    return MPI_SUCCESS;
  }

  int start() override {
    auto& engine = *owner_.core().p2p;
    result_ = {};
    active_ = true;
    if (peer_ == MPI_PROC_NULL) {
      if (form_ == form::receive) result_ = proc_null_result();
      return MPI_SUCCESS;
    }
    const p2p::buffer data{buf_, count_, type_};
    switch (form_) {
      case form::standard:
        operation_ = engine.send(where_->messages(), data, peer_, tag_, p2p::send_mode::standard);
        break;
      case form::synchronous:
        operation_ = engine.send(where_->messages(), data, peer_, tag_, p2p::send_mode::synchronous);
        break;
      case form::ready:
        operation_ = engine.send(where_->messages(), data, peer_, tag_, p2p::send_mode::ready);
        break;
      case form::receive:
        operation_ = engine.receive(where_->messages(), data, peer_, core_tag(tag_));
        break;
      case form::buffered: {
        const int error = start_buffered(owner_, buf_, count_, *type_, peer_, tag_, *where_);
        if (error != MPI_SUCCESS) active_ = false;
        return error;
      }
    }
    if (form_ == form::receive || !has_not_left(*operation_)) return MPI_SUCCESS;
    deactivate();
    return MPI_ERR_NO_MEM;
  }

 private:
  form form_;
  const void* buf_;
  std::int64_t count_;
  const loadstone::datatype::type* type_;
  int peer_, tag_;
};

int make(call& c, form kind, const void* buf, std::int64_t count, datatype& type, int peer, int tag,
         communicator& comm, MPI_Request* handle) {
  auto* r = new persistent_message(c.process(), comm, kind, buf, count, type, peer, tag);
  if (publish(c.process(), r, handle) != MPI_SUCCESS)
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  return MPI_SUCCESS;
}

// `index`: the place in the array of MPI_Startall; -1 for MPI_Start.
int start_one(call& c, MPI_Request handle, int index) {
  const auto place = [index] {
    return index < 0 ? std::string("argument 1 (request)")
                     : fmt::format("argument 2 (array_of_requests[{}])", index);
  };
  request* r = handle == MPI_REQUEST_NULL ? nullptr : c.handles().requests.find(handle);
  if (r == nullptr) {
    return c.fail(MPI_ERR_REQUEST, "{} is {:#x}; expected a live persistent request", place(),
                  static_cast<std::uintptr_t>(handle_bits(handle)));
  }
  if (communicator* where = r->where()) c.on(*where);
  if (!r->persistent()) {
    return c.fail(MPI_ERR_REQUEST, "{} is not persistent; expected one made by MPI_..._init", place());
  }
  if (r->active())
    return c.fail(MPI_ERR_REQUEST, "{} is active; expected it to be completed before", place());
  const std::lock_guard guard(c.process().gate());
  if (const int error = r->start()) {
    if (error != MPI_ERR_BUFFER) return c.fail(error, "{} could not be started", place());
    return c.fail(error, "{}: the message does not fit into what is free of the attached buffer", place());
  }
  return MPI_SUCCESS;
}

}  // namespace

int impl::Send_init(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                    communicator& comm, MPI_Request* request) {
  return make(c, form::standard, buf, count, datatype, dest, tag, comm, request);
}

int impl::Ssend_init(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                     communicator& comm, MPI_Request* request) {
  return make(c, form::synchronous, buf, count, datatype, dest, tag, comm, request);
}

int impl::Rsend_init(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                     communicator& comm, MPI_Request* request) {
  return make(c, form::ready, buf, count, datatype, dest, tag, comm, request);
}

int impl::Bsend_init(call& c, const void* buf, std::int64_t count, datatype& datatype, int dest, int tag,
                     communicator& comm, MPI_Request* request) {
  return make(c, form::buffered, buf, count, datatype, dest, tag, comm, request);
}

int impl::Recv_init(call& c, void* buf, std::int64_t count, datatype& datatype, int source, int tag,
                    communicator& comm, MPI_Request* request) {
  return make(c, form::receive, buf, count, datatype, source, tag, comm, request);
}

int impl::Start(call& c, MPI_Request* request) {
  return start_one(c, *request, -1);
}

int impl::Startall(call& c, int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    if (const int error = start_one(c, requests[i], i)) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
