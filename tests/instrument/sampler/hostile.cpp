// Processes that end, forbid or falsify what the sampler reads: the program goes on as it would, and the launcher ends
// with it.
#include <signal.h>

#include "tests/instrument/sampler/sampled_run.h"

namespace syncsniff {
namespace {

TEST_F(SampledRun, GarbageInTheBoardCostsSamplesOnly) {
  const test::Ran ran = run(client("syncsniff_hostile_client") + " garbage", "timeout 60");
  EXPECT_EQ(ran.status, 7) << ran.err;
  EXPECT_EQ(ran.out, "done\n");
  EXPECT_FALSE(trace().calls.empty());
}

TEST_F(SampledRun, ThreadsThatComeAndGoAreSampledWhileTheyLive) {
  const test::Ran ran = run(client("syncsniff_hostile_client") + " threads");
  EXPECT_EQ(ran.status, 7) << ran.err;
  const reader::Trace trace = this->trace();
  std::set<uint32_t> tids;
  for (const trace::SampleRecord& sample : trace.samples) tids.insert(sample.tid);
  EXPECT_GE(tids.size(), 40u);
  for (const uint32_t tid : tids) EXPECT_TRUE(trace.thread_names.count(tid) != 0) << tid;
}

TEST_F(SampledRun, AKilledProcessKeepsItsSamples) {
  const test::Ran ran = run(client("syncsniff_hostile_client") + " killed");
  EXPECT_EQ(ran.status, 128 + SIGKILL) << ran.err;
  EXPECT_GE(trace().samples.size(), 20u);
}

TEST_F(SampledRun, AProcessThatMayNotBeReadSaysSoOnce) {
  const test::Ran ran = run(client("syncsniff_sampled_client") + " 5", "'" REFUSE_READING "'");
  if (ran.status == 91) GTEST_SKIP() << "no system call filters here";
  EXPECT_EQ(ran.status, 7) << ran.err;
  const reader::Trace trace = this->trace();
  EXPECT_TRUE(trace.samples.empty());
  EXPECT_EQ(notes_with(trace, "may not be read"), 1);
}

TEST_F(SampledRun, ATraceWithSamplesReadsAsItsTextTwin) {
  run(client("syncsniff_sampled_client") + " 5");
  const auto text_of = [](const std::string& bytes) {
    std::ostringstream text;
    reader::dump_trace(bytes.data(), bytes.size(), "t", text);
    return text.str();
  };
  const std::string text = text_of(test::read_file(folder_ + "/t.sstrace"));
  EXPECT_TRUE(text_of(reader::undump_trace(text, "t")) == text);
  EXPECT_EQ(text.find("\nraw "), std::string::npos);
  EXPECT_FALSE(trace().samples.empty());
  EXPECT_FALSE(trace().symbols.empty());
}

}  // namespace
}  // namespace syncsniff
