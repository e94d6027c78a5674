#include "memory/job.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "base/cpus.hpp"
#include "base/fault.hpp"
#include "base/round_up.hpp"
#include "memory/arena_layout.hpp"
#include "memory/layout_digest.hpp"
#include "memory/liveness.hpp"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef F_SEAL_SHRINK
#define F_SEAL_SHRINK 0x0002
#endif

namespace loadstone::memory {

using base::code;
using base::status;

struct job::state {
  std::shared_ptr<file_mapper> mapper;
  std::byte* front = nullptr;
  std::size_t front_bytes = 0;
  job_header* header = nullptr;
  std::uint32_t self = UINT32_MAX;
  std::unique_ptr<std::uint64_t> random_number;  // on the heap: peers read it with process_vm_readv

  ~state() {
    if (front != nullptr) mapper->unmap(0, front, front_bytes);
  }
};

namespace {

std::uint64_t random_word() {
  std::uint64_t word = 0;
  while (word == 0) {
    if (getrandom(&word, sizeof word, 0) != sizeof word && errno != EINTR) return 1;
  }
  return word;
}

std::uint64_t failures_at(std::uint64_t io_at, std::uint32_t capacity) {
  return io_at + sizeof(io_area) + std::uint64_t{capacity} * sizeof(io_writer);
}

std::uint64_t io_bytes(std::uint32_t capacity) {
  return failures_at(0, capacity) + std::uint64_t{capacity} * sizeof(io_failures);
}

int make_file() {
  int descriptor = memfd_create("loadstone-job", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (descriptor < 0 && errno == EINVAL)  // older kernels do not know the third flag
    descriptor = memfd_create("loadstone-job", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return descriptor;
}

// How large a file may become here. Asking for more would bring SIGXFSZ, which kills.
std::uint64_t file_size_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return INT64_MAX;
  return std::min<std::uint64_t>(limit.rlim_cur, INT64_MAX);
}

status check_header(const job_header& h, std::uint64_t file_bytes) {
  status foreign{code::invalid, 0, "the descriptor announced by the launcher is not a Loadstone job"};
  if (h.magic != job_magic) return foreign;
  if (h.layout != layout_digest || h.header_bytes != sizeof(job_header) ||
      h.entry_bytes != sizeof(process_entry))
    return {code::version, 0,
            "mpiexec and the MPI library are of different Loadstone versions: use those of one installation"};
  if (h.capacity == 0 || h.capacity > 1u << 20 || h.world_size == 0 || h.world_size > h.capacity)
    return foreign;
  if (h.table_at != sizeof(job_header) || h.board_slots > 1u << 16) return foreign;
  if (h.board_at != h.table_at + std::uint64_t{h.capacity} * sizeof(process_entry)) return foreign;
  if (h.requests_at != h.board_at + std::uint64_t{h.board_slots} * sizeof(board_slot)) return foreign;
  if (h.io_at != h.requests_at + sizeof(request_area)) return foreign;
  const std::uint64_t front = h.io_at + io_bytes(h.capacity);
  if (h.arenas_at != base::round_up(front, granule)) return foreign;
  if (h.arena_span < first_region_bytes || h.arena_span > max_arena_span || h.arena_span % granule != 0)
    return foreign;
  if (h.file_bytes != file_bytes || h.arenas_at + h.arena_span * h.capacity != file_bytes) return foreign;
  return status::success();
}

}  // namespace

base::result<std::unique_ptr<job>> job::create(const job_config& config) try {
  std::uint32_t capacity = std::max(config.capacity, config.world_size);
  if (config.world_size == 0) return status{code::invalid, 0, "a job needs at least one process"};
  std::uint64_t table_end = sizeof(job_header) + std::uint64_t{capacity} * sizeof(process_entry);
  const std::uint64_t requests_at = table_end + board_slots * sizeof(board_slot);
  static_assert(sizeof(board_slot) % isolation == 0 && sizeof(process_entry) % isolation == 0);
  const std::uint64_t io_at = requests_at + sizeof(request_area);
  static_assert(sizeof(request_area) % isolation == 0 && sizeof(io_area) % isolation == 0);
  std::uint64_t arenas_at = base::round_up(io_at + io_bytes(capacity), granule);
  std::uint64_t most = file_size_limit();
  if (most < arenas_at + std::uint64_t{capacity} * first_region_bytes)
    return status{code::no_memory, EFBIG,
                  "the file-size limit (ulimit -f) is too small for the memory of this job"};
  std::uint64_t span =
      std::min({base::round_up(config.arena_span, granule), max_arena_span, (most - arenas_at) / capacity});
  span = std::max<std::uint64_t>(span / granule * granule, first_region_bytes);

  int descriptor = make_file();
  if (descriptor < 0) return status{code::system, errno, "memfd_create for the job memory failed"};
  auto made = std::unique_ptr<job>(new job);
  made->state_ = std::make_unique<state>();
  state& s = *made->state_;
  s.mapper = std::make_shared<file_mapper>(descriptor, shared_views);
  std::uint64_t file_bytes = arenas_at + span * capacity;
  if (ftruncate(descriptor, static_cast<off_t>(file_bytes)) != 0)
    return status{code::no_memory, errno, "the job memory cannot be made that large"};
  // Nobody who holds the descriptor can take memory away from under the others.
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  int failed;
  // But for what only some processes need: reserve_failures().
  do failed = fallocate(descriptor, 0, 0, static_cast<off_t>(failures_at(io_at, capacity)));
  while (failed != 0 && errno == EINTR);
  if (failed != 0) return status{code::no_memory, errno, "no memory for the job's process table"};
  auto front = s.mapper->map(0, arenas_at);
  if (!front) return front.error();
  s.front = *front;
  s.front_bytes = arenas_at;
  s.header = new (s.front) job_header{};
  job_header& h = *s.header;
  h.magic = job_magic;
  h.layout = layout_digest;
  h.header_bytes = sizeof(job_header);
  h.entry_bytes = sizeof(process_entry);
  h.world_size = config.world_size;
  h.capacity = capacity;
  h.board_slots = memory::board_slots;
  h.table_at = sizeof(job_header);
  h.board_at = table_end;
  h.requests_at = requests_at;
  h.io_at = io_at;
  h.arenas_at = arenas_at;
  h.file_bytes = file_bytes;
  h.arena_span = span;
  h.arena_limit = config.arena_limit == 0 ? span : std::min(config.arena_limit, span);
  h.launcher = config.launcher;
  h.cpus = config.cpus != 0 ? config.cpus : base::usable_cpus();
  for (std::uint32_t i = 0; i < capacity; ++i) made->process(i).cpu = -1;
  if (config.launcher != 0) hold_launcher_lock(*made);
  h.ready.store(random_word(), std::memory_order_release);  // sync: job-ready; publishes the whole front
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe a job"};
}

base::result<std::unique_ptr<job>> job::attach(int descriptor) try {
  struct stat file {};
  if (fstat(descriptor, &file) != 0)
    return status{code::invalid, errno, "the descriptor of the job is not open"};
  status foreign{code::invalid, 0, "the descriptor announced by the launcher is not a Loadstone job"};
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (!S_ISREG(file.st_mode) || file.st_size < static_cast<off_t>(sizeof(job_header)) || seals < 0 ||
      (seals & F_SEAL_SHRINK) == 0)
    return foreign;
  alignas(job_header) std::byte copy[sizeof(job_header)];
  if (pread(descriptor, copy, sizeof copy, 0) != sizeof copy) return foreign;
  const auto& h = *reinterpret_cast<const job_header*>(copy);
  // sync: job-ready. A launcher starts its ranks after create(); pread of sealed, published words
  // needs no more than the check.
  if (h.ready.load(std::memory_order_acquire) == 0) return foreign;
  if (status checked = check_header(h, static_cast<std::uint64_t>(file.st_size)); !checked.ok())
    return checked;

  auto made = std::unique_ptr<job>(new job);
  made->state_ = std::make_unique<state>();
  state& s = *made->state_;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  s.mapper = std::make_shared<file_mapper>(descriptor, shared_views);
  auto mapped = s.mapper->map(0, h.arenas_at);
  if (!mapped) {
    s.mapper->disown();
    return mapped.error();
  }
  s.front = *mapped;
  s.front_bytes = h.arenas_at;
  s.header = reinterpret_cast<job_header*>(s.front);
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe a job"};
}

base::result<std::unique_ptr<job>> job::second_view(bool share_mappings) try {
  auto made = std::unique_ptr<job>(new job);
  made->state_ = std::make_unique<state>();
  state& s = *made->state_;
  if (share_mappings && state_->mapper->shared()) {
    s.mapper = state_->mapper;
  } else {
    int descriptor = fcntl(state_->mapper->descriptor(), F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0) return status{code::system, errno, "no descriptor for another view of the job"};
    s.mapper = std::make_shared<file_mapper>(descriptor, false);
  }
  auto mapped = s.mapper->map(0, state_->front_bytes);
  if (!mapped) return mapped.error();
  s.front = *mapped;
  s.front_bytes = state_->front_bytes;
  s.header = reinterpret_cast<job_header*>(s.front);
  return made;
} catch (const std::bad_alloc&) {
  return status{code::no_memory, ENOMEM, "no memory to describe a job"};
}

job::~job() = default;

job_header& job::header() {
  return *state_->header;
}

process_entry& job::process(std::uint32_t index) {
  auto* table = reinterpret_cast<process_entry*>(state_->front + state_->header->table_at);
  return table[index];
}

board_slot* job::board() {
  return reinterpret_cast<board_slot*>(state_->front + state_->header->board_at);
}

request_area& job::requests() {
  return *reinterpret_cast<request_area*>(state_->front + state_->header->requests_at);
}

io_area& job::io() {
  return *reinterpret_cast<io_area*>(state_->front + state_->header->io_at);
}

io_writer& job::io(std::uint32_t index) {
  auto* table = reinterpret_cast<io_writer*>(state_->front + state_->header->io_at + sizeof(io_area));
  return table[index];
}

io_failures& job::failures(std::uint32_t index) {
  return reinterpret_cast<io_failures*>(&io(state_->header->capacity))[index];
}

status job::reserve_failures(std::uint32_t index) {
  const std::uint64_t at =
      failures_at(state_->header->io_at, state_->header->capacity) + index * sizeof(io_failures);
  while (fallocate(descriptor(), 0, static_cast<off_t>(at), sizeof(io_failures)) != 0) {
    if (errno != EINTR) return {code::no_memory, errno, "no memory for what a process is told of its files"};
  }
  return status::success();
}

int job::descriptor() const {
  return state_->mapper->descriptor();
}

std::uint32_t job::self() const {
  return state_->self;
}

void job::enter(process_state state) {
  if (state_->self != UINT32_MAX)
    process(state_->self)
        .state.store(static_cast<std::uint32_t>(state), std::memory_order_release);  // sync: process-claimed
}

std::string_view job::agree(std::string_view mine) {
  job_header& h = header();
  std::uint32_t seen = 0;
  // Relaxed: who loses has learnt nothing from it.
  if (h.agreed.compare_exchange_strong(seen, 1, std::memory_order_relaxed)) {
    h.agreed_bytes = static_cast<std::uint32_t>(std::min(mine.size(), job_header::agreed_room));
    std::memcpy(h.agreed_text, mine.data(), h.agreed_bytes);
    h.agreed.store(2, std::memory_order_release);  // sync: job-agreed
  }
  // Acquire: the text is whole (sync: job-agreed). Its writer may be dead, if the job is being
  // stopped.
  while (h.agreed.load(std::memory_order_acquire) != 2) {
    const auto phase = static_cast<job_phase>(h.phase.load(std::memory_order_relaxed));
    if (phase != job_phase::running) return {};
    sched_yield();
  }
  return {h.agreed_text, h.agreed_bytes};
}

void job::note_exit(int status) {
  if (state_->self == UINT32_MAX) return;
  process_entry& entry = process(state_->self);
  // relaxed: our own store, of this thread or of one that it has waited for
  const auto now = static_cast<process_state>(entry.state.load(std::memory_order_relaxed));
  if (entry.pid != getpid() || now != process_state::initialized) return;
  entry.returned.store((static_cast<std::uint32_t>(status) & 0xff) + 1,
                       std::memory_order_relaxed);  // relaxed: read when the process is dead
}

file_mapper& job::mapper() {
  return *state_->mapper;
}

status job::claim(std::uint32_t index) try {
  if (index >= header().capacity) return {code::invalid, 0, "there is no such process in this job"};
  process_entry& entry = process(index);
  if (state_->random_number != nullptr)
    return {code::invalid, 0, "this process has claimed its place in the job already"};
  auto number = std::make_unique<std::uint64_t>(random_word());
  auto expected = static_cast<std::uint32_t>(process_state::free);
  // relaxed: winning grants the right to write the fields below; nothing was published before.
  if (!entry.state.compare_exchange_strong(expected, static_cast<std::uint32_t>(process_state::claiming),
                                           std::memory_order_relaxed))
    return {code::stranger, 0, "another process has taken this rank's place in the job"};
  base::set_fault_process(index);
  LOADSTONE_FAULT_POINT("job.claiming");
  state_->random_number = std::move(number);
  state_->self = index;
  entry.pid = getpid();
  entry.start_time = start_time_of(entry.pid);
  entry.locked = hold_life_lock(*this, index) ? 1 : 0;
  entry.apart = sees_launcher_apart(*this) ? 1 : 0;
  entry.random_number = *state_->random_number;
  entry.random_address = reinterpret_cast<std::uint64_t>(state_->random_number.get());
  entry.state.store(static_cast<std::uint32_t>(process_state::claimed),
                    std::memory_order_release);  // sync: process-claimed
  LOADSTONE_FAULT_POINT("job.claimed");
  return status::success();
} catch (const std::bad_alloc&) {
  return {code::no_memory, ENOMEM, "no memory to claim a place in the job"};
}

}  // namespace loadstone::memory
