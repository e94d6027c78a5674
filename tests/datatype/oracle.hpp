// The oracle of the property tests: type maps written out element by element, by the formulas of MPI-5.0,
// chapter 5, and nothing clever. Independent of src/datatype but for the sizes of the basic elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "datatype/basic.hpp"

namespace loadstone::datatype {

struct typemap {
  struct item {
    basic kind;
    std::int64_t displacement;
  };
  std::vector<item> items;
  std::vector<std::int64_t> lower_markers, upper_markers;
  std::vector<std::int64_t> padded_ends;  // of the structs inside

  static typemap of(basic kind) { return {{{kind, 0}}, {}, {}, {}}; }
  static typemap pair(basic value, basic index) {
    std::int64_t at = info(value).size;
    while (at % info(index).alignment != 0) at++;
    typemap both{{{value, 0}, {index, at}}, {}, {}, {}};
    both.pad();
    return both;
  }

  std::int64_t size() const {
    std::int64_t sum = 0;
    for (auto& i : items) sum += info(i.kind).size;
    return sum;
  }
  std::int64_t true_lower() const {
    std::int64_t low = items.empty() ? 0 : INT64_MAX;
    for (auto& i : items) low = std::min(low, i.displacement);
    return low;
  }
  std::int64_t true_upper() const {
    std::int64_t high = items.empty() ? 0 : INT64_MIN;
    for (auto& i : items) high = std::max(high, i.displacement + info(i.kind).size);
    return high;
  }
  std::int64_t lower() const {
    return lower_markers.empty() ? true_lower()
                                 : *std::min_element(lower_markers.begin(), lower_markers.end());
  }
  std::int64_t extent() const {
    if (!upper_markers.empty())
      return *std::max_element(upper_markers.begin(), upper_markers.end()) - lower();
    return upper() - lower();
  }
  // Without markers.
  std::int64_t upper() const {
    std::int64_t high = true_upper();
    for (auto e : padded_ends) high = std::max(high, e);
    return high;
  }
  // What a struct does when all its members are there.
  void pad() {
    std::int64_t strictest = 1, end = upper();
    for (auto& i : items) strictest = std::max<std::int64_t>(strictest, info(i.kind).alignment);
    while ((end - true_lower()) % strictest != 0) end++;
    if (!items.empty()) padded_ends.push_back(end);
  }

  void add(const typemap& other, std::int64_t shift) {
    for (auto& i : other.items) items.push_back({i.kind, i.displacement + shift});
    for (auto m : other.lower_markers) lower_markers.push_back(m + shift);
    for (auto m : other.upper_markers) upper_markers.push_back(m + shift);
    for (auto e : other.padded_ends) padded_ends.push_back(e + shift);
  }
  void add_block(const typemap& other, std::int64_t count, std::int64_t shift) {
    for (std::int64_t i = 0; i < count; i++) add(other, shift + i * other.extent());
  }
  typemap resized(std::int64_t low, std::int64_t extent) const {
    return {items, {low}, {low + extent}, padded_ends};
  }

  // No two bytes of `count` elements at the same place.
  bool disjoint(std::int64_t count) const {
    std::vector<std::int64_t> bytes;
    each_byte(count, [&](std::int64_t d) { bytes.push_back(d); });
    std::sort(bytes.begin(), bytes.end());
    return std::adjacent_find(bytes.begin(), bytes.end()) == bytes.end();
  }
  // Displacements of the data bytes of `count` elements, in packed order.
  template <class Visit>
  void each_byte(std::int64_t count, Visit&& visit) const {
    const std::int64_t step = extent();
    for (std::int64_t c = 0; c < count; c++)
      for (auto& i : items)
        for (int b = 0; b < info(i.kind).size; b++) visit(c * step + i.displacement + b);
  }
  // Whole elements in the first `bytes` packed bytes of a long message; -1 if the last is cut.
  std::int64_t elements_in(std::int64_t bytes) const {
    std::int64_t elements = 0;
    if (items.empty()) return 0;
    for (;;)
      for (auto& i : items) {
        if (bytes == 0) return elements;
        bytes -= info(i.kind).size;
        if (bytes < 0) return -1;
        elements++;
      }
  }
};

}  // namespace loadstone::datatype
