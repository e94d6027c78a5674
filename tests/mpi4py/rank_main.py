"""One rank of a run of mpi4py's test modules; started by run.py under mpiexec.

usage: rank_main.py TESTS_FOLDER RESULTS_FOLDER WORLD_SIZE EXCLUSIONS MODULE...

Every rank writes RESULTS_FOLDER/<rank>.json: for each module the tests that ran, were skipped (with the reason) and
failed. A module's results are written when it ends, so that a crash in a later one does not lose them.
"""

import fnmatch
import importlib
import json
import os
import sys
import unittest


def exclude(suite: unittest.TestSuite, patterns: list) -> unittest.TestSuite:
    kept = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            kept.addTest(exclude(test, patterns))
        elif not any(fnmatch.fnmatchcase(test.id(), pattern) for pattern in patterns):
            kept.addTest(test)
    return kept


class Result(unittest.TextTestResult):
    """Notes the names; says which test is being run, so that a hang or a crash can be placed."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.started = []

    def startTest(self, test):
        super().startTest(test)
        self.started.append(test.id())
        with open(self.progress, "w") as out:
            out.write(test.id())


def main() -> int:
    results, size, exclusions = sys.argv[2], int(sys.argv[3]), sys.argv[4]
    modules = sys.argv[5:]
    sys.path.insert(0, sys.argv[1])
    for absent in ("cupy", "numba"):
        sys.modules[absent] = None
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    if comm.Get_size() != size:
        print(f"rank_main: MPI_COMM_WORLD has {comm.Get_size()} ranks, expected {size}", file=sys.stderr)
        return 3
    rank = comm.Get_rank()
    with open(exclusions) as lines:
        patterns = [line.strip() for line in lines if line.strip()]

    record = {"library": MPI.Get_library_version().rstrip("\0").splitlines()[0], "size": size, "modules": {}}
    name = os.path.join(results, f"{rank}.json")
    bad = 0
    for module in modules:
        tests = importlib.import_module(module)
        suite = exclude(unittest.defaultTestLoader.loadTestsFromModule(tests), patterns)
        Result.progress = os.path.join(results, f"{rank}.now")
        outcome = unittest.TextTestRunner(stream=sys.stderr, verbosity=0, resultclass=Result).run(suite)
        skipped = {test.id(): reason for test, reason in outcome.skipped}
        wrong = {test.id(): text for test, text in outcome.failures + outcome.errors}
        wrong.update({test.id(): "unexpected success" for test in outcome.unexpectedSuccesses})
        record["modules"][module] = {
            "ran": sorted(set(outcome.started) - set(skipped)),
            "skipped": skipped,
            "failed": wrong,
        }
        bad += len(wrong)
        with open(name + ".tmp", "w") as out:
            json.dump(record, out)
        os.replace(name + ".tmp", name)
    os.remove(Result.progress)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
