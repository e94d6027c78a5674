"""Settings that are of no use are named, once; good ones are not. usage: settings.py MPIEXEC PROGRAM"""

import os
import subprocess
import sys

PARAMETERS = "cells=64M,pair_lines=some,inbox_slots=100,poor_loses=-1,speed=high"
MISTAKES = {
    "LOADSTONE_TEST": (PARAMETERS, "cells=64M: expected a number of bytes without a unit, at least 1"),
    "LOADSTONE_WAIT": ("patiently", "LOADSTONE_WAIT=patiently: expected one of adaptive spin block"),
    "LOADSTONE_EAGER_LIMIT": ("64k", "LOADSTONE_EAGER_LIMIT=64k: expected a number of bytes without a unit"),
    "LOADSTONE_EAGER_LIMT": ("5", "LOADSTONE_EAGER_LIMT: nothing reads a variable of this name"),
    "LOADSTONE_CELLS": ("65536", "LOADSTONE_CELLS: nothing reads it; for tests and trials: LOADSTONE_TEST=cells=…"),
    "LOADSTONE_COLL_bcast": ("fastest", "LOADSTONE_COLL_bcast=fastest: expected one of auto binomial chain scattered area buffers blocks levels"),
    "LOADSTONE_COLL_alltoallw": ("linear", "LOADSTONE_COLL_alltoallw: there is no choice of algorithms for it"),
}
MORE = ["pair_lines=some: expected a number, at most 1024",
        "inbox_slots=100: expected a power of two, at least 2, at most 512",
        "poor_loses=-1: expected a number, at most 500000", "LOADSTONE_TEST: there is no parameter speed"]
GOOD = {"LOADSTONE_TEST": "cells=67108864,inbox_slots=128,mappings=unlimited", "LOADSTONE_WAIT": "block",
        "LOADSTONE_COLL_bcast": "chain", "LOADSTONE_EAGER_LIMIT": "", "LOADSTONE_TEST_SEED": "1", "LOADSTONE_CC": "gcc"}


def run(settings):
    """What two ranks write to standard error."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")} | settings
    done = subprocess.run([sys.argv[1], "-n", "2", sys.argv[2], "2"], env=env, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def main() -> int:
    problems = []
    status, text = run({name: value for name, (value, _) in MISTAKES.items()})
    lines = text.splitlines()
    problems += [f"said {lines.count(words)} times: {words}" for words in [words for _, words in MISTAKES.values()] + MORE if lines.count(words) != 1]
    if status != 0:
        problems.append(f"the program did not run: {status}")
    for settings in ({}, GOOD):
        if run(settings) != (0, ""):
            problems.append(f"{settings}: {run(settings)}")
    print("\n".join(problems + ([text] if problems else [])))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
