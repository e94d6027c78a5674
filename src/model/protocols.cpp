#include "model/protocols.hpp"

#include <algorithm>

namespace loadstone::model {

namespace {

constexpr std::int64_t line_bytes = 64;

// Payload and envelope in lines that follow each other: the first is handed over, the others stream
// behind it.
double short_message(const machine& m, std::int64_t bytes) {
  const std::int64_t further = bytes / line_bytes;
  const double streamed = (m.get.at(4096) - m.get.at(line_bytes)) / (4096 / line_bytes - 1);
  return m.line + static_cast<double>(further) * std::max(streamed, 0.0);
}

// The envelope is a line; the data is copied into a cell, and out of it.
double eager(const machine& m, std::int64_t bytes) {
  return m.line + m.put.at(bytes) + m.get.at(bytes);
}

// One side tells the other where the data is (or wants to be); somebody copies.
double single_copy(const machine& m, std::int64_t bytes, bool both_sides) {
  if (!m.vm.known()) return 0;
  const double alone = m.vm.at(bytes);
  return m.line + (both_sides ? std::min(alone, m.line + m.vm_together.at(bytes)) : alone);
}

// One side tells the other where the data is, both map it; one copies, or both as soon as the other
// has heard of it; the end is told.
double direct(const machine& m, std::int64_t bytes) {
  return 2 * m.line + std::min(m.get.at(bytes), m.line + m.together.at(bytes));
}

// `control`: messages before the first part is filled: the offer, the clearance, the part's own, or
// this one alone. After that both sides copy at the same time, the slower of them in step.
double streamed(const machine& m, std::int64_t bytes, std::int64_t lag, int control) {
  const std::int64_t part = std::clamp<std::int64_t>(lag, 1, std::max<std::int64_t>(bytes, 1));
  const double parts = std::max(1.0, static_cast<double>(bytes) / static_cast<double>(part));
  const double put = m.put.at(part), get = m.get.at(part);
  return control * m.line + put + (parts - 1) * std::max(put, get) + get;
}

}  // namespace

double predict(const machine& here, std::string_view protocol, std::int64_t bytes,
               const protocol_settings& with) {
  if (protocol == "short") return short_message(here, bytes);
  if (protocol == "eager") return eager(here, bytes);
  if (protocol == "single_copy") return single_copy(here, bytes, with.both_sides);
  if (protocol == "both_sides") return single_copy(here, bytes, true);
  if (protocol == "direct") return direct(here, bytes);
  if (protocol == "pipelined") return streamed(here, bytes, with.pipeline_lag, 3);
  if (protocol == "at_once" || protocol == "begun") return streamed(here, bytes, with.pipeline_lag, 1);
  return 0;
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
  std::size_t last = n;  // the last at which `late` is not cheaper
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
