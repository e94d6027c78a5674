/* Small applications, on the standard ABI only, so that one binary runs on every library that has it.
 *
 *   apps fft   (1, 2, 4, ...)  2D FFT of 512 x 512 complex numbers, rows on ranks: FFTs of rows, transpose by
 *                              MPI_Alltoall, FFTs of columns; time of one there and back, which must give what it began with
 *   apps sor   (any)           red-black SOR of a Laplace equation on 128 x 512 points, rows on ranks: exchange of rows
 *                              with both neighbours by MPI_Sendrecv, and MPI_Allreduce of the change, in each sweep; time of a
 *                              sweep, and the result must be the solution
 *   apps overlap  (any)        time of a step in which each rank computes for 200 us and an MPI_Iallreduce of 64 KiB is under
 *                              way; less than computation and collective together is overlap
 * And what every program of figures knows (figures.h).
 *
 * Prints lines "figure <tab> habit <tab> size <tab> value"; times in microseconds, of the slowest rank.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

#include "figures.h"

static const double pi = 3.14159265358979323846;

static double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/* --- 2D FFT --- */

enum { points = 512 };
static double complex roots[points / 2];

/* In place; sign -1: forwards. */
static void transform(double complex* row, int sign) {
  for (int i = 1, j = 0; i < points; i++) {
    int bit = points >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const double complex kept = row[i];
      row[i] = row[j], row[j] = kept;
    }
  }
  for (int half = 1; half < points; half *= 2)
    for (int begin = 0; begin < points; begin += 2 * half)
      for (int k = 0; k < half; k++) {
        const double complex root = roots[k * (points / 2 / half)];
        const double complex odd = row[begin + half + k] * (sign < 0 ? root : conj(root));
        row[begin + half + k] = row[begin + k] - odd;
        row[begin + k] += odd;
      }
}

typedef struct {
  double complex *rows, *out, *in;
  int count; /* rows of this rank */
} plane;

/* Block (from, to) is the rows of `from` in the columns of `to`; it leaves transposed. */
static void transpose(plane* p) {
  const int n = p->count;
  for (int to = 0; to < size; to++)
    for (int c = 0; c < n; c++)
      for (int r = 0; r < n; r++) p->out[(to * n + c) * n + r] = p->rows[r * points + to * n + c];
  MPI_Alltoall(p->out, 2 * n * n, MPI_DOUBLE, p->in, 2 * n * n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int from = 0; from < size; from++)
    for (int c = 0; c < n; c++)
      memcpy(p->rows + c * points + from * n, p->in + (from * n + c) * n, sizeof(double complex) * (size_t)n);
}

static double there_and_back(void* of, int k) {
  plane* p = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int r = 0; r < p->count; r++) transform(p->rows + r * points, sign);
      transpose(p);
      for (int r = 0; r < p->count; r++) transform(p->rows + r * points, sign);
      transpose(p);
      if (sign > 0)
        for (int e = 0; e < p->count * points; e++) p->rows[e] /= (double)points * points;
    }
  return slowest(MPI_Wtime() - begin);
}

static double complex wave(int row, int column) {
  return sin(0.1 * row) + 0.01 * column + I * cos(0.3 * row + 0.7 * column);
}

static void fft(void) {
  if (points % size) fail("fft takes a number of ranks that divides 512");
  plane p = {.count = points / size};
  const size_t bytes = sizeof(double complex) * points * (size_t)p.count;
  p.rows = memory_of(bytes), p.out = memory_of(bytes), p.in = memory_of(bytes);
  for (int k = 0; k < points / 2; k++) roots[k] = cexp(-2 * pi * I * k / points);
  for (int r = 0; r < p.count; r++)
    for (int c = 0; c < points; c++) p.rows[r * points + c] = wave(rank * p.count + r, c);
  const double took = measured(there_and_back, &p, repetitions(there_and_back(&p, 1)), "fft", size);
  for (int r = 0; r < p.count; r++)
    for (int c = 0; c < points; c++)
      if (cabs(p.rows[r * points + c] - wave(rank * p.count + r, c)) > 1e-8) fail("WRONG DATA");
  report("apps", "2D FFT there and back", size, 1e6 * took);
  free(p.rows), free(p.out), free(p.in);
}

/* --- SOR --- */

enum { height = 128, width = 512, sweeps = 1500 };

typedef struct {
  double* u; /* with a row above and below, and a column on each side */
  int first, count;
} strip;

static double* row_of(const strip* s, int r) {
  return s->u + (size_t)(r - s->first + 1) * (width + 2);
}

/* The solution, and so the boundary. */
static double solution(int r, int c) {
  return 3.0 * r - 2.0 * c + 0.01 * r * c;
}

static double sweep(strip* s) {
  const double w = 2 / (1 + sin(pi / height));
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double change = 0, all = 0;
  for (int colour = 0; colour < 2; colour++) {
    double *top = row_of(s, s->first), *bottom = row_of(s, s->first + s->count - 1);
    MPI_Sendrecv(top, width + 2, MPI_DOUBLE, above, 1, bottom + width + 2, width + 2, MPI_DOUBLE, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(bottom, width + 2, MPI_DOUBLE, below, 2, top - width - 2, width + 2, MPI_DOUBLE, above, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int r = s->first; r < s->first + s->count; r++) {
      double *here = row_of(s, r), *up = here - width - 2, *down = here + width + 2;
      for (int c = 1 + (r + colour) % 2; c <= width; c += 2) {
        const double by = w * (0.25 * (up[c] + down[c] + here[c - 1] + here[c + 1]) - here[c]);
        here[c] += by;
        change = fmax(change, fabs(by));
      }
    }
  }
  MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static void sor(void) {
  strip s = {.first = 1 + height * rank / size, .count = height * (rank + 1) / size - height * rank / size};
  if (height < size) fail("sor takes at most 128 ranks");
  s.u = memory_of(sizeof(double) * (width + 2) * (size_t)(s.count + 2));
  for (int r = s.first - 1; r <= s.first + s.count; r++)
    for (int c = 0; c < width + 2; c++)
      row_of(&s, r)[c] = r == 0 || r == height + 1 || c == 0 || c == width + 1 ? solution(r, c) : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double change = 1;
  for (int i = 0; i < sweeps; i++) change = sweep(&s);
  const double took = slowest(MPI_Wtime() - begin);
  if (change > 1e-9) fail("SOR has not converged");
  for (int r = s.first; r < s.first + s.count; r++)
    for (int c = 1; c <= width; c++)
      if (fabs(row_of(&s, r)[c] - solution(r, c)) > 1e-6) fail("WRONG DATA");
  report("apps", "SOR, a sweep", size, 1e6 * took / sweeps);
  free(s.u);
}

/* --- overlap --- */

typedef struct {
  double *send, *receive;
  long turns;
  int collective;
} step;

enum { overlapped = 8192 };

static double steps_of(void* of, int k) {
  const step* s = of;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < k; i++) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (s->collective)
      MPI_Iallreduce(s->send, s->receive, overlapped, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    if (s->turns) compute(s->turns);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return slowest(MPI_Wtime() - begin);
}

static void overlap(void) {
  const size_t bytes = sizeof(double) * overlapped;
  const long turns = turns_of(200e-6);
  step s = {.send = memory_of(bytes), .receive = memory_of(bytes)};
  for (int i = 0; i < overlapped; i++) s.send[i] = rank + i;
  static const char* const names[] = {"computation alone", "Iallreduce alone", "both, overlapped"};
  for (int form = 0; form < 3; form++) {
    s.turns = form == 1 ? 0 : turns, s.collective = form != 0;
    steps_of(&s, 4);
    report("apps", names[form], size,
           1e6 * measured(steps_of, &s, repetitions(steps_of(&s, 4) / 4), "apps", size));
  }
  for (int i = 0; i < overlapped; i++)
    if (s.receive[i] != size * (double)i + size * (size - 1) / 2) fail("WRONG DATA");
  free(s.send), free(s.receive);
}

int main(int argc, char** argv) {
  static const figure figures[] = {{"fft", fft, 0}, {"sor", sor, 0}, {"overlap", overlap, 0}};
  return run_figures(argc, argv, "apps", figures, sizeof figures / sizeof *figures, NULL);
}
