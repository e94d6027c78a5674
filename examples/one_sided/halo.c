/* A plate that is heated at two edges (Jacobi's iteration on a square grid), computed twice: with halos exchanged by messages,
 * and with halos put straight into the neighbours' grids. Both are timed, and both must give the bits that one rank computes alone.
 *
 *   mpiexec -n 4 halo [POINTS [STEPS]]         POINTS in each direction of the whole plate
 *
 * The ranks form a grid of ranks (MPI_Cart_create). A rank's part has a frame of one point on each side; rows of the frame are
 * contiguous, columns are a vector type. Grids lie in memory of MPI_Win_allocate. An exchange is
 *
 *   by messages   MPI_Irecv and MPI_Isend for each side, MPI_Waitall
 *   by puts       MPI_Win_post and MPI_Win_start with the neighbours, MPI_Put for each side, MPI_Win_complete, MPI_Win_wait
 *
 * There are two grids, written by turns. A neighbour puts into the frame of the one that was just computed, which its owner reads only
 * after MPI_Win_wait.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sides = 4 }; /* up, down, left, right */

static int rank, size;

static void fail(const char* what) {
  fprintf(stderr, "halo: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

/* A part of the plate, with its frame; rows above each other. */
typedef struct {
  int rows, columns; /* without the frame */
  int first_row, first_column;
} part;

static size_t width_of(const part* p) {
  return (size_t)p->columns + 2;
}

static size_t points_of(const part* p) {
  return ((size_t)p->rows + 2) * width_of(p);
}

typedef struct {
  part own;
  MPI_Comm grid;
  MPI_Win win;
  double* values;       /* two grids, one behind the other */
  int neighbour[sides]; /* or MPI_PROC_NULL */
  MPI_Group neighbours;
  MPI_Datatype row, column;  /* of this rank's grids: a side without corners */
  MPI_Datatype their[sides]; /* columns of the neighbours: their grids have other widths */
  size_t their_frame[sides]; /* where in each of their grids this rank's edge goes */
  size_t their_points[sides];
} plate;

/* The temperature outside: 1 at the left, and rising along the upper edge. */
static double edge_value(int row, int column, int points) {
  if (column < 0) return 1;
  if (row < 0) return (double)column / points;
  return 0;
}

static void fill(const part* p, double* values, int points) {
  for (int r = -1; r <= p->rows; r++)
    for (int c = -1; c <= p->columns; c++) {
      const int row = p->first_row + r, column = p->first_column + c;
      const int outside = row < 0 || column < 0 || row >= points || column >= points;
      values[(size_t)(r + 1) * width_of(p) + (size_t)(c + 1)] = outside ? edge_value(row, column, points) : 0;
    }
}

static void step(const part* p, const double* from, double* to) {
  const size_t width = width_of(p);
  for (int r = 1; r <= p->rows; r++)
    for (int c = 1; c <= p->columns; c++) {
      const size_t at = (size_t)r * width + (size_t)c;
      to[at] = 0.25 * (from[at - width] + from[at + width] + from[at - 1] + from[at + 1]);
    }
}

/* Where the k-th of n parts begins. */
static int begin_of(int points, int n, int k) {
  return (int)((long)points * k / n);
}

static part part_at(int points, const int dims[2], int y, int x) {
  part p = {.first_row = begin_of(points, dims[0], y), .first_column = begin_of(points, dims[1], x)};
  p.rows = begin_of(points, dims[0], y + 1) - p.first_row;
  p.columns = begin_of(points, dims[1], x + 1) - p.first_column;
  return p;
}

/* The first inner point of an edge of this part (its frame: inside = 0). */
static size_t side_of(const part* p, int side, int inside) {
  const size_t width = width_of(p);
  switch (side) {
    case 0:
      return (inside ? width : 0) + 1;
    case 1:
      return ((size_t)p->rows + (inside ? 0 : 1)) * width + 1;
    case 2:
      return width + (inside ? 1 : 0);
    default:
      return width + (size_t)p->columns + (inside ? 0 : 1);
  }
}

static MPI_Datatype column_type(const part* p) {
  MPI_Datatype type;
  MPI_Type_vector(p->rows, 1, (int)width_of(p), MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static plate make_plate(int points) {
  plate p;
  int dims[2] = {0, 0}, at[2], none[2] = {0, 0}, members[sides], count = 0;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, none, 0, &p.grid);
  MPI_Cart_coords(p.grid, rank, 2, at);
  p.own = part_at(points, dims, at[0], at[1]);
  MPI_Cart_shift(p.grid, 0, 1, &p.neighbour[0], &p.neighbour[1]);
  MPI_Cart_shift(p.grid, 1, 1, &p.neighbour[2], &p.neighbour[3]);
  MPI_Type_contiguous(p.own.columns, MPI_DOUBLE, &p.row);
  MPI_Type_commit(&p.row);
  p.column = column_type(&p.own);
  for (int s = 0; s < sides; s++) {
    static const int dy[] = {-1, 1, 0, 0}, dx[] = {0, 0, -1, 1};
    p.their[s] = MPI_DATATYPE_NULL, p.their_frame[s] = p.their_points[s] = 0;
    if (p.neighbour[s] == MPI_PROC_NULL) continue;
    const part their = part_at(points, dims, at[0] + dy[s], at[1] + dx[s]);
    p.their[s] = s < 2 ? p.row : column_type(&their);
    p.their_frame[s] = side_of(&their, s ^ 1, 0);
    p.their_points[s] = points_of(&their);
    members[count++] = p.neighbour[s];
  }
  MPI_Group all;
  MPI_Comm_group(p.grid, &all);
  MPI_Group_incl(all, count, members, &p.neighbours);
  MPI_Group_free(&all);
  MPI_Win_allocate((MPI_Aint)(2 * points_of(&p.own) * sizeof(double)), sizeof(double), MPI_INFO_NULL, p.grid,
                   &p.values, &p.win);
  return p;
}

static void free_plate(plate* p) {
  for (int s = 2; s < sides; s++)
    if (p->their[s] != MPI_DATATYPE_NULL) MPI_Type_free(&p->their[s]);
  MPI_Type_free(&p->row);
  MPI_Type_free(&p->column);
  MPI_Group_free(&p->neighbours);
  MPI_Win_free(&p->win);
  MPI_Comm_free(&p->grid);
}

/* --- two ways to exchange the frame of one of the two grids --- */

static void by_messages(const plate* p, int which) {
  double* values = p->values + (size_t)which * points_of(&p->own);
  MPI_Request requests[2 * sides];
  for (int s = 0; s < sides; s++) {
    const MPI_Datatype type = s < 2 ? p->row : p->column;
    MPI_Irecv(values + side_of(&p->own, s, 0), 1, type, p->neighbour[s], s ^ 1, p->grid, &requests[s]);
    MPI_Isend(values + side_of(&p->own, s, 1), 1, type, p->neighbour[s], s, p->grid, &requests[sides + s]);
  }
  MPI_Waitall(2 * sides, requests, MPI_STATUSES_IGNORE);
}

static void by_puts(const plate* p, int which) {
  double* values = p->values + (size_t)which * points_of(&p->own);
  MPI_Win_post(p->neighbours, 0, p->win);
  MPI_Win_start(p->neighbours, 0, p->win);
  for (int s = 0; s < sides; s++) {
    if (p->neighbour[s] == MPI_PROC_NULL) continue;
    const MPI_Aint there = (MPI_Aint)((size_t)which * p->their_points[s] + p->their_frame[s]);
    MPI_Put(values + side_of(&p->own, s, 1), 1, s < 2 ? p->row : p->column, p->neighbour[s], there, 1,
            p->their[s], p->win);
  }
  MPI_Win_complete(p->win);
  MPI_Win_wait(p->win);
}

/* Seconds in exchanges, the mean of all ranks; what has been computed is in the grid of the last step. */
static double run(plate* p, void (*exchange)(const plate*, int), int points, int steps, double* whole) {
  double inside = 0, sum = 0;
  for (int which = 0; which < 2; which++)
    fill(&p->own, p->values + (size_t)which * points_of(&p->own), points);
  MPI_Barrier(p->grid);
  const double begin = MPI_Wtime();
  for (int i = 0; i < steps; i++) {
    const int to = (i + 1) % 2;
    step(&p->own, p->values + (size_t)(1 - to) * points_of(&p->own),
         p->values + (size_t)to * points_of(&p->own));
    const double start = MPI_Wtime();
    exchange(p, to);
    inside += MPI_Wtime() - start;
  }
  MPI_Barrier(p->grid);
  *whole = MPI_Wtime() - begin;
  MPI_Allreduce(&inside, &sum, 1, MPI_DOUBLE, MPI_SUM, p->grid);
  return sum / size;
}

/* Every rank computes the whole plate, and compares its part. */
static void compare(const plate* p, const double* alone, int points, int steps, const char* way) {
  const part whole = {points, points, 0, 0};
  const double* own = p->values + (size_t)(steps % 2) * points_of(&p->own);
  for (int r = 1; r <= p->own.rows; r++)
    if (memcmp(own + (size_t)r * width_of(&p->own) + 1,
               alone + (size_t)(p->own.first_row + r) * width_of(&whole) + (size_t)p->own.first_column + 1,
               (size_t)p->own.columns * sizeof(double)) != 0) {
      fprintf(stderr, "halo: row %d, %s: ", p->own.first_row + r - 1, way);
      fail("WRONG RESULT: not what one rank computes alone");
    }
}

static double* plate_alone(int points, int steps, double** memory) {
  const part whole = {points, points, 0, 0};
  double* values = malloc(2 * points_of(&whole) * sizeof(double));
  if (!values) fail("out of memory");
  *memory = values;
  double *from = values, *to = values + points_of(&whole);
  fill(&whole, from, points);
  fill(&whole, to, points);
  for (int i = 0; i < steps; i++) {
    step(&whole, from, to);
    double* const swapped = from;
    from = to, to = swapped;
  }
  return from;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int points = argc > 1 ? atoi(argv[1]) : 512, steps = argc > 2 ? atoi(argv[2]) : 400;
  if (points < size || points > 1 << 14 || steps < 1)
    fail("usage: halo [POINTS [STEPS]], POINTS not below the number of ranks");
  static void (*const ways[])(const plate*, int) = {by_messages, by_puts};
  static const char* const names[] = {"messages", "puts"};
  plate p = make_plate(points);
  double *memory, *alone = plate_alone(points, steps, &memory);
  double best[2] = {1e9, 1e9}, best_whole[2] = {1e9, 1e9};
  for (int turn = 0; turn < 3; turn++) /* by turns; the least counts */
    for (int w = 0; w < 2; w++) {
      double whole;
      const double took = run(&p, ways[w], points, steps, &whole);
      compare(&p, alone, points, steps, names[w]);
      MPI_Barrier(p.grid);
      if (took < best[w]) best[w] = took;
      if (whole < best_whole[w]) best_whole[w] = whole;
    }
  if (rank == 0) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;
    MPI_Get_library_version(version, &n);
    version[strcspn(version, "\r\n")] = '\0';
    printf("library: %s\nranks: %d\n", version, size);
    printf("%d x %d points, %d steps; microseconds of a step\n", points, points, steps);
    for (int w = 0; w < 2; w++)
      printf("  halos by %-8s  %9.2f, of it %9.2f in the exchange\n", names[w], 1e6 * best_whole[w] / steps,
             1e6 * best[w] / steps);
    printf("both give the bits that one rank computes alone\n");
  }
  free(memory);
  free_plate(&p);
  MPI_Finalize();
  return 0;
}
