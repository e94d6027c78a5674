#!/usr/bin/env python3
"""Builds libraries that use MPI, most of them its files, with our compiler wrapper, and runs their own parallel tests.

    clients.py hdf5 h5py pnetcdf netcdf fftw scotch sundials starpu [--ranks 2 3 4 6] [--only t_mpi …]
        [--env LOADSTONE_IO_BUFFER=0]
    clients.py hdf5 --peer build/venv/mpich      what was built here, by another library with the standard ABI

Sources are fetched when they are first needed: from Debian by apt-get, from PyPI by pip. Everything is below
build/clients. A test has passed that ends with 0, or says what the table below wants of it.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "setup"))
import python_env as setup  # noqa: E402

FOLDER = setup.BUILD / "clients"
PREFIX = FOLDER / "prefix"
FLAGS = {"CFLAGS": "-O1 -w"}


def done_once(step: str, key: str, action) -> None:
    stamp = FOLDER / ".stamps" / step
    if not stamp.exists() or stamp.read_text() != key:
        action()
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(key)


def debian_source(package: str) -> pathlib.Path:
    """Unpacked, as its authors publish it. The machine's own list is asked, with `deb-src` where it says `deb`."""
    store = FOLDER / "sources"
    apt = FOLDER / "apt"

    def fetch():
        (apt / "lists/partial").mkdir(parents=True, exist_ok=True)
        (apt / "parts").mkdir(exist_ok=True)
        store.mkdir(parents=True, exist_ok=True)
        etc = pathlib.Path("/etc/apt")
        for path in [*etc.glob("sources.list"), *(etc / "sources.list.d").glob("*.list"),
                     *(etc / "sources.list.d").glob("*.sources")]:
            text = re.sub(r"(?m)^Types:.*", "Types: deb-src", re.sub(r"(?m)^deb\s", "deb-src ", path.read_text()))
            (apt / "parts" / path.name).write_text(text)
        options = ["-o", f"Dir::Etc::SourceParts={apt / 'parts'}", "-o", f"Dir::State::Lists={apt / 'lists'}",
                   "-o", "Dir::Etc::SourceList=/dev/null"]
        for words in (["update"], ["source", "--download-only", package]):
            setup.run(["apt-get", *options, *words], cwd=store, log=FOLDER / "logs/apt.log",
                      what=f"apt-get {words[0]} for {package}")
        archive = next(store.glob(f"{package}_*.orig.tar.*"))
        with tarfile.open(archive) as unpacked:
            unpacked.extractall(store, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            (store / f".{package}").write_text(unpacked.getnames()[0].split("/")[0])

    done_once(f"source-{package}", "1", fetch)
    return store / (store / f".{package}").read_text()


class Site:
    """The library that programs are run on."""

    def __init__(self, a: argparse.Namespace):
        self.bin, self.timeout, self.only, self.ranks = a.bin.resolve(), a.timeout, a.only, a.ranks
        self.mpicc = self.bin / "mpicc"
        self.mpiexec = (a.peer.resolve() / "bin" if a.peer else self.bin) / "mpiexec"
        self.scratch = a.scratch.resolve()
        self.log = FOLDER / "jobs.log"
        self.environment = {**setup.environment(), **dict(e.split("=", 1) for e in a.env)}
        if a.peer:
            self.environment["LD_LIBRARY_PATH"] = str(a.peer.resolve() / "lib")
        self.passed, self.failed = 0, []
        # What suites that start their jobs themselves call instead of mpiexec: it keeps the status of each.
        self.logged = FOLDER / "mpiexec"
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.logged.write_text('#!/bin/sh\n"$CLIENTS_MPIEXEC" "$@"; status=$?\n'
                               'echo "$status $*" >> "$CLIENTS_LOG"; exit $status\n')
        self.logged.chmod(0o755)
        self.environment.update(CLIENTS_MPIEXEC=str(self.mpiexec), CLIENTS_LOG=str(self.log))

    def wants(self, name: str) -> bool:
        return not self.only or name in self.only

    def built(self, client: str, steps) -> None:
        """Steps are commands with their folder; done again if the compiler's mpi.h is another one."""
        def build():
            for number, (folder, words, environment) in enumerate(steps):
                setup.run(words, cwd=folder, env={**setup.environment(), **FLAGS, **environment},
                          log=FOLDER / "logs" / f"{client}-{number}.log",
                          what=f"{client}: {' '.join(map(str, words))[:60]}")
        done_once(f"built-{client}", setup.digest(str(self.bin), setup.header_of(self.mpicc), str(steps)), build)

    def test(self, client: str, name: str, words: list, cwd: pathlib.Path, environment: dict,
             passes=lambda status, text: status == 0) -> str:
        begin = time.monotonic()
        done = subprocess.run(["timeout", "-k", "10", str(self.timeout), *map(str, words)], cwd=cwd, text=True,
                              errors="replace", env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        fine = passes(done.returncode, done.stdout)
        outcome = "passed" if fine else f"FAILED (status {done.returncode})"
        print(f"{client}  {name}: {outcome}, {time.monotonic() - begin:.1f} s", flush=True)
        self.passed += fine
        if not fine:
            self.failed.append(f"{client} {name}")
            print("\n".join(f"    {line}" for line in done.stdout.splitlines()[-30:]), flush=True)
        return done.stdout

    def suite(self, client: str, name: str, words: list, cwd: pathlib.Path, environment: dict, at_least: int):
        """A suite that starts jobs by self.logged: each must end with 0, and none may be missing."""
        self.log.unlink(missing_ok=True)
        self.log.touch()

        def passes(status, text):
            jobs = self.log.read_text().splitlines()
            wrong = [job for job in jobs if not job.startswith("0 ")]
            print(f"{client}  {name}: {len(jobs)} jobs, {len(wrong)} of them failed", flush=True)
            for job in wrong:
                print(f"    {job}")
            return status == 0 and not wrong and len(jobs) >= at_least
        return self.test(client, name, words, cwd, environment, passes)


# --- HDF5 ---

# t_cache at less than three ranks frees a null datatype, with MPICH too. t_cache_image takes minutes: it makes files by
# one process. t_pflush1 leaves without MPI_Finalize on purpose, and t_pflush2 looks at what it has written.
HDF5_TESTS = """t_mpi testphdf5 t_pflush1 t_pflush2 t_pread t_pshutdown t_prestart t_init_term t_bigio t_cache
t_cache_image t_shapesame t_filters_parallel""".split()


def hdf5_built(site: Site) -> pathlib.Path:
    tree = debian_source("hdf5")
    jobs = f"-j{os.cpu_count()}"
    site.built("hdf5", [
        (tree, ["./configure", f"CC={site.mpicc}", "--enable-parallel", "--enable-shared", "--disable-static",
                "--enable-hl", "--disable-fortran", "--disable-tools", "--without-szlib",
                "--enable-build-mode=production", f"--prefix={PREFIX}"], {}),
        (tree, ["make", jobs, "-C", "src", "install"], {}),
        (tree, ["make", jobs, "-C", "hl/src", "install"], {}),
        (tree, ["make", jobs, "-C", "test", "libh5test.la"], {}),
        (tree, ["make", jobs, "-C", "testpar", *HDF5_TESTS], {})])
    return tree


def hdf5(site: Site) -> None:
    tree = hdf5_built(site)
    for ranks in site.ranks:
        for name in HDF5_TESTS:
            if site.wants(name) and not (name == "t_cache" and ranks < 3):
                site.test("hdf5", f"{name}, {ranks} ranks", [site.mpiexec, "-n", ranks, f"./{name}"], tree / "testpar",
                          {"HDF5_PARAPREFIX": str(site.scratch), "HDF5TestExpress": "1"},
                          (lambda status, text: "PASSED" in text) if name == "t_pflush1" else
                          (lambda status, text: status == 0 and "*FAILED*" not in text))


# --- Python ---

def python(site: Site) -> setup.Venv:
    """An environment with mpi4py of our own."""
    return setup.mpi4py(setup.Venv("clients").require("mpi4py", "clients"), site.mpicc)


def from_pypi(site: Site, venv: setup.Venv, package: str, environment: dict) -> None:
    """Built from PyPI's archive of sources with our compiler wrapper."""
    words = [venv.python, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-cache-dir",
             "--force-reinstall", "--no-binary", ":all:", package]
    venv.once(f"from-pypi-{package.split('=')[0]}",
              setup.digest(str(words), str(site.bin), setup.header_of(site.mpicc)),
              lambda: setup.run(words, log=FOLDER / f"logs/{package}.log", what=f"{package} built",
                                env=setup.environment(CC=str(site.mpicc), CFLAGS="-O0 -g0 -w", **environment)))


def h5py(site: Site) -> None:
    hdf5_built(site)
    venv = python(site)
    from_pypi(site, venv, "h5py==3.16.0", {"HDF5_MPI": "ON", "HDF5_DIR": str(PREFIX)})
    tests = [venv.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "h5py"]

    def fine(status: int, text: str) -> bool:
        return status == 0 and " passed" in text
    for ranks in site.ranks:
        job = [site.mpiexec, "-n", ranks]
        if site.wants("tests"):
            site.test("h5py", f"its tests for MPI, {ranks} ranks", [*job, *tests, "--only-mpi"], site.scratch, {}, fine)
        if site.wants("snapshots"):
            print(site.test("h5py", f"snapshots, {ranks} ranks",
                            [*job, venv.python, HERE / "h5py_snapshots.py", site.scratch], site.scratch, {},
                            lambda status, text: status == 0 and "all frames are there" in text))
    if site.wants("all"):
        site.test("h5py", "all its tests, 1 rank", [site.mpiexec, "-n", 1, *tests, "--with-mpi"], site.scratch, {},
                  fine)


# --- PnetCDF, netCDF ---

def pnetcdf(site: Site) -> None:
    tree = debian_source("pnetcdf")
    jobs = f"-j{os.cpu_count()}"
    site.built("pnetcdf", [
        (tree, ["autoreconf", "-i"], {}),
        (tree, ["./configure", f"MPICC={site.mpicc}", f"--with-mpi={site.bin.parent}", "--disable-cxx",
                "--disable-fortran", "--enable-shared", "--disable-static", f"--prefix={PREFIX}"], {}),
        (tree, ["make", jobs, "install"], {}),
        (tree, ["make", jobs, "tests"], {})])
    # Each folder at the numbers of ranks that it is made for: of test 2, 4 and 6, of examples 3, 4 and 8.
    for folder, target, least in (("test", "check", 0), ("test", "ptests", 100), ("examples", "ptests", 30)):
        if site.wants(f"{folder}-{target}"):
            site.suite("pnetcdf", f"{folder}, make {target}",
                       ["make", "-k", "-C", tree / folder, target, f"TESTMPIRUN={site.logged} -n NP",
                        f"TESTOUTDIR={site.scratch}"], tree, {}, least)


def netcdf(site: Site) -> None:
    """netCDF-4's own parallel tests, on HDF5."""
    hdf5_built(site)
    tree = debian_source("netcdf")
    jobs = f"-j{os.cpu_count()}"
    site.built("netcdf", [
        (tree, ["./configure", f"CC={site.mpicc}", "--enable-parallel-tests", f"--with-mpiexec={site.logged}",
                "--disable-dap", "--disable-byterange", "--disable-nczarr", "--disable-static", f"--prefix={PREFIX}"],
         {"CPPFLAGS": f"-I{PREFIX}/include", "LDFLAGS": f"-L{PREFIX}/lib -Wl,-rpath,{PREFIX}/lib"}),
        (tree, ["make", jobs, "install"], {}),
        (tree, ["make", jobs, "-C", "h5_test", "check", "TESTS="], {}),
        (tree, ["make", jobs, "-C", "nc_test4", "check", "TESTS="], {})])
    for folder, script in (("h5_test", "run_par_tests.sh"), ("nc_test4", "run_par_test.sh")):
        if site.wants(folder):
            site.suite("netcdf", f"{folder}/{script}", ["sh", f"./{script}"], tree / folder, {"srcdir": "."}, 6)


# --- transforms ---

def fftw(site: Site) -> None:
    """FFTW's transforms over MPI: each of its random problems is checked against the properties of the transform."""
    tree = debian_source("fftw3")
    site.built("fftw", [
        (tree, ["./configure", "--enable-mpi", "--disable-fortran", "--disable-doc", f"MPICC={site.mpicc}"], {}),
        (tree, ["make", f"-j{os.cpu_count()}"], {})])
    for ranks in site.ranks:
        site.test("fftw", f"10 of each kind, {ranks} ranks",
                  ["perl", "-w", tree / "tests/check.pl", "--random", "--maxsize=10000", "-c=10", "--mpi",
                   f"{site.mpiexec} -n {ranks} {tree / 'mpi/mpi-bench'}"], tree / "mpi", {})


# --- graphs, solvers ---

SCOTCH_FLAGS = """-O1 -w -DCOMMON_PTHREAD -DCOMMON_RANDOM_FIXED_SEED -DSCOTCH_DEBUG_ALL -DSCOTCH_MPI_ASYNC_COLL
-DSCOTCH_PTHREAD -DSCOTCH_PTHREAD_MPI -DSCOTCH_RENAME -Drestrict=__restrict -DIDXSIZE64"""
SCOTCH_GRAPH = "data/bump_b100000.grf"


def scotch(site: Site) -> None:
    """PT-Scotch with threads in each rank: check programs, an ordering, a partition. It is built to check itself."""
    tree = debian_source("scotch")
    check = tree / "src/check"
    flags = " ".join(SCOTCH_FLAGS.split())
    (tree / "src/Makefile.inc").write_text(
        f"LIB = .a\nOBJ = .o\nMAKE = make\nAR = ar\nARFLAGS = -ru\nCAT = cat\nCCS = {site.mpicc}\n"
        f"CCP = {site.mpicc}\nCCD = {site.mpicc}\nCFLAGS = {flags}\nLDFLAGS = -lm -lrt -pthread\nCP = cp\n"
        "FLEX = flex\nLN = ln\nMKDIR = mkdir -p\nMV = mv\nRANLIB = ranlib\nBISON = bison\n")
    tests = [f"test_scotch_dgraph_{what}" for what in ("band", "check", "coarsen", "grow", "induce", "redist")]
    site.built("scotch", [
        (tree / "src", ["make", f"-j{os.cpu_count()}", "ptscotch"], {}),
        *((check, [site.mpicc, *flags.split(), "-DSCOTCH_PTSCOTCH", "-I../../include", f"{test}.c", "-o", test,
                   "-L../../lib", "-lptscotch", "-lscotch", "-lptscotcherrexit", "-lm", "-pthread"], {})
          for test in tests)])
    for ranks in site.ranks:
        job = [site.mpiexec, "-n", ranks]
        for test in tests:
            # At 16 ranks `grow` ends with an internal error of its own, with MPICH too.
            if site.wants(test) and not (test.endswith("grow") and ranks > 8):
                site.test("scotch", f"{test}, {ranks} ranks", [*job, f"./{test}", SCOTCH_GRAPH], check, {})
        for name, words in (("order", ["dgord"]), ("partition", ["dgpart", 13])):
            if site.wants(name):
                site.test("scotch", f"{name}, {ranks} ranks",
                          [*job, tree / "bin" / words[0], *words[1:], SCOTCH_GRAPH, site.scratch / name], check, {})


def sundials(site: Site) -> None:
    """Solvers over vectors of several ranks: the tests of its vectors, and its parallel examples (made for 4 ranks)."""
    tree = debian_source("sundials")
    build = FOLDER / "sundials"
    site.built("sundials", [
        (tree, ["cmake", "-S", tree, "-B", build, "-DENABLE_MPI=ON", f"-DMPI_C_COMPILER={site.mpicc}",
                "-DBUILD_SHARED_LIBS=OFF", "-DEXAMPLES_INSTALL=OFF"], {}),
        (tree, ["cmake", "--build", build, f"-j{os.cpu_count()}"], {})])
    for ranks in site.ranks:
        for name in ("mpi 1000 0", "mpimanyvector_parallel1 1000 200 0", "mpimanyvector_parallel2 200 1000 0"):
            name, *words = name.split()
            if site.wants("vectors"):
                program = next(p for p in build.rglob(f"test_nvector_{name}") if p.is_file())
                site.test("sundials", f"{name}, {ranks} ranks", [site.mpiexec, "-n", ranks, program, *words], build, {})
    for program in sorted(p for p in build.glob("examples/*/parallel/*_p") if site.wants("examples")):
        words = ["-nosensi"] if "FSA" in program.name else []
        site.test("sundials", f"{program.name}, 4 ranks", [site.mpiexec, "-n", 4, program, *words], site.scratch, {})


# --- tasks ---

STARPU_OPTIONS = """--enable-quick-check --disable-opencl --disable-cuda --disable-fortran --disable-build-doc
--disable-socl --disable-starpufft --disable-build-examples --disable-openmp""".split()


def starpu(site: Site) -> None:
    """Tasks over several ranks: a thread in each looks after all messages, with MPI_Test and MPI_Iprobe by turns."""
    tree = debian_source("starpu")
    build = FOLDER / "starpu"
    build.mkdir(exist_ok=True)
    jobs = f"-j{os.cpu_count()}"
    site.built("starpu", [
        (build, [tree / "configure", f"--with-mpicc={site.mpicc}", f"--with-mpiexec={site.mpiexec}", *STARPU_OPTIONS],
         {}),
        *((build, ["make", jobs, "-C", folder], {}) for folder in ("src", "mpi/src", "mpi/tests")),
        (build, ["make", jobs, "-C", "mpi/tests", "check", "TESTS="], {})])
    made = (build / "mpi/tests/Makefile").read_text()
    made_to_fail = re.search(r"^XFAIL_TESTS\s*=((?:.*\\\n)*.*)", made, re.M)[1].replace("$(EXEEXT)", "").split()
    environment = {"STARPU_NCPU": "1", "STARPU_SILENT": "1", "STARPU_WORKERS_NOBIND": "1",
                   "STARPU_HOME": str(site.scratch)}
    programs = [p for p in sorted((build / "mpi/tests").iterdir())
                if p.is_file() and not p.suffix and os.access(p, os.X_OK) and p.name != "loader"]
    for ranks in site.ranks:
        for program in programs:
            fails = program.name in made_to_fail
            if site.wants(program.name):  # 77: not for so many ranks
                site.test("starpu", f"{program.name}, {ranks} ranks", [site.mpiexec, "-n", ranks, program], site.scratch,
                          environment, lambda status, text: (status not in (0, 77)) if fails else status in (0, 77))


CLIENTS = {"hdf5": hdf5, "h5py": h5py, "pnetcdf": pnetcdf, "netcdf": netcdf, "fftw": fftw, "scotch": scotch,
           "sundials": sundials, "starpu": starpu}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="+", choices=CLIENTS)
    parser.add_argument("--bin", type=pathlib.Path, default=setup.PREFIX / "bin",
                        help="where our mpicc and mpiexec are")
    parser.add_argument("--peer", type=pathlib.Path, help="where another library is that programs are run on")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 3, 4, 6])
    parser.add_argument("--only", nargs="+", default=[], help="tests by name")
    parser.add_argument("--env", nargs="+", default=[])
    parser.add_argument("--scratch", type=pathlib.Path, default=FOLDER / "scratch", help="where the tests' files are")
    parser.add_argument("--timeout", type=int, default=900, help="seconds, for each")
    a = parser.parse_args()
    a.scratch.mkdir(parents=True, exist_ok=True)
    site = Site(a)
    try:
        for name in a.clients:
            CLIENTS[name](site)
    except setup.SetupError as error:
        sys.exit(f"clients: {error}")
    print(f"{site.passed} passed, {len(site.failed)} failed" + "".join(f"\n  {name}" for name in site.failed))
    return 1 if site.failed or not site.passed else 0


if __name__ == "__main__":
    sys.exit(main())
