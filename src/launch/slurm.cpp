#include "launch/slurm.hpp"

#include <algorithm>
#include <charconv>

namespace loadstone::launch {

namespace {

constexpr std::uint32_t most_nodes = 1 << 20;
constexpr std::ptrdiff_t most_brackets = 8;  // in a name

// Takes a number from the front.
std::optional<std::uint32_t> take_number(std::string_view* text) {
  std::uint32_t n = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), n);
  if (failed != std::errc()) return {};
  text->remove_prefix(static_cast<std::size_t>(end - text->data()));
  return n;
}

bool take(std::string_view* text, std::string_view what) {
  if (text->substr(0, what.size()) != what) return false;
  text->remove_prefix(what.size());
  return true;
}

// Walks through the names of a list, until one is the host.
class node_search {
 public:
  explicit node_search(std::string_view host) : host_(host) {}
  std::optional<std::uint32_t> run(std::string_view list) {
    while (!list.empty()) {
      std::size_t end = 0;
      for (bool inside = false; end < list.size() && (inside || list[end] != ','); ++end) {
        if (list[end] == '[') inside = true;
        if (list[end] == ']') inside = false;
      }
      const std::string_view item = list.substr(0, end);
      if (std::count(item.begin(), item.end(), '[') > most_brackets || !walk({}, item)) return {};
      if (found_) return place_;
      list.remove_prefix(end < list.size() ? end + 1 : end);
    }
    return {};
  }

 private:
  // All names that begin with `name` and go on as `rest` says. False: malformed, or too many.
  bool walk(const std::string& name, std::string_view rest) {
    const std::size_t open = rest.find('[');
    if (open == rest.npos) {
      found_ = name + std::string(rest) == host_;
      return found_ || ++place_ < most_nodes;
    }
    const std::size_t close = rest.find(']', open);
    if (close == rest.npos) return false;
    const std::string head = name + std::string(rest.substr(0, open));
    std::string_view ranges = rest.substr(open + 1, close - open - 1);
    if (ranges.empty()) return false;
    while (!ranges.empty()) {
      const std::string_view whole = ranges;
      const auto first = take_number(&ranges);
      if (!first) return false;
      const std::size_t width = whole.size() - ranges.size();
      auto last = first;
      if (take(&ranges, "-")) last = take_number(&ranges);
      if (!last || *last < *first || (!ranges.empty() && !take(&ranges, ","))) return false;
      for (std::uint64_t n = *first; n <= *last; ++n) {
        std::string digits = std::to_string(n);
        if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
        if (!walk(head + digits, rest.substr(close + 1))) return false;
        if (found_) return true;
      }
    }
    return true;
  }

  std::string_view host_;
  std::uint32_t place_ = 0;
  bool found_ = false;
};

}  // namespace

std::optional<std::uint32_t> tasks_of_node(std::string_view text, std::uint32_t node) {
  std::uint64_t before = 0;
  while (!text.empty()) {
    const auto tasks = take_number(&text);
    if (!tasks) return {};
    std::uint32_t times = 1;
    if (take(&text, "(x")) {
      const auto said = take_number(&text);
      if (!said || !take(&text, ")")) return {};
      times = *said;
    }
    if (!text.empty() && !take(&text, ",")) return {};
    if (node < before + times) return tasks;
    before += times;
  }
  return {};
}

std::optional<std::uint32_t> place_in_nodes(std::string_view list, std::string_view host) {
  return node_search(host).run(list);
}

std::optional<std::uint32_t> slurm_tasks(const std::function<const char*(const char*)>& variable,
                                         std::string_view host) {
  auto number = [&](const char* name) -> std::optional<std::uint32_t> {
    const char* value = variable(name);
    std::string_view text = value == nullptr ? "" : value;
    const auto n = take_number(&text);
    return text.empty() ? n : std::nullopt;
  };
  if (variable("SLURM_JOB_ID") == nullptr && variable("SLURM_JOBID") == nullptr) return {};
  if (number("SLURM_STEP_NUM_TASKS").value_or(1) > 1) return {};
  std::optional<std::uint32_t> node = number("SLURM_NODEID");
  const char* nodes = variable("SLURM_JOB_NODELIST");
  if (nodes == nullptr) nodes = variable("SLURM_NODELIST");
  if (!node && nodes != nullptr) {
    node = place_in_nodes(nodes, host);
    if (!node) node = place_in_nodes(nodes, host.substr(0, host.find('.')));
  }
  if (!node) return {};
  const char* tasks = variable("SLURM_TASKS_PER_NODE");
  return tasks != nullptr ? tasks_of_node(tasks, *node) : number("SLURM_NTASKS_PER_NODE");
}

}  // namespace loadstone::launch
