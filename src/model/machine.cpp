#include "model/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/cpus.hpp"
#include "base/median.hpp"

namespace loadstone::model {

void curve::add(std::int64_t bytes, double time) {
  points_.push_back({bytes, time});
}

double curve::at(std::int64_t bytes) const {
  if (points_.empty()) return 0;
  const auto above =
      std::find_if(points_.begin(), points_.end(), [&](const point& p) { return p.bytes >= bytes; });
  if (above == points_.begin()) return above->time;
  const point& low = *(above - 1);
  if (above == points_.end()) return low.time * static_cast<double>(bytes) / static_cast<double>(low.bytes);
  const double share = static_cast<double>(bytes - low.bytes) / static_cast<double>(above->bytes - low.bytes);
  return low.time + share * (above->time - low.time);
}

namespace {

constexpr std::string_view heading = "loadstone machine 1";

constexpr std::array<std::pair<const char*, double machine::*>, 6> figures = {{{"line", &machine::line},
                                                                               {"wake", &machine::wake},
                                                                               {"call", &machine::call},
                                                                               {"piece", &machine::piece},
                                                                               {"turn", &machine::turn},
                                                                               {"fold", &machine::fold}}};
constexpr std::array<std::pair<const char*, curve machine::*>, 5> curves = {
    {{"put", &machine::put},
     {"get", &machine::get},
     {"vm", &machine::vm},
     {"vm_together", &machine::vm_together},
     {"together", &machine::together}}};

constexpr double KiB = 1024;
struct row {
  double kib, put, get, vm, vm_together, together;
};
// `loadstone model`, medians of three rounds, other processes stopped.
constexpr row measured[] = {{1.0 / 16, 0.001, 0.01, 1.68, 1.86, 0.13}, {1, 0.002, 0.02, 1.68, 1.86, 0.14},
                            {4, 0.04, 0.08, 1.7, 2.0, 0.15},           {8, 0.07, 0.15, 2.28, 2.01, 0.16},
                            {16, 0.15, 0.26, 3.13, 2.4, 0.21},         {32, 0.34, 0.49, 4.1, 3.11, 0.41},
                            {64, 0.71, 0.98, 7.38, 4.57, 0.62},        {128, 1.43, 1.9, 12.9, 7.45, 1.07},
                            {256, 2.84, 3.65, 23.7, 13.1, 2.03},       {1024, 24.4, 23, 93.6, 46.9, 9.03},
                            {4096, 96.4, 98.2, 367, 184, 47.7},        {16384, 811, 1206, 3208, 1686, 502}};

// The same on a processor that copies best by vector instructions.
constexpr row measured_by_vectors[] = {{1.0 / 16, 0.002, 0.079, 0.58, 1.12, 0.357},
                                       {1, 0.006, 0.164, 0.619, 1.06, 0.281},
                                       {4, 0.021, 0.442, 0.972, 1.06, 0.374},
                                       {8, 0.161, 0.811, 1.48, 1.13, 0.458},
                                       {16, 0.811, 1.55, 2.54, 1.62, 0.855},
                                       {32, 2.14, 2.47, 4.55, 2.38, 1.4},
                                       {64, 5.5, 4.62, 7.7, 3.6, 1.8},
                                       {128, 10.9, 8.9, 13.8, 6.37, 4.07},
                                       {256, 12.5, 13.7, 21.8, 12.6, 8.17},
                                       {1024, 48.1, 53.8, 80.3, 39.3, 25.4},
                                       {4096, 285, 265, 388, 208, 140},
                                       {16384, 1.27e+03, 1.37e+03, 2.68e+03, 893, 618}};

// Two cores of an AMD EPYC (Zen 4) that share a cache: lines that another core has read are dear to
// write, and a call of the system costs as much as 40 lines.
constexpr row measured_on_zen4[] = {
    {1.0 / 16, 0.001, 0.01, 1.55, 2.68, 0.12}, {1.0 / 4, 0.001, 0.011, 1.57, 2.65, 0.111},
    {1, 0.03, 0.03, 1.58, 1.95, 0.111},        {4, 0.121, 0.13, 1.64, 2.14, 0.13},
    {8, 0.231, 0.21, 2.07, 2.15, 0.16},        {16, 1.44, 0.431, 2.81, 3.08, 0.22},
    {32, 4.72, 0.812, 4.03, 3.97, 0.551},      {64, 9.5, 1.58, 6.34, 5.23, 0.861},
    {128, 19.5, 3.15, 11.3, 8.13, 1.6},        {256, 38.8, 6.26, 21.2, 13.6, 3.08},
    {1024, 92.2, 23.5, 97.9, 49.2, 15.4},      {4096, 177, 101, 336, 207, 52.4},
    {16384, 1534, 1655, 3232, 1934, 867}};

// Two cores of an AMD EPYC (Zen 3) that share a cache; they move near and far, and were near.
constexpr row measured_on_zen3[] = {
    {1.0 / 16, 0.01, 0.03, 1.47, 2.05, 0.16}, {1.0 / 4, 0.01, 0.03, 1.48, 2.07, 0.16},
    {1, 0.051, 0.05, 1.48, 2.11, 0.17},       {4, 0.39, 0.17, 1.58, 2.13, 0.19},
    {8, 0.761, 0.28, 2.11, 2.25, 0.22},       {16, 1.48, 0.542, 3.02, 2.88, 0.351},
    {32, 2.58, 0.982, 4.6, 4.47, 0.662},      {64, 4.86, 1.75, 7.51, 6.1, 1.14},
    {128, 11.2, 3.68, 13.9, 10.5, 2.19},      {256, 26.3, 8.98, 28, 22.3, 4.59},
    {1024, 47.6, 34.5, 98.5, 64.9, 24.8},     {4096, 195, 246, 470, 307, 85.5},
    {16384, 2640, 2943, 4487, 2791, 1612}};

machine with(machine m, std::span<const row> rows) {
  for (const row& r : rows) {
    const auto bytes = static_cast<std::int64_t>(r.kib * KiB);
    m.put.add(bytes, r.put);
    m.get.add(bytes, r.get);
    m.vm.add(bytes, r.vm);
    m.vm_together.add(bytes, r.vm_together);
    m.together.add(bytes, r.together);
  }
  return m;
}

machine by_strings(machine m) {
  m.strings = true;
  return m;
}

machine with_figures(double line, double wake, double call, double piece, double turn, double fold) {
  machine m;
  m.line = line, m.wake = wake, m.call = call, m.piece = piece, m.turn = turn, m.fold = fold;
  return m;
}

}  // namespace

std::span<const machine> built_in_machines() {
  static const machine all[] = {
      by_strings(with(with_figures(0.049, 28.5, 1.9, 0.41, 1.4, 0.02), measured)),
      with(with_figures(0.0305, 28.6, 1.5, 0.308, 1.48, 0.0195), measured_on_zen4),
      with(with_figures(0.0603, 25, 1.62, 0.437, 2.59, 0.0528), measured_on_zen3),
      with(with_figures(0.0578, 29.8, 0.477, 0.111, 0.618, 0.0448), measured_by_vectors)};
  return all;
}

const machine& built_in() {
  return built_in_machines()[0];
}

const machine& nearest_built_in() {
  const std::span<const machine> all = built_in_machines();
  if (base::copies_best_by_string()) return built_in();
  if (!base::slow_to_take_shared_lines()) return all[3];
  return all[base::has_vectors_of_64() ? 1 : 2];
}

std::string write(const machine& m, std::string_view about) {
  std::string text = fmt::format("{}\nabout {}\nstrings {}\n", heading, about, m.strings ? 1 : 0);
  for (const auto& [name, figure] : figures) text += fmt::format("{} {:.6g}\n", name, m.*figure);
  for (const auto& [name, of] : curves)
    for (const curve::point& p : (m.*of).points())
      text += fmt::format("{} {} {:.6g}\n", name, p.bytes, p.time);
  return text + "end\n";
}

std::optional<read_machine> read(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != heading) return {};
  read_machine found;
  const auto sensible = [](double time) { return std::isfinite(time) && time >= 0; };
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "end") {
      const machine& m = found.measured;
      const bool whole = m.line > 0 && m.put.known() && m.get.known() && m.together.known();
      return whole ? std::optional(std::move(found)) : std::nullopt;
    }
    if (name == "about") {
      found.about = line.substr(std::min<std::size_t>(line.size(), 6));
      continue;
    }
    if (name == "strings" && words >> found.measured.strings) continue;
    bool understood = false;
    for (const auto& [known, figure] : figures)
      if (name == known && words >> found.measured.*figure && sensible(found.measured.*figure))
        understood = true;
    for (const auto& [known, of] : curves) {
      curve::point p{};
      if (name != known || !(words >> p.bytes >> p.time) || !sensible(p.time) || p.bytes <= 0) continue;
      const auto before = (found.measured.*of).points();
      if (!before.empty() && before.back().bytes >= p.bytes) continue;
      (found.measured.*of).add(p.bytes, p.time);
      understood = true;
    }
    std::string more;
    if (!understood || words >> more) return {};
  }
  return {};  // cut off
}

machine median_of(std::span<const machine> rounds) {
  machine m;
  if (rounds.empty()) return m;
  m.strings = rounds.front().strings;
  std::vector<double> values(rounds.size());
  for (const auto& [name, figure] : figures) {
    for (std::size_t i = 0; i < rounds.size(); ++i) values[i] = rounds[i].*figure;
    m.*figure = base::median(values);
  }
  for (const auto& [name, of] : curves)
    for (const curve::point& p : (rounds.front().*of).points()) {
      for (std::size_t i = 0; i < rounds.size(); ++i) values[i] = (rounds[i].*of).at(p.bytes);
      (m.*of).add(p.bytes, base::median(values));
    }
  return m;
}

}  // namespace loadstone::model
