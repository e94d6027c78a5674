"""The instructions that a message of 8 bytes costs, counted by callgrind: a guard against slow growth.

usage: short_messages.py MPIEXEC PROGRAM BUILD_TYPE SANITIZER      status 77: skipped, and why

Counts repeat to a few per cent on one compiler; the bounds leave a quarter for others.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROUNDS, WINDOW = 24, 64
# Function -> most instructions for a message; of PMPI_Waitall on the sender's side and on the receiver's, where it
# takes the messages out of the inbox; of PMPI_Recv by turns, and by turns and of a stream together.
BOUNDS = {"PMPI_Isend": (340,), "PMPI_Irecv": (290,), "PMPI_Waitall": (15, 310), "PMPI_Send": (330,),
          "PMPI_Rsend": (460, 460), "PMPI_Recv": (1000, 1900)}


def skip(why: str) -> None:
    print(f"skipped: {why}")
    sys.exit(77)


def counted(mpiexec: str, program: str, folder: pathlib.Path) -> dict:
    """Instructions inside each function, on the rank that calls it, for one message."""
    shared = folder / "progress"
    shared.write_bytes(bytes(64))
    command = [mpiexec, "-n", "2", "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out.%p", program,
               str(shared), str(ROUNDS)]
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
            if words and words[2] in BOUNDS:  # several lines when it has code of several files: the largest is all
                counts[words[2]] = max(counts.get(words[2], 0), int(words[1].replace(",", "")))
        for name, count in counts.items():
            found.setdefault(name, []).append(count / (ROUNDS * WINDOW))
    return found


def main() -> int:
    mpiexec, program, build_type, sanitizer = sys.argv[1:5]
    if shutil.which("valgrind") is None:
        skip("no valgrind here")
    if build_type not in ("Release", "RelWithDebInfo") or sanitizer:
        skip("the bounds are for optimised builds")
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        found = counted(mpiexec, program, pathlib.Path(name))
    for function, bounds in BOUNDS.items():
        counts = sorted(found.get(function, []))
        print(f"{function:14} {', '.join(f'{count:.0f}' for count in counts)} instructions for a message,"
              f" at most {bounds}")
        # None at all: what was looked for has another name now.
        bad += len(counts) != len(bounds) or any(count > bound for count, bound in zip(counts, bounds))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
