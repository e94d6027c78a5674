#include "command/model_coll.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cpus.hpp"
#include "coll/choices.hpp"
#include "command/message_times.hpp"
#include "command/size_text.hpp"
#include "rank/settings.hpp"

namespace loadstone::command {

namespace {

using coll::choices;
using environment = std::vector<std::pair<std::string, std::string>>;
// Collective, algorithm ("": as set) and bytes.
using times = std::map<std::tuple<std::string, std::string, std::int64_t>, double>;

constexpr std::array<std::int64_t, 5> lengths = {8, 1 << 10, 8 << 10, 64 << 10, 1 << 20};

// These, and what a broadcast of each would scatter.
std::vector<std::int64_t> measured_lengths(std::uint32_t ranks) {
  std::vector<std::int64_t> all(lengths.begin(), lengths.end());
  for (const std::int64_t n : lengths)
    if (n % (8 * ranks) == 0 && n >= 8 << 10) all.push_back(n / ranks);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// One job for each number of an algorithm: it forces that one of every collective. Number 0 is as
// set.
std::string measure_all(std::uint32_t ranks, std::span<const std::int64_t> sizes, times* found) {
  for (std::size_t a = 0;; ++a) {
    environment forced;
    std::vector<std::string> words;
    std::map<std::string, std::string, std::less<>> algorithm;
    for (const choices::known& k : choices::table()) {
      coll::operation timed_one{};
      if (a >= k.algorithms.size() || !choices::named(k.collective, &timed_one)) continue;
      const std::string name(k.collective), what(k.algorithms[a]);
      words.push_back(name);
      algorithm[name] = a == 0 ? "" : what;
      if (a > 0) forced.emplace_back("LOADSTONE_COLL_" + name, what);
    }
    if (words.empty()) return {};
    const timed_collectives timed = time_collectives(ranks, words, sizes, forced);
    if (!timed.error.empty()) return timed.error;
    for (const timed_collective& t : timed.all) (*found)[{t.what, algorithm[t.what], t.bytes}] = t.time;
  }
}

double time_in(const times& all, std::string_view what, std::string_view algorithm, std::int64_t bytes) {
  const auto at = all.find({std::string(what), std::string(algorithm), bytes});
  return at != all.end() ? at->second : 0;
}

void print_choices(const model::machine& here, std::uint32_t ranks, const times& all) {
  rank::config config = config_of(variables_of_environment());
  choices chooses = config.coll;
  chooses.set_machine(std::make_shared<const model::machine>(here), base::usable_cpus(), ranks);
  fmt::print("  {:15}{:>8}   {:15}{:>10}{:>10}{:>18}   {:15}{:>10}{:>9}\n", "", "bytes", "taken", "predicted",
             "measured", "predicted, %", "quickest", "measured", "loss, %");
  int shown = 0, within = 0;
  for (const choices::known& k : choices::table()) {
    coll::operation what{};
    if (!choices::named(k.collective, &what)) continue;
    for (const std::int64_t n : lengths) {
      const double measured = time_in(all, k.collective, "", k.collective == "barrier" ? 8 : n);
      if (measured == 0 || (k.collective == "barrier" && n != 8)) continue;
      const auto weighed =
          chooses.weigh(what, static_cast<std::int32_t>(ranks), k.collective == "barrier" ? 0 : n, true);
      const model::algorithm& taken = weighed.all[weighed.taken];
      std::string_view quickest = taken.name;
      double least = time_in(all, k.collective, taken.name, n);
      const double of_taken = least;
      for (const model::algorithm& a : weighed.all) {
        const double time = time_in(all, k.collective, a.name, n);
        if (a.time > 0 && time > 0 && (least == 0 || time < least)) least = time, quickest = a.name;
      }
      const double loss = least > 0 ? 100 * (of_taken / least - 1) : 0;
      ++shown;
      if (loss <= 10) ++within;
      fmt::print("  {:15}{:>8}   {:15}{:10.3f}{:10.3f}{:18.0f}   {:15}{:10.3f}{:9.0f}\n", k.collective,
                 k.collective == "barrier" ? "" : size_text(n), taken.name, taken.time, measured,
                 100 * taken.time / measured, quickest, least, loss);
    }
  }
  fmt::print("\n  {} of {}: the algorithm taken is within 10 % of the quickest, each of them forced\n",
             within, shown);
}

// What a program could do in place of a collective is not quicker (Traeff, Gropp, Thakur, 2010).
void print_guidelines(std::uint32_t ranks, const times& all) {
  fmt::print("\n  {:40}{:>8}{:>10}{:>10}{:>8}\n", "no slower than what it could be made of", "bytes", "takes",
             "in place", "%");
  const auto t = [&](std::string_view what, std::int64_t n) {
    return time_in(all, what, "", what == "barrier" ? 8 : n);
  };
  const auto hold = [&](std::string_view what, std::int64_t n, double one, double other) {
    if (one <= 0 || other <= 0) return;
    fmt::print("  {:40}{:>8}{:10.3f}{:10.3f}{:8.0f}{}\n", what, size_text(n), one, other, 100 * one / other,
               one > 1.1 * other ? "  slower" : "");
  };
  for (const std::int64_t n : lengths) {
    hold("allreduce: reduce and bcast", n, t("allreduce", n), t("reduce", n) + t("bcast", n));
    hold("reduce_scatter: allreduce", n, t("reduce_scatter", n), t("allreduce", n));
    hold("gather: allgather", n, t("gather", n), t("allgather", n));
    const std::int64_t part = n / ranks;
    if (part * ranks == n && t("scatter", part) > 0 && t("allgather", part) > 0)
      hold("bcast: scatter and allgather", n, t("bcast", n), t("scatter", part) + t("allgather", part));
  }
  hold("barrier: allreduce", 8, t("barrier", 8), t("allreduce", 8));
}

}  // namespace

std::string print_collectives(const model::machine& here, std::uint32_t ranks) {
  times all;
  const std::vector<std::int64_t> sizes = measured_lengths(ranks);
  if (std::string wrong = measure_all(ranks, sizes, &all); !wrong.empty()) return wrong;
  fmt::print(
      "\nCollectives of {} ranks on {} processors, µs; the slowest rank, in a loop, roots by turns\n\n",
      ranks, base::usable_cpus());
  print_choices(here, ranks, all);
  print_guidelines(ranks, all);
  return {};
}

}  // namespace loadstone::command
