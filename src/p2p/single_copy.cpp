// Single-copy: the receiver pulls out of the sender's ordinary memory.
//
// Condition: process_vm_readv is allowed for this pair, and the sender could offer its layout as not too many
//            blocks.
// Copies:    1, layout to layout by block lists on both sides. When the receive layout consists of tiny
//            blocks: pulled into a small buffer that stays in the cache, and unpacked from there.
// Cost:      one system call for each piece; no help of the sender. A refusal in the midst leaves the rest to
//            the pipeline.
#include <sys/uio.h>

#include <algorithm>
#include <utility>

#include "base/fault.hpp"
#include "p2p/state.hpp"

namespace loadstone::p2p {

namespace {

constexpr std::int64_t piece =
    4 << 20;  // of one call: short enough to be interrupted between, long enough to hide its cost
constexpr std::size_t most_vectors = 512;
constexpr std::int64_t least_mean_block = 256;
constexpr std::size_t bounce_bytes = 32 * 1024;

// The sender's blocks, walked from the front.
class remote_layout {
 public:
  remote_layout(const offer& o, const offered_block* list)
      : single_{o.address, static_cast<std::uint64_t>(o.bytes)} {
    at_ = o.blocks == 0 ? &single_ : list;
    end_ = at_ + (o.blocks == 0 ? 1 : o.blocks);
  }
  // Vectors for the next `bytes` bytes at most; returns how many bytes they hold.
  std::int64_t fill(iovec* vectors, std::size_t* count, std::int64_t bytes) const {
    const offered_block* b = at_;
    std::uint64_t skip = used_;
    std::int64_t sum = 0;
    for (*count = 0; b != end_ && *count < most_vectors && sum < bytes; ++b, skip = 0) {
      const std::uint64_t length =
          std::min<std::uint64_t>(b->bytes - skip, static_cast<std::uint64_t>(bytes - sum));
      vectors[(*count)++] = {reinterpret_cast<void*>(b->address + skip), length};
      sum += static_cast<std::int64_t>(length);
    }
    return sum;
  }
  void advance(std::int64_t bytes) {
    used_ += static_cast<std::uint64_t>(bytes);
    while (at_ != end_ && used_ >= at_->bytes) {
      used_ -= at_->bytes;
      ++at_;
    }
  }

 private:
  offered_block single_;
  const offered_block* at_;
  const offered_block* end_;
  std::uint64_t used_ = 0;  // of *at_
};

struct vector_list {
  iovec vectors[most_vectors];
  std::size_t count;
  std::int64_t bytes;
};

}  // namespace

struct copy_space {
  vector_list local;
  iovec there[most_vectors];
  alignas(64) std::byte buffer[bounce_bytes];
  copy_space* next_free = nullptr;
};

copy_spaces::~copy_spaces() {
  while (first_ != nullptr) delete std::exchange(first_, first_->next_free);
}

copy_space* copy_spaces::take() {
  if (first_ == nullptr) return new copy_space;
  return std::exchange(first_, first_->next_free);
}

void copy_spaces::give(copy_space* space) {
  space->next_free = first_;
  first_ = space;
}

namespace {

void local_vectors(const message_request* r, std::int64_t from, std::int64_t bytes, vector_list* out) {
  out->count = 0;
  out->bytes = 0;
  if (r->data.one_block()) {
    out->vectors[out->count++] = {r->data.block() + from, static_cast<std::size_t>(bytes)};
    out->bytes = bytes;
    return;
  }
  r->data.for_each_block(
      from, bytes,
      [](void* c, void* address, std::size_t length) {
        auto* list = static_cast<vector_list*>(c);
        list->vectors[list->count++] = {address, length};
        list->bytes += static_cast<std::int64_t>(length);
        return list->count < most_vectors;
      },
      out);
}

}  // namespace

bool engine::state::pull_single_copy(message_request* r, std::int32_t* error) {
  copy_space* const space = spaces.take();
  const bool done = pull_single_copy(r, error, *space);
  spaces.give(space);
  return done;
}

bool engine::state::pull_single_copy(message_request* r, std::int32_t* error, copy_space& space) {
  const offer& o = r->offered;
  if (o.address == 0 || !endpoint.user().reaches(r->process)) return false;
  memory::pin list_pin;
  const offered_block* list = nullptr;
  if (o.blocks != 0) {
    const memory::address where = p2p::unpack(r->process, o.list);
    list_pin = endpoint.map(where.region);
    if (!list_pin) return false;
    list = reinterpret_cast<const offered_block*>(list_pin.at(where.offset));
  }
  remote_layout remote(o, list);
  vector_list& local = space.local;
  while (r->moved < r->until) {
    std::int64_t want = std::min(piece, r->until - r->moved);
    local_vectors(r, r->moved, want, &local);
    const bool bounce =
        local.count > 1 && local.bytes / static_cast<std::int64_t>(local.count) < least_mean_block;
    if (bounce) {
      local.bytes = std::min<std::int64_t>(want, bounce_bytes);
      local.vectors[0] = {space.buffer, static_cast<std::size_t>(local.bytes)};
      local.count = 1;
    }
    std::size_t there_count = 0;
    want = remote.fill(space.there, &there_count, local.bytes);
    auto got = deposit::reached::done;
    move_apart(want, [&] {
      got = endpoint.user().get(r->process, {local.vectors, local.count}, {space.there, there_count});
    });
    if (got == deposit::reached::refused) return false;
    if (got != deposit::reached::done) {
      *error = error_of(got);
      return true;
    }
    if (bounce) r->data.unpack(r->moved, want, space.buffer);
    r->moved += want;
    remote.advance(want);
    LOADSTONE_FAULT_POINT("single_copy.half_copied");
  }
  *error = 0;
  return true;
}

}  // namespace loadstone::p2p
