#!/usr/bin/env python3
"""What a program with a mistake prints and how it ends, alone and as a job of three.

usage: misuse_test.py <program> [<mpiexec>]
"""

import os
import re
import subprocess
import sys

# mistake: (what the message must match, does every rank make it)
MISTAKES = {
    "before_init": (r"MPI_Comm_size: called before MPI_Init", True),
    "after_finalize": (r"MPI_Comm_size: called after MPI_Finalize", True),
    "init_twice": (r"MPI_Init", True),
    "rank": (r"MPI_ERR_RANK: invalid rank\.\s+MPI_Send: argument 4 \(dest\) is 77; expected a rank from 0 to \d+ or "
             r"MPI_PROC_NULL\s+The error handler of the communicator MPI_COMM_WORLD is MPI_ERRORS_ARE_FATAL", False),
    "stale": (r"MPI_ERR_TYPE.*\s+MPI_Send: argument 3 \(datatype\) is 0x12345678; expected a live handle of type MPI_Datatype",
              False),
    "no_object": (r"MPI_Info_set: argument 1 \(info\) is MPI_INFO_NULL", False),
    "unsupported": (r"MPI_ERR_UNSUPPORTED_OPERATION.*\s+MPI_Comm_join: not implemented", False),
    "called": (r"MPI_ERR_QUOTA: quota exceeded", False),
    "abort_handler": (r"argument 4 \(dest\) is 77(.|\n)*MPI_ERRORS_ABORT: its processes end, and the job with them\.", False),
    "abort_part": (r"the communicator MPI_COMM_SELF is MPI_ERRORS_ABORT: its processes end, and the job with them\.", False),
    "abort_self": (r"called MPI_Abort with code 3 on MPI_COMM_SELF\.", True),
    "everywhere": (r"argument 4 \(dest\) is 77", True),
}


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                          env=os.environ | {"LC_ALL": "C"})


def main():
    program, launchers = sys.argv[1], [([], 1)]
    if len(sys.argv) > 2:
        launchers.append(([sys.argv[2], "-n", "3"], 3))
    problems = []
    for launcher, ranks in launchers:
        for mistake, (pattern, everyone) in MISTAKES.items():
            done = run([*launcher, program, mistake])
            where = f"{mistake} on {ranks} ranks"
            print(f"--- {where}: status {done.returncode}\n{done.stderr}")
            if done.returncode == 0:
                problems.append(f"{where}: the status is 0")
            if "survived" in done.stdout:
                problems.append(f"{where}: it went on")
            found = re.findall(pattern, done.stderr)
            if not found:
                problems.append(f"{where}: the message does not match {pattern}")
            if mistake != "before_init" and done.stderr.count("mpiexec: " if launcher else "Loadstone: ") != 1:
                problems.append(f"{where}: not said once")
            # Alone, the program says it; in a job, mpiexec does, with what the rank has left for it.
            said = (rf"mpiexec: rank {ranks - 1} of {ranks} \(.*\) ended the job because of an MPI error: MPI_ERR" if launcher
                    else r"Loadstone: error on rank 0 of MPI_COMM_WORLD \(process \d+\): MPI_ERR")
            if not everyone and len(re.findall(said, done.stderr)) != 1:
                problems.append(f"{where}: not one message like {said}")
        done = run([*launcher, program, "anytime"])
        if done.returncode != 0 or done.stdout.count("any time") != ranks:
            problems.append(f"calls at any time, {ranks} ranks: status {done.returncode} {done.stdout} {done.stderr}")
        # A program that starts others and goes on without them: the error is seen, once.
        done = run([*launcher, program, "spawns"])
        if done.returncode != 0 or len(re.findall(r"Loadstone: MPI_Comm_spawn failed: this version", done.stderr)) != 1:
            problems.append(f"spawns, {ranks} ranks: status {done.returncode} {done.stderr}")
    print("\n".join(problems) or "passed")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
