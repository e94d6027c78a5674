"""Whatever is killed, nothing of the job survives."""
import os
import signal
import subprocess
import sys

from harness import Case, RANK, alive, children, main, number_in, wait_for


class Killed(Case):
    def job(self, **more):
        """Two ranks, each with a daemon in a session of its own; returns mpiexec and all process ids below it."""
        files = [self.path(x) for x in ("d0", "d1", "r0", "r1")]
        run = self.start("-n", 2, RANK, "init", f"0/daemon:{files[0]}", f"1/daemon:{files[1]}", f"0/touch:{files[2]}",
                         f"1/touch:{files[3]}", "sleep", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
        wait_for(lambda: all(map(os.path.exists, files)), "the ranks and their daemons")
        pids = [number_in(f) for f in files]
        self.assertTrue(all(map(alive, pids)))
        return run, pids

    def gone(self, pids):
        wait_for(lambda: not any(map(alive, pids)), f"the end of {pids}")

    def keeper(self, run):
        found = children(run.pid)
        self.assertEqual(len(found), 1)
        return found[0]

    def test_mpiexec(self):
        run, pids = self.job()
        run.kill()
        self.gone(pids)
        run.wait()

    def test_its_whole_process_group(self):
        run, pids = self.job(start_new_session=True)
        os.killpg(run.pid, signal.SIGKILL)
        self.gone(pids)
        run.wait()

    def test_the_keeper(self):
        run, pids = self.job()
        os.kill(self.keeper(run), signal.SIGKILL)
        self.assertEqual(run.wait(timeout=60), 137)
        self.gone(pids)

    def test_both_at_once_leave_no_rank(self):
        run, pids = self.job()
        keeper = self.keeper(run)
        os.kill(run.pid, signal.SIGSTOP)
        os.kill(keeper, signal.SIGSTOP)
        os.kill(run.pid, signal.SIGKILL)
        os.kill(keeper, signal.SIGKILL)
        self.gone(pids[2:])
        for daemon in pids[:2]:  # decision 001: this is the one case in which they may survive
            os.kill(daemon, signal.SIGKILL) if alive(daemon) else None
        run.wait()

    def test_a_rank(self):
        run, pids = self.job()
        os.kill(pids[2], signal.SIGKILL)
        self.assertEqual(run.wait(timeout=60), 137)
        self.gone(pids)

    def test_the_end_of_the_job_ends_daemons(self):
        file = self.path("daemon")
        status, _, _ = self.ranks(2, "init", f"0/daemon:{file}", "finalize")
        self.assertEqual(status, 0)
        self.gone([number_in(file)])

    def test_timeout_ends_daemons(self):
        file = self.path("daemon")
        self.assertEqual(self.run_job("-n", 2, "--timeout", 3, RANK, "init", f"0/daemon:{file}", "sleep")[0], 124)
        self.gone([number_in(file)])

    def test_while_starting(self):
        for _ in range(20):
            run = self.start("-n", 4, RANK, "init", "sleep", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            run.kill()
            run.wait()
        # the clean-up of every test finds what is left


if __name__ == "__main__":
    main()
