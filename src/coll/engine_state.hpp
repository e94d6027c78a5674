// The private state of coll::engine: all schedules, and how one is built or used again.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "coll/builder.hpp"
#include "coll/choices.hpp"
#include "coll/disagreement.hpp"
#include "coll/engine.hpp"
#include "coll/schedule.hpp"

namespace loadstone::coll {

struct engine::state {
  std::unique_ptr<messenger> messages;
  coll::choices choices;
  std::vector<std::unique_ptr<schedule>> schedules;  // all that were made
  // Schedules that are not in use, and are built anew: so a blocking collective allocates nothing
  // in the long run.
  std::vector<schedule*> idle;
  disagreements differences{schedules};

  schedule* take(const group_view& g);

  // Every collective takes a range of tags, even if this process sends nothing, so that all members
  // count alike.
  template <class Write>
  schedule* build(const group_view& g, operation what, std::int32_t root, Write&& write) {
    const std::uint32_t number = *g.next_tag;
    *g.next_tag += 2;
    schedule* s = nullptr;
    try {
      s = take(g);
      // The two groups name the root differently.
      builder b(*s, number, what, g.inter ? 0 : root, g.persistent);
      write(b);
      const signature& does = b.end();
      if (!g.inter) differences.begins(g.local->context, number, g.rank, does);
      return s;
    } catch (const std::bad_alloc&) {
      if (s) idle.push_back(s);  // cannot fail: take() has reserved the space
      return nullptr;
    }
  }
};

}  // namespace loadstone::coll
