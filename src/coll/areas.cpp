#include "coll/areas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/fault.hpp"
#include "coll/schedule.hpp"
#include "memory/liveness.hpp"
#include "wait/flag_barrier.hpp"
#include "wait/presence.hpp"

namespace loadstone::coll {

// --- memory

area* area_memory::allocate(std::size_t slot_bytes, std::uint32_t members) {
  sweep();
  auto block = arena_.allocate(area::bytes(slot_bytes), memory::isolation);
  if (!block) return nullptr;
  area* const a = new (*block) area{};
  a->slot_bytes = static_cast<std::uint32_t>(slot_bytes);
  a->members = members;
  for (std::uint64_t parity : {0u, 1u}) new (&a->slot(parity)) area_slot{};
  a->magic = area_magic;
  return a;
}

void area_memory::release_when_left(area* a, std::byte* const (&blocks)[2]) {
  sweep();
  departing_.push_back({a, {blocks[0], blocks[1]}});
}

void area_memory::sweep() {
  std::erase_if(departing_, [this](const departing& d) {
    // Acquire: all that others have done there is over (sync: area-left).
    if (d.at->left.load(std::memory_order_acquire) + 1 != d.at->members) return false;
    for (std::byte* block : d.blocks)
      if (block != nullptr) arena_.release(block);
    arena_.release(d.at);
    return true;
  });
}

bool area_memory::reaches(std::span<const std::uint32_t> processes) const {
  return std::all_of(processes.begin(), processes.end(), [this](std::uint32_t process) {
    return process < job_.header().capacity && endpoint_.way_to(process).mapped;
  });
}

bool area_memory::crowded(std::size_t processes) const {
  return job_.header().cpus != 0 && processes > job_.header().cpus;
}

bool area_memory::has_died(std::uint32_t process) const {
  if (process == endpoint_.self() || memory::is_alive(job_, process)) return false;
  memory::note_death(job_, process);
  return true;
}

std::vector<memory::locality> area_memory::localities(std::span<const std::uint32_t> processes) {
  if (places_.empty()) places_ = memory::localities_of(job_, job_.header().world_size);
  memory::locality unknown;
  unknown.fill(memory::nowhere);
  std::vector<memory::locality> found;
  for (const std::uint32_t p : processes) found.push_back(p < places_.size() ? places_[p] : unknown);
  return found;
}

bool area_memory::shares_core(std::uint32_t process) const {
  const auto core_of = [this](std::uint32_t p) { return wait::presence::core_of(job_.process(p).presence); };
  return core_of(process) == core_of(endpoint_.self());
}

// --- the areas of one sequence

areas::areas(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
             std::size_t slot_bytes)
    : memory_(memory),
      processes_(processes.begin(), processes.end()),
      members_(processes.size()),
      rank_(rank),
      slot_bytes_(slot_bytes),
      crowded_(memory.crowded(processes.size())),
      serial_(memory.next_serial()),
      own_(memory.allocate(slot_bytes, static_cast<std::uint32_t>(processes.size()))) {}

// Others may still read what we have published, so ours stays until they have left.
areas::~areas() {
  memory_.forget(*this, block_bytes_[0] + block_bytes_[1]);
  if (own_ == nullptr) return;
  if (state_ != state::shared) {  // nobody has used it
    memory_.release(own_);
    return;
  }
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_)
      members_[static_cast<std::size_t>(r)].at->left.fetch_add(1,
                                                               std::memory_order_release);  // sync: area-left
  LOADSTONE_FAULT_POINT("coll.left");
  memory_.release_when_left(own_, blocks_);
}

area_introduction areas::introduce() {
  if (own_ == nullptr) return {{}, 0};
  return {memory_.address_of(own_), 1};
}

bool areas::meet(std::span<const area_introduction> all) {
  for (const area_introduction& a : all)
    if (a.there == 0) return false;
  for (std::int32_t r = 0; r < size(); ++r) {
    member& m = members_[static_cast<std::size_t>(r)];
    if (r == rank_) {
      m.at = own_;
      continue;
    }
    const memory::address where = all[static_cast<std::size_t>(r)].where;
    m.pin = memory_.endpoint().map(where.region);
    if (!m.pin) return false;
    m.at = reinterpret_cast<area*>(m.pin.at(where.offset));
    if (m.at->magic != area_magic) return false;
  }
  LOADSTONE_FAULT_POINT("coll.met");
  return true;
}

void areas::decide(bool shared, bool buffers) {
  state_ = shared ? state::shared : state::refused;
  buffers_ = shared && buffers;
  if (shared) return;
  for (member& m : members_) m = {};
  if (own_ != nullptr) memory_.release(own_);
  own_ = nullptr;
}

// --- the line

void areas::line_up(schedule& s) {
  line_.push_back(&s);
  if (line_.size() == 1 && !running_) s.advance();
}

bool areas::leaves_others(schedule& s) {
  const auto at = std::find(line_.begin(), line_.end(), &s);
  const bool first = at == line_.begin();
  line_.erase(at);
  return first && !line_.empty() && !running_;
}

void areas::go_on() {
  running_ = true;
  while (!line_.empty()) {
    schedule* const next = line_.front();
    next->advance();
    if (!line_.empty() && line_.front() == next) break;
  }
  running_ = false;
}

// --- one operation

void areas::begin(std::uint32_t number, bool counted, const signature& does) {
  begun_ = true;
  // The counter of a communicator has 31 bits for each of its sequences.
  number_ += counted ? ((number - static_cast<std::uint32_t>(number_)) & 0x7fffffffu) : 1u;
  does_ = static_cast<std::uint16_t>(static_cast<unsigned>(does.what) << 12 | (does.algorithm & 15u) << 8 |
                                     (static_cast<unsigned>(does.root) & 255u));
  heard_ = 0;
}

void areas::finish(bool used_slots) {
  begun_ = false;
  looking_ = looking::nothing;
  if (used_slots) told_finished(number_);
}

void areas::told_finished(std::uint64_t number) {
  if (told_ >= number) return;
  told_ = number;
  // Sequentially consistent, both: either we see that it is wanted, or who wants it sees it
  // (sync: area-finished).
  own_->finished.store(number, std::memory_order_seq_cst);
  if (own_->wanted.load(std::memory_order_seq_cst) == 0) [[likely]]
    return;
  own_->wanted.store(0, std::memory_order_relaxed);  // relaxed: who still wants it says so again
  wake_all();
}

void areas::wake_all() {
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_) wake(r);
}

bool areas::is_past(std::int32_t rank, std::uint64_t number) {
  member& m = members_[static_cast<std::size_t>(rank)];
  if (m.past >= number) return true;
  m.past = std::max(m.past, m.at->finished.load(std::memory_order_acquire));  // sync: area-finished
  if (m.past >= number) return true;
  m.at->wanted.store(1, std::memory_order_seq_cst);
  m.past = std::max(m.past, m.at->finished.load(std::memory_order_seq_cst));  // sync: area-finished
  return m.past >= number;
}

bool areas::ready() {
  const std::uint64_t used = used_[number_ % 2];
  if (past_all_ >= used) [[likely]]
    return true;
  // Of counters: all have come since.
  const std::uint64_t gone =
      members_[0].at->released.load(std::memory_order_acquire) >> 16;  // sync: area-released
  if (gone > used) return past_all_ = gone - 1, true;
  const member_set& readers = readers_[number_ % 2];
  for (std::int32_t r = 0; r < size(); ++r)
    if (r != rank_ && readers.has(r) && !is_past(r, used)) return wait_for(looking::slot, r);
  if (readers == member_set::all()) past_all_ = used;
  return true;
}

// Who waits says that it is past all before, as others may wait for that.
bool areas::wait_for(looking what, std::int32_t index) {
  looking_ = what;
  looking_at_ = index;
  told_finished(number_ - 1);
  return false;
}

void areas::publish(std::int32_t to) {
  used_[number_ % 2] = number_;
  readers_[number_ % 2] = member_set::all();
  // The data comes with it (sync: area-published).
  own_slot().published.store(mark(), std::memory_order_release);
  LOADSTONE_FAULT_POINT("coll.published");
  if (to == all) {
    wake_all();
  } else if (to != nobody) {
    wake(to);
  }
}

bool areas::published_is(std::int32_t by) {
  member& m = members_[static_cast<std::size_t>(by)];
  if (m.at->slot(number_).published.load(std::memory_order_acquire) != mark())  // sync: area-published
    return wait_for(looking::one, by);
  m.past = std::max(m.past, number_ - 1);
  return true;
}

bool areas::published_is_below(std::int32_t below) {
  for (; heard_ < below; ++heard_)
    if (heard_ != rank_ && !published_is(heard_)) {
      looking_ = looking::many;
      looking_at_ = below;
      return false;
    }
  return true;
}

bool areas::all_published_is() {
  if (!published_is_below(size())) return false;
  past_all_ = number_ - 1;
  return true;
}

void areas::tell(std::uint32_t round) {
  const wait::flag_barrier geometry(own_->flags, rank_, size());
  const std::int32_t to = geometry.to(round);
  members_[static_cast<std::size_t>(to)].at->flags[round].store(
      mark(), std::memory_order_release);  // sync: flag-barrier
  LOADSTONE_FAULT_POINT("coll.told");
  wake(to);
}

// A writer that is ahead has heard of us, so of a later number no more is asked.
bool areas::told_is(std::uint32_t round) {
  const std::uint64_t flag = own_->flags[round].load(std::memory_order_acquire);  // sync: flag-barrier
  if (flag == mark() || flag >> 16 > number_) return true;
  return wait_for(looking::flag, static_cast<std::int32_t>(round));
}

// Whoever finds a later operation there, or another one, has not come to what all others do: it
// waits, asks, and is told (disagreement.hpp).
bool areas::arrive() {
  std::atomic<std::uint64_t>& arrived = members_[0].at->arrived[number_ % 2].word;
  const std::uint64_t empty = (number_ & 0xffffffffu) << 32 | std::uint64_t{does_} << 16;
  std::uint64_t seen = arrived.load(std::memory_order_relaxed);  // relaxed: the exchange decides
  for (;;) {
    const bool same = seen >> 16 == empty >> 16;
    if (!same && static_cast<std::int32_t>((seen >> 32) - (empty >> 32)) >= 0) return false;
    const std::uint64_t next = (same ? seen : empty) + 1;
    // Acquire and release: what all did before comes to the last one (sync: area-arrived).
    if (arrived.compare_exchange_weak(seen, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      used_[number_ % 2] = number_;
      readers_[number_ % 2] = member_set::all();
      LOADSTONE_FAULT_POINT("coll.arrived");
      return (next & 0xffffu) == members_.size();
    }
  }
}

void areas::let_go(std::int32_t whom) {
  members_[0].at->released.store(mark(), std::memory_order_release);  // sync: area-released
  past_all_ = number_ - 1;
  LOADSTONE_FAULT_POINT("coll.released");
  if (whom == all) {
    wake_all();
  } else if (whom != nobody && whom != rank_) {
    wake(whom);
  }
}

bool areas::let_go_is() {
  if (members_[0].at->released.load(std::memory_order_acquire) != mark())  // sync: area-released
    return wait_for(looking::release, 0);
  past_all_ = number_ - 1;
  return true;
}

// --- along the levels of the machine

void areas::pass(bool back) {
  const std::size_t which = number_ % 2;
  if (used_[which] != number_) readers_[which] = {};
  used_[which] = number_;
  if (back) past_all_ = number_ - 1;  // all have come, as the root has heard
  // The data comes with it (sync: area-published).
  own_slot().published.store(back ? mark_back() : mark(), std::memory_order_release);
}

void areas::read_by(std::int32_t rank) {
  readers_[number_ % 2].add(rank);
  wake(rank);
}

bool areas::passed_is(std::int32_t by, bool back) {
  member& m = members_[static_cast<std::size_t>(by)];
  const std::uint64_t seen =
      m.at->slot(number_).published.load(std::memory_order_acquire);  // sync: area-published
  if (seen != (back ? mark_back() : mark())) return wait_for(looking::tree, by);
  m.past = std::max(m.past, number_ - 1);
  if (back) past_all_ = number_ - 1;
  return true;
}

// --- who is missing

bool areas::is_missing(std::int32_t rank) const {
  const auto has_published = [&](std::int32_t r) {
    return members_[static_cast<std::size_t>(r)].at->slot(number_).published.load(
               std::memory_order_relaxed) == mark();  // relaxed: whether to ask, no more
  };
  switch (looking_) {
    case looking::nothing:
      return false;
    case looking::slot:
      return rank == looking_at_;
    case looking::one:
      return rank == looking_at_;
    case looking::many:
      return rank < looking_at_ && !has_published(rank);
    case looking::flag:
      return rank ==
             wait::flag_barrier(own_->flags, rank_, size()).from(static_cast<std::uint32_t>(looking_at_));
    case looking::release:
      return true;  // any of them
    case looking::work:
      return awaited_.has(rank);
    case looking::tree:  // whom we wait for may wait for others
      return members_[static_cast<std::size_t>(rank)].at->finished.load(std::memory_order_acquire) <
             number_;  // sync: area-finished
  }
  return false;
}

std::uint64_t areas::counted() const {
  // Relaxed: for people to read, and for whether to yield again.
  return members_[0].at->arrived[number_ % 2].word.load(std::memory_order_relaxed) & 0xffffu;
}

std::uint64_t areas::near() const {
  switch (looking_) {
    case looking::many:
      return static_cast<std::uint64_t>(heard_);
    case looking::work:
      return static_cast<std::uint64_t>(size() - awaited_.count());
    case looking::release:
      return counted();
    default:
      return 0;
  }
}

std::int32_t areas::first_missing() const {
  std::int32_t found = nobody;
  if (looking_ == looking::release) return nobody;
  if (looking_ == looking::tree) return looking_at_;
  missing([&](std::int32_t r) {
    if (found == nobody) found = r;
  });
  return found;
}

std::uint64_t areas::described() const {
  const auto number = [this]() -> std::uint64_t {
    if (looking_ == looking::release) return counted();
    return static_cast<std::uint32_t>(looking_ == looking::slot ? looking_at_ : first_missing());
  };
  return static_cast<std::uint64_t>(looking_) << 32 | number();
}

void areas::describe(char* text, std::size_t bytes) const {
  const auto number = static_cast<std::int32_t>(described());
  char* end = text;
  switch (looking_) {
    case looking::release:
      end = fmt::format_to_n(text, bytes - 1, "{} of {} are there", number, size()).out;
      break;
    case looking::slot:
      end = fmt::format_to_n(text, bytes - 1, "collective before, rank {}", number).out;
      break;
    default:
      end = fmt::format_to_n(text, bytes - 1, "collective, rank {}", number).out;
  }
  *end = 0;
}

}  // namespace loadstone::coll
