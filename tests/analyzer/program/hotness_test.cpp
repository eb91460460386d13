// What runs every step, and what gates do to it on the way down the call graph.
#include <gtest/gtest.h>

#include "tests/analyzer/program/linked_sources.h"

namespace syncsniff::test {
namespace {

const std::string kHotnessHead = "#include <cuda_runtime.h>\n__global__ void k(float* x);\n";  // 2 lines

program::Heat heat_of_wait(const std::string& text, unsigned line) {
  const LinkedSources sources({{"a.cu", kHotnessHead + text}});
  const auto& p = sources.program();
  return p.hotness().heat(LinkedSources::site(p, "a.cu", line, "cudaDeviceSynchronize"));
}

TEST(Hotness, LoopThatLaunchesMakesHot) {
  EXPECT_TRUE(heat_of_wait("void f() { for (;;) {\n k<<<1, 1>>>(nullptr);\n cudaDeviceSynchronize();\n} }\n", 5).hot);
}

TEST(Hotness, LoopThatOnlyWaitsDoesNot) {
  EXPECT_FALSE(heat_of_wait("void f() { for (;;) {\n cudaDeviceSynchronize();\n} }\n", 4).hot);
}

TEST(Hotness, LaunchOnAnErrorPathDoesNotMakeALoopHot) {
  EXPECT_FALSE(heat_of_wait("void f() { for (;;) {\n if (cudaGetLastError() != cudaSuccess) k<<<1, 1>>>(nullptr);\n"
                            " cudaDeviceSynchronize();\n} }\n",
                            5)
                   .hot);
}

TEST(Hotness, HottestWayInCounts) {
  const std::string text =
      "void wait() {\n cudaDeviceSynchronize();\n}\n"
      "void setup() { wait(); }\n"
      "void rarely(int i) { if (i % 100 == 0) wait(); }\n"
      "int main() {\n setup();\n for (int i = 0; i < 9; ++i) {\n  k<<<1, 1>>>(nullptr);\n  rarely(i);\n  wait();\n "
      "}\n}\n";
  const program::Heat heat = heat_of_wait(text, 4);
  EXPECT_TRUE(heat.hot);
  EXPECT_TRUE(heat.from_main);
  EXPECT_EQ(heat.severity, Severity::kHigh);
}

TEST(Hotness, GatesOfCallersCarryDown) {
  const std::string text =
      "void wait() {\n cudaDeviceSynchronize();\n}\n"
      "void log_loss() { wait(); }\n"
      "int main() {\n for (int i = 0; i < 9; ++i) {\n  k<<<1, 1>>>(nullptr);\n  if (i % 100 == 0) log_loss();\n }\n}\n";
  const program::Heat heat = heat_of_wait(text, 4);
  EXPECT_TRUE(heat.hot);
  EXPECT_EQ(heat.severity, Severity::kLow);
}

TEST(Hotness, RecursionEnds) {
  const std::string text =
      "void down(int n) {\n if (!n) return;\n k<<<1, 1>>>(nullptr);\n cudaDeviceSynchronize();\n down(n - 1);\n}\n"
      "void ping(int n);\nvoid pong(int n) { ping(n); }\nvoid ping(int n) { pong(n); }\n";
  EXPECT_FALSE(heat_of_wait(text, 6).dropped);
}

TEST(Hotness, PathGoesFromTheLoopToTheCall) {
  const LinkedSources sources(
      {{"a.cu", kHotnessHead + "void wait() {\n cudaDeviceSynchronize();\n k<<<1, 1>>>(nullptr);\n}\n"
                               "void step() {\n k<<<1, 1>>>(nullptr);\n wait();\n}\n"
                               "int main() {\n for (int i = 0; i < 9; ++i) {\n  step();\n }\n}\n"}});
  const auto& p = sources.program();
  const program::Site wait = LinkedSources::site(p, "a.cu", 4, "cudaDeviceSynchronize");
  const auto path = p.ways().path(wait, p.heat(wait));
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(path[0].location.line, 12u);
  EXPECT_EQ(path[1].location.line, 13u);
  EXPECT_EQ(path[2].location.line, 9u);
}

TEST(Wrappers, OneBlockingCallAndNoLaunch) {
  const LinkedSources sources(
      {{"a.cu", kHotnessHead + "void pull(float* h, float* d) { cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); }\n"
                               "void both(float* h, float* d) { k<<<1, 1>>>(d); pull(h, d); }\n"
                               "void twice(float* h, float* d) { pull(h, d); pull(h, d); }\n"
                               "void loop(float* h, float* d) { for (int i = 0; i < 4; ++i) pull(h, d); }\n"
                               "int main() { both(0, 0); twice(0, 0); loop(0, 0); }\n"}});
  const auto& p = sources.program();
  EXPECT_TRUE(p.wrappers().is_wrapper(LinkedSources::function(p, "pull")));
  EXPECT_FALSE(p.wrappers().is_wrapper(LinkedSources::function(p, "both")));
  EXPECT_FALSE(p.wrappers().is_wrapper(LinkedSources::function(p, "twice")));
  EXPECT_FALSE(p.wrappers().is_wrapper(LinkedSources::function(p, "loop")));
  EXPECT_FALSE(p.wrappers().is_wrapper(LinkedSources::function(p, "main")));
}

}  // namespace
}  // namespace syncsniff::test
