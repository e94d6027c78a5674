#include "rank/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/valgrind.hpp"
#include "model/kept_machine.hpp"
#include "model/protocols.hpp"
#include "transport/front_layout.hpp"

namespace loadstone {

namespace {

using enum setting_kind;
using enum setting_user;
using value = const setting_value&;
using progress_kind = deposit::endpoint_config::progress_kind;

constexpr std::string_view prefix = "LOADSTONE_", of_collectives = "LOADSTONE_COLL_",
                           of_tests = "LOADSTONE_TEST";

// Read by something else than this table: what mpiexec tells the ranks, the compiler wrappers, the
// fault points, the set-up of demonstration, tests and benchmarks. Whole names, and beginnings of
// names that end with an underscore.
constexpr std::array<std::string_view, 14> others = {
    "LOADSTONE_RANK",   "LOADSTONE_JOB",       "LOADSTONE_JOB_FD",         "LOADSTONE_SINGLETON",
    "LOADSTONE_CC",     "LOADSTONE_CXX",       "LOADSTONE_FAULT",          "LOADSTONE_FAULT_LOG",
    "LOADSTONE_PREFIX", "LOADSTONE_BUILD_DIR", "LOADSTONE_EXPECT_LIBRARY", "LOADSTONE_SEED",
    "LOADSTONE_TEST_",  "LOADSTONE_MODEL_"};

bool known_elsewhere(std::string_view name) {
  return std::any_of(others.begin(), others.end(), [&](std::string_view other) {
    return other.ends_with('_') ? name.starts_with(other) : name == other;
  });
}

// automatic, 0 or 1 for something that is decided by the cores of the machine otherwise.
std::uint32_t by_cores(value v) {
  return v.text == "0" ? 0 : v.text == "1" ? 1 : deposit::endpoint_config::automatic;
}
const std::vector<std::string> switches = {"automatic", "0", "1"};

void add_messages(std::vector<setting>& all) {
  const p2p::engine_config p2p;
  const deposit::endpoint_config endpoint;
  const auto add = [&](const char* name, auto initial, const char* what, setting_user who, setting_kind kind,
                       std::uint64_t least, std::uint64_t most, auto apply) {
    all.push_back({name, std::to_string(initial), what, "messages", who, kind, {}, least, most, apply});
  };
  constexpr std::uint64_t any = ~std::uint64_t{};
  // Of these the default is of the machine (engine_config::machine).
  const auto add_limit = [&](const char* name, const char* what, setting_user who, auto apply) {
    all.push_back({name, "automatic", what, "messages", who, bytes, {}, 0, any, apply});
  };
  add_limit(
      "LOADSTONE_EAGER_LIMIT",
      "up to here a standard send completes without the receiver (a blocking one, unless this is less than "
      "its default, up to 262144)",
      tuner, [](rank::config& c, const setting&, value v) { c.p2p.eager_limit = v.number; });
  add("LOADSTONE_UNEXPECTED", p2p.unexpected_limit,
      "how much of messages that nobody has asked for a receiver keeps; beyond it, senders keep them", tuner,
      bytes, 0, any, [](rank::config& c, const setting&, value v) { c.p2p.unexpected_limit = v.number; });
  add_limit(
      "direct_limit",
      "up to here a message from memory of MPI_Alloc_mem is sent like any other; longer ones are copied "
      "once, "
      "and a standard send waits for the receiver",
      test, [](rank::config& c, const setting&, value v) { c.p2p.direct_limit = v.number; });
  all.push_back({"machine",
                 "kept",
                 "where the limits that are not set come from: the machine that loadstone model has kept for "
                 "this host, if there is one, or the one that is built in",
                 "messages",
                 test,
                 word,
                 {"kept", "built_in"},
                 0,
                 any,
                 [](rank::config& c, const setting&, value v) { c.kept_machine = v.text == "kept"; }});
  add("pipeline_block", p2p.pipeline_block, "one block where large messages are copied twice", test, bytes, 1,
      any, [](rank::config& c, const setting&, value v) { c.p2p.pipeline_block = v.number; });
  add_limit(
      "pipeline_limit",
      "up to here a message that both ends wait for may be copied twice, by both at once, where that is "
      "quicker",
      test, [](rank::config& c, const setting&, value v) { c.p2p.pipeline_limit = v.number; });
  all.push_back({"both_sides", "automatic",
                 "whether sender and receiver of a large message both copy; automatic: when each has a core",
                 "messages", test, word, switches, 0, any,
                 [](rank::config& c, const setting&, value v) { c.p2p.both_sides = by_cores(v); }});
  all.push_back(
      {"overlap", "automatic",
       "whether a receiver copies a message out while its sender copies it in; automatic: when each has "
       "a core",
       "messages", test, word, switches, 0, any,
       [](rank::config& c, const setting&, value v) { c.endpoint.overlap = by_cores(v); }});
  all.push_back(
      {"rma_owners",
       "automatic",
       "whether data of windows of ordinary memory is copied by its owner; automatic: where that is "
       "quicker; 1: always, if it comes; thread: by its copying thread",
       "messages",
       test,
       word,
       {"automatic", "0", "1", "thread"},
       0,
       any,
       [](rank::config& c, const setting&, value v) {
         using owners = rma::engine_config::owners;
         c.rma.help = v.text == "0"        ? owners::never
                      : v.text == "1"      ? owners::always
                      : v.text == "thread" ? owners::thread
                                           : owners::automatic;
       }});
  add("inbox_slots", endpoint.inbox_slots, "slots of the inbox of a process", test, power_of_two, 2,
      transport::max_inbox_slots, [](rank::config& c, const setting&, value v) {
        c.endpoint.inbox_slots = static_cast<std::uint32_t>(v.number);
      });
  add("pair_lines", endpoint.pair_lines,
      "peers with which short messages may travel in a line of their own, or in a ring; 0: none", test,
      number, 0, 1024, [](rank::config& c, const setting&, value v) {
        c.endpoint.pair_lines = static_cast<std::uint32_t>(v.number);
      });
  add("cells", endpoint.cell_bytes_limit,
      "buffers of a sender in use at once, at most a third of its part of the job memory", test, bytes, 1,
      any, [](rank::config& c, const setting&, value v) { c.endpoint.cell_bytes_limit = v.number; });
}

void add_memory(std::vector<setting>& all) {
  constexpr std::uint64_t any = ~std::uint64_t{};
  all.push_back({"LOADSTONE_VM",
                 "1",
                 "whether peers' memory may be reached with process_vm_readv and process_vm_writev",
                 "memory",
                 user,
                 word,
                 {"0", "1"},
                 0,
                 any,
                 [](rank::config& c, const setting&, value v) { c.endpoint.vm = v.text == "1"; }});
  all.push_back({"LOADSTONE_ARENA_LIMIT",
                 "unlimited",
                 "job memory that one process may use; read by mpiexec",
                 "memory",
                 user,
                 bytes,
                 {}});
  all.push_back(
      {"LOADSTONE_SHARED_HEAP",
       "0",
       "as mpiexec --shared-heap=BYTES: from where on blocks of the program's memory are taken from "
       "job memory; 0: none; read by mpiexec",
       "memory",
       user,
       bytes,
       {},
       0,
       any,
       [](rank::config& c, const setting&, value v) { c.shared_heap_from = v.number; }});
  all.push_back(
      {"LOADSTONE_TOPOLOGY",
       "",
       "a synthetic machine, in hwloc's words, to place the ranks on instead of this one; read by mpiexec",
       "memory",
       user,
       text,
       {}});
  all.push_back({"mappings",
                 "unlimited",
                 "regions of peers that may be mapped at once",
                 "memory",
                 test,
                 number,
                 {},
                 1,
                 any,
                 [](rank::config& c, const setting&, value v) { c.mappings.max_entries = v.number; }});
  all.push_back({"transport",
                 "mapped",
                 "how processes reach each other; poor: as hard as memory can be; mixed: so do odd pairs",
                 "memory",
                 test,
                 word,
                 {"mapped", "poor", "mixed"},
                 0,
                 any,
                 [](rank::config& c, const setting&, value v) {
                   c.endpoint.transport.rule = transport::choice::named(v.text);
                 }});
  all.push_back(
      {"integrity",
       "0",
       "whether all that crosses is checked, and repeated until it is intact, on a transport that may "
       "lose lines",
       "memory",
       test,
       word,
       {"0", "1"},
       0,
       any,
       [](rank::config& c, const setting&, value v) { c.endpoint.transport.integrity = v.text == "1"; }});
  all.push_back({"poor_loses",
                 "0",
                 "of a million lines, how many the poor transport loses, repeats or reads stale",
                 "memory",
                 test,
                 number,
                 {},
                 0,
                 500'000,
                 [](rank::config& c, const setting&, value v) {
                   c.endpoint.transport.lost = static_cast<std::uint32_t>(v.number);
                 }});
}

void add_waiting(std::vector<setting>& all) {
  all.push_back({"LOADSTONE_WAIT",
                 "adaptive",
                 "how a process waits: spins for a while, then sleeps; never sleeps; sleeps at once",
                 "waiting",
                 user,
                 word,
                 {"adaptive", "spin", "block"},
                 0,
                 0,
                 [](rank::config& c, const setting&, value v) {
                   c.endpoint.waiting = v.text == "spin"    ? wait::mode::spin
                                        : v.text == "block" ? wait::mode::block
                                                            : wait::mode::adaptive;
                 }});
  all.push_back(
      {"LOADSTONE_PROGRESS",
       "off",
       "whether a thread of the library goes on with what needs this process while the program computes; "
       "auto: with MPI_THREAD_MULTIPLE, when there is a core for it",
       "waiting",
       user,
       word,
       {"off", "auto", "on"},
       0,
       0,
       [](rank::config& c, const setting&, value v) {
         c.endpoint.progress = v.text == "on"     ? progress_kind::on
                               : v.text == "auto" ? progress_kind::automatic
                                                  : progress_kind::off;
       }});
}

void add_collectives(std::vector<setting>& all) {
  all.push_back(
      {"LOADSTONE_REPRODUCIBLE",
       "0",
       "1: reductions have the same bits for a number of ranks, whichever algorithm is taken: from the "
       "highest rank down",
       "collectives",
       user,
       word,
       {"0", "1"},
       0,
       0,
       [](rank::config& c, const setting&, value v) { c.coll.set_reproducible(v.text == "1"); }});
  for (const coll::choices::known& known : coll::choices::table())
    all.push_back({std::string(of_collectives).append(known.collective),
                   std::string(known.algorithms.front()),
                   "algorithm of " + std::string(known.collective),
                   "collectives",
                   tuner,
                   word,
                   {known.algorithms.begin(), known.algorithms.end()},
                   0,
                   0,
                   [](rank::config& c, const setting& s, value v) {
                     c.coll.set(std::string_view(s.name).substr(of_collectives.size()), v.text);
                   }});
}

void add_files(std::vector<setting>& all) {
  constexpr std::uint64_t any = ~std::uint64_t{};
  all.push_back({"LOADSTONE_IO_BUFFER",
                 "automatic",
                 "buffer of one process for writes that return before they are made; 0: none; automatic: "
                 "a quarter of the memory that is left when it is first used, shared by all processes",
                 "files",
                 user,
                 bytes,
                 {},
                 0,
                 any - 1,
                 [](rank::config& c, const setting&, value v) { c.io.bytes = v.number; }});
  all.push_back(
      {"LOADSTONE_IO_BUFFER_WHEN",
       "pays",
       "pays: where no core is idle, writes are buffered only if that is measured to take less time "
       "than to make them at once; always: without such a look",
       "files",
       user,
       word,
       {"pays", "always"},
       0,
       0,
       [](rank::config& c, const setting&, value v) { c.io.always = v.text == "always"; }});
  all.push_back({"LOADSTONE_IO_PROGRAM_MEMORY",
                 "0",
                 "the most memory that the program itself will need, of one process: buffers leave it free",
                 "files",
                 user,
                 bytes,
                 {},
                 0,
                 any,
                 [](rank::config& c, const setting&, value v) { c.io.program_bytes = v.number; }});
  all.push_back({"LOADSTONE_IO_RANKS",
                 "0",
                 "as mpiexec --io-ranks: how many processes of mpiexec write what is buffered, each on a "
                 "core that the ranks leave; 0: one, on any core; read by mpiexec",
                 "files",
                 user,
                 number,
                 {},
                 0,
                 memory::io_servers});
  all.push_back({"LOADSTONE_IO_WRITES",
                 "automatic",
                 "how the I/O process writes files; automatic: io_uring where the kernel has it; read by "
                 "mpiexec",
                 "files",
                 user,
                 word,
                 {"automatic", "io_uring", "pwrite"}});
  all.push_back({"io_segment",
                 std::to_string(buffering::config{}.segment),
                 "the first part of the buffer for writes, from which it grows",
                 "files",
                 test,
                 bytes,
                 {},
                 4096,
                 32 << 20,
                 [](rank::config& c, const setting&, value v) { c.io.segment = v.number; }});
  all.push_back({"io_direct",
                 std::to_string(buffering::config{}.direct_below),
                 "shorter writes are made at once, as that is quicker than to hand them over",
                 "files",
                 test,
                 bytes,
                 {},
                 0,
                 any,
                 [](rank::config& c, const setting&, value v) { c.io.direct_below = v.number; }});
}

std::string parse(const setting& s, std::string_view said, setting_value* parsed) {
  parsed->text = said;
  if (s.kind == text) return {};
  if (s.kind == word) {
    const bool known = std::find(s.words.begin(), s.words.end(), said) != s.words.end();
    return known ? std::string{} : "expected " + range_of(s);
  }
  const char* const end = said.data() + said.size();
  const auto [stop, error] = std::from_chars(said.data(), end, parsed->number);
  const bool in_range = parsed->number >= s.least && parsed->number <= s.most;
  const bool fits = s.kind != power_of_two || (parsed->number & (parsed->number - 1)) == 0;
  if (error == std::errc{} && stop == end && in_range && fits) return {};
  return "expected " + range_of(s);
}

// The parameters in LOADSTONE_TEST.
void add_parameters(variables& found, std::string_view said) {
  while (!said.empty()) {
    const std::string_view one = said.substr(0, said.find(','));
    said.remove_prefix(std::min(said.size(), one.size() + 1));
    const std::size_t equals = std::min(one.find('='), one.size());
    found.emplace_back(one.substr(0, equals), one.substr(std::min(one.size(), equals + 1)));
  }
}

// Variables that look like settings and are none: a mistake in a name is silent otherwise.
std::string complaint_about_name(const std::string& name) {
  if (!name.starts_with(prefix))
    return std::string(of_tests) + ": there is no parameter " + (name.empty() ? "without a name" : name);
  if (name.starts_with(of_collectives)) return name + ": there is no choice of algorithms for it";
  std::string lower = name.substr(prefix.size());
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (find_setting(lower) != nullptr)
    return name + ": nothing reads it; for tests and trials: " + std::string(of_tests) + '=' + lower + "=…";
  return name + ": nothing reads a variable of this name";
}

}  // namespace

std::span<const setting> settings() {
  static const std::vector<setting> table = [] {
    std::vector<setting> all;
    add_messages(all);
    add_memory(all);
    add_waiting(all);
    add_collectives(all);
    add_files(all);
    return all;
  }();
  return table;
}

const setting* find_setting(std::string_view name) {
  for (const setting& s : settings())
    if (s.name == name) return &s;
  return nullptr;
}

std::string range_of(const setting& s) {
  std::string range;
  switch (s.kind) {
    case text:
      return "any text";
    case word:
      range = "one of";
      for (const std::string& allowed : s.words) range += ' ' + allowed;
      return range;
    case power_of_two:
      range = "a power of two";
      break;
    case setting_kind::bytes:
      range = "a number of bytes without a unit";
      break;
    case number:
      range = "a number";
      break;
  }
  if (s.least != 0) range += ", at least " + std::to_string(s.least);
  if (s.most != ~std::uint64_t{}) range += ", at most " + std::to_string(s.most);
  return range;
}

std::string useless(const setting& s, std::string_view said) {
  if (said.empty() || said == s.initial) return {};
  setting_value ignored;
  return parse(s, said, &ignored);
}

variables variables_of(std::span<const std::string_view> environment) {
  variables found;
  for (const std::string_view word : environment) {
    const std::string_view name = word.substr(0, word.find('='));
    if (!name.starts_with(prefix) || name.size() == word.size()) continue;
    const std::string_view said = word.substr(name.size() + 1);
    if (name == of_tests)
      add_parameters(found, said);
    else
      found.emplace_back(name, said);
  }
  return found;
}

variables variables_of_environment() {
  std::vector<std::string_view> words;
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) words.emplace_back(*v);
  return variables_of(words);
}

std::string kept_machine_file() {
  // As variables_of_environment(), of two that are not ours.
  const auto value_of = [](std::string_view name) {
    std::string_view found;
    for (char** v = environ; v != nullptr && *v != nullptr && found.empty(); ++v) {
      const std::string_view word = *v;
      if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
        found = word.substr(name.size() + 1);
    }
    return found;
  };
  return model::machine_file(value_of("XDG_CACHE_HOME"), value_of("HOME"));
}

std::optional<model::machine> machine_of(rank::config* config) {
  if (!config->kept_machine) {
    config->machine = std::make_shared<const model::machine>(model::built_in());
    return {};
  }
  auto kept = model::kept_machine(kept_machine_file());
  if (kept) config->p2p.machine = model::thresholds_of(*kept);
  if (kept) config->machine = std::make_shared<const model::machine>(*kept);
  return kept;
}

std::string_view value_of(const variables& from, std::string_view name) {
  std::string_view found;
  for (const auto& [other, said] : from)
    if (other == name) found = said;  // the last, as in config_of()
  return found;
}

std::string complaints_about(const variables& from) {
  std::string lines;
  for (const auto& [name, said] : from) {
    if (known_elsewhere(name)) continue;
    const setting* s = find_setting(name);
    if (s == nullptr) {
      lines += complaint_about_name(name) + '\n';
    } else if (const std::string why = useless(*s, said); !why.empty()) {
      lines += name + '=' + said + ": " + why + '\n';
    }
  }
  return lines;
}

rank::config config_of(const variables& from) {
  rank::config c;
  // Both ends write into such a line, and into cells that they pass to and fro, each behind the
  // other's valgrind's back; what they say is short, and no place to tell it.
  if (base::under_valgrind()) c.endpoint.pair_lines = 0;
  for (const auto& [name, said] : from) {
    const setting* s = find_setting(name);
    if (s == nullptr || s->apply == nullptr || said.empty()) continue;
    setting_value parsed;
    if (parse(*s, said, &parsed).empty()) s->apply(c, *s, parsed);
  }
  return c;
}

}  // namespace loadstone
