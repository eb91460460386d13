// The facts cache: what comes out is what went in, and nothing comes out once anything that the unit read has changed.
#include "analyzer/facts/cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "analyzer/facts/archive.h"
#include "analyzer/facts/unit.h"

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;

class FactsCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("facts_cache_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write("step.h", "inline int twice(int x) { return 2 * x; }\n");
    write("unit.cpp", "#include \"step.h\"\n#include <cstdlib>\nstruct Batch { float* data; };\n"
                      "void fill(Batch& b, int n) { for (int i = 0; i < n; ++i) { if (i % 10 == 0) twice(i); } "
                      "b.data = static_cast<float*>(malloc(n)); }\n");
    command_.file = (folder_ / "unit.cpp").string();
    command_.directory = folder_.string();
    command_.clang_args = {"-x", "c++", "-std=c++17"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  UnitFacts read_and_store(const FactsCache& cache) {
    std::vector<std::string> dependencies;
    UnitFacts unit = read_unit(command_, folder_.string() + "/", ApiTable(), &dependencies);
    EXPECT_EQ(unit.error_count, 0u) << (unit.errors.empty() ? "" : unit.errors.front());
    EXPECT_FALSE(unit.functions.empty());
    cache.store(command_, unit, dependencies);
    return unit;
  }
  static std::string bytes_of(UnitFacts unit) {
    ByteWriter writer;
    writer(unit);
    return writer.bytes();
  }

  fs::path folder_;
  frontend::UnitCommand command_;
};

TEST_F(FactsCacheTest, GivesBackWhatWasStored) {
  const FactsCache cache((folder_ / "cache").string(), "tables");
  EXPECT_FALSE(cache.load(command_));
  const UnitFacts unit = read_and_store(cache);
  const auto again = cache.load(command_);
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
}

TEST_F(FactsCacheTest, AChangedHeaderMakesItStale) {
  const FactsCache cache((folder_ / "cache").string(), "tables");
  read_and_store(cache);
  write("step.h", "inline int twice(int x) { return x + x; }  // longer\n");
  EXPECT_FALSE(cache.load(command_));
}

// A text that is read in place of a file has an entry of its own: neither is taken for the other.
TEST_F(FactsCacheTest, AReplacedTextLeavesTheEntryOfTheFileAlone) {
  const SourceTexts texts{{(folder_ / "step.h").string(), "inline int twice(int x) { return x << 1; }\n"}};
  const FactsCache plain((folder_ / "cache").string(), "tables"), replaced((folder_ / "cache").string(), "tables", texts);
  const SourceTexts others{{(folder_ / "step.h").string(), "inline int twice(int x) { return x << 2; }\n"}};
  read_and_store(plain);
  EXPECT_FALSE(replaced.load(command_));
  std::vector<std::string> dependencies;
  const UnitFacts unit = read_unit(command_, folder_.string() + "/", ApiTable(), &dependencies, texts);
  replaced.store(command_, unit, dependencies);
  const auto again = replaced.load(command_);
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
  ASSERT_TRUE(plain.load(command_));
  EXPECT_NE(bytes_of(*plain.load(command_)), bytes_of(unit));
  EXPECT_FALSE(FactsCache((folder_ / "cache").string(), "tables", others).load(command_));
}

TEST_F(FactsCacheTest, AMissingHeaderMakesItStale) {
  const FactsCache cache((folder_ / "cache").string(), "tables");
  read_and_store(cache);
  fs::remove(folder_ / "step.h");
  EXPECT_FALSE(cache.load(command_));
}

TEST_F(FactsCacheTest, OtherOptionsAndOtherTablesAreOtherEntries) {
  const FactsCache cache((folder_ / "cache").string(), "tables");
  read_and_store(cache);
  EXPECT_FALSE(FactsCache((folder_ / "cache").string(), "other tables").load(command_));
  command_.clang_args.push_back("-DX");
  EXPECT_FALSE(cache.load(command_));
}

TEST_F(FactsCacheTest, AUnitWithErrorsIsNotKept) {
  write("unit.cpp", "#include \"step.h\"\nint f() { return no_such_name; }\n");
  const FactsCache cache((folder_ / "cache").string(), "tables");
  std::vector<std::string> dependencies;
  const UnitFacts unit = read_unit(command_, folder_.string() + "/", ApiTable(), &dependencies);
  EXPECT_EQ(unit.error_count, 1u);
  cache.store(command_, unit, dependencies);
  EXPECT_FALSE(cache.load(command_));
}

TEST_F(FactsCacheTest, NoFolderIsNoCache) {
  const FactsCache cache("", "tables");
  read_and_store(cache);
  EXPECT_FALSE(cache.load(command_));
}

TEST_F(FactsCacheTest, DamageNeverGetsThrough) {
  const FactsCache cache((folder_ / "cache").string(), "tables");
  const std::string good = bytes_of(read_and_store(cache));
  const fs::path file = fs::directory_iterator(folder_ / "cache")->path();
  std::ifstream in(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    if (round % 2) damaged.resize(random() % whole.size());
    else damaged[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    std::ofstream(file, std::ios::binary) << damaged;
    cache.load(command_);  // may say yes to a changed text, but must neither crash nor take all memory
  }
  std::ofstream(file, std::ios::binary) << whole;
  ASSERT_TRUE(cache.load(command_));
  EXPECT_EQ(bytes_of(*cache.load(command_)), good);
}

}  // namespace
}  // namespace syncsniff::facts
