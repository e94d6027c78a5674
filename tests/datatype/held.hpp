// Test helper: owns the reference that a constructor returned.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "datatype/builder.hpp"

namespace loadstone::datatype {

class held {
 public:
  held() = default;
  held(builder::made made)
      : type_(made.ok() ? *made : nullptr), error_(made.error()) {}  // NOLINT: conversions are the point
  held(const type* named) : type_(named) {}                          // NOLINT
  held(const held& other) : type_(other.type_), error_(other.error_) {
    if (type_ != nullptr) type_->acquire();
  }
  held(held&& other) noexcept : type_(std::exchange(other.type_, nullptr)), error_(other.error_) {}
  held& operator=(held other) noexcept {
    std::swap(type_, other.type_);
    error_ = other.error_;
    return *this;
  }
  ~held() {
    if (type_ != nullptr) type_->release();
  }
  bool ok() const { return type_ != nullptr; }
  base::status error() const { return error_; }
  const type& operator*() const { return *type_; }
  const type* operator->() const { return type_; }
  const type* get() const { return type_; }

 private:
  const type* type_ = nullptr;
  base::status error_;
};

inline const type& named(basic kind) {
  return *predefined_type(kind);
}

}  // namespace loadstone::datatype
