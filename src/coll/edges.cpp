#include "coll/edges.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/fault.hpp"
#include "base/valgrind.hpp"
#include "coll/builder.hpp"
#include "coll/outwait.hpp"
#include "coll/pieces.hpp"
#include "copy/copy.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

// Blocks in one piece up to this length are copied twice, if they have to, as messages of this
// length are: a call of the system costs more. Rows of 8 KiB to both neighbours on a Zen 3, where a
// call takes 1.6 to 1.9 us (bench/compare.py --figures edges-halo): 3.4 us twice, 6.9 by the
// system, 2.8 by messages; 4 ranks on two cores 16, 49, 17. Where a call takes a quarter of that,
// blocks of 4 and 6 KiB take 2.2 and 1.7. Blocks of one collective use so much of an arena.
constexpr std::uint64_t most_copied_twice = 32 * 1024, most_in_arena = 1024 * 1024;
constexpr std::uint64_t least_in_lines = 256;

constexpr std::uint64_t in_lines(std::uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}
constexpr std::uint64_t in_words(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// Where what a member has for others begins: its slot, or a half.
std::byte* begin_of(areas& a, std::int32_t member) {
  area_slot& slot = a.slot_of(member);
  return slot.bytes <= edge_offer::most_in_slot ? reinterpret_cast<std::byte*>(&slot) : a.half_of(member);
}
edge_offer& offer_of(areas& a, std::int32_t member) {
  return *reinterpret_cast<edge_offer*>(begin_of(a, member) + edge_offer::begin);
}
edge_shared& shared_of(areas& a, std::int32_t member) {
  return *reinterpret_cast<edge_shared*>(begin_of(a, member) + offer_of(a, member).shared_at);
}

void note(edge_shared& o, std::int32_t error) {
  std::int32_t none = 0;
  // Relaxed: it comes with what is done (sync: joint-left).
  if (error != 0) o.error.compare_exchange_strong(none, error, std::memory_order_relaxed);
}

void one_edge_less(areas& a, std::int32_t member) {
  // Acquire and release: whoever sees the last one sees all that was copied (sync: joint-left).
  if (shared_of(a, member).left.fetch_sub(1, std::memory_order_acq_rel) == 1 && member != a.rank())
    a.wake(member);
}

place place_of(const edge_block& b) {
  return {b.address, b.bytes() | (b.is(edge_block::in_arena) ? place::in_arena : 0)};
}

void pack_into(std::byte* to, const p2p::buffer& data, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (data.type->in_one_block(data.count))
    copy::into_cell(to, static_cast<const std::byte*>(data.type->block_at(data.address)), bytes, bytes);
  else
    datatype::pack(data.address, data.count, *data.type, 0, static_cast<std::int64_t>(bytes), to);
}

void unpack_from(const std::byte* from, const p2p::buffer& data, std::uint64_t at, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (data.type->in_one_block(data.count))
    copy::out_of_cell(data.type->block_at(data.address) + at, from, bytes, bytes);
  else
    datatype::unpack(const_cast<void*>(data.address), data.count, *data.type, static_cast<std::int64_t>(at),
                     static_cast<std::int64_t>(bytes), from);
}

bool in_one_piece(const p2p::buffer& data) {
  return data.type->in_one_block(data.count);
}

}  // namespace

// --- what there is to do

void edge_work::open(bool moves) {
  gives_.clear();
  takes_.clear();
  gives_to_.assign(member_set::most, 0);
  takes_from_.assign(member_set::most, 0);
  moves_ = moves;
  given_to_ = taken_from_ = {};
  bounce_ = nullptr;
}

void edge_work::gives(std::int32_t to, p2p::buffer data, std::int32_t there) {
  const auto bytes = static_cast<std::uint64_t>(packed_bytes(data));
  gives_.push_back({to, there, gives_to_[static_cast<std::size_t>(to)]++, false, data, bytes});
  given_to_.add(to);
}

void edge_work::takes(std::int32_t from, p2p::buffer data, std::int32_t there) {
  const auto bytes = static_cast<std::uint64_t>(packed_bytes(data));
  takes_.push_back({from, there, takes_from_[static_cast<std::size_t>(from)]++, false, data, bytes});
  taken_from_.add(from);
}

void edge_work::gives_nothing() {
  gives_.push_back({-1, unknown, 0, true, {}, 0});
}

void edge_work::takes_nothing() {
  takes_.push_back({-1, unknown, 0, true, {}, 0});
}

// --- the list

// Is it copied before it is made known?
bool edge_work::stages(const edge& e) const {
  return moves_ || e.bytes <= most_copied_twice || !in_one_piece(e.data);
}

// Null: there is none, or it would be too much.
std::byte* edge_work::room_in_arena(areas& a, std::uint64_t bytes) {
  return bytes <= most_in_arena ? a.block(bytes) : nullptr;
}

void edge_work::offer_in(areas& a) {
  here_ = {};
  announced_ = looked_ = false;
  error_ = 0;
  list(a);
  edge_offer& o = offer_of(a, a.rank());
  edge_shared& shared = *new (&shared_of(a, a.rank())) edge_shared{};
  std::uint32_t left = 0;
  for (std::size_t i = 0; i < gives_.size(); ++i) {
    edge& e = gives_[i];
    const edge_block& b = o.given()[i];
    e.over = e.peer < 0 || b.is(edge_block::in_slot) || b.is(edge_block::in_arena);
    left += static_cast<std::uint32_t>(!e.over);
  }
  for (std::size_t i = 0; i < takes_.size(); ++i) {
    edge& e = takes_[i];
    edge_taken& t = *new (&shared.taken()[i]) edge_taken{};
    e.over = e.peer < 0;
    t.where = edge_block::of(e.over ? edge_block::nobody : e.peer, e.bytes);
    if (e.over) continue;
    ++left;
    shared.sources.add(e.peer);
    if (in_one_piece(e.data))
      t.where.address = reinterpret_cast<std::uint64_t>(e.data.type->block_at(e.data.address));
    else
      t.where.word |= edge_block::for_owner;
  }
  // Relaxed: published with the slot.
  shared.left.store(left, std::memory_order_relaxed);
  shared.error.store(error_, std::memory_order_relaxed);
}

// The blocks that we give: those that fit go behind the list, as many as there is room for.
void edge_work::list(areas& a) {
  // Copies of some length are quicker from and to the begin of a line.
  const auto place = [](std::uint64_t at, const edge& e) {
    return e.bytes >= least_in_lines ? in_lines(at) : at;
  };
  std::uint64_t all = edge_offer::begin + edge_offer::bytes_of_given(gives_.size());
  for (const edge& e : gives_)
    if (e.peer >= 0 && stages(e)) all = place(all, e) + in_words(e.bytes);
  all = in_lines(all) + edge_offer::bytes_of_shared(takes_.size());
  a.slot_of(a.rank()).bytes = std::min<std::uint64_t>(all, a.most_bytes());
  std::byte* const begin = begin_of(a, a.rank());
  edge_offer& o = *new (&offer_of(a, a.rank())) edge_offer{};
  o.gives = static_cast<std::uint16_t>(gives_.size());
  o.takes = static_cast<std::uint16_t>(takes_.size());
  std::uint64_t at = edge_offer::begin + edge_offer::bytes_of_given(gives_.size());
  const std::uint64_t end = a.most_bytes() - in_lines(edge_offer::bytes_of_shared(takes_.size()));
  std::uint64_t staged = 0;
  for (std::size_t i = 0; i < gives_.size(); ++i) {
    const edge& e = gives_[i];
    edge_block& b = *new (&o.given()[i]) edge_block(
        edge_block::of(e.peer < 0 ? static_cast<std::int32_t>(edge_block::nobody) : e.peer, e.bytes));
    if (e.peer < 0) continue;
    at = place(at, e);
    if (at + e.bytes <= end && stages(e)) {
      b.word |= edge_block::in_slot;
      b.address = at;
      pack_into(begin + at, e.data, e.bytes);
      at += in_words(e.bytes);
    } else if (stages(e)) {
      staged += in_lines(e.bytes);
    } else {
      b.address = reinterpret_cast<std::uint64_t>(e.data.type->block_at(e.data.address));
    }
  }
  o.shared_at = static_cast<std::uint16_t>(in_lines(at));
  if (staged == 0) return;
  std::byte* room = room_in_arena(a, staged);
  const bool shared = room != nullptr;
  // In memory of our own only what has to be: the system reads blocks in one piece where they are.
  const auto stays = [&](const edge& e) { return !shared && !moves_ && in_one_piece(e.data); };
  if (!shared) {
    staged = 0;
    for (std::size_t i = 0; i < gives_.size(); ++i) {
      const edge& e = gives_[i];
      if (e.peer >= 0 && !o.given()[i].is(edge_block::in_slot) && stages(e) && !stays(e))
        staged += in_lines(e.bytes);
    }
    if (staged_bytes_ < staged) {
      staged_.reset(new (std::nothrow) std::byte[staged]);
      staged_bytes_ = staged_ != nullptr ? staged : 0;
    }
    room = staged_.get();
  }
  for (std::size_t i = 0; i < gives_.size(); ++i) {
    const edge& e = gives_[i];
    edge_block& b = o.given()[i];
    if (e.peer < 0 || b.is(edge_block::in_slot) || !stages(e)) continue;
    if (stays(e)) {
      b.address = reinterpret_cast<std::uint64_t>(e.data.type->block_at(e.data.address));
      continue;
    }
    if (room == nullptr) {  // its taker finds no address
      error_ = p2p::error_no_memory;
      continue;
    }
    pack_into(room, e.data, e.bytes);
    if (shared) {
      b.word |= edge_block::in_arena;
      b.address = place::of(a.address_of(room), e.bytes).address;
    } else {
      b.address = reinterpret_cast<std::uint64_t>(room);
    }
    room += in_lines(e.bytes);
  }
}

// --- who is here

bool edge_work::is_here(areas& a, std::int32_t member) {
  if (here_.has(member)) return true;
  if (!a.has_come(member)) return false;
  here_.add(member);
  return true;
}

bool edge_work::all_here(areas& a, const member_set& members) {
  return members.each([&](std::int32_t m) { return is_here(a, m); });
}

namespace {

// The edge of `count` ones that leads to `self`. Null: there is none, as the lists do not agree.
template <class Entry, class Peer>
Entry* find_edge(Entry* all, std::int32_t count, std::int32_t self, std::int32_t* there, std::int32_t which,
                 Peer&& peer) {
  if (*there == edge_work::unknown) {
    for (std::int32_t i = 0; i < count && *there == edge_work::unknown; ++i)
      if (peer(all[i]) == self && which-- == 0) *there = i;
  }
  if (*there < 0 || *there >= count || peer(all[*there]) != self) return nullptr;
  return &all[*there];
}

}  // namespace

const edge_block* edge_work::given_to_us(areas& a, edge& e) {
  edge_offer& o = offer_of(a, e.peer);
  return find_edge(o.given(), o.gives, a.rank(), &e.there, e.which,
                   [](const edge_block& b) { return b.peer(); });
}

edge_taken* edge_work::taken_from_us(areas& a, edge& e) {
  const edge_offer& o = offer_of(a, e.peer);
  return find_edge(shared_of(a, e.peer).taken(), o.takes, a.rank(), &e.there, e.which,
                   [](const edge_taken& t) { return t.where.peer(); });
}

// --- copying

namespace {

// Claims pieces of a long block and copies them. True: all of it is done. `many`: there are other
// blocks for each of its ends.
bool copy_pieces(areas& a, std::int32_t from, std::int32_t to, const edge_block& given, edge_taken& taken,
                 bool many) {
  const bool pulls = to == a.rank();
  const std::uint64_t bytes = std::min(given.bytes(), taken.where.bytes()), piece = piece_of(bytes, many);
  const std::uint32_t pieces = pieces_in(bytes, piece);
  for (std::uint32_t k; (k = claim_part(taken.claimed, pieces, pulls)) != nothing_left;) {
    const std::uint64_t at = k * piece, length = std::min(piece, bytes - at);
    LOADSTONE_FAULT_POINT("coll.edge");
    std::int32_t error = 0;
    if (pulls)
      a.read(from, place_of(given), at, reinterpret_cast<std::byte*>(taken.where.address) + at, length,
             &error);
    else
      a.write(to, place_of(taken.where), at, reinterpret_cast<const std::byte*>(given.address) + at, length,
              &error);
    if (given.bytes() > taken.where.bytes()) note(shared_of(a, to), p2p::error_truncate);
    note(shared_of(a, from), error);
    note(shared_of(a, to), error);
    if (taken.done.fetch_add(1, std::memory_order_acq_rel) + 1 != pieces) continue;  // sync: joint-done
    one_edge_less(a, from);
    one_edge_less(a, to);
  }
  return taken.done.load(std::memory_order_acquire) == pieces;  // sync: joint-done
}

}  // namespace

// What only we can do.
void edge_work::copy_out(areas& a, edge& e, const edge_block& given, std::int32_t* error) {
  const std::uint64_t bytes = std::min(given.bytes(), e.bytes);
  if (given.bytes() > e.bytes) *error = p2p::error_truncate;
  if (given.is(edge_block::in_slot)) {
    return unpack_from(begin_of(a, e.peer) + given.address, e.data, 0, bytes);
  }
  if (given.is(edge_block::in_arena)) {
    std::int32_t unmapped = 0;
    const std::byte* const from = a.at(e.peer, place_of(given), &unmapped);
    if (from != nullptr) unpack_from(from, e.data, 0, bytes);
    if (unmapped != 0) *error = unmapped;
    return;
  }
  for (std::uint64_t at = 0; at < bytes; at += bounce_bytes) {
    const std::uint64_t length = std::min<std::uint64_t>(bounce_bytes, bytes - at);
    std::int32_t unreached = 0;
    a.read(e.peer, place_of(given), at, bounce_, length, &unreached);
    if (unreached != 0) {
      *error = unreached;
      return;
    }
    unpack_from(bounce_, e.data, at, length);
  }
}

// The same at both ends.
bool edge_work::is_one_of_many(const areas& a, const edge& e) const {
  return a.crowded() || (given_to_.has(e.peer) && taken_from_.has(e.peer));
}

// False: its giver has not come, or somebody still copies it.
bool edge_work::take(areas& a, edge& e, edge_taken& mine) {
  if (!is_here(a, e.peer)) return false;
  const edge_block* const given = given_to_us(a, e);
  const bool of_giver =
      given != nullptr && !given->is(edge_block::in_slot) && !given->is(edge_block::in_arena);
  if (of_giver && !mine.where.is(edge_block::for_owner) && given->address != 0)
    return !defers_ && (e.over = copy_pieces(a, e.peer, a.rank(), *given, mine, is_one_of_many(a, e)));
  std::int32_t error = 0;
  if (given == nullptr || (of_giver && given->address == 0 && given->bytes() != 0))
    error = p2p::error_other;
  else
    copy_out(a, e, *given, &error);
  note(shared_of(a, a.rank()), error);
  if (of_giver) {
    // Release: whoever sees it need not wait for us (sync: joint-done).
    mine.done.store(1, std::memory_order_release);
    one_edge_less(a, e.peer);
  }
  one_edge_less(a, a.rank());
  return e.over = true;
}

// What its taker could do as well. False: that is still to be done.
bool edge_work::push(areas& a, edge& e, const edge_block& given) {
  if (!is_here(a, e.peer)) return false;
  edge_taken* const taken = taken_from_us(a, e);
  if (taken == nullptr) {
    note(shared_of(a, a.rank()), p2p::error_other);
    one_edge_less(a, a.rank());
    return e.over = true;
  }
  // Who has taken it may have left since: it is not waited for.
  if (taken->where.is(edge_block::for_owner) || given.address == 0)
    return e.over = taken->done.load(std::memory_order_acquire) != 0;  // sync: joint-done
  return e.over = copy_pieces(a, a.rank(), e.peer, given, *taken, is_one_of_many(a, e));
}

// --- the work

// What comes to us first: nobody else may have done that. Each begins with another member, so that
// no two read from the same. With fewer cores than members, what goes to another core is left for
// the next look, as in exchange_work::go_on(). A call that does not wait leaves all long ones: its
// caller computes now, and whoever waits does them.
bool edge_work::go_on(areas& a, bool computes) {
  edge_offer& o = offer_of(a, a.rank());
  edge_shared& shared = shared_of(a, a.rank());
  const auto done = [&] { return shared.left.load(std::memory_order_acquire) == 0; };  // sync: joint-left
  if (announced_ && done()) return true;
  const auto self = static_cast<std::size_t>(a.rank());
  const bool first = !std::exchange(looked_, true);
  const bool leaves = first && a.crowded();
  defers_ = first && computes;
  member_set awaited;
  for (std::size_t i = 0, n = takes_.size(); i < n; ++i) {
    const std::size_t k = (self + i) % n;
    edge& e = takes_[k];
    if (!e.over && !take(a, e, shared.taken()[k])) awaited.add(e.peer);
  }
  for (std::size_t i = 0, n = gives_.size(); i < n; ++i) {
    const std::size_t k = (self + n - 1 - i) % n;
    edge& e = gives_[k];
    if (e.over) continue;
    if (defers_ || (leaves && !a.shares_core(e.peer)) || !push(a, e, o.given()[k])) awaited.add(e.peer);
  }
  announce(a);
  return done() || a.await(awaited);
}

// With fewer cores than members, who comes wakes nobody. So we wake those that have to do something
// themselves, such as copying from our slot, if all they wait for are there now: of their partners
// that come, at least the last one sees that.
void edge_work::announce(areas& a) {
  if (std::exchange(announced_, true) || !a.crowded()) return;
  for (const edge& e : gives_) {
    if (e.peer < 0 || !is_here(a, e.peer)) continue;
    edge_shared& theirs = shared_of(a, e.peer);
    // Relaxed: whether to wake it, no more; who brings it to 0 wakes it, too.
    if (theirs.left.load(std::memory_order_relaxed) == 0) continue;
    if (all_here(a, theirs.sources.without(a.rank()))) a.wake(e.peer);
  }
}

std::int32_t edge_work::error(areas& a) const {
  // Relaxed: it came with what is done (sync: joint-left).
  return shared_of(a, a.rank()).error.load(std::memory_order_relaxed);
}

void edge_work::tell_valgrind() const {
  for (const edge& e : takes_)
    if (e.peer >= 0 && in_one_piece(e.data))
      base::written_by_others(e.data.type->block_at(e.data.address), e.bytes);
}

void edge_work::give_back() {
  staged_.reset();
  staged_bytes_ = 0;
}

// --- who gives up sees to it that nobody begins to touch its memory, and waits for those that do

void edge_work::withdraw(areas& a) {
  a.unpublish();
  const auto leave = [&](const edge& e, edge_taken& t, std::uint64_t bytes) {
    const std::uint32_t pieces = pieces_in(bytes, piece_of(bytes, is_one_of_many(a, e)));
    const std::uint32_t begun = claimed_in(close_claims(t.claimed), pieces);
    outwait(a, e.peer, [&] { return t.done.load(std::memory_order_acquire) >= begun; });  // sync: joint-done
  };
  edge_shared& shared = shared_of(a, a.rank());
  for (std::size_t i = 0; i < takes_.size(); ++i) {
    edge& e = takes_[i];
    if (e.over || !a.has_come(e.peer)) continue;
    if (const edge_block* const given = given_to_us(a, e); given != nullptr)
      leave(e, shared.taken()[i], std::min(given->bytes(), e.bytes));
  }
  for (edge& e : gives_) {
    if (e.over || !a.has_come(e.peer)) continue;
    edge_taken* const taken = taken_from_us(a, e);
    if (taken != nullptr && !taken->where.is(edge_block::for_owner))
      leave(e, *taken, std::min(e.bytes, taken->where.bytes()));
  }
}

}  // namespace loadstone::coll
