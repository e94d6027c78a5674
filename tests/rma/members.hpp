// Test equipment: the members of a window as far as synchronisation needs them: a record each, made by
// hand, and told to all others. Where ranks have several threads it is made and ended under the gate.
#pragma once

#include <sys/resource.h>

#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "deposit/ranks.hpp"
#include "rma/lock.hpp"
#include "rma/synchronisation.hpp"

namespace loadstone::test {

// Of this process, so far.
inline double cpu_seconds() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

class members {
 public:
  explicit members(node& n) : node_(n), addresses_(n.size), pins_(n.size), processes_(n.size) {
    const std::size_t bytes = rma::record_bytes(n.size) + data_words * sizeof(std::uint64_t);
    auto block = n.arena->allocate(bytes, memory::isolation);
    if (!block) std::abort();
    std::memset(*block, 0, bytes);
    own_ = new (*block) rma::window_record{};
    new (own_->slots()) rma::member_slot[n.size]{};
    for (std::uint32_t r = 0; r < n.size; ++r) {
      processes_[r] = r;
      partners_.push_back(std::make_unique<rma::partner>());
      partners_[r]->rank = static_cast<std::int32_t>(r);
      partners_[r]->process = r;
    }
    addresses_[n.self] = n.arena->address_of(own_);
    sync_ =
        std::make_unique<rma::synchronisation>(*n.endpoint, *n.job, *own_, static_cast<std::int32_t>(n.self),
                                               processes_, rma::surroundings{find, nullptr, nullptr, this});
    n.endpoint->set_handler(
        42,
        [](void* context, incoming& m, bool) {
          auto& self = *static_cast<members*>(context);
          std::memcpy(&self.addresses_[m.source()], m.payload(), sizeof(address));
          ++self.known_;
          return verdict::consumed;
        },
        this);
    n.barrier();
    for (std::uint32_t r = 0; r < n.size; ++r)
      if (r != n.self)
        n.endpoint->send_active(r, 42, traffic::control, nullptr, 0, &addresses_[n.self], sizeof(address));
    if (!n.wait([&] { return known_ == n.size - 1; }, "addresses")) std::abort();
    n.barrier();
  }
  ~members() {
    pins_.clear();
    node_.barrier();
  }

  rma::synchronisation& sync() { return *sync_; }
  rma::window_record& own() { return *own_; }
  // Words behind the record of a member that is mapped here, for tests to do with what they like.
  static constexpr std::size_t data_words = 32;
  std::uint64_t* data_of(std::uint32_t rank) {
    return reinterpret_cast<std::uint64_t*>(at(rank).record->slots() + node_.size);
  }
  rma::partner& at(std::uint32_t rank) {
    rma::partner& p = *partners_[rank];
    p.where = addresses_[rank];
    if (p.record != nullptr) return p;
    if (rank == node_.self) {
      p.record = own_;
    } else if (node_.endpoint->route_to(rank).mapped) {
      pins_[rank] = node_.endpoint->map(addresses_[rank].region);
      if (!pins_[rank]) std::abort();
      p.record = reinterpret_cast<rma::window_record*>(pins_[rank].at(addresses_[rank].offset));
    }
    return p;
  }

 private:
  static rma::partner* find(void* self, std::int32_t rank) {
    return &static_cast<members*>(self)->at(static_cast<std::uint32_t>(rank));
  }

  node& node_;
  std::vector<address> addresses_;
  std::vector<memory::pin> pins_;
  std::vector<std::uint32_t> processes_;
  std::vector<std::unique_ptr<rma::partner>> partners_;
  std::unique_ptr<rma::synchronisation> sync_;
  rma::window_record* own_;
  std::uint32_t known_ = 0;
};

}  // namespace loadstone::test
