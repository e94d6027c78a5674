#include "p2p/protocols/rendezvous.hpp"

#include <algorithm>

#include "base/fault.hpp"
#include "p2p/choice.hpp"
#include "p2p/pending_work.hpp"

namespace loadstone::p2p {

namespace {

// A layout of many or of tiny blocks is packed by its owner; a list of them would cost more than
// the second copy.
constexpr std::size_t most_blocks = 1 << 16;
constexpr std::int64_t least_mean_block = 256;

}  // namespace

rendezvous::rendezvous(const context& c) : context(c) {
  listen<&rendezvous::on_offer>(endpoint, deposit::handler_p2p_rendezvous, this);
  listen<&rendezvous::on_done>(endpoint, deposit::handler_p2p_done, this);
}

// --- sender ---

void rendezvous::start(message_request* r, std::uint32_t wish) {
  if (!records.insist(r)) return live.finish(r, error_no_memory);
  describe(r);
  r->theirs = {};
  record_store::wish(r, wish);
  live.hold_open(r);
  const offer& o = r->offered;
  if (o.address == 0 ? o.bytes > 0 : o.arena_offset == not_in_arena && !endpoint.user().reaches(r->process))
    live.need(r);
  r->step = phase::offered;
  costs.expect(r->bytes);  // if the receiver is there
  const deposit::outcome sent = work.in_turn([&] {
    scope::sequences::member& to = sequences_of(*r->where).of(r->peer);
    const answered_envelope envelope = envelope_of(r, to);
    const deposit::outcome left =
        endpoint.send_active(r->process, deposit::handler_p2p_rendezvous, deposit::traffic::user, &envelope,
                             sizeof envelope, &o, sizeof o);
    if (left == deposit::outcome::sent) to.has_left();
    return left;
  });
  if (sent != deposit::outcome::sent) return live.finish(r, error_peer_aborted);
  LOADSTONE_FAULT_POINT("rendezvous.offered");
}

void rendezvous::describe(message_request* r) {
  offer* const o = &r->offered;
  *o = {.bytes = r->bytes,
        .address = 0,
        .arena_offset = not_in_arena,
        .region_number = 0,
        .region_generation = 0,
        .blocks = 0,
        .list = {}};
  if (r->bytes == 0 || !endpoint.route_to(r->process).mapped) return;  // elsewhere an address means nothing
  std::uint64_t lowest = reinterpret_cast<std::uint64_t>(r->data.block()),
                highest = lowest + static_cast<std::uint64_t>(r->bytes);
  if (!r->data.one_block()) {
    blocks_.clear();
    r->data.for_each_block(
        0, r->bytes,
        [](void* c, void* address, std::size_t length) {
          auto& list = *static_cast<std::vector<offered_block>*>(c);
          list.push_back({reinterpret_cast<std::uint64_t>(address), length});
          return list.size() <= most_blocks;
        },
        &blocks_);
    if (blocks_.size() > most_blocks ||
        r->bytes / static_cast<std::int64_t>(blocks_.size()) < least_mean_block)
      return;
    lowest = ~std::uint64_t{0};
    highest = 0;
    for (const offered_block& b : blocks_) {
      lowest = b.address < lowest ? b.address : lowest;
      highest = b.address + b.bytes > highest ? b.address + b.bytes : highest;
    }
    auto list = arena.allocate(blocks_.size() * sizeof(offered_block));
    if (!list) return;
    std::copy(blocks_.begin(), blocks_.end(), static_cast<offered_block*>(*list));
    r->own.block_list = *list;
    o->blocks = static_cast<std::uint32_t>(blocks_.size());
    o->list = local_address::of(arena.address_of(*list));
  }
  o->address = lowest;
  memory::address where;
  if (arena.find(reinterpret_cast<const void*>(lowest), highest - lowest, &where)) {
    o->arena_offset = where.offset;
    o->region_number = where.region.number;
    o->region_generation = where.region.generation;
  }
}

#ifdef LOADSTONE_FAULTS
void rendezvous::check_moves(const message_request* r, std::int64_t from, std::int64_t bytes) {
  const offer& o = r->offered;
  if (from < 0 || from + bytes > o.bytes) broken("more is moved than was offered");
  if (r->kind != request_kind::send || o.address == 0) return;
  // Ours: block by block, as offered.
  const offered_block single{o.address, static_cast<std::uint64_t>(o.bytes)};
  struct walk {
    const offered_block* at;
    std::uint64_t before;  // packed bytes of the blocks before *at
    std::uint64_t next;    // packed byte that comes next
  } w{o.blocks == 0 ? &single : static_cast<const offered_block*>(r->own.block_list), 0,
      static_cast<std::uint64_t>(from)};
  r->data.for_each_block(
      from, bytes,
      [](void* c, void* address, std::size_t length) {
        auto& w = *static_cast<walk*>(c);
        while (w.next >= w.before + w.at->bytes) w.before += w.at++->bytes;
        const std::uint64_t skipped = w.next - w.before;
        if (reinterpret_cast<std::uint64_t>(address) != w.at->address + skipped ||
            skipped + length > w.at->bytes)
          broken("what is moved lies elsewhere than was offered");
        w.next += length;
        return true;
      },
      &w);
}
#endif

deposit::verdict rendezvous::on_done(deposit::incoming& message, bool) {
  const auto& header = header_of<done_header>(message);
  rendezvous_record* record = records.at(header.record);
  auto* r = reinterpret_cast<message_request*>(record->request);
  // relaxed: the state changes hands before this message; it only tells a late answer to a
  // cancelled send apart
  const std::uint64_t word = record->state.load(std::memory_order_relaxed);
  if (word >> 2 != header.generation || (word & 3u) == record_free) return deposit::verdict::consumed;
  live.finish(r, header.error);
  return deposit::verdict::consumed;
}

// --- receiver ---

deposit::verdict rendezvous::on_offer(deposit::incoming& message, bool queued) {
  const auto& header = header_of<answered_envelope>(message);
  offer offered;
  __builtin_memcpy(&offered, message.payload(), sizeof offered);
  const match_key key{header.message.context, message.source(), header.message.tag()};
  const std::uint32_t sequence = header.message.sequence();

  channel* const from = matching.channel_of_arrival(key, sequence);
  if (from == nullptr) [[unlikely]]
    return drop_late(key, sequence, message);
  if (posted_receive* const first = matching.find(key, *from)) {
    matching.check_order(*from, key, sequence, queued);
    if (!records.claim(key.process, header.record, header.generation)) return deposit::verdict::consumed;
    message_request* r = request_of(first);
    live.match(r, key, offered.bytes);
    LOADSTONE_FAULT_POINT("rendezvous.matched");
    r->takes(offered, header.record, header.generation);
    choose.matched(r);
    return deposit::verdict::consumed;
  }
  const auto fate = unexpected.of_unmatched(*from, key, sequence, offered.bytes, &header, queued);
  if (fate == unexpected_store::fate::left) return deposit::verdict::left;
  arrival* a = unexpected.make(key, offered.bytes);
  a->kind = arrival::form::rendezvous;
  a->answered = true;
  a->record = header.record;
  a->generation = header.generation;
  a->offered = offered;
  unexpected.put(a, fate);
  return deposit::verdict::consumed;
}

void rendezvous::receive(message_request* r, const arrival* a) {
  live.hold_open(r);
  r->takes(a->offered, a->record, a->generation);
  choose.move(r);
}

// Truncation is the receiver's error alone; memory that could not be reached is both sides'.
void rendezvous::end_receive(message_request* r, std::int32_t error) {
  send_done(r->process, r->theirs.at, r->theirs.generation, error);
  error != 0 ? live.finish(r, error) : live.finish(r);
}

void rendezvous::send_done(std::uint32_t process, local_address record, std::uint32_t generation,
                           std::int32_t error) {
  (void)send_control(process, deposit::handler_p2p_done, done_header{record, generation, error});
  LOADSTONE_FAULT_POINT("p2p.done_sent");
}

}  // namespace loadstone::p2p
