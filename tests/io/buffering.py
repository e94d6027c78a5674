#!/usr/bin/env python3
"""Accepted writes reach their file, whoever dies; what cannot be stored is told. Checked byte by byte.

usage: buffering.py --mpiexec PATH --rank PATH (the writer)
"""
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "launch"))
from harness import HANG, MPIEXEC, RANK, alive, environment  # noqa: E402

SHARE = 64 << 20  # of a rank, in the file
MIB = 1 << 20
PAGE = {}


def expected(rank, start, end):
    """Bytes of rank's share, as the writer makes them."""
    out = bytearray()
    at = start
    while at < end:
        stop = min(end, (at | 4095) + 1)
        shift = (rank * 31 + (at >> 12)) % 251
        first = (shift + at * 7) % 251
        key = (first, stop - at)
        if key not in PAGE:
            PAGE[key] = bytes(1 + (first + 7 * i) % 251 for i in range(stop - at))
        out += PAGE[key]
        at = stop
    return bytes(out)


class Job:
    """mpiexec with writers, started; `end()` waits for it."""

    def __init__(self, ranks, *steps, options=(), group=None, stderr=subprocess.PIPE, **env):
        enter = group and (lambda: pathlib.Path(group, "cgroup.procs").write_text(str(os.getpid())))
        self.process = subprocess.Popen([MPIEXEC, "-n", str(ranks), *options, RANK, *steps], stdout=subprocess.PIPE,
                                        stderr=stderr, text=True, env=environment(**env), preexec_fn=enter)

    def end(self):
        self.out, self.err = self.process.communicate(timeout=HANG)
        return self.process.returncode

    def io_process(self, name="loadstone-io"):
        """Its id, once there is one."""
        while True:
            for pid in descendants(self.process.pid):
                try:
                    if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == name:
                        return pid
                except OSError:
                    pass
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.005)


def descendants(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [p for word in words for p in [int(word), *descendants(int(word))]]


class Buffering(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="buffering.")
        self.addCleanup(self.folder.cleanup)
        self.file = self.folder.name + "/data"

    def name(self, text):
        return f"{self.folder.name}/{text}"

    def wait_for(self, *names):
        end = time.monotonic() + HANG
        while not all(os.path.exists(self.name(n)) for n in names):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)

    def assert_holds(self, rank, nbytes):
        with open(self.file, "rb") as f:
            f.seek(rank * SHARE)
            self.assertTrue(f.read(nbytes) == expected(rank, 0, nbytes), f"bytes of rank {rank}")

    def assert_good(self, job):
        self.assertEqual(job.end(), 0, job.out + job.err)

    def test_written_read_and_sized(self):
        job = Job(3, f"open:{self.file}", "write:5000000:700001", "check", "again:1000000", "check", "write:4000000",
                  "check", "sync", "close")
        self.assert_good(job)
        for rank in range(3):
            self.assert_holds(rank, 5000000)

    def test_a_size_counts_what_is_on_its_way(self):
        self.assert_good(Job(1, f"open:{self.file}", "write:65536", "stop-io", "write:3000000", "size:3065536",
                             "continue-io", "close"))
        self.assertEqual(os.path.getsize(self.file), 3065536)

    def test_an_overflow_is_written_by_the_writer(self):
        # The I/O process does nothing, and the buffer is full.
        self.assert_good(Job(1, f"open:{self.file}:1048576", "write:65536", "settle", "stop-io", "write:8000000",
                             "continue-io", "check", "close"))
        self.assert_holds(0, 8065536)

    def test_off(self):
        job = Job(1, f"open:{self.file}", "write:3000000", "close", options=["--io-report"], LOADSTONE_IO_BUFFER="0")
        self.assert_good(job)
        row, = self.rows(job.err, "files without buffers")
        self.assertEqual(row, ["0 bytes", "0 bytes", "0 bytes", "2929 KiB"])
        self.assert_holds(0, 3000000)

    def rows(self, report, name):
        """The sizes in the lines of --io-report about this."""
        lines = [line for line in report.splitlines() if line.endswith("%  " + name)]
        return [re.findall(r"\d+ (?:bytes|KiB|MiB)", line)[:4] for line in lines]

    def test_the_report_has_what_was_written_and_what_would_have_held_it(self):
        # 1 MiB fits into the buffer, 8 MiB do not, 15 KiB are not worth it; nothing is carried meanwhile.
        def job(buffer):
            settled, stopped, written = (self.name(f"{what}{buffer}") for what in ("settled", "stopped", "written"))
            job = Job(2, f"open:{self.file}", "write:1048576:1048576", "settle", "1/touch:" + settled,
                      "0/until:" + settled, "0/stop-io", "0/touch:" + stopped, "until:" + stopped,
                      "write:8388608:8388608", "1/touch:" + written, "0/until:" + written, "0/continue-io",
                      "write:15360:15360", "close", options=["--io-report"], LOADSTONE_IO_BUFFER=str(buffer))
            self.assert_good(job)
            for rank in range(2):
                self.assert_holds(rank, 9452544)
            return job.err
        report = job(2 << 20)
        self.assertEqual(self.rows(report, self.file), [["6144 KiB", "6144 KiB", "12 MiB", "30 KiB"]], report)
        self.assertEqual(self.rows(report, "in all"), self.rows(report, self.file), report)
        self.assertIn("D = 8192 KiB, S = 2048 KiB, D - S = 6144 KiB more would have held all", report)
        enough = int(re.search(r"LOADSTONE_IO_BUFFER=(\d+)", report).group(1))
        self.assertLess(enough, 10 << 20)
        report = job(enough)  # what it says is true
        self.assertEqual(self.rows(report, self.file), [["18 MiB", "18 MiB", "0 bytes", "30 KiB"]], report)
        self.assertNotIn("too small", report)

    def small_group(self, mib):
        """A memory cgroup of this size below our own: version 2, or 1."""
        where, why = {}, "there is none"
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            where[controllers] = path
        for controllers, limit in (("", "memory.max"), ("memory", "memory.limit_in_bytes")):
            for mount in pathlib.Path("/proc/mounts").read_text().splitlines():
                _, point, kind, options = mount.split()[:4]
                fits = kind == "cgroup2" if not controllers else kind == "cgroup" and "memory" in options.split(",")
                if not fits or controllers not in where:
                    continue
                group = pathlib.Path(point + where[controllers], f"loadstone-{os.getpid()}")
                try:
                    group.mkdir()
                    self.addCleanup(group.rmdir)
                    (group / limit).write_text(str(mib << 20))
                    return group
                except OSError as error:
                    why = str(error)
        return self.skipTest(f"no memory cgroup can be made here: {why}")

    def test_in_a_small_cgroup_writing_becomes_synchronous(self):
        # 40 MiB are buffered; then the program needs so much that buffers have to go, though nobody writes.
        group = self.small_group(480)
        job = Job(1, f"open:{self.file}", "write:41943040", "settle", "need:260", "relieved", "write:8388608:8388608",
                  "check", "close", options=["--io-report"], group=group, LOADSTONE_IO_BUFFER=str(64 << 20))
        self.assert_good(job)
        self.assert_holds(0, 50331648)
        self.assertEqual(self.rows(job.err, self.file), [["40 MiB", "40 MiB", "8192 KiB", "0 bytes"]], job.err)
        self.assertIn("the machine had no memory left for a buffer: 8192 KiB were written by the calls", job.err)

    def test_what_the_program_will_need_is_left_free(self):
        job = Job(1, f"open:{self.file}", "write:8388608", "close", options=["--io-report"],
                  LOADSTONE_IO_PROGRAM_MEMORY=str(1 << 50))
        self.assert_good(job)
        self.assert_holds(0, 8388608)
        self.assertEqual(self.rows(job.err, self.file), [["0 bytes", "0 bytes", "8192 KiB", "0 bytes"]], job.err)
        self.assertIn("no memory left for a buffer: 8192 KiB", job.err)

    def test_a_killed_writer(self):
        job = Job(2, f"open:{self.file}", "write:65536", "settle", "0/stop-io", "0/touch:" + self.name("stopped"),
                  "until:" + self.name("stopped"), "write:20000000", "touch:" + self.name("written"), "1/kill", "sleep")
        io = job.io_process()
        self.wait_for("written", "stopped")
        time.sleep(0.2)
        os.kill(io, signal.SIGCONT)
        self.assertEqual(job.end(), 137, job.out + job.err)
        self.assert_holds(1, 20065536)
        self.assertFalse(alive(io))

    def test_an_abort(self):
        job = Job(2, f"open:{self.file}", "write:20000000", "1/abort:enough", "sleep")
        self.assertEqual(job.end(), 7, job.out + job.err)
        self.assert_holds(1, 20000000)

    def interrupted(self):
        job = Job(1, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                  "touch:" + self.name("written"), "sleep")
        io = job.io_process()
        self.wait_for("written")
        job.process.send_signal(signal.SIGINT)
        return job, io

    def test_an_interrupt_drains(self):
        job, io = self.interrupted()
        line = job.process.stderr.readline()
        self.assertIn("MiB that the ranks have written to files are being stored; one more signal gives them up", line)
        os.kill(io, signal.SIGCONT)
        self.assertEqual(job.end(), 130, job.err)
        self.assert_holds(0, 20065536)
        self.assertFalse(alive(io))

    def test_a_terminal_shows_how_a_drain_goes_on(self):
        # Nobody has ended the job by a signal, and it is said all the same, again and again.
        terminal, theirs = pty.openpty()
        self.addCleanup(os.close, terminal)
        job = Job(1, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                  "touch:" + self.name("written"), "until:" + self.name("known"), "exit:5", stderr=theirs)
        os.close(theirs)
        io = job.io_process()
        self.wait_for("written")
        pathlib.Path(self.name("known")).touch()
        shown = ""
        while len(told := re.findall(r"mpiexec: (\S+) MiB that the ranks have written to files are being stored\r\n", shown)) < 2:
            shown += os.read(terminal, 4096).decode()
        self.assertEqual(told, ["19.1", "19.1"])
        os.kill(io, signal.SIGCONT)
        self.assertNotEqual(job.end(), 0)
        self.assert_holds(0, 20065536)

    def test_a_second_interrupt_gives_up_and_says_what_is_lost(self):
        job, io = self.interrupted()
        job.process.stderr.readline()
        job.process.send_signal(signal.SIGINT)
        self.assertEqual(job.end(), 130, job.err)
        self.assertIn(f"that were written to {self.file} are lost: writing them was given up", job.err)
        self.assertFalse(alive(io))

    def test_the_io_process_is_killed(self):
        job = Job(2, f"open:{self.file}", "write:20000000", "0/kill-io", "write:20000000", "0/kill-io", "check", "close",
                  options=["--io-report"])
        self.assert_good(job)
        self.assertIn("I/O processes: ", job.err)
        for rank in range(2):
            self.assert_holds(rank, 40000000)

    def test_the_io_process_is_killed_in_the_drain(self):
        job, io = self.interrupted()
        job.process.stderr.readline()
        os.kill(io, signal.SIGKILL)
        self.assertEqual(job.end(), 130, job.err)
        self.assert_holds(0, 20065536)

    def test_mpiexec_is_killed(self):
        for whom in ("front", "keeper"):
            with self.subTest(whom):
                job = Job(1, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                          "touch:" + self.name(whom), "sleep")
                io = job.io_process()
                self.wait_for(whom)
                keeper = descendants(job.process.pid)[0]
                os.kill(keeper if whom == "keeper" else job.process.pid, signal.SIGKILL)
                time.sleep(0.2)
                os.kill(io, signal.SIGCONT)
                job.end()
                end = time.monotonic() + HANG
                while alive(io) and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertFalse(alive(io))
                self.assert_holds(0, 20065536)
                os.unlink(self.file)

    def carried(self, report):
        """Of each I/O process: its ranks, and whether it has carried anything."""
        return [(m[1], m[2] != "0 bytes") for m in
                re.finditer(r"I/O process \d+[^:]*: for (.*), (\d+ \w+) in", report)]

    def test_io_ranks(self):
        for count, shares in ((1, ["ranks 0-2"]), (2, ["ranks 0-1", "rank 2"]), (3, ["rank 0", "rank 1", "rank 2"]),
                              (4, ["rank 0", "rank 1", "rank 2", "no rank"]), (64, None)):
            with self.subTest(count):
                other = self.name("other")
                job = Job(3, f"open:{self.file}", "write:5000000:700001", "check", "again:1000000", "check", "settle",
                          "close", f"open:{other}", "write:3000000", "check", "sync", "close",
                          options=["--io-report", "--io-ranks", str(count)])
                self.assert_good(job)
                for rank in range(3):
                    self.assert_holds(rank, 5000000)
                report = self.carried(job.err)
                if count == 1 and not report:  # no core of its own, so as without the option
                    report = [("ranks 0-2", True)]
                if shares is not None:
                    self.assertEqual([ranks for ranks, _ in report], shares, job.err)
                self.assertEqual([any_ for _, any_ in report], [ranks != "no rank" for ranks, _ in report], job.err)
                self.assertEqual(len(self.rows(job.err, self.file)), 1, job.err)
                with open(other, "rb") as f:
                    for rank in range(3):
                        f.seek(rank * SHARE)
                        self.assertTrue(f.read(3000000) == expected(rank, 0, 3000000))
                os.unlink(self.file)
                os.unlink(other)

    def test_one_of_several_is_killed(self):
        job = Job(3, f"open:{self.file}", "write:20000000", "1/kill-io", "write:20000000", "2/kill-io", "check", "close",
                  options=["--io-report", "--io-ranks", "3"])
        self.assert_good(job)
        self.assertIn("started 2 times", job.err)
        for rank in range(3):
            self.assert_holds(rank, 40000000)

    def test_one_of_several_that_never_works_is_taken_over(self):
        # Killed whenever it comes up, until another one has its ranks.
        job = Job(2, f"open:{self.file}", "write:65536", "settle", "1/stop-io", "1/touch:" + self.name("stopped"),
                  "until:" + self.name("stopped"), "write:20000000", "1/hunt-io", "check", "write:1000000", "settle",
                  "check", "close", options=["--io-report", "--io-ranks", "2"])
        self.assert_good(job)
        for rank in range(2):
            self.assert_holds(rank, 21065536)
        self.assertEqual([ranks for ranks, _ in self.carried(job.err)], ["ranks 0, 1", "no rank"], job.err)

    def test_several_drain_after_an_interrupt_and_one_is_killed(self):
        names = [f"loadstone-io/{i}" for i in range(2)]
        job = Job(2, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                  "0/touch:" + self.name("written0"), "1/touch:" + self.name("written1"), "sleep",
                  options=["--io-ranks", "2"])
        ios = [job.io_process(name) for name in names]
        self.wait_for("written0", "written1")
        job.process.send_signal(signal.SIGINT)
        while "are being stored" not in (line := job.process.stderr.readline()):
            self.assertNotEqual(line, "")
        os.kill(ios[0], signal.SIGKILL)
        os.kill(ios[1], signal.SIGCONT)
        self.assertEqual(job.end(), 130, job.err)
        for rank in range(2):
            self.assert_holds(rank, 20065536)
        self.assertFalse(any(alive(io) for io in ios))

    def test_several_write_on_when_mpiexec_is_killed(self):
        for whom in ("front", "keeper"):
            with self.subTest(whom):
                job = Job(2, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                          "0/touch:" + self.name(whom + "0"), "1/touch:" + self.name(whom + "1"), "sleep",
                          options=["--io-ranks", "2"])
                ios = [job.io_process(f"loadstone-io/{i}") for i in range(2)]
                self.wait_for(whom + "0", whom + "1")
                keeper = descendants(job.process.pid)[0]
                os.kill(keeper if whom == "keeper" else job.process.pid, signal.SIGKILL)
                time.sleep(0.2)
                for io in ios:
                    os.kill(io, signal.SIGCONT)
                job.end()
                end = time.monotonic() + HANG
                while any(alive(io) for io in ios) and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertFalse(any(alive(io) for io in ios))
                for rank in range(2):
                    self.assert_holds(rank, 20065536)
                os.unlink(self.file)

    def test_a_full_disk_is_told_to_each_writer_of_several_once(self):
        file = self.small_disk()
        job = Job(2, f"open:{file}", "write:65536", "settle", "stop-io", "write:8000000:8000000", "continue-io",
                  "fails:28", "settle", "settle", "close", options=["--io-ranks", "2"])
        self.assertEqual(job.end(), 0, job.out + job.err)
        self.assertEqual(job.out.count("told:"), 2, job.out)
        self.assertNotIn("could not be stored", job.err)

    def small_disk(self):
        folder = self.name("disk")
        os.mkdir(folder)
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", folder], capture_output=True, check=False)
        if made.returncode != 0:
            self.skipTest("no small file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder + "/data"

    def test_a_full_disk_is_told_to_the_writer(self):
        file = self.small_disk()
        job = Job(1, f"open:{file}", "write:65536", "settle", "stop-io", "write:8000000:8000000", "continue-io",
                  "fails:28", "settle", "settle", "close")
        self.assertEqual(job.end(), 0, job.out + job.err)
        self.assertIn("No space left on device", job.out)
        self.assertEqual(job.out.count("told:"), 1)
        self.assertNotIn("could not be stored", job.err)

    def test_a_full_disk_is_told_by_mpiexec_if_nobody_asks(self):
        file = self.small_disk()
        job = Job(1, f"open:{file}", "write:65536", "settle", "stop-io", "write:8000000:8000000", "continue-io", "kill")
        self.assertEqual(job.end(), 137, job.out + job.err)
        stored = os.path.getsize(file)
        told = re.search(rf"mpiexec: (\d+) KiB that rank 0 had written to {file} \(\d+ writes, the first at offset (\d+)\) "
                         r"could not be stored: No space left on device\. ", job.err)
        self.assertIsNotNone(told, job.err)
        self.assertEqual(int(told.group(2)), stored)
        self.assertEqual(int(told.group(1)), (8065536 - stored) >> 10)

    def test_a_file_that_was_removed(self):
        self.assert_good(Job(1, f"open:{self.file}", "write:20000000", "check", "close"))
        job = Job(1, f"open:{self.file}", "write:65536", "settle", "stop-io", "write:20000000",
                  "touch:" + self.name("written"), "until:" + self.name("removed"), "continue-io", "check", "close")
        self.wait_for("written")
        os.unlink(self.file)
        pathlib.Path(self.name("removed")).touch()
        self.assert_good(job)

    def test_the_io_process_sleeps(self):
        job = Job(1, f"open:{self.file}", "write:20000000", "settle", "touch:" + self.name("done"), "sleep")
        io = job.io_process()
        self.wait_for("done")
        ticks = []
        for _ in range(2):
            with open(f"/proc/{io}/stat", encoding="ascii") as f:
                ticks.append(sum(int(n) for n in f.read().rpartition(")")[2].split()[11:13]))
            time.sleep(0.5)
        self.assertLessEqual(ticks[1] - ticks[0], 1)  # it looks at the memory that is left, once a second
        job.process.send_signal(signal.SIGTERM)
        job.end()

    def test_by_system_calls_only(self):
        self.assert_good(Job(2, f"open:{self.file}", "write:20000000", "check", "close", LOADSTONE_IO_WRITES="pwrite"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
