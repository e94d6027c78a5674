#include "command/model.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "base/cpus.hpp"
#include "base/median.hpp"
#include "command/message_times.hpp"
#include "command/model_coll.hpp"
#include "command/plot.hpp"
#include "command/size_text.hpp"
#include "model/kept_machine.hpp"
#include "model/measure.hpp"
#include "model/one_sided.hpp"
#include "model/plausible.hpp"
#include "model/protocols.hpp"
#include "rank/settings.hpp"
#include "rma/choice.hpp"

namespace loadstone::command {

namespace {

constexpr std::array<std::int64_t, 14> sizes = {8,         64,       256,      1 << 10,  4 << 10,
                                                8 << 10,   16 << 10, 32 << 10, 64 << 10, 128 << 10,
                                                256 << 10, 1 << 20,  4 << 20,  16 << 20};
constexpr std::int64_t never = 1 << 30;

using environment = std::vector<std::pair<std::string, std::string>>;

// One row of curves: messages sent by a protocol that settings force. Where the library takes
// another protocol all the same (the message is too long for a cell, the system refuses
// process_vm_readv), there is no figure.
struct variant {
  const char* name;
  const char* protocol;   // nullptr: whatever the library chooses
  std::int64_t from, to;  // sizes
  environment settings;
  const char* colour;
};

const std::vector<variant>& variants() {
  static const std::vector<variant> all = {
      {"as set", nullptr, 0, never, {}, "#0072b2"},
      {"through cells", "eager", 256, 64 << 10, {{"LOADSTONE_EAGER_LIMIT", "65536"}}, "#e69f00"},
      {"one side copies",
       "single_copy",
       1 << 10,
       never,
       {{"LOADSTONE_EAGER_LIMIT", "0"}, {"LOADSTONE_TEST", "both_sides=0,pipeline_limit=0"}},
       "#009e73"},
      {"both sides copy",
       "both_sides",
       32 << 10,
       never,
       {{"LOADSTONE_EAGER_LIMIT", "0"}, {"LOADSTONE_TEST", "both_sides=1,pipeline_limit=0"}},
       "#cc79a7"},
      {"through a pipeline",
       "pipelined",
       4 << 10,
       never,
       {{"LOADSTONE_EAGER_LIMIT", "0"}, {"LOADSTONE_VM", "0"}},
       "#d55e00"},
  };
  return all;
}

// Times of one variant at one size, an entry for each round.
struct row {
  std::string protocol;
  std::vector<double> limit, predicted, measured;
};

double median(const std::vector<double>& values) {
  return values.empty() ? 0 : base::median(values);
}

struct study {
  std::vector<model::machine> machines;           // of each round
  std::vector<std::map<std::int64_t, row>> rows;  // of each variant, by size
  double line() const {
    return over([](const model::machine& m) { return m.line; });
  }
  template <class Value>
  double over(Value value) const {
    std::vector<double> values;
    for (const model::machine& m : machines) values.push_back(value(m));
    return median(values);
  }
  // Median over the rounds of one variant's times; 0: no figure.
  double measured(std::size_t v, std::int64_t bytes) const {
    const auto found = rows[v].find(bytes);
    return found == rows[v].end() ? 0 : median(found->second.measured);
  }
  double predicted(std::size_t v, std::int64_t bytes) const {
    const auto found = rows[v].find(bytes);
    return found == rows[v].end() ? 0 : median(found->second.predicted);
  }
};

model::reach reach_of(const variant& v, std::string_view protocol) {
  variables given = variables_of_environment();
  for (const auto& [name, value] : v.settings) {
    const std::string word = name + '=' + value;
    const variables forced = variables_of(std::array{std::string_view(word)});
    given.insert(given.end(), forced.begin(), forced.end());  // what is last holds
  }
  const p2p::engine_config config = config_of(given).p2p;
  const bool mapped = protocol == "direct";
  model::reach between{.source_mapped = mapped, .target_mapped = mapped};
  between.both = config.copies_on_both_sides(base::usable_cpus(), 2);
  return between;
}

// Measures one round of one variant. Returns an error message, or an empty string.
std::string add_round(study& all, std::size_t number, const model_options& wanted) {
  const variant& v = variants()[number];
  const model::machine& here = all.machines.back();
  std::vector<std::int64_t> chosen;
  for (const std::int64_t bytes : sizes)
    if (bytes >= v.from && bytes <= v.to) chosen.push_back(bytes);
  const timed_messages found = time_messages(wanted.how, chosen, v.settings);
  if (!found.error.empty()) return found.error;
  for (const timed_message& m : found.all) {
    if (v.protocol != nullptr && m.protocol != v.protocol) continue;
    row& r = all.rows[number][m.bytes];
    r.protocol = m.protocol;
    r.limit.push_back(model::limit(here, m.bytes));
    r.predicted.push_back(model::predict(m.protocol, m.bytes, here, reach_of(v, m.protocol)));
    r.measured.push_back(m.time);
  }
  return {};
}

std::string carry_out(study& all, const model_options& wanted) {
  all.rows.resize(variants().size());
  for (std::uint32_t round = 0; round < wanted.rounds; ++round) {
    if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\rround %u of %u ", round + 1, wanted.rounds);
    auto here = model::measure(wanted.how, std::span(sizes).subspan(1));
    if (!here) return std::string(here.error().what);
    all.machines.push_back(*here);
    for (std::size_t v = 0; v < variants().size(); ++v) {
      // Every second round in reverse order.
      const std::string error = add_round(all, round % 2 == 0 ? v : variants().size() - 1 - v, wanted);
      if (!error.empty()) return error;
    }
  }
  if (isatty(STDERR_FILENO) != 0) std::fputs("\r               \r", stderr);
  return {};
}

void print_machine(const study& all, const model_options& wanted) {
  fmt::print("The machine: two processes on two cores, {}; medians of {} rounds\n\n",
             wanted.how == model::pattern::cold ? "data in no cache" : "data that the other has just written",
             wanted.rounds);
  fmt::print("  hand-over of a cache line     {:8.3f} µs\n", all.line());
  fmt::print("  waking a sleeping process     {:8.3f} µs\n",
             all.over([](const model::machine& m) { return m.wake; }));
  const double call = all.over([](const model::machine& m) { return m.call; });
  if (call > 0)
    fmt::print("  process_vm_readv of 8 bytes   {:8.3f} µs, and for each further piece {:.3f}\n", call,
               all.over([](const model::machine& m) { return m.piece; }));
  else
    fmt::print("  process_vm_readv              refused (loadstone doctor)\n");
  fmt::print(
      "\n  GB/s           into shared   out of shared   process_vm   process_vm   shared memory\n"
      "       bytes        memory          memory     one side   both sides      both sides\n");
  for (const std::int64_t n : std::span(sizes).subspan(3))  // shorter copies are below the clock's resolution
    fmt::print("  {:>10} {:13.2f} {:15.2f} {:12.2f} {:12.2f} {:15.2f}\n", size_text(n),
               all.over([&](const model::machine& m) { return m.put.rate(n); }),
               all.over([&](const model::machine& m) { return m.get.rate(n); }),
               all.over([&](const model::machine& m) { return m.vm.rate(n); }),
               all.over([&](const model::machine& m) { return m.vm_together.rate(n); }),
               all.over([&](const model::machine& m) { return m.together.rate(n); }));
}

// The median over the rounds of the ratio within each, which is free of drift between rounds.
double ratio(const std::vector<double>& part, const std::vector<double>& whole) {
  std::vector<double> values;
  for (std::size_t i = 0; i < part.size(); ++i) values.push_back(whole[i] > 0 ? part[i] / whole[i] : 0);
  return median(values);
}

void print_messages(const study& all) {
  fmt::print("\nMessages between two ranks, one way, µs; then the efficiencies, %\n");
  for (std::size_t v = 0; v < variants().size(); ++v) {
    if (all.rows[v].empty()) continue;
    fmt::print("\n  {:22}{:>12}{:>12}{:>12}{:>12}   {:>14}{:>10}{:>15}\n", variants()[v].name, "protocol",
               "limit", "predicted", "measured", "implementation", "protocol", "communication");
    for (const auto& [bytes, r] : all.rows[v])
      fmt::print("  {:>22}{:>12}{:12.3f}{:12.3f}{:12.3f}   {:14.0f}{:10.0f}{:15.0f}\n", size_text(bytes),
                 r.protocol, median(r.limit), median(r.predicted), median(r.measured),
                 100 * ratio(r.predicted, r.measured), 100 * ratio(r.limit, r.predicted),
                 100 * ratio(r.limit, r.measured));
  }
}

// --- one-sided operations ---

constexpr std::array<std::int64_t, 5> operation_sizes = {8, 1 << 10, 64 << 10, 1 << 20, 4 << 20};

double predicted_time(const timed_operation& o, model::access by, const model::machine& here) {
  if (o.what == "fence") return model::fence(2, here);
  if (o.what == "post") return model::post(1, here);
  if (o.what == "lock") return model::lock(true, here);
  return model::predict(by, {.get = o.what == "get", .bytes = o.bytes}, here);
}

// What goes by the owner of ordinary memory, or is collected for one call
// (tools/model/one_sided_times.c).
double predicted_by_owner(const timed_operation& o, const model::machine& here) {
  if (o.what == "puts") return model::collected(64, {.bytes = o.bytes / 64}, here);
  if (o.what == "blocks") return model::handed(o.bytes, here);
  if (o.what == "computing")
    return rma::by_thread({.get = false, .bytes = o.bytes, .blocks = o.bytes / 256, .span = 2 * o.bytes}, {},
                          rma::costs_of(here)) /
           1e3;
  const rma::decision d = rma::carry(
      {.get = false, .bytes = o.bytes, .blocks = 1, .span = o.bytes, .changes = true, .plain = true},
      {.may_help = true}, rma::costs_of(here));
  return model::accumulate(d.by == rma::carrier::handed   ? model::changed_by::owner
                           : d.by == rma::carrier::shared ? model::changed_by::both
                                                          : model::changed_by::system,
                           o.bytes, here);
}

bool goes_by_owner(const timed_operation& o) {
  return o.what == "puts" || o.what == "blocks" || o.what == "computing" || o.what == "add";
}

// Windows of both kinds, and one of ordinary memory with the system's calls forbidden: all ways.
std::string print_one_sided(const study& all) {
  const model::machine here = model::median_of(all.machines);
  const environment forbidden = {{"LOADSTONE_VM", "0"}};
  fmt::print(
      "\nOne-sided operations between two ranks, each with its flush, µs; the target waits in a call "
      "(computing: in none)\n\n");
  fmt::print("  {:10}{:10}{:>10}{:>12}{:>12}{:>20}\n", "way", "what", "bytes", "predicted", "measured",
             "implementation, %");
  const auto show = [&](const timed_operations& found, std::string_view window, model::access by,
                        const char* name) {
    for (const timed_operation& o : found.all) {
      const bool owner = goes_by_owner(o);
      if (o.window != window || (owner && by != model::access::system)) continue;
      const double predicted = owner ? predicted_by_owner(o, here) : predicted_time(o, by, here);
      fmt::print("  {:10}{:10}{:>10}{:12.3f}{:12.3f}{:20.0f}\n",
                 !owner                  ? name
                 : o.what == "puts"      ? "collected"
                 : o.what == "computing" ? "thread"
                                         : "handed",
                 o.what, o.bytes > 0 ? size_text(o.bytes) : "", predicted, o.time,
                 o.time > 0 ? 100 * predicted / o.time : 0);
    }
  };
  const timed_operations set = time_operations(operation_sizes, {});
  if (!set.error.empty()) return set.error;
  show(set, "allocated", model::access::direct, "direct");
  const bool system = here.call > 0 && config_of(variables_of_environment()).endpoint.vm;
  if (system) show(set, "created", model::access::system, "system");
  const timed_operations asked = time_operations(operation_sizes, forbidden);
  if (!asked.error.empty()) return asked.error;
  show(asked, "created", model::access::asked, "asked");
  return {};
}

// --- suggested settings ---

constexpr std::size_t cells = 1, one_side = 2, both_sides = 3;

// The size from which on late(size) is less than early(size); -1: none.
template <class Early, class Late>
std::int64_t crossing(Early early, Late late) {
  std::vector<model::timed> points;
  for (const std::int64_t n : sizes)
    if (early(n) > 0 && late(n) > 0) points.push_back({n, early(n), late(n)});
  return model::crossing(points.data(), points.size());
}

std::string size_or_words(std::int64_t bytes) {
  return bytes < 0 ? "never" : fmt::format("from {} bytes on", bytes);
}

// The quicker of one side and both sides.
double direct(const study& all, std::int64_t n, double (study::*time)(std::size_t, std::int64_t) const) {
  const double one = (all.*time)(one_side, n), both = (all.*time)(both_sides, n);
  return one > 0 && both > 0 ? std::min(one, both) : std::max(one, both);
}

void suggest_eager_limit(const study& all) {
  const auto by = [&](double (study::*time)(std::size_t, std::int64_t) const) {
    return crossing([&, time](std::int64_t n) { return (all.*time)(cells, n); },
                    [&, time](std::int64_t n) { return direct(all, n, time); });
  };
  const std::int64_t measured = by(&study::measured), predicted = by(&study::predicted);
  fmt::print("# one copy by process_vm is quicker than two through a cell: predicted {}, measured {}\n",
             size_or_words(predicted), size_or_words(measured));
  if (measured > 0) {
    fmt::print("LOADSTONE_EAGER_LIMIT={}\n", measured);
  } else {
    // It is at no size that fits a cell: the largest of these.
    std::int64_t largest = 0;
    for (const auto& [bytes, r] : all.rows[cells]) largest = bytes;
    if (largest > 0) fmt::print("LOADSTONE_EAGER_LIMIT={}\n", largest);
  }
}

// The time when both sides copy, divided by that when one does: geometric mean over all sizes at
// which both were timed; 0 if there is none.
double both_to_one(const study& all, double (study::*time)(std::size_t, std::int64_t) const) {
  double sum = 0;
  int n = 0;
  for (const std::int64_t bytes : sizes) {
    const double one = (all.*time)(one_side, bytes), both = (all.*time)(both_sides, bytes);
    if (one <= 0 || both <= 0) continue;
    sum += std::log(both / one);
    ++n;
  }
  return n == 0 ? 0 : std::exp(sum / n);
}

void suggest_both_sides(const study& all) {
  const double predicted = both_to_one(all, &study::predicted), measured = both_to_one(all, &study::measured);
  if (measured <= 0) return;
  fmt::print(
      "# two that copy take {:.2f} of the time of one: predicted {:.2f} (means of all "
      "sizes)\nLOADSTONE_TEST=both_sides={}\n",
      measured, predicted, measured < 1 ? 1 : 0);
}

void suggest(const study& all) {
  suggest_eager_limit(all);
  suggest_both_sides(all);
}

bool write_text(const std::string& file, const std::string& text) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (out == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && written;
}

std::string picture(const study& all) {
  panel time{"Messages between two ranks", "bytes", "one way, µs", {}},
      rate{"The same as bandwidth", "bytes", "GB/s", {}};
  const auto add = [&](series s) {
    time.curves.push_back(s);
    for (auto& [bytes, t] : s.points) t = t > 0 ? bytes / t / 1e3 : 0;
    rate.curves.push_back(std::move(s));
  };
  series bare{"limit of the machine", "#000000", true, true, false, {}};
  for (const auto& [bytes, r] : all.rows[0]) bare.points.emplace_back(bytes, median(r.limit));
  add(std::move(bare));
  for (std::size_t v = 0; v < variants().size(); ++v) {
    series measured{
        fmt::format("{}: measured", variants()[v].name), variants()[v].colour, false, false, true, {}};
    series predicted{
        fmt::format("{}: predicted", variants()[v].name), variants()[v].colour, true, false, false, {}};
    for (const auto& [bytes, r] : all.rows[v]) {
      measured.points.emplace_back(bytes, median(r.measured));
      predicted.points.emplace_back(bytes, median(r.predicted));
    }
    if (measured.points.empty()) continue;
    add(std::move(measured));
    add(std::move(predicted));
  }
  return draw(std::array{time, rate});
}

}  // namespace

int show_model(const model_options& wanted) {
  const auto fails = [](const std::string& why) {
    fmt::print(stderr, "loadstone model: {}\n", why);
    return 1;
  };
  if (wanted.collectives > 0) {
    rank::config config;
    auto here = machine_of(&config);
    if (!here) {
      auto measured = model::measure(wanted.how, std::span(sizes).subspan(1));
      if (!measured) return fails(std::string(measured.error().what));
      here = std::move(*measured);
    }
    const std::string wrong = print_collectives(*here, wanted.collectives);
    return wrong.empty() ? 0 : fails(wrong);
  }
  // Checked before everything is measured.
  if (!wanted.svg.empty() && !write_text(wanted.svg, "")) return fails("cannot write " + wanted.svg);
  study all;
  const std::string error = carry_out(all, wanted);
  if (!error.empty()) return fails(error);
  const model::machine here = model::median_of(all.machines);
  const std::string wrong = model::implausible(here);
  const bool kept = wanted.how == model::pattern::rewritten && wrong.empty() &&
                    model::keep_machine(here, kept_machine_file());
  if (wanted.suggest) {
    suggest(all);
  } else {
    print_machine(all, wanted);
    print_messages(all);
    if (wanted.how == model::pattern::rewritten) {
      if (const std::string wrong = print_one_sided(all); !wrong.empty()) return fails(wrong);
      if (const std::string wrong = print_collectives(model::median_of(all.machines), 2); !wrong.empty())
        return fails(wrong);
    }
    if (kept)
      fmt::print("\nThe machine is kept in {}: loadstone explain, and every job from now on\n",
                 kept_machine_file());
  }
  if (!wrong.empty())  // suggestions are read by a shell
    fmt::print(wanted.suggest ? stderr : stdout,
               "\nThe machine is not kept: {}\nTry: loadstone model when nothing else runs\n", wrong);
  if (!wanted.svg.empty() && !write_text(wanted.svg, picture(all)))
    return fails("cannot write " + wanted.svg);
  return 0;
}

}  // namespace loadstone::command
