#!/usr/bin/env python3
"""A rank is killed in the middle of heavy traffic: the job ends, leaves nothing, and names that rank, again and again.

Usage: kills.py --bin DIR (with mpiexec)  --programs DIR (with traffic)  [--trials N] [--seed N]
"""
import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "faults")]
from namespaces import ranks_of  # noqa: E402
from run import processes_with  # noqa: E402

WATCHDOG = 60  # bounds a hang
RANKS = 4
# What the ranks do with an error, and how they copy.
CONFIGURATIONS = [((), {}), (("return",), {}), ((), {"LOADSTONE_TEST": "both_sides=1,overlap=1"}), ((), {"LOADSTONE_VM": "0"}),
                  (("return",), {"LOADSTONE_EAGER_LIMIT": "0"})]


def kill_one(options, words, settings, chance):
    """One trial; what went wrong, or nothing."""
    mark = os.urandom(8).hex()
    env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
    env.update(settings, LOADSTONE_TEST_MARK=mark)
    job = subprocess.Popen([options.bin / "mpiexec", "-n", str(RANKS), options.programs / "traffic", str(RANKS), "endless", *words],
                           env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if job.stdout.readline() != "running\n":
        return f"it did not start: {job.communicate()[1]}"
    victim, number = chance.randrange(RANKS), chance.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
    time.sleep(chance.random() * 0.05)
    os.kill(ranks_of(mark)[victim], number)
    try:
        _, err = job.communicate(timeout=WATCHDOG)
    except subprocess.TimeoutExpired:
        job.kill()
        return f"rank {victim}, {number.name}: the job hangs"
    wrong = []
    if job.returncode != 128 + number:
        wrong.append(f"status {job.returncode} for {128 + number}")
    if re.findall(r"mpiexec: rank (\d) of", err) != [str(victim)] or f"was killed by signal {int(number)}" not in err:
        wrong.append(f"it says: {err}")
    if left := processes_with(mark):
        wrong.append(f"left behind: {left}")
    return f"rank {victim}, {number.name}: {'; '.join(wrong)}" if wrong else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument("--programs", type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    failures = 0
    for trial in range(options.trials):
        words, settings = CONFIGURATIONS[trial % len(CONFIGURATIONS)]
        if wrong := kill_one(options, words, settings, chance):
            failures += 1
            print(f"trial {trial} ({words}, {settings}): {wrong}", flush=True)
    print(f"{failures} of {options.trials} trials went wrong")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
