#include "launch/binding.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/cpus.hpp"

namespace loadstone::launch {

namespace {

// Cores of our affinity mask, in the order of the machine's tree: neighbours share caches. Only cores are
// looked for: reading caches and devices is what makes other launchers start slowly.
std::vector<processors> read_cores() {
  std::vector<processors> cores;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return cores;
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(topology) == 0) {
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(allowed);
    int type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(topology, static_cast<hwloc_obj_type_t>(type), object)) !=
           nullptr) {
      processors usable;
      for (int p = hwloc_bitmap_first(object->cpuset); p >= 0; p = hwloc_bitmap_next(object->cpuset, p))
        if (hwloc_bitmap_isset(allowed, static_cast<unsigned>(p))) usable.push_back(p);
      if (!usable.empty()) cores.push_back(usable);
    }
    hwloc_bitmap_free(allowed);
  }
  hwloc_topology_destroy(topology);
  return cores;
}

// A socket that stands for the core, or -1 if another job has it. Descriptors may be scarce: that is no
// reason not to run.
int claim_core(int processor, bool* taken) {
  *taken = false;
  int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (held < 0) return -1;
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::string text = fmt::format("loadstone-core-{}", processor);
  std::memcpy(name.sun_path + 1, text.data(), text.size());  // a leading zero: no file
  auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  if (bind(held, reinterpret_cast<sockaddr*>(&name), bytes) == 0) return held;
  close(held);
  *taken = true;
  return -1;
}

}  // namespace

binding::~binding() {
  for (int socket : held_) close(socket);
}

binding choose_binding(std::uint32_t ranks, binding_wish wish) {
  binding chosen;
  if (wish == binding_wish::none) return chosen;
  // A container may own a part of the processors that it sees; bound ranks would then wait for their slice on
  // one of them.
  if (wish == binding_wish::automatic && ranks > base::usable_cpus()) return chosen;
  std::vector<processors> cores = read_cores();
  if (ranks > cores.size()) {
    if (wish == binding_wish::core)
      chosen.note = fmt::format("--bind-to core: {} ranks do not fit on {} cores; they are not bound", ranks,
                                cores.size());
    return chosen;
  }
  std::vector<processors> busy;
  for (const processors& core : cores) {
    if (chosen.places.size() == ranks) break;
    bool taken = false;
    int held = claim_core(core.front(), &taken);
    if (taken) {
      busy.push_back(core);
      continue;
    }
    if (held >= 0) chosen.held_.push_back(held);
    chosen.places.push_back(core);
  }
  if (chosen.places.size() == ranks) return chosen;
  if (wish == binding_wish::core) {  // asked for: share, and say so
    chosen.note = "--bind-to core: other jobs use some of the cores that these ranks are bound to";
    for (std::size_t i = 0; chosen.places.size() < ranks; ++i) chosen.places.push_back(busy[i]);
    return chosen;
  }
  for (int socket : chosen.held_) close(socket);
  chosen.held_.clear();
  chosen.places.clear();
  return chosen;
}

void bind_here(const processors& place) {
  int most = *std::max_element(place.begin(), place.end()) + 1;
  cpu_set_t* set = CPU_ALLOC(most);
  if (set == nullptr) return;
  std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (int p : place) CPU_SET_S(p, bytes, set);
  sched_setaffinity(0, bytes, set);  // a rank that cannot be bound still runs
  CPU_FREE(set);
}

}  // namespace loadstone::launch
