// MPI_Type_get_envelope and MPI_Type_get_contents: puts the numbers of a definition into the arrays
// that the standard says (MPI-5.0, 5.1.13). A definition keeps them in the order of the
// constructor's arguments. For each combiner, the table below says which array each group of
// numbers goes to, in the form with int counts and in the large one.
#include <algorithm>

#include "datatype/definition.hpp"

namespace loadstone::datatype {
namespace {

// A letter for each group of numbers: i for integers, a for addresses, c for large counts. A small
// letter is one number, a capital as many as the list has entries.
struct rule {
  combiner kind;
  const char* small;
  const char* large;
};
constexpr rule rules[] = {
    {combiner::contiguous, "i", "c"},         {combiner::vector, "iii", "ccc"},
    {combiner::hvector, "iia", "ccc"},        {combiner::indexed, "iII", "cCC"},
    {combiner::hindexed, "iIA", "cCC"},       {combiner::indexed_block, "iiI", "ccC"},
    {combiner::hindexed_block, "iiA", "ccC"}, {combiner::structure, "iIA", "cCC"},
    {combiner::subarray, "iIIIi", "iCCCi"},   {combiner::darray, "iiiIIIIi", "iiiCIIIi"},
    {combiner::resized, "aa", "cc"},          {combiner::f90_real, "ii", "ii"},
    {combiner::f90_complex, "ii", "ii"},      {combiner::f90_integer, "i", "i"},
};

const char* pattern_of(const type::definition& d) {
  for (const auto& r : rules)
    if (r.kind == d.kind) return d.large ? r.large : r.small;
  return "";
}

// The length of the combiner's lists.
std::size_t list_length(const type::definition& d) {
  if (d.numbers.empty()) return 0;
  return static_cast<std::size_t>(d.kind == combiner::darray ? d.numbers[2] : d.numbers[0]);
}

template <class Visit>
void deal(const type::definition& d, Visit&& visit) {
  std::size_t next = 0;
  for (const char* p = pattern_of(d); *p != 0; p++) {
    const bool list = *p == 'I' || *p == 'A' || *p == 'C';
    for (std::size_t i = list ? list_length(d) : 1; i > 0; i--)
      visit(static_cast<char>(*p | 0x20), d.numbers[next++]);
  }
}

}  // namespace

datatype::envelope type::envelope() const {
  const definition& d = definition_;
  datatype::envelope e{d.kind, 0, 0, 0, static_cast<std::int64_t>(d.parts.size())};
  deal(d, [&e](char where, std::int64_t) {
    (where == 'i' ? e.integers : where == 'a' ? e.addresses : e.large_counts)++;
  });
  return e;
}

void type::contents(std::span<int> integers, std::span<std::int64_t> addresses,
                    std::span<std::int64_t> large_counts, std::span<const type*> datatypes) const {
  const definition& d = definition_;
  std::size_t i = 0, a = 0, c = 0;
  deal(d, [&](char where, std::int64_t n) {
    if (where == 'i' && i < integers.size()) integers[i++] = static_cast<int>(n);
    if (where == 'a' && a < addresses.size()) addresses[a++] = n;
    if (where == 'c' && c < large_counts.size()) large_counts[c++] = n;
  });
  for (std::size_t p = 0; p < std::min(d.parts.size(), datatypes.size()); p++) datatypes[p] = d.parts[p];
}

}  // namespace loadstone::datatype
