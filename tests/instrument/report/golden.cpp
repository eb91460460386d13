// The terminal report, letter for letter. SYNCSNIFF_REWRITE_GOLDEN=1 rewrites the expectation; read the difference.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/report/ranks.h"
#include "instrument/report/report.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

report::StaticSide static_side() {
  report::StaticSide side;
  side.given = true;
  auto add = [&](const char* rule, unsigned line, const char* message, const char* fix) {
    Finding finding;
    finding.rule = rule;
    finding.message = message;
    finding.location = {"src/train.cu", line, 5, line, 40};
    finding.fix.description = fix;
    side.findings.push_back(finding);
  };
  add("sync-in-loop", 60,
      "cudaDeviceSynchronize waits for the device in the training loop, and the host reads the next batch before it "
      "launches again",
      "delete the wait, or wait on an event one step late");
  side.findings.back().callee = "cudaDeviceSynchronize";
  add("scalar-readback", 52, "4 bytes are fetched from the device each step",
      "read the loss some steps late with syncsniff::DeferredScalar");
  add("redundant-sync", 99, "nothing was enqueued since the wait before", "delete it");
  add("async-timing", 33, "the clock is read before the work has ended", "wait first");
  Finding loop;
  loop.rule = "per-tensor-loop";
  loop.message = "one kernel is launched for each tensor";
  loop.location = {"src/train.cu", 70, 3, 70, 9};
  loop.scope = {"src/train.cu", 69, 3, 73, 4};
  loop.fix.description = "sum all tensors in one launch with syncsniff/multi_tensor.cuh";
  side.findings.push_back(loop);
  Rule launching, measuring;
  launching.group = "launching";
  launching.thresholds = {{"min_launches_per_step", 8}};
  measuring.group = "measuring";
  side.rules = {{"per-tensor-loop", launching}, {"async-timing", measuring}};
  return side;
}

struct Made {
  std::string terminal, json;
};

Made make(const std::string& text, const report::StaticSide& side) {
  const auto trace = test::trace_of(text);
  const auto places = test::places_of(trace);
  const auto report = report::make_report(trace, places, {}, side);
  std::ostringstream terminal, json;
  report::write_terminal(report, false, terminal);
  report::write_json(report, {}, json);
  return {terminal.str(), json.str()};
}

void expect_golden(const std::string& text, const std::string& name) {
  const std::string path = std::string(SYNCSNIFF_TWINS) + "/" + name;
  if (std::getenv("SYNCSNIFF_REWRITE_GOLDEN") != nullptr) test::write_file(path, text);
  EXPECT_EQ(text, test::read_file(path)) << "SYNCSNIFF_REWRITE_GOLDEN=1 rewrites " << path;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), size_t{report::kReportWidth}) << line;
}

std::string twin(const char* name) { return test::read_file(std::string(SYNCSNIFF_TWINS) + "/" + name); }

TEST(Golden, Trainer) { expect_golden(make(twin("trainer.txt"), static_side()).terminal, "trainer.report"); }
TEST(Golden, TrainerWithoutFindings) { expect_golden(make(twin("trainer.txt"), {}).terminal, "trainer_alone.report"); }
TEST(Golden, Windows) { expect_golden(make(twin("windowed.txt"), {}).terminal, "windowed.report"); }
TEST(Golden, WindowsInJsonAddUp) {
  const auto json = nlohmann::json::parse(make(twin("windowed.txt"), {}).json);
  const auto& gpu = json["gpu"].at(0);
  double host = 0, causes = 0;
  for (const auto& line : gpu["host"]) host += line["per_step_ns"].get<double>();
  for (const auto& [cause, ns] : gpu["idle_by_cause"].items()) causes += ns.get<double>();
  EXPECT_NEAR(host, gpu["step"]["idle_ns"].get<double>(), 0.01 * host);
  EXPECT_EQ(causes, gpu["idle_ns"].get<double>());
  EXPECT_NEAR(gpu["step"]["busy_ns"].get<double>() / gpu["step"]["ns"].get<double>(), 8 * 12 / 1000.0, 0.03);
}
TEST(Golden, WindowsThatNeverOpenedAreTold) {
  std::string text = twin("trainer.txt");
  text.replace(text.find("trace "), 6, "trace timeline=1 ");
  EXPECT_NE(make(text, {}).terminal.find("for a window of GPU activity"), std::string::npos);
  text += "note text=\"no GPU timeline: another profiler holds CUPTI\"\n";
  const std::string explained = make(text, {}).terminal;
  EXPECT_EQ(explained.find("for a window of GPU activity"), std::string::npos) << "said already";
}
TEST(Golden, EveryRecord) { expect_golden(make(twin("every_record.txt"), {}).terminal, "every_record.report"); }

// The first steps of real runs on an H200, cut with twins/trim.py: samples/mlp_cuda/bad and samples/mlp_pytorch.
TEST(Golden, RealCudaTrainer) { expect_golden(make(twin("mlp_cuda.txt"), {}).terminal, "mlp_cuda.report"); }
TEST(Golden, RealPyTorchTrainer) { expect_golden(make(twin("mlp_pytorch.txt"), {}).terminal, "mlp_pytorch.report"); }

TEST(Golden, AKilledRunSaysSo) {
  std::string text = twin("trainer.txt");
  text.replace(text.find(" end=16000000 stop_reason=1"), 27, "");
  const std::string report = make(text, {}).terminal;
  EXPECT_NE(report.find("(ended early)"), std::string::npos);
  EXPECT_NE(report.find("note: the run ended early"), std::string::npos);
}

TEST(Golden, AProgramThatLeftByExitWasNotKilled) {
  std::string text = twin("trainer.txt");
  text.replace(text.find(" end=16000000"), 13, "");
  const Made made = make(text, {});
  EXPECT_EQ(made.terminal.find("ended early"), std::string::npos);
  EXPECT_NE(made.terminal.find("note: the program left by _exit"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(made.json)["ended_early"], false);
}

TEST(Golden, ARunThatOnlyLaunchesSaysSo) {
  const std::string report =
      make("trace start=0 end=900000000\nchunk tid=1\n" + test::plain_stacks(2) +
               "count api=2 class=launch stack=2 device=0 count=4000 total=8000000 first=1000 last=850000000\n"
               "burst launches=4000 begin=1000 end=850000000 first_stack=2 last_stack=2\n",
           {})
          .terminal;
  EXPECT_NE(report.find("900 ms on GPU 0\n"), std::string::npos) << report;
  EXPECT_NE(report.find("no steps found: no call in this run waited for the GPU"), std::string::npos) << report;
  EXPECT_NE(report.find("4,000 launches"), std::string::npos) << report;
  EXPECT_NE(report.find("No waits were found: nothing in this run makes the host wait"), std::string::npos) << report;
}

TEST(Golden, ARunWithoutARecordedMomentPredictsNothingAndSaysNothingOfIt) {
  const std::string report = make("trace start=5 stop_reason=1\nchunk tid=1\ncall class=other begin=5\n", {}).terminal;
  EXPECT_EQ(report.find("replay"), std::string::npos) << report;
}

TEST(Golden, ARunThatNeverWaitsHasNoSteps) {
  std::string text = "trace start=0 end=900000000\nchunk tid=1\n" + test::plain_stacks(3);
  for (int i = 1; i <= 8; ++i)
    text += "call api=1 class=module stack=1 begin=" + std::to_string(100000000 * i) + " duration=3000000\n";
  text += "burst launches=4000 begin=1000 end=850000000 first_stack=2 last_stack=2\n";
  const std::string report = make(text, {}).terminal;
  EXPECT_NE(report.find("no steps found: no call in this run waited for the GPU"), std::string::npos);
  EXPECT_NE(report.find("No waits were found"), std::string::npos) << report;
  EXPECT_NE(report.find("note: loading GPU code blocked the host for 24.0 ms"), std::string::npos) << report;
  EXPECT_EQ(report.find("predicted"), std::string::npos) << report;
}

TEST(Golden, ThreadsThatWaitAtTheSameTimeAreSaidToBeSeveral) {
  std::string text = "trace start=0 end=100000000\n";
  for (int tid = 1; tid <= 3; ++tid) {
    text += "chunk tid=" + std::to_string(tid) + "\n" + (tid == 1 ? test::plain_stacks(2) : "");
    text += "call api=1 class=wait flags=blocked stack=" + std::to_string(tid == 1 ? 1 : 2) +
            " begin=10000000 duration=80000000\n";
  }
  const Made made = make(text, {});
  EXPECT_NE(made.terminal.find("host blocked 240 ms (several threads)"), std::string::npos) << made.terminal;
  const auto json = nlohmann::json::parse(made.json);
  // Nothing was enqueued that the waits could be for, so no replay says less than the bound: all the time there is.
  EXPECT_EQ(json["replay"]["usable"], false);
  EXPECT_EQ(json["lines"].size(), 2u);
  for (const auto& line : json["lines"]) {
    EXPECT_LE(line["saves_per_step_ns"], 100000000) << line;
    EXPECT_GE(line["saves_per_step_ns"], 80000000) << line;
  }
}

TEST(Golden, JsonHasTheSameNumbers) {
  const auto json = nlohmann::json::parse(make(twin("trainer.txt"), static_side()).json);
  EXPECT_EQ(json["steps"]["median_ns"], 1000000);
  EXPECT_EQ(json["lines"][1]["rule"], "sync-in-loop");
  EXPECT_EQ(json["lines"][1]["verdict"], "confirmed");
  EXPECT_EQ(json["lines"][1]["what"], "cuCtxSynchronize");
  EXPECT_EQ(json["lines"][1]["call"], "cudaDeviceSynchronize");
  EXPECT_EQ(json["lines"][1]["run"]["idle_ns"], 12 * 393000);
  EXPECT_EQ(json["totals"]["run"]["idle_ns"], 12 * 393000);
  EXPECT_EQ(json["command"][2], "12");
}

}  // namespace
}  // namespace syncsniff
