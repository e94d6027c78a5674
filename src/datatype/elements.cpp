// elements_in() and bytes_of(): from packed bytes of a message to basic elements, and back.
#include "datatype/program.hpp"

namespace loadstone::datatype {

std::int64_t elements_in(const type& t, std::int64_t bytes) {
  if (bytes <= 0 || t.size() == 0) return 0;
  const std::int64_t whole = bytes / t.size();
  std::int64_t elements = whole * t.basic_elements(), rest = bytes - whole * t.size();
  if (t.single_basic() != basic::none) {
    const std::int64_t size = info(t.single_basic()).size;
    return rest % size == 0 ? elements + rest / size : -1;
  }
  if (rest == 0) return elements;
  const program* p = t.compiled_typed();
  if (p == nullptr) return -1;
  for (const node* n = &p->root(); rest > 0;) {
    if (n->kind == node_kind::block) {
      const std::int64_t size = info(n->element).size;
      return rest % size == 0 ? elements + rest / size : -1;
    }
    if (n->kind == node_kind::loop) {
      const node& child = p->at(n->first);
      elements += rest / n->length * child.elements;
      rest %= n->length;
      n = &child;
    } else {
      const std::int64_t i = p->find(*n, rest);
      const entry& e = p->entries(*n)[i];
      elements += p->elements_before(*n, i);
      rest -= e.start;
      n = &p->at(e.child);
    }
  }
  return elements;
}

std::int64_t bytes_of(const type& t, std::int64_t elements) {
  if (elements <= 0 || t.basic_elements() == 0) return 0;
  std::int64_t rest = elements % t.basic_elements(), bytes = 0;
  if (__builtin_mul_overflow(elements / t.basic_elements(), t.size(), &bytes)) return -1;
  auto add = [&bytes](std::int64_t more) { return !__builtin_add_overflow(bytes, more, &bytes); };
  if (t.single_basic() != basic::none) return add(rest * info(t.single_basic()).size) ? bytes : -1;
  if (rest == 0) return bytes;
  const program* p = t.compiled_typed();
  if (p == nullptr) return -1;
  // All that is added from here on is less than the size of one element of `t`; the sum may still
  // be beyond 64 bits.
  std::int64_t inside = 0;
  for (const node* n = &p->root(); rest > 0;) {
    if (n->kind == node_kind::block) {
      inside += rest * info(n->element).size;
      break;
    }
    if (n->kind == node_kind::loop) {
      const node& child = p->at(n->first);
      inside += rest / child.elements * n->length;
      rest %= child.elements;
      n = &child;
    } else {
      const std::int64_t i = p->find_element(*n, rest);
      const entry& e = p->entries(*n)[i];
      inside += e.start;
      rest -= p->elements_before(*n, i);
      n = &p->at(e.child);
    }
  }
  return add(inside) ? bytes : -1;
}

}  // namespace loadstone::datatype
