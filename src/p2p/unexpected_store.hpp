// Unexpected messages, and the bound on what they occupy here. When it is too much the endpoint
// refuses user traffic, senders keep their messages in queues of their own, and receives and probes
// search there. Below half the limit messages are taken in again, in order.
//
// A message in a queue is offered once when it appears, and again whenever we search. It is left
// there when it matches nothing and there is no capacity, or when an older one of its sender was
// left. The limit is passed by what one poll can bring at most. Payload kept in a sender's cell is
// the sender's memory and not counted.
#pragma once

#include <vector>

#include "base/pool.hpp"
#include "p2p/arrival.hpp"
#include "p2p/context.hpp"
#include "p2p/matching/matcher.hpp"

namespace loadstone::p2p {

// A search for a message that may still stand in a refused sender's queue.
struct queue_search {
  match_key key;
  bool take = false;  // matched probe: the message leaves the queue
  arrival* taken = nullptr;
  bool found = false;
  std::uint32_t process = 0;
  std::int32_t tag = 0;
  std::int64_t bytes = 0;
};

class unexpected_store : context {
 public:
  explicit unexpected_store(const context& c) : context(c), limit_(c.config.unexpected_limit) {}
  ~unexpected_store();

  arrival* make(const match_key& key, std::int64_t bytes);
  // An eager message, kept; `answered`: its header if its sender waits for an answer.
  arrival* keep(const match_key& key, deposit::incoming& message, const answered_envelope* answered,
                deposit::verdict* what);
  void add(arrival* a);
  void take(arrival* a);     // out of the lists, still accounted until recycled
  void recycle(arrival* a);  // gives its memory back
  void drop(arrival* a) {    // nobody will receive it
    take(a);
    recycle(a);
  }
  void drop_all(std::uint64_t context);
  // The oldest that matches and has not been cancelled; `take`: claimed, and out of the lists.
  arrival* find(const match_key& key, bool take);
  bool has_capacity() const { return bytes_ <= limit_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t peak() const { return peak_; }

  // A message that matches no receive has come: `wanted` by the search, which gets it; may it
  // become an unexpected one, or is it left where it is?
  enum class fate : std::uint8_t { wanted, unexpected, left };
  fate of_unmatched(channel& from, const match_key& key, std::uint32_t sequence, std::int64_t bytes,
                    const answered_envelope* answered, bool queued);
  void put(arrival* a, fate what) { what == fate::wanted ? void(searching_->taken = a) : add(a); }

  // Messages of queues have been left there.
  bool kept_by_senders() const { return !backlogged_.empty(); }
  // Offers them to the receive just posted, or to the search, until it is satisfied.
  void search_for(message_request* r, const match_key& wanted);
  void search_for(queue_search* h);
  // A receive has been matched: perhaps the one that is searched for.
  void matched(const message_request* r) {
    if (r == wanted_by_) [[unlikely]]
      endpoint.stop_search();
  }
  // Takes them in, each sender's from the oldest, as far as there is capacity.
  void take_in();
  // All that this sender keeps, whatever the limit: it has no memory for more, and we may be
  // waiting for what it would send next.
  void relieve(std::uint32_t process);

 private:
  static std::size_t footprint(const arrival* a);
  void refuse(bool yes);
  bool may_come_in(channel& from, const match_key& key, std::uint32_t sequence);
  bool searched(const match_key& key, std::int64_t bytes, const answered_envelope* answered);
  void search(const match_key& wanted);

  base::pool<arrival> pool_;
  const std::size_t limit_;
  std::size_t bytes_ = 0, peak_ = 0;
  bool refusing_ = false;
  bool taking_in_ = false;  // take_in() searches
  bool relieving_ = false;  // relieve() does
  bool in_queues_ = false;  // search() does
  message_request* wanted_by_ = nullptr;
  queue_search* searching_ = nullptr;
  std::vector<std::uint32_t> backlogged_;  // processes of whose queues messages were left there
};

}  // namespace loadstone::p2p
