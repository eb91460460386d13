// The one opener: what it reads, what it refuses, and that it never waits.
#include "rules/regular_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "rules/finding.h"
#include "rules/yaml_tree.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::error_of;
using test::Scratch;

// A test that waits for a pipe's other end is ended, not waited for.
class RegularFile : public testing::Test {
 protected:
  void SetUp() override { alarm(10); }
  void TearDown() override { alarm(0); }
  std::string pipe(const std::string& name) const {
    const std::string path = scratch_.path() + "/" + name;
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  Scratch scratch_;
};

std::string problem_of(const std::string& path, uint64_t max_bytes = kMaxTextBytes) {
  std::string problem;
  EXPECT_FALSE(read_regular_file(path, problem, max_bytes)) << path;
  return problem;
}

TEST_F(RegularFile, IsReadWhole) {
  const std::string text = std::string(200000, 'x') + std::string("\0\n", 2);
  std::string problem;
  EXPECT_EQ(read_regular_file(scratch_.write("a", text), problem), text);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(read_regular_file(scratch_.write("none", ""), problem), "");
  // Its size is said to be 0.
  EXPECT_NE(read_regular_file("/proc/self/status", problem).value_or("").find("Name:"), std::string::npos);
}

TEST_F(RegularFile, WhatElseAPathMayNameIsRefusedAtOnce) {
  EXPECT_EQ(problem_of(pipe("pipe")), "is a pipe, not a regular file");
  EXPECT_EQ(problem_of(scratch_.path()), "is a directory");
  EXPECT_EQ(problem_of("/dev/zero"), "is a device, not a regular file");
  EXPECT_EQ(problem_of("/dev/null"), "is a device, not a regular file");
  EXPECT_EQ(problem_of(scratch_.path() + "/gone"), "No such file or directory");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (scratch_.path() + "/socket").c_str(), sizeof address.sun_path - 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(problem_of(address.sun_path), "is a socket, not a regular file");
  close(fd);
}

TEST_F(RegularFile, OneThatClaimsToBeEndlessIsRefused) {
  const std::string path = scratch_.write("sparse", "x");
  ASSERT_EQ(truncate(path.c_str(), 5 << 20), 0);
  EXPECT_EQ(problem_of(path, 4 << 20), "holds more than 4 MiB");
  std::string problem;
  EXPECT_TRUE(read_regular_file(path, problem, 5 << 20)) << problem;
}

TEST_F(RegularFile, FindingsAndTablesAreReadThroughIt) {
  pipe("pipe.json");
  EXPECT_EQ(error_of(scratch_.path(), [&] { read_findings_json(scratch_.path() + "/pipe.json"); }),
            "pipe.json: is a pipe, not a regular file; write it with `syncsniff check --format=json -o FILE`");
  scratch_.write("tables/a.yaml", "a: 1\n");
  const std::string compiled = pipe("tables/tables.bin");
  EXPECT_EQ(load_yaml_folder(scratch_.path() + "/tables").size(), 1u) << "tables.bin saves time, no more";
  unlink(compiled.c_str());
  pipe("tables/b.yaml");
  EXPECT_EQ(error_of(scratch_.path(), [&] { load_yaml_folder(scratch_.path() + "/tables"); }),
            "tables/b.yaml:0: cannot read the file: is a pipe, not a regular file");
}

}  // namespace
}  // namespace syncsniff
