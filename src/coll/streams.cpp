#include "coll/streams.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "coll/builder.hpp"
#include "copy/copy.hpp"
#include "datatype/type.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

constexpr std::uint64_t line = 64;

}  // namespace

void stream_work::open(std::int32_t members, std::int32_t rank, form f) {
  members_ = members;
  rank_ = rank;
  form_ = f;
  gives_ = false;
  sources_.clear();
}

void stream_work::gives(const p2p::buffer& data) {
  gives_ = true;
  data_ = data;
  const auto all = static_cast<std::uint64_t>(packed_bytes(data));
  bytes_ = form_ == form::to_all ? all : all / static_cast<std::uint64_t>(members_);
  cut_ = cut_of(bytes_);
}

void stream_work::takes(std::int32_t from, const p2p::buffer& to) {
  sources_.push_back({.member = from, .to = to});
}

// The same at all members, for what a giver has.
stream_work::cut stream_work::cut_of(std::uint64_t bytes) const {
  const std::int64_t most =
      form_ == form::to_all ? std::min(most_in_block, model::stream_block(members_)) : most_in_block;
  const auto room = static_cast<std::uint64_t>(most);
  const std::uint64_t others = form_ == form::to_all ? 1 : static_cast<std::uint64_t>(members_ - 1);
  std::uint64_t part = static_cast<std::uint64_t>(piece_bytes);
  if (form_ == form::to_each && bytes * others <= room)
    part = bytes;
  else if (form_ == form::to_each)
    part = std::min(std::max(room / places_of_parts / others, 2 * part), room / others);
  cut c{};
  c.part = base::round_up(std::clamp<std::uint64_t>(std::min(part, bytes), 1, most_in_one), line);
  c.apart = c.part * others;
  c.pieces = static_cast<std::int64_t>((bytes + c.part - 1) / c.part);
  c.places = std::clamp<std::int64_t>(static_cast<std::int64_t>(room / c.apart), 1,
                                      std::max<std::int64_t>(1, c.pieces));
  return c;
}

void stream_work::offer_in(areas& a) {
  put_ = taken_in_all_ = 0;
  refused_ = offered_ = false;
  untold_ = true;
  error_ = 0;
  for (source& s : sources_) s = {.member = s.member, .to = s.to};
  // Of two that give each other all at once.
  passes_ = gives_ && members_ == 2 && !sources_.empty() && !a.crowded() && !cut_.overflows() &&
            !cut_of(static_cast<std::uint64_t>(packed_bytes(sources_.front().to))).overflows();
  passed_ = in_theirs_ = false;
  if (!passes_) a.end_exchanges();
  if (!gives_) return;
  block_ = room_for_all(a);
  say_where_we_are(a);
  // Of several givers each puts all that has a place before others are told; one alone is followed.
  const std::int64_t ahead = sources_.empty() ? 1 : cut_.places;
  if (refused_) a.end_exchanges();
  while (!refused_ && put_ < std::min(ahead, cut_.pieces)) put(a);
}

std::byte* stream_work::room_for_all(areas& a) {
  if (!passes_) return a.block(cut_.room());
  const cut other = cut_of(static_cast<std::uint64_t>(packed_bytes(sources_.front().to)));
  const area_blocks::exchanged next = a.next_of_exchange(std::max(cut_.room(), other.room()));
  passed_ = next.known;
  in_theirs_ = next.of_other;
  return passed_ ? next.at : a.block(cut_.room());
}

void stream_work::say_where_we_are(areas& a) {
  offer& o = *new (&a.offer_of(rank_)) offer{};
  offered_ = true;
  if (!gives_) return;
  refused_ = block_ == nullptr;
  o.refused = refused_ ? 1 : 0;
  if (passes_) o.passing = (a.may_stay() ? stays : 0) | (passed_ ? passed : 0) | (in_theirs_ ? in_yours : 0);
  if (!refused_ && !in_theirs_)
    o.places()[0] = place::of(a.address_of(block_), passes_ ? a.block_bytes() : cut_.room());
  o.places()[1] = {0, bytes_};
}

void stream_work::put(areas& a) {
  const std::uint64_t at = static_cast<std::uint64_t>(put_) * cut_.part,
                      bytes = std::min(cut_.part, bytes_ - at);
  std::byte* to = block_ + static_cast<std::uint64_t>(put_ % cut_.places) * cut_.apart;
  const auto put_in = [&](std::uint64_t from) {
    if (data_.type->in_one_block(data_.count))
      (passes_ ? copy::by_turns : copy::into_cell)(
          to, static_cast<const std::byte*>(data_.type->block_at(data_.address)) + from, bytes, bytes_);
    else
      datatype::pack(data_.address, data_.count, *data_.type, static_cast<std::int64_t>(from),
                     static_cast<std::int64_t>(bytes), to);
    to += cut_.part;
  };
  if (form_ == form::to_all) {
    put_in(at);
  } else {
    for (std::int32_t m = 0; m < members_; ++m)
      if (m != rank_) put_in(static_cast<std::uint64_t>(m) * bytes_ + at);
  }
  a.offer_of(rank_).ready.store(++put_, std::memory_order_release);  // sync: stream-put
  untold_ = true;
}

// Who has not taken what lay in the place of a giver's piece before.
member_set stream_work::behind(areas& a, std::int32_t giver, std::int64_t piece, std::int64_t places) const {
  member_set who;
  for (std::int32_t m = 0; m < members_ && piece >= places; ++m)
    // Acquire: it has read what is written over (sync: stream-taken).
    if (m != giver && m != rank_ &&
        (!a.has_come(m) || a.offer_of(m).taken_pieces.load(std::memory_order_acquire) <= piece - places))
      who.add(m);
  return who;
}

// It has come.
void stream_work::begin(areas& a, source& s) {
  offer& o = a.offer_of(s.member);
  s.begun = true;
  if (o.refused != 0) {
    refused_ = true;
    a.end_exchanges();
    return;
  }
  s.bytes = o.places()[1].bytes();
  s.how = cut_of(s.bytes);
  s.in_all =
      s.bytes * static_cast<std::uint64_t>(members_ - 1) * static_cast<std::uint64_t>(gives_ ? members_ : 1);
  if (s.bytes > static_cast<std::uint64_t>(packed_bytes(s.to)) && error_ == 0) error_ = p2p::error_truncate;
  if (passes_) return begin_exchange(a, s);
  if (s.bytes > 0) s.block = a.at(s.member, o.places()[0], &error_);
}

// Where they are not passed yet, they are from now on, if both stay. Members that come to something
// else have other counts, an error of the program.
void stream_work::begin_exchange(areas& a, source& s) {
  offer &theirs = a.offer_of(s.member), &ours = a.offer_of(rank_);
  if (((theirs.passing ^ ours.passing) & ~stays) != 0) {
    if (error_ == 0) error_ = p2p::error_truncate;
    return a.end_exchanges();
  }
  if (in_theirs_) {
    s.block = a.own_of_exchange();
    return;
  }
  std::byte* const block = a.at(s.member, theirs.places()[0], &error_);
  s.block = block;
  if (!passed_ && (theirs.passing & ours.passing & stays) != 0)
    a.begin_exchanges(block, theirs.places()[0].bytes());
}

void stream_work::take(const source& s) const {
  const std::uint64_t at = static_cast<std::uint64_t>(s.taken) * s.how.part,
                      wanted = static_cast<std::uint64_t>(packed_bytes(s.to));
  if (s.block == nullptr || at >= wanted) return;
  const std::uint64_t bytes = std::min({s.how.part, s.bytes - at, wanted - at});
  const std::byte* from = s.block + static_cast<std::uint64_t>(s.taken % s.how.places) * s.how.apart;
  if (form_ == form::to_each) from += static_cast<std::uint64_t>(rank_ - (rank_ > s.member)) * s.how.part;
  LOADSTONE_FAULT_POINT("coll.taking");
  if (s.to.type->in_one_block(s.to.count))
    copy::out_of_cell(s.to.type->block_at(s.to.address) + at, from, bytes, s.in_all / 2);
  else
    datatype::unpack(const_cast<void*>(s.to.address), s.to.count, *s.to.type, static_cast<std::int64_t>(at),
                     static_cast<std::int64_t>(bytes), from);
}

// Pieces that we have taken of every giver that waits for us and has more.
void stream_work::say_taken(areas& a) const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const source& s : sources_)
    if (s.how.overflows() && s.taken < s.how.pieces) least = std::min(least, s.taken);
  a.offer_of(rank_).taken_pieces.store(least, std::memory_order_release);  // sync: stream-taken
}

// What is there. False: nothing of it.
bool stream_work::take_what_is_there(areas& a, source& s) {
  // Acquire: the pieces (sync: stream-put).
  std::int64_t there = a.offer_of(s.member).ready.load(std::memory_order_acquire);
  // In place, what we give lies where we take.
  if (form_ == form::to_each) there = std::min(there, put_ == cut_.pieces ? there : put_);
  if (s.taken >= there) return false;
  while (s.taken < there) {
    take(s);
    ++s.taken;
    ++taken_in_all_;
    if (s.how.overflows()) say_taken(a);
  }
  return true;
}

bool stream_work::go_on(areas& a) {
  for (;;) {
    if (std::exchange(untold_, false) && gives_ && (sources_.empty() || cut_.overflows() || refused_))
      a.wake_all();
    if (refused_) return true;
    member_set missing;
    for (source& s : sources_) {
      if (s.begun) continue;
      if (a.has_come(s.member))
        begin(a, s);
      else
        missing.add(s.member);
    }
    if (refused_) return true;
    if (!missing.empty()) return a.await(missing);
    // A giver wants to know how far we are.
    if (!offered_ && sources_.front().how.overflows()) {
      if (!a.ready_for_offer()) return false;
      say_where_we_are(a);
      a.publish_quietly();
    }
    bool moved = false;
    member_set who;
    while (gives_ && put_ < cut_.pieces) {
      who = behind(a, rank_, put_, cut_.places);
      if (!who.empty()) break;
      put(a);
      moved = true;
    }
    bool over = !gives_ || put_ == cut_.pieces;
    for (source& s : sources_) {
      moved = take_what_is_there(a, s) || moved;
      if (s.taken == s.how.pieces) continue;
      over = false;
      who.add(s.member);
      who = who | behind(a, s.member, s.taken, s.how.places);
    }
    // What we have taken of one may be what another waits for.
    for (const source& s : sources_)
      if (moved && s.how.overflows()) a.wake(s.member);
    if (over && !untold_) return true;
    if (moved)
      a.note_progress();
    else
      return a.await(who);
  }
}

}  // namespace loadstone::coll
