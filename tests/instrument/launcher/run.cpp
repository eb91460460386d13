// `syncsniff run` from outside: real processes, a stand-in for the shim, no GPU.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

class LauncherTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::fresh_folder();
    test::write_file(folder_ + "/given.sstrace",
                     reader::undump_trace(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt"), "twin"));
    setenv("SYNCSNIFF_SHIM", TEST_SHIM, 1);
    setenv("TEST_TRACE", (folder_ + "/given.sstrace").c_str(), 1);
    unsetenv("TEST_CUDA");
  }
  void TearDown() override { test::shell("rm -rf '" + folder_ + "'", "/tmp"); }

  test::Ran run(const std::string& arguments) {
    return test::shell(std::string("'") + INSTRUMENT + "' " + arguments, folder_);
  }
  test::Ran run_cuda(const std::string& arguments) {
    return test::shell(std::string("TEST_CUDA=1 '") + INSTRUMENT + "' " + arguments, folder_);
  }
  void expect_error(const std::string& arguments, const std::string& part) {
    const auto ran = run(arguments);
    EXPECT_EQ(ran.status, 2) << arguments << "\n" << ran.err;
    EXPECT_EQ(ran.err.rfind("syncsniff: error: ", 0), 0u) << ran.err;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  std::string folder_;
};

TEST_F(LauncherTest, OutputIsTheProgramsOwnAndTheReportGoesToStandardError) {
  const auto ran = run_cuda("run -o t.sstrace -- sh -c 'echo loss 0.125; exit 7'");
  EXPECT_EQ(ran.status, 7);
  EXPECT_EQ(ran.out, "loss 0.125\n");
  EXPECT_EQ(ran.err.rfind("syncsniff: ./train --steps 12\n", 0), 0u) << ran.err;
  EXPECT_NE(ran.err.find("train.cu:60"), std::string::npos);
  EXPECT_NE(ran.err.find("note: trace: t.sstrace"), std::string::npos);
}

TEST_F(LauncherTest, ArgumentsReachTheProgramUntouched) {
  const auto ran = run_cuda("run --quiet sh -c 'printf \"%s|\" \"$@\"' sh --findings -- 'a b' ''");
  EXPECT_EQ(ran.out, "--findings|--|a b||");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.status, 0);
}

TEST_F(LauncherTest, TheEnvironmentIsTheUsersPlusOurs) {
  const auto ran = test::shell(std::string("TEST_CUDA=1 LD_PRELOAD=libdl.so.2 '") + INSTRUMENT +
                                   "' run -q -o a.sstrace --timeline=full sh -c 'echo $LD_PRELOAD; echo "
                                   "$SYNCSNIFF_TRACE $SYNCSNIFF_TIMELINE; echo $NVTX_INJECTION64_PATH'",
                               folder_);
  EXPECT_EQ(ran.out, std::string(TEST_SHIM) + ":libdl.so.2\n" + folder_ + "/a.sstrace full\n" + TEST_SHIM + "\n");
}

TEST_F(LauncherTest, ASignalledProgramGives128PlusSignal) {
  EXPECT_EQ(run_cuda("run -q sh -c 'kill -KILL $$'").status, 137);
  EXPECT_EQ(run_cuda("run -q sh -c 'kill -SEGV $$'").status, 139);
}

TEST_F(LauncherTest, SignalsSentToTheLauncherReachTheProgramAndTheReportStillComes) {
  for (const char* signal : {"TERM", "HUP"}) {
    const auto ran = test::shell(
        std::string("TEST_CUDA=1 '") + INSTRUMENT + "' run -o " + signal +
            ".sstrace bash -c 'trap \"echo got; exit 5\" TERM HUP; touch ready; while :; do sleep 0.05; done' &\n"
            "pid=$!; while [ ! -e ready ]; do sleep 0.05; done; rm ready; kill -" +
            signal + " $pid; wait $pid",
        folder_);
    EXPECT_EQ(ran.status, 5) << signal;
    EXPECT_EQ(ran.out, "got\n") << signal;
    EXPECT_NE(ran.err.find("train.cu:60"), std::string::npos) << signal;
  }
}

TEST_F(LauncherTest, AnInterruptFromTheTerminalStillGivesTheReport) {
  if (system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  if (system("python3 -c 'import pty; pty.openpty()' 2>/dev/null") != 0) GTEST_SKIP() << "no pty devices here";
  // A terminal of its own: ^C goes to the whole foreground group, and the program must get it once.
  test::write_file(folder_ + "/terminal.py",
                   "import os, pty, sys, time\n"
                   "pid, fd = pty.fork()\n"
                   "if pid == 0:\n"
                   "    os.execvp(sys.argv[1], sys.argv[1:])\n"
                   "seen = b''\n"
                   "while b'ready' not in seen: seen += os.read(fd, 4096)\n"
                   "os.write(fd, b'\\x03')\n"
                   "try:\n"
                   "    while True:\n"
                   "        got = os.read(fd, 4096)\n"
                   "        if not got: break\n"
                   "        seen += got\n"
                   "except OSError: pass\n"
                   "print(seen.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n");
  const auto ran = test::shell(
      std::string("TEST_CUDA=1 NO_COLOR=1 timeout 30 python3 terminal.py '") + INSTRUMENT +
          "' run -o i.sstrace bash -c 'trap \"echo got; exit 6\" INT; echo ready; while :; do sleep 0.05; done'",
      folder_);
  EXPECT_NE(ran.out.find("got"), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(ran.out.find("got", ran.out.find("got") + 1), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("train.cu:60"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.substr(ran.out.rfind(' ') + 1), "6\n");
}

TEST_F(LauncherTest, EveryProcessOfTheProgramIsNamed) {
  const auto ran = run_cuda("run -o t.sstrace sh -c 'sh -c true; exit 0'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("another process left t.sstrace."), std::string::npos) << ran.err;
}

TEST_F(LauncherTest, AProgramWithoutCudaIsSaidToHaveNone) {
  const auto ran = run("run sh -c 'echo hi'");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "hi\n");
  EXPECT_NE(ran.err.find("sh: the program never initialised CUDA"), std::string::npos) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
  EXPECT_EQ(run("run sh -c 'exit 3'").status, 3);
}

TEST_F(LauncherTest, AnOlderRunsTraceIsNotThisRuns) {
  test::shell("cp given.sstrace old.sstrace.999", folder_);
  const auto without = run("run -o old.sstrace true");
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("never initialised CUDA"), std::string::npos) << without.err;
  const auto with = run_cuda("run -o old.sstrace true");
  EXPECT_EQ(with.status, 0);
  EXPECT_NE(with.err.find("note: trace: old.sstrace\n"), std::string::npos) << with.err;
  EXPECT_EQ(with.err.find("old.sstrace.999"), std::string::npos) << with.err;
}

TEST_F(LauncherTest, AParentThatIgnoresItsChildrenDoesNotLoseTheStatus) {
  if (system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  test::write_file(folder_ + "/ignore.py",
                   "import os, signal, sys\n"
                   "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
                   "os.execvp(sys.argv[1], sys.argv[1:])\n");
  // The program is given what the parent left: SIGCHLD (bit 16) still ignored.
  const auto ran = test::shell(std::string("TEST_CUDA=1 python3 ignore.py '") + INSTRUMENT +
                                   "' run -q -o c.sstrace python3 -c 'import signal, sys; "
                                   "print(signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN); sys.exit(7)'",
                               folder_);
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_EQ(ran.out, "True\n");
}

TEST_F(LauncherTest, AShimBelowAPathWithASpaceIsPreloadedThroughALink) {
  test::shell("mkdir 'my tools:1' && ln -s '" TEST_SHIM "' 'my tools:1/shim.so'", folder_);
  const auto ran = test::shell("TEST_CUDA=1 SYNCSNIFF_SHIM=\"$PWD/my tools:1/shim.so\" '" INSTRUMENT
                               "' run -o s.sstrace sh -c 'echo $LD_PRELOAD'",
                               folder_);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("train.cu:60"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out.find_first_of(" :"), std::string::npos) << ran.out;
  ASSERT_GT(ran.out.size(), 1u);
  EXPECT_NE(access(ran.out.substr(0, ran.out.size() - 1).c_str(), F_OK), 0) << "the link stays behind";
}

TEST_F(LauncherTest, FaultsBeforeTheStart) {
  expect_error("run", "no command given");
  expect_error("run --nonsense true", "--nonsense: no such option");
  expect_error("run --timeline=maybe true", "use off or full");
  expect_error("run -o", "-o: needs a value");
  expect_error("run no-such-program", "no-such-program: command not found");
  expect_error("run ./nothing-here", "./nothing-here: no such file");
  expect_error("run .", "is a directory");
  test::write_file(folder_ + "/plain.txt", "x");
  expect_error("run ./plain.txt", "not executable");
  expect_error(std::string("run '") + STATIC_PROGRAM + "'", "statically linked");
  test::shell("cp /bin/true suid; chmod 4755 suid; cp /bin/true sgid; chmod 2755 sgid", folder_);
  expect_error("run ./suid", "setuid or setgid");
  expect_error("run ./sgid", "setuid or setgid");
  test::write_file(folder_ + "/script", "#!/no/such/interpreter\n");
  chmod((folder_ + "/script").c_str(), 0755);
  expect_error("run ./script", "its interpreter /no/such/interpreter is missing");
  std::string foreign = test::read_file("/bin/true");
  foreign[18] = static_cast<char>(183);  // aarch64
  test::write_file(folder_ + "/foreign", foreign);
  chmod((folder_ + "/foreign").c_str(), 0755);
  expect_error("run ./foreign", "not an x86-64 program");
  expect_error("run -o nowhere/t.sstrace true", "nowhere: no such folder");
  expect_error("run -o given.sstrace true", "exists already");
  expect_error("run --findings none.json true", "none.json");
  test::write_file(folder_ + "/bad.json", "{\"findings\": [");
  expect_error("run --findings bad.json true", "bad.json");
  expect_error("run --findings /tmp true", "/tmp: is a directory; give the file");
}

TEST_F(LauncherTest, AFullDiskIsSeenBeforeTheStart) {
  if (test::shell("test -w /dev/full && unshare -rm true", folder_).status != 0)
    GTEST_SKIP() << "no user namespaces here";
  const auto ran =
      test::shell(std::string("unshare -rm sh -c 'mkdir full && mount -t tmpfs -o size=1000k none full && exec \"") +
                      INSTRUMENT + "\" run -o full/t.sstrace touch started'",
                  folder_);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_NE(ran.err.find("no room for a trace"), std::string::npos) << ran.err;
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0);
}

TEST_F(LauncherTest, ScriptsRunThroughTheirInterpreter) {
  test::write_file(folder_ + "/script", "#!/usr/bin/env sh\necho \"$1\"\n");
  chmod((folder_ + "/script").c_str(), 0755);
  const auto ran = run_cuda("run -q ./script word");
  EXPECT_EQ(ran.out, "word\n");
  EXPECT_EQ(ran.status, 0);
}

TEST_F(LauncherTest, ReportDumpAndUndump) {
  const auto dump = run("dump given.sstrace");
  EXPECT_EQ(dump.status, 0);
  test::write_file(folder_ + "/again.txt", dump.out);
  EXPECT_EQ(run("undump again.txt -o again.sstrace").status, 0);
  EXPECT_EQ(test::read_file(folder_ + "/again.sstrace"), test::read_file(folder_ + "/given.sstrace"));
  const auto report = run("report again.sstrace --format json");
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(report.out[0], '{');
  expect_error("report", "needs one trace");
  expect_error("report nothing.sstrace", "nothing.sstrace: No such file");
  expect_error("report again.txt", "not a syncsniff trace");
  expect_error("dump /tmp", "not a regular file");
  expect_error("undump missing.txt -o x", "missing.txt");
  test::shell("head -c 60000 given.sstrace > short.sstrace", folder_);
  expect_error("report short.sstrace", "short.sstrace: truncated");
}

}  // namespace
}  // namespace syncsniff
