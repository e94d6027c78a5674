#include "p2p/protocols/shared_copy.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/fault.hpp"
#include "base/guarded.hpp"
#include "base/valgrind.hpp"
#include "copy/copy.hpp"
#include "p2p/choice.hpp"
#include "p2p/pending_work.hpp"
#include "p2p/protocols/pipeline.hpp"
#include "p2p/protocols/rendezvous.hpp"

namespace loadstone::p2p {

namespace {

// Of one side alone, at a time: short enough to be interrupted between, long enough to hide the
// cost of a system call.
constexpr std::int64_t piece = 4 << 20;
// By the kernel, between layouts.
constexpr std::size_t most_vectors = 512;
constexpr std::int64_t least_mean_block = 256;
constexpr std::size_t bounce_bytes = 32 * 1024;

using deposit::reached;

// The first `bytes` packed bytes of a receive have been written by a peer, behind valgrind's back.
void written_by_peer(const message_request* r, std::int64_t bytes) {
  if (!base::under_valgrind()) [[likely]]
    return;
  r->data.for_each_block(
      0, std::min(bytes, r->data.bytes()),
      [](void*, void* address, std::size_t length) {
        base::written_by_others(address, length);
        return true;
      },
      nullptr);
}

}  // namespace

shared_copy::shared_copy(const context& c) : context(c) {
  listen_to<&shared_copy::on_help, help_header>(endpoint, deposit::handler_p2p_help, this);
  listen_to<&shared_copy::on_given_back, given_back_header>(endpoint, deposit::handler_p2p_given_back, this);
  listen_to<&shared_copy::on_pushed, pushed_header>(endpoint, deposit::handler_p2p_pushed, this);
}

// In the record of whoever came first: the sender's, or the receiver's if it had advertised.
shared_copy::counters shared_copy::counters_of(const message_request* r) {
  if (r->kind == request_kind::send ? !r->theirs.at : r->own.at != nullptr)
    return {r->own.at, r->own.generation, {}};
  auto there = records.map(r->process, r->theirs.at);
  return {there.at, r->theirs.generation, std::move(there.pin)};
}

void shared_copy::step(message_request* r) {
  r->kind == request_kind::send ? give_blocks(r) : take_blocks(r);
}

void shared_copy::end(message_request* r, std::int32_t error) {
  if (error == 0) written_by_peer(r, r->total());
  offers.end_receive(r, error);
}

// --- receiver, alone ---

// One block on the sender's side. Not called where the kernel would have to unpack.
reached shared_copy::take(message_request* r, const memory::pin& source, std::int64_t from,
                          std::int64_t bytes) {
  const auto n = static_cast<std::size_t>(bytes);
  auto got = reached::done;
  offers.check_moves(r, from, bytes);
  work.move_apart(bytes, [&] {
    if (!source) {
      const std::uint64_t there = r->offered.address + static_cast<std::uint64_t>(from);
      got = endpoint.user().get(r->process, r->data.block() + from, there, n);
      return;
    }
    const std::byte* const there = source.at(r->offered.arena_offset + static_cast<std::uint64_t>(from));
    const bool copied = base::guarded([&] {
      if (r->data.one_block())
        copy::between(r->data.block() + from, there, n, static_cast<std::size_t>(r->total()));
      else
        r->data.unpack(from, bytes, there);
    });
    if (!copied) got = reached::bad_address;
  });
  return got;
}

void shared_copy::start_direct(message_request* r) {
  const offer& o = r->offered;
  const memory::pin source = endpoint.map({r->process, o.region_number, o.region_generation});
  if (!source) return choose.bar(r, choice::direct);
  const std::int64_t bytes = r->until - r->moved;
  auto got = reached::done;
  if (o.blocks != 0) {
    got = copy_by_list(r, source);
    if (got == reached::refused) return choose.bar(r, choice::direct);
  } else {
    for (; r->moved < r->until && got == reached::done; r->moved += std::min(piece, r->until - r->moved)) {
      got = take(r, source, r->moved, std::min(piece, r->until - r->moved));
      LOADSTONE_FAULT_POINT("direct.half_copied");
    }
  }
  direct.count(bytes);
  offers.end_receive(r, error_of(got));
}

reached shared_copy::copy_by_list(message_request* r, const memory::pin& source) {
  const offer& o = r->offered;
  const memory::address list = o.list.in(r->process);
  const memory::pin list_pin = endpoint.map(list.region);
  if (!list_pin) return reached::refused;
  const auto* blocks = reinterpret_cast<const offered_block*>(list_pin.at(list.offset));
  bool copied = false;
  const auto copy_all = [&] {
    std::int64_t from = 0;
    for (std::uint32_t i = 0; i < o.blocks && from < r->until; ++i) {
      const std::int64_t bytes = std::min(static_cast<std::int64_t>(blocks[i].bytes), r->until - from);
      const std::byte* const there = source.at(o.arena_offset + (blocks[i].address - o.address));
      if (r->data.one_block())
        copy::between(r->data.block() + from, there, static_cast<std::size_t>(bytes),
                      static_cast<std::size_t>(r->until));
      else
        r->data.unpack(from, bytes, there);
      from += bytes;
    }
  };
  work.move_apart(r->until, [&] { copied = base::guarded(copy_all); });
  return copied ? reached::done : reached::bad_address;
}

namespace {

// The sender's blocks, walked from the front.
class remote_layout {
 public:
  remote_layout(const offer& o, const offered_block* list)
      : single_{o.address, static_cast<std::uint64_t>(o.bytes)} {
    at_ = o.blocks == 0 ? &single_ : list;
    end_ = at_ + (o.blocks == 0 ? 1 : o.blocks);
  }
  // Vectors for the next `bytes` bytes at most; returns how many bytes they hold.
  std::int64_t fill(iovec* vectors, std::size_t* count, std::int64_t bytes) const {
    const offered_block* b = at_;
    std::uint64_t skip = used_;
    std::int64_t sum = 0;
    for (*count = 0; b != end_ && *count < most_vectors && sum < bytes; ++b, skip = 0) {
      const std::uint64_t length =
          std::min<std::uint64_t>(b->bytes - skip, static_cast<std::uint64_t>(bytes - sum));
      vectors[(*count)++] = {reinterpret_cast<void*>(b->address + skip), length};
      sum += static_cast<std::int64_t>(length);
    }
    return sum;
  }
  void advance(std::int64_t bytes) {
    used_ += static_cast<std::uint64_t>(bytes);
    while (at_ != end_ && used_ >= at_->bytes) {
      used_ -= at_->bytes;
      ++at_;
    }
  }

 private:
  offered_block single_;
  const offered_block* at_;
  const offered_block* end_;
  std::uint64_t used_ = 0;  // of *at_
};

}  // namespace

// Much for the stack of a thread; kept for the next copy.
struct shared_copy::space {
  iovec here[most_vectors], there[most_vectors];
  std::size_t count;
  std::int64_t bytes;
  alignas(64) std::byte buffer[bounce_bytes];
  space* next_free = nullptr;

  // Our blocks of packed bytes [from, from + most), as far as they go into the list. False: so
  // small that the buffer is used.
  bool list(const message_request* r, std::int64_t from, std::int64_t most) {
    count = 0;
    bytes = 0;
    r->data.for_each_block(
        from, most,
        [](void* c, void* address, std::size_t length) {
          auto* s = static_cast<space*>(c);
          s->here[s->count++] = {address, length};
          s->bytes += static_cast<std::int64_t>(length);
          return s->count < most_vectors;
        },
        this);
    if (count <= 1 || bytes / static_cast<std::int64_t>(count) >= least_mean_block) return true;
    bytes = std::min<std::int64_t>(most, bounce_bytes);
    here[0] = {buffer, static_cast<std::size_t>(bytes)};
    count = 1;
    return false;
  }
};

shared_copy::~shared_copy() {
  while (spaces_ != nullptr) delete std::exchange(spaces_, spaces_->next_free);
}

void shared_copy::start_by_kernel(message_request* r) {
  space* const with =
      spaces_ == nullptr ? new (std::nothrow) space : std::exchange(spaces_, spaces_->next_free);
  if (with == nullptr) return choose.bar(r, choice::single_copy);  // no memory: through cells, say
  copy_by_kernel(r, *with);
  with->next_free = spaces_;
  spaces_ = with;
}

void shared_copy::copy_by_kernel(message_request* r, space& with) {
  const offer& o = r->offered;
  const std::int64_t bytes = r->until - r->moved;
  memory::pin list_pin;
  const offered_block* list = nullptr;
  if (o.blocks != 0) {
    const memory::address where = o.list.in(r->process);
    list_pin = endpoint.map(where.region);
    if (!list_pin) return choose.bar(r, choice::single_copy);
    list = reinterpret_cast<const offered_block*>(list_pin.at(where.offset));
  }
  remote_layout remote(o, list);
  while (r->moved < r->until) {
    const bool in_place = with.list(r, r->moved, std::min(piece, r->until - r->moved));
    std::size_t there_count = 0;
    const std::int64_t want = remote.fill(with.there, &there_count, with.bytes);
    auto got = reached::done;
    work.move_apart(want, [&] {
      got = endpoint.user().get(r->process, {with.here, with.count}, {with.there, there_count});
    });
    if (got == reached::refused) return choose.bar(r, choice::single_copy);
    if (got == reached::done && !in_place &&
        !base::guarded([&] { r->data.unpack(r->moved, want, with.buffer); }))
      got = reached::bad_address;
    if (got != reached::done) {
      single_copy.count(bytes);
      return offers.end_receive(r, error_of(got));
    }
    r->moved += want;
    remote.advance(want);
    LOADSTONE_FAULT_POINT("single_copy.half_copied");
  }
  single_copy.count(bytes);
  offers.end_receive(r, 0);
}

// --- receiver, with the sender ---

bool shared_copy::ask_help(message_request* r, const memory::address* ours, bool with_us) {
  r->by = this;
  const help_header header{r->theirs.at, reinterpret_cast<std::uint64_t>(r),
                           with_us ? reinterpret_cast<std::uint64_t>(r->data.block()) : 0, r->until};
  if (send_control(r->process, deposit::handler_p2p_help, header, ours, ours != nullptr ? sizeof *ours : 0) ==
      deposit::outcome::gone) {
    offers.end_receive(r, error_peer_aborted);
    return false;
  }
  LOADSTONE_FAULT_POINT("both_sides.asked");
  return true;
}

void shared_copy::start_push(message_request* r, const memory::address& ours) {
  if (counters_of(r).at == nullptr) return choose.bar(r, choice::push);
  if (!ask_help(r, &ours, false)) return;
  pushed.count(r->until);
  r->moved = r->until;
  live.watch(r);
  costs.expect(r->until);
}

void shared_copy::start_both(message_request* r, const memory::address* ours) {
  if (counters_of(r).at == nullptr) return choose.bar(r, choice::both_sides);
  if (!ask_help(r, ours, true)) return;
  (ours != nullptr && r->offered.arena_offset != not_in_arena ? direct_both : both_sides).count(r->until);
  r->moved = r->until;
  if (r->waits) return take_blocks(r);
  // Our part at the next call: by then we may wait, or the sender have done it all.
  live.need(r);
  work.schedule_next_poll(r);
}

// Of a transfer that nobody has begun. True: cells have it, or it is too early to say.
bool shared_copy::pass_through_cells(message_request* r, block_claims& claims) {
  const std::int64_t bytes = r->total();
  switch (choose.through_cells(r)) {
    case choice::part::nothing:
      return false;
    case choice::part::later:
      work.schedule_next_poll(r);
      return true;
    case choice::part::all:
      if (!claims.all()) return false;
      if (r->own.at != nullptr) break;  // counted by its sender, as advert
      both_sides.take_back(bytes);
      in_blocks.pipelined.count(bytes);
      break;
  }
  r->moved = 0;
  r->until = bytes;
  r->state.fetch.by_wish = true;
  in_blocks.ask(r);
  return true;
}

void shared_copy::start_deposited(message_request* r, bool alone) {
  r->moved = r->until = r->total();
  r->step = phase::moving;
  r->by = this;
  costs.begins(r);
  live.watch(r);
  if (!alone || r->state.fetch.given_back != none_given_back)  // which may have come first
    work.schedule(r);
  else
    costs.expect(r->until);
}

void shared_copy::wait_begins(message_request* r) {
  if (r->by != this && r->own.at == nullptr) return;  // no sender has heard of it
  const counters shared = counters_of(r);
  if (shared.at != nullptr) block_claims(*shared.at, shared.generation, r->bytes).receiver_waits();
}

void shared_copy::take_blocks(message_request* r) {
  if (r->moved < r->until) {  // first what is on its way through cells
    if (r->state.fetch.asked_from < 0) in_blocks.ask(r);
    return;
  }
  // By another thread, which is copying and finds what was given back when it comes from there.
  if ((r->ties & tie::being_copied) != 0) return;
  live.unwatch(r);
  const offer& o = r->offered;
  const std::int64_t total = r->total();
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return offers.end_receive(r, error_other);
  memory::pin source;
  if (o.arena_offset != not_in_arena)
    source = endpoint.map({r->process, o.region_number, o.region_generation});
  const bool within = o.blocks == 0 && (source || o.address != 0);
  block_claims claims(*shared.at, shared.generation, total);
  if (claims.untouched()) {
    if (pass_through_cells(r, claims)) return;
  } else {
    choose.follow(r);
  }
  std::int64_t from = 0, bytes = 0;
  while (claims.next(block_claims::end::front, &r->state.fetch.given_back, &from, &bytes)) {
    // Otherwise only its sender can pack it.
    r->ties |= tie::being_copied;
    const auto got = within ? take(r, source, from, bytes) : reached::refused;
    r->ties &= static_cast<std::uint8_t>(~tie::being_copied);
    if (got == reached::refused) {
      r->moved = from;
      r->until = from + bytes;
      return in_blocks.ask(r);
    }
    LOADSTONE_FAULT_POINT("both_sides.half_received");
    if (claims.copied(bytes, error_of(got))) return end(r, claims.error());
  }
  // What is left the sender is copying: it will say so, or give it back.
  live.need(r);
  live.watch(r);
  costs.expect(block_claims::block_of(total));
}

void shared_copy::range_moved(message_request* r) {
  const std::int64_t bytes = r->until - r->state.fetch.asked_from;
  const counters shared = counters_of(r);
  if (shared.at == nullptr) return offers.end_receive(r, error_other);
  block_claims claims(*shared.at, shared.generation, r->total());
  if (claims.copied(bytes, requests::shared_error(r))) return end(r, claims.error());
  work.schedule(r);
}

// The sender may not write here after all: the block it had claimed, if any, is ours, and so are
// all that nobody has claimed.
void shared_copy::on_given_back(const given_back_header& header, deposit::incoming&) {
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  r->state.fetch.given_back = header.from;
  if (r->by == this) work.schedule(r);  // otherwise the envelope is still to come
}

void shared_copy::on_pushed(const pushed_header& header, deposit::incoming&) {
  auto* r = reinterpret_cast<message_request*>(header.receiver);
  if (r->step == phase::posted) {  // deposited into its advert, and the envelope comes later
    live.unpost(r);
    live.set_source(r, r->process, r->tag, header.bytes);
  }
  if (header.error == 0) {
    written_by_peer(r, header.bytes);
    live.finish(r);
  } else {
    live.finish(r, static_cast<std::int32_t>(header.error));
  }
}

// --- sender ---

void shared_copy::on_help(const help_header& header, deposit::incoming& message) {
  message_request* r = records.request_at(header.record);
  r->until = header.total;
  helping& with = r->state.help;
  with = {{}, header.address, header.receiver, message.payload_bytes() == sizeof(memory::address), false};
  if (with.target_mapped) __builtin_memcpy(&with.target, message.payload(), sizeof with.target);
  fill(r);
  work.schedule(r);
}

void shared_copy::fill(message_request* r) {
  r->since = 0;
  r->step = phase::moving;
  r->by = this;
  if (!r->state.help.target_mapped) costs.begins(r);
}

void shared_copy::give_back(const message_request* r, std::int64_t from) {
  (void)send_control(r->process, deposit::handler_p2p_given_back,
                     given_back_header{r->state.help.receiver, from});
}

void shared_copy::give_blocks(message_request* r) {
  const helping to = r->state.help;
  const std::int64_t total = r->until;
  memory::pin target;
  if (to.target_mapped) target = endpoint.map(to.target.region);
  live.rest(r);
  const bool by_kernel = to.peer_buffer != 0 && endpoint.user().reaches(r->process);
  const bool within = target || by_kernel;
  // By the receiver, after ours.
  costs.expect(within ? block_claims::block_of(total) : total);
  const counters shared = counters_of(r);
  if ((!within && to.peer_buffer != 0) || shared.at == nullptr) {
    // The receiver copies. One that leaves it all to us has to be told.
    if (to.alone) give_back(r, no_block);
    return;
  }
  block_claims claims(*shared.at, shared.generation, total);
  // To a receiver that takes part: not one that only provides memory.
  const bool shared_by_both = config.both_sides != 0 && to.peer_buffer != 0;
  if (shared_by_both && !target && claims.untouched() && choose.leaves_it(r, claims.receiver_is_there())) {
    live.watch(r);
    return work.schedule_next_poll(r);
  }
  if (r->waits && !target) costs.begins(r, copy_costs::way::kernel);
  // Where the program computes, help is not worth the processor time: only what nobody else does
  // is.
  if (to.peer_buffer != 0 && endpoint.background().is_this_thread() && !claims.untouched()) return;
  if (to.peer_buffer == 0) {
    LOADSTONE_FAULT_POINT("direct.pushing");
  }
  std::int64_t from = 0, bytes = 0;
  while (claims.next(block_claims::end::back, nullptr, &from, &bytes)) {
    const auto n = static_cast<std::size_t>(bytes);
    auto put = within ? reached::done : reached::refused;  // neither mapped nor a block
    offers.check_moves(r, from, bytes);
    if (within)
      work.move_apart(bytes, [&] {
        if (!target) {
          const std::uint64_t there = to.peer_buffer + static_cast<std::uint64_t>(from);
          put = endpoint.user().put(r->process, there, r->data.block() + from, n);
          return;
        }
        std::byte* const there = target.at(to.target.offset + static_cast<std::uint64_t>(from));
        const bool copied = base::guarded([&] {
          if (r->data.one_block())
            copy::between(there, r->data.block() + from, n, static_cast<std::size_t>(total));
          else
            r->data.pack(from, bytes, there);
        });
        if (!copied) put = reached::bad_address;
        base::written_by_others(there, n);  // or will be, before it is read here
      });
    // A receiver that has asked for all and claims none has to know.
    if (put == reached::refused) return give_back(r, from);
    LOADSTONE_FAULT_POINT("both_sides.half_sent");
    helped_bytes += n;
    if (!claims.copied(bytes, error_of(put))) continue;
    const std::int32_t result = claims.error();
    (void)send_control(r->process, deposit::handler_p2p_pushed, pushed_header{to.receiver, result, r->bytes});
    return live.finish(r, result);
  }
}

}  // namespace loadstone::p2p
