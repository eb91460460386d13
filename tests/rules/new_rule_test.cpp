// scripts/new-rule on a copy of what it edits: everything a rule needs, in one go, and nothing overwritten.
#include <gtest/gtest.h>

#include <cstdlib>

#include "rules/rule.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;
using test::read_text_file;
using test::Scratch;

int new_rule(const Scratch& scratch, const std::string& arguments) {
  const std::string command = "'" SYNCSNIFF_SOURCE_DIR "/scripts/new-rule' --root '" + scratch.path() + "' " +
                              arguments + " > '" + scratch.path() + "/out' 2>&1";
  return WEXITSTATUS(std::system(command.c_str()));
}

class NewRule : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"analyzer/checks/registry.cpp", "analyzer/CMakeLists.txt"}) {
      const fs::path source = fs::path(SYNCSNIFF_SOURCE_DIR) / file;
      if (!fs::exists(source)) GTEST_SKIP() << file << " is not in this tree";
      scratch_.write(file, read_text_file(source));
    }
  }
  std::string file(const std::string& name) const { return read_text_file(fs::path(scratch_.path()) / name); }

  Scratch scratch_;
};

TEST_F(NewRule, MakesEverythingThatARuleNeeds) {
  ASSERT_EQ(new_rule(scratch_, "loop-in-loop --group launching"), 0) << file("out");
  const auto rules = load_rules(scratch_.path() + "/rules/checks");
  ASSERT_TRUE(rules.count("loop-in-loop"));
  EXPECT_EQ(rules.at("loop-in-loop").group, "launching");
  EXPECT_NE(file("analyzer/checks/loop_in_loop.cpp").find("void loop_in_loop(const Program& program"),
            std::string::npos);
  EXPECT_NE(file("tests/analyzer/checks/loop-in-loop.cu").find("cuda_runtime.h"), std::string::npos);
  const std::string registry = file("analyzer/checks/registry.cpp");
  EXPECT_NE(registry.find("void loop_in_loop(const Program&, Reporter&);\n"), std::string::npos);
  const size_t here = registry.find("{\"loop-in-loop\", loop_in_loop},");
  ASSERT_NE(here, std::string::npos);
  EXPECT_LT(registry.find("{\"blocking-copy-in-loop\""), here);
  EXPECT_LT(here, registry.find("{\"sync-in-loop\""));
  const std::string cmake = file("analyzer/CMakeLists.txt");
  const size_t source = cmake.find("checks/loop_in_loop.cpp");
  ASSERT_NE(source, std::string::npos);
  EXPECT_LT(cmake.find("checks/check.cpp"), source);
  EXPECT_LT(source, cmake.find("LIBS", cmake.find("checks/check.cpp")));
}

TEST_F(NewRule, WritesACheckThatCompilesAndATestOfItsLevel) {
  ASSERT_EQ(new_rule(scratch_, "loop-in-loop"), 0) << file("out");
  const std::string source = scratch_.path() + "/analyzer/checks/loop_in_loop.cpp";
  const std::string command = TEST_CXX_COMPILER " -std=c++20 -fsyntax-only -I'" SYNCSNIFF_SOURCE_DIR "' '" + source +
                              "' > '" + scratch_.path() + "/out' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << file("out");
  EXPECT_NE(file("rules/checks/loop-in-loop.yaml").find("\nlevel: 2\n"), std::string::npos);
  EXPECT_NE(file("tests/analyzer/checks/loop-in-loop.cu").find("\n// level: 2\n"), std::string::npos);
}

TEST_F(NewRule, OverwritesNothing) {
  scratch_.write("rules/checks/loop-in-loop.yaml", "mine");
  EXPECT_EQ(new_rule(scratch_, "loop-in-loop"), 2);
  EXPECT_EQ(file("rules/checks/loop-in-loop.yaml"), "mine");
  EXPECT_FALSE(fs::exists(scratch_.path() + "/analyzer/checks/loop_in_loop.cpp"));
}

TEST_F(NewRule, RefusesANameThatIsNoId) {
  EXPECT_EQ(new_rule(scratch_, "LoopInLoop"), 2);
  EXPECT_NE(file("out").find("LoopInLoop: an id is kebab-case"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff
