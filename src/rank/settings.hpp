// The settings: every LOADSTONE_* variable that the library and mpiexec read, in one table. Each
// layer reads its own when a rank starts; the tool interface, `loadstone info` and the complaints
// about values of no use come from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

enum class setting_kind : std::uint8_t { number, power_of_two, word, text };
enum class setting_user : std::uint8_t { user, tuner, developer };

struct setting {
  std::string name;     // of the environment variable
  std::string initial;  // what holds when it is not set: from the configuration of the layer that reads it
  std::string description;
  const char* category;  // messages, memory, waiting, collectives
  setting_user whom;
  setting_kind kind;
  std::vector<std::string> words;  // kind word: what may be said
};

// All of them, category by category. Made at first use, then never changed; any thread may ask.
std::span<const setting> settings();

// Why `value` is of no use for this setting ("expected a number without a unit"); empty if it is of
// use, or empty, which is as good as not set.
std::string useless(const setting& s, std::string_view value);

// A line for each variable of our environment that is set to a value of no use.
std::string complaints_about_settings();

}  // namespace loadstone
