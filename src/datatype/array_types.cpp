// Subarrays and distributed arrays. Both are composed of simpler constructors, dimension by
// dimension, as the standard defines them (MPI-5.0, 5.1.3 and 5.1.4), and keep the arguments of the
// user for contents().
#include "datatype/draft.hpp"

namespace loadstone::datatype {
namespace {

// Owns one reference while a chain of types is built.
class holder {
 public:
  explicit holder(const type& t) : type_(&t) { t.acquire(); }
  holder(const holder&) = delete;
  holder& operator=(const holder&) = delete;
  ~holder() { type_->release(); }
  const type& operator*() const { return *type_; }
  base::status advance(const builder::made& next) {
    if (!next.ok()) return next.error();
    type_->release();
    type_ = *next;
    return base::status::success();
  }
  const type* give() {
    type_->acquire();
    return type_;
  }

 private:
  const type* type_;
};

}  // namespace

// `part`, `offset` bytes from the beginning, with lower bound 0 and the given extent.
builder::made builder::tiled(const type& part, std::int64_t offset, std::int64_t extent) {
  holder chain(part);
  const std::int64_t displacements[] = {offset};
  if (auto s = chain.advance(hindexed_block(1, displacements, *chain)); !s.ok()) return s;
  return resized(*chain, 0, extent);
}

builder::made builder::subarray(numbers sizes, numbers subsizes, numbers starts, datatype::order order,
                                const type& old, bool large) {
  const std::size_t dimensions = sizes.size();
  if (dimensions == 0) return invalid("the number of dimensions is zero");
  if (subsizes.size() != dimensions || starts.size() != dimensions)
    return invalid("as many subsizes and starts as sizes are needed");
  if (order != order::c && order != order::fortran)
    return invalid("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  for (std::size_t i = 0; i < dimensions; i++) {
    if (sizes[i] < 1) return invalid("a size is less than one");
    if (subsizes[i] < 1 || subsizes[i] > sizes[i])
      return invalid("a subsize is not between one and the size");
    if (starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
      return invalid("a start is not between zero and size - subsize");
  }
  return guarded([&]() -> made {
    holder chain(old);
    checked c;
    std::int64_t stride = old.extent(), offset = 0;
    for (std::size_t k = 0; k < dimensions; k++) {
      const std::size_t i = order == order::c ? dimensions - 1 - k : k;
      if (auto s = chain.advance(hvector(subsizes[i], 1, stride, *chain)); !s.ok()) return s;
      offset = c.plus(offset, c.times(starts[i], stride));
      stride = c.times(stride, sizes[i]);
    }
    if (c.overflow) return invalid("the array is larger than 64 bits can address");
    if (auto s = chain.advance(tiled(*chain, offset, stride)); !s.ok()) return s;
    draft d(combiner::subarray, large);
    d->numbers.reserve(2 + 3 * dimensions);
    d.add(static_cast<std::int64_t>(dimensions));
    d.add(sizes);
    d.add(subsizes);
    d.add(starts);
    d.add(static_cast<std::int64_t>(order));
    d.part(old);
    d.composed(chain.give());
    return d.finish();
  });
}

// One dimension: blocks of `block` elements go to `processes` in turn; `unit` bytes from element to
// element.
builder::made builder::distributed(std::int64_t size, std::int64_t block, std::int64_t coordinate,
                                   std::int64_t processes, std::int64_t unit, const type& part) {
  // In 128 bits, as block * processes may be of any size; all else is bounded by `size`.
  const int128 first = int128{coordinate} * block, cycle = int128{processes} * block;
  const std::int64_t rounds =
      first >= size ? 0 : static_cast<std::int64_t>((size - first + cycle - 1) / cycle);
  std::int64_t whole = rounds, last = 0, last_start = 0;  // a last block that the end of the array cuts
  if (rounds > 0) {
    const int128 start = first + (rounds - 1) * cycle;
    if (start + block > size) {
      whole--;
      last_start = static_cast<std::int64_t>(start);
      last = size - last_start;
    }
  }
  checked c;
  const std::int64_t extent = c.times(size, unit);
  const std::int64_t stride = whole > 1 ? c.times(static_cast<std::int64_t>(cycle), unit) : 0;
  const std::int64_t begin = whole > 0 ? c.times(static_cast<std::int64_t>(first), unit) : 0;
  const std::int64_t cut = c.times(last_start, unit);
  if (c.overflow) return invalid("the array is larger than 64 bits can address");
  holder blocks(part), rest(part);
  if (auto s = blocks.advance(hvector(whole > 0 ? block : 0, 1, unit, part)); !s.ok()) return s;
  if (auto s = blocks.advance(hvector(whole, 1, stride, *blocks)); !s.ok()) return s;
  if (auto s = rest.advance(hvector(last, 1, unit, part)); !s.ok()) return s;
  const std::int64_t ones[] = {1, 1}, displacements[] = {begin, cut};
  const type* const parts[] = {&*blocks, &*rest};
  if (auto s = blocks.advance(structure(ones, displacements, parts)); !s.ok()) return s;
  return resized(*blocks, 0, extent);
}

builder::made builder::darray(std::int64_t processes, std::int64_t rank, numbers global_sizes,
                              std::span<const distribution> distributions, numbers arguments, numbers grid,
                              datatype::order order, const type& old, bool large) {
  const std::size_t dimensions = global_sizes.size();
  if (dimensions == 0) return invalid("the number of dimensions is zero");
  if (distributions.size() != dimensions || arguments.size() != dimensions || grid.size() != dimensions)
    return invalid("as many distributions, arguments and process counts as sizes are needed");
  if (order != order::c && order != order::fortran)
    return invalid("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  if (processes < 1) return invalid("the number of processes is less than one");
  if (rank < 0 || rank >= processes) return invalid("the rank is not one of the processes");
  std::int64_t in_grid = 1;
  for (auto p : grid)
    if (p < 1 || __builtin_mul_overflow(in_grid, p, &in_grid))
      return invalid("a process count of the grid is less than one");
  if (in_grid != processes) return invalid("the process grid does not have as many processes as given");
  return guarded([&]() -> made {
    std::vector<std::int64_t> blocks(dimensions), coordinates(dimensions);
    for (std::size_t i = 0; i < dimensions; i++) {
      const std::int64_t size = global_sizes[i], argument = arguments[i];
      const bool by_default = argument == default_distribution_argument;
      if (size < 1) return invalid("a global size is less than one");
      if (!by_default && argument < 1 && distributions[i] != distribution::none)
        return invalid("a distribution argument is less than one");
      switch (distributions[i]) {
        case distribution::none:
          if (grid[i] != 1) return invalid("a dimension that is not distributed has more than one process");
          blocks[i] = size;
          break;
        case distribution::block:
          blocks[i] = by_default ? (size - 1) / grid[i] + 1 : argument;
          if (int128{blocks[i]} * grid[i] < size)
            return invalid("the blocks of a dimension do not hold the array");
          break;
        case distribution::cyclic:
          blocks[i] = by_default ? 1 : argument;
          break;
        default:
          return invalid("a distribution is not one of MPI's");
      }
    }
    std::int64_t left = processes,
                 place = rank;  // ranks are in C order in the grid, whatever the array's order
    for (std::size_t i = 0; i < dimensions; i++) {
      left /= grid[i];
      coordinates[i] = place / left;
      place %= left;
    }
    holder chain(old);
    std::int64_t unit = old.extent();
    for (std::size_t k = 0; k < dimensions; k++) {
      const std::size_t i = order == order::c ? dimensions - 1 - k : k;
      if (auto s =
              chain.advance(distributed(global_sizes[i], blocks[i], coordinates[i], grid[i], unit, *chain));
          !s.ok())
        return s;
      unit = (*chain).extent();
    }
    draft d(combiner::darray, large);
    d->numbers.reserve(4 + 4 * global_sizes.size());
    d.add({processes, rank, static_cast<std::int64_t>(dimensions)});
    d.add(global_sizes);
    for (auto kind : distributions) d.add(static_cast<std::int64_t>(kind));
    d.add(arguments);
    d.add(grid);
    d.add(static_cast<std::int64_t>(order));
    d.part(old);
    d.composed(chain.give());
    return d.finish();
  });
}

}  // namespace loadstone::datatype
