// The facts cache: what comes out is what went in, and nothing comes out once anything that the unit read has changed.
#include "analyzer/facts/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "analyzer/content_hash.h"
#include "analyzer/facts/archive.h"
#include "analyzer/facts/cache_entry.h"
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
    write("unit.cpp",
          "#include \"step.h\"\n#include <cstdlib>\nstruct Batch { float* data; };\n"
          "void fill(Batch& b, int n) { for (int i = 0; i < n; ++i) { if (i % 10 == 0) twice(i); } "
          "b.data = static_cast<float*>(malloc(n)); }\n");
    command_.file = (folder_ / "unit.cpp").string();
    command_.directory = folder_.string();
    command_.clang_args = {"-x", "c++", "-std=c++17"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::string root() const { return folder_.string() + "/"; }
  std::string cache_folder() const { return (folder_ / "cache").string(); }
  FactsCache cache() const { return FactsCache(cache_folder(), "tables"); }

  UnitFacts read(UnitInputs& inputs, const SourceTexts& texts = {}) {
    return read_unit(command_, root(), ApiTable(), &inputs, texts);
  }
  UnitFacts read_and_store(const FactsCache& cache, unsigned errors = 0) {
    UnitInputs inputs;
    UnitFacts unit = read(inputs);
    EXPECT_EQ(unit.error_count, errors) << (unit.errors.empty() ? "" : unit.errors.front());
    EXPECT_FALSE(unit.functions.empty());
    cache.store(command_, root(), unit, inputs);
    return unit;
  }
  // As a run of its own would: what it has seen of files is forgotten after it.
  std::optional<UnitFacts> load() const { return cache().load(command_, root()); }
  std::optional<UnitOutline> load_outline() const { return cache().load_outline(command_, root()); }
  static std::string bytes_of(UnitFacts unit) {
    ByteWriter writer;
    writer(unit);
    return writer.bytes();
  }

  fs::path entry_file() const {
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
      if (newest.empty() || entry.last_write_time() > fs::last_write_time(newest)) newest = entry.path();
    return newest;
  }

  fs::path folder_;
  frontend::UnitCommand command_;
};

TEST_F(FactsCacheTest, GivesBackWhatWasStored) {
  EXPECT_FALSE(load());
  const UnitFacts unit = read_and_store(cache());
  const auto again = load();
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
}

TEST_F(FactsCacheTest, AChangedHeaderMakesItStale) {
  read_and_store(cache());
  write("step.h", "inline int twice(int x) { return x + x; }  // longer\n");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, ContentOfTheSameSizeAndTimeMakesItStale) {
  const auto time = fs::last_write_time(folder_ / "step.h");
  read_and_store(cache());
  write("step.h", "inline int twice(int x) { return 3 * x; }\n");
  fs::last_write_time(folder_ / "step.h", time);
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, TouchedAndRewrittenFilesAreTheSame) {
  const UnitFacts unit = read_and_store(cache());
  for (const char* name : {"step.h", "unit.cpp"}) {
    std::ifstream in(folder_ / name);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    fs::remove(folder_ / name);
    write(name, text);
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::hours(48));
  }
  const auto again = load();
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
}

// Hashed once: the next run goes by the stamps again.
TEST_F(FactsCacheTest, StampsOfTouchedFilesAreRenewed) {
  read_and_store(cache());
  fs::last_write_time(folder_ / "step.h", fs::file_time_type::clock::now() - std::chrono::hours(48));
  std::this_thread::sleep_for(std::chrono::milliseconds(2200));  // until the times can be trusted
  const fs::path entry = entry_file();
  const auto written = [&] {
    struct stat info{};
    EXPECT_EQ(stat(entry.c_str(), &info), 0);
    return info.st_ino;
  };
  const auto before = written();
  ASSERT_TRUE(load());
  const auto renewed = written();
  EXPECT_NE(renewed, before);
  ASSERT_TRUE(load());
  EXPECT_EQ(written(), renewed);
}

TEST_F(FactsCacheTest, AStampSparesTheReadingOfTheFile) {
  const std::string path = (folder_ / "step.h").string();
  const FileState then = state_of(path, system_clock_ns() + 10'000'000'000);
  ASSERT_NE(then.stamp, 0u);
  const SourceTexts none;
  std::vector<Dependency> dependencies{{Dependency::Kind::kContent, path, then.size, 1234, then.stamp, then.link}};
  {
    KnownFiles files(none);
    EXPECT_EQ(compare(dependencies, files), Freshness::kStale) << "just written: its times vouch for nothing";
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2200));
  KnownFiles files(none);
  EXPECT_EQ(compare(dependencies, files), Freshness::kFresh) << "the hash, which is wrong, was not asked for";
}

TEST_F(FactsCacheTest, WhatIsEditedWhileItIsParsedIsNotKept) {
  for (const char* edited : {"unit.cpp", "step.h"}) {
    UnitInputs inputs;
    const UnitFacts unit = read(inputs);
    std::ofstream(folder_ / edited, std::ios::app) << "// edited\n";
    cache().store(command_, root(), unit, inputs);
    EXPECT_FALSE(fs::exists(folder_ / "cache") && !fs::is_empty(folder_ / "cache")) << edited;
    EXPECT_FALSE(load()) << edited;
  }
}

// A text that is read in place of a file has an entry of its own: neither is taken for the other.
TEST_F(FactsCacheTest, AReplacedTextLeavesTheEntryOfTheFileAlone) {
  const SourceTexts texts{{(folder_ / "step.h").string(), "inline int twice(int x) { return x << 1; }\n"}};
  const SourceTexts others{{(folder_ / "step.h").string(), "inline int twice(int x) { return x << 2; }\n"}};
  const FactsCache replaced(cache_folder(), "tables", texts);
  read_and_store(cache());
  EXPECT_FALSE(replaced.load(command_, root()));
  UnitInputs inputs;
  const UnitFacts unit = read(inputs, texts);
  replaced.store(command_, root(), unit, inputs);
  const auto again = replaced.load(command_, root());
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
  ASSERT_TRUE(load());
  EXPECT_NE(bytes_of(*load()), bytes_of(unit));
  EXPECT_FALSE(FactsCache(cache_folder(), "tables", others).load(command_, root()));
}

// The state before a change is read with the texts of then in place of the files: what was stored of it is found.
TEST_F(FactsCacheTest, WhatWasStoredBeforeAChangeIsFoundByTheTextsOfThen) {
  const std::string header = (folder_ / "step.h").string();
  std::stringstream before;
  before << std::ifstream(header).rdbuf();
  const UnitFacts was = read_and_store(cache());
  write("step.h", "inline int twice(int x) { return x << 1; }\n");
  const UnitFacts is = read_and_store(cache());
  ASSERT_NE(bytes_of(was), bytes_of(is));
  ASSERT_TRUE(load());
  EXPECT_EQ(bytes_of(*load()), bytes_of(is));
  const auto found = FactsCache(cache_folder(), "tables", {{header, before.str()}}).load(command_, root());
  ASSERT_TRUE(found);
  EXPECT_EQ(bytes_of(*found), bytes_of(was));
}

TEST_F(FactsCacheTest, AMissingHeaderMakesItStale) {
  read_and_store(cache());
  fs::remove(folder_ / "step.h");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, AnotherFileInTheFolderIsNoChange) {
  read_and_store(cache());
  write("other.h", "int unread;\n");
  EXPECT_TRUE(load());
}

TEST_F(FactsCacheTest, AHeaderThatAppearsInAnEarlierFolderMakesItStale) {
  fs::create_directories(folder_ / "late");
  write("unit.cpp", "#include <found.h>\nint f() { return found; }\n");
  write("late/found.h", "constexpr int found = 1;\n");
  command_.clang_args.insert(command_.clang_args.end(), {"-I" + root() + "early", "-I" + root() + "late"});
  read_and_store(cache());
  EXPECT_TRUE(load());
  fs::create_directories(folder_ / "early");
  EXPECT_FALSE(load()) << "a folder of -I is there now";
  read_and_store(cache());
  EXPECT_TRUE(load());
  write("early/found.h", "constexpr int found = 2;\n");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, ALinkThatLeadsElsewhereMakesItStale) {
  write("other.h", "inline int twice(int x) { return 4 * x; }\n");
  write("unit.cpp", "#include \"link.h\"\nint f() { return twice(1); }\n");
  fs::create_symlink("step.h", folder_ / "link.h");
  read_and_store(cache());
  EXPECT_TRUE(load());
  fs::remove(folder_ / "link.h");
  fs::create_symlink("other.h", folder_ / "link.h");
  EXPECT_FALSE(load());
}

// Clang reads the header once, by its first name; its text under the second name has to be watched, too.
TEST_F(FactsCacheTest, ASecondNameOfAHeaderThatLeadsElsewhereMakesItStale) {
  write("guarded.h", "#ifndef GUARD\n#define GUARD\n#endif\n");
  write("unit.cpp", "#include \"guarded.h\"\n#include \"link.h\"\nint f() { return 1; }\n");
  fs::create_symlink("guarded.h", folder_ / "link.h");
  read_and_store(cache());
  EXPECT_TRUE(load());
  fs::remove(folder_ / "link.h");
  fs::create_symlink("step.h", folder_ / "link.h");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, OtherOptionsRootsAndTablesAreOtherEntries) {
  read_and_store(cache());
  EXPECT_FALSE(FactsCache(cache_folder(), "other tables").load(command_, root()));
  EXPECT_FALSE(cache().load(command_, folder_.parent_path().string() + "/"));
  command_.clang_args.push_back("-DX");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, AUnitWithErrorsIsKept) {
  write("unit.cpp", "#include \"step.h\"\nint f() { return no_such_name; }\n");
  const UnitFacts unit = read_and_store(cache(), 1);
  const auto again = load();
  ASSERT_TRUE(again);
  EXPECT_EQ(bytes_of(*again), bytes_of(unit));
  write("step.h", "inline int twice(int x) { return 2 * x; }\nint no_such_name;\n");
  EXPECT_FALSE(load());
}

// Wherever it was looked for: beside the includer, in a folder that is there, and in one that is not.
TEST_F(FactsCacheTest, AHeaderThatAppearsMakesAPartialUnitWhole) {
  fs::create_directories(folder_ / "include");
  write("unit.cpp", "#include \"late.h\"\nint f() { return late; }\nint g() { return 1; }\n");
  command_.clang_args.insert(command_.clang_args.end(), {"-I" + root() + "include", "-I" + root() + "generated"});
  for (const char* place : {"late.h", "include/late.h", "generated/late.h"}) {
    read_and_store(cache(), 2);
    ASSERT_TRUE(load()) << place;
    fs::create_directories((folder_ / place).parent_path());
    write(place, "constexpr int late = 1;\n");
    EXPECT_FALSE(load()) << place;
    read_and_store(cache(), 0);
    fs::remove(folder_ / place);
    EXPECT_FALSE(load()) << place;
  }
}

TEST_F(FactsCacheTest, WhatHasIncludeDidNotFindIsLookedForAgain) {
  write("unit.cpp",
        "#if __has_include(\"late.h\")\nint late();\n#endif\n"
        "#if __has_include(\"step.h\")\nint f() { return 1; }\n#endif\n");
  read_and_store(cache());
  ASSERT_TRUE(load());
  write("step.h", "int unread;\n");
  EXPECT_TRUE(load()) << "that it is there was all that was asked";
  write("late.h", "");
  EXPECT_FALSE(load());
  fs::remove(folder_ / "late.h");
  EXPECT_TRUE(load());
  fs::remove(folder_ / "step.h");
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, WhatCouldNotBeReadVouchesForNothing) {
  UnitInputs inputs;
  const UnitFacts unit = read(inputs);
  inputs.complete = false;
  cache().store(command_, root(), unit, inputs);
  EXPECT_FALSE(load());
}

TEST_F(FactsCacheTest, AUnitWhoseSourceIsMissingIsNotKept) {
  for (const bool dangling : {false, true}) {
    fs::rename(folder_ / "unit.cpp", folder_ / "away.cpp");
    if (dangling) fs::create_symlink(folder_ / "nowhere.cpp", folder_ / "unit.cpp");
    UnitInputs inputs;
    const UnitFacts unit = read(inputs);
    EXPECT_NE(unit.error_count, 0u);
    cache().store(command_, root(), unit, inputs);
    EXPECT_FALSE(load());
    fs::remove(folder_ / "unit.cpp");
    fs::rename(folder_ / "away.cpp", folder_ / "unit.cpp");
    EXPECT_FALSE(load()) << "the source is back";
  }
}

TEST_F(FactsCacheTest, OtherFoldersFromTheEnvironmentAreOtherEntries) {
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    read_and_store(cache());
    EXPECT_TRUE(load());
    ::setenv(name, cache_folder().c_str(), 1);
    EXPECT_FALSE(load()) << name;
    ::unsetenv(name);
    EXPECT_TRUE(load());
  }
}

TEST_F(FactsCacheTest, NoFolderIsNoCache) {
  const FactsCache cache("", "tables");
  read_and_store(cache);
  EXPECT_FALSE(cache.load(command_, root()));
}

TEST_F(FactsCacheTest, DamageNeverGetsThrough) {
  const UnitFacts stored = read_and_store(cache());
  const std::string good = bytes_of(stored), good_outline = bytes_of(without_code(stored));
  const fs::path file = entry_file();
  std::ifstream in(file, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  std::mt19937 random(1);
  int outlines = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    if (round % 2)
      damaged.resize(random() % whole.size());
    else
      damaged[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    std::ofstream(file, std::ios::binary) << damaged;
    ASSERT_FALSE(load()) << round;
    const auto outline = load_outline();
    outlines += outline.has_value();
    if (outline) {
      ASSERT_EQ(bytes_of(outline->rest), good_outline) << round;
    }
  }
  EXPECT_GT(outlines, 0) << "the code may be damaged behind an outline that is whole";
  EXPECT_LT(outlines, 1900);
  std::ofstream(file, std::ios::binary) << whole;
  ASSERT_TRUE(load());
  EXPECT_EQ(bytes_of(*load()), good);
}

std::optional<CacheEntry> entry_of(std::string_view bytes, const std::string& key) {
  auto head = take_head(bytes, key);
  auto unit = head ? with_code(std::move(head->outline), bytes) : std::nullopt;
  if (!unit) return std::nullopt;
  return CacheEntry{std::move(head->key), std::move(head->dependencies), *std::move(unit)};
}

// The sum over the bytes is right here: what a reader makes of senseless bytes is bounded all the same.
TEST_F(FactsCacheTest, SenselessEntriesAreRefused) {
  CacheEntry entry{
      "key",
      {{Dependency::Kind::kContent, "/a/b.h", 1, 2, 3, 4}, {Dependency::Kind::kNothing, "/a/c.h", 0, 0, 0, 0}},
      {}};
  const std::string whole = facts::bytes_of(entry);
  const auto again = entry_of(whole, "key");
  ASSERT_TRUE(again);
  ASSERT_EQ(again->dependencies.size(), 2u);
  EXPECT_EQ(again->dependencies[0].path, "/a/b.h");
  EXPECT_EQ(again->dependencies[1].path, "/a/c.h");
  EXPECT_EQ(again->dependencies[0].stamp, 3u);
  EXPECT_FALSE(entry_of(whole, "other key"));
  const auto sealed = [](const std::string& part) {
    const uint64_t head[] = {part.size(), content_hash(part)};
    return std::string(reinterpret_cast<const char*>(head), sizeof head) + part;
  };
  const size_t kSums = 2 * sizeof(uint64_t), head_end = head_size(whole);
  const std::string head = whole.substr(kSums, head_end - kSums), code = whole.substr(head_end + kSums);
  ASSERT_TRUE(entry_of(sealed(head) + sealed(code), "key"));
  EXPECT_FALSE(entry_of(sealed(head + "x") + sealed(code), "key")) << "more than the head";
  EXPECT_FALSE(entry_of(sealed(head) + sealed(code + "x"), "key")) << "more than the code";
  EXPECT_FALSE(entry_of(whole + "x", "key")) << "more than the entry";
  for (size_t length = 0; length < head.size(); ++length)
    EXPECT_FALSE(entry_of(sealed(head.substr(0, length)) + sealed(code), "key")) << length;
  for (size_t length = 0; length < code.size(); ++length)
    EXPECT_FALSE(entry_of(sealed(head) + sealed(code.substr(0, length)), "key")) << length;
}

TEST_F(FactsCacheTest, AnOutlineSaysWhatTheFactsSay) {
  EXPECT_FALSE(load_outline());
  const UnitFacts unit = read_and_store(cache());
  const auto outline = load_outline();
  ASSERT_TRUE(outline);
  const UnitOutline expected = outline_of(unit);
  EXPECT_EQ(bytes_of(outline->rest), bytes_of(without_code(unit)));
  EXPECT_TRUE(outline->rest.functions.empty());
  EXPECT_FALSE(outline->defines.empty());
  EXPECT_EQ(outline->defines, expected.defines);
  EXPECT_EQ(outline->mentions, expected.mentions);
  write("step.h", "inline int twice(int x) { return x + x; }  // longer\n");
  EXPECT_FALSE(load_outline());
}

// As load(): what was only touched is the same, and its stamps are renewed.
TEST_F(FactsCacheTest, TheOutlineOfTouchedFilesIsTheSame) {
  read_and_store(cache());
  fs::last_write_time(folder_ / "step.h", fs::file_time_type::clock::now() - std::chrono::hours(48));
  EXPECT_TRUE(load_outline());
}

TEST_F(FactsCacheTest, AnEntryUnderAnothersNameIsNotTaken) {
  read_and_store(cache());
  const fs::path first = entry_file();
  const fs::path kept = folder_ / "kept";
  fs::rename(first, kept);
  command_.clang_args.push_back("-DX");
  read_and_store(cache());
  fs::rename(kept, entry_file());
  EXPECT_FALSE(load());
}

// Several runs write and read one entry at once.
TEST_F(FactsCacheTest, RunsAtOnceSeeAllOfAnEntryOrNothing) {
  UnitInputs inputs;
  const UnitFacts unit = read(inputs);
  const std::string good = bytes_of(unit);
  cache().store(command_, root(), unit, inputs);
  std::atomic<int> wrong{0};
  std::vector<std::thread> runs;
  for (int run = 0; run < 4; ++run) {
    runs.emplace_back([&, run] {
      for (int round = 0; round < 100; ++round) {
        if (run % 2) cache().store(command_, root(), unit, inputs);
        const auto known = load();
        if (!known || bytes_of(*known) != good) ++wrong;
      }
    });
  }
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), {}), 1) << "a draft was left behind";
}

struct Whole {
  int a = 0;
  std::string b;
  Place c;
};
struct Forgotten {
  int a = 0;
  std::string b;
  Place c;
};
template <class A>
auto fields(A& a, Whole& w) {
  return a(w.a, w.b, w.c);
}
template <class A>
auto fields(A& a, Forgotten& f) {
  return a(f.a, f.c);
}

// A member that is written nowhere is lost in a unit from the cache and in one from a worker alike: no comparison of
// the two would tell.
TEST(Archive, NoticesAMemberThatIsLeftOut) {
  EXPECT_TRUE(kAllMembersArchived<Whole>);
  EXPECT_FALSE(kAllMembersArchived<Forgotten>);
  EXPECT_EQ(member_count<Place>(), 7u);
}

}  // namespace
}  // namespace syncsniff::facts
