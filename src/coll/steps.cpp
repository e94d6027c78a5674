// How the steps of schedules are done, one after the other.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/fault.hpp"
#include "coll/areas_inl.hpp"
#include "coll/packed.hpp"
#include "coll/schedule.hpp"
#include "copy/copy.hpp"
#include "datatype/type.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {
// What is near the mark goes without a call.
void copy_short(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes <= sizeof(area_slot::near))
    copy::small(to, from, bytes);
  else
    copy::ordinary(to, from, bytes);
}
void pack(std::byte* to, const p2p::buffer& data, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (data.type->in_one_block(data.count))
    copy_short(to, data.type->block_at(data.address), bytes);
  else
    datatype::pack(data.address, data.count, *data.type, 0, static_cast<std::int64_t>(bytes), to);
}
void unpack(const std::byte* from, const p2p::buffer& data, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (data.type->in_one_block(data.count))
    copy_short(data.type->block_at(data.address), from, bytes);
  else
    datatype::unpack(const_cast<void*>(data.address), data.count, *data.type, 0,
                     static_cast<std::int64_t>(bytes), from);
}
}  // namespace

void lookers::add(schedule& s) {
  if (all_.empty()) endpoint_->look([](void* self) { static_cast<lookers*>(self)->look(); }, this);
  all_.push_back(&s);  // there is room: reserve()
}

void lookers::remove(schedule& s) {
  std::erase(all_, &s);
  if (all_.empty()) endpoint_->look(nullptr, nullptr);
}

// One that ends goes from the list, and may start others.
void lookers::look() {
  if (looking_) return;
  looking_ = true;
  for (std::size_t i = 0; i < all_.size();) {
    schedule* const s = all_[i];
    s->advance();
    if (i < all_.size() && all_[i] == s) ++i;
  }
  looking_ = false;
}

// Whoever waits for this one alone looks itself.
void schedule::look_later() {
  if (waited_ == waited::from_start || waited_ == waited::alone || there_.looking) return;
  there_.looking = true;
  lookers_->add(*this);
}

void schedule::look_no_more() {
  if (waited_ == waited::now) waited_ = waited::alone;
  if (std::exchange(there_.looking, false)) lookers_->remove(*this);
}

void schedule::advance() {
  if (advancing_ || left_) return;  // an advance() up the stack goes on with it, or another thread
  advancing_ = true;
  // They do not change while it runs; where it goes on may.
  step* const steps = steps_.data();
  const std::size_t before = cursor_, end = steps_.size();
  while (cursor_ < end) {
    step& s = steps[cursor_];
    if (s.what == action::wait && pending_ != 0) {
      LOADSTONE_FAULT_POINT("coll.waiting");
      break;
    }
    ++cursor_;
    switch (s.what) {
      case action::wait:
        break;
      case action::send:
      case action::receive:
        post(s);
        break;
      case action::reduce:
        if (!s.op->predefined() && messages_.leave_to_program(resume, this)) [[unlikely]] {
          --cursor_;
          left_ = true;
          advancing_ = false;
          return;
        }
        s.op->combine(s.data.address, s.higher, const_cast<void*>(s.target.address), s.target.count,
                      *s.target.type);
        break;
      default:
        --cursor_;
        if (go_on_without_messages()) break;
        advancing_ = false;
        if (before != 0 && cursor_ != before) areas_->note_progress();
        if (!left_) look_later();
        return;
    }
  }
  advancing_ = false;
  if (cursor_ == end && pending_ == 0) return finish();
  // What it last looked for there may be missing for good: a member that has ended since.
  if (there_.begun) areas_->look_for_nobody();
}

void schedule::copy(const step& s) {
  const std::int64_t bytes = packed_bytes(s.data);
  const bool fits = bytes <= packed_bytes(s.target);
  if (!fits && error_ == 0) error_ = p2p::error_truncate;
  if (fits && s.data.type->in_one_block(s.data.count) && s.target.type->in_one_block(s.target.count))
    return copy_short(s.target.type->block_at(s.target.address), s.data.type->block_at(s.data.address),
                      static_cast<std::size_t>(bytes));
  datatype::transfer(const_cast<void*>(s.target.address), s.target.count, *s.target.type, s.data.address,
                     s.data.count, *s.data.type);
}

inline bool schedule::in_areas(const step& s) {
  areas& a = *areas_;
  switch (s.what) {
    case action::go_on:  // the introduction is passed over when it has been made
      if (s.peer == areas::all || a.decided() != areas::state::unknown)
        cursor_ = static_cast<std::size_t>(s.number);
      return true;
    case action::begin:
      there_.begun = true;
      a.begin(number_ >> 1, own_areas_ == nullptr, does_);
      return true;
    case action::put:
      if (!a.ready(static_cast<std::uint64_t>(packed_bytes(s.data)))) return false;
      put(a.rank(), s.data);
      return true;
    case action::publish:
      a.publish(s.peer);
      return true;
    case action::hear:
      return s.peer == areas::all      ? a.all_published_is()
             : s.peer == areas::nobody ? a.published_is_below(s.number)
                                       : has_received(s) || a.published_is(s.peer);
    case action::take:
      take(s);
      return true;
    case action::put_none:
      if (!a.ready(0)) return false;
      a.slot_of(a.rank()).bytes = area_slot::by_message;
      return true;
    case action::put_room:
      if (!a.ready(static_cast<std::uint64_t>(s.number))) return false;
      a.slot_of(a.rank()).bytes = static_cast<std::uint64_t>(s.number);
      return true;
    case action::put_block:
      put_block(s);
      return true;
    case action::take_or_not:
      take_or_not(s);
      return true;
    case action::fold:
      return fold(s);
    case action::tell:
      a.tell(static_cast<std::uint32_t>(s.number));
      return true;
    case action::be_told:
      return a.told_is(static_cast<std::uint32_t>(s.number));
    case action::arrive:
      if (!a.ready(0)) return false;  // who only gives something may be ahead
      if (!a.arrive()) cursor_ = static_cast<std::size_t>(s.number);
      return true;
    case action::answer:
      if (s.peer == a.rank() && !a.ready(static_cast<std::uint64_t>(packed_bytes(s.data)))) return false;
      put(s.peer, s.data);
      return true;
    case action::let_go:
      a.let_go(s.peer);
      return true;
    case action::be_let_go:
      return a.let_go_is();
    case action::pass:
      a.pass(s.phase == 1);
      return true;
    case action::reader:
      a.read_by(s.peer);
      return true;
    case action::be_passed:
      return a.passed_is(s.peer, s.phase == 1);
    case action::offer:
      return offer();
    case action::work:
      return work(s);
    default:
      meet(s);
      return true;
  }
}

bool schedule::go_on_without_messages() {
  step* const steps = steps_.data();
  const std::size_t end = steps_.size();
  while (cursor_ < end && !has_messages(steps[cursor_].what)) {
    const step& s = steps[cursor_++];
    if (s.what == action::copy) {
      copy(s);
    } else if (!in_areas(s)) {
      --cursor_;
      return false;
    }
  }
  return true;
}

// More than there is room for, an error of the program, is not copied; whoever takes it sees that.
void schedule::put(std::int32_t in_slot_of, const p2p::buffer& data) {
  const auto bytes = static_cast<std::uint64_t>(packed_bytes(data));
  std::uint64_t& there = areas_->slot_of(in_slot_of).bytes;
  if (in_slot_of == areas_->rank()) {
    there = bytes;
  } else if (there != bytes) {  // its owner has seen to it that so much may be written
    if (error_ == 0) error_ = p2p::error_truncate;
    return;
  }
  const std::uint64_t copied = std::min<std::uint64_t>(bytes, areas_->most_bytes());
  pack(areas_->data_of(in_slot_of, bytes), data, copied);
}

void schedule::put_block(const step& s) {
  std::byte* const list = areas_->data_of(areas_->rank(), areas_->slot_of(areas_->rank()).bytes);
  const std::int64_t bytes = s.number != 0 ? packed_bytes(s.data) : 0;
  reinterpret_cast<block_in_slot*>(list)[s.peer] = {static_cast<std::uint16_t>(s.number),
                                                    static_cast<std::uint16_t>(bytes)};
  pack(list + s.number, s.data, static_cast<std::uint64_t>(bytes));
}

void schedule::take(const step& s) {
  const auto wanted = static_cast<std::uint64_t>(packed_bytes(s.target));
  const std::uint64_t sent = areas_->slot_of(s.peer).bytes;
  // Of what has been cut off, nothing is there.
  bool cut = sent > areas_->most_bytes();
  std::uint64_t part = sent, from = 0;
  if (s.phase == 1) {
    from = static_cast<std::uint64_t>(s.number * s.target.type->size());
    part = wanted;
    cut = cut || sent != static_cast<std::uint64_t>(packed_bytes(s.data));
  } else if (s.number >= 0) {
    const auto members = static_cast<std::uint64_t>(areas_->size());
    part = sent == wanted * members ? wanted : sent / members;  // a division takes longer than all else
    from = part * static_cast<std::uint64_t>(s.number);
  }
  if ((cut || part > wanted) && error_ == 0) error_ = p2p::error_truncate;
  unpack(areas_->data_of(s.peer, sent) + from, s.target, cut ? 0 : std::min(part, wanted));
}

// What is received although it lies in the slot, as the counts of both ends do not match, an error
// of the program, is received no more: no message comes.
void schedule::take_or_not(const step& s) {
  if (has_received(s)) return;
  const std::uint64_t sent = areas_->slot_of(s.peer).bytes;
  const std::byte* at = nullptr;
  std::uint64_t bytes = sent;
  if (sent != area_slot::by_message) {
    at = areas_->data_of(s.peer, sent);
    bool cut = sent > areas_->most_bytes();
    if (s.phase == 1) {
      const auto rank = static_cast<std::uint64_t>(areas_->rank());
      block_in_slot block{1, 0};
      if (sent >= (rank + 1) * sizeof block) block = reinterpret_cast<const block_in_slot*>(at)[rank];
      bytes = block.bytes;
      cut = cut || std::uint64_t{block.at} + bytes > sent;
      at = block.at != 0 ? at + block.at : nullptr;
    }
    if (cut) bytes = 0;
    if (cut && error_ == 0) error_ = p2p::error_truncate;
  }
  if (at == nullptr) return;
  if (s.number < 0)
    ++cursor_;
  else
    messages_.cancel(steps_[static_cast<std::size_t>(s.number)].request);
  const auto wanted = static_cast<std::uint64_t>(packed_bytes(s.target));
  if (bytes > wanted && error_ == 0) error_ = p2p::error_truncate;
  unpack(at, s.target, std::min(bytes, wanted));
}

bool schedule::fold(const step& s) {
  if (!s.op->predefined() && messages_.leave_to_program(resume, this)) [[unlikely]] {
    left_ = true;
    return false;
  }
  const auto in_slot_of = [&](std::int32_t member) -> const std::byte* {
    const std::uint64_t bytes = areas_->slot_of(member).bytes;
    if (bytes != static_cast<std::uint64_t>(packed_bytes(s.data)) || bytes > areas_->most_bytes())
        [[unlikely]] {
      if (error_ == 0) error_ = p2p::error_truncate;
      return nullptr;
    }
    return areas_->data_of(member, bytes) + s.number * s.target.type->size();
  };
  const bool both = s.phase == 1;
  const std::byte* const lower = in_slot_of(s.peer);
  const void* const higher = both ? in_slot_of(s.peer + 1) : s.higher;
  if (lower == nullptr || (both && higher == nullptr)) return true;
  s.op->combine(lower, higher, const_cast<void*>(s.target.address), s.target.count, *s.target.type);
  return true;
}

bool schedule::offer() {
  if (staying_.publishes() && !areas_->ready_for_offer()) return false;
  staying_.offer(*areas_);
  return true;
}

bool schedule::work(const step& s) {
  areas& a = *areas_;
  // A progress thread that is there for other things alone leaves copying to the program;
  // operations of the user are not for it in any case.
  if ((staying_.of_user() || !a.copied_in_background()) && messages_.leave_to_program(resume, this)) {
    staying_.leave(a);
    left_ = true;
    return false;
  }
  if (!staying_.go_on(a, waited_ == waited::not_yet)) return false;
  if (staying_.refused()) {
    cursor_ = static_cast<std::size_t>(s.number);
    return true;
  }
  const std::int32_t error = staying_.end(a);
  if (error_ == 0) error_ = error;
  return true;
}

// The members have told each other where their areas are: in `data`. They then tell whether they
// have found all of them.
void schedule::meet(const step& s) {
  switch (s.what) {
    case action::meet: {
      if (error_ != 0) break;
      const auto* const told = static_cast<const area_introduction*>(s.data.address);
      const bool found = areas_->meet({told, static_cast<std::size_t>(areas_->size())});
      const bool buffers = found && areas_->reaches_buffers();
      *static_cast<std::byte*>(const_cast<void*>(s.target.address)) =
          std::byte{static_cast<std::uint8_t>(found + 2 * buffers)};
      break;
    }
    case action::decide: {
      if (error_ != 0) {  // a member is dead, or does something else
        cursor_ = steps_.size();
        break;
      }
      const auto* const told = static_cast<const std::byte*>(s.data.address);
      const auto all_say = [&](std::uint8_t what) {
        return std::all_of(told, told + areas_->size(),
                           [&](std::byte b) { return (std::to_integer<std::uint8_t>(b) & what) != 0; });
      };
      areas_->decide(all_say(1), all_say(2));
      break;
    }
    case action::choose:
      if (areas_->decided() == areas::state::refused || (s.phase == 1 && !areas_->buffers()))
        cursor_ = static_cast<std::size_t>(s.number);
      break;
    default:
      break;
  }
}

}  // namespace loadstone::coll
