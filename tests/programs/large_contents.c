/* Datatypes made with large counts: they have the layout of their small twins, their envelopes and contents
 * come back as given, through the large functions only; and packing. */
#include "check.h"

enum { MOST = 32 };

/* What a type says it was made from. */
static struct {
  MPI_Count integers, addresses, large, types;
  int combiner, integer[MOST];
  MPI_Aint address[MOST];
  MPI_Count number[MOST];
  MPI_Datatype type[MOST];
} made;

static void decode(MPI_Datatype t) {
  MPI_Type_get_envelope_c(t, &made.integers, &made.addresses, &made.large, &made.types, &made.combiner);
  CHECK(made.integers <= MOST && made.addresses <= MOST && made.large <= MOST && made.types <= MOST);
  MPI_Type_get_contents_c(t, made.integers, made.addresses, made.large, made.types, made.integer,
                          made.address, made.number, made.type);
}

static void expect_numbers(int n, const MPI_Count* expected) {
  CHECK(made.large == n && made.addresses == 0);
  for (int i = 0; i < n; ++i) CHECK(made.number[i] == expected[i]);
}
static void expect_integers(int n, const int* expected) {
  CHECK(made.integers == n);
  for (int i = 0; i < n; ++i) CHECK(made.integer[i] == expected[i]);
}
#define NUMBERS(...) \
  expect_numbers(sizeof((MPI_Count[]){__VA_ARGS__}) / sizeof(MPI_Count), (const MPI_Count[]){__VA_ARGS__})
#define INTEGERS(...) expect_integers(sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__})

/* Both carry the same elements. Frees both. */
static void expect_twins(MPI_Datatype large, MPI_Datatype small, int combiner, int types) {
  char from[4096], a[4096], b[4096];
  MPI_Count low[2], extent[2], bytes[2], position = 0;
  int at = 0;
  decode(large);
  CHECK(made.combiner == combiner && made.types == types);
  for (int i = 0; i < types; ++i) CHECK(made.type[i] == MPI_INT || made.type[i] == MPI_SHORT);
  MPI_Type_commit(&large);
  MPI_Type_commit(&small);
  MPI_Type_get_extent_c(large, &low[0], &extent[0]);
  MPI_Type_get_extent_c(small, &low[1], &extent[1]);
  MPI_Type_size_c(large, &bytes[0]);
  MPI_Type_size_c(small, &bytes[1]);
  CHECK(low[0] == low[1] && extent[0] == extent[1] && bytes[0] == bytes[1] && bytes[0] > 0);
  for (int i = 0; i < 4096; ++i) from[i] = (char)(i * 7 + i / 256);
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  MPI_Pack_c(from, 1, large, a, sizeof a, &position, MPI_COMM_SELF);
  MPI_Pack(from, 1, small, b, sizeof b, &at, MPI_COMM_SELF);
  CHECK(position == at && at == bytes[0] && memcmp(a, b, sizeof a) == 0);
  MPI_Type_free(&large);
  MPI_Type_free(&small);
}

static void vectors(void) {
  MPI_Datatype large, small;
  MPI_Type_contiguous_c(5, MPI_INT, &large);
  MPI_Type_contiguous(5, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_CONTIGUOUS, 1);
  NUMBERS(5);
  MPI_Type_vector_c(3, 2, 4, MPI_INT, &large);
  MPI_Type_vector(3, 2, 4, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_VECTOR, 1);
  NUMBERS(3, 2, 4);
  MPI_Type_create_hvector_c(3, 2, 20, MPI_INT, &large);
  MPI_Type_create_hvector(3, 2, 20, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_HVECTOR, 1);
  NUMBERS(3, 2, 20);
  MPI_Type_create_resized_c(MPI_INT, -4, 12, &large);
  MPI_Type_create_resized(MPI_INT, -4, 12, &small);
  expect_twins(large, small, MPI_COMBINER_RESIZED, 1);
  NUMBERS(-4, 12);
}

static void lists(void) {
  MPI_Datatype large, small;
  const MPI_Count lengths[] = {1, 3, 2}, elements[] = {0, 4, 9}, bytes[] = {0, 20, 48};
  const int few[] = {1, 3, 2}, places[] = {0, 4, 9};
  const MPI_Aint far[] = {0, 20, 48};
  MPI_Type_indexed_c(3, lengths, elements, MPI_INT, &large);
  MPI_Type_indexed(3, few, places, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_INDEXED, 1);
  NUMBERS(3, 1, 3, 2, 0, 4, 9);
  MPI_Type_create_hindexed_c(3, lengths, bytes, MPI_INT, &large);
  MPI_Type_create_hindexed(3, few, far, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_HINDEXED, 1);
  NUMBERS(3, 1, 3, 2, 0, 20, 48);
  MPI_Type_create_indexed_block_c(3, 2, elements, MPI_INT, &large);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_INDEXED_BLOCK, 1);
  NUMBERS(3, 2, 0, 4, 9);
  MPI_Type_create_hindexed_block_c(3, 2, bytes, MPI_INT, &large);
  MPI_Type_create_hindexed_block(3, 2, far, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_HINDEXED_BLOCK, 1);
  NUMBERS(3, 2, 0, 20, 48);
  const MPI_Datatype types[] = {MPI_INT, MPI_SHORT, MPI_INT};
  MPI_Type_create_struct_c(3, lengths, bytes, types, &large);
  MPI_Type_create_struct(3, few, far, types, &small);
  expect_twins(large, small, MPI_COMBINER_STRUCT, 3);
  NUMBERS(3, 1, 3, 2, 0, 20, 48);
}

static void arrays(void) {
  MPI_Datatype large, small;
  const MPI_Count sizes[] = {6, 8}, parts[] = {2, 3}, starts[] = {1, 4};
  const int few[] = {6, 8}, some[] = {2, 3}, first[] = {1, 4};
  MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &large);
  MPI_Type_create_subarray(2, few, some, first, MPI_ORDER_C, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_SUBARRAY, 1);
  NUMBERS(6, 8, 2, 3, 1, 4);
  INTEGERS(2, MPI_ORDER_C);
  const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
            parameters[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[] = {2, 2};
  MPI_Type_create_darray_c(4, 1, 2, sizes, kinds, parameters, grid, MPI_ORDER_C, MPI_INT, &large);
  MPI_Type_create_darray(4, 1, 2, few, kinds, parameters, grid, MPI_ORDER_C, MPI_INT, &small);
  expect_twins(large, small, MPI_COMBINER_DARRAY, 1);
  NUMBERS(6, 8);
  INTEGERS(4, 1, 2, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 2,
           MPI_ORDER_C);
}

/* The small functions cannot say what it was made from; the large ones know all types. */
static void other_width(void) {
  MPI_Datatype t;
  int n[3], combiner;
  MPI_Type_vector(3, 2, 4, MPI_INT, &t);
  decode(t);
  CHECK(made.combiner == MPI_COMBINER_VECTOR && made.large == 0);
  INTEGERS(3, 2, 4);
  MPI_Type_free(&t);
  MPI_Type_get_envelope_c(MPI_INT, &made.integers, &made.addresses, &made.large, &made.types, &made.combiner);
  CHECK(made.combiner == MPI_COMBINER_NAMED && made.integers == 0 && made.large == 0 && made.types == 0);
  if (!on_loadstone()) return; /* which errors are found is the library's choice */
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_vector_c(3, 2, 4, MPI_INT, &t);
  CHECK_FAILS(MPI_Type_get_envelope(t, &n[0], &n[1], &n[2], &combiner), MPI_ERR_TYPE);
  MPI_Type_free(&t);
}

/* There and back, in both representations. */
static void packing(void) {
  MPI_Datatype t;
  const int in[8] = {1, 2, 3, 4, 5, 6, 7, 0x12345678};
  int out[8] = {0};
  char packed[256];
  MPI_Count position = 0, bytes, low, extent;
  MPI_Type_vector_c(4, 1, 2, MPI_INT, &t); /* the odd ones */
  MPI_Type_commit(&t);
  MPI_Type_get_true_extent_c(t, &low, &extent);
  CHECK(low == 0 && extent == 7 * sizeof(int));
  MPI_Pack_c(in, 1, t, packed, sizeof packed, &position, MPI_COMM_SELF);
  MPI_Pack_size_c(1, t, MPI_COMM_SELF, &bytes);
  CHECK(position == 4 * sizeof(int) && bytes >= position);
  position = 0;
  MPI_Unpack_c(packed, sizeof packed, &position, out, 1, t, MPI_COMM_SELF);
  for (int i = 0; i < 8; ++i) CHECK(out[i] == (i % 2 ? 0 : in[i]));

  position = 0;
  memset(out, 0, sizeof out);
  MPI_Pack_external_size_c("external32", 8, MPI_INT, &bytes);
  CHECK(bytes == 32);
  MPI_Pack_external_c("external32", in, 8, MPI_INT, packed, sizeof packed, &position);
  CHECK(position == 32 && packed[3] == 1 && packed[28] == 0x12 && packed[31] == 0x78); /* big-endian */
  position = 0;
  MPI_Unpack_external_c("external32", packed, 32, &position, out, 8, MPI_INT);
  CHECK(position == 32 && memcmp(in, out, sizeof in) == 0);
  MPI_Type_free(&t);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  vectors();
  lists();
  arrays();
  other_width();
  packing();
  MPI_Finalize();
  return 0;
}
