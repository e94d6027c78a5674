/* Data that does not begin at the buffer's address: slabs of arrays, displacements before and behind
 * it, MPI_BOTTOM, other extents than sizes; as one block and as many. In messages of every form,
 * collectives, reductions, packing and partitioned communication, compared with plain loops. */
#include <stdint.h>

#include "check.h"

enum kind { PLAIN, SLAB, AHEAD, BEHIND, BOTTOM, RESIZED, TWO_BLOCKS, ODD_ONES, KINDS };

/* `n` doubles in an area of 3 n + 64: a type, a count and an address for them, and where each of them is. */
struct shape {
  enum kind kind;
  MPI_Datatype type;
  int count, n;
  double *area, *base;
};

static size_t area_of(int n) {
  return 3 * (size_t)n + 64;
}

/* Double number i of the data. */
static double* of(const struct shape* s, int i) {
  const int n = s->n, half = n / 2;
  switch (s->kind) {
    case PLAIN:
      return s->area + i;
    case SLAB:
      return s->area + n + i;
    case AHEAD:
      return s->area + n + 7 + i;
    case BEHIND:
      return s->area + 5 + i;
    case BOTTOM:
      return s->area + 3 + i;
    case RESIZED:
      return s->area + 2 + i;
    case TWO_BLOCKS:
      return i < half ? s->area + n + 40 + i : s->area + 1 + (i - half); /* the first lies behind */
    default:
      return s->area + 1 + 2 * i;
  }
}

static struct shape make(enum kind kind, int n, double* area) {
  struct shape s = {kind, MPI_DOUBLE, 1, n, area, area};
  MPI_Datatype old;
  const int half = n / 2;
  switch (kind) {
    case PLAIN:
      s.count = n;
      return s;
    case SLAB:
      MPI_Type_create_subarray(3, (int[]){3, 1, n}, (int[]){1, 1, n}, (int[]){1, 0, 0}, MPI_ORDER_C,
                               MPI_DOUBLE, &s.type);
      break;
    case AHEAD:
      MPI_Type_create_hindexed(1, (int[]){n}, (MPI_Aint[]){(n + 7) * 8}, MPI_DOUBLE, &s.type);
      break;
    case BEHIND:
      s.base = area + 5 + n;
      MPI_Type_create_hindexed(1, (int[]){n}, (MPI_Aint[]){-n * 8}, MPI_DOUBLE, &s.type);
      break;
    case BOTTOM: {
      MPI_Aint at;
      MPI_Get_address(area + 3, &at);
      s.base = MPI_BOTTOM;
      MPI_Type_create_hindexed(1, (int[]){n}, (MPI_Aint[]){at}, MPI_DOUBLE, &s.type);
      break;
    }
    case RESIZED: /* elements of one double each, one behind the address: together one block */
      MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){16}, MPI_DOUBLE, &old);
      MPI_Type_create_resized(old, 8, 8, &s.type);
      MPI_Type_free(&old);
      s.count = n;
      break;
    case TWO_BLOCKS:
      MPI_Type_create_hindexed(2, (int[]){half, n - half}, (MPI_Aint[]){(n + 40) * 8, 8}, MPI_DOUBLE,
                               &s.type);
      break;
    default:
      MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &old);
      MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){8}, old, &s.type);
      MPI_Type_free(&old);
  }
  MPI_Type_commit(&s.type);
  return s;
}
static void done_with(struct shape* s) {
  if (s->kind != PLAIN) MPI_Type_free(&s->type);
}

static double value(int from, int what, int i) {
  return from * 1e9 + what * 1e7 + i;
}
static void fill(const struct shape* s, int from, int what) {
  for (size_t i = 0; i < area_of(s->n); ++i) s->area[i] = -1;
  for (int i = 0; i < s->n; ++i) *of(s, i) = value(from, what, i);
}
static void clear(const struct shape* s) {
  for (size_t i = 0; i < area_of(s->n); ++i) s->area[i] = -1;
}
/* All of it is there, and nothing else has been written. */
static void expect(const struct shape* s, int from, int what) {
  size_t others = 0;
  for (int i = 0; i < s->n; ++i) CHECK(*of(s, i) == value(from, what, i));
  for (size_t i = 0; i < area_of(s->n); ++i) others += s->area[i] != -1;
  CHECK(others == (size_t)s->n);
}

/* --- messages: to the right, from the left, each in every form --- */

enum form { SENDRECV, ISEND_IRECV, SEND_RECV, SSEND_PROBE, BSEND_MPROBE, PERSISTENT, PARTITIONED, FORMS };

/* Nothing of the left is under way to here any more. */
static void settle(void) {
  MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + 1) % size, 1, NULL, 0, MPI_BYTE, (rank + size - 1) % size, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void message(enum form form, const struct shape* out, const struct shape* in) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size, tag = 3 + (int)form;
  MPI_Request q[2];
  MPI_Status statuses[2], *status = &statuses[1];
  switch (form) {
    case SENDRECV:
      MPI_Sendrecv(out->base, out->count, out->type, right, tag, in->base, in->count, in->type, left, tag,
                   MPI_COMM_WORLD, status);
      break;
    case ISEND_IRECV:
      MPI_Isend(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD, &q[0]);
      MPI_Irecv(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, &q[1]);
      MPI_Waitall(2, q, statuses);
      break;
    case SEND_RECV: /* by turns, both in the library; alone: the receive first */
      if (size == 1) {
        MPI_Irecv(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, &q[1]);
        MPI_Send(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD);
        MPI_Wait(&q[1], status);
      } else if (rank % 2 == 0) {
        MPI_Send(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD);
        MPI_Recv(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, status);
      } else {
        MPI_Recv(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, status);
        MPI_Send(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD);
      }
      break;
    case SSEND_PROBE:
      MPI_Issend(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD, &q[0]);
      MPI_Probe(left, tag, MPI_COMM_WORLD, status);
      MPI_Recv(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, status);
      MPI_Wait(&q[0], MPI_STATUS_IGNORE);
      break;
    case BSEND_MPROBE: {
      int bytes = (int)sizeof(double) * out->n + MPI_BSEND_OVERHEAD;
      MPI_Message taken;
      void* buffer = malloc((size_t)bytes);
      MPI_Buffer_attach(buffer, bytes);
      MPI_Bsend(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD);
      MPI_Mprobe(left, tag, MPI_COMM_WORLD, &taken, status);
      MPI_Mrecv(in->base, in->count, in->type, &taken, status);
      MPI_Buffer_detach(&buffer, &bytes);
      free(buffer);
      break;
    }
    case PERSISTENT:
      MPI_Send_init(out->base, out->count, out->type, right, tag, MPI_COMM_WORLD, &q[0]);
      MPI_Recv_init(in->base, in->count, in->type, left, tag, MPI_COMM_WORLD, &q[1]);
      for (int round = 0; round < 2; ++round) {
        clear(in);
        MPI_Startall(2, q);
        MPI_Waitall(2, q, statuses);
      }
      MPI_Request_free(&q[0]);
      MPI_Request_free(&q[1]);
      break;
    default:
      MPI_Psend_init(out->base, 1, out->count, out->type, right, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
      MPI_Precv_init(in->base, 1, in->count, in->type, left, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
      for (int round = 0; round < 2; ++round) {
        clear(in);
        MPI_Startall(2, q);
        MPI_Pready(0, q[0]);
        MPI_Waitall(2, q, statuses);
      }
      settle();
      MPI_Request_free(&q[0]);
      MPI_Request_free(&q[1]);
  }
  int count;
  MPI_Get_count(status, MPI_DOUBLE, &count);
  CHECK(status->MPI_SOURCE == left && status->MPI_TAG == tag && count == in->n);
}

static void messages(int n, int repeats) {
  const int left = (rank + size - 1) % size;
  double *a = malloc(area_of(n) * sizeof *a), *b = malloc(area_of(n) * sizeof *b);
  for (enum kind from = 0; from < KINDS; ++from) {
    for (enum kind to = 0; to < KINDS; ++to) {
      struct shape out = make(from, n, a), in = make(to, n, b);
      for (int round = 0; round < repeats; ++round) {
        /* Every form with every shape on either side; all three together in some. */
        const enum form form = (enum form)((int)(from + to + (enum kind)round) % FORMS);
        fill(&out, rank, round);
        clear(&in);
        message(form, &out, &in);
        expect(&in, left, round);
        expect(&out, rank, round);
      }
      done_with(&out), done_with(&in);
    }
  }
  for (enum kind k = 0; k < KINDS; ++k) {
    struct shape both = make(k, n, a);
    MPI_Status status;
    fill(&both, rank, 9);
    MPI_Sendrecv_replace(both.base, both.count, both.type, (rank + 1) % size, 2, left, 2, MPI_COMM_WORLD,
                         &status);
    expect(&both, left, 9);
    done_with(&both);
  }
  free(a), free(b);
}

/* Several partitions of several elements: they lie an extent apart, wherever their blocks are. */
static void partitions(int each) {
  enum { PARTS = 4 };
  const int right = (rank + 1) % size, left = (rank + size - 1) % size, n = PARTS * each;
  const size_t room = 3 * (size_t)n + 64;
  double *a = malloc(room * sizeof *a), *b = malloc(room * sizeof *b);
  MPI_Datatype one, behind;
  MPI_Request q[2];
  MPI_Status statuses[2];
  /* `each` doubles, 3 each behind the element's beginning; and before it, with a hole behind. */
  MPI_Type_create_hindexed(1, (int[]){each}, (MPI_Aint[]){each * 8 * 2}, MPI_DOUBLE, &one);
  MPI_Type_commit(&one);
  MPI_Type_create_hindexed(1, (int[]){each}, (MPI_Aint[]){-each * 8}, MPI_DOUBLE, &behind);
  MPI_Type_create_resized(behind, -each * 8, each * 8 + 16, &behind);
  MPI_Type_commit(&behind);
  MPI_Psend_init(a, PARTS, 1, one, right, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
  MPI_Precv_init(b + each, 2, PARTS / 2, behind, left, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < room; ++i) a[i] = b[i] = -1;
    for (int i = 0; i < n; ++i) a[2 * each + i] = value(rank, round, i);
    MPI_Startall(2, q);
    MPI_Pready_range(1, PARTS - 1, q[0]);
    MPI_Pready(0, q[0]);
    MPI_Waitall(2, q, statuses);
    size_t others = 0;
    for (int p = 0; p < PARTS; ++p)
      for (int i = 0; i < each; ++i) CHECK(b[p * (each + 2) + i] == value(left, round, p * each + i));
    for (size_t i = 0; i < room; ++i) others += b[i] != -1;
    CHECK(others == (size_t)n);
    CHECK(statuses[1].MPI_SOURCE == left && statuses[1].MPI_TAG == 6);
  }
  settle();
  MPI_Request_free(&q[0]);
  MPI_Request_free(&q[1]);
  MPI_Type_free(&one);
  MPI_Type_free(&behind);
  free(a), free(b);
}

static void packing(int n) {
  double *a = malloc(area_of(n) * sizeof *a), *b = malloc(area_of(n) * sizeof *b),
         *packed = malloc((size_t)n * sizeof *b);
  for (enum kind from = 0; from < KINDS; ++from) {
    struct shape out = make(from, n, a), in = make((from * 3 + 1) % KINDS, n, b);
    int position = 0;
    fill(&out, rank, 1);
    clear(&in);
    MPI_Pack(out.base, out.count, out.type, packed, n * 8, &position, MPI_COMM_WORLD);
    CHECK(position == n * 8);
    for (int i = 0; i < n; ++i) CHECK(packed[i] == value(rank, 1, i));
    position = 0;
    MPI_Unpack(packed, n * 8, &position, in.base, in.count, in.type, MPI_COMM_WORLD);
    expect(&in, rank, 1);
    done_with(&out), done_with(&in);
  }
  free(a), free(b), free(packed);
}

/* --- collectives --- */

static void moving(int n) {
  double *a = malloc(area_of(n) * sizeof *a), *b = malloc(area_of(n) * sizeof *b),
         *all = malloc((size_t)n * (size_t)size * sizeof *all);
  for (enum kind k = 0; k < KINDS; ++k) {
    struct shape s = make(k, n, a), t = make((k * 5 + 2) % KINDS, n, b);
    const int root = (int)k % size;

    rank == root ? fill(&s, root, 1) : clear(&s);
    MPI_Bcast(s.base, s.count, s.type, root, MPI_COMM_WORLD);
    expect(&s, root, 1);

    fill(&s, rank, 2);
    MPI_Gather(s.base, s.count, s.type, all, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < n * size; ++i) CHECK(all[i] == value(i / n, 2, i % n));
    memset(all, 0xff, (size_t)n * (size_t)size * sizeof *all);
    MPI_Allgather(s.base, s.count, s.type, all, n, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < n * size; ++i) CHECK(all[i] == value(i / n, 2, i % n));
    expect(&s, rank, 2);

    clear(&t);
    for (int i = 0; i < n * size; ++i) all[i] = value(rank * 100 + i / n, 3, i % n);
    MPI_Scatter(all, n, MPI_DOUBLE, t.base, t.count, t.type, root, MPI_COMM_WORLD);
    expect(&t, root * 100 + rank, 3);

    /* To the right and from the left; with MPI_BOTTOM on either side. */
    int counts[2][64] = {{0}}, zeros[64] = {0};
    MPI_Datatype types[2][64];
    for (int i = 0; i < size && i < 64; ++i) types[0][i] = types[1][i] = MPI_DOUBLE;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    counts[0][right] = s.count, types[0][right] = s.type;
    counts[1][left] = t.count, types[1][left] = t.type;
    fill(&s, rank, 4);
    clear(&t);
    MPI_Alltoallw(s.base, counts[0], zeros, types[0], t.base, counts[1], zeros, types[1], MPI_COMM_WORLD);
    expect(&t, left, 4);

    done_with(&s), done_with(&t);
  }
  free(a), free(b), free(all);
}

/* A ring of neighbours with displaced types, one block for both neighbours' halves. */
static void neighbours(int n) {
  double *a = malloc(area_of(n) * sizeof *a), *b = malloc(area_of(n) * sizeof *b);
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (int[]){(rank + size - 1) % size}, MPI_UNWEIGHTED, 1,
                                 (int[]){(rank + 1) % size}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  for (enum kind k = 0; k < KINDS; ++k) {
    struct shape s = make(k, n, a), t = make((k * 3 + 4) % KINDS, n, b);
    const MPI_Aint zero = 0;
    fill(&s, rank, 5);
    clear(&t);
    MPI_Neighbor_alltoallw(s.base, &s.count, &zero, &s.type, t.base, &t.count, &zero, &t.type, ring);
    expect(&t, (rank + size - 1) % size, 5);
    clear(&t);
    MPI_Neighbor_allgather(s.base, s.count, s.type, t.base, t.count, t.type, ring);
    expect(&t, (rank + size - 1) % size, 5);
    done_with(&s), done_with(&t);
  }
  MPI_Comm_free(&ring);
  free(a), free(b);
}

/* --- reductions: an operation of the program on the doubles of a displaced type --- */

static MPI_Datatype reduced; /* the type of the reduction under way, and its shape */
static const struct shape* shape_of_it;

/* Sum; the shape tells where the doubles are. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == reduced && *count == shape_of_it->count);
  for (int i = 0; i < shape_of_it->n; ++i) {
    const uintptr_t at = (uintptr_t)of(shape_of_it, i) - (uintptr_t)shape_of_it->base;
    double x, y;
    memcpy(&x, (void*)((uintptr_t)in + at), sizeof x);
    memcpy(&y, (void*)((uintptr_t)inout + at), sizeof y);
    y += x;
    memcpy((void*)((uintptr_t)inout + at), &y, sizeof y);
  }
}

static void expect_sums(const struct shape* s, int ranks, int what) {
  size_t others = 0;
  for (int i = 0; i < s->n; ++i) {
    double sum = 0;
    for (int r = 0; r < ranks; ++r) sum += value(r, what, i);
    CHECK(*of(s, i) == sum);
  }
  for (size_t i = 0; i < area_of(s->n); ++i) others += s->area[i] != -1;
  CHECK(others == (size_t)s->n);
}

static void reductions(int n) {
  double *a = malloc(area_of(n) * sizeof *a), *b = malloc(area_of(n) * sizeof *b);
  for (int commutes = 0; commutes < 2; ++commutes) {
    MPI_Op sum;
    MPI_Op_create(add, commutes, &sum);
    for (enum kind k = 0; k < KINDS; ++k) {
      struct shape s = make(k, n, a), at_b = s;
      const int root = (int)k % size;
      /* The same type at another address; with absolute ones all is in place. */
      at_b.area = b;
      if (k != BOTTOM) at_b.base = b + (s.base - s.area);
      reduced = s.type, shape_of_it = &s;
      const struct shape* out = k == BOTTOM ? &s : &at_b;
      void* input = k == BOTTOM ? MPI_IN_PLACE : s.base;
      if (k != PLAIN && k != RESIZED) { /* those may be taken in parts */
        fill(&s, rank, 6);
        if (out != &s) clear(out);
        MPI_Allreduce(input, out->base, s.count, s.type, sum, MPI_COMM_WORLD);
        expect_sums(out, size, 6);

        fill(&s, rank, 7);
        if (out != &s) clear(out);
        MPI_Reduce(rank == root ? input : s.base, out->base, s.count, s.type, sum, root, MPI_COMM_WORLD);
        if (rank == root)
          expect_sums(out, size, 7);
        else
          expect(&s, rank, 7);

        fill(&s, rank, 8);
        if (out != &s) clear(out);
        MPI_Scan(input, out->base, s.count, s.type, sum, MPI_COMM_WORLD);
        expect_sums(out, rank + 1, 8);

        fill(&s, rank, 8);
        if (out != &s) clear(out);
        MPI_Exscan(input, out->base, s.count, s.type, sum, MPI_COMM_WORLD);
        if (rank > 0) expect_sums(out, rank, 8);
      }
      if (k != BOTTOM) {
        fill(&s, 0, 6);
        fill(&at_b, 1, 6);
        MPI_Reduce_local(s.base, at_b.base, s.count, s.type, sum);
        expect_sums(&at_b, 2, 6);
      }
      done_with(&s);
    }

    /* One side at absolute addresses, the other not: what is contributed, or the result. */
    struct shape s = make(BOTTOM, n, a), plain = s;
    plain.area = b;
    plain.base = (double*)((uintptr_t)b - (uintptr_t)a); /* the type's displacements lead into b */
    reduced = s.type;
    for (int result_at_bottom = 0; result_at_bottom < 2; ++result_at_bottom) {
      struct shape *in = result_at_bottom ? &plain : &s, *out = result_at_bottom ? &s : &plain;
      shape_of_it = &s;
      fill(in, rank, 6), clear(out);
      MPI_Allreduce(in->base, out->base, 1, s.type, sum, MPI_COMM_WORLD);
      expect_sums(out, size, 6);
      clear(out);
      MPI_Reduce(in->base, out->base, 1, s.type, sum, 0, MPI_COMM_WORLD);
      if (rank == 0) expect_sums(out, size, 6);
      clear(out);
      MPI_Scan(in->base, out->base, 1, s.type, sum, MPI_COMM_WORLD);
      expect_sums(out, rank + 1, 6);
      clear(out);
      MPI_Exscan(in->base, out->base, 1, s.type, sum, MPI_COMM_WORLD);
      if (rank > 0) expect_sums(out, rank, 6);
      fill(in, 0, 6), fill(out, 1, 6);
      MPI_Reduce_local(in->base, out->base, 1, s.type, sum);
      expect_sums(out, 2, 6);
    }
    done_with(&s);
    MPI_Op_free(&sum);
  }
  free(a), free(b);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  const int lengths[] = {1, 9, 700, 5000, 9000, 40000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) messages(lengths[i], size <= 3 ? FORMS : 1);
  if (size <= 2) messages(1 << 20, 1);
  partitions(5), partitions(6000), partitions(30000);
  packing(3), packing(5000);
  moving(3), moving(9000);
  neighbours(3), neighbours(9000);
  reductions(3), reductions(9000);
  MPI_Finalize();
  return 0;
}
