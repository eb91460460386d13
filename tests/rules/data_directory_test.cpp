// Where the tables are looked for: beside the program, unless the environment says otherwise.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "rules/api_facts.h"
#include "rules/rule.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

class DataDirectory : public testing::Test {
 protected:
  void TearDown() override { unsetenv("SYNCSNIFF_DATA_DIR"); }
};

TEST_F(DataDirectory, StandsBesideTheProgramInTheBuildTree) {
  unsetenv("SYNCSNIFF_DATA_DIR");
  const std::string folder = data_directory();
  EXPECT_TRUE(folder.ends_with("/share/syncsniff")) << folder;
  EXPECT_NE(ApiTable::load(folder + "/rules/apis").find("cudaMemcpy"), nullptr);
  EXPECT_TRUE(load_rules(folder + "/rules/checks").count("sync-in-loop"));
}

TEST_F(DataDirectory, IsWhereTheEnvironmentSays) {
  test::Scratch scratch;
  scratch.write("rules/apis/lib.yaml", "");
  setenv("SYNCSNIFF_DATA_DIR", scratch.path().c_str(), 1);
  EXPECT_EQ(data_directory(), scratch.path());
}

TEST_F(DataDirectory, SaysWhereItLooked) {
  test::Scratch scratch;
  setenv("SYNCSNIFF_DATA_DIR", scratch.path().c_str(), 1);
  EXPECT_EQ(test::error_of("", [] { data_directory(); }),
            "SYNCSNIFF_DATA_DIR=" + scratch.path() + ": holds no rules/ folder; unset it");
}

}  // namespace
}  // namespace syncsniff
