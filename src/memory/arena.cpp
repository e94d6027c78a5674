#include "memory/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "memory/arena_layout.hpp"
#include "memory/chunk_index.hpp"
#include "memory/headroom.hpp"
#include "memory/huge_pages.hpp"
#include "memory/range_list.hpp"

namespace loadstone::memory {

using base::code;
using base::status;

namespace {

constexpr std::size_t own_chunk_from = 1 << 20;   // allocations from here on get a region of their own
constexpr std::size_t promised_from = 256 << 20;  // those become memory where they are touched, if they may
constexpr std::size_t shared_chunk = 4 << 20;     // addresses of a shared one: it gets memory,
constexpr std::size_t piece = 256 << 10;          // so much at a time, as needed
constexpr std::size_t smallest_block = 64;        // a cache line: two blocks never share one
constexpr std::uint64_t reserve_step = 8 << 20;   // a signal makes fallocate start over: keep its steps short

// This thread holds the mutex of an arena. What is allocated then for the arena's own lists must
// not come back for more of it, if a program's malloc is served from here.
thread_local bool within = false;
struct within_arena {
  within_arena() { within = true; }
  ~within_arena() { within = false; }
};

enum class use : std::uint8_t {
  shared,    // by many allocations
  own,       // holds one large allocation
  promised,  // the same, and not reserved
  lent,      // divided by somebody else, and not reserved
};

struct chunk {
  std::byte* base = nullptr;  // nullptr: no such region
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t reserved = 0;  // of a shared one, from its begin on
  std::uint16_t generation = 0;
  use used = use::shared;
  range_list free;  // offsets within the chunk
};

}  // namespace

struct arena::state {
  state(job& j, std::uint32_t who) : owner(j), self(who), left(headroom::of_this_process()) {}

  job& owner;
  std::uint32_t self;
  std::uint64_t file_at = 0;  // of this arena in the job's file
  std::uint64_t limit = 0;
  headroom left;
  region_table* table = nullptr;
  chunk_index index;

  mutable std::mutex mutex;                 // guards everything below
  std::vector<chunk> chunks;                // by region number
  std::vector<std::uint16_t> free_numbers;  // regions given back, whose numbers may be used again
  range_list file_ranges;                   // of the job's file, within this arena's span
  std::unordered_map<const void*, std::uint64_t> blocks;  // size of every allocation
  std::atomic<std::size_t> reserved{0};
  std::atomic<std::size_t> unused{0};  // of that, in shared chunks

  ~state() {
    for (chunk& c : chunks) {
      if (c.base == nullptr || c.used == use::lent) continue;
      if (c.used == use::promised) take_back_promise(c.bytes);
      owner.mapper().unmap(file_at + c.offset, c.base, c.bytes);
    }
  }

  status within_limit(std::uint64_t bytes) const;
  status may_take(std::uint64_t bytes) const;
  status charge(std::uint64_t bytes);
  status reserve(std::uint64_t offset, std::uint64_t bytes, std::byte* huge);
  void punch(std::uint64_t offset, std::uint64_t bytes);
  bool promise(std::uint64_t bytes);
  void take_back_promise(std::uint64_t bytes) {
    owner.header().promised.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: as in promise()
  }
  base::result<std::uint16_t> add_chunk(std::uint64_t bytes, use used, std::uint64_t at_once);
  status extend(std::uint16_t number, std::uint64_t bytes, std::uint64_t alignment);
  void remove_chunk(std::uint16_t number);
  void* take_from(std::uint16_t number, std::size_t bytes, std::size_t alignment);
  void give(std::uint16_t number, std::uint64_t from, std::uint64_t bytes) {
    chunks[number].free.give(from, bytes);
    unused.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: a figure
  }
  base::result<void*> allocate(std::size_t bytes, std::size_t alignment);
  void publish(std::uint16_t number, region_word word) {
    table->regions[number].store(word.bits, std::memory_order_release);  // sync: region-publish
  }
};

status arena::state::within_limit(std::uint64_t bytes) const {
  // relaxed: a figure; with charges of other threads at the same time the limit may be passed by
  // one of them
  if (bytes > limit - std::min<std::uint64_t>(limit, reserved.load(std::memory_order_relaxed)))
    return {code::no_memory, 0, "the arena limit of this process (LOADSTONE_ARENA_LIMIT) is reached"};
  return status::success();
}

status arena::state::may_take(std::uint64_t bytes) const {
  status checked = within_limit(bytes);
  return checked.ok() ? left.check(bytes) : checked;
}

status arena::state::charge(std::uint64_t bytes) {
  status taken = may_take(bytes);
  if (taken.ok()) reserved.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: a figure
  return taken;
}

// `huge`: where it is mapped, if it is to be huge pages; what cannot be is single ones.
status arena::state::reserve(std::uint64_t offset, std::uint64_t bytes, std::byte* huge) {
  if (status checked = may_take(bytes); !checked.ok()) return checked;
  if (huge != nullptr) take_huge_pages(owner.descriptor(), file_at + offset, huge, bytes);
  for (std::uint64_t done = 0; done < bytes;) {
    std::uint64_t step = std::min(reserve_step, bytes - done);
    if (fallocate(owner.descriptor(), 0, static_cast<off_t>(file_at + offset + done),
                  static_cast<off_t>(step)) != 0) {
      if (errno == EINTR) continue;
      int number = errno;
      punch(offset, bytes);
      return {code::no_memory, number,
              "the system refused memory for the job (shared memory or overcommit limit)"};
    }
    done += step;
  }
  reserved.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: a figure
  LOADSTONE_FAULT_POINT("arena.reserved");
  return status::success();
}

void arena::state::punch(std::uint64_t offset, std::uint64_t bytes) {
  int failed;
  do
    failed = fallocate(owner.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                       static_cast<off_t>(file_at + offset), static_cast<off_t>(bytes));
  while (failed != 0 && errno == EINTR);
}

// May so much become memory where it is touched? Programs often touch little of their largest
// windows, and to reserve takes 0.3 ms a MiB. But who touches what is not to be had is killed: so
// all that is promised is at most half of what is left.
bool arena::state::promise(std::uint64_t bytes) {
  const std::uint64_t most = left.left() / 2;
  // Relaxed: a sum, of which nothing hangs. Added first, so that no two processes take the same.
  if (owner.header().promised.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most) return true;
  take_back_promise(bytes);
  return false;
}

// `at_once`: the memory that it is to have now, unless it is promised.
base::result<std::uint16_t> arena::state::add_chunk(std::uint64_t bytes, use used, std::uint64_t at_once) {
  bytes = base::round_up(bytes, granule), at_once = base::round_up(at_once, granule);
  if (status checked = within_limit(at_once); !checked.ok()) return checked;
  std::uint16_t number;
  bool fresh = free_numbers.empty();
  if (!fresh) {
    number = free_numbers.back();
  } else if (chunks.size() < max_regions) {
    number = static_cast<std::uint16_t>(chunks.size());
    chunks.emplace_back();
    free_numbers.reserve(chunks.size());  // so that giving back needs no memory
  } else {
    return status{code::no_memory, 0,
                  "this process has used up its region numbers: too many large allocations at once"};
  }
  auto undo_number = [&] {
    if (fresh) chunks.pop_back();
  };
  const bool large = used == use::own && bytes >= huge_page;
  auto at = file_ranges.take(bytes, large ? huge_page : granule);
  if (!at && large) at = file_ranges.take(bytes, granule);
  if (!at) {
    undo_number();
    return status{code::no_memory, 0, "the file range of this process's arena is used up"};
  }
  const std::uint64_t offset = *at - file_at;
  const auto undo = [&] {
    file_ranges.give(*at, bytes);
    undo_number();
  };
  auto base = owner.mapper().map(*at, bytes);
  if (!base) {
    undo();
    return base.error();
  }
  if (used == use::own && bytes >= promised_from && promise(bytes)) used = use::promised;
  status given = status::success();
  if (used == use::promised)
    given = charge(bytes);
  else if (at_once != 0)
    given = reserve(offset, at_once, large ? *base : nullptr);
  if (!given.ok()) {
    if (used == use::promised) take_back_promise(bytes);
    owner.mapper().unmap(*at, *base, bytes);
    undo();
    return given;
  }
  if (!fresh) free_numbers.pop_back();
  chunk& c = chunks[number];
  c.base = *base;
  c.offset = offset;
  c.bytes = bytes;
  c.reserved = at_once;
  c.used = used;
  c.free = range_list();
  if (number == 0) table = reinterpret_cast<region_table*>(c.base);
  auto start = reinterpret_cast<std::uintptr_t>(c.base);
  index.insert({start, start + bytes, number | static_cast<std::uint64_t>(c.generation) << 16});
  publish(number, region_word::make(c.generation, offset / granule, bytes / granule));
  return number;
}

// Memory behind what a shared chunk has, so that its end has room for such a block.
status arena::state::extend(std::uint16_t number, std::uint64_t bytes, std::uint64_t alignment) {
  chunk& c = chunks[number];
  const std::uint64_t from = base::round_up(c.reserved - c.free.bytes_before(c.reserved), alignment);
  const std::uint64_t least = base::round_up(from + bytes - c.reserved, granule);
  std::uint64_t more = std::min(std::max<std::uint64_t>(least, piece), c.bytes - c.reserved);
  status given = reserve(c.offset + c.reserved, more, nullptr);
  if (given.kind == code::no_memory && more > least)  // close to a limit: only what is needed
    given = reserve(c.offset + c.reserved, more = least, nullptr);
  if (!given.ok()) return given;
  c.reserved += more;
  give(number, c.reserved - more, more);
  return status::success();
}

void arena::state::remove_chunk(std::uint16_t number) {
  chunk& c = chunks[number];
  index.erase(reinterpret_cast<std::uintptr_t>(c.base));
  ++c.generation;
  publish(number, region_word::make(c.generation, 0, 0));  // first no newcomers, then no pages
  owner.mapper().unmap(file_at + c.offset, c.base, c.bytes);
  punch(c.offset, c.bytes);
  if (c.used == use::promised) take_back_promise(c.bytes);
  reserved.fetch_sub(c.bytes, std::memory_order_relaxed);
  file_ranges.give(file_at + c.offset, c.bytes);
  c.base = nullptr;
  // A number whose generations are used up is never given out again: a stale address can then not
  // fit a new region.
  if (c.generation != UINT16_MAX) free_numbers.push_back(number);
}

void* arena::state::take_from(std::uint16_t number, std::size_t bytes, std::size_t alignment) {
  chunk& c = chunks[number];
  auto at = c.free.take(bytes, alignment);
  if (!at) return nullptr;
  unused.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: a figure
  void* block = c.base + *at;
  blocks.emplace(block, bytes);
  return block;
}

base::result<void*> arena::state::allocate(std::size_t bytes, std::size_t alignment) {
  alignment = std::max(alignment, smallest_block);
  if ((alignment & (alignment - 1)) != 0 || alignment > granule)
    return status{code::invalid, 0, "an alignment must be a power of two of at most 64 KiB"};
  if (bytes > max_arena_span)
    return status{code::no_memory, 0, "more memory was asked for than an arena can hold"};
  bytes = base::round_up(std::max<std::size_t>(bytes, 1), smallest_block);
  if (bytes >= own_chunk_from) {
    auto number = add_chunk(bytes, use::own, bytes);
    if (!number) return number.error();
    blocks.emplace(chunks[*number].base, bytes);
    return static_cast<void*>(chunks[*number].base);
  }
  constexpr std::size_t none = max_regions;
  std::size_t youngest = none;
  for (std::size_t i = chunks.size(); i-- > 0;) {  // the youngest is the emptiest
    const chunk& c = chunks[i];
    if (c.base == nullptr || c.used != use::shared) continue;
    if (youngest == none && c.bytes - c.reserved >= bytes) youngest = i;
    if (c.free.free_bytes() < bytes) continue;
    if (void* block = take_from(static_cast<std::uint16_t>(i), bytes, alignment)) return block;
  }
  auto number = static_cast<std::uint16_t>(youngest);
  if (youngest == none) {
    std::size_t addresses = shared_chunk;
    auto added = add_chunk(addresses, use::shared, 0);
    while (!added && addresses > bytes)  // few are left, in the arena's file or in this process
      added = add_chunk(addresses = std::max(addresses / 2, bytes), use::shared, 0);
    if (!added) return added.error();
    number = *added;
  }
  if (status more = extend(number, bytes, alignment); !more.ok()) return more;
  return take_from(number, bytes, alignment);
}

base::result<std::unique_ptr<arena>> arena::open(job& job, std::uint32_t self) try {
  if (self >= job.header().capacity) return status{code::invalid, 0, "there is no such process in this job"};
  auto made = std::unique_ptr<arena>(new arena);
  made->state_ = std::make_unique<state>(job, self);
  state& s = *made->state_;
  job_header& header = job.header();
  s.file_at = header.arenas_at + header.arena_span * self;
  s.limit = header.arena_limit;
  s.file_ranges.give(s.file_at, header.arena_span);
  auto first = s.add_chunk(first_region_bytes, use::shared, first_region_bytes);
  if (!first) return first.error();
  std::size_t ordinary = front_of(self).offset + front_bytes;
  s.give(0, ordinary, first_region_bytes - ordinary);
  s.table->magic = region_table_magic;
  job.process(self).arena_open.store(1, std::memory_order_release);  // sync: arena-open; publishes region 0
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe an arena"};
}

arena::~arena() = default;

base::result<void*> arena::allocate(std::size_t bytes, std::size_t alignment) try {
  std::lock_guard lock(state_->mutex);
  const within_arena mark;
  return state_->allocate(bytes, alignment);
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe an allocation"};
}

void arena::release(void* block) {
  if (block == nullptr) return;
  state& s = *state_;
  std::lock_guard lock(s.mutex);
  const within_arena mark;
  auto found = s.blocks.find(block);
  if (found == s.blocks.end()) return;  // not ours: the caller is told by find() before
  std::uint64_t bytes = found->second;
  s.blocks.erase(found);
  chunk_place place;
  if (!s.index.find(reinterpret_cast<std::uintptr_t>(block), 1, &place)) return;
  auto number = static_cast<std::uint16_t>(place.id & 0xffff);
  chunk& c = s.chunks[number];
  if (c.used != use::shared)
    s.remove_chunk(number);
  else
    s.give(number, static_cast<std::uint64_t>(static_cast<std::byte*>(block) - c.base), bytes);
}

base::result<arena::lent> arena::lend(std::size_t bytes) try {
  state& s = *state_;
  if (within) return status{code::refused, 0, "this thread is within the arena"};
  if (bytes == 0 || bytes > max_arena_span)
    return status{code::no_memory, 0, "more memory was asked for than an arena can hold"};
  std::lock_guard lock(s.mutex);
  const within_arena mark;
  auto number = s.add_chunk(bytes, use::lent, 0);
  if (!number) return number.error();
  const chunk& c = s.chunks[*number];
  madvise(c.base, c.bytes, MADV_DODUMP);  // it holds what the program would have in memory of its own
  return lent{c.base, c.bytes, s.owner.descriptor(), s.file_at + c.offset};
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe a region"};
}

base::status arena::charge(std::size_t bytes) try {
  return state_->charge(bytes);
} catch (const std::bad_alloc&) {
  return {code::no_memory, ENOMEM, "no memory to look at the limits"};
}

void arena::discharge(std::size_t bytes) {
  state_->reserved.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: a figure
}

bool arena::find(const void* p, std::size_t n, address* where) const {
  chunk_place place;
  auto at = reinterpret_cast<std::uintptr_t>(p);
  if (!state_->index.find(at, n, &place)) return false;
  where->region = {state_->self, static_cast<std::uint16_t>(place.id),
                   static_cast<std::uint16_t>(place.id >> 16)};
  where->offset = at - place.base;
  return true;
}

address arena::address_of(const void* block) const {
  address where{};
  find(block, 1, &where);
  return where;
}

void* arena::pointer(address where) const {
  std::lock_guard lock(state_->mutex);
  return state_->chunks[where.region.number].base + where.offset;
}

bool arena::has_spare(std::size_t bytes) const {
  const std::size_t unused = state_->unused.load(std::memory_order_relaxed);  // relaxed: a figure
  return reserved_bytes() + bytes <= state_->limit / 2 + unused;
}

std::size_t arena::reserved_bytes() const {
  return state_->reserved.load(std::memory_order_relaxed);
}

}  // namespace loadstone::memory
