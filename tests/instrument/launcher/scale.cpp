// `syncsniff scale` from outside: real processes, a stand-in for the shim, no GPU.
#include "tests/instrument/compare/made_run.h"
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

// A program's run leaves the trace that was made for its BATCH.
class ScaleTest : public LauncherTest {
 protected:
  void SetUp() override {
    LauncherTest::SetUp();
    for (uint64_t kernel_us : {10, 20, 400, 800}) {
      test::MadeRun made;
      made.kernel_us = kernel_us;
      const std::string name = folder_ + "/given.sstrace." + std::to_string(kernel_us);
      test::write_file(name, reader::undump_trace(test::made_text(made), name));
    }
    setenv("TEST_TRACE_BY", "BATCH", 1);
    unsetenv("BATCH");
  }
  void TearDown() override {
    unsetenv("TEST_TRACE_BY");
    LauncherTest::TearDown();
  }
};

TEST_F(ScaleTest, RunsOnceForEachValueAndTellsWhereItTurns) {
  const auto ran = run_cuda("scale -o s --var BATCH=800,10,400,20 -- sh -c 'echo $BATCH $0' '<{BATCH}>'");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "10 <10>\n20 <20>\n400 <400>\n800 <800>\n");
  EXPECT_EQ(ran.err.rfind("syncsniff: run 1 of 4: BATCH=10\n", 0), 0u) << ran.err;
  EXPECT_NE(ran.err.find("overhead-bound"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("GPU-bound"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("the step time starts to grow between BATCH=20 and 400"), std::string::npos) << ran.err;
  EXPECT_EQ(run("report 's-BATCH=400.sstrace'").status, 0);
}

TEST_F(ScaleTest, TheFirstFailureEndsTheSeriesWithItsStatus) {
  const auto ran = run_cuda("scale -o s --var BATCH=10,20,400,800 -- sh -c '[ $BATCH -lt 400 ] || exit 7'");
  EXPECT_EQ(ran.status, 7);
  EXPECT_NE(ran.err.find("syncsniff: error: BATCH=400: ended with status 7; 1 run left undone\n"), std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("run 2 times, once for each value"), std::string::npos) << "those before it are told";
  EXPECT_EQ(ran.err.find("run 4 of 4"), std::string::npos) << ran.err;
  const auto first = run_cuda("scale -o t --var BATCH=10,20 -- sh -c 'exit 5'");
  EXPECT_EQ(first.status, 5);
  EXPECT_EQ(first.err.find("regime"), std::string::npos) << "one point is no curve";
}

TEST_F(ScaleTest, JsonGoesWhereTheReportIsWanted) {
  const auto ran =
      run_cuda("scale -o s --format json --report-file s.json --var BATCH=10,20 -- sh -c 'echo loss {BATCH}'");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "loss 10\nloss 20\n");
  EXPECT_EQ(ran.err, "syncsniff: run 1 of 2: BATCH=10\nsyncsniff: run 2 of 2: BATCH=20\n");
  EXPECT_NE(test::read_file(folder_ + "/s.json").find("\"syncsniff-scale\""), std::string::npos);
}

TEST_F(ScaleTest, WhatCanBeKnownToFailDoesSoBeforeTheFirstRun) {
  expect_error("scale -- sh", "scale: --var is missing");
  expect_error("scale --var BATCH=1,2", "scale: no command given");
  expect_error("scale --var BATCH=1 -- sh", "a curve needs two values or more");
  expect_error("scale --var BATCH=1,2 -- ./gone", "gone");
  expect_error("scale --var BATCH=1,2 --timeline=some -- sh", "use windows, full or off");
  test::write_file(folder_ + "/s-BATCH=20.sstrace", "mine");
  expect_error("scale -o s --var BATCH=10,20 -- touch started", "s-BATCH=20.sstrace");
  EXPECT_NE(access((folder_ + "/started").c_str(), F_OK), 0);
}

TEST_F(ScaleTest, AProgramWithoutCudaEndsTheSeries) {
  const auto ran = run("scale -o s --var BATCH=10,20 -- true");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("no trace was written"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("run 2 of 2"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace syncsniff
