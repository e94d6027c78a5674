// Who is missing at the areas, of those that the last look there was for: for reports, questions
// and deaths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coll/areas.hpp"

namespace loadstone::coll {

class missing_members {
 public:
  explicit missing_members(const areas& a) : a_(a) {}

  template <class Visit>
  void each(Visit&& visit) const {
    for (std::int32_t r = 0; r < a_.size(); ++r)
      if (r != a_.rank() && a_.is_missing(r)) visit(r);
  }
  std::int32_t first() const;  // or areas::nobody
  // Of those: it has done all its part of what is counted, so it is asked, but may have ended.
  bool may_have_left(std::int32_t rank) const;
  // How much of what is waited for has come: it grows while a wait lasts.
  std::uint64_t near() const;
  void describe(char* text, std::size_t bytes) const;  // what is waited for
  std::uint64_t described() const;                     // the same as a number

 private:
  std::uint64_t arrived() const;  // the word that says who have come

  const areas& a_;
};

}  // namespace loadstone::coll
