/* What a program loses to writes that others make, of bare processes: no library is in it.
 *
 *   cc -O2 bench/bare_beside.c -o bare_beside && ./bare_beside FOLDER [PROCESSES [MIB]]
 *
 * Each process computes on data that fit its first cache, so long as takes it about a second: alone, then beside one more process
 * that writes MIB to a file past the page cache (O_DIRECT), from shared memory of single pages, and of huge ones. That takes next
 * to no processor time of this machine. Prints how long the slowest takes, and how much processor time the host has taken from all
 * cores meanwhile ("steal"). A virtual machine whose host counts its work for the disk against it is slower by that if all cores
 * compute.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { unit = 8 << 20, items = 2048, most = 64, collapse = 25 /* MADV_COLLAPSE, as Linux 6.1 has it */ };
static double x[items];

static void fail(const char* what) {
  perror(what);
  exit(1);
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void compute(long turns) {
  for (long t = 0; t < turns; t++)
    for (int i = 0; i < items; i++) x[i] = x[i] * 0.999 + 1;
}
static double stolen(void) {
  double user, nice, system, idle, wait, irq, softirq, steal = 0;
  FILE* stat = fopen("/proc/stat", "r");
  if (!stat || fscanf(stat, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq,
                      &softirq, &steal) != 8)
    fail("/proc/stat");
  fclose(stat);
  return steal / (double)sysconf(_SC_CLK_TCK);
}

static void write_all(const char* folder, int mib, int huge) {
  char name[4096];
  snprintf(name, sizeof name, "%s/bare-beside.data", folder);
  const int file = open(name, O_CREAT | O_WRONLY | O_TRUNC | O_DIRECT, 0600);
  if (file < 0) fail("open");
  unlink(name);
  char* data = mmap(NULL, 2 * unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0); /* room to begin with a huge page */
  const int memory = memfd_create("bare-beside", 0);
  if (data == MAP_FAILED || memory < 0 || ftruncate(memory, unit)) fail("memory");
  data += -(uintptr_t)data % (2 << 20);
  if (mmap(data, unit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) == MAP_FAILED) fail("mmap");
  memset(data, 1, unit);
  if (huge && madvise(data, unit, collapse)) fail("huge pages");
  for (long at = 0; at < (long)mib << 20; at += unit)
    if (pwrite(file, data, unit, at) != unit) fail("pwrite");
}

/* How long the slowest of them took, and the writer. */
static double run(int processes, long turns, const char* folder, int mib, int huge, double* wrote) {
  double* took =
      mmap(NULL, (most + 1) * sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (took == MAP_FAILED) fail("mmap");
  for (int p = mib > 0 ? 0 : 1; p <= processes; p++)
    if (fork() == 0) {
      const double begin = now();
      if (p == 0)
        write_all(folder, mib, huge);
      else
        compute(turns);
      took[p] = now() - begin;
      _exit(0); /* what stdio holds is our parent's */
    }
  for (int status; wait(&status) > 0;)
    if (status != 0) exit(1);
  double slowest = 0;
  for (int p = 1; p <= processes; p++)
    if (took[p] > slowest) slowest = took[p];
  *wrote = took[0];
  return slowest;
}

int main(int argc, char** argv) {
  if (argc < 2) return fprintf(stderr, "usage: bare_beside FOLDER [PROCESSES [MIB]]\n"), 2;
  const int processes = argc > 2 ? atoi(argv[2]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  const int mib = argc > 3 ? atoi(argv[3]) : 256;
  if (processes < 1 || processes > most || mib < 8) return fprintf(stderr, "no such number\n"), 2;
  const double begin = now();
  long turns = 0;
  for (; now() - begin < 0.5; turns += 100) compute(100);
  turns *= 2;
  printf("pages\talone s\tbeside s\twriting s\tstolen s\tstolen, ms for a MiB written\n");
  for (int i = 0; i < 6; i++) {
    double wrote;
    const double alone = run(processes, turns, argv[1], 0, 0, &wrote), before = stolen();
    const double beside = run(processes, turns, argv[1], mib, i % 2, &wrote), steal = stolen() - before;
    printf("%s\t%.3f\t%.3f\t%.3f\t%.2f\t%.2f\n", i % 2 ? "huge" : "single", alone, beside, wrote, steal,
           1e3 * steal / mib);
    fflush(stdout);
  }
  return 0;
}
