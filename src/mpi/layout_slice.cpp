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

// Where each pair begins: blocks may have several, or a part of one that has a hole.
std::vector<std::int64_t> starts_of_pairs(const blocks& list, std::int64_t pair) {
  std::vector<std::int64_t> starts;
  std::int64_t next = 0;  // packed bytes from the begin of the block to that of the next pair
  for (std::size_t i = 0; i < list.lengths.size(); ++i) {
    for (; next < list.lengths[i]; next += pair) starts.push_back(list.displacements[i] + next);
    next -= list.lengths[i];
  }
  return starts;
}

}  // namespace

base::status layout_slice::use(const base::result<const loadstone::datatype::type*>& made) {
  if (!made) return made.error();
  made_ = *made;
  count_ = 1;
  type_ = made_;
  return made_->commit();
}

base::status layout_slice::cut(std::int64_t count, const loadstone::datatype::type& t, std::int64_t from,
                               std::int64_t bytes) {
  using loadstone::datatype::basic, loadstone::datatype::builder, loadstone::datatype::predefined_type;
  if (bytes == 0 || (from == 0 && bytes % t.size() == 0)) {
    count_ = bytes == 0 ? 0 : bytes / t.size();
    type_ = &t;
    return {};
  }
  blocks list;
  loadstone::datatype::for_each_block(nullptr, count, t, from, bytes, add, &list);
  // Of the same kind, so that an accumulate may use it, if it has whole elements.
  const loadstone::datatype::named_kind named = t.single_named();
  if (named.index != basic::none) {
    const std::int64_t pair = info(named.value).size + info(named.index).size;
    if (from % pair == 0 && bytes % pair == 0) {
      const auto one = builder::value_index(*predefined_type(named.value), *predefined_type(named.index));
      if (!one) return one.error();
      return use(builder::hindexed_block(1, starts_of_pairs(list, pair), **one, true));
    }
  }
  basic kind = t.single_basic() == basic::none ? basic::byte : t.single_basic();
  const std::int64_t unit = info(kind).size;
  for (const std::int64_t length : list.lengths) {
    if (length % unit != 0) kind = basic::byte;
  }
  for (std::int64_t& length : list.lengths) length /= info(kind).size;
  return use(builder::hindexed(list.lengths, list.displacements, *predefined_type(kind), true));
}

}  // namespace loadstone::mpi
