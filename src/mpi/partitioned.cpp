// Partitioned communication (MPI chapter 4).
//
// When an operation is initialised, the sender sends one set-up message with a context for this
// operation alone. Set-up messages match in order, by communicator and tag, as the standard says.
// Short partitions then lie in a tray, from where the receiver takes them (part_tray.hpp). Of
// others, each partition of the sender is one message on that context, with its number as the tag,
// and the receiver posts a receive for it, whatever its own partitions are. One of its own has
// arrived when all of the sender's that overlap it have.
#include <algorithm>
#include <memory>
#include <typeinfo>
#include <vector>

#include "mpi/checks.hpp"
#include "mpi/generated/impl.hpp"
#include "mpi/part_tray.hpp"
#include "mpi/point_to_point.hpp"
#include "p2p/error_class.hpp"
#include "p2p/message_data.hpp"

namespace loadstone::mpi {
namespace {

struct setup_message {
  std::uint64_t id;         // the private context
  std::int64_t partitions;  // of the sender
  std::int64_t bytes;       // of each of them, packed
  memory::local_address tray;
};

class partitioned_request final : public request, part_trays::waiter {
 public:
  partitioned_request(process& p, communicator& comm, bool sends, void* buf, std::int64_t partitions,
                      std::int64_t count, datatype& type, int peer, int tag)
      : request(p, &comm, lifetime::persistent),
        sends_(sends),
        buf_(buf),
        partitions_(partitions),
        count_(count),
        type_(type.core()),
        data_({buf, partitions * count, type_}),
        peer_(peer),
        tag_(tag) {
    type_->acquire();
    if (peer_ == MPI_PROC_NULL) {
      if (!sends_) result_ = proc_null_result();
      return;
    }
    operation_ = new progress_flag;
    meeting_ = new set_up{.owner = this};
    scope_.rank = comm.rank();
    scope_.peers = comm.peers();
    const auto* byte = loadstone::datatype::predefined_type(loadstone::datatype::basic::byte);
    const std::lock_guard guard(p.gate());
    p2p::engine& engine = *p.core().p2p;
    p2p::scope& meeting = comm.traffic(traffic_kind::partitioned);
    if (sends_) {
      const std::int64_t bytes = count_ * type_->size();
      tray_ = p.trays.make(partitions_, bytes, process_of_peer());
      meeting_->message = {p.communicators.new_id(comm.across_jobs()), partitions_, bytes, {}};
      if (tray_) meeting_->message.tray = memory::local_address::of(p.core().arena->address_of(tray_.at()));
      adopt_setup();
      meeting_->request = engine.send(meeting, {&meeting_->message, sizeof(setup_message), byte}, peer_, tag,
                                      p2p::send_mode::standard);
    } else {
      meeting_->request =
          engine.receive(meeting, {&meeting_->message, sizeof(setup_message), byte}, peer_, tag);
    }
    if (meeting_->complete()) {
      failed_ = meeting_->request->result.error;
      if (failed_ == MPI_SUCCESS && !sends_) adopt_setup();
    } else {
      meeting_->request->context = meeting_;
      meeting_->request->on_complete = &set_up::arrived;
    }
  }

  ~partitioned_request() override {
    if (peer_ != MPI_PROC_NULL) {
      const std::lock_guard guard(owner_.gate());
      drop_parts();
      owner_.trays.remove(*this);
      if (sends_ && tray_) owner_.trays.give_back(tray_, round_);
      meeting_->leave(owner_);
      // Without a set-up message there is no context. Messages to this process itself may still be
      // received.
      if (known_ && failed_ == MPI_SUCCESS && !(sends_ && process_of_peer() == owner_.self()))
        owner_.core().p2p->detach(scope_);
      delete operation_;
      operation_ = nullptr;
    }
    type_->release();
  }

  bool sends() const { return sends_; }
  bool ends_here() const override {
    return sends_ && std::find(through_.begin(), through_.end(), false) != through_.end();
  }
  bool null_peer() const { return peer_ == MPI_PROC_NULL; }
  std::int64_t partitions() const { return partitions_; }

  // Under the gate.
  int start() override {
    active_ = true;
    if (peer_ == MPI_PROC_NULL) return MPI_SUCCESS;
    operation_->complete.store(false, std::memory_order_relaxed);  // no thread waits for it yet
    operation_->result = {};
    ++round_;
    pending_ = known_ ? setup_.partitions : 1;
    // The status is that of one message, of which the partitions are parts.
    if (!sends_) operation_->result.source = peer_, operation_->result.tag = tag_;
    if (sends_) through_.assign(static_cast<std::size_t>(partitions_), false);
    if (failed_ != MPI_SUCCESS) {
      fail();
    } else if (sends_) {
      complete_if_over();  // without partitions nothing is left to do
    } else if (known_) {
      post();
    }
    return MPI_SUCCESS;
  }

  void deactivate() override {
    active_ = false;
    drop_parts();
  }

  // At the sender: the partition is sent. Under the gate. False: it was marked as ready before.
  bool ready(std::int64_t i) {
    if (through_[static_cast<std::size_t>(i)]) return false;
    through_[static_cast<std::size_t>(i)] = true;
    if (failed_ != MPI_SUCCESS) return true;  // so has the operation
    p2p::engine& engine = *owner_.core().p2p;
    if (!tray_) {
      auto* from = static_cast<std::byte*>(buf_) + i * count_ * type_->extent();
      watch(i,
            engine.send(scope_, {from, count_, type_}, peer_, static_cast<int>(i), p2p::send_mode::standard));
      return true;
    }
    data_.pack(i * setup_.bytes, setup_.bytes, tray_.part(round_, i));
    tray_.mark(round_, i);
    announce();
    --pending_;
    if (!complete_if_over() && pending_ == 0) owner_.trays.add(*this);
    if (engine.poll_is_due()) engine.progress();
    return true;
  }

  // At the receiver: has all that overlaps this partition arrived? Under the gate.
  bool arrived(std::int64_t partition) {
    // Relaxed: under the gate. All of it, perhaps in error.
    if (!active_ || operation_->complete.load(std::memory_order_relaxed)) return true;
    const std::int64_t mine = count_ * type_->size();
    if (mine == 0 || !known_ || setup_.bytes == 0) return false;
    const std::int64_t first = partition * mine / setup_.bytes,
                       last = ((partition + 1) * mine - 1) / setup_.bytes;
    for (std::int64_t i = first; i <= last && i < setup_.partitions; ++i) {
      if (!(tray_ ? take(i) : parts_[static_cast<std::size_t>(i)].done)) return false;
    }
    return true;
  }

 private:
  // The set-up message. It may outlive the operation: it matches in its order even if that has been
  // freed meanwhile.
  struct set_up {
    partitioned_request* owner;
    setup_message message{};
    p2p::request* request = nullptr;

    // Relaxed: under the gate, like the completer.
    bool complete() const { return request->complete.load(std::memory_order_relaxed); }
    static void arrived(p2p::request&, void* context) {
      auto* m = static_cast<set_up*>(context);
      partitioned_request* self = m->owner;
      if (self == nullptr) {
        delete m;
        return;
      }
      self->failed_ = m->request->result.error;
      if (self->failed_ != MPI_SUCCESS) return self->fail();
      if (self->sends_) return;
      self->adopt_setup();
      if (self->active_) self->post();
    }
    // The operation is destroyed. Under the gate. What is sent must still leave before MPI_Finalize
    // returns.
    void leave(process& p) {
      owner = nullptr;
      const bool over = complete();
      if (!over && request->kind == p2p::request_kind::send) return p.adopt(request);
      p.core().p2p->free(request);
      if (over) delete this;
    }
  };
  struct progress_flag final : p2p::request {
    progress_flag() : request(p2p::request_kind::partitioned) {}
  };
  struct part {
    partitioned_request* owner = nullptr;
    p2p::request* message = nullptr;
    // Holds a message that begins or ends inside an element; unpacked when all are complete.
    std::vector<std::byte> aside;
    std::int64_t at = 0;  // its first packed byte
    bool done = false;
  };

  void adopt_setup() {
    known_ = true;
    setup_ = meeting_->message;
    scope_.context = context_of(setup_.id, traffic_kind::messages);
    pending_ = setup_.partitions;
    if (sends_ || !setup_.tray) return;
    auto got = owner_.core().endpoint->reach(setup_.tray.in(process_of_peer()));
    if (!got) return;  // its sender has gone
    tray_ = {got->at, setup_.partitions, setup_.bytes};
    pin_ = std::move(got->pin);
  }

  // To this process itself, too: another thread of it may be asleep.
  void announce() const { owner_.core().endpoint->words().announce(process_of_peer()); }
  std::uint32_t process_of_peer() const { return scope_.peers[static_cast<std::size_t>(peer_)]; }

  // Its set-up message has. Under the gate.
  void fail() {
    // Relaxed: under the gate.
    if (!active_ || operation_->complete.load(std::memory_order_relaxed)) return;
    owner_.trays.remove(*this);
    operation_->result.error = failed_;
    owner_.core().p2p->complete(*operation_);
  }

  void post() {
    pending_ = setup_.partitions;
    if (setup_.tray) return take_from_tray();
    p2p::engine& engine = *owner_.core().p2p;
    const std::int64_t element = type_->size(), capacity = partitions_ * count_ * element;
    const auto* byte = loadstone::datatype::predefined_type(loadstone::datatype::basic::byte);
    for (std::int64_t i = 0; i < setup_.partitions; ++i) {
      part& p = at(i);
      p.at = i * setup_.bytes;
      const std::int64_t bytes = std::clamp<std::int64_t>(capacity - p.at, 0, setup_.bytes);
      p2p::buffer into;
      if (element == 0 || (p.at % element == 0 && bytes % element == 0)) {
        const std::int64_t skipped = element == 0 ? 0 : p.at / element;
        into = {static_cast<std::byte*>(buf_) + skipped * type_->extent(), element == 0 ? 0 : bytes / element,
                type_};
      } else {
        p.aside.resize(static_cast<std::size_t>(bytes));
        into = {p.aside.data(), bytes, byte};
      }
      watch(i, engine.receive(scope_, into, peer_, static_cast<int>(i)));
    }
    if (setup_.partitions == 0) complete_if_over();
  }

  void take_from_tray() {
    if (!tray_) {  // its sender has gone
      operation_->result.error = p2p::error_peer_aborted;
      return owner_.core().p2p->complete(*operation_);
    }
    through_.assign(static_cast<std::size_t>(setup_.partitions), false);
    next_ = 0;
    owner_.trays.add(*this);
    look();
  }

  void look() override {
    if (sends_) return void(complete_if_over());
    const std::int64_t before = pending_;
    while (pending_ != 0 && take(next_)) ++next_;
    if (pending_ != before) owner_.core().endpoint->words().note_progress();
  }

  // Out of the tray into the buffer. False: it has not come.
  bool take(std::int64_t i) {
    if (through_[static_cast<std::size_t>(i)]) return true;
    if (!tray_.marked(round_, i)) return false;
    through_[static_cast<std::size_t>(i)] = true;
    const std::int64_t at = i * setup_.bytes,
                       bytes = std::clamp<std::int64_t>(data_.bytes() - at, 0, setup_.bytes);
    data_.unpack(at, bytes, tray_.part(round_, i));
    over(bytes < setup_.bytes ? p2p::error_truncate : MPI_SUCCESS, setup_.bytes);
    return true;
  }

  void over(std::int32_t error, std::int64_t bytes) {
    if (failed_ != MPI_SUCCESS) return;  // so has the operation
    p2p::outcome& all = operation_->result;
    if (all.error == MPI_SUCCESS) all.error = error;
    all.bytes += bytes;
    --pending_;
    complete_if_over();
  }

  bool complete_if_over() {
    if (pending_ != 0 || (sends_ && tray_ && tray_.untaken(round_) > 1)) return false;
    if (tray_) {
      owner_.trays.remove(*this);
      owner_.core().endpoint->words().came();
      if (!sends_) tray_.take(round_), announce();
    }
    owner_.core().p2p->complete(*operation_);
    return true;
  }

  part& at(std::int64_t i) {
    if (parts_.empty()) parts_ = std::vector<part>(static_cast<std::size_t>(setup_.partitions));
    return parts_[static_cast<std::size_t>(i)];
  }

  void watch(std::int64_t i, p2p::request* message) {
    part& p = at(i);
    p.owner = this;
    p.message = message;
    if (message->complete.load(std::memory_order_relaxed)) {  // under the gate
      finished(*message, &p);
    } else {
      message->context = &p;
      message->on_complete = &partitioned_request::finished;
    }
  }

  static void finished(p2p::request& message, void* context) {
    part& p = *static_cast<part*>(context);
    partitioned_request& self = *p.owner;
    if (!p.aside.empty() && message.result.error == MPI_SUCCESS) {
      loadstone::datatype::unpack(self.buf_, self.partitions_ * self.count_, *self.type_, p.at,
                                  static_cast<std::int64_t>(p.aside.size()), p.aside.data());
    }
    p.done = true;
    self.over(message.result.error, message.result.bytes);
  }

  void drop_parts() {
    for (part& p : parts_) {
      if (p.message != nullptr) owner_.core().p2p->free(p.message);
    }
    parts_.clear();
  }

  bool sends_;
  void* buf_;
  std::int64_t partitions_, count_;
  const loadstone::datatype::type* type_;
  p2p::message_data data_;  // all of it
  int peer_, tag_;
  setup_message setup_{};
  set_up* meeting_ = nullptr;
  bool known_ = false;        // is setup_ valid? At a receiver once its message has come
  int failed_ = MPI_SUCCESS;  // what its message has ended with
  p2p::scope scope_;
  std::vector<part> parts_;    // that are messages
  std::vector<bool> through_;  // by the sender's partitions: marked as ready; taken out of the tray
  std::int64_t pending_ = 0;   // how many are not through
  part_tray tray_;             // none: parts are messages
  memory::pin pin_;            // receiver: of what it lies in
  std::uint32_t round_ = 0;    // starts
  std::int64_t next_ = 0;      // receiver: all before are through
};

int make(call& c, bool sends, void* buf, std::int64_t partitions, std::int64_t count, datatype& type,
         int peer, int tag, communicator& comm, MPI_Request* handle) {
  if (beyond(count, partitions, type)) {
    return c.fail(MPI_ERR_COUNT,
                  "{} partitions of {} elements; expected at most {} elements of {} bytes in all", partitions,
                  count, type.core()->most(), type.core()->size());
  }
  auto* r = new partitioned_request(c.process(), comm, sends, buf, partitions, count, type, peer, tag);
  if (publish(c.process(), r, handle) != MPI_SUCCESS)
    return c.fail(MPI_ERR_OTHER, "no more request handles are free");
  return MPI_SUCCESS;
}

// The active partitioned request of this handle; null: there is none, and *code is the error.
partitioned_request* find(call& c, MPI_Request handle, bool sends, int* code) {
  request* r = handle == MPI_REQUEST_NULL ? nullptr : c.handles().requests.find(handle);
  auto* p = r != nullptr && typeid(*r) == typeid(partitioned_request) ? static_cast<partitioned_request*>(r)
                                                                      : nullptr;
  if (p == nullptr || p->sends() != sends) {
    *code = c.fail(MPI_ERR_REQUEST, "the request is {:#x}; expected a partitioned {} request",
                   static_cast<std::uintptr_t>(handle_bits(handle)), sends ? "send" : "receive");
    return nullptr;
  }
  c.on(*p->where());
  return p;
}

int mark_ready(call& c, partitioned_request& r, std::int64_t partition) {
  if (partition < 0 || partition >= r.partitions()) {
    return c.fail(MPI_ERR_ARG, "partition {} does not exist; expected 0 to {}", partition,
                  r.partitions() - 1);
  }
  if (!r.active()) return c.fail(MPI_ERR_REQUEST, "the request is not active; expected MPI_Start before");
  if (r.null_peer()) return MPI_SUCCESS;
  const std::lock_guard guard(c.process().gate());
  if (!r.ready(partition))
    return c.fail(MPI_ERR_ARG, "partition {} has been marked ready already", partition);
  return MPI_SUCCESS;
}

}  // namespace

int impl::Psend_init(call& c, const void* buf, int partitions, std::int64_t count, datatype& datatype,
                     int dest, int tag, communicator& comm, info*, MPI_Request* request) {
  return make(c, true, const_cast<void*>(buf), partitions, count, datatype, dest, tag, comm, request);
}

int impl::Precv_init(call& c, void* buf, int partitions, std::int64_t count, datatype& datatype, int source,
                     int tag, communicator& comm, info*, MPI_Request* request) {
  return make(c, false, buf, partitions, count, datatype, source, tag, comm, request);
}

int impl::Pready(call& c, int partition, MPI_Request request) {
  int code = MPI_SUCCESS;
  partitioned_request* r = find(c, request, true, &code);
  return r == nullptr ? code : mark_ready(c, *r, partition);
}

int impl::Pready_range(call& c, int low, int high, MPI_Request request) {
  int code = MPI_SUCCESS;
  partitioned_request* r = find(c, request, true, &code);
  if (r == nullptr) return code;
  for (int i = low; i <= high; ++i) {
    if (const int error = mark_ready(c, *r, i)) return error;
  }
  return MPI_SUCCESS;
}

int impl::Pready_list(call& c, int length, const int partitions[], MPI_Request request) {
  int code = MPI_SUCCESS;
  partitioned_request* r = find(c, request, true, &code);
  if (r == nullptr) return code;
  for (int i = 0; i < length; ++i) {
    if (const int error = mark_ready(c, *r, partitions[i])) return error;
  }
  return MPI_SUCCESS;
}

int impl::Parrived(call& c, MPI_Request request, int partition, int* flag) {
  if (request == MPI_REQUEST_NULL) {
    *flag = 1;
    return MPI_SUCCESS;
  }
  int code = MPI_SUCCESS;
  partitioned_request* r = find(c, request, false, &code);
  if (r == nullptr) return code;
  if (partition < 0 || partition >= r->partitions()) {
    return c.fail(MPI_ERR_ARG, "partition {} does not exist; expected 0 to {}", partition,
                  r->partitions() - 1);
  }
  *flag = 1;
  if (r->null_peer()) return MPI_SUCCESS;
  const std::lock_guard guard(c.process().gate());
  p2p::engine& engine = *c.process().core().p2p;
  *flag = r->arrived(partition);
  if (!*flag) {
    engine.progress();
    *flag = r->arrived(partition);
    c.process().note_poll(*flag);
  } else if (engine.poll_is_due()) {
    engine.progress();
  }
  return MPI_SUCCESS;
}

}  // namespace loadstone::mpi
