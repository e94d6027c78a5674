#include "transport/line_lane.hpp"

namespace loadstone::transport {

bool line_lane::may_have_more() {
  return lines_.size() < most_ && lines_.size() < memory_.mappings().max_entries() / 8;
}

// The process with the lower number proposes, and reads the line from now on; the other one has the
// first turn.
std::optional<std::uint64_t> line_lane::make_for(std::uint32_t index) {
  if (memory_.self() >= index || proposed_ == most_ || !may_have_more()) return std::nullopt;
  auto got = memory_.arena().allocate(sizeof(pair_line), memory::isolation);
  if (!got) return std::nullopt;
  auto* line = static_cast<pair_line*>(*got);
  // Relaxed: the message that names the line publishes it.
  line->word.store(0, std::memory_order_relaxed);
  ++proposed_;
  lines_.push_back(std::make_unique<pair_line_end>(index, line, memory::pin{}, false));
  peers_.met(index).line = lines_.back().get();
  return local_address::of(memory_.arena().address_of(line)).bits;
}

void line_lane::withdraw(std::uint32_t index) {
  pair_line_end& end = *peers_.met(index).line;
  memory_.arena().release(end.line());
  --proposed_;
  drop(end);
}

void line_lane::accept(std::uint32_t index, local_address where) {
  peer* p = peers_.reach(index);
  auto got = memory_.reach(where.in(index));
  if (!got) return;  // it reads a line that nobody writes
  auto end = std::make_unique<pair_line_end>(index, reinterpret_cast<pair_line*>(got->at),
                                             std::move(got->pin), true);
  if (p == nullptr || !may_have_more()) return end->refuse();
  p->line = end.get();
  lines_.push_back(std::move(end));
}

void line_lane::drop(pair_line_end& line) {
  peers_.met(line.peer()).line = nullptr;
  std::erase_if(lines_, [&](const auto& l) { return l.get() == &line; });
}

// --- buffers ---

bool line_lane::make_buffer(pair_line_end& line, std::size_t capacity) {
  if (buffers_ + capacity > buffer_limit_ || !memory_.arena().has_spare(capacity)) return false;
  auto got = memory_.arena().allocate(capacity + pair_buffer::begin, pair_buffer::page);
  if (!got) {
    buffer_limit_ = buffers_ + capacity - 1;  // asking costs more than a cell
    return false;
  }
  buffers_ += capacity;
  const auto where = local_address::of(memory_.arena().address_of(*got)).bits;
  change_buffer(
      line, {{where, static_cast<std::uint32_t>(capacity), true}, static_cast<std::byte*>(*got), {}}, false);
  return true;
}

// The one that the peer has made and names. If it cannot be reached, there is none.
void line_lane::take_buffer(pair_line_end& line, const pair_buffer::name& name) {
  auto got = memory_.insist(local_address{name.where}.in(name.owned ? memory_.self() : line.peer()));
  change_buffer(line, got ? pair_buffer(name, got->at, std::move(got->pin)) : pair_buffer(), true);
}

// Nobody reads the old one any more: the turn is ours, or was when the peer wrote into a new one.
void line_lane::change_buffer(pair_line_end& line, pair_buffer buffer, bool told) {
  if (const pair_buffer& old = line.buffer(); old.known_as().owned) {
    buffers_ -= old.known_as().capacity;
    memory_.arena().release(old.memory());
  }
  line.set_buffer(std::move(buffer), told);
}

}  // namespace loadstone::transport
