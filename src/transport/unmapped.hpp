// A transport to peers whose memory is not mapped here, as routes.hpp sees it, by virtual calls.
// The library itself has none. Who brings one defines open_unmapped(): the tests have the
// deliberately poor one (tests/transport/poor).
#pragma once

#include <memory>
#include <optional>
#include <type_traits>

#include "transport/transport.hpp"

namespace loadstone::transport {

// What arrived messages are given to (lane.hpp, some_taker).
class any_taker {
 public:
  virtual bool operator()(slot& s, std::uint32_t source, bool fresh, bool queued) = 0;
  virtual std::uint32_t due(std::uint32_t source, std::uint8_t kind) const = 0;

 protected:
  ~any_taker() = default;
};
template <class Take>
class taker_of final : public any_taker {
 public:
  explicit taker_of(Take& take) : take_(take) {}
  bool operator()(slot& s, std::uint32_t source, bool fresh, bool queued) override {
    return take_(s, source, fresh, queued);
  }
  std::uint32_t due(std::uint32_t source, std::uint8_t kind) const override {
    return take_.due(source, kind);
  }

 private:
  Take& take_;
};

class unmapped_stores {
 public:
  virtual base::status put(memory::address remote, const void* local, std::size_t bytes) = 0;
  virtual base::status get(void* local, memory::address remote, std::size_t bytes) = 0;
  virtual base::status fence(std::uint32_t process) = 0;
  virtual base::status fence_all() = 0;

  template <class Pieces>
  base::status put_pieces(memory::address remote, Pieces&& pieces) {
    return each(pieces, remote, [this](memory::address there, const std::byte* here, std::size_t n) {
      return put(there, here, n);
    });
  }
  template <class Pieces>
  base::status get_pieces(memory::address remote, Pieces&& pieces) {
    return each(pieces, remote, [this](memory::address there, std::byte* here, std::size_t n) {
      return get(here, there, n);
    });
  }
  memory::pin map(memory::region_id) { return {}; }

 protected:
  ~unmapped_stores() = default;

 private:
  // The last failure, if there is any.
  template <class Pieces, class Move>
  static base::status each(Pieces& pieces, memory::address remote, Move&& move) {
    base::status last = base::status::success();
    pieces([&](std::ptrdiff_t there, auto* here, std::size_t n) {
      memory::address at = remote;
      at.offset += static_cast<std::uint64_t>(there);
      if (const base::status done = move(at, here, n); !done.ok()) last = done;
    });
    return last;
  }
};

class unmapped {
 public:
  virtual ~unmapped() = default;

  virtual traits properties() const = 0;
  virtual send_result send(std::uint32_t peer, const outgoing& m) = 0;
  template <class Take>
  bool poll(Take&& take) {
    taker_of<std::remove_reference_t<Take>> any(take);
    return take_in(any);
  }
  template <class Take>
  bool poll_front(Take&& take) {
    return poll(take);
  }
  template <class Take>
  void search(std::uint32_t source, Take&& take, const bool* stop) {
    taker_of<std::remove_reference_t<Take>> any(take);
    search_for(source, any, stop);
  }
  virtual arrived_cells& arrived() = 0;
  virtual arrived_cell* payload_of(slot& s, std::uint32_t source) = 0;
  virtual unmapped_stores& stores() = 0;

  virtual void refuse(bool yes) = 0;
  virtual std::optional<std::uint32_t> starved() = 0;
  virtual bool ask_for_memory() = 0;

  virtual std::optional<std::chrono::nanoseconds> arm() = 0;
  virtual void wake(std::uint32_t peer) = 0;
  virtual void add_to(figures& all) const = 0;

 private:
  virtual bool take_in(any_taker& take) = 0;
  virtual void search_for(std::uint32_t source, any_taker& take, const bool* stop) = 0;
};

static_assert(transport<unmapped>);

// Null, where nobody brings one.
[[gnu::weak]] base::result<std::unique_ptr<unmapped>> open_unmapped(const setup& with);

}  // namespace loadstone::transport
