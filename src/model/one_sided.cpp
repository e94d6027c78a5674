#include "model/one_sided.hpp"

#include <algorithm>
#include <bit>

#include "model/protocols.hpp"

namespace loadstone::model {

namespace {

// Data and runs of a request travel as an eager message, in pieces if they are long.
double message(std::int64_t bytes, const machine& m) {
  const std::int64_t most = bounds{}.most_eager;
  double time = 0;
  for (; bytes > most; bytes -= most) time += predict(way::eager, most, m, {});
  const way rest = bytes <= bounds{}.most_short ? way::short_message : way::eager;
  return time + predict(rest, bytes, m, {});
}

}  // namespace

double predict(access by, const operation& what, const machine& here) {
  switch (by) {
    case access::direct:
      return (what.get ? here.get : here.put).at(what.bytes);
    case access::system:
      if (!here.vm.known() || (what.blocks > 1 && here.piece <= 0)) return 0;
      return here.vm.at(what.bytes) + static_cast<double>(what.blocks - 1) * here.piece;
    case access::asked: {
      const double there =
          message(what.get ? 0 : what.bytes, here);  // regular blocks are one run of a request
      const double back = message(what.get ? what.bytes : 0, here);
      return there + back + (what.asleep ? here.wake : 0);
    }
  }
  return 0;
}

double collected(std::int64_t puts, const operation& each, const machine& here) {
  return predict(access::system, {.bytes = puts * each.bytes, .blocks = puts * each.blocks}, here);
}

double handed(std::int64_t bytes, const machine& here) {
  return predict(way::pipelined, bytes, here, {});
}

double accumulate(changed_by whom, std::int64_t bytes, const machine& here) {
  const double add = here.fold * static_cast<double>(bytes) / 1024;
  if (whom == changed_by::owner) {
    constexpr std::int64_t piece = 16 * 1024;  // which is copied before the owner begins
    return std::max(handed(bytes, here), 3 * here.line + here.put.at(std::min(bytes, piece)) + add);
  }
  if (!here.vm.known() || here.fold <= 0) return 0;
  const double copy = here.vm.at(bytes);
  const double system = 2 * copy + add, owner = copy + add;
  return whom == changed_by::system ? system : 3 * here.line + system * owner / (system + owner);
}

double fence(std::int32_t ranks, const machine& here) {
  return static_cast<double>(std::bit_width(static_cast<std::uint32_t>(ranks - 1))) * here.line;
}

double post(std::int32_t partners, const machine& here) {
  return partners <= 0 ? 0 : 2 * here.line + static_cast<double>(partners - 1) * 2 * here.put.at(64);
}

double lock(bool of_another, const machine& here) {
  return of_another ? here.line : 0;
}

std::int64_t blocks_to_ask(const operation& what, const machine& here) {
  for (std::int64_t blocks = 1; blocks <= what.bytes; blocks *= 2) {
    operation some = what;
    some.blocks = blocks;
    const double system = predict(access::system, some, here), asked = predict(access::asked, some, here);
    if (asked > 0 && asked < system) return blocks;
  }
  return -1;
}

}  // namespace loadstone::model
