// `syncsniff diff` from outside.
#include "tests/instrument/compare/made_run.h"
#include "tests/instrument/launcher/launcher_fixture.h"

namespace syncsniff {
namespace {

class DiffTest : public LauncherTest {
 protected:
  void write_trace(const std::string& name, const test::MadeRun& run) {
    test::write_file(folder_ + "/" + name, reader::undump_trace(test::made_text(run), name));
  }
  void SetUp() override {
    LauncherTest::SetUp();
    write_trace("a.sstrace", {});
    test::MadeRun after;
    after.load_us = 300;
    write_trace("b.sstrace", after);
  }
};

TEST_F(DiffTest, TellsTheDifferenceOnStandardOutput) {
  const auto ran = run("diff a.sstrace b.sstrace");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.rfind("A  a.sstrace\n", 0), 0u) << ran.out;
  EXPECT_NE(ran.out.find("B is faster by more than the noise"), std::string::npos) << ran.out;
  EXPECT_EQ(run("diff --format=json a.sstrace b.sstrace").out[0], '{');
}

TEST_F(DiffTest, LimitsAreKeptOrTheStatusIsThree) {
  EXPECT_EQ(run("diff a.sstrace b.sstrace --fail-on 'step_ms>+2%'").status, 0);
  const auto refused = run("diff b.sstrace a.sstrace --fail-on 'step_ms>+2%' --fail-on 'idle_pct>+5'");
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 2) << refused.err;
  EXPECT_NE(refused.out.find("B is slower"), std::string::npos) << "the comparison is told all the same";
}

TEST_F(DiffTest, WhatCannotBeComparedIsSaid) {
  expect_error("diff a.sstrace", "diff: needs two traces");
  expect_error("diff a.sstrace b.sstrace a.sstrace", "diff: needs two traces");
  expect_error("diff a.sstrace gone.sstrace", "gone.sstrace: No such file");
  expect_error("diff a.sstrace b.sstrace --fail-on 'speed>+1'", "one of idle_pct");
  expect_error("diff a.sstrace b.sstrace --step line:train.cu:9", "a.sstrace: ");
  expect_error("run --fail-on 'step_ms>+2%' true", "a limit with a sign is for a change");
  expect_error("report --fail-on 'step_ms>+2%' a.sstrace", "give it to `syncsniff diff A B`");
  run("report --format=json a.sstrace > a.json");
  expect_error("diff a.json b.sstrace", "a.json: a JSON report, not a trace");
  expect_error("diff given.sstrace /tmp", "is a directory");
  test::shell("mkfifo pipe", folder_);
  expect_error("diff pipe b.sstrace", "not a regular file");
  expect_error("diff a.sstrace b.sstrace --fail-on 'step_ms>2%'", "needs a sign: step_ms>+2%");
  test::MadeRun other;
  other.file = "/home/u/src/eval.cu";
  write_trace("other.sstrace", other);
  expect_error("diff a.sstrace other.sstrace", "are of different programs (`./train`, `./train`)");
  const auto totals = run("diff --totals a.sstrace other.sstrace");
  EXPECT_EQ(totals.status, 0);
  EXPECT_EQ(totals.out.find("train.cu:17"), std::string::npos) << totals.out;
  EXPECT_NE(totals.out.find("GPU busy"), std::string::npos) << totals.out;
}

TEST_F(DiffTest, SeveralRecordingsOfEachVersion) {
  for (int i = 1; i <= 3; ++i) {
    test::MadeRun made;
    made.load_us = 800 + 40 * static_cast<uint64_t>(i);
    write_trace("a" + std::to_string(i), made);
    made.load_us += 20;
    write_trace("b" + std::to_string(i), made);
  }
  const auto noise = run("diff a1 a2 a3 -- b1 b2 b3 --");
  EXPECT_EQ(noise.status, 2) << "what stands after -- are traces";
  const auto alike = run("diff --fail-on 'step_ms>+1%' a1 a3 a2 -- b3 b1 b2");
  EXPECT_EQ(alike.status, 0) << alike.err;
  EXPECT_NE(alike.out.find("3 recordings, lines are shown of this one; step times: 1.09 ms, 1.13 ms, 1.17 ms"),
            std::string::npos)
      << alike.out;
  EXPECT_EQ(alike.out.rfind("A  a2\n", 0), 0u) << alike.out;
  EXPECT_NE(alike.out.find("within the noise"), std::string::npos) << alike.out;
  const auto faster = run("diff a1 a2 a3 -- b.sstrace b.sstrace");
  EXPECT_NE(faster.out.find("B is faster"), std::string::npos) << faster.out;
  EXPECT_EQ(faster.out.find("of these two recordings"), std::string::npos) << faster.out;
  // One of each alone looks like a change.
  EXPECT_EQ(run("diff --fail-on 'step_ms>+1%' a1 b1").status, 3);
  expect_error("diff a1 a2 -- ", "diff: needs two traces");
}

TEST_F(DiffTest, EachSideMayCountItsStepsAtItsOwnLine) {
  test::MadeRun moved;
  moved.moved = 7;
  write_trace("moved.sstrace", moved);
  expect_error("diff a.sstrace moved.sstrace --step line:train.cu:60", "moved.sstrace: ");
  const auto ran = run("diff a.sstrace moved.sstrace --step line:train.cu:60 --step-b line:train.cu:67");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("within the noise"), std::string::npos) << ran.out;
}

TEST_F(DiffTest, TheBorderOfTheUsersCodeIsMovedOnBothSides) {
  const auto ran = run("diff --library-code other.cu --user-code train.cu a.sstrace b.sstrace");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("note: --library-code=other.cu matches no file or object of either recording\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(ran.out.find("--user-code"), std::string::npos) << ran.out;
  const auto json = run("diff --format=json --user-code train.cu a.sstrace b.sstrace").out;
  EXPECT_NE(json.find("\"glob\": \"train.cu\",\n        \"paths\": 1"), std::string::npos) << json;
}

}  // namespace
}  // namespace syncsniff
