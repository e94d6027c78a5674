// The way to a target's memory, decided at first contact (window.hpp), and what carries each
// transfer to or from ordinary memory. Costs are those of a put in one block; a layout adds its
// walk.
//
//   direct   loads and stores: a store for 8 bytes, the speed of a copy for many
//   system   ordinary memory: a system call (`carrier`), or two copies, if the owner helps
//   asked    a message to the owner, and its answer; the owner has to look for messages
#pragma once

#include <algorithm>
#include <cstdint>

namespace loadstone::model {
struct machine;
}

namespace loadstone::rma {

enum class way : std::uint8_t { direct, system, asked };

// What decides. The same memory may have different ways from different origins.
struct circumstances {
  bool self;           // the target is the calling process
  bool record_here;    // its record is mapped here
  bool in_job_memory;  // its part of the window is in job memory
  bool memory_here;    // that is mapped here
  bool system_allows;  // its ordinary memory may be read and written by the system's calls
};

constexpr way choose(const circumstances& c) {
  if (c.self) return way::direct;
  if (!c.record_here) return way::asked;
  // Memory in which others use atomic instructions is not changed by the system's calls.
  if (c.in_job_memory) return c.memory_here ? way::direct : way::asked;
  return c.system_allows ? way::system : way::asked;
}

constexpr const char* name_of(way w) {
  return w == way::direct ? "direct" : w == way::system ? "system" : "asked";
}

// What carries a transfer by the way `system`:
//
//   blocks   process_vm_*: a piece for each block of the target; the kernel looks up each anew
//   span     gets: one piece from the first block to the last, of which the blocks are copied here
//   handed   through memory of the job, from which the owner copies, or to which, if it waits in a
//            call (handed.hpp); taken back if it does not come
//   thread   through memory of the job, by the owner's copying thread, while the
//            origin sleeps (copy_thread.hpp); taken back if it does not come
//   shared   accumulates of one block: both ends change blocks of it, and read each other's memory
//            by the system's calls
enum class carrier : std::uint8_t { blocks, span, handed, thread, shared };

constexpr const char* name_of(carrier c) {
  return c == carrier::blocks   ? "blocks"
         : c == carrier::span   ? "span"
         : c == carrier::handed ? "handed"
         : c == carrier::thread ? "thread"
                                : "shared";
}

struct transfer {
  bool get;
  std::int64_t bytes, blocks, span;  // of the target's layout; `span`: from the first byte to the last
  bool changes = false;              // an accumulate: the system's calls read it, and write it back
  bool plain = false;                // one that fetches nothing, of one block at both ends
};

// What is known of an owner at that moment.
struct owner_seen {
  bool may_help = false;    // it has noticed all that it was told of; so it was in a call a moment ago
  bool asleep = false;      // somebody would have to be woken
  bool crowded = false;     // there are fewer cores than processes
  bool beside = false;      // nevertheless it runs now, on another core
  bool comes = false;       // it has to: into the fence that we are in
  bool threads = false;     // others of ours wait while pieces are handed over
  bool thread = false;      // it has one that copies for others
  std::uint64_t since = 0;  // the transfer is timed from then on
};

// In ns, and bytes in a ns: those of the machine (model/machine.hpp), as far as it is known. The
// host of a virtual machine makes three of it at times. So of small transfers in one block it is
// learnt what they take (handed.cpp); for others handing over is only the better by more then.
struct costs {
  double call = 500, piece = 140;  // process_vm_*; each further piece
  double kernel = 20;              // its copy, and one here of what was just read
  double copy = 11;                // two copies by two processes, one behind the other
  double fold = 50;                // adding numbers
  double scatter = 3;              // a block of a layout, copied by a loop
  double hand_over = 600;          // told, noticed, done, seen
  double wake = 28500;             // until a process runs that slept
  double turns = 20000;            // of a few processes on one core
  double meeting = 30000;          // most that somebody is waited for who has to come
};
costs costs_of(const model::machine& here);

struct decision {
  carrier by;
  double ns;                        // what it should take
  double otherwise;                 // what it takes if the owner is in no call
  carrier alone = carrier::blocks;  // what carries it then
  double calls = 0;                 // what it takes by the system's calls alone
};

inline constexpr std::int64_t most_under_gate = 64 * 1024;  // while other threads wait
inline constexpr std::int64_t least_shared = 48 * 1024;
inline constexpr std::int64_t most_by_one_call = 48 * 1024;  // bytes that an accumulate reads by one call
inline constexpr std::int64_t least_piece = 16 * 1024;       // that is handed over

constexpr double by_blocks(const transfer& t, const costs& c) {
  const auto bytes = static_cast<double>(t.bytes);
  const double calls =
      t.changes ? static_cast<double>((t.bytes + most_by_one_call - 1) / most_by_one_call) : 1;
  const double once = calls * c.call + static_cast<double>(t.blocks - 1) * c.piece + bytes / c.kernel;
  return t.changes ? 2 * once + bytes / c.fold : once;
}

constexpr double by_span(const transfer& t, const costs& c) {
  return c.call + static_cast<double>(t.span) / c.kernel + static_cast<double>(t.blocks) * c.scatter +
         static_cast<double>(t.bytes) / c.kernel;
}

constexpr double until_owner_runs(const owner_seen& o, const costs& c) {
  return c.hand_over + (o.asleep ? (o.crowded ? 2 * c.wake : c.wake) : 0);
}

// The owner begins when the first piece is there, and copies, or adds, while the next ones are
// copied in: so the slower of both counts, and the first piece once more.
constexpr double by_owner(const transfer& t, const owner_seen& o, const costs& c) {
  const auto bytes = static_cast<double>(t.bytes),
             first = static_cast<double>(std::min(t.bytes, least_piece));
  return until_owner_runs(o, c) + static_cast<double>(t.blocks) * c.scatter + first / c.copy +
         bytes / (t.changes ? std::min(c.copy, c.fold) : c.copy);
}

// Both sleep, one after the other. With fewer cores than processes others have them meanwhile.
constexpr double by_thread(const transfer& t, const owner_seen& o, const costs& c) {
  const auto bytes = static_cast<double>(t.bytes);
  return (o.crowded ? 4 : 2) * c.wake + static_cast<double>(t.blocks) * c.scatter + bytes / c.copy +
         (t.changes ? bytes / c.fold : 0);
}

// Its origin does what the owner does not come for: so help costs a message; and a change of
// processes, or two, if it sleeps. With fewer cores than processes the owner does all of it: others
// go on meanwhile.
constexpr double by_both(const transfer& t, const owner_seen& o, const costs& c) {
  const auto bytes = static_cast<double>(t.bytes);
  const double origin = by_blocks(t, c),
               owner = (origin - bytes / c.fold) / 2 + bytes / c.fold;  // which only reads
  return until_owner_runs(o, c) + (o.crowded ? owner : origin * owner / (origin + owner));
}

constexpr decision carry(const transfer& t, const owner_seen& o, const costs& c = {}) {
  decision d{carrier::blocks, by_blocks(t, c), 0};
  if (t.get && t.blocks > 1)
    if (const double span = by_span(t, c); span < d.ns) d = {carrier::span, span, 0};
  d.calls = d.ns;
  if (o.thread && t.blocks > 1)
    if (const double thread = by_thread(t, o, c); thread < d.ns)
      d = {carrier::thread, thread, 0, carrier::thread, d.ns};
  d.otherwise = d.ns;
  d.alone = d.by;
  // With fewer cores, who waits and does not sleep has none. But accumulates of several origins on
  // one location come one after another; so they wait anyway, and one turn of the owner is for all.
  if (!o.may_help || (o.crowded && !o.beside && !o.asleep && !t.changes)) return d;
  const auto consider = [&](carrier by, double ns) {
    if (ns < d.ns) d = {by, ns, d.otherwise, d.alone, d.calls};
  };
  if (!o.threads || t.blocks != 1 || t.bytes <= most_under_gate) consider(carrier::handed, by_owner(t, o, c));
  // With fewer cores than processes the owner would have its core for too short.
  if (t.plain && t.bytes >= least_shared && !(o.crowded && d.otherwise > c.turns))
    consider(carrier::shared, by_both(t, o, c));
  return d;
}

// Much is done without the owner in parts, of about so long: an owner that has come meanwhile is
// handed the rest.
constexpr std::int64_t part_alone(std::int64_t bytes, double ns) {
  constexpr double most_ns = 300000;
  if (ns <= most_ns) return bytes;
  const double part = static_cast<double>(bytes) * most_ns / ns;
  return std::min(bytes, std::max(least_piece, static_cast<std::int64_t>(part)));
}

// How long an owner is waited for that may come or not, in ns: half of what it would save at the
// most, so that a wait in vain costs at most that; or, once it was woken, until it must have come,
// though others may have its core.
constexpr double patience(const decision& d, const owner_seen& o, const costs& c = {}) {
  if (o.crowded && !o.beside && !o.asleep) return c.turns;
  if (o.comes && !o.asleep) return c.meeting;  // nothing is lost: the fence would wait as long
  return o.asleep ? std::clamp(d.otherwise / 2, 8 * c.wake, std::max(8 * c.wake, 1e7))
                  : std::clamp(d.otherwise / 2, 500.0, 30000.0);
}

// The same for its copying thread.
constexpr double patience_for_thread(const decision& d, const costs& c = {}) {
  return std::clamp(d.calls / 2, 8 * c.wake, std::max(8 * c.wake, 1e7));
}

}  // namespace loadstone::rma
