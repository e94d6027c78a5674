#include "mpi/layout_slice.hpp"

#include <vector>

#include "datatype/builder.hpp"

namespace loadstone::mpi {
namespace {

struct blocks {
  std::vector<std::int64_t> lengths, displacements;
};

// Where a block would be if the layout began at address 0.
bool add(void* context, void* address, std::size_t length) {
  auto& list = *static_cast<blocks*>(context);
  list.displacements.push_back(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address)));
  list.lengths.push_back(static_cast<std::int64_t>(length));
  return true;
}

}  // namespace

base::status layout_slice::cut(std::int64_t count, const loadstone::datatype::type& t, std::int64_t from,
                               std::int64_t bytes) {
  using loadstone::datatype::basic;
  if (bytes == 0 || (from == 0 && bytes % t.size() == 0)) {
    count_ = bytes == 0 ? 0 : bytes / t.size();
    type_ = &t;
    return {};
  }
  blocks list;
  loadstone::datatype::for_each_block(nullptr, count, t, from, bytes, add, &list);
  // Of the same kind, so that an accumulate may use it, if all blocks have whole elements.
  basic kind = t.single_basic() == basic::none ? basic::byte : t.single_basic();
  const std::int64_t unit = info(kind).size;
  for (const std::int64_t length : list.lengths) {
    if (length % unit != 0) kind = basic::byte;
  }
  for (std::int64_t& length : list.lengths) length /= info(kind).size;
  auto made = loadstone::datatype::builder::hindexed(list.lengths, list.displacements,
                                                     *loadstone::datatype::predefined_type(kind), true);
  if (!made) return made.error();
  made_ = *made;
  count_ = 1;
  type_ = made_;
  return made_->commit();
}

}  // namespace loadstone::mpi
