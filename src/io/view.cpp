#include "io/view.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace loadstone::io {
namespace {

using datatype::node;
using datatype::node_kind;
using datatype::program;
using wide = __int128;

// What a subtree of a compiled layout covers, counted from where it begins.
struct cover {
  wide first = 0, begins_last = 0;  // where the first and the last of its blocks begin
  wide end = 0;                     // of all of them
  double blocks = 1;
  bool ascending = true;    // each block begins where all before it have ended, or behind that
  bool descending = false;  // some block begins before the one before it
};

cover repeated(const cover& one, std::int64_t count, std::int64_t stride) {
  cover all = one;
  if (count <= 1) return all;
  const wide shift = wide{stride} * (count - 1);
  all.blocks *= static_cast<double>(count);
  all.begins_last += shift;
  all.end = std::max(one.end, one.end + shift);
  all.ascending = one.ascending && one.first + stride >= one.end;
  all.descending = one.descending || one.first + stride < one.begins_last;
  return all;
}

cover of(const program& p, const node& n) {
  if (n.kind == node_kind::block) return repeated({.end = n.length}, n.count, n.stride);
  if (n.kind == node_kind::loop) return repeated(of(p, p.at(n.first)), n.count, n.stride);
  cover all;
  for (std::int64_t i = 0; i < n.count; ++i) {
    const datatype::entry& e = p.entries(n)[i];
    cover one = of(p, p.at(e.child));
    one.first += e.offset;
    one.begins_last += e.offset;
    one.end += e.offset;
    if (i == 0) {
      all = one;
      continue;
    }
    all.ascending = all.ascending && one.ascending && one.first >= all.end;
    all.descending = all.descending || one.descending || one.first < all.begins_last;
    all.blocks += one.blocks;
    all.begins_last = one.begins_last;
    all.end = std::max(all.end, one.end);
  }
  return all;
}

trouble wrong(std::string what) {
  return {EINVAL, std::move(what)};
}

}  // namespace

view::view(std::int64_t displacement, const datatype::type& etype, const datatype::type& filetype,
           std::shared_ptr<const representation> data)
    : displacement_(displacement), etype_(etype), filetype_(filetype), data_(std::move(data)) {
  etype_.acquire();
  filetype_.acquire();
}

view::~view() {
  if (layout_ != nullptr) layout_->release();
  filetype_.release();
  etype_.release();
}

std::shared_ptr<const view> view::bytes() {
  trouble none;
  const datatype::type& byte = *datatype::predefined_type(datatype::basic::byte);
  return make(0, byte, byte, standard_representation("native"), true, &none);
}

std::shared_ptr<const view> view::make(std::int64_t displacement, const datatype::type& etype,
                                       const datatype::type& filetype,
                                       std::shared_ptr<const representation> data, bool writable,
                                       trouble* why) {
  std::shared_ptr<view> v(new view(displacement, etype, filetype, std::move(data)));
  const datatype::type* unit = in_file(etype, *v->data_, why);
  if (unit == nullptr) return nullptr;
  v->unit_ = unit->size();
  unit->release();
  v->layout_ = in_file(filetype, *v->data_, why);
  if (v->layout_ == nullptr) return nullptr;
  const datatype::type& layout = *v->layout_;
  v->program_ = layout.compiled();
  if (v->program_ == nullptr) return *why = {ENOMEM, "no memory for the filetype"}, nullptr;
  if (v->unit_ <= 0) return *why = wrong("the etype has no data"), nullptr;
  if (layout.size() % v->unit_ != 0)
    return *why = wrong("the filetype has " + std::to_string(layout.size()) +
                        " bytes of data, which is no multiple of the etype's " + std::to_string(v->unit_)),
           nullptr;
  if (layout.size() == 0) return v;
  const program& p = *v->program_;
  const cover one = of(p, p.root());
  const std::int64_t extent = layout.extent();
  if (one.first + p.offset() < 0)
    return *why = wrong("the filetype has data at a negative displacement"), nullptr;
  if (one.descending) return *why = wrong("the displacements of the filetype's data do not ascend"), nullptr;
  if (extent < 0) return *why = wrong("the filetype has a negative extent"), nullptr;
  // One tile behind the other: overlap where the extent is less than what the data covers.
  v->ascending_ = one.ascending;
  v->tiles_ascend_ = one.ascending && one.first + extent >= one.end;
  if (writable && !v->ascending_)
    return *why = wrong("data of the filetype overlaps, and the file is open for writing"), nullptr;
  v->average_block_ =
      std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(layout.size()) / one.blocks), 1);
  v->average_gap_ = static_cast<std::int64_t>(
      static_cast<double>(std::max<std::int64_t>(extent - layout.size(), 0)) / one.blocks);
  v->dense_ = p.one_block() && p.offset() == 0 && extent == layout.size();
  if (v->dense_) v->average_block_ = std::numeric_limits<std::int64_t>::max();
  return v;
}

bool view::reaches(std::int64_t position) const {
  if (position < 0) return false;
  if (empty()) return position == 0;
  const wide end = wide{displacement_} + wide{tiles(position)} * layout_->extent() +
                   layout_->true_lower_bound() + layout_->true_extent();
  return end <= std::numeric_limits<std::int64_t>::max();
}

std::int64_t view::offset_of(std::int64_t position) const {
  if (dense_) return displacement_ + position;
  if (empty()) return displacement_;
  datatype::cursor at(start(), position / layout_->size() + 1, *layout_, *program_, position);
  return static_cast<std::int64_t>(at.next(1).address);
}

std::int64_t view::position_at(std::int64_t offset, std::int64_t from, std::int64_t to) const {
  if (dense_) return std::clamp(offset - displacement_, from, to);
  while (from < to) {
    const std::int64_t middle = from + (to - from) / 2;
    if (offset_of(middle) < offset)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

std::int64_t view::bytes_before(std::int64_t offset) const {
  if (offset <= displacement_ || empty()) return 0;
  if (dense_) return offset - displacement_;
  const std::int64_t extent = std::max<std::int64_t>(layout_->extent(), 1);
  const std::int64_t upto = ((offset - displacement_) / extent + 1) * layout_->size();
  return position_at(offset, 0, upto);
}

}  // namespace loadstone::io
