#!/usr/bin/env python3
"""Our MPI test programs, built with our mpicc, under the other library with the standard ABI and its launcher.

The other library is the `mpich` wheel of PyPI, as in other_library_test.py; without a network the test is skipped (77).
A program that passes only here checks something that is ours: where the standard leaves it open or the other library is
wrong, the program asks on_loadstone() and names the section of MPI-5.0 by number and title. LEFT_OUT has the programs that cannot do that.

usage: other_library_programs.py <build tree> <folder of programs> <scratch folder>
"""

import os
import subprocess
import sys
from pathlib import Path

from other_library_test import environment

RANKS = (2, 3)
LEFT_OUT = {
    "short_messages": "counts the instructions of ours",
    "short_operations": "counts the instructions of ours",
    "failing_files": "no program: it is loaded before one, and makes calls of the system fail",
    "disagree": "wrong on purpose: members call different collectives, and ours tells; elsewhere they may wait for ever",
    "win_progress": "that a target need not call is promised by ours; the standard leaves it open (12.7.3, 'Progress')",
    "errors": "what a message says, and which errors are found at all, is the library's choice (9.3, 'Error Handling')",
    "hardware": "runs on a synthetic machine that our mpiexec makes (LOADSTONE_TOPOLOGY), with a rank on each of its cores",
    "mismatch": "wrong on purpose: amounts must match (chapter 6, 'Collective Communication'); what becomes of it is the library's choice",
    "mismatch_persistent": "the same",
    "names": "what a service may be called, and how often, is the library's choice (11.5.4, 'Name Publishing'); blanks upset the other's launcher",
    "threads": "made of several files (tests/mpi), one of which asks which errors are found (9.3, 'Error Handling')",
    "tool": "the names and types of variables are the library's (15.3, 'The MPI Tool Information Interface')",
    "win_quick": "which errors are found is the library's choice (9.3, 'Error Handling')",
    "win_large": "its windows have one memory at many addresses, which the standard knows nothing of",
    "win_errors": "which errors are found, and what is told of them, is the library's choice (9.3, 'Error Handling')",
    "tool_events": "which events there are is the library's choice, none included (15.3.8, 'Events')",
}


NO_END = "no end"


def run_theirs(theirs: Path, clean: dict, program: Path, ranks: int) -> tuple:
    """How it ended, and what it wrote."""
    try:
        done = subprocess.run([theirs / "bin" / "mpiexec", "-n", str(ranks), program, str(ranks)], text=True, timeout=100,
                              env=clean | {"LD_LIBRARY_PATH": str(theirs / "lib")},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return NO_END, str(late.stdout)


def main():
    build, programs, scratch = (Path(a).resolve() for a in sys.argv[1:])
    scratch.mkdir(parents=True, exist_ok=True)
    theirs = environment(build / "venvs" / "mpich")
    clean = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    names = sorted(p.stem for p in programs.glob("*.c"))
    unknown = set(LEFT_OUT) - set(names)
    failed = len(unknown)
    for name in unknown:
        print(f"{name}: left out, and there is no such program")
    passed = 0
    for name in names:
        if name in LEFT_OUT:
            print(f"{name}: left out: {LEFT_OUT[name]}")
            continue
        program = scratch / name
        subprocess.run([build / "bin" / "mpicc", "-O1", "-w", "-pthread", programs / f"{name}.c", "-o", program, "-lm"],
                       check=True, env=clean)
        for ranks in RANKS:
            # Its launcher and a rank have been seen waiting for each other in MPI_Session_init: what does not end runs again.
            for _ in range(2):
                status, text = run_theirs(theirs, clean, program, ranks)
                if status != NO_END:
                    break
                print(f"{name} on {ranks} ranks: no end", flush=True)
            passed += status == 0
            failed += status != 0
            print(f"{name} on {ranks} ranks: {'passed' if status == 0 else f'FAILED ({status})'}", flush=True)
            if status != 0:
                print(text)
    print(f"{passed} passed, {failed} failed, {len(LEFT_OUT)} programs left out")
    sys.exit(failed != 0 or passed == 0)


if __name__ == "__main__":
    main()
