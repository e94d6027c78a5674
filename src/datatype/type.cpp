#include "datatype/type.hpp"

#include <algorithm>
#include <new>

#include "datatype/definition.hpp"
#include "datatype/program.hpp"

namespace loadstone::datatype {

type::definition::~definition() {
  for (const auto* part : parts) part->release();
  if (composed != nullptr) composed->release();
}

struct type::with_definition final : type {
  with_definition() : type(filled_) {}
  definition filled_;
};

type* type::make() {
  return new with_definition;
}

type::~type() {  // relaxed: by the last owner, so no other thread has access
  delete program_.load(std::memory_order_relaxed);
  delete typed_program_.load(std::memory_order_relaxed);
}

int type::abi_value() const {
  return definition_.abi;
}
const char* type::name() const {
  return definition_.name;
}
bool type::large() const {
  return definition_.large;
}

void type::acquire() const {
  // Relaxed: the caller holds a reference already, so the type cannot be freed meanwhile.
  if (!static_) references_.fetch_add(1, std::memory_order_relaxed);
}

void type::release() const {
  if (static_) return;
  // sync: type-release — each owner's last reads happen before the deletion by the last one.
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete static_cast<const with_definition*>(this);
}

namespace {

const program* compile_once(std::atomic<const program*>& place, const type& t, program::detail detail) {
  const program* p = place.load(std::memory_order_acquire);  // sync: program
  if (p != nullptr) return p;
  const program* fresh = program::compile(t, detail);
  if (fresh == nullptr) return nullptr;
  if (place.compare_exchange_strong(p, fresh, std::memory_order_acq_rel,
                                    std::memory_order_acquire))  // sync: program
    return fresh;
  delete fresh;  // another thread was first
  return p;
}

}  // namespace

const program* type::compiled() const {
  return compile_once(program_, *this, program::detail::untyped);
}
const program* type::compiled_typed() const {
  return compile_once(typed_program_, *this, program::detail::typed);
}

base::status type::commit() const {
  if (committed()) return base::status::success();
  const program* p = compiled();
  if (p == nullptr) return {base::code::no_memory, 0, "no memory to commit a datatype"};
  if (p->depth() > program::max_depth)
    return {base::code::invalid, 0, "the layout of the datatype nests too deeply"};
  const bool one = size_ == 0 || p->one_block();
  const bool whole = extent_ == size_ && (size_ == 0 || (one && p->offset() == 0));
  // sync: commit — the program is visible to whoever sees the flag.
  flags_.store(
      static_cast<std::uint8_t>(is_committed | (one ? is_one_block : 0) | (whole ? is_contiguous : 0)),
      std::memory_order_release);
  return base::status::success();
}

}  // namespace loadstone::datatype
