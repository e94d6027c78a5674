#!/usr/bin/env python3
"""Everything that must hold before a change is merged.  usage: .ci/run [STAGE...]

Every stage prints its time against its budget; together the budgets stay below 30 minutes on two cores. A stage that
takes longer than its budget is reported, but does not fail (a slow machine is not a wrong program); one that takes
three times as long is stopped. The last line counts the checks that passed and failed, as the tools reported them.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parents[1]
JOBS = str(os.cpu_count() or 2)
SANITIZERS = {"asan": "__asan_init", "tsan": "__tsan_init"}


class StageFailed(Exception):
    """A stage is wrong in a way that its commands' counts do not show."""


class Stage:
    """One stage: runs commands, shows and keeps what they print, counts what they report."""

    # What a tool's closing line looks like -> how many checks passed, failed.
    COUNTS = (
        (re.compile(r"^\d+% tests passed, (\d+) tests failed out of (\d+)", re.M),
         lambda found: (int(found[2]) - int(found[1]), int(found[1]))),
        (re.compile(r"^models: (\d+) passed, (\d+) failed", re.M), lambda found: (int(found[1]), int(found[2]))),
        (re.compile(r"^mpi4py: (\d+) of \d+ jobs passed, (\d+) failed", re.M),
         lambda found: (int(found[1]), int(found[2]))),
    )

    def __init__(self, name: str, budget: int, action):
        self.name, self.budget, self.action = name, budget, action
        self.passed = self.failed = 0
        self.seconds, self.problem, self.end = 0.0, "", 0.0

    def command(self, *words, env=None, quiet=False) -> str:
        """Runs a command within what is left of the stage's time. A failing command ends the stage."""
        print("+ " + " ".join(map(str, words)), flush=True)
        job = subprocess.Popen([str(word) for word in words], cwd=TOP, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               env={**os.environ, **(env or {})}, start_new_session=True)
        signal.alarm(max(1, int(self.end - time.monotonic())))
        lines = []
        try:
            for line in job.stdout:
                lines.append(line)
                if not quiet:
                    sys.stdout.write(line)
                    sys.stdout.flush()
            status = job.wait()
        except TimeoutError:
            raise StageFailed(f"no end after {3 * self.budget} s, three times the budget") from None
        finally:
            signal.alarm(0)
            try:
                os.killpg(job.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            job.wait()
        output = "".join(lines)
        counted = False
        for pattern, counts in self.COUNTS:
            for found in pattern.finditer(output):
                passed, failed = counts(found)
                self.passed, self.failed, counted = self.passed + passed, self.failed + failed, True
        if not counted:
            self.passed, self.failed = self.passed + (status == 0), self.failed + (status != 0)
        if status != 0:
            if quiet:
                print("".join(lines[-60:]))
            raise StageFailed(f"status {status} from: {' '.join(map(str, words))}")
        return output

    def run(self) -> bool:
        print(f"\n===== {self.name} (budget {self.budget} s)", flush=True)
        begin = time.monotonic()
        self.end = begin + 3 * self.budget
        try:
            self.action(self)
        except StageFailed as error:
            self.problem = str(error)
            self.failed = max(self.failed, 1)
        self.seconds = time.monotonic() - begin
        if self.failed and not self.problem:
            self.problem = f"{self.failed} failed"
        print(self.summary(), flush=True)
        return not self.problem

    def summary(self) -> str:
        late = "  over its budget" if self.seconds > self.budget else ""
        outcome = f"FAILED: {self.problem}" if self.problem else "ok"
        return f"----- {self.name:12} {self.seconds:6.0f} s of {self.budget:4d} s{late}   {outcome}"


def set_up(stage: Stage) -> None:
    stage.command("tools/setup/system-packages", "build", "test", "demo", "ci")
    stage.command(sys.executable, "tools/setup/python_env.py", "venv", "tools", "format")


LARGEST = 512 * 1024  # bytes of a file that is checked in: what is larger was made by a program


def layout(stage: Stage) -> None:
    stage.command("make", "format-check", quiet=True)
    stage.command(".ci/check_layering")
    stage.command(".ci/check_widths")
    stage.command(".ci/check_classes")
    stage.command(".ci/check_citations")
    stage.command(sys.executable, "abi/generate.py", "--check")
    # Nothing of one machine, and no unfinished business, in what is checked in.
    found = subprocess.run(["git", "grep", "-nIE", r"\b(TODO|FIXME|XXX)\b|/home/[a-z]|/root/", "--", ":!.ci"],
                           cwd=TOP, capture_output=True, text=True).stdout
    print(found, end="")
    if found:
        raise StageFailed("unfinished business or a path of one machine")
    large = [name for name in subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True,
                                             text=True).stdout.split("\0")
             if name and (TOP / name).is_file() and (TOP / name).stat().st_size > LARGEST]
    if large:
        raise StageFailed(f"files of more than {LARGEST // 1024} KiB: {', '.join(large)}")
    stage.passed += 1


def warnings(stage: Stage) -> None:
    # In the very folder that `make test` uses afterwards: one build serves both.
    stage.command("cmake", "--preset", "release", "-DLOADSTONE_WERROR=ON", "-DLOADSTONE_TESTS=ON",
                  "-DLOADSTONE_PRECOMPILED=TESTS", quiet=True)
    stage.command("cmake", "--build", "build/release", "-j", JOBS, quiet=True)


def aarch64(stage: Stage) -> None:
    # Nothing of it runs here: it must compile and link, which takes half the time without optimisation.
    stage.command("cmake", "--preset", "aarch64", "-DLOADSTONE_WERROR=ON", "-DCMAKE_BUILD_TYPE=Debug",
                  "-DCMAKE_CXX_FLAGS_DEBUG=-O0", quiet=True)
    stage.command("cmake", "--build", "build/aarch64", "-j", JOBS, "--target", "loadstone", "mpi_abi", quiet=True)
    about = stage.command("file", "-L", "build/aarch64/lib/libmpi_abi.so.1")
    if "aarch64" not in about:
        raise StageFailed("the cross build did not make an AArch64 library")


def listed_for(preset: str) -> list[str]:
    lines = [line.split("#")[0].split() for line in (TOP / ".ci" / "sanitizer_tests").read_text().splitlines()]
    return [words[0] for words in lines if words and preset in words[1:]]


def sanitizer_tests(preset: str) -> list[str]:
    tests = [name for name in listed_for(preset) if not name.startswith("-")]
    if not tests:
        raise StageFailed(f"no test is listed for {preset} in .ci/sanitizer_tests")
    return tests


def left_out(preset: str) -> str:
    """A filter of GoogleTest: all but the cases that the list leaves out."""
    return "-" + ":".join(name[1:] for name in listed_for(preset) if name.startswith("-"))


def sanitizer_set_up(preset: str) -> list[str]:
    return ["cmake", "--preset", preset, "-DLOADSTONE_UNIT_TESTS=" + ";".join(sanitizer_tests(preset))]


def sanitizer(preset: str):
    def action(stage: Stage) -> None:
        tests = sanitizer_tests(preset)
        stage.command(*sanitizer_set_up(preset), quiet=True)
        targets = programs_of(tests, f"build/{preset}")
        stage.command("cmake", "--build", f"build/{preset}", "-j", JOBS, "--target", *targets, quiet=True)
        for target in targets:
            program = next((TOP / "build" / preset).rglob(target), None)
            symbols = subprocess.run(["nm", "-D", program], capture_output=True, text=True).stdout if program else ""
            if SANITIZERS[preset] not in symbols:
                raise StageFailed(f"{target} was not built with the sanitizer")
        # Address-space randomisation of newer kernels collides with the shadow memory of gcc 12's runtime.
        output = stage.command("setarch", "-R", "ctest", "--test-dir", f"build/{preset}", "-j", JOBS, "--timeout", "400",
                               "--no-tests=error", "--output-on-failure", "-R", "^(" + "|".join(tests) + ")$",
                               env={"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
                                    "UBSAN_OPTIONS": "print_stacktrace=1", "GTEST_FILTER": left_out(preset)})
        ran = int(re.search(r"tests failed out of (\d+)", output)[1])
        if ran != len(tests):
            raise StageFailed(f"{len(tests)} tests are listed, {ran} ran")

    return action


def programs_of(tests: list[str], build: str) -> list[str]:
    """The programs that these tests run; their targets have the same names."""
    found = {}  # ctest itself does not tell before they are built
    for file in (TOP / build).rglob("CTestTestfile.cmake"):
        for name, program in re.findall(r'^add_test\((?:\[=\[)?([^\s\]]+)(?:\]=\])? "([^"]+)"', file.read_text(), re.M):
            found[name] = pathlib.Path(program).name
    if missing := [test for test in tests if test not in found]:
        raise StageFailed("no such tests: " + ", ".join(missing))
    return sorted({found[test] for test in tests})


def models(stage: Stage) -> None:
    stage.command("models/check")


def faults(stage: Stage) -> None:
    stage.command("cmake", "--preset", "faults", "-DLOADSTONE_TESTS=ON", quiet=True)
    stage.command("cmake", "--build", "build/faults", "-j", JOBS, "--target", "mpi_abi", "mpiexec", "workload",
                  "deposit_faults_test", "tests_buffering", "tests_base", quiet=True)
    # Its processes mostly wait for each other's death. Meanwhile the next build begins; that stage tells what it makes.
    ahead = None
    if any(each.name == "asan" for each in chosen_stages):
        subprocess.run(sanitizer_set_up("asan"), cwd=TOP, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        targets = programs_of(sanitizer_tests("asan"), "build/asan")
        ahead = subprocess.Popen(["nice", "cmake", "--build", "build/asan", "-j", JOBS, "--target", *targets], cwd=TOP,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        stage.command("ctest", "--test-dir", "build/faults", "--timeout", "900", "--no-tests=error",
                      "--output-on-failure", "-R", "^(faults/|base/fault_test)")
    finally:
        if ahead is not None and ahead.poll() is None:  # what it has not finished is finished there
            os.killpg(ahead.pid, signal.SIGTERM)
            ahead.wait()


def tests(stage: Stage) -> None:
    stage.command("make", "test")


STAGES = (
    Stage("set-up", 40, set_up),
    Stage("layout", 20, layout),
    Stage("models", 110, models),
    Stage("warnings", 330, warnings),
    Stage("tests", 350, tests),
    Stage("aarch64", 120, aarch64),
    Stage("faults", 290, faults),
    Stage("asan", 220, sanitizer("asan")),
    Stage("tsan", 320, sanitizer("tsan")),
)


chosen_stages: list[Stage] = []  # of this run


def on_alarm(_number, _frame):
    raise TimeoutError


def main() -> int:
    wanted = sys.argv[1:]
    unknown = set(wanted) - {stage.name for stage in STAGES}
    if unknown:
        print(f"unknown stage {', '.join(unknown)}; there are {', '.join(stage.name for stage in STAGES)}")
        return 2
    signal.signal(signal.SIGALRM, on_alarm)
    os.chdir(TOP)
    if shutil.which("ccache"):
        for language in ("C", "CXX"):
            os.environ.setdefault(f"CMAKE_{language}_COMPILER_LAUNCHER", "ccache")
        os.environ.setdefault("CCACHE_DIR", str(TOP / "build" / "cache" / "ccache"))
        os.environ.setdefault("CCACHE_BASEDIR", str(TOP))
        os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")  # precompiled headers want these
        os.environ.setdefault("CCACHE_DEPEND", "1")  # what is not known is not preprocessed first
    chosen = [stage for stage in STAGES if not wanted or stage.name in wanted]
    chosen_stages.extend(chosen)
    begin = time.monotonic()
    good = [stage.run() for stage in chosen]
    print(f"\n===== all stages: {time.monotonic() - begin:.0f} s of {sum(stage.budget for stage in chosen)} s")
    for stage in chosen:
        print(stage.summary())
    print(f"{sum(stage.passed for stage in chosen)} passed, {sum(stage.failed for stage in chosen)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
