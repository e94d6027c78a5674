#include "memory/name_table.hpp"

#include <cstring>

namespace loadstone::memory {

namespace {

// Strings come from other processes: they end where they should, or are none.
bool is_string(const char (&text)[name_bytes]) {
  return std::memchr(text, 0, name_bytes) != nullptr;
}

}  // namespace

publish_name::answer name_table::serve(std::uint32_t from, const publish_name& request) {
  if (!is_string(request.service) || !is_string(request.port)) return {name_outcome::garbled};
  if (names_.count(request.service) != 0) return {name_outcome::taken};
  if (names_.size() >= most_) return {name_outcome::full};
  names_[request.service] = {request.port, from};
  return {name_outcome::done};
}

lookup_name::answer name_table::serve(std::uint32_t, const lookup_name& request) const {
  lookup_name::answer answer{};
  answer.outcome = name_outcome::garbled;
  if (!is_string(request.service)) return answer;
  const auto found = names_.find(request.service);
  answer.outcome = found == names_.end() ? name_outcome::unknown : name_outcome::done;
  if (found != names_.end())
    std::memcpy(answer.port, found->second.port.c_str(), found->second.port.size() + 1);
  return answer;
}

unpublish_name::answer name_table::serve(std::uint32_t, const unpublish_name& request) {
  if (!is_string(request.service) || !is_string(request.port)) return {name_outcome::garbled};
  const auto found = names_.find(request.service);
  if (found == names_.end() || found->second.port != request.port) return {name_outcome::unknown};
  names_.erase(found);
  return {name_outcome::done};
}

void name_table::forget(std::uint32_t process) {
  std::erase_if(names_, [process](const auto& name) { return name.second.publisher == process; });
}

}  // namespace loadstone::memory
