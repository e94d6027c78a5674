#include "rma/attached.hpp"

#include <sched.h>

#include <cstring>
#include <new>

#include "base/fault.hpp"
#include "memory/liveness.hpp"
#include "rma/engine.hpp"
#include "wait/pause.hpp"

namespace loadstone::rma {

using base::code;
using base::status;

namespace {

constexpr std::uint32_t looks_before_yield = 256;

std::uint64_t word_from(memory::region_id region) {
  std::uint64_t word;
  std::memcpy(&word, &region, sizeof word);
  return word;
}

memory::region_id region_of(std::uint64_t word) {
  memory::region_id region;
  std::memcpy(&region, &word, sizeof region);
  return region;
}

struct range_copy {
  std::uint64_t base, bytes, region, offset;
  std::uint64_t end() const { return base + bytes; }
};

// Acquire on every word, so that the look at the version that follows cannot come before (sync:
// rma-attached).
range_copy read(const attached_range& r) {
  return {r.base.load(std::memory_order_acquire), r.bytes.load(std::memory_order_acquire),
          r.region.load(std::memory_order_acquire), r.offset.load(std::memory_order_acquire)};
}

// Release on every word, so that whoever sees a new one sees the odd version (sync: rma-attached).
void write(attached_range& r, const range_copy& with) {
  r.base.store(with.base, std::memory_order_release);
  r.bytes.store(with.bytes, std::memory_order_release);
  r.region.store(with.region, std::memory_order_release);
  r.offset.store(with.offset, std::memory_order_release);
}

// While it lives the table is being changed.
class change {
 public:
  explicit change(std::atomic<std::uint64_t>& version) : version_(version) {
    // relaxed: only the owner writes it; what follows is stored with release
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    LOADSTONE_FAULT_POINT("rma.attaching");
  }
  ~change() {
    version_.store(version_.load(std::memory_order_relaxed) + 1,
                   std::memory_order_release);  // sync: rma-attached
  }
  change(const change&) = delete;
  change& operator=(const change&) = delete;

 private:
  std::atomic<std::uint64_t>& version_;
};

}  // namespace

attached_memory::~attached_memory() {
  for (void* table : tables_) arena_.release(table);
}

std::size_t attached_memory::find(std::uintptr_t base) const {
  std::size_t first = 0, last = used_;
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    // relaxed: we have written it
    if (table_[middle].base.load(std::memory_order_relaxed) < base)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

status attached_memory::make_room() {
  if (used_ < room_) return status::success();
  const std::size_t room = room_ == 0 ? 32 : 2 * room_;
  tables_.reserve(tables_.size() + 1);
  auto block = arena_.allocate(room * sizeof(attached_range));
  if (!block) return block.error();
  tables_.push_back(*block);
  auto* const table = new (*block) attached_range[room]();
  for (std::size_t i = 0; i < used_; ++i) write(table[i], read(table_[i]));
  const memory::address where = arena_.address_of(table);
  const change now(record_.attached.version);
  record_.attached.region.store(word_from(where.region), std::memory_order_release);
  record_.attached.offset.store(where.offset, std::memory_order_release);
  table_ = table;
  room_ = room;
  return status::success();
}

status attached_memory::attach(void* base, std::int64_t bytes) try {
  const std::lock_guard hold(lock_);
  const auto start = reinterpret_cast<std::uintptr_t>(base);
  const auto length = static_cast<std::uint64_t>(bytes);
  if (bytes == 0) {
    empty_.emplace(start, 0);
    return status::success();
  }
  const std::size_t at = find(start);
  if ((at < used_ && read(table_[at]).base - start < length) ||
      (at > 0 && read(table_[at - 1]).end() > start))
    return {code::invalid, 0, "the memory overlaps what is attached already"};
  if (const status room = make_room(); !room.ok()) return room;
  range_copy range{start, length, no_region, 0};
  if (memory::address where; arena_.find(base, length, &where)) {
    range.region = word_from(where.region);
    range.offset = where.offset;
  }
  const change now(record_.attached.version);
  for (std::size_t i = used_; i > at; --i) write(table_[i], read(table_[i - 1]));
  write(table_[at], range);
  record_.attached.count.store(++used_, std::memory_order_release);
  return status::success();
} catch (const std::bad_alloc&) {
  return {code::no_memory, 0, "no memory to describe what is attached"};
}

bool attached_memory::detach(const void* base) {
  const std::lock_guard hold(lock_);
  const auto start = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t at = find(start);
  if (at == used_ || read(table_[at]).base != start) {
    const auto empty = empty_.find(start);
    if (empty == empty_.end()) return false;
    empty_.erase(empty);
    return true;
  }
  const change now(record_.attached.version);
  for (std::size_t i = at; i + 1 < used_; ++i) write(table_[i], read(table_[i + 1]));
  record_.attached.count.store(--used_, std::memory_order_release);
  return true;
}

// Where the table is, and its version: they belong together. The owner may be just changing it.
status attachments::look(snapshot* s) const {
  auto& there = target_.record->attached;
  for (std::uint32_t looks = 1;; ++looks) {
    s->version = there.version.load(std::memory_order_acquire);  // sync: rma-attached
    s->count = there.count.load(std::memory_order_acquire);
    s->table = {region_of(there.region.load(std::memory_order_acquire)),
                there.offset.load(std::memory_order_acquire)};
    if (s->version % 2 == 0 && unchanged(*s)) return status::success();
    wait::pause();
    if (looks % looks_before_yield != 0) continue;
    if (!self_ && !memory::is_alive(window_.engine().job(), target_.process))
      return {code::gone, 0, "the target has died while it attached memory"};
    sched_yield();
  }
}

// Null: it cannot be mapped here.
std::byte* attachments::mapped(memory::address where) {
  if (self_) return static_cast<std::byte*>(window_.engine().arena().pointer(where));
  auto& [generation, pin] = regions_[where.region.number];
  if (!pin || generation != where.region.generation) {
    pin = window_.engine().endpoint().map(where.region);
    generation = where.region.generation;
  }
  return pin ? pin.at(where.offset) : nullptr;
}

trouble attachments::find(const remote_data& where, std::int64_t from, std::int64_t to, place* found) {
  trouble t = find(from, to, found);
  if (t.what != wrong::unattached || where.type->in_one_block(where.count)) return t;
  // What is between the blocks need not be attached.
  struct looking {
    attachments& self;
    const trouble all;
    trouble now;
  } look{*this, t, {}};
  datatype::for_each_block(
      reinterpret_cast<const void*>(found->address), where.count, *where.type, 0, where.bytes(),
      [](void* context, void* block, std::size_t length) {
        auto& l = *static_cast<looking*>(context);
        place ignored{};
        const auto start = reinterpret_cast<std::int64_t>(block);
        l.now = l.self.find(start, start + static_cast<std::int64_t>(length), &ignored);
        if (l.now.what == wrong::unattached) l.now = l.all;
        return l.now.ok();
      },
      &look);
  if (look.now.ok() && self_) found->memory = reinterpret_cast<std::byte*>(found->address);
  return look.now;
}

trouble attachments::find(std::int64_t from, std::int64_t to, place* found) try {
  if (target_.record == nullptr) return {};  // the owner looks
  const std::lock_guard hold(lock_);
  const auto first = static_cast<std::uint64_t>(from), last = static_cast<std::uint64_t>(to);
  range_copy range{};
  for (;;) {
    snapshot s;
    if (const status looked = look(&s); !looked.ok()) return trouble::of(looked);
    const auto* const table =
        s.count == 0 ? nullptr : reinterpret_cast<const attached_range*>(mapped(s.table));
    if (s.count != 0 && table == nullptr) {
      found->way = way::asked;
      return {};
    }
    std::size_t low = 0, high = s.count;  // the ranges from `high` on begin behind `first`
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (table[middle].base.load(std::memory_order_acquire) <= first)
        low = middle + 1;
      else
        high = middle;
    }
    range = {};
    if (low > 0) range = read(table[low - 1]);
    // Further ranges may follow without a gap.
    while (range.end() < last && low < s.count) {
      const range_copy next = read(table[low++]);
      if (next.base != range.end()) break;
      range.bytes += next.bytes;
      if (range.region == no_region || next.region != range.region ||
          next.offset != range.offset + (next.base - range.base))
        range.region = no_region;  // not in one piece
    }
    if (unchanged(s)) break;
  }
  if (first < range.base || range.end() < last || last < first)
    return {.what = wrong::unattached, .from = from, .to = to};
  if (self_) {
    found->memory = reinterpret_cast<std::byte*>(found->address);
  } else if (range.region != no_region) {
    std::byte* const at = mapped({region_of(range.region), range.offset});
    found->way = at != nullptr ? way::direct : way::asked;
    // What the displacement points to need not be attached itself: computed as an integer.
    found->memory =
        reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(at) + (found->address - range.base));
  }
  return {};
} catch (const std::bad_alloc&) {
  return trouble::of({code::no_memory, 0, "no memory to describe what is attached"});
}

}  // namespace loadstone::rma
