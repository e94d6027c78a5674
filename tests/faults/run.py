#!/usr/bin/env python3
"""Kills, stops and delays a process at every named fault point of the library and of mpiexec.

The points are found in the sources. A point that no configuration of the workload reaches must be reached by the
programs given with --also (which try the faults of those points themselves); otherwise the test fails. For each point:
  kill   a rank: the job ends with status 137, and one paragraph names the rank, SIGKILL and the MPI call it was in;
         mpiexec's keeper: status 137, and mpiexec says so
  stop   a rank: the others get as far as they can, SIGUSR1 to mpiexec reports who waits for whom, SIGTERM ends the job;
         mpiexec's keeper: the death of mpiexec is the death of the job
  delay  the job succeeds, with correct results
in the first configuration in which it is reached, by the first process that reaches it (where that does not this time: the
next; points of one-sided communication: in several configurations), and afterwards no process of the job and no name in
/dev/shm may be left.

Usage: run.py --mpiexec PATH --workload PATH --sources DIRECTORY... [--also PROGRAM]... [--only REGEX] [--jobs N]
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import uuid

RANKS = 3
WATCHDOG = 90  # seconds; bounds a hang of mpiexec itself
ATTEMPTS = 8  # of a fault whose point is reached or not as it happens
# The first that reaches a point is taken for it. With a low limit more sizes go by rendezvous, where the short ones of them
# take the same way in every run, whoever is quicker.
RENDEZVOUS = {"LOADSTONE_EAGER_LIMIT": "16384"}
CONFIGURATIONS = {
    "rendezvous": RENDEZVOUS,
    "default": {},
    "no-vm": {"LOADSTONE_VM": "0", "LOADSTONE_COLL_allreduce": "blocks", **RENDEZVOUS},
    "small": {"LOADSTONE_UNEXPECTED": "4096", "LOADSTONE_TEST": "inbox_slots=4"},
    "one-mapping": {"LOADSTONE_TEST": "mappings=1"},
    "both-sides": {"LOADSTONE_TEST": "both_sides=1", **RENDEZVOUS},
    "overlap": {"LOADSTONE_TEST": "overlap=1"},
    "block": {"LOADSTONE_WAIT": "block"},
    "areas": {"LOADSTONE_COLL_barrier": "area", "LOADSTONE_COLL_bcast": "blocks", "LOADSTONE_COLL_alltoall": "buffers",
              "LOADSTONE_COLL_allreduce": "buffers"},
    "poor": {"LOADSTONE_TEST": "transport=poor"},
    "calls": {"LOADSTONE_TEST": "rma_owners=0"},
    "owners": {"LOADSTONE_TEST": "rma_owners=1"},
    "thread": {"LOADSTONE_TEST": "rma_owners=thread"},
    "lossy": {"LOADSTONE_TEST": "transport=poor,integrity=1,poor_loses=10000"},
}
# One-sided communication goes other ways there, and whoever dies is the origin of some and the target of others: each of its
# points is tried in all of these, with the first and the last rank that reach it.
ONE_SIDED = "rma."
WAYS = ("calls", "owners", "thread", "no-vm", "poor")
NO_RANK = "-"  # mpiexec, as fault points name it
# A rank that dies here is not an MPI process yet, or has not come to say which call it is in.
OUTSIDE_CALLS = r"launch\..*|job\.claim.*"


def points_in(sources):
    """{name: place}; a name that stands at two places could be reached at one only."""
    names = {}
    for path in sorted(path for folder in sources for path in pathlib.Path(folder).rglob("*.[ch]pp")):
        if path.name in ("fault.hpp", "fault.cpp"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in re.findall(r'LOADSTONE_FAULT_POINT\("([^"]+)"\)', line):
                if name in names:
                    sys.exit(f"{path}:{number}: the fault point {name} stands at {names[name]} already")
                names[name] = f"{path}:{number}"
    return names


def state_of(process):
    """The letter of /proc/PID/stat; nothing if it has gone."""
    try:
        return pathlib.Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def processes_with(mark):
    """Processes that carry the mark in their environment: after mpiexec has ended there must be none."""
    deadline = time.monotonic() + 5
    while True:
        left = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                if mark.encode() in pathlib.Path("/proc", entry, "environ").read_bytes() and state_of(entry) not in "Z":
                    left.append(int(entry))
            except OSError:
                pass
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.05)


def below(process):
    """All living descendants."""
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            for child in pathlib.Path(f"/proc/{process}/task/{task}/children").read_text().split():
                found += [int(child), *below(int(child))]
    except OSError:
        pass
    return found


class Job:
    def __init__(self, options):
        self.mpiexec, self.workload = options.mpiexec, options.workload

    def run(self, environment, meanwhile=None):
        """Returns (status, stdout, stderr, processes left). `meanwhile(mpiexec)` acts while the job runs."""
        mark = uuid.uuid4().hex
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        # Without the I/O process: when it dies there is another one, and the job goes on (tests/buffering has its points).
        env.update(environment, LOADSTONE_TEST_MARK=mark, LOADSTONE_IO_BUFFER="0")
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err, \
                tempfile.TemporaryDirectory() as folder:
            env["WORKLOAD_FILE"] = str(pathlib.Path(folder, "file"))
            mpiexec = subprocess.Popen([self.mpiexec, "-n", str(RANKS), self.workload, str(RANKS)], env=env, stdout=out,
                                       stderr=err, stdin=subprocess.DEVNULL)
            try:
                if meanwhile:
                    meanwhile(mpiexec)
                status = mpiexec.wait(WATCHDOG)
            except (subprocess.TimeoutExpired, TimeoutError) as hang:
                status = f"hang ({hang})"
                mpiexec.send_signal(signal.SIGUSR1)  # who waits for whom, for whoever reads this
                time.sleep(1)
                mpiexec.kill()
                mpiexec.wait()
            out.seek(0)
            err.seek(0)
            return status, out.read(), err.read(), processes_with(mark)


NEVER_REACHED = "the point was never reached"


def until_stopped(mpiexec):
    deadline = time.monotonic() + WATCHDOG
    while time.monotonic() < deadline and mpiexec.poll() is None:
        stopped = [process for process in below(mpiexec.pid) if state_of(process) == "T"]
        if stopped:
            return stopped[0]
        time.sleep(0.01)
    raise TimeoutError(NEVER_REACHED)


def stop_a_rank(mpiexec):
    until_stopped(mpiexec)
    time.sleep(0.2)  # the others come to where they need it
    mpiexec.send_signal(signal.SIGUSR1)
    time.sleep(0.1)
    mpiexec.send_signal(signal.SIGTERM)


def stop_the_keeper(mpiexec):
    until_stopped(mpiexec)
    mpiexec.kill()


def survey(job, directory):
    """Who reaches which point under which configuration: {point: [(configuration, process), ...]}."""
    reached = {}
    for name, environment in CONFIGURATIONS.items():
        log = pathlib.Path(directory, name)
        status, out, err, left = job.run(dict(environment, LOADSTONE_FAULT_LOG=str(log)))
        if status != 0 or "workload ok" not in out or left:
            sys.exit(f"the workload fails without any fault ({name}): status {status}, left {left}\n{out}\n{err}")
        for line in sorted(set(log.read_text().splitlines())):
            point, process = line.split()
            reached.setdefault(point, []).append((name, process))
    return reached


def places(point, reached):
    """Where the faults of a point are tried: each is a list of (configuration, process), of which one that is reached will do."""
    if not point.startswith(ONE_SIDED):
        return [reached]
    chosen = []
    for way in WAYS:
        there = [where for where in reached if where[0] == way]
        chosen += there[:1] + there[1:][-1:]
    return [[where] for where in chosen] or [reached]


def survey_programs(programs, directory):
    """The points that these programs reach, and what failed in them."""
    log = pathlib.Path(directory, "programs")
    failures = []
    for program in programs:
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        done = subprocess.run(shlex.split(program), env=dict(env, LOADSTONE_FAULT_LOG=str(log)), capture_output=True, text=True,
                              timeout=10 * WATCHDOG, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            failures.append(f"{program}: status {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-1500:]}")
    return {line.split()[0] for line in log.read_text().splitlines()} if log.exists() else set(), failures


def attempt(job, point, alternatives, action):
    """None, or what went wrong. Some points are reached or not as it happens, by one rank or another: then the job is run again,
    with the next of the alternatives."""
    for where in itertools.islice(itertools.cycle(alternatives), ATTEMPTS):
        missed, wrong = attempt_once(job, point, where, action)
        if not missed:
            return wrong
    return wrong


def attempt_once(job, point, where, action):
    """Whether the point was not reached, although all else is right; and None, or what went wrong."""
    configuration, process = where
    environment = dict(CONFIGURATIONS[configuration], LOADSTONE_FAULT=f"{point}:{action}:{process}")
    launcher = process == NO_RANK
    meanwhile = (stop_the_keeper if launcher else stop_a_rank) if action == "stop" else None
    status, out, err, left = job.run(environment, meanwhile)
    missed = action != "delay" and "workload ok" in out and not left and (status == 0 or NEVER_REACHED in str(status))
    wrong = []
    if left:
        wrong.append(f"processes left: {left}")
        for one in left:
            os.kill(one, signal.SIGKILL)  # ours: they carry the mark of this job
    expected = {"kill": 137, "stop": -signal.SIGKILL if launcher else 128 + signal.SIGTERM, "delay": 0}[action]
    if status != expected:
        wrong.append(f"status {status}, expected {expected}")
    if action == "kill" and launcher:
        if not re.search(r"keeper process \d+ was killed", err):
            wrong.append("no message that the keeper was killed")
    elif action == "kill":
        paragraphs = re.findall(r"^mpiexec: .*", err, re.M)
        if len(paragraphs) != 1:
            wrong.append(f"{len(paragraphs)} paragraphs of mpiexec, expected one")
        if not re.search(rf"rank {process}\b", err) or "SIGKILL" not in err:
            wrong.append("no message with the rank and SIGKILL")
        if not re.fullmatch(OUTSIDE_CALLS, point) and not re.search(r"\bMPI_\w+", err):
            wrong.append("the message does not say in which MPI call")
    elif action == "stop" and not launcher:
        if "who waits for whom" not in err:
            wrong.append("no report of who waits for whom")
    elif action == "delay" and "workload ok" not in out:
        wrong.append("the workload did not say that all is right")
    said = f"{point} {action} ({process}, {configuration}): {'; '.join(wrong)}\n{err[-1500:]}"
    return missed, None if not wrong else said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--workload", required=True)
    parser.add_argument("--sources", required=True, nargs="+")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    job = Job(options)
    points = points_in(options.sources)
    if not points:
        sys.exit("no fault points found in the sources")
    shared_memory = set(os.listdir("/dev/shm"))
    attempts = 0
    with tempfile.TemporaryDirectory() as directory:
        reached = survey(job, directory)
        elsewhere, failures = survey_programs(options.also, directory)
    if not reached:
        sys.exit("no point was reached: is the library built with LOADSTONE_FAULTS=ON?")
    for name, where in points.items():
        if name not in reached and name not in elsewhere:
            failures.append(f"{name} ({where}): never reached")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = []
        for name in sorted(set(points) & set(reached)):
            if re.search(options.only, name):
                for alternatives in places(name, reached[name]):
                    for action in ("kill", "stop", "delay"):
                        futures.append(pool.submit(attempt, job, name, alternatives, action))
        for future in futures:
            attempts += 1
            if future.result():
                failures.append(future.result())
    if names := [name for name in set(os.listdir("/dev/shm")) - shared_memory if "loadstone" in name]:
        failures.append(f"names left in /dev/shm: {names}")
    for failure in failures:
        print("FAILED", failure)
    print(f"fault points: {len(points)} in the sources, {len(set(points) & set(reached))} reached by the workload, "
          f"{len((set(points) & elsewhere) - set(reached))} by other programs only, {attempts} faults tried, "
          f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
