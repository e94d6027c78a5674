"""A reduction that is repeated has the same bits; with LOADSTONE_REPRODUCIBLE=1 whichever algorithm is fixed, and in all
forms. Without it they differ by algorithm, so the program can tell."""

import os
import re
import subprocess
import sys

MPIEXEC, LOADSTONE, PROGRAM = sys.argv[1:4]
COLLECTIVES = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")


def algorithms(collective: str) -> list:
    out = subprocess.run([LOADSTONE, "info", f"COLL_{collective}"], capture_output=True, text=True).stdout
    return re.search(r"one of ([a-z_ ]+): algorithm", out)[1].split()


def digest(ranks: int, fixed: dict, reproducible: bool) -> str:
    variables = {f"LOADSTONE_COLL_{name}": value for name, value in fixed.items()}
    word = "same" if reproducible else "differs" if fixed else "reductions"
    done = subprocess.run([MPIEXEC, "-n", str(ranks), PROGRAM, word], capture_output=True, text=True,
                          timeout=60, env={**os.environ, **variables, "LOADSTONE_REPRODUCIBLE": "1" if reproducible else "0"})
    if done.returncode != 0:
        sys.exit(f"{ranks} ranks, {fixed}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return re.search(r"digest ([0-9a-f]+)", done.stdout)[1]


def main() -> None:
    known = {name: algorithms(name) for name in COLLECTIVES}
    for ranks in (1, 2, 4, 7, 17):
        digest(ranks, {}, False)
        seen: dict = {True: set()}
        if ranks in (4, 7):
            seen[False] = set()
        for i in range(max(map(len, known.values()))):
            fixed = {name: of[min(i, len(of) - 1)] for name, of in known.items()}
            seen[True].add(digest(ranks, fixed, True))
            if False in seen and len(seen[False]) < 2:  # two are enough to know that they differ
                seen[False].add(digest(ranks, fixed, False))
        if len(seen[True]) != 1:
            sys.exit(f"{ranks} ranks: {len(seen[True])} results with LOADSTONE_REPRODUCIBLE=1: {known}")
        if False in seen and len(seen[False]) < 2:
            sys.exit(f"{ranks} ranks: all algorithms give the same bits, so this tests nothing")


main()
