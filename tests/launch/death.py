"""How jobs end: statuses, explanations, and who waits for whom."""
import os
import re
import signal
import socket
import subprocess
import sys
import time

from harness import Case, MPIEXEC, RANK, alive, main, number_in, read_until, touch, wait_for

PYTHON = sys.executable


class Statuses(Case):
    def test_success(self):
        self.assertEqual(self.ranks(4, "init", "finalize"), (0, "", ""))

    def test_the_first_failure_wins(self):
        go = self.path("go")
        status, _, err = self.ranks(4, "init", f"2/touch:{go}", "2/exit:7", f"until:{go}", "sleep")
        self.assertEqual(status, 7)
        self.assertIn("rank 2 of 4", err)

    def test_signals(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGTERM, signal.SIGFPE):
            status, _, err = self.ranks(3, "init", "call:1", f"1/signal:{int(number)}", "sleep")
            self.assertEqual(status, 128 + number)
            self.assertRegex(err, rf"\Ampiexec: rank 1 of 3 \(process \d+ on {re.escape(socket.gethostname())}\) was killed by "
                                  rf"signal {int(number)} \({number.name}: [^)]*\); the last MPI call it entered was MPI_\w+\. "
                                  r"The other ranks were stopped\.\n\Z")

    def test_exit_without_finalize(self):
        for step, code, expected in (("exit", 3, 3), ("exit-now", 3, 3), ("exit-now", 0, 1)):
            status, _, err = self.ranks(3, "init", f"1/{step}:{code}", "sleep")
            self.assertEqual(status, expected)
            self.assertIn(f"rank 1 of 3", err)
            self.assertIn(f"exited with status {code} without calling MPI_Finalize", err)

    def test_a_wrapper_does_not_hide_it(self):
        for death in ("exit-now:0", "signal:11", "exit:4"):
            status, _, err = self.run_job("-n", 2, "sh", "-c", f"{RANK} init 1/{death} sleep; exit 0")
            self.assertEqual(status, 1)
            self.assertIn("rank 1 of 2", err)

    def test_a_failure_after_finalize_lets_the_others_finish(self):
        one = self.path("one")
        status, out, err = self.after_finalize(one)
        self.assertEqual((status, out), (5, "done\n" * 2))
        self.assertIn("rank 1 of 3", err)
        self.assertIn("exited with status 5 after MPI_Finalize.", err)
        self.assertNotIn("stopped", err)

    def after_finalize(self, one):
        # Rank 1 leaves when the others have finalized too: nobody can be waiting for it.
        run = self.start("-n", 3, RANK, "init", "finalize", f"0/touch:{one}.0", f"2/touch:{one}.2", f"1/until:{one}.0",
                         f"1/until:{one}.2", f"1/touch:{one}", "1/exit:5", f"until:{one}.go", "print:done")
        wait_for(lambda: os.path.exists(one) and not alive(number_in(one)), "the end of rank 1")
        touch(one + ".go")
        out, err = run.communicate(timeout=60)
        return run.returncode, out.decode(), err.decode()

    def test_a_failure_after_finalize_ends_those_who_may_wait_for_it(self):
        # As with mpi4py, which calls MPI_Finalize when an exception ends the program.
        status, _, err = self.ranks(3, "init", "1/error:Traceback (most recent call last)", "1/finalize", "1/exit:1", "sleep")
        self.assertEqual(status, 1)
        self.assertRegex(err, r"\Ampiexec: rank 1 of 3 .* exited with status 1 after MPI_Finalize\. The other ranks were stopped\.\nTraceback.*\n\Z")

    def test_a_program_that_is_not_mpi_fails(self):
        status, _, err = self.run_job("-n", 3, "sh", "-c", "[ $LOADSTONE_RANK = 2 ] && exit 9; sleep 100")
        self.assertEqual(status, 9)
        self.assertRegex(err, r"rank 2 of 3 \(process \d+ on .*\) exited with status 9\. The other")

    def test_abort(self):
        status, _, err = self.ranks(3, "init", "1/abort:42:on a Friday", "sleep")
        self.assertEqual(status, 42)
        self.assertIn("rank 1 of 3", err)
        self.assertIn("called MPI_Abort with code 42 on a Friday. The other ranks were stopped.", err)

    def test_mpi_error(self):
        status, _, err = self.ranks(3, "init", "0/mpi_error:MPI_Send (rank 7) is wrong", "sleep")
        self.assertEqual(status, 1)
        self.assertIn("ended the job because of an MPI error: MPI_Send (rank 7) is wrong", err)

    def test_the_call_that_was_waited_in(self):
        go = self.path("go")
        run = self.start("-n", 2, RANK, "init", f"1/touch:{go}", "1/wait:300:0:17", "sleep")
        wait_for(lambda: os.path.exists(go), "rank 1")
        # the record follows the file at once; ask until the report has it
        err = self.report_until(run, b"for rank 0, tag 17")
        os.kill(number_in(go), signal.SIGKILL)
        rest = run.communicate(timeout=60)[1]
        self.assertRegex(rest.decode().splitlines()[-1], r"signal 9 \(SIGKILL: Killed\), waiting in MPI_\w+ for rank 0, tag 17 \(test\)\.")
        self.assertEqual(run.returncode, 137)

    def report_until(self, run, text):
        seen = b""
        while text not in seen:
            run.send_signal(signal.SIGUSR1)
            seen += read_until(run.stderr, b"\n")
        return seen


class Departures(Case):
    """Returned from main with status 0, but without MPI_Finalize: decided by what the others do then."""
    WARNING = r"\Ampiexec: warning: {} exited with status 0 without calling MPI_Finalize\. No other rank missed {}\.\n\Z"
    ERROR = r"\Ampiexec: rank 1 of 3 \(process .*\) exited with status 0 without calling MPI_Finalize.* The other ranks were stopped\.\n\Z"

    def warned(self, result, ranks, whom):
        status, out, err = result
        self.assertEqual(status, 0, err)
        self.assertRegex(err, self.WARNING.format(ranks, whom))
        return out

    def test_all_leave(self):
        self.warned(self.ranks(4, "init"), "ranks 0–3 of 4", "them")
        self.warned(self.ranks(1, "init"), "rank 0 of 1", "it")

    def test_the_others_finish(self):
        """They go on as long as they like, if they wait for nobody who has left."""
        gone, go = self.path("gone"), self.path("go")
        run = self.start("-n", 3, RANK, "init", f"1/touch:{gone}", "1/exit:0", f"0/until:{go}", "finalize", "print:done")
        wait_for(lambda: os.path.exists(gone) and not alive(number_in(gone)), "the end of rank 1")
        time.sleep(2)  # longer than anything is believed
        self.assertIsNone(run.poll())
        touch(go)
        out, err = run.communicate(timeout=60)
        self.assertEqual(self.warned((run.returncode, out.decode(), err.decode()), "rank 1 of 3", "it"), "done\n" * 2)

    def test_somebody_waits_for_it(self):
        for waits in ("wait:300:1:5", "wait:300:-1:5", "wait:300:-2:5"):
            status, _, err = self.ranks(3, "init", "1/exit:0", waits)
            self.assertEqual(status, 1)
            self.assertRegex(err, self.ERROR)

    def test_one_waits_for_it_while_others_run(self):
        status, _, err = self.ranks(3, "init", "1/exit:0", "0/wait:300:1:5", "2/sleep")
        self.assertEqual(status, 1)
        self.assertRegex(err, self.ERROR)

    def test_nobody_does_anything_but_poll(self):
        status, _, err = self.ranks(3, "init", "1/exit:0", "0/poll", "2/wait:300:0:5")
        self.assertEqual(status, 1)
        self.assertRegex(err, self.ERROR)

    def test_who_polls_now_and_then(self):
        status, _, err = self.ranks(2, "init", "1/exit:0", "0/poll:150")
        self.assertEqual(status, 1)
        self.assertRegex(err, self.ERROR.replace("of 3", "of 2"))

    def test_who_polls_and_finds(self):
        self.warned(self.ranks(3, "init", "1/exit:0", "poll-and-find:12000", "finalize"), "rank 1 of 3", "it")

    def test_one_is_missed_that_never_called_init(self):
        gone = self.path("gone")
        status, _, err = self.ranks(3, f"1/touch:{gone}", "1/exit:0", "init", "0/until:" + gone, "0/met:1", "0/mpi_error:peer died", "sleep")
        self.assertEqual(status, 1)
        self.assertRegex(err, r"\Ampiexec: rank 1 of 3 \(process .*\) exited with status 0 without calling MPI_Init\. The other ranks were stopped\.\n\Z")

    ABSENT = r"\Ampiexec: rank 1 of 3 \(process .*\) exited with status 0 without calling MPI_Init\. The other ranks were stopped\.\n\Z"

    def test_somebody_waits_for_one_that_never_called_init(self):
        for waits in ("0/wait:300:1:5", "0/wait:300:-2:5"):
            status, _, err = self.ranks(3, "1/exit:0", "init", waits, "2/wait:300:0:5")
            self.assertEqual(status, 1)
            self.assertRegex(err, self.ABSENT)

    def test_another_program_may_end_before(self):
        gone, go = self.path("gone"), self.path("go")
        run = self.start("-n", 1, "true", ":", "-n", 2, RANK, "init", f"1/touch:{gone}", "1/wait-until:300:-1:5:" + go, "2/until:" + go,
                         "finalize")
        wait_for(lambda: os.path.exists(gone), "rank 1")
        time.sleep(2)  # longer than anything is believed
        self.assertIsNone(run.poll())
        touch(go)
        out, err = run.communicate(timeout=60)
        self.assertEqual((run.returncode, out, err), (0, b"", b""))

    def test_another_program_is_missed_by_who_waits_for_it(self):
        status, _, err = self.run_job("-n", 1, RANK, "init", "wait:300:1:5", ":", "-n", 1, "true", ":", "-n", 1, RANK, "init", "sleep")
        self.assertEqual(status, 1)
        self.assertRegex(err, self.ABSENT)

    def test_one_fails_because_of_it(self):
        gone = self.path("gone")
        status, _, err = self.ranks(3, "init", f"1/touch:{gone}", "1/exit:0", "0/until:" + gone, "0/met:1", "0/mpi_error:peer died", "sleep")
        self.assertEqual(status, 1)
        self.assertRegex(err, self.ERROR)

    def test_one_fails_for_another_reason(self):
        gone = self.path("gone")
        run = self.start("-n", 3, RANK, "init", f"1/touch:{gone}", "1/exit:0", f"until:{gone}.go", "0/exit:7", "sleep")
        wait_for(lambda: os.path.exists(gone) and not alive(number_in(gone)), "the end of rank 1")
        touch(gone + ".go")
        err = run.communicate(timeout=60)[1].decode()
        self.assertEqual(run.returncode, 7)
        self.assertRegex(err, r"\Ampiexec: warning: rank 1 of 3 .*\nmpiexec: rank 0 of 3 \(process .*\) exited with status 7 without")


class Causes(Case):
    """A rank that fails because another has died may be seen to end first; the dead one is named."""

    def named(self, result, rank, status):
        self.assertEqual(result[0], status, result[2])
        self.assertEqual(re.findall(r"mpiexec: rank (\d) of", result[2]), [str(rank)], result[2])

    def test_whatever_comes_first(self):
        for first, second in (("0", "2"), ("2", "0")):  # whoever is looked at first
            for says in ("mpi_error:a peer process has aborted", "abort:19:on MPI_COMM_WORLD", "exit:3", "signal:11"):
                said = self.path(f"{first}{says[:4]}")
                result = self.ranks(3, "init", f"{first}/touch:{said}", f"{first}/met:{second}", f"{first}/{says}",
                                    f"{second}/until:{said}", f"{second}/pause:100", f"{second}/signal:9", "sleep")
                self.named(result, second, 137)

    def test_through_another(self):
        said = self.path("said")
        self.named(self.ranks(4, "init", "0/met:1", "1/met:2", f"0/touch:{said}", "0/exit:3", f"until:{said}", "1/pause:50", "1/exit:4",
                              "2/pause:200", "2/signal:11", "sleep"), 2, 139)

    def test_they_met_each_other(self):
        result = self.ranks(2, "init", "0/met:1", "1/met:0", "exit:3")
        self.assertEqual(result[0], 3)
        self.assertRegex(result[2], r"mpiexec: rank [01] of 2 ")

    def test_the_other_lives(self):
        self.named(self.ranks(3, "init", "0/met:2", "0/exit:3", "sleep"), 0, 3)

    def test_the_other_ended_well(self):
        gone = self.path("gone")
        self.named(self.ranks(3, "init", "0/met:2", "2/finalize", f"2/touch:{gone}", "2/exit:0", f"0/until:{gone}", "0/exit:3", "sleep"), 0, 3)


class Stopping(Case):
    def test_others_get_a_chance_to_clean_up(self):
        for attempt in range(3):  # the chance is one second: a busy machine may take it all
            ready = self.path(f"ready{attempt}")
            status, out, _ = self.run_job("-n", 2, "sh", "-c", f"if [ $LOADSTONE_RANK = 0 ]; then trap 'echo cleaned; exit' TERM; "
                                          f"touch {ready}; while :; do sleep 0.01; done; else while ! [ -e {ready} ]; do sleep 0.01; done; exit 4; fi")
            self.assertEqual(status, 4)
            if out == "cleaned\n":
                return
        self.fail(f"nobody has cleaned up, three times; the last time it said {out!r}")

    def test_others_that_ignore_it_are_killed(self):
        ready = self.path("ready")
        status, _, _ = self.run_job("-n", 2, PYTHON, "-S", "-c",
                                    "import os,signal,sys,time\nif os.environ['LOADSTONE_RANK']=='0':\n"
                                    "  signal.signal(signal.SIGTERM, signal.SIG_IGN); open(sys.argv[1],'w')\n  while True: signal.pause()\n"
                                    "while not os.path.exists(sys.argv[1]): time.sleep(0.005)\nsys.exit(4)\n", ready)
        self.assertEqual(status, 4)

    def test_stopped_ranks_are_ended_too(self):
        go = self.path("go")
        run = self.start("-n", 2, RANK, "init", f"0/touch:{go}", "0/sleep", f"until:{go}.go", "exit:3")
        wait_for(lambda: os.path.exists(go), "rank 0")
        os.kill(number_in(go), signal.SIGSTOP)
        touch(go + ".go")
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 3)

    def test_output_before_death_is_complete(self):
        # More than a pipe holds, on both streams, and the process dies at once afterwards.
        program = ("import os,sys\nif os.environ['LOADSTONE_RANK']=='1':\n  sys.stdout.write('o'*99+'\\n'*1)\n"
                   "  sys.stdout.write(('l'*99+'\\n')*5000); sys.stdout.flush()\n  sys.stderr.write(('e'*99+'\\n')*5000); sys.stderr.flush()\n"
                   "  os.kill(os.getpid(), 9)\nimport signal\nsignal.pause()\n")
        status, out, err = self.run_job("-n", 2, PYTHON, "-S", "-c", program)
        self.assertEqual((status, len(out)), (137, 100 + 500_000))
        self.assertEqual(err.count("e" * 99), 5000)
        self.assertTrue(err.splitlines()[-1].startswith("mpiexec: rank 1"))


class Tracebacks(Case):
    PROGRAM = ("import os,sys,subprocess\nr=os.environ['LOADSTONE_RANK']\n"
               "def f():\n  raise ValueError('wrong in '+r)\n"
               "if r=='2': f()\nimport signal\nsignal.pause()\n")

    def test_a_traceback_is_the_last_thing_on_the_screen(self):
        for label in ((), ("-l",)):
            status, _, err = self.run_job(*label, "-n", 4, PYTHON, "-c", self.PROGRAM)
            self.assertEqual(status, 1)
            lines = err.splitlines()
            self.assertRegex(lines[0], r"mpiexec: rank 2 of 4 .*exited with status 1")
            self.assertIn("Traceback", lines[1])
            self.assertTrue(lines[-1].endswith("ValueError: wrong in 2"), err)
            self.assertEqual(sum("mpiexec:" in line for line in lines), 1)

    def test_all_ranks_raise(self):
        status, _, err = self.run_job("-n", 4, PYTHON, "-c", self.PROGRAM.replace("if r=='2': f()", "f()"))
        self.assertEqual(status, 1)
        first = re.search(r"mpiexec: rank (\d) of 4", err)
        self.assertTrue(err.splitlines()[-1].endswith(f"ValueError: wrong in {first.group(1)}"), err)

    def test_a_traceback_that_is_no_end_is_forwarded(self):
        program = ("import traceback,sys,signal\ntry:\n  1/0\nexcept ZeroDivisionError:\n  traceback.print_exc()\n"
                   "print('on', flush=True)\nsys.stdin.readline()\nprint('after', file=sys.stderr)\n")
        run = self.start("-n", 1, PYTHON, "-c", program, stdin=subprocess.PIPE)
        read_until(run.stdout, b"on\n")
        read_until(run.stderr, b"ZeroDivisionError: division by zero\n")  # comes while the program still runs
        _, err = run.communicate(b"\n", timeout=60)
        self.assertEqual((run.returncode, err), (0, b"after\n"))


class Signals(Case):
    def ready_job(self, *script, n=2):
        files = [self.path(f"up{i}") for i in range(n)]
        steps = [f"{i}/touch:{f}" for i, f in enumerate(files)]
        run = self.start("-n", n, RANK, "init", *script, *steps, "sleep")
        wait_for(lambda: all(map(os.path.exists, files)), "the ranks")
        return run, [number_in(f) for f in files]

    def test_signals_are_forwarded(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR2):
            run, _ = self.ready_job(f"catch:{int(number)}:0", "print:x")
            run.send_signal(number)
            out, err = run.communicate(timeout=60)
            # caught, and left without MPI_Finalize; what the user wanted is the status
            self.assertEqual(run.returncode, 1 if number == signal.SIGUSR2 else 128 + number, err)
            for name in os.listdir(self.folder):
                os.unlink(self.path(name))

    def test_ctrl_c(self):
        run, pids = self.ready_job()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual((run.returncode, err), (130, b""))
        self.assertFalse(any(map(alive, pids)))

    def test_the_second_ctrl_c_kills(self):
        ready = self.path("ready")
        run = self.start("-n", 2, PYTHON, "-S", "-c", "import os,signal,sys\nsignal.signal(2, lambda *a: os.write(1, b'no\\n'))\n"
                         "open(sys.argv[1]+os.environ['LOADSTONE_RANK'],'w')\nwhile True: signal.pause()\n", ready)
        wait_for(lambda: os.path.exists(ready + "0") and os.path.exists(ready + "1"), "ranks")
        run.send_signal(signal.SIGINT)
        read_until(run.stdout, b"no\nno\n")
        self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130)

    def test_stop_and_continue(self):
        def state(pid):
            with open(f"/proc/{pid}/stat") as f:
                return f.read().rpartition(")")[2].split()[0]
        run, pids = self.ready_job()
        run.send_signal(signal.SIGTSTP)
        wait_for(lambda: all(state(p) == "T" for p in [*pids, run.pid]), "everything stopped")
        run.send_signal(signal.SIGCONT)
        wait_for(lambda: all(state(p) == "S" for p in [*pids, run.pid]), "everything running")
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 143)


class Reports(Case):
    def test_timeout_names_a_cycle(self):
        status, _, err = self.run_job("-n", 3, "--timeout", 3, RANK, "init", "0/wait:300:1:5", "1/wait:300:2:6", "2/wait:300:0:7")
        self.assertEqual(status, 124)
        self.assertRegex(err, r"rank 0 \(process \d+\) waits in MPI_\w+ for rank 1, tag 5 \(test\), for [\d.]+ s\n")
        self.assertIn("A cycle: 0 → 1 → 2 → 0.", err)
        self.assertIn("Cannot go on: ranks 0–2.", err)

    def test_nothing_is_concluded_from_a_wait_that_has_just_begun(self):
        """Ranks that answer each other are seen waiting for each other; one fresh wait breaks the cycle."""
        status, _, err = self.run_job("-n", 3, "--timeout", 3, RANK, "init", "0/wait:300:1:5", "1/wait-now:300:2:6", "2/wait:300:0:7")
        self.assertEqual(status, 124)
        self.assertRegex(err, r"rank 1 \(process \d+\) waits in MPI_\w+ for rank 2, tag 6 \(test\), for 0\.0 s\n")
        self.assertNotIn("cycle", err)
        self.assertNotIn("Cannot go on", err)

    def test_timeout_names_receives_that_nobody_can_match(self):
        status, _, err = self.run_job("-n", 3, "--timeout", 3, RANK, "init", "0/wait:300:1:5", "1/finalize", "1/sleep", "2/sleep")
        self.assertEqual(status, 124)
        self.assertIn("Rank 0 waits for rank 1, which has called MPI_Finalize: nothing will ever match.", err)
        self.assertRegex(err, r"rank 2 \(process \d+\) is running")

    def test_a_deadlock_is_told_without_being_asked(self):
        """And the job is left alone, as something that mpiexec cannot see may still end it."""
        go = self.path("go")
        run = self.start("-n", 3, RANK, "init", f"0/wait-until:1:0:5:{go}", f"1/wait-until:1:0:5:{go}", f"2/until:{go}", "finalize")
        seen = read_until(run.stderr, b"Cannot go on: ")
        touch(go)
        rest = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, 0)
        self.assertRegex((seen + rest).decode(), r"\Ampiexec: ranks 0, 1 cannot go on")

    def test_a_job_that_ends_in_time_says_nothing(self):
        self.assertEqual(self.run_job("-n", 2, "--timeout", 1000, RANK, "init", "finalize"), (0, "", ""))

    def test_usr1_reports_and_the_job_goes_on(self):
        go, up = self.path("go"), self.path("up")
        run = self.start("-n", 2, RANK, "init", f"0/touch:{up}", f"0/until:{go}", "finalize")
        wait_for(lambda: os.path.exists(up), "rank 0")
        run.send_signal(signal.SIGUSR1)
        seen = read_until(run.stderr, b"rank 1 ")
        touch(go)
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"mpiexec: who waits for whom:\n", seen)


if __name__ == "__main__":
    main(at_once=3)
