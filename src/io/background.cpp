#include "io/background.hpp"

#include <cerrno>
#include <mutex>
#include <utility>

namespace loadstone::io {

background::operation::operation(background& owner, planned what)
    : request(p2p::request_kind::generalized), owner_(owner), what_(std::move(what)) {
  what_.data.type->acquire();
}

background::operation::~operation() {
  what_.data.type->release();
}

void background::operation::let_go() {
  if (complete.load(std::memory_order_acquire))  // sync: request-complete
    delete this;
  else
    abandoned_ = true;
}

// The gate is real from the first operation on: its thread needs it, and so does the program's.
background::operation* background::start(planned what) {
  {
    const std::lock_guard guard(engine_.endpoint().gate());
    engine_.endpoint().background().admit();
  }
  auto* made = new operation(*this, std::move(what));
  const bool taken = (made->what_.kind.collective ? together_ : alone_).give(work, made);
  if (taken) return made;
  delete made;
  return nullptr;
}

void background::work(void* context) {
  auto& o = *static_cast<operation*>(context);
  background& self = o.owner_;
  std::int64_t done = 0;
  trouble why;
  try {
    why = self.file_.run(self.team_, o.what_, &done);
  } catch (const std::bad_alloc&) {
    why = {ENOMEM, "no memory for the access"};
  }
  const std::lock_guard guard(self.engine_.endpoint().gate());
  o.result.bytes = done;
  o.why_ = std::move(why);
  if (o.abandoned_) {
    delete &o;
    return;
  }
  self.engine_.p2p().complete(o);
}

void background::drain() {
  if (alone_.started()) alone_.drain();
  if (together_.started()) together_.drain();
}

}  // namespace loadstone::io
