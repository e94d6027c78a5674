"""What a comparison has measured: samples by figure and contestant, limits of the machine; as text, and as a file.

A figure is a key (figure, habit, size); its samples are one value a round and contestant, as the programs print them.
"""

import json
import pathlib
import statistics

HABITS = ("same", "rewritten", "cold", "allocated")
COLLECTIVES = (("barrier", "Barrier", "ranks"), ("bcast", "Broadcast", "bytes"), ("reduce", "Reduce", "bytes of the vector"),
               ("allreduce", "Allreduce", "bytes of the vector"), ("allgather", "Allgather", "bytes of a rank"),
               ("alltoall", "Alltoall", "bytes of a pair"), ("reduce_scatter", "Reduce_scatter_block", "bytes of the vector"),
               ("gather", "Gather", "bytes of a rank"), ("scatter", "Scatter", "bytes of a rank"))
OURS = ("Loadstone", "before", "ours, --shared-heap")  # contestants that are no peers
COPY_SIZES = (64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20)


def bare(habit: str) -> str:
    """The habit of a bare copy that is to be compared with."""
    return "rewritten" if habit == "allocated" else habit


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


def as_measured(key: tuple, value: float) -> float:
    return value


def bandwidth(key: tuple, value: float) -> float:
    """GB/s of `size` bytes in so many microseconds."""
    return key[2] / value / 1e3


def nanoseconds(key: tuple, value: float) -> float:
    return 1e3 * value


def strided_bandwidth(key: tuple, value: float) -> float:
    """GB/s of 1 MiB in blocks of `size` bytes."""
    return (1 << 20) / value / 1e3


def one_sided_limit(figure: str, habit: str) -> str | None:
    """The habit of the bare operation, without MPI, that a one-sided figure is to be compared with; rma.c measures it too."""
    if figure == "rma sync":
        return "bare " + habit.rpartition(" ")[0]
    if figure == "rma progress":
        what, _, state = habit.rpartition(", ")
        call = {"put created": "bare writev", "get created": "bare readv"}.get(what)
        return f"{call}, {state}" if call else None
    operation, *words = habit.split(" ")
    where = (words or [""])[-1] if words[-1:] != ["watched"] else "watched"
    created = {"put": "bare writev", "get": "bare readv"}
    return {
        "rma small": {"allocated": {"put": "bare store", "get": "bare load", "fetch_and_op": "bare add",
                                    "compare_and_swap": "bare swap"},
                      "watched": {"put": "bare store, watched"}, "created": created},
        "rma epoch": {"": {"created": "bare writev"}},
        "rma large": {"allocated": {"put": "bare memcpy in", "get": "bare memcpy out"}, "created": created},
        "rma strided": {"allocated": {"put": "bare copy", "get": "bare copy"}, "created": {"put": "bare writev", "get": "bare writev"}},
        "rma accumulate": {"origin": {"allocated,": "bare sum", "created,": "bare by owner"},
                           "origins": {"allocated,": "bare locked sum"}},
    }.get(figure.removesuffix(" cold"), {}).get(where, {}).get(operation)


class Table:
    """Which figures stand together, in which unit, and which of the samples counts."""

    def __init__(self, title: str, unit: str, wanted, show=as_measured, of=statistics.median, best=False):
        self.title, self.unit, self.wanted, self.show, self.of = title, unit, wanted, show, of
        self.best = best  # times, of which the least of a peer has a column of its own


def tables(cpus: int) -> list:
    def only(*figures):
        return lambda key: key[0] in figures

    def collective(name):
        return lambda key: key[0] == "coll" and key[1].partition(",")[0] == name

    def one_sided(name, sizes=None):
        return lambda key: key[0] == f"rma {name}" and not key[1].startswith("bare ") and (sizes is None or key[2] in sizes)

    return [
        Table("Latency, one way", "µs", lambda key: key[0] == "pingpong" and key[2] <= 64 << 10),
        Table("Latency, one way, of 8 bytes when each side works before it answers", "µs, without the work", only("work")),
        Table("Bandwidth", "GB/s, of one message at a time",
              lambda key: key[0] == "pingpong" and key[2] >= 256 << 10, bandwidth),
        Table("Both directions at once", "GB/s each way", only("both"), bandwidth),
        Table("Exchanges (MPI_Irecv, MPI_Isend, MPI_Waitall on both sides) with so many neighbours", "µs for all of them",
              only("exchange")),
        Table("Exchanges in other forms, with one neighbour, rewritten", "µs", only("forms")),
        Table("MPI_Isend and MPI_Wait to a rank in MPI_Recv", "µs one way", only("isend")),
        Table("Messages in a row, MPI_Send to MPI_Recv", "µs for each", only("row")),
        Table("Messages of 8 bytes", "million per second", only("rate")),
        Table("Matching: 8 bytes, behind so many others", "µs one way", only("matching")),
        Table("mpi4py: latency of 8 bytes, one way", "µs", only("python")),
        Table("Overlap: share of a message's time hidden behind the computation of one side, by what the other one is in", "%; 100 is all",
              only("overlap")),
        Table("CPU time of a rank waiting 2 s in MPI_Recv", "s", only("idle")),
        Table("Ranks that compute by turns, 0.8 s of computation: one job, and two at once on the same cores", "s",
              only("turns")),
        Table("A step of 200 µs of computation and MPI_Allreduce of 8 bytes: one job, and two at once on the same cores",
              "µs", only("steps")),
        Table(f"Pairs of ranks that answer each other, 8 bytes one way, on {cpus} CPUs: alone, and beside a process that computes",
              "µs", only("pairs")),
        Table(f"Barrier of many ranks on {cpus} CPUs", "µs", only("barrier")),
        Table("The first exchanges of a job (MPI_Irecv, MPI_Isend, MPI_Waitall), mean time of one: the median of the starts",
              "µs", only("first")),
        Table("The same: the worst start", "µs", only("first"), of=max),
        Table("One-sided, 8 bytes and a flush", "ns", lambda key: one_sided("small")(key) and "computing" not in key[1]
              and "created" not in key[1], nanoseconds),
        Table("One-sided, 8 bytes and a flush, created windows and computing targets", "µs",
              lambda key: one_sided("small")(key) and ("computing" in key[1] or "created" in key[1])),
        Table("64 puts of 8 bytes and one flush", "ns for each put", one_sided("epoch"), nanoseconds),
        Table("Put and get of contiguous memory", "GB/s", one_sided("large"), bandwidth),
        Table("Put and get of contiguous memory, cold", "GB/s", one_sided("large cold"), bandwidth),
        Table("Put and get of 1 MiB in blocks of so many bytes with gaps; packed: gaps at the target only", "GB/s",
              one_sided("strided"), strided_bandwidth),
        Table("Accumulate (sum of doubles)", "µs for one at its target", one_sided("accumulate")),
        Table("Lock, put of 8 bytes, unlock", "µs", one_sided("lock")),
        Table(f"Ranks that take one lock by turns on {cpus} CPUs", "µs for one epoch", one_sided("contend")),
        Table("The same: the least share of the lock that a rank has got", "of the mean", one_sided("least share")),
        Table("Fence; post, start, complete, wait: so many ranks, nothing inside", "µs", one_sided("sync")),
        Table("One operation of 8 bytes while its target computes for 10 ms, or waits", "µs", one_sided("progress")),
        Table(f"A window made and freed by so many ranks on {cpus} CPUs", "µs", one_sided("create")),
        Table("CPU time of a rank waiting 2 s in MPI_Win_wait, for a lock, in a fence", "s", one_sided("idle")),
        Table("Coupling: two ranks with phases of so many iterations, unequally; a cycle (total), a put (call), the fences (sync)",
              "µs", one_sided("coupling")),
        *(Table(f"{title} ({size}), on {cpus} CPUs", "µs", collective(name)) for name, title, size in COLLECTIVES),
        Table("Broadcast of every other double; the same packed, broadcast and unpacked", "µs", only("coll typed")),
        Table("Broadcast; a scatter and an allgather of its parts in its place", "µs", only("coll parts")),
        Table("A rank that computes for five times an operation, beside one that waits: share hidden from it", "%; 100 is all",
              only("coll late")),
        Table("Forms of a collective", "µs", only("coll forms")),
        Table(f"Applications with so many ranks, on {cpus} CPUs", "µs", only("apps")),
        Table("Exchange of the faces of a grid", "µs", only("edges halo")),
        Table("Collectives with counts of each rank's own", "µs", only("edges vectors")),
        Table("Share of such a collective that is hidden from a rank that computes", "%", only("edges hidden")),
        Table(f"Patterns of programs with so many ranks, on {cpus} CPUs", "µs", only("patterns"), best=True),
        Table("Memory of a duplicated communicator, for each rank", "KiB", only("coll memory")),
        Table("A snapshot of each rank after 0.25 s of computing: time of the call (visible), of MPI_File_close, of the whole run",
              "ms", lambda key: key[0].startswith("snapshot"), lambda key, value: value * 1e-3),
        Table("The same with a buffer that takes 16/23 of a snapshot; what the sizes allow (formula)", "ms",
              lambda key: key[0] == "overflow" and not key[1].startswith("share"), lambda key, value: value * 1e-3),
        Table("The same: formula by mpi", "%", lambda key: key[0] == "overflow" and key[1].startswith("share")),
        Table("Files, all in one call: 16 MiB of each rank as one piece, both ways", "GB/s", only("contiguous"), bandwidth),
        Table("Files, all in one call: 4 MiB of each rank in pieces of so many bytes that lie by turns", "ms",
              only("interleaved"), lambda key, value: value * 1e-3),
        Table("Files, each alone: 1 MiB in pieces of so many bytes with gaps of the same length", "ms", only("strided"),
              lambda key, value: value * 1e-3),
        Table("Files: a record through the shared pointer", "µs for one", only("records")),
        Table("Files: memory of a view", "bytes for each block", only("blocks")),
        Table("mpiexec of a program that does nothing", "ms", only("start")),
        Table("Memory of a rank (PSS) after all pairs have talked", "MiB", only("memory")),
        Table("The same: what each further rank adds to every rank", "KiB", only("memory growth")),
    ]


class Results:
    def __init__(self, about: dict, samples: dict, limits: dict):
        """about: machine, cpus, kernel, rounds, load, date, contestants (name -> {version, notes}), ours first."""
        self.about, self.samples, self.limits = about, samples, limits
        self.names = list(about["contestants"])

    def limit(self, key: tuple) -> tuple | None:
        """The physical limit of a figure in its own unit, and what it is."""
        figure, habit, n = key
        if bare_one := one_sided_limit(figure, habit):
            values = [one for name in self.names for one in self.samples.get((figure, bare_one, n), {}).get(name, [])]
            return (statistics.median(values), bare_one.removeprefix("bare ")) if values else None
        if figure in ("work", "matching") or figure == "pingpong" and n <= 8 << 10:
            wanted, what = ("handover", "one line", 8), "line"
        elif figure in ("pingpong", "both"):
            wanted, what = ("memcpy", bare(habit), n), "memcpy"
        else:
            return None
        values = self.limits.get(wanted)
        return (statistics.median(values), what) if values else None

    def median(self, key: tuple, name: str) -> float | None:
        values = self.samples[key].get(name)
        return statistics.median(values) if values else None

    def rows(self, table: Table):
        """(key, limit or None, what the limit is, {name: (what counts, spread, peer / ours or None)}) of each figure."""
        for key in self.samples:
            if not table.wanted(key):
                continue
            limit = self.limit(key)
            counted = {name: table.of(values) for name, values in self.samples[key].items() if values}
            ours = counted.get(self.names[0])
            cells = {}
            for name in self.names:
                if name not in counted:
                    continue
                shown = table.show(key, counted[name])
                compared = name != self.names[0] and ours and table.show(key, ours)
                cells[name] = (shown, spread(self.samples[key][name]), shown / table.show(key, ours) if compared else None)
            yield key, table.show(key, limit[0]) if limit else None, limit[1] if limit else "", cells

    def print(self) -> None:
        about = self.about
        print(f"\n{about['machine']}, {about['cpus']} CPUs, kernel {about['kernel']}; load {about['load']:.1f};"
              f" {about['rounds']} rounds, alternating{', MPI_THREAD_MULTIPLE' if about.get('threads') else ''}")
        for name, words in about["contestants"].items():
            print(f"  {name}: {words['version']}  [{words['notes']}]")
        for line in ("two lines", "one line"):
            if values := self.limits.get(("handover", line, 8)):
                print(f"  hand-over of a cache line, {line}: {1e3 * statistics.median(values):.0f} ns"
                      f" ({100 * spread(values):.0f}%)")
        far = {name: sum(len(by_name.get(name, ())) for key, by_name in self.samples.items() if key[0] == "far")
               for name in self.names}
        print("  points for which the host held the cores apart all the time: "
              + ", ".join(f"{name} {count}" for name, count in far.items()))
        for table in tables(about["cpus"]):
            self.print_table(table)
        self.print_guidelines()
        self.print_copies()

    def print_table(self, table: Table) -> None:
        rows = list(self.rows(table))
        if not rows:
            return
        print(f"\n{table.title} ({table.unit}; in brackets the spread; then peer / ours)")
        print(f"  {'':44}{'limit':>17}" + "".join(f"{name:>24}" for name in self.names)
              + ("    best peer / ours" if table.best else ""))
        for key, limit, what, cells in rows:
            text = f"{limit:8.3f} {what[:7]}" if limit is not None else ""
            words = []
            for name in self.names:
                if name not in cells:
                    words.append(f"{'-':>24}")
                    continue
                shown, wide, ratio = cells[name]
                words.append(f"{shown:9.3f} ({100 * wide:3.0f}%){'' if ratio is None else f' {ratio:6.3g}x'}".rjust(24))
            peers = [(cell[0], name, cell[2]) for name, cell in cells.items() if name not in OURS and cell[2]]
            if table.best and peers:
                _, name, ratio = min(peers)
                words.append(f"{ratio:8.2f} {name}")
            print(f"  {key[1]:38}{size_name(key[2]):>6}{text:>17}" + "".join(words))

    def print_guidelines(self) -> None:
        """What a program could do in place of a collective should not be quicker (self-consistency), by our own medians."""
        def time(name, ranks, n, figure="coll"):
            return self.median((figure, f"{name}, {ranks} ranks", n), self.names[0]) if (
                figure, f"{name}, {ranks} ranks", n) in self.samples else None

        points = sorted({(int(words[1].split()[0]), key[2]) for key in self.samples
                         if key[0] in ("coll", "coll typed", "coll parts") and len(words := key[1].split(", ")) == 2})
        broken, held = [], 0
        for ranks, n in points:
            for what, one, others in (
                    ("allreduce, reduce + bcast", time("allreduce", ranks, n), [time("reduce", ranks, n), time("bcast", ranks, n)]),
                    ("bcast, scatter + allgather of parts", time("bcast whole", ranks, n, "coll parts"),
                     [time("bcast in parts", ranks, n, "coll parts")]),
                    ("reduce_scatter, allreduce", time("reduce_scatter", ranks, n), [time("allreduce", ranks, n)]),
                    ("gather, allgather", time("gather", ranks, n), [time("allgather", ranks, n)]),
                    ("bcast typed, packed", time("bcast typed", ranks, n, "coll typed"),
                     [time("bcast packed", ranks, n, "coll typed")])):
                if one is None or None in others:
                    continue
                held += one <= 1.1 * sum(others)
                if one > 1.1 * sum(others):
                    broken.append(f"    {what}, {ranks} ranks, {size_name(n)}: {one:.2f} µs, {sum(others):.2f}")
        if held or broken:
            print(f"\n  Guidelines (a collective, and what it could be made of), {self.names[0]}: {held} held within 1.1,"
                  f" {len(broken)} not\n" + "\n".join(broken))

    def print_copies(self) -> None:
        kinds = (("memcpy", "memcpy, one core", ("same", "rewritten", "cold")),
                 ("one_copy", "one copy, two cores", ("same", "rewritten")),
                 ("two_copies", "two copies, two cores", ("same", "rewritten", "both ways")),
                 ("vm_readv", "process_vm_readv, one core", ("same", "rewritten", "cold")))
        print("\n  What bare copies give (GB/s: same / rewritten / cold; of two copies the last is both directions at once, each way)")
        print(f"    {'':>10}" + "".join(f"{title:>30}" for _, title, _ in kinds))
        for n in COPY_SIZES:
            cells = []
            for figure, _, habits in kinds:
                values = [self.limits.get((figure, habit, n)) for habit in habits]
                cells.append(" / ".join(f"{n / statistics.median(v) / 1e3:5.1f}" if v else f"{'-':>5}" for v in values))
            print(f"    {size_name(n):>10}" + "".join(f"{cell:>30}" for cell in cells))

    def write(self, path: pathlib.Path) -> None:
        def listed(all_):
            return [{"figure": k[0], "habit": k[1], "size": k[2], "values": v} for k, v in all_.items()]

        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"about": self.about, "samples": listed(self.samples), "limits": listed(self.limits)},
                                   indent=1))

    @staticmethod
    def read(path: pathlib.Path) -> "Results":
        def keyed(all_):
            return {(one["figure"], one["habit"], one["size"]): one["values"] for one in all_}

        stored = json.loads(path.read_text())
        return Results(stored["about"], keyed(stored["samples"]), keyed(stored["limits"]))
