// The routes of a process to all others, each by the transport that serves that peer. The mapped
// one, which every process has, stays in line: without other peers nothing here costs anything.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "transport/mapped.hpp"
#include "transport/unmapped.hpp"

namespace loadstone::transport {

class routes {
 public:
  static base::result<std::unique_ptr<routes>> open(const setup& with);

  // Calls f with the transport that serves this peer.
  template <class F>
  decltype(auto) with(std::uint32_t peer, F&& f) {
    if (unmapped_ == nullptr || by_.maps(self_, peer)) [[likely]]
      return f(*mapped_);
    return f(*unmapped_);
  }
  traits properties(std::uint32_t peer) {
    return with(peer, [](auto& way) { return way.properties(); });
  }

  // send_at_once(): a short message to a peer that is mapped here. False, and nothing done: send it
  // the usual way.
  [[gnu::always_inline]] bool send_at_once(std::uint32_t peer, const outgoing& m) {
    return mapped_->send_at_once(peer, m);
  }
  send_result send(std::uint32_t peer, const outgoing& m) {
    return mapped_->send_at_once(peer, m) ? send_result::sent : send_otherwise(peer, m);
  }
  template <class Take>
  bool poll(Take&& take) {
    bool any = mapped_->poll(take);
    if (unmapped_ != nullptr) [[unlikely]]
      any |= unmapped_->poll(take);
    return any;
  }
  template <class Take>
  bool poll_front(Take&& take) {
    bool any = mapped_->poll_front(take);
    if (unmapped_ != nullptr) [[unlikely]]
      any |= unmapped_->poll_front(take);
    return any;
  }

  // Past polls, from a peer that is mapped here (mapped.hpp); no other may be watched.
  bool may_watch(std::uint32_t peer) const { return mapped_->may_watch(peer); }
  template <class Begin, class Take, class On>
  [[gnu::always_inline]] bool watch(const watched& what, Begin&& begin, Take&& take, On&& on) {
    return mapped_->watch(what, begin, take, on);
  }
  // Is a message there already? Touches no line that somebody may be writing into.
  bool at_hand() const { return mapped_->at_hand(); }

  // UINT32_MAX: of every source.
  template <class Take>
  void search(std::uint32_t source, Take&& take, const bool* stop) {
    if (source != UINT32_MAX) return with(source, [&](auto& way) { way.search(source, take, stop); });
    mapped_->search(source, take, stop);
    if (unmapped_ != nullptr) unmapped_->search(source, take, stop);
  }
  void refuse(bool yes) {
    mapped_->refuse(yes);
    if (unmapped_ != nullptr) unmapped_->refuse(yes);
  }
  std::optional<std::uint32_t> starved() {
    const auto source = mapped_->starved();
    return source || unmapped_ == nullptr ? source : unmapped_->starved();
  }
  bool ask_for_memory() {
    const bool asked = mapped_->ask_for_memory();
    return (unmapped_ != nullptr && unmapped_->ask_for_memory()) || asked;
  }
  base::status fence_all() {
    const base::status near = mapped_->stores().fence_all();
    if (unmapped_ == nullptr) return near;
    const base::status far = unmapped_->stores().fence_all();
    return near.ok() ? far : near;
  }

  // What peers send to the offer handler of `setup`.
  void accept(std::uint32_t peer, const std::byte* offer) { mapped_->accept(peer, offer); }
  // Has it opened its end, as far as its memory is mapped here?
  bool reaches(std::uint32_t peer) {
    return properties(peer).mapped && mapped_->peers().reach(peer) != nullptr;
  }
  // Whom something was sent to; the latest is last.
  std::span<const std::uint32_t> contacts() const { return mapped_->peers().contacts(); }
  // From here on as if `setup` had said threads.
  void admit_threads() { mapped_->admit_threads(); }

  // The bell, which all of them ring, if any, and what peers know of our polls and sleeps.
  attention& sleeper() { return mapped_->sleeper(); }
  std::optional<std::chrono::nanoseconds> arm() {
    auto longest = mapped_->arm();
    if (unmapped_ == nullptr || !longest) [[likely]]
      return longest;
    const auto nap = unmapped_->arm();
    return nap ? std::min(*nap, *longest) : nap;
  }
  void wake(std::uint32_t peer) {
    with(peer, [&](auto& way) { way.wake(peer); });
  }
  // Of one that is mapped here (mapped.hpp); of others nothing is seen.
  void announce(std::uint32_t peer) { mapped_->announce(peer); }
  bool asleep(std::uint32_t peer) const { return mapped_->asleep(peer); }
  figures counts() const;

 private:
  routes(const choice& by, std::uint32_t self) : by_(by), self_(self) {}
  send_result send_otherwise(std::uint32_t peer, const outgoing& m);

  const choice by_;
  const std::uint32_t self_;
  std::unique_ptr<mapped> mapped_;
  std::unique_ptr<unmapped> unmapped_;  // null: there is nobody whom it serves
};

}  // namespace loadstone::transport
