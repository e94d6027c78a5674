// Large receives that their sender knows of: filled while the receiver is away, and never against the order
// of matching.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "deposit/handler_ids.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"
#include "p2p/wire_layout.hpp"

namespace loadstone::testing {
namespace {

constexpr std::size_t large = (1 << 20) + 3;

// Waits without the library.
void wait_outside(std::atomic<std::uint64_t>& word, std::uint64_t value) {
  while (word.load(std::memory_order_acquire) != value) usleep(100);
}
void say(std::atomic<std::uint64_t>& word, std::uint64_t value) {
  word.store(value, std::memory_order_release);
}

TEST(adverts, a_message_arrives_while_the_receiver_is_away) {
  shared_page* page = shared_page::create(2);
  for (send_mode mode : {send_mode::standard, send_mode::synchronous, send_mode::ready}) {
    for (auto& word : page->words) word.store(0);
    run_processes(2, [&](rank& r) {
      p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
      const auto data = painted(large, 3);
      meet(r, s);
      if (r.self == 0) {
        wait_outside(page->words[0], 1);
        EXPECT_EQ(send(r, w, bytes_of(data.data(), large), 1, 5, mode).error, 0);
        EXPECT_EQ(send(r, w, bytes_of(data.data(), 10), 1, 5).error, 0);
        say(page->words[0], 2);
      } else {
        std::vector<std::byte> got(large + 10), small(10);
        p2p::request* first = start_receive(r, w, bytes_of(got.data(), got.size()), 0, 5);
        say(page->words[0], 1);
        wait_outside(page->words[0], 2);  // the send has ended, and we have done nothing
        EXPECT_EQ(std::memcmp(got.data(), data.data(), large), 0);
        const outcome o = finish(r, first);
        EXPECT_EQ(o.error, 0);
        EXPECT_EQ(o.bytes, static_cast<std::int64_t>(large));
        EXPECT_EQ(o.source, 0);
        EXPECT_EQ(o.tag, 5);
        EXPECT_EQ(receive(r, w, bytes_of(small.data(), 10), 0, 5).bytes, 10);
      }
      meet(r, s);
    });
  }
}

// The cases in which the sender must not use the advert it has.
TEST(adverts, order_comes_first) {
  shared_page* page = shared_page::create(2);
  run_processes(2, [&](rank& r) {
    p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
    const auto a = painted(large, 1), b = painted(large, 2), c = painted(large, 3);
    std::vector<std::byte> x(large), y(large), z(large);
    const auto whole = [&](std::vector<std::byte>& v) { return bytes_of(v.data(), v.size()); };
    std::uint64_t step = 0;

    // A small message of the same tag is under way when the receive is posted: it is the first's.
    if (r.self == 0) {
      EXPECT_EQ(send(r, w, bytes_of(a.data(), 100), 1, 1).error, 0);
      say(page->words[0], ++step);
      wait_outside(page->words[1], step);
      EXPECT_EQ(send(r, w, bytes_of(b.data(), large), 1, 1).error, 0);
    } else {
      wait_outside(page->words[0], ++step);
      p2p::request* first = start_receive(r, w, whole(x), 0, 1);
      p2p::request* second = start_receive(r, w, whole(y), 0, 1);
      say(page->words[1], step);
      EXPECT_EQ(finish(r, first).bytes, 100);
      EXPECT_EQ(finish(r, second).bytes, static_cast<std::int64_t>(large));
      EXPECT_EQ(y, b);
    }
    meet(r, s);

    // A message of another tag came between two receives of the same: the older one is still the first.
    if (r.self == 0) {
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(a.data(), 100), 1, 9).error, 0);
      say(page->words[0], step);
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(b.data(), large), 1, 8).error, 0);
      EXPECT_EQ(send(r, w, bytes_of(c.data(), large), 1, 8).error, 0);
    } else {
      p2p::request* first = start_receive(r, w, whole(x), 0, 8);
      say(page->words[1], ++step);
      wait_outside(page->words[0], step);
      EXPECT_EQ(receive(r, w, whole(z), 0, 9).bytes, 100);
      p2p::request* second = start_receive(r, w, whole(y), 0, 8);
      say(page->words[1], ++step);
      EXPECT_EQ(finish(r, first).error, 0);
      EXPECT_EQ(finish(r, second).error, 0);
      EXPECT_EQ(x, b);
      EXPECT_EQ(y, c);
    }
    meet(r, s);

    // A wildcard was posted earlier.
    if (r.self == 0) {
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(a.data(), large), 1, 2).error, 0);
      EXPECT_EQ(send(r, w, bytes_of(b.data(), large), 1, 2).error, 0);
    } else {
      p2p::request* wild = start_receive(r, w, whole(x), any_source, any_tag);
      p2p::request* named = start_receive(r, w, whole(y), 0, 2);
      say(page->words[1], ++step);
      EXPECT_EQ(finish(r, wild).error, 0);
      EXPECT_EQ(finish(r, named).error, 0);
      EXPECT_EQ(x, a);
      EXPECT_EQ(y, b);
    }
    meet(r, s);

    // The first of two has been cancelled.
    if (r.self == 0) {
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(a.data(), large), 1, 3).error, 0);
    } else {
      p2p::request* gone = start_receive(r, w, whole(x), 0, 3);
      p2p::request* stays = start_receive(r, w, whole(y), 0, 3);
      r.p2p->cancel(gone);
      EXPECT_TRUE(finish(r, gone).cancelled);
      say(page->words[1], ++step);
      EXPECT_EQ(finish(r, stays).error, 0);
      EXPECT_EQ(y, a);
    }
    meet(r, s);

    // Too long for the receive: truncation, as ever. The next is well.
    if (r.self == 0) {
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(a.data(), large), 1, 4).error, 0);
      EXPECT_EQ(send(r, w, bytes_of(b.data(), large), 1, 4).error, 0);
    } else {
      p2p::request* shorter = start_receive(r, w, bytes_of(x.data(), large - 1), 0, 4);
      p2p::request* next = start_receive(r, w, whole(y), 0, 4);
      say(page->words[1], ++step);
      EXPECT_EQ(finish(r, shorter).error, p2p::error_truncate);
      EXPECT_EQ(finish(r, next).error, 0);
      EXPECT_EQ(y, b);
    }
    meet(r, s);

    // Several at once, tags against the order of posting.
    if (r.self == 0) {
      wait_outside(page->words[1], ++step);
      EXPECT_EQ(send(r, w, bytes_of(c.data(), large), 1, 7).error, 0);
      EXPECT_EQ(send(r, w, bytes_of(a.data(), large), 1, 6).error, 0);
      EXPECT_EQ(send(r, w, bytes_of(b.data(), large), 1, 6).error, 0);
    } else {
      p2p::request* first = start_receive(r, w, whole(x), 0, 6);
      p2p::request* second = start_receive(r, w, whole(y), 0, 6);
      p2p::request* third = start_receive(r, w, whole(z), 0, 7);
      say(page->words[1], ++step);
      EXPECT_EQ(finish(r, third).error, 0);
      EXPECT_EQ(finish(r, second).error, 0);
      EXPECT_EQ(finish(r, first).error, 0);
      EXPECT_EQ(x, a);
      EXPECT_EQ(y, b);
      EXPECT_EQ(z, c);
    }
    meet(r, s);
  });
}

struct known_advert {
  p2p::advert_header about;
  p2p::advert_body where;
  std::atomic<bool> came{false};
};

// The sender of an advertised receive may not write there after all, and says so before its envelope
// comes, or afterwards: what it gives back is the receiver's, even where senders copy alone. One that
// cannot even count what it copies gives back no block, and claims none. The sender is played.
void what_comes_back_is_the_receivers(bool a_block, bool before) {
  SCOPED_TRACE(std::string(a_block ? "a block" : "no block") + (before ? " before" : " behind") +
               " the envelope");
  known_advert known;
  ranks_config c;
  c.rank.p2p.both_sides = 0;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        meet(r, s);
        const auto data = painted(large, 3);
        if (r.self == 0) {
          r.endpoint->set_handler(
              deposit::handler_p2p_advert,
              [](void* context, deposit::incoming& m, bool) {
                auto& a = *static_cast<known_advert*>(context);
                std::memcpy(&a.about, m.header(), sizeof a.about);
                std::memcpy(&a.where, m.payload(), sizeof a.where);
                a.came = true;
                return deposit::verdict::consumed;
              },
              &known);
          while (!known.came) with_gate(r, [](p2p::engine& e) { e.progress(); });
          auto* ours = new (*r.arena->allocate(sizeof(p2p::rendezvous_record), 128)) p2p::rendezvous_record{};
          const std::lock_guard guard(r.endpoint->gate());
          const memory::address at = known.about.record.in(1);
          const memory::pin theirs = r.endpoint->map(at.region);
          ASSERT_TRUE(theirs);
          auto* record = reinterpret_cast<p2p::rendezvous_record*>(theirs.at(at.offset));
          record->state.store(p2p::state_word(known.about.generation, p2p::record_matched));
          if (a_block) record->claimed.fetch_add(1);  // the first
          const p2p::given_back_header back{known.where.receiver, a_block ? 0 : p2p::no_block};
          p2p::taken_body body{};
          body.offered = {.bytes = static_cast<std::int64_t>(large),
                          .address = reinterpret_cast<std::uint64_t>(data.data()),
                          .arena_offset = p2p::not_in_arena,
                          .region_number = 0,
                          .region_generation = 0,
                          .blocks = 0,
                          .list = 0};
          body.advert = known.about.record;
          body.advert_generation = known.about.generation;
          body.alone = 1;
          const p2p::answered_envelope header{p2p::envelope::of(w.context, 0, 5),
                                              memory::local_address::of(r.arena->address_of(ours)), 1, 0};
          const auto give_back = [&] {
            (void)r.endpoint->send_active(1, deposit::handler_p2p_given_back, deposit::traffic::control,
                                          &back, sizeof back, nullptr, 0);
          };
          if (before) give_back();
          (void)r.endpoint->send_active(1, deposit::handler_p2p_taken, deposit::traffic::user, &header,
                                        sizeof header, &body, sizeof body);
          if (!before) give_back();
        } else {
          std::vector<std::byte> got(large);
          p2p::request* q = start_receive(r, w, bytes_of(got.data(), large), 0, 5);
          // Bounds a defect only.
          for (int patience = 20'000; !q->complete && patience > 0; --patience) {
            with_gate(r, [](p2p::engine& e) { e.progress(); });
            usleep(500);
          }
          ASSERT_TRUE(q->complete);
          EXPECT_EQ(finish(r, q).error, 0);
          EXPECT_EQ(got, data);
        }
        meet(r, s);
      },
      c);
}
TEST(adverts, what_comes_back_is_the_receivers) {
  for (const bool a_block : {true, false})
    for (const bool before : {true, false}) what_comes_back_is_the_receivers(a_block, before);
}

// A sender that was to copy alone, and finds no way to write there: its receiver is told. The receiver is
// played, with memory that is there no more.
TEST(adverts, a_sender_that_can_copy_nothing_says_so) {
  struct heard {
    std::atomic<int> taken{0}, given_back{0};
    p2p::answered_envelope envelope;
    p2p::taken_body body;
    p2p::given_back_header back;
  } all;
  constexpr std::uint64_t token = 77;
  ranks_config c;
  c.rank.p2p.both_sides = 0;
  c.rank.endpoint.vm = false;
  run_ranks(
      2,
      [&](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        if (r.self == 0) {
          meet(r, s);
          const auto data = painted(large, 3);
          p2p::request* q = start_send(r, w, bytes_of(data.data(), large), 1, 5);
          EXPECT_EQ(finish(r, q).error, 0);
          EXPECT_EQ(with_gate(r, [](p2p::engine& e) { return e.counts(); }).messages[p2p::engine::advert],
                    1u);
          meet(r, s);
          return;
        }
        r.endpoint->set_handler(
            deposit::handler_p2p_taken,
            [](void* context, deposit::incoming& m, bool) {
              auto& h = *static_cast<heard*>(context);
              std::memcpy(&h.envelope, m.header(), sizeof h.envelope);
              std::memcpy(&h.body, m.payload(), sizeof h.body);
              ++h.taken;
              return deposit::verdict::consumed;
            },
            &all);
        r.endpoint->set_handler(
            deposit::handler_p2p_given_back,
            [](void* context, deposit::incoming& m, bool) {
              auto& h = *static_cast<heard*>(context);
              std::memcpy(&h.back, m.header(), sizeof h.back);
              ++h.given_back;
              return deposit::verdict::consumed;
            },
            &all);
        auto* record = new (*r.arena->allocate(sizeof(p2p::rendezvous_record), 128)) p2p::rendezvous_record{};
        record->state.store(p2p::state_word(1, p2p::record_pending));
        record->claimed.store(std::uint64_t{1} << 32);
        void* const gone = *r.arena->allocate(2 * large);  // a region of its own
        const p2p::advert_body body{token, 1, static_cast<std::int64_t>(large), r.arena->address_of(gone), 1};
        r.arena->release(gone);
        const p2p::advert_header header{
            w.context, 0, 5, memory::local_address::of(r.arena->address_of(record)), 1, 0};
        with_gate(r, [&](p2p::engine&) {
          return r.endpoint->send_active(0, deposit::handler_p2p_advert, deposit::traffic::control, &header,
                                         sizeof header, &body, sizeof body);
        });
        meet(r, s);
        // Bounds a defect only.
        for (int patience = 5'000; all.given_back == 0 && patience > 0; --patience) {
          with_gate(r, [](p2p::engine& e) { e.progress(); });
          usleep(500);
        }
        EXPECT_EQ(all.taken, 1);
        EXPECT_EQ(all.body.alone, 1u);
        EXPECT_EQ(all.given_back, 1);
        EXPECT_EQ(all.back.receiver, token);
        EXPECT_EQ(all.back.from, p2p::no_block);
        EXPECT_EQ(record->claimed.load(), std::uint64_t{1} << 32) << "it has claimed nothing";
        const p2p::done_header done{all.envelope.record, all.envelope.generation, 0};
        with_gate(r, [&](p2p::engine&) {
          return r.endpoint->send_active(0, deposit::handler_p2p_done, deposit::traffic::control, &done,
                                         sizeof done, nullptr, 0);
        });
        meet(r, s);
      },
      c);
}

}  // namespace
}  // namespace loadstone::testing
