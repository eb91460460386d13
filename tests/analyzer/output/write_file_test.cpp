#include "analyzer/output/write_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/output/source_text.h"

namespace syncsniff::output {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("write_file." + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  size_t entries() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }
  fs::path folder_;
};

TEST_F(WriteFile, NewFileHasTheUsualMode) {
  mode_t mask = ::umask(027);
  write_file_atomically(at("new"), std::string("a\0b", 3));
  ::umask(mask);
  EXPECT_EQ(read_whole_file(at("new")), std::string("a\0b", 3));
  EXPECT_EQ(fs::status(at("new")).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WriteFile, KeepsTheModeOfAFileThatIsThere) {
  std::ofstream(at("script")) << "old and longer";
  fs::permissions(at("script"), fs::perms(0751));
  write_file_atomically(at("script"), "new");
  EXPECT_EQ(read_whole_file(at("script")), "new");
  EXPECT_EQ(fs::status(at("script")).permissions(), fs::perms(0751));
}

TEST_F(WriteFile, ALinkStaysAndItsTargetChanges) {
  fs::create_directory(at("sub"));
  std::ofstream(at("sub/real")) << "old";
  fs::create_symlink("sub/real", at("link"));
  write_file_atomically(at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_whole_file(at("sub/real")), "new");
  fs::create_symlink("sub/later", at("dangling"));
  write_file_atomically(at("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
  EXPECT_EQ(read_whole_file(at("sub/later")), "made");
}

TEST_F(WriteFile, DevicesAreWrittenStraight) {
  EXPECT_NO_THROW(write_file_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, FailuresLoseNothing) {
  try {
    write_file_atomically(at("missing/out"), "x");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), at("missing/out") + ": No such file or directory; make its folder first");
  }
  EXPECT_THROW(write_file_atomically(folder_.string(), "x"), std::runtime_error);
  EXPECT_EQ(entries(), 0u);
  if (fs::exists("/dev/full")) {
    EXPECT_THROW(write_file_atomically("/dev/full", "x"), std::runtime_error);
  }
}

}  // namespace
}  // namespace syncsniff::output
