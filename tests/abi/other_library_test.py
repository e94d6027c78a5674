#!/usr/bin/env python3
"""One program, compiled against either library with the standard ABI, runs on both by a change of the library path.

The other library is the `mpich` wheel of PyPI, put into a virtual environment under the build tree. Without a network and without that
environment the test is skipped (77).

usage: other_library_test.py <build tree> <program.c> <scratch folder>
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

SKIPPED = 77


def environment(folder):
    """The virtual environment with the wheel; made once."""
    if not (folder / "bin" / "mpicc_abi").exists():
        venv.create(folder, with_pip=True, clear=True)
        done = subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "mpich>=5.0"])
        if done.returncode != 0:
            print("skipped: the mpich wheel cannot be installed here")
            sys.exit(SKIPPED)
    return folder


def main():
    build, source, scratch = (Path(a).resolve() for a in sys.argv[1:])
    scratch.mkdir(parents=True, exist_ok=True)
    theirs = environment(build / "venvs" / "mpich")
    clean = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    wrappers = {"ours": build / "bin" / "mpicc", "theirs": theirs / "bin" / "mpicc_abi"}
    runs = {"ours": (build / "bin" / "mpiexec", build / "lib", "on Loadstone"),
            "theirs": (theirs / "bin" / "mpiexec", theirs / "lib", "on MPICH")}
    failed = 0
    for compiled, wrapper in wrappers.items():
        program = scratch / f"portable_{compiled}"
        subprocess.run([wrapper, "-O1", source, "-o", program], check=True, env=clean)
        for run, (launcher, library, expected) in runs.items():
            for ranks in (1, 3, 4):
                done = subprocess.run([launcher, "-n", str(ranks), program, str(ranks)], text=True, timeout=100,
                                      env=clean | {"LD_LIBRARY_PATH": str(library)},
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                good = done.returncode == 0 and expected in done.stdout and "portable: passed" in done.stdout
                failed += not good
                print(f"compiled against {compiled}, run on {run}, {ranks} ranks: {'passed' if good else 'FAILED'}")
                if not good:
                    print(done.stdout)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
