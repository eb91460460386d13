// `ulimit -f` under `syncsniff run`: an error that says what to do, or a report of what there is; never SIGXFSZ.
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

constexpr const char* kRemedy = "File too large; raise the file size limit (ulimit -f unlimited)";

class FileLimitTest : public LauncherTest {
 protected:
  static std::string built(const std::string& path) { return SHIM_TREE "/" + path; }
  // In an sh's `ulimit -f` one is 512 bytes.
  test::Ran limited(int blocks, const std::string& arguments, const std::string& before = "") {
    return test::shell(before + "ulimit -f " + std::to_string(blocks) + "; exec '" INSTRUMENT "' " + arguments,
                       folder_);
  }
};

TEST_F(FileLimitTest, TooLowForATraceIsSeenBeforeTheStart) {
  const auto ran = limited(128, "run -o t.sstrace touch started");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, std::string("syncsniff: error: t.sstrace: no room for a trace: ") + kRemedy + "\n");
  EXPECT_EQ(test::shell("ls", folder_).out, "given.sstrace\n");
}

// The shipped shim over the fake driver: the trace takes all that the limit gives, so the lines find no room.
TEST_F(FileLimitTest, ReachedInTheRunGivesTheReportAndTheProgramsStatus) {
  setenv("SYNCSNIFF_SHIM", built("lib/syncsniff/libsyncsniff_shim.so").c_str(), 1);
  const std::string client = built("tests/clients/syncsniff_driver_client") + "' proc fill_trace";
  const std::string driver = "LD_LIBRARY_PATH='" + built("tests/fake_driver") + "'; export LD_LIBRARY_PATH; ";
  const auto ran = limited(2400, "run -o t.sstrace '" + client, driver);
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_NE(ran.err.find("scenarios.cpp:"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("note: the disk was full or the file size limit (ulimit -f) was reached"), std::string::npos);
  EXPECT_NE(ran.err.find("note: no room for the program's lines in the trace"), std::string::npos) << ran.err;
  // The trace is whole, and nothing of the lines stays behind its last chunk.
  const auto again = run("report t.sstrace");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.out.find("scenarios.cpp:"), std::string::npos) << again.out;
  EXPECT_EQ(test::read_file(folder_ + "/t.sstrace").size() % 65536, 4096u);
  EXPECT_EQ(limited(2400, "run -q -o q.sstrace '" + client, driver).status, 7);
}

TEST_F(FileLimitTest, TheProgramGetsTheSignalAsItWas) {
  const std::string look = "grep -E 'Sig(Ign|Cgt|Blk)' /proc/self/status";
  for (const char* before : {"", "trap '' XFSZ; "}) {
    const auto bare = test::shell(before + look, folder_);
    const auto ran = test::shell(before + ("TEST_CUDA=1 '" INSTRUMENT "' run -q " + look), folder_);
    EXPECT_NE(ran.out.find("SigIgn"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, bare.out) << before;
  }
  EXPECT_EQ(run_cuda("run -q sh -c 'ulimit -f 1; exec head -c 9999 /dev/zero > big'").status, 128 + SIGXFSZ);
}

TEST_F(FileLimitTest, OutputIsWholeOrNotThereAndTheErrorSaysWhatToDo) {
  const auto dumped = limited(1, "dump given.sstrace > dump.txt");
  EXPECT_EQ(dumped.status, 2);
  EXPECT_EQ(dumped.err, std::string("syncsniff: error: standard output: cannot be written: ") + kRemedy + "\n");
  EXPECT_EQ(limited(1, "report given.sstrace > report.txt").err, dumped.err);
  test::write_file(folder_ + "/whole.txt", run("dump given.sstrace").out);
  const auto undumped = limited(1, "undump whole.txt -o again.sstrace");
  EXPECT_EQ(undumped.status, 2);
  EXPECT_EQ(undumped.err, std::string("syncsniff: error: again.sstrace: cannot be written: ") + kRemedy + "\n");
  EXPECT_NE(access((folder_ + "/again.sstrace").c_str(), F_OK), 0);
}

}  // namespace
}  // namespace syncsniff
