#include "mixed/schedule.hpp"

// A collective's three forms: at once, non-blocking, persistent (which is started, and freed when
// it is complete).
#define FORMS(name, iname, ...)                                      \
  do {                                                               \
    if (form == 0)                                                   \
      MUST(MPI_##name(__VA_ARGS__));                                 \
    else if (form == 1)                                              \
      MUST(MPI_##iname(__VA_ARGS__, &request));                      \
    else                                                             \
      MUST(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request)); \
  } while (0)

namespace mixed {
namespace {

enum kind {
  bcast,
  gather,
  scatter,
  gatherv,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  barrier,
  neighbours,
  kinds
};
const char* const names[] = {"bcast",     "gather",    "scatter",    "gatherv",
                             "scatterv",  "allgather", "allgatherv", "alltoall",
                             "alltoallv", "alltoallw", "barrier",    "neighbor_alltoall"};

// Arrays that belong to a collective until it is complete.
struct arguments {
  std::vector<int> out_counts, in_counts, out_at, in_at, out_bytes, in_bytes;
  std::vector<MPI_Datatype> out_types, in_types;
};

}  // namespace

void schedule::collective() {
  communicator& c = *any();
  const int form = static_cast<int>(plan_.below(3));
  if (plan_.below(5) < 2)
    reduction(c, form);
  else
    exchange(c, form);
}

// Data that goes as it is: block (i, j) is what i has for j.
void schedule::exchange(communicator& c, int form) {
  const long what = plan_.below(c.grid ? kinds : kinds - 1);
  const layout l = draw_layout();
  const int n0 = static_cast<int>(c.groups[0].size()), n1 = static_cast<int>(c.groups[1].size());
  const int most_ranks = std::max(n0, n1);
  const long limit = plan_.one_in(24) ? 1L << 20 : 1L << 15;
  const long most = plan_.size(what == bcast ? limit : limit / most_ranks) / l.used;
  const int root_side = c.inter ? static_cast<int>(plan_.below(2)) : 0;
  const int root = static_cast<int>(plan_.below(root_side ? n1 : n0));
  const bool in_place = !c.inter && plan_.one_in(4);
  const long due = draw_due();
  const long rounds = form == 2 ? 1 + plan_.below(3) : 1;
  doing_ = std::string(names[what]) + ", form " + std::to_string(form) + ", up to " +
           std::to_string(most * l.used) + " words" + (in_place ? ", in place" : "") +
           (c.inter ? ", between groups" : "") + ", root " + std::to_string(root) + ", " +
           std::to_string(n0) + "+" + std::to_string(n1);
  if (!c.member()) return;
  const std::vector<int>&mine = c.local(), &others = c.remote();
  const int n = static_cast<int>(others.size()), me = c.me;
  const bool uneven =
      what == gatherv || what == scatterv || what == allgatherv || what == alltoallv || what == alltoallw;
  const std::uint64_t first_op = op_;
  // How many elements `from` has for `to`, both ranks of the schedule; -1 stands for all.
  const auto elements = [=](int from, int to) {
    return uneven
               ? static_cast<long>(value(first_op, from + 1000, to + 1000, -1) % static_cast<word>(most + 1))
               : most;
  };
  const bool rooted =
      what == bcast || what == gather || what == scatter || what == gatherv || what == scatterv;
  const bool is_root = rooted && (!c.inter || c.side == root_side) && me == root;
  const bool idle = rooted && c.inter && c.side == root_side && !is_root;  // MPI_PROC_NULL
  const int who_root = c.groups[root_side][static_cast<std::size_t>(root)];
  const int root_arg = !c.inter ? root : idle ? MPI_PROC_NULL : is_root ? MPI_ROOT : root;
  const bool to_all = what == bcast || what == allgather || what == allgatherv;

  // Who I send to and receive from, in the order of blocks.
  std::vector<int> out, in;
  if (what == bcast) {
    if (is_root) out = {-1};
    if (!is_root && !idle) in = {who_root};
  } else if (what == gather || what == gatherv) {
    if (!idle && (!c.inter || !is_root)) out = {who_root};
    if (is_root) in = others;
  } else if (what == scatter || what == scatterv) {
    if (is_root) out = others;
    if (!idle && (!c.inter || !is_root)) in = {who_root};
  } else if (what == allgather || what == allgatherv) {
    out = {-1};
    in = others;
  } else if (what == neighbours) {
    const int left = (me + n - 1) % n, right = (me + 1) % n;
    out = in = {mine[static_cast<std::size_t>(left)], mine[static_cast<std::size_t>(right)]};
  } else if (what != barrier) {
    out = in = others;
  }
  const bool root_in_place =
      in_place && is_root && (what == gather || what == gatherv || what == scatter || what == scatterv);
  const bool all_in_place = in_place && (what == allgather || what == allgatherv || what == alltoall ||
                                         what == alltoallv || what == alltoallw);

  // Blocks lie one after another, in v-forms from last to first and with a gap of one element.
  const auto kept = std::make_shared<arguments>();
  auto& [out_counts, in_counts, out_at, in_at, out_bytes, in_bytes, out_types, in_types] = *kept;
  const auto place = [&](const std::vector<int>& peers, bool sending, std::vector<int>& counts,
                         std::vector<int>& at) {
    long end = 0;
    at.resize(peers.size());
    for (int p : peers) {
      const long e = all_in_place && !to_all ? elements(std::min(p, rank_), std::max(p, rank_))
                     : sending               ? elements(rank_, p)
                                             : elements(p, to_all ? -1 : rank_);
      counts.push_back(static_cast<int>(e));
    }
    for (std::size_t k = 0; k < peers.size(); ++k) {
      const std::size_t i = uneven ? peers.size() - 1 - k : k;
      at[i] = static_cast<int>(end);
      end += counts[i] + (uneven ? 1 : 0);
    }
    return end;
  };
  const long out_size = place(out, true, out_counts, out_at), in_size = place(in, false, in_counts, in_at);
  buffers o = make(l, out_size), i = make(l, in_size);
  out_bytes = out_at;
  in_bytes = in_at;
  out_types.assign(out.size(), l.type);
  in_types.assign(in.size(), l.type);
  for (int& b : out_bytes) b *= static_cast<int>(l.extent * static_cast<long>(sizeof(word)));
  for (int& b : in_bytes) b *= static_cast<int>(l.extent * static_cast<long>(sizeof(word)));
  const int out_one = out_counts.empty() ? static_cast<int>(most) : out_counts[0],
            in_one = in_counts.empty() ? static_cast<int>(most) : in_counts[0];

  const auto fill = [=, this](std::uint64_t op) {
    o->clear();
    i->clear();
    const auto put = [&](buffer& b, long at, long count, int from, int to) {
      for (long w = 0; w < count * l.used; ++w) b.at(at * l.used + w) = value(op, from, to, w);
    };
    for (std::size_t k = 0; k < out.size(); ++k) put(*o, kept->out_at[k], kept->out_counts[k], rank_, out[k]);
    if (all_in_place)  // what I send lies where I receive
      for (std::size_t k = 0; k < in.size(); ++k) {
        if (to_all && in[k] != rank_) continue;
        put(*i, kept->in_at[k], kept->in_counts[k], rank_, to_all ? -1 : in[k]);
      }
    if (root_in_place && (what == gather || what == gatherv))
      put(*i, kept->in_at[static_cast<std::size_t>(me)], kept->in_counts[static_cast<std::size_t>(me)], rank_,
          rank_);
  };
  const void* send =
      all_in_place || (root_in_place && (what == gather || what == gatherv)) ? MPI_IN_PLACE : o->data();
  void* receive =
      root_in_place && (what == scatter || what == scatterv) ? MPI_IN_PLACE : static_cast<void*>(i->data());
  const bool nothing_received = receive == MPI_IN_PLACE;
  const auto check = [=, this](std::uint64_t op) {
    if (!nothing_received)
      for (std::size_t k = 0; k < in.size(); ++k)
        check_words(names[what], op, *i, in[k], to_all ? -1 : rank_, kept->in_at[k] * l.used,
                    kept->in_counts[k] * l.used);
    check_guards(names[what], *i);
    for (std::size_t k = 0; k < out.size(); ++k)
      check_words("sent buffer of a collective", op, *o, rank_, out[k], kept->out_at[k] * l.used,
                  kept->out_counts[k] * l.used);
  };

  MPI_Request request = MPI_REQUEST_NULL;
  fill(op_);
  const MPI_Datatype t = l.type;
  switch (what) {
    case bcast: {
      void* at = is_root ? o->data() : i->data();
      FORMS(Bcast, Ibcast, at, static_cast<int>(most), t, root_arg, c.comm);
      break;
    }
    case gather:
      FORMS(Gather, Igather, send, out_one, t, receive, in_one, t, root_arg, c.comm);
      break;
    case scatter:
      FORMS(Scatter, Iscatter, send, out_one, t, receive, in_one, t, root_arg, c.comm);
      break;
    case gatherv:
      FORMS(Gatherv, Igatherv, send, out_one, t, receive, in_counts.data(), in_at.data(), t, root_arg,
            c.comm);
      break;
    case scatterv:
      FORMS(Scatterv, Iscatterv, send, out_counts.data(), out_at.data(), t, receive, in_one, t, root_arg,
            c.comm);
      break;
    case allgather:
      FORMS(Allgather, Iallgather, send, out_one, t, receive, in_one, t, c.comm);
      break;
    case allgatherv:
      FORMS(Allgatherv, Iallgatherv, send, out_one, t, receive, in_counts.data(), in_at.data(), t, c.comm);
      break;
    case alltoall:
      FORMS(Alltoall, Ialltoall, send, out_one, t, receive, in_one, t, c.comm);
      break;
    case alltoallv:
      FORMS(Alltoallv, Ialltoallv, send, out_counts.data(), out_at.data(), t, receive, in_counts.data(),
            in_at.data(), t, c.comm);
      break;
    case alltoallw:
      FORMS(Alltoallw, Ialltoallw, send, out_counts.data(), out_bytes.data(), out_types.data(), receive,
            in_counts.data(), in_bytes.data(), in_types.data(), c.comm);
      break;
    case neighbours:
      FORMS(Neighbor_alltoall, Ineighbor_alltoall, send, out_one, t, receive, in_one, t, c.comm);
      break;
    default:
      FORMS(Barrier, Ibarrier, c.comm);
  }
  finish_collective(form, request, due, rounds, fill, check);
}

void schedule::reduction(communicator& c, int form) {
  enum { reduce, allreduce, reduce_scatter_block, reduce_scatter, scan, exscan };
  static const char* const called[] = {"reduce",         "allreduce", "reduce_scatter_block",
                                       "reduce_scatter", "scan",      "exscan"};
  const long what = plan_.below(c.inter ? 4 : 6);
  const int which = static_cast<int>(plan_.below(4));
  const MPI_Op op = which == 0 ? MPI_SUM : which == 1 ? MPI_MAX : which == 2 ? MPI_BXOR : affine_;
  const long used = which == 3 ? 2 : 1;
  const MPI_Datatype t = which == 3 ? pair_ : MPI_UINT32_T;
  const int n0 = static_cast<int>(c.groups[0].size()), n1 = static_cast<int>(c.groups[1].size());
  const int root_side = c.inter ? static_cast<int>(plan_.below(2)) : 0;
  const int root = static_cast<int>(plan_.below(root_side ? n1 : n0));
  const bool blocks = what == reduce_scatter_block || what == reduce_scatter;
  const long limit = plan_.one_in(24) ? 1L << 19 : 1L << 14;
  long total = plan_.size(blocks && c.inter ? limit / (n0 * n1) : blocks ? limit / n0 : limit) / used;
  if (blocks)
    total *=
        c.inter ? static_cast<long>(n0) * n1 : n0;  // each side's ranks get equal parts of the same total
  const bool in_place = !c.inter && plan_.one_in(4);
  const long due = draw_due();
  const long rounds = form == 2 ? 1 + plan_.below(3) : 1;
  doing_ = std::string(called[what]) + ", form " + std::to_string(form) + ", " +
           std::to_string(total * used) + " words, operation " + std::to_string(which) +
           (in_place ? ", in place" : "") + (c.inter ? ", between groups" : "");
  if (!c.member()) return;
  const std::vector<int>&mine = c.local(), others = c.remote();
  const int n = static_cast<int>(mine.size()), me = c.me;
  const bool is_root = what == reduce && (!c.inter || c.side == root_side) && me == root;
  const bool idle = what == reduce && c.inter && c.side == root_side && !is_root;
  const int root_arg = !c.inter ? root : idle ? MPI_PROC_NULL : is_root ? MPI_ROOT : root;
  const bool root_in_place = in_place && is_root;
  const bool all_in_place = in_place && what != reduce;

  // My part of the result; uneven parts among a group.
  const auto kept =
      std::make_shared<std::vector<int>>(static_cast<std::size_t>(n), static_cast<int>(total / n));
  std::vector<int>& counts = *kept;
  if (what == reduce_scatter && !c.inter)
    for (int k = 0; k + 1 < n; k += 2) {
      const int moved = counts[static_cast<std::size_t>(k)] / 2;
      counts[static_cast<std::size_t>(k)] -= moved;
      counts[static_cast<std::size_t>(k + 1)] += moved;
    }
  long from = 0, part = total;
  if (blocks) {
    part = counts[static_cast<std::size_t>(me)];
    for (int k = 0; k < me; ++k) from += counts[static_cast<std::size_t>(k)];
  }
  const bool gets = what != reduce || is_root;
  const bool gives = !idle && !(c.inter && what == reduce && is_root);
  const layout l{t, used, used};
  buffers o = make(l, gives && !all_in_place && !root_in_place ? total : 0);
  buffers i = make(l, all_in_place || root_in_place ? total : gets && !idle ? part : 0);
  const bool places = all_in_place || root_in_place;

  const auto fill = [=, this](std::uint64_t number) {
    o->clear();
    i->clear();
    if (gives)
      for (long w = 0; w < total * used; ++w) (places ? *i : *o).at(w) = value(number, rank_, 0, w);
  };
  const auto check = [=, this, held = kept](std::uint64_t number) {
    check_guards(called[what], *i);
    if (!places && gives) check_words("operand", number, *o, rank_, 0, 0, total * used);
    if (!gets || idle) return;
    const std::size_t last = what == scan     ? static_cast<std::size_t>(me) + 1
                             : what == exscan ? static_cast<std::size_t>(me)
                                              : others.size();
    if (last == 0) return;  // nothing is defined at the first of an exscan
    for (long e = 0; e < part; ++e) {
      word a = 0, b = 0;
      for (std::size_t k = 0; k < last; ++k) {
        const long w = (from + e) * used;
        const word x = value(number, others[k], 0, w);
        if (which == 3) {
          const word y = value(number, others[k], 0, w + 1);
          b = k ? b * x + y : y;
          a = k ? a * x : x;
        } else {
          a = k == 0 ? x : which == 0 ? a + x : which == 1 ? std::max(a, x) : a ^ x;
        }
      }
      if (i->at(e * used) != a || (which == 3 && i->at(e * used + 1) != b)) {
        char text[160];
        std::snprintf(text, sizeof text, "%s of step %llu: element %ld of %ld is %08x instead of %08x",
                      called[what], static_cast<unsigned long long>(number), e, part, i->at(e * used), a);
        fail(text);
      }
    }
  };

  MPI_Request request = MPI_REQUEST_NULL;
  fill(op_);
  const void* send = places ? MPI_IN_PLACE : o->data();
  void* receive = i->data();
  const int all = static_cast<int>(total);
  switch (what) {
    case reduce:
      FORMS(Reduce, Ireduce, send, receive, all, t, op, root_arg, c.comm);
      break;
    case allreduce:
      FORMS(Allreduce, Iallreduce, send, receive, all, t, op, c.comm);
      break;
    case reduce_scatter_block:
      FORMS(Reduce_scatter_block, Ireduce_scatter_block, send, receive, static_cast<int>(part), t, op,
            c.comm);
      break;
    case reduce_scatter:
      FORMS(Reduce_scatter, Ireduce_scatter, send, receive, counts.data(), t, op, c.comm);
      break;
    case scan:
      FORMS(Scan, Iscan, send, receive, all, t, op, c.comm);
      break;
    default:
      FORMS(Exscan, Iexscan, send, receive, all, t, op, c.comm);
  }
  finish_collective(form, request, due, rounds, fill, check);
}

void schedule::finish_collective(int form, MPI_Request request, long due, long rounds,
                                 const std::function<void(std::uint64_t)>& fill,
                                 const std::function<void(std::uint64_t)>& check) {
  if (form == 0) return check(op_);
  if (form == 1) return later(due, request, [check, op = op_] { check(op); });
  for (long round = 0; round < rounds; ++round) {
    const std::uint64_t op = op_ ^ static_cast<std::uint64_t>(round) << 40;
    if (round) fill(op);
    MUST(MPI_Start(&request));
    if (round == rounds - 1) {
      later(due, request, [check, op] { check(op); });
      pending_.back().persistent = true;
    } else {
      MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
      check(op);
    }
  }
}

}  // namespace mixed
