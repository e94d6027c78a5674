#include "mpi/file_hints.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

namespace loadstone::mpi {
namespace {

std::optional<std::int64_t> number(std::string_view value, int base = 10) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n, base);
  if (error != std::errc() || end != value.data() + value.size() || value.empty() || n < 0)
    return std::nullopt;
  return n;
}

bool is_bool(std::string_view value) {
  return value == "true" || value == "false";
}
bool is_size(std::string_view value) {
  return number(value).has_value();
}
bool is_positive(std::string_view value) {
  return number(value).value_or(0) > 0;
}
bool is_collective(std::string_view value) {
  return is_bool(value) || value == "automatic";
}
bool is_permission(std::string_view value) {
  return number(value, 8).value_or(01000) <= 0777;
}
bool is_buffer(std::string_view value) {
  return is_bool(value) || is_size(value);
}
bool is_style(std::string_view value) {
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t comma = std::min(value.find(',', from), value.size());
    const std::string_view word = value.substr(from, comma - from);
    bool known = false;
    for (const std::string_view style : {"read_once", "write_once", "read_mostly", "write_mostly",
                                         "sequential", "reverse_sequential", "random"})
      known = known || word == style;
    if (!known) return false;
    from = comma + 1;
  }
  return true;
}

struct hint {
  std::string_view key, initial;  // initial "": not there unless given
  bool later;                     // may MPI_File_set_info and MPI_File_set_view change it?
  bool (*valid)(std::string_view value);
  std::int64_t most = 0;  // more than this is not done, and said to be this; 0: there is no bound
};

// Reserved by the standard, but for the last four. Those about chunks, disks and nodes have no
// meaning for files of one host, and are ignored.
constexpr hint hints[] = {
    {"access_style", "", true, is_style},
    {"collective_buffering", "automatic", true, is_collective},
    {"cb_buffer_size", "", true, is_positive, 16 << 20},
    {"cb_nodes", "", true, is_positive, 1 << 20},
    {"striping_unit", "", false, is_positive, 1 << 30},
    {"file_perm", "", false, is_permission},
    {"loadstone_sieve_size", "4194304", true, is_size},
    {"loadstone_io_read_ahead", "67108864", true, is_size},
    {"loadstone_io_buffer", "", false, is_buffer},
    {"loadstone_io_program_memory", "", false, is_size},
};

}  // namespace

file_hints::file_hints(const info::pairs& given, std::string_view path, std::int64_t window) {
  for (const hint& h : hints) {
    if (!h.initial.empty()) pairs_.set(h.key, h.initial);
  }
  pairs_.set("cb_buffer_size", std::to_string(window));
  take(given, true);
  pairs_.set("filename", path);
}

void file_hints::take(const info::pairs& given, bool opening) {
  for (const auto& [key, value] : given) {
    for (const hint& h : hints) {
      if (h.key != key || !(opening || h.later) || !h.valid(value)) continue;
      const bool beyond = h.most > 0 && number(value).value_or(0) > h.most;
      pairs_.set(key, beyond ? std::to_string(h.most) : value);
    }
  }
}

info::pairs file_hints::in_use() const {
  info::pairs all = pairs_.content();
  // Not shown as 0: whoever gives back what was got, with another style, would have said 0.
  if (at_random()) std::erase_if(all, [](const auto& one) { return one.first == "loadstone_io_read_ahead"; });
  return all;
}

// What is read at random has no next access, and nothing is read ahead.
bool file_hints::at_random() const {
  return pairs_.find("access_style").value_or("").find("random") != std::string::npos;
}

io::hints file_hints::effect() const {
  const auto value = [this](std::string_view key, std::int64_t otherwise) {
    const auto found = pairs_.find(key);
    return found ? number(*found).value_or(otherwise) : otherwise;
  };
  io::hints h;
  h.collective_bytes = value("cb_buffer_size", h.collective_bytes);
  h.aggregators = static_cast<int>(value("cb_nodes", 0));
  h.sieve_bytes = value("loadstone_sieve_size", h.sieve_bytes);
  h.read_ahead_bytes = at_random() ? 0 : value("loadstone_io_read_ahead", h.read_ahead_bytes);
  h.unit = value("striping_unit", 0);
  const std::string wish = pairs_.find("collective_buffering").value_or("automatic");
  h.collective = wish == "true"    ? io::hints::choice::always
                 : wish == "false" ? io::hints::choice::never
                                   : io::hints::choice::automatic;
  return h;
}

mode_t file_hints::permissions() const {
  const auto found = pairs_.find("file_perm");
  return static_cast<mode_t>(found ? number(*found, 8).value_or(0666) : 0666);
}

bool file_hints::buffered() const {
  const auto found = pairs_.find("loadstone_io_buffer");
  return !found || (*found != "false" && *found != "0");
}

bool file_hints::buffer_always() const {
  return pairs_.find("loadstone_io_buffer") == "true";
}

std::int64_t file_hints::buffer_bytes() const {
  const auto found = pairs_.find("loadstone_io_buffer");
  return found && is_size(*found) ? *number(*found) : -1;
}

std::int64_t file_hints::program_bytes() const {
  const auto found = pairs_.find("loadstone_io_program_memory");
  return found ? *number(*found) : 0;
}

}  // namespace loadstone::mpi
