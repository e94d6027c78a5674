#include "mpi/communicators.hpp"

#include <utility>

#include "mpi/process.hpp"

namespace loadstone::mpi {

void communicators::clear() {
  delete std::exchange(world_, nullptr);
  delete std::exchange(self_, nullptr);
  for (communicator* c : freed_) delete c;
  freed_.clear();
}

void communicators::open() {
  bootstrap_.context = context_of(communicator_id(0, 2), traffic_kind::setup);
  bootstrap_.rank = static_cast<std::int32_t>(owner_.self());
  const std::uint32_t capacity = owner_.core().job->header().capacity;
  for (std::uint32_t i = 0; i < capacity; ++i) bootstrap_.peers.push_back(i);
}

void communicators::make_world() {
  process_list all(owner_.world_size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = owner_.runtime().id_of(i);
  const auto make = [this](std::uint32_t number, process_list list, MPI_Comm handle, const char* name) {
    peer_group group{std::make_shared<const process_list>(std::move(list)), {}};
    for (const memory::process_id& who : *group.list) group.peers.push_back(who.index);  // all of this job
    auto* made =
        new communicator(owner_, communicator_id(number == 0 ? 0 : owner_.self(), number), std::move(group));
    made->set_handle(handle);
    made->set_name(name);
    made->set_error_handler(owner_.handlers.initial);
    owner_.handles.comms.set_predefined(handle, made);
    return made;
  };
  world_ = make(0, std::move(all), MPI_COMM_WORLD, "MPI_COMM_WORLD");
  self_ = make(1, {owner_.id()}, MPI_COMM_SELF, "MPI_COMM_SELF");
}

void communicators::end_world() {
  owner_.handles.comms.set_predefined(MPI_COMM_WORLD, nullptr);
  owner_.handles.comms.set_predefined(MPI_COMM_SELF, nullptr);
}

std::uint64_t communicators::new_id(bool across_jobs) {
  // Relaxed: only the number matters.
  const std::uint32_t counter = next_id_.fetch_add(1, std::memory_order_relaxed);
  return across_jobs ? communicator_id_across_jobs(owner_.id(), counter)
                     : communicator_id(owner_.self(), counter);
}

MPI_Comm communicators::add(std::unique_ptr<communicator> c, communicator* parent) {
  communicator* raw = c.release();
  raw->set_error_handler(parent != nullptr ? parent->error_handler() : owner_.handlers.initial);
  if (parent != nullptr) raw->session_buffer = parent->session_buffer;
  const MPI_Comm handle = owner_.handles.comms.insert(raw);
  raw->set_handle(handle);
  if (handle == MPI_COMM_NULL) delete raw;
  return handle;
}

void communicators::release(communicator* c) {
  // sync: comm-last — all uses happen before the deletion
  if (c->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::lock_guard guard(owner_.gate());
  freed_.push_back(c);
  sweep();
}

// Under the gate, as messages count themselves under it.
void communicators::sweep() {
  auto kept = freed_.begin();
  for (communicator* c : freed_) {
    if (c->in_use() || !c->buffer.empty(owner_)) {
      *kept++ = c;
    } else {
      c->for_each_scope([](void* p, p2p::scope& s) { static_cast<process*>(p)->core().p2p->detach(s); },
                        &owner_);
      delete c;
    }
  }
  freed_.erase(kept, freed_.end());
}

void communicators::for_each(const std::function<void(communicator&)>& visit) {
  // Each is kept by a reference, as another thread may free communicators meanwhile (when it closes
  // a session).
  std::vector<communicator*> held;
  const auto hold = [&](communicator& comm) {
    comm.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: its handle, in the table, holds one
    held.push_back(&comm);
  };
  owner_.handles.comms.for_each(hold);
  for (communicator* comm : {world_, self_}) {
    if (comm != nullptr) hold(*comm);
  }
  for (communicator* comm : held) {
    visit(*comm);
    release(comm);
  }
}

}  // namespace loadstone::mpi
