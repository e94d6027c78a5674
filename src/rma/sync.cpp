#include "rma/sync.hpp"

namespace loadstone::rma {

namespace {

// Under the gate. Direct and system operations are there already.
bool settle(window& w) {
  return !w.outstanding() || w.flush_all().ok();
}

target* reach(window& w, std::int32_t rank) {
  base::status why;
  return w.reach(rank, &why);
}

}  // namespace

bool fence(window& w, const wait::reason& why) {
  return settle(w) && w.sync().barrier(why);
}

bool leave(window& w, const wait::reason& why) {
  return settle(w) && w.sync().last_barrier(why);
}

bool lock(window& w, std::int32_t rank, bool exclusive, bool nocheck, const wait::reason& why) {
  target* const t = reach(w, rank);
  return t != nullptr && w.sync().lock(*t, exclusive, nocheck, why);
}

bool unlock(window& w, std::int32_t rank, const wait::reason&) {
  target* const t = w.known(rank);
  const bool settled = !w.outstanding() || w.flush(rank).ok();
  return w.sync().unlock(*t) && settled;
}

bool lock_all(window& w, bool nocheck, const wait::reason& why) {
  if (w.own().kind == flavor::shared && !nocheck)
    for (std::int32_t rank = 0; rank < w.size(); ++rank) {
      target* const t = reach(w, rank);
      if (t == nullptr || !w.sync().keep_in_step(*t)) return false;
    }
  return w.sync().lock_all(nocheck, why);
}

bool unlock_all(window& w, const wait::reason&) {
  const bool settled = settle(w);
  return w.sync().unlock_all() && settled;
}

bool post(window& w, std::span<const std::int32_t> ranks) {
  return w.sync().post(ranks);
}

bool start(window& w, std::span<const std::int32_t> ranks, const wait::reason& why) {
  return w.sync().start(ranks, why);
}

bool complete(window& w, std::span<const std::int32_t> ranks, const wait::reason&) {
  return settle(w) && w.sync().complete(ranks);
}

bool exposure_is_over(window& w) {
  return w.sync().exposure_is_over();
}

bool wait_exposure(window& w, const wait::reason& why) {
  return w.sync().wait_exposure(why);
}

}  // namespace loadstone::rma
