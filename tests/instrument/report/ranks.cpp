// Who is late, whose report is shown, and how the ranks stand side by side.
#include "instrument/report/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/report/formats.h"
#include "instrument/report/job.h"
#include "tests/instrument/support.h"

namespace syncsniff::report {
namespace {

Rank rank_of(uint32_t number, double busy, double collective) {
  Rank rank;
  rank.rank = number;
  rank.pid = 40 + number;
  rank.launches = 1000;
  rank.steps = 150;
  rank.step_ns = 4e6;
  rank.measured = true;
  rank.busy = busy;
  rank.idle = 1 - busy;
  rank.collective = collective;
  return rank;
}

std::string written(const std::vector<Rank>& ranks) {
  std::ostringstream out;
  write_ranks(ranks, Style(false), out);
  return out.str();
}

TEST(Ranks, TheOneThatWaitsLeastInCollectivesIsLate) {
  const std::vector<Rank> ranks{rank_of(0, 0.9, 0.7), rank_of(1, 0.25, 0.05), rank_of(2, 0.9, 0.68)};
  EXPECT_EQ(late_rank(ranks), std::optional<size_t>(1));
  EXPECT_EQ(telling_rank(ranks), 1u);
  const std::string text = written(ranks);
  EXPECT_NE(text.find("rank 1 (pid 41) is late"), std::string::npos) << text;
  EXPECT_NE(text.find("up to 65.0 % of a step"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 2 (pid 42)"), std::string::npos) << text;
}

TEST(Ranks, EvenRanksAreNotBlamed) {
  const std::vector<Rank> ranks{rank_of(0, 0.6, 0.2), rank_of(1, 0.5, 0.22)};
  EXPECT_EQ(late_rank(ranks), std::nullopt);
  EXPECT_EQ(telling_rank(ranks), 1u) << "the one whose GPU idles most";
  EXPECT_EQ(written(ranks).find("late"), std::string::npos);
}

TEST(Ranks, WithoutTheGpusSideNobodyIsBlamed) {
  std::vector<Rank> ranks{rank_of(0, 0.9, 0.7), rank_of(1, 0.25, 0.05)};
  ranks[0].measured = false;
  EXPECT_EQ(late_rank(ranks), std::nullopt);
  EXPECT_NE(written(ranks).find("-"), std::string::npos);
}

// Rank 0 of two that trained together: its GPU was hardly idle, since the kernel that waits for the other rank counts
// as work, and steps take longer in the window. All of the idle time is the window's doing; the collectives are not.
TEST(Ranks, AGpuThatIsNeverIdleMayWaitInCollectivesAllTheTime) {
  constexpr uint64_t kMs = 1'000'000, kBefore = 100 * kMs, kWindow = 120 * kMs;
  RunReport report;
  const reader::Trace trace;
  report.trace = &trace;
  timeline::Steps& steps = report.analysis.steps;
  for (uint64_t at = 0, length = 0; at < kBefore + kWindow + kBefore; at += length) {
    length = at >= kBefore && at < kBefore + kWindow ? 6 * kMs : 5 * kMs;
    steps.regular.push_back({at, at + length});
  }
  steps.median_ns = 5 * kMs;
  timeline::DeviceTimeline& device = report.analysis.devices.emplace_back();
  device.windows = {{kBefore, kBefore + kWindow}};
  device.covered_ns = kWindow;
  device.busy_ns = kWindow - 2 * kMs;
  device.idle_ns = 2 * kMs;
  device.collective_ns = device.busy_ns / 10 * 9;
  const Rank rank = summarise(report);
  EXPECT_NEAR(rank.busy, 1, 0.01);
  EXPECT_NEAR(rank.collective, 0.9, 0.01);
}

// Writes the windowed twin with these header fields to folder/name and returns the path.
std::string put_windowed(const std::string& folder, const std::string& name, const std::string& header) {
  std::string text = test::read_file(std::string(SYNCSNIFF_TWINS) + "/windowed.txt");
  text.replace(text.find("trace timeline=1"), 16, "trace timeline=1 " + header);
  test::write_file(folder + "/" + name, reader::undump_trace(text, name));
  return folder + "/" + name;
}

// Two traces of one job, one of them of a process that used no GPU work at all.
TEST(Ranks, AJobIsOneReport) {
  const std::string folder = test::fresh_folder();
  const std::string first = put_windowed(folder, "t", "pid=41 rank_and_one=1"),
                    second = put_windowed(folder, "t.42", "pid=42 rank_and_one=2");
  const std::string empty = folder + "/t.43";
  test::write_file(empty, reader::undump_trace("trace pid=43 start=1000 end=2000\nchunk tid=43\n", "empty"));
  std::ostringstream text, json;
  const Job job = read_job({first, second, empty}, {}, {}, false, {});
  report_formats()[0].write(job, false, text);
  EXPECT_NE(text.str().find("2 processes of this job used a GPU"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("t.42` shows rank 1 (pid 42)"), std::string::npos) << text.str();
  EXPECT_EQ(text.str().find("pid 43"), std::string::npos) << "no noise from a process without GPU work: " << text.str();
  report_formats()[1].write(job, false, json);
  const auto parsed = nlohmann::json::parse(json.str());
  EXPECT_EQ(parsed["ranks"].size(), 2u);
  EXPECT_EQ(parsed["ranks"][1]["rank"], 1);
}

TEST(Ranks, TracesOfAnotherTimeAreQuestioned) {
  const std::string folder = test::fresh_folder();
  const std::string first = put_windowed(folder, "a", "pid=41 start_realtime=1700000000000000000"),
                    at_once = put_windowed(folder, "b", "pid=42 start_realtime=1700000000000000500"),
                    later = put_windowed(folder, "c", "pid=43 start_realtime=1700009000000000000");
  auto said = [](const std::vector<std::string>& traces, bool by_run) {
    const std::vector<std::string> notes = read_job(traces, {}, {}, by_run, {}).shown->report.notes;
    return std::ranges::count_if(
        notes, [](const std::string& note) { return note.find("at another time") != std::string::npos; });
  };
  EXPECT_EQ(said({first, at_once}, false), 0);
  EXPECT_EQ(said({first, later}, false), 1);
  EXPECT_EQ(said({first, later}, true), 0) << "one run started both";
}

// The report is of the rank whose GPU idles most; a limit holds for all of them.
TEST(Ranks, AGateHoldsForEveryRank) {
  Job job;
  job.ranks = {rank_of(0, 0.9, 0.1), rank_of(1, 0.8, 0.1)};
  job.ranks[0].figures = {{"step_ms", 4.0}, {"sync_ms_per_step", 2.5}, {"idle_pct", std::nullopt}};
  job.ranks[1].figures = {{"step_ms", 4.1}, {"sync_ms_per_step", 0.5}, {"idle_pct", std::nullopt}};
  EXPECT_TRUE(failed_gates(job, {parse_gate("step_ms>5"), parse_gate("sync_ms_per_step>3")}).empty());
  const auto failed =
      failed_gates(job, {parse_gate("step_ms>4.05"), parse_gate("sync_ms_per_step>1"), parse_gate("idle_pct>30")});
  ASSERT_EQ(failed.size(), 3u);
  EXPECT_EQ(failed[0], "--fail-on=step_ms>4.05: step_ms is 4.1, rank 1 (pid 41)");
  EXPECT_EQ(failed[1], "--fail-on=sync_ms_per_step>1: sync_ms_per_step is 2.5, rank 0 (pid 40)");
  EXPECT_NE(failed[2].find("this run does not contain idle_pct"), std::string::npos);
  job.ranks[1].figures["step_ms"] = std::nullopt;
  const auto unknown = failed_gates(job, {parse_gate("step_ms>5")});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_NE(unknown[0].find("rank 1 (pid 41) does not contain step_ms"), std::string::npos) << unknown[0];
  job.ranks[1].rank = std::nullopt;
  EXPECT_TRUE(failed_gates(job, {parse_gate("step_ms>5")}).empty()) << "it may only have started the ranks";
}

}  // namespace
}  // namespace syncsniff::report
