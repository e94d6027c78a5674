#include "mpi/attributes.hpp"

#include <algorithm>

namespace loadstone::mpi {

int keyval_table::create(attribute_owner owner, copy_function* copy, delete_function* remove,
                         void* extra_state) {
  const std::lock_guard guard(lock_);
  const int number = next_++;
  live_.emplace(number, std::make_shared<const keyval>(keyval{number, owner, copy, remove, extra_state}));
  return number;
}

std::shared_ptr<const keyval> keyval_table::find(int number, attribute_owner owner) const {
  const std::lock_guard guard(lock_);
  std::shared_ptr<const keyval> key;
  if (const auto live = live_.find(number); live != live_.end())
    key = live->second;
  else if (const auto freed = freed_.find(number); freed != freed_.end())
    key = freed->second.lock();
  return key != nullptr && key->owner == owner ? key : nullptr;
}

bool keyval_table::free(int number, attribute_owner owner) {
  const std::lock_guard guard(lock_);
  const auto found = live_.find(number);
  if (found == live_.end() || found->second->owner != owner) return false;
  std::erase_if(freed_, [](const auto& other) { return other.second.expired(); });
  freed_.emplace(number, found->second);
  live_.erase(found);
  return true;
}

namespace {

int call_delete(const keyval& key, void* object, void* value) {
  if (reinterpret_cast<std::intptr_t>(key.remove) == null_function) return MPI_SUCCESS;
  return key.remove(object, key.number, value, key.extra_state);
}

}  // namespace

int attribute_set::set(void* object, std::shared_ptr<const keyval> key, void* value) {
  for (;;) {
    entry old;
    {
      const std::lock_guard guard(lock_);
      old = take(key->number);
      if (old.key == nullptr) {
        entries_.push_back({std::move(key), value});
        return 0;
      }
    }
    // If another thread sets one meanwhile, the next turn replaces that.
    if (const int error = end(object, std::move(old))) return error;
  }
}

attribute_set::entry attribute_set::take(int number) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [number](const entry& e) { return e.key->number == number; });
  if (found == entries_.end()) return {};
  entry taken = std::move(*found);
  entries_.erase(found);
  return taken;
}

int attribute_set::end(void* object, entry victim) {
  const int error = call_delete(*victim.key, object, victim.value);
  if (error != MPI_SUCCESS) {
    const std::lock_guard guard(lock_);
    entries_.push_back(std::move(victim));
  }
  return error;
}

bool attribute_set::get(int number, void** value) const {
  const std::lock_guard guard(lock_);
  for (const entry& e : entries_) {
    if (e.key->number == number) {
      *value = e.value;
      return true;
    }
  }
  return false;
}

int attribute_set::remove(void* object, int number, bool* found) {
  entry victim;
  {
    const std::lock_guard guard(lock_);
    victim = take(number);
  }
  *found = victim.key != nullptr;
  return *found ? end(object, std::move(victim)) : 0;
}

int attribute_set::copy_from(const attribute_set& other, void* from) {
  std::vector<entry> source;
  {
    const std::lock_guard guard(other.lock_);
    source = other.entries_;
  }
  for (const entry& e : source) {
    const auto function = reinterpret_cast<std::intptr_t>(e.key->copy);
    if (function == null_function) continue;
    void* value = e.value;
    if (function != dup_function) {
      int flag = 0;
      if (const int error = e.key->copy(from, e.key->number, e.key->extra_state, e.value, &value, &flag))
        return error;
      if (flag == 0) continue;
    }
    const std::lock_guard guard(lock_);
    entries_.push_back({e.key, value});
  }
  return 0;
}

int attribute_set::clear(void* object) {
  for (;;) {
    entry last;
    {
      const std::lock_guard guard(lock_);
      if (entries_.empty()) return 0;
      last = take(entries_.back().key->number);
    }
    if (const int error = end(object, std::move(last))) return error;
  }
}

bool attribute_set::empty() const {
  const std::lock_guard guard(lock_);
  return entries_.empty();
}

}  // namespace loadstone::mpi
