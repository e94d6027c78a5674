/* Predefined and user-defined operations, commutative and not, with derived types, in place, and local. */
#include "check.h"

typedef struct {
  double a[4];
} matrix; /* 2 × 2: multiplication does not commute */

static void multiply(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  const matrix* l = in;
  matrix* r = inout;
  for (int i = 0; i < *n; ++i) {
    matrix p = {{l[i].a[0] * r[i].a[0] + l[i].a[1] * r[i].a[2], l[i].a[0] * r[i].a[1] + l[i].a[1] * r[i].a[3],
                 l[i].a[2] * r[i].a[0] + l[i].a[3] * r[i].a[2],
                 l[i].a[2] * r[i].a[1] + l[i].a[3] * r[i].a[3]}};
    r[i] = p;
  }
}
static matrix mine(int r) {
  matrix m = {{1, (r % 3) + 1, (r % 2), 1}};
  return m;
}
static matrix product(int first, int last) {
  matrix p = mine(first);
  for (int r = first + 1; r <= last; ++r) {
    matrix m = mine(r);
    int one = 1;
    multiply(&p, &m, &one, NULL);
    p = m;
  }
  return p;
}
static void same(const matrix* a, const matrix* b) {
  for (int i = 0; i < 4; ++i) CHECK(a->a[i] == b->a[i]);
}
static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  CHECK(*type == MPI_INT);
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  MPI_Op op, sum;
  MPI_Datatype type;
  int flag;
  MPI_Op_create(multiply, 0, &op);
  MPI_Op_commutative(op, &flag);
  CHECK(!flag);
  MPI_Type_contiguous(4, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  matrix in[3], out[3], expected = product(0, size - 1);
  for (int i = 0; i < 3; ++i) in[i] = mine(rank);
  MPI_Allreduce(in, out, 3, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) same(&out[i], &expected);
  for (int root = 0; root < size; root += 3) {
    memset(out, 0, sizeof out);
    MPI_Reduce(in, out, 3, type, op, root, MPI_COMM_WORLD);
    if (rank == root) same(&out[2], &expected);
  }
  MPI_Scan(in, out, 3, type, op, MPI_COMM_WORLD);
  expected = product(0, rank);
  same(&out[1], &expected);
  MPI_Exscan(in, out, 3, type, op, MPI_COMM_WORLD);
  if (rank > 0) {
    expected = product(0, rank - 1);
    same(&out[1], &expected);
  }
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  MPI_Type_free(&type);

  MPI_Op_create(add, 1, &sum);
  static int many[10000], total[10000];
  for (int i = 0; i < 10000; ++i) many[i] = rank + i;
  MPI_Allreduce(many, total, 10000, MPI_INT, sum, MPI_COMM_WORLD);
  for (int i = 0; i < 10000; ++i) CHECK(total[i] == size * (size - 1) / 2 + size * i);
  MPI_Allreduce(MPI_IN_PLACE, many, 10000, MPI_INT, sum, MPI_COMM_WORLD);
  CHECK(memcmp(many, total, sizeof many) == 0);
  int a = 3, b = 4;
  MPI_Reduce_local(&a, &b, 1, MPI_INT, sum);
  CHECK(b == 7);
  MPI_Op_free(&sum);

  struct {
    double value;
    int index;
  } pair = {(double)((rank * 7) % size), rank}, best;
  MPI_Allreduce(&pair, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK(best.value >= pair.value && (double)((best.index * 7) % size) == best.value);
  int bits = 1 << (rank % 30), all = 0;
  MPI_Allreduce(&bits, &all, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  CHECK(all == (int)((1u << size) - 1));
  /* Not in the table of "Predefined Reduction Operations", but taken by all libraries. */
  signed char text[3] = {(signed char)(rank - 3), 1, (signed char)rank}, texts[3];
  MPI_Allreduce(text, texts, 3, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
  CHECK(texts[0] == (signed char)(size * (size - 1) / 2 - 3 * size) && texts[1] == size);
  MPI_Allreduce(text, texts, 3, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  CHECK((char)-1 > 0 || (texts[0] == size - 4 && texts[2] == size - 1));
  MPI_Aint addresses[2] = {rank == 0, 1}, found[2];
  MPI_Allreduce(addresses, found, 2, MPI_AINT, MPI_LAND, MPI_COMM_WORLD);
  CHECK(found[0] == (size == 1) && found[1] == 1);
  MPI_Count counts[2] = {rank == 0, 0}, either[2];
  MPI_Allreduce(counts, either, 2, MPI_COUNT, MPI_LOR, MPI_COMM_WORLD);
  CHECK(either[0] == 1 && either[1] == 0);
  MPI_Offset offset = 1, odd;
  MPI_Allreduce(&offset, &odd, 1, MPI_OFFSET, MPI_LXOR, MPI_COMM_WORLD);
  CHECK(odd == size % 2);
  float f = (float)rank, low;
  MPI_Allreduce(&f, &low, 1, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD);
  CHECK(low == 0.0f);
  MPI_Finalize();
  return 0;
}
