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
  for (std::size_t i = 0; i < where.servers.size(); ++i)
    text += fmt::format("mpiexec: I/O process {}: bound to processor{} {}\n", i,
                        where.servers[i].size() == 1 ? "" : "s", written(where.servers[i]));
  return text;
}

std::string note_of_servers(std::uint32_t servers, const placement& where) {
  if (where.served >= servers) return {};
  const std::uint32_t without = servers - where.served;
  return fmt::format("--io-ranks {}: no core is free{} beside those of the ranks: {} others", servers,
                     where.served == 0 ? "" : fmt::format(" but {}", where.served),
                     servers == 1   ? "the I/O process shares one with"
                     : without == 1 ? "one I/O process shares the cores of"
                                    : fmt::format("{} I/O processes share the cores of", without));
}

}  // namespace loadstone::launch
