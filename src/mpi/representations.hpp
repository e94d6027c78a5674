// Data representations that the program has registered (MPI §14.5.3).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "io/representation.hpp"

namespace loadstone::mpi {

class representations {
 public:
  // Of the standard, or registered; null: there is none of this name. Any thread.
  std::shared_ptr<const io::representation> find(const std::string& name) const {
    if (auto known = io::standard_representation(name)) return known;
    const std::lock_guard guard(lock_);
    const auto found = registered_.find(name);
    return found == registered_.end() ? nullptr : found->second;
  }
  void add(std::shared_ptr<const io::representation> made) {
    const std::lock_guard guard(lock_);
    registered_.emplace(made->name(), std::move(made));
  }

 private:
  mutable std::mutex lock_;
  std::map<std::string, std::shared_ptr<const io::representation>> registered_;
};

}  // namespace loadstone::mpi
