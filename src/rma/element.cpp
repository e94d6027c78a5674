#include "rma/element.hpp"

#include <algorithm>
#include <cstring>

#include "copy/strided.hpp"
#include "datatype/definition.hpp"
#include "rma/atomics.hpp"

namespace loadstone::rma {

using datatype::op_kind;

namespace {

// Changes numbers that lie behind each other.
void change(op_kind op, datatype::number form, std::byte* target, const std::byte* in, std::byte* out,
            std::int64_t count, std::size_t bytes) {
  if (out != nullptr) copy::ordinary(out, target, bytes);
  if (op == op_kind::no_op) return;
  if (op == op_kind::replace) {
    copy::ordinary(target, in, bytes);
    return;
  }
  datatype::find_reduction(op, form)(in, target, target, count);
}

}  // namespace

element::element(datatype::named_kind kind) : paired_(kind.index != datatype::basic::none) {
  const auto& value = datatype::info(kind.value);
  form_ = value.form;
  size_ = span_ = index_at_ = value.size;
  if (!paired_) return;
  const auto& index = datatype::info(kind.index);
  index_ = index.form;
  index_at_ = static_cast<std::uint8_t>(datatype::second_offset(kind.value, kind.index));
  size_ = static_cast<std::uint8_t>(value.size + index.size);
  span_ = static_cast<std::uint8_t>(index_at_ + index.size);
}

operation element::by_instruction(op_kind op) const {
  return paired_ ? nullptr : find_atomic(op, form_);
}

void element::apply(op_kind op, std::byte* target, std::int64_t step, const std::byte* in, std::byte* out,
                    std::int64_t count, layout of) const {
  if (paired_) return apply_pairs(op, target, step, in, out, count, of);
  const auto size = static_cast<std::size_t>(size_);
  if (step == size_ || count == 1)
    return change(op, form_, target, in, out, count, static_cast<std::size_t>(count) * size);
  // With gaps: by way of a buffer, as far as no element overlaps the next.
  constexpr std::int64_t room = 128;
  std::byte together[room * 32];
  const std::int64_t most = step >= size_ || step <= -size_ ? room : 1;
  for (std::int64_t done = 0; done < count; done += most) {
    const std::int64_t n = std::min(most, count - done);
    const auto bytes = static_cast<std::size_t>(n) * size;
    std::byte* const from = target + done * step;
    const auto at = static_cast<std::size_t>(done) * size;
    copy::strided(together, size_, from, step, size, n);
    change(op, form_, together, in != nullptr ? in + at : nullptr, out != nullptr ? out + at : nullptr, n,
           bytes);
    if (op != op_kind::no_op) copy::strided(from, step, together, size_, size, n);
  }
}

// Only value and index are written, never the hole between them.
void element::apply_pairs(op_kind op, std::byte* target, std::int64_t step, const std::byte* in,
                          std::byte* out, std::int64_t count, layout of) const {
  const std::size_t value_bytes = datatype::size_of(form_), index_bytes = size_ - value_bytes,
                    index_at = of == layout::packed ? value_bytes : index_at_;
  const datatype::pair_layout packed{form_, index_, static_cast<std::int64_t>(value_bytes), size_};
  for (std::int64_t i = 0; i < count; i++, target += step) {
    std::byte pair[64];
    std::memcpy(pair, target, value_bytes);
    std::memcpy(pair + value_bytes, target + index_at, index_bytes);
    if (out != nullptr) std::memcpy(out + i * size_, pair, size_);
    if (op == op_kind::no_op) continue;
    if (op == op_kind::replace)
      std::memcpy(pair, in + i * size_, size_);
    else
      datatype::reduce_pairs(op == op_kind::maxloc, packed, in + i * size_, pair, pair, 1);
    std::memcpy(target, pair, value_bytes);
    std::memcpy(target + index_at, pair + value_bytes, index_bytes);
  }
}

}  // namespace loadstone::rma
