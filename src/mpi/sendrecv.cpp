// Combined send and receive (MPI §3.10), blocking and not.
#include <cstdlib>
#include <memory>

#include "base/guarded.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/point_to_point.hpp"
#include "p2p/message_request.hpp"

namespace loadstone::mpi {
namespace {

// One operation for the send and the receive, complete when both are. Its outcome is that of the
// receive, or that of the send if only the send has failed.
class exchange final : public p2p::request {
 public:
  exchange(process& p, p2p::request* send, p2p::request* receive, std::unique_ptr<std::byte[]> copy)
      : request(p2p::request_kind::generalized),
        process_(p),
        send_(send),
        receive_(receive),
        copy_(std::move(copy)) {}

  ~exchange() override {
    for (p2p::request* half : {send_, receive_}) {
      if (half != nullptr) discard(process_, half);
    }
  }

  // Under the gate.
  void watch() {
    for (p2p::request* half : {send_, receive_}) {
      // Relaxed: under the gate, like the completer.
      if (half != nullptr && !half->complete.load(std::memory_order_relaxed)) {
        ++pending_;
        half->context = this;
        half->on_complete = [](p2p::request&, void* context) {
          auto* self = static_cast<exchange*>(context);
          if (--self->pending_ == 0) self->finish();
        };
      }
    }
    if (pending_ == 0) finish();
  }

  bool idle() const { return pending_ == 0; }
  std::int64_t capacity() const {  // of the receive buffer; -1: there is no receive
    return receive_ != nullptr ? static_cast<const p2p::message_request*>(receive_)->bytes : -1;
  }

 private:
  void finish() {
    result = receive_ != nullptr ? receive_->result : proc_null_result();
    if (result.error == MPI_SUCCESS && send_ != nullptr && send_->result.error != MPI_SUCCESS)
      result = send_->result;
    process_.core().p2p->complete(*this);
  }

  process& process_;
  p2p::request *send_, *receive_;
  std::unique_ptr<std::byte[]> copy_;  // of the data sent, when the receive overwrites it
  int pending_ = 0;
};

class exchange_request final : public request {
 public:
  exchange_request(process& p, communicator& comm, exchange* operation) : request(p, &comm, lifetime::owned) {
    operation_ = operation;
    active_ = true;
  }
  std::int64_t capacity() const override { return static_cast<const exchange*>(operation_)->capacity(); }
  ~exchange_request() override {
    // Freed while active: both messages go on, and need their memory.
    const std::lock_guard guard(owner_.gate());
    if (operation_ != nullptr && !static_cast<exchange*>(operation_)->idle()) {
      owner_.adopt(operation_);
      operation_ = nullptr;
    }
  }
};

exchange* begin(call& c, const p2p::buffer& sent, int dest, int send_tag, const p2p::buffer& received,
                int source, int receive_tag, communicator& comm, std::unique_ptr<std::byte[]> copy) {
  auto& p = c.process();
  p2p::engine& messages = *p.core().p2p;
  p2p::request *send = nullptr, *receive = nullptr;
  if (source != MPI_PROC_NULL)
    receive = messages.receive(comm.messages(), received, source, core_tag(receive_tag));
  if (dest != MPI_PROC_NULL) {
    send = messages.send(comm.messages(), sent, dest, send_tag, p2p::send_mode::standard);
    if (receive != nullptr && has_not_left(*send)) messages.cancel(receive);
  }
  auto* e = new exchange(p, send, receive, std::move(copy));
  e->watch();
  return e;
}

// The blocking form. Takes the gate.
p2p::outcome run(call& c, const p2p::buffer& sent, int dest, int send_tag, const p2p::buffer& received,
                 int source, int receive_tag, communicator& comm) {
  p2p::engine& messages = *c.process().core().p2p;
  p2p::scope& where = comm.messages();
  const wait::reason why = reason_for(c, comm, source, receive_tag, "send and receive");
  p2p::outcome of_send{}, of_receive = proc_null_result();
  const std::lock_guard guard(c.process().gate());
  if (dest == MPI_PROC_NULL) {
    if (source != MPI_PROC_NULL)
      messages.receive_wait(where, received, source, core_tag(receive_tag), why, &of_receive);
  } else if (source == MPI_PROC_NULL) {
    messages.send_wait(where, sent, dest, send_tag, p2p::send_mode::standard, why, &of_send);
  } else {
    messages.exchange_wait(where, sent, dest, send_tag, received, source, core_tag(receive_tag), why,
                           &of_send, &of_receive);
  }
  return of_receive.error == MPI_SUCCESS && of_send.error != MPI_SUCCESS ? of_send : of_receive;
}

int tell(call& c, const p2p::outcome& result, const p2p::buffer& received, MPI_Status* status) {
  set_status(status, result);
  return message_error(c, result, received.count * received.type->size());
}

// A short message that leaves at once needs no request, and what it was sent from may be
// overwritten; then there is only a receive to wait for. Takes the gate. False: nothing has been
// done.
bool run_short(call& c, const p2p::buffer& sent, int dest, int send_tag, const p2p::buffer& received,
               int source, int receive_tag, communicator& comm, p2p::outcome* result) {
  // Copies of longer ones are guarded: one whose memory is not there has been sent, with a note of
  // that.
  if (dest == MPI_PROC_NULL || source == MPI_PROC_NULL || dest == comm.messages().rank ||
      sent.count * sent.type->size() >= static_cast<std::int64_t>(base::least_guarded))
    return false;
  p2p::engine& messages = *c.process().core().p2p;
  const std::lock_guard guard(c.process().gate());
  if (messages.send_now(comm.messages(), sent, dest, send_tag, p2p::send_mode::standard) != p2p::tried::sent)
    return false;
  messages.receive_wait(comm.messages(), received, source, core_tag(receive_tag),
                        reason_for(c, comm, source, receive_tag, "send and receive"), result);
  return true;
}

// The data that is sent from a buffer which the receive may overwrite: a packed copy.
struct copied {
  std::unique_ptr<std::byte[]> copy;
  p2p::buffer sent;
};
copied packed_copy(const p2p::buffer& both, int dest) {
  if (dest == MPI_PROC_NULL) return {nullptr, both};  // the user need not have a buffer
  const std::int64_t bytes = both.count * both.type->size();
  auto copy = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  std::byte* const to = copy.get();
  if (!loadstone::datatype::pack_if_there(both.address, both.count, *both.type, to))
    return {nullptr, both};  // to be found missing by the send, which tells the receiver
  const auto* packed = loadstone::datatype::predefined_type(loadstone::datatype::basic::packed);
  return {std::move(copy), {to, bytes, packed}};
}

// The non-blocking forms. `copy`: what is sent, if it is one.
int start(call& c, const p2p::buffer& sent, int dest, int send_tag, const p2p::buffer& received, int source,
          int receive_tag, communicator& comm, std::unique_ptr<std::byte[]> copy, MPI_Request* handle) {
  exchange* e;
  {
    const std::lock_guard guard(c.process().gate());
    e = begin(c, sent, dest, send_tag, received, source, receive_tag, comm, std::move(copy));
    if (has_not_left(*e)) [[unlikely]] {
      const int code = message_error(c, e->result, -1);
      delete e;
      *handle = MPI_REQUEST_NULL;
      return code;
    }
  }
  auto* r = new exchange_request(c.process(), comm, e);
  if (publish(c.process(), r, handle) != MPI_SUCCESS)
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  return MPI_SUCCESS;
}

}  // namespace

int impl::Sendrecv(call& c, const void* sendbuf, std::int64_t sendcount, datatype& sendtype, int dest,
                   int sendtag, void* recvbuf, std::int64_t recvcount, datatype& recvtype, int source,
                   int recvtag, communicator& comm, MPI_Status* status) {
  const p2p::buffer sent{const_cast<void*>(sendbuf), sendcount, sendtype.core()};
  const p2p::buffer received{recvbuf, recvcount, recvtype.core()};
  p2p::outcome result;
  if (!run_short(c, sent, dest, sendtag, received, source, recvtag, comm, &result))
    result = run(c, sent, dest, sendtag, received, source, recvtag, comm);
  return tell(c, result, received, status);
}

int impl::Isendrecv(call& c, const void* sendbuf, std::int64_t sendcount, datatype& sendtype, int dest,
                    int sendtag, void* recvbuf, std::int64_t recvcount, datatype& recvtype, int source,
                    int recvtag, communicator& comm, MPI_Request* request) {
  const p2p::buffer sent{const_cast<void*>(sendbuf), sendcount, sendtype.core()};
  const p2p::buffer received{recvbuf, recvcount, recvtype.core()};
  return start(c, sent, dest, sendtag, received, source, recvtag, comm, nullptr, request);
}

int impl::Sendrecv_replace(call& c, void* buf, std::int64_t count, datatype& datatype, int dest, int sendtag,
                           int source, int recvtag, communicator& comm, MPI_Status* status) {
  const p2p::buffer both{buf, count, datatype.core()};
  p2p::outcome result;
  copied data;  // until all is told: a send that was given up may still read it
  if (!run_short(c, both, dest, sendtag, both, source, recvtag, comm, &result)) {
    data = packed_copy(both, dest);
    result = run(c, data.sent, dest, sendtag, both, source, recvtag, comm);
  }
  return tell(c, result, both, status);
}

int impl::Isendrecv_replace(call& c, void* buf, std::int64_t count, datatype& datatype, int dest, int sendtag,
                            int source, int recvtag, communicator& comm, MPI_Request* request) {
  const p2p::buffer both{buf, count, datatype.core()};
  copied data = packed_copy(both, dest);
  return start(c, data.sent, dest, sendtag, both, source, recvtag, comm, std::move(data.copy), request);
}

}  // namespace loadstone::mpi
