#include "buffering/failures.hpp"

namespace loadstone::buffering {

using memory::io_failure;
using memory::io_failure_state;

namespace {

constexpr auto word(io_failure_state s) {
  return static_cast<std::uint32_t>(s);
}

// A place of which the state is ours, `writing`. A carrier that died while it wrote a record leaves
// it so: nobody reads that, and its extent is written again by the next.
io_failure* claim_place(memory::io_area& area) {
  for (io_failure& f : area.failures) {
    auto now = f.state.load(std::memory_order_relaxed);  // relaxed: looked at again
    if (now != word(io_failure_state::free) && now != word(io_failure_state::told)) continue;
    // Acquire: behind the reading of whoever was told (sync: io-failure).
    if (f.state.compare_exchange_strong(now, word(io_failure_state::writing), std::memory_order_acquire))
      return &f;
  }
  return nullptr;
}

failure copy_of(const io_failure& f) {
  // relaxed: behind the acquire of the state
  return {f.number,  f.file,
          f.offset,  f.bytes.load(std::memory_order_relaxed),
          f.process, f.times.load(std::memory_order_relaxed)};
}

// Others may write the record while we look, which is why it is looked at again under its state.
bool is_of(io_failure& f, std::uint32_t process, std::uint64_t file) {
  return std::atomic_ref(f.process).load(std::memory_order_relaxed) == process &&
         std::atomic_ref(f.file).load(std::memory_order_relaxed) == file;
}

// Takes a record that nobody has been told of, if it is this one.
bool claim_untold(io_failure& f, std::uint32_t process, std::uint64_t file) {
  std::uint32_t untold = word(io_failure_state::untold);
  if (f.state.load(std::memory_order_acquire) != untold || !is_of(f, process, file)) return false;
  if (!f.state.compare_exchange_strong(untold, word(io_failure_state::writing), std::memory_order_acq_rel))
    return false;
  if (is_of(f, process, file)) return true;
  f.state.store(word(io_failure_state::untold), std::memory_order_release);  // another's by now
  return false;
}

}  // namespace

void note_failure(memory::job& job, std::uint32_t process, std::uint64_t file, std::uint64_t offset,
                  std::uint64_t bytes, int number) {
  memory::io_area& area = job.io();
  memory::io_writer& writer = job.io(process);
  for (io_failure& f : area.failures) {
    // To be added under the record's own state, so that who is told just now has all or the sum
    // before: it is told anew then.
    if (!claim_untold(f, process, file)) continue;
    const bool same = f.number == number;
    if (same) {
      f.bytes.fetch_add(bytes, std::memory_order_relaxed);
      f.times.fetch_add(1, std::memory_order_relaxed);
    }
    f.state.store(word(io_failure_state::untold), std::memory_order_release);  // sync: io-failure
    if (!same) continue;
    writer.failures.fetch_add(1, std::memory_order_relaxed);  // relaxed: published by io-written
    return;
  }
  io_failure* f = claim_place(area);
  if (f == nullptr) {
    area.unlisted.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: read at the end of the job
    return;
  }
  f->number = number;
  std::atomic_ref(f->file).store(file, std::memory_order_relaxed);
  f->offset = offset;
  f->bytes.store(bytes, std::memory_order_relaxed);
  f->times.store(1, std::memory_order_relaxed);
  std::atomic_ref(f->process).store(process, std::memory_order_relaxed);
  f->state.store(word(io_failure_state::untold), std::memory_order_release);  // sync: io-failure
  writer.failures.fetch_add(1, std::memory_order_relaxed);  // relaxed: published by io-written
}

failure take_failure(memory::job& job, std::uint32_t process, std::uint64_t file) {
  for (io_failure& f : job.io().failures) {
    // Taken for the time of the copy: the carrier would add to it.
    if (!claim_untold(f, process, file)) continue;
    const failure told = copy_of(f);
    f.state.store(word(io_failure_state::told), std::memory_order_release);  // sync: io-failure
    return told;
  }
  return {};
}

void each_untold(memory::job& job, const std::function<void(const failure&)>& tell) {
  for (const io_failure& f : job.io().failures)
    if (f.state.load(std::memory_order_acquire) == word(io_failure_state::untold)) tell(copy_of(f));
}

}  // namespace loadstone::buffering
