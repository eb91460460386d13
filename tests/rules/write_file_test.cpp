#include "rules/write_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "rules/regular_file.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_whole_file(const std::string& path) {
  std::string problem;
  return read_regular_file(path, problem);
}

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

struct stat facts_of(const std::string& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return facts;
}

TEST_F(WriteFile, AHardLinkStaysOne) {
  for (const char* text : {"short", "a text that is longer than the one before"}) {
    std::ofstream(at("one")) << "what was there";
    fs::remove(at("other"));
    fs::create_hard_link(at("one"), at("other"));
    write_file_atomically(at("one"), text);
    EXPECT_EQ(read_whole_file(at("one")), text);
    EXPECT_EQ(read_whole_file(at("other")), text);
    EXPECT_EQ(facts_of(at("one")).st_ino, facts_of(at("other")).st_ino);
  }
}

TEST_F(WriteFile, TheOwnerStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  std::ofstream(at("theirs")) << "old";
  ASSERT_EQ(::chown(at("theirs").c_str(), 12345, 54321), 0);
  ASSERT_EQ(::chmod(at("theirs").c_str(), 0640), 0);
  write_file_atomically(at("theirs"), "new");
  const struct stat after = facts_of(at("theirs"));
  EXPECT_EQ(after.st_uid, 12345u);
  EXPECT_EQ(after.st_gid, 54321u);
  EXPECT_EQ(after.st_mode & 07777, 0640u);
  EXPECT_EQ(read_whole_file(at("theirs")), "new");
}

TEST_F(WriteFile, AttributesStay) {
  std::ofstream(at("marked")) << "old";
  if (::setxattr(at("marked").c_str(), "user.note", "kept", 4, 0) != 0) GTEST_SKIP() << "no attributes here";
  write_file_atomically(at("marked"), "new");
  char value[8] = {};
  EXPECT_EQ(::getxattr(at("marked").c_str(), "user.note", value, sizeof value), 4);
  EXPECT_EQ(read_whole_file(at("marked")), "new");
}

TEST_F(WriteFile, SecurityLabelsStay) {
  std::ofstream(at("labelled")) << "old";
  if (::setxattr(at("labelled").c_str(), "security.syncsniff", "kept", 4, 0) != 0) GTEST_SKIP() << "root's alone";
  write_file_atomically(at("labelled"), "new and longer");
  char value[8] = {};
  EXPECT_EQ(::getxattr(at("labelled").c_str(), "security.syncsniff", value, sizeof value), 4);
  EXPECT_EQ(read_whole_file(at("labelled")), "new and longer");
  EXPECT_EQ(entries(), 1u);
}

// cap_net_raw=p, as linux/capability.h lays it out. The kernel takes it away from whatever is written.
constexpr char kNetRaw[] = "\x00\x00\x00\x02\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00";

TEST_F(WriteFile, FileCapabilitiesStayOrTheFileIsLeftAlone) {
  for (const bool linked : {false, true}) {
    const std::string path = at(linked ? "linked" : "alone");
    std::ofstream(path) << "old";
    if (linked) fs::create_hard_link(path, at("other"));
    if (::setxattr(path.c_str(), "security.capability", kNetRaw, sizeof kNetRaw, 0) != 0)
      GTEST_SKIP() << "root's alone";
    write_file_atomically(path, "new");
    char value[64] = {};
    EXPECT_EQ(::getxattr(path.c_str(), "security.capability", value, sizeof value), 20) << path;
    EXPECT_EQ(read_whole_file(path), "new");
  }
  // Another user's process, which may write the file and not give it its capabilities.
  const pid_t child = ::fork();
  if (child == 0) {
    fs::permissions(folder_, fs::perms(0777));
    fs::permissions(at("alone"), fs::perms(0666));
    if (::setgid(54321) != 0 || ::setuid(12345) != 0) ::_exit(2);
    try {
      write_file_atomically(at("alone"), "lost");
    } catch (const std::runtime_error& error) {
      ::_exit(std::string(error.what()).find("has file capabilities") == std::string::npos ? 3 : 0);
    }
    ::_exit(4);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_whole_file(at("alone")), "new");
}

TEST_F(WriteFile, AProcessThatIsKilledLeavesAWholeFileAndNothingBesides) {
  const std::string old_text(100'000, 'o'), new_text(200'000, 'n');
  std::ofstream(at("file")) << old_text;
  unsigned left = 0;
  for (useconds_t delay = 0; delay < 3000; delay += 100) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (bool odd = false;; odd = !odd) write_file_atomically(at("file"), odd ? old_text : new_text);
    }
    ::usleep(2000 + delay);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto text = read_whole_file(at("file"));
    EXPECT_TRUE(text == old_text || text == new_text);
    left += static_cast<unsigned>(entries() - 1 - left);
  }
  // A draft has a name for some microseconds of each write; more than that where the child loses its processor just
  // then.
  EXPECT_LE(left, 10u) << "of 30";
}

TEST_F(WriteFile, WhatAKilledOneLeftIsSweptUpLater) {
  std::ofstream(at("file")) << "old";
  std::ofstream(at(".file.syncsniff-123456")) << "draft";
  std::ofstream(at(".file.syncsniff-654321")) << "somebody is at it";
  std::ofstream(at(".other.syncsniff-123456")) << "of another file";
  for (const char* name : {".file.syncsniff-123456", ".other.syncsniff-123456"})
    fs::last_write_time(at(name), fs::file_time_type::clock::now() - std::chrono::hours(1));
  write_file_atomically(at("file"), "new");
  EXPECT_FALSE(fs::exists(at(".file.syncsniff-123456")));
  EXPECT_TRUE(fs::exists(at(".file.syncsniff-654321")));
  EXPECT_TRUE(fs::exists(at(".other.syncsniff-123456")));
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
}  // namespace syncsniff
