// The frames of Python, read with the interpreters of this machine.
#include <map>
#include <optional>

#include "tests/runtime/interpreters.h"
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

class PythonTest : public ShimTest {
 protected:
  // The traces of a client script, one for each interpreter whose version is known.
  std::map<std::string, ScannedTrace> record_with_each(const std::string& script) {
    std::map<std::string, ScannedTrace> traces;
    for (const std::string& python : interpreters()) {
      std::filesystem::remove(trace_);
      const Finished finished =
          run({python, std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/runtime/clients/" + script}, environment_);
      EXPECT_EQ(finished.exit_status, 0) << python << finished.errors;
      ScannedTrace trace = scan_trace(trace_);
      if (trace.notes.empty()) traces.emplace(python, std::move(trace));  // else one that we say we do not know
    }
    return traces;
  }
};

TEST_F(PythonTest, FramesOfEveryInterpreter) {
  const auto traces = record_with_each("train.py");
  if (traces.empty()) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
  for (const auto& [python, trace] : traces) {
    const auto waits = trace.calls_of("cuStreamSynchronize");
    ASSERT_EQ(waits.size(), 3u) << python;
    const auto& frames = trace.stacks.at(waits[2].stack).python;
    ASSERT_GE(frames.size(), 4u) << python;
    const char* names[] = {"Trainer.wait", "Trainer.step", "trainiere_für", "<module>"};
    const int first_lines[] = {21, 17, 25, 1};
    for (size_t i = 0; i < 4; ++i) {
      const ScannedCode& code = trace.codes.at(frames[i].first);
      EXPECT_EQ(code.name, names[i]) << python;
      EXPECT_EQ(code.record.first_line, first_lines[i]) << python << " " << code.name;
      EXPECT_FALSE(code.linetable.empty());
      EXPECT_NE(code.file.find("train.py"), std::string::npos);
    }
  }
}

// The function whose frame is the outer one of two.
std::string asker_of(const ScannedTrace& trace, uint32_t stack) {
  const auto& frames = trace.stacks.at(stack).python;
  return frames.size() > 1 ? trace.codes.at(frames[1].first).name : "<module>";
}

std::map<std::string, double> launches_by_asker(const ScannedTrace& trace) {
  std::map<std::string, double> launches;
  for (const auto& site : trace.sites_of("cuLaunchKernel"))
    launches[asker_of(trace, site.stack)] += static_cast<double>(site.count);
  return launches;
}

// The outer frames of a launch are looked at now and then only: who asks by turns is told apart all the same, and who
// asks now and then in another's stead is noticed soon. Fifteen are missed on average before one is looked at whole,
// three hundred once in a hundred million runs.
TEST_F(PythonTest, LaunchesAreCountedForTheFunctionThatAsked) {
  const auto traces = record_with_each("asked.py");
  if (traces.empty()) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
  for (const auto& [python, trace] : traces) {
    auto launches = launches_by_asker(trace);
    EXPECT_EQ(launches["first"] + launches["second"] + launches["seldom"], 24000) << python;
    EXPECT_NEAR(launches["second"], 12000, 300) << python;
    EXPECT_NEAR(launches["first"], 11400, 300) << python;
    EXPECT_NEAR(launches["seldom"], 600, 300) << python;
  }
}

TEST_F(PythonTest, AForkInThreeIsNoticedToo) {
  const auto traces = record_with_each("asked_between.py");
  if (traces.empty()) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
  for (const auto& [python, trace] : traces) {
    auto launches = launches_by_asker(trace);
    EXPECT_EQ(launches["often"] + launches["seldom"], 10300) << python;
    EXPECT_NEAR(launches["often"], 8300, 300) << python;
    EXPECT_NEAR(launches["seldom"], 2000, 300) << python;
  }
}

std::map<std::string, int> listed_by_asker(const ScannedTrace& trace, const std::string& api) {
  std::map<std::string, int> listed;
  for (const auto& call : trace.calls_of(api)) {
    EXPECT_TRUE(call.flags & trace::kBlocked) << api;
    EXPECT_TRUE(call.flags & trace::kDrained) << api;
    ++listed[asker_of(trace, call.stack)];
  }
  return listed;
}

// A copy that waits, and a wait after it in one instruction.
TEST_F(PythonTest, ReadBacksAreListedForTheFunctionThatAsked) {
  environment_["FAKE_CUDA_COPY_US"] = "1";
  const auto traces = record_with_each("read_back.py");
  if (traces.empty()) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
  for (const auto& [python, trace] : traces) {
    auto copies = listed_by_asker(trace, "cuMemcpyDtoHAsync_v2"), waits = listed_by_asker(trace, "cuStreamSynchronize");
    EXPECT_EQ(copies["often"], 343) << python;
    EXPECT_EQ(copies["seldom"], 57) << python;
    EXPECT_EQ(waits["often"], 343) << python;
    EXPECT_EQ(waits["seldom"], 57) << python;
    EXPECT_EQ(waits["<module>"], 400) << python;
    EXPECT_LE(trace.idles.size(), 400u) << "the second and the third wait find the device idle already";
    EXPECT_GE(trace.idles.size(), 390u) << python;
  }
}

TEST_F(PythonTest, AWaitAfterACopyMayBeAnotherFunctions) {
  const auto traces = record_with_each("wait_after_copy.py");
  if (traces.empty()) GTEST_SKIP() << "no Python from 3.11 to 3.13 on this machine";
  for (const auto& [python, trace] : traces) {
    auto waits = listed_by_asker(trace, "cuStreamSynchronize");
    EXPECT_EQ(waits["often"], 150) << python;
    EXPECT_EQ(waits["seldom"], 50) << python;
  }
}

}  // namespace
}  // namespace syncsniff::tests
