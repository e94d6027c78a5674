// Probes, matched probes and what receives their messages (MPI §3.8).
#include "mpi/generated/impl.hpp"
#include "mpi/message.hpp"
#include "mpi/message_request_inl.hpp"
#include "mpi/point_to_point.hpp"

namespace loadstone::mpi {
namespace {

struct search {
  loadstone::rank* core;
  p2p::scope* where;
  int source, tag;
  bool take;
  p2p::outcome found;
  p2p::matched_message* message = nullptr;
  std::uint64_t seen = 0;

  // Searches once, and polls. Under the gate.
  bool poll() {
    seen = core->p2p->arrivals();
    if (!take) return core->p2p->probe(*where, source, tag, &found);
    message = core->p2p->match(*where, source, tag, &found);
    return message != nullptr;
  }

  // The condition for wait_until(). Any thread may evaluate it, any number of times: so it neither
  // polls nor takes a message.
  bool worth_polling() const { return core->p2p->arrivals() != seen; }
};

search prepare(call& c, int source, int tag, communicator& comm, bool take) {
  return {&c.process().core(), &comm.messages(), source, core_tag(tag), take, {}, nullptr, 0};
}

// Under the gate.
void wait_for(call& c, search& s, communicator& comm, int source, int tag) {
  const wait::reason why = reason_for(c, comm, source, tag, "probe");
  while (!s.poll()) {
    if (!s.core->p2p->wait_until([&] { return s.worth_polling(); }, why)) wait_for_the_end();
  }
}

// Under the gate.
bool poll_once(call& c, search& s) {
  const bool found = s.poll();
  if (found)
    c.process().activity.note_completed();
  else
    c.process().note_poll(false);
  return found;
}

// Before a message is taken that could not be told of. Under the gate.
bool no_handle_is_free(call& c) {
  if (c.handles().messages.alive() < message_table::capacity) [[likely]]
    return false;
  c.fail(MPI_ERR_OTHER, "{} messages of matched probes wait to be received; no more handles are free",
         message_table::capacity);
  return true;
}

// Under the gate.
MPI_Message new_message(call& c, communicator& comm, p2p::matched_message* taken) {
  message* m = c.handles().message_objects.take();
  m->where = &comm;
  m->taken = taken;
  comm.references.fetch_add(1, std::memory_order_relaxed);  // the caller holds one
  return m->handle = c.handles().messages.insert(m);
}

// The message of a handle. For MPI_MESSAGE_NO_PROC: null, and no error.
int find(call& c, const MPI_Message* handle, message** out) {
  *out = nullptr;
  if (*handle == MPI_MESSAGE_NO_PROC) return MPI_SUCCESS;
  *out = *handle == MPI_MESSAGE_NULL ? nullptr : c.handles().messages.find(*handle);
  if (*out == nullptr) {
    return c.fail(MPI_ERR_REQUEST,
                  "argument 4 (message) is {:#x}; expected a message from a matched probe, not yet received",
                  static_cast<std::uintptr_t>(handle_bits(*handle)));
  }
  c.on(*(*out)->where);
  return MPI_SUCCESS;
}

// Nobody else can receive it from here on. Under the gate.
p2p::matched_message* take(call& c, message* m) {
  c.handles().messages.remove(m->handle);
  c.handles().message_objects.give(m);
  return m->taken;
}

}  // namespace

int impl::Probe(call& c, int source, int tag, communicator& comm, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    set_status(status, proc_null_result());
    return MPI_SUCCESS;
  }
  search s = prepare(c, source, tag, comm, false);
  const std::lock_guard guard(c.process().gate());
  wait_for(c, s, comm, source, tag);
  set_status(status, s.found);
  return MPI_SUCCESS;
}

int impl::Iprobe(call& c, int source, int tag, communicator& comm, int* flag, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    *flag = 1;
    set_status(status, proc_null_result());
    return MPI_SUCCESS;
  }
  search s = prepare(c, source, tag, comm, false);
  const std::lock_guard guard(c.process().gate());
  *flag = poll_once(c, s);
  if (*flag) set_status(status, s.found);
  return MPI_SUCCESS;
}

int impl::Mprobe(call& c, int source, int tag, communicator& comm, MPI_Message* message, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    set_status(status, proc_null_result());
    return MPI_SUCCESS;
  }
  search s = prepare(c, source, tag, comm, true);
  const std::lock_guard guard(c.process().gate());
  if (no_handle_is_free(c)) return MPI_ERR_OTHER;
  wait_for(c, s, comm, source, tag);
  *message = new_message(c, comm, s.message);
  set_status(status, s.found);
  return MPI_SUCCESS;
}

int impl::Improbe(call& c, int source, int tag, communicator& comm, int* flag, MPI_Message* message,
                  MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    *flag = 1;
    *message = MPI_MESSAGE_NO_PROC;
    set_status(status, proc_null_result());
    return MPI_SUCCESS;
  }
  search s = prepare(c, source, tag, comm, true);
  const std::lock_guard guard(c.process().gate());
  if (no_handle_is_free(c)) return MPI_ERR_OTHER;
  *flag = poll_once(c, s);
  if (*flag) {
    *message = new_message(c, comm, s.message);
    set_status(status, s.found);
  } else {
    *message = MPI_MESSAGE_NULL;
  }
  return MPI_SUCCESS;
}

int impl::Mrecv(call& c, void* buf, std::int64_t count, datatype& datatype, MPI_Message* handle,
                MPI_Status* status) {
  message* m;
  if (const int error = find(c, handle, &m)) return error;
  *handle = MPI_MESSAGE_NULL;
  if (m == nullptr) {
    set_status(status, proc_null_result());
    return MPI_SUCCESS;
  }
  auto& p = c.process();
  communicator& where = *m->where;
  p2p::outcome result;
  {
    const std::lock_guard guard(p.gate());
    const p2p::buffer into{buf, count, datatype.core()};
    p2p::matched_message* const taken = take(c, m);
    if (!p.core().p2p->receive_now(taken, into, &result)) {
      p2p::request* r = p.core().p2p->receive(taken, into);
      const wait::reason why = reason_for(c, where, r->result.source, r->result.tag, "matched message");
      if (!p.core().p2p->wait(*r, why)) wait_for_the_end();
      result = r->result;
      p.core().p2p->free(r);
    }
  }
  p.communicators.release(&where);
  set_status(status, result);
  return message_error(c, result, count * datatype.core()->size());
}

int impl::Imrecv(call& c, void* buf, std::int64_t count, datatype& datatype, MPI_Message* handle,
                 MPI_Request* request) {
  message* m;
  if (const int error = find(c, handle, &m)) return error;
  auto& p = c.process();
  communicator* const where = m == nullptr ? nullptr : m->where;
  {
    const std::lock_guard guard(p.gate());
    message_request* r = new_message(c, where, request);
    if (r == nullptr) [[unlikely]]
      return MPI_ERR_OTHER;
    *handle = MPI_MESSAGE_NULL;
    if (m == nullptr) {
      r->is(proc_null_result());
      return MPI_SUCCESS;
    }
    r->is(p.core().p2p->receive(take(c, m), {buf, count, datatype.core()}, r->take_spent()));
  }
  p.communicators.release(where);
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
