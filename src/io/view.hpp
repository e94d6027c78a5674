// A view: which bytes of a file a process sees, and in which order (MPI §14.3). It is a layout,
// `filetype`, laid out again and again from byte `displacement` on. Positions count the bytes that
// the view shows; offsets are those of the file.
//
// The filetype is never expanded: whoever needs its blocks walks over them with a cursor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "datatype/cursor.hpp"
#include "datatype/type.hpp"
#include "io/representation.hpp"
#include "io/storage.hpp"

namespace loadstone::io {

class view {
 public:
  // Both types as the program has them, committed. `writable`: may data be written through it? Then
  // nothing may overlap. Null and why, with EINVAL for what the standard forbids.
  static std::shared_ptr<const view> make(std::int64_t displacement, const datatype::type& etype,
                                          const datatype::type& filetype,
                                          std::shared_ptr<const representation> data, bool writable,
                                          trouble* why);
  // What a file has when it is opened: bytes from 0 on.
  static std::shared_ptr<const view> bytes();
  ~view();
  view(const view&) = delete;
  view& operator=(const view&) = delete;

  std::int64_t displacement() const { return displacement_; }
  const datatype::type& etype() const { return etype_; }        // as given
  const datatype::type& filetype() const { return filetype_; }  // as given
  const representation& data() const { return *data_; }
  std::int64_t unit() const { return unit_; }          // bytes of an etype in the file
  bool empty() const { return layout_->size() == 0; }  // it shows nothing
  bool dense() const { return dense_; }                // all bytes from the displacement on
  // Does a larger position mean a larger offset, in this part of the view? Not if blocks overlap:
  // those of one filetype, for reading, or one with the next, if its extent is less than what it
  // covers. Programs have such filetypes, and use the first only.
  bool ascending(std::int64_t from, std::int64_t bytes) const {
    return tiles_ascend_ || (ascending_ && (from + bytes <= layout_->size()));
  }
  std::int64_t average_block() const { return average_block_; }
  std::int64_t average_gap() const { return average_gap_; }

  // Are positions up to this one within what 64 bits count in the file? All others need that.
  bool reaches(std::int64_t position) const;
  std::int64_t offset_of(std::int64_t position) const;
  // The first position in [from, to] whose byte lies at `offset` or behind it; only if ascending()
  // there.
  std::int64_t position_at(std::int64_t offset, std::int64_t from, std::int64_t to) const;
  // Of an ascending view that shows something: how many bytes it shows before `offset`.
  std::int64_t bytes_before(std::int64_t offset) const;

  // Calls each(offset, length, count, stride) for the blocks of [from, from + bytes) in order:
  // `count` equal ones at equal distances. Ends when it returns false.
  template <class Each>
  void blocks(std::int64_t from, std::int64_t bytes, Each&& each) const {
    if (bytes <= 0) return;
    if (dense_) {
      each(displacement_ + from, bytes, std::int64_t{1}, std::int64_t{0});
      return;
    }
    datatype::cursor at(start(), tiles(from + bytes), *layout_, *program_, from);
    while (bytes > 0) {
      const datatype::run r = at.next(bytes);
      if (!each(static_cast<std::int64_t>(r.address), r.length, r.count, r.stride)) return;
      bytes -= r.length * r.count;
    }
  }
  // For whoever goes over the blocks of [from, to) step by step (walk.hpp). Not if it is dense().
  void put_cursor(std::optional<datatype::cursor>& at, std::int64_t from, std::int64_t to) const {
    at.emplace(start(), tiles(to), *layout_, *program_, from);
  }

 private:
  view(std::int64_t displacement, const datatype::type& etype, const datatype::type& filetype,
       std::shared_ptr<const representation> data);
  const void* start() const {
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(displacement_));
  }
  std::int64_t tiles(std::int64_t position) const {
    return position / layout_->size() + (position % layout_->size() != 0);
  }

  const std::int64_t displacement_;
  const datatype::type& etype_;
  const datatype::type& filetype_;
  const datatype::type* layout_ = nullptr;  // the filetype as it lies in the file
  const datatype::program* program_ = nullptr;
  const std::shared_ptr<const representation> data_;
  std::int64_t unit_ = 1, average_block_ = 0, average_gap_ = 0;
  bool dense_ = false, ascending_ = true, tiles_ascend_ = true;
};

}  // namespace loadstone::io
