// The private state of coll::engine: all schedules, and how one is built or used again.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "coll/area_writer.hpp"
#include "coll/builder.hpp"
#include "coll/choices.hpp"
#include "coll/disagreement.hpp"
#include "coll/engine.hpp"
#include "coll/schedule.hpp"
#include "coll/teams.hpp"

namespace loadstone::coll {

struct engine::state {
  std::unique_ptr<messenger> messages;
  coll::choices choices;
  std::vector<std::unique_ptr<schedule>> schedules;  // all that were made
  // Schedules that are not in use, and are built anew: so a blocking collective allocates nothing
  // in the long run.
  std::vector<schedule*> idle;
  disagreements differences{schedules};
  std::optional<area_memory> memory;
  lookers looking;

  schedule* take(const group_view& g);
  bool wait(schedule& s, const wait::reason& why);

  // With more members a tree of messages has fewer steps than each has partners.
  static constexpr std::int32_t most_members = 64;
  // So many collectives of a communicator are done by messages: many communicators have no more.
  static constexpr std::uint32_t collectives_before = 2;
  // Do collectives of this communicator work in areas? Asked when the collective is being built.
  bool may_share(const group_view& g, std::uint32_t number);
  // `bytes`: what a member puts in a slot, at most; the same at all of them.
  areas& areas_of(const group_view& g, schedule& s, std::int64_t bytes);
  // What a collective needs of the slots of areas, if it is done there.
  struct in_slots {
    operation what;
    std::int64_t bytes;  // that a member puts in one, at most; the same at all of them
  };
  // Writes one by `shared(area_writer)`, where it is done in areas, or by `messages(a)`.
  template <class Algorithm, class Messages, class Shared>
  void write(builder& b, const group_view& g, const in_slots& needs, Algorithm a, Messages&& messages,
             Shared&& shared) {
    if (!may_share(g, b.number()) || !choices.in_area(needs.what, g.local_size, needs.bytes)) {
      messages(b.uses(a));
      return;
    }
    b.uses(Algorithm::area);
    const team t = local_team(g);
    area_writer w(b, t);
    w.write(areas_of(g, b.made(), needs.bytes), [&] { shared(w); }, [&] { messages(a); });
  }

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
