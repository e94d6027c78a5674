"""What ranks print arrives whole: no line mixed with another, no byte changed or lost."""
import os
import signal
import subprocess
import sys

from harness import Case, MPIEXEC, RANK, alive, children, environment, main, read_until, wait_for

PYTHON = sys.executable


class Output(Case):
    def test_lines_of_16_ranks_do_not_mix(self):
        # Each line is written in several pieces, so that only mpiexec can keep it together.
        program = ("import os,sys\nr=os.environ['LOADSTONE_RANK']\n"
                   "for i in range(300):\n"
                   "    for piece in (r, ' ', str(i), ' ', r * (i % 50 + 1), '\\n'):\n"
                   "        os.write(1 + i % 2, piece.encode())\n")
        for label in ((), ("-l",)):
            run = self.start(*label, "-n", 16, PYTHON, "-S", "-c", program, stderr=subprocess.STDOUT)
            out, _ = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 0)
            expected = sorted((f"[{r}] " if label else "") + f"{r} {i} {str(r) * (i % 50 + 1)}" for r in range(16) for i in range(300))
            self.assertEqual(sorted(out.decode().splitlines()), expected)

    def test_streams_keep_their_order(self):
        out = self.run_job("-n", 3, "sh", "-c", "i=0; while [ $i -lt 500 ]; do echo $LOADSTONE_RANK $i; i=$((i+1)); done")[1]
        for rank in range(3):
            mine = [int(l.split()[1]) for l in out.splitlines() if l.startswith(f"{rank} ")]
            self.assertEqual(mine, list(range(500)))

    def test_stdout_and_stderr_stay_apart(self):
        status, out, err = self.run_job("-n", 2, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((status, out, err), (0, "out\n" * 2, "err\n" * 2))

    def test_every_byte_of_one_rank(self):
        with open(self.path("data"), "wb") as f:
            f.write(os.urandom(5_000_000))
        status, out, _ = self.run_job("-n", 1, "cat", "data", binary=True)
        with open(self.path("data"), "rb") as f:
            self.assertEqual((status, out), (0, f.read()))

    def test_binary_lines_of_several_ranks(self):
        program = ("import os,sys\nr=int(os.environ['LOADSTONE_RANK'])\n"
                   "b=bytes(x for x in range(256) if x != 10)*100+bytes([r])+b'\\n'\nsys.stdout.buffer.write(b*20)\n")
        status, out, _ = self.run_job("-n", 4, PYTHON, "-S", "-c", program, binary=True)
        block = bytes(x for x in range(256) if x != 10) * 100
        self.assertEqual(sorted(out.split(b"\n")[:-1]), sorted(block + bytes([r]) for r in range(4) for _ in range(20)))

    def test_lines_of_a_megabyte(self):
        program = "import os\nr=os.environ['LOADSTONE_RANK']\nfor i in range(3): os.write(1, (r*(1<<20)+'\\n').encode())\n"
        status, out, _ = self.run_job("-n", 4, PYTHON, "-S", "-c", program)
        self.assertEqual(sorted(out.splitlines()), sorted(str(r) * (1 << 20) for r in range(4) for _ in range(3)))

    def test_a_line_longer_than_any_limit_still_arrives(self):
        program = "import os\nprint('x' * (40 << 20), end='') if os.environ['LOADSTONE_RANK'] == '0' else None\n"
        status, out, _ = self.run_job("-n", 2, PYTHON, "-S", "-c", program)
        self.assertEqual((status, len(out)), (0, 40 << 20))

    def test_a_missing_end_of_line(self):
        self.assertEqual(self.run_job("-n", 1, "printf", "a")[1], "a")
        self.assertEqual(self.run_job("-n", 3, "printf", "a")[1], "a\na\na")
        self.assertEqual(sorted(self.run_job("-l", "-n", 3, "printf", "a")[1].split("\n")), ["[0] a", "[1] a", "[2] a"])

    def test_a_slow_reader_stops_the_ranks_and_loses_nothing(self):
        run = self.start("-n", 2, "sh", "-c", "seq 1 1000000")
        self.assertEqual(os.read(run.stdout.fileno(), 1), b"1")
        out, _ = run.communicate(timeout=120)
        self.assertEqual(len(out) + 1, 2 * sum(len(str(i)) + 1 for i in range(1, 1000001)))

    def test_a_reader_that_leaves_ends_the_job(self):
        run = subprocess.run(["bash", "-c", f"{MPIEXEC} -n 2 yes | head -n 2; echo ${{PIPESTATUS[0]}}"], env=environment(),
                             capture_output=True, text=True, timeout=60)
        self.assertEqual((run.stdout, run.stderr), ("y\ny\n141\n", ""))

        # A shell reports its program's SIGPIPE as a status: no failure to explain either.
        run = subprocess.run(["bash", "-c", f"{MPIEXEC} -n 2 sh -c 'yes; exit $?' | head -n 1; echo ${{PIPESTATUS[0]}}"],
                             env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual((run.stdout, run.stderr), ("y\n141\n", ""))

    def test_a_full_disk_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for lines in (1, 100000):
            with open("/dev/full", "w") as full:
                run = self.start("-n", 2, "seq", "1", lines, stdout=full)
                _, err = run.communicate(timeout=60)
            self.assertEqual(err, b"mpiexec: cannot write the standard output: No space left on device\n")
            self.assertNotEqual(run.returncode, 0)

    def test_a_signal_ends_the_wait_for_a_reader(self):
        """All ranks have ended, and nobody reads what they printed."""
        run = self.start("-n", 2, "seq", 1, 100000)
        wait_for(lambda: len(children(run.pid)) == 1 and len(children(children(run.pid)[0])) == 2, "the ranks")
        keeper = children(run.pid)[0]
        wait_for(lambda: not any(alive(pid) for pid in children(keeper)), "the end of the ranks")
        run.terminate()
        run.wait(timeout=60)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        self.assertEqual(run.stderr.read(), b"mpiexec: the job was ended by signal 15 (Terminated) to mpiexec.\n")

    def test_output_in_the_hands_of_a_stranger(self):
        """A process that is not below mpiexec holds a rank's output open: the job ends all the same."""
        import socket
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path("socket"))
            listener.listen()
            script = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
                      "socket.send_fds(s, [b'x'], [1]); s.recv(1); print('printed')")
            run = self.start("-n", 1, sys.executable, "-c", script, self.path("socket"))
            connection, _ = listener.accept()
            with connection:
                _, held, _, _ = socket.recv_fds(connection, 1, 1)
                connection.send(b"x")
                out, _ = run.communicate(timeout=60)
                os.close(held[0])
        self.assertEqual((run.returncode, out), (0, b"printed\n"))

    def test_a_prompt_on_a_terminal_is_seen(self):
        import pty
        main_end, terminal = pty.openpty()
        run = self.start("-n", 2, "sh", "-c", "[ $LOADSTONE_RANK = 1 ] || { printf 'name? '; read x; echo hello $x; }",
                         stdin=subprocess.PIPE, stdout=terminal)
        seen = b""
        while not seen.endswith(b"name? "):
            seen += os.read(main_end, 100)
        run.stdin.write(b"you\n")
        run.stdin.close()
        while not seen.endswith(b"hello you\r\n"):
            seen += os.read(main_end, 100)
        run.wait(timeout=60)
        os.close(main_end)
        os.close(terminal)

    def test_one_rank_is_forwarded_as_it_prints(self):
        run = self.start("-n", 1, "sh", "-c", "printf ask; printf why >&2; read x; echo $x", stdin=subprocess.PIPE)
        read_until(run.stdout, b"ask")
        read_until(run.stderr, b"why")
        out, _ = run.communicate(b"answer\n", timeout=60)
        self.assertEqual(out, b"answer\n")


if __name__ == "__main__":
    main()
