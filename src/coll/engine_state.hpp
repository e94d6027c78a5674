// The private state of coll::engine: all schedules, and how one is built or used again.
#pragma once

#include <algorithm>
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
#include "coll/inter.hpp"
#include "coll/repeats.hpp"
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
  repeats repeated;

  schedule* take(const group_view& g);
  bool wait(schedule& s, const wait::reason& why) {
    // Relaxed: it completes under the gate.
    const bool there = s.areas_ != nullptr && !s.complete.load(std::memory_order_relaxed);
    return there ? wait_in_areas(s, why) : messages->wait(s, why);
  }
  [[gnu::noinline]] bool wait_in_areas(schedule& s, const wait::reason& why);

  // So many collectives of a communicator are done by messages: many communicators have no more.
  static constexpr std::uint32_t collectives_before = 2;
  // Do collectives of this communicator work in areas? Asked when the collective is being built.
  bool may_share(const group_view& g);
  static bool comes_before(const group_view& g, std::uint32_t number) {
    return !g.persistent && number >> 1 < collectives_before;
  }
  // `bytes`: what a member puts in a slot, at most; the same at all of them.
  areas& areas_of(const group_view& g, schedule& s, std::int64_t bytes);
  // What decides how a collective is done in areas, if it is.
  struct in_areas {
    operation what;
    choices::amounts n;
    bool can_stay = true;  // data that does not fit a slot may stay where it is
    bool commutes = true;  // it may be done in any order
  };
  // Writes one by `shared(area_writer)`, where it is done in slots, or by levels, by
  // `stays(area_writer, through)`, where its data stays where it is, or by `messages(a)`.
  template <class Algorithm, class Messages, class Shared, class Stays>
  void write(builder& b, const group_view& g, const in_areas& needs, Algorithm a, Messages&& messages,
             Shared&& shared, Stays&& stays) {
    using how = choices::in_area;
    how in = how::no;
    const bool before = comes_before(g, b.number());
    if ((!before || choices::reduces(needs.what)) && may_share(g)) {
      const levels& all = *g.areas->levels_;
      in = choices.how_in_area(
          needs.what, {g.local_size, all.spread()}, needs.n,
          {needs.can_stay, needs.commutes || all.in_rank_order(), g.persistent || !g.waits});
    }
    if (before) {
      // What is added again later is added in the same order.
      if (const std::uint8_t same = choices::like_areas(needs.what, in); same != 0)
        a = static_cast<Algorithm>(same);
      in = how::no;
    }
    if (in == how::no) return messages(b.uses(a));
    const team t = local_team(g);
    const bool in_slots = in == how::slots || in == how::levels;
    areas& shares = areas_of(g, b.made(), in_slots ? needs.n.bytes : offer_bytes(g));
    const auto by_messages = [&] { messages(a); };
    if constexpr (requires { Algorithm::levels; })
      if (in == how::levels) {
        b.uses(Algorithm::levels, a);
        area_writer w(b, t, *g.areas->levels_, choices.fans_in(), choices.fans_out());
        return w.write(shares, area_writer::needs::slots, [&] { shared(w); }, by_messages);
      }
    area_writer w(b, t);
    if (in == how::slots) {
      b.uses(Algorithm::area, a);
      return w.write(shares, area_writer::needs::slots, [&] { shared(w); }, by_messages);
    }
    const through what = in == how::chain    ? through::chain
                         : in == how::blocks ? through::blocks
                                             : through::buffers;
    b.uses(by_stay<Algorithm>(what), a);
    w.write(
        shares, what == through::buffers ? area_writer::needs::buffers : area_writer::needs::blocks,
        [&] { stays(w, what); }, by_messages);
  }
  // One of blocks that its root alone knows all sizes of: by `shared(area_writer)`, which sends
  // what is too long, by messages(), or, where that is set, by `edges(area_writer)`. One that
  // others may begin before it ends is no operation of slots: its long blocks would hold them up.
  template <class Messages, class Shared, class Edges>
  void write_unequal(builder& b, const group_view& g, operation what, Messages&& messages, Shared&& shared,
                     Edges&& edges) {
    constexpr auto linear = gather_algorithm::linear;
    if (choices.may_list_edges(what)) return write_edges(b, g, true, linear, messages, edges);
    if (g.persistent || !g.waits) return b.uses(linear), messages();
    write(
        b, g, {what, choices::unequal, false}, linear, [&](gather_algorithm) { messages(); }, shared,
        [](area_writer&, through) {});
  }
  // One of blocks whose sizes only their owners know: by `edges(area_writer)`, or by messages(),
  // which is algorithm `a`.
  template <class Algorithm, class Messages, class Edges>
  void write_edges(builder& b, const group_view& g, bool allowed, Algorithm a, Messages&& messages,
                   Edges&& edges) {
    if (!allowed || comes_before(g, b.number()) || !may_share(g)) {
      b.uses(a);
      return messages();
    }
    const team t = local_team(g);
    areas& shares = areas_of(g, b.made(), choices::area_bytes);
    area_writer w(b, t);
    b.uses(by_stay<Algorithm>(through::buffers), a);
    w.write(shares, area_writer::needs::buffers, [&] { edges(w); }, messages);
  }
  // As the enumeration has it, for those that have it.
  template <class Algorithm>
  static constexpr Algorithm by_stay(through what) {
    constexpr auto area = static_cast<std::uint8_t>(Algorithm::area);
    return static_cast<Algorithm>(area + 1 + static_cast<std::uint8_t>(what));
  }
  static std::int64_t offer_bytes(const group_view& g) {
    return static_cast<std::int64_t>(
        std::max(offer::bytes_of_exchange(g.local_size), offer_bytes_of_reduction));
  }

  // The same for one that may be repeated.
  template <class Write>
  schedule* build(const group_view& g, const same_call& call, Write&& write) {
    return build(g, call, nullptr, write);
  }
  template <class Write>
  schedule* build(const group_view& g, const same_call& call, const call_lists* lists, Write&& write) {
    const areas* const met = met_areas(g);
    if (met == nullptr) return build(g, call.what, call.root, write);
    if (schedule* const s = repeated.find(call, lists, met->serial()); s != nullptr) return again(g, *s);
    return build_to_keep(g, call, lists, *met, write);
  }
  template <class Write>
  [[gnu::noinline]] schedule* build_to_keep(const group_view& g, const same_call& call,
                                            const call_lists* lists, const areas& met, Write&& write) {
    schedule* const s = build(g, call.what, call.root, write);
    if (s == nullptr || s->areas_ != &met || !s->small() || !call.of_predefined_types()) return s;
    try {
      if (schedule* const gone = repeated.keep(call, lists, met.serial(), *s); gone != nullptr) retire(*gone);
    } catch (const std::bad_alloc&) {  // it is built again next time
    }
    return s;
  }
  // Those of a communicator whose members have met in them; null: there are none.
  static const areas* met_areas(const group_view& g) {
    if (g.areas == nullptr || g.persistent || g.areas->made_ == nullptr) return nullptr;
    const areas* const a = g.areas->made_.get();
    return a->decided() == areas::state::shared ? a : nullptr;
  }
  schedule* again(const group_view& g, schedule& s) {
    const std::uint32_t number = *g.next_tag;
    *g.next_tag += 2;
    s.be_collective(number);
    differences.begins(g.local->context, number, g.place_of(number), g.rank, s.does_);
    return &s;
  }
  void retire(schedule& s) {
    s.release_parts();
    idle.push_back(&s);  // cannot fail: take() has reserved the space
  }

  // Every collective takes a range of tags, even if this process sends nothing, so that all members
  // count alike.
  template <class Write>
  [[gnu::noinline]] schedule* build(const group_view& g, operation what, std::int32_t root, Write&& write) {
    const std::uint32_t number = *g.next_tag;
    *g.next_tag += 2;
    schedule* s = nullptr;
    try {
      s = take(g);
      // Between two groups, the root names itself.
      builder b(*s, number, what, g.inter && root == inter::root_here ? g.rank : root, g.persistent);
      write(b);
      differences.begins(g.local->context, number, g.place_of(number), g.rank, b.does());
      return s;
    } catch (const std::bad_alloc&) {
      if (s) idle.push_back(s);  // cannot fail: take() has reserved the space
      return nullptr;
    }
  }
};

}  // namespace loadstone::coll
