// Work on data that stays where it is, in buffers of the members: each tells in its slot where its
// data is (offers.hpp), and the work is cut into pieces, which are claimed one by one by whoever
// runs. So a member that is late, or sleeps, or computes, or shares its core with others, has its
// part done by those that wait; and of two that run each does a half.
//
//   exchange    transfers between pairs of members. A piece is copied once, by one of its two ends.
//               Nobody waits but for its own transfers.
//   reduction   of a range of elements. Who claims it reads it from all, folds it in rank order,
//               and stores the result where it belongs. Everybody waits until all is done, as its
//               operand is read.
//
// Nobody is asked for anything: where the last to come finds all that it needs, it does it and
// leaves. A member is woken when its part is complete, and, with a core for each, when there is
// something to do.
//
// Who gives up, as when a member has died, waits for those that touch its memory just now, however
// long they take: one that is stopped would go on later.
//
// Source: Worringer, dissertation, 6.7 (between users' buffers); claims instead of fixed shares:
// decision 026.
// Models: models/coll_joint.pml, coll_ends.pml, coll_leave.pml.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/areas.hpp"
#include "coll/offers.hpp"
#include "datatype/op.hpp"
#include "p2p/request.hpp"

namespace loadstone::coll {

class exchange_work {
 public:
  void open(std::int32_t members);
  // Blocks in one piece each. Both ends have a pair, or none.
  void gives(std::int32_t to, const void* address, std::int64_t bytes);
  void takes(std::int32_t from, void* address, std::int64_t bytes);

  void offer_in(areas& a);
  // Does what there is to do. True: all that concerns us is done; otherwise whoever does it wakes
  // us.
  bool go_on(areas& a);
  void tell_valgrind() const;  // all is done, by whomever
  void withdraw(areas& a);

 private:
  static constexpr std::uint64_t no_pair = ~std::uint64_t{0};
  bool exists(std::span<const place> side, std::int32_t member) const {
    return side[static_cast<std::size_t>(member)].size != no_pair;
  }
  std::uint64_t piece_in(const areas& a, std::uint64_t bytes, std::int32_t from, std::int32_t to) const;
  bool transfer(areas& a, std::int32_t from, std::int32_t to);

  std::vector<place> gives_, takes_;
  bool looked_ = false;  // for what there is to do
};

class reduction_work {
 public:
  enum class result_of : std::uint8_t { all, root, own_slice, lower, strictly_lower };
  struct form {
    result_of whose;
    std::int32_t root;
    // Is the result of a share for this member? (Not of scans.)
    bool wanted_by(std::int32_t member, std::int32_t share) const {
      return whose == result_of::root ? member == root : whose != result_of::own_slice || member == share;
    }
  };
  struct range {
    std::int64_t first, end;
    std::int64_t count() const { return end - first; }
  };

  // More than one member. `shares`: where the share of each begins, and the end of the last.
  // `scratch`: room for scratch_bytes(). The result of own_slice begins at `result`, others at
  // their element of it.
  void open(std::int32_t members, const form& f, const datatype::type& type, const datatype::op& op,
            std::span<const std::int64_t> shares, const void* input, void* result, std::byte* scratch);
  static std::int64_t scratch_bytes(const datatype::type& type);

  void offer_in(areas& a);
  bool go_on(areas& a);
  void tell_valgrind(std::int32_t self) const;  // all is done, by whomever
  void withdraw(areas& a);
  const datatype::op& op() const { return *op_; }

 private:
  std::uint32_t pieces_of(std::int32_t member) const;
  std::uint64_t offset(std::int64_t elements) const {
    return static_cast<std::uint64_t>(elements * type_->size());
  }
  const std::byte* operand_of(areas& a, std::int32_t member, range r, std::byte* room, std::int32_t* error);
  bool goes_to_work(areas& a);
  void reduce_share(areas& a, std::int32_t share);
  void reduce_piece(areas& a, std::int32_t share, std::uint32_t k);
  void fold(areas& a, std::int32_t share, range r, std::int32_t* error);
  void scan(areas& a, range r, std::int32_t* error);
  bool wants(std::int32_t member, std::int32_t share) const;
  void deliver(areas& a, std::int32_t member, std::int32_t share, range r, const std::byte* sum,
               std::int32_t* error);

  std::int32_t members_ = 0;
  form form_{};
  const datatype::type* type_ = nullptr;
  const datatype::op* op_ = nullptr;
  std::vector<std::int64_t> shares_;
  const std::byte* input_ = nullptr;
  std::byte* result_ = nullptr;
  std::byte* scratch_ = nullptr;
  std::int64_t piece_ = 1;   // elements
  std::int32_t seen_ = 0;    // so many members are there
  bool begun_ = false;       // all are there
  bool looked_ = false;      // for what there is to do
  std::uint64_t shape_ = 0;  // of the shares, in bytes
  bool disagreed_ = false;   // members have other shapes: an error of the program, nothing is done
};

}  // namespace loadstone::coll
