#include "command/explain_rma.hpp"

#include <fmt/core.h>

#include <utility>

#include "base/cpus.hpp"
#include "command/explain.hpp"
#include "model/one_sided.hpp"
#include "rank/settings.hpp"
#include "rma/choice.hpp"
#include "rma/collected.hpp"

namespace loadstone::command {

namespace {

constexpr std::string_view allocated = "allocated", created = "created";

model::access access_of(rma::way w) {
  switch (w) {
    case rma::way::direct:
      return model::access::direct;
    case rma::way::system:
      return model::access::system;
    case rma::way::asked:
      return model::access::asked;
  }
  return model::access::asked;
}

// Why this way is not possible there; empty if it is.
std::string_view why_not(rma::way w, const rma::circumstances& there) {
  if (w == rma::way::direct) return there.memory_here ? "" : "the target's memory is not mapped here";
  if (w == rma::way::asked) return {};
  if (there.in_job_memory) return "others use atomic instructions in this memory";
  return there.system_allows ? "" : "the system refuses process_vm_writev (loadstone doctor)";
}

std::string_view because(rma::way w, const rma::circumstances& there) {
  if (w == rma::way::direct) return "the target's memory is mapped here: loads and stores";
  if (w == rma::way::system) return "ordinary memory, which the system lets us read and write";
  return there.in_job_memory ? "the target's memory is not mapped here"
                             : "ordinary memory, and the system refuses process_vm_writev";
}

// What carries it to and from ordinary memory, by what the target does.
void print_carriers(const explain_options& wanted, const model::machine& here) {
  const std::int64_t span = wanted.blocks > 1 ? 2 * wanted.bytes : wanted.bytes;
  const rma::costs costs = rma::costs_of(here);
  fmt::print(
      "\nwhat carries it (blocks: the system's call; span: with the gaps, as large as blocks; handed: the "
      "owner copies, or adds; thread: its copying thread does; shared: both ends add), µs\n");
  const bool plain = wanted.blocks == 1;
  const std::pair<const char*, rma::transfer> transfers[] = {
      {"put", {false, wanted.bytes, wanted.blocks, span}},
      {"get", {true, wanted.bytes, wanted.blocks, span}},
      {"accumulate", {false, wanted.bytes, wanted.blocks, span, true, plain}}};
  for (const auto& [name, transfer] : transfers) {
    fmt::print("  {:10}", name);
    const struct {
      const char* what;
      rma::owner_seen seen;
    } targets[] = {
        {"waits", {true, false, false}}, {"sleeps", {true, true, false}}, {"computes", {.thread = true}}};
    for (const auto& t : targets) {
      const rma::decision d = rma::carry(transfer, t.seen, costs);
      fmt::print("   target {}: {} {:.3f}", t.what, rma::name_of(d.by), d.ns / 1e3);
    }
    fmt::print("\n");
  }
  if (wanted.blocks == 1 && wanted.bytes <= rma::collection::largest) {
    const rma::decision d = rma::carry({false, 64 * wanted.bytes, 64, 0}, {}, costs);
    fmt::print(
        "  puts of this size are collected; 64 of them, target computes: {:.3f} each (model: {:.3f})\n",
        d.ns / 1e3 / 64, model::collected(64, {.bytes = wanted.bytes}, here) / 64);
  }
}

std::string time_text(double time) {
  return time > 0 ? fmt::format("{:.3f}", time) : "-";
}

}  // namespace

std::vector<std::string> windows_to_explain() {
  return {std::string(allocated), std::string(created)};
}

int explain_rma(const explain_options& wanted) {
  rank::config config = config_of(variables_of_environment());
  const auto kept = machine_of(&config);
  const model::machine& here = kept ? *kept : model::nearest_built_in();
  const bool mapped = wanted.window == allocated;
  const rma::circumstances there{.self = false,
                                 .record_here = true,
                                 .in_job_memory = mapped,
                                 .memory_here = mapped,
                                 .system_allows = config.endpoint.vm};
  const rma::way taken = rma::choose(there);
  if (wanted.blocks > 1 && wanted.bytes % wanted.blocks != 0) {
    fmt::print(stderr, "loadstone: {} bytes cannot be {} equal blocks\nTry: loadstone explain --help\n",
               wanted.bytes, wanted.blocks);
    return 2;
  }

  fmt::print("A put and a get of {} bytes", wanted.bytes);
  if (wanted.blocks > 1)
    fmt::print(", in {} blocks of {} at the target", wanted.blocks, wanted.bytes / wanted.blocks);
  fmt::print(", window: {}\n", wanted.window);
  print_origin_of_times(kept.has_value());
  fmt::print("  {:10} {:>12} {:>12} {:>16}   {}\n", "way", "put, µs", "get, µs", "target computes", "");
  for (const rma::way w : {rma::way::direct, rma::way::system, rma::way::asked}) {
    if (const std::string_view reason = why_not(w, there); !reason.empty()) {
      fmt::print("  {:10} {:>12} {:>12} {:>16}   {}\n", rma::name_of(w), "-", "-", "-", reason);
      continue;
    }
    model::operation put{.bytes = wanted.bytes, .blocks = wanted.blocks}, get = put, asleep = put;
    get.get = true, asleep.asleep = true;
    const model::access by = access_of(w);
    fmt::print("  {:10} {:>12} {:>12} {:>16}   {}\n", rma::name_of(w), time_text(predict(by, put, here)),
               time_text(predict(by, get, here)), time_text(predict(by, asleep, here)),
               w == taken ? "taken" : "");
  }
  fmt::print("\ntaken: {}: {}\n", rma::name_of(taken), because(taken, there));
  if (taken == rma::way::system) print_carriers(wanted, here);
  if (taken == rma::way::system)
    if (const auto blocks = model::blocks_to_ask({.bytes = wanted.bytes, .asleep = true}, here); blocks > 0)
      fmt::print("the model would ask from {} block{} on, even if the target has to be woken\n", blocks,
                 blocks == 1 ? "" : "s");

  fmt::print("\nsynchronisation with nothing inside, µs, when nobody is late\n");
  for (const std::int32_t ranks : {2, 4, 8})
    fmt::print("  fence of {} ranks         {:8.3f}\n", ranks, model::fence(ranks, here));
  fmt::print("  post to wait, a partner  {:8.3f}\n", model::post(1, here));
  fmt::print("  lock that another had    {:8.3f}\n", model::lock(true, here));
  return 0;
}

}  // namespace loadstone::command
