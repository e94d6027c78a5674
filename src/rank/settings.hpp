// The settings: one table of every LOADSTONE_* variable, with its type, range, default, text and
// effect. The environment is read here, once, when a rank starts; every layer below is handed its
// configuration. The tool interface, `loadstone info` and the complaints about mistakes come from
// the same table.
//
// What no user should touch is a parameter of tests and trials (who: test). All of them go into one
// variable, LOADSTONE_TEST=name=value,name=value, which `loadstone model` uses too, to force a
// protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/machine.hpp"
#include "rank/rank.hpp"

namespace loadstone {

enum class setting_kind : std::uint8_t { bytes, number, power_of_two, word, text };
enum class setting_user : std::uint8_t { user, tuner, test };

// Of the kinds that are numbers `number` holds the value, of the others `text`.
struct setting_value {
  std::uint64_t number = 0;
  std::string_view text;
};

struct setting {
  std::string name;         // of the environment variable; of a test parameter: its word in LOADSTONE_TEST
  std::string initial;      // what holds when it is not set: from the configuration of the layer it is for
  std::string description;  // one line
  const char* category;     // messages, memory, waiting, collectives, files
  setting_user who;
  setting_kind kind;
  std::vector<std::string> words;                    // kind word: what may be said
  std::uint64_t least = 0, most = ~std::uint64_t{};  // kinds that are numbers
  void (*apply)(rank::config&, const setting&, const setting_value&) = nullptr;  // null: mpiexec reads it
};

// All settings, category by category. Made at first use, then constant; any thread may call.
std::span<const setting> settings();
const setting* find_setting(std::string_view name);

// "bytes up to 1024", "a power of two", "one of adaptive spin block": what may be said.
std::string range_of(const setting& s);

// Why `value` is of no use for this setting ("expected a power of two"); empty if it is of use, or
// empty, which is as good as not set.
std::string useless(const setting& s, std::string_view value);

// What is set, by name: of the environment all that begins with LOADSTONE_, and the parameters in
// LOADSTONE_TEST by their own names.
using variables = std::vector<std::pair<std::string, std::string>>;
variables variables_of_environment();
// As of these words, NAME=VALUE; others than LOADSTONE_* are left out.
variables variables_of(std::span<const std::string_view> environment);
// The value, or an empty text.
std::string_view value_of(const variables& from, std::string_view name);

// A line for each variable of no use, and for each that nothing reads.
std::string complaints_about(const variables& from);

// The configuration of a rank: a pure function of what is set. What is of no use is as if it were
// not there.
rank::config config_of(const variables& from);

// Where `loadstone model` keeps what it has measured of this host, from the environment; empty:
// there is no place for it.
std::string kept_machine_file();
// The machine that it has kept; the limits of `config` are those of it from now on. Nothing if
// there is none, or if `config` does not want it. Reads one file.
std::optional<model::machine> machine_of(rank::config* config);

}  // namespace loadstone
