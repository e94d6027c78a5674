// A type under construction: what the constructors of builder.cpp and its kin fill in before it is
// settled.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <new>

#include "datatype/builder.hpp"
#include "datatype/definition.hpp"

namespace loadstone::datatype {

inline base::status invalid(const char* what) {
  return {base::code::invalid, 0, what};
}

// Runs a constructor; memory exhaustion becomes a status.
template <class Body>
builder::made guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return base::status{base::code::no_memory, 0, "no memory for a datatype"};
  }
}

class builder::draft {
 public:
  explicit draft(combiner kind, bool large) : type_(type::make()), d_(&type_->definition_) {
    d_->kind = kind;
    d_->large = large;
  }
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;
  ~draft() {
    if (type_ != nullptr) type_->release();
  }

  type::definition* operator->() { return d_; }
  void add(std::int64_t n) { d_->numbers.push_back(n); }
  void add(std::initializer_list<std::int64_t> list) { d_->numbers.insert(d_->numbers.end(), list); }
  void add(numbers list) { d_->numbers.insert(d_->numbers.end(), list.begin(), list.end()); }
  void part(const type& t) {
    d_->parts.push_back(&t);
    t.acquire();
    deepen(t);
  }
  void composed(const type* t) {  // takes the reference
    d_->composed = t;
    deepen(*t);
  }
  made finish(bool predefined = false) {
    if (d_->nesting > max_nesting) return invalid("the datatype nests more than 4096 constructors");
    if (auto s = type_->settle(); !s.ok()) return s;
    if (predefined) {
      type_->predefined_ = true;
      if (auto s = type_->commit(); !s.ok()) return s;
    }
    const type* done = type_;
    type_ = nullptr;
    return done;
  }

 private:
  static constexpr std::uint32_t max_nesting =
      4096;  // because releasing and compiling are recursive; no program comes near
  void deepen(const type& t) { d_->nesting = std::max(d_->nesting, t.made().nesting + 1); }
  type* type_;
  type::definition* d_;
};

}  // namespace loadstone::datatype
