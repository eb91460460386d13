#include "instrument/report/verdicts.h"

#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using report::Verdict;

Finding finding(const std::string& rule, const std::string& file, unsigned line, unsigned end_line = 0) {
  Finding made;
  made.rule = rule;
  made.message = "m";
  made.location = {file, line, 1, end_line == 0 ? line : end_line, 9};
  made.fingerprint = rule + std::to_string(line);
  return made;
}

Rule rule(const std::string& id, const std::string& group) {
  Rule made;
  made.id = id;
  made.group = group;
  made.fix = "the rule's fix";
  if (group == "waiting") made.thresholds = {{"min_wait_us", 50}, {"min_share_pct", 1}};
  if (group == "launching") made.thresholds = {{"min_launches_per_step", 8}, {"min_share_pct", 1}};
  return made;
}

class VerdictsTest : public testing::Test {
 protected:
  VerdictsTest() {
    for (const char* id : {"sync-in-loop", "scalar-readback", "blocking-copy-in-loop", "redundant-sync"})
      side_.rules[id] = rule(id, "waiting");
    side_.rules["per-tensor-loop"] = rule("per-tensor-loop", "launching");
    side_.rules["async-timing"] = rule("async-timing", "measuring");
    side_.given = true;
  }
  report::Verdicts judge(const std::string& text) {
    trace_ = test::trace_of(text);
    const auto places = test::places_of(trace_);
    analysis_ = timeline::analyse(trace_, places);
    return report::judge(trace_, places, analysis_, side_);
  }
  report::Verdicts trainer() { return judge(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt")); }
  static const report::Line* of(const report::Verdicts& verdicts, const std::string& rule_id) {
    for (const auto& line : verdicts.lines)
      if (line.finding != nullptr && line.finding->rule == rule_id) return &line;
    return nullptr;
  }
  report::StaticSide side_;
  reader::Trace trace_;
  timeline::Analysis analysis_;
};

TEST_F(VerdictsTest, EachVerdictOfATrainer) {
  side_.findings = {finding("sync-in-loop", "src/train.cu", 58, 62),
                    finding("scalar-readback", "/elsewhere/src/train.cu", 52),
                    finding("redundant-sync", "src/train.cu", 99), finding("async-timing", "src/train.cu", 40)};
  const auto verdicts = trainer();
  EXPECT_EQ(of(verdicts, "sync-in-loop")->verdict, Verdict::kConfirmed);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->run.calls, 12u);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->run.idle_ns, 12 * 393000u);
  EXPECT_EQ(of(verdicts, "scalar-readback")->verdict, Verdict::kConfirmed);
  EXPECT_EQ(of(verdicts, "redundant-sync")->verdict, Verdict::kNotExecuted);
  EXPECT_EQ(of(verdicts, "async-timing")->verdict, Verdict::kNotMeasured);
  // The read-back and the wait right after it hide each other: alone neither gains, together they gain the idle time.
  EXPECT_LT(of(verdicts, "sync-in-loop")->alone_ns, 50000);
  EXPECT_LT(of(verdicts, "scalar-readback")->alone_ns, 50000);
  EXPECT_GT(of(verdicts, "sync-in-loop")->saves_ns, 150000);
  EXPECT_GT(of(verdicts, "scalar-readback")->saves_ns, 150000);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->call, "cudaDeviceSynchronize");
  double sum = 0;
  for (const auto& line : verdicts.lines)
    if (line.verdict != Verdict::kCheap) sum += line.saves_ns;
  EXPECT_NEAR(sum, verdicts.joint_saving_ns, 1);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->fix, "the rule's fix");
  bool copy_seen = false;
  for (const auto& line : verdicts.lines) copy_seen |= line.verdict == Verdict::kRunOnly && line.place.line == 40;
  EXPECT_TRUE(copy_seen);
}

TEST_F(VerdictsTest, ALaunchLoopIsMeasuredByItsScope) {
  auto loop = finding("per-tensor-loop", "train.cu", 70);
  loop.scope = {"train.cu", 69, 1, 73, 2};
  side_.findings = {loop};
  const auto verdicts = trainer();
  EXPECT_EQ(of(verdicts, "per-tensor-loop")->verdict, Verdict::kConfirmed);
  EXPECT_EQ(of(verdicts, "per-tensor-loop")->run.launches, 120u);
}

TEST_F(VerdictsTest, TheInnermostFrameWithAFindingTakesTheCall) {
  side_.findings = {finding("blocking-copy-in-loop", "train.cu", 31), finding("sync-in-loop", "train.cu", 34)};
  auto verdicts = trainer();  // both are callers' lines: the copy at :40 came from :31, the read-back at :52 from :34
  EXPECT_EQ(of(verdicts, "blocking-copy-in-loop")->run.calls, 12u);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->run.blocked_ns, 12 * 390000u);
  side_.findings.push_back(finding("scalar-readback", "train.cu", 52));
  verdicts = trainer();
  EXPECT_EQ(of(verdicts, "scalar-readback")->run.calls, 12u);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->verdict, Verdict::kNotExecuted);
}

TEST_F(VerdictsTest, CheapIsSaid) {
  std::string text = "trace start=0 end=100000000\nchunk tid=1\n" + test::plain_stacks(2) +
                     "call api=1 class=wait flags=blocked stack=1 begin=100 duration=2000\n"
                     "burst launches=1 begin=2200 end=2300 first_stack=1 last_stack=1\n"
                     "call api=1 class=wait flags=blocked stack=2 begin=5000000 duration=50000000\n";
  side_.findings = {finding("sync-in-loop", "train.cu", 10), finding("redundant-sync", "train.cu", 20)};
  const auto verdicts = judge(text);
  EXPECT_EQ(of(verdicts, "sync-in-loop")->verdict, Verdict::kCheap);
  EXPECT_EQ(of(verdicts, "redundant-sync")->verdict, Verdict::kConfirmed);
}

// 50 ms of 100 ms in one call.
TEST_F(VerdictsTest, EachThresholdOfARunDecides) {
  const std::string text = "trace start=0 end=100000000\nchunk tid=1\n" + test::plain_stacks(2) +
                           "burst launches=1 begin=2200 end=2300 first_stack=1 last_stack=1\n"
                           "call api=1 class=wait flags=blocked stack=2 begin=5000000 duration=50000000\n";
  side_.findings = {finding("sync-in-loop", "train.cu", 20), finding("per-tensor-loop", "train.cu", 70)};
  side_.findings[1].scope = {"train.cu", 69, 1, 73, 2};
  const auto verdict_with = [&](const char* rule_id, std::map<std::string, double> thresholds, bool whole_trainer) {
    side_.rules[rule_id].thresholds = std::move(thresholds);
    return of(whole_trainer ? trainer() : judge(text), rule_id)->verdict;
  };
  EXPECT_EQ(verdict_with("sync-in-loop", {{"min_wait_us", 49e3}, {"min_share_pct", 20}}, false), Verdict::kConfirmed);
  EXPECT_EQ(verdict_with("sync-in-loop", {{"min_wait_us", 51e3}, {"min_share_pct", 20}}, false), Verdict::kCheap);
  EXPECT_EQ(verdict_with("sync-in-loop", {{"min_wait_us", 49e3}, {"min_share_pct", 51}}, false), Verdict::kCheap);
  EXPECT_EQ(verdict_with("sync-in-loop", {}, false), Verdict::kNotMeasured);
  EXPECT_EQ(verdict_with("per-tensor-loop", {{"min_launches_per_step", 10}, {"min_share_pct", 0}}, true),
            Verdict::kConfirmed);
  EXPECT_EQ(verdict_with("per-tensor-loop", {{"min_launches_per_step", 11}, {"min_share_pct", 0}}, true),
            Verdict::kCheap);
}

TEST_F(VerdictsTest, AnAllocationIsMeasuredWithTheFreeOfItsBuffer) {
  std::string text = "trace start=0 end=100000000\nchunk tid=1\n" + test::plain_stacks(2) +
                     "call api=1 class=allocate stack=1 begin=100 duration=2000\n"
                     "burst launches=1 begin=2200 end=2300 first_stack=1 last_stack=1\n"
                     "call api=2 class=free stack=2 begin=5000000 duration=50000000\n";
  side_.rules["alloc-in-loop"] = rule("alloc-in-loop", "waiting");
  auto pair = finding("alloc-in-loop", "train.cu", 10);
  pair.release = {"train.cu", 20, 1, 20, 9};
  side_.findings = {pair};
  const auto verdicts = judge(text);
  ASSERT_EQ(verdicts.lines.size(), 1u);
  EXPECT_EQ(verdicts.lines[0].verdict, Verdict::kConfirmed);
  EXPECT_EQ(verdicts.lines[0].run.calls, 2u);
}

TEST_F(VerdictsTest, TheMakingOfAnEventIsNotMeasured) {
  auto event = finding("alloc-in-loop", "train.cu", 99);
  event.message = "this line makes an event";  // the sentence is for people: no report reads it
  event.callee = "cudaEventCreateWithFlags";
  side_.findings = {event};
  EXPECT_EQ(of(trainer(), "alloc-in-loop")->verdict, Verdict::kNotExecuted) << "without tables nothing is known of it";
  side_.apis = ApiTable::load(SYNCSNIFF_SOURCE_DIR "/rules/apis");
  EXPECT_EQ(of(trainer(), "alloc-in-loop")->verdict, Verdict::kNotMeasured);
}

TEST_F(VerdictsTest, ALineIsNamedByItsFindingsCall) {
  side_.findings = {finding("sync-in-loop", "src/train.cu", 58, 62)};
  side_.findings[0].message = "cudaFree is what this sentence names";
  side_.findings[0].callee = "at::Tensor::item";
  EXPECT_EQ(of(trainer(), "sync-in-loop")->call, ".item()");
  side_.findings[0].callee.clear();
  EXPECT_EQ(of(trainer(), "sync-in-loop")->call.find("cudaFree"), std::string::npos);
}

TEST_F(VerdictsTest, LoadsOfCodeAreNotRankedWhereNoStepIsKnown) {
  const auto verdicts = judge("trace start=0 end=100000000\nchunk tid=1\n" + test::plain_stacks(2) +
                              "call api=1 class=module stack=1 begin=100 duration=20000000\n"
                              "call api=2 class=wait flags=blocked stack=2 begin=50000000 duration=5000000\n");
  ASSERT_EQ(verdicts.lines.size(), 1u);
  EXPECT_EQ(verdicts.lines[0].place.line, 20u);
}

TEST_F(VerdictsTest, OfGuessedStepsNothingIsPredicted) {
  const std::string text = test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt");
  trace_ = test::trace_of(text);
  const auto places = test::places_of(trace_);
  analysis_ = timeline::analyse(trace_, places);
  ASSERT_TRUE(analysis_.predicts());
  analysis_.steps.confidence = "low";
  EXPECT_FALSE(analysis_.predicts());
  EXPECT_EQ(report::judge(trace_, places, analysis_, side_).joint_saving_ns, 0);
}

TEST_F(VerdictsTest, AnAllowedFindingSilencesTheRunToo) {
  auto allowed = finding("sync-in-loop", "train.cu", 60);
  allowed.allowed = true;
  side_.findings = {allowed};
  const auto verdicts = trainer();
  EXPECT_EQ(verdicts.silenced, 1u);
  for (const auto& line : verdicts.lines) EXPECT_NE(line.place.line, 60u);
}

TEST_F(VerdictsTest, TwoRulesOnOneCallAreOneLine) {
  side_.findings = {finding("blocking-copy-in-loop", "train.cu", 52), finding("scalar-readback", "train.cu", 52)};
  const auto verdicts = trainer();
  EXPECT_EQ(of(verdicts, "blocking-copy-in-loop")->also, std::vector<std::string>{"scalar-readback"});
  EXPECT_EQ(of(verdicts, "scalar-readback"), nullptr);
}

TEST_F(VerdictsTest, AFileOfTheSameNameElsewhereLosesToTheNearerPath) {
  side_.findings = {finding("sync-in-loop", "other/train.cu", 60), finding("sync-in-loop", "src/train.cu", 60)};
  const auto verdicts = trainer();
  ASSERT_EQ(of(verdicts, "sync-in-loop")->finding->location.file, "src/train.cu");
  EXPECT_EQ(of(verdicts, "sync-in-loop")->verdict, Verdict::kConfirmed);
}

TEST_F(VerdictsTest, WithoutLinesNothingIsCalledNotExecuted) {
  side_.findings = {finding("sync-in-loop", "train.cu", 60)};
  const auto verdicts = judge(
      "trace start=1 end=900\nchunk tid=1\nmodule begin=0x1000 end=0x2000 path=\"/t\"\nstack id=1 native=0x1100\n"
      "call api=1 class=wait stack=1 begin=100 duration=500\n");
  EXPECT_EQ(of(verdicts, "sync-in-loop")->verdict, Verdict::kNotMeasured);
  EXPECT_NE(of(verdicts, "sync-in-loop")->why_not.find("-g"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff
