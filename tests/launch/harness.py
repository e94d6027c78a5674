"""What the tests of mpiexec share: running it, and seeing that nothing is left behind."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import side_by_side  # noqa: E402
from left_behind import shared_names  # noqa: E402

arguments = argparse.ArgumentParser()
arguments.add_argument("--mpiexec", required=True)
arguments.add_argument("--rank", required=True)
known, _rest = arguments.parse_known_args()
MPIEXEC, RANK = known.mpiexec, known.rank
HANG = 60  # bounds a hang; no test asserts a time

# A shell ignores these two in what it starts with `&`. Who inherits that keeps it, and so would mpiexec.
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def environment(**changes):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("LOADSTONE_", "PMI", "SLURM_", "OMPI_"))}
    env.update(changes)
    return env


def alive(pid):
    """Is the process there, and not a zombie?"""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def number_in(file):
    with open(file) as f:
        return int(f.read())


def touch(file):
    with open(file, "w"):
        pass


def read_until(stream, text):
    """What comes from a pipe up to and including `text`, unbuffered."""
    seen = b""
    while text not in seen:
        more = os.read(stream.fileno(), 65536)
        if not more:
            raise AssertionError(f"{text!r} never came, only {seen!r}")
        seen += more
    return seen


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(word) for word in f.read().split()]


def wait_for(condition, what):
    end = time.monotonic() + HANG
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for: {what}")
        time.sleep(0.002)


class Case(unittest.TestCase):
    """Every test runs in a folder of its own; a marker in the environment finds processes left behind."""
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.marker = f"LAUNCH_TEST_{os.getpid()}_{id(self)}"
        self.shm = shared_names()
        self.addCleanup(self.nothing_left)

    def path(self, name):
        return os.path.join(self.folder, name)

    def left_behind(self):
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as f:
                    if self.marker.encode() in f.read() and alive(name):
                        with open(f"/proc/{name}/cmdline", "rb") as command:
                            found.append((int(name), command.read()))
            except OSError:
                pass
        return found

    def nothing_left(self):
        end = time.monotonic() + HANG  # a killed process needs a moment
        while self.left_behind() and time.monotonic() < end:
            time.sleep(0.005)
        self.assertEqual(self.left_behind(), [])
        self.assertEqual(shared_names() - self.shm, set())

    def start(self, *words, env=None, **more):
        env = dict(env or environment())
        env[self.marker] = "1"
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("cwd", self.folder)
        process = subprocess.Popen([MPIEXEC, *map(str, words)], env=env, **more)
        self.addCleanup(process.stdout.close if process.stdout else lambda: None)
        self.addCleanup(process.stderr.close if process.stderr else lambda: None)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def run_job(self, *words, input=None, env=None, **more):
        """Runs to the end; returns (status, stdout, stderr) with bytes decoded unless binary=True."""
        binary = more.pop("binary", False)
        if input is not None:
            more["stdin"] = subprocess.PIPE
        process = self.start(*words, env=env, **more)
        out, err = process.communicate(input=input, timeout=HANG)
        if not binary:
            out, err = (x.decode() if x is not None else "" for x in (out, err))
        return process.returncode, out, err

    def ranks(self, n, *script, **more):
        return self.run_job("-n", n, RANK, *script, **more)


def main(at_once=1):
    side_by_side.main(_rest, at_once)
