/* Takes the cores away for some milliseconds again and again, as the host of a virtual machine may: what a test says of time, or
 * of who comes first, and what holds on a quiet machine only, fails beside it. `tests/run_all --noisy` runs the tests beside it.
 *
 *   cc -O2 tests/noisy_host.c -o noisy_host && ./noisy_host      until it is killed; needs the right to real-time priorities
 *
 * Each core has a process that computes for 2 to 50 ms, 14 on average, and then sleeps as long: half of the time is left. Its
 * priority is a real-time one, as tests that yield to a process of theirs would wait for a whole time slice each time.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds. */
static double some_time(void) {
  return 0.002 + 0.048 * drand48() * drand48();
}

static void disturb(int core) {
  const struct sched_param above_all = {.sched_priority = 50};
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  if (sched_setaffinity(0, sizeof only, &only) != 0 || sched_setscheduler(0, SCHED_FIFO, &above_all) != 0) {
    perror("noisy_host: no real-time priority on this core");
    exit(1);
  }
  srand48(core);
  for (;;) {
    for (const double end = now() + some_time(); now() < end;) {
    }
    usleep((useconds_t)(1e6 * some_time()));
  }
}

int main(void) {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return perror("noisy_host: sched_getaffinity"), 1;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mine)) continue;
    const pid_t child = fork();
    if (child < 0) return perror("noisy_host: fork"), 1;
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      disturb(core);
    }
  }
  wait(NULL); /* until one of them cannot go on */
  return 1;
}
