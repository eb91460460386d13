// Two recordings, compared: figures, lines, notes and limits.
#include "instrument/compare/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/compare/change_gates.h"
#include "instrument/compare/comparison_notes.h"
#include "instrument/compare/comparison_text.h"
#include "tests/instrument/compare/made_run.h"

namespace syncsniff::compare {
namespace {

using test::MadeRun;

Comparison changed(const MadeRun& a, const MadeRun& b) {
  return compare(test::figures_of(a), test::figures_of(b), false);
}

const LineChange* find(const std::vector<LineChange>& lines, const std::string& function,
                       const std::string& kind = "") {
  for (const LineChange& line : lines)
    if (line.line.place.function == function && (kind.empty() || line.kind == kind)) return &line;
  return nullptr;
}

std::string terminal(const Comparison& change) {
  std::ostringstream text;
  write_terminal(change, false, text);
  return text.str();
}

MadeRun faster() {
  MadeRun run;
  run.load_us = 300;
  run.moved = 7;
  return run;
}

TEST(Comparison, AStepThatBecameShorterAndWhy) {
  const Comparison change = changed({}, faster());
  ASSERT_TRUE(change.by_step);
  EXPECT_TRUE(change.step.beyond_noise());
  EXPECT_NEAR(change.a.steps.median_ns - change.b.steps.median_ns, 500e3, 5e3);
  ASSERT_EQ(change.devices.size(), 1u);
  ASSERT_FALSE(change.devices[0].lines.empty());
  const LineChange& load = change.devices[0].lines[0];
  EXPECT_EQ(load.line.place.function, "load()");
  EXPECT_EQ(load.fate(), Fate::kShrank);
  EXPECT_NEAR(load.change_ns(), -500e3, 50e3);
  EXPECT_EQ(load.was.line, 17u);
  EXPECT_EQ(load.line.place.line, 24u);
}

TEST(Comparison, TheCausesAddUpToTheIdleTimeOnBothSides) {
  const Comparison change = changed({}, faster());
  double a = 0, b = 0, idle_a = 0, idle_b = 0;
  for (const Figure& figure : change.devices[0].figures) {
    if (figure.name.rfind("run dry by", 0) == 0) a += *figure.a, b += *figure.b;
    if (figure.name == "GPU idle") idle_a = *figure.a, idle_b = *figure.b;
  }
  EXPECT_NEAR(a, idle_a, 1);
  EXPECT_NEAR(b, idle_b, 1);
  EXPECT_GT(idle_a, idle_b + 450e3);
}

TEST(Comparison, LinesComeAndGo) {
  MadeRun with_copy;
  with_copy.copy_us = 50;
  const Comparison change = changed({}, with_copy);
  const LineChange* copy = find(change.calls, "copy_in()");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->fate(), Fate::kNew);
  EXPECT_NEAR(copy->b_ns, 50e3, 500);
  EXPECT_NEAR(copy->b_bytes, 65536, 1);
  const Comparison back = changed(with_copy, {});
  EXPECT_EQ(find(back.calls, "copy_in()")->fate(), Fate::kGone);
  EXPECT_EQ(back.calls[0].line.place.function, "copy_in()") << "the greatest change comes first";
}

TEST(Comparison, ALineThatAFindingNamesIsFoundAgainByIt) {
  const auto with_finding = [](const MadeRun& run, unsigned line) {
    report::StaticSide side;
    Finding finding;
    finding.rule = "sync-in-loop";
    finding.fingerprint = "0123";
    finding.location = {"src/train.cu", line, 1, line, 9};
    side.findings.push_back(finding);
    const reader::Trace trace = test::trace_of(test::made_text(run));
    const reader::Places places = test::places_of(trace);
    return figures_of_run(report::make_report(trace, places, {}, side));
  };
  MadeRun moved;
  moved.moved = 7;
  moved.wait = "drain()";
  const Comparison change = compare(with_finding({}, 60), with_finding(moved, 67), false);
  const LineChange* wait = find(change.calls, "drain()");
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->rule, "sync-in-loop");
  EXPECT_TRUE(wait->in_a && wait->in_b);
  EXPECT_EQ(wait->was.line, 60u);
}

TEST(Comparison, TwoDriverNamesOfOneCallAreOneLine) {
  MadeRun run;
  run.copy_us = 50;
  std::string text = test::made_text(run);
  text += "api id=4 text=\"cuMemcpyDtoH_v2\"\n";
  size_t copies = 0;
  for (size_t at = 0; (at = text.find("call api=3", at)) != std::string::npos; ++at)
    if (++copies % 2 == 0) text[at + 9] = '4';
  const reader::Trace trace = test::trace_of(text);
  const RunFigures figures = figures_of_run(report::make_report(trace, test::places_of(trace), {}, {}));
  const auto is_copy = [](const CallLine& line) { return line.line.place.function == "copy_in()"; };
  const auto& lines = figures.of_step.lines;
  ASSERT_EQ(std::count_if(lines.begin(), lines.end(), is_copy), 1);
  const double copied = std::find_if(lines.begin(), lines.end(), is_copy)->count;
  EXPECT_NEAR(copied, figures.of_step.launches / 8, 0.01) << "one for eight kernels";
}

TEST(Comparison, TwoRunsThatDifferByTheirJitterAloneAreAlike) {
  MadeRun noisy;
  noisy.jitter_us = 200;
  MadeRun longer = noisy;
  longer.load_us += 4;
  const Comparison change = changed(noisy, longer);
  EXPECT_FALSE(change.step.beyond_noise());
  EXPECT_NE(terminal(change).find("within the noise of the steps"), std::string::npos);
}

TEST(Comparison, WithoutStepsOnOneSideASecondIsCompared) {
  MadeRun stepless;
  stepless.waits = stepless.windows = false;
  stepless.steps = 2;
  const Comparison change = changed({}, stepless);
  EXPECT_FALSE(change.by_step);
  EXPECT_FALSE(change.step.known);
  const std::string text = terminal(change);
  EXPECT_NE(text.find("a second of the run"), std::string::npos) << text;
  EXPECT_NE(text.find("note: no steps were found in B"), std::string::npos) << text;
  EXPECT_NE(text.find("note: B has no windows of GPU activity"), std::string::npos) << text;
  const LineChange* wait = find(change.calls, "wait()");
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->fate(), Fate::kGone);
  EXPECT_GT(wait->a_count, 500) << "a second, not a step";
}

TEST(Comparison, OtherProgramsShareNoFile) {
  MadeRun other;
  other.file = "/home/u/src/eval.cu";
  EXPECT_FALSE(is_same_program(test::figures_of({}), test::figures_of(other)));
  other.file = "/elsewhere/train.cu";
  EXPECT_TRUE(is_same_program(test::figures_of({}), test::figures_of(other)));
}

TEST(Comparison, OtherArgumentsAreTold) {
  MadeRun other;
  other.command = "./train\\x00--batch\\x0064";
  EXPECT_NE(terminal(changed({}, other)).find("note: the command lines differ"), std::string::npos);
  EXPECT_EQ(terminal(changed({}, {})).find("note:"), std::string::npos);
}

TEST(Comparison, NoLineOfTheReportIsTooLong) {
  MadeRun long_names = faster();
  long_names.load = std::string(300, 'f') + "()";
  long_names.command = std::string(300, 'c');
  for (const Comparison& change : {changed({}, long_names), changed(long_names, {}), changed({}, {})}) {
    std::istringstream lines(terminal(change));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), size_t{report::kReportWidth}) << line;
  }
}

// The whole text, letter for letter. SYNCSNIFF_REWRITE_GOLDEN=1 rewrites the expectation; read the difference.
TEST(Comparison, Golden) {
  MadeRun before, after = faster();
  before.copy_us = 50;
  after.kernels = 2;
  after.kernel_us = 40;
  after.command = "./train\\x00--fused";
  Comparison change = changed(before, after);
  change.a.path = "before.sstrace";
  change.b.path = "after.sstrace";
  const std::string text = terminal(change), path = std::string(SYNCSNIFF_TWINS) + "/made_runs.diff";
  if (std::getenv("SYNCSNIFF_REWRITE_GOLDEN") != nullptr) test::write_file(path, text);
  EXPECT_EQ(text, test::read_file(path)) << "SYNCSNIFF_REWRITE_GOLDEN=1 rewrites " << path;
}

TEST(Comparison, JsonSaysTheSame) {
  std::ostringstream text;
  const Comparison change = changed({}, faster());
  write_json(change, text);
  const auto json = nlohmann::json::parse(text.str());
  EXPECT_EQ(json["format"], "syncsniff-diff");
  EXPECT_EQ(json["per"], "step");
  EXPECT_TRUE(json["step"]["beyond_noise"].get<bool>());
  EXPECT_LT(json["step"]["interval"][0].get<double>(), json["step"]["ratio"].get<double>());
  EXPECT_NEAR(json["limits"]["step_ms"]["change"].get<double>(), -0.5, 0.005);
  EXPECT_EQ(json["gpu"][0]["idle_lines"][0]["was"]["line"], 17);
  EXPECT_EQ(json["calls"].size(), change.calls.size());
}

std::vector<std::string> failed(const Comparison& change, const std::vector<std::string>& texts) {
  std::vector<report::Gate> gates;
  for (const std::string& text : texts) gates.push_back(report::parse_gate(text));
  return check_gates(change, gates).failed;
}

TEST(ChangeGates, FailOnTheirSideOfTheLimitAlone) {
  const Comparison slower = changed(faster(), {});
  EXPECT_TRUE(
      failed(slower, {"step_ms>+0.6", "step_ms>+200%", "idle_pct<-1", "step_ms>2", "launches_per_step>+0"}).empty());
  EXPECT_EQ(failed(slower, {"step_ms>+2%", "step_ms>+0.2", "idle_pct>+5", "busy_pct<-5", "step_ms>0.5"}).size(), 5u);
  EXPECT_EQ(failed(slower, {"step_ms>0.5"})[0].rfind("--fail-on=step_ms>0.5: step_ms is 1.05", 0), 0u);
  EXPECT_NE(failed(slower, {"step_ms>+2%"})[0].find("step_ms changed by +"), std::string::npos);
}

TEST(ChangeGates, AStepTimeWithinTheNoiseFailsNothing) {
  MadeRun noisy;
  noisy.jitter_us = 200;
  MadeRun longer = noisy;
  longer.load_us += 4;
  const GateResult result = check_gates(changed(noisy, longer), {report::parse_gate("step_ms>+0.1%")});
  EXPECT_TRUE(result.failed.empty());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("within the noise of the steps: not failed"), std::string::npos);
}

TEST(ChangeGates, WhatOneSideDoesNotTellIsNotPassed) {
  MadeRun without;
  without.windows = false;
  EXPECT_EQ(failed(changed(without, {}), {"idle_pct>+99"})[0].find("--fail-on=idle_pct>+99: A does not contain"), 0u);
  EXPECT_EQ(failed(changed({}, without), {"idle_pct>99"})[0].find("--fail-on=idle_pct>99: B does not contain"), 0u);
}

}  // namespace
}  // namespace syncsniff::compare
