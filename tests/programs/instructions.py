"""Counts by callgrind the instructions that calls of MPI cost: a guard against slow growth.

Counts repeat to a few per cent on one compiler; the bounds leave a quarter for others.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def skip(why: str) -> None:
    print(f"skipped: {why}")
    sys.exit(77)


def counted(mpiexec: str, program: list, functions, folder: pathlib.Path) -> dict:
    """Function -> the instructions inside it, all its calls together, of each of two ranks that call it."""
    command = [mpiexec, "-n", "2", "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out.%p", *program]
    # Under valgrind the library does without lines and rings, unless it is told; here it shall be as ever.
    usual = {**os.environ, "LOADSTONE_TEST": "pair_lines=16"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, env=usual)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    found = {}
    for out in folder.glob("out.*"):
        table = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--auto=no", str(out)],
                               capture_output=True, text=True, check=True).stdout
        counts = {}
        for line in table.splitlines():
            words = re.match(r"\s*([\d,]+) \(.*?:(PMPI_\w+)", line)
            if words and words[2] in functions:  # several lines when it has code of several files: the largest is all
                counts[words[2]] = max(counts.get(words[2], 0), int(words[1].replace(",", "")))
        for name, count in counts.items():
            found.setdefault(name, []).append(count)
    return found


def compare(mpiexec: str, program, bounds: dict, times: int, build_type: str, sanitizer: str) -> int:
    """`program(folder)`: the command, which calls each function `times` times; `bounds`: function -> the most
    instructions of one call, on each rank that calls it, in ascending order. Returns an exit status."""
    if shutil.which("valgrind") is None:
        skip("no valgrind here")
    if build_type not in ("Release", "RelWithDebInfo") or sanitizer:
        skip("the bounds are for optimised builds")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = counted(mpiexec, program(folder), bounds, folder)
    bad = 0
    for function, most in bounds.items():
        counts = sorted(count / times for count in found.get(function, []))
        print(f"{function:22} {', '.join(f'{count:.0f}' for count in counts)} instructions, at most {most}")
        # None at all: what was looked for has another name now.
        bad += len(counts) != len(most) or any(count > bound for count, bound in zip(counts, most))
    return 1 if bad else 0
