// A network in one thread for schedules of many ranks: messages are matched as MPI wants, and everything that
// may happen next (data moving, a send or a receive completing) happens in random order. Nasty where the
// standard allows it: a receive buffer is filled with garbage when the receive is posted, and sends complete
// early or late at random.
#pragma once

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "coll/messenger.hpp"
#include "datatype/type.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll::test {

class network {
 public:
  explicit network(std::uint64_t seed) : random_(seed) {}
  ~network() {
    for (message* m : live_) delete m;
  }

  struct message final : p2p::request {
    explicit message(p2p::request_kind k) : request(k) {}
    p2p::buffer data;
    std::vector<std::byte> payload;  // of a send that completed early
    bool early = false;
    message* partner = nullptr;
  };
  // context, sending process, receiving process, tag
  using stream = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::int32_t>;

  message* send(const stream& where, p2p::buffer data) {
    message* m = make(p2p::request_kind::send, data);
    const std::int64_t bytes = data.count * data.type->size();
    ++messages;
    if (random_() % 3 == 0) {
      m->early = true;
      m->payload.resize(static_cast<std::size_t>(bytes));
      if (bytes) datatype::pack(data.address, data.count, *data.type, 0, bytes, m->payload.data());
      if (random_() % 2) {
        m->complete = true;
      } else {
        events_.push_back({event::completion, m});
      }
    }
    match(where, m, sends_, receives_);
    return m;
  }
  message* receive(const stream& where, p2p::buffer data) {
    message* m = make(p2p::request_kind::receive, data);
    const std::int64_t bytes = data.count * data.type->size();
    const std::vector<std::byte> garbage(static_cast<std::size_t>(bytes), std::byte{0xee});
    if (bytes)
      datatype::unpack(const_cast<void*>(data.address), data.count, *data.type, 0, bytes, garbage.data());
    match(where, m, receives_, sends_);
    return m;
  }
  void free(p2p::request* r) {
    message* m = static_cast<message*>(r);
    if (!m->complete) std::abort();
    if (m->early && m->partner == nullptr && !moved_.contains(m)) {
      forgotten_.insert(m);  // completed early, data still under way
      return;
    }
    erase(m);
  }
  // One random event; false: nothing can happen any more.
  bool step() {
    if (events_.empty()) return false;
    std::swap(events_[random_() % events_.size()], events_.back());
    const event e = events_.back();
    events_.pop_back();
    if (e.what == event::move) {
      move(e.subject);
    } else {
      announce(*e.subject);
    }
    return true;
  }
  static void announce(p2p::request& r) {
    r.complete = true;
    if (r.on_complete) r.on_complete(r, r.context);
  }
  bool quiet() const { return events_.empty() && sends_.empty() && receives_.empty(); }
  std::size_t live() const { return live_.size(); }
  std::uint64_t messages = 0;

  std::uint64_t waited_for = 0;  // messages whose owner has said that it waits

 private:
  struct event {
    enum { move, completion } what;
    message* subject;
  };
  using waiting = std::map<stream, std::deque<message*>>;

  message* make(p2p::request_kind kind, p2p::buffer data) {
    auto* m = new message(kind);
    m->data = data;
    live_.insert(m);
    return m;
  }
  void erase(message* m) {
    if (live_.erase(m) != 1) std::abort();
    moved_.erase(m);
    delete m;
  }
  void match(const stream& where, message* m, waiting& own, waiting& others) {
    auto found = others.find(where);
    if (found == others.end()) {
      own[where].push_back(m);
      return;
    }
    message* other = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) others.erase(found);
    message* receive = m->kind == p2p::request_kind::receive ? m : other;
    receive->partner = m == receive ? other : m;
    events_.push_back({event::move, receive});
  }
  void move(message* receive) {
    message* send = receive->partner;
    const std::int64_t sent = send->data.count * send->data.type->size();
    const std::int64_t room = receive->data.count * receive->data.type->size();
    const std::int64_t bytes = std::min(sent, room);
    std::vector<std::byte> packed;
    if (send->early) {
      packed = send->payload;
    } else {
      packed.resize(static_cast<std::size_t>(sent));
      if (sent)
        datatype::pack(send->data.address, send->data.count, *send->data.type, 0, sent, packed.data());
    }
    if (bytes)
      datatype::unpack(const_cast<void*>(receive->data.address), receive->data.count, *receive->data.type, 0,
                       bytes, packed.data());
    receive->result.bytes = bytes;
    if (sent > room) receive->result.error = 15;  // MPI_ERR_TRUNCATE
    events_.push_back({event::completion, receive});
    if (!send->early) {
      events_.push_back({event::completion, send});
    } else if (forgotten_.erase(send)) {
      erase(send);
    } else {
      moved_.insert(send);
    }
  }

  std::mt19937_64 random_;
  waiting sends_, receives_;
  std::vector<event> events_;
  std::set<message*> live_, moved_, forgotten_;
};

// The network as one process sees it.
class simulated_messenger final : public messenger {
 public:
  simulated_messenger(network& n, std::uint32_t self) : network_(n), self_(self) {}
  p2p::request* send(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) override {
    return network_.send({where.context, self_, where.peers.at(static_cast<std::size_t>(peer)), tag}, data);
  }
  p2p::request* receive(p2p::scope& where, p2p::buffer data, std::int32_t peer, std::int32_t tag) override {
    return network_.receive({where.context, where.peers.at(static_cast<std::size_t>(peer)), self_, tag},
                            data);
  }
  void free(p2p::request* r) override { network_.free(r); }
  void complete(p2p::request& r) override { network::announce(r); }
  void wait_begins(p2p::request& r) override {
    if (r.complete) std::abort();
    ++network_.waited_for;
  }
  bool wait(p2p::request& r, const wait::reason&) override {
    while (!r.complete)
      if (!network_.step()) return false;
    return true;
  }

 private:
  network& network_;
  std::uint32_t self_;
};

}  // namespace loadstone::coll::test
