#!/usr/bin/env python3
"""Runs the program of pointers.c to its end: behind each call that crashes or hangs it is started again.

usage: pointers_test.py <program> [<mpiexec> <ranks>]
"""

import re
import subprocess
import sys

MOST = 200  # crashes; then it is known well enough


def main():
    program, launcher = sys.argv[1], [sys.argv[2], "-n", sys.argv[3]] if len(sys.argv) > 2 else []
    first, problems, calls = (0, 0), [], 0
    while len(problems) < MOST:
        done = subprocess.run([*launcher, program, *map(str, first)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = done.stdout.splitlines()
        problems += [line for line in lines if ", expected " in line]
        ended = [re.match(r"call (\d+) (\d+): (.*)", line) for line in lines]
        ended = max((m for m in ended if m), key=lambda m: (int(m[1]), int(m[2])), default=None)
        calls += sum(int(n) for n in re.findall(r"^(\d+) calls", done.stdout, re.M))
        if ended is None:
            if done.returncode != 0 and not problems:
                problems.append(f"the program ended with {done.returncode}: {done.stdout[-2000:]}")
            break
        problems.append(ended[3])
        first = (int(ended[1]), int(ended[2]) + 1)
    print(*dict.fromkeys(problems), sep="\n")
    print(f"{calls} calls in the last run, {len(set(problems))} problems")
    sys.exit(bool(problems) or calls < 5000)


if __name__ == "__main__":
    main()
