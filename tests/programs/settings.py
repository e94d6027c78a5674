"""Settings that are of no use are named, once; good ones are not. usage: settings.py MPIEXEC PROGRAM"""

import os
import subprocess
import sys

MISTAKES = {
    "LOADSTONE_CELLS": ("64M", "LOADSTONE_CELLS=64M: expected a number without a unit"),
    "LOADSTONE_PAIR_LINES": ("some", "LOADSTONE_PAIR_LINES=some: expected a number without a unit"),
    "LOADSTONE_INBOX_SLOTS": ("100", "LOADSTONE_INBOX_SLOTS=100: expected a power of two"),
    "LOADSTONE_WAIT": ("patiently", "LOADSTONE_WAIT=patiently: expected one of adaptive spin block"),
    "LOADSTONE_COLL_bcast": ("fastest", "LOADSTONE_COLL_bcast=fastest: expected one of auto binomial chain"),
    "LOADSTONE_COLL_scan": ("linear", "LOADSTONE_COLL_scan: there is no choice of algorithms for it"),
}
GOOD = {"LOADSTONE_CELLS": "67108864", "LOADSTONE_INBOX_SLOTS": "128", "LOADSTONE_WAIT": "block",
        "LOADSTONE_COLL_bcast": "chain", "LOADSTONE_EAGER_LIMIT": ""}


def run(settings):
    """What two ranks write to standard error."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")} | settings
    done = subprocess.run([sys.argv[1], "-n", "2", sys.argv[2], "2"], env=env, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def main() -> int:
    problems = []
    status, text = run({name: value for name, (value, _) in MISTAKES.items()})
    lines = text.splitlines()
    problems += [f"said {lines.count(words)} times: {words}" for _, words in MISTAKES.values() if lines.count(words) != 1]
    if status != 0:
        problems.append(f"the program did not run: {status}")
    for settings in ({}, GOOD):
        if run(settings) != (0, ""):
            problems.append(f"{settings}: {run(settings)}")
    print("\n".join(problems + ([text] if problems else [])))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
