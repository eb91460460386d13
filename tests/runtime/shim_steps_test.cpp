// What a step's calls leave: marks that steps are known by, and counts by line and kernel.
#include <algorithm>
#include <set>

#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

using StepsTest = ShimTest;

TEST_F(StepsTest, CopiesMarkTheStepsThatWaitForNothing) {
  const ScannedTrace trace = record("proc", "steps_without_waits");
  for (const char* copy : {"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"}) {
    const auto marks = trace.calls_of(copy);
    EXPECT_GE(marks.size(), 29u) << copy;  // the first of all is the first of its place
    EXPECT_LE(marks.size(), 35u) << "copies close together are no marks, unless the machine was busy";
    for (const auto& mark : marks) EXPECT_FALSE(mark.flags & trace::kBlocked);
    EXPECT_EQ(trace.count_of(copy), 60u) << "they are counted as ever";
  }
  uint64_t launches = 0;
  for (const auto& burst : trace.bursts) launches += burst.launches;
  EXPECT_EQ(launches, 300u);
  EXPECT_GE(trace.bursts.size(), 30u);
  EXPECT_LE(trace.bursts.size(), 35u) << "one copy of the two begins a round";
}

TEST_F(StepsTest, GraphsMarkTheStepsThatWaitForNothing) {
  const ScannedTrace trace = record("proc", "graphs_without_waits");
  const auto marks = trace.calls_of("cuGraphLaunch");
  EXPECT_GE(marks.size(), 30u);
  EXPECT_LE(marks.size(), 35u) << "graphs close together are no marks, unless the machine was busy";
  EXPECT_EQ(trace.count_of("cuGraphLaunch"), 60u) << "they are counted as ever";
  EXPECT_GE(trace.bursts.size(), 30u);
}

// Whether a copy is listed depends on its own place alone, so that the instrument can rely on it.
TEST_F(StepsTest, WaitsDoNotChangeWhichCopiesAreListed) {
  for (const auto& [program, steps] :
       {std::pair("steps_with_waits", 30u), std::pair("steps_with_waits_by_turns", 60u)}) {
    const ScannedTrace trace = record("proc", program);
    EXPECT_GE(trace.calls_of("cuMemcpyHtoDAsync_v2").size(), steps - 1) << program;
    EXPECT_EQ(trace.count_of("cuMemcpyHtoDAsync_v2"), steps) << program;
    EXPECT_EQ(trace.bursts.size(), steps) << program << ": a burst goes from wait to wait";
  }
}

TEST_F(StepsTest, ACopyOnceAStepIsListedBesideInnerLoops) {
  for (const char* loop : {"copies_in_an_inner_loop", "graphs_in_an_inner_loop", "waits_in_an_inner_loop"})
    EXPECT_GE(record("proc", loop).calls_of("cuMemcpyDtoHAsync_v2").size(), 25u) << loop << ": of 30 steps";
  EXPECT_GE(record("proc", "waits_until_solved").calls_of("cuMemcpyHtoDAsync_v2").size(), 25u);
}

TEST_F(StepsTest, KernelsOfOneLineAreToldApart) {
  environment_["FAKE_CUDA_KERNEL_US"] = "0";
  const ScannedTrace trace = record("proc", "kernels_by_turns");
  std::multiset<double> counted, launched;
  std::set<uint64_t> kernels;
  for (const auto& site : trace.sites_of("cuLaunchKernel")) {
    counted.insert(static_cast<double>(site.count));
    EXPECT_TRUE(kernels.insert(site.object).second) << "one line and one kernel are one site";
  }
  for (const char* name : {"kernel_0", "kernel_1", "kernel_2"}) launched.insert(finished_.numbers(name).at(0));
  EXPECT_EQ(counted, launched);
}

// More than there is room for places: they are still counted each.
TEST_F(StepsTest, ThousandsOfKernelsOfOneLineAreToldApart) {
  environment_["FAKE_CUDA_KERNEL_US"] = "0";
  const ScannedTrace trace = record("proc", "thousands_of_kernels");
  const auto sites = trace.sites_of("cuLaunchKernel");
  std::set<uint32_t> stacks;
  for (const auto& site : sites) {
    stacks.insert(site.stack);
    EXPECT_EQ(site.count, 4u);
  }
  EXPECT_EQ(sites.size(), 5000u);
  EXPECT_EQ(stacks.size(), 1u);
}

}  // namespace
}  // namespace syncsniff::tests
