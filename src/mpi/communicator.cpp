#include "mpi/communicator.hpp"

#include "mpi/process.hpp"
#include "mpi/topology.hpp"

namespace loadstone::mpi {
namespace {

p2p::scope make_scope(std::uint64_t id, traffic_kind kind, int rank,
                      const std::vector<std::uint32_t>& peers) {
  p2p::scope s;
  s.context = context_of(id, kind);
  s.rank = rank;
  s.peers = peers;
  return s;
}

}  // namespace

communicator::communicator(process& owner, std::uint64_t id, peer_group local, peer_group remote)
    : owner_(owner), id_(id), inter_(remote.list != nullptr), local_(std::move(local.list)) {
  remote_ = inter_ ? std::move(remote.list) : local_;
  const std::vector<std::uint32_t>& peers = inter_ ? remote.peers : local.peers;
  rank_ = rank_in(*local_, owner.id());
  size_ = static_cast<int>(local_->size());
  remote_size_ = static_cast<int>(remote_->size());
  scopes_.messages = make_scope(id, traffic_kind::messages, rank_, peers);
  scopes_.collective = make_scope(id, traffic_kind::collective, rank_, peers);
  if (inter_)
    scopes_.local = std::make_unique<p2p::scope>(make_scope(id, traffic_kind::local, rank_, local.peers));
}

bool communicator::across_jobs() const {
  const memory::process_id self = owner_.id();
  return mpi::across_jobs(*local_, self) || (inter_ && mpi::across_jobs(*remote_, self));
}

void communicator::set_id(std::uint64_t id) {
  id_ = id;
  scopes_.messages.context = context_of(id, traffic_kind::messages);
  scopes_.collective.context = context_of(id, traffic_kind::collective);
  if (scopes_.local) scopes_.local->context = context_of(id, traffic_kind::local);
}

communicator::~communicator() {
  if (errhandler* handler = error_handler_.get()) owner_.release(handler);
}

p2p::scope& communicator::traffic(traffic_kind kind) {
  const std::lock_guard guard(lock_);
  auto& scope = kind == traffic_kind::setup ? scopes_.setup : scopes_.partitioned;
  if (!scope) scope = std::make_unique<p2p::scope>(make_scope(id_, kind, rank_, peers()));
  return *scope;
}

coll::group_view communicator::view() {
  coll::group_view v;
  v.remote = &scopes_.collective;
  v.local = inter_ ? scopes_.local.get() : &scopes_.collective;
  v.rank = rank_;
  v.local_size = size_;
  v.remote_size = remote_size_;
  v.inter = inter_;
  v.next_tag = &next_tags_[0];
  v.other_tag = &next_tags_[1];
  v.areas = &areas_[0];
  return v;
}

coll::group_view communicator::background_view() {
  coll::group_view v = view();
  v.waits = false;
  v.next_tag = &next_tags_[1];
  v.other_tag = &next_tags_[0];
  v.areas = &areas_[1];
  return v;
}

// It shares the counter of collectives with view(). All members of both groups make the same calls,
// so it stays equal.
coll::group_view communicator::local_view() {
  return coll::within_local_group(view());
}

bool communicator::in_use() const {
  const auto users = [](const std::unique_ptr<p2p::scope>& s) { return s ? s->users : 0; };
  return scopes_.messages.users + scopes_.collective.users + users(scopes_.local) + users(scopes_.setup) +
             users(scopes_.partitioned) >
         0;
}

void communicator::for_each_scope(void (*visit)(void* context, p2p::scope&), void* context) {
  visit(context, scopes_.messages);
  visit(context, scopes_.collective);
  for (const auto* s : {&scopes_.local, &scopes_.setup, &scopes_.partitioned}) {
    if (*s) visit(context, **s);
  }
}

void communicator::set_error_handler(errhandler* handler) {
  if (errhandler* old = error_handler_.exchange(handler)) owner_.release(old);
}

std::string communicator::name() const {
  const std::lock_guard guard(lock_);
  return name_;
}

void communicator::set_name(std::string_view name) {
  const std::lock_guard guard(lock_);
  name_ = name;
}

}  // namespace loadstone::mpi
