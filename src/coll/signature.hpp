// What a collective does, as all members of its communicator must have it: operation, algorithm,
// root, and whether it is persistent. It is mixed into the tags of its messages, so that those of
// members that disagree do not match (but for persistent ones, and roots equal modulo 16), and it
// is what they tell each other when one of them waits for long (disagreement.hpp).
#pragma once

#include <cstdint>
#include <string>

namespace loadstone::coll {

// The v and w forms are the same operation, as far as messages go.
enum class operation : std::uint8_t {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  reduce,
  allreduce,
  reduce_scatter,
  alltoall,
  scan,
  exscan,
  neighbor_allgather,  // up to here as in choices::table(), which has one row for both of these
  neighbor_alltoall,
};

// An algorithm in areas may turn out not to be possible; then the members do `otherwise`, which
// they have to agree about as well.
//
//   0 root | 4 what | 5 algorithm | 6 persistent | 7 otherwise | 8 end
struct signature {
  // 0 where there is none. Between two groups its number in its own; who is in that group and not
  // the root has -1, and no messages.
  std::int32_t root = 0;
  operation what = operation::barrier;
  std::uint8_t algorithm = 0;  // of the operation's enumeration in choices.hpp; 0: it has no other
  bool persistent = false;
  std::uint8_t otherwise = 0;  // an algorithm by messages; 0: there is no other
  friend bool operator==(const signature&, const signature&) = default;

  // Do some only give, or only take? They need not wait for the others.
  bool one_sided() const {
    return what == operation::bcast || what == operation::gather || what == operation::scatter ||
           what == operation::reduce || what == operation::scan || what == operation::exscan;
  }
};
static_assert(sizeof(signature) == 8);

// Where a collective stands among all of its communicator is a number of 31 bits; or it is not
// known.
inline constexpr std::uint32_t no_place = 0x80000000;

// "bcast with root 2 by algorithm binomial"
std::string describe(const signature& s);

inline constexpr std::uint32_t tags_per_schedule = 8;
// The first tag of the n-th collective of a communicator. The signature changes the upper bits of
// its number only: of the last 32768, whatever they do, no two have the same. That is enough for
// those that end; persistent ones live as long as they are wanted, and have a half of their own,
// where numbers stay as they are. A collective with more than eight algorithms has no root.
constexpr std::int32_t first_tag(std::uint32_t n, const signature& s) {
  constexpr std::uint32_t half = 0x08000000;
  const std::uint32_t mixed = static_cast<std::uint32_t>(s.what) << 7 |
                              (static_cast<std::uint32_t>(s.algorithm ^ s.otherwise) & 7u) << 4 |
                              ((static_cast<std::uint32_t>(s.root) ^ (s.algorithm & 8u)) & 15u);
  const std::uint32_t number = s.persistent ? (n & (half - 1)) | half : (n ^ mixed << 16) & (half - 1);
  return static_cast<std::int32_t>(number * tags_per_schedule);
}

}  // namespace loadstone::coll
