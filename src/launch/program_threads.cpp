#include "launch/program_threads.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "base/text_file.hpp"
#include "launch/elf.hpp"

namespace loadstone::launch {

namespace {

// Libraries that could start threads, and do so at a program's word only, which is then found in
// the program; and ours.
constexpr std::string_view passed_over[] = {
    "libc.so",   "libm.so",     "libpthread.so",  "libdl.so",      "librt.so",     "libutil.so",
    "ld-linux",  "libgcc_s.so", "libstdc++.so",   "libc++.so",     "libc++abi.so", "libresolv.so",
    "libanl.so", "libmvec.so",  "libgfortran.so", "libmpi_abi.so", "libloadstone",
};

// What starts threads, at the end of a chain of calls at the latest.
constexpr std::string_view starters[] = {"pthread_create", "thrd_create"};
constexpr std::string_view cplusplus_starter = "_ZNSt6thread15_M_start_thread";
constexpr std::size_t most_objects = 500;

bool begins_with_one_of(std::string_view name) {
  return std::any_of(std::begin(passed_over), std::end(passed_over),
                     [&](std::string_view one) { return name.starts_with(one); });
}

bool is_regular_file(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::vector<std::string> split(std::string_view list, char divider) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(divider), list.size());
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

// Where the loader looks for the libraries of one object.
class library_finder {
 public:
  explicit library_finder(const variable_lookup& variable)
      : cache_(base::read_text_file("/etc/ld.so.cache")) {
    if (const char* list = variable("LD_LIBRARY_PATH")) by_variable_ = list;
  }
  // `inherited`: the RPATHs of those that loaded this object.
  std::string find(const std::string& name, const std::string& inherited, const dynamic_object& by,
                   const std::string& by_path) const {
    if (name.find('/') != name.npos) return is_regular_file(name) ? name : std::string();
    if (by.runpath.empty())
      if (std::string path = in(inherited, name, by_path); !path.empty()) return path;
    for (const std::string& list : {by_variable_, by.runpath})
      if (std::string path = in(list, name, by_path); !path.empty()) return path;
    if (std::string path = in_loader_cache(cache_, name); is_regular_file(path)) return path;
    return in("/lib64:/usr/lib64:/lib:/usr/lib", name, by_path);
  }

 private:
  static std::string in(const std::string& folders, const std::string& name, const std::string& by_path) {
    for (std::string folder : split(folders, ':')) {
      for (const std::string_view origin : {"${ORIGIN}", "$ORIGIN"})
        if (const std::size_t at = folder.find(origin); at != folder.npos)
          folder.replace(at, origin.size(), folder_of(by_path));
      if (std::string path = folder + "/" + name; is_regular_file(path)) return path;
    }
    return {};
  }
  std::string by_variable_, cache_;
};

bool starts_threads(const dynamic_object& object) {
  return object.names.find(cplusplus_starter) != std::string::npos ||
         std::any_of(std::begin(starters), std::end(starters),
                     [&](std::string_view name) { return object.mentions(name); });
}

struct seen_object {
  dynamic_object object;
  std::string path, rpath;
};

}  // namespace

threading threading_of(const std::string& program, const variable_lookup& variable) {
  auto main = read_dynamic(program);
  if (!main) return threading::unknown;
  const library_finder finder(variable);
  bool mpi = false, all_found = true;
  std::set<std::string> known;
  std::vector<seen_object> open;
  std::string rpath = main->rpath;
  open.push_back({std::move(*main), program, std::move(rpath)});
  while (!open.empty()) {
    const seen_object one = std::move(open.back());
    open.pop_back();
    if (starts_threads(one.object)) return threading::some;
    for (const std::string& name : one.object.needed) {
      mpi = mpi || name.starts_with("libmpi");
      if (begins_with_one_of(name) || !known.insert(name).second) continue;
      const std::string path = finder.find(name, one.rpath, one.object, one.path);
      auto library = path.empty() ? std::nullopt : read_dynamic(path);
      if (!library || known.size() > most_objects) {
        all_found = false;
        continue;
      }
      std::string lists = library->rpath + ":" + one.rpath;
      open.push_back({std::move(*library), path, std::move(lists)});
    }
  }
  return mpi && all_found ? threading::none : threading::unknown;
}

}  // namespace loadstone::launch
