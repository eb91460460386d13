// The cache's folder stays small: what was not used for long goes, then the longest unused; what is not the cache's
// stays.
#include "analyzer/facts/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kHour = 3600, kDay = 24 * kHour;

class CacheFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("cache_folder_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, int64_t seconds_ago, size_t bytes = 10) {
    std::ofstream(folder_ / name) << std::string(bytes, 'x');
    age(name, seconds_ago);
  }
  void age(const std::string& name, int64_t seconds_ago) {
    const timespec then{time(nullptr) - seconds_ago, 0}, times[] = {then, then};
    ASSERT_EQ(utimensat(AT_FDCWD, path(name).c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  }
  int64_t age_of(const std::string& name) const {
    struct stat info{};
    EXPECT_EQ(stat(path(name).c_str(), &info), 0);
    return time(nullptr) - info.st_mtim.tv_sec;
  }
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_)) out.insert(entry.path().filename().string());
    out.erase("tidied");
    return out;
  }

  fs::path folder_;
};

std::string name_of(uint64_t number) { return entry_name(number); }

TEST_F(CacheFolderTest, RemovesWhatWasNotUsedForAMonth) {
  write(name_of(1), 31 * kDay);
  write(name_of(2), 29 * kDay);
  write(name_of(3), -2 * kDay);  // a clock that was wrong
  tidy_cache(folder_.string());
  EXPECT_EQ(names(), std::set<std::string>{name_of(2)});
}

TEST_F(CacheFolderTest, RemovesTheLongestUnusedUntilTheRestIsSmallEnough) {
  for (uint64_t i = 0; i < 5; ++i) write(name_of(i), static_cast<int64_t>(i + 1) * kHour, 100);
  tidy_cache(folder_.string(), {30 * kDay, 250});
  EXPECT_EQ(names(), (std::set<std::string>{name_of(0), name_of(1)}));
}

TEST_F(CacheFolderTest, RemovesDraftsOfRunsThatWereKilledAndNothingOfOthers) {
  const std::string draft = name_of(1) + ".aB3xYz";
  write(draft, 2 * kHour);
  write(name_of(2) + ".cD4xYz", 60);
  write("notes.txt", 90 * kDay);
  write("0123456789abcdef.facts_of_mine", 90 * kDay);
  fs::create_directories(folder_ / name_of(3));
  age(name_of(3), 90 * kDay);
  fs::create_symlink("notes.txt", folder_ / name_of(4));
  age(name_of(4), 90 * kDay);
  tidy_cache(folder_.string(), {30 * kDay, 0});
  EXPECT_EQ(names(), (std::set<std::string>{"notes.txt", "0123456789abcdef.facts_of_mine", name_of(2) + ".cD4xYz",
                                            name_of(3), name_of(4)}));
}

TEST_F(CacheFolderTest, LooksOnceAnHour) {
  tidy_cache(folder_.string());
  write(name_of(1), 31 * kDay);
  tidy_cache(folder_.string());
  EXPECT_EQ(names().size(), 1u);
  age("tidied", 2 * kHour);
  tidy_cache(folder_.string());
  EXPECT_EQ(names().size(), 0u);
}

TEST_F(CacheFolderTest, UseIsNotedOnceADay) {
  write(name_of(1), 3 * kDay);
  note_use(path(name_of(1)));
  EXPECT_LT(age_of(name_of(1)), 60);
  age(name_of(1), 2 * kHour);
  note_use(path(name_of(1)));
  EXPECT_GE(age_of(name_of(1)), 2 * kHour);
  note_use(path("gone"));
  EXPECT_FALSE(fs::exists(folder_ / "gone"));
}

TEST_F(CacheFolderTest, AnEntryIsWrittenWholeOrNotAtAll) {
  write_entry(path(name_of(1)), {"one"});
  write_entry(path(name_of(1)), {"two"});
  std::ifstream in(path(name_of(1)));
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(in)), {}), "two");
  fs::create_directories(folder_ / name_of(2));
  write_entry(path(name_of(2)), {"cannot replace a folder"});
  write_entry(path("no such folder/" + name_of(3)), {"lost"});
  EXPECT_EQ(names(), (std::set<std::string>{name_of(1), name_of(2)})) << "a draft was left behind";
}

TEST_F(CacheFolderTest, PreamblesHaveABoundOfTheirOwn) {
  write(preamble_name(1), 3 * kHour, 100);
  write(preamble_name(2), 2 * kHour, 100);
  write(preamble_name(3), 1 * kHour, 100);
  write(name_of(4), 4 * kHour, 100);
  CacheLimits limits;
  limits.preamble_bytes = 250;
  bound_preambles(folder_.string(), limits);
  EXPECT_EQ(names(), (std::set<std::string>{preamble_name(2), preamble_name(3), name_of(4)}));
}

TEST_F(CacheFolderTest, PreamblesCountAsEntries) {
  write(preamble_name(1), 31 * kDay);
  write(preamble_name(2), 3 * kHour, 100);
  write(preamble_name(2) + ".aB3xYz", 2 * kHour);  // a run that was killed
  write(name_of(3), 2 * kHour, 100);
  tidy_cache(folder_.string(), {30 * kDay, 150});
  EXPECT_EQ(names(), std::set<std::string>{name_of(3)});
}

}  // namespace
}  // namespace syncsniff::facts
