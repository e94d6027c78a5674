#!/usr/bin/env python3
"""Snapshots through h5py's mpio driver, behind a computation: without output, at once, and buffered.

    mpiexec -n R python h5py_snapshots.py FOLDER [MIB FRAMES MS]

MIB: how much each rank has of a frame; MS: how long it computes before. Prints how long each of the three runs takes, how
long a write of a frame but for the first, from the coming of the last rank on, and for how long ranks waited for that (means;
the slowest rank's). Other ranks read all frames again.
"""
import os
import sys
import time

import h5py
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
folder = sys.argv[1]
mib, frames, ms = (int(word) for word in (sys.argv[2:5] or (4, 6, 50)))
rows, columns = mib, 1 << 17  # a row is 1 MiB of doubles


def work_of(seconds: float):
    """Computation on a small array, as many turns as take so long on the slowest rank."""
    data = numpy.ones(1 << 12)
    begin, turns = time.perf_counter(), 0
    while time.perf_counter() - begin < 0.2:
        numpy.sqrt(data, out=data)
        turns += 1
    turns = world.allreduce(int(turns * seconds / 0.2), MPI.MIN)

    def work():
        for _ in range(turns):
            numpy.sqrt(data, out=data)
    return work


def opened(name: str, mode: str, buffer: str = ""):
    info = MPI.Info.Create()
    if buffer:
        info.Set("loadstone_io_buffer", buffer)
    file = h5py.File(name, mode, driver="mpio", comm=world, info=info)
    info.Free()
    return file


def value(frame: int, of: int) -> float:
    return frame * 1000 + of + 0.5


def run(work, name: str, buffer: str):
    """How long it took altogether, the wait for the last rank and a write of a frame (means), and the close; the slowest
    rank's."""
    frame = numpy.empty((rows, columns))
    frame.fill(-1)  # its pages are there
    waited = written = 0.0
    world.Barrier()
    begin = time.perf_counter()
    if name:
        file = opened(name, "w", buffer)
        # Nothing is written when it is made: parallel HDF5 would fill all of it.
        create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        create.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        space = h5py.h5s.create_simple((frames, ranks * rows, columns))
        data = h5py.Dataset(h5py.h5d.create(file.id, b"heat", h5py.h5t.NATIVE_DOUBLE, space, create))
    for i in range(frames):
        work()
        frame[:, :512] = value(i, rank)
        frame[:, -512:] = value(i, rank)
        before = time.perf_counter()
        world.Barrier()
        there = time.perf_counter()
        if name:
            with data.collective:
                data[i, rank * rows:(rank + 1) * rows] = frame
        if i > 0:
            waited += (there - before) / (frames - 1)
            written += (time.perf_counter() - there) / (frames - 1)
    work()
    before = time.perf_counter()
    if name:
        file.close()
    closing = time.perf_counter() - before
    took = time.perf_counter() - begin
    return [world.allreduce(seconds, MPI.MAX) for seconds in (took, waited, written, closing)]


def check(name: str) -> None:
    file = opened(name, "r")
    data = file["heat"]
    other = (rank + 1) % ranks
    assert data.shape == (frames, ranks * rows, columns)
    for i in range(frames):
        with data.collective:
            there = data[i, other * rows:(other + 1) * rows]
        assert (there[:, :512] == value(i, other)).all() and (there[:, -512:] == value(i, other)).all(), (name, i)
        assert (there[:, 512:-512] == -1).all(), (name, i)
    file.close()


work = work_of(ms / 1000)
frame, copy = numpy.ones((rows, columns)), numpy.ones((rows, columns))
world.Barrier()
before = time.perf_counter()
for _ in range(4):
    numpy.copyto(copy, frame)
copied = world.allreduce((time.perf_counter() - before) / 4, MPI.MAX)
del frame, copy
kinds = {"no output": ("", ""), "direct": ("direct.h5", "false"), "buffered": ("buffered.h5", "")}
run(work, "", "")
times = {kind: run(work, name and os.path.join(folder, name), buffer) for kind, (name, buffer) in kinds.items()}
for kind in ("direct", "buffered"):
    check(os.path.join(folder, kinds[kind][0]))
world.Barrier()
if rank == 0:
    print(f"library: {MPI.Get_library_version().splitlines()[0]}")
    print(f"HDF5 {h5py.version.hdf5_version}, h5py {h5py.version.version}")
    print(f"{ranks} ranks, {frames} frames of {mib} MiB each, a copy in memory {copied * 1e3:.2f} ms")
    for kind, (took, waited, written, closing) in times.items():
        print(f"{kind:10} run {took:7.3f} s   the last rank is waited for {waited * 1e3:6.2f} ms   "
              f"a write {written * 1e3:8.2f} ms   closing {closing * 1e3:8.2f} ms")
    spent = times["direct"][0] - times["no output"][0]
    print(f"hidden of a write {100 * (1 - times['buffered'][2] / times['direct'][2]):.1f} %, "
          f"of the run's output {100 * (1 - (times['buffered'][0] - times['no output'][0]) / spent):.1f} %")
    for name, _ in kinds.values():
        if name:
            os.unlink(os.path.join(folder, name))
    print("all frames are there")
