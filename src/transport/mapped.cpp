#include "transport/mapped.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "memory/liveness.hpp"
#include "wait/futex.hpp"

namespace loadstone::transport {

using base::code;
using base::status;

namespace {
// Every sleep ends some time: a peer may be stopped or die between its look at the sleep bit and the bell.
constexpr auto longest_sleep = std::chrono::milliseconds(200);
}  // namespace

mapped::mapped(const setup& with)
    : job_(with.job),
      self_(with.self),
      memory_(with.self, with.arena, with.mappings),
      peers_(with.job.header().capacity),
      cells_(with.arena, with.cell_limit),
      stores_(with.past_caches),
      arrived_(memory_),
      max_lines_(with.pair_lines),
      line_after_(with.line_after),
      offer_handler_(with.offer_handler),
      whole_rooms_(with.threads),
      may_attend_(with.may_attend),
      room_limit_(with.cell_limit / 2),
      stream_after_(with.stream_after),
      max_streams_(with.threads ? 0 : with.pair_lines) {
  // With a small cache of mappings, do not hold all of it pinned.
  std::size_t entries = with.mappings.max_entries();
  keep_ = entries > 4 ? entries - entries / 4 : 1;
}

mapped::~mapped() = default;

base::result<std::unique_ptr<mapped>> mapped::open(const setup& with) try {
  std::uint32_t slots = with.inbox_slots;
  if (!std::has_single_bit(slots) || slots < 2 || slots > max_inbox_slots)
    return status{code::invalid, 0, "the number of inbox slots must be a power of two from 2 to 512"};
  if (with.job.header().capacity > max_processes)
    return status{code::invalid, 0, "more processes than the mapped transport can address"};
  auto made = std::unique_ptr<mapped>(new mapped(with));
  auto* at = with.arena.pointer(memory::front_of(with.self));
  auto* f = static_cast<front*>(at);  // fresh job memory is zero; peers may be looking at `ready` already
  made->own_ = f;
  f->transport = mapped_transport;
  f->slots = slots;
  f->first_position = with.first_position & ~flag_bits;
  f->intent.inbox.store(no_inbox, std::memory_order_relaxed);  // relaxed: published by `ready`
  inbox::prepare(f->inbox, slots_of(f), slots, with.first_position);
  made->inbox_ =
      inbox::consumer(&f->inbox, slots_of(f), slots, with.first_position, base::slow_to_take_shared_lines());
  made->overflow_ = std::make_unique<overflow>(made->memory_, *f, with.job.header().capacity);
  f->ready.store(front_magic, std::memory_order_release);  // sync: front-ready
  LOADSTONE_FAULT_POINT("front.ready");
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, 0, "no memory to describe the transport"};
}

mapped::peer* mapped::reach_slow(std::uint32_t index) {
  if (index >= peers_.size()) return nullptr;
  front* at;
  memory::pin pin;
  if (index == self_) {
    at = own_;
  } else {
    // Room first: with a cache of one entry, one peer at a time is mapped.
    while (kept_.size() >= keep_) {
      peer& oldest = *peers_[kept_.front()];
      oldest.at = nullptr;
      oldest.pin = {};
      kept_.erase(kept_.begin());
    }
    auto got = memory_.insist(memory::front_of(index));
    if (!got) return nullptr;
    at = reinterpret_cast<front*>(got->at);
    pin = std::move(got->pin);
    if (at->ready.load(std::memory_order_acquire) != front_magic) return nullptr;  // sync: front-ready
    insist_on_transport(self_, index, *at, mapped_transport);
    kept_.push_back(index);
  }
  if (!peers_[index]) peers_[index] = std::make_unique<peer>();
  peer& p = *peers_[index];
  p.at = at;
  p.pin = std::move(pin);
  // A new view each time: what it remembers of the head is only a saving.
  p.inbox = inbox::producer(&at->inbox, slots_of(at), at->slots, index);
  return &p;
}

bool mapped::alive(std::uint32_t peer) {
  if (memory::is_alive(job_, peer)) return true;
  memory::note_death(job_, peer);
  return false;
}

cell_header* mapped::fill_cell(const outgoing& m, std::size_t bytes, store_way way) {
  cell_header* c = cells_.take(m.payload_bytes);
  if (c == nullptr) return nullptr;
  m.put_part(0, c->payload(), bytes, way);
  // Relaxed: the message that names the cell publishes it.
  c->filled.store(static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
  LOADSTONE_FAULT_POINT("cell.filled");
  return c;
}

// The message has been published: its receiver follows.
void mapped::fill_rest(const outgoing& m, cell_header& c, std::size_t from, cell_stores::plan plan) {
  LOADSTONE_FAULT_POINT("cell.begun");
  const std::size_t part = part_of(m.payload_bytes), rest = m.payload_bytes - from;
  const std::uint64_t begin = plan.timed ? base::now_ns() : 0;
  while (from < m.payload_bytes) {
    const std::size_t bytes = std::min(part, m.payload_bytes - from);
    m.put_part(from, c.payload() + from, bytes, plan.way);
    from += bytes;
    c.filled.store(static_cast<std::uint32_t>(from), std::memory_order_release);  // sync: cell-filled
  }
  if (plan.timed && rest != 0) stores_.took(plan.way, rest, base::now_ns() - begin);
}

send_result mapped::send_otherwise(std::uint32_t index, const outgoing& m) {
  peer* p = reach(index);
  if (p == nullptr) [[unlikely]]
    return index < peers_.size() && alive(index) ? send_result::not_ready : send_result::gone;
  p->in_a_row = 0;
  if (out_queue* q = overflow_->open_queue(index, m.kind)) [[unlikely]]
    return send_queued(*p, *q, index, m);
  if (!m.fits_slot() && line_is_open(*p, m.kind) && write_by_turns(*p, m)) return send_result::sent;
  cell_header* taken = nullptr;
  const bool overlapped = m.overlap;
  cell_stores::plan plan = plan_of(m);
  const std::size_t first = first_part(m);
  if (!m.fits_slot() && (taken = fill_cell(m, first, plan.way)) == nullptr) return send_result::no_cell;
  if (cells_.fresh()) plan.timed = false;
  const std::uint64_t cell = name_of(taken);
  if (line_is_open(*p, m.kind)) {
    write_line(*p, m, cell, overlapped);
    if (overlapped) fill_rest(m, *taken, first, plan);
    ++(taken != nullptr ? counts_.cells_sent : counts_.inline_sent);
    return send_result::sent;
  }
  const place to = claim(*p, m.kind);
  if (to.at == nullptr) [[unlikely]] {
    out_queue* q = overflow_->any_queue(index, m.kind);
    if (q == nullptr || q->reserve() == nullptr) {
      if (taken != nullptr) give_back(*taken);
      return taken != nullptr ? send_result::no_cell : send_result::no_memory;
    }
    if (overlapped) m.put_part(first, taken->payload() + first, m.payload_bytes - first);
    enter_queue(*p, *q, index, m, cell);
    return send_result::sent;
  }
  write_slot(*to.at, m, self_, p->sequence[m.kind]++, cell, overlapped);
  publish(*p, to);
  if (overlapped) fill_rest(m, *taken, first, plan);
  ++(taken != nullptr ? counts_.cells_sent : counts_.inline_sent);
  if (heard_ == index) {
    heard_ = nobody;
    // Not before this message: the proposal may go into a queue, and then this one would pass it.
    if (++p->answers == line_after_) propose_line(index);
  }
  return send_result::sent;
}

send_result mapped::send_queued(peer& p, out_queue& q, std::uint32_t index, const outgoing& m) {
  if (job_.process(index).dead.load(std::memory_order_relaxed) != 0) {  // relaxed: seen sooner or later
    memory::note_death(job_, index);
    return send_result::gone;
  }
  if (q.reserve() == nullptr) {
    if (!m.fits_slot()) return send_result::no_cell;
    return alive(index) ? send_result::no_memory : send_result::gone;
  }
  cell_header* taken = nullptr;
  if (!m.fits_slot() && (taken = fill_cell(m, m.payload_bytes)) == nullptr) return send_result::no_cell;
  enter_queue(p, q, index, m, name_of(taken));
  return send_result::sent;
}

void mapped::enter_queue(peer& p, out_queue& q, std::uint32_t index, const outgoing& m, std::uint64_t cell) {
  write_slot(*q.reserve(), m, self_, p.sequence[m.kind]++, cell);
  q.append();
  ++counts_.queued_sent;
  if (cell != 0) ++counts_.cells_sent;
  // The front may have been unmapped by what happened since (a cache of one entry): take it again.
  peer* now = reach(index);
  if (now == nullptr) return;
  front& f = *now->at;
  std::uint64_t bit = std::uint64_t{1} << (self_ % 64);
  f.bitmap[m.kind][self_ / 64].fetch_or(bit, std::memory_order_release);  // sync: queue-register
  LOADSTONE_FAULT_POINT("queue.registered");
  // An exchange, not a store: of several senders the last one's word is what the receiver takes, and it has to
  // see the bits of those before, too (sync: queue-register). Before the look at the sleep bit, as arm() sets
  // that bit before it looks here.
  f.rung.exchange(1, std::memory_order_seq_cst);
  wake_owner(f);
}

// --- pair lines ---

bool mapped::write_in_long_room(peer& p, const outgoing& m) {
  // Where both send before they receive, each to the other, only every other message finds its turn: all go through cells then,
  // which their receivers follow however they wait, and whose last part the sender need not see arrive.
  pair_line_end& line = *p.line;
  if (!pair_line_end::fits_long_room(m) || !line.follows(m.kind, p.sequence[m.kind])) return false;
  if (!line.room().holds(m.payload_bytes) && !make_room(line, m.payload_bytes)) return false;
  const std::size_t begin = m.fill == nullptr ? pair_room::begin_like(m.context) : 0;
  std::byte* const to = line.room().at(begin);
  std::size_t there = first_part(m);
  m.put_in_room(0, to, there);
  line.write_in_long_room(m, p.sequence[m.kind]++, begin, there);
  LOADSTONE_FAULT_POINT("line.begun");
  announce(*p.at);
  if (there != m.payload_bytes) {
    while (there != m.payload_bytes) {
      const std::size_t bytes = std::min(part_of(m.payload_bytes), m.payload_bytes - there);
      m.put_in_room(there, to + there, bytes);
      there += bytes;
      line.fill(there);
    }
    announce(*p.at);  // it may want all of it at once
  }
  ++counts_.line_sent;
  return true;
}

bool mapped::make_room(pair_line_end& line, std::size_t bytes) {
  const std::size_t size = pair_room::size_for(bytes), capacity = pair_room::capacities[size];
  const std::size_t others = rooms_ - (line.room().owned() != nullptr ? line.room().capacity() : 0);
  // What the shortest ones of all lines need is left to them.
  const std::size_t kept_back =
      size == 0 ? 0 : std::min(max_lines_ * pair_room::capacities[0], room_limit_ / 4);
  if (others + capacity + kept_back > room_limit_) return false;
  auto got = memory_.arena().allocate(capacity + pair_room::page, pair_room::page);
  if (!got) {
    room_limit_ = rooms_;  // asking costs more than a cell
    return false;
  }
  rooms_ += capacity;
  const pair_room::name name{local_address::of(memory_.arena().address_of(*got)).bits,
                             static_cast<std::uint8_t>(size), true};
  change_room(line, {name, static_cast<std::byte*>(*got), {}});
  return true;
}

bool mapped::take_room(pair_line_end& line) {
  const pair_room::name name = line.named();
  auto got = memory_.insist(local_address{name.where}.in(name.owned ? self_ : line.peer()));
  if (!got) return false;
  change_room(line, {name, got->at, std::move(got->pin)});
  return true;
}

// Nobody reads the old one any more: the turn is ours, or was when the peer wrote into a new one.
void mapped::change_room(pair_line_end& line, pair_room room) {
  if (std::byte* const old = line.room().owned(); old != nullptr) {
    rooms_ -= line.room().capacity();
    memory_.arena().release(old);
  }
  line.set_room(std::move(room));
}

bool mapped::may_have_lines() {
  // Their mappings stay pinned, one for the line and one for its long room: not where there are few to be had.
  return lines_.size() < max_lines_ && lines_.size() < memory_.mappings().max_entries() / 8;
}

bool mapped::others_at_hand(const pair_line_end& line) const {
  pair_word seen;
  return std::any_of(lines_.begin(), lines_.end(), [&](const auto& other) {
    return other.get() != &line && other->arrived(&seen, whole_rooms_);
  });
}

// The process with the lower number proposes, and reads the line from now on; the other one has the first
// turn.
void mapped::propose_line(std::uint32_t index) {
  if (self_ >= index || proposed_ == max_lines_ || !may_have_lines()) return;
  auto got = memory_.arena().allocate(sizeof(pair_line), memory::isolation);
  if (!got) return;
  auto* line = static_cast<pair_line*>(*got);
  // Relaxed: the message that names the line publishes it.
  line->word.store(0, std::memory_order_relaxed);
  const offer what{local_address::of(memory_.arena().address_of(line)).bits, 0};
  if (!send_offer(index, what)) return memory_.arena().release(line);
  ++proposed_;
  lines_.push_back(std::make_unique<pair_line_end>(index, line, memory::pin{}, false));
  peers_[index]->line = lines_.back().get();
}

void mapped::accept_line(std::uint32_t index, local_address where) {
  peer* p = reach(index);
  auto got = memory_.reach(where.in(index));
  if (!got) return;  // it reads a line that nobody writes
  auto end = std::make_unique<pair_line_end>(index, reinterpret_cast<pair_line*>(got->at),
                                             std::move(got->pin), true);
  if (p == nullptr || !may_have_lines()) return end->refuse();
  p->line = end.get();
  lines_.push_back(std::move(end));
}

// --- rings ---

bool mapped::send_offer(std::uint32_t index, const offer& what) {
  return send(index, {offer_handler_, control_class, sizeof what, &what, nullptr, nullptr, 0}) ==
         send_result::sent;
}

// Its sender has sent much in a row.
void mapped::offer_stream(std::uint32_t index) {
  peer& p = *peers_[index];
  if (p.stream_from != nullptr || p.wants_no_stream || index == self_ || streams_.size() >= max_streams_)
    return;
  auto got = memory_.arena().allocate(sizeof(stream_ring), isolation);
  if (!got) {
    max_streams_ = 0;  // asking costs more than it gains
    return;
  }
  auto* ring = new (*got) stream_ring{};
  auto in = std::make_unique<stream_receiver>(index, ring, base::slow_to_take_shared_lines());
  if (!send_offer(index, {local_address::of(memory_.arena().address_of(ring)).bits, 1}))
    return memory_.arena().release(ring);
  p.stream_from = in.get();
  streams_.push_back(std::move(in));
}

void mapped::accept_stream(std::uint32_t index, local_address where) {
  peer* p = reach(index);
  auto got = memory_.reach(where.in(index));
  if (!got) return;  // it reads a ring that nobody writes
  auto out = std::make_unique<stream_sender>(reinterpret_cast<stream_ring*>(got->at), std::move(got->pin));
  // Its mapping stays pinned, as those of lines.
  if (p == nullptr || streams_out_ >= std::min<std::size_t>(max_lines_, memory_.mappings().max_entries() / 8))
    return out->refuse();
  ++streams_out_;
  p->stream = std::move(out);
}

void mapped::drop_stream(stream_receiver& in) {
  peer& p = *peers_[in.source()];
  p.stream_from = nullptr;
  p.wants_no_stream = true;
  memory_.arena().release(in.ring());
  std::erase_if(streams_, [&](const auto& s) { return s.get() == &in; });
}

bool mapped::stream_at_hand() const {
  return std::any_of(streams_.begin(), streams_.end(), [](const auto& in) { return in->front() != nullptr; });
}

void mapped::ring_owner(front& f) {
  if ((f.inbox.tail.fetch_and(~sleep_bit, std::memory_order_seq_cst) & sleep_bit) == 0)
    return;  // somebody else rings
  LOADSTONE_FAULT_POINT("bell.taken");
  f.rang_at.store(base::now_ns(), std::memory_order_relaxed);  // relaxed: before the bell (sync: bell)
  wait::ring(f.bell);
  ++rings_;
}

void mapped::wake(std::uint32_t index) {
  peer* p = reach(index);
  if (p == nullptr) return;
  std::atomic_thread_fence(
      std::memory_order_seq_cst);  // the caller's plain store comes before the look at the sleep bit
  wake_owner(*p->at);
}

void mapped::collect() {
  // Before the bits: a bit set from here on rings again (sync: queue-register).
  if (own_->rung.exchange(0, std::memory_order_seq_cst) == 0) return;
  std::uint32_t words = (static_cast<std::uint32_t>(peers_.size()) + 63) / 64;
  for (std::uint8_t kind = 0; kind < classes; ++kind) {
    for (std::uint32_t w = 0; w < words; ++w) {
      if (own_->bitmap[kind][w].load(std::memory_order_relaxed) == 0)
        continue;  // relaxed: the exchange below is in order
      std::uint64_t bits =
          own_->bitmap[kind][w].exchange(0, std::memory_order_acquire);  // sync: queue-register
      for (; bits != 0; bits &= bits - 1)
        overflow_->registered(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)), kind);
    }
  }
}

// --- attention (front_layout.hpp) ---

void mapped::attend() {
  if (attends_ || !may_attend_) return;
  attends_ = true;
  say_attention();
}

// What was stored before may not be here yet: true until `settle_time` is over.
bool mapped::give_up_attending() {
  came_ = 0;
  if (!attends_ && !settling_) [[likely]]
    return false;
  const std::uint64_t now = base::now_ns();
  if (attends_) {
    attends_ = false;
    say_attention();
    gave_up_at_ = now;
  }
  settling_ = now - gave_up_at_ < static_cast<std::uint64_t>(std::chrono::nanoseconds(settle_time).count());
  return settling_;
}

void mapped::announce_to_sleeper(front& f) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  wake_owner(f);
}

std::optional<std::chrono::nanoseconds> mapped::arm() {
  if (overflow_->work()) return std::nullopt;
  const bool settling = give_up_attending();  // before the bit, and before the look into lines and rings
  auto& word = own_->inbox.tail;
  std::uint64_t tail = word.load(std::memory_order_relaxed);  // relaxed: the CAS checks it
  do {
    if ((tail & ~flag_bits) != inbox_.head() && inbox_.find() != nullptr) {
      gap_ = true;
      return std::nullopt;
    }
    // Sequentially consistent: what we look at from here on, others store before they look for this bit.
  } while (!word.compare_exchange_weak(tail, tail | sleep_bit, std::memory_order_seq_cst,
                                       std::memory_order_relaxed));
  LOADSTONE_FAULT_POINT("asleep.armed");
  for (auto& line : lines_) {  // sync: pair-line — stored before the look at the sleep bit
    pair_word seen;
    if (line->arrived(&seen, true, std::memory_order_seq_cst)) return std::nullopt;
  }
  if (stream_at_hand()) return std::nullopt;
  if (own_->rung.load(std::memory_order_seq_cst) != 0) return std::nullopt;  // sync: queue-register
  if ((tail & ~flag_bits) == inbox_.head()) {
    gap_sleeps_ = 0;
    return settling ? std::chrono::nanoseconds(settle_time) : longest_sleep;
  }
  // Claimed and not published; that claimer did not see the bit and will not ring. It is between two stores,
  // or stopped, or dead.
  if (inbox_.find() != nullptr) {
    gap_ = true;
    return std::nullopt;
  }
  gap_ = true;
  if (gap_sleeps_ < 8) ++gap_sleeps_;
  if (gap_sleeps_ > 4) check_first_holder();
  const auto nap = std::chrono::microseconds(50) * (1 << gap_sleeps_);  // up to 13 ms
  return settling ? std::min(nap, settle_time) : nap;
}

void mapped::disarm() {
  // Relaxed: only our own bit, and a ring that comes late costs one look.
  if ((own_->inbox.tail.load(std::memory_order_relaxed) & sleep_bit) != 0)
    own_->inbox.tail.fetch_and(~sleep_bit, std::memory_order_relaxed);
}

void mapped::check_first_holder() {
  std::uint64_t position = inbox_.head();
  for (std::uint32_t p = 0; p < peers_.size(); ++p) {
    memory::process_entry& entry = job_.process(p);
    if (entry.arena_open.load(std::memory_order_acquire) == 0) continue;  // sync: arena-open
    auto got = memory_.reach(memory::front_of(p));
    if (!got) return;  // it may be the holder
    auto& intent = reinterpret_cast<front*>(got->at)->intent;
    // Acquire: if the holder has gone on to another slot, this one is published, and seen below (sync:
    // inbox-intent).
    if (intent.inbox.load(std::memory_order_acquire) != self_) continue;
    if (intent.position.load(std::memory_order_acquire) != position) continue;
    if (memory::is_alive(job_, p)) return;
  }
  if (inbox_.front() != nullptr || !inbox_.pending()) return;
  inbox_.void_first();
  ++counts_.voided;
}

}  // namespace loadstone::transport
