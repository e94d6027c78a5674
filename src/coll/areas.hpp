// The areas of all members (area_layout.hpp) as one member sees them: of one sequence of
// collectives of a communicator, or of one persistent collective. In them, collectives are stores,
// flags and loads; no message travels.
//
// Order: the operations of a sequence are done one after the other, in the order of their numbers,
// which is the same at all members. So whoever has published number n is past all that are lower.
//
// Slots: operation n uses those of its parity. Nobody closes an operation with a barrier: whoever
// is going to write a slot sees to it that all others are past the operation that it was last
// written for (ready()). What has been seen is remembered, and most operations show it by the way.
//
// Memory: an area is given back when all others have left it (area_memory). They are introduced to
// each other by messages of the first schedule that uses them (area_writer). Where one member
// has no memory for it, all go on with messages.
//
// Model: models/coll_area.pml.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coll/area_layout.hpp"
#include "coll/member_set.hpp"
#include "coll/offers.hpp"
#include "coll/signature.hpp"
#include "copy/store_choice.hpp"
#include "deposit/endpoint.hpp"
#include "memory/arena.hpp"
#include "memory/job.hpp"
#include "memory/locality.hpp"

namespace loadstone::coll {

class areas;
class schedule;

// Where the areas of this process lie: they come from its arena, and go back when nobody looks
// there any more.
class area_memory {
 public:
  area_memory(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena)
      : endpoint_(endpoint), job_(job), arena_(arena) {}

  // All bytes of it but data are 0. Null: no memory.
  area* allocate(std::size_t slot_bytes, std::uint32_t members);
  void release(area* a) { arena_.release(a); }
  void release_when_left(area* a, std::byte* const (&blocks)[2]);  // by all other members
  // Blocks for data that does not fit a slot. Where many are held, those of `areas` that need
  // theirs no more are taken first. Null: no memory.
  std::byte* allocate_block(std::size_t bytes, areas& holder);
  void release_block(std::byte* block, std::size_t bytes);
  void forget(areas& holder, std::size_t bytes) {
    held_ -= bytes;
    std::erase(holders_, &holder);
  }

  deposit::endpoint& endpoint() const { return endpoint_; }
  memory::address address_of(const void* a) const { return arena_.address_of(a); }
  std::byte* pointer(memory::address own) const { return static_cast<std::byte*>(arena_.pointer(own)); }
  // May the buffers of all others be read and written?
  bool reaches_buffers(std::span<const std::uint32_t> processes) const;
  std::uint32_t cores() const { return job_.header().cpus; }
  bool copied_in_background() const { return endpoint_.background().is_for_all(); }
  bool reaches(std::span<const std::uint32_t> processes) const;  // all of them: the same at each of them
  // Are there more of them than cores?
  bool crowded(std::size_t processes) const;
  bool has_died(std::uint32_t process) const;
  bool shares_core(std::uint32_t process) const;  // with us, as it says
  std::uint64_t next_serial() { return ++serials_; }
  copy::store_choice& stores() { return stores_; }
  // Where in the machine they are, by what mpiexec says.
  std::vector<memory::locality> localities(std::span<const std::uint32_t> processes);

 private:
  void sweep();

  deposit::endpoint& endpoint_;
  memory::job& job_;
  memory::arena& arena_;
  struct departing {
    area* at;
    std::byte* blocks[2];
  };
  std::vector<departing> departing_;
  std::vector<areas*> holders_;           // of blocks
  std::vector<memory::locality> places_;  // of all processes, once somebody has asked
  copy::store_choice stores_;
  std::size_t held_ = 0;  // bytes
  std::uint64_t serials_ = 0;
};

// What a member tells the others, before there are areas.
struct area_introduction {
  memory::address where;
  std::uint64_t there;  // 0: it has no memory for one
};

class areas {
 public:
  static constexpr std::int32_t nobody = -1, all = -2;
  enum class state : std::uint8_t { unknown, shared, refused };

  // May throw bad_alloc.
  areas(area_memory& memory, std::span<const std::uint32_t> processes, std::int32_t rank,
        std::size_t slot_bytes);
  ~areas();
  areas(const areas&) = delete;
  areas& operator=(const areas&) = delete;

  std::int32_t size() const { return static_cast<std::int32_t>(members_.size()); }
  std::size_t slot_bytes() const { return slot_bytes_; }
  std::uint64_t serial() const { return serial_; }  // no other areas of this process have or had it
  bool crowded() const { return crowded_; }
  std::uint32_t process_of(std::int32_t rank) const { return processes_[static_cast<std::size_t>(rank)]; }
  bool has_died(std::int32_t rank) const { return memory_.has_died(process_of(rank)); }

  // --- they are found once (area_writer); decided() is the same at all members
  state decided() const { return state_; }
  area_introduction introduce();
  bool meet(std::span<const area_introduction> all);  // false: one has none, or it cannot be mapped here
  void decide(bool shared, bool buffers);
  bool reaches_buffers() const { return memory_.reaches_buffers(processes_); }
  // They are shared, and so may the members' buffers be.
  bool buffers() const { return buffers_; }

  // --- schedules begin in the order in which they are started
  void keep_place() { line_.reserve(line_.size() + 1); }  // so that the next line_up() cannot fail
  void line_up(schedule& s);                              // and begins it, if none is before it
  bool leaves_others(schedule& s);                        // it is over; true: go_on() is owed
  void go_on();                                           // begins the next one

  // --- one operation. `number`: that of the communicator, or 0: the next. Each function that is
  // called `…_is` or `ready` only looks; false: not yet, and somebody will wake us.
  void begin(std::uint32_t number, bool counted, const signature& does);
  void finish(bool used_slots);
  // May our slot be written?
  bool ready();
  area_slot& slot_of(std::int32_t rank) { return members_[static_cast<std::size_t>(rank)].at->slot(number_); }
  offer& offer_of(std::int32_t rank) { return offer::in(slot_of(rank)); }
  area_slot& own_slot() { return own_->slot(number_); }
  void publish(std::int32_t to);
  bool published_is(std::int32_t by);
  bool all_published_is();  // by members [0, below) but us
  bool published_is_below(std::int32_t below);
  // Flags, as many rounds as wait::flag_barrier has.
  void tell(std::uint32_t round);
  bool told_is(std::uint32_t round);
  void past_barrier() { past_all_ = number_ - 1; }
  // Counters. True: we are the last to come.
  bool arrive();
  void let_go(std::int32_t whom);
  bool let_go_is();

  // Trees by levels (levels.hpp). A slot is passed to who is named then: once towards the root, and
  // once, with a mark of its own, when the root has heard from all and gives them something.
  void pass(bool back);
  void read_by(std::int32_t rank);
  bool passed_is(std::int32_t by, bool back);

  // --- data that does not fit a slot (joint.hpp)
  std::int32_t rank() const { return rank_; }
  // Our slot is made known, and nobody is woken for that.
  void publish_quietly();
  // The same; nobody but `members` reads it. With a core for each, they are woken.
  void publish_to(const member_set& members);
  void unpublish();
  bool has_come(std::int32_t member);     // has it published its slot?
  bool await(const member_set& members);  // they have something to do yet; false
  void wake(std::int32_t member) { memory_.endpoint().wake(process_of(member)); }
  // Only if crowded(): as that member says.
  bool shares_core(std::int32_t member) const { return memory_.shares_core(process_of(member)); }
  // Has each process of the job a core, and one is left?
  bool copied_in_background() const { return memory_.copied_in_background(); }
  // How our blocks are written: all of them are written and read by the same cores.
  copy::store_choice& stores() { return memory_.stores(); }
  void wake_all();
  void wake_helpers();  // as many as there are cores beside ours
  // Memory of our own that others map, for this operation; null: there is none.
  std::byte* block(std::size_t bytes);
  bool give_back_blocks();  // if nobody needs them
  memory::address address_of(const std::byte* in_block) const { return memory_.address_of(in_block); }
  // The bytes [at, at + bytes) of a place of another member, or of a block of our own. An error is
  // kept, unless there is one.
  void read(std::int32_t from, const place& p, std::uint64_t at, std::byte* to, std::uint64_t bytes,
            std::int32_t* error);
  void write(std::int32_t to, const place& p, std::uint64_t at, const std::byte* from, std::uint64_t bytes,
             std::int32_t* error);
  // Where they can be read: there, or in `room`, after they have been copied.
  const std::byte* fetch(std::int32_t from, const place& p, std::uint64_t at, std::byte* room,
                         std::uint64_t bytes, std::int32_t* error);
  std::byte* at(std::int32_t member, const place& mapped, std::int32_t* error);  // null: it cannot be mapped

  // Who is missing, of those that the last look was for: visit(rank). For reports, questions and
  // deaths.
  template <class Visit>
  void missing(Visit&& visit) const {
    for (std::int32_t r = 0; r < size(); ++r)
      if (r != rank_ && is_missing(r)) visit(r);
  }
  std::int32_t first_missing() const;
  // How much of what is waited for has come: it grows while a wait lasts.
  std::uint64_t near() const;
  void describe(char* text, std::size_t bytes) const;  // what for
  std::uint64_t described() const;                     // the same as a number

 private:
  enum class looking : std::uint8_t { nothing, slot, one, many, flag, release, work, tree };
  struct member {
    area* at = nullptr;
    memory::pin pin;
    std::uint64_t past = 0;  // operations that it is known to be past
    // The regions of its blocks.
    memory::pin blocks[2];
    memory::region_id of[2] = {};
    std::uint8_t next = 0;
  };
  std::uint64_t counted() const;  // who have arrived
  std::uint64_t mark() const { return number_ << 16 | does_; }
  // What goes both ways has no root, so a bit of that is free.
  std::uint64_t mark_back() const { return mark() ^ 0x80; }
  void told_finished(std::uint64_t number);
  bool is_past(std::int32_t rank, std::uint64_t number);
  bool wait_for(looking what, std::int32_t index);
  bool is_missing(std::int32_t rank) const;

  area_memory& memory_;
  std::vector<std::uint32_t> processes_;
  std::vector<member> members_;
  const std::int32_t rank_;
  const std::size_t slot_bytes_;
  const bool crowded_;
  const std::uint64_t serial_;
  area* own_;
  std::byte* blocks_[2] = {nullptr, nullptr};  // for operations of even and of odd numbers
  std::size_t block_bytes_[2] = {0, 0};
  bool buffers_ = false;
  state state_ = state::unknown;

  std::vector<schedule*> line_;
  bool running_ = false;  // the line
  bool begun_ = false;    // an operation

  std::uint64_t number_ = 0;        // of the present operation
  std::uint16_t does_ = 0;          // what it does
  std::uint64_t used_[2] = {0, 0};  // the last operation that each of our slots was written for
  member_set readers_[2] = {member_set::all(), member_set::all()};  // of it
  std::uint64_t past_all_ = 0;                                      // operations that all others are past
  std::uint64_t told_ = 0;                                          // what `finished` of our own says
  std::int32_t heard_ = 0;  // of those that are looked for, so many have published
  looking looking_ = looking::nothing;
  std::int32_t looking_at_ = 0;  // a rank or a round
  member_set awaited_;
};

}  // namespace loadstone::coll
