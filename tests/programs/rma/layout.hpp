// Random datatypes, each as a recipe from which MPI makes it and as the type map that the recipe means.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "kinds.hpp"

namespace rma {

using place = std::ptrdiff_t;

enum class form {
  contiguous,
  vector,
  hvector,
  indexed,
  hindexed,
  indexed_block,
  hindexed_block,
  structure,
  subarray,
  resized,
  dup
};

// One constructor around what is inside; which fields count depends on the form.
struct layer {
  form how = form::dup;
  int count = 0, block = 0;
  place stride = 0;                          // vector: in extents; hvector: in bytes
  std::vector<int> lengths;                  // indexed, hindexed, structure
  std::vector<place> at;                     // … _block, too; in extents or bytes
  std::vector<int> sizes, subsizes, starts;  // subarray
  bool fortran = false;                      // subarray
  place lb = 0, extent = 0;                  // resized
};

// `count` times the constructors `layers`, from the inside to the outside, around a unit of basic types.
struct layout {
  std::vector<int> unit;       // numbers of kinds
  std::vector<place> unit_at;  // displacements; empty: one basic type as it is
  place unit_lb = 0, unit_extent = 0;
  std::vector<layer> layers;
  int count = 1;

  std::vector<std::pair<place, int>>
      elements;             // of all `count`: (displacement, number of the kind), in order
  place low = 0, high = 0;  // of their bytes
};

inline place extent_of(int number) {
  return static_cast<place>(kinds()[static_cast<std::size_t>(number)].extent);
}

// Where a layer puts what it holds, and the bounds of the whole.
inline std::vector<place> places(const layer& l, place& lb, place& extent) {
  std::vector<place> at;
  const place e = extent;
  const auto run = [&](place from, int length) {
    for (int i = 0; i < length; ++i) at.push_back(from + i * e);
  };
  switch (l.how) {
    case form::contiguous:
      run(0, l.count);
      break;
    case form::vector:
      for (int i = 0; i < l.count; ++i) run(i * l.stride * e, l.block);
      break;
    case form::hvector:
      for (int i = 0; i < l.count; ++i) run(i * l.stride, l.block);
      break;
    case form::indexed:
      for (std::size_t i = 0; i < l.at.size(); ++i) run(l.at[i] * e, l.lengths[i]);
      break;
    case form::hindexed:
    case form::structure:
      for (std::size_t i = 0; i < l.at.size(); ++i) run(l.at[i], l.lengths[i]);
      break;
    case form::indexed_block:
      for (place a : l.at) run(a * e, l.block);
      break;
    case form::hindexed_block:
      for (place a : l.at) run(a, l.block);
      break;
    case form::subarray: {
      const std::size_t dims = l.sizes.size();
      std::vector<int> index(dims, 0);
      const int all = std::accumulate(l.subsizes.begin(), l.subsizes.end(), 1, std::multiplies<>());
      for (int i = 0; i < all; ++i) {
        place linear = 0;
        for (std::size_t k = 0; k < dims; ++k) {
          const std::size_t d = l.fortran ? dims - 1 - k : k;  // the slowest first
          linear = linear * l.sizes[d] + l.starts[d] + index[d];
        }
        at.push_back(linear * e);
        for (std::size_t k = 0; k < dims; ++k) {
          const std::size_t d = l.fortran ? k : dims - 1 - k;  // the fastest first
          if (++index[d] < l.subsizes[d]) break;
          index[d] = 0;
        }
      }
      lb = 0;
      extent = std::accumulate(l.sizes.begin(), l.sizes.end(), e, std::multiplies<place>());
      return at;
    }
    case form::resized:
      lb = l.lb;
      extent = l.extent;
      return {0};
    case form::dup:
      return {0};
  }
  const auto [least, most] = std::minmax_element(at.begin(), at.end());
  extent += *most - *least;
  lb += *least;
  return at;
}

// Fills in the type map; false: two elements overlap.
inline bool work_out(layout& l) {
  std::vector<std::pair<place, int>> map, next;
  place lb = 0, extent;
  if (l.unit_at.empty()) {
    map = {{0, l.unit[0]}};
    extent = extent_of(l.unit[0]);
  } else {
    for (std::size_t i = 0; i < l.unit.size(); ++i) map.push_back({l.unit_at[i], l.unit[i]});
    lb = l.unit_lb;
    extent = l.unit_extent;
  }
  const auto repeat = [&](const std::vector<place>& at) {
    next.clear();
    for (place a : at)
      for (const auto& [where, what] : map) next.push_back({a + where, what});
    map.swap(next);
  };
  for (const layer& one : l.layers) repeat(places(one, lb, extent));
  std::vector<place> at(static_cast<std::size_t>(l.count));
  for (int i = 0; i < l.count; ++i) at[static_cast<std::size_t>(i)] = i * extent;
  repeat(at);
  l.elements = map;
  std::vector<std::pair<place, place>> covered;
  for (const auto& [where, what] : map)
    for (const auto& [offset, length] : kinds()[static_cast<std::size_t>(what)].typemap) {
      const place from = where + static_cast<place>(offset);
      covered.push_back({from, from + static_cast<place>(length)});
    }
  std::sort(covered.begin(), covered.end());
  l.low = covered.empty() ? 0 : covered.front().first;
  l.high = l.low;
  bool apart = true;
  for (const auto& [from, to] : covered) {
    if (from < l.high) apart = false;
    l.high = std::max(l.high, to);
  }
  return apart;
}

inline place alignment_of(const std::vector<int>& unit) {
  place a = 1;
  for (int one : unit) a = std::max(a, static_cast<place>(kinds()[static_cast<std::size_t>(one)].align));
  return a;
}

// Splits n into `parts` positive numbers.
inline std::vector<int> split(chance& random, int n, int parts) {
  std::vector<int> sizes(static_cast<std::size_t>(parts), 1);
  for (int left = n - parts; left > 0; --left) ++sizes[static_cast<std::size_t>(random.pick(0, parts - 1))];
  return sizes;
}

// A layer that holds n of what is `extent` long, mostly without overlaps; displacements are multiples of `align`.
inline layer draw_layer(chance& random, int n, place extent, place align) {
  static const form of_one[] = {form::resized, form::dup, form::hindexed, form::structure, form::contiguous};
  static const form of_many[] = {form::contiguous,     form::vector,    form::hvector,
                                 form::indexed,        form::hindexed,  form::indexed_block,
                                 form::hindexed_block, form::structure, form::subarray};
  layer l;
  l.how = n == 1 ? random.of(of_one) : random.of(of_many);
  if (extent < 0 && l.how == form::subarray) l.how = form::contiguous;  // which has no meaning there
  const place step = std::max<place>(std::abs(extent), align);
  const auto some = [&](place most) { return align * random.pick(0, most); };
  std::vector<int> divisors;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) divisors.push_back(d);
  l.count = n;
  switch (l.how) {
    case form::vector:
    case form::hvector: {
      l.block = random.of(divisors);
      l.count = n / l.block;
      if (l.how == form::vector)
        l.stride = l.block + random.pick(0, 3);
      else
        l.stride = (l.block * step + some(5) + align - 1) / align * align;
      if (random.percent(25)) l.stride = -l.stride;
      break;
    }
    case form::indexed:
    case form::hindexed:
    case form::structure:
    case form::indexed_block:
    case form::hindexed_block: {
      const bool block = l.how == form::indexed_block || l.how == form::hindexed_block;
      const bool in_bytes = l.how != form::indexed && l.how != form::indexed_block;
      if (block) {
        l.block = random.of(divisors);
        l.lengths.assign(static_cast<std::size_t>(n / l.block), l.block);
      } else {
        l.lengths = split(random, n, static_cast<int>(random.pick(1, std::min(n, 6))));
        if (random.percent(10))  // a block of nothing, anywhere
          l.lengths.insert(l.lengths.begin() + random.pick(0, static_cast<place>(l.lengths.size())), 0);
      }
      std::vector<std::size_t> order(l.lengths.size());
      std::iota(order.begin(), order.end(), 0);
      if (random.percent(60)) random.shuffle(order);
      l.at.resize(order.size());
      place at = random.percent(30) ? (in_bytes ? -some(20) : -random.pick(0, 5))
                 : in_bytes         ? some(3)
                                    : random.pick(0, 2);
      for (std::size_t i : order) {
        l.at[i] = at;
        at += in_bytes ? (l.lengths[i] * step + some(3) + align - 1) / align * align
                       : l.lengths[i] + random.pick(0, 2);
      }
      break;
    }
    case form::subarray: {
      const int dims = static_cast<int>(random.pick(1, 3));
      int left = n;
      for (int d = 0; d < dims; ++d) {
        divisors.clear();
        for (int k = 1; k <= left; ++k)
          if (left % k == 0) divisors.push_back(k);
        const int sub = d == dims - 1 ? left : random.of(divisors);
        left /= sub;
        const int before = static_cast<int>(random.pick(0, 2)), after = static_cast<int>(random.pick(0, 2));
        l.subsizes.push_back(sub);
        l.starts.push_back(before);
        l.sizes.push_back(before + sub + after);
      }
      l.fortran = random.percent(50);
      break;
    }
    case form::resized:
      l.lb = random.percent(50) ? 0 : align * random.pick(-4, 4);
      l.extent = random.percent(15) ? some(4) : (step + some(6) + align - 1) / align * align;
      if (random.percent(10)) l.extent = -l.extent;
      break;
    default:
      break;
  }
  return l;
}

// A layout of n units; `apart`: without overlaps, as what is written must be. Within `room` bytes.
inline layout draw_layout(chance& random, const std::vector<int>& unit, int n, bool apart, place room) {
  for (int attempt = 0;; ++attempt) {
    layout l;
    l.unit = unit;
    const place align = alignment_of(unit);
    place lb = 0, extent = extent_of(unit[0]);
    if (unit.size() > 1 || random.percent(10)) {
      std::vector<std::size_t> order(unit.size());
      std::iota(order.begin(), order.end(), 0);
      if (random.percent(40)) random.shuffle(order);
      l.unit_at.resize(unit.size());
      place at = random.percent(20) ? align * random.pick(-4, 4) : 0;
      const place first = at;
      for (std::size_t i : order) {
        const place a = static_cast<place>(kinds()[static_cast<std::size_t>(unit[i])].align);
        at = at + ((-at % a) + a) % a;
        if (random.percent(30)) at += a * random.pick(0, 2);
        l.unit_at[i] = at;
        at += extent_of(unit[i]);
      }
      l.unit_lb = lb = first;
      l.unit_extent = extent = (at - first + align - 1) / align * align;
    }
    // The prime factors of n go to the layers and the count.
    std::vector<int> parts(static_cast<std::size_t>(random.pick(0, 3)) + 1, 1);
    for (int left = n, p = 2; left > 1; ++p)
      for (; left % p == 0; left /= p)
        parts[static_cast<std::size_t>(random.pick(0, static_cast<place>(parts.size()) - 1))] *= p;
    if (attempt > 20) parts = {n};
    l.count = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      l.layers.push_back(draw_layer(random, parts[i], extent, align));
      places(l.layers.back(), lb, extent);
    }
    if (attempt > 40 && unit.size() == 1) l.unit_at.clear();
    const bool clean = work_out(l);
    if (l.high - l.low <= room && (clean || !apart)) return l;
    if (attempt > 60) {  // no room
      l.count = 0;
      l.layers.clear();
      work_out(l);
      return l;
    }
  }
}

// The type of one of `count`; the caller frees what is not predefined.
inline MPI_Datatype make(const layout& l) {
  const auto predefined = [](int number) { return kinds()[static_cast<std::size_t>(number)].type; };
  MPI_Datatype now = predefined(l.unit[0]);
  bool ours = false;
  const auto replace = [&](MPI_Datatype with) {
    if (ours) MPI_Type_free(&now);
    now = with;
    ours = true;
  };
  MPI_Datatype made;
  if (!l.unit_at.empty()) {
    std::vector<int> lengths(l.unit.size(), 1);
    std::vector<MPI_Aint> at(l.unit_at.begin(), l.unit_at.end());
    std::vector<MPI_Datatype> types;
    for (int one : l.unit) types.push_back(predefined(one));
    MPI_Type_create_struct(static_cast<int>(lengths.size()), lengths.data(), at.data(), types.data(), &made);
    replace(made);
    MPI_Type_create_resized(now, l.unit_lb, l.unit_extent, &made);
    replace(made);
  }
  for (const layer& one : l.layers) {
    const int blocks = static_cast<int>(one.at.size());
    const std::vector<MPI_Aint> in_bytes(one.at.begin(), one.at.end());
    const std::vector<int> in_extents(one.at.begin(), one.at.end());
    switch (one.how) {
      case form::contiguous:
        MPI_Type_contiguous(one.count, now, &made);
        break;
      case form::vector:
        MPI_Type_vector(one.count, one.block, static_cast<int>(one.stride), now, &made);
        break;
      case form::hvector:
        MPI_Type_create_hvector(one.count, one.block, one.stride, now, &made);
        break;
      case form::indexed:
        MPI_Type_indexed(blocks, one.lengths.data(), in_extents.data(), now, &made);
        break;
      case form::hindexed:
        MPI_Type_create_hindexed(blocks, one.lengths.data(), in_bytes.data(), now, &made);
        break;
      case form::indexed_block:
        MPI_Type_create_indexed_block(blocks, one.block, in_extents.data(), now, &made);
        break;
      case form::hindexed_block:
        MPI_Type_create_hindexed_block(blocks, one.block, in_bytes.data(), now, &made);
        break;
      case form::structure: {
        const std::vector<MPI_Datatype> types(one.at.size(), now);
        MPI_Type_create_struct(blocks, one.lengths.data(), in_bytes.data(), types.data(), &made);
        break;
      }
      case form::subarray:
        MPI_Type_create_subarray(static_cast<int>(one.sizes.size()), one.sizes.data(), one.subsizes.data(),
                                 one.starts.data(), one.fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, now,
                                 &made);
        break;
      case form::resized:
        MPI_Type_create_resized(now, one.lb, one.extent, &made);
        break;
      case form::dup:
        MPI_Type_dup(now, &made);
        break;
    }
    replace(made);
  }
  if (ours) MPI_Type_commit(&now);
  return now;
}

inline bool is_predefined(const layout& l) {
  return l.unit_at.empty() && l.layers.empty();
}

inline std::string text(const layout& l) {
  std::ostringstream out;
  static const char* const names[] = {
      "contiguous",     "vector", "hvector",  "indexed", "hindexed", "indexed_block",
      "hindexed_block", "struct", "subarray", "resized", "dup"};
  const auto list = [&](const char* label, const auto& values) {
    if (values.empty()) return;
    out << ' ' << label << '[';
    for (std::size_t i = 0; i < values.size() && i < 12; ++i) out << (i ? "," : "") << values[i];
    out << (values.size() > 12 ? ",…]" : "]");
  };
  out << l.count << " x ";
  for (std::size_t i = l.layers.size(); i-- > 0;) {
    const layer& one = l.layers[i];
    out << names[static_cast<int>(one.how)] << "(count " << one.count << " block " << one.block << " stride "
        << one.stride;
    list("lengths", one.lengths);
    list("at", one.at);
    list("sizes", one.sizes);
    list("subsizes", one.subsizes);
    list("starts", one.starts);
    if (one.how == form::subarray) out << (one.fortran ? " fortran" : " C");
    if (one.how == form::resized) out << " lb " << one.lb << " extent " << one.extent;
    out << ") of ";
  }
  std::vector<const char*> names_of_unit;
  for (int one : l.unit) names_of_unit.push_back(kinds()[static_cast<std::size_t>(one)].name);
  out << "unit";
  list("", names_of_unit);
  list("at", l.unit_at);
  if (!l.unit_at.empty()) out << " lb " << l.unit_lb << " extent " << l.unit_extent;
  out << ", bytes " << l.low << " to " << l.high;
  return out.str();
}

}  // namespace rma
