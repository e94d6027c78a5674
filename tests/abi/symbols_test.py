#!/usr/bin/env python3
"""The symbols of libmpi_abi.so.1 are the functions of the table and their PMPI_ twins: nothing missing, nothing more.

usage: symbols_test.py <library> <functions.tsv> <nm> <readelf>
"""

import subprocess
import sys


def main():
    library, table, nm, readelf = sys.argv[1:]
    with open(table, encoding="utf-8") as file:
        names = [line.split("\t")[0] for line in file][1:]
    if len(names) != 664:
        raise SystemExit(f"{table} has {len(names)} functions, expected 664")
    wanted = set(names) | {"P" + name for name in names}
    weak, strong = set(), set()
    for line in subprocess.check_output([nm, "-D", "--defined-only", library], text=True).splitlines():
        kind, symbol = line.split()[-2:]
        (weak if kind in "WV" else strong).add(symbol)
    found = weak | strong
    problems = [f"missing: {name}" for name in sorted(wanted - found)]
    problems += [f"exported but not public: {name}" for name in sorted(found - wanted)]
    problems += [f"not weak, tools cannot replace it: {name}" for name in sorted(strong & set(names))]
    problems += [f"weak: {name}" for name in sorted(weak - set(names))]
    dynamic = subprocess.check_output([readelf, "-d", library], text=True)
    if "[libmpi_abi.so.1]" not in dynamic:
        problems.append("the SONAME is not libmpi_abi.so.1")
    # Python opens the library with dlopen: no static TLS.
    if "STATIC_TLS" in dynamic:
        problems.append("the library needs static TLS")
    print("\n".join(problems) or f"{len(found)} symbols")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
