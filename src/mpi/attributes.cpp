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
  const auto found = live_.find(number);
  return found != live_.end() && found->second->owner == owner ? found->second : nullptr;
}

bool keyval_table::free(int number, attribute_owner owner) {
  const std::lock_guard guard(lock_);
  const auto found = live_.find(number);
  if (found == live_.end() || found->second->owner != owner) return false;
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
  void* old = nullptr;
  bool replaces = false;
  {
    const std::lock_guard guard(lock_);
    for (const entry& e : entries_) {
      if (e.key->number == key->number) {
        old = e.value;
        replaces = true;
      }
    }
  }
  if (replaces) {
    if (const int error = call_delete(*key, object, old)) return error;
  }
  const std::lock_guard guard(lock_);
  for (entry& e : entries_) {
    if (e.key->number == key->number) {
      e.value = value;
      return 0;
    }
  }
  entries_.push_back({std::move(key), value});
  return 0;
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
  entry victim{};
  {
    const std::lock_guard guard(lock_);
    for (const entry& e : entries_) {
      if (e.key->number == number) victim = e;
    }
  }
  *found = victim.key != nullptr;
  if (!*found) return 0;
  if (const int error = call_delete(*victim.key, object, victim.value)) return error;
  const std::lock_guard guard(lock_);
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                [number](const entry& e) { return e.key->number == number; }),
                 entries_.end());
  return 0;
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
      last = entries_.back();
    }
    if (const int error = call_delete(*last.key, object, last.value)) return error;
    const std::lock_guard guard(lock_);
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                  [&](const entry& e) { return e.key->number == last.key->number; }),
                   entries_.end());
  }
}

bool attribute_set::empty() const {
  const std::lock_guard guard(lock_);
  return entries_.empty();
}

}  // namespace loadstone::mpi
