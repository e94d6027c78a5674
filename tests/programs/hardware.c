/* Splitting by hardware, and Cartesian reorder. Run with a synthetic machine: two packages of four cores, one
 * rank each. */
#include "check.h"

static MPI_Comm split(MPI_Comm comm, int type, const char* resource) {
  MPI_Comm made;
  MPI_Info info = MPI_INFO_NULL;
  if (resource != NULL) {
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", resource);
  }
  MPI_Comm_split_type(comm, type, 0, info, &made);
  if (resource != NULL) MPI_Info_free(&info);
  return made;
}

static void check_type(MPI_Comm comm, const char* expected) {
  MPI_Info info;
  char value[64];
  int flag, length = sizeof value;
  MPI_Comm_get_info(comm, &info);
  MPI_Info_get_string(info, "mpi_hw_resource_type", &length, value, &flag);
  CHECK(flag && strcmp(value, expected) == 0);
  MPI_Info_free(&info);
}

static int size_of(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}

/* Neighbours of the grid on different packages. */
static int crossings(MPI_Comm cart) {
  int me, here = rank / 4, there, crossing = 0, total;
  MPI_Comm_rank(cart, &me);
  for (int d = 0; d < 2; ++d) {
    int below, above;
    MPI_Cart_shift(cart, d, 1, &below, &above);
    there = here;
    MPI_Sendrecv(&here, 1, MPI_INT, below, d, &there, 1, MPI_INT, above, d, cart, MPI_STATUS_IGNORE);
    crossing += there != here;
  }
  MPI_Allreduce(&crossing, &total, 1, MPI_INT, MPI_SUM, cart);
  return total;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  start_world(argc, argv);
  CHECK(size == 8);
  MPI_Comm package, core, other;
  package = split(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, NULL);
  CHECK(package != MPI_COMM_NULL && size_of(package) == 4);
  check_type(package, "hwloc://Package");
  int lowest;
  MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, package);
  CHECK(lowest == rank / 4 * 4);
  core = split(package, MPI_COMM_TYPE_HW_UNGUIDED, NULL);
  CHECK(core != MPI_COMM_NULL && size_of(core) == 1);
  check_type(core, "hwloc://Core");
  other = split(core, MPI_COMM_TYPE_HW_UNGUIDED, NULL);
  CHECK(other == MPI_COMM_NULL);
  MPI_Comm_free(&core);
  MPI_Comm_free(&package);

  static const struct {
    int type;
    const char* resource;
    int size;
  } guided[] = {
      {MPI_COMM_TYPE_HW_GUIDED, "hwloc://Package", 4},   {MPI_COMM_TYPE_HW_GUIDED, "L3Cache", 4},
      {MPI_COMM_TYPE_HW_GUIDED, "hwloc://Core", 1},      {MPI_COMM_TYPE_HW_GUIDED, "mpi_shared_memory", 8},
      {MPI_COMM_TYPE_HW_GUIDED, "hwloc://L2Cache", 0},   {MPI_COMM_TYPE_HW_GUIDED, "a coffee machine", 0},
      {MPI_COMM_TYPE_RESOURCE_GUIDED, "hwloc://Core", 1}};
  for (int i = 0; i < (int)(sizeof guided / sizeof guided[0]); ++i) {
    other = split(MPI_COMM_WORLD, guided[i].type, guided[i].resource);
    CHECK(guided[i].size == 0 ? other == MPI_COMM_NULL
                              : other != MPI_COMM_NULL && size_of(other) == guided[i].size);
    if (other != MPI_COMM_NULL) MPI_Comm_free(&other);
  }

  /* Two rows of four: in order, each package has a row, and all four columns cross. Two by two, two pairs do.
   */
  const int dims[2] = {2, 4}, periods[2] = {0, 0};
  MPI_Comm cart;
  int mapped, me;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  CHECK(crossings(cart) == 4);
  MPI_Comm_rank(cart, &me);
  CHECK(me == rank);
  MPI_Comm_free(&cart);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
  CHECK(crossings(cart) == 2);
  MPI_Comm_rank(cart, &me);
  MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &mapped);
  CHECK(mapped == me);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
