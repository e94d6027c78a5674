// Non-blocking duplication (MPI §7.4.2): the new handle exists at once, and a non-blocking
// broadcast brings its id.
#include "coll/schedule.hpp"
#include "mpi/agreement.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/request_object.hpp"
#include "mpi/topology.hpp"
#include "mpi/waiting.hpp"

namespace loadstone::mpi {
namespace {

// The id until the real one is known; no communicator has it (bits 60 and 59 are set).
constexpr std::uint64_t no_id = ~std::uint64_t{0} >> 3;

// The operation behind the request: non-blocking broadcasts of the id, one after the other. On an
// inter-communicator first from one side to the other, then within each group.
class duplication final : public p2p::request {
 public:
  duplication(process& p, communicator& parent, communicator& made)
      : request(p2p::request_kind::generalized), process_(p), decides_(parent.decides()), made_(made) {
    auto& coll = *p.core().coll;
    mine_ = parent.rank() == 0 ? p.communicators.new_id(parent.across_jobs()) : 0;
    const auto* byte = loadstone::datatype::predefined_type(loadstone::datatype::basic::byte);
    const coll::group_view both = parent.background_view(), within = coll::within_local_group(both);
    if (parent.is_inter()) {
      // From the side that decides to the other one.
      const bool decides = decides_;
      const std::int32_t root = decides ? (parent.rank() == 0 ? -2 : -1) : 0;
      steps_[count_++] = coll.bcast(both, {&mine_, sizeof mine_, byte}, root);
    }
    steps_[count_++] = coll.bcast(within, {&mine_, sizeof mine_, byte}, 0);
  }
  ~duplication() override {
    for (int i = 0; i < count_; ++i) process_.core().coll->destroy(steps_[i]);
  }

  // Under the gate.
  void next() {
    if (done_ == count_) {
      made_.set_id(mine_);
      process_.core().p2p->complete(*this);
      return;
    }
    coll::schedule* s = steps_[done_++];
    s->context = this;
    s->on_complete = [](p2p::request& r, void* context) {
      auto* self = static_cast<duplication*>(context);
      if (self->result.error == MPI_SUCCESS) self->result.error = r.result.error;
      self->next();
    };
    process_.core().coll->start(s);
  }

 private:
  process& process_;
  bool decides_;
  communicator& made_;
  std::uint64_t mine_ = 0;
  coll::schedule* steps_[2] = {};
  int count_ = 0, done_ = 0;
};

class duplication_request final : public request {
 public:
  duplication_request(process& p, communicator& parent, duplication* operation)
      : request(p, &parent, lifetime::owned) {
    operation_ = operation;
    active_ = true;
  }
};

int duplicate(call& c, communicator& comm, info::pairs hints, MPI_Comm* newcomm, MPI_Request* handle) {
  auto& p = c.process();
  std::unique_ptr<communicator> made;
  if (const int error =
          make_communicator(c, no_id, comm.local(), comm.is_inter() ? comm.remote() : nullptr, &made))
    return error;
  if (comm.topology != nullptr) made->topology = std::make_unique<mpi::topology>(*comm.topology);
  if (const int code = made->attributes.copy_from(comm.attributes, comm.handle())) {
    return c.fail(code, "a copy function of an attribute of the communicator returned {}", code);
  }
  take_hints(*made, hints);
  communicator& raw = *made;
  *newcomm = p.communicators.add(std::move(made), &comm);
  if (*newcomm == MPI_COMM_NULL) return c.fail(MPI_ERR_OTHER, "no more communicator handles are free");
  duplication* operation;
  {
    const std::lock_guard guard(p.gate());
    operation = new duplication(p, comm, raw);
    operation->next();
  }
  if (publish(p, new duplication_request(p, comm, operation), handle) != MPI_SUCCESS) {
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  }
  return MPI_SUCCESS;
}

}  // namespace

int impl::Comm_idup(call& c, communicator& comm, MPI_Comm* newcomm, MPI_Request* request) {
  return duplicate(c, comm, {}, newcomm, request);
}

int impl::Comm_idup_with_info(call& c, communicator& comm, info* info, MPI_Comm* newcomm,
                              MPI_Request* request) {
  return duplicate(c, comm, info == nullptr ? info::pairs{} : info->content(), newcomm, request);
}

}  // namespace loadstone::mpi
