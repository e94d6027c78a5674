#include "transport/routes.hpp"

#include <new>

namespace loadstone::transport {

base::result<std::unique_ptr<routes>> routes::open(const setup& with) try {
  std::unique_ptr<routes> made(new routes(with.transport, with.memory.self()));
  const bool both = with.transport.rule != choice::rule_kind::mapped;
  setup each = with;
  if (both) each.cell_bytes_limit /= 2;
  auto near = mapped::open(each);
  if (!near) return near.error();
  made->mapped_ = std::move(*near);
  if (both) {
    if (open_unmapped == nullptr)
      return base::status{base::code::invalid, 0,
                          "transport: the library that has this one (libloadstone_poor.so) is not loaded"};
    auto far = open_unmapped(each);
    if (!far) return far.error();
    made->unmapped_ = std::move(*far);
  }
  return made;
} catch (const std::bad_alloc&) {
  return base::status{base::code::no_memory, 0, "no memory to describe the transports"};
}

send_result routes::send_otherwise(std::uint32_t peer, const outgoing& m) {
  if (unmapped_ == nullptr || by_.maps(self_, peer)) [[likely]]
    return mapped_->send_otherwise(peer, m);
  return unmapped_->send(peer, m);
}

figures routes::counts() const {
  figures all = mapped_->counts();
  if (unmapped_ != nullptr) unmapped_->add_to(all);
  return all;
}

}  // namespace loadstone::transport
