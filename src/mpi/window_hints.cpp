#include "mpi/window_hints.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "mpi/memory_kinds.hpp"

namespace loadstone::mpi {
namespace {

constexpr std::size_t least_alignment = 64, most_alignment = std::size_t{1} << 21;

bool is_bool(std::string_view value) {
  return value == "true" || value == "false";
}

std::optional<std::uint64_t> number(std::string_view value) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || value.empty()) return std::nullopt;
  return n;
}

// "none", or a list of the four orders that are kept.
bool is_ordering(std::string_view value) {
  if (value == "none") return true;
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t comma = std::min(value.find(',', from), value.size());
    const std::string_view word = value.substr(from, comma - from);
    if (word != "rar" && word != "raw" && word != "war" && word != "waw") return false;
    from = comma + 1;
  }
  return true;
}

bool is_alignment(std::string_view value) {
  const auto n = number(value);
  return n && *n > 0 && (*n & (*n - 1)) == 0 && *n <= most_alignment;
}

constexpr std::uint8_t created = 1 << static_cast<int>(rma::flavor::created),
                       allocated = 1 << static_cast<int>(rma::flavor::allocated),
                       shared = 1 << static_cast<int>(rma::flavor::shared),
                       dynamic = 1 << static_cast<int>(rma::flavor::dynamic),
                       any = created | allocated | shared | dynamic;

struct hint {
  std::string_view key, initial;  // initial "": not there unless given
  std::uint8_t of;                // which windows have it
  bool later;                     // may MPI_Win_set_info change it?
  bool (*valid)(std::string_view value);
};

constexpr hint hints[] = {
    {"no_locks", "false", any, true, is_bool},
    {"accumulate_ordering", "rar,raw,war,waw", any, true, is_ordering},
    {"accumulate_ops", "same_op_no_op", any, true,
     [](std::string_view value) { return value == "same_op" || value == "same_op_no_op"; }},
    {"mpi_accumulate_granularity", "0", any, true,
     [](std::string_view value) { return number(value).has_value(); }},
    {"same_size", "false", created | allocated | shared, false, is_bool},
    {"same_disp_unit", "false", created | allocated | shared, false, is_bool},
    {"alloc_shared_noncontig", "false", shared, false, is_bool},
    {"mpi_minimum_memory_alignment", "64", allocated | shared, false, is_alignment},
    {asserted_kinds_key, "", any, false, are_memory_kinds},
};

bool applies(const hint& h, rma::flavor kind) {
  return (h.of >> static_cast<int>(kind) & 1) != 0;
}

}  // namespace

window_hints::window_hints(rma::flavor kind) : kind_(kind) {
  for (const hint& h : hints) {
    if (applies(h, kind) && !h.initial.empty()) pairs_.set(h.key, h.initial);
  }
}

void window_hints::take(const info::pairs& given, bool creating) {
  for (const auto& [key, value] : given) {
    for (const hint& h : hints) {
      if (h.key != key || !applies(h, kind_) || !(creating || h.later) || !h.valid(value)) continue;
      pairs_.set(key, value);
      if (key == "no_locks") no_locks_.store(value == "true", std::memory_order_relaxed);  // as no_locks()
    }
  }
}

bool window_hints::promises(std::string_view key) const {
  return pairs_.find(key) == "true";
}

bool window_hints::any_order() const {
  return pairs_.find("accumulate_ordering") == "none";
}

std::size_t window_hints::alignment() const {
  const auto given = pairs_.find("mpi_minimum_memory_alignment");
  return given ? std::max(least_alignment, static_cast<std::size_t>(number(*given).value_or(0)))
               : least_alignment;
}

}  // namespace loadstone::mpi
