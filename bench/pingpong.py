"""Ping-pong of 8 bytes through mpi4py, two ranks. Prints "library", then lines as p2p.c does."""

from mpi4py import MPI

SECONDS = 0.2
world = MPI.COMM_WORLD
rank, peer = world.rank, 1 - world.rank
out, back = bytearray(8), bytearray(8)


def round_trips(k: int) -> float:
    begin = MPI.Wtime()
    for _ in range(k):
        if rank == 0:
            world.Send(out, peer)
            world.Recv(back, peer)
        else:
            world.Recv(back, peer)
            world.Send(back, peer)
    return MPI.Wtime() - begin


if world.size != 2:
    raise SystemExit("pingpong.py: two ranks are needed")
out[:] = b"a longer"
round_trips(1000)
k = world.bcast(max(100, int(SECONDS * 1000 / round_trips(1000))))
taken = round_trips(k)
if bytes(back) != b"a longer":
    print("pingpong.py: WRONG DATA", flush=True)
    world.Abort(3)
if rank == 0:
    version = MPI.Get_library_version().rstrip("\0").splitlines()[0]
    print(f"library\t2 ranks\t0\t{version}\npython\tsame\t8\t{1e6 * taken / (2 * k):.9g}")
