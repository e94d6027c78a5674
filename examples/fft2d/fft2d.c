/* Low-pass filter of a picture by a distributed two-dimensional Fourier transform.
 *
 * The kernel is the 2D-FFT of T. Stricker, "Direct Deposit - When Message Passing meets Shared Memory"
 * (section 9.1): one-dimensional transforms of the rows, a transpose, one-dimensional transforms of what were
 * the columns; then the filter, and the same way back. The rows are distributed in blocks; any number of
 * ranks will do, dividing or not.
 *
 * The transposes are one collective call each, with derived datatypes on both sides: nothing is packed by
 * hand, so the library may move every element straight from the source array to its place in the destination
 * array.
 *
 *   fft2d PICTURE.pgm CUTOFF FILTERED.f64 SPECTRUM.f64 [REPEATS]
 *
 * CUTOFF is the width of the Gaussian filter as a share of the sampling rate. The results are rows of
 * doubles. SPDX-License-Identifier: BSD-3-Clause
 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { scatter, rows_forward, transpose_forward, columns, filter, transpose_back, rows_back, gather, phases };
static const char* const phase_names[phases] = {"scatter the picture",
                                                "transform the rows",
                                                "transpose",
                                                "transform the columns, both ways",
                                                "filter",
                                                "transpose back",
                                                "transform the rows back",
                                                "gather the results"};

static int rank, size;

static void fail(const char* what, const char* detail) {
  fprintf(stderr, "fft2d: %s %s\n", what, detail);
  MPI_Abort(MPI_COMM_WORLD, 2);
  exit(2);
}

static void* allocate(size_t bytes) {
  void* memory = fftw_malloc(bytes ? bytes : 1);
  if (!memory) fail("out of memory", "");
  return memory;
}

/* The first of n rows (or columns) that belong to rank r; rank r+1's first is one past its last. */
static int first_of(int n, int r) {
  return (int)((long long)n * r / size);
}
static int share_of(int n, int r) {
  return first_of(n, r + 1) - first_of(n, r);
}

static unsigned char* read_picture(const char* name, int* height, int* width) {
  FILE* in = fopen(name, "rb");
  int depth = 0;
  if (!in) fail("cannot open", name);
  if (fscanf(in, "P5 %d %d %d", width, height, &depth) != 3 || depth != 255 || fgetc(in) == EOF)
    fail("not a binary 8-bit PGM file:", name);
  size_t n = (size_t)*width * *height;
  unsigned char* pixels = allocate(n);
  if (fread(pixels, 1, n, in) != n) fail("the picture is cut short:", name);
  fclose(in);
  return pixels;
}

static void write_doubles(const char* name, const double* values, size_t n) {
  FILE* out = fopen(name, "wb");
  if (!out || fwrite(values, sizeof *values, n, out) != n || fclose(out)) fail("cannot write", name);
}

/* How a (height x width) matrix distributed by rows becomes a (width x height) matrix distributed by rows.
 * What goes to rank p: my rows of p's columns, column after column. What comes from rank q: in each row of
 * mine, the stretch that was q's rows. If the sizes divide, all blocks look alike, and MPI_Alltoall does it.
 */
typedef struct {
  int even;
  MPI_Datatype column, stretch; /* for MPI_Alltoall */
  int columns_each;
  MPI_Datatype *send, *receive; /* for MPI_Alltoallw, one per peer */
  int *send_count, *receive_count, *send_at, *receive_at;
} transposition;

static MPI_Datatype resized(MPI_Datatype type, size_t extent) {
  MPI_Datatype result;
  MPI_Type_create_resized(type, 0, (MPI_Aint)extent, &result);
  MPI_Type_commit(&result);
  MPI_Type_free(&type);
  return result;
}

static transposition plan_transposition(int height, int width) {
  const int my_rows = share_of(height, rank), my_columns = share_of(width, rank);
  const size_t element = sizeof(fftw_complex);
  transposition t = {.even = height % size == 0 && width % size == 0};
  MPI_Datatype type;
  MPI_Type_vector(my_rows, 1, width, MPI_C_DOUBLE_COMPLEX, &type);
  t.column = resized(type, element);
  if (t.even) {
    MPI_Type_vector(my_columns, height / size, height, MPI_C_DOUBLE_COMPLEX, &type);
    t.stretch = resized(type, element * (height / size));
    t.columns_each = width / size;
    return t;
  }
  t.send = allocate(sizeof *t.send * size);
  t.receive = allocate(sizeof *t.receive * size);
  t.send_count = allocate(sizeof(int) * size);
  t.receive_count = allocate(sizeof(int) * size);
  t.send_at = allocate(sizeof(int) * size);
  t.receive_at = allocate(sizeof(int) * size);
  for (int peer = 0; peer < size; peer++) {
    t.send[peer] = t.column;
    t.send_count[peer] = my_rows ? share_of(width, peer) : 0;
    t.send_at[peer] = (int)element * first_of(width, peer);
    MPI_Type_vector(my_columns, share_of(height, peer), height, MPI_C_DOUBLE_COMPLEX, &t.receive[peer]);
    MPI_Type_commit(&t.receive[peer]);
    t.receive_count[peer] = my_columns && share_of(height, peer) ? 1 : 0;
    t.receive_at[peer] = (int)element * first_of(height, peer);
  }
  return t;
}

static void transpose(const transposition* t, const fftw_complex* from, fftw_complex* to) {
  if (t->even)
    MPI_Alltoall(from, t->columns_each, t->column, to, 1, t->stretch, MPI_COMM_WORLD);
  else
    MPI_Alltoallw(from, t->send_count, t->send_at, t->send, to, t->receive_count, t->receive_at, t->receive,
                  MPI_COMM_WORLD);
}

static void free_transposition(transposition* t) {
  MPI_Type_free(&t->column);
  if (t->even) {
    MPI_Type_free(&t->stretch);
    return;
  }
  for (int peer = 0; peer < size; peer++) MPI_Type_free(&t->receive[peer]);
  fftw_free(t->send), fftw_free(t->receive);
  fftw_free(t->send_count), fftw_free(t->receive_count);
  fftw_free(t->send_at), fftw_free(t->receive_at);
}

/* count transforms of length n, one after the other, in place; no plan if there is nothing to do. */
static fftw_plan plan_rows(int n, int count, fftw_complex* data, int direction) {
  return count
             ? fftw_plan_many_dft(1, &n, count, data, NULL, 1, n, data, NULL, 1, n, direction, FFTW_ESTIMATE)
             : NULL;
}

static void execute(fftw_plan plan) {
  if (plan) fftw_execute(plan);
}

/* A phase begins when everybody is there. */
static double all_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* Multiplies the spectrum by a Gaussian, and by what the unnormalised transforms leave behind; notes the
 * logarithm of its magnitude before that. */
static void low_pass(fftw_complex* spectrum, double* magnitude, double cutoff, int height, int width) {
  const double scale = 1.0 / ((double)width * height);
  for (int c = 0; c < share_of(width, rank); c++) {
    const int kx = first_of(width, rank) + c;
    const double fx = (double)(kx <= width / 2 ? kx : kx - width) / width;
    for (int ky = 0; ky < height; ky++) {
      const double fy = (double)(ky <= height / 2 ? ky : ky - height) / height;
      const size_t at = (size_t)c * height + ky;
      magnitude[at] = log1p(cabs(spectrum[at]));
      spectrum[at] *= scale * exp(-(fx * fx + fy * fy) / (2 * cutoff * cutoff));
    }
  }
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 5) fail("usage:", "fft2d PICTURE.pgm CUTOFF FILTERED.f64 SPECTRUM.f64 [REPEATS]");
  const double cutoff = atof(argv[2]);
  const int repeats = argc > 5 ? atoi(argv[5]) : 5;
  if (cutoff <= 0 || repeats < 1) fail("CUTOFF and REPEATS must be positive", "");

  int shape[2] = {0, 0};
  unsigned char* picture = rank == 0 ? read_picture(argv[1], &shape[0], &shape[1]) : NULL;
  MPI_Bcast(shape, 2, MPI_INT, 0, MPI_COMM_WORLD);
  const int height = shape[0], width = shape[1];
  const int my_rows = share_of(height, rank), my_columns = share_of(width, rank);

  unsigned char* my_pixels = allocate((size_t)my_rows * width);
  fftw_complex* by_rows = allocate(sizeof(fftw_complex) * my_rows * width);
  fftw_complex* by_columns = allocate(sizeof(fftw_complex) * my_columns * height);
  double* magnitude = allocate(sizeof(double) * my_columns * height);
  double* filtered = rank == 0 ? allocate(sizeof(double) * height * width) : NULL;
  double* spectrum = rank == 0 ? allocate(sizeof(double) * height * width) : NULL;
  double* times = allocate(sizeof(double) * phases * repeats);

  fftw_plan forward_rows = plan_rows(width, my_rows, by_rows, FFTW_FORWARD);
  fftw_plan backward_rows = plan_rows(width, my_rows, by_rows, FFTW_BACKWARD);
  fftw_plan forward_columns = plan_rows(height, my_columns, by_columns, FFTW_FORWARD);
  fftw_plan backward_columns = plan_rows(height, my_columns, by_columns, FFTW_BACKWARD);
  transposition there = plan_transposition(height, width), back = plan_transposition(width, height);

  /* Who has how many pixels, rows and columns: for the scatter and the gathers. */
  int* counts = allocate(sizeof(int) * size);
  int* places = allocate(sizeof(int) * size);
  MPI_Datatype pixel_row, real_part, row_of_doubles, column_of_doubles, type;
  MPI_Type_contiguous(width, MPI_UNSIGNED_CHAR, &pixel_row);
  MPI_Type_commit(&pixel_row);
  MPI_Type_create_resized(MPI_DOUBLE, 0, sizeof(fftw_complex),
                          &real_part); /* the real part of each complex number */
  MPI_Type_commit(&real_part);
  MPI_Type_contiguous(width, MPI_DOUBLE, &row_of_doubles);
  MPI_Type_commit(&row_of_doubles);
  MPI_Type_vector(height, 1, width, MPI_DOUBLE,
                  &type); /* one column of the spectrum, at its place in the matrix */
  column_of_doubles = resized(type, sizeof(double));

  for (int repeat = 0; repeat < repeats; repeat++) {
    double* time = times + (size_t)repeat * phases;

    double begin = all_together();
    for (int r = 0; r < size; r++) counts[r] = share_of(height, r), places[r] = first_of(height, r);
    MPI_Scatterv(picture, counts, places, pixel_row, my_pixels, my_rows, pixel_row, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < (size_t)my_rows * width; i++) by_rows[i] = my_pixels[i];
    time[scatter] = MPI_Wtime() - begin;

    begin = all_together();
    execute(forward_rows);
    time[rows_forward] = MPI_Wtime() - begin;

    begin = all_together();
    transpose(&there, by_rows, by_columns);
    time[transpose_forward] = MPI_Wtime() - begin;

    begin = all_together();
    execute(forward_columns);
    time[columns] = MPI_Wtime() - begin;

    begin = all_together();
    low_pass(by_columns, magnitude, cutoff, height, width);
    time[filter] = MPI_Wtime() - begin;

    begin = all_together();
    execute(backward_columns);
    time[columns] += MPI_Wtime() - begin;

    begin = all_together();
    transpose(&back, by_columns, by_rows);
    time[transpose_back] = MPI_Wtime() - begin;

    begin = all_together();
    execute(backward_rows);
    time[rows_back] = MPI_Wtime() - begin;

    begin = all_together();
    MPI_Gatherv(by_rows, my_rows * width, real_part, filtered, counts, places, row_of_doubles, 0,
                MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) counts[r] = share_of(width, r), places[r] = first_of(width, r);
    MPI_Gatherv(magnitude, my_columns * height, MPI_DOUBLE, spectrum, counts, places, column_of_doubles, 0,
                MPI_COMM_WORLD);
    time[gather] = MPI_Wtime() - begin;
  }

  /* A phase lasts as long as its slowest rank; of the repetitions, the median. */
  MPI_Allreduce(MPI_IN_PLACE, times, phases * repeats, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\r\n")] = '\0';
    printf("library: %s\n", library);
    printf("picture: %d x %d, ranks: %d, transpose by %s\n", width, height, size,
           there.even ? "MPI_Alltoall" : "MPI_Alltoallw");
    double* one = allocate(sizeof(double) * repeats);
    double total = 0;
    for (int phase = 0; phase < phases; phase++) {
      for (int repeat = 0; repeat < repeats; repeat++) one[repeat] = times[(size_t)repeat * phases + phase];
      qsort(one, repeats, sizeof *one, by_value);
      printf("  %-34s %9.3f ms\n", phase_names[phase], 1e3 * one[repeats / 2]);
      total += one[repeats / 2];
    }
    printf("  %-34s %9.3f ms   (medians of %d)\n", "all", 1e3 * total, repeats);
    fftw_free(one);
    write_doubles(argv[3], filtered, (size_t)height * width);
    write_doubles(argv[4], spectrum, (size_t)height * width);
  }

  free_transposition(&there);
  free_transposition(&back);
  MPI_Type_free(&pixel_row);
  MPI_Type_free(&real_part);
  MPI_Type_free(&row_of_doubles);
  MPI_Type_free(&column_of_doubles);
  fftw_destroy_plan(forward_rows), fftw_destroy_plan(backward_rows);
  fftw_destroy_plan(forward_columns), fftw_destroy_plan(backward_columns);
  void* const everything[] = {picture,  my_pixels, by_rows, by_columns, magnitude,
                              filtered, spectrum,  times,   counts,     places};
  for (size_t i = 0; i < sizeof everything / sizeof *everything; i++) fftw_free(everything[i]);
  MPI_Finalize();
  return 0;
}
