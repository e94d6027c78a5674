#!/usr/bin/env python3
"""The demonstration behind `make demo`: real programs, built from source, on Loadstone.

Sets up what it needs below build/ (see tools/setup/python_env.py), runs its parts on four ranks, and ends with a
summary. Any wrong result, wrong library or failed step makes it fail.
"""

import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools" / "setup"))
import python_env as setup  # noqa: E402

RANKS = 4
LIBRARY = os.environ.get("LOADSTONE_EXPECT_LIBRARY", "Loadstone")
EXAMPLES = pathlib.Path(__file__).resolve().parent
RESULTS = setup.BUILD / "demo"


class Failure(Exception):
    """Something is not as it must be."""


def run(*command, timeout: int = 300) -> str:
    """Runs a program, shows what it prints, returns it."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=timeout, env=setup.environment())
    except subprocess.TimeoutExpired as late:
        output = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
        raise Failure(f"no end after {timeout} s: {' '.join(words)}\n{output}") from None
    sys.stdout.write("".join(f"  {line}\n" for line in done.stdout.splitlines()))
    sys.stdout.flush()
    if done.returncode != 0:
        raise Failure(f"status {done.returncode} from: {' '.join(words)}")
    return done.stdout


def expect(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Failure(otherwise)


def compiled(bin_: pathlib.Path, folder: str, name: str, *libraries: str) -> pathlib.Path:
    program = RESULTS / "bin" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    setup.run([bin_ / "mpicc", "-O2", "-std=c11", "-Wall", "-Wextra", EXAMPLES / folder / f"{name}.c", "-o", program, *libraries],
              log=setup.BUILD / "logs" / f"demo-{name}.log", what=f"{name} compiled with mpicc")
    return program


def fft2d(bin_: pathlib.Path, venv: setup.Venv) -> str:
    program = compiled(bin_, "fft2d", "fft2d", "-lfftw3", "-lm")
    common = [venv.python, EXAMPLES / "fft2d" / "run.py", "--mpiexec", bin_ / "mpiexec", "--program", program,
              "--expect", LIBRARY]
    run(*common, "--out", RESULTS / "fft2d", "-n", RANKS)
    # Three ranks and a picture of 387 x 500: nothing divides.
    run(*common, "--out", RESULTS / "fft2d-cropped", "-n", 3, "--crop", "500x387")
    return f"results equal NumPy's; pictures in {RESULTS / 'fft2d'}"


def one_sided(bin_: pathlib.Path, venv: setup.Venv) -> str:
    rights = {"kmers": "the table holds what one rank has counted alone",
              "halo": "both give the bits that one rank computes alone"}
    for name, right in rights.items():
        program = compiled(bin_, "one_sided", name)
        # Three ranks too: neither the words nor the plate can be divided evenly.
        for ranks, words in ((RANKS, ()), (3, ("20011", "9") if name == "kmers" else ("101", "50"))):
            output = run(bin_ / "mpiexec", "-n", ranks, program, *words)
            expect(f"library: {LIBRARY}" in output, f"{name} runs on another library than {LIBRARY}")
            expect(f"ranks: {ranks}" in output, f"MPI_COMM_WORLD does not have {ranks} ranks")
            expect(right in output, f"{name} did not compare its result")
    return "words counted in a table that nobody serves, halos put into the neighbours' grids: as one rank computes them"


def heat(bin_: pathlib.Path, venv: setup.Venv) -> str:
    program = compiled(bin_, "heat", "heat", "-lm")
    folder = RESULTS / "heat"
    folder.mkdir(parents=True, exist_ok=True)
    rows, columns = 2048, 3072
    output = run(bin_ / "mpiexec", "--io-report", "-n", RANKS, program, folder, rows, columns, 240, 30)
    expect(f"library: {LIBRARY}" in output, f"heat runs on another library than {LIBRARY}")
    expect(f"ranks: {RANKS}" in output, f"MPI_COMM_WORLD does not have {RANKS} ranks")
    expect("both files hold the same 8 frames" in output, "heat did not compare its files")
    run(venv.python, EXAMPLES / "heat" / "draw.py", folder / "buffered.raw", rows, columns, folder / "frames.png")
    for name in ("direct", "buffered"):
        (folder / f"{name}.raw").unlink()
    return f"direct and buffered output are the same bytes; frames in {folder / 'frames.png'}"


def mpi4py(bin_: pathlib.Path, venv: setup.Venv) -> str:
    mpiexec = [bin_ / "mpiexec", "-n", RANKS, venv.python]
    version = run(*mpiexec, "-c",
                  "from mpi4py import MPI; c = MPI.COMM_WORLD; v = MPI.Get_library_version().splitlines()[0]\n"
                  "if c.rank == 0: print('library:', v.rstrip(chr(0))); print('ranks:', c.size)")
    expect(f"library: {LIBRARY}" in version, f"mpi4py runs on another library than {LIBRARY}")
    expect(f"ranks: {RANKS}" in version, f"MPI_COMM_WORLD does not have {RANKS} ranks")
    hello = run(*mpiexec, "-m", "mpi4py.bench", "helloworld")
    for rank in range(RANKS):
        expect(f"I am process {rank} of {RANKS}" in hello, f"helloworld: rank {rank} said nothing")
    ring = run(*mpiexec, "-m", "mpi4py.bench", "ringtest", "-n", "4096", "-l", "100")
    expect(f"({RANKS} processes, 4096 bytes)" in ring, "ringtest gave no time")
    ping = run(*mpiexec, "-m", "mpi4py.bench", "pingpong", "-n", str(1 << 20), "-l", "100")
    expect("1048576" in ping, "pingpong did not reach 1 MiB")
    return "helloworld, ringtest and pingpong ran on 4 ranks"


def mpi4py_fft(bin_: pathlib.Path, venv: setup.Venv) -> str:
    output = run(bin_ / "mpiexec", "-n", RANKS, venv.python, EXAMPLES / "mpi4py_fft" / "transform3d.py")
    expect(f"library: {LIBRARY}" in output, f"mpi4py-fft runs on another library than {LIBRARY}")
    expect(f"ranks: {RANKS}" in output, f"MPI_COMM_WORLD does not have {RANKS} ranks")
    return "3-D transform and its inverse within the allowed error"


PARTS = (
    ("2D-FFT of a photograph (C, FFTW, derived datatypes)", fft2d),
    ("One-sided: a hash table, a queue of work, halos by puts beside messages (C)", one_sided),
    ("A heated plate that writes snapshots behind its computation (C, MPI-IO)", heat),
    ("mpi4py built from its PyPI source", mpi4py),
    ("mpi4py-fft built from its PyPI source", mpi4py_fft),
)


def main() -> int:
    begin = time.monotonic()
    summary = []
    try:
        bin_ = setup.loadstone_prefix() / "bin"
        print("Setting up (the first time takes a few minutes):", flush=True)
        venv = setup.Venv("loadstone").require("mpi4py", "demo")
        setup.mpi4py_fft(venv, bin_ / "mpicc")
    except (setup.SetupError, OSError) as error:
        print(f"demo: the set-up failed: {error}", file=sys.stderr)
        return 1
    failed = 0
    for number, (title, part) in enumerate(PARTS):
        print(f"\n({chr(ord('a') + number)}) {title}", flush=True)
        start = time.monotonic()
        try:
            outcome = "ok      " + part(bin_, venv)
        except (Failure, setup.SetupError) as error:
            failed += 1
            outcome = f"FAILED  {error}"
        summary.append(f"  ({chr(ord('a') + number)}) {outcome} ({time.monotonic() - start:.1f} s)")
    print("\nSummary")
    print("\n".join(summary))
    print(f"demo: {len(PARTS) - failed} of {len(PARTS)} parts ok, {failed} failed, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
