#!/usr/bin/env python3
"""Runs modules of mpi4py's own test suite (from its PyPI source archive) on Loadstone.

For every module and number of ranks one job is started, so that a crash or a hang stays where it is; the table shows
how many tests ran, were skipped and failed, over all ranks. A test that skips itself for a reason that selection.txt
does not explain counts as a failure. With --compare the same selection runs under MPICH, and a test that ran there and
not here counts as a failure. What is selected, and what is left out and why: selection.txt.
"""

import argparse
import collections
import fnmatch
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "setup"))
import python_env as setup  # noqa: E402

LIBRARY = os.environ.get("LOADSTONE_EXPECT_LIBRARY", "Loadstone")
LEVELS = ("quick", "foundation", "full")
DEFAULT_RANKS = {"quick": "2,3", "foundation": "1,2,3,4", "full": "1,2,3,4,5,6,7,8"}


def read_selection() -> tuple[dict, list, list]:
    """Modules by level (a level includes those before it), patterns of excluded tests, patterns of accepted reasons for
    which tests skip themselves."""
    chosen = {level: [] for level in (*LEVELS, "out")}
    patterns, reasons = [], []
    for number, line in enumerate((HERE / "selection.txt").read_text().splitlines(), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 3:
            raise setup.SetupError(f"selection.txt:{number}: a level, a name and a reason are needed")
        if words[0] == "exclude":
            patterns.append(words[1])
        elif words[0] == "skip":
            reasons.append(words[1])
        elif words[0] in chosen:
            chosen[words[0]].append(words[1])
        else:
            raise setup.SetupError(f"selection.txt:{number}: unknown level '{words[0]}'")
    return chosen, patterns, reasons


def check_complete(chosen: dict, tests: pathlib.Path) -> None:
    """Every module of the archive is in the selection, and the other way round."""
    listed = sorted(name for names in chosen.values() for name in names)
    there = sorted(path.stem for path in tests.glob("test_*.py"))
    if listed != there:
        difference = collections.Counter(listed)
        difference.subtract(there)
        raise setup.SetupError(f"selection.txt and the archive differ: {dict((k, v) for k, v in difference.items() if v)}")


class Contestant:
    """An MPI library with its mpi4py."""

    def __init__(self, name: str, library: str, mpiexec: list, venv: setup.Venv, timeout_option: list):
        self.name, self.library, self.mpiexec, self.venv = name, library, mpiexec, venv
        self.timeout_option = timeout_option

    def run(self, module: str, ranks: int, patterns: list, timeout: int) -> "Outcome":
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "exclude").write_text("\n".join(patterns))
            tests = setup.source("mpi4py") / "test"
            command = [*self.mpiexec, *self.timeout_option, "-n", ranks, self.venv.python, "-B", HERE / "rank_main.py",
                       tests, folder, ranks, folder / "exclude", module]
            begin = time.monotonic()
            with (folder / "output").open("w+", errors="replace") as output:
                job = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT, cwd=scratch, env=setup.environment(),
                                       start_new_session=True)
                try:
                    status = job.wait(timeout + 20)
                except subprocess.TimeoutExpired:
                    os.killpg(job.pid, signal.SIGKILL)
                    job.wait()
                    status = "no end"
                output.seek(0)
                text = output.read()
            records = []
            for rank in range(ranks):
                name = folder / f"{rank}.json"
                records.append(json.loads(name.read_text()) if name.exists() else None)
            stuck = {rank: (folder / f"{rank}.now").read_text()
                     for rank in range(ranks) if (folder / f"{rank}.now").exists()}
        return Outcome(self, module, ranks, status, text, records, stuck, time.monotonic() - begin)


class Outcome:
    """What a module did on so many ranks."""

    def __init__(self, contestant, module, ranks, status, text, records, stuck, seconds):
        self.ran, self.skipped, self.failed = collections.Counter(), collections.Counter(), collections.Counter()
        self.seconds, self.problem, self.text, self.details = seconds, "", text, {}
        self.reasons = collections.Counter()  # for which tests were skipped
        for rank, record in enumerate(records):
            if record is None:
                self.problem = f"rank {rank} gave no result (status {status})"
                continue
            if contestant.library not in record["library"]:
                self.problem = f"rank {rank} ran on '{record['library']}', expected {contestant.library}"
            if record["size"] != ranks:
                self.problem = f"MPI_COMM_WORLD had {record['size']} ranks, expected {ranks}"
            result = record["modules"][module]
            self.ran.update(result["ran"])
            self.skipped.update(result["skipped"].keys())
            self.reasons.update(result["skipped"].values())
            self.failed.update(result["failed"].keys())
            for test, trace in result["failed"].items():
                self.details.setdefault(test, f"rank {rank}: {trace}")
        if stuck:
            self.problem += "; during " + ", ".join(f"{test} (rank {rank})" for rank, test in sorted(stuck.items()))
        if not self.problem and status != 0 and not self.failed:
            self.problem = f"all tests passed, and the job ended with status {status}"
        self.good = not self.problem and not self.failed

    def explain_skips(self, accepted: list) -> None:
        unknown = sorted(reason for reason in self.reasons
                         if not any(fnmatch.fnmatchcase(reason, pattern) for pattern in accepted))
        if unknown and self.good:
            self.good, self.problem = False, f"skipped for a reason selection.txt does not have: {', '.join(unknown)}"

    def row(self) -> str:
        return f"{sum(self.ran.values()):6d} {sum(self.skipped.values()):6d} {sum(self.failed.values()):6d}"


def library_version(contestant: Contestant) -> str:
    done = subprocess.run(
        [*map(str, contestant.mpiexec), "-n", "1", str(contestant.venv.python), "-c",
         "from mpi4py import MPI; print(MPI.Get_library_version().rstrip(chr(0)).splitlines()[0])"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    if done.returncode != 0 or contestant.library not in done.stdout:
        raise setup.SetupError(f"expected {contestant.library}, got: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def loadstone(timeout: int) -> Contestant:
    bin_ = setup.loadstone_prefix() / "bin"
    venv = setup.mpi4py(setup.Venv("loadstone"), bin_ / "mpicc").require("mpi4py-tests")
    option = ["--timeout", timeout] if LIBRARY == "Loadstone" else []
    return Contestant("Loadstone", LIBRARY, [bin_ / "mpiexec"], venv, option)


def mpich() -> Contestant:
    venv = setup.Venv("mpich").require("mpich", "mpi4py-tests")
    bin_ = venv.root / "bin"
    setup.mpi4py(venv, bin_ / "mpicc_abi")
    return Contestant("MPICH", "MPICH", [bin_ / "mpiexec"], venv, [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--level", choices=LEVELS, default="quick")
    parser.add_argument("--ranks", help="numbers of ranks, e.g. 1,2,3,4 (default: depends on the level)")
    parser.add_argument("--compare", nargs="?", const="all", metavar="RANKS",
                        help="the same under MPICH, and the difference; at these numbers of ranks only, e.g. 1,2")
    parser.add_argument("--timeout", type=int, default=400, help="seconds that a module may take on so many ranks")
    parser.add_argument("--verbose", action="store_true", help="print what the failing jobs printed")
    parser.add_argument("--set-up", action="store_true", help="make the environment and mpi4py ready, and run nothing")
    parser.add_argument("module", nargs="*", help="only these modules")
    options = parser.parse_args()

    begin = time.monotonic()
    try:
        chosen, patterns, accepted = read_selection()
        check_complete(chosen, setup.source("mpi4py") / "test")
        ours = loadstone(options.timeout)
        contestants = [ours] + ([mpich()] if options.compare else [])
        if options.set_up:
            return 0
        for contestant in contestants:
            print(f"{contestant.name}: {library_version(contestant)}")
    except setup.SetupError as error:
        print(f"mpi4py tests: {error}", file=sys.stderr)
        return 1
    modules = options.module or [
        name for level in LEVELS[: LEVELS.index(options.level) + 1] for name in chosen[level]
    ]
    ranks = [int(word) for word in (options.ranks or DEFAULT_RANKS[options.level]).split(",")]
    compared = ranks if options.compare == "all" else [int(word) for word in (options.compare or "0").split(",")]

    print(f"{'':34}" + "".join(f"{c.name:>20}{'':4}" for c in contestants))
    print(f"{'module':26}{'ranks':>6}  " + "    ".join(["   run   skip   fail"] * len(contestants)) + "   time")
    totals = {n: {contestant.name: [0, 0, 0] for contestant in contestants} for n in ranks}
    jobs = bad_jobs = fewer = 0
    reports, reasons = [], collections.Counter()
    for module in modules:
        for n in ranks:
            outcomes = [contestant.run(module, n, patterns, options.timeout) for contestant in contestants
                        if contestant is ours or n in compared]
            for contestant, outcome in zip(contestants, outcomes):
                for column, counter in enumerate((outcome.ran, outcome.skipped, outcome.failed)):
                    totals[n][contestant.name][column] += sum(counter.values())
            mine = outcomes[0]
            mine.explain_skips(accepted)
            reasons.update(mine.reasons)
            jobs += 1
            notes = []
            if not mine.good:
                bad_jobs += 1
                reports.append((module, n, mine))
                notes.append(mine.problem or "FAILED")
            if len(outcomes) > 1:
                missing = outcomes[1].ran - mine.ran
                if missing:
                    fewer += sum(missing.values())
                    notes.append("not run here: " + ", ".join(f"{test}" for test in sorted(missing)[:4]))
                if outcomes[1].problem:
                    notes.append(f"(MPICH: {outcomes[1].problem})")
            rows = [outcome.row() for outcome in outcomes] + [" " * 20] * (len(contestants) - len(outcomes))
            print(f"{module:26}{n:6d}  " + "    ".join(rows) + f" {mine.seconds:6.1f}  {'; '.join(notes)}", flush=True)

    for module, n, outcome in reports:
        print(f"\n---- {module} on {n} ranks: {outcome.problem or 'failed'}")
        for test, trace in sorted(outcome.details.items()):
            lines = trace.rstrip().splitlines()
            print(f"  {test} ({outcome.failed[test]} ranks)")
            print("".join(f"      {line}\n" for line in (lines if options.verbose else lines[-4:])), end="")
        if outcome.problem or options.verbose:
            lines = outcome.text.splitlines()
            print("".join(f"    | {line}\n" for line in (lines if options.verbose else lines[-25:])), end="")

    print()
    if reasons:
        print("skipped: " + ", ".join(f"{count} ({reason})" for reason, count in reasons.most_common()))
    for n, contest in totals.items():
        for name, (ran, skipped, failed) in contest.items():
            if name == ours.name or n in compared:
                print(f"{n} ranks, {name}: {ran} tests run, {skipped} skipped, {failed} failed")
    if options.compare:
        print(f"tests that ran under MPICH and not here: {fewer}")
    print(f"mpi4py: {jobs - bad_jobs} of {jobs} jobs passed, {bad_jobs} failed, {time.monotonic() - begin:.0f} s")
    nothing = not any(contest[ours.name][0] for contest in totals.values())
    return 1 if bad_jobs or fewer or nothing else 0


if __name__ == "__main__":
    sys.exit(main())
