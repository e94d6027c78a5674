"""Ranks under valgrind: what is received is known to be written, and what is not is still found.

usage: run.py --mpiexec PROGRAM --loadstone PROGRAM --received PROGRAM        (status 77: there is no valgrind here)
"""
import argparse
import os
import shutil
import subprocess
import sys
import unittest

OPTIONS = None
HANG = 500  # bounds a hang
FOUND = 9


def run(*words, **settings):
    """(status, all output) of two ranks under valgrind."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LOADSTONE_", "PMI", "SLURM_"))} | settings
    done = subprocess.run([OPTIONS.mpiexec, "-n", "2", "valgrind", "-q", f"--error-exitcode={FOUND}", OPTIONS.received, *words],
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=HANG,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


class Valgrind(unittest.TestCase):
    def test_what_is_received_is_known(self):
        for settings in ({}, {"LOADSTONE_TEST": "both_sides=1,overlap=1"}, {"LOADSTONE_VM": "0"},
                         {"LOADSTONE_WAIT": "block", "LOADSTONE_TEST": "pipeline_limit=0"}):
            status, output = run(*(() if not settings else ("200000",)), **settings)
            self.assertEqual((status, output), (0, "all received\n"), settings)

    def test_what_is_not_received_is_found(self):
        status, output = run("mistake")
        self.assertEqual(status, FOUND, output)
        self.assertIn("uninitialised value", output)
        self.assertIn("mistake (received.c", output)


def has_the_header():
    out = subprocess.run([OPTIONS.loadstone, "doctor", "-n", "1"], capture_output=True, text=True, timeout=HANG).stdout
    return "valgrind is told" in out


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("mpiexec", "loadstone", "received"):
        parser.add_argument(f"--{name}", required=True)
    OPTIONS, rest = parser.parse_known_args()
    if shutil.which("valgrind") is None or not has_the_header():
        print("valgrind is not here, or was not when this was built: skipped")
        sys.exit(77)
    sys.argv[1:] = rest
    unittest.main(verbosity=1)
