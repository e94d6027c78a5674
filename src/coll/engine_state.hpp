// What the engine keeps, and how a collective's schedule is made.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "coll/builder.hpp"
#include "coll/choices.hpp"
#include "coll/engine.hpp"
#include "coll/schedule.hpp"

namespace loadstone::coll {

struct engine::state {
  std::unique_ptr<messenger> messages;
  coll::choices choices;
  std::vector<std::unique_ptr<schedule>> schedules;  // all that were made
  std::vector<schedule*>
      idle;  // ready to be built again: a blocking collective allocates nothing in the long run

  schedule* take(const group_view& g);

  // Every collective takes its tags, whether it sends anything or not: all members count alike.
  template <class Write>
  schedule* build(const group_view& g, Write&& write) {
    const std::uint32_t number = *g.next_tag;
    *g.next_tag += 2;
    schedule* s = nullptr;
    try {
      s = take(g);
      builder b(*s, first_tag(number));
      write(b);
      return s;
    } catch (const std::bad_alloc&) {
      if (s) idle.push_back(s);  // the room is reserved
      return nullptr;
    }
  }
};

}  // namespace loadstone::coll
