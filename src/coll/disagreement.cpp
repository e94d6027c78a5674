#include "coll/disagreement.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "coll/choices.hpp"
#include "coll/schedule.hpp"
#include "deposit/handler_ids.hpp"
#include "p2p/error_class.hpp"

namespace loadstone::coll {

namespace {

constexpr std::uint64_t first_question_ns = 100'000'000;
constexpr std::size_t failures_kept = 64;
constexpr std::size_t most_kept = 64;     // notes until the end of a poll
constexpr std::uint32_t most_asked = 64;  // questions in first_question_ns, and those of the last collective

constexpr const char* neighborhoods[] = {"neighbor_allgather", "neighbor_alltoall"};

bool has_root(operation what) {
  return what == operation::bcast || what == operation::gather || what == operation::scatter ||
         what == operation::reduce;
}

}  // namespace

std::string describe(const signature& s) {
  const auto table = choices::table();
  constexpr auto first = static_cast<std::size_t>(operation::neighbor_allgather);
  const std::size_t i = std::min(static_cast<std::size_t>(s.what), first);
  const std::size_t form = static_cast<std::size_t>(s.what) - i;  // of those in a neighbourhood
  std::string text(s.persistent ? "persistent " : "");
  if (form >= std::size(neighborhoods)) return text += "collective";
  text += i == first ? std::string_view(neighborhoods[form]) : table[i].collective;
  if (has_root(s.what)) text += " with root " + (s.root < 0 ? "MPI_PROC_NULL" : std::to_string(s.root));
  if (s.algorithm != 0 && s.algorithm < table[i].algorithms.size())
    text += " by algorithm " + std::string(table[i].algorithms[s.algorithm]);
  if (s.otherwise != 0 && s.otherwise < table[i].algorithms.size())
    text += " (or " + std::string(table[i].algorithms[s.otherwise]) + ")";
  return text;
}

bool disagreements::run::meets(const run& other) const {
  return context == other.context && (number == other.number || (place == other.place && place != no_place));
}

bool disagreements::run::differs_from(const run& other) const {
  const bool elsewhere_in_order = place != other.place && place != no_place && other.place != no_place;
  return number != other.number || elsewhere_in_order || !(does == other.does);
}

schedule* disagreements::active_beside(const run& theirs) const {
  for (const auto& s : all_)
    if (s->active_ && s->scopes_[0]->context == theirs.context && run_of(*s).meets(theirs)) return s.get();
  return nullptr;
}

void disagreements::watch(deposit::endpoint& endpoint) {
  endpoint_ = &endpoint;
  kept_.reserve(most_kept);
  endpoint.set_handler(
      deposit::handler_coll_note,
      [](void* self, deposit::incoming& message, bool) {
        letter from{message.source(), {}};
        std::memcpy(&from.note, message.header(), sizeof from.note);
        static_cast<disagreements*>(self)->keep(from);
        return deposit::verdict::consumed;
      },
      this);
  endpoint.on_long_wait([](void* self, std::uint64_t now) { static_cast<disagreements*>(self)->ask(now); },
                        this);
}

void disagreements::send(std::uint32_t process, const disagreement_note& note) {
  (void)endpoint_->attempt_active(process, deposit::handler_coll_note, deposit::traffic::control, &note,
                                  sizeof note, nullptr, nullptr, 0);
}

void disagreements::ask(std::uint64_t now) {
  // By number: who is told that its collective has failed may begin others. From behind the last
  // one that was asked for: so each has its turn.
  const std::size_t count = all_.size(), first = next_asked_;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = (first + k) % count;
    if (i >= all_.size()) break;
    schedule& s = *all_[i];
    if (!s.active_) continue;
    if (ask(s, now)) next_asked_ = i + 1;
    if (s.there_.begun && hangs_on_the_dead(s, now)) s.give_up(p2p::error_peer_aborted);
  }
}

// In areas, nothing else tells. A member that is gone may have done its part before: so what it has
// left is looked at once more, now that nothing can follow. One that is left to a thread of the
// program is looked at there only.
bool disagreements::hangs_on_the_dead(schedule& s, std::uint64_t now) {
  if (now < s.question_.deaths_at) return false;
  s.question_.deaths_at = now + first_question_ns;
  const auto waits_for_dead = [&] {
    bool any = false;
    const missing_members missing(*s.areas_);
    missing.each(
        [&](std::int32_t rank) { any = any || (!missing.may_have_left(rank) && s.areas_->has_died(rank)); });
    return any;
  };
  if (!waits_for_dead()) return false;
  s.advance();
  return s.active_ && s.there_.begun && !s.left_ && !s.advancing_ && waits_for_dead();
}

// Its place is known as long as it is remembered.
disagreements::run disagreements::run_of(const schedule& s) const {
  const p2p::scope& where = *s.scopes_[0];
  run r{where.context, s.number_, no_place, where.rank, s.does_, false};
  for (const run& known : recent_)
    if (known.context == r.context && known.number == r.number) r.place = known.place;
  return r;
}

// Of thousands that are outstanding at once, some at a time: a late member has to look for each
// that it is asked about among all of its own, and could do nothing else.
bool disagreements::may_ask(std::uint64_t now) {
  if (now >= asked_until_) {
    asked_until_ = now + first_question_ns;
    asked_ = 0;
  }
  return asked_ < most_asked;
}

// Ever less often: whom it asks may compute for long.
bool disagreements::ask(schedule& s, std::uint64_t now) {
  schedule::question& q = s.question_;
  const p2p::scope& where = *s.scopes_[0];
  if (q.context != where.context || q.number != s.number_)
    q = {where.context, s.number_, now + first_question_ns, first_question_ns, now + first_question_ns};
  if (now < q.at || !may_ask(now)) return false;  // it stays due
  q.gap *= 2;
  q.at = now + q.gap;
  const run ours = run_of(s);
  for (const schedule::step& step : s.steps_) {
    if (step.request == nullptr) continue;
    ++asked_;
    send(step.where->peers[static_cast<std::size_t>(step.peer)],
         note_of(ours, true, step.where == s.scopes_[1]));
  }
  if (!s.there_.begun) return true;
  missing_members(*s.areas_).each([&](std::int32_t rank) {
    ++asked_;
    send(where.peers[static_cast<std::size_t>(rank)], note_of(ours, true, false));
  });
  return true;
}

void disagreements::keep(const letter& from) {
  ++noted_;
  if (kept_.size() == most_kept) return;
  if (kept_.empty()) endpoint_->defer([](void* self) { static_cast<disagreements*>(self)->read(); }, this);
  kept_.push_back(from);
}

void disagreements::read() try {
  std::vector<letter> all;
  all.reserve(most_kept);
  all.swap(kept_);
  for (const letter& l : all) {
    if (l.note.asks != 0) answer(l);
    const run theirs = run_of(l.note);
    schedule* s = active_beside(theirs);
    // One that is just posting a message could not cancel that: it will ask, and be told again.
    if (s != nullptr && !s->advancing_ && !s->given_up_ && run_of(*s).differs_from(theirs)) fail(*s, theirs);
  }
} catch (const std::bad_alloc&) {
  kept_.clear();  // no memory to say it with: whoever still waits asks again
}

void disagreements::answer(const letter& question) {
  const run theirs = run_of(question.note);
  const auto differs = [&](const run& known) { return known.meets(theirs) && known.differs_from(theirs); };
  const auto answered = [&](const auto& list) {
    const auto found = std::find_if(list.begin(), list.end(), differs);
    if (found == list.end()) return false;
    send(question.process, note_of(*found, false, question.note.elsewhere != 0));
    return true;
  };
  (void)(answered(others_) || answered(recent_));
}

void disagreements::fail(schedule& s, const run& theirs) {
  const run mine = run_of(s);
  if (others_.size() == failures_kept) others_.erase(others_.begin());
  others_.push_back(theirs);
  if (explanations_.size() == failures_kept) explanations_.erase(explanations_.begin());
  // The form is named where that is what differs.
  const bool named_apart = (mine.number ^ theirs.number) % 2 != 0;
  const auto named = [&](const run& r) {
    return (named_apart && !r.does.persistent ? r.number % 2 == 0 ? "blocking " : "non-blocking " : "") +
           describe(r.does);
  };
  explanations_.push_back(
      "rank " + std::to_string(mine.rank) + " is in " + named(mine) + ", rank " +
      std::to_string(theirs.rank) + (theirs.elsewhere ? " of the other group in " : " in ") + named(theirs) +
      (mine.does == theirs.does && !named_apart ? ", after one of them was blocking where the other was not"
                                                : ""));
  for (const p2p::scope* where : s.scopes_) {
    if (where == nullptr) continue;
    const bool across = where != s.scopes_[0];
    for (std::size_t r = 0; r < where->peers.size(); ++r) {
      if (!across && static_cast<std::int32_t>(r) == mine.rank) continue;
      send(where->peers[r], note_of(mine, false, across));
      send(where->peers[r], note_of(theirs, false, across));
    }
  }
  s.give_up(p2p::error_other);  // last: its communicator may go with it
}

std::string disagreements::explanation() {
  if (explanations_.empty()) return {};
  std::string first = std::move(explanations_.front());
  explanations_.erase(explanations_.begin());
  return first;
}

}  // namespace loadstone::coll
