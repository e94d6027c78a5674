"""Every environment variable that the library reads is in the table of settings, and stands in the README.

usage: settings_test.py SOURCE
"""

import pathlib
import re
import sys

# Not settings: what mpiexec tells the ranks, and what the fault tests say.
PRIVATE = {"LOADSTONE_RANK", "LOADSTONE_JOB_FD", "LOADSTONE_JOB", "LOADSTONE_SINGLETON",
           "LOADSTONE_FAULT", "LOADSTONE_FAULT_LOG"}


def main() -> int:
    top = pathlib.Path(sys.argv[1])
    read, controls = set(), set()
    table = top / "src/rank/settings.cpp"
    for path in sorted((top / "src").rglob("*.[ch]pp")):
        names = set(re.findall(r'"(LOADSTONE_[A-Z_]+[A-Z])"', path.read_text()))
        if path == table:
            controls |= names
        elif path.parent.name != "command":  # the command `loadstone` speaks of settings, and reads none
            read |= names
    # The table takes these from there, too.
    choices = (top / "src/coll/choices.cpp").read_text()
    collectives = {f"LOADSTONE_COLL_{name}" for name in re.findall(r'\{"(\w+)", \w+s\}', choices)}
    read, controls = (read | collectives) - PRIVATE, controls | collectives
    described = set(re.findall(r"LOADSTONE_\w+", (top / "README.md").read_text()))
    problems = [f"{name} is read, but is not in the table of settings" for name in sorted(read - controls)]
    problems += [f"{name} is in the table of settings, but nothing reads it" for name in sorted(controls - read)]
    problems += [f"{name} is not described in README.md" for name in sorted(read - described)]
    print("\n".join(problems))
    print(f"settings: {len(read)} variables, {len(problems)} problems")
    return 1 if problems or len(read) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
