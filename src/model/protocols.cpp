#include "model/protocols.hpp"

#include <algorithm>
#include <initializer_list>

#include "copy/copy.hpp"

namespace loadstone::model {

namespace {

constexpr std::int64_t line_bytes = 64;

// Envelope and payload in adjacent lines: the first is handed over, the others follow at the rate
// of a copy.
double short_message(const machine& m, std::int64_t bytes) {
  const std::int64_t further = bytes / line_bytes;
  const double following = (m.get.at(4096) - m.get.at(line_bytes)) / (4096 / line_bytes - 1);
  return m.line + static_cast<double>(further) * std::max(following, 0.0);
}

// Into shared memory and out of it. With a core for each the receiver follows: the first part is
// filled, after that both copy at the same time, the slower of them in step.
double two_copies(const machine& m, std::int64_t bytes, bool followed) {
  if (!followed) return m.put.at(bytes) + m.get.at(bytes);
  const auto whole = static_cast<std::size_t>(std::min(bytes, bounds{}.most_eager));
  const auto part =
      std::min(static_cast<std::int64_t>(copy::part_of(whole, m.strings)), std::max<std::int64_t>(bytes, 1));
  const double parts = std::max(1.0, static_cast<double>(bytes) / static_cast<double>(part));
  const double put = m.put.at(part), get = m.get.at(part);
  return put + (parts - 1) * std::max(put, get) + get;
}

double time_of(way w, std::int64_t bytes, const machine& m, const reach& r, const bounds& fits) {
  const bool followed = r.cores && bytes >= fits.least_followed;
  switch (w) {
    case way::short_message:
      return short_message(m, bytes);
    case way::eager:  // the envelope is a line
    case way::at_once:
      return m.line + two_copies(m, bytes, followed);
    case way::pipelined:  // offer and clearance
      return 3 * m.line + two_copies(m, bytes, followed);
    case way::single_copy:  // one side tells the other where the data is
      return m.line + m.vm.at(bytes);
    case way::both_sides:  // and the other is asked for help
      return 2 * m.line + m.vm_together.at(bytes);
    case way::direct:  // told, and the end told
      return 2 * m.line + m.get.at(bytes);
    case way::direct_both:
      return 3 * m.line + m.together.at(bytes);
    case way::push:  // told, cleared, and the end told
      return 3 * m.line + m.put.at(bytes);
    case way::advert:  // the end told: where the receive buffer is has come before
      return m.line + (r.target_mapped ? m.put : m.vm).at(bytes);
  }
  return 0;
}

constexpr std::string_view titles[ways] = {"short",       "eager",      "at once", "pipelined",
                                           "single copy", "both sides", "direct",  "direct, both sides",
                                           "push",        "advert"};
constexpr std::string_view protocols[ways] = {"short",       "eager",      "at_once", "pipelined",
                                              "single_copy", "both_sides", "direct",  "both_sides",
                                              "direct",      "advert"};

}  // namespace

std::string_view name_of(way w) {
  return titles[static_cast<std::size_t>(w)];
}
std::string_view protocol_of(way w) {
  return protocols[static_cast<std::size_t>(w)];
}

std::string_view why_not(way w, std::int64_t bytes, const machine& here, const reach& r, const bounds& fits) {
  const bool together = r.cores && r.both;
  switch (w) {
    case way::short_message:
      return bytes > fits.most_short ? "more than a slot holds" : "";
    case way::eager:
    case way::at_once:
      return bytes > fits.most_eager ? "more than a cell holds" : "";
    case way::pipelined:
      return {};
    case way::single_copy:
    case way::both_sides:
      if (!r.kernel || !here.vm.known()) return "process_vm_readv is not allowed";
      return w == way::both_sides && !together ? "one side copies" : "";
    case way::direct:
      return r.source_mapped ? "" : "the receiver cannot map the sender's buffer";
    case way::direct_both:
      if (!r.source_mapped || !r.target_mapped) return "not both can map the other's buffer";
      return together ? "" : "one side copies";
    case way::push:
      return r.target_mapped ? "" : "the sender cannot map the receiver's buffer";
    case way::advert:
      if (!r.told) return "the sender has not been told of the receive";
      return r.target_mapped || (r.kernel && here.vm.known()) ? "" : "process_vm_writev is not allowed";
  }
  return {};
}

double predict(way w, std::int64_t bytes, const machine& here, const reach& between, const bounds& fits) {
  return why_not(w, bytes, here, between, fits).empty() ? time_of(w, bytes, here, between, fits) : 0;
}

double predict(std::string_view protocol, std::int64_t bytes, const machine& here, const reach& between) {
  double least = 0;
  for (std::size_t i = 0; i < ways; ++i) {
    if (protocols[i] != protocol) continue;
    // It has been taken: what fits is for the library to know.
    constexpr bounds all{INT64_MAX, INT64_MAX, 4096};
    const double time = predict(static_cast<way>(i), bytes, here, between, all);
    if (time > 0 && (least == 0 || time < least)) least = time;
  }
  return least;
}

std::array<candidate, ways> choose(std::int64_t bytes, const machine& here, const reach& between,
                                   const bounds& fits) {
  std::array<candidate, ways> all;
  for (std::size_t i = 0; i < ways; ++i)
    all[i] = {static_cast<way>(i), predict(static_cast<way>(i), bytes, here, between, fits)};
  std::stable_sort(all.begin(), all.end(), [](const candidate& a, const candidate& b) {
    return a.time > 0 && (b.time == 0 || a.time < b.time);
  });
  return all;
}

thresholds thresholds_of(const machine& here, const bounds& fits) {
  constexpr double worth_waiting = 0.8, worth_trying = 2;
  const auto least_of = [&](std::initializer_list<way> some, std::int64_t bytes, const reach& r) {
    double least = 0;
    for (const way w : some) {
      const double time = predict(w, bytes, here, r, fits);
      if (time > 0 && (least == 0 || time < least)) least = time;
    }
    return least;
  };
  const reach ordinary{}, shared{.source_mapped = true, .target_mapped = true};
  thresholds found;
  std::int64_t eager = thresholds::least, direct = thresholds::least, pipeline = 0;
  bool to_the_end = false;
  // The last size at which the one is not worse.
  for (std::int64_t n = thresholds::least; n <= 16 << 20; n *= 2) {
    const double kernel = least_of({way::single_copy, way::both_sides}, n, ordinary);
    if (n <= fits.most_eager) {
      const double cell = predict(way::eager, n, here, ordinary, fits);
      if (kernel == 0 || cell <= kernel) eager = n;
      if (least_of({way::direct, way::direct_both}, n, shared) > worth_waiting * cell) direct = n;
    }
    to_the_end = kernel == 0 || predict(way::pipelined, n, here, ordinary, fits) <= worth_trying * kernel;
    if (to_the_end) pipeline = n;
  }
  found.eager = std::min(eager, thresholds::most_unasked);
  found.direct = std::min(direct, found.eager);
  found.pipeline = to_the_end ? thresholds::unbounded : pipeline;
  return found;
}

double limit(const machine& here, std::int64_t bytes) {
  if (bytes <= line_bytes) return here.line;
  // A copy out of another core's cache contains the hand-over of its first line.
  const double one = std::max(here.get.at(bytes) - here.get.at(line_bytes), 0.0);
  return here.line + std::min(one, here.together.at(bytes));
}

efficiencies judge(double limit, double predicted, double measured) {
  const auto share = [](double part, double whole) { return part > 0 && whole > 0 ? part / whole : 0; };
  return {share(predicted, measured), share(limit, predicted), share(limit, measured)};
}

std::int64_t crossing(const timed* points, std::size_t n) {
  std::size_t last = n;  // index of the last size at which `late` is not cheaper
  for (std::size_t i = 0; i < n; ++i)
    if (points[i].late >= points[i].early) last = i;
  if (n == 0 || last == n - 1) return -1;
  if (last == n) return points[0].bytes;
  const timed &a = points[last], &b = points[last + 1];
  const double before = a.late - a.early, after = b.early - b.late;
  const double share = before + after > 0 ? before / (before + after) : 0;
  return a.bytes + static_cast<std::int64_t>(share * static_cast<double>(b.bytes - a.bytes));
}

}  // namespace loadstone::model
