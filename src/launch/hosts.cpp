#include "launch/hosts.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <strings.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

namespace loadstone::launch {

namespace {

constexpr std::uint32_t most_slots = 100'000;

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string own_name() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

bool same_address(const sockaddr* a, const sockaddr* b) {
  if (a == nullptr || b == nullptr || a->sa_family != b->sa_family) return false;
  if (a->sa_family == AF_INET)
    return std::memcmp(&reinterpret_cast<const sockaddr_in*>(a)->sin_addr,
                       &reinterpret_cast<const sockaddr_in*>(b)->sin_addr, sizeof(in_addr)) == 0;
  return a->sa_family == AF_INET6 &&
         std::memcmp(&reinterpret_cast<const sockaddr_in6*>(a)->sin6_addr,
                     &reinterpret_cast<const sockaddr_in6*>(b)->sin6_addr, sizeof(in6_addr)) == 0;
}

bool resolves_to_this_host(const std::string& name) {
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), nullptr, nullptr, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> held(found, freeaddrinfo);
  ifaddrs* own = nullptr;
  if (getifaddrs(&own) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> held_own(own, freeifaddrs);
  for (const addrinfo* a = found; a != nullptr; a = a->ai_next)
    for (const ifaddrs* i = own; i != nullptr; i = i->ifa_next)
      if (same_address(a->ai_addr, i->ifa_addr)) return true;
  return false;
}

// Divides NAME:K; an address of IPv6 has colons of its own, unless it is in brackets.
std::string divide(std::string_view item, std::string* name, std::uint32_t* count) {
  *count = 1;
  in6_addr ignored;
  const std::string whole(item);
  if (inet_pton(AF_INET6, whole.c_str(), &ignored) == 1) {
    *name = whole;
    return {};
  }
  const std::size_t colon = item.rfind(':');
  const std::size_t bracket = item.rfind(']');
  const bool counted = colon != item.npos && (bracket == item.npos || bracket < colon);
  *name = item.substr(0, counted ? colon : item.size());
  if (name->size() > 1 && name->front() == '[' && name->back() == ']')
    *name = name->substr(1, name->size() - 2);
  if (name->empty()) return fmt::format("\"{}\": a name is missing", whole);
  if (!counted) return {};
  const std::string_view digits = item.substr(colon + 1);
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), *count);
  if (failed != std::errc() || end != digits.data() + digits.size() || *count > most_slots)
    return fmt::format("{}: a number of ranks is needed after the colon", whole);
  return {};
}

std::string another_host(const std::string& name) {
  return fmt::format("{} is another host: Loadstone starts ranks on this one ({}) only", name, own_name());
}

}  // namespace

bool names_host(std::string_view name, std::string_view own) {
  if (same(name, "localhost") || same(name, "localhost.localdomain")) return true;
  if (same(name, own)) return true;
  const std::string text(name);
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, text.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  if (inet_pton(AF_INET6, text.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  const std::size_t dot = name.find('.'), own_dot = own.find('.');
  return (dot == name.npos || own_dot == own.npos) && dot != 0 &&
         same(name.substr(0, dot), own.substr(0, own_dot));
}

bool names_this_host(const std::string& name) {
  return names_host(name, own_name()) || resolves_to_this_host(name);
}

slots read_host_list(std::string_view list) {
  slots all;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string name;
    std::uint32_t count = 0;
    all.mistake = divide(list.substr(at, end - at), &name, &count);
    if (all.mistake.empty() && !names_this_host(name)) all.mistake = another_host(name);
    if (!all.mistake.empty()) return all;
    all.count += count;
    at = end + 1;
  }
  return all;
}

slots read_host_file(const std::string& path) {
  slots all;
  std::ifstream file(path);
  if (!file) {
    all.mistake = fmt::format("{}: {}", path, std::strerror(errno));
    return all;
  }
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream text(line.substr(0, line.find('#')));
    std::string host, word;
    if (!(text >> host)) continue;
    std::string name;
    std::uint32_t count = 0;
    std::string wrong = divide(host, &name, &count);
    while (wrong.empty() && text >> word) {
      // Of what other launchers let stand here, the number of slots means something on one machine.
      const std::size_t equals = word.find('=');
      const std::string key = word.substr(0, equals);
      if (key != "slots" && key != "slot" && key != "cpu" && key != "count") {
        if (key != "max_slots" && key != "max-slots" && key != "binding" && key != "user" &&
            key != "ifname" && key != "username" && key != "port")
          wrong = fmt::format("what is \"{}\"? Known is slots=K", word);
        continue;
      }
      const char* end = word.data() + word.size();
      const auto [stop, failed] =
          std::from_chars(word.data() + std::min(equals, word.size() - 1) + 1, end, count);
      if (equals == word.npos || failed != std::errc() || stop != end || count > most_slots)
        wrong = fmt::format("{}: a number is needed", word);
    }
    if (wrong.empty() && !names_this_host(name)) wrong = another_host(name);
    if (!wrong.empty()) {
      all.mistake = fmt::format("{}:{}: {}", path, number, wrong);
      return all;
    }
    all.count += count;
  }
  if (all.count == 0) all.mistake = fmt::format("{}: no host is in it", path);
  return all;
}

}  // namespace loadstone::launch
