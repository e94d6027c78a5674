#!/usr/bin/env python3
"""Ranks whose process ids lie: each in a PID namespace of its own, or without /proc.

What cannot be had here (unshare or bwrap not permitted, or not there) is skipped, and said.

Usage: namespaces.py --bin DIR (with mpiexec)  --programs DIR (with traffic)
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent / "faults")]
import side_by_side  # noqa: E402
from run import processes_with  # noqa: E402

WATCHDOG = 120  # bounds a hang
OPTIONS = None

# How a rank is started: the words before the program.
BWRAP = ["bwrap", "--dev-bind", "/", "/"]
WRAPPINGS = {
    "unshare": ["unshare", "-pf", "--mount-proc"],
    "unshare-user": ["unshare", "-Urpf", "--mount-proc"],
    "unshare-foreign-proc": ["unshare", "-pf"],  # /proc shows other processes, and not this one
    "bwrap": [*BWRAP, "--unshare-pid", "--proc", "/proc"],
    "bwrap-user": [*BWRAP, "--unshare-user", "--unshare-pid", "--proc", "/proc"],
    "bwrap-hidden-proc": [*BWRAP, "--unshare-pid", "--tmpfs", "/proc"],
    "hidden-proc": [*BWRAP, "--tmpfs", "/proc"],
}
_why_not = {}


def why_not(name):
    """Nothing, or why this cannot be tried here."""
    if name not in _why_not:
        words = WRAPPINGS[name]
        if shutil.which(words[0]) is None:
            _why_not[name] = f"{words[0]} is not installed"
        else:
            tried = subprocess.run([*words, "true"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=WATCHDOG)
            _why_not[name] = "" if tried.returncode == 0 else f"{' '.join(words)} is not permitted: {tried.stderr.strip()}"
    return _why_not[name]


def ranks_of(mark):
    """{rank: process id here} of the program itself, whatever it is wrapped in."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path("/proc", name, "environ").read_bytes().split(b"\0")
            if mark.encode() in b"\0".join(words) and os.path.basename(os.readlink(f"/proc/{name}/exe")) == "traffic":
                found.update({int(w.partition(b"=")[2]): int(name) for w in words if w.startswith(b"LOADSTONE_RANK=")})
        except OSError:
            pass
    return found


class Namespaces(unittest.TestCase):
    def needs(self, name):
        if why_not(name):
            self.skipTest(why_not(name))

    def start(self, *command, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        self.mark = os.urandom(8).hex()
        env.update(environment, LOADSTONE_TEST_MARK=self.mark)
        job = subprocess.Popen([str(OPTIONS.mpiexec), *map(str, command)], env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: job.poll() is None and job.kill())
        return job

    def end(self, job):
        try:
            out, err = job.communicate(timeout=WATCHDOG)
        except subprocess.TimeoutExpired:
            for rank in ranks_of(self.mark).values():
                os.kill(rank, signal.SIGKILL)
            out, err = job.communicate()
            self.fail(f"the job hangs: {out}{err}")
        self.assertEqual(processes_with(self.mark), [], "processes left behind")
        return job.returncode, out, err

    def works(self, *command, **environment):
        self.assertEqual(self.end(self.start(*command, **environment)), (0, "traffic ok\n", ""))

    def alike(self, name):
        """All ranks wrapped so, on 2 and on 4."""
        self.needs(name)
        for ranks in (2, 4):
            for settings in ({}, {"LOADSTONE_VM": "0"}, {"LOADSTONE_TEST": "both_sides=1,overlap=1"}):
                with self.subTest(ranks=ranks, **settings):
                    self.works("-n", ranks, *WRAPPINGS[name], OPTIONS.traffic, ranks, **settings)

    def mixed(self, name):
        """Some ranks wrapped, some not: one sees the other, and not the other way."""
        self.needs(name)
        inside, outside = [*WRAPPINGS[name], OPTIONS.traffic], [OPTIONS.traffic]
        for settings in ({}, {"LOADSTONE_TEST": "both_sides=1"}):
            with self.subTest(**settings):
                self.works("-n", 1, *inside, 2, ":", "-n", 1, *outside, 2, **settings)
                self.works("-n", 1, *outside, 4, ":", "-n", 2, *inside, 4, ":", "-n", 1, *outside, 4, **settings)

    def killed(self, name):
        self.needs(name)
        job = self.start("-n", 4, *WRAPPINGS[name], OPTIONS.traffic, 4, "endless")
        self.assertEqual(job.stdout.readline(), "running\n")
        os.kill(ranks_of(self.mark)[2], signal.SIGKILL)
        status, _, err = self.end(job)
        # The status is what the program around the rank makes of it: unshare of util-linux 2.38 stumbles over such an end.
        self.assertIn(status, (1, 137) if name.startswith("unshare") else (137,), err)
        self.assertEqual(re.findall(r"mpiexec: rank (\d) of 4 \(process \d+ on .*\) (?:was killed by signal 9|exited with status \d+ without)",
                                    err), ["2"], err)

    def test_the_job_within_one_namespace(self):
        for name in ("unshare", "hidden-proc"):
            with self.subTest(wrapping=name):
                self.needs(name)
                env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
                done = subprocess.run([*WRAPPINGS[name], OPTIONS.mpiexec, "-n", "3", OPTIONS.traffic, "3"], env=env, timeout=WATCHDOG,
                                      capture_output=True, text=True, stdin=subprocess.DEVNULL)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "traffic ok\n", ""))

    def test_reports_name_processes_as_they_are_seen_here(self):
        self.needs("unshare")
        job = self.start("-n", 2, *WRAPPINGS["unshare"], OPTIONS.traffic, 2, "endless")
        self.assertEqual(job.stdout.readline(), "running\n")
        ranks = ranks_of(self.mark)
        job.send_signal(signal.SIGUSR1)
        seen = job.stderr.readline() + job.stderr.readline() + job.stderr.readline()
        for _ in range(2):  # the first is the ranks', and no process 1 of a namespace dies of it
            job.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        self.assertEqual(self.end(job)[0], 143)
        self.assertEqual({int(r): int(p) for r, p in re.findall(r"rank (\d) \(process (\d+)\)", seen)}, ranks)

    def test_a_descriptor_closed_on_the_way_is_told(self):
        """It cannot be had from mpiexec, which is not seen; a job of one rank would be wrong without a word."""
        self.needs("unshare")
        closes = 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 9 ] && eval "exec $n>&-"; done; exec "$@"'
        status, out, err = self.end(self.start("-n", 2, *WRAPPINGS["unshare"], "bash", "-c", closes, "bash", OPTIONS.traffic, 2))
        self.assertNotEqual(status, 0)
        self.assertNotIn("ok", out)
        self.assertRegex(err, r"rank \d: cannot join the job of mpiexec .*: the descriptor of the job was closed on the way .* does not see mpiexec")


for _name in WRAPPINGS:
    for _kind in ("alike", "mixed", "killed"):
        def _test(self, kind=_kind, name=_name):
            getattr(self, kind)(name)
        setattr(Namespaces, f"test_{_kind}_{_name.replace('-', '_')}", _test)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.mpiexec = OPTIONS.bin.resolve() / "mpiexec"
    OPTIONS.traffic = OPTIONS.programs.resolve() / "traffic"
    side_by_side.main(rest)


if __name__ == "__main__":
    main()
