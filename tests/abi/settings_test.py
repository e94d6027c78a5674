"""The environment is read in one place: nothing else under src/ looks at it, and what users may set stands in the README.

usage: settings_test.py SOURCE
"""

import pathlib
import re
import sys

READS = re.compile(r"\b(?:secure_)?getenv\s*\(|\benviron\b")
# Who looks at the environment all the same, and why.
EXCEPTIONS = {
    "rank/settings.cpp": "the table of settings",
    "memory/launch_environment.cpp": "what mpiexec, or another launcher, tells a process",
    "base/fault.cpp": "fault points, which ordinary builds do not have",
    "mpi/tool_control.cpp": "control variables of the tool interface are these variables",
    "command/probes.cpp": "what the user has said of threads",
}
# The launcher has its own list: options, the environment of the ranks, batch systems.
LAUNCHER = "launch/"


def main() -> int:
    top = pathlib.Path(sys.argv[1])
    reading = set()
    for path in sorted((top / "src").rglob("*.[ch]pp")):
        code = re.sub(r"//.*", "", path.read_text())
        if READS.search(code):
            reading.add(path.relative_to(top / "src").as_posix())
    reading = {name for name in reading if not name.startswith(LAUNCHER)}
    problems = [f"src/{name} looks at the environment: let src/rank/settings.cpp do it" for name in sorted(reading - set(EXCEPTIONS))]
    problems += [f"src/{name} does not look at the environment any more" for name in sorted(set(EXCEPTIONS) - reading)]

    table = (top / "src/rank/settings.cpp").read_text()
    settings = set(re.findall(r'"(LOADSTONE_[A-Z_]+[A-Z])"', table[table.index("void add_messages"):table.index("std::string parse(")]))
    choices = (top / "src/coll/choices.cpp").read_text()
    settings |= {f"LOADSTONE_COLL_{name}" for name in re.findall(r'\{"(\w+)", \w+s\}', choices)} | {"LOADSTONE_TEST"}
    readme = (top / "README.md").read_text()
    described = set(re.findall(r"LOADSTONE_\w+", "\n".join(line for line in readme.splitlines() if line.startswith("| `LOADSTONE_"))))
    problems += [f"{name} is not described in README.md" for name in sorted(settings - described)]
    problems += [f"{name} stands in README.md and is no setting" for name in sorted(described - settings)]
    print("\n".join(problems))
    print(f"settings: {len(settings)} variables, {len(problems)} problems")
    return 1 if problems or len(settings) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
