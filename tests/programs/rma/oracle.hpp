// What a random program means: all windows of all ranks as plain bytes, and each access done one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "plan.hpp"

namespace rma {

// The padding of a long double has no value: care is 0 there.
struct memory {
  bytes data, care;
};

class oracle {
 public:
  explicit oracle(const window& w) {
    for (const auto& all : w.regions) {
      images_.emplace_back();
      for (const region& one : all)
        images_.back().push_back(
            {bytes(static_cast<std::size_t>(one.size)), bytes(static_cast<std::size_t>(one.size), 1)});
    }
  }

  memory& at(int rank, int region) {
    return images_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(region)];
  }

  void fill(chance& random) {
    for (auto& rank : images_)
      for (memory& m : rank) {
        for (auto& b : m.data) b = static_cast<unsigned char>(random.next());
        std::fill(m.care.begin(), m.care.end(), 1);
      }
  }

  void run(epoch& e) {
    for (std::size_t r = 0; r < e.presets.size(); ++r)
      for (const preset& p : e.presets[r])
        write(at(static_cast<int>(r), p.region), p.at, p.number, p.value.data());
    const auto before = images_;
    // An origin, and a thread, after the other: where the order matters, one is alone.
    for (const auto& steps : e.steps)
      each_step(e, steps, [&](const step& s) {
        if (s.what == act::issue) perform(e.accesses[static_cast<std::size_t>(s.target)]);
      });
    for (access& a : e.accesses)
      if (std::find(a.answers.begin(), a.answers.end(), access::answer::bounded) != a.answers.end()) {
        bytes care;
        gather(before[static_cast<std::size_t>(a.target)][static_cast<std::size_t>(a.region)], a.base, a.at,
               a.least, care);
        gather(at(a.target, a.region), a.base, a.at, a.most, care);
      }
  }

 private:
  static const kind& of(int number) { return kinds()[static_cast<std::size_t>(number)]; }

  static void write(memory& m, place where, int number, const unsigned char* value,
                    const unsigned char* care = nullptr) {
    const auto to = static_cast<std::size_t>(where);
    for (const auto& [offset, length] : of(number).typemap)
      for (std::size_t i = offset; i < offset + length; ++i) {
        m.data[to + i] = value[i];
        m.care[to + i] = 0;
      }
    for (const auto& [offset, length] : of(number).data)
      for (std::size_t i = offset; i < offset + length; ++i) m.care[to + i] = care ? care[i] : 1;
  }

  static void gather(const memory& m, place base, const layout& l, bytes& out, bytes& care) {
    out.clear();
    care.clear();
    for (const auto& [where, what] : l.elements) {
      const auto from = static_cast<std::size_t>(base + where);
      bytes one(of(what).extent, 0), cared(of(what).extent, 0);
      for (const auto& [offset, length] : of(what).typemap)
        for (std::size_t i = offset; i < offset + length; ++i) one[i] = m.data[from + i];
      for (const auto& [offset, length] : of(what).data)
        for (std::size_t i = offset; i < offset + length; ++i) cared[i] = m.care[from + i];
      out.insert(out.end(), one.begin(), one.end());
      care.insert(care.end(), cared.begin(), cared.end());
    }
  }

  void perform(access& a) {
    if (a.target == MPI_PROC_NULL) return;
    memory& m = at(a.target, a.region);
    if (planner::has_result(a)) gather(m, a.base, a.at, a.expected, a.care);
    if (a.what == call::get) return;
    if (a.own_region >= 0) {
      gather(at(a.rank, a.own_region), a.own_base, a.from, a.values, a.cared);
    }
    std::size_t packed = 0;
    for (const auto& [where, what] : a.at.elements) {
      const unsigned char* value = a.values.data() + packed;
      const unsigned char* care = a.cared.empty() ? nullptr : a.cared.data() + packed;
      const kind& k = of(what);
      packed += k.extent;
      bytes now(k.extent), unknown(k.extent, 0);
      bool known = true;
      for (const auto& [offset, length] : k.typemap)
        std::memcpy(&now[offset], &m.data[static_cast<std::size_t>(a.base + where) + offset], length);
      for (const auto& [offset, length] : k.data)
        for (std::size_t i = offset; i < offset + length; ++i)
          known = known && m.care[static_cast<std::size_t>(a.base + where) + i];
      if (a.what == call::compare_and_swap) {
        const bool equal = std::memcmp(now.data(), a.compare.data(), k.extent) == 0;
        if (equal || !known) write(m, a.base + where, what, value, known ? nullptr : unknown.data());
      } else if (a.what == call::put || a.operation == op::replace) {
        write(m, a.base + where, what, value, care);
      } else if (a.operation != op::no_op) {
        for (int i = 0; i < a.times; ++i) k.apply(a.operation, now.data(), value);
        write(m, a.base + where, what, now.data(), known ? nullptr : unknown.data());
      }
    }
  }

  std::vector<std::vector<memory>> images_;
};

}  // namespace rma
