#include "instrument/timeline/sites.h"

#include <gtest/gtest.h>

#include "instrument/timeline/analysis.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

timeline::Analysis analysed(const std::string& text) {
  const auto trace = test::trace_of(text);
  return timeline::analyse(trace, test::places_of(trace));
}

const timeline::Site* at_line(const timeline::Analysis& analysis, uint32_t line) {
  for (const auto& site : analysis.sites)
    if (site.place.line == line) return &site;
  return nullptr;
}

TEST(Sites, TrainerFiguresAreExact) {
  const auto analysis = analysed(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt"));
  const auto* copy = at_line(analysis, 40);
  const auto* readback = at_line(analysis, 52);
  const auto* wait = at_line(analysis, 60);
  const auto* launch = at_line(analysis, 71);
  ASSERT_TRUE(copy && readback && wait && launch);
  EXPECT_EQ(copy->run.calls, 12u);
  EXPECT_EQ(copy->run.blocked_ns, 12 * 100000u);
  EXPECT_EQ(copy->run.bytes, 12 * 65536u);
  EXPECT_EQ(copy->run.exposed_ns, 12 * 20000u);  // until the burst begins
  EXPECT_EQ(copy->run.saving_ns, 12 * 20000u);   // nothing proved the device empty
  EXPECT_EQ(readback->run.blocked_ns, 12 * 390000u);
  EXPECT_EQ(readback->run.saving_ns, 0u);  // drained: proved idle time would stand in an idle record
  EXPECT_EQ(wait->run.idle_ns, 12 * 393000u);
  EXPECT_EQ(wait->run.saving_ns, 12 * 393000u);
  EXPECT_EQ(wait->stepping.calls, 11u);
  EXPECT_EQ(wait->stepping.idle_ns, 11 * 393000u);
  EXPECT_EQ(launch->run.launches, 120u);
  EXPECT_EQ(launch->stepping.launches, 110u);
  EXPECT_NE(copy->host_memory & (1 << static_cast<int>(trace::HostMemory::kPageable)), 0);
  EXPECT_EQ(analysis.run_ns, 15000000u);
  EXPECT_EQ(analysis.run.idle_ns, 12 * 393000u);
}

TEST(Sites, IdleTimeIsSplitFromOtherCallsInIt) {
  const auto analysis = analysed("trace\nchunk tid=1\n" + test::plain_stacks(2) +
                                 "call api=1 class=wait flags=blocked,drained stack=1 begin=100 duration=50\n"
                                 "call api=2 class=allocate stack=2 begin=200 duration=60\n"
                                 "idle wait_api=1 wait_stack=1 begin=150 end=350 wait_tid=1\n");
  EXPECT_EQ(at_line(analysis, 10)->run.idle_ns, 200u);
  EXPECT_EQ(at_line(analysis, 10)->run.idle_in_calls_ns, 60u);
  EXPECT_EQ(at_line(analysis, 10)->run.exposed_ns, 50u);  // until the allocation
  EXPECT_EQ(at_line(analysis, 20)->run.blocked_ns, 60u);  // it holds the host up, but waits for nothing
  EXPECT_EQ(at_line(analysis, 20)->run.exposed_ns, 0u);
}

TEST(Sites, ASpinOnAQueryIsAWaitAndALoneQueryIsNot) {
  const auto analysis = analysed("trace\nchunk tid=1\n" + test::plain_stacks(2) +
                                 "call api=1 class=poll stack=1 begin=100 duration=50 polls=9\n"
                                 "call api=1 class=poll stack=2 begin=200 duration=50 polls=1\n");
  EXPECT_EQ(at_line(analysis, 10)->run.blocked_ns, 50u);
  EXPECT_EQ(at_line(analysis, 10)->run.polls, 9u);
  EXPECT_EQ(at_line(analysis, 20)->run.blocked_ns, 0u);
}

TEST(Sites, TwoCallPathsToOneLineAreOneSiteAndTwoStrands) {
  const auto analysis = analysed(
      "trace\nchunk tid=1\nmodule begin=0x1000 end=0x9000 path=\"/t\"\nstack id=1 native=0x1100,0x1200\nstack id=2 "
      "native=0x1100,0x1300\n"
      "symbol address=0x1100 line=5 function=\"f\" file=\"/a.cu\"\n"
      "call api=1 class=wait stack=1 begin=100 duration=50\ncall api=1 class=wait stack=2 begin=300 duration=50\n");
  EXPECT_EQ(analysis.strands.size(), 2u);
  ASSERT_EQ(analysis.sites.size(), 1u);
  EXPECT_EQ(analysis.sites[0].run.calls, 2u);
  EXPECT_EQ(analysis.sites[0].stacks, (std::vector<uint32_t>{1, 2}));
}

TEST(Sites, LaunchesListedByTheFullTimelineAreNotCountedTwice) {
  const auto analysis = analysed(
      "trace timeline=2\nchunk tid=1\n" + test::plain_stacks(1) +
      "call api=1 class=launch stack=1 begin=100 duration=5\ncount api=1 class=launch stack=1 count=1 total=5\n");
  EXPECT_EQ(analysis.run.launches, 1u);
}

}  // namespace
}  // namespace syncsniff
