// canonical() against the standard library's, which asks the file system for every folder.
#include "analyzer/paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/analyzer/checks/test_program.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

TEST(Paths, AreResolvedAsTheStandardLibraryDoes) {
  const test::TemporaryFolder folder;
  const fs::path root = folder.path();
  fs::create_directories(root / "real/inner");
  std::ofstream(root / "real/inner/unit.cu") << "\n";
  fs::create_directory_symlink(root / "real", root / "linked");
  fs::create_symlink(root / "real/inner/unit.cu", root / "real/inner/other.cu");
  for (const char* name : {"real/inner/unit.cu", "linked/inner/unit.cu", "linked/inner/other.cu",
                           "linked/inner/../inner/unit.cu", "real/./inner/unit.cu", "linked/inner/missing.cu",
                           "missing/inner/unit.cu", "linked", "linked/", "linked/..", "real/inner/."}) {
    const std::string path = (root / name).string();
    EXPECT_EQ(canonical(path), fs::weakly_canonical(path).string()) << name;
  }
  for (const char* path : {"/", "/etc", "/etc/../etc", "/etc/../etc/passwd", ".", "unit.cu", ""}) {
    const std::string expected = *path ? fs::weakly_canonical(path).string() : canonical("");
    EXPECT_EQ(canonical(path), expected) << path;
  }
}

}  // namespace
}  // namespace syncsniff
