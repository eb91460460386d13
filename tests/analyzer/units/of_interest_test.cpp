// A run that reports on some files judges the programs with these files, and reads the code of no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "analyzer/analysis.h"
#include "analyzer/facts/cache.h"
#include "analyzer/read_units.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHead =
    "#include <cuda_runtime.h>\n__global__ void k(float* x);\nvoid wait_for_all();\nvoid use(float* x);\n";
constexpr const char* kLoop = "int main() { for (;;) { k<<<1, 1>>>(nullptr); wait_for_all(); } }\n";

// Two programs that share a unit, one that shares nothing, and libraries that nobody here calls.
class OfInterest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1);
    files_["shared.cu"] =
        folder_.write("shared.cu", std::string(kHead) + "void wait_for_all() { cudaDeviceSynchronize(); }\n");
    files_["a.cu"] = folder_.write("a.cu", std::string(kHead) + kLoop);
    files_["b.cu"] = folder_.write("b.cu", std::string(kHead) + "int main() { wait_for_all(); }\n");
    files_["alone.cu"] = folder_.write("alone.cu",
                                       "#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
                                       "int main() { for (;;) { k<<<1, 1>>>(nullptr); cudaDeviceSynchronize(); } }\n");
    files_["library.cu"] =
        folder_.write("library.cu",
                      "#include <cuda_runtime.h>\n__global__ void k(float* x);\n"
                      "void fit() { for (;;) { k<<<1, 1>>>(nullptr); cudaDeviceSynchronize(); } }\n");
    fs::create_directory(folder_.path() + "/far");
    files_["far.cu"] = folder_.write("far/far.cu", "int far(int x) { return x; }\n");
    std::vector<std::string> all;
    for (const auto& [name, path] : files_) all.push_back(path);
    write_database(folder_.path(), all);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  AnalysisOptions options() const {
    AnalysisOptions options;
    options.database = folder_.path();
    options.use_cache = true;
    options.jobs = 2;
    return options;
  }
  // The units of a run for these files that came with their functions.
  std::set<std::string> with_code(const std::vector<std::string>& names) const {
    ReadOptions reading;
    reading.cache_directory = facts::default_cache_directory();
    reading.tables = "tables";
    for (const std::string& name : names) reading.of_interest.insert(files_.at(name));
    const std::string data = data_directory();
    const ApiTable apis = ApiTable::load(data + "/rules/apis");
    std::set<std::string> out;
    for (const facts::UnitFacts& unit :
         read_units(frontend::load_compile_database(folder_.path(), nullptr), reading, apis))
      if (!unit.functions.empty()) out.insert(fs::path(unit.file.str()).filename());
    return out;
  }
  static std::vector<std::string> told(const FindingsDocument& document) {
    std::vector<std::string> out;
    for (const Finding& f : document.findings)
      out.push_back(fs::path(f.location.file).filename().string() + ":" + std::to_string(f.location.line) + " " +
                    f.rule + " " + f.fingerprint);
    return out;
  }

  TemporaryFolder cache_, folder_;
  std::map<std::string, std::string> files_;
};

TEST_F(OfInterest, OnlyTheProgramsWithTheFilesAreRead) {
  using Names = std::set<std::string>;
  EXPECT_EQ(with_code({"a.cu"}), (Names{"a.cu", "b.cu", "shared.cu", "alone.cu", "library.cu", "far.cu"}))
      << "nothing is in the cache yet: all are parsed";
  EXPECT_EQ(with_code({"a.cu"}), (Names{"a.cu", "shared.cu"}));
  EXPECT_EQ(with_code({"shared.cu"}), (Names{"a.cu", "b.cu", "shared.cu"}));
  EXPECT_EQ(with_code({"alone.cu"}), (Names{"alone.cu"}));
  EXPECT_EQ(with_code({"far.cu"}), (Names{"far.cu"}));
  EXPECT_EQ(with_code({"library.cu"}), (Names{"a.cu", "b.cu", "shared.cu", "alone.cu", "library.cu"}))
      << "it is judged beside the programs of its folder";
}

// What is said of one file is what a run over all of them says of it.
TEST_F(OfInterest, TheFindingsAreThoseOfAWholeRun) {
  const FindingsDocument whole = analyse(options());
  EXPECT_EQ(whole.findings.size(), 3u);
  for (const auto& [name, path] : files_) {
    AnalysisOptions some = options();
    some.changed = {path};
    FindingsDocument all = whole;
    const FindingsDocument part = analyse(some);
    EXPECT_EQ(part.units.size(), whole.units.size());
    for (const UnitStatus& unit : part.units) EXPECT_EQ(unit.status, "analysed") << unit.file;
    const auto is_in = [&](const Finding& f, const std::string& file) {
      return fs::path(f.location.file).filename() == file ||
             std::any_of(f.path.begin(), f.path.end(),
                         [&](const PathStep& step) { return fs::path(step.location.file).filename() == file; });
    };
    std::erase_if(all.findings, [&](const Finding& f) { return !is_in(f, name); });
    FindingsDocument its = part;
    std::erase_if(its.findings, [&](const Finding& f) { return !is_in(f, name); });
    EXPECT_EQ(told(its), told(all)) << name;
    AnalysisOptions named = options();
    named.files = {path};
    EXPECT_EQ(told(analyse(named)), told(all)) << name;
  }
}

// Two libraries that define the same functions are apart, also where the database names them through a link.
TEST_F(OfInterest, ALinkedFolderChangesNothing) {
  for (const char* folder : {"/real", "/real/one", "/real/two"}) fs::create_directory(folder_.path() + folder);
  const std::string text = std::string(kHead) + "void wait_for_all() { cudaDeviceSynchronize(); }\n";
  folder_.write("real/head.h", "#pragma once\n");
  folder_.write("real/one/wait.cu", "#include \"../head.h\"\n" + text);
  folder_.write("real/two/wait.cu", "#include \"../head.h\"\n" + text);
  fs::create_directory_symlink(folder_.path() + "/real", folder_.path() + "/link");
  const std::string one = folder_.path() + "/link/one/wait.cu", two = folder_.path() + "/link/two/wait.cu";
  write_database(folder_.path(), {one, two});
  files_["one"] = fs::canonical(one).string();
  const auto units_of_one = [&] {
    ReadOptions reading;
    reading.cache_directory = facts::default_cache_directory();
    reading.of_interest = {files_["one"]};
    size_t with = 0;
    for (const facts::UnitFacts& unit : read_units(frontend::load_compile_database(folder_.path(), nullptr), reading,
                                                   ApiTable::load(data_directory() + "/rules/apis")))
      with += !unit.functions.empty();
    return with;
  };
  EXPECT_EQ(units_of_one(), 2u) << "parsed";
  EXPECT_EQ(units_of_one(), 1u);
}

TEST_F(OfInterest, DamagedCodeBehindAWholeOutlineIsReadAgain) {
  with_code({"a.cu"});
  for (const auto& entry : fs::directory_iterator(facts::default_cache_directory())) {
    if (entry.path().extension() != ".facts") continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x7f');
  }
  const std::set<std::string> names = with_code({"a.cu"});  // more, where a slow machine has to renew the stamps first
  EXPECT_TRUE(names.count("a.cu") && names.count("shared.cu"));
}

// A unit that fails is named, also by runs that do not need its code.
TEST_F(OfInterest, UnitsThatFailedAreTold) {
  files_["broken.cu"] = folder_.write("broken.cu", "#include <no/such/header.h>\n");
  std::vector<std::string> all;
  for (const auto& [name, path] : files_) all.push_back(path);
  write_database(folder_.path(), all);
  for (int run = 0; run < 2; ++run) {
    AnalysisOptions named = options();
    named.files = {files_["alone.cu"]};
    const FindingsDocument document = analyse(named);
    EXPECT_TRUE(std::any_of(document.units.begin(), document.units.end(), [](const UnitStatus& unit) {
      return fs::path(unit.file).filename() == "broken.cu" && unit.status == "failed";
    })) << run;
  }
}

}  // namespace
}  // namespace syncsniff::test
