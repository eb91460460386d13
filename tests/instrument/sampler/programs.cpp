// Programs whose host computes, sleeps and waits between CUDA calls: samples name the lines and tell which is which.
#include <algorithm>

#include "tests/instrument/sampler/sampled_run.h"
#include "tests/runtime/interpreters.h"

namespace syncsniff {
namespace {

using trace::HostState;

// What a program says of one part of its host's work.
struct Part {
  uint32_t line = 0;
  double ms = 0, delay_ms = 0;  // delay: of it, it was ready and waited for a processor
};
Part part_of(const std::string& output, const std::string& name) {
  Part part;
  const size_t at = output.find(name + " ");
  if (at == std::string::npos ||
      sscanf(output.c_str() + at + name.size(), "%u %lf %lf", &part.line, &part.ms, &part.delay_ms) != 3)
    ADD_FAILURE() << "no " << name << " in " << output;
  return part;
}

// Samples give a line the time that it took, most of it in that state, but for what it waited for a processor: then it
// runs, as far as anybody can tell.
void expect_line(std::map<uint32_t, StateTimes>& lines, const Part& part, HostState state, double all_ms) {
  StateTimes& times = lines[part.line];
  double seen_ms = 0;
  for (const auto& [other, ms] : times) seen_ms += ms;
  EXPECT_NEAR(seen_ms, part.ms, 0.08 * all_ms) << "line " << part.line;
  EXPECT_GE(times[state], 0.6 * (seen_ms - part.delay_ms))
      << "line " << part.line << " state " << static_cast<int>(state);
}

// What the report says after `from`, its lines joined: they are broken at the terminal's width.
std::string told_after(const std::string& report, const std::string& from) {
  std::string text;
  std::istringstream words(report);
  for (std::string word; words >> word;) text += word + " ";
  const size_t at = text.find(from);
  return at == std::string::npos ? "" : text.substr(at, 250);
}

TEST_F(SampledRun, ACppProgramsHostWorkIsFoundAtItsLines) {
  const test::Ran ran = run(client("syncsniff_sampled_client") + " 60");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_NE(ran.out.find("done\n"), std::string::npos) << ran.out;
  const reader::Trace trace = this->trace();
  EXPECT_GE(trace.samples.size(), 100u);
  auto lines = times_by_line(trace);
  const Part compute = part_of(ran.out, "compute"), sleep = part_of(ran.out, "sleep"), lock = part_of(ran.out, "lock");
  const double all_ms = compute.ms + sleep.ms + lock.ms;
  expect_line(lines, compute, HostState::kRunning, all_ms);
  expect_line(lines, sleep, HostState::kAsleep, all_ms);
  expect_line(lines, lock, HostState::kLock, all_ms);
}

TEST_F(SampledRun, TheThreadThatTheTrainerWaitsForIsSeenInItsFunction) {
  const test::Ran ran = run(client("syncsniff_feed_client") + " 150");
  EXPECT_EQ(ran.status, 7) << ran.err;
  const reader::Trace trace = this->trace();
  int running = 0, asleep = 0;
  for (const trace::OtherSampleRecord& sample : trace.other_samples) {
    running += sample.state == static_cast<uint8_t>(HostState::kRunning);
    asleep += sample.state == static_cast<uint8_t>(HostState::kAsleep);
    EXPECT_NE(sample.state, static_cast<uint8_t>(HostState::kLock)) << "the one that waits for the end";
  }
  ASSERT_GE(running, 50) << ran.err;
  EXPECT_GE(asleep, 10) << "the one that wakes up now and then";
  const test::Ran report = test::shell("'" INSTRUMENT "' report t.sstrace", folder_);
  const std::string told = told_after(report.out, "another thread works at feed_client.cpp:");
  EXPECT_NE(told.find("Sampler::fill"), std::string::npos) << report.out;
}

TEST_F(SampledRun, TheProcessThatTheTrainerWaitsForIsSeenInItsFunction) {
  for (const std::string who : {"fork", "exec"}) {
    test::shell("rm -f t.sstrace", folder_);
    const test::Ran ran = run(client("syncsniff_feed_client") + " 150 " + who);
    EXPECT_EQ(ran.status, 7) << ran.err;
    const test::Ran report = test::shell("'" INSTRUMENT "' report t.sstrace", folder_);
    const std::string told = told_after(report.out, "meanwhile another process works");
    EXPECT_NE(told.find("feed_client.cpp:"), std::string::npos) << who << report.out;
    EXPECT_NE(told.find("Sampler::fill"), std::string::npos) << who << report.out;
    EXPECT_EQ(trace().processes.size(), 1u);
  }
}

TEST_F(SampledRun, APythonProgramsWorkersAreSeenInTheirFunctions) {
  const std::string script = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/runtime/clients/fed_by_workers.py";
  int tried = 0;
  for (const std::string& python : tests::interpreters())
    for (const std::string method : {"fork", "spawn", "forkserver"}) {
      test::shell("rm -f t.sstrace", folder_);
      const test::Ran ran = run("'" + python + "' '" + script + "' 200 " + method);
      ASSERT_EQ(ran.status, 0) << python << ran.err;
      if (notes_with(trace(), "this version of Python is not known") != 0) continue;
      ++tried;
      SCOPED_TRACE(python + " " + method);
      const test::Ran report = test::shell("'" INSTRUMENT "' report t.sstrace", folder_);
      EXPECT_NE(told_after(report.out, "meanwhile another process works").find("fed_by_workers.py:"), std::string::npos)
          << report.out;
    }
  if (tried == 0) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
}

TEST_F(SampledRun, SamplesWithinACallHaveItsStack) {
  run(client("syncsniff_sampled_client") + " 30");
  const reader::Trace trace = this->trace();
  std::set<uint32_t> waits;
  for (const auto& call : trace.calls)
    if (call.record.call_class == static_cast<uint8_t>(trace::CallClass::kWait)) waits.insert(call.record.stack);
  int within = 0, of_waits = 0;
  for (const trace::SampleRecord& sample : trace.samples) {
    within += sample.in_call;
    of_waits += sample.in_call != 0 && waits.count(sample.stack) != 0 ? 1 : 0;
  }
  EXPECT_GT(within, 0);
  EXPECT_GE(of_waits, within / 2) << "the waits take 0.2 ms, the launches next to nothing";
}

TEST_F(SampledRun, WithoutATimelineNothingIsSampled) {
  const test::Ran ran = run(client("syncsniff_sampled_client") + " 5", "", "off");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_TRUE(trace().samples.empty());
}

TEST_F(SampledRun, InWindowsSamplesLieInThem) {
  const test::Ran ran = run(client("syncsniff_sampled_client") + " 120", "", "windows");
  EXPECT_EQ(ran.status, 7) << ran.err;
  const reader::Trace trace = this->trace();
  ASSERT_FALSE(trace.windows.empty()) << ran.err;
  EXPECT_GE(trace.samples.size(), 20u);
  constexpr uint64_t kSlackNs = 10'000'000;  // a look that had begun when the window was closed
  for (const trace::SampleRecord& sample : trace.samples)
    EXPECT_TRUE(std::any_of(trace.windows.begin(), trace.windows.end(), [&](const trace::WindowRecord& window) {
      return sample.time_ns >= window.begin_ns && (window.end_ns == 0 || sample.time_ns <= window.end_ns + kSlackNs);
    })) << sample.time_ns;
}

// The lines of the script that end in "# WHAT".
std::map<std::string, uint32_t> marked_lines(const std::string& path) {
  std::map<std::string, uint32_t> lines;
  std::istringstream text(test::read_file(path));
  std::string line;
  for (uint32_t number = 1; std::getline(text, line); ++number) {
    const size_t at = line.rfind("  # ");
    if (at != std::string::npos) lines[line.substr(at + 4)] = number;
  }
  return lines;
}

// How long the script was in one of these functions of its own, in ms.
double time_in(const reader::Trace& trace, const std::set<std::string>& functions) {
  const reader::Places places = test::places_of(trace);
  double ms = 0;
  uint64_t before_ns = 0;
  for (const trace::SampleRecord& sample : trace.samples) {
    const uint64_t since_ns = std::exchange(before_ns, sample.time_ns);
    for (const reader::Frame& frame : places.stack(sample.stack).frames) {
      if (!frame.python || frame.file.find("sampled.py") == std::string::npos) continue;
      if (functions.count(frame.function) != 0 && since_ns != 0)
        ms += static_cast<double>(sample.time_ns - since_ns) * 1e-6;
      break;
    }
  }
  return ms;
}

TEST_F(SampledRun, APythonProgramsHostWorkIsFoundAtItsLines) {
  const std::string script = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/runtime/clients/sampled.py";
  auto marked = marked_lines(script);
  int tried = 0;
  for (const std::string& python : tests::interpreters()) {
    test::shell("rm -f t.sstrace", folder_);
    const test::Ran ran = run("'" + python + "' '" + script + "' 8");
    ASSERT_EQ(ran.status, 0) << python << ran.err;
    const reader::Trace trace = this->trace();
    if (notes_with(trace, "this version of Python is not known") != 0) continue;
    ++tried;
    EXPECT_NE(ran.out.find("done\n"), std::string::npos) << ran.out;
    Part compute = part_of(ran.out, "compute"), sleep = part_of(ran.out, "sleep"), queue = part_of(ran.out, "queue");
    const Part held = part_of(ran.out, "held_up");
    sleep.line = marked["sleep"], queue.line = marked["queue"];
    const double all_ms = compute.ms + sleep.ms + queue.ms + held.ms;
    auto lines = times_by_line(trace);
    SCOPED_TRACE(python);
    EXPECT_GE(trace.samples.size(), 150u);
    const reader::Places places = test::places_of(trace);
    int answering = 0;
    for (const trace::OtherSampleRecord& sample : trace.other_samples)
      answering += sample.state == static_cast<uint8_t>(HostState::kAsleep) && sample.turns != 0 &&
                   places.user_place(sample.stack).function == "answer_late";
    EXPECT_GE(answering, 0.25 * queue.ms) << "the thread that sleeps before it answers";
    expect_line(lines, sleep, HostState::kAsleep, all_ms);
    expect_line(lines, queue, HostState::kLock, all_ms);
    EXPECT_NEAR(time_in(trace, {"compute", "add"}), compute.ms, 0.25 * compute.ms);
    EXPECT_NEAR(time_in(trace, {"be_held_up"}), held.ms, 0.25 * held.ms);
    // It asks for the lock again and again, and sleeps for no time in between. While either waits for a processor,
    // little is to be seen of it.
    StateTimes& held_up = lines[marked["interpreter"]];
    if (held.delay_ms < 0.1 * held.ms) {
      EXPECT_GE(total(held_up), 0.5 * held.ms);
    }
    if (total(held_up) >= 0.25 * held.ms) {
      EXPECT_GE(held_up[HostState::kInterpreter], 0.4 * total(held_up));
    }
  }
  if (tried == 0) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
}

}  // namespace
}  // namespace syncsniff
