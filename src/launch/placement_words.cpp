#include "launch/placement_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

namespace loadstone::launch {

namespace {

constexpr const char* parts = "none, hwthread, core, l3cache, numa or socket is possible";
constexpr const char* map_parts =
    "hwthread, core, slot, l3cache, numa, socket or node is possible, or ppr:NUMBER:PART, and :PE=CORES "
    "after it";
constexpr std::uint32_t most = 1 << 20;

// What other launchers let people add, where it asks for what happens anyway.
constexpr std::array no_effect = {
    "oversubscribe", "nooversubscribe", "overload-allowed", "no-overload", "if-supported",
    "span",          "inherit",         "noinherit",        "corecpus",    "ordered"};

bool is_number(std::string_view text, std::uint32_t* n) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), *n);
  return failed == std::errc() && end == text.data() + text.size() && *n >= 1 && *n <= most;
}

std::vector<std::string> lower_words(const std::string& text, std::string_view dividers) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (dividers.find(c) != dividers.npos)
      words.emplace_back();
    else
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

bool modify(const std::string& modifier, placement_wish* wish) {
  if (std::find(no_effect.begin(), no_effect.end(), modifier) != no_effect.end()) return true;
  if (modifier == "hwtcpus") return wish->hwthreads = true;
  return modifier.starts_with("pe=") && is_number(std::string_view(modifier).substr(3), &wish->cores);
}

}  // namespace

std::string read_bind_to(const std::string& text, placement_wish* wish) {
  const std::vector<std::string> words = lower_words(text, ":,");
  wish->bind = part_named(words.front());
  if (wish->bind == machine_part::automatic) return parts;
  const bool counted = wish->bind == machine_part::core || wish->bind == machine_part::hwthread;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (!modify(words[i], wish) && !(counted && is_number(words[i], &wish->cores))) return parts;
  return {};
}

std::string read_map_by(const std::string& text, placement_wish* wish) {
  std::vector<std::string> words = lower_words(text, ":,");
  std::size_t next = 0;
  if (words.front() == "ppr") {
    if (words.size() < 3 || words[2].empty() || !is_number(words[1], &wish->in_a_row)) return map_parts;
    next = 2;
  }
  const std::string& part = words[next++];
  wish->each = next == 3 ? wish->in_a_row : 0;
  wish->each_on_node = part == "node";
  if (part == "slot" || part == "node")
    wish->map = machine_part::core;
  else if (!part.empty() || words.size() == 1)  // ":PE=2" says nothing of the part
    wish->map = part_named(part);
  if ((wish->map == machine_part::automatic && !part.empty()) || wish->map == machine_part::none ||
      text.empty())
    return map_parts;
  for (; next < words.size(); ++next)
    if (!modify(words[next], wish)) return map_parts;
  return {};
}

std::string read_cores_per_rank(const std::string& text, placement_wish* wish) {
  return is_number(text, &wish->cores) ? std::string() : "a number of cores is needed";
}

}  // namespace loadstone::launch
