"""Python environments for the demonstration, the tests and the benchmarks.

Everything is below build/: virtual environments in build/venv/, source archives in build/sources/, pip's cache in
build/cache/. A step whose inputs have not changed is not done again (stamp files hold a digest of the inputs).
Standard library only, because this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LOADSTONE_BUILD_DIR", TOP / "build"))
SETUP = TOP / "tools" / "setup"
PREFIX = pathlib.Path(os.environ.get("LOADSTONE_PREFIX", BUILD / "prefix"))

# name -> (version, SHA-256 of the source archive on PyPI)
SOURCES = {
    "mpi4py": ("4.1.2", "56860286dc45f20e8821e93cb06669e30462348bf866f685553fa4b712d58d02"),
    "mpi4py-fft": ("2.0.6", "2d43aba64d1d6098896cb89942c686a7e8832f1ea6f1593e617d70f365407087"),
}


class SetupError(Exception):
    """A step of the set-up failed; the message is for the user."""


def say(message: str) -> None:
    print(message, flush=True)


def digest(*parts: object) -> str:
    """A digest of strings and of the contents of files (pathlib paths)."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, pathlib.Path) else str(part).encode()
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()


def run(command: list, *, log: pathlib.Path, what: str, cwd: pathlib.Path | None = None, env: dict | None = None):
    """Runs a command of the set-up; its output goes to a log that is shown only on failure."""
    log.parent.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    with log.open("w") as out:
        done = subprocess.run(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=cwd, env=env
        )
    if done.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
        raise SetupError(f"{what} failed (status {done.returncode}); the end of {log}:\n{tail}")
    say(f"  {what}: {time.monotonic() - begin:.1f} s")


def environment(**more: str) -> dict:
    """The environment of a set-up command: caches stay below the build folder."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    env.setdefault("PIP_CACHE_DIR", str(BUILD / "cache" / "pip"))
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    env["XDG_CACHE_HOME"] = str(BUILD / "cache")
    env.update(more)
    return env


class Venv:
    """A virtual environment below build/venv."""

    def __init__(self, name: str):
        self.name = name
        self.root = BUILD / "venv" / name
        self.python = self.root / "bin" / "python"

    def once(self, step: str, key: str, action) -> None:
        """Does `action` unless it was done with the same key; a step that fails half way is done again."""
        stamp = self.root / ".stamps" / step
        if stamp.exists() and stamp.read_text() == key:
            return
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        action()
        stamp.write_text(key)

    def require(self, *names: str) -> "Venv":
        """Creates the environment and installs tools/setup/requirements-<name>.txt."""
        key = digest(sys.version, sys.executable)

        def create():
            shutil.rmtree(self.root, ignore_errors=True)
            run(
                [sys.executable, "-m", "venv", self.root],
                log=BUILD / "logs" / f"venv-{self.name}.log",
                what=f"virtual environment '{self.name}'",
            )
            (self.root / ".stamps").mkdir()

        self.once("venv", key, create)
        for name in names:
            wanted = SETUP / f"requirements-{name}.txt"
            self.once(
                f"requirements-{name}",
                digest(wanted),
                lambda: run(
                    [self.python, "-m", "pip", "install", "-q", "-r", wanted],
                    log=BUILD / "logs" / f"pip-{self.name}-{name}.log",
                    what=f"Python packages for '{name}'",
                    env=environment(),
                ),
            )
        return self


def source(name: str) -> pathlib.Path:
    """The unpacked source archive of a PyPI package; downloaded and checked when it is not there."""
    version, sha256 = SOURCES[name]
    store = BUILD / "sources"
    stem = f"{name.replace('-', '_')}-{version}"
    tree = store / stem
    stamp = store / f".{stem}"
    if stamp.exists() and stamp.read_text() == sha256:
        return tree
    tools = Venv("tools").require("mpi4py")
    store.mkdir(parents=True, exist_ok=True)
    run(
        [tools.python, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation", "--no-binary", name,
         "-d", store, f"{name}=={version}"],
        log=BUILD / "logs" / f"download-{stem}.log",
        what=f"source of {name} {version}",
        env=environment(),
    )
    archive = store / f"{stem}.tar.gz"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != sha256:
        raise SetupError(f"{archive}: SHA-256 is {found}, expected {sha256}")
    shutil.rmtree(tree, ignore_errors=True)
    with tarfile.open(archive) as unpacked:
        # The filter came with Python 3.11.4; the digest above has already said what the archive holds.
        unpacked.extractall(store, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    stamp.write_text(sha256)
    return tree


def install_from_source(venv: Venv, name: str, key: str, env: dict) -> None:
    tree = source(name)
    version, sha256 = SOURCES[name]

    def build():
        copy = BUILD / "tmp" / f"{venv.name}-{name}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy)
        try:
            run(
                [venv.python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-cache-dir",
                 "--force-reinstall", copy],
                log=BUILD / "logs" / f"build-{venv.name}-{name}.log",
                what=f"{name} {version} built in '{venv.name}'",
                env=environment(**env),
            )
        finally:
            shutil.rmtree(copy, ignore_errors=True)

    requirements = SETUP / "requirements-mpi4py.txt"
    venv.once(f"source-{name}", digest(sha256, requirements, key), build)


def header_of(mpicc: pathlib.Path) -> str:
    """What the compiler sees of mpi.h; a build against it is good as long as this stays."""
    done = subprocess.run(
        [str(mpicc), "-E", "-x", "c", "-"], input="#include <mpi.h>\n", capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SetupError(f"{mpicc} does not compile a program that includes mpi.h:\n{done.stderr}")
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("#"))


def mpi4py(venv: Venv, mpicc: pathlib.Path, optimisation: str = "-O0") -> Venv:
    """Builds mpi4py from its source archive with the given compiler wrapper.

    The Cython code is large, and its compile time is what a user of `make test` waits for: without optimisation 19 s of
    processor time, with -O1 81 s.
    """
    venv.require("mpi4py")
    flags = f"{optimisation} -g0"
    install_from_source(
        venv, "mpi4py", digest(mpicc, header_of(mpicc), flags), {"MPICC": str(mpicc), "CFLAGS": flags}
    )
    return venv


def mpi4py_fft(venv: Venv, mpicc: pathlib.Path) -> Venv:
    """Builds mpi4py-fft on top of mpi4py."""
    mpi4py(venv, mpicc)
    install_from_source(venv, "mpi4py-fft", digest(mpicc, header_of(mpicc)), {"CFLAGS": "-O1 -g0"})
    return venv


def loadstone_prefix() -> pathlib.Path:
    """Where Loadstone is installed (build/prefix, or LOADSTONE_PREFIX)."""
    if not (PREFIX / "bin" / "mpiexec").exists():
        raise SetupError(f"no mpiexec below {PREFIX}; run `make build` first")
    return PREFIX


def main(arguments: list[str]) -> int:
    """usage: python_env.py venv NAME REQUIREMENTS...    makes build/venv/NAME ready"""
    if len(arguments) < 2 or arguments[0] != "venv":
        print(main.__doc__, file=sys.stderr)
        return 2
    try:
        Venv(arguments[1]).require(*arguments[2:])
    except SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
