"""The command `loadstone`: its options, what it says, and with which exit status, in plain and in poor surroundings.

usage: run.py --loadstone PROGRAM --mpiexec PROGRAM --refuse-vm PROGRAM
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

OPTIONS = None
CACHE = "/dev/null"  # no folder: no machine can be kept there, not even by root
HANG = 120  # bounds a hang


def run(*words, before=(), **settings):
    """(status, standard output, standard error) of the command with exactly these LOADSTONE_ variables."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LOADSTONE_", "PMI", "SLURM_"))} | {"XDG_CACHE_HOME": CACHE} | settings
    done = subprocess.run([*before, OPTIONS.loadstone, *map(str, words)], env=env, capture_output=True, text=True,
                          timeout=HANG, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


_measurement = None


def measurement():
    """What `loadstone model` says of this machine, its picture, and the machine that it keeps: (output, picture, text, the
    kept file's name below XDG_CACHE_HOME). Measured once, as each measurement keeps both cores for seconds."""
    global _measurement
    if _measurement is None:
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "model.svg")
            status, out, err = run("model", "--rounds", 1, "--svg", picture, XDG_CACHE_HOME=folder)
            if status != 0:
                raise AssertionError(err)
            name = os.path.join("loadstone", "machine-" + os.uname().nodename)
            text = ""  # figures measured beside something else may be refused
            if "The machine is not kept" not in out:
                with open(os.path.join(folder, name)) as kept:
                    text = kept.read()
            with open(picture) as drawn:
                _measurement = out.replace(folder, ""), drawn.read(), text, name
    return _measurement


class CommandLine(unittest.TestCase):
    def test_help_teaches(self):
        status, out, err = run("--help")
        self.assertEqual((status, err), (0, ""))
        for word in ("info", "doctor", "model", "explain", "--version", "loadstone doctor --help", "mpiexec"):
            self.assertIn(word, out)
        for command, words in (("info", ("--changed", "EAGER_LIMIT", "exit status", "mpiexec -n 1 -x")),
                               ("doctor", ("COSTS", "STOPS", "exit status", "-n,--np")),
                               ("model", ("--suggest", "--svg", "--cold", "implementation", "exit status")),
                               ("explain", ("--peer", "shared-send", "--nonblocking", "--window", "--blocks", "exit status"))):
            status, out, err = run(command, "--help")
            self.assertEqual((status, err), (0, ""))
            for word in words:
                self.assertIn(word, out)

    def test_words_with_one_dash_are_not_taken_apart(self):
        for words in (["doctor", "-host"], ["-hx"], ["doctor", "-n2x"], ["info", "-changed"]):
            status, out, err = run(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertIn("there is no option", err)
        self.assertEqual(run("-help")[0], 0)

    def test_version(self):
        self.assertRegex(run("--version")[1], r"^loadstone \(Loadstone\) \d+\.\d+\.\d+\n  standard  MPI 5\.0, ABI 1 "
                                              r"\(libmpi_abi\.so\.1\)\n  built     for \w+, by \w+ [\d.]+, \w+\n$")

    def test_mistakes(self):
        for words in ([], ["infos"], ["info", "--all"], ["doctor", "-n", "0"], ["doctor", "-n", "x"], ["doctor", "more"],
                      ["model", "--rounds", "0"], ["explain"], ["explain", "message"], ["explain", "bcast", "8"],
                      ["explain", "message", "-8"], ["explain", "message", "8", "--peer", "far"], ["explain", "message", "8X"],
                      ["explain", "rma"], ["explain", "rma", "8", "--window", "mine"], ["explain", "rma", "8", "--blocks", "0"],
                      ["explain", "rma", "8", "--blocks", "3"], ["explain", "coll", "bcast", "8"], ["explain", "coll", "dance", "8", "4"],
                      ["explain", "coll", "bcast", "8X", "4"], ["explain", "coll", "bcast", "8", "0"], ["explain", "message", "8", "9"]):
            status, out, err = run(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertRegex(err, r"^loadstone: .*\nTry: loadstone .*--help\n$")


class Info(unittest.TestCase):
    def test_every_setting_with_its_default(self):
        status, out, err = run("info")
        self.assertEqual((status, err), (0, ""))
        for name, initial in (("EAGER_LIMIT", "automatic"), ("WAIT", "adaptive"), ("VM", "1"), ("COLL_bcast", "auto"),
                              ("ARENA_LIMIT", "unlimited"), ("TOPOLOGY", r"\(empty\)")):
            self.assertRegex(out, rf"(?m)^  LOADSTONE_{name} +{initial} +default$")
        users, tests = out.split("\nfor tests and trials: LOADSTONE_TEST=name=value,name=value\n")
        for name, initial in (("mappings", "unlimited"), ("both_sides", "automatic"), ("pair_lines", r"\d+")):
            self.assertRegex(tests, rf"(?m)^  {name} +{initial} +default$")
        self.assertNotIn("both_sides", users)
        self.assertNotIn("from the environment;", out)
        self.assertIn("automatic, for", out)

    def test_where_a_value_came_from(self):
        settings = {"LOADSTONE_WAIT": "block", "LOADSTONE_TEST": "cells=65536"}
        status, out, _ = run("info", "--changed", **settings)
        self.assertEqual(status, 0)
        self.assertRegex(out, r"(?m)^  LOADSTONE_WAIT +block +from the environment; default: adaptive$")
        self.assertRegex(out, r"(?m)^  cells +65536 +from the environment; default: \d+$")
        self.assertNotIn("LOADSTONE_VM ", out)
        self.assertIn("sleeps at once", run("info", **settings)[1])
        self.assertIn("None is set", run("info", "--changed")[1])

    def test_some_settings(self):
        status, out, _ = run("info", "EAGER_LIMIT", "LOADSTONE_WAIT", "overlap")
        self.assertEqual(status, 0)
        self.assertEqual(out.count("  LOADSTONE_"), 2)
        self.assertIn("  overlap ", out)
        status, out, _ = run("info", "EAGER_LIMT")
        self.assertEqual((status, out), (1, "LOADSTONE_EAGER_LIMT: there is no such setting\n"))

    def test_values_and_names_of_no_use(self):
        status, out, _ = run("info", LOADSTONE_TEST="inbox_slots=100", LOADSTONE_EAGER_LIMT="5", LOADSTONE_CC="gcc")
        self.assertEqual(status, 1)
        self.assertIn("NOT USED: expected a power of two, at least 2, at most 512; the default holds", out)
        self.assertIn("LOADSTONE_EAGER_LIMT: nothing reads a variable of this name", out)
        self.assertNotIn("LOADSTONE_CC", out)

    def test_what_a_job_is_given(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        done = subprocess.run([OPTIONS.mpiexec, "-n", "1", "-x", "LOADSTONE_VM=0", OPTIONS.loadstone, "info", "--changed"],
                              env=env, capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^  LOADSTONE_VM +0 +from the environment; default: 1$")
        self.assertEqual(done.stdout.count("  LOADSTONE_"), 1)


class Doctor(unittest.TestCase):
    def examine(self, *words, **more):
        status, out, err = run("doctor", *words, **more)
        self.assertEqual(err, "")
        self.assertEqual(status, 3 if "  STOPS " in out else 1 if "  COSTS " in out else 0, out)
        return out

    def test_plain(self):
        out = self.examine("-n", 1)
        self.assertRegex(out, r"(?m)^  ok +job memory for 1 rank can be made")
        self.assertIn("process_vm_readv", out)
        self.assertRegex(out, r"(?m)^  (ok|remark) +buffered writes to files are made by (io_uring|pwrite)$")

    def test_io_uring_refused(self):
        out = self.examine("-n", 1, before=[OPTIONS.refuse_vm])
        self.assertRegex(out, r"(?m)^  remark +buffered writes to files are made by pwrite$")
        self.assertRegex(out, r"io_uring is refused here|without\s+liburing")

    def test_process_vm_refused(self):
        out = self.examine("-n", 1, before=[OPTIONS.refuse_vm])
        self.assertRegex(out, r"(?m)^  COSTS +the system refuses process_vm_readv between ranks \(Operation not permitted\)$")
        self.assertIn("--cap-add=SYS_PTRACE", out)

    def test_more_ranks_than_processors(self):
        first = min(os.sched_getaffinity(0))
        out = self.examine("-n", 3, before=["taskset", "-c", str(first)])
        self.assertRegex(out, r"(?m)^  COSTS +3 ranks on 1 processor$")
        self.assertIn("ranks will not be bound", out)
        self.assertRegex(out, r"OMP_NUM_THREADS=1\s+and\s+OMP_WAIT_POLICY=passive")

    def test_more_threads_than_processors(self):
        processors = len(os.sched_getaffinity(0))
        out = self.examine("-n", processors, OMP_NUM_THREADS="3")
        self.assertRegex(out, rf"(?m)^  COSTS +OMP_NUM_THREADS=3 makes {3 * processors} threads of {processors} ranks on")
        self.assertNotIn(" threads of ", self.examine("-n", processors, OMP_NUM_THREADS="1"))

    def test_settings(self):
        out = self.examine("-n", 1, LOADSTONE_VM="0", LOADSTONE_EAGER_LIMIT="64M")
        self.assertRegex(out, r"(?m)^  COSTS +LOADSTONE_VM=0 is set$")
        self.assertIn("mend: unset LOADSTONE_VM", out)
        self.assertRegex(out, r"(?m)^  remark +LOADSTONE_EAGER_LIMIT=64M: expected a number of bytes without a unit$")

    def test_parameters_of_tests(self):
        out = self.examine("-n", 1, LOADSTONE_TEST="transport=poor,integrity=1,cells=4194304")
        self.assertRegex(out, r"(?m)^  COSTS +LOADSTONE_TEST=transport=poor,integrity=1 is set$")
        self.assertIn("mend: unset LOADSTONE_TEST", out)

    def test_job_memory_that_cannot_be_made(self):
        out = self.examine("-n", 4, before=["sh", "-c", 'ulimit -f 1; exec "$@"', "sh"])
        self.assertRegex(out, r"(?m)^  STOPS +the job memory cannot be made")
        self.assertIn("Jobs will not start here.", out)

    def test_another_launcher(self):
        out = self.examine("-n", 1, SLURM_STEP_ID="0", SLURM_STEP_NUM_TASKS="4")
        self.assertRegex(out, r"(?m)^  remark +this process was started by another launcher$")


class Explain(unittest.TestCase):
    def explain_coll(self, *words, **more):
        """The algorithm taken, and the predicted time of each that is possible."""
        status, out, err = run("explain", "coll", *words, **more)
        self.assertEqual((status, err), (0, ""), (words, err))
        times = {w[0]: float(w[1]) for w in (line.split() for line in out.splitlines())
                 if len(w) > 1 and re.fullmatch(r"[0-9]+\.[0-9]{3}", w[1])}
        return re.search(r"^taken: (\w+):", out, re.M)[1], times, out

    def test_explain_coll(self):
        for name in ("barrier", "bcast", "gather", "scatter", "allgather", "reduce", "allreduce", "reduce_scatter", "alltoall",
                     "scan", "exscan"):
            for size in ("8", "64K", "8M"):
                for ranks in (1, 2, 4, 17):
                    taken, times, out = self.explain_coll(name, size, ranks)
                    where = (name, size, ranks, times)
                    self.assertEqual(times[taken], min(times.values()), where)
                    if ranks == 1:
                        self.assertNotIn(taken, {"buffers", "blocks"}, where)
        # On a declared machine with more than one cache, and a core for each.
        two_sockets = {"LOADSTONE_TOPOLOGY": "package:2 l3:8 core:4 pu:1"}
        for name in ("barrier", "bcast", "reduce", "allreduce"):
            taken, times, out = self.explain_coll(name, 8, 64, **two_sockets)
            self.assertEqual(taken, "levels", out)
            self.assertIn("64 ranks on 64 processors, 4 to a cache, 32 to a package", out)
        two_large = {"LOADSTONE_TOPOLOGY": "package:2 l3:8 core:9 pu:1"}
        taken, times, out = self.explain_coll("allreduce", 8, 128, **two_large)
        self.assertEqual(taken, "levels", out)
        taken, times, out = self.explain_coll("allreduce", 8, 129, **two_large)
        self.assertIn("more members than may have areas", out)
        taken, times, out = self.explain_coll("barrier", 0, 4, **two_sockets)
        self.assertIn("all share a cache", out)
        taken, times, out = self.explain_coll("allreduce", 8, 4, LOADSTONE_COLL_allreduce="scattered")
        self.assertIn("fewer elements than members", out)
        taken, times, out = self.explain_coll("allreduce", "1M", 4, LOADSTONE_COLL_allreduce="doubling")
        self.assertEqual(taken, "doubling")
        self.assertIn("LOADSTONE_COLL_allreduce=doubling", out)
        self.assertGreater(times[taken], min(times.values()))

    def test_explain_coll_unequal(self):
        """Forms whose blocks have sizes of their own, which only their owners know, or all."""
        for size in ("8", "64K", "8M"):
            for ranks in (2, 4, 17, 129):
                edges = "buffers" if ranks <= 128 else "pairwise"
                rooted = "area" if size == "8" and ranks <= 128 else "linear"
                for name, expected in (("gatherv", rooted), ("scatterv", rooted), ("alltoallv", edges), ("alltoallw", edges)):
                    taken, times, out = self.explain_coll(name, size, ranks)
                    self.assertEqual(taken, expected, out)
                    self.assertIn("only their owners know the sizes", out)
                taken, times, out = self.explain_coll("allgatherv", size, ranks)
                self.assertFalse({"bruck", "by_root"} & times.keys(), out)
                self.assertIn(taken, times, out)
                if ranks <= 17:
                    equal, _, _ = self.explain_coll("allgather", size, ranks)
                    if equal in {"area", "buffers", "blocks"}:
                        self.assertEqual(taken, equal, out)
        taken, times, out = self.explain_coll("gatherv", "64K", 4, LOADSTONE_COLL_gather="buffers")
        self.assertEqual(taken, "buffers")
        self.assertIn("LOADSTONE_COLL_gather=buffers", out)
        for algorithm in ("linear", "area"):
            taken, times, out = self.explain_coll("gatherv", "8", 4, LOADSTONE_COLL_gather=algorithm)
            self.assertEqual(taken, algorithm, out)
        taken, times, out = self.explain_coll("allgatherv", "64K", 4, LOADSTONE_COLL_allgather="ring")
        self.assertEqual(taken, "ring")

    def explain(self, *words, **more):
        """(what is taken, {way: predicted µs or None}, all of the text)"""
        status, out, err = run("explain", "message", *words, **more)
        self.assertEqual((status, err), (0, ""))
        ways = {name: None if time == "-" else float(time) for name, time in re.findall(r"(?m)^  (\S[a-z, ]*?)  +(-|\d+\.\d+)(?=   )", out)}
        taken = re.search(r"(?m)^taken: ([a-z, ]+): \S", out)
        self.assertIsNotNone(taken, out)
        self.assertEqual(len(re.findall(r"   taken$", out, re.M)), 1, out)
        self.assertEqual(len(ways), 10, out)
        self.assertGreater(ways[taken[1]], 0, out)
        return taken[1], ways, out

    def test_candidates_and_what_is_taken(self):
        for size, way in ((8, "short"), (1000, "eager"), ("32K", "eager"), ("64K", "eager"), ("200K", "at once"), ("64M", "pipelined")):
            taken, ways, out = self.explain(size)
            self.assertEqual(taken, way, out)
            possible = [time for time in ways.values() if time is not None]
            self.assertEqual(possible, sorted(possible), out)
            self.assertIsNone(ways["push"], out)
        self.assertIn("the sender cannot map the receiver's buffer", out)
        self.assertIn("machine that is built in", out)

    def test_what_changes_the_way(self):
        self.assertEqual(self.explain("4M", "--nonblocking")[0], "both sides")
        self.assertEqual(self.explain("4M", "--nonblocking", "-n", 1000)[0], "single copy")
        self.assertEqual(self.explain("4M", "--nonblocking", "--peer", "no-vm")[0], "pipelined")
        self.assertEqual(self.explain("4M", "--nonblocking", LOADSTONE_VM="0")[0], "pipelined")
        self.assertEqual(self.explain("4M", "--nonblocking", LOADSTONE_TEST="both_sides=0")[0], "single copy")
        self.assertEqual(self.explain("4M", "--peer", "shared")[0], "direct, both sides")
        self.assertEqual(self.explain("4M", "--advertised")[0], "advert")
        self.assertEqual(self.explain("4M", "--advertised", "--peer", "no-vm")[0], "pipelined")
        self.assertEqual(self.explain("4K", LOADSTONE_EAGER_LIMIT="100", LOADSTONE_TEST="pipeline_limit=0")[0], "single copy")

    def test_limits_that_are_not_as_delivered_or_derived(self):
        out = self.explain(8, LOADSTONE_EAGER_LIMIT="100")[2]
        self.assertRegex(out, r"(?m)^  LOADSTONE_EAGER_LIMIT +100   set; of the machine: 65536$")
        self.assertRegex(out, r"(?m)^  direct_limit +16384$")

    def test_a_machine_that_is_kept(self):
        """As `loadstone model` writes it; of another processor, or damaged, it is not used."""
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        out, _, text, name = measurement()
        if "The machine is not kept" in out:
            self.skipTest("what else runs here does not let it be measured")
        self.assertIn(f"is kept in /{name}:", out)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, name)
            os.mkdir(os.path.dirname(file))
            with open(file, "w") as kept:
                kept.write(text)
            self.assertIn(f"as loadstone model has measured it ({file})", self.explain("64K", XDG_CACHE_HOME=folder)[2])
            for wrong in (re.sub("about .*", "about another, 2 processors", text), text[:-9], ""):
                with open(file, "w") as kept:
                    kept.write(wrong)
                self.assertIn("machine that is built in", self.explain("64K", XDG_CACHE_HOME=folder)[2])
            slow = re.sub(r"(?m)^(vm|vm_together) (\d+) .*", lambda m: f"{m[1]} {m[2]} {int(m[2]) / 3e5}", text)
            with open(file, "w") as kept:
                kept.write(slow)  # the kernel copies at once: no message should go through cells
            out = self.explain("64K", XDG_CACHE_HOME=folder)[2]
            self.assertRegex(out, r"(?m)^  LOADSTONE_EAGER_LIMIT +4096   of this machine; built in: 65536$")
            self.assertRegex(out, r"(?m)^the model would take: single copy, in \d+ % of its time$")
            # The library takes its limits from there, unless it is told not to.
            times = os.path.join(os.path.dirname(OPTIONS.loadstone), "..", "libexec", "loadstone", "message_times")
            for settings, eager in (({}, False), ({"LOADSTONE_TEST": "machine=built_in"}, True)):
                env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")} | settings | {"XDG_CACHE_HOME": folder}
                done = subprocess.run([OPTIONS.mpiexec, "--bind-to", "core", "-n", "2", times, "rewritten", "32768"], env=env,
                                      capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)
                self.assertEqual((done.returncode, done.stdout.split()[1] == "eager"), (0, eager), (settings, done.stderr))
            self.assertRegex(self.explain("64K", XDG_CACHE_HOME=folder, LOADSTONE_TEST="machine=built_in")[2],
                             r"(?m)^  LOADSTONE_EAGER_LIMIT +65536$")
            out = run("info", XDG_CACHE_HOME=folder)[1]
            self.assertRegex(out, rf"LOADSTONE_EAGER_LIMIT 4096, direct_limit \d+, pipeline_limit \d+: of this machine \({file}\)")

    def test_messages_take_what_is_explained(self):
        """Two ranks, a core for each: the library's own counts of messages by protocol."""
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        times = os.path.join(os.path.dirname(OPTIONS.loadstone), "..", "libexec", "loadstone", "message_times")
        sizes = [0, 8, 80, 81, 4096, 16384, 65535]  # what is longer takes the way that was measured to be quicker
        protocol = {"short": "short", "eager": "eager", "at once": "at_once", "pipelined": "pipelined", "single copy": "single_copy", "both sides": "both_sides"}
        for settings in ({}, {"LOADSTONE_EAGER_LIMIT": "1000", "LOADSTONE_TEST": "pipeline_limit=0"}, {"LOADSTONE_VM": "0", "LOADSTONE_EAGER_LIMIT": "0"}):
            env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")} | settings | {"XDG_CACHE_HOME": CACHE}
            done = subprocess.run([OPTIONS.mpiexec, "--bind-to", "core", "-n", "2", times, "rewritten", *map(str, sizes[1:])], env=env,
                                  capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done.stderr)
            real = {int(line.split()[0]): line.split()[1] for line in done.stdout.splitlines()}
            self.assertEqual(sorted(real), sizes[1:])
            for size, name in real.items():
                self.assertEqual(protocol[self.explain(size, **settings)[0]], name, (size, settings))

    def explain_rma(self, *words, **more):
        """(what is taken, {way: (put, get, put when the target computes) or None}, all of the text)"""
        status, out, err = run("explain", "rma", *words, **more)
        self.assertEqual((status, err), (0, ""))
        ways = {name: None if "-" in times else tuple(map(float, times.split()))
                for name, times in re.findall(r"(?m)^  (direct|system|asked) +((?:-|[\d.]+) +(?:-|[\d.]+) +(?:-|[\d.]+))  ", out)}
        taken = re.search(r"(?m)^taken: ([a-z]+): \S", out)
        self.assertEqual(sorted(ways), ["asked", "direct", "system"], out)
        self.assertEqual(len(re.findall(r"   taken$", out, re.M)), 1, out)
        self.assertIsNotNone(ways[taken[1]], out)
        return taken[1], ways, out

    def test_ways_of_one_sided_operations(self):
        # (Beyond some KiB it depends on the machine: a put into what another core has read may take as long as a message.)
        taken, ways, out = self.explain_rma("4K")
        self.assertEqual((taken, ways["system"]), ("direct", None), out)
        self.assertEqual(ways["direct"][0], ways["direct"][2], "a target that computes makes no difference")
        self.assertLess(ways["direct"][0], ways["asked"][0])
        self.assertLess(ways["asked"][0] + 10, ways["asked"][2], "it has to be woken")
        taken, ways, out = self.explain_rma("64K", "--window", "created")
        self.assertEqual((taken, ways["direct"]), ("system", None), out)
        self.assertEqual(ways["system"][0], ways["system"][2])
        self.assertIn("machine that is built in", out)
        taken, ways, out = self.explain_rma("64K", "--window", "created", LOADSTONE_VM="0")
        self.assertEqual((taken, ways["direct"], ways["system"]), ("asked", None, None), out)
        self.assertIn("refuses process_vm_writev", out)

    def test_small_blocks_of_ordinary_memory(self):
        one, many = (self.explain_rma("1M", "--window", "created", "--blocks", n) for n in (1, 4096))
        self.assertGreater(many[1]["system"][0], one[1]["system"][0] + 4096 * 0.1)
        self.assertEqual(many[1]["asked"], one[1]["asked"])
        self.assertIn("in 4096 blocks of 256 at the target", many[2])
        self.assertRegex(many[2], r"(?m)^  put .*target computes: thread [\d.]+$")
        self.assertRegex(one[2], r"(?m)^  put .*target computes: blocks [\d.]+$")
        self.assertRegex(one[2], r"(?m)^the model would ask from \d+ blocks? on, even if the target has to be woken$")
        self.assertNotIn("would ask", self.explain_rma("8", "--window", "created")[2])


class Model(unittest.TestCase):
    """What it says must hang together; how fast this machine is, nobody asserts."""

    def setUp(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")

    def rows(self, out):
        """(protocol, limit, predicted, measured) of every line of the tables of messages."""
        found = re.findall(r"(?m)^ +\d+(?: Ki| Mi)? +(\w+) +([\d.]+) +([\d.]+) +([\d.]+) +\d+ +\d+ +\d+$", out)
        return [(name, *map(float, values)) for name, *values in found]

    def operations(self, out):
        """{(way, operation): how many sizes} of the table of one-sided operations, each with a time that was measured."""
        found = {}
        for way, what, predicted, measured in re.findall(
                r"(?m)^  (direct|system|asked|collected|handed|thread) +(\w+) +(?:\d+(?: Ki| Mi)? +)?([\d.]+) +([\d.]+) +\d+$", out):
            self.assertGreater(float(measured), 0, out)
            found[way, what] = found.get((way, what), 0) + 1
        return found

    def test_tables_and_picture(self):
        out, picture, _, _ = measurement()
        text = xml.dom.minidom.parseString(picture).toxml()
        rows = self.rows(out)
        self.assertGreaterEqual({name for name, *_ in rows}, {"short", "eager", "pipelined"})
        for name, limit, predicted, measured in rows:
            self.assertGreater(min(limit, predicted, measured), 0, (name, out))
        self.assertEqual(self.operations(out), {(way, what): sizes for way in ("direct", "system", "asked")
                                                for what, sizes in (("put", 5), ("get", 5), ("lock", 1), ("fence", 1), ("post", 1))}
                         | {("collected", "puts"): 1, ("handed", "blocks"): 1, ("thread", "computing"): 1, ("handed", "add"): 3})
        for words in ("hand-over of a cache line", "for each further piece", "waking a sleeping process", "as set", "through a pipeline", "implementation"):
            self.assertIn(words, out)
        table = out[out.index("Collectives of 2 ranks"):]
        for name in ("bcast", "gather", "scatter", "allgather", "reduce", "allreduce", "reduce_scatter", "alltoall", "scan", "exscan"):
            lines = re.findall(rf"(?m)^  {name} +\d+(?: Ki| Mi)? +\w+ +([\d.]+) +([\d.]+) +\d+ +\w+ +([\d.]+) +\d+$", table)
            self.assertEqual(len(lines), 5, (name, table))
            self.assertGreater(min(float(time) for line in lines for time in line), 0, table)
        self.assertRegex(table, r"(?m)^  \d+ of 51: the algorithm taken is within 10 % of the quickest")
        self.assertRegex(table, r"(?m)^  allreduce: reduce and bcast +64 Ki +[\d.]+ +[\d.]+ +\d+(  slower)?$")
        self.assertGreater(text.count("<polyline"), 5)
        self.assertIn("limit of the machine", text)

    def test_snapshots_through_buffers(self):
        with tempfile.TemporaryDirectory() as folder:
            asked = ("model", "io", "--bytes", "1M", "--every", 1000, "-n", 2, "--folder", folder)
            status, out, err = run(*asked, "--buffer", "4M")
            self.assertEqual((status, err), (0, ""))
            self.assertRegex(out, r"(?m)^  overflow, max\(0, D - S\) +0\.0 MiB a rank$")
            self.assertRegex(out, r"(?m)^  file system keeps up, RD <= WT +yes$")
            self.assertRegex(out, r"(?m)^  D at most +4\.0 MiB with this S and T$")
            status, out, err = run(*asked, "--buffer", 0)
            self.assertRegex(out, r"(?m)^  a call with them .*: 0\.0 % hidden$")
            self.assertIn("1.0 more than there are (LOADSTONE_IO_BUFFER=1048576)", out)
            self.assertEqual(os.listdir(folder), [])
            status, out, err = run("model", "io", "--folder", folder + "/missing")
            self.assertEqual((status, out), (1, ""))
            self.assertIn("no file can be written", err)

    def test_suggestions_are_settings(self):
        status, out, err = run("model", "--rounds", 1, "--suggest")
        self.assertEqual(status, 0, err)
        lines = [line for line in out.splitlines() if not line.startswith("#")]
        found = dict(line.split("=", 1) for line in lines)
        self.assertIn("LOADSTONE_EAGER_LIMIT", found)
        status, out, _ = run("info", "--changed", **found)
        self.assertEqual(status, 0, out)
        self.assertEqual(out.count("from the environment; default"), len(found))

    def test_without_process_vm(self):
        status, out, err = run("model", "--rounds", 1, before=[OPTIONS.refuse_vm])
        self.assertEqual(status, 0, err)
        self.assertIn("refused (loadstone doctor)", out)
        self.assertEqual({way for way, _ in self.operations(out)}, {"direct", "asked"}, out)
        names = {name for name, *_ in self.rows(out)}
        self.assertFalse(names & {"single_copy", "both_sides"})
        self.assertIn("pipelined", names)

    def test_one_processor(self):
        status, out, err = run("model", "--rounds", 1, before=["taskset", "-c", str(min(os.sched_getaffinity(0)))])
        self.assertEqual((status, out), (1, ""))
        self.assertIn("two processors are needed", err)

    def test_a_picture_that_cannot_be_written(self):
        status, _, err = run("model", "--rounds", 1, "--svg", "/dev/null/model.svg")
        self.assertEqual(status, 1)
        self.assertIn("cannot write /dev/null/model.svg", err)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("loadstone", "mpiexec", "refuse-vm"):
        parser.add_argument(f"--{name}", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)


if __name__ == "__main__":
    main()
