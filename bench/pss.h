/* The proportional set size of this process in KiB, which divides what several processes map among them: the sum over all
 * ranks is what the job takes. 0: the system does not tell.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#pragma once
#include <stdio.h>

static double pss_kib(void) {
  char line[256];
  double kib = 0;
  FILE* file = fopen("/proc/self/smaps_rollup", "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "Pss: %lf", &kib) == 1) break;
  fclose(file);
  return kib;
}
