#include "mpi/bsend_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "mpi/process.hpp"

namespace loadstone::mpi {

// How many messages a non-blocking flush still waits for. Shared by them and the request, because
// the request may be freed before they have left.
struct flush_counter {
  p2p::engine* engine;
  p2p::request* waiter;  // null: the request was freed
  int pending;
};

struct bsend_buffer::segment {
  std::byte* data;
  std::int64_t offset, bytes;  // offset in the attached buffer; bytes with the rounding
  p2p::request* request = nullptr;
  bool bound = false, done = false;
  std::vector<std::shared_ptr<flush_counter>> flushes;
};

struct bsend_buffer::flush_request final : p2p::request {
  flush_request() : request(p2p::request_kind::generalized) {}
  ~flush_request() override {
    if (counter) counter->waiter = nullptr;
  }
  std::shared_ptr<flush_counter> counter;
};

bsend_buffer::~bsend_buffer() {
  for (segment* s : segments_) {
    if (automatic_) std::free(s->data);
    delete s;
  }
}

void bsend_buffer::attach(void* address, std::int64_t bytes) {
  attached_ = true;
  automatic_ = address == MPI_BUFFER_AUTOMATIC;
  base_ = static_cast<std::byte*>(address);
  bytes_ = automatic_ ? 0 : bytes;
}

bsend_buffer::segment* bsend_buffer::reserve(process& p, std::int64_t bytes) {
  reap(p);
  const std::int64_t rounded = (bytes + 15) & ~std::int64_t{15};
  if (automatic_) {
    auto* data =
        static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(std::max<std::int64_t>(rounded, 16))));
    if (data == nullptr) return nullptr;
    segments_.push_back(new segment{data, 0, rounded, nullptr, false, false, {}});
    return segments_.back();
  }
  // First fit between the segments in use. MPI_BSEND_OVERHEAD, which users add for each message,
  // makes up for the rounding and the gaps.
  std::int64_t at = 0;
  auto before = segments_.begin();
  for (; before != segments_.end(); ++before) {
    if ((*before)->offset - at >= rounded) break;
    at = (*before)->offset + (*before)->bytes;
  }
  if (before == segments_.end() && bytes_ - at < bytes) return nullptr;
  return *segments_.insert(before, new segment{base_ + at, at, rounded, nullptr, false, false, {}});
}

std::byte* bsend_buffer::data(segment* s) {
  return s->data;
}

void bsend_buffer::bind(segment* s, p2p::request* r) {
  s->request = r;
  s->bound = true;
  // Relaxed: under the gate, like the completer.
  if (r->complete.load(std::memory_order_relaxed)) {
    s->done = true;
  } else {
    r->on_complete = &bsend_buffer::sent;
    r->context = s;
  }
}

void bsend_buffer::sent(p2p::request&, void* context) {
  auto& s = *static_cast<segment*>(context);
  s.done = true;
  for (const auto& flush : s.flushes) {
    if (--flush->pending == 0 && flush->waiter != nullptr) flush->engine->complete(*flush->waiter);
  }
  s.flushes.clear();
}

void bsend_buffer::reap(process& p) {
  auto kept = segments_.begin();
  for (segment* s : segments_) {
    if (s->done) {
      p.core().p2p->free(s->request);
      if (automatic_) std::free(s->data);
      delete s;
    } else {
      *kept++ = s;
    }
  }
  segments_.erase(kept, segments_.end());
}

bool bsend_buffer::empty(process& p) {
  reap(p);
  return segments_.empty();
}

bool bsend_buffer::flush(process& p, const wait::reason& why) {
  const std::lock_guard guard(p.gate());
  // Messages that other threads send meanwhile are waited for as well; the standard would not need
  // that.
  return p.core().p2p->wait_until(
      [&] {
        return std::all_of(segments_.begin(), segments_.end(), [](const segment* s) { return s->done; });
      },
      why);
}

std::unique_ptr<p2p::request> bsend_buffer::flush_later(process& p) {
  reap(p);
  auto r = std::make_unique<flush_request>();
  r->counter = std::make_shared<flush_counter>(flush_counter{p.core().p2p.get(), r.get(), 0});
  for (segment* s : segments_) {
    if (!s->done) {
      s->flushes.push_back(r->counter);
      ++r->counter->pending;
    }
  }
  if (r->counter->pending == 0) p.core().p2p->complete(*r);
  return r;
}

bool bsend_buffer::detach(process& p, void** address, std::int64_t* bytes, const wait::reason& why) {
  if (!flush(p, why)) return false;
  const std::lock_guard guard(p.gate());
  reap(p);
  *address = base_;  // as it was given; null if nothing is attached
  *bytes = bytes_;
  attached_ = automatic_ = false;
  base_ = nullptr;
  bytes_ = 0;
  return true;
}

}  // namespace loadstone::mpi
