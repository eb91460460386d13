// Which units make a program: each main with what it reaches, and no more.
#include <gtest/gtest.h>

#include "tests/analyzer/program/linked_sources.h"

namespace syncsniff::test {
namespace {

const std::string kLinkHead = "#include <cuda_runtime.h>\n__global__ void k(float* x);\n";

TEST(Link, MainsWithTheSameFunctionNamesStayApart) {
  const LinkedSources sources({
      {"a.cu", kLinkHead + "void step() { cudaDeviceSynchronize(); }\nint main() { step(); }\n"},
      {"b.cu", kLinkHead + "void step() { k<<<1, 1>>>(nullptr); }\nint main() { step(); }\n"},
  });
  ASSERT_EQ(sources.programs().size(), 2u);
  const auto& a = sources.program_of("a.cu");
  const auto& b = sources.program_of("b.cu");
  const auto effects_of_step = [](const program::Program& p) {
    return p.effects().of(LinkedSources::function(p, "step"));
  };
  EXPECT_TRUE(effects_of_step(a).waits);
  EXPECT_FALSE(effects_of_step(a).launches);
  EXPECT_FALSE(effects_of_step(b).waits);
  EXPECT_TRUE(effects_of_step(b).launches);
}

TEST(Link, LaunchesWithTheirBracketsApartAreLaunches) {
  const LinkedSources sources({
      {"step.cuh", kLinkHead + "inline void step(int n) {\n  k << <n >> 5, 32 >> > (nullptr);\n}\n"},
      {"a.cu", "#include \"step.cuh\"\nint main() { step(64); }\n"},
  });
  const auto& a = sources.program_of("a.cu");
  EXPECT_TRUE(a.effects().of(LinkedSources::function(a, "step")).launches);
}

TEST(Link, SharedUnitIsInBothPrograms) {
  const LinkedSources sources({
      {"wait.cu", kLinkHead + "void wait_for_all() { cudaDeviceSynchronize(); }\n"},
      {"a.cu", kLinkHead + "void wait_for_all();\nint main() { wait_for_all(); }\n"},
      {"b.cu", kLinkHead + "void wait_for_all();\nint main() { for (;;) { k<<<1, 1>>>(nullptr); wait_for_all(); } }\n"},
  });
  ASSERT_EQ(sources.programs().size(), 2u);
  const auto& b = sources.program_of("b.cu");
  EXPECT_TRUE(b.hotness().heat(LinkedSources::function(b, "wait_for_all"), 0).hot);
  const auto& a = sources.program_of("a.cu");
  EXPECT_FALSE(a.hotness().heat(LinkedSources::function(a, "wait_for_all"), 0).hot);
}

TEST(Link, StaticFunctionsOfTwoUnitsAreTwo) {
  const LinkedSources sources({
      {"a.cu", kLinkHead + "static void helper() { cudaDeviceSynchronize(); }\nvoid a() { helper(); }\n"},
      {"b.cu", kLinkHead + "static void helper() { k<<<1, 1>>>(nullptr); }\nvoid b() { helper(); }\n"},
      {"main.cu", "void a();\nvoid b();\nint main() { a(); b(); }\n"},
  });
  const auto& p = sources.program();
  EXPECT_TRUE(p.effects().of(LinkedSources::function(p, "a")).waits);
  EXPECT_FALSE(p.effects().of(LinkedSources::function(p, "a")).launches);
  EXPECT_FALSE(p.effects().of(LinkedSources::function(p, "b")).waits);
  EXPECT_TRUE(p.effects().of(LinkedSources::function(p, "b")).launches);
}

TEST(Link, OverridersComeAlong) {
  const LinkedSources sources({
      {"layer.h", "#pragma once\nstruct Layer { virtual ~Layer(); virtual void forward() = 0; };\nLayer* make();\n"},
      {"dense.cu",
       kLinkHead +
           "#include \"layer.h\"\nstruct Dense : Layer { void forward() override { cudaDeviceSynchronize(); } };\n"
           "Layer* make() { return new Dense; }\n"},
      {"main.cu", "#include \"layer.h\"\nint main() { Layer* l = make(); l->forward(); }\n"},
  });
  const auto& p = sources.program_of("main.cu");
  EXPECT_TRUE(p.effects().of(LinkedSources::function(p, "main")).waits);
}

TEST(Link, LibraryWithoutMainIsOneProgram) {
  const LinkedSources sources({
      {"a.cu", kLinkHead + "void wait() { cudaDeviceSynchronize(); }\n"},
      {"b.cu", kLinkHead + "void wait();\nvoid train() { for (;;) { k<<<1, 1>>>(nullptr); wait(); } }\n"},
  });
  ASSERT_EQ(sources.programs().size(), 1u);
  const auto& p = sources.program();
  EXPECT_TRUE(p.hotness().heat(LinkedSources::function(p, "wait"), 0).hot);
}

// Two programs in two folders, each with a step() of its own: the nearer one is linked.
TEST(Link, TheNearerOfTwoDefinitions) {
  const LinkedSources sources({
      {"one/main1.cu", "void step();\nint main() { step(); }\n"},
      {"one/step1.cu", kLinkHead + "void step() { cudaDeviceSynchronize(); }\n"},
      {"two/main2.cu", "void step();\nint main() { step(); }\n"},
      {"two/step2.cu", kLinkHead + "void step() { k<<<1, 1>>>(nullptr); }\n"},
  });
  const auto& one = sources.program_of("main1.cu");
  const auto& two = sources.program_of("main2.cu");
  EXPECT_TRUE(one.effects().of(LinkedSources::function(one, "step")).waits);
  EXPECT_FALSE(one.effects().of(LinkedSources::function(one, "step")).launches);
  EXPECT_FALSE(two.effects().of(LinkedSources::function(two, "step")).waits);
  EXPECT_TRUE(two.effects().of(LinkedSources::function(two, "step")).launches);
}

}  // namespace
}  // namespace syncsniff::test
