#include "launch/placement_report.hpp"

#include <fmt/core.h>

namespace loadstone::launch {

namespace {

std::string describe_threads(const variables& given, const std::string& set_by_user, std::size_t processors) {
  std::string text;
  for (const auto& [name, value] : given)
    text += fmt::format("{}{}={}", text.empty() ? "; " : " ", name, value);
  if (!set_by_user.empty()) return text + "; threads as the environment says: " + set_by_user;
  if (given.empty()) text = fmt::format("; threads as it has processors: {}", processors);
  return text;
}

}  // namespace

std::string describe_placement(const options& wanted, const placement& where, const processors& all) {
  const bool bound = !where.places.empty();
  const std::vector<variables> given = told_of_threads(wanted, where, all.size());
  std::string text;
  std::size_t rank = 0;
  for (const application& program : wanted.applications) {
    const std::string set_by_user = threads_set_by_user(environment_of(program));
    for (std::uint32_t i = 0; i < program.ranks; ++i, ++rank) {
      const processors& place = bound ? where.places[rank] : all;
      text += fmt::format("mpiexec: rank {}: {} processor{} {}{}\n", rank,
                          bound ? "bound to" : "not bound, may use", place.size() == 1 ? "" : "s",
                          written(place), describe_threads(given[rank], set_by_user, place.size()));
    }
  }
  return text;
}

}  // namespace loadstone::launch
