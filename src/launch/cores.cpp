#include "launch/cores.hpp"

#include <hwloc.h>

#include <algorithm>

namespace loadstone::launch {

namespace {

constexpr hwloc_obj_type_t types[group_kinds] = {HWLOC_OBJ_L3CACHE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PACKAGE};

// Number of the one object of this type that has the whole core.
int group_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_const_bitmap_t core) {
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr)
    if (hwloc_bitmap_isincluded(core, object->cpuset)) return static_cast<int>(object->logical_index);
  return -1;
}

bool load(hwloc_topology_t topology, const char* synthetic, bool groups) {
  // Only what is needed is looked for: reading caches and devices is what makes other launchers
  // start slowly.
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (groups) {
    for (const hwloc_obj_type_t type : types)
      hwloc_topology_set_type_filter(topology, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    // A NUMA node that is less than a package has its processors from a group, and without that all
    // of the machine's.
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  }
  if (synthetic != nullptr && hwloc_topology_set_synthetic(topology, synthetic) != 0) return false;
  return hwloc_topology_load(topology) == 0;
}

}  // namespace

std::vector<core> read_cores(const char* synthetic, bool groups) {
  std::vector<core> cores;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return cores;
  if (load(topology, synthetic, groups)) {
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (synthetic != nullptr || hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0)
      hwloc_bitmap_fill(allowed);
    const hwloc_obj_type_t type =
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
      core one;
      for (int p = hwloc_bitmap_first(object->cpuset); p >= 0; p = hwloc_bitmap_next(object->cpuset, p))
        if (hwloc_bitmap_isset(allowed, static_cast<unsigned>(p))) one.threads.push_back(p);
      if (one.threads.empty()) continue;
      for (std::size_t kind = 0; groups && kind < group_kinds; ++kind)
        one.within[kind] = group_of(topology, types[kind], object->cpuset);
      cores.push_back(std::move(one));
    }
    hwloc_bitmap_free(allowed);
  }
  hwloc_topology_destroy(topology);
  return cores;
}

processors all_processors(const std::vector<core>& cores) {
  processors all;
  for (const core& c : cores) all.insert(all.end(), c.threads.begin(), c.threads.end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace loadstone::launch
