// Blocks go to storage in lists, some thousand at a time. Data that does not lie in one piece in
// memory passes through a buffer that fits a cache.
//
// Strided reads fetch what lies between small blocks as well, if that is cheaper than a call for
// each (data sieving). Writes do not do that: what lies between belongs to others, who would have
// to lock each of their writes against it; storage has a way of its own for small pieces.
#include "io/independent.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "copy/strided.hpp"

namespace loadstone::io {
namespace {

constexpr std::size_t most_extents = 4096;
constexpr std::int64_t staged_bytes = std::int64_t{1} << 20;
// A gap that costs less to read than the call it saves: some 0.5 µs, at some GB/s.
constexpr std::int64_t small_gap = 4096, small_block = 64 * 1024;

// Collects blocks, and hands them to storage.
class lister {
 public:
  lister(stored_file& file, bool write) : file_(file), write_(write) { extents_.reserve(most_extents); }

  // False: no further block is wanted, for trouble or the end of the file.
  bool add(std::int64_t offset, std::byte* memory, std::int64_t bytes) {
    if (extents_.size() == most_extents || offset < end_) {
      if (!flush()) return false;
    }
    extents_.push_back({offset, memory, bytes});
    end_ = offset + bytes;
    wanted_ += bytes;
    return true;
  }
  bool flush() {
    end_ = 0;
    if (extents_.empty()) return true;
    std::int64_t moved = 0;
    why_ = write_ ? file_.write(extents_, &moved) : file_.read(extents_, &moved);
    done_ += moved;
    const bool all = why_.ok() && moved == wanted_;
    extents_.clear();
    wanted_ = 0;
    return all;
  }
  std::int64_t done() const { return done_; }
  trouble why() const { return why_; }

 private:
  stored_file& file_;
  const bool write_;
  std::vector<extent> extents_;
  std::int64_t end_ = 0, wanted_ = 0, done_ = 0;
  trouble why_;
};

// Moves [at, at + bytes) of the view from or to memory in one piece.
trouble move_block(stored_file& file, const view& v, std::int64_t at, std::byte* memory, std::int64_t bytes,
                   bool write, std::int64_t* done) {
  lister list(file, write);
  bool going = true;
  v.blocks(at, bytes, [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
    for (std::int64_t i = 0; i < count && going; ++i) {
      going = list.add(offset + i * stride, memory, length);
      memory += length;
    }
    return going;
  });
  if (going) list.flush();
  *done = list.done();
  return list.why();
}

// A part of the file in memory, from which blocks are copied.
class sieve {
 public:
  // `end`: nothing behind it is wanted.
  sieve(stored_file& file, std::int64_t bytes, std::int64_t end) : file_(file), bytes_(bytes), end_(end) {}

  trouble read(const view& v, std::int64_t at, std::byte* memory, std::int64_t bytes, std::int64_t* done) {
    std::byte* const begin = memory;
    trouble why;
    v.blocks(at, bytes,
             [&](std::int64_t offset, std::int64_t length, std::int64_t count, std::int64_t stride) {
               for (std::int64_t i = 0; i < count;) {
                 const std::int64_t here = offset + i * stride;
                 std::int64_t whole = 0;
                 if (here >= from_ && here + length <= to_)
                   whole = count == 1 ? 1 : std::min(count - i, (to_ - length - here) / stride + 1);
                 if (whole > 0) {
                   copy::strided(memory, length, memory_.get() + (here - from_), stride,
                                 static_cast<std::size_t>(length), whole);
                   memory += whole * length;
                   i += whole;
                   continue;
                 }
                 std::int64_t got = 0;
                 why = read_one(here, memory, length, &got);
                 memory += got;
                 if (got < length) return false;
                 ++i;
               }
               return true;
             });
    *done = memory - begin;
    return why;
  }

 private:
  trouble read_one(std::int64_t offset, std::byte* to, std::int64_t length, std::int64_t* got) {
    while (*got < length) {
      const std::int64_t here = offset + *got;
      if (here < from_ || here >= to_) {
        if (trouble t = load(here); !t.ok()) return t;
        if (to_ == from_) return {};  // the end of the file
      }
      const std::int64_t n = std::min(length - *got, to_ - here);
      copy::ordinary(to + *got, memory_.get() + (here - from_), static_cast<std::size_t>(n));
      *got += n;
    }
    return {};
  }
  trouble load(std::int64_t from) {
    const std::int64_t n = std::min(bytes_, end_ - from);
    if (memory_ == nullptr) memory_.reset(new std::byte[static_cast<std::size_t>(n)]), bytes_ = n;
    std::int64_t got = 0;
    const extent all{from, memory_.get(), std::min(n, bytes_)};
    trouble t = file_.read({&all, 1}, &got);
    from_ = from;
    to_ = from + got;
    return t;
  }

  stored_file& file_;
  std::int64_t bytes_;
  const std::int64_t end_;
  std::unique_ptr<std::byte[]> memory_;
  std::int64_t from_ = 0, to_ = 0;  // what is there
};

bool worth_sieving(const view& v, std::int64_t at, std::int64_t bytes, const hints& h,
                   const stored_file& file) {
  return !v.dense() && v.ascending(at, bytes) && file.kind().regular && h.sieve_bytes > 0 &&
         bytes > v.average_block() && v.average_gap() < small_gap && v.average_block() < small_block;
}

}  // namespace

trouble write_alone(stored_file& file, const view& v, std::int64_t at, const memory_data& data,
                    std::int64_t* done) {
  *done = 0;
  const std::int64_t bytes = data.bytes();
  if (std::byte* const block = data.block()) return move_block(file, v, at, block, bytes, true, done);
  std::vector<std::byte> stage(static_cast<std::size_t>(std::min(bytes, staged_bytes)));
  while (*done < bytes) {
    const std::int64_t n = std::min(bytes - *done, staged_bytes);
    std::int64_t moved = 0;
    data.take(*done, n, stage.data());
    trouble t = move_block(file, v, at + *done, stage.data(), n, true, &moved);
    *done += moved;
    if (!t.ok()) return t;
  }
  return {};
}

trouble read_alone(stored_file& file, const view& v, std::int64_t at, const memory_data& data, const hints& h,
                   std::int64_t* done) {
  *done = 0;
  const std::int64_t bytes = data.bytes();
  if (bytes == 0) return {};
  const bool sieves = worth_sieving(v, at, bytes, h, file);
  sieve through(file, h.sieve_bytes, sieves ? v.offset_of(at + bytes - 1) + 1 : 0);
  const auto move = [&](std::int64_t from, std::byte* memory, std::int64_t n, std::int64_t* moved) {
    return sieves ? through.read(v, from, memory, n, moved)
                  : move_block(file, v, from, memory, n, false, moved);
  };
  if (std::byte* const block = data.block()) return move(at, block, bytes, done);
  std::vector<std::byte> stage(static_cast<std::size_t>(std::min(bytes, staged_bytes)));
  while (*done < bytes) {
    const std::int64_t n = std::min(bytes - *done, staged_bytes);
    std::int64_t moved = 0;
    trouble t = move(at + *done, stage.data(), n, &moved);
    data.put(*done, moved, stage.data());
    *done += moved;
    if (!t.ok() || moved < n) return t;
  }
  return {};
}

}  // namespace loadstone::io
