#!/usr/bin/env python3
"""Builds programs of MPICH's test suite (its folder test/mpi) with our compiler wrapper, and runs them.

    run.py SUITE [--folders rma errors/rma threads/rma …] [--only NAME …] [--env K=V …]

What to build, and at how many ranks to run it, is read from each folder's Makefile.am and testlist.
A program has passed that exits with 0 and prints "No Errors", or with another status where the testlist wants that.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent

# What the suite's configure script would find out on any machine that we are on.
CONFIG = """
HAVE_DOUBLE__COMPLEX HAVE_FLOAT__COMPLEX HAVE_LONG_DOUBLE__COMPLEX HAVE_GETRUSAGE HAVE_INTTYPES_H HAVE_LONG_DOUBLE
HAVE_LONG_LONG HAVE_MEMORY_H HAVE_MPI_WIN_CREATE HAVE_PTHREAD_H HAVE_STDARG_H HAVE_STDINT_H HAVE_STDLIB_H HAVE_STRDUP
HAVE_STRINGS_H HAVE_STRING_H HAVE_SYS_RESOURCE_H HAVE_SYS_STAT_H HAVE_SYS_TIME_H HAVE_SYS_TYPES_H HAVE_UNISTD_H
HAVE_USLEEP HAVE__BOOL STDC_HEADERS USE_STRICT_MPI HAVE_LIMITS_H HAVE_MEMSET
""".split()
DEFINED = {"POINTERINT_t": "long", "SIZEOF_INT": "4", "SIZEOF_LONG": "8", "SIZEOF_LONG_LONG": "8", "SIZEOF_SHORT": "2",
           "SIZEOF_MPI_OFFSET": "8", "SIZEOF_VOID_P": "8", "THREAD_PACKAGE_NAME": "THREAD_PACKAGE_POSIX"}


# Programs that ask for more than the standard does, or for something else.
BEYOND = {name: why for why, names in {
    "wants MPI_Win_set_info to change hints about how the window was made (MPI 13.2.7 lets us ignore them)": "win_info",
    "sets MPI_COMM_WORLD's error handler for errors of calls without a communicator, which are MPI_COMM_SELF's (MPI 9.3)":
        """group_union_nullarg group_translate_ranks_nullarg group_size_nullarg group_rank_nullarg
        group_range_incl_nullarg group_range_excl_nullarg group_intersection_nullarg group_difference_nullarg gerr
        keyval_double_free keyval_double_free_comm keyval_double_free_type keyval_double_free_win keyvalmis attrerrtype
        reduce_local cfree too_many_comms2 too_many_comms3""",
    "sets a handler of the communicator that its own was duplicated from, afterwards":
        "comm_create_nullarg comm_create_group_nullarg comm_split_nullarg comm_split_type_nullarg",
    "wants a send to be cancelled, which may complete instead":
        "scancel pscancel scancel_unmatch",
    "wants mismatched lengths or operations of a collective to be noticed by members that need not":
        """bcastlength ibcastlength reducelength ireducelength allreducelength iallreducelength reduceop ireduceop
        scatterlength iscatterlength allgatherlength iallgatherlength""",
    "compares MPI_MESSAGE_NULL with MPI_REQUEST_NULL, or keeps handles in ints: not with the MPI ABI":
        "mt_improbe_isendrecv mt_improbe_sendrecv mt_improbe_sendrecv_huge nonblocking2 nonblocking3",
    "wants communicators to run out":
        "too_many_comms too_many_icomms too_many_icomms2",
    "passes MPI_DATATYPE_NULL with a count of 0": "nonblocking_pready",
    "wants MPI_ERR_IO where the error is of the type": "tst_fileview",
    "wants MPI_COMM_NULL of MPI_Cart_sub without dimensions; every member is in one of its own": "cartsuball",
    "wants MPI_Status_set_elements to count types, where the standard counts elements": "large_count",
    "wants equal base addresses to be refused where displacements decide what overlaps": "noalias2 noalias3",
    "wants the factors of MPICH": "dims5",
    "wants older names of types": "typename",
    "prints another word at its end": "longdouble",
    "wants what is known before MPI_Init to be the same as after it": "infocreateenv",
    "wants types of equal length to be told apart": "truncmsg2",
    "passes handles that it has never set": "indexed_misc",
    "looks at MPI_ERROR of statuses after MPI_Waitall has succeeded, which then does not set it (MPI 3.2.5)": "multipart",
    "wants a control variable to take any value, after MPI_Init": "cvarwrite",
    "wants a handler to change what the call returns, which Open MPI does not do either": "fileerrret",
}.items() for name in names.split()}


def flags(suite, build):
    header = "".join(f"#define {name} 1\n" for name in CONFIG) + "".join(f"#define {k} {v}\n" for k, v in DEFINED.items())
    header += "#define THREAD_PACKAGE_NONE 0\n#define THREAD_PACKAGE_POSIX 1\n"
    for name in ("mpitestconf.h", "dtpoolsconf.h"):
        (build / name).write_text(header)
    (build / "include").mkdir(exist_ok=True)  # from there it is ../dtpoolsconf.h
    return ["-w", "-g", "-O1", f"-I{build}", f"-I{build / 'include'}", f"-I{suite / 'include'}", f"-I{suite / 'dtpools' / 'include'}",
            "-DMPI_Type_hvector=MPI_Type_create_hvector", "-DMPI_Type_hindexed=MPI_Type_create_hindexed", "-fno-strict-aliasing", "-pthread"]


def programs(folder):
    """Of Makefile.am: the sources and preprocessor flags of each program that has its own."""
    sources, defines = {}, {}
    for line in (folder / "Makefile.am").read_text().replace("\\\n", " ").splitlines():
        m = re.match(r"(\w+)_(SOURCES|CPPFLAGS)\s*\+?=\s*(.*)", line)
        if m and m[2] == "SOURCES":
            sources[m[1]] = [s for s in m[3].split() if s.endswith(".c")]
        elif m:
            defines[m[1]] = re.findall(r"-[DU]\S+", m[3])
    return sources, defines


def tests(folder):
    for name in ("testlist", "testlist.in", "testlist.dtp"):
        path = folder / name
        if not path.exists():
            continue
        for line in path.read_text().splitlines():
            words = re.sub(r"@\w+@", "", line).split()
            if not words or words[0].startswith("#"):
                continue
            options = [w.split("=", 1) for w in words[2:] if "=" in w]
            yield {"program": words[0], "ranks": int(words[1]) if len(words) > 1 else 2,
                   "arguments": [v for k, v in options if k == "arg"],
                   "environment": dict(v.split("=", 1) for k, v in options if k == "env"),
                   "limit": next((int(v) for k, v in options if k == "timeLimit"), None),
                   "result": next((v for k, v in options if k == "resultTest"), "")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/suite")
    parser.add_argument("--bin", type=pathlib.Path, default=root / "build/release/bin", help="where mpicc and mpiexec are")
    parser.add_argument("--folders", nargs="+", default=["rma", "errors/rma", "threads/rma"])
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--ranks", type=int, nargs="+", default=[], help="instead of the testlist's")
    parser.add_argument("--env", nargs="+", default=[])
    parser.add_argument("--timeout", type=int, default=180)
    parser.add_argument("--jobs", type=int, default=2)
    a = parser.parse_args()
    suite, build = a.suite.resolve(), a.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    mpicc, mpiexec = a.bin / "mpicc", a.bin / "mpiexec"
    common = flags(suite, build)
    pool = concurrent.futures.ThreadPoolExecutor(a.jobs)

    def compile_to(out, *arguments):
        done = subprocess.run([mpicc, *common, *map(str, arguments), "-o", out], capture_output=True, text=True)
        return done.stderr if done.returncode else ""

    shared = list((suite / "dtpools/src").glob("*.c")) + [suite / "util" / f"{n}.c" for n in ("mtest", "mtest_common", "dtypes", "mtest_thread")]
    objects = [build / f"{s.stem}.o" for s in shared]
    for source, error in zip(shared, pool.map(lambda s: compile_to(build / f"{s.stem}.o", "-c", s), shared)):
        if error:
            sys.exit(f"{source}: {error}")

    work = []
    for name in a.folders:
        folder = suite / name
        sources, defines = programs(folder)
        for test in tests(folder):
            if not a.only or test["program"] in a.only:
                for ranks in a.ranks or [test["ranks"]]:
                    work.append({**test, "ranks": ranks, "folder": folder, "sources": sources.get(test["program"], [f"{test['program']}.c"]),
                                 "defines": defines.get(test["program"], []), "out": build / name.replace("/", "_") / test["program"]})
    for test in work:
        test["out"].parent.mkdir(exist_ok=True)
    distinct = {t["out"]: t for t in work}
    errors = dict(zip(distinct, pool.map(lambda t: compile_to(
        t["out"], *t["defines"], *[t["folder"] / s for s in t["sources"]], *objects, "-lm"), distinct.values())))

    def run(test):
        if errors[test["out"]]:  # the compiler's
            return "not built", errors[test["out"]]
        environment = {**os.environ, **test["environment"], **dict(e.split("=", 1) for e in a.env)}
        limit = min(a.timeout, test["limit"] or a.timeout)  # mpiexec says who waits for whom; timeout is for its own sake
        # A folder of its own, as some leave files, and several have the same names for them. Some start others from there.
        with tempfile.TemporaryDirectory(dir=build, prefix="run-") as scratch:
            for out in distinct:
                if out.parent == test["out"].parent:
                    (pathlib.Path(scratch) / out.name).symlink_to(out)
            try:
                done = subprocess.run(["timeout", "-k", "10", str(limit + 30), mpiexec, "--timeout", str(limit),
                                       "-n", str(test["ranks"]), test["out"], *test["arguments"]],
                                      capture_output=True, text=True, errors="replace", env=environment, cwd=scratch)
            except OSError as error:
                return "failed", str(error)
        text = done.stdout + done.stderr
        # `timeout` is to be ended by its limit; 137: mpiexec had to be killed. A program may have such a status of its own.
        own = "exited with status 124" in text or "killed by signal 9" in text
        if done.returncode in (124, 137) and not own and not (test["result"] == "TestErrFatal" and test["limit"]):
            return "hung", text
        if test["result"] in ("TestStatus", "TestErrFatal"):  # only that something has gone wrong is to be told
            return ("passed" if done.returncode else "failed"), text
        return ("passed" if done.returncode == 0 and "No Errors" in done.stdout else "failed"), text

    count = {}
    for test, (outcome, text) in zip(work, pool.map(run, work)):
        beyond = BEYOND.get(test["program"]) if outcome == "failed" else None
        if beyond:
            outcome = "beyond the standard"
        count[outcome] = count.get(outcome, 0) + 1
        if outcome not in ("passed", "beyond the standard"):
            print(f"--- {outcome}: {test['program']} {test['ranks']} {' '.join(test['arguments'])}\n{text[:1500]}", flush=True)
    print(", ".join(f"{n} {outcome}" for outcome, n in sorted(count.items())))
    return 0 if count and set(count) <= {"passed", "beyond the standard"} else 1


if __name__ == "__main__":
    sys.exit(main())
