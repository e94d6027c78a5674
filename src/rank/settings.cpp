#include "rank/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "coll/choices.hpp"
#include "deposit/endpoint.hpp"
#include "p2p/engine.hpp"

namespace loadstone {

namespace {

using enum setting_kind;
using enum setting_user;
constexpr std::string_view of_collectives = "LOADSTONE_COLL_";

void add_messages(std::vector<setting>& all) {
  const p2p::engine_config p2p;
  const deposit::endpoint_config endpoint;
  const auto in_messages = [&](const char* name, std::size_t initial, const char* what, setting_user whom,
                               setting_kind kind = number) {
    all.push_back({name, std::to_string(initial), what, "messages", whom, kind, {}});
  };
  in_messages(
      "LOADSTONE_EAGER_LIMIT", p2p.eager_limit,
      "bytes up to which a standard send completes without the receiver (a blocking one, unless this is less "
      "than 65536, perhaps up to LOADSTONE_PIPELINE_BLOCK)",
      tuner);
  in_messages("LOADSTONE_DIRECT_LIMIT", p2p.direct_limit,
              "bytes up to which a message from memory of MPI_Alloc_mem is sent like any other; longer ones "
              "are copied once, and a standard send waits for the receiver",
              tuner);
  in_messages("LOADSTONE_UNEXPECTED", p2p.unexpected_limit,
              "bytes of unexpected messages kept here before senders are asked to keep theirs", tuner);
  in_messages("LOADSTONE_PIPELINE_BLOCK", p2p.pipeline_block,
              "bytes of one block where large messages have to be copied twice", tuner);
  in_messages("LOADSTONE_STREAM_LIMIT", p2p.stream_limit,
              "bytes up to which a message that both ends wait for may be copied twice, by both at once, "
              "where that is quicker",
              tuner);
  all.push_back(
      {"LOADSTONE_BOTH_SIDES",
       "automatic",
       "whether sender and receiver of a large message both copy: 1, 0, or automatic (when each has a core)",
       "messages",
       tuner,
       number,
       {}});
  all.push_back({"LOADSTONE_OVERLAP",
                 "automatic",
                 "whether a receiver copies a message out while its sender copies it in: 1, 0, or automatic "
                 "(when each has a core)",
                 "messages",
                 tuner,
                 number,
                 {}});
  in_messages("LOADSTONE_INBOX_SLOTS", endpoint.inbox_slots,
              "slots of the inbox of a process, a power of two", tuner, power_of_two);
  in_messages("LOADSTONE_PAIR_LINES", endpoint.pair_lines,
              "peers with which short messages may travel in a line of their own, or in a ring when one "
              "sends much in a row; 0: none",
              tuner);
  in_messages("LOADSTONE_CELLS", endpoint.cell_bytes_limit,
              "bytes of sender-owned cells that may be in use at once, at most a third of the arena; half as "
              "much again for messages by turns",
              tuner);
}

void add_others(std::vector<setting>& all) {
  all.push_back({"LOADSTONE_VM",
                 "1",
                 "whether the memory of peers may be reached with process_vm_readv and process_vm_writev",
                 "memory",
                 user,
                 word,
                 {"0", "1"}});
  all.push_back({"LOADSTONE_MAPPINGS",
                 "unlimited",
                 "regions of peers that may be mapped at once",
                 "memory",
                 tuner,
                 number,
                 {}});
  all.push_back({"LOADSTONE_ARENA_LIMIT",
                 "unlimited",
                 "bytes of job memory that one process may use",
                 "memory",
                 user,
                 number,
                 {}});
  all.push_back(
      {"LOADSTONE_SHARED_HEAP",
       "0",
       "read by mpiexec, as --shared-heap=BYTES: from how many bytes on blocks of the program's memory "
       "are taken from job memory; 0: none",
       "memory",
       user,
       number,
       {}});
  all.push_back(
      {"LOADSTONE_TRANSPORT",
       "mapped",
       "how processes reach each other: mapped, or (for tests) poor, or mixed: odd pairs by the poor one",
       "memory",
       developer,
       word,
       {"mapped", "poor", "mixed"}});
  all.push_back(
      {"LOADSTONE_INTEGRITY",
       "0",
       "whether messages and deposits are checked, and repeated until they are intact, on a transport "
       "that may lose lines: 1, 0; nothing to do on mapped memory, which is coherent",
       "memory",
       user,
       word,
       {"0", "1"}});
  all.push_back({"LOADSTONE_POOR_LOSES",
                 "0",
                 "of a million lines, how many the poor transport loses, repeats or reads stale (for tests)",
                 "memory",
                 developer,
                 number,
                 {}});
  all.push_back(
      {"LOADSTONE_TOPOLOGY",
       "",
       "read by mpiexec: a synthetic topology (hwloc's words) to place the ranks on instead of the machine's",
       "memory",
       user,
       text,
       {}});
  all.push_back({"LOADSTONE_WAIT",
                 "automatic",
                 "how a process waits: spinning, yielding, sleeping",
                 "waiting",
                 user,
                 word,
                 {"adaptive", "spin", "block"}});
  all.push_back({"LOADSTONE_PROGRESS",
                 "off",
                 "whether a thread of the library goes on with what needs this process while the program "
                 "computes: on, off, or auto (with MPI_THREAD_MULTIPLE, when there is a core for it)",
                 "waiting",
                 user,
                 word,
                 {"off", "auto", "on"}});
}

void add_collectives(std::vector<setting>& all) {
  for (const coll::choices::known& known : coll::choices::table()) {
    setting s{std::string(of_collectives).append(known.collective),
              std::string(known.algorithms.front()),
              "algorithm of " + std::string(known.collective) + ":",
              "collectives",
              tuner,
              word,
              {known.algorithms.begin(), known.algorithms.end()}};
    for (const std::string& algorithm : s.words) s.description += ' ' + algorithm;
    all.push_back(std::move(s));
  }
}

}  // namespace

std::span<const setting> settings() {
  static const std::vector<setting> table = [] {
    std::vector<setting> all;
    add_messages(all);
    add_others(all);
    add_collectives(all);
    return all;
  }();
  return table;
}

std::string useless(const setting& s, std::string_view value) {
  if (value.empty() || value == s.initial || s.kind == text) return {};
  if (s.kind == word) {
    if (std::find(s.words.begin(), s.words.end(), value) != s.words.end()) return {};
    std::string expected = "expected one of";
    for (const std::string& allowed : s.words) expected += ' ' + allowed;
    return expected;
  }
  const std::string digits(value);
  char* end = nullptr;
  const unsigned long long n = std::strtoull(digits.c_str(), &end, 10);
  if (*end != 0) return "expected a number without a unit";
  if (s.kind == power_of_two && (n < 2 || (n & (n - 1)) != 0)) return "expected a power of two";
  return {};
}

std::string complaints_about_settings() {
  std::string text;
  for (const setting& s : settings()) {
    const char* value = std::getenv(s.name.c_str());
    const std::string why = value == nullptr ? std::string{} : useless(s, value);
    if (!why.empty()) text += s.name + '=' + value + ": " + why + '\n';
  }
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string_view name = std::string_view(*v).substr(0, std::string_view(*v).find('='));
    const auto all = settings();
    if (name.starts_with(of_collectives) &&
        std::none_of(all.begin(), all.end(), [&](const setting& s) { return s.name == name; }))
      text += std::string(name) + ": there is no choice of algorithms for it\n";
  }
  return text;
}

}  // namespace loadstone
