// What becomes of units that cannot be read, of databases that say little, and of files that no database names.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "analyzer/analysis.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStall =
    "#include <cuda_runtime.h>\n"
    "__global__ void k(float* x);\n"
    "void train(float* x, int steps) {\n"
    "  for (int i = 0; i < steps; ++i) {\n"
    "    k<<<1, 1>>>(x);\n"
    "    cudaDeviceSynchronize();\n"
    "  }\n"
    "}\n";

FindingsDocument analyse_in(const TemporaryFolder& folder, std::vector<std::string> files = {}) {
  AnalysisOptions options;
  options.database = folder.path();
  options.files = std::move(files);
  options.jobs = 2;
  return analyse(options);
}

const UnitStatus& unit_named(const FindingsDocument& document, const std::string& name) {
  static const UnitStatus kNone{"", "not listed", ""};
  for (const UnitStatus& unit : document.units) {
    if (fs::path(unit.file).filename() == name) return unit;
  }
  return kNone;
}

std::set<std::string> places(const FindingsDocument& document) {
  std::set<std::string> out;
  for (const Finding& f : document.findings) {
    out.insert(f.rule + "@" + fs::path(f.location.file).filename().string() + ":" + std::to_string(f.location.line));
  }
  return out;
}

// No database is found from the working directory, so that one given is the only one.
class Units : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(elsewhere_.path()); }
  void TearDown() override { fs::current_path("/"); }
  TemporaryFolder elsewhere_;
  TemporaryFolder folder_;
};

TEST_F(Units, MissingHeaderIsNeverClean) {
  const std::string bad = folder_.write(
      "bad.cu", "#include <no/such/header.h>\n#include <cuda_runtime.h>\nvoid other() { cudaDeviceSynchronize(); }\n");
  const std::string good = folder_.write("good.cu", kStall);
  write_database(folder_.path(), {bad, good});
  const FindingsDocument document = analyse_in(folder_);
  const UnitStatus& unit = unit_named(document, "bad.cu");
  EXPECT_TRUE(unit.status == "failed" || unit.status == "partial") << unit.status;
  EXPECT_NE(unit.why.find("no/such/header.h"), std::string::npos) << unit.why;
  EXPECT_EQ(unit_named(document, "good.cu").status, "analysed");
  EXPECT_TRUE(places(document).count("sync-in-loop@good.cu:6"));
}

TEST_F(Units, ErrorInOneFunctionLeavesTheOthers) {
  const std::string file =
      folder_.write("part.cu", std::string(kStall) + "void broken() { no_such_function(1, 2); }\n");
  write_database(folder_.path(), {file});
  const FindingsDocument document = analyse_in(folder_);
  EXPECT_EQ(unit_named(document, "part.cu").status, "partial");
  EXPECT_NE(unit_named(document, "part.cu").why.find("no_such_function"), std::string::npos);
  EXPECT_TRUE(places(document).count("sync-in-loop@part.cu:6"));
}

TEST_F(Units, NothingReadableIsFailed) {
  const std::string file = folder_.write("empty.cu", "#include \"gone.h\"\n");
  write_database(folder_.path(), {file});
  const FindingsDocument document = analyse_in(folder_);
  EXPECT_EQ(unit_named(document, "empty.cu").status, "failed");
}

TEST_F(Units, SourceOfTheDatabaseThatIsGone) {
  const std::string good = folder_.write("good.cu", kStall);
  write_database(folder_.path(), {folder_.path() + "/gone.cu", good});
  const FindingsDocument document = analyse_in(folder_);
  EXPECT_EQ(unit_named(document, "gone.cu").status, "failed");
  EXPECT_FALSE(unit_named(document, "gone.cu").why.empty());
  EXPECT_TRUE(places(document).count("sync-in-loop@good.cu:6"));
}

TEST_F(Units, EmptyDatabaseIsAnErrorOrHasNoUnits) {
  folder_.write("compile_commands.json", "[]");
  try {
    const FindingsDocument document = analyse_in(folder_);
    EXPECT_TRUE(document.units.empty());
    EXPECT_TRUE(document.findings.empty());
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("compile_commands.json"), std::string::npos) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

TEST_F(Units, BrokenDatabaseNamesItself) {
  folder_.write("compile_commands.json", "[{\"file\": ");
  try {
    analyse_in(folder_);
    FAIL() << "a broken database was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("compile_commands.json"), std::string::npos) << error.what();
  }
}

TEST_F(Units, FileWithoutDatabase) {
  for (const char* name : {"alone.cu", "alone.cuh"}) {
    const std::string file = folder_.write(name, kStall);
    AnalysisOptions options;
    options.files = {file};
    const FindingsDocument document = analyse(options);
    EXPECT_EQ(unit_named(document, name).status, "analysed") << unit_named(document, name).why;
    EXPECT_TRUE(places(document).count(std::string("sync-in-loop@") + name + ":6"));
  }
}

TEST_F(Units, FileThatDoesNotExistIsAnError) {
  AnalysisOptions options;
  options.files = {folder_.path() + "/nowhere.cu"};
  EXPECT_THROW(analyse(options), std::runtime_error);
}

// The loop stands in another unit than the one asked for: it is read all the same, and only the asked one is reported.
TEST_F(Units, OneFileOfAProgram) {
  const std::string step =
      folder_.write("step.cu",
                    "#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
                    "void step(float* x) {\n  k<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n  k<<<1, 1>>>(x);\n}\n");
  const std::string train = folder_.write(
      "train.cu",
      "#include <cuda_runtime.h>\nvoid step(float* x);\n"
      "int main() {\n  for (int i = 0; i < 9; ++i) {\n    step(nullptr);\n    cudaStreamSynchronize(0);\n  }\n}\n");
  write_database(folder_.path(), {step, train});
  EXPECT_EQ(places(analyse_in(folder_)), (std::set<std::string>{"sync-in-loop@step.cu:5", "sync-in-loop@train.cu:6"}));
  const FindingsDocument one = analyse_in(folder_, {step});
  EXPECT_EQ(places(one), (std::set<std::string>{"sync-in-loop@step.cu:5"}));
  ASSERT_EQ(one.units.size(), 1u);
}

TEST_F(Units, FileWithTheLoopOfAWaitElsewhere) {
  const std::string helper = folder_.write("helper.cu",
                                           "#include <cuda_runtime.h>\n"
                                           "__global__ void k(float* x);\n"
                                           "float elapsed(float* x, cudaEvent_t a, cudaEvent_t b) {\n"
                                           "  k<<<1, 1>>>(x);\n"
                                           "  cudaEventRecord(b);\n"
                                           "  cudaEventSynchronize(b);\n"
                                           "  float ms = 0;\n"
                                           "  cudaEventElapsedTime(&ms, a, b);\n"
                                           "  return ms;\n"
                                           "}\n");
  const std::string loop = folder_.write("loop.cu",
                                         "#include <cuda_runtime.h>\n"
                                         "float elapsed(float* x, cudaEvent_t a, cudaEvent_t b);\n"
                                         "__global__ void step(float* x);\n"
                                         "float train(float* x, cudaEvent_t a, cudaEvent_t b) {\n"
                                         "  float sum = 0;\n"
                                         "  for (int i = 0; i < 1000; ++i) {\n"
                                         "    step<<<1, 1>>>(x);\n"
                                         "    sum += elapsed(x, a, b);\n"
                                         "  }\n"
                                         "  return sum;\n"
                                         "}\n");
  const std::string other = folder_.write("other.cu", "int other() { return 0; }\n");
  write_database(folder_.path(), {helper, loop, other});
  const std::set<std::string> stall = {"sync-in-loop@helper.cu:6"};
  EXPECT_EQ(places(analyse_in(folder_)), stall);
  EXPECT_EQ(places(analyse_in(folder_, {loop})), stall) << "the commit that puts the call into the loop";
  EXPECT_EQ(places(analyse_in(folder_, {helper})), stall);
  EXPECT_TRUE(places(analyse_in(folder_, {other})).empty());
  AnalysisOptions fix;
  fix.database = folder_.path();
  fix.files = {loop};
  fix.by_path = false;
  EXPECT_TRUE(analyse(fix).findings.empty()) << "no file is mended that was not named";
}

TEST_F(Units, SameFileTwiceInTheDatabaseIsOneUnit) {
  const std::string file = folder_.write("twice.cu", kStall);
  write_database(folder_.path(), {file, file});
  const FindingsDocument document = analyse_in(folder_);
  EXPECT_EQ(document.units.size(), 1u);
  EXPECT_EQ(document.findings.size(), 1u);
}

TEST_F(Units, HeaderSeenByTwoUnitsIsReportedOnce) {
  folder_.write(
      "shared.h",
      std::string("#pragma once\n") +
          "#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
          "inline void train(float* x, int steps) {\n  for (int i = 0; i < steps; ++i) {\n    k<<<1, 1>>>(x);\n"
          "    cudaDeviceSynchronize();\n  }\n}\n");
  const std::string a = folder_.write("a.cu", "#include \"shared.h\"\nvoid a() { train(nullptr, 1); }\n");
  const std::string b = folder_.write("b.cu", "#include \"shared.h\"\nvoid b() { train(nullptr, 2); }\n");
  write_database(folder_.path(), {a, b});
  EXPECT_EQ(places(analyse_in(folder_)), (std::set<std::string>{"sync-in-loop@shared.h:7"}));
  EXPECT_EQ(analyse_in(folder_).findings.size(), 1u);
  const std::string header = folder_.path() + "/shared.h";
  EXPECT_EQ(analyse_in(folder_, {header}).findings.size(), 1u);
  EXPECT_TRUE(analyse_in(folder_, {b}).findings.empty()) << "another unit includes the header, too";
  EXPECT_EQ(analyse_in(folder_, {a, b}).findings.size(), 1u) << "all units that include it were named";
}

TEST_F(Units, HeaderOfTheRequestedUnitAloneIsReported) {
  folder_.write("trainer.h",
                std::string("#pragma once\n") +
                    "#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
                    "struct Trainer {\n  void train(float* x, int steps) {\n    for (int i = 0; i < steps; ++i) {\n"
                    "      k<<<1, 1>>>(x);\n      cudaDeviceSynchronize();\n    }\n  }\n};\n");
  const std::string main =
      folder_.write("main.cu", "#include \"trainer.h\"\nint main() { Trainer().train(nullptr, 9); }\n");
  const std::string other = folder_.write("other.cu", "int other() { return 0; }\n");
  write_database(folder_.path(), {main, other});
  EXPECT_EQ(places(analyse_in(folder_, {main})), (std::set<std::string>{"sync-in-loop@trainer.h:8"}));
  EXPECT_TRUE(places(analyse_in(folder_, {other})).empty());
  AnalysisOptions fix;
  fix.database = folder_.path();
  fix.files = {main};
  fix.by_path = false;
  EXPECT_TRUE(analyse(fix).findings.empty()) << "no file is mended that was not named";
}

// An archive of a repository has no .git: what stands at the top of one shows where the project starts.
TEST_F(Units, HeadersOfATreeWithoutARepositoryAreItsOwn) {
  for (const char* folder : {"/tree", "/tree/lib", "/tree/examples", "/tree/examples/first"})
    fs::create_directory(folder_.path() + folder);
  folder_.write("tree/lib/trainer.h", std::string("#pragma once\n") + kStall);
  folder_.write("tree/examples/first/Makefile", "all:\n");
  const std::string main = folder_.write("tree/examples/first/main.cu",
                                         "#include \"../../lib/trainer.h\"\nint main() { train(nullptr, 9); }\n");
  const std::set<std::string> of_header{"sync-in-loop@trainer.h:7"};
  AnalysisOptions options;
  options.database = folder_.path() + "/db";
  fs::create_directory(options.database);
  write_database(options.database, {main});
  EXPECT_TRUE(places(analyse(options)).empty()) << "nothing says that the header is not somebody else's";
  folder_.write("tree/README.md", "A trainer.\n");
  EXPECT_EQ(places(analyse(options)), of_header);
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("HOME", (folder_.path() + "/tree").c_str(), 1);
  EXPECT_TRUE(places(analyse(options)).empty()) << "a person's home is no project";
  setenv("HOME", home.c_str(), 1);
  fs::remove(folder_.path() + "/tree/README.md");
  options.database = folder_.path() + "/tree";
  write_database(options.database, {main});
  EXPECT_EQ(places(analyse(options)), of_header) << "it stands beside the database";
}

TEST_F(Units, RulesAndLevelsChoose) {
  const std::string file = folder_.write("a.cu", kStall);
  write_database(folder_.path(), {file});
  AnalysisOptions options;
  options.database = folder_.path();
  options.rules = {"-*", "scalar-readback"};
  EXPECT_TRUE(analyse(options).findings.empty());
  options.rules = {"-*", "sync-in-loop"};
  EXPECT_EQ(analyse(options).findings.size(), 1u);
  options.rules.clear();
  options.max_level = -1;
  EXPECT_TRUE(analyse(options).findings.empty());
}

// Lines move, fingerprints stay; two equal calls in one function have two.
TEST_F(Units, FingerprintsHoldNoLineNumbers) {
  const std::string text = std::string(kStall);
  const std::string file = folder_.write("a.cu", text);
  write_database(folder_.path(), {file});
  const FindingsDocument before = analyse_in(folder_);
  folder_.write("a.cu", "// a line\n// another\n" + text);
  const FindingsDocument after = analyse_in(folder_);
  ASSERT_EQ(before.findings.size(), 1u);
  ASSERT_EQ(after.findings.size(), 1u);
  EXPECT_EQ(before.findings[0].fingerprint, after.findings[0].fingerprint);
  EXPECT_NE(before.findings[0].location.line, after.findings[0].location.line);

  folder_.write(
      "a.cu",
      "#include <cuda_runtime.h>\n__global__ void k(float* x);\nvoid train(float* x, int steps) {\n"
      "  for (int i = 0; i < steps; ++i) {\n    k<<<1, 1>>>(x);\n    cudaDeviceSynchronize();\n    k<<<1, 1>>>(x);\n"
      "    cudaDeviceSynchronize();\n  }\n}\n");
  const FindingsDocument two = analyse_in(folder_);
  ASSERT_EQ(two.findings.size(), 2u);
  EXPECT_NE(two.findings[0].fingerprint, two.findings[1].fingerprint);
}

}  // namespace
}  // namespace syncsniff::test
