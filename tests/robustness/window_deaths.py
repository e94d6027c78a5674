#!/usr/bin/env python3
"""A rank dies where one-sided communication needs it: the job ends, names it and leaves nothing. One that sleeps there is
named by the report of a job that hangs, and so is the holder of a lock that others wait for. If nobody ends the job at
once, the others are told by each call that would wait, and may go on with each other.

Usage: window_deaths.py --bin DIR (with mpiexec)  --programs DIR (with window_deaths)
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent / "faults")]
import side_by_side  # noqa: E402
from left_behind import shared_names  # noqa: E402
from run import processes_with  # noqa: E402

WATCHDOG = 60  # bounds a hang
PLACES = ("holds", "fence", "posted", "started", "target", "copying")
OPTIONS = None


class Case(unittest.TestCase):
    def run_job(self, *words, settings=None):
        mark = os.urandom(8).hex()
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        env.update(settings or {}, LOADSTONE_TEST_MARK=mark)
        before = shared_names()
        done = subprocess.run([OPTIONS.bin / "mpiexec", *map(str, words)], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=WATCHDOG)
        self.assertEqual(processes_with(mark), [], "processes left behind")
        self.assertEqual(shared_names() - before, set(), "names left in /dev/shm")
        return done

    def run_deaths(self, *words, **more):
        done = self.run_job(*words, **more)
        self.assertIn("there\n", done.stdout, done.stderr)
        self.assertNotIn("went on", done.stdout)
        return done.returncode, done.stderr

    def test_those_who_live_are_told_and_go_on(self):
        for ranks, kind, settings in ((3, ("created",), {"LOADSTONE_VM": "0"}), (4, ("allocated",), {}),
                                      (4, ("allocated", "unshared"), {"LOADSTONE_TEST": "transport=poor"})):
            with self.subTest(ranks=ranks, kind=kind, settings=settings):
                done = self.run_job("-n", ranks, OPTIONS.programs / "window_survivors", ranks, *kind, settings=settings)
                self.assertEqual(done.returncode, 128 + 9, done.stderr)
                self.assertEqual(done.stdout.count("survived"), ranks - 1, done.stderr)

    def test_a_rank_dies(self):
        for place in PLACES:
            for ranks in (2, 4):
                for kind, settings in (((), {}), (("created",), {}), (("created",), {"LOADSTONE_VM": "0"})):
                    with self.subTest(place=place, ranks=ranks, kind=kind, settings=settings):
                        status, err = self.run_deaths("-n", ranks, OPTIONS.programs / "window_deaths", ranks, place, *kind,
                                                      settings=settings)
                        self.assertEqual(status, 128 + 9, err)
                        self.assertEqual(re.findall(r"mpiexec: rank (\d) of", err), ["1"], err)
                        self.assertIn("SIGKILL", err)

    def sleeping(self, place, *kind, ranks=3, how="sleep", settings=None):
        status, err = self.run_deaths("--timeout", 3, "-n", ranks, OPTIONS.programs / "window_deaths", ranks, place, how, *kind,
                                      settings=settings)
        self.assertEqual(status, 124, err)
        self.assertIn("Who waits for whom", err)
        self.assertRegex(err, r"rank 1 \(process \d+\) is running")
        return err

    def test_the_report_names_who_holds_the_lock(self):
        err = self.sleeping("holds")
        for rank in (0, 2):
            self.assertRegex(err, rf"rank {rank} \(process \d+\) waits in MPI_Win_lock for the lock of rank 0, window 0\.\d+, held by "
                                  r"rank 1 for at least \d\.\d s")

    def test_the_report_of_operations_by_message(self):
        poor = {"LOADSTONE_TEST": "transport=poor"}
        self.assertRegex(self.sleeping("holds", settings=poor), r"rank 2 \(process \d+\) waits in MPI_Win_lock for the lock of "
                         r"rank 0, window 0\.\d+, held by rank 1 for at least \d\.\d s")
        err = self.sleeping("target", how="stop", settings=poor)
        for rank in (0, 2):
            self.assertRegex(err, rf"rank {rank} \(process \d+\) waits in MPI_(Put|Win_flush) for rank 1, window 0\.\d+ "
                             r"\((answer, lock_all epoch|memory to ask a target)\), for \d\.\d s")

    def test_the_report_of_waits_for_a_copying_thread(self):
        err = self.sleeping("copying", "created", how="stop", settings={"LOADSTONE_TEST": "rma_owners=thread"})
        for rank in (0, 2):
            self.assertRegex(err, rf"rank {rank} \(process \d+\) waits in MPI_Put for rank 1, window 0\.\d+ \(copying thread\), "
                             r"for \d\.\d s")

    def test_the_report_names_who_is_missing(self):
        for place, what in (("fence", r"MPI_Win_fence for any rank, window 0\.\d+ \(fence, 2 of 3 are there\)"),
                            ("started", r"MPI_Win_wait for rank 1, window 0\.\d+"),
                            ("posted", "MPI_Win_fence")):
            with self.subTest(place=place):
                self.assertRegex(self.sleeping(place), rf"rank [02] \(process \d+\) waits in {what}")


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument("--programs", type=lambda p: pathlib.Path(p).resolve(), required=True)
    OPTIONS, rest = parser.parse_known_args()
    side_by_side.main(rest)


if __name__ == "__main__":
    main()
