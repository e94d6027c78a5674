// Rendezvous: the envelope says where the data lies; whoever comes second moves it. Which way is decided by
// the receiver, when the message has been matched, in the order of cost:
//
//   streamed     both ends wait for it, and it is quicker           2 copies, at once       pipelined.cpp
//   both sides   one block on either side                           1 copy, by both         both_sides.cpp
//   direct       the data lies in the sender's arena                1 copy, by the receiver direct.cpp
//   single-copy  process_vm_readv is allowed for this pair          1 copy, by the receiver single_copy.cpp
//   push         the receive buffer is contiguous, in our arena     1 copy, by the sender   direct.cpp
//   pipelined    always                                             2 copies, overlapped    pipelined.cpp
//
// A way that turns out to be barred, at first or in the midst of it, leaves the rest to the next.
#include <algorithm>

#include "base/fault.hpp"
#include "memory/liveness.hpp"
#include "p2p/peer_writes.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

constexpr std::size_t records_per_slab = 64;
// A layout of many or of tiny blocks is packed by its owner; a list of them would cost more than the second
// copy.
constexpr std::size_t most_blocks = 1 << 16;
constexpr std::int64_t least_mean_block = 256;

}  // namespace

rendezvous_record* engine::state::new_record(message_request* r, std::uint32_t* generation) {
  if (free_records == nullptr) {
    auto slab = arena.allocate(records_per_slab * sizeof(rendezvous_record), 128);
    if (!slab) return nullptr;
    record_slabs.push_back(*slab);
    auto* records = static_cast<rendezvous_record*>(*slab);
    for (std::size_t i = records_per_slab; i-- > 0;) {
      auto* made = new (&records[i]) rendezvous_record{};
      made->request = reinterpret_cast<std::uint64_t>(free_records);
      free_records = made;
    }
  }
  rendezvous_record* record = free_records;
  free_records = reinterpret_cast<rendezvous_record*>(record->request);
  record->request = reinterpret_cast<std::uint64_t>(r);
  // relaxed: the words below become visible with `state`, and nobody looks at them before that
  record->error.store(0, std::memory_order_relaxed);
  record->copied.store(0, std::memory_order_relaxed);
  // A new generation: envelopes that speak of an earlier use are void. relaxed load: only we change it while
  // it is free
  *generation = static_cast<std::uint32_t>(record->state.load(std::memory_order_relaxed) >> 2) + 1;
  record->claimed.store(std::uint64_t{*generation} << 32, std::memory_order_relaxed);
  record->state.store(state_word(*generation, record_pending),
                      std::memory_order_release);  // sync: record-claim
  return record;
}

void engine::state::free_record(rendezvous_record* record, std::uint32_t generation) {
  // relaxed: a late envelope sees either value, and neither is `pending` of a generation it knows
  record->state.store(state_word(generation, record_free), std::memory_order_relaxed);
  record->request = reinterpret_cast<std::uint64_t>(free_records);
  free_records = record;
}

rendezvous_record* engine::state::take_record(message_request* r) {
  r->own = new_record(r, &r->generation);
  if (r->own != nullptr) r->record = pack(arena.address_of(r->own));
  return r->own;
}

bool engine::state::insist_on_record(message_request* r) {
  struct attempt {
    state& s;
    message_request* r;
  } a{*this, r};
  const auto got = [](void* c) {
    const auto& a = *static_cast<attempt*>(c);
    return a.r->own != nullptr || a.s.take_record(a.r) != nullptr;
  };
  return got(&a) || endpoint.wait_for_memory(got, &a, r->process);
}

void engine::state::give_record(message_request* r) {
  if (r->block_list != nullptr) arena.release(r->block_list);
  r->block_list = nullptr;
  if (r->own == nullptr) return;
  free_record(r->own, r->generation);
  r->own = nullptr;
}

// --- sender ---

void engine::state::offer_message(message_request* r) {
  if (!insist_on_record(r)) return finish(r, error_no_memory);
  offer o{};
  make_offer(r, &o);
  o.stream = stream_of(r);
  r->offered = o;
  hold(r);
  if (o.address == 0 ? o.bytes > 0 : o.arena_offset == not_in_arena && !endpoint.user().reaches(r->process))
    need(r);
  r->step = phase::offered;
  expect_copy(r->process, r->bytes);  // if the receiver is there
  const deposit::outcome sent = in_turn([&] {
    scope::sequences::member& to = sequences_of(*r->where).of(r->peer);
    const deposit::outcome left =
        leave_offer(r, {envelope::of(r->where->context, to.sent, r->tag), r->record, r->generation, 0}, o);
    if (left == deposit::outcome::sent) has_left(to);
    return left;
  });
  if (sent != deposit::outcome::sent) {
    give_record(r);
    return finish(r, error_peer_aborted);
  }
  LOADSTONE_FAULT_POINT("rendezvous.offered");
}

// With the first block, if that is likely to be what the receiver wants.
deposit::outcome engine::state::leave_offer(message_request* r, const answered_envelope& envelope,
                                            const offer& o) {
  // What the receiver can map it takes from where it lies.
  if (o.stream == stream_all && o.arena_offset == not_in_arena && !endpoint.gate().threads()) {
    copy_costs& known = costs[r->process];
    const bool begin = known.taken();
    known.taken(false);  // until it asks for the rest
    if (begin) {
      const begun_header header{envelope, o};
      r->until = r->bytes;
      const auto block = std::min(r->bytes, static_cast<std::int64_t>(config.pipeline_block));
      const deposit::outcome left = leave_block(r, deposit::handler_p2p_rendezvous, deposit::traffic::user,
                                                &header, sizeof header, block);
      if (left != deposit::outcome::again) return left;
    }
  }
  return endpoint.send_active(r->process, deposit::handler_p2p_rendezvous, deposit::traffic::user, &envelope,
                              sizeof envelope, &o, sizeof o);
}

void engine::state::make_offer(message_request* r, offer* o) {
  *o = {.bytes = r->bytes,
        .address = 0,
        .arena_offset = not_in_arena,
        .region_number = 0,
        .region_generation = 0,
        .blocks = 0,
        .stream = stream_nothing,
        .list = 0};
  if (r->bytes == 0 || !endpoint.way_to(r->process).mapped) return;  // elsewhere an address means nothing
  std::uint64_t lowest = reinterpret_cast<std::uint64_t>(r->data.block()),
                highest = lowest + static_cast<std::uint64_t>(r->bytes);
  if (!r->data.one_block()) {
    blocks.clear();
    r->data.for_each_block(
        0, r->bytes,
        [](void* c, void* address, std::size_t length) {
          auto& list = *static_cast<std::vector<offered_block>*>(c);
          list.push_back({reinterpret_cast<std::uint64_t>(address), length});
          return list.size() <= most_blocks;
        },
        &blocks);
    if (blocks.size() > most_blocks || r->bytes / static_cast<std::int64_t>(blocks.size()) < least_mean_block)
      return;
    lowest = ~std::uint64_t{0};
    highest = 0;
    for (const offered_block& b : blocks) {
      lowest = b.address < lowest ? b.address : lowest;
      highest = b.address + b.bytes > highest ? b.address + b.bytes : highest;
    }
    auto list = arena.allocate(blocks.size() * sizeof(offered_block));
    if (!list) return;
    std::copy(blocks.begin(), blocks.end(), static_cast<offered_block*>(*list));
    r->block_list = *list;
    o->blocks = static_cast<std::uint32_t>(blocks.size()) & 0x3fffffffu;
    o->list = pack(arena.address_of(*list));
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
void engine::state::check_moves(const message_request* r, std::int64_t from, std::int64_t bytes) {
  const offer& o = r->offered;
  if (from < 0 || from + bytes > o.bytes) broken("more is moved than was offered");
  if (r->kind != request_kind::send || o.address == 0) return;
  // Ours: block by block, as offered.
  const offered_block single{o.address, static_cast<std::uint64_t>(o.bytes)};
  struct walk {
    const offered_block* at;
    std::uint64_t before;  // packed bytes of the blocks before *at
    std::uint64_t next;    // packed byte that comes next
  } w{o.blocks == 0 ? &single : static_cast<const offered_block*>(r->block_list), 0,
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

deposit::verdict engine::state::on_done(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const done_header*>(message.header());
  rendezvous_record* record = s.record_at(header.record);
  auto* r = reinterpret_cast<message_request*>(record->request);
  // relaxed: the state changes hands before this message; it only tells a late answer to a cancelled send
  // apart
  const std::uint64_t word = record->state.load(std::memory_order_relaxed);
  if (word >> 2 != header.generation || (word & 3u) == record_free) return deposit::verdict::consumed;
  s.unschedule(r);
  s.give_record(r);
  s.finish(r, header.error);
  return deposit::verdict::consumed;
}

deposit::verdict engine::state::on_clear(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const clearance*>(message.header());
  auto* r = reinterpret_cast<message_request*>(s.record_at(header.record)->request);
  r->peer_token = header.receiver;
  r->moved = r->acknowledged = r->asked = header.from;
  r->until = header.until;
  r->step = phase::clearing;
  s.need(r);
  if (message.payload_bytes() == sizeof(memory::address)) {
    __builtin_memcpy(&r->target, message.payload(), sizeof r->target);
    r->step = phase::pushing;
  }
  r->parts = message.payload_bytes() == sizeof(stream_order);
  if (r->parts) s.costs[r->process].taken(true);
  s.schedule(r);
  return deposit::verdict::consumed;
}

// --- receiver ---

deposit::verdict engine::state::on_rendezvous(void* self, deposit::incoming& message, bool queued) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const answered_envelope*>(message.header());
  const bool begun = message.header_bytes() == sizeof(begun_header);
  offer offered;
  __builtin_memcpy(&offered, begun ? message.header() + offsetof(begun_header, offered) : message.payload(),
                   sizeof offered);
  const match_key key{header.message.context, message.source(), header.message.tag()};

  channel* const from = s.channel_of(key, header.message.sequence());
  if (from == nullptr) [[unlikely]]
    return s.drop_late(key, header.message.sequence(), message);
  if (message_request* r = s.posted.find(key, *from)) {
    s.check_order(*from, key, header.message.sequence(), queued);
    if (!s.claim(key.process, header.record, header.generation)) return deposit::verdict::consumed;
    s.posted.remove(r);
    if (!s.withdraw(r)) [[unlikely]]
      broken("a message matches a receive that another one is deposited into");
    LOADSTONE_FAULT_POINT("rendezvous.matched");
    s.set_source(r, key.process, key.tag, offered.bytes);
    r->offered = offered;
    r->record = header.record;
    r->generation = header.generation;
    r->step = phase::matched;
    if (r == s.looking_for) s.endpoint.stop_looking();
    if (!begun || !s.take_first_block(r, message)) s.schedule(r);
    return deposit::verdict::consumed;
  }
  const bool wanted = s.hunting != nullptr && s.hunted(key, offered.bytes, &header);
  if (!wanted && queued && !s.accept_from_queue(*from, key, header.message.sequence()))
    return deposit::verdict::left;
  s.check_order(*from, key, header.message.sequence(), wanted && queued);
  arrival* a = s.new_arrival(key, offered.bytes);
  a->kind = arrival::form::rendezvous;
  a->answered = true;
  a->record = header.record;
  a->generation = header.generation;
  a->offered = offered;
  if (wanted)
    s.hunting->taken = a;
  else
    s.add_unexpected(a);
  return deposit::verdict::consumed;
}

void engine::state::begin_transfer(message_request* r) {
  rest(r);
  r->moved = 0;
  r->until = shared_total(r);
  r->step = phase::incoming;
}

void engine::state::start_transfer(message_request* r) {
  begin_transfer(r);
  const std::int64_t bytes = r->until;
  if (bytes == 0) return end_receive(r, 0);
  if (pass_through_cells(r) || share(r)) return;
  std::int32_t error = 0;
  if (pull_direct(r, &error)) {
    count(direct, bytes);
    return end_receive(r, error);
  }
  if (pull_single_copy(r, &error)) {
    count(single_copy, bytes);
    return end_receive(r, error);
  }
  // relaxed: without its help the rest cannot be had; if its end is not known yet, the launcher will end our
  // wait
  if (job.process(r->process).dead.load(std::memory_order_relaxed) != 0) {
    memory::note_death(job, r->process);
    return end_receive(r, error_peer_aborted);
  }
  if (ask_push(r)) return count(direct, bytes);
  count(pipelined, bytes);
  ask_pipeline(r);
}

// Truncation is the receiver's error alone; memory that could not be reached is both sides'.
void engine::state::end_receive(message_request* r, std::int32_t error) {
  send_done(r->process, r->record, r->generation, error);
  if (error == 0 && r->step == phase::sharing) written_by_peer(r, shared_total(r));
  error != 0 ? finish(r, error) : finish(r);
}

}  // namespace loadstone::p2p
