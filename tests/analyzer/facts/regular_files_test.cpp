// What Clang may open, and what it is told of the rest.
#include "analyzer/facts/regular_files.h"

#include <gtest/gtest.h>
#include <llvm/Support/MemoryBuffer.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;

std::string error_of(const std::string& path) {
  const auto files = regular_files_of(llvm::vfs::createPhysicalFileSystem());
  const auto text = files->getBufferForFile(path);
  return text ? "none" : text.getError().message();
}

TEST(RegularFiles, AnEmptyOneIsReadAndAPipeIsNotThere) {
  const fs::path folder = fs::path(testing::TempDir()) / ("regular_files." + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "empty.h").flush();
  std::ofstream(folder / "full.h") << "int x;";
  ASSERT_EQ(mkfifo((folder / "pipe.h").c_str(), 0600), 0);
  EXPECT_EQ(error_of(folder / "empty.h"), "none");
  EXPECT_EQ(error_of(folder / "full.h"), "none");
  EXPECT_EQ(error_of(folder / "pipe.h"), "No such file or directory");
  fs::remove_all(folder);
}

TEST(RegularFiles, OneThatCannotBeReadIsNotEmpty) {
  if (access("/proc/self/mem", R_OK) != 0) GTEST_SKIP() << "no /proc here";
  EXPECT_EQ(error_of("/proc/self/mem"), "Input/output error");
  EXPECT_EQ(error_of("/proc/self/status"), "Operation not supported");  // it says that it has no bytes
}

}  // namespace
}  // namespace syncsniff::facts
