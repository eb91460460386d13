// `syncsniff run` from outside: real processes, a stand-in for the shim, no GPU.
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

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

TEST_F(LauncherTest, EveryProcessOfTheProgramIsNamed) {
  const auto ran = run_cuda("run -o t.sstrace sh -c 'sh -c true; exit 0'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("` shows pid 41"), std::string::npos) << ran.err;
}

TEST_F(LauncherTest, AProgramWithoutCudaIsSaidToHaveLeftNoTrace) {
  const auto ran = run("run sh -c 'echo hi'");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "hi\n");
  EXPECT_NE(ran.err.find("sh: exited with status 0 and no trace was written; "), std::string::npos) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
  const bool gpu = access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
  const auto failed = run("run sh -c 'exit 3'");
  EXPECT_EQ(failed.status, gpu ? 3 : 2);
  EXPECT_NE(failed.err.find("exited with status 3"), std::string::npos) << failed.err;
}

TEST_F(LauncherTest, ATraceThatWasRemovedMeanwhileIsSaidToBeGone) {
  for (const char* removal : {"rm .t.sstrace.*/*", "rm -r .t.sstrace.*"}) {
    const auto ran =
        run_cuda("run -o t.sstrace sh -c 'unset TEST_CUDA; sleep 0.1; " + std::string(removal) + "; exit 3'");
    EXPECT_EQ(ran.status, 3) << removal;
    EXPECT_NE(ran.err.find("sh: exited with status 3, and its trace is gone: .t.sstrace."), std::string::npos)
        << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  EXPECT_EQ(run_cuda("run -o t.sstrace sh -c 'unset TEST_CUDA; sleep 0.1; rm .t.sstrace.*/*'").status, 2);
}

TEST_F(LauncherTest, AnOlderRunsTraceIsNotThisRuns) {
  test::shell("cp given.sstrace old.sstrace.999", folder_);
  const auto without = run("run -o old.sstrace true");
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("no trace was written"), std::string::npos) << without.err;
  const auto with = run_cuda("run -o old.sstrace true");
  EXPECT_EQ(with.status, 0);
  EXPECT_NE(with.err.find("note: trace: old.sstrace\n"), std::string::npos) << with.err;
  EXPECT_EQ(with.err.find("old.sstrace.999"), std::string::npos) << with.err;
}

TEST_F(LauncherTest, OnlyAKilledProgramIsSaidToHaveEndedEarly) {
  std::string text = test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt");
  text.replace(text.find(" end=16000000 stop_reason=1"), 27, "");
  test::write_file(folder_ + "/open.sstrace", reader::undump_trace(text, "twin"));
  setenv("TEST_TRACE", (folder_ + "/open.sstrace").c_str(), 1);
  setenv("TEST_OWN_PID", "1", 1);
  const auto left = run_cuda("run -o left.sstrace true");  // the stand-in closes nothing: as _exit does
  EXPECT_EQ(left.err.find("ended early"), std::string::npos) << left.err;
  EXPECT_NE(left.err.find("note: the program left by _exit"), std::string::npos) << left.err;
  EXPECT_EQ(run("report left.sstrace").out.find("ended early"), std::string::npos);
  EXPECT_NE(run("report left.sstrace --format=json").out.find("\"ended_early\": false"), std::string::npos);
  const auto killed = run_cuda("run -o killed.sstrace sh -c 'kill -KILL $$'");
  EXPECT_NE(killed.err.find("(ended early)"), std::string::npos) << killed.err;
  EXPECT_EQ(killed.err.rfind("syncsniff: note: sh: was ended by signal 9 (Killed)\n", 0), 0u) << killed.err;
  EXPECT_NE(
      run_cuda("run sh -c 'kill -SEGV $$'").err.find("signal 11 (Segmentation fault); `syncsniff run --timeline=off`"),
      std::string::npos);
  EXPECT_NE(run("report killed.sstrace").out.find("(ended early)"), std::string::npos);
  // Of another process than the one that was waited for nothing is known.
  unsetenv("TEST_OWN_PID");
  EXPECT_NE(run_cuda("run -o other.sstrace true").err.find("(ended early)"), std::string::npos);
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

TEST_F(LauncherTest, AShimThatWasCutShortIsSaidToBe) {
  const auto ran = test::shell("mkdir -p made/bin made/lib/syncsniff && cp '" INSTRUMENT
                               "' made/bin/instrument && "
                               "head -c $(($(stat -c %s '" TEST_SHIM "') / 2)) '" TEST_SHIM
                               "' > made/lib/syncsniff/libsyncsniff_shim.so && unset SYNCSNIFF_SHIM && "
                               "TEST_CUDA=1 made/bin/instrument run touch started",
                               folder_);
  EXPECT_EQ(ran.status, 2) << ran.err;
  EXPECT_NE(ran.err.find("libsyncsniff_shim.so: not a library, or cut short"), std::string::npos) << ran.err;
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0);
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
  EXPECT_EQ(run("report again.sstrace ./again.sstrace").out, run("report again.sstrace").out) << "one process, once";
  expect_error("report", "report: needs a trace");
  expect_error("report nothing.sstrace", "nothing.sstrace: No such file");
  expect_error("report again.txt", "not a syncsniff trace");
  expect_error("dump /tmp", "is a directory");
  test::shell("mkfifo pipe", folder_);
  expect_error("report pipe", "not a regular file");
  expect_error("undump missing.txt -o x", "missing.txt");
  test::shell("head -c 60000 given.sstrace > short.sstrace", folder_);
  expect_error("report short.sstrace", "short.sstrace: truncated");
}

TEST_F(LauncherTest, TheBorderOfTheUsersCodeCanBeMoved) {
  std::string text =
      "trace start=0 end=900000000\nchunk tid=1\n"
      "code id=1 version=0x30b first_line=20 file=\"/v/lib/python3.11/site-packages/mylib/trainer.py\" name=\"fit\"\n"
      "code id=2 version=0x30b first_line=40 file=\"/home/u/train.py\" name=\"main\"\n"
      "api id=1 text=\"cuCtxSynchronize\"\nstack id=1 python=1:0,2:0\n";
  for (int i = 1; i <= 8; ++i)
    text +=
        "call api=1 class=wait flags=blocked stack=1 begin=" + std::to_string(100000000 * i) + " duration=9000000\n";
  test::write_file(folder_ + "/given.sstrace", reader::undump_trace(text, "text"));
  EXPECT_NE(run("report given.sstrace").out.find(" 1  train.py:40 "), std::string::npos);
  const auto moved = run("report --user-code mylib given.sstrace");
  EXPECT_NE(moved.out.find(" 1  trainer.py:20 "), std::string::npos) << moved.out;
  EXPECT_EQ(run("report --user-code=mylib --library-code trainer.py given.sstrace").out.find("trainer.py"),
            std::string::npos);
  const auto ran = run_cuda("run -o t.sstrace --user-code mylib --library-code gone true");
  EXPECT_NE(ran.err.find(" 1  trainer.py:20 "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("note: --library-code=gone matches no file or object of this run\n"), std::string::npos);
  EXPECT_EQ(ran.err.find("--user-code"), std::string::npos) << ran.err;
  EXPECT_EQ(run("report --format=text given.sstrace").out, run("report given.sstrace").out);
  EXPECT_EQ(run("report --format=terminal given.sstrace").out, run("report given.sstrace").out);  // its first name
  expect_error("report --format=xml given.sstrace", "--format: no format 'xml'; there are text, json");
  expect_error("diff --format=jso given.sstrace given.sstrace", "--format: no format 'jso'; did you mean 'json'?");
  const auto json = run("report --format=json --user-code mylib given.sstrace").out;
  EXPECT_NE(json.find("\"code\": \"user\",\n      \"glob\": \"mylib\",\n      \"paths\": 1"), std::string::npos);
  expect_error("report --user-code= given.sstrace",
               "--user-code=: the value is empty; leave the option out, or give one");
  expect_error("run --library-code '[x' true", "--library-code=[x: its [ has no ]");
  expect_error("diff --user-code / a b", "--user-code=/: matches no single folder");
  expect_error("scale --user-code .. --var A=1,2 true", "--user-code=..: paths are matched as the report has them");
}

TEST_F(LauncherTest, SeveralFormatsAreWrittenAtOnce) {
  const std::string text = run("report given.sstrace").out, json = run("report --format=json given.sstrace").out;
  EXPECT_EQ(run("report --format=json:r.json --format=text given.sstrace").out, text);
  EXPECT_EQ(test::read_file(folder_ + "/r.json"), json);
  EXPECT_EQ(run("report --format=json:r2.json --format=text:r2.txt given.sstrace").out, "");
  EXPECT_EQ(test::read_file(folder_ + "/r2.txt"), text);
  EXPECT_EQ(run("report --format=text:r.json given.sstrace").status, 0);
  EXPECT_EQ(test::read_file(folder_ + "/r.json"), text) << "an earlier report is replaced";
  expect_error(
      "report --format=json --format=text given.sstrace",
      "--format: json and text would both go to standard output; give one of them a file, as in --format=text:FILE");
  expect_error("report --format=json:x --format=text:./x given.sstrace",
               "--format: json and text would both go to ./x");
  expect_error("report --format=json: given.sstrace", "--format: json: names no file; give json:FILE");
  expect_error("run --format=json:x --report-file y true", "--report-file=y: every format names a file of its own");
  expect_error("run --format=json:t.sstrace -o t.sstrace touch started", "t.sstrace: named for the trace");
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0) << "the program was started";

  const auto ran = run_cuda("run -o t.sstrace --format=json:t.json --format=text --report-file t.txt true");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(test::read_file(folder_ + "/t.json")[0], '{');
  EXPECT_NE(test::read_file(folder_ + "/t.txt").find("train.cu:60"), std::string::npos);
  const std::string change = run("diff given.sstrace given.sstrace").out;
  EXPECT_EQ(run("diff --format=json:d.json --format=text given.sstrace given.sstrace").out, change);
  EXPECT_EQ(test::read_file(folder_ + "/d.json")[0], '{');
}

}  // namespace
}  // namespace syncsniff
