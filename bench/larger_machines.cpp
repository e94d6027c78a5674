// What collectives would take on machines larger than this one, by the model: the algorithm that is
// the quickest, beside the best of the textbook, with a rank on each core. The machines are of the literature
// (model/collectives.cpp); within a cache they are the one that is built in.
//
// Usage: larger_machines [picture.svg]     the table of docs/model.md, and its picture
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coll/choices.hpp"
#include "command/plot.hpp"
#include "model/collectives.hpp"

using namespace loadstone;

namespace {

struct row {
  std::string_view what;
  std::vector<std::string_view> textbook;
  std::vector<std::int64_t> sizes;
};
const std::vector<row>& rows() {
  static const std::vector<row> all = {
      {"barrier", {"dissemination", "tree"}, {0}},
      {"bcast", {"binomial", "scattered"}, {8, 8 << 10, 64 << 10, 1 << 20, 8 << 20}},
      {"reduce", {"binomial"}, {8, 64 << 10, 1 << 20}},
      {"allreduce", {"doubling", "halving"}, {8, 8 << 10, 64 << 10, 1 << 20, 8 << 20}},
      {"reduce_scatter", {"direct"}, {8 << 10, 1 << 20}},
      {"allgather", {"ring", "bruck"}, {8, 64 << 10}},
      {"alltoall", {"pairwise"}, {8, 8 << 10, 64 << 10}}};
  return all;
}

// Of those that the library has: the model may know more.
model::algorithm best(const model::collective& c, const model::places& where) {
  model::algorithm found{};
  for (const coll::choices::known& k : coll::choices::table())
    for (const std::string_view name :
         k.collective == c.what ? k.algorithms : std::span<const std::string_view>{})
      if (const double time = model::cost_of(name, c, model::built_in(), where);
          time > 0 && (found.time == 0 || time < found.time))
        found = {name, time, {}};
  return found;
}

model::algorithm quickest_of(std::span<const std::string_view> some, const model::collective& c,
                             const model::places& where) {
  model::algorithm found{};
  for (const std::string_view name : some)
    if (const double time = model::cost_of(name, c, model::built_in(), where);
        time > 0 && (found.time == 0 || time < found.time))
      found = {name, time, {}};
  return found;
}

model::collective one_of(std::string_view what, std::int32_t p, std::int64_t n) {
  return {.what = what, .members = p, .bytes = n, .areas = p <= model::most_with_areas, .chain = false};
}

std::string size_text(std::int64_t n) {
  return n >= 1 << 20 ? fmt::format("{} MiB", n >> 20)
         : n >= 1024  ? fmt::format("{} KiB", n >> 10)
                      : fmt::format("{} B", n);
}

void print_table() {
  fmt::print("| µs |");
  for (const model::described& d : model::larger_machines())
    fmt::print(" {} cores: taken | best of the textbook |", d.where.cores);
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < model::larger_machines().size(); ++i) fmt::print("---|---|");
  fmt::print("\n");
  for (const row& r : rows())
    for (const std::int64_t n : r.sizes) {
      fmt::print("| {}{} |", r.what, n > 0 ? " " + size_text(n) : "");
      for (const model::described& d : model::larger_machines()) {
        const model::collective c = one_of(r.what, d.where.cores, n);
        const model::algorithm a = best(c, d.where);
        fmt::print(" {:.3g}, {} |", a.time, a.name);
        const model::algorithm book = quickest_of(r.textbook, c, d.where);
        fmt::print(" {:.3g}, {} |", book.time, book.name);
      }
      fmt::print("\n");
    }
}

std::string picture() {
  constexpr std::array colours = {"#1b6ca8", "#c0392b", "#2e8b57"};
  std::vector<command::panel> panels;
  for (const std::string_view what : {"bcast", "allreduce"}) {
    command::panel p{std::string(what) + " by the model, a rank on each core", "bytes", "µs", {}};
    const std::vector<std::string_view>& textbook =
        std::find_if(rows().begin(), rows().end(), [&](const row& r) { return r.what == what; })->textbook;
    for (std::size_t m = 0; m < model::larger_machines().size(); ++m) {
      const model::described& d = model::larger_machines()[m];
      command::series taken{
          fmt::format("{} cores: taken", d.where.cores), colours[m], true, false, false, {}};
      command::series book{
          fmt::format("{} cores: best of the textbook", d.where.cores), colours[m], true, true, false, {}};
      for (std::int64_t n = 8; n <= 8 << 20; n *= 2) {
        const model::collective c = one_of(what, d.where.cores, n);
        taken.points.emplace_back(n, best(c, d.where).time);
        book.points.emplace_back(n, quickest_of(textbook, c, d.where).time);
      }
      p.curves.push_back(std::move(taken));
      p.curves.push_back(std::move(book));
    }
    panels.push_back(std::move(p));
  }
  return command::draw(panels);
}

}  // namespace

int main(int argc, char** argv) {
  print_table();
  if (argc < 2) return 0;
  std::ofstream out(argv[1]);
  out << picture();
  return out.flush().good() ? 0 : 1;
}
