#!/usr/bin/env python3
"""Writes a header that makes a program call MPI_X_c wherever it says MPI_X.

Included before everything else (-include), it lets the test programs check the large-count half of the interface as well: each
function of a pair becomes one of ours that widens its arguments, calls MPI_X_c and narrows the results. For programs with one thread.

usage: large_counts.py <abi folder> <output file>
"""

import sys
from pathlib import Path

# Their parameters differ in more than width: tests/programs/large_contents.c. Operations of the user get other arguments.
LEFT_OUT = {"MPI_Type_get_contents_c", "MPI_Type_get_envelope_c", "MPI_Op_create_c", "MPI_Register_datarep_c"}

TOP = r"""
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* Kept to the end: what a request that is not complete, or persistent, was given may not go. Reachable, for leak checkers. */
static struct large_kept { struct large_kept *next; MPI_Count values[]; } *large_all;

static inline void *large_keep(size_t n) {
  struct large_kept *k = (struct large_kept *)malloc(sizeof *k + n * sizeof(MPI_Count));
  k->next = large_all;
  large_all = k;
  return k->values;
}
static inline int large_local_size(MPI_Comm comm) { int n = 0; MPI_Comm_size(comm, &n); return n; }
static inline int large_remote_size(MPI_Comm comm) {
  int inter = 0, n = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (!inter) return large_local_size(comm);
  MPI_Comm_remote_size(comm, &n);
  return n;
}
static inline int large_degree(MPI_Comm comm, int in) {
  int kind = MPI_UNDEFINED, n = 0, out = 0, weighted;
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) { MPI_Cartdim_get(comm, &n); return 2 * n; }
  if (kind == MPI_GRAPH) { MPI_Comm_rank(comm, &out); MPI_Graph_neighbors_count(comm, out, &n); return n; }
  if (kind == MPI_DIST_GRAPH) { MPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted); return in ? n : out; }
  return 0;
}
"""


def length(p):
    if p.length in ("in_degree", "out_degree"):
        return f"large_degree(comm, {int(p.length == 'in_degree')})"
    if p.length in ("local_size", "remote_size"):
        return f"large_{p.length}(comm)"
    return p.length


def array(small, large, condition):
    name = large.name
    guard = f"{name} == NULL" + (f" || !({condition})" if condition else "")
    return [f"  {large.type} *large_{name} = NULL;",
            f"  if (!({guard})) {{",
            f"    const int n = {length(large)};",
            f"    large_{name} = ({large.type} *)large_keep((size_t)(n > 0 ? n : 0));",
            f"    for (int i = 0; i < n; i++) large_{name}[i] = {name}[i];",
            "  }"]


def significant(p):
    """A condition under which the array may be read."""
    rule = p.rules.get("significant", "")
    if rule == "at_root":
        return "large_at_root(root, comm)"
    if rule == "sendbuf":
        return "sendbuf != MPI_IN_PLACE"
    return ""


def adapter(small, large):
    before, arguments, after = [], [], []
    for s, p in zip(small.parameters, large.parameters):
        if s.type == p.type or not p.pointer:
            arguments.append(p.name)
        elif p.array:
            before += array(s, p, significant(p))
            arguments.append(f"large_{p.name}")
        else:
            start = "0" if p.direction == "out" else f"{p.name} ? *{p.name} : 0"
            before.append(f"  {p.type} large_{p.name} = {start};")
            arguments.append(f"{p.name} ? &large_{p.name} : NULL")
            fits = f"large_{p.name} > INT_MAX ? MPI_UNDEFINED : (int)large_{p.name}" if s.type == "int" else f"large_{p.name}"
            after.append(f"  if ({p.name}) *{p.name} = {fits};")
    parameters = ", ".join(p.text for p in small.parameters)
    return [f"static inline int large_{small.short}({parameters}) {{", *before,
            f"  const int large_code = {large.name}({', '.join(arguments)});", *after, "  return large_code;\n}"]


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(folder))
    import tables

    status = dict(line.split("\t") for line in (folder / "status.tsv").read_text().splitlines()[1:])
    pairs = [(f.partner, f) for f in tables.read_functions()
             if f.large and f.partner and f.name not in LEFT_OUT and status[f.name] == "yes"]
    if len(pairs) < 110:
        raise SystemExit(f"only {len(pairs)} pairs found")
    out = [TOP, "static inline int large_at_root(int root, MPI_Comm comm) {",
           "  int rank = -1, inter = 0;\n  MPI_Comm_rank(comm, &rank);\n  MPI_Comm_test_inter(comm, &inter);",
           "  return inter ? root == MPI_ROOT : root == rank;\n}"]
    for small, large in pairs:
        out += adapter(small, large)
    out += [f"#define {small.name} large_{small.short}" for small, _ in pairs]
    target.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
