// What every storage must do (io/storage.hpp), run against each there is.
#include "io/storage.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "base/nothing_guarded.hpp"
#include "io/buffering_job.hpp"

namespace loadstone::io {
namespace {

enum class kind : std::uint8_t { plain, buffered, at_once };  // the last has buffers, and no use for them

class storage_test : public testing::TestWithParam<kind> {
 protected:
  void SetUp() override {
    if (GetParam() != kind::plain) {
      const bool buffered = GetParam() == kind::buffered;
      buffering::config small;
      small.bytes = 1 << 20;
      small.segment = 64 << 10;
      small.direct_below = buffered ? 0 : 1 << 30;
      small.always = buffered;
      job_ = std::make_unique<buffering_job>(small);
      storage_ = &job_->storage();
    }
    folder_ = std::filesystem::temp_directory_path() / ("storage_test." + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }

  std::unique_ptr<stored_file> open(const std::string& at, bool create = true, bool write = true) {
    trouble why;
    auto file = storage_->open({.path = at, .read = true, .write = write, .create = create}, &why);
    EXPECT_TRUE(file != nullptr) << why.what;
    return file;
  }
  int open_error(const open_how& how) {
    trouble why;
    EXPECT_EQ(storage_->open(how, &why), nullptr);
    EXPECT_FALSE(why.what.empty());
    return why.number;
  }

  std::filesystem::path folder_;
  // What was allowed.
  rlimit allow_files_of(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    limit_file_size({bytes, before.rlim_max});
    return before;
  }
  // Of every process that writes files.
  void limit_file_size(const rlimit& limit) {
    setrlimit(RLIMIT_FSIZE, &limit);
    if (job_ != nullptr && job_->io_process() > 0) prlimit(job_->io_process(), RLIMIT_FSIZE, &limit, nullptr);
  }

  std::unique_ptr<storage> plain_ = make_plain_storage();
  std::unique_ptr<buffering_job> job_;  // of a storage that needs one
  storage* storage_ = plain_.get();
};

extent part(std::int64_t at, std::vector<std::byte>& memory, std::size_t from, std::size_t bytes) {
  return {at, memory.data() + from, static_cast<std::int64_t>(bytes)};
}

TEST_P(storage_test, extents_go_where_they_belong_and_come_back) {
  auto file = open(path("a"));
  std::vector<std::byte> out(4000), in(4000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(i * 7);
  std::vector<extent> extents, back;
  for (std::size_t i = 0; i < 1000; ++i) {  // more than one system call takes, some of them adjacent
    const auto at = static_cast<std::int64_t>(i % 3 == 2 ? i * 10 + 6 : i * 10);
    extents.push_back(part(at, out, i * 4, 4));
    back.push_back(part(at, in, i * 4, 4));
  }
  std::int64_t done = -1;
  ASSERT_TRUE(file->write(extents, &done).ok());
  EXPECT_EQ(done, 4000);
  ASSERT_TRUE(file->read(back, &done).ok());
  EXPECT_EQ(done, 4000);
  EXPECT_EQ(in, out);
  std::int64_t bytes = 0;
  ASSERT_TRUE(file->size(&bytes).ok());
  EXPECT_EQ(bytes, 9994);
  EXPECT_TRUE(file->sync().ok());
  EXPECT_TRUE(file->close().ok());
}

TEST_P(storage_test, a_read_ends_with_the_file) {
  auto file = open(path("a"));
  std::vector<std::byte> data(100, std::byte{1});
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(0, data, 0, 50)}, &done).ok());
  ASSERT_TRUE(file->read(std::vector{part(10, data, 0, 20), part(40, data, 20, 30)}, &done).ok());
  EXPECT_EQ(done, 30);
  ASSERT_TRUE(file->read(std::vector{part(60, data, 0, 20)}, &done).ok());
  EXPECT_EQ(done, 0);
}

// Some of these the kernel copies slowly, so that they are read elsewhere and copied (decision 031).
TEST_P(storage_test, long_reads_to_any_place_in_a_page) {
  auto file = open(path("places"));
  std::vector<std::byte> out(300'000), in(out.size() + 3 * 4096);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(i * 7 + (i >> 12));
  std::int64_t done = 0;
  const extent all[] = {part(0, out, 0, out.size())};
  ASSERT_TRUE(file->write(all, &done).ok());
  std::byte* const page = in.data() + 4096 - reinterpret_cast<std::uintptr_t>(in.data()) % 4096;
  for (const std::int64_t at : {0, 1, 5000, 100'000}) {
    for (const std::int64_t behind : {0, 1, 16, 31, 32, 904 + 16, 4000}) {
      for (const std::int64_t bytes : {20'000, 65'536, 65'537, 250'000, 304'000}) {
        std::fill(in.begin(), in.end(), std::byte{0xee});
        const extent one[] = {{at, page + behind, bytes}};
        const auto there = std::min<std::int64_t>(bytes, static_cast<std::int64_t>(out.size()) - at);
        if (behind + bytes > static_cast<std::int64_t>(in.size()) - 4096) continue;
        ASSERT_TRUE(file->read(one, &done).ok());
        ASSERT_EQ(done, there);
        ASSERT_EQ(std::memcmp(page + behind, out.data() + at, static_cast<std::size_t>(there)), 0)
            << bytes << " at " << at << " to " << behind;
        ASSERT_EQ(page[behind + there], std::byte{0xee});
        if (behind > 0) {
          ASSERT_EQ(page[behind - 1], std::byte{0xee});
        }
      }
    }
  }
}

TEST_P(storage_test, a_long_read_to_no_memory_is_told) {
  if (test::nothing_guarded) GTEST_SKIP() << test::why_not_guarded;
  auto file = open(path("nowhere"));
  std::vector<std::byte> out(100'000);
  std::int64_t done = 0;
  const extent all[] = {part(0, out, 0, out.size())};
  ASSERT_TRUE(file->write(all, &done).ok());
  ASSERT_TRUE(file->settle().ok());  // nothing is read out of a buffer
  for (const std::uintptr_t nowhere : {std::uintptr_t{0x1000}, std::uintptr_t{0x1010}}) {
    const extent one[] = {{0, reinterpret_cast<std::byte*>(nowhere), 100'000}};
    EXPECT_EQ(file->read(one, &done).number, EFAULT) << nowhere;
  }
}

TEST_P(storage_test, sizes) {
  auto file = open(path("a"));
  std::int64_t bytes;
  ASSERT_TRUE(file->resize(5'000'000'000).ok());
  ASSERT_TRUE(file->size(&bytes).ok());
  EXPECT_EQ(bytes, 5'000'000'000);
  std::vector<std::byte> data(8, std::byte{9}), in(8);
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(4'999'999'992, data, 0, 8)}, &done).ok());
  ASSERT_TRUE(file->read(std::vector{part(4'999'999'992, in, 0, 8)}, &done).ok());
  EXPECT_EQ(in, data);
  ASSERT_TRUE(file->resize(1000).ok());
  ASSERT_TRUE(file->reserve(500).ok());
  ASSERT_TRUE(file->size(&bytes).ok());
  EXPECT_EQ(bytes, 1000);
  ASSERT_TRUE(file->reserve(2000).ok());
  ASSERT_TRUE(file->size(&bytes).ok());
  EXPECT_EQ(bytes, 2000);
}

TEST_P(storage_test, what_cannot_be_opened) {
  EXPECT_EQ(open_error({.path = path("none")}), ENOENT);
  open(path("a"));
  EXPECT_EQ(open_error({.path = path("a"), .write = true, .create = true, .exclusive = true}), EEXIST);
  EXPECT_EQ(open_error({.path = folder_}), EISDIR);
  EXPECT_EQ(open_error({.path = path("a") + "/b"}), ENOTDIR);
  EXPECT_EQ(open_error({.path = std::string(5000, 'x')}), ENAMETOOLONG);
  EXPECT_EQ(storage_->remove(path("none")).number, ENOENT);
  EXPECT_TRUE(storage_->remove(path("a")).ok());
  EXPECT_EQ(open_error({.path = path("a")}), ENOENT);
}

TEST_P(storage_test, a_file_that_may_not_grow_says_where) {
  auto file = open(path("a"));
  const rlimit before = allow_files_of(1000);
  std::vector<std::byte> data(2000, std::byte{3});
  std::int64_t done;
  trouble t = file->write(std::vector{part(0, data, 0, 2000)}, &done);
  if (t.ok()) t = file->settle();  // a storage that holds writes back learns it later
  limit_file_size(before);
  EXPECT_EQ(t.number, EFBIG) << t.what;
  EXPECT_EQ(t.offset, 1000);
  EXPECT_EQ(t.bytes, 1000);
}

// Whoever is asked first says it, and nobody twice.
TEST_P(storage_test, what_is_lost_is_told_when_it_is_asked_for) {
  auto file = open(path("a"));
  EXPECT_TRUE(file->late().ok());
  const rlimit before = allow_files_of(1000);
  std::vector<std::byte> data(2000, std::byte{3});
  std::int64_t done;
  trouble t = file->write(std::vector{part(0, data, 0, 2000)}, &done);
  for (int i = 0; t.ok() && i < 1000; ++i) {  // a storage that holds writes back learns it later
    usleep(10'000);
    t = file->late();
  }
  limit_file_size(before);
  EXPECT_EQ(t.number, EFBIG) << t.what;
  EXPECT_EQ(t.offset, 1000);
  EXPECT_TRUE(file->late().ok());
  EXPECT_TRUE(file->settle().ok());
}

std::vector<extent> pieces_of(std::vector<std::byte>& memory, std::int64_t from, std::int64_t bytes,
                              std::int64_t apart) {
  std::vector<extent> all;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(memory.size()) / bytes; ++i)
    all.push_back(
        part(from + i * apart, memory, static_cast<std::size_t>(i * bytes), static_cast<std::size_t>(bytes)));
  return all;
}

TEST_P(storage_test, small_pieces_of_two_in_the_same_pages) {
  constexpr std::int64_t count = 20000, bytes = 24, apart = 64;
  auto file = open(path("a"));
  std::vector<std::byte> before(count * apart / 2, std::byte{5});  // half of it is there
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(0, before, 0, before.size())}, &done).ok());
  std::vector<std::byte> data[] = {std::vector<std::byte>(count * bytes, std::byte{1}),
                                   std::vector<std::byte>(count * bytes, std::byte{2})};
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w)
    writers.emplace_back([&, w] {
      const std::vector<extent> all = pieces_of(data[w], 1001 + w * 32, bytes, apart);
      for (std::size_t i = 0; i < all.size(); i += 500) {
        std::int64_t n = 0;
        EXPECT_TRUE(file->write(std::span(all).subspan(i, 500), &n).ok());
        EXPECT_EQ(n, 500 * bytes);
      }
    });
  for (std::thread& t : writers) t.join();
  std::int64_t size = 0;
  ASSERT_TRUE(file->size(&size).ok());
  ASSERT_EQ(size, 1001 + (count - 1) * apart + 32 + bytes);
  std::vector<std::byte> now(static_cast<std::size_t>(size));
  ASSERT_TRUE(file->read(std::vector{part(0, now, 0, now.size())}, &done).ok());
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t in = (i + apart - 1001 % apart) % apart, old = i < count * apart / 2 ? 5 : 0;
    const std::int64_t is = i < 1001 ? old : in < bytes ? 1 : in >= 32 && in < 32 + bytes ? 2 : old;
    ASSERT_EQ(static_cast<std::int64_t>(now[static_cast<std::size_t>(i)]), is) << i;
  }
}

// Which are written by calls or stored, whatever is quicker: both are tried.
TEST_P(storage_test, pieces_about_as_long_as_a_page) {
  auto file = open(path("pages"));
  for (const auto& [length, gap] : {std::pair{4096, 4096}, {3000, 5000}, {9000, 100}, {16000, 8191}}) {
    constexpr int count = 30;
    const int apart = length + gap;
    ASSERT_TRUE(file->resize(0).ok());
    std::string model;
    for (int round = 0; round < 40; ++round) {
      const int from = round % 3 * 777;
      std::string data(static_cast<std::size_t>(count * length), static_cast<char>('a' + round % 26));
      std::vector<extent> extents;
      for (int i = 0; i < count; ++i) {
        extents.push_back({from + i * apart, reinterpret_cast<std::byte*>(data.data()) + i * length, length});
        const auto at = static_cast<std::size_t>(extents.back().offset), n = static_cast<std::size_t>(length);
        model.resize(std::max(model.size(), at + n), '\0');
        model.replace(at, n, data, static_cast<std::size_t>(i * length), n);
      }
      std::int64_t done = 0;
      ASSERT_TRUE(file->write(extents, &done).ok());
      EXPECT_EQ(done, count * length);
      std::string there(model.size() + 1, '?');
      const extent all{0, reinterpret_cast<std::byte*>(there.data()),
                       static_cast<std::int64_t>(there.size())};
      ASSERT_TRUE(file->read({&all, 1}, &done).ok());
      there.resize(static_cast<std::size_t>(done));
      ASSERT_TRUE(there == model) << "round " << round << ", pieces of " << length;
    }
  }
  EXPECT_TRUE(file->close().ok());
}

TEST_P(storage_test, pages_are_stored_into_though_the_file_is_open_for_writing_only) {
  trouble why;
  auto plain = plain_->open({.path = path("a"), .read = true, .write = true, .create = true}, &why);
  auto file = storage_->open({.path = path("a"), .read = false, .write = true}, &why);
  std::vector<std::byte> data(65536, std::byte{1});
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(0, data, 0, data.size())}, &done).ok());
  ASSERT_TRUE(file->settle().ok());
  EXPECT_EQ(plain->in_memory(0, 65536, 65536) && GetParam() != kind::buffered,
            file->in_memory(0, 65536, 65536));
  for (std::byte& b : data) b = std::byte{2};
  ASSERT_TRUE(file->write(pieces_of(data, 0, 8, 16), &done).ok());
  EXPECT_TRUE(file->close().ok());
  std::vector<std::byte> now(16);
  ASSERT_TRUE(plain->read(std::vector{part(1600, now, 0, 16)}, &done).ok());
  EXPECT_EQ(now[7], std::byte{2});
  EXPECT_EQ(now[8], std::byte{1});
}

TEST_P(storage_test, pages_in_memory_are_stored_into_where_nothing_is_buffered) {
  trouble why;
  auto plain = plain_->open({.path = path("a"), .read = true, .write = true, .create = true}, &why);
  auto file = open(path("a"));
  std::vector<std::byte> data(65536, std::byte{1});
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(0, data, 0, data.size())}, &done).ok());
  ASSERT_TRUE(file->settle().ok());
  if (!plain->in_memory(0, 65536, 65536)) GTEST_SKIP() << "there is no storing into files here";
  EXPECT_EQ(file->in_memory(0, 65536, 30000), GetParam() != kind::buffered);
  EXPECT_TRUE(file->store(100, 60000, 2, [](std::byte* at) { at[0] = at[59899] = std::byte{2}; }));
  data[100] = data[59999] = std::byte{2};
  std::vector<std::byte> now(data.size());
  ASSERT_TRUE(plain->read(std::vector{part(0, now, 0, now.size())}, &done).ok());
  EXPECT_EQ(now, data);
}

// Whatever of it was accepted before, here or elsewhere, is older than what is stored.
TEST_P(storage_test, stores_come_behind_what_is_on_its_way) {
  auto file = open(path("a"));
  std::vector<std::byte> data(200000, std::byte{1});
  std::int64_t done;
  ASSERT_TRUE(file->write(std::vector{part(0, data, 0, data.size())}, &done).ok());
  ASSERT_TRUE(file->settle().ok());
  const pid_t carrier = job_ != nullptr ? job_->io_process() : 0;
  if (carrier > 0) kill(carrier, SIGSTOP);
  ASSERT_TRUE(file->write(std::vector{part(0, data, 0, data.size())}, &done).ok());
  std::thread later([&] {
    usleep(50'000);
    if (carrier > 0) kill(carrier, SIGCONT);
  });
  const bool stored = file->store(1000, 150000, 1, [](std::byte* at) { *at = std::byte{2}; });
  later.join();
  ASSERT_TRUE(file->settle().ok());
  std::vector<std::byte> now(1);
  ASSERT_TRUE(file->read(std::vector{part(1000, now, 0, 1)}, &done).ok());
  EXPECT_EQ(now[0], stored ? std::byte{2} : std::byte{1});
}

TEST_P(storage_test, small_pieces_meet_a_limit_where_it_is) {
  auto file = open(path("a"));
  const rlimit before = allow_files_of(5003);
  std::vector<std::byte> data(8000, std::byte{3});
  std::int64_t done;
  trouble t = file->write(pieces_of(data, 0, 8, 10), &done);
  const bool at_once = !t.ok();
  if (!at_once) t = file->settle();
  limit_file_size(before);
  EXPECT_EQ(t.number, EFBIG) << t.what;
  EXPECT_EQ(t.offset, 5003);
  EXPECT_EQ(t.bytes, 5);
  if (at_once) {
    EXPECT_EQ(done, 4003);
  }
}

TEST_P(storage_test, pipes_and_devices) {
  auto null = open("/dev/null", false);
  std::vector<std::byte> data(100, std::byte{3});
  std::int64_t done;
  EXPECT_TRUE(null->write(std::vector{part(50, data, 0, 100)}, &done).ok());
  EXPECT_EQ(done, 100);
  EXPECT_TRUE(null->read(std::vector{part(50, data, 0, 100)}, &done).ok());
  EXPECT_EQ(done, 0);
  EXPECT_FALSE(null->kind().regular);
  EXPECT_TRUE(null->sync().ok());

  ASSERT_EQ(mkfifo(path("p").c_str(), 0600), 0);
  auto pipe = open(path("p"), false);
  EXPECT_FALSE(pipe->kind().seekable);
  ASSERT_TRUE(pipe->write(std::vector{part(0, data, 0, 60), part(7, data, 60, 40)}, &done).ok());
  std::vector<std::byte> in(100);
  ASSERT_TRUE(pipe->read(std::vector{part(0, in, 0, 100)}, &done).ok());
  EXPECT_EQ(in, data);
  std::int64_t bytes = -1;
  EXPECT_TRUE(pipe->size(&bytes).ok());
  EXPECT_EQ(bytes, 0);
}

TEST_P(storage_test, locks_exclude_each_other) {
  auto one = open(path("a")), other = open(path("a"));
  if (trouble t = one->lock(0, 100, true); !t.ok()) {
    EXPECT_EQ(t.number, ENOTSUP);
    GTEST_SKIP() << t.what;
  }
  std::atomic<int> step{0};
  std::thread second([&] {
    ASSERT_TRUE(other->lock(50, 100, false).ok());
    EXPECT_EQ(step.load(), 1);
    other->unlock();
  });
  usleep(20000);
  step = 1;
  one->unlock();
  second.join();
}

// The carrier stands still, so that all this comes from buffers, and what lies between from the file.
TEST_P(storage_test, a_read_meets_data_on_their_way) {
  auto file = open(path("a"));
  std::minstd_rand random(3);
  std::vector<std::byte> oracle;
  const auto write = [&](std::size_t at, std::size_t bytes) {
    std::vector<std::byte> data(bytes);
    for (std::byte& b : data) b = static_cast<std::byte>(random());
    if (oracle.size() < at + bytes) oracle.resize(at + bytes);
    std::copy(data.begin(), data.end(), oracle.begin() + static_cast<std::ptrdiff_t>(at));
    const extent e{static_cast<std::int64_t>(at), data.data(), static_cast<std::int64_t>(bytes)};
    std::int64_t done = 0;
    EXPECT_TRUE(file->write({&e, 1}, &done).ok());
    EXPECT_EQ(done, e.bytes);
  };
  for (int round = 0; round < 20; ++round) {
    write(random() % 100000, 1000);
    EXPECT_TRUE(file->settle().ok());
    const pid_t carrier = job_ != nullptr ? job_->io_process() : 0;
    if (carrier > 0) kill(carrier, SIGSTOP);
    for (int i = 0; i < 8; ++i) write(random() % (1 << (10 + round)) + random() % 5000, 1 + random() % 20000);
    for (int i = 0; i < 30; ++i) {
      const std::size_t from = random() % (oracle.size() + 1000), bytes = 1 + random() % 60000;
      std::vector<std::byte> in(bytes + 777, std::byte{0x5a});
      const std::size_t first = 1 + random() % bytes;
      const extent parts[2] = {
          part(static_cast<std::int64_t>(from), in, 0, first),
          part(static_cast<std::int64_t>(from + first + 500), in, first, bytes - first + 1)};
      std::int64_t done = -1;
      EXPECT_TRUE(file->read(parts, &done).ok());
      const auto there = [&](const extent& e) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(oracle.size()) - e.offset, 0, e.bytes);
      };
      const std::int64_t one = there(parts[0]), two = one < parts[0].bytes ? 0 : there(parts[1]);
      ASSERT_EQ(done, one + two);
      const auto same = [&](const extent& e, std::int64_t n) {
        return n == 0 || std::memcmp(oracle.data() + e.offset, e.memory, static_cast<std::size_t>(n)) == 0;
      };
      ASSERT_TRUE(same(parts[0], one)) << "round " << round;
      ASSERT_TRUE(same(parts[1], two)) << "round " << round;
    }
    if (carrier > 0) kill(carrier, SIGCONT);
  }
  EXPECT_TRUE(file->close().ok());
}

const char* name_of(kind k) {
  return k == kind::plain ? "plain" : k == kind::buffered ? "buffered" : "at_once";
}
INSTANTIATE_TEST_SUITE_P(each, storage_test, testing::Values(kind::plain, kind::buffered, kind::at_once),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace loadstone::io
