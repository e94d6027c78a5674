"""The options of mpiexec, its help and its mistakes."""
import fcntl
import os
import resource
import signal
import subprocess
import sys
import time

from harness import HANG, Case, MPIEXEC, RANK, alive, children, environment, main, touch, wait_for


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
                                (["--timeout", "0", "ls"], "positive"), (["--bind-to", "sockets", "ls"], "numa or socket is possible"),
                                (["--map-by", "ppr:socket", "ls"], "ppr:NUMBER:PART"), (["--cpus-per-rank", "0", "ls"], "number of cores"),
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
        self.assertEqual(err, f"mpiexec: cannot change to the folder nowhere: No such file or directory "
                              f"(looked for {os.path.realpath(self.path('nowhere'))}/)\n")

    def test_programs_that_cannot_start(self):
        status, _, err = self.run_job("-n", 3, "no-such-program")
        self.assertEqual(status, 127)
        self.assertEqual(err, "mpiexec: cannot start no-such-program: No such file or directory\n")
        with open(self.path("text"), "w"):
            pass
        status, _, err = self.run_job("-n", 3, "./text")
        self.assertEqual(status, 126)
        self.assertIn("cannot start ./text: Permission denied", err)

    def test_a_program_that_is_not_there_is_named_by_its_place(self):
        here = os.path.realpath(self.folder)
        os.mkdir(self.path("below"))
        with open(self.path("own-script"), "w") as f:
            f.write("#!/no/such/shell -x\n")
        os.chmod(self.path("own-script"), 0o755)
        missing = "No such file or directory"
        for words, expected in ((["--wdir", "below", "./own-script"], f"./own-script: {missing} (looked for {here}/below/own-script)"),
                                (["./nothing"], f"./nothing: {missing} (looked for {here}/nothing)"),
                                (["/nowhere/nothing"], f"/nowhere/nothing: {missing}"),
                                (["own-script"], f"own-script: {missing} (in PATH; for {here}/own-script say ./own-script)"),
                                (["./own-script"], f'./own-script: {missing} (it is there, but "/no/such/shell -x" of its first line is not)')):
            status, out, err = self.run_job("-n", 2, *words)
            self.assertEqual((status, out, err), (127, "", f"mpiexec: cannot start {expected}\n"))
        status, _, err = self.run_job("./below")
        self.assertEqual((status, err), (126, "mpiexec: cannot start ./below: Permission denied (it is a folder)\n"))

    def test_a_folder_of_the_path_that_may_not_be_looked_into(self):
        os.mkdir(self.path("private"), 0o700)
        os.chmod(self.folder, 0o755)
        env = environment(PATH=f"{self.path('private')}:{os.environ['PATH']}")
        env[self.marker] = "1"
        if os.getuid() == 0:
            another_user = lambda: os.setgroups([]) or os.setgid(65534) or os.setuid(65534)  # noqa: E731
            try:
                subprocess.run([MPIEXEC, "--version"], env=env, preexec_fn=another_user, capture_output=True, timeout=60, check=True)
            except PermissionError:
                self.skipTest("another user may not run the programs of this build")
        else:
            another_user = None
            os.chmod(self.path("private"), 0)
        for words in (["no-such-program"], ["-n", "2", "no-such-program"]):
            run = subprocess.run([MPIEXEC, *words], env=env, preexec_fn=another_user, capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stderr), (127, "mpiexec: cannot start no-such-program: No such file or directory\n"))
        os.chmod(self.path("private"), 0o700)



class Words(Case):
    """What people type who are used to other launchers."""

    def runs(self, *words, ranks=1, err="", program=("echo", "x"), env=None):
        status, out, said = self.run_job(*words, *program, env=env)
        self.assertEqual((status, said), (0, err), words)
        self.assertEqual(out, "x\n" * ranks, words)

    def refuses(self, *words, expected):
        status, out, err = self.run_job(*words, "echo", "x")
        self.assertEqual((status, out), (2, ""), words)
        self.assertIn(expected, err, words)

    def test_numbers(self):
        for words in (["-np=2"], ["--np=2"], ["-n=2"], ["-n2"], ["-np2"], ["--n", 2], ["-c", 2]):
            self.runs(*words, ranks=2)
        self.refuses("-n", 2, "-np", 2, expected="once is possible")

    def test_no_mistake_ends_with_0(self):
        """Every word with each letter that is an option by itself in it; nothing is taken apart, nothing is run."""
        for words in (["-hosst", "localhost"], ["-hx"], ["-lh"], ["-hl"], ["-nh"], ["-qh"], ["-Vh"], ["-vh"], ["-xh"],
                      ["--hel"], ["-helpme"], ["-h=1"], ["--version=1"], ["-l=yes"], ["-host"], ["-genv", "A"], ["-", "x"]):
            status, out, err = self.run_job(*words)
            self.assertNotEqual(status, 0, words)
            self.assertEqual(out, "", words)
            self.assertIn("mpiexec: ", err, words)
        for words in (["-h"], ["--h"], ["-help"], ["--help"]):
            status, out, err = self.run_job(*words)
            self.assertEqual((status, err), (0, ""), words)
            self.assertIn("mpiexec -n 4 ./prog", out)

    def test_a_word_that_is_not_there_names_its_neighbour(self):
        for typed, meant in (("--lable", "--label"), ("-hostsfile", "--hostfile"), ("--timout", "--timeout"), ("-oversubscribed", "--oversubscribe")):
            self.refuses(typed, expected=f"there is no option {typed} (did you mean {meant}?)")

    def test_this_host(self):
        import socket
        host = socket.gethostname()
        for name in ("localhost", "127.0.0.1", "::1", "[::1]", host, host.split(".")[0], host.split(".")[0] + ".some.domain"):
            for word in ("-host", "--host", "-hosts", "-H"):
                self.runs(word, name)
                self.runs(word, name, "-n", 2, ranks=2)
        self.runs("-host=localhost")
        self.runs("--host", "localhost:3", ranks=3)
        self.runs("--host", "[::1]:2", ranks=2)
        self.runs("--host", f"localhost,{host}:2", ranks=3)
        self.runs("--host", "localhost", "--host", "localhost", ranks=2)
        self.runs("--host", "localhost:3", "-n", 1)
        for list_, expected in (("192.0.2.1", "192.0.2.1 is another host"), ("localhost,192.0.2.1:3", "192.0.2.1 is another host"),
                                ("localhost:x", "number of ranks"), ("localhost:", "number of ranks"), ("", "name is missing"),
                                ("localhost,", "name is missing"), ("localhost:0", "between 1 and")):
            self.refuses("-host", list_, expected=expected)

    def test_host_files(self):
        def file(text):
            with open(self.path("hosts"), "w") as f:
                f.write(text)
            return "hosts"
        for word in ("--hostfile", "-hostfile", "-machinefile", "--machinefile", "-f"):
            self.runs(word, file("# this one\n\nlocalhost slots=2 max_slots=4  # twice\n127.0.0.1:1\n"), ranks=3)
        self.runs("-f", file("localhost:4\n"), "-n", 1)
        for text, expected in (("localhost\n192.0.2.1 slots=2\n", "hosts:2: 192.0.2.1 is another host"), ("", "no host is in it"),
                               ("localhost slots=two\n", "a number is needed"), ("localhost what\n", "slots=K"),
                               ("localhost slots=\n", "a number is needed"), ("localhost slots\n", "a number is needed")):
            self.refuses("-f", file(text), expected=expected)
        self.refuses("--hostfile", "missing", expected="missing: No such file")

    def test_ranks_a_node(self):
        for word in ("-ppn", "-perhost", "-N", "--npernode"):
            self.runs(word, 3, ranks=3)
        self.runs("-ppn", 3, "-n", 2, ranks=2)
        self.runs("-ppn", 3, "-host", "localhost", ranks=3)
        self.runs("-ppn", 2, "-n", 3, ranks=3, err="mpiexec: 2 ranks a node: no effect: all 3 run on this one\n")
        self.refuses("-ppn", 0, expected="between 1")

    def test_ranks_a_part(self):
        env = environment(LOADSTONE_TOPOLOGY="package:2 numa:1 l3:2 core:2 pu:2")
        for part, ranks in (("ppr:2:node", 2), ("ppr:3:socket", 6), ("ppr:1:numa", 2), ("ppr:1:l3cache", 4), ("ppr:1:core", 8),
                            ("ppr:1:hwthread", 16), ("PPR:1:package:PE=2", 2)):
            self.runs("--map-by", part, ranks=ranks, env=env)
            self.runs("--map-by", part, "-n", 3, ranks=3, env=env)
        self.runs("--map-by", "ppr:2:node", ranks=2)
        self.runs("--map-by", "ppr:2:node", "--map-by", "core")
        self.refuses("--map-by", "ppr:1000000:node", expected="between 1 and")
        self.refuses("--map-by", "ppr:2:", expected="ppr:NUMBER:PART")
        status, out, err = self.run_job("--map-by", "ppr:2:socket", "echo", env=environment(LOADSTONE_TOPOLOGY="bogus"))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("-n is needed", err)

    def test_io_ranks(self):
        def said(count, ranks, machine, *words, **env):
            status, out, err = self.run_job(*count, "--report-bindings", "-n", ranks, *words, "echo",
                                            env=environment(LOADSTONE_TOPOLOGY=machine, **env))
            self.assertEqual((status, out), (0, "\n" * ranks))
            return [line for line in err.splitlines() if "I/O process" in line]
        four = "package:1 core:4 pu:1"
        def bound(*processors):
            return [f"mpiexec: I/O process {i}: bound to processor {p}" for i, p in enumerate(processors)]
        self.assertEqual(said(["--io-ranks", 2], 2, four), bound(1, 3))  # a rank may have threads: two cores less one
        self.assertEqual(said(["-io-ranks=2"], 2, four), bound(1, 3))
        self.assertEqual(said([], 2, four, LOADSTONE_IO_RANKS="2"), bound(1, 3))
        self.assertEqual(said(["--io-ranks", 1], 2, four, LOADSTONE_IO_RANKS="2"), bound(2))
        self.assertEqual(said(["--io-ranks", 0], 2, four, LOADSTONE_IO_RANKS="2"), [])
        self.assertEqual(said([], 2, four), [])
        no_core = "no core is free{} beside those of the ranks"
        for ranks in (4, 5):
            self.assertEqual(said(["--io-ranks", 1], ranks, four, "--oversubscribe"),
                             [f"mpiexec: --io-ranks 1: {no_core.format('')}: the I/O process shares one with others"])
        self.assertEqual(said(["--io-ranks", 3], 3, four),
                         [f"mpiexec: --io-ranks 3: {no_core.format(' but 1')}: 2 I/O processes share the cores of others",
                          *bound(3)])
        for value in ("-1", "65", "many", "1.5", ""):
            self.refuses("--io-ranks", value, expected="the number of I/O processes must be between 0 and 64")
        self.assertIn("another part", self.run_job("--io-ranks", 1, "echo", ":", "--io-ranks", 2, "echo")[2])

    def test_a_machine_that_is_not_understood(self):
        self.runs("-n", 2, ranks=2, env=environment(LOADSTONE_TOPOLOGY="bogus"),
                  err="mpiexec: LOADSTONE_TOPOLOGY=bogus: no effect: hwloc does not understand this description\n")

    def test_words_without_effect(self):
        self.runs("--oversubscribe", "--allow-run-as-root", "-n", 3, ranks=3)
        self.runs("--rank-by", "slot")
        self.runs("--rank-by", "socket:SPAN",
                  err="mpiexec: --rank-by socket:SPAN: no effect: ranks are numbered in the order of the cores\n")
        self.refuses("--rank-by", "colour", expected="slot, core")
        status, _, err = self.run_job("--mca", "btl", "self,vader", "--mca", "pml", "ob1", "-mca", "a", "b", "echo")
        self.assertEqual(status, 0)
        self.assertEqual([line.split(":")[1] for line in err.splitlines()], [" --mca", " -mca"], "a line for a word, once")
        self.runs("-q", "--mca", "btl", "self", "--prefix", "/opt", "-launcher", "ssh")
        for words in (["--prefix", "/opt"], ["-bootstrap", "ssh"], ["--display-map"], ["-disable-auto-cleanup"], ["-usize", 4]):
            status, out, err = self.run_job(*words, "echo", "x")
            self.assertEqual((status, out), (0, "x\n"))
            self.assertRegex(err, f"^mpiexec: {words[0]}: no effect: [^\n]+\n$")
        self.refuses("--nolocal", expected="no other machine")

    def test_environment(self):
        env = environment(A="1", B="2")
        def shows(*words, expected):
            status, out, err = self.run_job(*words, "/bin/sh", "-c", "echo $A-$B-$C-$D", env=env)
            self.assertEqual((status, out, err), (0, expected + "\n", ""), words)
        shows("-env", "C", "3", "-env", "D=x=y", expected="1-2-3-x=y")
        shows("-genv", "C", "3", "-genv", "A", "", expected="-2-3-")
        self.refuses("-genv", "=5", "y", expected="no = in it")
        self.refuses("-env", "=A=5", "y", expected="no = in it")
        shows("-genvall", "-genv", "C", "3", expected="1-2-3-")
        shows("-envall", expected="1-2--")
        shows("-genvnone", expected="---")
        shows("-envnone", "-env", "D", "4", expected="---4")
        shows("-genvlist", "B,C", expected="-2--")
        shows("-envlist", "A", "-genvnone", expected="1---")
        status, out, _ = self.run_job("-n", 2, "-genvnone", RANK, "init", "size", "finalize")
        self.assertEqual((status, len(out.splitlines())), (0, 2), "the announcement is not the user's")

    def test_environment_of_parts(self):
        script = ["/bin/sh", "-c", "echo $A-$B-$MARK"]
        status, out, err = self.run_job("-genv", "MARK", "m", "-env", "A", "1", *script, ":", "-env", "B", "2", "-env", "MARK", "n", *script)
        self.assertEqual((status, sorted(out.splitlines()), err), (0, ["-2-n", "1--m"], ""))
        out = self.run_job("-genvlist", "PATH", "-x", "A=1", *script, ":", "-envall", *script, env=environment(B="2"))[1]
        self.assertEqual(sorted(out.splitlines()), ["-2-", "1--"])

    def test_labels(self):
        for word in ("-l", "--label", "--tag-output", "-prepend-rank"):
            self.assertEqual(self.run_job(word, "echo", "x")[1], "[0] x\n")
        self.assertEqual(self.run_job("--output", "tag", "echo", "x")[1], "[0] x\n")
        self.refuses("--output", "xml", expected="tag or file=NAME")

    def test_folders(self):
        os.mkdir(self.path("below"))
        for word in ("-wd", "-wdir", "--wdir", "--workdir", "-workdir"):
            self.assertEqual(self.run_job(word, "below", "pwd")[1], f"{os.path.realpath(self.path('below'))}\n")

    def test_path(self):
        os.mkdir(self.path("tools"))
        with open(self.path("tools/own-tool"), "w") as f:
            f.write("#!/bin/sh\necho x\n")
        os.chmod(self.path("tools/own-tool"), 0o755)
        self.runs("-n", 2, "-path", f"/nowhere:{self.path('tools')}", ranks=2, program=("own-tool",))

    def test_configuration_file(self):
        with open(self.path("parts"), "w") as f:
            f.write("# two programs\n-n 2 echo 'a  b' \\\n  c\n\n  -env A 3 /bin/sh -c 'echo $A'\n-n 1 echo d : echo \"e f\"")
        status, out, err = self.run_job("-l", "-configfile", "parts")
        self.assertEqual((status, sorted(out.splitlines()), err), (0, ["[0] a  b c", "[1] a  b c", "[2] 3", "[3] d", "[4] e f"], ""))
        for text, expected in (("", "no program"), ("echo 'x\n", "line 1: a quote"), ("-n 0 echo", "between 1"), ("-configfile parts", "stands alone")):
            with open(self.path("parts"), "w") as f:
                f.write(text)
            status, _, err = self.run_job("-configfile", "parts")
            self.assertEqual(status, 2)
            self.assertIn(expected, err)
        self.refuses("-configfile", "parts", expected="stand in its lines")
        for text in ("\ufeff# two\r\n-n 2 echo a \\\r\n  b\r\n\r\necho 'c'\r\n", "\ufeff-n 2 echo a\\\n b\necho c"):
            with open(self.path("parts"), "w", newline="") as f:
                f.write(text)
            status, out, err = self.run_job("-l", "-configfile", "parts")
            self.assertEqual((status, sorted(out.splitlines()), err), (0, ["[0] a b", "[1] a b", "[2] c"], ""))
        for words in (["-n", 2], ["-ppn", 3], ["-host", "localhost:3"], ["-envnone"], ["-envlist", "A"], ["-env", "A", "1"]):
            status, out, err = self.run_job(*words, "-configfile", "parts")
            self.assertEqual((status, out), (2, ""), words)
            self.assertIn("stand in its lines", err, words)
        self.assertIn("missing: No such file", self.run_job("-configfile", "missing")[2])
        status, _, err = self.run_job("-configfile", "")
        self.assertEqual(status, 2)
        self.assertIn("name of a file is missing", err)
        with open(self.path("parts"), "w") as f:
            f.write("echo x\n")
        self.assertEqual(self.run_job("--map-by", "ppr:2:node", "-configfile", "parts"), (0, "x\nx\n", ""))

    def test_what_holds_for_the_job_is_said_once(self):
        for option, one, other in (("--timeout", "50", "60"), ("--bind-to", "core", "none"), ("-stdin", "all", "none"),
                                   ("--output-filename", "a", "b"), ("--cpus-per-rank", "1", "2")):
            expected = f"another part of the job says {one}; it is the same for all"
            status, out, err = self.run_job(option, one, "echo", "x", ":", option, other, "echo", "y")
            self.assertEqual((status, out), (2, ""), option)
            self.assertIn(expected, err)
            with open(self.path("parts"), "w") as f:
                f.write(f"{option} {one} echo x\n{option} {other} echo y\n")
            status, out, err = self.run_job("-configfile", "parts")
            self.assertEqual((status, out), (2, ""), option)
            self.assertIn(expected, err)
            self.assertEqual(self.run_job(option, one, option, one, "echo", "x")[0], 2)
        self.assertIn("another part", self.run_job("--shared-heap=65536", "echo", ":", "--shared-heap=32768", "echo")[2])
        with open(self.path("parts"), "w") as f:
            f.write("--timeout 60 -stdin all echo x\n--timeout 60 -stdin all echo x\n")
        self.assertEqual(self.run_job("-configfile", "parts"), (0, "x\nx\n", ""))
        self.assertIn("another part", self.run_job("--timeout", "50", "-configfile", "parts")[2])

    def test_verbose(self):
        status, out, err = self.run_job("-v", "-n", 2, "echo", "x")
        self.assertEqual((status, out), (0, "x\n" * 2))
        self.assertRegex(err, r"^(mpiexec: rank \d is process \d+: echo\n){2}$")


class Output_files(Case):
    SCRIPT = ["sh", "-c", "echo out; echo err >&2"]

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read()

    def test_a_file_for_each_rank(self):
        for word, name in (("--output-filename", "logs/run"), ("-output-filename", "logs/%r/all"), ("--output", "file=logs/new")):
            name = name.replace("file=", "")
            status, out, err = self.run_job(word, ("file=" if word == "--output" else "") + name, "-n", 3, *self.SCRIPT)
            self.assertEqual((status, out, err), (0, "", ""))
            for rank in range(3):
                file = name.replace("%r", str(rank)) if "%r" in name else f"{name}.{rank}"
                self.assertEqual(self.read(file), "out\nerr\n")

    def test_patterns(self):
        import socket
        status, out, err = self.run_job("-outfile-pattern", "%h-%r%%.txt", "-n", 2, *self.SCRIPT)
        self.assertEqual((status, out, err), (0, "", "err\n" * 2))
        self.assertEqual(self.read(f"{socket.gethostname()}-1%.txt"), "out\n")
        status, out, err = self.run_job("-l", "-errfile-pattern", "errors", "-n", 2, *self.SCRIPT)
        self.assertEqual((status, sorted(out.splitlines()), err), (0, ["[0] out", "[1] out"], ""))
        self.assertEqual(sorted(self.read("errors").splitlines()), ["[0] err", "[1] err"])
        self.assertEqual(self.run_job("-outfile-pattern", "%q", "echo")[0], 2)

    def test_a_file_that_cannot_be_written(self):
        with open(self.path("file"), "w"):
            pass
        status, _, err = self.run_job("--output-filename", "file/below", "-n", 2, *self.SCRIPT)
        self.assertEqual(status, 1)
        self.assertIn("cannot write file/below.0: Not a directory", err)
        status, _, err = self.run_job("-outfile-pattern", "/dev/full", "-n", 2, "echo", "x")
        self.assertEqual(status, 1)
        self.assertIn("cannot write /dev/full: No space left", err)

    def test_a_percent_sign_at_the_end(self):
        status, out, err = self.run_job("--output-filename", "a%", *self.SCRIPT)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("a % at the end;", err)
        self.assertNotIn("\0", err)

    def test_what_cannot_be_written_is_no_success(self):
        for words, streams in ((["-n", 1, "sh", "-c", "echo important >&2"], ["stderr"]), (["-n", 1, "echo"], ["stdout"]),
                               (["-n", 1, *self.SCRIPT], ["stdout", "stderr"]), (["--help"], ["stdout"]), (["--version"], ["stdout"])):
            with open("/dev/full", "w") as full:
                status, _, err = self.run_job(*words, **{stream: full for stream in streams})
            self.assertEqual(status, 1, words)
            if streams == ["stdout"]:
                self.assertIn("cannot write the standard output: No space left", err)
        with open("/dev/full", "w") as full:
            self.assertEqual(self.run_job("-n", 1, "sh", "-c", "echo x >&2; exit 7", stderr=full)[0], 7)

    def test_megabytes_and_a_death(self):
        script = "yes 0123456789 | head -n 300000; echo done"
        status, out, err = self.run_job("--output-filename", "big", "-n", 2, "sh", "-c", script)
        self.assertEqual((status, out, err), (0, "", ""))
        for rank in range(2):
            self.assertEqual(self.read(f"big.{rank}"), "0123456789\n" * 300000 + "done\n")
        status, out, err = self.run_job("--output-filename", "died", RANK, "init", "print:before", "exit:3")
        self.assertEqual((status, out, self.read("died.0")), (3, "", "before\n"))
        self.assertIn("exited with status 3", err)



class Foreign_programs(Case):
    """Programs linked with another MPI: here, a library that merely has its name."""

    def compile(self, *words):
        done = subprocess.run(["cc", *words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def setUp(self):
        super().setUp()
        import shutil
        if shutil.which("cc") is None:
            self.skipTest("no compiler")
        with open(self.path("empty.c"), "w") as f:
            f.write("int their_init(void) { return 0; }\n")
        with open(self.path("program.c"), "w") as f:
            f.write("#include <stdio.h>\nint their_init(void);\nint main(void) { puts(\"x\"); return their_init(); }\n")
        self.compile("-shared", "-fPIC", "empty.c", "-Wl,-soname,libmpi.so.40", "-o", "libmpi.so.40")
        self.compile("program.c", "./libmpi.so.40", f"-Wl,-rpath,{self.folder}", "-o", "theirs")

    def test_a_program_of_another_mpi_is_told(self):
        for words in (["./theirs"], ["sh", "-c", "./theirs; sleep 1"]):  # by its file; while it runs, below a shell
            status, out, err = self.run_job("-n", 3, *words)
            self.assertEqual((status, out), (0, "x\n" * 3))
            if words[0] == "./theirs":
                self.assertRegex(err, r"^mpiexec: \./theirs uses another MPI, \S*libmpi\.so\.40: its 3 ranks are not one job[^\n]+\n$")
        self.assertEqual(self.run_job("-n", 1, "./theirs")[2], "", "a job of one is what it is")

    def test_one_that_loads_it_later_and_runs_on(self):
        script = f"import ctypes, time; ctypes.CDLL({self.path('libmpi.so.40')!r}); time.sleep(2)"
        status, _, err = self.run_job("-n", 2, "sh", "-c", f'{sys.executable} -c "$0"; true', script)
        self.assertEqual(status, 0)
        self.assertIn(f"{os.path.realpath(self.path('libmpi.so.40'))}: its 2 ranks", err)

    def test_others_are_not(self):
        for words in (["hostname"], [RANK, "init", "finalize"], ["sh", "-c", "sleep 0.3"], [sys.executable, "-c", "import time; time.sleep(0.3)"]):
            status, _, err = self.run_job("-n", 2, *words)
            self.assertEqual((status, err), (0, ""), words)


class Standard_input(Case):
    def test_goes_to_rank_0(self):
        status, out, _ = self.run_job("-l", "-n", 3, "cat", input=b"one\ntwo\n")
        self.assertEqual((status, out), (0, "[0] one\n[0] two\n"))

    def test_goes_to_another_rank_or_to_nobody(self):
        for word in ("--stdin", "-stdin", "-s"):
            status, out, _ = self.run_job("-l", "-n", 3, word, 2, "cat", input=b"one\ntwo\n")
            self.assertEqual((status, out), (0, "[2] one\n[2] two\n"))
        self.assertEqual(self.run_job("-n", 2, "--stdin", "none", "cat", input=b"one\n")[:2], (0, ""))
        for wrong in ("3", "-1", "some"):
            self.assertEqual(self.run_job("-n", 3, "--stdin", wrong, "cat")[0], 2)

    def test_goes_to_all_ranks(self):
        data = os.urandom(300_000)
        script = "import sys,hashlib; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
        status, out, _ = self.run_job("-n", 3, "--stdin", "all", sys.executable, "-c", script, input=data, binary=True)
        import hashlib
        self.assertEqual((status, out.decode()), (0, (hashlib.sha256(data).hexdigest() + "\n") * 3))
        # One that takes nothing, and one that leaves early, do not hold up the others for ever.
        script = "import os,sys; rank=int(os.environ['LOADSTONE_RANK']); print(len(sys.stdin.buffer.read()) if rank else 'left')"
        status, out, _ = self.run_job("-n", 2, "--stdin", "all", sys.executable, "-c", script, input=data, binary=True)
        self.assertEqual((status, sorted(out.decode().split())), (0, ["300000", "left"]))
        self.assertEqual(self.run_job("-n", 2, "--stdin", "all", "true", input=data, binary=True)[0], 0)

    def test_that_cannot_be_read_is_no_end_of_it(self):
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        status, out, err = self.run_job("-n", 2, "--stdin", "all", "cat", stdin=folder)
        self.assertEqual((status, out, err), (1, "", "mpiexec: cannot read the standard input: Is a directory\n"))

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
        self.assertEqual(len({tuple(mask) for mask in masks}), len(self.mine), "they share the cores")

    def test_inside_our_affinity_mask(self):
        last = self.mine[-1]
        masks, _ = self.masks("-n", 1, "--bind-to", "core", preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        self.assertEqual(masks, [[last]])
        masks, _ = self.masks("-n", 2, preexec_fn=lambda: os.sched_setaffinity(0, {last}))
        self.assertEqual(masks, [[last]] * 2)

    def test_two_jobs_take_different_cores_and_a_third_none(self):
        if len(self.mine) < 2:
            self.skipTest("one processor")
        # Other jobs of this machine may hold cores just now, and one may take the second core before we do: ask for
        # binding, and retry until the cores were free for us.
        ready, go = self.path("ready"), self.path("go")
        script = ("import os,sys,time\nprint(sorted(os.sched_getaffinity(0)), flush=True)\nopen(sys.argv[1],'w').close()\n"
                  "while not os.path.exists(sys.argv[2]): time.sleep(0.002)\n")
        seen = None
        for _ in range(200):
            for name in (ready, go):
                if os.path.exists(name):
                    os.unlink(name)
            first = self.start("-n", 1, "--bind-to", "core", sys.executable, "-c", script, ready, go)
            wait_for(lambda: os.path.exists(ready), "the first job")
            masks, err = self.masks("-n", 1, "--bind-to", "core")
            both, _ = self.masks("-n", len(self.mine))
            touch(go)
            out, _ = first.communicate(timeout=60)
            held = eval(out)
            if len(held) < len(self.mine) and not err:
                seen = held, masks, both
                if set(held).isdisjoint(masks[0]):
                    break
        if seen is None:
            self.skipTest("the cores of this machine are never free")
        held, masks, both = seen
        self.assertTrue(set(held).isdisjoint(masks[0]), seen)
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

    def test_orders_without_a_job(self):
        """mpiexec cannot make the job, and cannot say so: nobody reads. It is given orders meanwhile."""
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        os.write(writer, b"x" * 4096)
        run = self.start("-n", 1, "true", stderr=writer,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
        os.close(writer)
        wait_for(lambda: children(run.pid), "the keeper")
        keeper = children(run.pid)[0]
        for number in (signal.SIGUSR1, signal.SIGINT, signal.SIGTERM):
            run.send_signal(number)
            time.sleep(0.05)  # one after the other, as far as this helps: they are in a pipe
        wait_for(lambda: not alive(keeper), "the end of a job whose reader takes nothing")
        with os.fdopen(reader, "rb") as lines:
            self.assertNotIn(b"killed", lines.read().lstrip(b"x"), "the keeper has died of it")
        self.assertEqual(run.wait(HANG), 1)


if __name__ == "__main__":
    main()
