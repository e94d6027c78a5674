#include "coll/disagreement.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "coll/choices.hpp"
#include "coll/schedule.hpp"

namespace loadstone::coll {

namespace {

constexpr std::uint64_t first_question_ns = 100'000'000;
constexpr std::size_t failures_kept = 64;
constexpr std::int32_t error_different = 16;  // MPI_ERR_OTHER

constexpr const char* others[] = {"alltoall", "scan", "exscan", "neighbor_allgather", "neighbor_alltoall"};

bool has_root(operation what) {
  return what == operation::bcast || what == operation::gather || what == operation::scatter ||
         what == operation::reduce;
}

}  // namespace

std::string describe(const signature& s) {
  const auto table = choices::table();
  const auto i = static_cast<std::size_t>(s.what);
  if (i >= table.size()) return i - table.size() < std::size(others) ? others[i - table.size()] : "unknown";
  std::string text(table[i].collective);
  if (has_root(s.what)) text += " with root " + std::to_string(s.root);
  if (s.algorithm != 0 && s.algorithm < table[i].algorithms.size())
    text += " by algorithm " + std::string(table[i].algorithms[s.algorithm]);
  return text;
}

schedule* disagreements::active(std::uint64_t context, std::uint32_t number) const {
  for (const auto& s : all_)
    if (s->active_ && s->scopes_[0]->context == context && s->number_ == number) return s.get();
  return nullptr;
}

void disagreements::send(const std::vector<letter>& letters) {
  for (const letter& l : letters) send_(to_, l.process, l.note);
}

void disagreements::waits(std::uint64_t now) {
  if (send_ == nullptr) return;
  std::vector<letter> letters;
  for (const auto& s : all_)
    if (s->active_ && s->scopes_[1] == nullptr) ask(*s, now, &letters);
  send(letters);
}

// Ever less often: whom it asks may compute for long.
void disagreements::ask(schedule& s, std::uint64_t now, std::vector<letter>* letters) const {
  schedule::question& q = s.question_;
  const p2p::scope& where = *s.scopes_[0];
  if (q.context != where.context || q.number != s.number_)
    q = {where.context, s.number_, now + first_question_ns, first_question_ns};
  if (now < q.at) return;
  q.gap *= 2;
  q.at = now + q.gap;
  for (const schedule::step& step : s.steps_) {
    if (step.request == nullptr || step.where != &where) continue;
    letters->push_back({where.peers[static_cast<std::size_t>(step.peer)],
                        note_of({where.context, s.number_, where.rank, s.does_}, true)});
  }
}

void disagreements::noted(std::uint32_t process, const disagreement_note& note) {
  if (note.asks != 0) answer(process, note);
  schedule* s = active(note.context, note.number);
  // One that is just posting a message could not cancel that: it will ask, and be told again.
  if (s != nullptr && !s->advancing_ && s->error_ != error_different && !(s->does_ == note.does))
    fail(*s, note);
}

void disagreements::answer(std::uint32_t process, const disagreement_note& question) {
  const auto differs = [&](const run& known) {
    return known.context == question.context && known.number == question.number &&
           !(known.does == question.does);
  };
  const auto answered = [&](const auto& list) {
    const auto found = std::find_if(list.begin(), list.end(), differs);
    if (found == list.end()) return false;
    send({{process, note_of(*found, false)}});
    return true;
  };
  (void)(answered(others_) || answered(recent_));
}

void disagreements::fail(schedule& s, const disagreement_note& other) {
  const p2p::scope& where = *s.scopes_[0];
  const run mine{where.context, s.number_, where.rank, s.does_},
      theirs{other.context, other.number, other.rank, other.does};
  if (others_.size() == failures_kept) others_.erase(others_.begin());
  others_.push_back(theirs);
  explanation_ = "rank " + std::to_string(mine.rank) + " is in " + describe(mine.does) + ", rank " +
                 std::to_string(theirs.rank) + " in " + describe(theirs.does);
  std::vector<letter> letters;
  for (std::size_t r = 0; r < where.peers.size(); ++r) {
    if (static_cast<std::int32_t>(r) == where.rank) continue;
    letters.push_back({where.peers[r], note_of(mine, false)});
    letters.push_back({where.peers[r], note_of(theirs, false)});
  }
  s.give_up(error_different);
  send(letters);
}

std::string disagreements::explanation() {
  return std::exchange(explanation_, {});
}

}  // namespace loadstone::coll
