// The collectives on data that does not fit a slot of an area, without a message (joint.hpp).
//
//   buffers  each member tells where its buffers are, and every byte is copied once, straight
//            between them: by the system (process_vm_*), by either end of a transfer. A reduction
//            is cut into pieces; who does one reads it from all members, and stores the result in
//            theirs: 2 n (p-1)/p bytes copied by each, and (p-1) n/p reduced. Condition: each
//            member may reach the memory of all others.
//   blocks   for reductions of medium length, where a call of the system costs more than a second
//            copy: each member copies its operand into a block of its arena, which others read
//            directly, and takes the result from their blocks (rounds.hpp). Likewise what several
//            members read, or all exchange, if there are fewer cores than members, and broadcasts
//            and allgathers of more than 8 members with a core each: a call of the system takes
//            twice as long as a copy of memory that is mapped. It goes through a block of its giver
//            in pieces (streams.hpp). Condition: areas, and memory for blocks.
//   chain    for long reductions where members share cores: through one block, from member to
//            member (chain.hpp). Condition: as blocks.
//
// A buffer with gaps is packed before, and unpacked after.
//
// Source: Worringer, dissertation, 6.6 (pipelined broadcast), 6.7; Stricker, 5.7 (double buffers,
// and no barrier at the end). Measured: docs/decisions/026-collectives-where-data-is.md.
#include <vector>

#include "coll/area_writer.hpp"
#include "coll/blocks.hpp"
#include "coll/packed.hpp"
#include "coll/slices.hpp"

namespace loadstone::coll {

namespace {

// Where it lies in one piece, once the steps before are done.
const void* packed_at(builder& b, buffer data) {
  packed_form packed(b, data);
  packed.pack();
  return packed.bytes(0, 0).address;
}

void gives(builder& b, exchange_work& e, std::int32_t to, buffer data) {
  e.gives(to, packed_at(b, data), packed_bytes(data));
}

// What is unpacked at the end.
class taken_forms {
 public:
  explicit taken_forms(builder& b) : b_(b) {}
  void takes(exchange_work& e, std::int32_t from, buffer data) {
    packed_form packed(b_, data);
    e.takes(from, const_cast<void*>(packed.bytes(0, 0).address), packed_bytes(data));
    if (!packed.in_user_memory()) forms_.push_back(packed);
  }
  void unpack() {
    for (packed_form& f : forms_) f.unpack();
  }

 private:
  builder& b_;
  std::vector<packed_form> forms_;
};

}  // namespace

void bcast_buffers(builder& b, area_writer& w, buffer data, std::int32_t root) {
  const team& t = w.members();
  exchange_work& e = w.exchange();
  taken_forms taken(b);
  if (t.rank == root) {
    const void* const at = packed_at(b, data);
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root) e.gives(i, at, packed_bytes(data));
  } else {
    taken.takes(e, root, data);
  }
  w.offer();
  w.work();
  taken.unpack();
}

void bcast_blocks(area_writer& w, buffer data, std::int32_t root) {
  stream_work& s = w.streams(stream_work::form::to_all);
  if (w.members().rank == root)
    s.gives(data);
  else
    s.takes(root, data);
  w.offer();
  if (w.members().rank != root) w.hear(root);
  w.work();
}

void gather_buffers(builder& b, area_writer& w, buffer mine, const blocks* all, std::int32_t root,
                    bool in_place) {
  const team& t = w.members();
  exchange_work& e = w.exchange();
  taken_forms taken(b);
  if (t.rank != root) {
    gives(b, e, root, mine);
  } else {
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root) taken.takes(e, i, all->of(i));
  }
  w.offer();
  if (t.rank == root && !in_place) b.copy(mine, all->of(root));
  w.work();
  taken.unpack();
}

void scatter_buffers(builder& b, area_writer& w, const blocks* all, buffer mine, std::int32_t root,
                     bool in_place) {
  const team& t = w.members();
  exchange_work& e = w.exchange();
  taken_forms taken(b);
  if (t.rank != root) {
    taken.takes(e, root, mine);
  } else {
    for (std::int32_t i = 0; i < t.size; ++i)
      if (i != root) gives(b, e, i, all->of(i));
  }
  w.offer();
  if (t.rank == root && !in_place) b.copy(all->of(root), mine);
  w.work();
  taken.unpack();
}

void allgather_buffers(builder& b, area_writer& w, buffer mine, const blocks& all, bool in_place) {
  const team& t = w.members();
  exchange_work& e = w.exchange();
  const void* const at = packed_at(b, mine);
  taken_forms taken(b);
  for (std::int32_t i = 0; i < t.size; ++i) {
    if (i == t.rank) continue;
    e.gives(i, at, packed_bytes(mine));
    taken.takes(e, i, all.of(i));
  }
  w.offer();
  if (!in_place) b.copy(mine, all.of(t.rank));
  w.work();
  taken.unpack();
}

namespace {

// With fewer cores than members, all are awaited in one place. While they come, what a member has
// for itself is copied.
void stream(builder& b, area_writer& w, buffer own, buffer own_place) {
  w.offer();
  if (own.type != nullptr) b.copy(own, own_place);
  if (w.crowded()) w.everybody();
  w.work();
}

}  // namespace

void allgather_blocks(builder& b, area_writer& w, buffer mine, const blocks& all, bool in_place) {
  const team& t = w.members();
  stream_work& s = w.streams(stream_work::form::to_all);
  s.gives(mine);
  for (std::int32_t i = 1; i < t.size; ++i) {
    const std::int32_t from = (t.rank + i) % t.size;
    s.takes(from, all.of(from));
  }
  stream(b, w, in_place ? buffer{} : mine, all.of(t.rank));
}

void alltoall_blocks(builder& b, area_writer& w, buffer to, buffer from, bool in_place) {
  const team& t = w.members();
  const equal_blocks gives(to), takes(from);
  stream_work& s = w.streams(stream_work::form::to_each);
  s.gives({to.address, to.count * t.size, to.type});
  for (std::int32_t i = 1; i < t.size; ++i) {
    const std::int32_t other = (t.rank + i) % t.size;
    s.takes(other, takes.of(other));
  }
  stream(b, w, in_place ? buffer{} : gives.of(t.rank), takes.of(t.rank));
}

void alltoall_buffers(builder& b, area_writer& w, const blocks& to, const blocks& from, bool skip_self) {
  const team& t = w.members();
  exchange_work& e = w.exchange();
  taken_forms taken(b);
  for (std::int32_t i = 0; i < t.size; ++i) {
    if (i == t.rank) continue;
    gives(b, e, i, to.of(i));
    taken.takes(e, i, from.of(i));
  }
  w.offer();
  if (!skip_self) b.copy(to.of(t.rank), from.of(t.rank));
  w.work();
  taken.unpack();
}

namespace {

using result_of = reduction_work::result_of;

void reduction(builder& b, area_writer& w, const operand& o, const reduction_work::form& f,
               std::span<const std::int64_t> shares, const void* input, void* result, through what) {
  const team& t = w.members();
  if (what == through::chain) {
    w.reduction_in_chain().open(t.size, t.rank, f, o.type, o.op, shares, input, result);
  } else if (what == through::blocks) {
    w.reduction_in_rounds().open(t.size, t.rank, f, o.type, o.op, shares, input, result);
  } else {
    std::byte* const scratch = b.scratch_bytes(reduction_work::scratch_bytes(o.type));
    w.reduction().open(t.size, f, o.type, o.op, shares, input, result, scratch);
  }
  w.offer();
  w.work();
}

}  // namespace

void reduce_joint(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                  std::int32_t root, through what) {
  const team& t = w.members();
  reduction(b, w, o, {result_of::root, root}, even_slices(o.count, t.size), input,
            t.rank == root ? result : nullptr, what);
}

void allreduce_joint(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                     through what) {
  reduction(b, w, o, {result_of::all, 0}, even_slices(o.count, w.members().size), input, result, what);
}

// In place, the result would lie where operands are still read.
void reduce_scatter_joint(builder& b, area_writer& w, const operand& o, std::span<const std::int64_t> first,
                          const void* input, void* result, through what) {
  const std::int32_t rank = w.members().rank;
  const std::int64_t mine = first[rank + 1] - first[rank];
  void* const to = input == result ? b.scratch(mine, o.type) : result;
  reduction(b, w, o, {result_of::own_slice, 0}, first, input, to, what);
  b.copy({to, mine, &o.type}, {result, mine, &o.type});
}

void scan_buffers(builder& b, area_writer& w, const operand& o, const void* input, void* result,
                  bool strictly) {
  const result_of whose = strictly ? result_of::strictly_lower : result_of::lower;
  reduction(b, w, o, {whose, 0}, even_slices(o.count, w.members().size), input, result, through::buffers);
}

}  // namespace loadstone::coll
