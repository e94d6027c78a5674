// Buffers whose memory is not there, all of it or from the middle on: an error of that message, at both
// ends if it is the sender's, whatever copies; nobody hangs, and the next message is well.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "base/nothing_guarded.hpp"
#include "datatype/builder.hpp"
#include "p2p/error_class.hpp"
#include "p2p/ranks.hpp"

namespace loadstone::testing {
namespace {

constexpr std::size_t most = (2 << 20) + 3, page_bytes = 4096;
constexpr std::size_t lengths[] = {5000, 70'000, 300'000, most};

// Readable up to there.
std::byte* memory_of(std::size_t good) {
  auto* const at =
      static_cast<std::byte*>(mmap(nullptr, 4 * most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  EXPECT_NE(at, MAP_FAILED);
  if (good != 0) {
    EXPECT_EQ(mprotect(at, good, PROT_READ | PROT_WRITE), 0);
  }
  return at;
}

enum class form { blocking, open, synchronous };

struct trial {
  std::size_t bytes;
  int bad;  // rank
  bool partly, posted_first, typed;
  form how;
  std::size_t good = 0;  // bytes, where it is partly there; 0: half of it
};

std::string text_of(const trial& t) {
  return std::to_string(t.bytes) + " bytes, rank " + std::to_string(t.bad) + (t.partly ? ", partly" : "") +
         (t.posted_first ? ", posted first" : "") + (t.typed ? ", typed" : "") + ", form " +
         std::to_string(static_cast<int>(t.how));
}

void try_it(rank& r, p2p::scope& w, p2p::scope& s, const trial& t) {
  SCOPED_TRACE(text_of(t));
  const int peer = static_cast<int>(1 - r.self);
  // Bytes in blocks of 16 with gaps as long: half of them good, or none.
  const datatype::type* spread = nullptr;
  const auto blocks = static_cast<std::int64_t>((t.bytes + 15) / 16);
  if (t.typed) {
    auto made = datatype::builder::vector(blocks, 16, 32, byte_type());
    ASSERT_TRUE(made.ok() && (*made)->commit().ok());
    spread = *made;
  }
  const bool bad = static_cast<int>(r.self) == t.bad;
  const std::size_t good = !bad       ? 2 * most + page_bytes
                           : t.partly ? (t.good != 0 ? t.good : t.bytes / 2) / page_bytes * page_bytes
                                      : 0;
  std::byte* const at = memory_of(good / page_bytes * page_bytes);
  if (!bad || good != 0) std::memset(at, 3, good / page_bytes * page_bytes);
  const p2p::buffer data = t.typed ? p2p::buffer{at, 1, spread} : bytes_of(at, t.bytes);
  outcome got;
  if (t.how == form::blocking) {
    meet(r, s);
    got = r.self == 0 ? send(r, w, data, 1, 6) : receive(r, w, data, 0, 6);
  } else {
    const auto mode = t.how == form::synchronous ? send_mode::synchronous : send_mode::standard;
    p2p::request* q = nullptr;
    if (r.self == 1 && t.posted_first) q = start_receive(r, w, data, 0, 6);
    meet(r, s);
    if (r.self == 0) q = start_send(r, w, data, 1, 6, mode);
    if (q == nullptr) q = start_receive(r, w, data, 0, 6);
    got = finish(r, q);
  }
  if (bad || t.bad == 0) {
    EXPECT_EQ(got.error, p2p::error_buffer);
    EXPECT_EQ(got.source, peer);
    EXPECT_EQ(got.tag, 6);
  }
  if (!bad && got.error != 0) {
    EXPECT_EQ(got.unreachable, nullptr);
  }
  if (bad && got.unreachable == nullptr) {
    EXPECT_TRUE(t.typed);  // only the kernel has seen it
  }
  if (bad && got.unreachable != nullptr) {
    EXPECT_GE(got.unreachable, at + good);
    EXPECT_LT(got.unreachable, at + 4 * most);
  }
  if (spread != nullptr) spread->release();
  munmap(at, 4 * most);
  for (std::size_t bytes : {20u, 9000u, 300'000u}) {
    auto well = painted(bytes, 7);
    std::vector<std::byte> to(bytes);
    const outcome next = r.self == 0 ? send(r, w, bytes_of(well.data(), bytes), 1, 1)
                                     : receive(r, w, bytes_of(to.data(), bytes), 0, 1);
    EXPECT_EQ(next.error, 0);
    EXPECT_EQ(next.unreachable, nullptr);
    if (r.self == 1) {
      EXPECT_EQ(to, well);
    }
  }
}

void all_of(const ranks_config& c) {
  if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        for (std::size_t bytes : lengths)
          for (int bad : {0, 1})
            for (bool partly : {false, true})
              for (bool typed : {false, true}) {
                try_it(r, w, s, {bytes, bad, partly, true, typed, form::blocking});
                for (form how : {form::open, form::synchronous})
                  for (bool first : {false, true}) try_it(r, w, s, {bytes, bad, partly, first, typed, how});
              }
        meet(r, s);
      },
      c);
}

TEST(missing, memory_is_an_error_of_its_message) {
  ranks_config c;
  c.rank.endpoint.overlap = 1;
  all_of(c);
}
TEST(missing, where_nobody_follows) {
  ranks_config c;
  c.rank.endpoint.overlap = 0;
  all_of(c);
}
TEST(missing, through_cells_alone) {
  ranks_config c;
  c.rank.endpoint.vm = false;
  c.rank.endpoint.overlap = 1;
  all_of(c);
}
// The last block of a long message may be as short as one likes.
TEST(missing, the_end_alone) {
  if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
  ranks_config c;
  c.rank.endpoint.vm = false;
  c.rank.p2p.pipeline_block = 64 * 1024;
  run_processes(
      2,
      [](rank& r) {
        p2p::scope w = world_of(2, r.self), s = world_of(2, r.self, 0x200);
        constexpr std::size_t whole_blocks = 12 * 64 * 1024;
        for (const std::size_t end : {50u, 80u, 96u, 97u, 1000u, 3000u})
          for (int bad : {0, 1})
            try_it(r, w, s, {whole_blocks + end, bad, true, true, false, form::blocking, whole_blocks});
        meet(r, s);
      },
      c);
}
TEST(missing, by_the_kernel_alone) {
  ranks_config c;
  c.rank.p2p.pipeline_limit = 0;
  all_of(c);
}
TEST(missing, with_threads) {
  ranks_config c;
  c.rank.threads = true;
  c.rank.endpoint.overlap = 1;
  all_of(c);
}

TEST(missing, in_messages_to_oneself) {
  if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
  run_processes(1, [](rank& r) {
    p2p::scope w = world_of(1, r.self);
    std::byte* const none = memory_of(0);
    std::vector<std::byte> good(200'000, std::byte{1});
    for (std::size_t bytes : {5000u, 200'000u}) {
      for (bool sender : {true, false}) {
        p2p::request* to = start_receive(r, w, bytes_of(sender ? good.data() : none, bytes), 0, 2);
        const outcome sent = send(r, w, bytes_of(sender ? none : good.data(), bytes), 0, 2);
        EXPECT_EQ(sent.error, p2p::error_buffer);
        EXPECT_EQ(finish(r, to).error, p2p::error_buffer);
      }
      p2p::request* q = start_send(r, w, bytes_of(none, bytes), 0, 2);
      if (bytes < 64u * 1024) {
        EXPECT_EQ(finish(r, q).error, p2p::error_buffer);  // nothing has been sent
      } else {
        EXPECT_EQ(receive(r, w, bytes_of(good.data(), bytes), 0, 2).error, p2p::error_buffer);
        EXPECT_EQ(finish(r, q).error, p2p::error_buffer);
      }
    }
  });
}

// A program's own handler sees what it has always seen.
TEST(missing, a_handler_of_the_program_is_left_alone) {
  run_processes(2, [](rank& r) {
    p2p::scope w = world_of(2, r.self);
    static std::byte* page = nullptr;
    page = memory_of(0);
    struct sigaction mend {};
    mend.sa_handler = [](int) { mprotect(page, 128 * page_bytes, PROT_READ | PROT_WRITE); };
    sigaction(SIGSEGV, &mend, nullptr);
    constexpr std::size_t bytes = 100 * page_bytes;
    const outcome o = r.self == 0
                          ? send(r, w, bytes_of(page, bytes), 1, 1)
                          : receive(r, w, bytes_of(std::vector<std::byte>(bytes).data(), bytes), 0, 1);
    EXPECT_EQ(o.error, 0);
  });
}

}  // namespace
}  // namespace loadstone::testing
