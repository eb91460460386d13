// Signals under `syncsniff run`: each reaches the program once, whoever sent it and to whom.
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

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

// The symbolizer takes its time, and the user has enough of it.
TEST_F(LauncherTest, AnInterruptWhileTheReportIsMadeSaysWhereTheTraceLies) {
  if (system("env --default-signal=INT true 2>/dev/null") != 0) GTEST_SKIP() << "env cannot reset signals here";
  std::string text = test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt");
  for (size_t at; (at = text.find("\nsymbol ")) != std::string::npos;) text.erase(at, text.find('\n', at + 1) - at);
  text.replace(text.find("build_id=0a0b0c path=\"/home/u/train\""), 36, "path=\"" INSTRUMENT "\"");
  test::write_file(folder_ + "/given.sstrace", reader::undump_trace(text, "twin"));
  write_program("slow-symbolizer", "#!/bin/sh\ntouch asked\nexec sleep 5\n");
  const auto ran =
      test::shell("TEST_CUDA=1 SYNCSNIFF_SYMBOLIZER=./slow-symbolizer env --default-signal=INT '" INSTRUMENT
                  "' run -o t.sstrace true &\n"
                  "for i in $(seq 200); do [ -e asked ] || sleep 0.05; done; kill -INT $!; wait $!",
                  folder_);
  EXPECT_EQ(ran.status, 130) << ran.err;
  EXPECT_EQ(ran.err, "\nsyncsniff: interrupted: the trace is t.sstrace; `syncsniff report t.sstrace` shows it\n");
  EXPECT_EQ(run("report t.sstrace").status, 0);
}

// Starts the launcher over the program that counts its signals, in a process group of its own ($group; $pid is the
// launcher), and runs `script` when the program is ready.
std::string in_own_group(const std::string& script, const std::string& program) {
  return "setsid sh -c 'echo $$ > group; exec \"" INSTRUMENT "\" run -q -o t.sstrace \"" + program +
         "\"' > counted &\n"
         "until grep -q ready counted 2>/dev/null; do sleep 0.02; done; group=$(cat group); pid=$group\n" +
         script;
}

// The processes of $group that are alive. A parent outside may leave dead ones about.
constexpr const char* kAlive = "cat /proc/[0-9]*/stat 2>/dev/null | awk -v g=$group '$5 == g && $3 != \"Z\"' | wc -l";

class SignalTest : public LauncherTest {
 protected:
  void SetUp() override {
    LauncherTest::SetUp();
    setenv("TEST_CUDA", "1", 1);
  }
  std::string counted(const std::string& script) {
    test::shell(in_own_group(script + "\nwait", SIGNAL_COUNTER), folder_);
    return test::read_file(folder_ + "/counted");
  }
};

TEST_F(SignalTest, OneToTheLauncherIsForwarded) {
  EXPECT_EQ(counted("kill -TERM $pid"), "ready\nTERM 1 USR1 0\n");
  test::shell("rm t.sstrace counted", folder_);
  EXPECT_EQ(counted("kill -TERM $pid; sleep 0.3; kill -TERM $pid; kill -USR1 $pid"), "ready\nTERM 2 USR1 1\n");
}

TEST_F(SignalTest, OneToTheWholeGroupComesOnce) {
  EXPECT_EQ(counted("kill -s TERM -- -$group"), "ready\nTERM 1 USR1 0\n");
  test::shell("rm t.sstrace counted", folder_);
  EXPECT_EQ(counted("kill -s TERM -- -$group; sleep 0.3; kill -s TERM -- -$group"), "ready\nTERM 2 USR1 0\n");
}

// As on a machine whose cores are all busy: the process that notes the group's signals does not run for a while.
TEST_F(SignalTest, OneToTheWholeGroupComesOnceWhereTheWitnessIsLate) {
  const std::string witness =
      "witness=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v g=$group '$5 == g && $2 == \"(syncsniff-group)\" {print "
      "$1}')\n";
  EXPECT_EQ(counted(witness + "kill -STOP $witness; kill -s TERM -- -$group; sleep 0.3; kill -CONT $witness"),
            "ready\nTERM 1 USR1 0\n");
}

TEST_F(SignalTest, OneToTheLauncherAfterOneToTheGroupIsForwarded) {
  EXPECT_EQ(counted("kill -s TERM -- -$group; sleep 0.4; kill -TERM $pid"), "ready\nTERM 2 USR1 0\n");
}

TEST_F(SignalTest, TimeoutSignalsItsChildAndItsGroupAndTheProgramGetsOne) {
  const auto ran = test::shell("timeout 0.5 '" INSTRUMENT "' run -q -o t.sstrace '" SIGNAL_COUNTER "'", folder_);
  EXPECT_EQ(ran.status, 124) << ran.err;
  EXPECT_EQ(ran.out, "ready\nTERM 1 USR1 0\n");
}

TEST_F(SignalTest, AProgramThatLeftTheGroupStillGetsWhatTheLauncherGets) {
  test::shell(in_own_group("kill -s TERM -- -$group\nwait", SIGNAL_COUNTER "\" \"own_group"), folder_);
  EXPECT_EQ(test::read_file(folder_ + "/counted"), "ready\nTERM 1 USR1 0\n");
}

TEST_F(SignalTest, NothingSurvivesAGroupThatIsKilled) {
  const auto ran = test::shell(
      in_own_group(std::string(kAlive) + "; kill -s KILL -- -$group; sleep 0.3; " + kAlive, SIGNAL_COUNTER), folder_);
  EXPECT_EQ(ran.out, "3\n0\n");  // launcher, program, and the witness of the group's signals
}

TEST_F(SignalTest, NoHelperOutlivesTheLauncher) {
  const auto ran = test::shell(
      in_own_group("kill -KILL $pid; sleep 0.3; " + std::string(kAlive) + "; kill -s KILL -- -$group", SIGNAL_COUNTER),
      folder_);
  EXPECT_EQ(ran.out, "1\n");  // the program, as it would without us
}

}  // namespace
}  // namespace syncsniff
