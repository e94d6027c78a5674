#!/usr/bin/env python3
"""Every implemented function with large counts is called by one of our test programs.

usage: large_counts_test.py <status.tsv> <nm> <program>…
"""

import subprocess
import sys


def main():
    status, nm, *programs = sys.argv[1:]
    with open(status, encoding="utf-8") as file:
        rows = dict(line.split() for line in file)
    wanted = {name for name, done in rows.items() if name.endswith("_c") and done == "yes"}
    called = set()
    for program in programs:
        text = subprocess.check_output([nm, "-D", "--undefined-only", program], text=True)
        called |= {line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip()}
    missing = sorted(wanted - called)
    print("\n".join(f"no program calls {name}" for name in missing) or f"{len(wanted)} functions, all called")
    sys.exit(bool(missing) or len(wanted) < 110)


if __name__ == "__main__":
    main()
