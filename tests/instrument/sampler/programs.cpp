// Programs whose host computes, sleeps and waits between CUDA calls: samples name the lines and tell which is which.
#include "tests/instrument/sampler/sampled_run.h"
#include "tests/runtime/interpreters.h"

namespace syncsniff {
namespace {

using trace::HostState;

// Most samples of a line say that state, and they are a fair share of all. A machine that is busy otherwise makes
// threads wait for a processor: then they run, as far as anybody can tell.
void expect_line(std::map<uint32_t, StateCounts>& lines, uint32_t line, HostState state, int all, double least_share) {
  StateCounts& counts = lines[line];
  const int seen = counts[state];
  int of_line = 0;
  for (const auto& [other, count] : counts) of_line += count;
  EXPECT_GE(of_line, least_share * all) << "line " << line;
  EXPECT_GE(seen, 0.6 * of_line) << "line " << line << " state " << static_cast<int>(state);
}

TEST_F(SampledRun, ACppProgramsHostWorkIsFoundAtItsLines) {
  const test::Ran ran = run(client("syncsniff_sampled_client") + " 60");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_NE(ran.out.find("done\n"), std::string::npos) << ran.out;
  const reader::Trace trace = this->trace();
  auto lines = states_by_line(trace);
  int all = 0;
  for (const auto& [line, counts] : lines) all += total(counts);
  EXPECT_GE(all, 100);
  expect_line(lines, line_of(ran.out, "compute"), HostState::kRunning, all, 0.2);
  expect_line(lines, line_of(ran.out, "sleep"), HostState::kAsleep, all, 0.2);
  expect_line(lines, line_of(ran.out, "lock"), HostState::kLock, all, 0.2);
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
  const test::Ran ran = test::shell("export LD_LIBRARY_PATH='" + built("tests/fake_driver") + "' SYNCSNIFF_SHIM='" +
                                        built("lib/syncsniff/libsyncsniff_shim.so") +
                                        "'\n'" INSTRUMENT
                                        "' run --timeline=off -o "
                                        "t.sstrace " +
                                        client("syncsniff_sampled_client") + " 5",
                                    folder_);
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_TRUE(trace().samples.empty());
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

// The function, of the script's own, that a sample was in, the innermost first.
std::string function_of(const reader::ResolvedStack& stack) {
  for (const reader::Frame& frame : stack.frames)
    if (frame.python && frame.file.find("sampled.py") != std::string::npos) return frame.function;
  return "";
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
    EXPECT_EQ(ran.out, "done\n");
    auto lines = states_by_line(trace);
    int all = 0, computing = 0;
    const reader::Places places = test::places_of(trace);
    for (const trace::SampleRecord& sample : trace.samples) {
      if (sample.in_call != 0) continue;
      ++all;
      const std::string function = function_of(places.stack(sample.stack));
      computing += function == "compute" || function == "add" ? 1 : 0;
    }
    SCOPED_TRACE(python);
    EXPECT_GE(all, 150);
    EXPECT_GE(computing, 0.1 * all);
    expect_line(lines, marked["sleep"], HostState::kAsleep, all, 0.1);
    expect_line(lines, marked["queue"], HostState::kLock, all, 0.1);
    // It asks for the lock again and again, and sleeps for no time in between.
    StateCounts& held_up = lines[marked["interpreter"]];
    EXPECT_GE(held_up[HostState::kInterpreter], 0.4 * total(held_up));
    EXPECT_GE(total(held_up), 0.08 * all);
  }
  if (tried == 0) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
}

}  // namespace
}  // namespace syncsniff
