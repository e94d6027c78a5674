#!/usr/bin/env python3
"""The library in odd surroundings and under wrong programs: what must still work, and what must be said.

Usage: run.py --bin DIR (with mpiexec)  --programs DIR (with workload, misuse, refuse_vm)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent), str(pathlib.Path(__file__).parent.parent / "faults")]
import side_by_side  # noqa: E402
from left_behind import shared_names  # noqa: E402
from run import processes_with  # noqa: E402

WATCHDOG = 120
OPTIONS = None


class Case(unittest.TestCase):
    def run_job(self, *command, environment=None, shell_prefix=None, **keywords):
        """Runs mpiexec with these arguments; checks that nothing is left; returns (status, stdout, stderr)."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
        mark = os.urandom(8).hex()
        env.update(environment or {}, LOADSTONE_TEST_MARK=mark)
        line = [*(shell_prefix or []), str(OPTIONS.mpiexec), *map(str, command)]
        shared_memory = shared_names()
        keywords.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=WATCHDOG, **keywords)
        self.assertEqual(processes_with(mark), [], "processes left behind")
        self.assertEqual(shared_names() - shared_memory, set(), "names left in /dev/shm")
        return done.returncode, done.stdout, done.stderr

    def works(self, *command, **keywords):
        status, out, err = self.run_job(*command, **keywords)
        self.assertEqual((status, out), (0, "workload ok\n"), err)

    # --- surroundings ---
    def test_plain(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                self.works("-n", ranks, OPTIONS.workload, ranks)

    def test_process_vm_refused_by_seccomp(self):
        self.works("-n", 3, OPTIONS.refuse_vm, OPTIONS.workload, 3)

    def test_process_vm_refused_for_one_rank(self):
        self.works("-n", 1, OPTIONS.refuse_vm, OPTIONS.workload, 3, ":", "-n", 2, OPTIONS.workload, 3)

    def test_process_vm_refused_by_trace_rights(self):
        # Root may trace everything, so an ordinary user is needed for this.
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.works("-n", 3, OPTIONS.workload, 3, "undumpable")
            return
        with tempfile.TemporaryDirectory() as directory:
            os.chmod(directory, 0o755)
            copies = [shutil.copy(p, directory) for p in (OPTIONS.mpiexec, OPTIONS.workload)]
            for library in OPTIONS.mpiexec.parent.parent.glob("lib/lib*.so*"):
                shutil.copy(library, directory)
            # Both programs find the libraries by the path below; the build folder may be closed to that user.
            env = {k: v for k, v in os.environ.items() if not k.startswith("LOADSTONE_")}
            env["LD_LIBRARY_PATH"] = directory
            done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copies[0], "-n", "3",
                                   copies[1], "3", "undumpable"], env=env, cwd=directory, capture_output=True, text=True,
                                  timeout=WATCHDOG, stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stdout), (0, "workload ok\n"), done.stderr)

    def in_own_mounts(self, script, ranks=3):
        """Runs the workload behind `script` in a mount namespace of its own (needs the right to make one)."""
        prefix = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
        if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
            self.skipTest("no right to make a mount namespace here")
        self.works("-n", ranks, OPTIONS.workload, ranks,
                   shell_prefix=[*prefix, "sh", "-c", f'{script} && exec "$@"', "sh"])

    def test_dev_shm_of_64_kb(self):
        self.in_own_mounts("mount -t tmpfs -o size=64k tmpfs /dev/shm")

    def test_dev_shm_absent(self):
        if os.geteuid() != 0:
            self.skipTest("needs root to make device nodes")
        self.in_own_mounts("mount -t tmpfs -o mode=755 tmpfs /dev && mknod -m 666 /dev/null c 1 3 && "
                           "mknod -m 666 /dev/urandom c 1 9 && test ! -e /dev/shm")

    def test_read_only_home(self):
        self.in_own_mounts("mount -t tmpfs -o ro tmpfs /mnt && export HOME=/mnt")

    def test_descriptor_limit_of_64(self):
        self.works("-n", 8, OPTIONS.workload, 8, shell_prefix=["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"])

    def test_closed_stdin(self):
        self.works("-n", 2, OPTIONS.workload, 2, shell_prefix=["sh", "-c", 'exec "$@" <&-', "sh"])

    def test_cache_of_one_mapping_all_pairs(self):
        self.works("-n", 16, OPTIONS.workload, 16, environment={"LOADSTONE_TEST": "mappings=1"})

    # --- wrong programs ---
    def fails(self, mode, ranks=3, options=(), environment=None, arguments=()):
        status, out, err = self.run_job(*options, "-n", ranks, OPTIONS.misuse, mode, *arguments, environment=environment)
        self.assertNotEqual(status, 0, f"{mode} must not succeed: {out}{err}")
        self.assertNotIn("went on", out)
        return status, err

    def test_abort(self):
        status, err = self.fails("abort")
        self.assertEqual(status, 17, err)
        self.assertRegex(err, r"MPI_Abort")
        self.assertRegex(err, r"rank 1\b")

    def test_no_address_space_to_map_a_peer(self):
        for what in ("cell", "queue", "inbox", "parts"):
            with self.subTest(what=what):
                _, err = self.fails("no-address-space", ranks=2, arguments=[what],
                                    environment={"LOADSTONE_UNEXPECTED": "4096"})
                self.assertRegex(err, r"rank 1 of 2\b")
                call = "(Precv_init|Wait)" if what == "parts" else "(Send|Recv)"
                self.assertRegex(err, rf"MPI_{call}: the memory of process 0 .* cannot be mapped: no address space")

    def test_exit_without_finalize(self):
        status, err = self.fails("exit")
        self.assertRegex(err, r"rank 1\b")
        self.assertRegex(err, r"MPI_Finalize")

    def test_all_leave_without_finalize(self):
        for ranks in (1, 3):
            status, out, err = self.run_job("-n", ranks, OPTIONS.misuse, "leave")
            self.assertEqual((status, out), (0, "all output\n"), err)
            self.assertRegex(err, r"\Ampiexec: warning: ranks? 0.* of \d exited with status 0 without calling MPI_Finalize\.")

    def test_leaving_without_finalize_fails_those_who_need_it(self):
        for mode in ("leave-polled", "leave-unsent"):
            with self.subTest(mode=mode):
                status, err = self.fails(mode)
                self.assertEqual(status, 1, err)
                self.assertRegex(err, r"mpiexec: rank 1 of 3 .* exited with status 0 without calling MPI_Finalize")

    def test_ranks_that_exchange_by_polling_miss_nobody(self):
        status, out, err = self.run_job("-n", 3, OPTIONS.misuse, "leave-exchanging")
        self.assertEqual((status, out), (0, "went on\n" * 2), err)
        self.assertRegex(err, r"\Ampiexec: warning: rank 1 of 3 exited with status 0 without calling MPI_Finalize\.")

    def test_missed_without_init(self):
        for mode in ("no-init", "no-init-received", "no-init-barrier"):
            with self.subTest(mode=mode):
                status, err = self.fails(mode)
                self.assertEqual(status, 1, err)
                self.assertRegex(err, r"mpiexec: rank 1 of 3 .* exited with status 0 without calling MPI_Init\.")

    def test_a_part_that_is_no_mpi_program_may_end_first(self):
        status, out, err = self.run_job("-n", 1, "true", ":", "-n", 2, OPTIONS.misuse, "late")
        self.assertEqual((status, out, err), (0, "all output\n", ""))

    def test_exit_status(self):
        status, err = self.fails("exit-status")
        self.assertEqual(status, 5, err)

    def test_crash(self):
        status, err = self.fails("crash")
        self.assertEqual(status, 128 + 11, err)
        self.assertRegex(err, r"rank 1\b")
        self.assertRegex(err, r"SIGSEGV")

    def test_before_init(self):
        _, err = self.fails("before-init")
        self.assertRegex(err, r"MPI_Comm_rank")
        self.assertRegex(err, r"MPI_Init")

    def test_after_finalize(self):
        _, err = self.fails("after-finalize")
        self.assertRegex(err, r"MPI_Send")
        self.assertRegex(err, r"MPI_Finalize")

    def test_init_twice(self):
        _, err = self.fails("init-twice", ranks=1)
        self.assertRegex(err, r"MPI_Init")

    def test_bad_rank_message(self):
        _, err = self.fails("bad-rank")
        for part in (r"MPI_Send", r"\bdest\b", r"\b77\b", r"rank 1\b"):
            self.assertRegex(err, part)

    def test_one_of_many_requests_fails(self):
        _, err = self.fails("truncates")
        self.assertRegex(err, r"MPI_Waitall: 1 of the requests failed, the first is number 1 of the array: MPI_ERR_TRUNCATE, "
                              r"the message from rank \d with tag 1 is longer than the receive buffer of 4 bytes\n")

    def test_timeout_names_the_cycle(self):
        status, err = self.fails("cycle", options=("--timeout", "3"))
        self.assertEqual(status, 124, err)
        self.assertRegex(err, r"MPI_Recv")
        self.assertRegex(err, r"(?i)cycle")
        self.assertRegex(err, r"rank 0 \(process \d+\) waits in MPI_Recv for rank 1, tag 6, MPI_COMM_WORLD.*, for \d")

    def test_timeout_names_what_requests_wait_for_and_since_when(self):
        status, err = self.fails("cycle-of-requests", options=("--timeout", "3"))
        self.assertEqual(status, 124, err)
        found = re.search(r"rank 0 \(process \d+\) waits in MPI_Waitall for rank 1, tag 9, communicator \d+\.\d+ \(.*\), for (\d+\.\d) s\n", err)
        self.assertTrue(found, err)
        # A wait is many sleeps of 0.2 s at most: the first counts.
        self.assertGreater(float(found[1]), 0.25)
        self.assertRegex(err, r"A cycle: 0 → 1 →")

    def test_out_of_memory_is_an_error_that_says_so(self):
        status, out, err = self.run_job("-n", 2, OPTIONS.misuse, "out-of-memory",
                                        environment={"LOADSTONE_ARENA_LIMIT": str(8 << 20)})
        self.assertEqual(status, 0, err)
        self.assertEqual(len(re.findall(r"class MPI_ERR_NO_MEM: .*\S", out)), 2, out)

    def test_a_rank_may_start_another_program(self):
        status, out, err = self.run_job("-n", 2, OPTIONS.misuse, "spawns", OPTIONS.workload)
        self.assertEqual(status, 0, err)
        self.assertEqual(out.count("workload ok"), 2, out)

    def test_foreign_launcher_is_refused(self):
        for environment in ({"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4"}, {"PMI_RANK": "0", "PMI_SIZE": "2"},
                            {"PMIX_RANK": "0", "PMIX_NAMESPACE": "x"}):
            with self.subTest(environment=environment):
                env = dict(os.environ, **environment)
                done = subprocess.run([str(OPTIONS.workload), "1"], env=env, capture_output=True, text=True,
                                      timeout=WATCHDOG, stdin=subprocess.DEVNULL)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"started by another launcher .* does not speak with yet")

    def test_a_program_that_unloads_the_library(self):
        library = OPTIONS.mpiexec.parent.parent / "lib" / "libmpi_abi.so.1"
        self.assertEqual(self.run_job("-n", 2, OPTIONS.misuse.parent / "unloads", library), (0, "unloaded\n" * 2, ""))

    def test_singleton(self):
        done = subprocess.run([str(OPTIONS.workload), "1"], capture_output=True, text=True, timeout=WATCHDOG,
                              stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stdout), (0, "workload ok\n"), done.stderr)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.mpiexec = OPTIONS.bin.resolve() / "mpiexec"
    for name in ("workload", "misuse", "refuse_vm"):
        setattr(OPTIONS, name, OPTIONS.programs.resolve() / name)
    side_by_side.main(rest)


if __name__ == "__main__":
    main()
