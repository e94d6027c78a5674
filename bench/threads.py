"""Each rank multiplies its rows with the whole matrix, and all gather the result; threads.py [steps] [n]"""
import sys

import numpy as np
from mpi4py import MPI

steps, n = (int(a) for a in (sys.argv[1:] + ["10", "1024"][len(sys.argv) - 1:]))
comm = MPI.COMM_WORLD
rows = n // comm.size
b = np.random.default_rng(1).random((n, n)) / n
mine = np.ascontiguousarray(b[comm.rank * rows:(comm.rank + 1) * rows])
whole = np.empty((n, n))
comm.Barrier()
start = MPI.Wtime()
for _ in range(steps):
    comm.Allgather(mine, whole)
    mine = b[comm.rank * rows:(comm.rank + 1) * rows] @ whole
comm.Barrier()
if comm.rank == 0:
    print(f"{comm.size} ranks: {MPI.Wtime() - start:.2f} s")
