// Adverts: a large receive is made known to its sender when it is posted, so that a sender that
// comes later moves the data by itself while the receiver computes (design principle: whoever comes
// second does the work).
//
// Condition: the receive names its source and tag, is contiguous, large, and can be written by the
//            sender; none that could compete was posted before it without an advert.
// Order:     an advert says how many messages of this (sender, communicator) the receiver had taken
//            in. The sender uses the oldest advert that is pending, and only if every message it
//            has sent since the newest of these numbers was deposited, too (decision 003). It
//            claims it by compare-and-swap in the receiver's record; the receiver withdraws it by
//            the same word. The envelope follows among the user messages, with its number
//            (models/adverts.pml).
// Copies:    1, by whoever is in the library; by both sides when both are (shared_copy.hpp). A
//            non-blocking send that finds an advert leaves the copy for its next call.
// Cost:      one control message for each such receive.
// Model:     a line and one copy, as long as the receiver computes (model::way::advert); else as by
//            both sides.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "model/protocols.hpp"
#include "p2p/requests.hpp"

namespace loadstone::p2p {

class adverts final : context {
 public:
  // What it costs: these of model/protocols.cpp.
  static constexpr std::array modelled = {model::way::advert};

  explicit adverts(const context& c);

  // --- receiver ---
  void advertise(message_request* r, const match_key& key);

  // --- sender ---
  bool knows(const message_request* r) const {
    const auto found = known_.find({r->where->context, r->process});
    return found != known_.end() && !found->second.list.empty();
  }
  bool start(message_request* r, std::uint32_t wish);  // false: there is no advert for it
  void forget(std::uint64_t context, std::uint32_t process) { known_.erase({context, process}); }
  std::size_t size() const { return known_.size(); }

  tally sent;

 private:
  // A receive that a peer has advertised to us.
  struct advert {
    advert_header about;
    advert_body where;
  };
  // All of one peer and communicator that may still be pending.
  struct of_peer {
    std::vector<advert> list;    // in the order of their posting
    std::uint32_t taken_in = 0;  // messages of ours that the peer had taken in when it posted the newest
    std::size_t prune_at = 16;   // so long a list is freed of those that are over
  };
  using key = channels::key;

  bool over(std::uint32_t peer, const advert& a) const {
    return records.cancelled(peer, a.about.record, a.about.generation);
  }
  bool claim(const message_request* r, of_peer& known, advert* claimed);
  deposit::verdict on_advert(deposit::incoming& message, bool queued);
  deposit::verdict on_taken(deposit::incoming& message, bool queued);

  std::unordered_map<key, of_peer, channels::hash> known_;
};

}  // namespace loadstone::p2p
