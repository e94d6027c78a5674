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
    : owner_(owner), id_(id), local_(std::move(local.list)) {
  const bool inter = remote.list != nullptr;
  remote_ = inter ? std::move(remote.list) : local_;
  const std::vector<std::uint32_t>& peers = inter ? remote.peers : local.peers;
  const int rank = rank_in(*local_, owner.id());
  scopes_.messages = make_scope(id, traffic_kind::messages, rank, peers);
  scopes_.collective = make_scope(id, traffic_kind::collective, rank, peers);
  if (inter)
    scopes_.local = std::make_unique<p2p::scope>(make_scope(id, traffic_kind::local, rank, local.peers));
  view_ = {.remote = &scopes_.collective,
           .local = inter ? scopes_.local.get() : &scopes_.collective,
           .rank = rank,
           .local_size = static_cast<std::int32_t>(local_->size()),
           .remote_size = static_cast<std::int32_t>(remote_->size()),
           .inter = inter,
           .next_tag = &next_tags_[0],
           .other_tag = &next_tags_[1],
           .areas = &areas_[0]};
}

bool communicator::across_jobs() const {
  const memory::process_id self = owner_.id();
  return mpi::across_jobs(*local_, self) || (is_inter() && mpi::across_jobs(*remote_, self));
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
  if (!scope) scope = std::make_unique<p2p::scope>(make_scope(id_, kind, rank(), peers()));
  return *scope;
}

coll::group_view communicator::background_view() {
  coll::group_view v = view_;
  v.waits = false;
  v.next_tag = &next_tags_[1];
  v.other_tag = &next_tags_[0];
  v.areas = &areas_[1];
  return v;
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
