// What the report says of the regime, in words and as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "instrument/report/ranks.h"
#include "instrument/report/report.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

struct Made {
  std::string terminal;
  nlohmann::json regime;
};

// One product, and a kernel of a graph that takes `graph_us`.
Made make(const std::string& product, int kernel_us, int graph_us = 0) {
  const auto ns = [](int us) { return std::to_string(1000000 + us * 1000); };
  std::string text =
      "trace timeline=2 start=1000 end=90000000\nchunk tid=1\nclock monotonic=1000000 cupti=1000000\n"
      "api id=1 text=\"cuLaunchKernel\"\nstring id=1 text=\"_Zgemm\"\n"
      "device device=0 major=9 minor=0 multiprocessors=132 clock_khz=1980000 memory_clock_khz=3201000 "
      "memory_bus_bits=6144\n" +
      test::plain_stacks(1) + "gemm in_bits=16 out_bits=16 batch=1 begin=100000 duration=9000 " + product +
      "\ncall api=1 class=launch stack=1 object=5 begin=101000 duration=2000\n"
      "gpu kind=kernel name=1 correlation=1 begin=1000000 end=" +
      ns(kernel_us) + "\n";
  if (graph_us != 0)
    text += "gpu kind=kernel name=1 correlation=2 graph=1 begin=" + ns(kernel_us) + " end=" + ns(kernel_us + graph_us) +
            "\n";
  const auto trace = test::trace_of(text);
  const auto places = test::places_of(trace);
  const auto report = report::make_report(trace, places, {}, {});
  std::ostringstream terminal, json;
  report::write_terminal(report, false, terminal);
  report::write_json(report, {}, json);
  Made made{terminal.str(), nlohmann::json::parse(json.str())["gpu"][0]["regime"]};
  // As one line.
  for (size_t at; (at = made.terminal.find("\n  ")) != std::string::npos;) made.terminal.replace(at, 3, " ");
  return made;
}

TEST(RegimeText, ComputeBound) {
  const Made made = make("math=bf16 m=8192 n=8192 k=8192", 1500);
  EXPECT_NE(made.terminal.find("compute-bound: matrix products take most of the kernels' time, near the peak; matrix "
                               "products: 1.1 TFLOP, 68.5 % of the bf16 peak over the windows, 68.5 % while they run "
                               "(peak 1,071 TFLOP/s); shapes are known for 100.0 % of the kernels' time"),
            std::string::npos)
      << made.terminal;
  EXPECT_EQ(made.regime["regime"], "compute-bound");
  EXPECT_NEAR(made.regime["gemms"]["of_peak_running"].get<double>(), 0.6847, 1e-4);
  EXPECT_EQ(made.regime["gemms"]["math"], "bf16");
  EXPECT_EQ(made.regime["gemms"]["products"], 1);
}

TEST(RegimeText, MemoryBoundTellsTheBandwidth) {
  EXPECT_NE(
      make("math=bf16 m=1 n=16384 k=16384", 150).terminal.find("moving as much as 72.8 % of the memory's bandwidth"),
      std::string::npos);
}

TEST(RegimeText, WithoutAPeakOnlyTheWorkIsTold) {
  const Made made = make("math=fp4 m=8192 n=8192 k=8192", 1500);
  EXPECT_NE(made.terminal.find("matrix products: 1.1 TFLOP in fp4 (no peak is known for it on this GPU); shapes"),
            std::string::npos)
      << made.terminal;
  EXPECT_TRUE(made.regime["gemms"]["of_peak_running"].is_null());
}

TEST(RegimeText, GraphsAreTold) {
  EXPECT_NE(make("math=bf16 m=8192 n=8192 k=8192", 1500, 1500)
                .terminal.find("shapes are known for 50.0 % of the kernels' time; 50.0 % of the kernels' time is of "
                               "CUDA graphs, whose shapes are not known"),
            std::string::npos);
}

}  // namespace
}  // namespace syncsniff
