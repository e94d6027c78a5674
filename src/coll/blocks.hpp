// Where the blocks of all members lie (`blocks` of algorithms.hpp), in each of the forms that MPI's
// calls describe it.
#pragma once

#include "coll/algorithms.hpp"
#include "coll/engine.hpp"

namespace loadstone::coll {

// Blocks of equal size, one after the other: `each` is the first.
class equal_blocks final : public blocks {
 public:
  explicit equal_blocks(buffer each) : each_(each) {}
  buffer of(std::int32_t rank) const override {
    return {element(each_.address, rank * each_.count, *each_.type), each_.count, each_.type};
  }

 private:
  buffer each_;
};

// The same block for everybody.
class one_block final : public blocks {
 public:
  explicit one_block(buffer block) : block_(block) {}
  buffer of(std::int32_t) const override { return block_; }

 private:
  buffer block_;
};

// Blocks by counts and displacements: of v collectives (one type, displacements in units of its
// extent) and of w collectives (a type for each block, displacements in bytes).
class listed_blocks final : public blocks {
 public:
  explicit listed_blocks(const vector_side& side) : side_(side) {}
  buffer of(std::int32_t rank) const override {
    const auto i = static_cast<std::size_t>(rank);
    if (side_.types) {
      const std::byte* base = static_cast<const std::byte*>(side_.address);
      return {base + side_.displacements[i], side_.counts[i], side_.types[i]};
    }
    return {element(side_.address, side_.displacements[i], *side_.type), side_.counts[i], side_.type};
  }

 private:
  const vector_side& side_;
};

// Slices of one array: block i is the elements [first[i], first[i + 1]).
class sliced_blocks final : public blocks {
 public:
  sliced_blocks(const void* base, std::span<const std::int64_t> first, const datatype::type& type)
      : base_(base), first_(first), type_(type) {}
  buffer of(std::int32_t rank) const override {
    const auto i = static_cast<std::size_t>(rank);
    return {element(base_, first_[i], type_), first_[i + 1] - first_[i], &type_};
  }

 private:
  const void* base_;
  std::span<const std::int64_t> first_;
  const datatype::type& type_;
};

}  // namespace loadstone::coll
