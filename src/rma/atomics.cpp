#include "rma/atomics.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <type_traits>

#include "datatype/combine.hpp"

namespace loadstone::rma {
namespace {

using datatype::number;
using datatype::op_kind;

template <std::size_t Bytes>
using word_of =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t,
                                          std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class Word>
std::atomic_ref<Word> at(std::byte* target) {
  static_assert(std::atomic_ref<Word>::is_always_lock_free);
  return std::atomic_ref<Word>(*reinterpret_cast<Word*>(target));
}

// Each has before(target, in): does it, and returns what was there; and only(target, in), where
// nobody asks for that.
template <class Op, class T>
struct combined {
  using word = word_of<sizeof(T)>;
  static word before(std::byte* target, const std::byte* in) {
    const auto a = at<word>(target);
    const word x = datatype::load<word>(in);
    // All sync: rma-element.
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, datatype::add>)
      return a.fetch_add(x, std::memory_order_acq_rel);
    else if constexpr (std::is_same_v<Op, datatype::bit_and>)
      return a.fetch_and(x, std::memory_order_acq_rel);
    else if constexpr (std::is_same_v<Op, datatype::bit_or>)
      return a.fetch_or(x, std::memory_order_acq_rel);
    else if constexpr (std::is_same_v<Op, datatype::bit_xor>)
      return a.fetch_xor(x, std::memory_order_acq_rel);
    else {
      word old = a.load(std::memory_order_acquire);
      for (;;) {
        const auto wanted =
            std::bit_cast<word>(datatype::combine<Op>(std::bit_cast<T>(x), std::bit_cast<T>(old)));
        if (wanted == old ||
            a.compare_exchange_weak(old, wanted, std::memory_order_acq_rel, std::memory_order_acquire))
          return old;
      }
    }
  }
  static void only(std::byte* target, const std::byte* in) { before(target, in); }
};

template <std::size_t Bytes>
struct replaced {
  using word = word_of<Bytes>;
  static word before(std::byte* target, const std::byte* in) {
    return at<word>(target).exchange(datatype::load<word>(in),
                                     std::memory_order_acq_rel);  // sync: rma-element
  }
  static void only(std::byte* target, const std::byte* in) {
    at<word>(target).store(datatype::load<word>(in), std::memory_order_release);  // sync: rma-element
  }
};

template <std::size_t Bytes>
struct left_alone {
  using word = word_of<Bytes>;
  static word before(std::byte* target, const std::byte*) {
    return at<word>(target).load(std::memory_order_acquire);  // sync: rma-element
  }
  static void only(std::byte*, const std::byte*) {}
};

template <class What>
void single(std::byte* target, const std::byte* in, std::byte* out) noexcept {
  if (out != nullptr)
    datatype::store(out, What::before(target, in));
  else
    What::only(target, in);
}

template <class What>
void many(std::byte* target, std::int64_t step, const std::byte* in, std::byte* out, std::int64_t count) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(typename What::word));
  for (std::int64_t i = 0; i < count; i++)
    single<What>(target + i * step, in != nullptr ? in + i * size : nullptr,
                 out != nullptr ? out + i * size : nullptr);
}

struct kernels {
  single_operation one = nullptr;
  operation all = nullptr;
};
template <class What>
constexpr kernels kernels_of{single<What>, many<What>};

constexpr auto numbers = static_cast<std::size_t>(number::c128) + 1;

// Of each operation and number; empty where there are none. Not constexpr: with UBSan a comparison
// of such a pointer is no constant expression.
const auto table = [] {
  std::array<std::array<kernels, numbers>, op_kinds> t{};
  for (std::size_t o = 0; o < op_kinds; o++)
    for (std::size_t n = 0; n < numbers; n++) {
      const auto op = static_cast<op_kind>(o);
      auto choose = [op]<class Op, class T>() -> const kernels* {
        if constexpr (sizeof(T) > 8)
          return nullptr;
        else if (op == op_kind::replace)
          return &kernels_of<replaced<sizeof(T)>>;
        else if (op == op_kind::no_op)
          return &kernels_of<left_alone<sizeof(T)>>;
        else
          return &kernels_of<combined<Op, T>>;
      };
      // Every number has a sum, and so these two.
      const bool every = op == op_kind::replace || op == op_kind::no_op;
      const kernels* k = datatype::reduction_on(every ? op_kind::sum : op, static_cast<number>(n), choose);
      if (k != nullptr) t[o][n] = *k;
    }
  return t;
}();

const kernels& find(op_kind op, number form) {
  return table[static_cast<std::size_t>(op)][static_cast<std::size_t>(form)];
}

template <class Word>
void swap_equal(std::byte* target, const std::byte* in, const std::byte* compare, std::byte* out) {
  Word expected = datatype::load<Word>(compare);
  // sync: rma-element. What was there is left in `expected`, whether it was replaced or not.
  at<Word>(target).compare_exchange_strong(expected, datatype::load<Word>(in), std::memory_order_acq_rel,
                                           std::memory_order_acquire);
  datatype::store(out, expected);
}

}  // namespace

operation find_atomic(op_kind op, number form) {
  return find(op, form).all;
}

const std::array<std::array<single_operation, basic_kinds>, op_kinds> single_atomics = [] {
  std::array<std::array<single_operation, basic_kinds>, op_kinds> t{};
  for (int abi = 0x20; abi < 0x40; ++abi) {
    const datatype::op* const op = datatype::predefined_op(abi);
    for (std::size_t k = 0; op != nullptr && k < basic_kinds; ++k) {
      const auto kind = static_cast<datatype::basic>(k);
      if (kind != datatype::basic::none && op->defined_on(kind))
        t[static_cast<std::size_t>(op->kind())][k] = find(op->kind(), datatype::info(kind).form).one;
    }
  }
  return t;
}();

void compare_and_swap_atomic(std::byte* target, const std::byte* in, const std::byte* compare, std::byte* out,
                             std::int64_t bytes) noexcept {
  switch (bytes) {
    case 1:
      return swap_equal<std::uint8_t>(target, in, compare, out);
    case 2:
      return swap_equal<std::uint16_t>(target, in, compare, out);
    case 4:
      return swap_equal<std::uint32_t>(target, in, compare, out);
    default:
      return swap_equal<std::uint64_t>(target, in, compare, out);
  }
}

}  // namespace loadstone::rma
