"""The instructions that a one-sided operation of 8 bytes costs, and what belongs to it.

usage: short_operations.py MPIEXEC PROGRAM BUILD_TYPE SANITIZER      status 77: skipped, and why
"""

import sys

import instructions

TIMES = 2000
BOUNDS = {"PMPI_Put": (120,), "PMPI_Get": (120,), "PMPI_Fetch_and_op": (180,), "PMPI_Compare_and_swap": (175,),
          "PMPI_Accumulate": (205,), "PMPI_Get_accumulate": (230,), "PMPI_Win_flush": (65,),
          "PMPI_Win_flush_all": (60,), "PMPI_Win_flush_local": (55,)}


def main() -> int:
    mpiexec, program, build_type, sanitizer = sys.argv[1:5]
    return instructions.compare(mpiexec, lambda _: [program, str(TIMES)], BOUNDS, TIMES, build_type, sanitizer)


if __name__ == "__main__":
    sys.exit(main())
