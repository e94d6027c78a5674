"""A three-dimensional transform and its inverse with mpi4py-fft; run it under mpiexec.

The array is distributed over a grid of ranks, and redistributed between the axes with MPI_Alltoallw and subarray
datatypes. Every rank checks its part of the result against NumPy, and of the inverse against the start.
"""

import sys

import numpy as np
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

SHAPE = (48, 36, 40)
TOLERANCE = 1e-11  # relative to the largest value


def main() -> int:
    comm = MPI.COMM_WORLD
    whole = np.random.default_rng(12345).standard_normal(SHAPE)  # the same on every rank

    # Real to complex, the last axis first; one axis distributed (slabs), then two (pencils).
    slabs = PFFT(comm, SHAPE, axes=(0, 1, 2), dtype=float, grid=(-1,))
    pencils = PFFT(comm, SHAPE, axes=(0, 1, 2), dtype=float, grid=(0, 0, 1))
    worst = 0.0
    begin = MPI.Wtime()
    for plan in (slabs, pencils):
        values = newDistArray(plan, False)
        values[...] = whole[values.local_slice()]
        spectrum = plan.forward(values, newDistArray(plan, True), normalize=False)
        back = plan.backward(spectrum.copy(), newDistArray(plan, False), normalize=True)

        expected = np.fft.rfftn(whole)
        for found, want in ((spectrum, expected[spectrum.local_slice()]), (back, whole[back.local_slice()])):
            if found.size:
                scale = np.abs(expected).max() if found is spectrum else np.abs(whole).max()
                worst = max(worst, float(np.abs(np.asarray(found) - want).max() / scale))
    elapsed = MPI.Wtime() - begin

    worst = comm.allreduce(worst, op=MPI.MAX)
    grids = [[axis.Get_size() for axis in plan.subcomm] for plan in (slabs, pencils)]
    if comm.rank == 0:
        print(f"library: {MPI.Get_library_version().splitlines()[0].rstrip(chr(0))}")
        print(f"array: {'x'.join(map(str, SHAPE))}, ranks: {comm.size}, grids: {grids[0]} and {grids[1]}")
        print(f"  forward and back, twice: {1e3 * elapsed:.1f} ms; largest relative error {worst:.1e}"
              f" (allowed {TOLERANCE:.0e})")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
