#include "launch/machine.hpp"

#include <hwloc.h>

#include <cstdlib>

namespace loadstone::launch {

namespace {

constexpr hwloc_obj_type_t types[] = {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_L3CACHE,
                                      HWLOC_OBJ_L2CACHE, HWLOC_OBJ_CORE};
static_assert(std::size(types) == memory::hardware_levels.size());

class topology {
 public:
  explicit topology(const char* synthetic) {
    if (hwloc_topology_init(&handle_) != 0) return;
    hwloc_topology_set_all_types_filter(handle_, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (const hwloc_obj_type_t type : types)
      hwloc_topology_set_type_filter(handle_, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    // A NUMA node that is less than a package has its processors from a group, and without that all
    // of the machine's.
    hwloc_topology_set_type_filter(handle_, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    if (synthetic != nullptr && hwloc_topology_set_synthetic(handle_, synthetic) != 0) return;
    loaded_ = hwloc_topology_load(handle_) == 0;
  }
  ~topology() {
    if (handle_ != nullptr) hwloc_topology_destroy(handle_);
  }
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;
  bool loaded() const { return loaded_; }

  // The one object of this type that has all of `where`; nowhere if there is none.
  std::uint8_t domain(hwloc_obj_type_t type, hwloc_const_bitmap_t where) const {
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(handle_, type, object)) != nullptr) {
      if (hwloc_bitmap_isincluded(where, object->cpuset))
        return object->logical_index < memory::nowhere ? static_cast<std::uint8_t>(object->logical_index)
                                                       : memory::nowhere;
    }
    return memory::nowhere;
  }
  memory::locality at(hwloc_const_bitmap_t where) const {
    memory::locality found;
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = domain(types[i], where);
    return found;
  }
  hwloc_const_bitmap_t core(std::uint32_t i) const {
    const int cores = hwloc_get_nbobjs_by_type(handle_, HWLOC_OBJ_CORE);
    const hwloc_obj_type_t type = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    const int n = hwloc_get_nbobjs_by_type(handle_, type);
    return hwloc_get_obj_by_type(handle_, type, i % static_cast<unsigned>(n))->cpuset;
  }

 private:
  hwloc_topology_t handle_ = nullptr;
  bool loaded_ = false;
};

}  // namespace

const char* synthetic_machine() {
  const char* wanted = std::getenv("LOADSTONE_TOPOLOGY");
  return wanted != nullptr && *wanted != 0 ? wanted : nullptr;
}

std::vector<memory::locality> localities(std::uint32_t ranks, const placement& bound) {
  std::vector<memory::locality> all;
  const char* synthetic = synthetic_machine();
  // Reading caches takes time, and unbound ranks have no place: nothing is read for them.
  if (synthetic == nullptr && bound.places.empty()) return all;
  const topology machine(synthetic);
  if (!machine.loaded()) return all;
  hwloc_bitmap_t place = hwloc_bitmap_alloc();
  for (std::uint32_t i = 0; i < ranks; ++i) {
    if (bound.places.empty()) {
      all.push_back(machine.at(machine.core(i)));
      continue;
    }
    hwloc_bitmap_zero(place);
    for (const int p : bound.places[i]) hwloc_bitmap_set(place, static_cast<unsigned>(p));
    all.push_back(machine.at(place));
  }
  hwloc_bitmap_free(place);
  return all;
}

}  // namespace loadstone::launch
