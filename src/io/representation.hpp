// How data is represented in a file (MPI §14.5): as in memory, in the canonical external32, or as
// functions of the program say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "datatype/type.hpp"
#include "io/storage.hpp"

namespace loadstone::io {

class representation {
 public:
  explicit representation(std::string name) : name_(std::move(name)) {}
  virtual ~representation() = default;
  representation(const representation&) = delete;
  representation& operator=(const representation&) = delete;

  const std::string& name() const { return name_; }
  // Are the bytes in the file those of memory? Then nothing below is called.
  virtual bool as_in_memory() const { return true; }
  // Bytes of a named type in the file; negative: it has none there.
  virtual std::int64_t bytes_of(const datatype::type& named) const { return named.size(); }
  // Converts `count` elements of any type, which lie side by side at `file`.
  virtual trouble to_file(const void* address, std::int64_t count, const datatype::type& t,
                          std::byte* file) const;
  virtual trouble from_file(void* address, std::int64_t count, const datatype::type& t,
                            const std::byte* file) const;

 private:
  const std::string name_;
};

// "native", "internal" and "external32"; null for any other name. In "internal" data is as in
// memory, too: all processes of a job have the same.
std::shared_ptr<const representation> standard_representation(const std::string& name);

// The type as it lies in a file: the same layout of elements that have other sizes there. A type of
// its own, to be released, or null and why.
const datatype::type* in_file(const datatype::type& t, const representation& r, trouble* why);

}  // namespace loadstone::io
