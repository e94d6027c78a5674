#include "datatype/builder.hpp"

#include "datatype/draft.hpp"

namespace loadstone::datatype {
namespace {

bool any_negative(builder::numbers list) {
  for (auto n : list)
    if (n < 0) return true;
  return false;
}

}  // namespace

builder::made builder::dup(const type& old) {
  return guarded([&]() -> made {
    draft d(combiner::dup, false);
    d.part(old);
    return d.finish();
  });
}

builder::made builder::contiguous(std::int64_t count, const type& old, bool large) {
  if (count < 0) return invalid("count is negative");
  return guarded([&]() -> made {
    draft d(combiner::contiguous, large);
    d.add(count);
    d.part(old);
    return d.finish();
  });
}

builder::made builder::vector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                              const type& old, bool large) {
  if (count < 0) return invalid("count is negative");
  if (blocklength < 0) return invalid("blocklength is negative");
  return guarded([&]() -> made {
    draft d(combiner::vector, large);
    d.add({count, blocklength, stride});
    d.part(old);
    return d.finish();
  });
}

builder::made builder::hvector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                               const type& old, bool large) {
  if (count < 0) return invalid("count is negative");
  if (blocklength < 0) return invalid("blocklength is negative");
  return guarded([&]() -> made {
    draft d(combiner::hvector, large);
    d.add({count, blocklength, stride});
    d.part(old);
    return d.finish();
  });
}

builder::made builder::lists(combiner kind, numbers blocklengths, numbers displacements, const type& old,
                             bool large) {
  if (blocklengths.size() != displacements.size())
    return invalid("as many blocklengths as displacements are needed");
  if (any_negative(blocklengths)) return invalid("a blocklength is negative");
  return guarded([&]() -> made {
    draft d(kind, large);
    d->numbers.reserve(1 + 2 * displacements.size());
    d.add(static_cast<std::int64_t>(blocklengths.size()));
    d.add(blocklengths);
    d.add(displacements);
    d.part(old);
    return d.finish();
  });
}

builder::made builder::indexed(numbers blocklengths, numbers displacements, const type& old, bool large) {
  return lists(combiner::indexed, blocklengths, displacements, old, large);
}

builder::made builder::hindexed(numbers blocklengths, numbers displacements, const type& old, bool large) {
  return lists(combiner::hindexed, blocklengths, displacements, old, large);
}

builder::made builder::equal_lists(combiner kind, std::int64_t blocklength, numbers displacements,
                                   const type& old, bool large) {
  if (blocklength < 0) return invalid("blocklength is negative");
  return guarded([&]() -> made {
    draft d(kind, large);
    d->numbers.reserve(2 + displacements.size());
    d.add(static_cast<std::int64_t>(displacements.size()));
    d.add(blocklength);
    d.add(displacements);
    d.part(old);
    return d.finish();
  });
}

builder::made builder::indexed_block(std::int64_t blocklength, numbers displacements, const type& old,
                                     bool large) {
  return equal_lists(combiner::indexed_block, blocklength, displacements, old, large);
}

builder::made builder::hindexed_block(std::int64_t blocklength, numbers displacements, const type& old,
                                      bool large) {
  return equal_lists(combiner::hindexed_block, blocklength, displacements, old, large);
}

builder::made builder::structure(numbers blocklengths, numbers displacements,
                                 std::span<const type* const> types, bool large) {
  if (blocklengths.size() != displacements.size() || blocklengths.size() != types.size())
    return invalid("as many blocklengths as displacements and datatypes are needed");
  if (any_negative(blocklengths)) return invalid("a blocklength is negative");
  for (const auto* t : types)
    if (t == nullptr) return invalid("a datatype is null");
  return guarded([&]() -> made {
    draft d(combiner::structure, large);
    d->numbers.reserve(1 + 2 * types.size());
    d.add(static_cast<std::int64_t>(types.size()));
    d.add(blocklengths);
    d.add(displacements);
    d->parts.reserve(types.size());
    for (const auto* t : types) d.part(*t);
    return d.finish();
  });
}

builder::made builder::resized(const type& old, std::int64_t lower_bound, std::int64_t extent, bool large) {
  return guarded([&]() -> made {
    draft d(combiner::resized, large);
    d.add({lower_bound, extent});
    d.part(old);
    return d.finish();
  });
}

}  // namespace loadstone::datatype
