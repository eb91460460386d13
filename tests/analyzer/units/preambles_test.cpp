// Programs whose units begin with the same long headers: what is found is the same with and without preambles.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "analyzer/analysis.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {
namespace {

namespace fs = std::filesystem;

class Preambles : public testing::Test {
 protected:
  void SetUp() override {
    fs::current_path(elsewhere_.path());
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
    other_.write("framework.h",
                 "#pragma once\n#include \"long.h\"\nnamespace framework { inline int steps() { return 9; } }\n");
    other_.write("long.h", "#pragma once\n//" + std::string(9u << 20, 'x') + "\n");
    for (const std::string name : {"a", "b", "c"})
      units_.push_back(folder_.write(name + ".cu",
                                     "#include <framework.h>\n#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
                                     "void train_" +
                                         name +
                                         "(float* x) {\n"
                                         "  for (int i = 0; i < framework::steps(); ++i) {\n"
                                         "    k<<<1, 1>>>(x);\n    cudaDeviceSynchronize();\n  }\n}\n"));
    write_database(folder_.path(), units_, {"-I" + other_.path()});
  }
  void TearDown() override {
    fs::current_path("/");
    unsetenv("XDG_CACHE_HOME");
  }

  std::vector<std::string> found(bool use_cache) const {
    AnalysisOptions options;
    options.database = folder_.path();
    options.use_cache = use_cache;
    options.jobs = 2;
    std::vector<std::string> out;
    for (const Finding& finding : analyse(options).findings)
      out.push_back(finding.rule + "@" + finding.location.file + ":" + std::to_string(finding.location.line) + " " +
                    finding.message);
    return out;
  }
  std::vector<fs::path> preambles() const {
    std::vector<fs::path> out;
    if (fs::exists(cache_.path() + "/syncsniff"))
      for (const auto& entry : fs::directory_iterator(cache_.path() + "/syncsniff"))
        if (entry.path().extension() == ".preamble") out.push_back(entry.path());
    return out;
  }
  void edit(const std::string& unit) const { std::ofstream(unit, std::ios::app) << "// edited\n"; }

  TemporaryFolder elsewhere_, folder_, other_, cache_;
  std::vector<std::string> units_;
};

TEST_F(Preambles, ChangeNothingOfWhatIsFound) {
  const std::vector<std::string> without = found(false);
  EXPECT_EQ(without.size(), 3u);
  EXPECT_TRUE(preambles().empty()) << "no cache, no preamble";
  EXPECT_EQ(found(true), without);
  EXPECT_EQ(preambles().size(), 1u) << "one for three units";
  for (const std::string& unit : units_) edit(unit);
  EXPECT_EQ(found(true), without);
  EXPECT_EQ(preambles().size(), 1u);
}

TEST_F(Preambles, FollowAnEditOfTheirHeaders) {
  ASSERT_EQ(found(true).size(), 3u);
  other_.write("framework.h",
               "#pragma once\n#include \"long.h\"\nnamespace framework { inline int steps(); }\n#define k nothing\n");
  EXPECT_EQ(found(true), found(false));
}

TEST_F(Preambles, AreMadeForOneUnitWhenItIsReadAgain) {
  fs::remove(units_[1]);
  fs::remove(units_[2]);
  write_database(folder_.path(), {units_[0]}, {"-I" + other_.path()});
  const std::vector<std::string> first = found(true);
  EXPECT_EQ(first.size(), 1u);
  EXPECT_TRUE(preambles().empty()) << "a unit that is read once is read sooner without";
  edit(units_[0]);
  EXPECT_EQ(found(true), first);
  EXPECT_EQ(preambles().size(), 1u);
}

TEST_F(Preambles, DamageCostsTimeAlone) {
  const std::vector<std::string> whole = found(true);
  ASSERT_EQ(preambles().size(), 1u);
  fs::resize_file(preambles()[0], fs::file_size(preambles()[0]) / 2);
  for (const std::string& unit : units_) edit(unit);
  EXPECT_EQ(found(true), whole);
}

}  // namespace
}  // namespace syncsniff::test
