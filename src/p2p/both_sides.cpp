// Both sides copy: a large transfer is cut into blocks that receiver and sender claim, so that two cores'
// bandwidth is used when both are in the library. When the sender is not, the receiver claims them all.
//
// Condition: the data is one block on both sides, at least `least_shared` bytes, a core for each process; the
//            receiver can reach the sender's data (in its arena, or by process_vm_readv). The sender helps if
//            it can reach the receiver's. Not below 1 MiB when one of them would have to go by the kernel and the
//            other one not: that one is quicker alone (128 KiB 3 µs for 7, 512 KiB 12 for 23, 1 MiB 24 for 24).
// Copies:    1.
// Cost:      one message that asks for help, and at the end one to whoever was not last.
//
// A refusal of the system in the midst: the sender gives its block back; the receiver has the block it holds
// sent through the pipeline, and goes on.
//
// Source: trials on two cores: 1.7 to 2.1 times the bandwidth of one side between 1 and 4 MiB.
#include "base/fault.hpp"
#include "copy/copy.hpp"
#include "p2p/block_claims.hpp"
#include "p2p/peer_writes.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

constexpr std::int64_t least_shared = 32 * 1024;
// Whoever can map the other's buffer is quicker alone than with the other's help by the kernel.
constexpr std::int64_t least_helped_by_kernel = 1 << 20;

}  // namespace

// In the record of whoever came first: the sender's, or the receiver's if it had advertised.
counters engine::state::counters_of(const message_request* r) {
  if (r->advert != nullptr) return {r->advert, r->advert_generation, {}};
  if (r->own != nullptr && r->peer_advert == 0) return {r->own, r->generation, {}};
  const bool deposited = r->peer_advert != 0;
  const memory::address where = p2p::unpack(r->process, deposited ? r->peer_advert : r->record);
  memory::pin pin = endpoint.map(where.region);
  if (!pin) return {};
  auto* at = reinterpret_cast<rendezvous_record*>(pin.at(where.offset));
  return {at, deposited ? r->advert_generation : r->generation, std::move(pin)};
}

// --- receiver ---

bool engine::state::share(message_request* r) {
  const offer& o = r->offered;
  if (r->until < least_shared || o.blocks != 0 || !r->data.one_block()) return false;
  if (config.both_sides == 0) return false;
  if (o.arena_offset == not_in_arena && (o.address == 0 || !endpoint.user().reaches(r->process)))
    return false;
  if (!endpoint.way_to(r->process).mapped || !endpoint.map(p2p::unpack(r->process, r->record).region))
    return false;
  memory::address where;
  const bool ours = arena.find(r->data.block(), static_cast<std::size_t>(r->until), &where),
             theirs = o.arena_offset != not_in_arena;
  if (ours != theirs && r->until < least_helped_by_kernel) {
    if (theirs) return false;
    const std::int64_t bytes = r->until;
    if (o.stream != stream_nothing && ask_push(r)) {
      count(direct, bytes);
      return true;
    }
  }
  r->step = phase::sharing;
  const help_header header{r->record, reinterpret_cast<std::uint64_t>(r),
                           reinterpret_cast<std::uint64_t>(r->data.block()), r->until};
  if (endpoint.send_active(r->process, deposit::handler_p2p_help, deposit::traffic::control, &header,
                           sizeof header, &where, ours ? sizeof where : 0) == deposit::outcome::gone) {
    end_receive(r, error_peer_aborted);
    return true;
  }
  LOADSTONE_FAULT_POINT("both_sides.asked");
  count(theirs ? direct : single_copy, r->until);
  if (pass_one_block(r)) return true;
  r->moved = r->until;
  copy_shared(r);
  return true;
}

// The sender wants to know what cells cost now: they get the first block.
bool engine::state::pass_one_block(message_request* r) {
  if (!r->waits || r->offered.stream != stream_one_block) return false;
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return false;
  std::int64_t bytes = 0;
  if (!block_claims(*shared.at, shared.generation, r->until).next(nullptr, &r->moved, &bytes)) {
    r->moved = 0;
    return false;
  }
  r->until = r->moved + bytes;
  ask_pipeline(r);
  return true;
}

// The receiver's part: every block it can get.
void engine::state::copy_shared(message_request* r) {
  if (r->moved < r->until) return;  // first the block that is on its way through the pipeline
  const offer& o = r->offered;
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return end_receive(r, error_other);
  memory::pin source;
  if (o.arena_offset != not_in_arena)
    source = endpoint.map({r->process, o.region_number, o.region_generation});
  block_claims claims(*shared.at, shared.generation, shared_total(r));
  std::byte* const to = r->data.block();
  std::int64_t from = 0, bytes = 0;
  while (claims.next(&r->given_back, &from, &bytes)) {
    const auto n = static_cast<std::size_t>(bytes);
    auto got = deposit::reached::done;
    check_moves(r, from, bytes);
    move_apart(bytes, [&] {
      if (source) {
        copy::between(to + from, source.at(o.arena_offset + static_cast<std::uint64_t>(from)), n,
                      static_cast<std::size_t>(shared_total(r)));
      } else {
        const std::uint64_t there = o.address + static_cast<std::uint64_t>(from);
        got = copy_by_kernel(r->process, bytes,
                             [&] { return endpoint.user().get(r->process, to + from, there, n); });
      }
    });
    if (got == deposit::reached::refused) {
      r->moved = from;
      r->until = from + bytes;
      return ask_pipeline(r);
    }
    LOADSTONE_FAULT_POINT("both_sides.half_received");
    if (claims.copied(bytes, error_of(got))) return end_receive(r, claims.error());
  }
  // What is left the sender is copying: it will say so, or give it back.
  need(r);
  expect_copy(r->process, block_claims::block_of(shared_total(r)));
}

// The block that went through the pipeline, up to r->until, has arrived.
void engine::state::block_arrived(message_request* r) {
  const std::int64_t block = block_claims::block_of(shared_total(r));
  const std::int64_t bytes = r->until - (r->until - 1) / block * block;
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return end_receive(r, error_other);
  block_claims claims(*shared.at, shared.generation, shared_total(r));
  if (claims.copied(bytes, 0)) return end_receive(r, claims.error());
  schedule(r);
}

// The sender may not write here after all: the block it had claimed is ours.
deposit::verdict engine::state::on_given_back(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const given_back_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  r->given_back = header.from;
  if (r->step == phase::sharing) s.schedule(r);  // otherwise the envelope is still to come
  return deposit::verdict::consumed;
}

deposit::verdict engine::state::on_pushed(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const pushed_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  if (r->step == phase::posted) {  // deposited into its advert, and the envelope comes later
    s.posted.remove(r);
    s.set_source(r, r->process, r->tag, header.bytes);
    s.count(single_copy, header.bytes);
  }
  if (header.error != 0) r->result.error = static_cast<std::int32_t>(header.error);
  if (header.error == 0) written_by_peer(r, header.bytes);
  s.unschedule(r);
  s.finish(r);
  return deposit::verdict::consumed;
}

// --- sender ---

deposit::verdict engine::state::on_help(void* self, deposit::incoming& message, bool) {
  state& s = *static_cast<state*>(self);
  const auto& header = *reinterpret_cast<const help_header*>(message.header());
  auto* r = reinterpret_cast<message_request*>(s.record_at(header.record)->request);
  r->peer_token = header.receiver;
  r->peer_buffer = header.address;
  r->until = header.total;
  r->target = {};
  r->target_mapped = message.payload_bytes() == sizeof(memory::address);
  if (r->target_mapped) __builtin_memcpy(&r->target, message.payload(), sizeof r->target);
  r->step = phase::helping;
  s.schedule(r);
  return deposit::verdict::consumed;
}

void engine::state::help(message_request* r) {
  memory::pin target;
  if (r->target_mapped) target = endpoint.map(r->target.region);
  r->step = phase::offered;  // until the receiver, or the last block here, says otherwise
  rest(r);
  const bool alone = !target && !endpoint.user().reaches(r->process);
  expect_copy(r->process,
              alone ? r->until : block_claims::block_of(r->until));  // by the receiver, after ours
  if (alone) return;
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return;
  block_claims claims(*shared.at, shared.generation, r->until);
  // Where the program computes, help is not worth the processor time: only what nobody else does is.
  if (background && endpoint.on_progress_thread() && !claims.untouched()) return;
  const auto* const from_here = reinterpret_cast<const std::byte*>(r->offered.address);
  std::int64_t from = 0, bytes = 0;
  while (claims.next(nullptr, &from, &bytes)) {
    const auto n = static_cast<std::size_t>(bytes);
    auto put = deposit::reached::done;
    check_moves(r, from, bytes);
    move_apart(bytes, [&] {
      if (target) {
        std::byte* to = target.at(r->target.offset + static_cast<std::uint64_t>(from));
        copy::between(to, from_here + from, n, static_cast<std::size_t>(r->until));
        base::written_by_others(to, n);  // or will be, before it is read here
      } else {
        const std::uint64_t there = r->peer_buffer + static_cast<std::uint64_t>(from);
        put = copy_by_kernel(r->process, bytes,
                             [&] { return endpoint.user().put(r->process, there, from_here + from, n); });
      }
    });
    if (put == deposit::reached::refused) {
      const given_back_header header{r->peer_token, from};
      return send_control(r->process, deposit::handler_p2p_given_back, &header, sizeof header);
    }
    LOADSTONE_FAULT_POINT("both_sides.half_sent");
    counts.helped_bytes += n;
    if (!claims.copied(bytes, error_of(put))) continue;
    const pushed_header header{r->peer_token, claims.error(), r->bytes};
    const std::int32_t result = claims.error();
    send_control(r->process, deposit::handler_p2p_pushed, &header, sizeof header);
    give_record(r);
    return finish(r, result);
  }
}

}  // namespace loadstone::p2p
