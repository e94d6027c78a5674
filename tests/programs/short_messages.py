"""The instructions that a message of 8 bytes costs.

usage: short_messages.py MPIEXEC PROGRAM BUILD_TYPE SANITIZER      status 77: skipped, and why
"""

import sys

import instructions

ROUNDS, WINDOW = 24, 64
# Function -> most instructions for a message; of PMPI_Waitall on the sender's side and on the receiver's, where it
# takes the messages out of the inbox, and polls in vain while it has to wait; of PMPI_Recv by turns, and by turns and
# of a stream together.
BOUNDS = {"PMPI_Isend": (340,), "PMPI_Irecv": (290,), "PMPI_Waitall": (20, 350), "PMPI_Send": (330,),
          "PMPI_Rsend": (460, 460), "PMPI_Recv": (1000, 1900)}


def main() -> int:
    mpiexec, program, build_type, sanitizer = sys.argv[1:5]

    def command(folder):
        shared = folder / "progress"
        shared.write_bytes(bytes(64))
        return [program, str(shared), str(ROUNDS)]

    return instructions.compare(mpiexec, command, BOUNDS, ROUNDS * WINDOW, build_type, sanitizer)


if __name__ == "__main__":
    sys.exit(main())
