#include "rma/engine.hpp"

#include <new>
#include <utility>

#include "rma/asked.hpp"
#include "rma/collected.hpp"
#include "rma/copy_thread.hpp"
#include "rma/handed.hpp"

namespace loadstone::rma {

namespace {
constexpr std::size_t most_kept = 16;
}  // namespace

engine::engine(deposit::endpoint& endpoint, memory::job& job, memory::arena& arena,
               const engine_config& config)
    : endpoint_(endpoint),
      job_(job),
      arena_(arena),
      by_message_(std::make_unique<asked>(endpoint, job)),
      by_owner_(std::make_unique<handed>(endpoint, job, arena, *by_message_, config.help, config.prices)),
      for_others_(std::make_unique<copy_thread>(*this)),
      collections_(config.collections) {
  empty_.reserve(most_kept);
}

engine::~engine() = default;

std::unique_ptr<collection> engine::take_collection() {
  if (collections_ == 0) return nullptr;
  std::unique_ptr<collection> taken;
  if (!empty_.empty()) {
    taken = std::move(empty_.back());
    empty_.pop_back();
  } else {
    taken.reset(new (std::nothrow) collection);
  }
  if (taken != nullptr) --collections_;
  return taken;
}

void engine::give_collection(std::unique_ptr<collection> c) {
  ++collections_;
  c->clear();
  if (empty_.size() < most_kept) empty_.push_back(std::move(c));
}

}  // namespace loadstone::rma
