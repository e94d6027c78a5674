// Schedules themselves: errors, completion, tags, abandoning, scratch memory.
#include "coll/schedule.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "coll/builder.hpp"
#include "coll/kinds.hpp"
#include "coll/simulated_job.hpp"

namespace loadstone::coll::test {
namespace {

TEST(Tags, WrapAndStayPositive) {
  const signature plain, kept{.persistent = true};
  EXPECT_EQ(first_tag(0, plain), 0);
  EXPECT_EQ(first_tag(0x07ffffff, plain), 0x3ffffff8);
  EXPECT_EQ(first_tag(0x08000000, plain), 0);
  EXPECT_EQ(first_tag(0, kept), 0x40000000);
  EXPECT_EQ(first_tag(0x07ffffff, kept), 0x7ffffff8);
  EXPECT_EQ(first_tag(0x08000000, kept), 0x40000000);
  for (std::uint32_t n : {0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    EXPECT_GE(first_tag(n, plain), 0);
    EXPECT_GE(first_tag(n, kept), 0);
  }
}

TEST(Tags, OfPersistentCollectivesAreMetByNoOther) {
  const signature from_0{.root = 0, .what = coll::operation::bcast},
      from_1{.root = 1, .what = coll::operation::bcast};
  signature kept = from_0;
  kept.persistent = true;
  // Of two that end, what they do brings them together after 32768 others.
  EXPECT_EQ(first_tag(1, from_0), first_tag(1 + 0x10000, from_1));
  for (std::uint32_t n = 1; n < 1u << 20; n += 2)
    for (const signature& s :
         {from_0, from_1, signature{.root = 15, .what = coll::operation::neighbor_alltoall}})
      ASSERT_GT(first_tag(1, kept), first_tag(n, s));
}

TEST(Tags, DifferWithWhatIsDone) {
  const signature calls[] = {{.what = coll::operation::barrier},
                             {.what = coll::operation::bcast},
                             {.root = 1, .what = coll::operation::bcast},
                             {.what = coll::operation::bcast, .algorithm = 1},
                             {.what = coll::operation::neighbor_alltoall},
                             {.what = coll::operation::bcast, .persistent = true},
                             {.what = coll::operation::bcast, .algorithm = 5, .otherwise = 1},
                             {.what = coll::operation::bcast, .algorithm = 5, .otherwise = 2}};
  for (const signature& a : calls)
    for (const signature& b : calls) EXPECT_EQ(first_tag(7, a) == first_tag(7, b), &a == &b);
}

TEST(Schedule, TruncationIsReportedOnceAtTheEndAndNobodyHangs) {
  simulated_job job(5, 3);
  communicator comm(8, 5, 0, false);
  std::vector<std::vector<std::int32_t>> data(5, std::vector<std::int32_t>(10, 0));
  std::vector<schedule*> s(5);
  int calls = 0;
  for (int p = 0; p < 5; ++p) {
    // Process 4 has room for half only; it passes nothing on in a tree from 0.
    const std::int64_t count = p == 4 ? 5 : 10;
    if (p == 0) data[0].assign(10, 7);
    s[static_cast<std::size_t>(p)] = job.of(p).bcast(
        comm.view(p), {data[static_cast<std::size_t>(p)].data(), count, all_types().plain}, 0);
    s[static_cast<std::size_t>(p)]->context = &calls;
    s[static_cast<std::size_t>(p)]->on_complete = [](p2p::request&, void* c) { ++*static_cast<int*>(c); };
    job.of(p).start(s[static_cast<std::size_t>(p)]);
  }
  job.run_until_quiet();
  for (int p = 0; p < 5; ++p) {
    EXPECT_TRUE(s[static_cast<std::size_t>(p)]->complete);
    EXPECT_EQ(s[static_cast<std::size_t>(p)]->result.error, p == 4 ? 15 : 0);
  }
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(data[4][4], 7);
  EXPECT_EQ(data[4][5], 0);
  EXPECT_EQ(data[3][9], 7);
  for (int p = 0; p < 5; ++p) job.of(p).destroy(s[static_cast<std::size_t>(p)]);
}

TEST(Schedule, AnErrorInTheMiddleOfATreeDoesNotStopIt) {
  simulated_job job(8, 5);
  communicator comm(8, 8, 0, false);
  std::vector<std::int32_t> in(8, 1), out(8, 0);
  std::vector<schedule*> s(8);
  for (std::size_t p = 0; p < 8; ++p) {
    // Process 7 contributes too much to a reduction: 6 truncates, and still answers 4.
    static std::int32_t pair[2] = {1, 1};
    s[p] = p == 7 ? job.of(7).reduce(comm.view(7), pair, nullptr, 2, all_types().plain,
                                     &op_of(operation::predefined_sum), 0, false)
                  : job.of(static_cast<int>(p))
                        .reduce(comm.view(static_cast<int>(p)), &in[p], &out[p], 1, all_types().plain,
                                &op_of(operation::predefined_sum), 0, false);
    job.of(static_cast<int>(p)).start(s[p]);
  }
  job.run_until_quiet();
  for (std::size_t p = 0; p < 8; ++p) {
    EXPECT_TRUE(s[p]->complete) << p;
    EXPECT_EQ(s[p]->result.error, p == 6 ? 15 : 0) << p;
    job.of(static_cast<int>(p)).destroy(s[p]);
  }
  EXPECT_EQ(out[0], 8);
}

TEST(Schedule, AbandonedOneCompletesOnItsOwn) {
  simulated_job job(3, 7);
  communicator comm(8, 3, 0, false);
  std::int32_t data[3] = {5, 0, 0};
  schedule* s[3];
  for (int p = 0; p < 3; ++p) s[p] = job.of(p).bcast(comm.view(p), {&data[p], 1, all_types().plain}, 0);
  job.of(1).start(s[1]);
  job.of(1).destroy(s[1]);
  EXPECT_FALSE(comm.idle());
  job.of(0).start(s[0]);
  job.of(2).start(s[2]);
  job.run_until_quiet();
  EXPECT_EQ(data[1], 5);
  EXPECT_TRUE(comm.idle());
  job.of(0).destroy(s[0]);
  job.of(2).destroy(s[2]);
  EXPECT_TRUE(job.wires.quiet());
}

TEST(Schedule, TypesAndOperationsMayBeFreedByTheUserMeanwhile) {
  simulated_job job(2, 7);
  communicator comm(8, 2, 0, false);
  std::int32_t in[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, out[2][4] = {};
  schedule* s[2];
  for (int p = 0; p < 2; ++p) {
    auto pair = datatype::builder::contiguous(2, *all_types().plain);
    ASSERT_TRUE(pair.ok() && (*pair)->commit().ok());
    datatype::op* op = datatype::op::create(add, nullptr, true);
    s[p] = job.of(p).allreduce(comm.view(p), in[p], out[p], 2, *pair, op, false);
    (*pair)->release();
    op->release();
    job.of(p).start(s[p]);
  }
  job.run_until_quiet();
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(out[p][0], 6);
    EXPECT_EQ(out[p][3], 12);
    job.of(p).destroy(s[p]);
  }
}

TEST(Schedule, OfOneProcessCompletesAtOnce) {
  simulated_job job(1, 1);
  communicator comm(8, 1, 0, false);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(job.of(0).run(job.of(0).barrier(comm.view(0)), {}), 0);
  EXPECT_EQ(job.wires.messages, 0u);
}

// How a large message goes is decided when its owner waits for it: a blocking call says so at once.
TEST(Schedule, TellsItsMessagesWhetherSomebodyWaits) {
  simulated_job job(2, 1);
  communicator comm(8, 2, 0, false);
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = job.wires.waited_for;
    schedule* const other = job.of(1).barrier(comm.view(1));
    job.of(1).start(other);
    EXPECT_EQ(job.wires.waited_for, before);
    EXPECT_EQ(job.of(0).run(job.of(0).barrier(comm.view(0)), {}), 0);
    EXPECT_GT(job.wires.waited_for, before);
    job.run_until_quiet();
    job.of(1).destroy(other);
  }
}

// A non-blocking one says so when its wait begins: of messages on their way, once, and of those that
// it posts from then on. Started again, it is not waited for.
TEST(Schedule, TellsItsMessagesWhenItsWaitBegins) {
  simulated_job job(4, 1);
  communicator comm(8, 4, 0, false);
  schedule* s[4];
  for (int p = 0; p < 4; ++p) s[p] = job.of(p).barrier(comm.view(p));
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = job.wires.waited_for;
    job.of(0).start(s[0]);
    EXPECT_EQ(job.wires.waited_for, before);
    job.of(0).wait_begins(*s[0]);
    const std::uint64_t on_their_way = job.wires.waited_for;
    EXPECT_GT(on_their_way, before);
    job.of(0).wait_begins(*s[0]);
    EXPECT_EQ(job.wires.waited_for, on_their_way);
    for (int p = 1; p < 4; ++p) job.of(p).start(s[p]);
    job.run_until_quiet();
    EXPECT_GT(job.wires.waited_for, on_their_way);
    job.of(0).wait_begins(*s[0]);  // it is over
  }
  for (int p = 0; p < 4; ++p) job.of(p).destroy(s[p]);
}

TEST(Barrier, ChoosesByCoresAndMembers) {
  choices c;
  EXPECT_EQ(c.for_barrier(8), barrier_algorithm::dissemination);
  EXPECT_EQ(c.for_barrier(100), barrier_algorithm::dissemination);
  c.set_machine(nullptr, 2, 16);
  EXPECT_EQ(c.for_barrier(16), barrier_algorithm::linear);
  c.set_machine(nullptr, 2, 4);
  EXPECT_EQ(c.how_in_area(coll::operation::barrier, 4, {}, {}), choices::in_area::slots);
}

// Of members that may compute, those who wait do the part, as long as it costs at most four times
// as much; of a short one, about as much.
TEST(Choices, WhereSomebodyMayComputeDataStaysWhereItIs) {
  auto m = std::make_shared<model::machine>();
  m->line = 0.1, m->call = 1, m->turn = 1, m->fold = 0.02;
  for (std::int64_t n = 64; n <= 64 << 20; n *= 2) {
    const double k = static_cast<double>(n) / 1024;
    m->put.add(n, 0.03 * k), m->get.add(n, 0.03 * k), m->together.add(n, 0.03 * k);
    m->vm.add(n, 1.5 + 0.06 * k), m->vm_together.add(n, 2 + 0.02 * k);
  }
  choices c;
  c.set_machine(m, 2, 2);
  const auto in = [&](std::int64_t n, bool may_compute) {
    return c.how_in_area(coll::operation::allreduce, 2, {n, n}, {.may_compute = may_compute});
  };
  for (const std::int64_t n : {std::int64_t{64} << 10, std::int64_t{1} << 20}) {
    EXPECT_NE(in(n, false), choices::in_area::buffers) << n;
    EXPECT_EQ(in(n, true) == choices::in_area::buffers, n >= 1 << 20) << n;
    EXPECT_NE(in(n, false), choices::in_area::buffers) << n << ", again";
  }
  EXPECT_EQ(in(8, true), choices::in_area::slots) << "a call would cost more than four times as much";
}

TEST(Barrier, MessagesOfEachAlgorithm) {
  for (const auto& [name, expected] :
       {std::pair{"tree", 14u}, std::pair{"dissemination", 24u}, std::pair{"linear", 14u}}) {
    simulated_job job(8, 1);
    job.choose("barrier", name);
    communicator comm(8, 8, 0, false);
    std::vector<schedule*> s;
    for (int p = 0; p < 8; ++p) s.push_back(job.of(p).barrier(comm.view(p)));
    for (int p = 0; p < 7; ++p) job.of(p).start(s[static_cast<std::size_t>(p)]);
    job.run_until_quiet();
    for (int p = 0; p < 7; ++p)
      EXPECT_FALSE(s[static_cast<std::size_t>(p)]->complete) << name << " lets " << p << " through";
    job.of(7).start(s[7]);
    job.run_until_quiet();
    for (int p = 0; p < 8; ++p) {
      EXPECT_TRUE(s[static_cast<std::size_t>(p)]->complete);
      job.of(p).destroy(s[static_cast<std::size_t>(p)]);
    }
    EXPECT_EQ(job.wires.messages, expected);
  }
}

TEST(Barrier, NobodyOfEitherGroupLeavesEarly) {
  for (int late = 0; late < 5; ++late) {
    simulated_job job(5, static_cast<std::uint64_t>(late));
    communicator comm(8, 2, 3, true);
    std::vector<schedule*> s;
    for (int p = 0; p < 5; ++p) s.push_back(job.of(p).barrier(comm.view(p)));
    for (int p = 0; p < 5; ++p)
      if (p != late) job.of(p).start(s[static_cast<std::size_t>(p)]);
    job.run_until_quiet();
    for (int p = 0; p < 5; ++p) {
      if (comm.group(p) == comm.group(late)) continue;
      EXPECT_FALSE(s[static_cast<std::size_t>(p)]->complete) << p << " " << late;
    }
    job.of(late).start(s[static_cast<std::size_t>(late)]);
    job.run_until_quiet();
    for (int p = 0; p < 5; ++p) {
      EXPECT_TRUE(s[static_cast<std::size_t>(p)]->complete);
      job.of(p).destroy(s[static_cast<std::size_t>(p)]);
    }
  }
}

TEST(Scratch, FitsTypesWithAnyBounds) {
  simulated_job job(1, 1);
  simulated_messenger messages(job.wires, 0);
  schedule s(messages);
  builder b(s, 0, coll::operation::barrier, 0);
  for (const datatype::type* t :
       {all_types().plain, all_types().negative, all_types().padded, all_types().strided})
    for (std::int64_t count : {std::int64_t{1}, std::int64_t{3}, std::int64_t{5000}}) {
      void* at = b.scratch(count, *t);
      const std::vector<std::byte> packed(static_cast<std::size_t>(count * t->size()), std::byte{1});
      // The sanitizers see it if this leaves the piece.
      datatype::unpack(at, count, *t, 0, count * t->size(), packed.data());
    }
  EXPECT_EQ(b.scratch(0, *all_types().plain), nullptr);
}

TEST(Choices, NamesAreKnown) {
  choices c;
  EXPECT_EQ(c.get("allreduce"), "auto");
  EXPECT_TRUE(c.set("allreduce", "scattered"));
  EXPECT_EQ(c.get("allreduce"), "scattered");
  EXPECT_EQ(c.for_allreduce(2, 8, 2), allreduce_algorithm::scattered);
  EXPECT_TRUE(c.set("allreduce", "auto"));
  EXPECT_FALSE(c.set("allreduce", "magic"));
  EXPECT_FALSE(c.set("alltoallw", "pairwise"));
  EXPECT_EQ(c.get("alltoallw"), "");
  for (const choices::known& k : choices::table())
    for (std::string_view algorithm : k.algorithms) {
      EXPECT_TRUE(c.set(k.collective, algorithm));
      EXPECT_EQ(c.get(k.collective), algorithm);
    }
}

}  // namespace
}  // namespace loadstone::coll::test
