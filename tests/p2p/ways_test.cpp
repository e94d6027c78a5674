// Every layout on either side by every way a message can take: each way forced, and seen to have been
// taken, crossed with sizes, orders of arrival, blocking and non-blocking calls, and what the peer does
// meanwhile. Rows are random (LOADSTONE_TEST_SEED), but each pair of values of two axes stands in one.
// Contents are compared with a plain copy, gaps and surroundings included.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <set>

#include "p2p/layouts.hpp"
#include "p2p/ranks.hpp"

namespace {
// How long each copy by the kernel out of another process takes more: its sender comes to help.
unsigned slow_reads_us = 0;
}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have one of their own
extern "C" ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                                    unsigned long remotes, unsigned long flags) {
  if (slow_reads_us != 0) usleep(slow_reads_us);
  return syscall(SYS_process_vm_readv, pid, local, locals, remote, remotes, flags);
}
#endif

namespace loadstone::testing::ways_test {
namespace {

using datatype::run_seed;
using engine = p2p::engine;
using transport_kind = transport::choice::rule_kind;

// --- rows ---

enum : std::size_t { send_layout, receive_layout, sizes, order, send_form, receive_form, axes };
enum form : std::size_t {
  waiting,
  begun,
  away
};  // a blocking call; begun and waited for; the program computes meanwhile
constexpr std::size_t size_classes = 4, forms = 3, layouts = static_cast<std::size_t>(layout_kind::count);
constexpr std::array<std::size_t, axes> values{layouts, layouts, size_classes, 2, forms, forms};
using row = std::array<std::size_t, axes>;

// All pairs: the best of some random rows, until none is left.
std::vector<row> all_pairs(std::mt19937_64& random) {
  std::set<std::array<std::size_t, 4>> missing;
  for (std::size_t a = 0; a < axes; ++a)
    for (std::size_t b = a + 1; b < axes; ++b)
      for (std::size_t x = 0; x < values[a]; ++x)
        for (std::size_t y = 0; y < values[b]; ++y) missing.insert({a, x, b, y});
  std::vector<row> rows;
  while (!missing.empty()) {
    row best{};
    std::size_t most = 0;
    for (int attempt = 0; attempt < 25; ++attempt) {
      row r;
      for (std::size_t a = 0; a < axes; ++a) r[a] = random() % values[a];
      const auto& wanted = *missing.begin();
      r[wanted[0]] = wanted[1];
      r[wanted[2]] = wanted[3];
      std::size_t found = 0;
      for (std::size_t a = 0; a < axes; ++a)
        for (std::size_t b = a + 1; b < axes; ++b) found += missing.count({a, r[a], b, r[b]});
      if (found > most) most = found, best = r;
    }
    for (std::size_t a = 0; a < axes; ++a)
      for (std::size_t b = a + 1; b < axes; ++b) missing.erase({a, best[a], b, best[b]});
    rows.push_back(best);
  }
  return rows;
}

// --- ways ---

struct figures {
  engine::statistics p2p;
  deposit::statistics endpoint;
};

// What one message was, and what it has changed.
struct passage {
  std::int64_t bytes;
  row how;
  bool one_block_sent, one_block_received;
  bool named;   // the sender can say where its blocks are, or the receiver where its one block is
  bool sender;  // whose figures these are
  figures before, after;

  std::uint64_t by(engine::protocol p) const { return after.p2p.messages[p] - before.p2p.messages[p]; }
  std::uint64_t more(std::uint64_t deposit::statistics::*what) const {
    return after.endpoint.*what - before.endpoint.*what;
  }
};

struct way {
  const char* name;
  std::int64_t least, most;
  void (*configure)(ranks_config& c);
  // Was it taken? Asserts; with the figures of the sender, and with those of the receiver.
  void (*check)(const passage& p);
  bool no_vm = false, sender_in_arena = false, receiver_in_arena = false;
  unsigned burst = 1;       // messages in a row
  unsigned slow_reads = 0;  // microseconds
  bool adverts = false;     // the receive comes first and is made known
  bool to_itself = false;
  // Of the sender: grows over all rows, where it is not certain for each.
  std::uint64_t (*grows)(const figures& f) = nullptr;
};

void one_copy(ranks_config& c) {  // everything but the shortest by rendezvous, the receiver alone
  c.rank.p2p.eager_limit = 64;
  c.rank.p2p.both_sides = 0;
  c.rank.p2p.pipeline_limit = 0;
}
void both_copy(ranks_config& c) {
  one_copy(c);
  c.rank.p2p.both_sides = 1;
}
void in_cells(ranks_config& c) {
  c.rank.endpoint.pair_lines = 0;
  c.rank.endpoint.ring_after = 1u << 30;
}
void streams(ranks_config& c) {
  c.job.cpus = 2;  // whatever there is
  c.rank.endpoint.overlap = 1;
  c.rank.p2p.pipeline_block = 64 * 1024;
  c.rank.p2p.pipeline_rules = {.settle = 0, .trial_every = 0, .cells_seem = 0};
}

// The ways of one copy end in the pipeline where layouts are too fine to be named.
void expect_one_copy(const passage& p, engine::protocol which) {
  if (p.sender) return;
  EXPECT_EQ(p.by(which), p.named ? 1u : 0u);
  EXPECT_EQ(p.by(engine::pipelined), p.named ? 0u : 1u);
}
// Both copy one block on either side; where there are more, the receiver copies alone.
void expect_both(const passage& p, engine::protocol alone, engine::protocol both = engine::both_sides) {
  expect_one_copy(p, p.one_block_sent && p.one_block_received ? both : alone);
}
std::uint64_t helped(const figures& f) {
  return f.p2p.helped_bytes;
}
std::uint64_t by_line(const figures& f) {
  return f.endpoint.line_sent;
}
void expect_advert(const passage& p) {
  if (p.sender) {
    EXPECT_EQ(p.by(engine::advert), p.one_block_sent && p.one_block_received ? 1u : 0u);
  }
}

const way ways[] = {
    {.name = "slot",
     .least = 1,
     .most = 80,
     .configure = in_cells,
     .check =
         [](const passage& p) {
           if (!p.sender) return;
           EXPECT_EQ(p.by(engine::short_message), 1u);
           EXPECT_EQ(p.more(&deposit::statistics::line_sent), 0u);
           EXPECT_EQ(p.more(&deposit::statistics::cells_sent), 0u);
         }},
    {.name = "line",
     .least = 1,
     .most = 500,
     .configure = [](ranks_config& c) { c.rank.endpoint.line_after = 1; },
     .check =
         [](const passage& p) {
           if (p.sender) {
             EXPECT_EQ(p.by(engine::short_message) + p.by(engine::eager), 1u);
           }
         },
     .grows = by_line},
    {.name = "pair_buffer",
     .least = 600,
     .most = 200'000,
     .configure =
         [](ranks_config& c) {
           c.rank.endpoint.line_after = 1;
           c.rank.p2p.eager_limit = c.rank.p2p.direct_limit = 256 * 1024;
         },
     .check =
         [](const passage& p) {
           if (p.sender) {
             EXPECT_EQ(p.by(engine::eager), 1u);
           }
         },
     .grows = by_line},
    {.name = "ring",
     .least = 1,
     .most = 60'000,
     .configure =
         [](ranks_config& c) {
           c.rank.endpoint.line_after = 1u << 30;
           c.rank.endpoint.ring_after = 2;
         },
     .check =
         [](const passage& p) {
           if (p.sender) {
             EXPECT_EQ(p.by(engine::short_message) + p.by(engine::eager), 6u);
           }
         },
     .burst = 6,
     .grows = [](const figures& f) { return f.endpoint.ring_sent; }},
    {.name = "cell",
     .least = 100,
     .most = 65'500,  // of just the limit some go another way
     .configure = in_cells,
     .check =
         [](const passage& p) {
           if (!p.sender) return;
           EXPECT_EQ(p.by(engine::eager), 1u);
           EXPECT_EQ(p.more(&deposit::statistics::cells_sent), 1u);
         }},
    {.name = "followed",  // several threads: a payload that is still being written
     .least = 5000,
     .most = 65'500,
     .configure =
         [](ranks_config& c) {
           in_cells(c);
           c.rank.threads = true;
           c.rank.endpoint.overlap = 1;
         },
     .check =
         [](const passage& p) {
           if (p.sender) {
             EXPECT_EQ(p.by(engine::eager), 1u);
           }
         }},
    {.name = "one_block_through_cells",
     .least = 65'537,
     .most = 256 * 1024,
     .configure =
         [](ranks_config& c) {
           streams(c);
           c.rank.p2p.pipeline_block = 256 * 1024;
         },
     .check =
         [](const passage& p) {
           if (p.sender) {
             const bool whole = p.how[send_form] == waiting || p.bytes < 256 * 1024;
             EXPECT_EQ(p.by(engine::pipelined_at_once), whole ? 1u : 0u);
           }
         }},
    {.name = "pipeline",
     .least = 70'000,
     .most = 2 << 20,
     .configure = streams,
     .check =
         [](const passage& p) {
           if (!p.sender && p.how[send_form] == waiting && p.how[receive_form] == waiting) {
             EXPECT_EQ(p.by(engine::pipelined), 1u);
           }
         }},
    {.name = "single_copy",
     .least = 65,
     .most = 8 << 20,
     .configure = one_copy,
     .check = [](const passage& p) { expect_one_copy(p, engine::single_copy); }},
    {.name = "direct",
     .least = 65,
     .most = 2 << 20,
     .configure = one_copy,
     .check = [](const passage& p) { expect_one_copy(p, engine::direct); },
     .sender_in_arena = true},
    {.name = "both_sides",
     .least = 32 * 1024,
     .most = 8 << 20,
     .configure = both_copy,
     .check = [](const passage& p) { expect_both(p, engine::single_copy); },
     .slow_reads = 500,
     .grows = helped},
    {.name = "both_sides_mapped",
     .least = 32 * 1024,
     .most = 1 << 20,
     .configure = both_copy,
     .check =
         [](const passage& p) {
           // Alone, that is whoever can: the other's layout may be too fine to be named.
           const bool pushed = !p.sender && p.by(engine::push) != 0;
           expect_both(p, pushed ? engine::push : engine::direct, engine::direct_both);
         },
     .sender_in_arena = true,
     .receiver_in_arena = true},
    {.name = "both_sides_half_mapped",
     .least = 32 * 1024,
     .most = 3 << 20,
     .configure = both_copy,
     .check =
         [](const passage& p) {
           // Who can map the other's is quicker alone.
           p.bytes < 1 << 20 ? expect_one_copy(p, engine::direct) : expect_both(p, engine::direct);
         },
     .sender_in_arena = true},
    {.name = "both_sides_into_arena",
     .least = 32 * 1024,
     .most = 2 << 20,
     .configure = both_copy,
     .check =
         [](const passage& p) {
           if (p.sender) return;
           EXPECT_EQ(p.by(engine::push) + p.by(engine::single_copy) + p.by(engine::both_sides),
                     p.named ? 1u : 0u);
           EXPECT_EQ(p.by(engine::pipelined), p.named ? 0u : 1u);
         },
     .receiver_in_arena = true},
    {.name = "push",
     .least = 65,
     .most = 1 << 20,
     .configure = one_copy,
     .check =
         [](const passage& p) {
           if (p.sender) return;
           EXPECT_EQ(p.by(engine::push), p.one_block_received ? 1u : 0u);
           EXPECT_EQ(p.by(engine::pipelined), p.one_block_received ? 0u : 1u);
         },
     .no_vm = true,
     .receiver_in_arena = true},
    {.name = "pipelined",
     .least = 65,
     .most = 8 << 20,
     .configure = one_copy,
     .check =
         [](const passage& p) {
           if (!p.sender) {
             EXPECT_EQ(p.by(engine::pipelined), 1u);
           }
         },
     .no_vm = true},
    {.name = "advert",
     .least = 65'537,
     .most = 1 << 20,
     .configure = one_copy,
     .check = expect_advert,
     .adverts = true,
     .grows = helped},
    {.name = "advert_both_sides",
     .least = 65'537,
     .most = 8 << 20,
     .configure = both_copy,
     .check = expect_advert,
     .adverts = true,
     .grows = helped},
    {.name = "advert_mapped",
     .least = 65'537,
     .most = 1 << 20,
     .configure = both_copy,
     .check = expect_advert,
     .sender_in_arena = true,
     .receiver_in_arena = true,
     .adverts = true,
     .grows = helped},
    {.name = "poor",
     .least = 1,
     .most = 600'000,
     .configure =
         [](ranks_config& c) {
           c.rank.endpoint.transport.rule = transport_kind::poor;
           c.rank.p2p.pipeline_limit = 0;
         },
     .check =
         [](const passage& p) {
           if (p.sender) {
             EXPECT_EQ(p.by(engine::short_message) + p.by(engine::eager), p.bytes <= 65'536 ? 1u : 0u);
           } else {
             EXPECT_EQ(p.by(engine::pipelined), p.bytes <= 65'536 ? 0u : 1u);
           }
         }},
    {.name = "self",
     .least = 1,
     .most = 1 << 20,
     .configure = [](ranks_config&) {},
     .check = [](const passage& p) { EXPECT_EQ(p.by(engine::self_message), 1u); },
     .to_itself = true},
};

// --- one message ---

// Contents that differ from message to message and from byte to byte, quickly.
void fill_content(std::vector<std::byte>& v, std::uint64_t seed) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
  for (std::size_t i = 0; i < v.size(); i += 8) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t word = x ^ x >> 29;
    std::memcpy(v.data() + i, &word, std::min<std::size_t>(8, v.size() - i));
  }
}

// Where a rank's layouts lie.
class place {
 public:
  place(rank& r, bool in_arena, std::size_t bytes) : rank_(r), bytes_(bytes) {
    if (!in_arena) {
      ordinary_.resize(bytes);
      at_ = ordinary_.data();
      return;
    }
    auto got = r.arena->allocate(bytes);
    if (!got.ok()) std::abort();
    at_ = static_cast<std::byte*>(block_ = *got);
  }
  ~place() {
    if (block_ != nullptr) rank_.arena->release(block_);
  }
  place(const place&) = delete;
  std::byte* at() { return at_; }
  void clear(std::byte with, std::int64_t bytes) {
    if (static_cast<std::size_t>(bytes) > bytes_) std::abort();
    std::memset(at_, static_cast<int>(with), static_cast<std::size_t>(bytes));
  }

 private:
  rank& rank_;
  std::size_t bytes_;
  std::vector<std::byte> ordinary_;
  void* block_ = nullptr;
  std::byte* at_ = nullptr;
};

constexpr std::int64_t guard = 64;  // of bytes behind a layout
constexpr std::byte untouched{0xee};

std::int64_t size_of(const way& w, std::size_t size_class, std::mt19937_64& random) {
  const double low = static_cast<double>(w.least), high = static_cast<double>(w.most);
  const double part = (static_cast<double>(size_class) + static_cast<double>(random() % 1000) / 999) /
                      static_cast<double>(size_classes);
  return std::clamp(static_cast<std::int64_t>(low * std::pow(high / low, part)), w.least, w.most);
}

// The program computes: it makes no call until the peer says so, or for so long.
void compute(const std::atomic<std::uint64_t>& word, std::uint64_t until, std::int64_t most_us) {
  for (std::int64_t i = 0; word.load(std::memory_order_acquire) < until && i < most_us; i += 50) usleep(50);
}
constexpr std::int64_t a_while = 300, long_enough = 60'000'000;

enum : std::size_t { posted_word, sender_done, receiver_done };

figures figures_of(rank& r) {
  return with_gate(r, [&](engine& e) { return figures{e.counts(), r.endpoint->counts()}; });
}

class crossing {
 public:
  crossing(rank& r, const way& w, shared_page& page, const std::vector<row>& rows, std::uint64_t seed)
      : r_(r),
        w_(w),
        page_(page),
        rows_(rows),
        seed_(seed),
        mine_(r, r.self == 0 ? w.sender_in_arena : w.receiver_in_arena,
              layout_maker::room_for(w.most + 2000) + guard),
        scope_(world_of(w.to_itself ? 1 : 2, r.self)),
        meeting_(world_of(w.to_itself ? 1 : 2, r.self, 0x200)) {}

  void run() {
    const figures first = figures_of(r_);
    for (std::size_t i = 0; i < rows_.size() && !::testing::Test::HasFailure(); ++i) {
      pass(i);
      page_.meet();
    }
    const figures last = figures_of(r_);
    if (r_.self != 0 || ::testing::Test::HasFailure()) return;
    if (w_.grows != nullptr) {
      EXPECT_GT(w_.grows(last), w_.grows(first)) << w_.name << " was never taken";
    }
  }

 private:
  // Both sides compute all of it.
  struct message {
    row how;
    std::int64_t bytes, room;
    std::uint64_t seed;
  };
  message at(std::size_t i) const {
    std::mt19937_64 random(seed_ * 1000 + i);
    message m{rows_[i], 0, 0, random()};
    m.bytes = size_of(w_, m.how[sizes], random);
    m.room = m.bytes + (random() % 4 == 0 ? static_cast<std::int64_t>(random() % 2000) : 0);
    return m;
  }

  void pass(std::size_t i) {
    const message m = at(i);
    layout_maker makes_sent(m.seed), makes_received(m.seed + 1);
    // Absolute addresses are those of whoever uses them; all else is the same on both sides.
    const layout sent = makes_sent.make(static_cast<layout_kind>(m.how[send_layout]), m.bytes, mine_.at());
    const layout received =
        makes_received.make(static_cast<layout_kind>(m.how[receive_layout]), m.room, mine_.at());
    SCOPED_TRACE(
        fmt::format("LOADSTONE_TEST_SEED={} {}: row {}, {} bytes, room for {}, from {} to {}, {} first, "
                    "sender {}, receiver {}",
                    run_seed(), w_.name, i, m.bytes, m.room, sent.text, received.text,
                    m.how[order] == 0 ? "send" : "receive", m.how[send_form], m.how[receive_form]));
    std::vector<std::byte> content(static_cast<std::size_t>(m.bytes));
    fill_content(content, m.seed);
    passage p{m.bytes,
              m.how,
              sent.one_block(),
              received.one_block(),
              !sent.awkward(m.bytes) || (w_.receiver_in_arena && received.one_block()),
              r_.self == 0,
              {},
              {}};
    if (w_.to_itself)
      to_itself(m, sent, received, content, p);
    else if (r_.self == 0)
      send_all(i, m, sent, content, p);
    else
      receive_all(i, m, received, content, p);
    w_.check(p);
  }

  bool receives_first(const message& m) const { return w_.adverts || m.how[order] == 1; }

  void send_all(std::size_t i, const message& m, const layout& l, const std::vector<std::byte>& content,
                passage& p) {
    mine_.clear(std::byte{0x11}, l.span + guard);
    l.scatter(mine_.at(), content.data(), m.bytes);
    const p2p::buffer b = l.buffer(mine_.at());
    meet(r_, meeting_);
    if (receives_first(m)) compute(page_.words[posted_word], i + 1, long_enough);
    p.before = figures_of(r_);
    std::vector<p2p::request*> under_way;
    for (unsigned k = 0; k < w_.burst; ++k) {
      if (m.how[send_form] == waiting && w_.burst == 1)
        EXPECT_EQ(send(r_, scope_, b, 1, 5).error, 0);
      else if (!with_gate(r_, [&](engine& e) {
                 return e.send_now(scope_, b, 1, 5, p2p::send_mode::standard) == p2p::tried::sent;
               }))
        under_way.push_back(start_send(r_, scope_, b, 1, 5));
    }
    if (m.how[send_form] == away) compute(page_.words[receiver_done], i + 1, a_while);
    for (p2p::request* q : under_way) EXPECT_EQ(finish(r_, q).error, 0);
    p.after = figures_of(r_);
    page_.words[sender_done].store(i + 1, std::memory_order_release);
    std::vector<std::byte> expected(static_cast<std::size_t>(l.span + guard), std::byte{0x11});
    l.scatter(expected.data(), content.data(), m.bytes);
    EXPECT_EQ(std::memcmp(expected.data(), mine_.at(), expected.size()), 0) << "what was sent has changed";
  }

  void receive_all(std::size_t i, const message& m, const layout& l, const std::vector<std::byte>& content,
                   passage& p) {
    mine_.clear(untouched, l.span + guard);
    const p2p::buffer b = l.buffer(mine_.at());
    meet(r_, meeting_);
    p.before = figures_of(r_);
    const bool first = receives_first(m);
    slow_reads_us = w_.slow_reads;
    if (!first) {
      p2p::outcome found;
      while (!with_gate(r_, [&](engine& e) { return e.probe(scope_, 0, 5, &found); })) usleep(20);
      EXPECT_EQ(found.bytes, m.bytes);
    }
    // Long receives of any tag are not made known to their sender.
    const int tag = !w_.adverts && m.room > 65'536 ? p2p::any_tag : 5;
    for (unsigned k = 0; k < w_.burst; ++k) {
      p2p::outcome o;
      if (m.how[receive_form] == waiting && !w_.adverts) {
        if (first) page_.words[posted_word].store(i + 1, std::memory_order_release);  // as good as
        o = receive(r_, scope_, b, 0, tag);
      } else {
        p2p::matched_message* taken = nullptr;
        p2p::outcome found;
        if (!first && m.how[receive_form] == begun)
          taken = with_gate(r_, [&](engine& e) { return e.match(scope_, 0, tag, &found); });
        p2p::request* const q = taken == nullptr
                                    ? start_receive(r_, scope_, b, 0, tag)
                                    : with_gate(r_, [&](engine& e) { return e.receive(taken, b); });
        if (first) page_.words[posted_word].store(i + 1, std::memory_order_release);
        // An advertised receive is filled while its owner computes.
        if (m.how[receive_form] == away)
          compute(page_.words[sender_done], i + 1,
                  w_.adverts && l.one_block() && p.one_block_sent ? long_enough : a_while);
        o = finish(r_, q);
      }
      EXPECT_EQ(o.error, 0);
      EXPECT_EQ(o.source, 0);
      EXPECT_EQ(o.tag, 5);
      EXPECT_EQ(o.bytes, m.bytes);
      compare(m, l, content);
    }
    slow_reads_us = 0;
    p.after = figures_of(r_);
    page_.words[receiver_done].store(i + 1, std::memory_order_release);
  }

  void to_itself(const message& m, const layout& sent, const layout& received,
                 const std::vector<std::byte>& content, passage& p) {
    std::vector<std::byte> source(static_cast<std::size_t>(sent.span + guard));
    // Both layouts are here, and this one has other memory: absolute addresses are made anew.
    layout_maker again(m.seed);
    const layout from = again.make(static_cast<layout_kind>(m.how[send_layout]), m.bytes, source.data());
    from.scatter(source.data(), content.data(), m.bytes);
    mine_.clear(untouched, received.span + guard);
    const p2p::buffer out = from.buffer(source.data()), in = received.buffer(mine_.at());
    p.before = figures_of(r_);
    p2p::request *s = nullptr, *q = nullptr;
    if (m.how[order] == 1) q = start_receive(r_, scope_, in, 0, 5);
    s = start_send(r_, scope_, out, 0, 5,
                   m.how[send_form] == waiting ? p2p::send_mode::synchronous : p2p::send_mode::standard);
    if (q == nullptr) q = start_receive(r_, scope_, in, 0, 5);
    EXPECT_EQ(finish(r_, q).bytes, m.bytes);
    EXPECT_EQ(finish(r_, s).error, 0);
    p.after = figures_of(r_);
    compare(m, received, content);
  }

  void compare(const message& m, const layout& l, const std::vector<std::byte>& content) {
    std::vector<std::byte> expected(static_cast<std::size_t>(l.span + guard), untouched);
    l.scatter(expected.data(), content.data(), m.bytes);
    if (std::memcmp(expected.data(), mine_.at(), expected.size()) == 0) return;
    const auto wrong = std::mismatch(expected.begin(), expected.end(), mine_.at());
    ADD_FAILURE() << "wrong from byte " << wrong.first - expected.begin() << " of " << expected.size();
  }

  rank& r_;
  const way& w_;
  shared_page& page_;
  const std::vector<row>& rows_;
  const std::uint64_t seed_;
  place mine_;
  p2p::scope scope_, meeting_;
};

class every_layout : public ::testing::TestWithParam<std::size_t> {};

TEST_P(every_layout, by_this_way) {
  const way& w = ways[GetParam()];
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  way limited = w;
  limited.most = std::min<std::int64_t>(w.most, 1 << 20);
  if (w.slow_reads != 0) limited.grows = nullptr;  // they are not slow here
  const way& used = limited;
#else
  const way& used = w;
#endif
  const std::uint64_t seed = run_seed() + GetParam();
  std::mt19937_64 random(seed);
  const std::vector<row> rows = all_pairs(random);
  ranks_config config;
  config.job.cpus = 2;
  used.configure(config);
  config.rank.endpoint.vm = !used.no_vm;
  const std::uint32_t n = used.to_itself ? 1 : 2;
  shared_page* const page = shared_page::create(n);
  run_processes(n, [&](rank& r) { crossing(r, used, *page, rows, seed).run(); }, config);
}

INSTANTIATE_TEST_SUITE_P(ways, every_layout, ::testing::Range(std::size_t{0}, std::size(ways)),
                         [](const auto& info) { return std::string(ways[info.param].name); });

}  // namespace
}  // namespace loadstone::testing::ways_test
