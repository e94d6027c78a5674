// Objects of one kind, taken and given back without a call of the allocator: slabs that are kept
// until the pool dies.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace loadstone::base {

// T is default-constructible and has a member `T* next_free`. Objects keep their contents between
// uses.
template <class T>
class pool {
 public:
  T* take() {
    if (free_ == nullptr) [[unlikely]]
      grow();
    T* object = free_;
    free_ = object->next_free;
    return object;
  }
  void give(T* object) {
    object->next_free = free_;
    free_ = object;
  }

 private:
  static constexpr std::size_t slab = 64;
  void grow() {
    slabs_.push_back(std::make_unique<T[]>(slab));
    T* objects = slabs_.back().get();
    for (std::size_t i = slab; i-- > 0;) {
      objects[i].next_free = free_;
      free_ = &objects[i];
    }
  }

  T* free_ = nullptr;
  std::vector<std::unique_ptr<T[]>> slabs_;
};

}  // namespace loadstone::base
