#include "transport/inbox.hpp"

namespace loadstone::transport::inbox {

void prepare(inbox_lines& lines, slot* slots, std::uint32_t count, std::uint64_t first_position) {
  first_position &= ~flag_bits;
  // Nobody looks before the front is ready: relaxed is enough for all of these (sync: front-ready
  // publishes them).
  lines.tail.store(first_position, std::memory_order_relaxed);
  lines.head.store(first_position, std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) slots[i].identity.store(0, std::memory_order_relaxed);
}

consumer::consumer(inbox_lines* lines, slot* slots, std::uint32_t count, std::uint64_t first_position,
                   bool marks)
    : lines_(lines),
      slots_(slots),
      mask_(count - 1),
      marks_(marks),
      head_(first_position & ~flag_bits),
      taken_bits_((count + 63) / 64) {}

slot* consumer::find() {
  std::uint64_t end = lines_->tail.load(std::memory_order_acquire) & ~flag_bits;  // sync: inbox-claim
  slot* found = nullptr;
  for (;;) {
    std::uint64_t position = head_;
    slot* first = nullptr;
    std::uint64_t first_at = end;
    for (; position != end; position += step) {
      if (is_taken(position)) continue;
      slot& s = slots_[(position / step) & mask_];
      if (s.identity.load(std::memory_order_acquire) == (position | published_bit)) {  // sync: inbox-publish
        first = &s;
        first_at = position;
        break;
      }
    }
    if (first == nullptr || first == found || first_at == head_) return first;
    // Behind an unpublished slot. Its sender may have published both between our two looks, the
    // earlier one first: now that this one has been seen (acquire), look again; only if nothing
    // earlier has appeared is it the next of its sequence.
    found = first;
    end = first_at + step;
  }
}

void consumer::release_found(slot* found) {
  auto index = static_cast<std::uint64_t>(found - slots_);
  if (index == ((head_ / step) & mask_)) {
    release();
    return;
  }
  taken_bits_[index / 64] |= std::uint64_t{1} << (index % 64);
  ++taken_;
}

void consumer::skip_taken() {
  while (taken_ != 0 && is_taken(head_)) {
    std::uint64_t i = (head_ / step) & mask_;
    taken_bits_[i / 64] &= ~(std::uint64_t{1} << (i % 64));
    --taken_;
    head_ += step;
  }
}

void consumer::void_first() {
  // No one else writes this word any more; the mark is for whoever reads the memory afterwards.
  slots_[(head_ / step) & mask_].identity.store(head_ | voided_bits, std::memory_order_relaxed);
  go_on();
}

}  // namespace loadstone::transport::inbox
