#!/usr/bin/env python3
"""Writes a library for LD_PRELOAD that stands in front of every function of MPI: it counts the call and passes it on.

At the end of the process it appends a line for each function that was called, with the number of calls, to the file that
COUNTED_CALLS names.

usage: interposition.py <abi folder> <output file>
"""

import sys
from pathlib import Path

TOP = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
"""

END = r"""
static struct { const char *name; long *calls; } all[] = {
%s
};

__attribute__((destructor)) static void report(void) {
  const char *where = getenv("COUNTED_CALLS");
  FILE *out = where ? fopen(where, "a") : NULL;
  if (!out) return;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (*all[i].calls) fprintf(out, "%%s %%ld\n", all[i].name, *all[i].calls);
  fclose(out);
}
"""


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(folder))
    import tables

    functions = tables.read_functions()
    if len(functions) != 664:
        raise SystemExit(f"{len(functions)} functions, expected 664")
    out = [TOP]
    for f in functions:
        parameters = ", ".join([p.text for p in f.parameters] + ["..."] * f.variadic) or "void"
        # What follows of the only variadic function, MPI_Pcontrol, is between the program and a tool: not passed on.
        arguments = ", ".join(p.name for p in f.parameters)
        out.append(f"static long calls_{f.short};")
        out.append(f"{f.returns} {f.name}({parameters}) {{")
        out.append(f"  __atomic_fetch_add(&calls_{f.short}, 1, __ATOMIC_RELAXED);")
        out.append(f"  return P{f.name}({arguments});\n}}")
    out.append(END % "\n".join(f'  {{"{f.name}", &calls_{f.short}}},' for f in functions))
    target.write_text("\n".join(out))


if __name__ == "__main__":
    main()
