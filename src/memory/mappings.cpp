#include "memory/mappings.hpp"

#include <unistd.h>

#include <cerrno>
#include <list>
#include <mutex>
#include <new>
#include <unordered_map>

#include "base/fault.hpp"
#include "memory/arena_layout.hpp"

namespace loadstone::memory {

using base::code;
using base::status;

namespace {

std::uint64_t key_of(region_id region) {
  return std::uint64_t{region.process} << 16 | region.number;
}

struct entry {
  std::uint64_t key = 0;  // process and number of the region
  std::uint16_t generation = 0;
  bool stale = false;  // no longer in the table: unmapped with its last pin
  std::uint32_t pins = 0;
  std::byte* base = nullptr;
  std::uint64_t file_at = 0;
  std::size_t bytes = 0;
  bool is(region_id region) const {
    return key == key_of(region) && generation == region.generation && !stale;
  }
};

// A message that both sides copy pins regions five times; with a lock for each, 64 KiB took 2 to 3
// % longer.
class lock_among_threads {
 public:
  explicit lock_among_threads(bool threads) : threads_(threads) {}
  void admit_threads() { threads_ = true; }  // by the only one, which does not have it
  void lock() {
    if (threads_) mutex_.lock();
  }
  void unlock() {
    if (threads_) mutex_.unlock();
  }

 private:
  bool threads_;
  std::mutex mutex_;
};

}  // namespace

struct mappings::state {
  state(job& j, mappings_config c) : owner(j), config(c), mutex(c.threads) {}

  job& owner;
  mappings_config config;
  mutable lock_among_threads mutex;
  std::list<entry> entries;  // most recently used first; addresses stay valid while the order changes
  std::unordered_map<std::uint64_t, std::list<entry>::iterator> table;

  ~state() {
    for (entry& e : entries) owner.mapper().unmap(e.file_at, e.base, e.bytes);
  }

  void unmap(std::list<entry>::iterator at) {
    owner.mapper().unmap(at->file_at, at->base, at->bytes);
    if (!at->stale) table.erase(at->key);
    entries.erase(at);
  }

  // Makes the cache small enough for `coming` more entries, as far as pins allow: least recently
  // used first.
  void shrink(std::size_t coming) {
    for (auto at = entries.end(); at != entries.begin() && entries.size() + coming > config.max_entries;) {
      --at;
      if (at->pins != 0) continue;
      auto victim = at++;
      if (config.events != nullptr) {
        config.events->raise(base::event_kind::mapping_evicted, static_cast<std::int64_t>(victim->key >> 16),
                             static_cast<std::int64_t>(victim->bytes));
      }
      unmap(victim);
    }
  }

  void unmap_available() {
    for (auto at = entries.begin(); at != entries.end();) {
      auto next = std::next(at);
      if (at->pins == 0) unmap(at);
      at = next;
    }
  }

  bool job_closed() const;
  status look_up(region_id region, region_word* word);
  void unpin(entry* e);
};

// Programs that make daemons close every descriptor they find (closefrom), and may have opened
// others since.
bool mappings::state::job_closed() const {
  const std::uint64_t ours = owner.header().ready.load(std::memory_order_relaxed);
  std::uint64_t there = 0;
  return pread(owner.descriptor(), &there, sizeof there, offsetof(job_header, ready)) != sizeof there ||
         there != ours;
}

// Asked of the file, not of a mapping: with a cache of one entry there is no place for the owner's
// region table.
status mappings::state::look_up(region_id region, region_word* word) {
  job_header& header = owner.header();
  if (region.process >= header.capacity || region.number >= max_regions)
    return {code::invalid, 0, "an address in job memory names no region"};
  process_entry& process = owner.process(region.process);
  if (process.arena_open.load(std::memory_order_acquire) == 0)  // sync: arena-open
    return {code::gone, 0, "the peer has not opened its arena"};
  std::uint64_t at = header.arenas_at + header.arena_span * region.process + offsetof(region_table, regions) +
                     region.number * sizeof(std::uint64_t);
  // Read until two looks agree: a word copied by the kernel could in principle be torn.
  const status closed{
      code::system, EBADF,
      "this process has closed the job's descriptor (closefrom, close_fds?): leave those open "
      "that it has not opened"};
  std::uint64_t first = 0, second = 1;
  while (first != second) {
    if (pread(owner.descriptor(), &first, sizeof first, static_cast<off_t>(at)) != sizeof first ||
        pread(owner.descriptor(), &second, sizeof second, static_cast<off_t>(at)) != sizeof second) {
      const int number = errno;
      if (job_closed()) return closed;
      return {code::system, number, "reading a peer's region table failed"};
    }
  }
  word->bits = first;
  if (!word->live() || word->generation() != region.generation) {
    if (job_closed()) return closed;
    return {code::gone, 0, "the peer has given this memory back"};
  }
  if (word->offset() + word->bytes() > header.arena_span)
    return {code::invalid, 0, "a peer's region table is damaged"};
  return status::success();
}

void mappings::state::unpin(entry* e) {
  std::lock_guard lock(mutex);
  if (--e->pins != 0) return;
  if (!e->stale && config.policy == cache_policy::lru && entries.size() <= config.max_entries) return;
  for (auto at = entries.begin(); at != entries.end(); ++at) {
    if (&*at != e) continue;
    unmap(at);
    return;
  }
}

mappings::mappings(job& job, std::uint32_t, mappings_config config)
    : state_(std::make_unique<state>(job, config)) {}
mappings::~mappings() = default;

base::result<pin> mappings::acquire(region_id region) try {
  state& s = *state_;
  std::lock_guard lock(s.mutex);
  const auto latest = [&] {
    entry& e = s.entries.front();
    ++e.pins;
    return pin(this, &e, e.base);
  };
  // The owner is not asked again: an address with this generation was valid when it was sent to us.
  if (!s.entries.empty() && s.entries.front().is(region)) return latest();  // no hash
  auto found = s.table.find(key_of(region));
  if (found != s.table.end() && found->second->is(region)) {
    s.entries.splice(s.entries.begin(), s.entries, found->second);
    return latest();
  }
  region_word word;
  if (status looked = s.look_up(region, &word); !looked.ok()) return looked;
  if (found != s.table.end()) {  // an older generation of the same number
    auto old = found->second;
    if (old->pins == 0) {
      s.unmap(old);
    } else {
      old->stale = true;
      s.table.erase(found);
    }
  }
  s.shrink(1);
  entry fresh;
  fresh.key = key_of(region);
  fresh.generation = region.generation;
  fresh.file_at = s.owner.header().arenas_at + s.owner.header().arena_span * region.process + word.offset();
  fresh.bytes = word.bytes();
  auto base = s.owner.mapper().map(fresh.file_at, fresh.bytes);
  if (!base && base.error().kind == code::no_memory) {  // what is only kept for later goes
    s.unmap_available();
    base = s.owner.mapper().map(fresh.file_at, fresh.bytes);
  }
  if (!base) return base.error();
  fresh.base = *base;
  LOADSTONE_FAULT_POINT("mappings.mapped");
  s.entries.push_front(fresh);
  s.table[fresh.key] = s.entries.begin();
  return latest();
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory for the table of mappings"};
}

void mappings::give_back() {
  std::lock_guard lock(state_->mutex);
  state_->unmap_available();
}

void mappings::admit_threads() {
  state_->mutex.admit_threads();
}

std::size_t mappings::entries() const {
  std::lock_guard lock(state_->mutex);
  return state_->entries.size();
}

std::size_t mappings::max_entries() const {
  return state_->config.max_entries;
}

void pin::unpin() {
  owner_->state_->unpin(static_cast<entry*>(entry_));
}

}  // namespace loadstone::memory
