// What the engine keeps, and how a collective's schedule is made.
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
  std::vector<schedule*>
      idle;  // ready to be built again: a blocking collective allocates nothing in the long run
  disagreements differences{schedules};

  schedule* take(const group_view& g);

  // Every collective takes its tags, whether it sends anything or not: all members count alike.
  template <class Write>
  schedule* build(const group_view& g, operation what, std::int32_t root, Write&& write) {
    const std::uint32_t number = *g.next_tag;
    *g.next_tag += 2;
    schedule* s = nullptr;
    try {
      s = take(g);
      builder b(*s, number, what, g.inter ? 0 : root);  // the two groups name it differently
      write(b);
      const signature& does = b.end();
      if (!g.inter) differences.begins(g.local->context, number, g.rank, does);
      return s;
    } catch (const std::bad_alloc&) {
      if (s) idle.push_back(s);  // the room is reserved
      return nullptr;
    }
  }
};

}  // namespace loadstone::coll
