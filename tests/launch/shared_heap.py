"""mpiexec --shared-heap: what the ranks get, and what is said when they cannot have it."""
import os
import shutil
import subprocess

from harness import Case, MPIEXEC, environment, main

LIBRARY = "libloadstone_heap.so"
SHOW = ("sh", "-c", "echo $LOADSTONE_SHARED_HEAP; echo $LD_PRELOAD")


class Shared_heap(Case):
    def shown(self, *words, **changes):
        status, out, err = self.run_job(*words, *SHOW, env=environment(**changes))
        self.assertEqual((status, err), (0, ""))
        bytes_, preloaded = out.split("\n")[:2]
        return bytes_, preloaded

    def test_only_when_wanted(self):
        self.assertEqual(self.shown(), ("", ""))
        bytes_, preloaded = self.shown("--shared-heap")
        self.assertEqual((bytes_, os.path.basename(preloaded)), ("32768", LIBRARY))
        self.assertTrue(os.path.isabs(preloaded) and os.path.exists(preloaded))
        self.assertEqual(self.shown("--shared-heap=65536"), ("65536", preloaded))
        self.assertEqual(self.shown("--shared-heap=0"), ("", ""))

    def test_by_the_environment(self):
        bytes_, preloaded = self.shown(LOADSTONE_SHARED_HEAP="100000")
        self.assertEqual((bytes_, os.path.basename(preloaded)), ("100000", LIBRARY))
        self.assertEqual(self.shown("--shared-heap=65536", LOADSTONE_SHARED_HEAP="100000")[0], "65536")
        self.assertEqual(self.shown("--shared-heap=0", LOADSTONE_SHARED_HEAP="100000")[1], "")
        self.assertEqual(self.shown(LOADSTONE_SHARED_HEAP="0"), ("0", ""))

    def test_what_is_preloaded_stays(self):
        library = self.shown("--shared-heap")[1]
        other = os.path.join(self.folder, "other.so")
        shutil.copy(library, other)
        self.assertEqual(self.shown("--shared-heap", "-x", f"LD_PRELOAD={other}")[1], f"{other}:{library}")
        self.assertEqual(self.shown("--shared-heap", LD_PRELOAD=f"{library} {other}")[1], f"{library} {other}")

    def test_a_program_with_a_sanitizer_runs_without(self):
        if shutil.which("cc") is None:
            self.skipTest("no compiler")
        with open(self.path("program.c"), "w") as f:
            f.write('#include <stdio.h>\n#include <stdlib.h>\nint main(void) { free(malloc(100000)); puts("x"); return 0; }\n')
        for name, flags in (("plain", []), ("linked", ["-fsanitize=address"]), ("inside", ["-fsanitize=address", "-static-libasan"])):
            done = subprocess.run(["cc", *flags, "program.c", "-o", name], cwd=self.folder, capture_output=True, text=True)
            if done.returncode != 0:
                self.skipTest(f"no sanitizer: {done.stderr}")
            status, out, err = self.run_job("--shared-heap", "-n", 2, f"./{name}")
            self.assertEqual((status, out), (0, "x\n" * 2), name)
            said = "" if name == "plain" else (f"mpiexec: --shared-heap: no effect: ./{name} is built with AddressSanitizer, "
                                               "whose malloc must stay\n")
            self.assertEqual(err, said)

    def test_mistakes(self):
        for value in ("x", "-1", "100", "64K"):
            status, out, err = self.run_job(f"--shared-heap={value}", "ls")
            self.assertEqual((status, out), (2, ""), value)
            self.assertIn("--shared-heap", err)

    def test_the_library_is_not_there(self):
        alone = os.path.join(self.folder, "bin", "mpiexec")
        os.mkdir(os.path.dirname(alone))
        shutil.copy(MPIEXEC, alone)
        job = ["sh", "-c", f"{alone} --shared-heap -n 2 ls"]
        status, out, err = self.run_job("-n", 1, *job)
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"mpiexec: --shared-heap: the library for it, {os.path.realpath(self.folder)}/lib", err)
        self.assertIn(LIBRARY, err)
        blank = os.path.join(self.folder, "a b")
        os.makedirs(os.path.join(blank, "bin"))
        shutil.copy(MPIEXEC, os.path.join(blank, "bin"))
        os.mkdir(os.path.join(blank, "lib"))
        shutil.copy(self.shown("--shared-heap")[1], os.path.join(blank, "lib"))
        status, _, err = self.run_job("-n", 1, "sh", "-c", f"'{blank}/bin/mpiexec' --shared-heap -n 2 ls")
        self.assertEqual(status, 1)
        self.assertIn("a blank or a colon", err)

    def test_programs_that_are_not_mpi(self):
        for command in (("sh", "-c", "ls / | sort | tail -1 >/dev/null; echo fine"),
                        ("python3", "-c", "import os, subprocess; a = bytearray(1 << 24)\n"
                         "if os.fork() == 0: a[5] = 1; os._exit(a[5])\n"
                         "assert os.waitstatus_to_exitcode(os.wait()[1]) == 1 and a[5] == 0\n"
                         "print(subprocess.run(['echo', 'fine'], capture_output=True, text=True).stdout, end='')")):
            self.assertEqual(self.run_job("--shared-heap", "-n", 3, *command), (0, "fine\n" * 3, ""))


if __name__ == "__main__":
    main()
