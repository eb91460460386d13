// Limits that a run must keep.
#include "instrument/report/gates.h"

#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff::report {
namespace {

struct Made {
  reader::Trace trace;
  reader::Places places;
  RunReport report;
};

std::vector<std::string> failed(const std::string& twin, const std::vector<std::string>& texts) {
  reader::Trace trace = test::trace_of(test::read_file(std::string(SYNCSNIFF_TWINS) + "/" + twin));
  const reader::Places places = test::places_of(trace);
  const RunReport report = make_report(trace, places, {}, {});
  std::vector<Gate> gates;
  for (const std::string& text : texts) gates.push_back(parse_gate(text));
  return failed_gates(report, gates);
}

TEST(Gates, FailOnTheirSideOfTheLimitAlone) {
  // Windows of a GPU that is busy for a tenth of a step of 1 ms, and waits for 15 us in it.
  EXPECT_TRUE(failed("windowed.txt", {"idle_pct>95", "busy_pct<5", "sync_ms_per_step>0.02", "step_ms>1.1"}).empty());
  const auto lines = failed("windowed.txt", {"idle_pct>80", "busy_pct < 20", "sync_ms_per_step>0.01", "step_ms<2"});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].find("--fail-on=idle_pct>80: idle_pct is 90"), 0u) << lines[0];
  EXPECT_EQ(lines[2], "--fail-on=sync_ms_per_step>0.01: sync_ms_per_step is 0.015");
}

// Of the 76.5 % of a step that the host runs no CUDA call, it waits for a thread in 33, as the report says, too.
TEST(Gates, HostCodeThatWaitsForOthersIsNoHostCode) {
  EXPECT_TRUE(failed("windowed.txt", {"host_code_pct>44", "launching_pct>12"}).empty());
  EXPECT_EQ(failed("windowed.txt", {"host_code_pct>43"}).size(), 1u);
}

TEST(Gates, WhatWasNotMeasuredIsNotPassed) {
  const auto lines = failed("trainer.txt", {"idle_pct>99", "step_ms>100"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("does not contain idle_pct"), std::string::npos);
}

TEST(Gates, BadOnesNameWhatMayBeWritten) {
  for (const char* text :
       {"idle", "idle_pct", "idle_pct>", "idle_pct>much", "idle_pct>3x", ">3", "speed>1", "idle_pct>nan"})
    EXPECT_THROW(parse_gate(text), GateError) << text;
  try {
    parse_gate("speed>1");
  } catch (const GateError& error) {
    EXPECT_NE(std::string(error.what()).find("one of idle_pct, busy_pct"), std::string::npos);
  }
}

TEST(Gates, ASignMakesALimitOneOnAChange) {
  EXPECT_FALSE(parse_gate("idle_pct>30").of_change);
  EXPECT_TRUE(parse_gate("idle_pct>+5").of_change);
  EXPECT_EQ(parse_gate("busy_pct< -5").limit, -5);
  const Gate percent = parse_gate("step_ms>+2%");
  EXPECT_TRUE(percent.of_change && percent.percent);
  EXPECT_EQ(percent.limit, 2);
  for (const char* text : {"step_ms>2%", "step_ms>+", "step_ms>+-2", "step_ms>--2", "step_ms>+2%%", "step_ms>+%"})
    EXPECT_THROW(parse_gate(text), GateError) << text;
}

}  // namespace
}  // namespace syncsniff::report
