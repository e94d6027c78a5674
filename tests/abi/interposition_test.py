#!/usr/bin/env python3
"""Tools may stand in front of every function (MPI-5.0, chapter "Tool Support", "Profiling Interface").

Our programs run with a preloaded library that wraps all 664 functions (interposition.py). They must pass as they do without
it; each call they make must go through the wrapper; and the wrapper must see only what the program itself calls: a library that
called MPI_X from within MPI_Y would be counted twice by every profiler.

usage: interposition_test.py <preloaded library> <libraries of ours, separated by ','> <nm> <readelf> <mpiexec> <program>:<ranks>…
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MPI = re.compile(r"\bP?MPI_\w+")


def imported(nm, binary):
    """The MPI_ functions a binary takes from elsewhere."""
    text = subprocess.check_output([nm, "-D", "--undefined-only", binary], text=True)
    return {name for name in MPI.findall(text) if name.startswith("MPI_")}


def internal_calls(nm, readelf, library):
    """Places where a library refers to a function of MPI by a name that another library could take."""
    found = [f"{library}: undefined {name}" for name in sorted(imported(nm, library))]
    for line in subprocess.check_output([readelf, "--relocs", "--wide", library], text=True).splitlines():
        match = MPI.search(line)
        if match and re.search(r"R_\w+", line):
            found.append(f"{library}: {match.group()} is resolved when the library is loaded: {' '.join(line.split())}")
    return found


def counted(file):
    calls = {}
    for line in Path(file).read_text().splitlines():
        name, number = line.split()
        calls[name] = calls.get(name, 0) + int(number)
    return calls


def run(preload, mpiexec, program, ranks, folder):
    report = Path(folder) / f"{Path(program).name}.{ranks}"
    report.write_text("")
    # Of the ranks only: mpiexec, which makes no calls, need not load it.
    command = [mpiexec, "-n", ranks, "env", f"LD_PRELOAD={preload}", f"COUNTED_CALLS={report}", program, ranks]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    problems = [] if done.returncode == 0 else [f"{program} on {ranks} ranks ends with {done.returncode}:\n{done.stdout}"]
    return problems, counted(report)


def main():
    preload, libraries, nm, readelf, mpiexec, *programs = sys.argv[1:]
    problems = []
    for library in libraries.split(","):
        problems += internal_calls(nm, readelf, library)
    wrapped = len({s.split()[-1] for s in subprocess.check_output([nm, "-D", "--defined-only", preload], text=True).splitlines()
                   if MPI.fullmatch(s.split()[-1])})
    if wrapped != 664:
        problems.append(f"{preload} wraps {wrapped} functions, expected 664")
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        for entry in programs:
            program, ranks = entry.rsplit(":", 1)
            uses = imported(nm, program)
            found, calls = run(preload, mpiexec, program, ranks, folder)
            problems += found
            problems += [f"{program}: {name} was called {calls[name]} times, not by the program"
                         for name in sorted(set(calls) - uses)]
            # MPI_Abort and the like are for failures, and some calls depend on the number of ranks.
            missed = uses - set(calls)
            if len(missed) * 10 > len(uses):
                problems.append(f"{program}: {len(missed)} of {len(uses)} functions it uses did not pass the wrapper: "
                                + " ".join(sorted(missed)))
            begun = calls.get("MPI_Init", 0) + calls.get("MPI_Init_thread", 0)
            if begun != int(ranks) or calls.get("MPI_Finalize") != int(ranks):
                problems.append(f"{program}: {begun} times MPI_Init and {calls.get('MPI_Finalize')} times MPI_Finalize on "
                                f"{ranks} ranks")
            print(f"{Path(program).name} on {ranks} ranks: {sum(calls.values())} calls of {len(calls)} functions; not called: "
                  f"{' '.join(sorted(missed)) or 'none'}")
            seen |= set(calls)
    print("\n".join(problems) or f"{len(seen)} functions went through the wrapper")
    sys.exit(bool(problems) or len(seen) < 550)


if __name__ == "__main__":
    main()
