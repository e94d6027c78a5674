// A user buffer with guards: knows what it should hold afterwards, gaps and surroundings included.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "datatype/type.hpp"

namespace loadstone::coll::test {

using values = std::vector<std::int32_t>;

class image {
 public:
  image() = default;
  // [low, high): the bytes around base() that elements may lie in.
  image(std::int64_t low, std::int64_t high) : low_(low) {
    now_.resize(static_cast<std::size_t>(high - low) + 2 * guard);
    constexpr std::size_t period = 256;
    std::size_t done = std::min(now_.size(), period);
    for (std::size_t i = 0; i < done; ++i) now_[i] = static_cast<std::byte>(0x51 + 7 * i);
    for (std::size_t more; done < now_.size(); done += more) {
      more = std::min(done, now_.size() - done);
      std::memcpy(now_.data() + done, now_.data(), more);
    }
    expected_ = now_;
  }
  // Room for `count` elements of `t` at base().
  image(std::int64_t count, const datatype::type& t) : image(lowest(count, t), highest(count, t)) {}

  static std::int64_t lowest(std::int64_t count, const datatype::type& t) {
    return count ? t.true_lower_bound() + std::min<std::int64_t>(0, (count - 1) * t.extent()) : 0;
  }
  static std::int64_t highest(std::int64_t count, const datatype::type& t) {
    return count
               ? t.true_lower_bound() + t.true_extent() + std::max<std::int64_t>(0, (count - 1) * t.extent())
               : 0;
  }

  std::byte* base() { return now_.data() + guard - low_; }
  void put(std::int64_t offset, std::int64_t count, const datatype::type& t, const values& v) {
    write(now_, offset, count, t, v);
    write(expected_, offset, count, t, v);
  }
  void expect(std::int64_t offset, std::int64_t count, const datatype::type& t, const values& v) {
    write(expected_, offset, count, t, v);
  }
  std::string check(const char* name) const {
    if (now_.size() == 0 || std::memcmp(now_.data(), expected_.data(), now_.size()) == 0) return {};
    for (std::size_t i = 0; i < now_.size(); ++i)
      if (now_[i] != expected_[i])
        return std::string(name) + " differs at byte " +
               std::to_string(static_cast<std::int64_t>(i - guard) + low_) + ": " +
               std::to_string(static_cast<int>(now_[i])) + ", expected " +
               std::to_string(static_cast<int>(expected_[i]));
    return {};
  }

 private:
  static constexpr std::size_t guard = 64;
  void write(std::vector<std::byte>& where, std::int64_t offset, std::int64_t count, const datatype::type& t,
             const values& v) {
    const std::int64_t bytes = count * t.size();
    if (bytes != static_cast<std::int64_t>(v.size() * sizeof(v[0]))) std::abort();
    if (bytes == 0) return;
    datatype::unpack(where.data() + guard - low_ + offset, count, t, 0, bytes,
                     reinterpret_cast<const std::byte*>(v.data()));
  }
  std::int64_t low_ = 0;
  std::vector<std::byte> now_, expected_;
};

}  // namespace loadstone::coll::test
