"""Threads inside ranks: how many they are told to start, and on which cores; what --report-bindings says."""
import os
import re
import sys

import harness
from harness import Case, arguments, environment, main

arguments.add_argument("--plain", required=True, help="an MPI program that starts no threads")
arguments.add_argument("--threaded", required=True, help="an MPI program of OpenMP, threaded.c; none: there is no OpenMP")
KNOWN, harness._rest = arguments.parse_known_args()
RUNTIMES = ("OMP_", "KMP_", "GOMP_", "OPENBLAS_", "GOTO_", "MKL_", "BLIS_", "NUMEXPR_", "VECLIB_")
TOLD = ["sh", "-c", "echo ${OMP_NUM_THREADS-unset} ${OMP_WAIT_POLICY-unset}"]
MACHINE = "package:2 l3:2 core:4 pu:1"


def plain_environment(**changes):
    return {name: value for name, value in environment(**changes).items()
            if name in changes or not name.startswith(RUNTIMES)}


class Threads(Case):
    def setUp(self):
        super().setUp()
        self.mine = sorted(os.sched_getaffinity(0))
        self.crowd = 4 * len(self.mine)

    def lines(self, *words, **changes):
        status, out, err = self.run_job(*words, env=plain_environment(**changes))
        self.assertEqual(status, 0, err)
        return out.splitlines()

    def test_ranks_that_share_cores_get_one_each_and_wait_without_spinning(self):
        self.assertEqual(self.lines("-n", self.crowd, *TOLD), ["1 passive"] * self.crowd)

    def test_what_the_user_has_set_is_left(self):
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_THREAD_LIMIT"):
            told = "3 passive" if name == "OMP_NUM_THREADS" else "unset passive"
            self.assertEqual(self.lines("-n", self.crowd, *TOLD, **{name: "3"}), [told] * self.crowd)
            self.assertEqual(self.lines("-n", self.crowd, "-x", f"{name}=3", *TOLD), [told] * self.crowd)
        self.assertEqual(self.lines("-n", self.crowd, *TOLD, OMP_WAIT_POLICY="active"), ["1 active"] * self.crowd)
        self.assertEqual(self.lines("-n", self.crowd, *TOLD, KMP_BLOCKTIME="1"), ["1 unset"] * self.crowd)

    def test_of_several_programs_each_by_its_own_environment(self):
        n = self.crowd
        self.assertEqual(sorted(self.lines("-n", n, "-x", "OMP_NUM_THREADS=2", *TOLD, ":", "-n", n, *TOLD)),
                         ["1 passive"] * n + ["2 passive"] * n)

    def test_unbound_ranks_share_the_processors(self):
        told = self.lines("-n", len(self.mine), "--bind-to", "none", *TOLD)
        self.assertEqual([line.split()[0] for line in told],
                         ["unset" if len(self.mine) == 1 else "1"] * len(self.mine))

    def test_openmp_obeys(self):
        if KNOWN.threaded == "none":
            self.skipTest("no compiler for OpenMP")
        for n in (8, self.crowd):
            if n <= len(self.mine):
                continue
            lines = self.lines("-n", n, KNOWN.threaded)
            self.assertEqual(sorted(lines), sorted(f"rank {i} of {n}: 1 threads, {len(self.mine)} processors" for i in range(n)))
        lines = self.lines("-n", 2, "-x", "OMP_NUM_THREADS=3", KNOWN.threaded)
        self.assertEqual([re.search(r"of 2: (\d+) threads", line)[1] for line in lines], ["3", "3"])
        # A core each, or a share of what other jobs use as well: never more threads than cores.
        for n in range(1, len(self.mine) + 1):
            threads = [int(re.search(r": (\d+) threads", line)[1]) for line in self.lines("-n", n, KNOWN.threaded)]
            self.assertEqual(threads, [threads[0]] * n)
            self.assertLessEqual(sum(threads), len(self.mine))


class Report(Case):
    def report(self, *words, machine=MACHINE, **changes):
        env = plain_environment(**changes, **({"LOADSTONE_TOPOLOGY": machine} if machine else {}))
        status, _, err = self.run_job("--report-bindings", *words, env=env)
        self.assertEqual(status, 0, err)
        return re.findall(r"(?m)^mpiexec: rank \d+: (.*)$", err), err

    def test_sets_for_whoever_may_have_threads(self):
        sets = ["bound to processors 0-7; threads as it has processors: 8",
                "bound to processors 8-15; threads as it has processors: 8"]
        self.assertEqual(self.report("-n", 2, sys.executable, "-c", "")[0], sets)
        if KNOWN.threaded != "none":
            self.assertEqual(self.report("-n", 2, KNOWN.threaded)[0], sets)

    def test_a_core_for_whoever_has_none(self):
        cores = [f"bound to processor {i}; threads as it has processors: 1" for i in range(2)]
        self.assertEqual(self.report("-n", 2, KNOWN.plain, "2")[0], cores)
        self.assertEqual(self.report("-n", 2, "--bind-to", "core", "true")[0], cores)
        user = "; threads as the environment says: OMP_NUM_THREADS="
        self.assertEqual(self.report("-n", 2, "true", OMP_NUM_THREADS="1")[0],
                         [f"bound to processor {i}{user}1" for i in range(2)])
        self.assertEqual(self.report("-n", 2, "-x", "OMP_NUM_THREADS=4", KNOWN.plain, "2")[0],
                         [f"bound to processors {place}{user}4" for place in ("0-3", "4-7")])

    def test_placement_words(self):
        for words, places in ((("-n", 2, "--bind-to", "socket"), ("0-7", "8-15")),
                              (("-n", 2, "-bind-to", "l3cache"), ("0-3", "4-7")),
                              (("-n", 2, "--bind-to=numa"), ("0-15", "0-15")),
                              (("-n", 3, "--map-by", "socket", "--cpus-per-rank", 2), ("0-1", "8-9", "2-3")),
                              (("-n", 2, "--map-by", "ppr:1:socket:PE=3"), ("0-2", "8-10")),
                              (("-n", 2, "--cpus-per-rank=4"), ("0-3", "4-7"))):
            lines, err = self.report(*words, "true")
            self.assertEqual([re.search(r"processors (\S+);", line)[1] for line in lines], list(places), words)
            self.assertIn("LOADSTONE_TOPOLOGY", err)
        lines, _ = self.report("-n", 2, "--use-hwthread-cpus", "--cpus-per-rank", 3, "true", machine="package:1 core:4 pu:2")
        self.assertEqual([re.search(r"processors (\S+);", line)[1] for line in lines], ["0-2", "3-5"])

    def test_crowds(self):
        lines, err = self.report("-n", 17, "true")
        self.assertEqual(lines, ["not bound, may use processors 0-15; OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive"] * 17)
        lines, err = self.report("-n", 17, "--bind-to", "core", "true")
        self.assertIn("17 ranks do not fit on 16 cores; they share them", err)
        self.assertEqual(lines[16], "bound to processor 0; OMP_WAIT_POLICY=passive", "its mask says one thread")

    def test_of_this_machine_it_is_true(self):
        mine = sorted(os.sched_getaffinity(0))
        show = [sys.executable, "-c", "import os; print(os.environ['LOADSTONE_RANK'], *sorted(os.sched_getaffinity(0)))"]
        for words in (("-n", 1), ("-n", len(mine)), ("-n", len(mine) + 1), ("-n", 3, "--bind-to", "core"),
                      ("-n", 2, "--bind-to", "socket"), ("-n", 1, "--cpus-per-rank", len(mine))):
            status, out, err = self.run_job("--report-bindings", *words, *show, env=plain_environment())
            self.assertEqual(status, 0, err)
            for line in out.splitlines():
                rank, *processors = line.split()
                said = re.search(rf"rank {rank}: \D*processors? ([\d,-]+);", err)[1]
                numbers = [n for part in said.split(",") for n in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)]
                self.assertEqual([int(p) for p in processors], numbers, err)


if __name__ == "__main__":
    main()
