#include "rma/sync.hpp"

#include "rma/engine.hpp"
#include "rma/handed.hpp"

namespace loadstone::rma {

namespace {

// False: a target is dead. What else has failed is in `failed`, and not in the way of others.
bool settled(const trouble& t, trouble* failed) {
  if (failed != nullptr) *failed = t;
  return t.what != wrong::gone;
}

// Under the gate. Direct operations are there already.
bool settle(window& w, trouble* failed, bool all_come = false) {
  return !w.outstanding() || settled(w.flush_all(all_come), failed);
}

target* reach(window& w, std::int32_t rank) {
  base::status why;
  return w.reach(rank, &why);
}

}  // namespace

bool fence(window& w, const wait::reason& why, trouble* failed) {
  const bool alive = settle(w, failed, true);
  return w.sync().barrier(why) && alive;  // which the others are in, too
}

bool leave(window& w, const wait::reason& why, trouble* failed) {
  const bool alive = settle(w, failed) && w.engine().by_owner().retire(w, why);
  return w.sync().last_barrier(why) && alive;
}

std::optional<lock_holder> holder_against(window& w, std::int32_t rank, bool exclusive) {
  const target* const t = reach(w, rank);
  return t == nullptr || t->record == nullptr ? std::nullopt : holder_against(*t->record, exclusive);
}

bool lock(window& w, std::int32_t rank, bool exclusive, bool nocheck, const wait::reason& why) {
  target* const t = reach(w, rank);
  return t != nullptr && w.sync().lock(*t, exclusive, nocheck, why);
}

bool unlock(window& w, std::int32_t rank, trouble* failed) {
  target* const t = w.known(rank);
  const bool alive = !w.outstanding() || settled(w.flush(rank), failed);
  return w.sync().unlock(*t) && alive;
}

bool lock_all(window& w, bool nocheck, const wait::reason& why) {
  if (w.own().kind == flavor::shared && !nocheck)
    for (std::int32_t rank = 0; rank < w.size(); ++rank) {
      target* const t = reach(w, rank);
      if (t == nullptr || !w.sync().keep_in_step(*t)) return false;
    }
  if (!w.sync().lock_all(nocheck, why)) {
    (void)w.sync().unlock_all();
    return false;
  }
  // What is free is taken now. Otherwise somebody may lock it later, and give it back only when a
  // message comes that we send behind our first operation there: which would wait for that lock.
  for (std::int32_t rank = 0; rank < w.size() && !nocheck; ++rank)
    if (target* const t = reach(w, rank)) w.sync().enter_if_free(*t);
  return true;
}

bool unlock_all(window& w, trouble* failed) {
  const bool alive = settle(w, failed);
  return w.sync().unlock_all() && alive;
}

bool post(window& w, std::span<const std::int32_t> ranks) {
  return w.sync().post(ranks);
}

bool start(window& w, std::span<const std::int32_t> ranks, const wait::reason& why) {
  return w.sync().start(ranks, why);
}

bool complete(window& w, std::span<const std::int32_t> ranks, trouble* failed) {
  const bool alive = settle(w, failed);
  return w.sync().complete(ranks) && alive;
}

bool exposure_is_over(window& w) {
  return w.sync().exposure_is_over();
}

bool exposure_is_lost(window& w) {
  return w.sync().exposure_is_lost();
}

bool wait_exposure(window& w, const wait::reason& why) {
  return w.sync().wait_exposure(why);
}

}  // namespace loadstone::rma
