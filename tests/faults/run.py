#!/usr/bin/env python3
"""Kills, stops and delays a rank at every named fault point of the library.

The points are found in the sources; a point that no configuration of the workload reaches fails the test. For each point:
  kill   the job must end with status 137 and a message that names the rank and SIGKILL
  stop   the job hangs, `mpiexec --timeout` must end it with status 124
  delay  the job must succeed
and afterwards no process of the job may be left.

Usage: run.py --mpiexec PATH --workload PATH --sources src [--only REGEX] [--jobs N]
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import uuid

RANKS = 3
WATCHDOG = 90  # seconds; bounds a hang of mpiexec itself
CONFIGURATIONS = {
    "default": {},
    "no-vm": {"LOADSTONE_VM": "0"},
    "small": {"LOADSTONE_UNEXPECTED": "4096", "LOADSTONE_INBOX_SLOTS": "4"},
    "one-mapping": {"LOADSTONE_MAPPINGS": "1"},
    "block": {"LOADSTONE_WAIT": "block"},
}


def points_in(sources):
    names = {}
    for path in sorted(pathlib.Path(sources).rglob("*.[ch]pp")):
        if path.name in ("fault.hpp", "fault.cpp"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in re.findall(r'LOADSTONE_FAULT_POINT\("([^"]+)"\)', line):
                names.setdefault(name, f"{path}:{number}")
    return names


class Job:
    def __init__(self, options):
        self.mpiexec, self.workload = options.mpiexec, options.workload

    def run(self, environment, extra=(), per_rank=None):
        """Returns (status, stdout, stderr, processes left)."""
        mark = uuid.uuid4().hex
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        env.update(environment, LOADSTONE_TEST_MARK=mark)
        command = [self.mpiexec, *extra]
        for r in range(RANKS):
            command += ([":"] if r else []) + ["-n", "1"]
            for name, value in (per_rank(r) if per_rank else {}).items():
                command += ["-x", f"{name}={value}"]
            command += [self.workload, str(RANKS)]
        try:
            done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=WATCHDOG,
                                  stdin=subprocess.DEVNULL)
            result = (done.returncode, done.stdout, done.stderr)
        except subprocess.TimeoutExpired as hang:
            result = ("hang", str(hang.stdout), str(hang.stderr))
        return (*result, processes_with(mark))


def processes_with(mark):
    """Processes that carry the mark in their environment: after mpiexec has ended there must be none."""
    deadline = time.monotonic() + 2
    while True:
        left = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes()
                if mark.encode() in environment and " Z " not in pathlib.Path("/proc", entry, "stat").read_text():
                    left.append(int(entry))
            except OSError:
                pass
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.05)


def survey(job, directory):
    """Which rank reaches which point under which configuration: {point: (configuration, rank)}."""
    reached = {}
    for name, environment in CONFIGURATIONS.items():
        logs = [os.path.join(directory, f"{name}.{r}") for r in range(RANKS)]
        status, out, err, left = job.run(environment, per_rank=lambda r: {"LOADSTONE_FAULT_LOG": logs[r]})
        if status != 0 or "workload ok" not in out or left:
            sys.exit(f"the workload fails without any fault ({name}): status {status}, left {left}\n{out}\n{err}")
        for r in range(RANKS):
            if os.path.exists(logs[r]):
                for point in pathlib.Path(logs[r]).read_text().split():
                    reached.setdefault(point, (name, r))
    return reached


def attempt(job, point, where, action):
    """None, or what went wrong."""
    configuration, rank = where
    environment = dict(CONFIGURATIONS[configuration], LOADSTONE_FAULT=f"{point}:{action}:{rank}")
    extra = ["--timeout", "5"] if action == "stop" else []
    status, out, err, left = job.run(environment, extra)
    wrong = []
    if left:
        wrong.append(f"processes left: {left}")
    if action == "kill":
        if status != 137:
            wrong.append(f"status {status}, expected 137")
        if not re.search(rf"rank {rank}\b", err) or "SIGKILL" not in err:
            wrong.append("no message with the rank and SIGKILL")
    elif action == "stop":
        if status != 124:
            wrong.append(f"status {status}, expected 124")
    elif status != 0 or "workload ok" not in out:
        wrong.append(f"status {status}, expected success")
    return None if not wrong else f"{point} {action} (rank {rank}, {configuration}): {'; '.join(wrong)}\n{err[-1500:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--workload", required=True)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    job = Job(options)
    points = points_in(options.sources)
    if not points:
        sys.exit("no fault points found in the sources")
    failures, attempts = [], 0
    with tempfile.TemporaryDirectory() as directory:
        reached = survey(job, directory)
    if not reached:
        sys.exit("no point was reached: is the library built with LOADSTONE_FAULTS=ON?")
    for name, where in points.items():
        if name not in reached:
            failures.append(f"{name} ({where}): never reached")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = []
        for name in sorted(set(points) & set(reached)):
            if re.search(options.only, name):
                for action in ("kill", "stop", "delay"):
                    futures.append(pool.submit(attempt, job, name, reached[name], action))
        for future in futures:
            attempts += 1
            if future.result():
                failures.append(future.result())
                print("FAILED", future.result(), flush=True)
    for failure in failures:
        print("FAILED", failure)
    print(f"fault points: {len(points)} in the sources, {len(set(points) & set(reached))} reached, "
          f"{attempts} faults tried, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
