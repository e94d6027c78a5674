"""The options of mpiexec, its help and its mistakes."""
import os
import subprocess
import sys

from harness import Case, MPIEXEC, RANK, environment, main, touch, wait_for


class Options(Case):
    def test_help_teaches(self):
        status, out, err = self.run_job("--help")
        self.assertEqual((status, err), (0, ""))
        for word in ("-n", "--bind-to", "--label", "--timeout", "--env", "--wdir", "--version", "SIGUSR1", ":", "exit status"):
            self.assertIn(word, out)

    def test_version(self):
        status, out, _ = self.run_job("--version")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^mpiexec \(Loadstone\) \d+\.\d+\.\d+\n$")

    def test_mpirun_is_the_same(self):
        mpirun = os.path.join(os.path.dirname(MPIEXEC), "mpirun")
        out = subprocess.run([mpirun, "-np", "2", "echo", "x"], capture_output=True, text=True, timeout=60).stdout
        self.assertEqual(out, "x\nx\n")

    def test_mistakes_are_explained(self):
        for words, expected in (([], "which program"), (["-n", "2"], "which program"), (["--lable", "ls"], "--lable"),
                                (["-n", "0", "ls"], "between 1"), (["-n", "x", "ls"], "x"), (["-n", "-3", "ls"], "between 1"),
                                (["--timeout", "0", "ls"], "positive"), (["--bind-to", "socket", "ls"], "core or none"),
                                (["-x", "NOT_SET_ANYWHERE", "ls"], "NOT_SET_ANYWHERE"), (["-x", "=3", "ls"], "name"),
                                (["ls", ":"], "which program")):
            status, out, err = self.run_job(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertIn(expected, err)
            self.assertIn("--help", err)

    def test_number_of_ranks(self):
        for spelling in ("-n", "-np", "--np"):
            for n in (1, 2, 3, 4, 7, 8, 16):
                status, out, err = self.run_job(spelling, n, RANK, "init", "size", "finalize")
                self.assertEqual((status, err), (0, ""))
                self.assertEqual(sorted(out.splitlines()), sorted(f"{i} of {n}, application 0" for i in range(n)))
        self.assertEqual(self.run_job("echo", "one")[1], "one\n")

    def test_programs_that_are_not_mpi(self):
        status, out, _ = self.run_job("-n", 4, "hostname")
        self.assertEqual((status, len(set(out.splitlines())), len(out.splitlines())), (0, 1, 4))

    def test_several_programs(self):
        status, out, _ = self.run_job("-n", 1, RANK, "init", "size", "finalize", ":", "-n", 2, RANK, "init", "size", "finalize")
        self.assertEqual(status, 0)
        self.assertEqual(sorted(out.splitlines()), ["0 of 3, application 0", "1 of 3, application 1", "2 of 3, application 1"])

    def test_parts_have_options_of_their_own(self):
        status, out, _ = self.run_job("-l", "-x", "A=1", "sh", "-c", "echo $A$B", ":", "-x", "B=2", "--wdir", "/", "sh", "-c", "echo $A$B; pwd")
        self.assertEqual(sorted(out.splitlines()), ["[0] 1", "[1] /", "[1] 2"])

    def test_arguments_that_look_like_options_belong_to_the_program(self):
        status, out, _ = self.run_job("-n", 1, "echo", "-n", "-np", "3", "--label")
        self.assertEqual(out, "-np 3 --label")
        self.assertEqual(self.run_job("--", "echo", "a")[1], "a\n")

    def test_environment(self):
        env = environment(HERE="handed on")
        script = "echo $HERE/$NEW/$EMPTY"
        out = self.run_job("-x", "NEW=a b=c", "--env", "HERE", "-x", "EMPTY=", "sh", "-c", script, env=env)[1]
        self.assertEqual(out, "handed on/a b=c/\n")

    def test_working_folder(self):
        os.mkdir(self.path("below"))
        for option in ("--wdir", "-wdir"):
            self.assertEqual(self.run_job("-n", 2, option, "below", "pwd")[1], f"{os.path.realpath(self.path('below'))}\n" * 2)
        status, _, err = self.run_job("--wdir", "nowhere", "pwd")
        self.assertEqual(status, 126)
        self.assertIn("nowhere: No such file", err)

    def test_programs_that_cannot_start(self):
        status, _, err = self.run_job("-n", 3, "no-such-program")
        self.assertEqual(status, 127)
        self.assertEqual(err, "mpiexec: cannot start no-such-program: No such file or directory\n")
        with open(self.path("text"), "w"):
            pass
        status, _, err = self.run_job("-n", 3, "./text")
        self.assertEqual(status, 126)
        self.assertIn("Permission denied", err)

    def test_words_of_other_launchers(self):
        self.assertEqual(self.run_job("--oversubscribe", "--allow-run-as-root", "-n", 3, "echo", "x")[1], "x\n" * 3)


class Standard_input(Case):
    def test_goes_to_rank_0(self):
        status, out, _ = self.run_job("-l", "-n", 3, "cat", input=b"one\ntwo\n")
        self.assertEqual((status, out), (0, "[0] one\n[0] two\n"))

    def test_is_left_alone_when_rank_0_does_not_read_it(self):
        out = subprocess.run(["sh", "-c", f"{MPIEXEC} -n 2 true; cat"], input="rest\n", capture_output=True, text=True,
                             timeout=60, env=environment()).stdout
        self.assertEqual(out, "rest\n")

    def test_closed(self):
        for closed in ("<&-", "<&- >&-", "<&- >&- 2>&-", ">&-", "2>&-"):
            command = f"exec {MPIEXEC} -n 2 {RANK} init finalize print:x exit:5 {closed}"
            status = subprocess.run(["sh", "-c", command], env=environment(), timeout=60, capture_output=True).returncode
            self.assertEqual(status, 5, closed)

    def test_megabytes(self):
        data = os.urandom(3_000_000)
        status, out, _ = self.run_job("-n", 2, "cat", input=data, binary=True)
        self.assertEqual((status, out), (0, data))

    def test_a_terminal(self):
        """Typed text reaches rank 0, though it is not in the terminal's foreground group; so does the end of input."""
        import pty
        main_end, terminal = pty.openpty()
        def own_terminal():
            os.setsid()
            import fcntl
            import termios
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        process = self.start("-n", 2, "head", "-n", "1", stdin=terminal, preexec_fn=own_terminal)
        os.write(main_end, b"typed\n")
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b"typed\n"))
        process = self.start("-n", 2, "cat", stdin=terminal, preexec_fn=own_terminal)
        os.write(main_end, b"again\n\x04")
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b"again\n"))
        os.close(main_end)
        os.close(terminal)


class Binding(Case):
    SHOW = [sys.executable, "-c", "import os; print(sorted(os.sched_getaffinity(0)))"]

    def masks(self, *words, **more):
        status, out, err = self.run_job(*words, *self.SHOW, **more)
        self.assertEqual(status, 0, err)
        return [eval(line) for line in out.splitlines()], err

    def setUp(self):
        super().setUp()
        self.mine = sorted(os.sched_getaffinity(0))

    def test_none(self):
        masks, _ = self.masks("-n", 1, "--bind-to", "none")
        self.assertEqual(masks, [self.mine])

    def test_more_ranks_than_cores_are_not_bound(self):
        masks, err = self.masks("-n", len(self.mine) + 1)
        self.assertEqual((masks, err), ([self.mine] * (len(self.mine) + 1), ""))
        masks, err = self.masks("-n", len(self.mine) + 1, "--bind-to", "core")
        self.assertIn("do not fit", err)

    def test_inside_our_affinity_mask(self):
        last = self.mine[-1]
        masks, _ = self.masks("-n", 1, "--bind-to", "core", preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        self.assertEqual(masks, [[last]])
        masks, _ = self.masks("-n", 2, preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        self.assertEqual(masks, [[last]] * 2)

    def test_two_jobs_take_different_cores_and_a_third_none(self):
        if len(self.mine) < 2:
            self.skipTest("one processor")
        # Other jobs of this machine may hold cores just now: ask for binding, and retry until the cores were free for us.
        ready, go = self.path("ready"), self.path("go")
        script = ("import os,sys,time\nprint(sorted(os.sched_getaffinity(0)), flush=True)\nopen(sys.argv[1],'w').close()\n"
                  "while not os.path.exists(sys.argv[2]): time.sleep(0.002)\n")
        for _ in range(200):
            for name in (ready, go):
                if os.path.exists(name):
                    os.unlink(name)
            first = self.start("-n", 1, sys.executable, "-c", script, ready, go)
            wait_for(lambda: os.path.exists(ready), "the first job")
            masks, err = self.masks("-n", 1, "--bind-to", "core")
            both, _ = self.masks("-n", len(self.mine))
            touch(go)
            out, _ = first.communicate(timeout=60)
            held = eval(out)
            if len(held) < len(self.mine) and not err:
                break
        else:
            self.skipTest("the cores of this machine are never free")
        self.assertTrue(set(held).isdisjoint(masks[0]), (held, masks))
        self.assertEqual(both, [self.mine] * len(self.mine), "not enough free cores: nobody is bound")


class Announcement(Case):
    def test_only_the_rank_finds_its_job(self):
        status, out, err = self.ranks(2, "init", "environment", f"run:{RANK}", "finalize")
        self.assertEqual((status, err), (0, ""))

    def test_a_rank_starts_mpi_programs_in_every_way(self):
        program = ("import os,subprocess,sys\n"
                   "before=dict(os.environ)\n"  # a copy with the announcement in it
                   "r=[sys.argv[1],'init','finalize']\n"
                   "assert subprocess.run(r).returncode==0\n")  # takes the place: closes descriptors on the way
        self.assertEqual(self.run_job("-n", 2, sys.executable, "-c", program, RANK)[0], 0)

    def test_one_place_is_not_taken_twice(self):
        status, _, err = self.run_job("-n", 2, "sh", "-c", f"{RANK} init finalize && {RANK} init finalize")
        self.assertNotEqual(status, 0)
        self.assertIn("was taken by process", err)

    def test_mpiexec_within_a_rank(self):
        status, out, err = self.run_job("-n", 2, MPIEXEC, "-n", 2, RANK, "init", "size", "finalize")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(sorted(out.splitlines()), ["0 of 2, application 0"] * 2 + ["1 of 2, application 0"] * 2)

    def test_foreign_launchers(self):
        for name, value in (("PMI_RANK", "0"), ("PMI_SIZE", "4"), ("PMIX_RANK", "1")):
            env = environment(**{name: value})
            alone = subprocess.run([RANK, "init", "finalize"], env=env, capture_output=True, text=True, timeout=60)
            self.assertEqual(alone.returncode, 70)
            self.assertIn(name, alone.stderr)
            self.assertIn("mpiexec", alone.stderr)
            # Under our own mpiexec it does not matter, for the ranks and for what they start.
            status, _, err = self.ranks(2, "init", f"run:{RANK}", "finalize", env=env)
            self.assertEqual((status, err), (0, ""))

    # As Slurm 22.05 sets them.
    BATCH = {"SLURM_JOB_ID": "1", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_NODEID": "0", "SLURM_JOB_NODELIST": "n[1-2]",
             "SLURM_TASKS_PER_NODE": "3,1"}

    def test_slurm_tasks_are_refused_and_a_batch_script_is_not(self):
        step = environment(**{**self.BATCH, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4"})
        task = subprocess.run([RANK, "init", "finalize"], env=step, capture_output=True, text=True, timeout=60)
        self.assertEqual(task.returncode, 70)
        self.assertIn("SLURM_STEP_NUM_TASKS=4", task.stderr)
        alone = subprocess.run([RANK, "init", "single", "finalize"], env=environment(**self.BATCH), timeout=60)
        self.assertEqual(alone.returncode, 0)

    def test_an_allocation_says_how_many_ranks(self):
        def ranks(*words, **changes):
            status, out, err = self.run_job(*words, "echo", "x", env=environment(**{**self.BATCH, **changes}))
            self.assertEqual((status, err), (0, ""))
            return out.count("x")
        self.assertEqual(ranks(), 3)
        self.assertEqual(ranks(SLURM_NODEID="1"), 1)
        self.assertEqual(ranks("-n", 2), 2)
        self.assertEqual(ranks(SLURM_STEP_ID="4294967290", SLURM_STEP_NUM_TASKS="1"), 3)
        self.assertEqual(ranks(SLURM_STEP_ID="0", SLURM_STEP_NUM_TASKS="4"), 1, "each task would start all")
        self.assertEqual(ranks("echo", "x", ":"), 1 + 1, "parts have one each")

    def test_without_a_launcher(self):
        self.assertEqual(subprocess.run([RANK, "init", "single", "finalize"], env=environment(), timeout=60).returncode, 0)


class Surroundings(Case):
    def test_few_descriptors(self):
        for limit, n in ((64, 16), (24, 3)):
            command = f"ulimit -n {limit}; exec {MPIEXEC} -n {n} {RANK} init finalize print:x"
            run = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "x\n" * n, ""))
        run = subprocess.run(["sh", "-c", f"ulimit -n 32; exec {MPIEXEC} -n 40 true"], env=environment(),
                             capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("open files", run.stderr)

    def test_ranks_have_the_users_limits(self):
        command = f"ulimit -Sn 100; exec {MPIEXEC} -n 1 sh -c 'ulimit -Sn'"
        self.assertEqual(subprocess.run(["sh", "-c", command], capture_output=True, timeout=60).stdout, b"100\n")

    def test_a_home_that_is_not_there(self):
        self.assertEqual(self.ranks(2, "init", "finalize", env=environment(HOME="/nonexistent", TMPDIR="/nonexistent"))[0], 0)

    def test_a_small_file_size_limit(self):
        command = f"ulimit -f 16384; exec {MPIEXEC} -n 4 {RANK} init finalize print:x"
        run = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "x\n" * 4, ""))

    def test_a_tiny_file_size_limit_is_explained(self):
        command = f"ulimit -f 1; exec {MPIEXEC} -n 4 {RANK} init finalize"
        run = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn("ulimit -f", run.stderr)


if __name__ == "__main__":
    main()
