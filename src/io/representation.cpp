#include "io/representation.hpp"

#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

#include "datatype/builder.hpp"
#include "datatype/definition.hpp"
#include "datatype/external32.hpp"

namespace loadstone::io {
namespace {

using datatype::builder;
using datatype::combiner;

const datatype::type& byte_type() {
  return *datatype::predefined_type(datatype::basic::byte);
}

class external32 final : public representation {
 public:
  external32() : representation("external32") {}
  bool as_in_memory() const override { return false; }
  std::int64_t bytes_of(const datatype::type& named) const override {
    return datatype::external32_size(1, named);
  }
  trouble to_file(const void* address, std::int64_t count, const datatype::type& t,
                  std::byte* file) const override {
    const base::status done = datatype::pack_external32(address, count, t, file);
    return done.ok() ? trouble{} : trouble{ENOMEM, done.what};
  }
  trouble from_file(void* address, std::int64_t count, const datatype::type& t,
                    const std::byte* file) const override {
    const base::status done = datatype::unpack_external32(address, count, t, file);
    return done.ok() ? trouble{} : trouble{ENOMEM, done.what};
  }
};

// A type that is let go of with its maker.
class held {
 public:
  held() = default;
  explicit held(const datatype::type* t) : type_(t) {}
  held(held&& other) noexcept : type_(std::exchange(other.type_, nullptr)) {}
  held(const held&) = delete;
  held& operator=(const held&) = delete;
  ~held() {
    if (type_ != nullptr) type_->release();
  }
  const datatype::type& operator*() const { return *type_; }
  const datatype::type* give() { return std::exchange(type_, nullptr); }

 private:
  const datatype::type* type_ = nullptr;
};

// The same constructor with the same arguments, on other parts.
builder::made again(const datatype::type::definition& d, std::span<const held> parts) {
  const builder::numbers n(d.numbers);
  const auto at = [&n](std::size_t i) { return n[i]; };
  const datatype::type& old = *parts.front();
  const std::size_t length = n.empty() ? 0 : static_cast<std::size_t>(n[0]);
  switch (d.kind) {
    case combiner::dup:
      return builder::dup(old);
    case combiner::contiguous:
      return builder::contiguous(at(0), old, d.large);
    case combiner::vector:
      return builder::vector(at(0), at(1), at(2), old, d.large);
    case combiner::hvector:
      return builder::hvector(at(0), at(1), at(2), old, d.large);
    case combiner::indexed:
      return builder::indexed(n.subspan(1, length), n.subspan(1 + length, length), old, d.large);
    case combiner::hindexed:
      return builder::hindexed(n.subspan(1, length), n.subspan(1 + length, length), old, d.large);
    case combiner::indexed_block:
      return builder::indexed_block(at(1), n.subspan(2, length), old, d.large);
    case combiner::hindexed_block:
      return builder::hindexed_block(at(1), n.subspan(2, length), old, d.large);
    case combiner::structure: {
      std::vector<const datatype::type*> types;
      for (const held& p : parts) types.push_back(&*p);
      return builder::structure(n.subspan(1, length), n.subspan(1 + length, length), types, d.large);
    }
    case combiner::resized:
      return builder::resized(old, at(0), at(1), d.large);
    case combiner::subarray:
      return builder::subarray(n.subspan(1, length), n.subspan(1 + length, length),
                               n.subspan(1 + 2 * length, length),
                               static_cast<datatype::order>(at(1 + 3 * length)), old, d.large);
    case combiner::darray: {
      const auto dims = static_cast<std::size_t>(at(2));
      std::vector<datatype::distribution> distributions;
      for (const std::int64_t kind : n.subspan(3 + dims, dims))
        distributions.push_back(static_cast<datatype::distribution>(kind));
      return builder::darray(at(0), at(1), n.subspan(3, dims), distributions, n.subspan(3 + 2 * dims, dims),
                             n.subspan(3 + 3 * dims, dims), static_cast<datatype::order>(at(3 + 4 * dims)),
                             old, d.large);
    }
    default:
      return base::status{base::code::invalid, 0, "a type that is not made of others"};
  }
}

const datatype::type* translate(const datatype::type& t, const representation& r, trouble* why) {
  const datatype::type::definition& d = t.made();
  if (d.parts.empty() || t.predefined()) {
    const std::int64_t bytes = r.bytes_of(t);
    if (bytes < 0) {
      *why = {EINVAL, std::string("datatype ") + t.name() + " has no representation there"};
      return nullptr;
    }
    auto made = builder::contiguous(bytes, byte_type(), true);
    if (!made) return *why = {ENOMEM, made.error().what}, nullptr;
    return *made;
  }
  std::vector<held> parts;
  for (const datatype::type* part : d.parts) {
    const datatype::type* made = translate(*part, r, why);
    if (made == nullptr) return nullptr;
    parts.emplace_back(made);
  }
  auto made = again(d, parts);
  if (!made) return *why = {EINVAL, made.error().what}, nullptr;
  return *made;
}

}  // namespace

trouble representation::to_file(const void* address, std::int64_t count, const datatype::type& t,
                                std::byte* file) const {
  datatype::pack(address, count, t, 0, count * t.size(), file);
  return {};
}

trouble representation::from_file(void* address, std::int64_t count, const datatype::type& t,
                                  const std::byte* file) const {
  datatype::unpack(address, count, t, 0, count * t.size(), file);
  return {};
}

std::shared_ptr<const representation> standard_representation(const std::string& name) {
  if (name == "native" || name == "internal") return std::make_shared<representation>(name);
  if (name == "external32") return std::make_shared<external32>();
  return nullptr;
}

const datatype::type* in_file(const datatype::type& t, const representation& r, trouble* why) {
  if (r.as_in_memory()) {
    t.acquire();
    return &t;
  }
  return translate(t, r, why);
}

}  // namespace loadstone::io
